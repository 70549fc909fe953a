"""The experiments of `dominion validate`: hands after an opening, games of one player, and games at a table."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from dominion_env import PASS, Card, GameBatch, Verb
from dominion_env.players.agent import ask
from dominion_env.rules.record.state import BUY_PHASE
from dominion_env.tables.actions import action_of
from dominion_training.evaluate.match import MatchResult
from dominion_training.evaluate.matches import Match, MatchPart
from dominion_training.play.entrants import make_entrant
from dominion_training.play.loop import Stopped
from dominion_training.play.sets import GAMES_AT_ONCE, game_dtype
from tests.validation.measured import Measured, deviation, mean

ORDINALS = ("1st", "2nd", "3rd", "4th", "5th", "6th")
PLAYS = np.array([action_of(Verb.PLAY, card) for card in Card])
FEASTS_GAIN = action_of(Verb.GAIN, Card.DUCHY)
SUPPLY_THAT_LASTS = {"supply": {"Province": 100}}
_DEALS = 5  # opening hands for each game that is asked for


class Experiment(Protocol):
    """Games that are played and measured; they depend on their numbers and a seed alone."""

    @property
    def title(self) -> str:
        """Name in tables."""
        ...

    @property
    def agents(self) -> tuple[str, ...]:
        """Specifications of all agents that play."""
        ...

    def parts(self, num_games: int) -> list[range]:
        """Return the numbers of about that many games, or sets of games, in ranges of a handy size."""
        ...

    def blank(self, part: range) -> NDArray[Any]:
        """Return zeros in the form of the array that `play` returns, a row for each game."""
        ...

    def play(self, part: range, seed: int, stopping: Callable[[], bool] | None = None) -> NDArray[Any]:
        """Play a part and return the measurements of each game; raises `Stopped` when `stopping()` is true."""
        ...

    def figures(self, played: NDArray[Any]) -> dict[str, Measured]:
        """Return the figures by name, from all parts together in their order."""
        ...


@dataclass(frozen=True)
class OpeningHands:
    """The hands of turns 3 and 4 with two cards bought on turns 1 and 2; without cards, those of turns 1 and 2.

    The core shuffles and draws the twelve cards, all Actions and Treasures are played, and nothing is bought. As these
    games are short, there are five times as many.

    Attributes:
        first, second: names of the cards that are bought, if any.
    """

    first: str | None = None
    second: str | None = None

    @property
    def title(self) -> str:
        """Name in tables."""
        return f"opening {self.first}/{self.second}" if self.first else "opening hands"

    @property
    def agents(self) -> tuple[str, ...]:
        """No agent: these decisions are fixed."""
        return ()

    def parts(self, num_games: int) -> list[range]:
        """See `Experiment`."""
        return _parts(_DEALS * num_games, _DEALS * GAMES_AT_ONCE)

    def blank(self, part: range) -> NDArray[np.int16]:
        """See `Experiment`: for both turns the coins, Feast's gains, and whether each bought card is in hand."""
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
            coins[seen] = batch.state["coins"][here]  # the number of the last decision of a turn stays
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
    """Return ten Kingdom cards, these among them."""
    first = [card.title for card in cards if card > Card.CURSE]
    others = [card.title for card in Card if card > Card.CURSE and card.title not in first]
    return [*first, *others][:10]


