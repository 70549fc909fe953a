"""The answers that a player can give, "this card" or "no card", as numbers and in words.

An action is `PASS`, `DISCARD_DECK` (Chancellor), or `2 + 8 * card + verb`. The numbers are the same in every kingdom,
edition and number of players, and never change meaning.
"""

import re
from enum import IntEnum

from dominion_env.common.checks import is_whole, shown
from dominion_env.common.errors import IllegalAction
from dominion_env.tables.cards import CARDS, NUM_CARDS


class Verb(IntEnum):
    """The verb of an action: it says what is done with the card that the action names."""

    PLAY = 0
    BUY = 1
    GAIN = 2
    TRASH = 3
    DISCARD = 4
    TOPDECK = 5
    REVEAL = 6
    SET_ASIDE = 7

    @property
    def word(self) -> str:
        """The verb as it is written in the name of an action: "set aside"."""
        return self.name.lower().replace("_", " ")


PASS = 0
DISCARD_DECK = 1
FIRST_CARD_ACTION = 2
NUM_VERBS = len(Verb)
NUM_ACTIONS = FIRST_CARD_ACTION + NUM_VERBS * NUM_CARDS

ACTION_NAMES: tuple[str, ...] = (
    "pass",
    "discard deck",
    *(f"{verb.word} {info.name}" for info in CARDS for verb in Verb),
)
_IDS = {name.lower(): number for number, name in enumerate(ACTION_NAMES)}
_BETWEEN_WORDS = re.compile(r"[\W_]+")


def action_name(action: int) -> str:
    """Return in words what an action number means: `action_name(2 + 8 * Card.SMITHY)` is "play Smithy".

    Raises:
        IllegalAction: the number is no action.
    """
    if not is_whole(action) or not 0 <= action < NUM_ACTIONS:
        raise IllegalAction(f"expected an action from 0 to {NUM_ACTIONS - 1}, got {shown(action)}")
    return ACTION_NAMES[action]


def action_id(words: str) -> int:
    """Return the number of an action in words: `action_id("pass")` is 0.

    Case, quotes, punctuation and the characters between the words do not matter, as language models write them in many
    ways: "Buy Curse.", '"buy Curse"' and "buy_curse" are the same action.

    Raises:
        IllegalAction: the words name no action; the message says how actions read.
    """
    found = _IDS.get(_BETWEEN_WORDS.sub(" ", words.lower()).strip()) if isinstance(words, str) else None
    if found is None:
        from difflib import get_close_matches

        near = get_close_matches(words[:40].lower(), _IDS, n=3) if isinstance(words, str) else []
        hint = f"did you mean {' or '.join(repr(ACTION_NAMES[_IDS[n]]) for n in near)}? Say" if near else "say"
        verbs = ", ".join(verb.word for verb in Verb)
        raise IllegalAction(
            f"{shown(words)} is no action: {hint} 'pass', 'discard deck', or a verb ({verbs}) and a card"
        )
    return found


def action_of(verb: int, card: int) -> int:
    """Return the number of the action that does `verb` with `card`. The rules call this compiled (`decisions.action_for`)."""
    return FIRST_CARD_ACTION + NUM_VERBS * int(card) + int(verb)
