"""A puzzle, and the set of them that comes with the project; `tools/find_puzzles.py` has made it."""

from __future__ import annotations

import gzip
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from dominion_env import GameBatch
from dominion_env.common.checks import shown
from dominion_env.common.errors import IllegalAction
from dominion_env.common.files import parse_json, to_json
from dominion_training.common.records import write_atomically

FILE = Path(__file__).with_name("puzzles.json.gz")
_SEED = 0  # of the luck that agents draw from at the puzzles


@dataclass(frozen=True)
class Puzzle:
    """A decision with one best answer.

    Attributes:
        number: number of the puzzle, from 0; the first ones are as mixed as all.
        position: a position as `Game.from_dict` takes it, with nothing that the deciding seat can't know: all that is hidden
            was dealt anew.
        kind: kind of question, one of `dominion_env.core.questions.KIND_NAMES`.
        stage: stage of the game, such as "turns 1 to 4".
        chances: chance to win with each legal action, 0 to 1, the best one first, as the coach has measured it.
    """

    number: int
    position: Mapping[str, Any]
    kind: str
    stage: str
    chances: Mapping[str, float]

    @property
    def seat(self) -> int:
        """The seat that decides."""
        return int(self.position["asked"])

    @property
    def best(self) -> str:
        """The best action."""
        return next(iter(self.chances))

    @property
    def margin(self) -> float:
        """By how much the best action is better than the second one, as a share of the win."""
        best, second, *_ = self.chances.values()
        return best - second

    def loss(self, action: str) -> float:
        """Return what an answer costs: the chance to win with the best action less that with this one.

        Raises:
            IllegalAction: it is not legal here.
        """
        if action not in self.chances:
            legal = ", ".join(sorted(self.chances))  # in their own order the best one comes first
            raise IllegalAction(f"puzzle {self.number}: expected one of {legal}, got {shown(action)}")
        return self.chances[self.best] - self.chances[action]


@cache
def puzzles() -> tuple[Puzzle, ...]:
    """Return all puzzles, which are for two players, in order of their numbers."""
    return tuple(Puzzle(number, **each) for number, each in enumerate(parse_json(gzip.decompress(FILE.read_bytes()))))


def write_puzzles(path: Path, found: Sequence[Puzzle]) -> None:
    """Write puzzles as the file that `puzzles` reads; equal ones make equal bytes."""
    rows = [{key: value for key, value in asdict(each).items() if key != "number"} for each in found]
    write_atomically(path, gzip.compress(to_json(rows, separators=(",", ":")).encode(), mtime=0))


def batch_of(chosen: Sequence[Puzzle]) -> GameBatch:
    """Return a batch whose rows wait at these puzzles."""
    positions = [each.position for each in chosen]
    return GameBatch(len(positions), start=positions, seed=_SEED, auto_treasures=True, autoreset=False)