def _play_all(masks: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return actions that play an Action if there is one, gain a Duchy with Feast, and buy nothing; int64 (games,)."""
    playing = masks[:, PLAYS]
    chosen = np.where(playing.any(axis=1), PLAYS[playing.argmax(axis=1)], PASS)
    actions: NDArray[np.int64] = np.where(masks[:, FEASTS_GAIN], FEASTS_GAIN, chosen)
    return actions


@dataclass(frozen=True)
class OnePlayer:
    """An experiment of one player with Provinces that never run out.

    Attributes:
        strategy: specification of the agent that plays.
        kingdom: kingdom as `GameBatch` takes it.
    """

    strategy: str
    kingdom: str = "first-game-2e"

    @property
    def agents(self) -> tuple[str, ...]:
        """See `Experiment`."""
        return (self.strategy,)

    def parts(self, num_games: int) -> list[range]:
        """See `Experiment`."""
        return _parts(num_games, GAMES_AT_ONCE)

    def _play(
        self, part: range, seed: int, note: Callable[[GameBatch], bool], stopping: Callable[[], bool] | None
    ) -> None:
        """Play until `note`, which sees the games before every decision, returns True."""
        agent = make_entrant(self.strategy)
        batch = GameBatch(
            len(part),
            1,
            self.kingdom,
            seed=seed,
            index=part.start,
            start=SUPPLY_THAT_LASTS,
            auto_treasures=True,
            autoreset=False,
        )
        while not note(batch):
            _stop_if_asked(stopping)
            batch.step(ask(agent, batch))


@dataclass(frozen=True, kw_only=True)
class SolitaireTurns(OnePlayer):
    """The coins in hand on each turn of one player, and the points after it.

    Attributes:
        turns: number of turns that are played.
    """

    turns: int

    @property
    def title(self) -> str:
        """Name in tables."""
        return f"solitaire {self.strategy}"

    def blank(self, part: range) -> NDArray[np.int16]:
        """See `Experiment`: coins and points by turn."""
        return np.zeros((len(part), 2, self.turns), np.int16)

    def play(self, part: range, seed: int, stopping: Callable[[], bool] | None = None) -> NDArray[np.int16]:
        """See `Experiment`: each game is played for `turns` turns."""
        coins, points = np.zeros((2, len(part), self.turns + 2), np.int16)
        rows = np.arange(len(part))

        def note(batch: GameBatch) -> bool:
            turn = np.minimum(batch.turns[:, 0], self.turns + 1)
            points[rows, turn - 1] = batch.scores[:, 0]  # overwritten until the next turn has begun
            points[rows, turn] = batch.scores[:, 0]
            buying = (batch.state["phase"] == BUY_PHASE) & (batch.state["bought"] == 0)
            coins[rows[buying], turn[buying]] = batch.state["coins"][buying]
            return bool((turn > self.turns).all())

        self._play(part, seed, note, stopping)
        return np.stack([coins, points], axis=1)[:, :, 1 : self.turns + 1]

    def figures(self, played: NDArray[Any]) -> dict[str, Measured]:
        """See `Experiment`."""
        coins, points = played[:, 0], played[:, 1]
        found = {f"coins on turn {t + 1}": mean(coins[:, t]) for t in range(self.turns)}
        return found | {f"points after turn {t + 1}": mean(points[:, t]) for t in range(self.turns)}


@dataclass(frozen=True, kw_only=True)
class RaceToProvinces(OnePlayer):
    """The turn on which one player buys the fourth Province.

    Attributes:
        provinces: number of Provinces that end the race.
    """

    provinces: int = 4

    @property
    def title(self) -> str:
        """Name in tables."""
        return f"turns to {self.provinces} Provinces, {self.strategy}"

    def blank(self, part: range) -> NDArray[np.int16]:
        """See `Experiment`: the turn of each game."""
        return np.zeros(len(part), np.int16)

    def play(self, part: range, seed: int, stopping: Callable[[], bool] | None = None) -> NDArray[np.int16]:
        """See `Experiment`: each game is played until that turn."""
        done = self.blank(part)
        last = np.ones(len(part), np.int16)

        def note(batch: GameBatch) -> bool:
            there = (batch.state["owned"][:, 0, Card.PROVINCE] >= self.provinces) & (done == 0)
            done[there] = last[there]  # the purchase has ended the turn, and a new one has begun
            last[:] = batch.turns[:, 0]
            return bool((done > 0).all())

        self._play(part, seed, note, stopping)
        return done

    def figures(self, played: NDArray[Any]) -> dict[str, Measured]:
        """See `Experiment`."""
        return {"turns": mean(played), "standard deviation": deviation(played)}


@dataclass(frozen=True)
class TableGames:
    """Games of one agent against copies of another, each from every seat with the same luck.

    Attributes:
        first, second: specifications of the agents.
        kingdom: a name, or ten card names with commas between.
        num_players: number of seats, 2 to 6.
        label: name in tables, instead of the agents' names.
    """

    first: str
    second: str
    kingdom: str = "first-game-2e"
    num_players: int = 2
    label: str = ""

    @property
    def title(self) -> str:
        """Name in tables."""
        if self.label:
            return self.label
        tables = "" if self.num_players == 2 else f", {self.num_players} players"
        return f"{self.first} v. {self.second}{tables}"

    @property
    def agents(self) -> tuple[str, ...]:
        """See `Experiment`."""
        return self.first, self.second

    def parts(self, num_games: int) -> list[range]:
        """See `Experiment`: complete sets of at most that many games."""
        parts = self._match(0).parts(num_games - num_games % self.num_players)
        return [range(part.start, part.stop) for part in parts]

    def blank(self, part: range) -> NDArray[Any]:
        """See `Experiment`: finished games as `play_sets` returns them."""
        return np.zeros(len(part) * self.num_players, game_dtype(self.num_players))

    def play(self, part: range, seed: int, stopping: Callable[[], bool] | None = None) -> NDArray[Any]:
        """See `Experiment`."""
        return MatchPart(self._match(seed), part.start, part.stop).play(stopping)

    def _match(self, seed: int) -> Match:
        return Match(self.first, self.second, self.kingdom, self.num_players, seed, {"auto_treasures": True})

    def figures(self, played: NDArray[Any]) -> dict[str, Measured]:
        """See `Experiment`: errors are over sets."""
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
            # The games of a set are alike, so they count as one game.
            "rounds, standard deviation": spread._replace(error=spread.spread / math.sqrt(len(rounds))),
        }
        by_turn = (np.arange(players) + result.games["starter"][:, None]) % players
        order = np.take_along_axis(result.games["shares"], by_turn, axis=1).reshape(-1, players, players)
        for place in range(players):
            found[f"who is {ORDINALS[place]} to act wins"] = over_sets(order[:, :, place] == 1)
        return found


def _parts(number: int, size: int) -> list[range]:
    """Return the numbers of that many games, in ranges of this size."""
    return [range(start, min(start + size, number)) for start in range(0, number, size)]


def _stop_if_asked(stopping: Callable[[], bool] | None) -> None:
    if stopping is not None and stopping():
        raise Stopped
