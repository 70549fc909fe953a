"""Synergy of pairs: whether two cards together go with more wins than each alone would let expect.

Observational. Players are compared with others of the same agent and place, as agents that own more combinations are often
better ones. Only agents count that own both cards, either and neither, each of these in some games.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from dominion_env.tables.cards import NUM_BASE_CARDS
from dominion_training.research.analyses.gains import gained, num_players_of, strata_of, title
from dominion_training.research.analyses.statistics import Estimate, adjusted, games_to_see, within
from dominion_training.research.collect.tables import Tables

TO_SEE = 0.05  # a synergy of so large a share of the win


@dataclass(frozen=True)
class Pair:
    """Two cards and their synergy.

    Attributes:
        one, two: names of the cards.
        synergy: share of the win with both, less with each alone, plus with neither, among players of the same agent and place.
        q: its q-value among all pairs.
        needed: number of such games that it takes to see a synergy of TO_SEE, see `games_to_see`; None if there is no telling.
    """

    one: str
    two: str
    synergy: Estimate
    q: float | None
    needed: int | None


@dataclass(frozen=True)
class Pairs:
    """The synergies of all pairs of Kingdom cards.

    Attributes:
        rows: the pairs, the largest synergy first, those with too few games last.
        cards: the Kingdom cards, in order.
        games: number of games.
    """

    rows: tuple[Pair, ...]
    cards: tuple[str, ...]
    games: int


def pairs(tables: Tables) -> Pairs:
    """Return the synergy of each pair of Kingdom cards.

    Args:
        tables: games with one number of players, with events.

    Raises:
        InvalidOption: there are no games, no events, or different numbers of players.
    """
    num_players_of(tables)
    found, games = gained(tables), tables.players["game"].to_numpy()
    shares, has = tables.players["share"].to_numpy(), found.copies > 0
    strata = strata_of(tables)
    cards = [card for card in np.flatnonzero(found.offered.any(axis=0)).tolist() if card >= NUM_BASE_CARDS]
    rows = []
    for one, two in combinations(cards, 2):
        here = found.offered[:, one] & found.offered[:, two]
        kinds = 2 * has[:, one] + has[:, two]
        seen = np.zeros((strata.max() + 1, 4), np.bool_)
        seen[strata[here], kinds[here]] = True
        complete = np.logical_and.reduce(seen, axis=1)
        tells = here & complete[strata]  # elsewhere it would be compared with other agents
        columns = np.column_stack([has[:, one], has[:, two], kinds == 3])[tells].astype(np.float64)
        estimate = within(shares[tells], columns, strata[tells], games[tells])
        rows.append(Pair(title(one), title(two), estimate, None, games_to_see(estimate, TO_SEE, len(tables))))
    q = adjusted([row.synergy for row in rows])
    rows = [replace(row, q=each) for row, each in zip(rows, q, strict=True)]
    rows.sort(key=lambda row: (not row.synergy.is_known, -(row.synergy.value or 0.0)))
    return Pairs(tuple(rows), tuple(map(title, cards)), len(tables))
