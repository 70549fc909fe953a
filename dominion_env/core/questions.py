"""What a player is asked, in words: names of the kinds of question, and how each reads in a sentence."""

from typing import Any, NamedTuple

from dominion_env.rules.turns.dispatch import QUESTIONS
from dominion_env.rules.words.asking import Question
from dominion_env.tables.actions import Verb
from dominion_env.tables.cards import Card

# The names of the kinds of question by their numbers, as the record of a game holds them.
KIND_NAMES = (*(verb.word for verb in Verb), "action", "buy", "discard deck")

_READS = {
    **{verb.word: f"to {verb.word}" for verb in Verb},
    "topdeck": "to put on the deck",
    "set aside": "to set aside or keep",
    "action": "in the Action phase to play a card",
    "buy": "in the Buy phase to play or buy a card",
    "discard deck": "to discard the deck",
}

_OF_CARDS: dict[int, list[Question]] = {}
for (_, _card), _questions in QUESTIONS.items():
    _OF_CARDS.setdefault(_card, []).extend(_questions)


class Decision(NamedTuple):
    """A question to one player.

    Attributes:
        player: the seat that must answer.
        kind: "action", "buy", "discard deck", or the first verb that is offered ("trash", "gain" and so on).
        source: the card whose text asks; None for the phases of the turn, and Moat where an Attack may be answered.
        card: the card that the question is about (the Attack that Moat may answer, the card that Spy revealed), if any.
        target: the seat that the question is about (the victim of Spy or Thief), if any.
        min_left, max_left: fewest and most cards that may still be picked, this one included.
    """

    player: int
    kind: str
    source: Card | None
    card: Card | None
    target: int | None
    min_left: int
    max_left: int


def decision_of(game: Any) -> Decision | None:
    """Return the question that waits in the record of a game; None once the game is over."""
    if game["over"]:
        return None
    return Decision(
        int(game["asked"]),
        KIND_NAMES[game["kind"]],
        Card(game["source"]) if game["source"] >= 0 else None,
        Card(game["subject"]) if game["subject"] >= 0 else None,
        int(game["target"]) if game["target"] >= 0 else None,
        int(game["min_left"]),
        int(game["max_left"]),
    )


def question_of(source: Card, kind: str, is_about_a_card: bool = False) -> Question:
    """Return a question of a card's file.

    Args:
        source: card whose text asks.
        kind: kind of question, one of `KIND_NAMES`.
        is_about_a_card: whether it is about one card, where the text asks two questions of this kind.
    """
    found = [each for each in _OF_CARDS[source] if KIND_NAMES[each.kind] == kind]
    return next((each for each in found if each.is_about_a_card == is_about_a_card), found[0])


def offered(question: Question) -> str:
    """Return the verbs that a question of several offers: "trash, discard or put back"."""
    words = ["put back" if verb == Verb.TOPDECK else verb.word for verb in Verb if question.verbs >> verb & 1]
    return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def asked(kind: str, source: Card | None) -> str:
    """Return what follows "player_1 is", such as "asked by Militia to discard".

    Args:
        kind: kind of question, one of `KIND_NAMES`.
        source: card whose text asks, None for the phases of the turn.
    """
    if source is None:
        return f"asked {_READS[kind]}"
    question = question_of(source, kind)
    several = question.verbs.bit_count() > 1
    return f"asked by {source.title} {f'to {offered(question)}' if several else _READS[kind]}"
