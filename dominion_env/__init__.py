"""Dominion, the deck-building card game, as a reinforcement-learning environment.

`GameBatch` plays many games at once, `Game` one in words; the other names are thin views of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dominion_env.actions import DISCARD_DECK, NUM_ACTIONS, PASS, Verb, action_id, action_name
from dominion_env.batch import Final, GameBatch
from dominion_env.cards import CARDS, NUM_CARDS, Card, CardInfo, Type
from dominion_env.errors import (
    DominionError,
    GameOver,
    IllegalAction,
    InvalidAgent,
    InvalidKingdom,
    InvalidOption,
    InvalidPosition,
    InvalidReplay,
    InvalidStrategy,
    ResultsMismatch,
    UnknownCard,
)
from dominion_env.game import Decision, Game
from dominion_env.kingdoms import KINGDOMS, kingdom_names, split
from dominion_env.observation import observation_fields, observation_size
from dominion_env.rules.events import Event
from dominion_env.rules.state import RULES_VERSION

if TYPE_CHECKING:
    from dominion_env.sb3 import SB3VecEnv

__version__ = "0.1.0"

__all__ = [
    "CARDS",
    "DISCARD_DECK",
    "KINGDOMS",
    "NUM_ACTIONS",
    "NUM_CARDS",
    "PASS",
    "RULES_VERSION",
    "Card",
    "CardInfo",
    "Decision",
    "DominionError",
    "Event",
    "Final",
    "Game",
    "GameBatch",
    "GameOver",
    "IllegalAction",
    "InvalidAgent",
    "InvalidKingdom",
    "InvalidOption",
    "InvalidPosition",
    "InvalidReplay",
    "InvalidStrategy",
    "ResultsMismatch",
    "SB3VecEnv",
    "Type",
    "UnknownCard",
    "Verb",
    "action_id",
    "action_name",
    "kingdom_names",
    "observation_fields",
    "observation_size",
    "split",
]


def __getattr__(name: str) -> Any:
    """Views that bring large packages with them are imported when they are asked for."""
    if name == "SB3VecEnv":
        from dominion_env.sb3 import SB3VecEnv

        return SB3VecEnv
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
