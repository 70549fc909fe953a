"""The project's agents: random, scripted and trained.

`make("big-money")` makes one of them by name. A name is one of `names()`, or says itself what to play: the seed of a random
menu (`random-menu:7`), the path of a trained model (`runs/first-game/model.safetensors`), of a model of MaskablePPO (`model.zip`,
with `trust=True`) or of a strategy file, or a strategy,
`"Province; Gold; Silver"` or `"e5-d5-p8 Witch1 Gold* Silver*"`. docs/strategies.md tells how to write a strategy.

`make`, `names` and `register` are `make_agent`, `agent_names` and `register_agent` of `dominion_env`; what an agent is
stands in `dominion_env/agent.py`.
"""

from __future__ import annotations

from dominion_agents.checks.checked import Checked
from dominion_agents.choosing.menus import RandomMenu, random_menu
from dominion_agents.naming.by_name import register_agents
from dominion_agents.scripted.agent import ScriptedAgent
from dominion_agents.scripted.random_agent import RandomAgent
from dominion_agents.searching.playing import playouts
from dominion_agents.strategies.named import STRATEGIES
from dominion_agents.strategies.strategy import Strategy
from dominion_agents.strategies.ways import Ways
from dominion_env.agent import Agent, check_fields, observation_read_by, shown_to
from dominion_env.compiled.notice import PARTS, Part
from dominion_env.registry import add_provider
from dominion_env.registry import agent_names as names
from dominion_env.registry import make_agent as make
from dominion_env.registry import register_agent as register

__all__ = [
    "STRATEGIES", "Agent", "Checked", "RandomAgent", "RandomMenu", "ScriptedAgent", "Strategy", "Ways", "check_fields", "make",
    "names", "observation_read_by", "playouts", "random_menu", "register", "register_agents", "shown_to",
]  # fmt: skip

PARTS.append(Part("the agents", 15, "dominion_agents", ahead=True))
add_provider(register_agents)  # for a checkout that is imported without being installed
