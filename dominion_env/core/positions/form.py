"""The keys of a position in words, and the words for numbers of the record."""

from collections.abc import Mapping
from typing import Any

from dominion_env.rules.record.state import ALL, NOBODY, OWNER
from dominion_env.tables.cards import CARDS, Type

FORMAT = 2  # grows when positions of the form before can't be read any more

Position = Mapping[str, Any]

PHASES = ("action", "buy")
KNOWERS = {"nobody": NOBODY, "owner": OWNER, "all": ALL}
KNOWER_NAMES = {number: name for name, number in KNOWERS.items()}
ZONES_OF_CANDIDATES = (
    "nowhere", "actions to play", "treasures and supply", "hand", "supply", "discard pile", "revealed", "loot", "subject", "deck",
)  # fmt: skip
ENDINGS = ("running", "provinces", "piles", "truncated", "illegal")

LACKING_KEYS = ("lacking_hand", "lacking_discard")
_SETS = ("Action or Treasure", "Action or Copper", "Treasure", "Action", "Copper")
LACKED_WORDS = (*(f"{each} or shuffled card" for each in _SETS), "shuffled card", *_SETS)  # as in `state.LACKED`
PLAYER_KEYS = (
    "hand", "deck_top", "deck_known", "deck_bag", "discard", "in_play", "set_aside", "revealed", "revealed_known",
    "chosen", "known_hand", "known_discard", *LACKING_KEYS, "unshuffled", "turns",
)  # fmt: skip
KEYS_OF_COURSE = (  # of a game whose players have cards
    "start_player", "turn_player", "phase", "actions", "buys", "coins", "merchants", "silver_played", "bought", "over", "ended",
    "asked", "effects", "question", "immune", "loot",
)  # fmt: skip
KEYS = (
    "format", "cards", "edition", "num_players", "kingdom", "supply", "trash", "players", "address", "streams", "decisions",
    *KEYS_OF_COURSE,
)  # fmt: skip
QUESTION_KEYS = (
    "player", "kind", "source", "subject", "target", "verbs", "from", "which", "optional", "picks", "min_left",
    "max_left",
)  # fmt: skip
WHICH_KEYS = ("types", "up_to", "only", "except")  # of the cards that will do; a key that is missing asks for nothing
EFFECT_KEYS = ("effect", "card", "player", "step", "memory")
TYPE_WORDS = {kind.name.lower(): int(kind) for kind in Type if kind.name}

LARGEST_TURN = 30000


def title_of(card: int) -> str:
    """Return the name of a card in a position."""
    return CARDS[card].name
