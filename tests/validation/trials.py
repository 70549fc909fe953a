"""Experiments as work that is played in parts and kept in a folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from dominion_env.common.files import as_plain
from tests.validation.experiments import Experiment


@dataclass(frozen=True)
class Trial:
    """An experiment on the addresses of one seed: a `Work`."""

    experiment: Experiment
    seed: int

    @property
    def agents(self) -> tuple[str, ...]:
        """See `Work`."""
        return self.experiment.agents

    @property
    def settings(self) -> dict[str, Any]:
        """See `Work`."""
        return {"seed": self.seed}

    @property
    def words(self) -> tuple[str, ...]:
        """See `Work`."""
        return type(self.experiment).__name__, *(str(value) for value in as_plain(self.experiment).values())

    def parts(self, num_games: int) -> list[TrialPart]:
        """Return about that many games of this trial in parts."""
        return [TrialPart(self, part.start, part.stop) for part in self.experiment.parts(num_games)]


@dataclass(frozen=True)
class TrialPart:
    """The games, or sets of games, of a trial from `start` to before `stop`: a `Part`."""

    work: Trial
    start: int
    stop: int

    @property
    def num_games(self) -> int:
        """Number of games in this part."""
        return len(self._blank())

    def is_whole(self, kept: NDArray[Any]) -> bool:
        """See `Part`."""
        blank = self._blank()
        return kept.shape == blank.shape and kept.dtype == blank.dtype

    def play(self, stopping: Callable[[], bool] | None = None) -> NDArray[Any]:
        """See `Part`."""
        return self.work.experiment.play(range(self.start, self.stop), self.work.seed, stopping)

    def _blank(self) -> NDArray[Any]:
        return self.work.experiment.blank(range(self.start, self.stop))
