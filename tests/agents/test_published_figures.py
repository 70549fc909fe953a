"""Shares of games that others' engines have measured with the same strategies.

Sources of the expected figures: pyminion 0.4.0 and independent re-implementations of the lists, 3,000 to 20,000 games
each; with the guard, Geronimoo's simulator. Here 2,000 games: four standard errors of the difference are allowed.
Tournaments of Provincial: github.com/techmatt/Provincial, `bin/data/kingdoms_g32_c1`, 5,000 games for each cell of a table.
"""

import math

import numpy as np
import pytest

from dominion_agents import ScriptedAgent, Strategy
from dominion_agents.strategies.named import STRATEGIES
from dominion_agents.strategies.ways import PROVINCIAL
from tests.table import Table
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


MINES = (
    "Remodel, Mine, Woodcutter, Workshop, Chancellor, Village, Smithy, Festival, Bureaucrat, Market"  # no card costs 2
)
LIBRARIES = "Moat, Bureaucrat, Gardens, Moneylender, Library, Militia, Market, Woodcutter, Village, Festival"
LIBRARY_2, LIBRARY_3 = (
    "e3-d5-p8-gold@99|library@2|bureaucrat@1|silver@99",
    "e2-d4-p8-gold@99|library@3|silver@99|moat@9",
)
MARKET_10, MARKET_8 = (
    "e3-d5-p8-gold@99|militia@1|market@10|militia@1|silver@99",
    "e3-d4-p8-gold@99|militia@1|market@8|militia@1|silver@99|moat@1",
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "second", "kingdom", "lead", "deficit"),
    [
        # auto_0ec1eb12808228ad88ecb84813d2310e.txt
        (
            "e4-d5-p8-gold@99|silver@1|mine@1|silver@99",
            "e3-d5-p8-gold@99|remodel@1|mine@1|silver@99",
            MINES,
            7.14,
            -6.94,
        ),
        # auto_d6385c3eecd29224190e4d043216e923.txt
        (MARKET_10, MARKET_8, LIBRARIES, 1.98, -1.28),
        # auto_dabe25ed7ce4008bcf6a3ddd026b1ab3.txt
        (f"{LIBRARY_2}|moat@8", LIBRARY_2, LIBRARIES, 1.54, 0.12),
        (f"{LIBRARY_2}|moat@8", LIBRARY_3, LIBRARIES, 1.76, -2.32),
        (LIBRARY_2, LIBRARY_3, LIBRARIES, 0.48, -2.74),
    ],
    ids=["Mine and Remodel", "Market", "Library and Moat", "Libraries and Moat", "Libraries"],
)
def test_tournaments_of_provincial(first, second, kingdom, lead, deficit):
    """All pairs of its tables in games without Prosperity that buy cards of this game alone; points are won less lost in %.

    Both cells of a pair, `lead` and `deficit`, come from games of their own. Every deck begins with 4 Coppers and 3 Coppers.
    """
    sets, cells = 5_000, 2 * 5_000
    split = {"hands": ["4 Copper, Estate"] * 2, "bags": ["3 Copper, 2 Estate"] * 2}
    start = Table(kingdom=kingdom, turn=1, edition=1, **split).position
    players = [ScriptedAgent(Strategy.parse(menu).but(**PROVINCIAL)) for menu in (first, second)]
    won = outcomes(players, sets, seed=7, start=start)
    points = 100 * (won[..., 0].astype(int) - won[..., 1]).mean(axis=1)
    expected, spread = (lead - deficit) / 2, math.hypot(points.std() / math.sqrt(sets), 100 / math.sqrt(cells))
    assert abs(points.mean() - expected) <= 4 * spread, f"{points.mean():.2f}, published {expected:.2f}"
