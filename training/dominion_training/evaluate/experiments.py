"""What `dominion validate` plays: hands after an opening, solitaire, and games at a table."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dominion_agents import shown_to
from dominion_env import PASS, Card, GameBatch, Verb
from dominion_env.actions import action_of
from dominion_env.rules.state import BUY_PHASE
from dominion_training.evaluate.entrants import make_agent
from dominion_training.evaluate.games import GAMES_AT_ONCE, Stopped, game_dtype
from dominion_training.evaluate.match import MatchResult
from dominion_training.evaluate.runner import Match, Task, as_plain, sets_of, tasks_of

ORDINALS = ("1st", "2nd", "3rd", "4th", "5th", "6th")
PLAYS = np.array([action_of(Verb.PLAY, card) for card in Card])
FEASTS_GAIN = action_of(Verb.GAIN, Card.DUCHY)
SUPPLY_THAT_LASTS = {"supply": {"Province": 100}}
_DEALS = 5  # opening hands for each game that is asked for


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
    """Something to be played and measured. What is played depends on the numbers of the games and a seed alone."""

    @property
    def title(self) -> str:
        """What it is."""
        ...

    @property
    def agents(self) -> tuple[str, ...]:
        """Specifications of all who play."""
        ...

    def parts(self, num_games: int) -> list[range]:
        """About so many games, or sets of games, in parts of a handy size, by their numbers."""
        ...

    def blank(self, part: range) -> NDArray[Any]:
        """Zeros in the form of what `play` returns, a row for each game."""
        ...

    def play(self, part: range, seed: int, stopping: Callable[[], bool] | None = None) -> NDArray[Any]:
        """Play a part; what is measured of each game. Raises `Stopped` when `stopping()` is true."""
        ...

    def figures(self, played: NDArray[Any]) -> dict[str, Measured]:
        """The figures by name, from all parts together in their order."""
        ...


def run(experiment: Experiment, num_games: int, seed: int) -> dict[str, Measured]:
    """Play about so many games, here and now; the figures by name."""
    return experiment.figures(np.concatenate([experiment.play(part, seed) for part in experiment.parts(num_games)]))


@dataclass(frozen=True)
class Trial:
    """An experiment on the addresses of one seed: a `runner.Work`."""

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


@dataclass(frozen=True)
class TrialPart:
    """The games, or sets, from `start` to before `stop` of a trial: a `runner.Part`."""

    work: Trial
    start: int
    stop: int

    @property
    def num_games(self) -> int:
        """Games in it."""
        return len(self.work.experiment.blank(range(self.start, self.stop)))

    def is_whole(self, kept: NDArray[Any]) -> bool:
        """See `Part`."""
        blank = self.work.experiment.blank(range(self.start, self.stop))
        return kept.shape == blank.shape and kept.dtype == blank.dtype

    def play(self, stopping: Callable[[], bool] | None = None) -> NDArray[Any]:
        """See `Part`."""
        return self.work.experiment.play(range(self.start, self.stop), self.work.seed, stopping)


def parts_of(trial: Trial, num_games: int) -> list[TrialPart]:
    """A trial of about so many games in parts."""
    return [TrialPart(trial, part.start, part.stop) for part in trial.experiment.parts(num_games)]


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

    The twelve cards are shuffled and drawn by the core, Actions are played, Treasures too, and nothing is bought. Of these
    short games there are five times as many.
    """

    first: str | None = None
    second: str | None = None

    @property
    def title(self) -> str:
        """What it is."""
        return f"opening {self.first}/{self.second}" if self.first else "opening hands"

    @property
    def agents(self) -> tuple[str, ...]:
        """Nobody who decides anything."""
        return ()

    def parts(self, num_games: int) -> list[range]:
        """See `Experiment`."""
        return _parts(_DEALS * num_games, _DEALS * GAMES_AT_ONCE)

    def blank(self, part: range) -> NDArray[np.int16]:
        """See `Experiment`; of both turns coins, Feast's gains, and of each card bought whether it is in hand."""
        return np.zeros((len(part), 2, 2 + len(self._cards)), np.int16)

    @property
    def _cards(self) -> list[Card]:
        return [Card.named(name) for name in (self.first, self.second) if name]

    def play(self, part: range, seed: int, stopping: Callable[[], bool] | None = None) -> NDArray[np.int16]:
        """See `Experiment`."""
        cards, number = self._cards, len(part)
        bag = {"Copper": 7, "Estate": 3}
        for card in cards:
            bag[card.title] = bag.get(card.title, 0) + 1
        # Turn 2 is about to end with the twelve cards in the draw pile.
        player = {"deck_bag": bag, "turns": 2}
        start = {"players": [player], "phase": "buy", "kingdom": _kingdom_with(cards)}
        batch = GameBatch(
            number, num_players=1, seed=seed, index=part.start, start=start, auto_treasures=True, autoreset=False
        )
        played = self.blank(part)
        coins, gained, hands = played[:, :, 0], played[:, :, 1], played[:, :, 2:]
        batch.step(np.full(number, PASS))
        rows = np.arange(number)
        while (turn := batch.turns[:, 0] - 3).min() < 2:
            _stop_if_asked(stopping)
            here = turn < 2
            seen = rows[here], turn[here]
            coins[seen] = batch.state["coins"][here]  # the last one of a turn stays
            hands[seen] = np.maximum(hands[seen], batch.state["hand"][:, 0][:, cards][here])
            actions = _play_all(batch.action_mask)
            gained[seen] += (actions == FEASTS_GAIN)[here]
            batch.step(actions)
        return played

    def figures(self, played: NDArray[Any]) -> dict[str, Measured]:
        """See `Experiment`."""
        coins, gained, hands = played[:, :, 0], played[:, :, 1], played[:, :, 2:]
        found = {"a 5/2 or 2/5 split": mean(np.isin(coins[:, 0], [2, 5]))}
        found |= {f"${n} or more at least once": mean((coins >= n).any(axis=1)) for n in (5, 6, 7)}
        found |= {f"${n} or more twice": mean((coins >= n).all(axis=1)) for n in (3, 4, 5)}
        found["coins in both hands"] = mean(coins.sum(axis=1))
        five = (coins >= 5) | (gained > 0)  # a $5 card can be had on this turn
        found["no $5 card"] = mean((~five).all(axis=1))
        found["a $5 card on both turns"] = mean(five.all(axis=1))
        if hands.shape[2]:
            found["the two meet in one hand"] = mean((hands.min(axis=2) > 0).any(axis=1))
            found["the first misses turns 3 and 4"] = mean((hands[:, :, 0] == 0).all(axis=1))
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

    @property
    def agents(self) -> tuple[str, ...]:
        """See `Experiment`."""
        return (self.strategy,)

    def parts(self, num_games: int) -> list[range]:
        """See `Experiment`."""
        return _parts(num_games, GAMES_AT_ONCE)

    def blank(self, part: range) -> NDArray[np.int16]:
        """See `Experiment`; coins and points by turn."""
        return np.zeros((len(part), 2, self.turns), np.int16)

    def play(self, part: range, seed: int, stopping: Callable[[], bool] | None = None) -> NDArray[np.int16]:
        """See `Experiment`; `turns` turns of each game."""
        coins, points = np.zeros((2, len(part), self.turns + 2), np.int16)
        rows = np.arange(len(part))

        def note(batch: GameBatch) -> bool:
            turn = np.minimum(batch.turns[:, 0], self.turns + 1)
            points[rows, turn - 1] = batch.scores[:, 0]  # overwritten until the next turn has begun
            points[rows, turn] = batch.scores[:, 0]
            buying = (batch.state["phase"] == BUY_PHASE) & (batch.state["bought"] == 0)
            coins[rows[buying], turn[buying]] = batch.state["coins"][buying]
            return bool((turn > self.turns).all())

        _play_alone(self.strategy, part, seed, self.kingdom, note, stopping)
        return np.stack([coins, points], axis=1)[:, :, 1 : self.turns + 1]

    def figures(self, played: NDArray[Any]) -> dict[str, Measured]:
        """See `Experiment`."""
        coins, points = played[:, 0], played[:, 1]
        found = {f"coins on turn {t + 1}": mean(coins[:, t]) for t in range(self.turns)}
        return found | {f"points after turn {t + 1}": mean(points[:, t]) for t in range(self.turns)}


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

    @property
    def agents(self) -> tuple[str, ...]:
        """See `Experiment`."""
        return (self.strategy,)

    def parts(self, num_games: int) -> list[range]:
        """See `Experiment`."""
        return _parts(num_games, GAMES_AT_ONCE)

    def blank(self, part: range) -> NDArray[np.int16]:
        """See `Experiment`; the turn."""
        return np.zeros(len(part), np.int16)

    def play(self, part: range, seed: int, stopping: Callable[[], bool] | None = None) -> NDArray[np.int16]:
        """See `Experiment`; each game until then."""
        done = self.blank(part)
        last = np.ones(len(part), np.int16)

        def note(batch: GameBatch) -> bool:
            there = (batch.state["owned"][:, 0, Card.PROVINCE] >= self.provinces) & (done == 0)
            done[there] = last[there]  # the purchase has ended the turn, and a new one has begun
            last[:] = batch.turns[:, 0]
            return bool((done > 0).all())

        _play_alone(self.strategy, part, seed, self.kingdom, note, stopping)
        return done

    def figures(self, played: NDArray[Any]) -> dict[str, Measured]:
        """See `Experiment`."""
        return {"turns": mean(played), "standard deviation": deviation(played)}


