"""Dominion, the deck-building card game, as a reinforcement-learning environment.

`GameBatch` plays many games at once, and `Game` plays one game in words; all other environments are thin views of them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from dominion_env.common.errors import (
    DominionError,
    GameOver,
    IllegalAction,
    InvalidAgent,
    InvalidKingdom,
    InvalidOption,
    InvalidPosition,
    InvalidReplay,
    InvalidStrategy,
    UnknownAgent,
    UnknownCard,
    WrongOrder,
)
from dominion_env.common.superseded import later
from dominion_env.core.observing.fields import FIELD_NAMES, observation_fields, observation_scales, observation_size
from dominion_env.rules.events import Event
from dominion_env.rules.record.state import RULES_VERSION
from dominion_env.tables.actions import DISCARD_DECK, NUM_ACTIONS, PASS, Verb, action_id, action_name
from dominion_env.tables.cards import CARDS, Card, Type
from dominion_env.tables.kingdoms import KINGDOMS, kingdom_names, split
from dominion_env.views.registration import register_views

if TYPE_CHECKING:
    from dominion_env.core.batch import GameBatch
    from dominion_env.core.questions import Decision
    from dominion_env.players.agent import Agent, ask
    from dominion_env.players.registry import agent_names, make_agent, register_agent
    from dominion_env.players.situation import Situation
    from dominion_env.views import dominion_v0
    from dominion_env.views.game import Game
    from dominion_env.views.gymnasium_env import DominionEnv
    from dominion_env.views.sb3 import SB3VecEnv
    from dominion_env.views.vector_env import DominionVectorEnv

__version__ = "0.4.0"

__all__ = [
    "CARDS",
    "DISCARD_DECK",
    "FIELD_NAMES",
    "KINGDOMS",
    "NUM_ACTIONS",
    "PASS",
    "RULES_VERSION",
    "Agent",
    "Card",
    "Decision",
    "DominionEnv",
    "DominionError",
    "DominionVectorEnv",
    "Event",
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
    "SB3VecEnv",
    "Situation",
    "Type",
    "UnknownAgent",
    "UnknownCard",
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
    "observation_scales",
    "observation_size",
    "register_agent",
    "split",
]


# These are imported when they are first used: modules that run the compiled rules, so that `rules.turns.generate` can write a
# part of these, and views that bring large packages with them.
_LATER = {
    "Agent": "dominion_env.players.agent",
    "ask": "dominion_env.players.agent",
    "Situation": "dominion_env.players.situation",
    "agent_names": "dominion_env.players.registry",
    "make_agent": "dominion_env.players.registry",
    "register_agent": "dominion_env.players.registry",
    "Decision": "dominion_env.core.questions",
    "Game": "dominion_env.views.game",
    "GameBatch": "dominion_env.core.batch",
    "DominionEnv": "dominion_env.views.gymnasium_env",
    "DominionVectorEnv": "dominion_env.views.vector_env",
    "SB3VecEnv": "dominion_env.views.sb3",
}


# Public names of earlier versions, each with its place.
_WENT = {
    "Address": "dominion_env.core.address.Address",
    "CardInfo": "dominion_env.tables.cards.CardInfo",
    "Final": "dominion_env.core.batch.Final",
    "Gains": "dominion_env.players.situation.Gains",
    "NUM_CARDS": "dominion_env.tables.cards.NUM_CARDS",
    "OBSERVATION_VERSION": "dominion_env.core.observing.fields.OBSERVATION_VERSION",
    "ResultsMismatch": "dominion_env.common.errors.ResultsMismatch",
    "Searcher": "dominion_env.players.agent.Searcher",
    "UnknownOption": "dominion_env.common.errors.UnknownOption",
}

_imported = later(__name__, _LATER, _WENT)


def __getattr__(name: str) -> Any:
    return import_module("dominion_env.views.dominion_v0") if name == "dominion_v0" else _imported(name)


register_views()
