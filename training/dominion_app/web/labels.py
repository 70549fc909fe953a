"""Answers in the words of a button, wherever a page names one: at the question, in a hint, in a review."""

from __future__ import annotations

from dominion_app.web.games import PASS
from dominion_env.render.view import card_in

_ENDING = {"in the Action phase": "Go on to the Buy phase", "in the Buy phase": "End the turn"}
# What passing means, by the card that asks; what is said of the others is true of each.
DECLINING = {
    "Cellar": "Discard no more", "Chancellor": "Keep the deck", "Chapel": "Trash no more",
    "Harbinger": "Put none on top", "Library": "Keep it", "Mine": "Trash none", "Moat": "Don't reveal it",
    "Moneylender": "Trash none", "Thief": "Gain no more", "Throne Room": "Play none", "Vassal": "Don't play it",
}  # fmt: skip
_PUT_BACK = ("Sentry", "Spy")  # cards that put a card back where it came from


def label_of(answer: str, question: str) -> str:
    """Return an answer as its button says it.

    Args:
        answer: the answer as the game has it, such as "topdeck Gold" or "pass".
        question: the question as `View.question` has it, or as a review tells it: "... asked by Sentry to ...".
    """
    source = question.partition("asked by ")[2].partition(" to ")[0]
    if answer == PASS:
        phase = next((words for phase, words in _ENDING.items() if f"asked {phase}" in question), None)
        return phase or DECLINING.get(source, "No")
    if answer == "discard deck":
        return "Discard the deck"
    if answer.startswith("topdeck ") and (card := card_in(answer)) is not None:
        return f"Put {card.title} {'back' if source in _PUT_BACK else 'on top'}"
    return answer[0].upper() + answer[1:]


def relabelled(sentence: str, question: str) -> str:
    """Return a sentence about answers in which passing is called as its button is."""
    return " ".join(_named(word, question) for word in sentence.split(" "))


def _named(word: str, question: str) -> str:
    bare = word.rstrip(".:,")
    return f"“{label_of(PASS, question)}”{word[len(bare) :]}" if bare == PASS else word
