"""Openings: the first two purchases, for each split of the first two hands; as they were observed, and forced."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from dominion_env import GameBatch
from dominion_env.rules.events import Event
from dominion_env.tables.cards import CARDS, Card
from dominion_training.play import roster
from dominion_training.play.loop import Player
from dominion_training.research.analyses.causal import cards_of, check_table
from dominion_training.research.analyses.gains import events_of, num_players_of, title
from dominion_training.research.analyses.statistics import Estimate, adjusted, contrast, mean_of
from dominion_training.research.collect.playing import play, unchanged
from dominion_training.research.collect.recorder import NO_PURCHASE
from dominion_training.research.collect.tables import Tables

SPLITS = {"5/2": (2, 5), "4/3": (3, 4)}  # the coins of the first two hands, fewer first
_COPPERS = 7
_AT_ONCE = 4096  # addresses that are dealt to find those of a split
NOTHING = -1


@dataclass(frozen=True)
class Opening:
    """Two first purchases, and how players fared with them.

    Attributes:
        cards: names, in order of card number; "nothing" for a turn without a purchase.
        split: "5/2" or "4/3".
        score: mean share of the win.
        difference: observed: to the other openings of the split; forced: to the agent's own choice in the same games.
        q: q-value of the difference within the split.
    """

    cards: tuple[str, str]
    split: str
    score: Estimate
    difference: Estimate
    q: float | None = None

    @property
    def name(self) -> str:
        """Both cards."""
        return " / ".join(self.cards)


@dataclass(frozen=True)
class Openings:
    """Openings of both splits.

    Attributes:
        rows: the best of each split first, those with too few games last.
        players: number of players.
        games: number of games that were observed, or of each opening that was forced.
        forced: whether the openings were forced.
        agent: the agent whose openings were forced.
    """

    rows: tuple[Opening, ...]
    players: int
    games: int
    forced: bool
    agent: str = ""


def observed_openings(tables: Tables) -> Openings:
    """Return the openings that players chose, and how they fared: observational, as good players open otherwise.

    The split is told by the Coppers that were played in the first turn. Players who did not play all of them are left out.

    Args:
        tables: games with one number of players, with events.

    Raises:
        InvalidOption: there are no games, no events, or different numbers of players.
    """
    players = num_players_of(tables)
    own = pl.col("player") == pl.col("turn_player")
    events = events_of(tables).filter(own & (pl.col("turn") <= 2))
    rows = len(tables.players)
    coppers = np.zeros((rows, 3), np.int64)
    played = events.filter((pl.col("event") == int(Event.PLAY)) & (pl.col("card") == int(Card.COPPER)))
    np.add.at(coppers, (played["row"].to_numpy(), played["turn"].to_numpy()), played["count"].to_numpy())
    bought = np.full((rows, 3), NOTHING)
    purchases = events.filter(pl.col("event") == int(Event.BUY)).unique(["row", "turn"], keep="first")
    bought[purchases["row"].to_numpy(), purchases["turn"].to_numpy()] = purchases["card"].to_numpy()
    pair = np.sort(bought[:, 1:], axis=1)
    games, shares = tables.players["game"].to_numpy(), tables.players["share"].to_numpy()
    found = []
    for split, coins in SPLITS.items():
        here = (coppers[:, 1:].sum(axis=1) == _COPPERS) & np.isin(coppers[:, 1], coins)
        for one, two in np.unique(pair[here], axis=0).tolist():
            group = np.where(here, np.where((pair == (one, two)).all(axis=1), 0, 1), -1)
            score = contrast(shares, np.where(group == 0, 0, -1), (1,), games, (0, 1))
            found.append(
                Opening((title(one), title(two)), split, score, contrast(shares, group, (1, -1), games, (-1, 1)))
            )
    return Openings(_ordered(found), players, len(tables), False)


def forced_openings(
    agent: str,
    kingdom: str,
    games: int = 1000,
    num_players: int = 2,
    seed: int = 0,
    advance: Callable[[int], None] | None = None,
    **options: Any,
) -> Openings:
    """Force each opening on one seat of an agent that plays against itself, and compare it with the agent's own choice.

    All openings of a split are played in the same games, with the same luck. The dearer card is bought in the richer turn.

    Args:
        agent: specification of the agent (`entrants.make_entrant`).
        kingdom: a single kingdom, as a name or ten card names with commas between.
        games: number of games of each opening.
        num_players: 2 to 6 players.
        seed: seed of the addresses.
        advance: function that is called with the number of games played so far.
        options: other options of `GameBatch`.

    Raises:
        InvalidOption: there are no two players, no game, or no single kingdom.
        InvalidAgent: the agent can't be made, or failed.
    """
    check_table(games, num_players)
    buyable = sorted({*cards_of(kingdom), int(Card.SILVER)} - {int(Card.GOLD)})
    player, found, done = Player(agent, roster.HERE.agent(agent)), [], 0
    for split, (poor, rich) in SPLITS.items():
        indices, seats, first = _dealt(kingdom, games, num_players, seed, rich, options)
        free = _shares(player, kingdom, indices, seats, num_players, seed, None, options)
        pairs = {
            tuple(sorted((one, two))) for one, two in product(_affordable(buyable, poor), _affordable(buyable, rich))
        }
        for pair in sorted(pairs):
            cheap, dear = sorted(pair, key=_cost)
            buys = np.where(first[:, None] == rich, [dear, cheap], [cheap, dear])
            shares = _shares(player, kingdom, indices, seats, num_players, seed, buys, options)
            found.append(
                Opening(
                    (title(pair[0]), title(pair[1])), split, mean_of(shares, (0, 1)), mean_of(shares - free, (-1, 1))
                )
            )
            done += games
            if advance is not None:
                advance(done)
    return Openings(_ordered(found), num_players, games, True, agent)


def _ordered(found: list[Opening]) -> tuple[Opening, ...]:
    """Return openings with their q-values, the best of each split first."""
    rows = []
    for split in SPLITS:
        mine = [each for each in found if each.split == split]
        q = adjusted([each.difference for each in mine])
        mine = [replace(each, q=value) for each, value in zip(mine, q, strict=True)]
        rows += sorted(mine, key=lambda each: (not each.score.is_known, -(each.score.value or 0.0)))
    return tuple(rows)


def _cost(card: int) -> int:
    return CARDS[card].cost if card >= 0 else 0


def _affordable(cards: list[int], coins: int) -> list[int]:
    return [NOTHING, *(card for card in cards if _cost(card) <= coins)]


def _dealt(
    kingdom: str, games: int, num_players: int, seed: int, rich: int, options: dict[str, Any]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return addresses and seats with a split, and the coins of the seat's first hand, int64 (games,) each.

    Seats take turns, so that each place in the order of turns comes about as often.
    """
    kept: list[NDArray[np.int64]] = []
    poor, start = _COPPERS - rich, 0
    while sum(map(len, kept)) < games:
        indices = np.arange(start, start + _AT_ONCE)
        batch = GameBatch(_AT_ONCE, num_players, kingdom, seed=seed, index=indices, ask_forced=True, **options)
        seats = indices % num_players
        state, rows = batch.state, np.arange(_AT_ONCE)
        coppers = state["hand"][rows, seats, int(Card.COPPER)].astype(np.int64)
        hits = np.flatnonzero((coppers == rich) | (coppers == poor))
        kept.append(np.stack([indices[hits], seats[hits], coppers[hits]], axis=1))
        start += _AT_ONCE
    found = np.concatenate(kept)[:games]
    return found[:, 0], found[:, 1], found[:, 2]


def _shares(
    player: Player,
    kingdom: str,
    indices: NDArray[np.int64],
    seats: NDArray[np.int64],
    num_players: int,
    seed: int,
    buys: NDArray[np.int64] | None,
    options: dict[str, Any],
) -> NDArray[np.float64]:
    """Return the share of the chosen seat in each game, float64 (games,), with these purchases forced on it if any."""
    changes = unchanged(len(indices))
    if buys is not None:
        changes["seat"] = seats
        changes["buys"] = np.where(buys == NOTHING, NO_PURCHASE, buys)
    played = play(
        [player], np.zeros((len(indices), num_players), np.int64), indices, num_players, seed, False, changes,
        kingdom=kingdom, **options,
    )  # fmt: skip
    shares: NDArray[np.float64] = played.games["shares"][np.arange(len(indices)), seats].astype(np.float64)
    return shares
