"""Ranking of the strategies: `python -m dominion_training.evaluate.rank` prints the table in `auto.py`.

Each strategy meets each other one in games of two players. The kingdom of a pair holds the cards that the two strategies
buy, filled up to ten with the first cards in order of card number that neither buys. Pairs that need more than ten are
left out. Each game is played twice, with the seats swapped and the same luck. A game won counts 1, a tie 1/2.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_agents.scripted import ScriptedAgent
from dominion_agents.strategies import STRATEGIES
from dominion_agents.strategy import Strategy
from dominion_env import Card
from dominion_env.agent import Agent
from dominion_env.cards import KINGDOM_CARDS
from dominion_env.kingdoms import KINGDOM_SIZE
from dominion_env.rules.state import TRUNCATED
from dominion_training.evaluate.games import Player, play_sets
from dominion_training.evaluate.match import play_match


def kingdom_for(*strategies: Strategy) -> tuple[Card, ...] | None:
    """Return ten cards with all that the strategies buy; None if they buy more than ten."""
    bought = {card for strategy in strategies for card in strategy.kingdom_cards}
    fillers = [card for card in KINGDOM_CARDS if card not in bought]
    return tuple(sorted([*bought, *fillers[: KINGDOM_SIZE - len(bought)]])) if len(bought) <= KINGDOM_SIZE else None


def outcomes(players: Sequence[Agent], num_games: int, seed: int = 0, **options: Any) -> NDArray[np.bool_]:
    """Play games in which each player sits in each seat equally often, and return the winners.

    Args:
        players: the agents, one for each seat.
        num_games: number of games of different luck; each is played once for each rotation of the seats.
        seed: seed of the addresses.
        options: other options of `GameBatch`.

    Returns:
        bool (num_games, rotations, players): True for players that share the win; a truncated game has no winner.
    """
    seats = len(players)
    lineup = [Player(f"player {place}", agent) for place, agent in enumerate(players)]
    games = play_sets(lineup, range(num_games), seed, auto_treasures=True, **options)
    by_place = (np.arange(seats) + games["rotation"][:, None]) % seats
    shares = np.take_along_axis(games["shares"], by_place, axis=1)
    won: NDArray[np.bool_] = (shares > 0) & (games["ended"] != TRUNCATED)[:, None]
    return won.reshape(num_games, seats, seats)


def scores(num_games: int, seed: int = 0) -> tuple[list[str], NDArray[np.float64]]:
    """Return the mean scores of row against column, nan on the diagonal and for pairs that are left out."""
    names = list(STRATEGIES)
    table = np.full((len(names), len(names)), np.nan)
    for first, second in combinations(range(len(names)), 2):
        pair = STRATEGIES[names[first]], STRATEGIES[names[second]]
        kingdom = kingdom_for(*pair)
        if kingdom is None:
            continue
        own, other = (ScriptedAgent(each) for each in pair)
        score = play_match(own, other, num_games, seed, kingdom=kingdom, auto_treasures=True).score
        table[first, second], table[second, first] = score, 1 - score
    return names, table


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the ranking in the form of the table in `auto.py`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000, help="number of games of each pair, even")
    parser.add_argument("--seed", type=int, default=0, help="seed of the games' addresses")
    chosen = parser.parse_args(arguments)
    if chosen.games < 2 or chosen.games % 2:
        parser.error(f"--games: expected an even number from 2, got {chosen.games}")
    names, table = scores(chosen.games, chosen.seed)
    means = np.nanmean(table, axis=1)
    for row in np.argsort(-means, kind="stable"):
        print(f'    "{names[row]}": {100 * means[row]:.1f},')


if __name__ == "__main__":
    main()
