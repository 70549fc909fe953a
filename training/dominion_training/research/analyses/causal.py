"""Causal card values: what a card is worth to an agent, in games with the same luck in which one seat may not gain it.

All seats belong to the same agent. Of each address as many games are played as there are seats, in each of which another
seat is changed. With nothing changed the shares of these games would add up to 1 and the changed seats' mean would be
1/players exactly, so that what differs from that is the change alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_env.common.errors import InvalidOption
from dominion_env.tables.cards import CARDS, Card
from dominion_env.tables.kingdoms import one_set
from dominion_training.play import roster
from dominion_training.play.loop import Player
from dominion_training.research.analyses.statistics import Estimate, adjusted, mean_of, proportion
from dominion_training.research.collect.playing import play, unchanged

_SAME = 1e-6  # shares that differ by less are the same


@dataclass(frozen=True)
class CardValue:
    """What one card is worth.

    Attributes:
        card: its name.
        banned: what the agent loses if it may not gain the card, a share of the win.
        gift: what it wins by one copy for free in its third turn.
        used: share of addresses in which the ban changes who wins in any of the games.
        banned_q, gift_q: q-values among all cards.
    """

    card: str
    banned: Estimate
    gift: Estimate
    used: Estimate
    banned_q: float | None = None
    gift_q: float | None = None


@dataclass(frozen=True)
class CardValues:
    """The causal values of the cards of a kingdom.

    Attributes:
        rows: the cards, the one that would be missed most first.
        agent: the agent in all seats.
        kingdom: the kingdom.
        addresses: number of addresses for each card and change.
        players: number of players, and so of games for each address.
    """

    rows: tuple[CardValue, ...]
    agent: str
    kingdom: str
    addresses: int
    players: int


def causal_values(
    agent: str,
    kingdom: str,
    addresses: int = 2000,
    num_players: int = 2,
    seed: int = 0,
    cards: Sequence[Card | int] | None = None,
    advance: Callable[[int], None] | None = None,
    **options: Any,
) -> CardValues:
    """Measure what each card is worth to an agent that plays against itself.

    Args:
        agent: specification of the agent (`entrants.make_entrant`); one that goes by the mask of legal actions.
        kingdom: a single kingdom, as a name or ten card names with commas between.
        addresses: number of addresses, each played once for each seat, card and change.
        num_players: 2 to 6 players.
        seed: seed of the addresses.
        cards: numbers of cards; by default Silver, Gold and the ten Kingdom cards.
        advance: function that is called with the number of games played so far.
        options: other options of `GameBatch`.

    Raises:
        InvalidOption: there are no two players, no address or no single kingdom, or the agent searches.
        InvalidAgent: the agent can't be made, or failed.
    """
    chosen = cards_of(kingdom) if cards is None else [int(card) for card in cards]
    check_table(addresses, num_players)
    player, done, rows = Player(agent, roster.HERE.agent(agent)), 0, []
    for card in chosen:
        found: dict[str, NDArray[np.float64]] = {}
        for change in ("banned", "gift"):
            found[change] = _scores(player, kingdom, addresses, num_players, seed, change, card, options)
            done += addresses * num_players
            if advance is not None:
                advance(done)
        loss, gain = 1 / num_players - found["banned"], found["gift"] - 1 / num_players
        rows.append(
            CardValue(
                CARDS[card].name,
                mean_of(loss, (-1, 1)),
                mean_of(gain, (-1, 1)),
                proportion(int((np.abs(loss) > _SAME).sum()), addresses),
            )
        )
    lost, won = adjusted([row.banned for row in rows]), adjusted([row.gift for row in rows])
    rows = [replace(row, banned_q=one, gift_q=two) for row, one, two in zip(rows, lost, won, strict=True)]
    rows.sort(key=lambda row: -(row.banned.value or 0.0))
    return CardValues(tuple(rows), agent, kingdom, addresses, num_players)


def cards_of(kingdom: str) -> list[int]:
    """Return the numbers of Silver, Gold and the ten cards of a kingdom.

    Raises:
        InvalidKingdom: there is no such kingdom.
        InvalidOption: it is not a single one.
    """
    return [int(Card.SILVER), int(Card.GOLD), *one_set(kingdom, "these are studied")]


def check_table(addresses: int, num_players: int) -> None:
    """Check the size of an experiment.

    Raises:
        InvalidOption: there are no two players, or no address.
    """
    if not 2 <= num_players <= 6:
        raise InvalidOption(f"players: expected 2 to 6, got {num_players}")
    if addresses < 1:
        raise InvalidOption(f"addresses: expected at least 1, got {addresses}")


def _scores(
    player: Player, kingdom: str, addresses: int, num_players: int, seed: int, change: str, card: int, options: Any
) -> NDArray[np.float64]:
    """Return the mean share of the changed seat over the games of each address, float64 (addresses,)."""
    indices, seats = np.repeat(np.arange(addresses), num_players), np.tile(np.arange(num_players), addresses)
    changes = unchanged(len(indices))
    changes["seat"], changes[change] = seats, card
    played = play(
        [player], np.zeros((len(indices), num_players), np.int64), indices, num_players, seed, False, changes,
        kingdom=kingdom, **options,
    )  # fmt: skip
    shares = played.games["shares"][np.arange(len(indices)), seats].astype(np.float64)
    means: NDArray[np.float64] = shares.reshape(addresses, num_players).mean(axis=1)
    return means
