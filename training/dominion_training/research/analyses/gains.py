"""What each player gained, bought and trashed, from the table of events."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from dominion_env.common.errors import InvalidOption
from dominion_env.rules.events import Event
from dominion_env.tables.cards import CARDS, NUM_CARDS, Card
from dominion_training.research.collect.tables import Tables

GAINS = (Event.BUY, Event.GAIN, Event.GAIN_TO_HAND, Event.GAIN_ONTO_DECK, Event.GAIN_FROM_TRASH)
NEVER = 0  # instead of the turn of the first gain
START = np.bincount([Card.COPPER] * 7 + [Card.ESTATE] * 3, minlength=NUM_CARDS)  # every player's deck at first


@dataclass(frozen=True)
class Gained:
    """What was gained, a row for each row of the players' table.

    Attributes:
        copies: int16 (rows, NUM_CARDS).
        first: turn of the first copy, uint16 (rows, NUM_CARDS), NEVER where there is none.
        offered: bool (rows, NUM_CARDS), whether the card was in the Supply of the game.
    """

    copies: NDArray[np.int16]
    first: NDArray[np.uint16]
    offered: NDArray[np.bool_]


def events_of(tables: Tables) -> pl.DataFrame:
    """Return the events, with the row of the players' table that each belongs to.

    Raises:
        InvalidOption: there are no games, or their events were not recorded.
    """
    if not len(tables):
        raise InvalidOption("games: expected at least one, got an empty selection")
    if tables.events is None:
        raise InvalidOption("events: expected a data set with events, got one that was collected with --no-events")
    rows = tables.players.select("game", pl.col("seat").alias("player")).with_row_index("row")
    return tables.events.join(rows, on=["game", "player"], how="inner", maintain_order="left")


def num_players_of(tables: Tables) -> int:
    """Return the number of players, which must be the same in all games.

    Raises:
        InvalidOption: there is no game, or they have different numbers of players.
    """
    counts = tables.games["players"].unique().to_list()
    if len(counts) != 1:
        raise InvalidOption(f"players: expected games with one number of players, got {sorted(counts) or 'no games'}")
    return int(counts[0])


def gained(tables: Tables) -> Gained:
    """Return what each player gained.

    Raises:
        InvalidOption: as from `events_of`.
    """
    events = events_of(tables).filter(pl.col("event").is_in([int(event) for event in GAINS]))
    found = events.group_by("row", "card").agg(pl.col("count").cast(pl.Int16).sum(), pl.col("turn").min())
    at = found["row"].to_numpy(), found["card"].to_numpy()
    shape = len(tables.players), NUM_CARDS
    copies, first = np.zeros(shape, np.int16), np.full(shape, NEVER, np.uint16)
    copies[at], first[at] = found["count"].to_numpy(), found["turn"].to_numpy()
    return Gained(copies, first, offered(tables))


def offered(tables: Tables) -> NDArray[np.bool_]:
    """Return which cards were in the Supply, bool (rows of the players' table, NUM_CARDS)."""
    kingdoms = tables.games["kingdom"].to_numpy()
    here = np.zeros((len(kingdoms), NUM_CARDS), np.bool_)
    here[:, : Card.CURSE + 1] = True
    here[np.arange(len(kingdoms))[:, None], kingdoms] = True
    place = tables.games.select("game").with_row_index("place")
    wanted = tables.players.select("game").join(place, on="game", how="left", maintain_order="left")["place"]
    result: NDArray[np.bool_] = here[wanted.to_numpy()]
    return result


def strata_of(tables: Tables) -> NDArray[np.int64]:
    """Return a number for each agent and place in the order of turns, int64 (rows of the players' table,)."""
    found: NDArray[np.int64] = (
        tables.players["agent"].to_numpy().astype(np.int64) * 8 + tables.players["position"].to_numpy()
    )
    return found


def title(card: int) -> str:
    """Return the name of a card, "nothing" for -1."""
    return CARDS[card].name if card >= 0 else "nothing"
