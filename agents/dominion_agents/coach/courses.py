"""Courses: how games go on after an action under its plan, and which card comes when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dominion_agents.coach.judging import Coach, Judged
from dominion_agents.coach.trials import Trials
from dominion_env.players.agent import shown_to
from dominion_env.players.situation import Gains
from dominion_env.tables.cards import NUM_CARDS, Card

COURSE = 8  # the stage of these worlds
WORLDS = 100
_TOLD = 4  # cards that a sentence names
_NEVER = np.iinfo(np.int64).max
_WORTHLESS = (Card.COPPER, Card.CURSE)


@dataclass(frozen=True)
class Arrival:
    """A card that comes in most of the games.

    Attributes:
        card: the card.
        turn: the player's turn by which it has come in half of the games.
        number: mean number of copies that come until the end, over all games.
    """

    card: Card
    turn: int
    number: float

    @property
    def in_all(self) -> str:
        """The number of copies as part of a sentence, "" where it is about one."""
        return f" ({self.number:.1f} in all)" if self.number >= 1.5 else ""


@dataclass(frozen=True)
class Course:
    """How games go on, as a mean over worlds.

    Attributes:
        arrivals: the cards that come from this decision on, the first one first.
        points: Victory points of the player at the end.
        best_other: Victory points of the best of the others.
    """

    arrivals: tuple[Arrival, ...]
    points: float
    best_other: float

    def __str__(self) -> str:
        """Return the course in words, such as "Gold on turn 7, Province on turn 9 (4.2 in all); 33 to 28 Victory points".

        Of many cards these are the first ones, and Province.
        """
        told = [each for place, each in enumerate(self.arrivals) if place < _TOLD or each.card == Card.PROVINCE]
        cards = ", ".join(f"{each.card.title} on turn {each.turn}{each.in_all}" for each in told)
        return f"{cards or 'no further card'}; {self.points:.0f} to {self.best_other:.0f} Victory points"

    def to_dict(self) -> dict[str, Any]:
        """Return the course as plain numbers and names, for JSON."""
        cards = [{"card": each.card.title, "turn": each.turn, "number": each.number} for each in self.arrivals]
        return {"cards": cards, "points": self.points, "best_other": self.best_other}


def course_of(coach: Coach, trials: Trials, judged: Judged, worlds: int = WORLDS) -> Course:
    """Play an action and its plan in some worlds, and return how these games go on.

    Args:
        coach: the coach that has judged the action.
        trials: the playouts of the decision.
        judged: the action and its plan.
        worlds: number of worlds, at least 1; two actions of a decision have the same ones.
    """
    seeds = trials.seeds(COURSE, 0, worlds)
    games = trials.games.worlds(np.zeros(worlds, np.int64), 1, seeds)
    followed, everyone = trials.followed(seeds), np.arange(worlds)
    followed[:, trials.seat] = judged.number
    gains, agent = Gains(games), coach.portfolio.agent
    running, actions = np.ones(worlds, np.bool_), np.full(worlds, judged.action)
    while True:
        _, terminated, truncated = games.step(actions)
        gains.update()
        running &= ~(terminated | truncated)
        if not running.any():
            break
        plans = followed[everyone, games.current_player]
        actions = agent.act_as(plans, shown_to(agent, games), games.action_mask, games.policy_keys())
    cards, turns = (each[:, trials.seat].astype(np.int64) for each in gains.of(everyone))
    points = games.final.scores.astype(np.float64)
    others = np.delete(points, trials.seat, axis=1).max(axis=1)
    found = [_arrival(Card(card), cards == card, turns) for card in range(NUM_CARDS) if Card(card) not in _WORTHLESS]
    arrivals = sorted((each for each in found if each is not None), key=lambda each: (each.turn, -each.card.info.cost))
    return Course(tuple(arrivals), float(points[:, trials.seat].mean()), float(others.mean()))


def _arrival(card: Card, gained: Any, turns: Any) -> Arrival | None:
    """Return when a card comes, or None if it comes in less than half of the games."""
    first = np.where(gained, turns, _NEVER).min(axis=1, initial=_NEVER)
    middle = int(np.sort(first)[(len(first) - 1) // 2])  # by this turn it has come in half of them
    return None if middle == _NEVER else Arrival(card, middle, float(gained.sum(axis=1).mean()))
