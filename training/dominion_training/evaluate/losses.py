"""What an agent's decisions cost it: at each decision, the chance to win of the best answer less that of the answer given.

Luck decides most of a game, and a score hears of it only at the end. What a decision costs is measured at once, by the
coach, and is the same for a hand that was drawn well and one that was not. So a few games say more of an agent than their
scores do; how much more, `pairs` says of two agents.

What is lost in a whole game is no measure of agents that play differently: in a game that is lost already nothing costs any
more, and of many decisions some seem to cost something by chance. In the first turns all games are open, so two agents are
compared by these.

The coach judges with its own plans, so an agent that knows better ones than they are seems to lose. It measures as in a
review (`judged_decision`), and what may be noise counts as 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_agents.coach import the_coach
from dominion_agents.coach.judging import checked_budget
from dominion_agents.coach.losses import EARLY, MeanLosses
from dominion_agents.coach.reviewing import SECOND_SEED, judged_decision
from dominion_env.common.errors import InvalidAgent
from dominion_env.core.batch import GameBatch
from dominion_env.core.questions import KIND_NAMES
from dominion_env.players.agent import gains_for
from dominion_env.rules.record.state import TRUNCATED
from dominion_env.views.game import Game
from dominion_training.evaluate.match import lineup, sets_of
from dominion_training.evaluate.matches import Meeting
from dominion_training.executors.executor import Executor
from dominion_training.executors.folder import Folder
from dominion_training.executors.runner import run_parts
from dominion_training.play import roster
from dominion_training.play.loop import Player, Stopped, answers
from dominion_training.play.recorded import gave_up

PLAYOUTS = 3000
"""Playouts of the first look at a decision."""

# A decision, or, with a kind of -1, the end of a game: a game without a decision counts too.
DECISION = np.dtype(
    [
        ("set", "i8"),
        ("rotation", "i1"),
        ("turn", "i2"),  # of the player who decides, from 1
        ("kind", "i1"),  # see `questions.KIND_NAMES`
        ("loss", "f4"),  # share of the win, 0 to 1
        ("share", "f4"),  # of the win; at the end of a game alone
    ]
)
END = -1


@dataclass(frozen=True)
class Trial(Meeting):
    """Games of the first agent, whose decisions are judged: a `Work`.

    Attributes:
        playouts: playouts of the first look at a decision.
    """

    playouts: int = PLAYOUTS

    @property
    def settings(self) -> dict[str, Any]:
        """See `Work`."""
        return super().settings | {"playouts": self.playouts}

    def parts(self, num_games: int) -> list[TrialPart]:
        """Return that many games in parts of one set.

        Raises:
            InvalidOption: the games are no complete sets, or the number of players or of playouts makes no sense.
        """
        checked_budget(self.playouts, None)
        return [TrialPart(self, number, number + 1) for number in range(sets_of(num_games, self.num_players))]


@dataclass(frozen=True)
class TrialPart:
    """A set of games of a trial: a `Part`."""

    work: Trial
    start: int
    stop: int

    def is_whole(self, kept: NDArray[Any]) -> bool:
        """See `Part`."""
        return kept.dtype == DECISION and int((kept["kind"] == END).sum()) == self.work.num_players

    def play(self, stopping: Callable[[], bool] | None = None) -> NDArray[Any]:
        """See `Part`."""
        rotations = range(self.work.num_players)
        return np.array([row for rotation in rotations for row in self._game(rotation, stopping)], DECISION)

    def _game(self, seat: int, stopping: Callable[[], bool] | None) -> list[tuple[Any, ...]]:
        """Play the game in which the agent has this seat, and return its rows of `DECISION`."""
        work, coach = self.work, the_coach()
        agent, opponent = (Player(spec, roster.HERE.player(spec)) for spec in work.agents)
        players = lineup(agent, opponent, work.num_players)
        address: dict[str, Any] = {"kingdom": work.kingdom, "seed": work.seed, "index": self.start, **work.options}
        game = Game(work.num_players, **address)
        # the players ask a batch of their own, as the game takes the events of its own batch
        batch = GameBatch(1, work.num_players, **address, autoreset=False, record=True)
        gains, only, found = (
            gains_for(batch, [agent.agent, opponent.agent]),
            np.zeros(1, np.int64),
            list[tuple[Any, ...]](),
        )
        while not game.is_over:
            if stopping is not None and stopping():
                raise Stopped
            asked = game.current_player
            try:
                action = int(answers(players[(asked - seat) % len(players)], batch, only, gains)[0])
            except InvalidAgent as error:
                if asked != seat or not gave_up(error):
                    raise
                return [*found, (self.start, seat, 0, END, 0, 0)]
            if asked == seat and game.action_mask.sum() > 1:
                luck = int(game.policy_key()) % SECOND_SEED
                each = judged_decision(game, action, coach, work.playouts, seed=luck)
                found.append((self.start, seat, each.turn, KIND_NAMES.index(each.kind), each.loss, 0))
            game.apply(action)
            batch.step(np.array([action]))
            if gains is not None:
                gains.update()
        winners = range(work.num_players) if game.batch.final.ended[0] == TRUNCATED else game.winners
        return [*found, (self.start, seat, 0, END, 0, (seat in winners) / len(winners))]


@dataclass(frozen=True)
class Losses:
    """What an agent's decisions have cost it.

    Attributes:
        trial: the games.
        rows: their decisions and ends, of `DECISION`, as the parts return them.
    """

    trial: Trial
    rows: NDArray[Any]

    @property
    def shares(self) -> NDArray[np.float64]:
        """Share of the win in each game, float64 (games,)."""
        ends: NDArray[np.float64] = self.rows["share"][self.rows["kind"] == END].astype(np.float64)
        return ends

    @property
    def decisions(self) -> NDArray[Any]:
        """All decisions, of `DECISION`."""
        rows: NDArray[Any] = self.rows[self.rows["kind"] != END]
        return rows

    @cached_property
    def _game(self) -> NDArray[np.int64]:
        """Number of the game of each decision, whose rows come before its end, int64 (decisions,)."""
        ends = self.rows["kind"] == END
        game: NDArray[np.int64] = (np.cumsum(ends) - ends)[~ends]
        return game

    @cached_property
    def means(self) -> MeanLosses:
        """Mean losses of decisions, with intervals over games."""
        rows = self.decisions
        return MeanLosses(rows["loss"], np.array(KIND_NAMES)[rows["kind"]], rows["turn"], self._game)

    @property
    def of_each_game(self) -> NDArray[np.float64]:
        """Loss of each game, float64 (games,)."""
        return np.bincount(self._game, self.decisions["loss"], len(self.shares)).astype(np.float64)

    @property
    def early(self) -> NDArray[np.float64]:
        """Mean loss of the decisions of each game in the first turns (before `EARLY`), float64 (games,)."""
        chosen, number = self.decisions["turn"] < EARLY, len(self.shares)
        losses = np.bincount(self._game[chosen], self.decisions["loss"][chosen], number)
        return losses / np.maximum(np.bincount(self._game[chosen], minlength=number), 1)

    def summary(self) -> dict[str, Any]:
        """Return everything as plain values for JSON; losses are shares of the win."""
        return {
            "agent": self.trial.first, "opponent": self.trial.second, "games": len(self.shares),
            "score": float(self.shares.mean()), "loss_of_a_game": float(self.of_each_game.mean()), **self.means.to_dict(),
        }  # fmt: skip


def judged(
    trials: Sequence[Trial],
    num_games: int,
    workers: int | Executor = 1,
    folder: Folder | None = None,
    progress: Callable[[int], None] = lambda games: None,
) -> list[Losses]:
    """Play all trials, and judge the decisions of their agents.

    Args:
        trials: the trials.
        num_games: number of games of each, a multiple of the number of players.
        workers, folder: as in `run_parts`.
        progress: function that is called with the number of games so far.

    Raises:
        DominionError: as `run_parts`.
    """
    parts = [part for trial in trials for part in trial.parts(num_games)]
    rows: dict[Trial, list[NDArray[Any]]] = {trial: [] for trial in trials}
    for number, (part, found) in enumerate(run_parts(parts, workers, folder), start=1):
        rows[part.work].append(found)
        progress(number * part.work.num_players)
    return [Losses(trial, np.concatenate(found)) for trial, found in rows.items()]


def pairs(found: Sequence[Losses]) -> list[dict[str, Any]]:
    """Return of each two agents how many games tell them apart, as plain values for JSON."""
    rows = []
    for first, second in combinations(found, 2):
        ratio, low, high = fewer_games(first, second)
        rows.append(
            {
                "first": first.trial.first, "second": second.trial.first,
                "games_by_score": games_needed(first.shares, second.shares),
                "games_by_loss": games_needed(first.early, second.early),
                "ratio": ratio, "ratio_low": low, "ratio_high": high,
            }
        )  # fmt: skip
    return rows


def games_needed(first: NDArray[np.float64], second: NDArray[np.float64], power: float = 0.8) -> float:
    """Return how many games of each of two agents tell them apart, infinite if they seem equal.

    It is the number at which a difference as large as that of these means is seen, at the level of 5%, with this power.

    Args:
        first, second: a measure in each game of the one and the other, float64.
    """
    normal, difference = NormalDist(), float(first.mean() - second.mean())
    if difference == 0:
        return float("inf")
    factor = (normal.inv_cdf(0.975) + normal.inv_cdf(power)) ** 2
    return factor * float(first.var(ddof=1) + second.var(ddof=1)) / difference**2


def fewer_games(first: Losses, second: Losses, draws: int = 2000) -> tuple[float, float, float]:
    """Return how many times as many games the score needs as the early loss does to tell two agents apart, and its 95%
    interval: that of a bootstrap over games. NaN if neither tells them apart.
    """
    measured = [np.stack([each.shares, each.early]) for each in (first, second)]

    def ratio(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
        by_score, by_loss = (games_needed(one[what], other[what]) for what in (0, 1))
        return float(np.divide(by_score, by_loss))

    luck = np.random.default_rng(0)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = [
            ratio(*(each[:, luck.integers(each.shape[1], size=each.shape[1])] for each in measured))
            for _ in range(draws)
        ]
        whole = ratio(*measured)
    known = [each for each in found if not np.isnan(each)] or [np.nan]
    low, high = np.percentile(known, [2.5, 97.5], method="nearest")  # some may be infinite
    return whole, float(low), float(high)
