"""What a step of many games tells their learners, in arrays with one row for each game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dominion_env.core.address import Address, address_of
from dominion_env.tables.actions import NUM_ACTIONS
from dominion_env.views.game import Game
from dominion_env.views.learner import LearnerBatch

Bools: TypeAlias = NDArray[np.bool_]
Told: TypeAlias = dict[str, NDArray[Any]]
Layout: TypeAlias = dict[str, tuple[tuple[int, ...], Any]]  # shape and dtype by name

FACTS = ("is_success", "ended", "rewards", "scores", "turns", "winners")  # of the end of a game


class VectorGames(LearnerBatch):
    """The games of a `DominionVectorEnv`, or those of its rows that one process plays.

    Args:
        copy: whether each call tells in new arrays; False reuses those for observations and masks.
        arguments, options: the same as in `LearnerBatch`.

    Attributes:
        seen: shape and dtype of what is seen: `observation`, and `action_mask`, all True where a game is over.
        learned: shape and dtype of all else: `reward` float64, `terminated`, `truncated`, `seat`, `final_seat`, which is
            that of the learner in the last game that ended, and the facts of `LearnerBatch.facts`; with autoreset these
            are about the games that the step has ended.
        closed: whether `close` was called.
    """

    def __init__(self, *arguments: Any, copy: bool = True, **options: Any) -> None:
        super().__init__(*arguments, **options)
        batch, one = self.batch, (self.num_games,)
        self.closed = False
        self.seen: Layout = {
            "observation": ((self.num_games, batch.observation_size), batch.observation_dtype),
            "action_mask": ((self.num_games, NUM_ACTIONS), np.bool_),
        }
        self.learned: Layout = {
            "reward": (one, np.float64),
            "terminated": (one, np.bool_),
            "truncated": (one, np.bool_),
            "seat": (one, np.int64),
            "final_seat": (one, np.int64),
            **{name: (zeros.shape, zeros.dtype) for name, zeros in self._no_facts.items()},
        }
        self._reused: Told | None = None if copy else _new(self.seen)

    def part(self, first: int, last: int) -> Self:
        """Return a copy of these games, as `LearnerBatch.part` does, which writes into arrays that it is given."""
        part = super().part(first, last)
        part._reused = None
        return part

    def begin(self, seeds: Sequence[int | None] | None, rows: Bools, out: Told | None = None) -> Told:
        """Reset these rows, as `reset` does, and return what all learners are told.

        Args:
            seeds, rows: the same as in `reset`.
            out: arrays to write into; None for those of `copy`.
        """
        self.reset(seeds, rows)
        return self._tell(self._new() if out is None else out, np.flatnonzero(self.over))

    def advance(self, actions: ArrayLike, out: Told | None = None) -> Told:
        """Carry out the learners' actions, as `step` does; games that were over begin their next episodes.

        Args:
            actions: the same as in `step`.
            out: arrays to write into; None for those of `copy`.
        """
        waiting = self.over.copy() if self.some_over else None
        reward, terminated, truncated = self.step(actions)
        if waiting is not None:
            self.reset(mask=waiting)
        told = self._new() if out is None else out
        told["reward"][:], told["terminated"][:], told["truncated"][:] = reward, terminated, truncated
        return self._tell(told, np.flatnonzero((terminated | truncated) if self._autoreset else self.over))

    def masks(self, out: NDArray[Any] | None = None) -> Bools:
        """Return the masks of legal actions, all True where a game is over."""
        masks = self._new_seen()["action_mask"] if out is None else out
        np.copyto(masks, self.action_mask)
        if self.some_over:
            masks[self.over] = True
        return masks

    def sample(self) -> NDArray[np.int64]:
        """Draw a legal action for each game, int64 (num_games,), in a new array."""
        self.check_finished("sample_actions()")
        return self.batch.sample_actions().copy()

    def addresses(self) -> list[Address]:
        """Return the address of each game."""
        return [address_of(record) for record in self.batch.state]

    def shown_games(self, logged: bool = False) -> list[Game]:
        """Return each game with the log of its episode; `logged` records from now on, if that was not done."""
        if logged:
            self.logs.begin()
        return [self.logs.game(row) for row in range(self.num_games)]

    def close(self) -> None:
        """Let go of what is no memory of this process, which is nothing here."""
        self.closed = True

    def _new(self) -> Told:
        return self._new_seen() | _new(self.learned)

    def _new_seen(self) -> Told:
        return _new(self.seen) if self._reused is None else self._reused

    def _tell(self, told: Told, ended: NDArray[np.int64]) -> Told:
        """Write all but rewards and ends, with the facts of these games that have ended and zeros for all others."""
        self.observe(told["observation"])
        self.masks(told["action_mask"])
        told["seat"][:], told["final_seat"][:] = self.seats, self.final_seats
        for name in FACTS:
            told[name].fill(0)
        if ended.size:
            self.put_facts(ended, told)
        return told


def _new(layout: Layout) -> Told:
    return {name: np.empty(*kind) for name, kind in layout.items()}
