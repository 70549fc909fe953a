"""The project's agents: random, scripted, searching and trained.

`dominion_env.make_agent("big-money")` makes one of them by name, and its page in the reference says which names there are.
docs/strategies.md explains how to write a strategy, and `dominion_env/players/agent.py` what an agent is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dominion_agents.checks.checked import Checked
from dominion_agents.naming.by_name import register_agents
from dominion_agents.scripted.agent import ScriptedAgent
from dominion_agents.searching.playing import playouts
from dominion_agents.strategies.strategy import Strategy
from dominion_env.common.superseded import later
from dominion_env.compiled.notice import PARTS, Part
from dominion_env.players.registry import add_provider

if TYPE_CHECKING:
    from dominion_agents.coach.judging import judge
    from dominion_agents.coach.reviewing import review
    from dominion_agents.trained.agent import TrainedAgent

__all__ = ["Checked", "ScriptedAgent", "Strategy", "TrainedAgent", "judge", "playouts", "review"]

_LATER = {
    "TrainedAgent": "dominion_agents.trained.agent",
    "judge": "dominion_agents.coach.judging",
    "review": "dominion_agents.coach.reviewing",
}
# Public names of version 0.3, each with its place.
_WENT = {
    "Agent": "dominion_env.Agent",
    "RandomAgent": "dominion_agents.scripted.random_agent.RandomAgent",
    "RandomMenu": "dominion_agents.choosing.menus.RandomMenu",
    "STRATEGIES": "dominion_agents.strategies.named.STRATEGIES",
    "Ways": "dominion_agents.strategies.ways.Ways",
    "check_fields": "dominion_env.players.agent.check_fields",
    "make": "dominion_env.make_agent",
    "names": "dominion_env.agent_names",
    "observation_read_by": "dominion_env.players.agent.observation_read_by",
    "random_menu": "dominion_agents.choosing.menus.random_menu",
    "register": "dominion_env.register_agent",
    "shown_to": "dominion_env.players.agent.shown_to",
}
__getattr__ = later(__name__, _LATER, _WENT)

PARTS.append(Part("the agents", 15, "dominion_agents", ahead=True))
add_provider(register_agents)  # for a checkout that is imported without being installed
