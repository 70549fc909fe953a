"""`auto`: for any kingdom the strongest of the project's strategies that its cards allow.

The ranking is data: the mean score of each strategy against all others, measured with two players.
"""

from __future__ import annotations

from typing import Any

from dominion_agents.scripted import ScriptedAgent
from dominion_agents.strategies import STRATEGIES

# Mean score in percent, strongest first, measured by `python -m dominion_training.evaluate.rank --games 400`.
RANKING: dict[str, float] = {
    "workshop-gardens": 84.6,
    "double-witch": 79.1,
    "witches-first": 78.9,
    "provincial-witch": 77.9,
    "chapel-witch": 75.6,
    "moneylender-witch": 74.1,
    "laboratory-engine": 74.0,
    "single-witch": 72.6,
    "bureaucrat-gardens": 68.4,
    "first-game": 67.8,
    "provincial-market": 60.0,
    "workshop-gardens-mirror": 59.1,
    "provincial-library": 58.9,
    "smithy-optimised": 57.7,
    "council-room": 56.7,
    "big-smithy": 56.1,
    "library": 54.1,
    "militia": 49.7,
    "double-militia": 49.4,
    "moat": 48.0,
    "chancellor": 45.4,
    "council-room-engine": 44.9,
    "laboratory": 43.5,
    "bureaucrat": 42.0,
    "festival": 37.4,
    "adventurer": 36.4,
    "big-money-ultimate": 35.0,
    "provincial-big-money": 33.3,
    "big-money-duchy": 30.6,
    "htbd-1": 29.2,
    "big-money-multiplayer": 25.3,
    "spy-thief": 22.2,
    "big-money": 16.2,
    "greedy": 7.1,
    "random-buyer": 0.7,
}


def auto(**settings: Any) -> ScriptedAgent:
    """Make the agent that plays in each game the highest strategy of `RANKING` that fits; see `ScriptedAgent`.

    It reads from the observation which cards are in the game. The first strategy that needs no Kingdom card always fits.

    Args:
        settings: settings that replace those of all strategies; see `Strategy.but`.

    Raises:
        InvalidStrategy: a setting is wrong.
    """
    candidates = [STRATEGIES[name] for name in RANKING]
    last = next(place for place, strategy in enumerate(candidates) if not strategy.kingdom_cards)
    return ScriptedAgent(*(strategy.but(**settings) for strategy in candidates[: last + 1]))
