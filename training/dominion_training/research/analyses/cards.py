"""The card table: how players with a card fared, when it was gained, how often. Observational: it says nothing of causes."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from dominion_training.research.analyses.gains import gained, num_players_of, strata_of, title
from dominion_training.research.analyses.statistics import Estimate, adjusted, contrast, within
from dominion_training.research.collect.tables import Tables

OBSERVATIONAL = (
    "Observational: players who gain a card differ from those who don't in more than this card, such as in their agent, "
    "their luck and the length of the game. Differences among players of the same agent and place leave out the first of "
    "these. The causal card values say what the card itself brings."
)


@dataclass(frozen=True)
class CardRow:
    """What the games show about one card.

    Attributes:
        card: its name.
        rate: share of players that gained at least one.
        copies: mean number of copies gained by those who did.
        first_turn: mean turn of their first one.
        with_it, without_it: mean share of the win of those who did, and of the others.
        difference: of the two.
        within: the same among players of the same agent and place in the order of turns.
        q, within_q: q-values of the two among all cards.
    """

    card: str
    rate: Estimate
    copies: Estimate
    first_turn: Estimate
    with_it: Estimate
    without_it: Estimate
    difference: Estimate
    within: Estimate
    q: float | None = None
    within_q: float | None = None


@dataclass(frozen=True)
class CardTable:
    """The card table of some games.

    Attributes:
        rows: the cards, the largest difference first, those with too few games last.
        games: number of games.
        players: number of players in each.
    """

    rows: tuple[CardRow, ...]
    games: int
    players: int


def card_table(tables: Tables) -> CardTable:
    """Return how players fared with and without each card that was in the Supply.

    Args:
        tables: games with one number of players, with events.

    Raises:
        InvalidOption: there are no games, no events, or different numbers of players.
    """
    players = num_players_of(tables)
    found, games = gained(tables), tables.players["game"].to_numpy()
    shares = tables.players["share"].to_numpy()
    rows, strata = [], strata_of(tables)
    for card in np.flatnonzero(found.offered.any(axis=0)).tolist():
        here = found.offered[:, card]
        has = found.copies[:, card] > 0
        group = np.where(here, np.where(has, 0, 1), -1)
        only = np.where(here & has, 0, -1)
        rows.append(
            CardRow(
                title(card),
                contrast(has, np.where(here, 0, -1), (1,), games, (0, 1)),
                contrast(found.copies[:, card], only, (1,), games),
                contrast(found.first[:, card], only, (1,), games),
                contrast(shares, only, (1,), games, (0, 1)),
                contrast(shares, np.where(group == 1, 0, -1), (1,), games, (0, 1)),
                contrast(shares, group, (1, -1), games, (-1, 1)),
                within(shares[here], has[here, None].astype(np.float64), strata[here], games[here]),
            )
        )
    q, within_q = adjusted([row.difference for row in rows]), adjusted([row.within for row in rows])
    rows = [replace(row, q=one, within_q=two) for row, one, two in zip(rows, q, within_q, strict=True)]
    return CardTable(tuple(sorted(rows, key=_by_difference)), len(tables), players)


def _by_difference(row: CardRow) -> tuple[bool, float]:
    return (not row.difference.is_known, -(row.difference.value or 0.0))
