"""What one purchase is worth against another: both are tried in the same positions and worlds, and a plan plays on.

The positions come from games in which all seats follow that plan. Of each game and each value of what is asked for (the turn,
or the Provinces that are left) the first position counts, so that positions are independent of each other.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dominion_agents import ScriptedAgent, Strategy, playouts
from dominion_agents.strategies.named import strategy_of
from dominion_env import GameBatch, action_id
from dominion_env.common.checks import one_of, whole_number
from dominion_env.common.errors import InvalidOption
from dominion_env.rules.words.decisions import ASK_BUY
from dominion_env.tables.cards import Card
from dominion_training.play.loop import Player, Seats, play
from dominion_training.research.analyses.statistics import Estimate, mean_of

By = Literal["turn", "provinces"]
BY = {"turn": "turn", "provinces": "Provinces left"}
MOST_POSITIONS = 400  # for each value of what is asked for
GAMES_AT_ONCE = 500
MOST_TURNS = 60


@dataclass(frozen=True)
class Worth:
    """How much better one purchase is than another at one place.

    Attributes:
        at: the turn of the player who buys, or the number of Provinces left.
        difference: share of the win after the first purchase less that after the second, from -1 to 1.
    """

    at: int
    difference: Estimate


def worth(
    plan: Strategy | str,
    first: str,
    second: str,
    by: By = "turn",
    owned: int | None = None,
    games: int = 2000,
    worlds: int = 64,
    players: int = 2,
    kingdom: str = "first-game-2e",
    seed: int = 0,
) -> list[Worth]:
    """Return by how much one purchase is better than another, by turn or by Provinces left.

    Args:
        plan: strategy of all seats, itself, its name or its text; it also plays on after either purchase.
        first, second: names of cards, such as "Province" and "Gold".
        by: what positions are sorted by.
        owned: number of copies of the first card that the player must have; None for any number.
        games: number of games in which positions are sought.
        worlds: number of worlds in which each purchase is tried in a position.
        players: number of seats, 2 to 6.
        kingdom: the kingdom, which must have both cards.
        seed: seed of the games; the worlds have seeds of their own.

    Raises:
        InvalidOption, UnknownCard, InvalidStrategy: an argument is wrong.
    """
    strategy, cards = strategy_of(plan), [Card.named(first), Card.named(second)]
    if cards[0] == cards[1]:
        raise InvalidOption(f"second: expected another card than {cards[0].title}")
    one_of("by", by, tuple(BY))
    whole_number("games", games, 1, 10**7)
    whole_number("players", players, 2, 6)
    buys = np.array([action_id(f"buy {card.title}") for card in cards])
    found = defaultdict[int, list[float]](list)
    for start in range(0, games, GAMES_AT_ONCE):
        number = min(GAMES_AT_ONCE, games - start)
        batch = GameBatch(
            number, players, kingdom, seed=seed, index=start, auto_treasures=True, autoreset=False, max_turns=MOST_TURNS
        )
        missing = [card.title for card in cards if not (batch.state["piles"][0] == card).any()]
        if missing:
            raise InvalidOption(f"kingdom: expected one with {missing[0]}, got {kingdom}")
        _play_through(batch, strategy, buys, cards[0], by, owned, worlds, found)
    return [Worth(at, mean_of(values, (-1, 1))) for at, values in sorted(found.items())]


def _play_through(
    batch: GameBatch,
    strategy: Strategy,
    buys: NDArray[np.int64],
    card: Card,
    by: By,
    owned: int | None,
    worlds: int,
    found: dict[int, list[float]],
) -> None:
    """Play games to their ends, and try both purchases on the way wherever they can be made."""
    everyone = Seats(
        [Player("plan", ScriptedAgent(strategy))], np.zeros((batch.num_games, batch.num_players), np.int64)
    )
    seen = set[tuple[int, int]]()
    for moment in play(batch, everyone):
        going = np.flatnonzero(moment.running)
        could = going[batch.action_mask[np.ix_(going, buys)].all(axis=1)]
        rows = could[batch.state["kind"][could] == ASK_BUY]
        seats = batch.current_player[rows]
        if owned is not None:
            rows, seats = (each[_owned(batch, rows, seats, card) == owned] for each in (rows, seats))
        at = batch.turns[rows, seats] if by == "turn" else batch.state["supply"][rows, Card.PROVINCE]
        fresh = [place for place, key in enumerate(zip(rows.tolist(), at.tolist(), strict=True)) if key not in seen]
        fresh = [place for place in fresh if len(found.get(int(at[place]), ())) < MOST_POSITIONS]
        seen.update(zip(rows.tolist(), at.tolist(), strict=True))
        if fresh:
            for place, value in zip(fresh, _tried(batch, rows[fresh], buys, strategy, worlds), strict=True):
                found[int(at[place])].append(float(value))


def _owned(batch: GameBatch, rows: NDArray[Any], seats: NDArray[Any], card: Card) -> NDArray[Any]:
    """Return how many copies of a card the players in these seats have."""
    return np.asarray(batch.state["owned"][rows, seats, card])


def _tried(
    batch: GameBatch, rows: NDArray[Any], buys: NDArray[np.int64], strategy: Strategy, worlds: int
) -> NDArray[np.float64]:
    """Return how much more of the win the first purchase brings than the second one, on average over common worlds."""
    twice = np.repeat(rows, 2)
    seeds = batch.policy_keys()[twice]
    shares, _ = playouts(batch, twice, np.tile(buys, len(rows)), worlds, strategy, seeds)
    own = shares[np.arange(len(twice)), :, batch.current_player[twice]].mean(axis=1, dtype=np.float64)
    better: NDArray[np.float64] = own[::2] - own[1::2]
    return better
