"""Purchases late in games of strong agents, at which it shows whether an agent plays to win.

    python -m tests.agents.searching.endgames AGENT ... [--each 2000] [--seed 0] [--kingdom NAME] [--players 2]

prints for each agent how often it declines a certain win, takes a certain loss where a chance is left, and buys a Curse.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_agents.searching.loops.endings import LOST, WON, certainties
from dominion_env import KINGDOMS, Card, GameBatch, Verb, make_agent
from dominion_env.players.agent import Agent, ask
from dominion_env.rules.words.decisions import ASK_BUY
from dominion_env.tables.actions import action_of

STRONG = {2: ("any", "auto-2"), 3: ("any-3p", "auto-2")}  # by players
ALL_RECOMMENDED = list(KINGDOMS)
GAMES = 256
NEAR = 3  # cards until the game ends, as the Provinces are or the three lowest piles
BUY_CURSE = action_of(Verb.BUY, Card.CURSE)


def win_is_declined(certain: NDArray[np.int8], actions: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether each action wins nothing for certain, bool (n,)."""
    return certain[np.arange(len(actions)), actions] != WON


def loss_is_taken(certain: NDArray[np.int8], actions: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether each action loses for certain, bool (n,)."""
    return certain[np.arange(len(actions)), actions] == LOST


def curse_is_bought(certain: NDArray[np.int8], actions: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether each action buys a Curse and does not win by it, bool (n,)."""
    return (actions == BUY_CURSE) & (certain[:, BUY_CURSE] != WON)


MISTAKES: dict[str, Callable[[NDArray[np.int8], NDArray[np.int64]], NDArray[np.bool_]]] = {
    "declines a certain win": win_is_declined,
    "takes a certain loss": loss_is_taken,
    "buys a Curse": curse_is_bought,
}


def asked_late(games: GameBatch) -> dict[str, NDArray[np.int64]]:
    """Return for each mistake the games in which it could be made now."""
    legal, certain = games.action_mask, certainties(games)
    won, lost = (certain == WON).any(axis=1), (certain == LOST).any(axis=1)
    piles = np.take_along_axis(games.state["supply"], games.state["piles"].astype(np.int64), axis=1)
    left = np.minimum(games.state["supply"][:, Card.PROVINCE], np.sort(piles, axis=1)[:, :3].sum(axis=1))
    late = (games.state["kind"] == ASK_BUY) & (left <= NEAR)
    return {
        "declines a certain win": np.flatnonzero(won & (legal & (certain != WON)).any(axis=1)),
        "takes a certain loss": np.flatnonzero(~won & lost & (legal & (certain != LOST)).any(axis=1)),
        "buys a Curse": np.flatnonzero(late & legal[:, BUY_CURSE]),
    }


def endgames(
    each: int, seed: int, players: int = 2, kingdom: Any = ALL_RECOMMENDED, auto_treasures: bool = True
) -> Iterator[tuple[str, GameBatch]]:
    """Yield a mistake, and games in which it could be made, until there were so many of each.

    Args:
        each: number of games for each mistake.
        seed: seed of the games.
        players, kingdom, auto_treasures: of the games.
    """
    missing = dict.fromkeys(MISTAKES, each)
    agents = [make_agent(name) for name in STRONG.get(players, ("auto-2", "auto"))]
    games = GameBatch(GAMES, num_players=players, kingdom=kingdom, seed=seed, auto_treasures=auto_treasures)
    rows = np.arange(GAMES)
    while any(missing.values()):
        for name, found in asked_late(games).items():
            if len(found) and missing[name]:
                taken = found[: missing[name]]
                missing[name] -= len(taken)
                yield name, games.take(taken)
        actions = np.empty(GAMES, np.int64)
        for number, agent in enumerate(agents):
            # By the last two bits of a row each agent meets each, itself too.
            mine = rows[(rows >> games.current_player & 1) == number]
            if len(mine):
                actions[mine] = ask(agent, games, mine)
        games.step(actions)


def mistakes(agent: Agent, each: int, seed: int, **options: Any) -> dict[str, tuple[int, int]]:
    """Return for each mistake how often an agent makes it, and in how many endgames it could; arguments as for `endgames`."""
    made, asked = dict.fromkeys(MISTAKES, 0), dict.fromkeys(MISTAKES, 0)
    for name, games in endgames(each, seed, **options):
        made[name] += int(MISTAKES[name](certainties(games), ask(agent, games)).sum())
        asked[name] += len(games)
    return {name: (made[name], asked[name]) for name in MISTAKES}


def main() -> None:
    """Measure the agents of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("agents", nargs="+", metavar="AGENT")
    parser.add_argument("--each", type=int, default=2000, help="endgames of each kind")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kingdom", default=ALL_RECOMMENDED, help="of the games; all recommended ones without it")
    parser.add_argument("--players", type=int, default=2)
    told = vars(parser.parse_args())
    for name in told.pop("agents"):
        for mistake, (made, asked) in mistakes(make_agent(name), **told).items():
            print(f"{name:24} {mistake:24} {made:6} of {asked}", flush=True)


if __name__ == "__main__":
    main()
