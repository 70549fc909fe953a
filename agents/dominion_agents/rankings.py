"""How strong the project's strategies are, measured: the data that `auto` goes by.

Scores are in percent, strongest first. `python -m dominion_training.evaluate.rank --players 3` measures a table again and
tells in its help what is played.
"""

from __future__ import annotations

# By number of players, the last one for four and more: the mean score of each strategy against each other one.
RANKINGS: dict[int, dict[str, float]] = {
    2: {
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
    },
}

# By number of players: the strategy with the highest mean score on a recommended kingdom, where the ranking names another.
BEST: dict[int, dict[str, str]] = {
    2: {},
}

# The ranking of version 0.1, with two players.
RANKING_OF_0_1: tuple[str, ...] = (
    "workshop-gardens",
    "double-witch",
    "witches-first",
    "provincial-witch",
    "chapel-witch",
    "moneylender-witch",
    "laboratory-engine",
    "single-witch",
    "bureaucrat-gardens",
    "first-game",
    "provincial-market",
    "workshop-gardens-mirror",
    "provincial-library",
    "smithy-optimised",
    "council-room",
    "big-smithy",
    "library",
    "militia",
    "double-militia",
    "moat",
    "chancellor",
    "council-room-engine",
    "laboratory",
    "bureaucrat",
    "festival",
    "adventurer",
    "big-money-ultimate",
    "provincial-big-money",
    "big-money-duchy",
    "htbd-1",
    "big-money-multiplayer",
    "spy-thief",
    "big-money",
    "greedy",
    "random-buyer",
)