def _parts(number: int, size: int) -> list[range]:
    """So many games in parts of this size, by their numbers."""
    return [range(start, min(start + size, number)) for start in range(0, number, size)]


def _stop_if_asked(stopping: Callable[[], bool] | None) -> None:
    if stopping is not None and stopping():
        raise Stopped


def _play_alone(
    strategy: str,
    part: range,
    seed: int,
    kingdom: str,
    note: Callable[[GameBatch], bool],
    stopping: Callable[[], bool] | None,
) -> None:
    """Let an agent play alone until `note`, which sees every decision, says that it is enough."""
    agent = make_agent(strategy)
    batch = GameBatch(
        len(part),
        1,
        kingdom,
        seed=seed,
        index=part.start,
        start=SUPPLY_THAT_LASTS,
        auto_treasures=True,
        autoreset=False,
    )
    while not note(batch):
        _stop_if_asked(stopping)
        batch.step(agent.act(shown_to(agent, batch), batch.action_mask, batch.policy_keys()))


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

    @property
    def agents(self) -> tuple[str, ...]:
        """See `Experiment`."""
        return self.first, self.second

    def parts(self, num_games: int) -> list[range]:
        """See `Experiment`; complete sets, at most so many games."""
        sets = sets_of(num_games - num_games % self.num_players, self.num_players)
        return [range(task.start, task.stop) for task in tasks_of(self._match(0), sets)]

    def blank(self, part: range) -> NDArray[Any]:
        """See `Experiment`; finished games as `play_sets` has them."""
        return np.zeros(len(part) * self.num_players, game_dtype(self.num_players))

    def play(self, part: range, seed: int, stopping: Callable[[], bool] | None = None) -> NDArray[Any]:
        """See `Experiment`."""
        return Task(self._match(seed), part.start, part.stop).play(stopping)

    def _match(self, seed: int) -> Match:
        return Match(self.first, self.second, self.kingdom, self.num_players, seed, {"auto_treasures": True})

    def figures(self, played: NDArray[Any]) -> dict[str, Measured]:
        """See `Experiment`; errors are over sets."""
        result = MatchResult(played)
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
