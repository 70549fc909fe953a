"""Agents at puzzles: the share that they solve, and what their answers cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_agents.coach.chances import Chance, chance_of
from dominion_agents.coach.losses import mean_of
from dominion_env.common.errors import InvalidAgent
from dominion_env.players.agent import Agent, repeats_itself
from dominion_env.players.registry import make_agent
from dominion_env.tables.actions import ACTION_NAMES
from dominion_training.play.loop import Player, answers
from dominion_training.play.recorded import gave_up, used_by
from dominion_training.puzzles.kept import KeptAnswers
from dominion_training.puzzles.puzzle import Puzzle, batch_of, puzzles


@dataclass(frozen=True)
class Score:
    """How well some puzzles were solved.

    Attributes:
        solved: share of them that was solved, with its interval of 95%.
        loss: mean loss, a share of the win.
        half_width: half the width of its 95% interval; NaN for a single puzzle.
    """

    solved: Chance
    loss: float
    half_width: float

    def to_dict(self) -> dict[str, Any]:
        """Return the score as plain numbers, for JSON."""
        solved = self.solved
        return {"puzzles": solved.playouts, "solved": solved.share, "low": solved.low, "high": solved.high,
                "loss": self.loss, "half_width": self.half_width}  # fmt: skip


@dataclass(frozen=True)
class Solutions:
    """Answers to puzzles.

    Attributes:
        name: name of the agent.
        puzzles: the puzzles.
        answers: the answer to each, in words.
        used: what the agent has counted meanwhile, such as wrong answers and tokens (`recorded.COUNTED`).
        kept: number of the answers that were kept from before.
    """

    name: str
    puzzles: tuple[Puzzle, ...]
    answers: tuple[str, ...]
    used: Mapping[str, float] = field(default_factory=dict)
    kept: int = 0

    @property
    def solved(self) -> NDArray[np.bool_]:
        """Which puzzles were solved, bool (puzzles,)."""
        return np.array([puzzle.best == answer for puzzle, answer in zip(self.puzzles, self.answers, strict=True)])

    @property
    def losses(self) -> NDArray[np.float64]:
        """What each answer costs, a share of the win, float64 (puzzles,)."""
        return np.array([puzzle.loss(answer) for puzzle, answer in zip(self.puzzles, self.answers, strict=True)])

    def score(self, among: NDArray[np.bool_] | None = None) -> Score:
        """Return the score at all puzzles, or at some: bool (puzzles,), at least one true."""
        rows = np.ones(len(self.puzzles), np.bool_) if among is None else among
        return Score(chance_of(self.solved[rows]), *mean_of(self.losses[rows]))

    def groups(self) -> dict[str, Score]:
        """Return the score at each kind of question and in each stage of the game."""
        found: dict[str, Score] = {}
        for names in ([each.kind for each in self.puzzles], [each.stage for each in self.puzzles]):
            for name in sorted({*names}, key=names.count, reverse=True):
                found[name] = self.score(np.array(names) == name)
        return found

    def to_dict(self) -> dict[str, Any]:
        """Return scores and answers as plain values, for JSON."""
        groups = {name: score.to_dict() for name, score in self.groups().items()}
        return {"agent": self.name, **self.score().to_dict(), "groups": groups, "answers": [*self.answers],
                "used": {**self.used}}  # fmt: skip


def solve(
    agent: str | Agent,
    among: Sequence[Puzzle] | None = None,
    kept: Path | None = None,
    shown: Callable[[Sequence[Puzzle]], Iterable[Puzzle]] = iter,
) -> Solutions:
    """Ask an agent at puzzles: at all of them together, or one after the other if it does not repeat itself.

    Args:
        agent: an agent, or its name.
        among: the puzzles; None for all of the project.
        kept: file in which the answers of a named agent that does not repeat itself are kept at once and found again.
        shown: goes through the puzzles of such an agent, and may show how far it is.

    Raises:
        DominionError: there is no such agent, or an answer can't be kept.
        ResultsMismatch: the file of kept answers holds other things.
        InvalidAgent: the agent failed, or gave an answer that is not legal.
    """
    chosen = puzzles() if among is None else tuple(among)
    player = Player(agent, make_agent(agent)) if isinstance(agent, str) else Player(type(agent).__name__, agent)
    if repeats_itself(player.agent):
        return Solutions(player.name, chosen, *_asked(player, chosen))
    found = KeptAnswers(kept if isinstance(agent, str) else None, player.name)
    given, used, before = [], Counter[str](), 0
    for puzzle in shown(chosen):
        each = found.get(puzzle)
        before += each is not None
        if each is None:
            (answer,), took = _asked(player, [puzzle])
            each = answer, took
            found.add(puzzle, *each)
        given.append(each[0])
        used.update(each[1])
    return Solutions(player.name, chosen, tuple(given), used, before)


def _asked(player: Player, chosen: Sequence[Puzzle]) -> tuple[tuple[str, ...], dict[str, float]]:
    """Return the player's answers to puzzles, and what they took."""
    before = used_by(player)
    try:
        given = answers(player, batch_of(chosen), np.arange(len(chosen)))
    except InvalidAgent as error:
        if not gave_up(error):
            raise
        raise InvalidAgent(f"agent {player.name}: expected an answer to each puzzle, but it gave up") from error
    used = {name: total - before.get(name, 0) for name, total in used_by(player).items()}
    return tuple(ACTION_NAMES[action] for action in given), used
