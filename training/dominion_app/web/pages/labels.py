"""Answers in the words of a button, wherever a page names one: at the question, in a hint, in a review."""

from __future__ import annotations

from dominion_app.web.house.games import PASS
from dominion_env.core.questions import KIND_NAMES, asked
from dominion_env.render.view import card_in
from dominion_env.render.wording import declining
from dominion_env.rules.turns.dispatch import QUESTIONS
from dominion_env.tables.cards import Card

_ENDING = {"in the Action phase": "Go on to the Buy phase", "in the Buy phase": "End the turn"}
# What passing means, by how a question of a card reads.
DECLINING = {
    asked(KIND_NAMES[each.kind], Card(card)): declining(each)
    for (_, card), questions in QUESTIONS.items()
    for each in questions
    if each.may
}


def label_of(answer: str, question: str) -> str:
    """Return an answer as its button says it.

    Args:
        answer: the answer as the game has it, such as "topdeck Gold" or "pass".
        question: the question as `View.question` has it, or as a review tells it: "... asked by Sentry to ...".
    """
    if answer == PASS:
        phase = next((words for phase, words in _ENDING.items() if f"asked {phase}" in question), None)
        return phase or next((words for said, words in DECLINING.items() if said in question), "No")
    if answer == "discard deck":
        return "Discard the deck"
    if answer.startswith("topdeck ") and (card := card_in(answer)) is not None:
        return f"Put {card.title} {'back' if 'put back' in question else 'on top'}"
    return answer[0].upper() + answer[1:]


def relabelled(sentence: str, question: str) -> str:
    """Return a sentence about answers in which passing is called as its button is."""
    return " ".join(_named(word, question) for word in sentence.split(" "))


def _named(word: str, question: str) -> str:
    bare = word.rstrip(".:,")
    return f"“{label_of(PASS, question)}”{word[len(bare) :]}" if bare == PASS else word
