"""`review`: what the decisions of a seat in a played game have cost, and why.

The cost of a decision is the difference between the best action and the one that was played. It is measured in worlds that
took no part in finding the best action. Of many decisions some seem dear by chance. So what seems clear is measured once more,
with another seed, and only that is told; what is not clear in both looks counts as nothing lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dominion_agents.coach.chances import Difference
from dominion_agents.coach.courses import Course, course_of
from dominion_agents.coach.judging import PLAYOUTS, Coach, Judged, Judgement, duel
from dominion_agents.coach.losses import MeanLosses
from dominion_agents.coach.trials import Trials
from dominion_env.common.checks import whole_number
from dominion_env.common.errors import InvalidOption
from dominion_env.core.questions import asked
from dominion_env.views.game import Game

DEAREST = 3  # decisions that are explained
WORLDS = 1000  # in which a decision's cost is measured, each time
SECOND_SEED = 1 << 62  # added to the seed of the first look


@dataclass(frozen=True)
class Decision:
    """A decision of a played game.

    Attributes:
        step: number of decisions of all players before it.
        turn: number of turns that the player had begun.
        own_turn: whether it was the player's own turn.
        kind: kind of question, one of `dominion_env.core.questions.KIND_NAMES`.
        asked: the question in words, such as "asked by Militia to discard".
        judgement: what each legal action was worth.
        played: the action that was played.
        looks: by how much the best action is better, as two looks found it; the second one only if the first was clear, and
            none if the best one was played.
        trials: the playouts of the decision.
    """

    step: int
    turn: int
    own_turn: bool
    kind: str
    asked: str
    judgement: Judgement
    played: Judged
    looks: tuple[Difference, ...]
    trials: Trials = field(repr=False, compare=False)

    @property
    def better(self) -> Judged:
        """The best action."""
        return self.judgement.best

    @property
    def cost(self) -> Difference | None:
        """By how much the best action is better, by the last look, clear or not; None if it was played."""
        return self.looks[-1] if self.looks else None

    @property
    def is_mistake(self) -> bool:
        """Whether the best action is clearly better than the one that was played, in both looks."""
        return len(self.looks) == 2 and all(look.is_clear for look in self.looks)

    @property
    def loss(self) -> float:
        """What the decision has cost, a share of the win: 0 if that may be noise."""
        return self.looks[-1].share if self.is_mistake else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return the decision as plain numbers, names and lists, for JSON."""
        cost = self.cost
        return {
            "step": self.step, "turn": self.turn, "own_turn": self.own_turn, "kind": self.kind, "asked": self.asked,
            "played": self.played.name, "better": self.better.name, "mistake": self.is_mistake, "loss": self.loss,
            "cost": None if cost is None else {"share": cost.share, "low": cost.low, "high": cost.high},
            **self.judgement.to_dict(),
        }  # fmt: skip


