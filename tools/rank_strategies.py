"""How strong the strategies are: `python -m tools.rank_strategies` measures `dominion_agents/strategies/rankings.json`.

Everybody meets everybody. With two players one plays the other; at larger tables one sits among copies of the other, and
the other way round. The score of A against B is the mean of what A wins alone among copies of B, and of what A's copies
leave a lone B: (a + 1 - b) / 2. It is 1/2 for equals, and a strategy that collapses against one stranger at a table of its
copies pays for it. A game won counts 1, and those who share a victory share it. Each game is played once for each
rotation of the seats, with the same luck. A strategy is left out at tables that it is not meant for.

The kingdom of a pair holds the cards that the two strategies buy, filled up to ten with the first cards in order of card
number that neither buys; pairs that need more than ten are left out. `--kingdoms` ranks on each recommended kingdom those
strategies that find all their cards there.

A table takes minutes on one core. What has been played is kept in `--keep`, and the same command goes on from there.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import dominion_agents
from dominion_agents.scripted.agent import ScriptedAgent
from dominion_agents.strategies.buy_list import MOST_PLAYERS
from dominion_agents.strategies.named import STRATEGIES
from dominion_agents.strategies.strategy import Strategy
from dominion_env import Card
from dominion_env.compiled.jit import hash_of_sources
from dominion_env.core.sources import SOURCE_HASH
from dominion_env.players.agent import Agent
from dominion_env.rules.record.state import TRUNCATED
from dominion_env.tables.cards import KINGDOM_CARDS
from dominion_env.tables.kingdoms import KINGDOM_SIZE, KINGDOMS
from dominion_training.play.loop import Player
from dominion_training.play.sets import play_sets


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


def shares(players: Sequence[Agent], num_games: int, seed: int, kingdom: Sequence[Card]) -> float:
    """Return what the first of the players wins: 1 for a game won alone, 1/n for one that n share, the mean of all games."""
    won = outcomes(players, num_games, seed, kingdom=kingdom)
    return float((won[..., 0] / np.maximum(won.sum(axis=2), 1)).mean())


def score(
    first: Strategy, second: Strategy, num_players: int, num_games: int, seed: int, kingdom: Sequence[Card]
) -> float:
    """Return the score of the first against the second, 0 to 1; see the top of this file.

    Args:
        first, second: two strategies.
        num_players: number of seats at the table.
        num_games: number of games, rotations included; with more than two players half of them has one of the first at
            the table.
        seed: seed of the addresses.
        kingdom: ten cards.
    """
    one, other = ScriptedAgent(first), ScriptedAgent(second)
    if num_players == 2:
        return shares([one, other], max(num_games // 2, 1), seed, kingdom)
    games = max(num_games // (2 * num_players), 1)
    alone = shares([one] + [other] * (num_players - 1), games, seed, kingdom)
    left = shares([other] + [one] * (num_players - 1), games, seed, kingdom)
    return (alone + 1 - left) / 2


# a hash of all code that decides about a score
_CODE = SOURCE_HASH + hash_of_sources(Path(dominion_agents.__file__).parent, ("**/*.py",))


class Kept:
    """Scores that have been played, in a file of JSON lines; without a file they are kept in memory alone.

    Scores of other code stay unread.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.scores: dict[str, float] = {}
        if path is not None and path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                if line.endswith("]"):  # else the last line of a run that was killed
                    match, found = json.loads(line)
                    self.scores[match] = found

    def score(self, first: Strategy, second: Strategy, num_players: int, num_games: int, seed: int,
              kingdom: Sequence[Card]) -> float:  # fmt: skip
        """Return `score` of the same match, from the file if it stands there."""
        cards = ",".join(card.title for card in kingdom)
        match = f"{_CODE} | {first.one_line()} | {second.one_line()} | {num_players} | {num_games} | {seed} | {cards}"
        if match not in self.scores:
            self.scores[match] = score(first, second, num_players, num_games, seed, kingdom)
            if self.path is not None:
                with self.path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([match, self.scores[match]]) + "\n")
        return self.scores[match]


def scores(
    num_games: int,
    seed: int = 0,
    num_players: int = 2,
    kingdom: Sequence[Card] | None = None,
    kept: Kept | None = None,
) -> tuple[list[str], NDArray[np.float64]]:
    """Return the names and the score of each strategy (row) against each other one (column); nan where no pair plays.

    Args:
        num_games: number of games of each pair.
        seed: seed of the addresses.
        num_players: number of seats at the table.
        kingdom: ten cards, on which those strategies play that find all theirs; None for a kingdom for each pair.
        kept: scores played before.
    """
    kept = Kept(None) if kept is None else kept
    names = [
        name
        for name, each in STRATEGIES.items()
        if each.players >= num_players and (kingdom is None or set(each.kingdom_cards) <= set(kingdom))
    ]
    table = np.full((len(names), len(names)), np.nan)
    for first, second in combinations(range(len(names)), 2):
        pair = STRATEGIES[names[first]], STRATEGIES[names[second]]
        here = kingdom_for(*pair) if kingdom is None else kingdom
        if here is not None:
            found = kept.score(*pair, num_players, num_games, seed, here)
            table[first, second], table[second, first] = found, 1 - found
    return names, table


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the rankings as `rankings.json` has them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=400, help="games of each pair")
    parser.add_argument("--players", type=int, default=2, choices=range(2, MOST_PLAYERS + 1), help="seats at the table")
    parser.add_argument("--kingdoms", action="store_true", help="rank on each recommended kingdom instead")
    parser.add_argument("--seed", type=int, default=0, help="of the games' addresses")
    parser.add_argument("--keep", type=Path, help="a file for what has been played, to go on from")
    chosen = parser.parse_args(arguments)
    if chosen.games < 2 or chosen.games % 2:
        parser.error(f"--games {chosen.games}: expected an even number from 2")
    kept = Kept(chosen.keep)
    tables = dict(KINGDOMS) if chosen.kingdoms else {"": None}
    for title, kingdom in tables.items():
        names, table = scores(chosen.games, chosen.seed, chosen.players, kingdom, kept)
        means = np.nanmean(table, axis=1)
        if title:
            print(f"# {title}")
        for row in np.argsort(-means, kind="stable"):
            print(f'  "{names[row]}": {100 * means[row]:.1f},', flush=True)


if __name__ == "__main__":
    main()
