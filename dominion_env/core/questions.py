"""What a player is asked, in words: names of the kinds of question, and how each reads in a sentence."""

from __future__ import annotations

from dominion_env.actions import Verb
from dominion_env.cards import Card

KIND_NAMES = (*(verb.word for verb in Verb), "action", "buy", "discard deck")

_READS = {
    **{verb.word: f"to {verb.word}" for verb in Verb},
    "topdeck": "to put on the deck",
    "action": "in the Action phase to play a card",
    "buy": "in the Buy phase to play or buy a card",
    "discard deck": "to discard the deck",
}


def kind_name(kind: int) -> str:
    """Return what is asked, in a word or two: "action", "buy", "discard deck" or a verb."""
    return KIND_NAMES[kind]


def asked(kind: str, source: Card | None) -> str:
    """Return what follows "player_1 is", such as "asked by Militia to discard".

    Args:
        kind: kind of question, one of `KIND_NAMES`.
        source: card whose text asks, None for the phases of the turn.
    """
    return f"asked {'' if source is None else f'by {source.title} '}{_READS[kind]}"
