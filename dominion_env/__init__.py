"""Dominion, the deck-building card game, as a reinforcement-learning environment.

`GameBatch` plays many games at once, and `Game` plays one game in words; all other environments are thin views of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from dominion_env.actions import DISCARD_DECK, NUM_ACTIONS, PASS, Verb, action_id, action_name
from dominion_env.cards import CARDS, NUM_CARDS, Card, CardInfo, Type
from dominion_env.core.address import Address
from dominion_env.core.fields import FIELD_NAMES, OBSERVATION_VERSION, observation_fields, observation_size
from dominion_env.core.questions import Decision
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
    UnknownAgent,
    UnknownCard,
    UnknownOption,
    WrongOrder,
)
from dominion_env.kingdoms import KINGDOMS, kingdom_names, split
from dominion_env.rules.events import Event
from dominion_env.rules.state import RULES_VERSION
from dominion_env.views.registration import register_views

if TYPE_CHECKING:
    from dominion_env.agent import Agent, Searcher, ask
    from dominion_env.core.batch import Final, GameBatch
    from dominion_env.game import Game
    from dominion_env.registry import agent_names, make_agent, register_agent
    from dominion_env.situation import Gains, Situation
    from dominion_env.views import dominion_v0
    from dominion_env.views.gymnasium_env import DominionEnv
    from dominion_env.views.sb3 import SB3VecEnv
    from dominion_env.views.vector_env import DominionVectorEnv

__version__ = "0.2.0"

__all__ = [
    "CARDS",
    "DISCARD_DECK",
    "FIELD_NAMES",
    "KINGDOMS",
    "NUM_ACTIONS",
    "NUM_CARDS",
    "OBSERVATION_VERSION",
    "PASS",
    "RULES_VERSION",
    "Address",
    "Agent",
    "Card",
    "CardInfo",
    "Decision",
    "DominionEnv",
    "DominionError",
    "DominionVectorEnv",
    "Event",
    "Final",
    "Gains",
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
    "Searcher",
    "Situation",
    "Type",
    "UnknownAgent",
    "UnknownCard",
    "UnknownOption",
    "Verb",
    "WrongOrder",
    "action_id",
    "action_name",
    "agent_names",
    "ask",
    "dominion_v0",
    "kingdom_names",
    "make_agent",
    "observation_fields",
    "observation_size",
    "register_agent",
    "split",
]


# These are imported when they are first used: modules that run the compiled rules, so that `dominion_env.rules.generate` can
# write a part of these, and views that bring large packages with them.
_LATER = {
    "Agent": "dominion_env.agent",
    "Searcher": "dominion_env.agent",
    "ask": "dominion_env.agent",
    "Gains": "dominion_env.situation",
    "Situation": "dominion_env.situation",
    "agent_names": "dominion_env.registry",
    "make_agent": "dominion_env.registry",
    "register_agent": "dominion_env.registry",
    "Final": "dominion_env.core.batch",
    "Game": "dominion_env.game",
    "GameBatch": "dominion_env.core.batch",
    "DominionEnv": "dominion_env.views.gymnasium_env",
    "DominionVectorEnv": "dominion_env.views.vector_env",
    "SB3VecEnv": "dominion_env.views.sb3",
}


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(import_module(_LATER[name]), name)
    if name == "dominion_v0":
        return import_module("dominion_env.views.dominion_v0")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


register_views()
