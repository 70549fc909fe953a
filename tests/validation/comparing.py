"""Published figures beside ours, from games that are played for them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm, t

from dominion_env.common.files import as_plain
from dominion_training.executors.executor import Executor
from dominion_training.executors.folder import Folder
from dominion_training.executors.runner import run_parts
from tests.validation.experiments import Experiment
from tests.validation.measured import LIMIT, Measured
from tests.validation.published import Row
from tests.validation.trials import Trial

# With some hundred figures, one run in a hundred has one by chance that differs by more than LIMIT combined errors.
FEWEST = 100  # games, or sets of games; of fewer, the error itself is hardly known, and rare events may be missing

Status = Literal["agrees", "DIFFERS", "too few games", "reported"]
STATUSES: tuple[Status, ...] = get_args(Status)


@dataclass(frozen=True)
class Finding:
    """One figure of ours beside the published one.

    Attributes:
        row: the published figures of the experiment.
        name: name of the figure among them.
        ours, published: the two values.
        error: their combined standard error, with the rounding of the published value.
        number: number of independent games, or sets of games, from which our value comes.
    """

    row: Row
    name: str
    ours: Measured
    published: float
    error: float
    number: int

    @property
    def difference(self) -> float:
        """Our value less the published one, in combined standard errors."""
        apart = self.ours.value - self.published
        return apart / self.error if self.error else math.copysign(math.inf, apart) if apart else 0.0

    @property
    def status(self) -> Status:
        """Verdict on the two values; "reported" if they need not agree."""
        if not self.row.demanded:
            return "reported"
        if self.number < FEWEST:
            return "too few games"
        return "agrees" if abs(self.difference) <= limit(self.number) else "DIFFERS"


def validate(
    rows: Sequence[Row],
    num_games: int,
    seed: int = 0,
    workers: int | Executor = 1,
    progress: Callable[[int, str], None] = lambda done, title: None,
    folder: Folder | None = None,
) -> list[Finding]:
    """Play the experiments of these rows, each once, and compare the figures.

    Args:
        rows: rows of `published.GROUPS`.
        num_games: number of games of each experiment.
        seed: seed of the addresses.
        workers: as in `run_parts`.
        progress: function that is called with the number of finished games and the experiment they belong to.
        folder: folder for `trials(rows, seed)` in which games are kept, if any.

    Raises:
        DominionError: a strategy can't be made, or fails.
    """
    parts = [part for trial in trials(rows, seed) for part in trial.parts(num_games)]
    played: dict[Experiment, list[NDArray[Any]]] = {}
    done = 0
    for part, games in run_parts(parts, workers, folder):
        experiment = part.work.experiment
        played.setdefault(experiment, []).append(games)
        done += part.num_games
        progress(done, experiment.title)
    numbers = {each: sum(part.stop - part.start for part in parts if part.work.experiment == each) for each in played}
    measured = {experiment: experiment.figures(np.concatenate(games)) for experiment, games in played.items()}
    return [
        Finding(row, name, ours, value, combined_error(row, ours), numbers[row.experiment])
        for row in rows
        for name, value in row.figures.items()
        for ours in (measured[row.experiment][name],)
    ]


def limit(number: int) -> float:
    """Return how many standard errors off a figure of so many games may be: as rarely beyond it as a normal one beyond 4."""
    return float(t.isf(norm.sf(LIMIT), number - 1))


def trials(rows: Sequence[Row], seed: int = 0) -> list[Trial]:
    """Return the trials of these rows, each once."""
    return [Trial(experiment, seed) for experiment in dict.fromkeys(row.experiment for row in rows)]


def combined_error(row: Row, ours: Measured) -> float:
    """Return the standard error of the difference, from ours, theirs (our spread over their games) and their rounding."""
    if row.games is None:
        return ours.error
    rounding = 10.0**-row.digits / math.sqrt(12)
    return math.sqrt(ours.error**2 + ours.spread**2 / row.games + rounding**2)


def summary(findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """Return the findings as plain values for JSON."""
    return [
        {
            "experiment": each.row.experiment.title,
            "settings": as_plain(each.row.experiment),
            "figure": each.name,
            "ours": each.ours.value,
            "error": each.ours.error,
            "published": each.published,
            "published_games": each.row.games,
            "combined_error": each.error,
            "difference": each.difference,
            "number": each.number,
            "status": each.status,
            "source": each.row.source,
            "note": each.row.note,
        }
        for each in findings
    ]
