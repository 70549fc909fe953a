"""Shares of games that others' engines have measured with the same strategies.

Sources of the expected figures: pyminion 0.4.0 and independent re-implementations of the lists, 3,000 to 20,000 games
each; with the guard, Geronimoo's simulator. Here 2,000 games: four standard errors of the difference are allowed.
"""

import math

import numpy as np
import pytest

from dominion_agents import ScriptedAgent, Strategy
from dominion_agents.strategies import STRATEGIES
from tools.rank_strategies import outcomes

pytestmark = pytest.mark.compiled

GAMES = 2000
KINGDOM = ["Smithy", "Laboratory", "Militia", "Witch", "Moat", "Cellar", "Village", "Market", "Mine", "Remodel"]


def strategy(text):
    return STRATEGIES[text] if text in STRATEGIES else Strategy.parse(text)


def agrees(share, expected, expected_games, games=GAMES):
    spread = math.sqrt(expected * (1 - expected) * (1 / games + 1 / expected_games))
    assert abs(share - expected) <= 4 * spread, f"{share:.3f}, published {expected:.3f}"


@pytest.mark.parametrize(
    ("first", "second", "wins", "losses", "ties", "games"),
    [
        ("big-money", "big-money", 0.333, 0.334, 0.333, 20000),
        ("big-money-duchy", "big-money", 0.767, 0.169, 0.065, 20000),
        ("big-money-ultimate", "big-money", 0.805, 0.162, 0.033, 20000),
        ("Province; Gold; Smithy if Smithy < 1; Silver", "big-money", 0.605, 0.116, 0.279, 3000),
        ("Province; Witch if Witch < 1; Gold; Silver", "big-money", 0.960, 0.040, 0.0, 3000),
        ("Province; Gold; Laboratory; Silver", "big-money", 0.501, 0.177, 0.322, 3000),
        ("Province; Gold; Militia if Militia < 1; Silver", "big-money", 0.576, 0.157, 0.267, 3000),
        ("smithy-optimised", "big-money", 0.935, 0.050, 0.016, 3000),
    ],
)
def test_two_players(first, second, wins, losses, ties, games):
    players = [ScriptedAgent(strategy(first)), ScriptedAgent(strategy(second))]
    won = outcomes(players, GAMES // 2, seed=11, kingdom=KINGDOM)
    mine, theirs = won[..., 0], won[..., 1]
    agrees((mine & ~theirs).mean(), wins, games)
    agrees((theirs & ~mine).mean(), losses, games)
    agrees((mine & theirs).mean(), ties, games)


def test_who_sits_behind_wins_more_often_in_the_mirror():
    agent = ScriptedAgent(STRATEGIES["big-money"])
    won = outcomes([agent, agent], GAMES // 2, seed=11, kingdom=KINGDOM, first_player=0).reshape(-1, 2)
    seat = np.tile([0, 1], GAMES // 2)  # of the first agent
    first_seat = np.where(seat == 0, won[:, 0] & ~won[:, 1], won[:, 1] & ~won[:, 0])
    second_seat = np.where(seat == 1, won[:, 0] & ~won[:, 1], won[:, 1] & ~won[:, 0])
    agrees(first_seat.mean(), 0.246, 20000)
    agrees(second_seat.mean(), 0.422, 20000)


def test_three_players():
    agent = ScriptedAgent(STRATEGIES["big-money"])
    won = outcomes([agent] * 3, 700, seed=11, kingdom=KINGDOM, first_player=0)
    alone = won & (won.sum(axis=2, keepdims=True) == 1)
    for seat, share in enumerate((0.276, 0.213, 0.268)):
        # in rotation r player i sits in seat (i + r) % 3
        in_seat = np.stack([alone[:, r, (seat - r) % 3] for r in range(3)])
        agrees(in_seat.mean(), share, 20000, games=2100)
    agrees((won.sum(axis=2) > 1).mean(), 0.243, 20000, games=2100)


@pytest.mark.parametrize(
    ("first", "second", "wins", "losses"),
    [("smithy-optimised", "big-money-ultimate", 0.701, 0.233), ("double-witch", "smithy-optimised", 0.841, 0.142)],
)
def test_with_the_guard(first, second, wins, losses):
    guarded = [ScriptedAgent(Strategy.parse(f"guard: on\n{strategy(name)}")) for name in (first, second)]
    won = outcomes(guarded, GAMES // 2, seed=11, kingdom=KINGDOM)
    mine, theirs = won[..., 0], won[..., 1]
    agrees((mine & ~theirs).mean(), wins, 4000)
    agrees((theirs & ~mine).mean(), losses, 4000)
