"""What a position in words consists of: its keys, and the words that stand for numbers of the record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dominion_env.cards import CARDS
from dominion_env.rules.state import ALL, NOBODY, OWNER

FORMAT = 1

Position = Mapping[str, Any]

PHASES = ("action", "buy")
KNOWERS = {"nobody": NOBODY, "owner": OWNER, "all": ALL}
KNOWER_NAMES = {number: name for name, number in KNOWERS.items()}
ZONES_OF_CANDIDATES = (
    "nowhere", "action phase", "buy phase", "hand", "supply", "discard pile", "revealed", "loot", "subject", "deck",
)  # fmt: skip
ENDINGS = ("running", "provinces", "piles", "truncated", "illegal")

PLAYER_KEYS = (
    "hand", "deck_top", "deck_known", "deck_bag", "discard", "in_play", "set_aside", "revealed", "revealed_known",
    "chosen", "known_hand", "known_discard", "turns",
)  # fmt: skip
KEYS = (
    "format", "edition", "num_players", "kingdom", "start_player", "turn_player", "phase", "actions", "buys", "coins",
    "merchants", "silver_played", "bought", "supply", "trash", "players", "over", "ended", "address", "streams",
    "decisions", "asked", "effects", "question", "immune", "loot",
)  # fmt: skip
QUESTION_KEYS = (
    "player", "kind", "source", "subject", "target", "verbs", "from", "which", "optional", "picks", "min_left",
    "max_left",
)  # fmt: skip

LARGEST_TURN = 30000


def name_of(card: int) -> str:
    """A card in a position."""
    return CARDS[card].name
