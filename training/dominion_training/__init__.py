"""Training, evaluation and research. What stands here is public; the modules behind it may change with each version."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dominion_env.common.superseded import later

if TYPE_CHECKING:
    from dominion_training.evaluate.benchmark import benchmark
    from dominion_training.evaluate.compare import compare
    from dominion_training.evaluate.match import MatchResult, play_match
    from dominion_training.learner.options.settings import Settings
    from dominion_training.learner.runs.run import train

__all__ = ["MatchResult", "Settings", "benchmark", "compare", "play_match", "train"]

__getattr__ = later(
    __name__,
    {
        "MatchResult": "dominion_training.evaluate.match",
        "Settings": "dominion_training.learner.options.settings",
        "benchmark": "dominion_training.evaluate.benchmark",
        "compare": "dominion_training.evaluate.compare",
        "play_match": "dominion_training.evaluate.match",
        "train": "dominion_training.learner.runs.run",
    },
)