@dataclass(frozen=True)
class Explained:
    """A mistake, and how games go on after the better action and after the one that was played."""

    decision: Decision
    better: Course
    played: Course

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain numbers, names and lists, for JSON."""
        return {"step": self.decision.step, "better": self.better.to_dict(), "played": self.played.to_dict()}


@dataclass(frozen=True)
class Review:
    """What the decisions of a seat have cost.

    Attributes:
        seat: the seat.
        decisions: its decisions with more than one legal action, in order.
        dearest: the mistakes that have cost most, the dearest first, at most DEAREST.
    """

    seat: int
    decisions: tuple[Decision, ...]
    dearest: tuple[Explained, ...]

    @property
    def losses(self) -> MeanLosses:
        """Mean losses, with intervals over the turns of this game."""
        turns = np.array([each.turn for each in self.decisions])
        kinds = np.array([each.kind for each in self.decisions])
        return MeanLosses(np.array([each.loss for each in self.decisions]), kinds, turns, clusters=turns)

    def to_dict(self) -> dict[str, Any]:
        """Return the review as plain numbers, names and lists, for JSON."""
        return {
            "seat": self.seat,
            "losses": self.losses.to_dict(),
            "decisions": [each.to_dict() for each in self.decisions],
            "dearest": [each.to_dict() for each in self.dearest],
        }


def own_steps(game: Game, seat: int) -> list[int]:
    """Return the steps of a game at which a seat had more than one legal action.

    Raises:
        InvalidOption: there is no such seat.
    """
    game.check_seat(seat)
    return [step for step, _ in _at_each_decision(game, seat)]


def judged_decisions(
    game: Game, seat: int, coach: Coach, playouts: int = PLAYOUTS, seconds: float | None = None, seed: int = 0
) -> Iterator[Decision]:
    """Judge the decisions of a seat one after the other.

    Args:
        game: a game that has been played, to its end or not.
        seat: the seat.
        coach: the coach that judges.
        playouts, seconds: budget of each judgement; see `judge`.
        seed: 0 to 2**63.

    Raises:
        InvalidOption: an argument is wrong, or a single player plays.
    """
    game.check_seat(seat)
    begin, actions = checked_seed(seed), game.replay()["actions"]
    for step, now in _at_each_decision(game, seat):
        yield judged_decision(now, actions[step], coach, playouts, seconds, begin + step, step)


def judged_decision(
    game: Game,
    action: str | int,
    coach: Coach,
    playouts: int = PLAYOUTS,
    seconds: float | None = None,
    seed: int = 0,
    step: int = 0,
) -> Decision:
    """Judge the decision that a game waits at, and measure what an answer to it costs.

    Args:
        game: a running game, which stays as it is.
        action: the answer, a legal action.
        coach: the coach that judges.
        playouts, seconds: budget of the judgement, which finds the best action; see `judge`.
        seed: seed of the first look, 0 to 2**64 - 1 - SECOND_SEED.
        step: number of decisions before it.

    Raises:
        DominionError: the action is not legal, or there is nothing to judge.
    """
    trials = coach.trials(game, seed)
    judgement = coach.judge_trials(trials, playouts, seconds)
    played, best, looks = judgement.of(action), judgement.best, list[Difference]()
    if played != best:
        looks.append(duel(trials, best, played, WORLDS))
        if looks[0].is_clear:
            looks.append(duel(coach.trials(game, seed + SECOND_SEED), best, played, WORLDS))
    seat, decision = game.current_player, game.decision
    assert decision is not None  # as there was something to judge
    turn, own, words = int(game.batch.turns[0, seat]), game.turn_player == seat, asked(decision.kind, decision.source)
    return Decision(step, turn, own, decision.kind, words, judgement, played, tuple(looks), trials)


def checked_seed(seed: int) -> int:
    """Return the seed of a review, which is checked; each decision has one of its own, counted from it.

    Raises:
        InvalidOption: it is no whole number from 0 to 2**63.
    """
    return whole_number("seed", seed, 0, 2**63)


def _at_each_decision(game: Game, seat: int) -> Iterator[tuple[int, Game]]:
    """Yield each step at which a seat has more than one legal action, and the game there, which then goes on."""
    record = game.replay()
    now = Game.from_replay(record, 0)
    for step, action in enumerate(record["actions"]):
        if now.current_player == seat and now.action_mask.sum() > 1:
            yield step, now
        now.apply(action)


def reviewed(seat: int, decisions: Sequence[Decision], coach: Coach) -> Review:
    """Return the review of judged decisions: the dearest are explained.

    The first looks say which ones these are, as the dearest of many by a look seem dearer than they are.

    Args:
        seat: the seat.
        decisions: its judged decisions, which may be the first ones only.
        coach: the coach that has judged them.
    """
    mistakes = sorted((each for each in decisions if each.is_mistake), key=lambda each: -each.looks[0].share)
    dearest = [
        Explained(each, course_of(coach, each.trials, each.better), course_of(coach, each.trials, each.played))
        for each in sorted(mistakes[:DEAREST], key=lambda each: -each.loss)
    ]
    return Review(seat, tuple(decisions), tuple(dearest))


def review(
    game: Game,
    seat: int,
    playouts: int = PLAYOUTS,
    seconds: float | None = None,
    seed: int = 0,
    coach: Coach | None = None,
) -> Review:
    """Judge all decisions of a seat in a played game, and explain the dearest mistakes.

    Args:
        game: a game of two or more players that has been played, to its end or not.
        seat: the seat.
        playouts, seconds: budget of each judgement; see `judge`.
        seed: 0 to 2**63; the same one gives the same review if there is no time limit.
        coach: the coach that judges; None for one with the plans of the project.

    Raises:
        InvalidOption: an argument is wrong, the seat had nothing to decide, or a single player plays.
    """
    coach = Coach() if coach is None else coach
    decisions = [*judged_decisions(game, seat, coach, playouts, seconds, seed)]
    if not decisions:
        raise InvalidOption(f"seat: expected one that had something to decide, got {seat}")
    return reviewed(seat, decisions, coach)
