"""What `dominion validate` plays: hands after an opening, solitaire, and games at a table."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dominion_env import PASS, Card, GameBatch, Verb
from dominion_env.actions import action_of
from dominion_env.rules.state import BUY_PHASE
from training.evaluate.entrants import make_agent
from training.evaluate.match import MatchResult
from training.evaluate.play import GAMES_AT_ONCE
from training.evaluate.runner import Match, Task, sets_of, tasks_of

ORDINALS = ("1st", "2nd", "3rd", "4th", "5th", "6th")
PLAYS = np.array([action_of(Verb.PLAY, card) for card in Card])
FEASTS_GAIN = action_of(Verb.GAIN, Card.DUCHY)
SUPPLY_THAT_LASTS = {"supply": {"Province": 100}}


class Measured(NamedTuple):
    """One figure of ours.

    Attributes:
        value: the figure.
        error: its standard error.
        spread: standard deviation of one game, so that others' standard error over n games is spread / sqrt(n).
    """

    value: float
    error: float
    spread: float


class Experiment(Protocol):
    """Something to be played and measured."""

    @property
    def title(self) -> str:
        """What it is."""
        ...

    def run(self, num_games: int, seed: int) -> dict[str, Measured]:
        """Play about so many games; the figures by name."""
        ...


def mean(values: ArrayLike) -> Measured:
    """The mean of independent games."""
    array = np.asarray(values, dtype=np.float64)
    spread = float(array.std())
    return Measured(float(array.mean()), _not_zero(spread, len(array)) / math.sqrt(len(array)), spread)


def deviation(values: ArrayLike) -> Measured:
    """The standard deviation of independent games, as a figure of its own."""
    array = np.asarray(values, dtype=np.float64)
    away = array - array.mean()
    found = float(array.std())
    spread = math.sqrt(max(float((away**4).mean()) - found**4, 0.0)) / (2 * found) if found > 0 else 0.0
    return Measured(found, spread / math.sqrt(len(array)), spread)


def _not_zero(spread: float, number: int) -> float:
    """What never happened in n games can happen as often as about once: no figure is without error."""
    return max(spread, 1 / math.sqrt(number))


@dataclass(frozen=True)
class OpeningHands:
    """The hands of turns 3 and 4 with two cards bought on turns 1 and 2; without cards, those of turns 1 and 2.

    The twelve cards are shuffled and drawn by the core, Actions are played, Treasures too, and nothing is bought.
    """

    first: str | None = None
    second: str | None = None

    @property
    def title(self) -> str:
        """What it is."""
        return f"opening {self.first}/{self.second}" if self.first else "opening hands"

    def run(self, num_games: int, seed: int) -> dict[str, Measured]:
        """Five times as many games, as they take two turns each."""
        number = 5 * num_games
        cards = [Card.named(name) for name in (self.first, self.second) if name]
        bag = {"Copper": 7, "Estate": 3}
        for card in cards:
            bag[card.title] = bag.get(card.title, 0) + 1
        # Turn 2 is about to end with the twelve cards in the draw pile.
        player = {"deck_bag": bag, "turns": 2}
        start = {"players": [player], "phase": "buy", "kingdom": _kingdom_with(cards)}
        batch = GameBatch(number, num_players=1, seed=seed, start=start, auto_treasures=True, autoreset=False)
        coins, gained = np.zeros((2, number)), np.zeros((2, number))
        hands = np.zeros((2, number, len(cards)))
        batch.step(np.full(number, PASS))
        rows = np.arange(number)
        while (turn := batch.turns[:, 0] - 3).min() < 2:
            here = turn < 2
            seen = turn[here], rows[here]
            coins[seen] = batch.state["coins"][here]  # the last one of a turn stays
            hands[seen] = np.maximum(hands[seen], batch.state["hand"][:, 0][:, cards][here])
            actions = _play_all(batch.action_mask)
            gained[seen] += (actions == FEASTS_GAIN)[here]
            batch.step(actions)
        found = {"a 5/2 or 2/5 split": mean(np.isin(coins[0], [2, 5]))}
        found |= {f"${n} or more at least once": mean((coins >= n).any(axis=0)) for n in (5, 6, 7)}
        found |= {f"${n} or more twice": mean((coins >= n).all(axis=0)) for n in (3, 4, 5)}
        found["coins in both hands"] = mean(coins.sum(axis=0))
        five = (coins >= 5) | (gained > 0)  # a $5 card can be had on this turn
        found["no $5 card"] = mean(~five.any(axis=0))
        found["a $5 card on both turns"] = mean(five.all(axis=0))
        if cards:
            found["the two meet in one hand"] = mean((hands > 0).all(axis=2).any(axis=0))
            found["the first misses turns 3 and 4"] = mean((hands[:, :, 0] == 0).all(axis=0))
        return found


def _kingdom_with(cards: list[Card]) -> list[str]:
    """Ten Kingdom cards, these among them."""
    first = [card.title for card in cards if card > Card.CURSE]
    others = [card.title for card in Card if card > Card.CURSE and card.title not in first]
    return [*first, *others][:10]


def _play_all(masks: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Play an Action if there is one, gain a Duchy with Feast, buy nothing; int64 (games,)."""
    playing = masks[:, PLAYS]
    chosen = np.where(playing.any(axis=1), PLAYS[playing.argmax(axis=1)], PASS)
    actions: NDArray[np.int64] = np.where(masks[:, FEASTS_GAIN], FEASTS_GAIN, chosen)
    return actions


