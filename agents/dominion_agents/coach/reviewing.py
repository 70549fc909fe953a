"""`review`: what the decisions of a seat in a played game have cost, and why.

The cost of a decision is the difference between the best action and the one that was played. It is measured in worlds that
took no part in finding the best action. Of many decisions some seem dear by chance. So the dearest are measured once more, in
fresh worlds, and only that is told of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from dominion_agents.coach.chances import Difference
from dominion_agents.coach.courses import Course, course_of
from dominion_agents.coach.judging import DUEL, PLAYOUTS, Coach, Judged, Judgement, duel
from dominion_agents.coach.trials import Trials
from dominion_env.common.checks import whole_number
from dominion_env.common.errors import InvalidOption
from dominion_env.core.questions import asked
from dominion_env.views.game import Game

DEAREST = 3  # decisions that are explained
MEASURED, MEASURED_AGAIN = 1000, 4000  # worlds in which a decision's cost is measured, and that of the dearest
_AGAIN = DUEL + 1  # stage of the latter
_CANDIDATES = 2 * DEAREST


@dataclass(frozen=True)
class Decision:
    """A decision of a played game.

    Attributes:
        step: number of decisions of all players before it.
        turn: number of turns that the player had begun.
        own_turn: whether it was the player's own turn.
        asked: the question in words, such as "asked by Militia to discard".
        judgement: what each legal action was worth.
        played: the action that was played.
        cost: by how much the best action is better; None if it was played.
        trials: the playouts of the decision.
    """

    step: int
    turn: int
    own_turn: bool
    asked: str
    judgement: Judgement
    played: Judged
    cost: Difference | None
    trials: Trials = field(repr=False, compare=False)

    @property
    def better(self) -> Judged:
        """The best action."""
        return self.judgement.best

    @property
    def is_mistake(self) -> bool:
        """Whether the best action is clearly better than the one that was played."""
        return self.cost is not None and self.cost.is_clear

    def to_dict(self) -> dict[str, Any]:
        """Return the decision as plain numbers, names and lists, for JSON."""
        cost = self.cost
        return {
            "step": self.step, "turn": self.turn, "own_turn": self.own_turn, "asked": self.asked, "played": self.played.name,
            "better": self.better.name, "mistake": self.is_mistake,
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

    def to_dict(self) -> dict[str, Any]:
        """Return the review as plain numbers, names and lists, for JSON."""
        return {
            "seat": self.seat,
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
        trials = coach.trials(now, begin + step)
        judgement = coach.judge_trials(trials, playouts, seconds)
        played = judgement.of(actions[step])
        cost = None if played == judgement.best else duel(trials, judgement.best, played, MEASURED)
        turn = int(now.batch.turns[0, seat])
        yield Decision(step, turn, now.turn_player == seat, _asked(now), judgement, played, cost, trials)


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
    """Return the review of judged decisions: the dearest are measured again and explained.

    Args:
        seat: the seat.
        decisions: its judged decisions, which may be the first ones only.
        coach: the coach that has judged them.
    """
    found = {each.step: each for each in decisions}
    dear = sorted((each for each in decisions if each.cost is not None), key=lambda each: -_low(each))[:_CANDIDATES]
    for each in dear:
        cost = duel(each.trials, each.better, each.played, MEASURED_AGAIN, _AGAIN)
        found[each.step] = replace(each, cost=cost)
    mistakes = sorted((each for each in found.values() if each.is_mistake), key=_share, reverse=True)
    measured = [each for each in mistakes if each.step in {candidate.step for candidate in dear}]
    dearest = [
        Explained(each, course_of(coach, each.trials, each.better), course_of(coach, each.trials, each.played))
        for each in measured[:DEAREST]
    ]
    return Review(seat, tuple(found.values()), tuple(dearest))


def _asked(game: Game) -> str:
    """Return what the seat to decide is asked, such as "asked by Militia to discard"."""
    decision = game.decision
    return "" if decision is None else asked(decision.kind, decision.source)


def _low(decision: Decision) -> float:
    return decision.cost.low if decision.cost is not None else -1.0


def _share(decision: Decision) -> float:
    return decision.cost.share if decision.cost is not None else -1.0


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
