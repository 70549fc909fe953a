"""How strong the strategies are against each other: `python -m dominion_training.evaluate.rank` makes the table in `auto.py`.

Everybody plays everybody for two seats. The kingdom of a pair holds the cards that the two strategies buy, filled up to
ten with the first cards in order of card number that neither buys; pairs that need more than ten are left out. Each game
is played twice, with the seats swapped and the same luck. A game won counts 1, a tie 1/2.
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
from dominion_env import Card, GameBatch
from dominion_env.agent import Agent, shown_to
from dominion_env.cards import KINGDOM_CARDS
from dominion_env.kingdoms import KINGDOM_SIZE


def kingdom_for(*strategies: Strategy) -> tuple[Card, ...] | None:
    """Ten cards with all that the strategies buy; None if they buy more than ten."""
    bought = {card for strategy in strategies for card in strategy.kingdom_cards}
    fillers = [card for card in KINGDOM_CARDS if card not in bought]
    return tuple(sorted([*bought, *fillers[: KINGDOM_SIZE - len(bought)]])) if len(bought) <= KINGDOM_SIZE else None


def outcomes(players: Sequence[Agent], num_games: int, seed: int = 0, **options: Any) -> NDArray[np.bool_]:
    """Who won, when each player sits in each seat as often: player i in seat (i + game) % players.

    Args:
        players: as many as seats.
        num_games: games of different luck; each is played once for each rotation of the seats.
        seed: of the addresses.
        options: of `GameBatch`.

    Returns:
        bool (num_games, rotations, players): who shares the victory; nobody in a truncated game.
    """
    seats = len(players)
    index = np.repeat(np.arange(num_games), seats)
    rotation = np.tile(np.arange(seats), num_games)
    batch = GameBatch(
        len(index), num_players=seats, index=index, seed=seed, auto_treasures=True, autoreset=False, **options
    )
    running = np.ones(len(index), dtype=np.bool_)
    while running.any():
        keys, player = batch.policy_keys(), (batch.current_player - rotation) % seats
        actions = np.zeros(len(index), dtype=np.int64)
        for number, agent in enumerate(players):
            rows = np.flatnonzero(running & (player == number))
            if rows.size:
                actions[rows] = agent.act(shown_to(agent, batch, rows), batch.action_mask[rows], keys[rows])
        _, terminated, truncated = batch.step(actions)
        running &= ~(terminated | truncated)
    by_player = (np.arange(seats)[None, :] + rotation[:, None]) % seats
    won = np.take_along_axis(batch.final.winners, by_player, axis=1)
    return won.reshape(num_games, seats, seats)


def scores(num_games: int, seed: int = 0) -> tuple[list[str], NDArray[np.float64]]:
    """The mean score of each strategy (row) against each other one (column); nan on the diagonal and of no pair."""
    names = list(STRATEGIES)
    table = np.full((len(names), len(names)), np.nan)
    for first, second in combinations(range(len(names)), 2):
        pair = STRATEGIES[names[first]], STRATEGIES[names[second]]
        kingdom = kingdom_for(*pair)
        if kingdom is None:
            continue
        won = outcomes([ScriptedAgent(each) for each in pair], num_games // 2, seed, kingdom=kingdom)
        mine, theirs = won[..., 0], won[..., 1]
        score = float(np.where(mine == theirs, 0.5, mine).mean())
        table[first, second], table[second, first] = score, 1 - score
    return names, table


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the ranking as `auto.py` has it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000, help="games of each pair, even")
    parser.add_argument("--seed", type=int, default=0, help="of the games' addresses")
    chosen = parser.parse_args(arguments)
    if chosen.games < 2 or chosen.games % 2:
        parser.error(f"--games {chosen.games}: give an even number from 2")
    names, table = scores(chosen.games, chosen.seed)
    means = np.nanmean(table, axis=1)
    for row in np.argsort(-means, kind="stable"):
        print(f'    "{names[row]}": {100 * means[row]:.1f},')


if __name__ == "__main__":
    main()
