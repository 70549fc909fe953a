"""Dominion, the deck-building card game, as a reinforcement-learning environment.

`GameBatch` plays many games at once, `Game` one in words; the other names are thin views of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from dominion_env.actions import DISCARD_DECK, NUM_ACTIONS, PASS, Verb, action_id, action_name
from dominion_env.cards import CARDS, NUM_CARDS, Card, CardInfo, Type
from dominion_env.core.address import Address
from dominion_env.core.batch import Final, GameBatch
from dominion_env.core.fields import FIELD_NAMES, observation_fields, observation_size
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
    UnknownOption,
    WrongOrder,
)
from dominion_env.game import Decision, Game
from dominion_env.kingdoms import KINGDOMS, kingdom_names, split
from dominion_env.rules.events import Event
from dominion_env.rules.state import RULES_VERSION
from dominion_env.views.registration import register_views

if TYPE_CHECKING:
    from dominion_env.views import dominion_v0
    from dominion_env.views.gymnasium_env import DominionEnv
    from dominion_env.views.sb3 import SB3VecEnv
    from dominion_env.views.vector_env import DominionVectorEnv

__version__ = "0.1.0"

__all__ = [
    "CARDS",
    "DISCARD_DECK",
    "FIELD_NAMES",
    "KINGDOMS",
    "NUM_ACTIONS",
    "NUM_CARDS",
    "PASS",
    "RULES_VERSION",
    "Address",
    "Card",
    "CardInfo",
    "Decision",
    "DominionEnv",
    "DominionError",
    "DominionVectorEnv",
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
    "UnknownOption",
    "Verb",
    "WrongOrder",
    "action_id",
    "action_name",
    "dominion_v0",
    "kingdom_names",
    "observation_fields",
    "observation_size",
    "split",
]


# Views that bring large packages with them are imported when they are asked for.
_VIEWS = {
    "DominionEnv": "dominion_env.views.gymnasium_env",
    "DominionVectorEnv": "dominion_env.views.vector_env",
    "SB3VecEnv": "dominion_env.views.sb3",
}


def __getattr__(name: str) -> Any:
    if name in _VIEWS:
        return getattr(import_module(_VIEWS[name]), name)
    if name == "dominion_v0":
        return import_module("dominion_env.views.dominion_v0")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


register_views()
