"""What is gained in each turn, and what decks are made of by then: composition, money density and points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from dominion_env.rules.events import Event
from dominion_env.tables.cards import CARDS, NUM_CARDS, Card, Type
from dominion_training.research.analyses.gains import GAINS, START, events_of, num_players_of, title
from dominion_training.research.analyses.statistics import FEWEST, Estimate, contrast
from dominion_training.research.collect.tables import Tables

LAST_TURN = 30  # later turns are seldom reached, and left out
MOST_GAMES = 10_000  # whose decks are followed; more tell hardly more and take much memory
BAND = (0.1, 0.9)  # of players between which a band lies

_TREASURE = np.array([info.coins if Type.TREASURE in info.types else 0 for info in CARDS], np.int16)
_POINTS = np.array([info.points for info in CARDS], np.int16)


@dataclass(frozen=True)
class Buying:
    """What players gain in their turns.

    Attributes:
        cards: the cards that are gained at all, those that are gained most first.
        mean: mean copies gained in each turn by those who still play, float64 (turns, cards); NaN with too few games.
        half: half the width of its 95% interval, likewise.
        players: number of players who still play in each turn, int64 (turns,).
        games: number of games.
    """

    cards: tuple[str, ...]
    mean: NDArray[np.float64]
    half: NDArray[np.float64]
    players: NDArray[np.int64]
    games: int


@dataclass(frozen=True)
class Band:
    """A number that players have at the end of each turn.

    Attributes:
        name: of the number.
        means: its mean over those who still play, an estimate for each turn.
        low, high: between these 80% of the players lie, float64 (turns,); NaN with too few games.
    """

    name: str
    means: tuple[Estimate, ...]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


@dataclass(frozen=True)
class Decks:
    """Decks at the end of each turn, those of players who still play.

    Attributes:
        composition: for each card that is common, its copies.
        density: coins of the Treasures in the deck, divided by the number of cards.
        points: points in the deck.
        size: cards in the deck.
        games: number of games.
    """

    composition: tuple[Band, ...]
    density: Band
    points: Band
    size: Band
    games: int


def buying(tables: Tables) -> Buying:
    """Return what is gained when, by purchase or otherwise, in a player's own turns.

    Args:
        tables: games with one number of players, with events.

    Raises:
        InvalidOption: there are no games, no events, or different numbers of players.
    """
    num_players_of(tables)
    events = events_of(tables).filter(
        pl.col("event").is_in([int(event) for event in GAINS])
        & (pl.col("player") == pl.col("turn_player"))
        & (pl.col("turn") <= LAST_TURN)
    )
    counted = events.group_by("game", "turn", "card").agg(pl.col("count").cast(pl.Int64).sum())
    by_turn = counted.group_by("turn", "card").agg(
        pl.col("count").sum().alias("sum"), (pl.col("count") ** 2).sum().alias("squares")
    )
    still = tables.players.select("game", "turns")
    reached = np.array([int((still["turns"] >= turn).sum()) for turn in range(1, LAST_TURN + 1)])
    games = np.array([still.filter(pl.col("turns") >= turn)["game"].n_unique() for turn in range(1, LAST_TURN + 1)])
    sums, squares = np.zeros((2, LAST_TURN, NUM_CARDS))
    at = by_turn["turn"].to_numpy().astype(np.int64) - 1, by_turn["card"].to_numpy()
    sums[at], squares[at] = by_turn["sum"].to_numpy(), by_turn["squares"].to_numpy()
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = sums / reached[:, None]
        # A game is one observation: the sum over its players.
        spread = np.maximum(squares / games[:, None] - (sums / games[:, None]) ** 2, 0) / (games[:, None] - 1)
        half = 1.96 * np.sqrt(spread) * (games / reached)[:, None]
    enough = games >= FEWEST
    mean[~enough], half[~enough] = np.nan, np.nan
    last = int(enough.sum())
    order = np.argsort(-sums.sum(axis=0), kind="stable")
    order = order[sums.sum(axis=0)[order] > 0]
    return Buying(
        tuple(title(int(card)) for card in order), mean[:last, order], half[:last, order], reached[:last], len(tables)
    )


def decks(tables: Tables) -> Decks:
    """Return what decks are made of at the end of each turn, of the first MOST_GAMES games.

    Gains and losses in the turns of others count for the turn with the same number.

    Args:
        tables: games with one number of players, with events.

    Raises:
        InvalidOption: there are no games, no events, or different numbers of players.
    """
    num_players_of(tables)
    first = tables.games.select("game").head(MOST_GAMES)
    players = tables.players.join(first, on="game", how="semi", maintain_order="left")
    events = tables.events
    some = Tables(
        tables.games.head(MOST_GAMES), players, None if events is None else events.join(first, on="game", how="semi")
    )
    moved = events_of(some).filter(pl.col("turn") <= LAST_TURN)
    cards = np.zeros((len(players), LAST_TURN + 1, NUM_CARDS), np.int16)
    cards[:, 0] = START
    for kinds, sign in ((GAINS, 1), ((Event.TRASH,), -1)):
        mine = moved.filter(pl.col("event").is_in([int(kind) for kind in kinds]))
        at = mine["row"].to_numpy(), mine["turn"].to_numpy(), mine["card"].to_numpy()
        np.add.at(cards, at, sign * mine["count"].to_numpy().astype(np.int16))
    owned = cards.cumsum(axis=1, dtype=np.int16)[:, 1:]
    turns, games = players["turns"].to_numpy(), players["game"].to_numpy()
    size = owned.sum(axis=2)
    gardens = owned[:, :, Card.GARDENS].astype(np.int64) * (size // 10)
    common = np.flatnonzero(owned.mean(axis=0).max(axis=0) >= 0.2).tolist()
    return Decks(
        tuple(_band(title(card), owned[:, :, card], turns, games) for card in common),
        _band("Treasure coins for each card", (owned @ _TREASURE) / np.maximum(size, 1), turns, games),
        _band("points", owned @ _POINTS + gardens, turns, games),
        _band("cards", size, turns, games),
        len(some),
    )


def _band(name: str, values: NDArray[np.number], turns: NDArray[np.integer], games: NDArray[np.integer]) -> Band:
    """Return a number at the end of each turn, over the players who had that turn: float (players, turns) in."""
    means, low, high = [], np.full(LAST_TURN, np.nan), np.full(LAST_TURN, np.nan)
    for turn in range(LAST_TURN):
        here = turns > turn
        estimate = contrast(values[here, turn], np.zeros(int(here.sum()), np.int64), (1.0,), games[here])
        if not estimate.is_known:
            break
        means.append(estimate)
        low[turn], high[turn] = np.quantile(values[here, turn], BAND)
    return Band(name, tuple(means), low[: len(means)], high[: len(means)])