@dataclass(frozen=True)
class SolitaireTurns:
    """One player, Provinces that never run out: coins in hand on each turn and points after it."""

    strategy: str
    turns: int
    kingdom: str = "first-game-2e"

    @property
    def title(self) -> str:
        """What it is."""
        return f"solitaire {self.strategy}"

    def run(self, num_games: int, seed: int) -> dict[str, Measured]:
        """Play `turns` turns of each game."""
        parts = [self._play(size, seed, first) for first, size in _parts(num_games)]
        coins, points = (np.concatenate(each) for each in zip(*parts, strict=True))
        found = {f"coins on turn {t + 1}": mean(coins[:, t]) for t in range(self.turns)}
        return found | {f"points after turn {t + 1}": mean(points[:, t]) for t in range(self.turns)}

    def _play(self, number: int, seed: int, first: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        coins, points = np.zeros((2, number, self.turns + 2))
        rows = np.arange(number)

        def note(batch: GameBatch) -> bool:
            turn = np.minimum(batch.turns[:, 0], self.turns + 1)
            points[rows, turn - 1] = batch.scores[:, 0]  # overwritten until the next turn has begun
            points[rows, turn] = batch.scores[:, 0]
            buying = (batch.state["phase"] == BUY_PHASE) & (batch.state["bought"] == 0)
            coins[rows[buying], turn[buying]] = batch.state["coins"][buying]
            return bool((turn > self.turns).all())

        _play_alone(self.strategy, number, seed, first, self.kingdom, note)
        return coins[:, 1 : self.turns + 1], points[:, 1 : self.turns + 1]


@dataclass(frozen=True)
class RaceToProvinces:
    """One player, Provinces that never run out: the turn on which the fourth Province is bought."""

    strategy: str
    kingdom: str = "first-game-2e"
    provinces: int = 4

    @property
    def title(self) -> str:
        """What it is."""
        return f"turns to {self.provinces} Provinces, {self.strategy}"

    def run(self, num_games: int, seed: int) -> dict[str, Measured]:
        """Play each game until then."""
        turns = np.concatenate([self._play(size, seed, first) for first, size in _parts(num_games)])
        return {"turns": mean(turns), "standard deviation": deviation(turns)}

    def _play(self, number: int, seed: int, first: int) -> NDArray[np.int64]:
        done = np.zeros(number, np.int64)
        last = np.ones(number, np.int64)

        def note(batch: GameBatch) -> bool:
            there = (batch.state["owned"][:, 0, Card.PROVINCE] >= self.provinces) & (done == 0)
            done[there] = last[there]  # the purchase has ended the turn, and a new one has begun
            last[:] = batch.turns[:, 0]
            return bool((done > 0).all())

        _play_alone(self.strategy, number, seed, first, self.kingdom, note)
        return done


def _parts(num_games: int) -> list[tuple[int, int]]:
    """Number of the first game and number of games of each batch."""
    return [(first, min(GAMES_AT_ONCE, num_games - first)) for first in range(0, num_games, GAMES_AT_ONCE)]


def _play_alone(
    strategy: str, number: int, seed: int, first: int, kingdom: str, note: Callable[[GameBatch], bool]
) -> None:
    """Let an agent play alone until `note`, which sees every decision, says that it is enough."""
    agent = make_agent(strategy)
    batch = GameBatch(
        number, 1, kingdom, seed=seed, index=first, start=SUPPLY_THAT_LASTS, auto_treasures=True, autoreset=False
    )
    while not note(batch):
        batch.step(agent.act(batch.observe(), batch.action_mask, batch.policy_keys()))


@dataclass(frozen=True)
class TableGames:
    """One agent against copies of another, every game from every seat with the same luck."""

    first: str
    second: str
    kingdom: str = "first-game-2e"
    num_players: int = 2
    label: str = ""

    @property
    def title(self) -> str:
        """What it is."""
        if self.label:
            return self.label
        tables = "" if self.num_players == 2 else f", {self.num_players} players"
        return f"{self.first} v. {self.second}{tables}"

    def run(self, num_games: int, seed: int) -> dict[str, Measured]:
        """Play complete sets, at most so many games."""
        return table_figures(MatchResult(np.concatenate([task.play() for task in self.tasks(num_games, seed)])))

    def tasks(self, num_games: int, seed: int) -> list[Task]:
        """The same in parts, for several processes; `table_figures` tells what their games say."""
        match = Match(self.first, self.second, self.kingdom, self.num_players, seed, {"auto_treasures": True})
        return tasks_of(match, sets_of(num_games - num_games % self.num_players, self.num_players))


def table_figures(result: MatchResult) -> dict[str, Measured]:
    """What a match says, by the names used in `published.py`; errors are over sets."""
    players, scores = result.num_players, result.game_scores
    shares = result.games["shares"].reshape(-1, players, players)
    sole = (shares == 1).any(axis=2)

    def over_sets(values: NDArray[Any]) -> Measured:
        by_set = values.mean(axis=1)
        return Measured(float(by_set.mean()), mean(by_set).error, float(values.std()))

    rounds = result.games["rounds"].reshape(-1, players).astype(np.float64)
    spread = deviation(rounds.ravel())
    found = {
        "first wins": over_sets(scores == 1),
        "second wins": over_sets(sole & (scores == 0)),
        "tie": over_sets(~sole),
        "shared by some": over_sets(~sole),
        "rounds": over_sets(rounds),
        # the games of a set are alike, so that they are as good as one game, not better
        "rounds, standard deviation": spread._replace(error=spread.spread / math.sqrt(len(rounds))),
    }
    by_turn = (np.arange(players) + result.games["starter"][:, None]) % players
    order = np.take_along_axis(result.games["shares"], by_turn, axis=1).reshape(-1, players, players)
    for place in range(players):
        found[f"who is {ORDINALS[place]} to act wins"] = over_sets(order[:, :, place] == 1)
    return found
