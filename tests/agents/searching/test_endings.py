"""Agents that search play to win: what is certain in this turn they see without playouts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dominion_agents.searching.loops.endings import LOST, OPEN, WON, certainties, sound
from dominion_env import Card, GameBatch, Verb, make_agent
from dominion_env.tables.actions import action_of
from tests.agents.searching.endgames import BUY_CURSE, MISTAKES, endgames, mistakes

BUY_PROVINCE = action_of(Verb.BUY, Card.PROVINCE)
PLAY_TREASURES = [action_of(Verb.PLAY, card) for card in (Card.COPPER, Card.SILVER, Card.GOLD)]
SEARCHERS = ("search:{}", "planner:{}", "ismcts:{}", "puct:any:{}")


def ways_to_end(game: GameBatch, action: int, me: int) -> set[float | None]:
    """Try each way to go on with this turn; return my shares of the win where the game ends, None where it goes on."""
    turn, after = game.state["turns"][0, me], game.clone()
    _, terminated, truncated = after.step([action])
    if terminated[0] or truncated[0]:
        winners = after.final.winners[0]
        return {float(winners[me] / winners.sum())}
    if after.current_player[0] != me or after.state["turns"][0, me] != turn:
        return {None}
    found: set[float | None] = set()
    for each in np.flatnonzero(after.action_mask[0]):
        found |= ways_to_end(after, int(each), me)
    return found


def seen(ways: set[float | None]) -> int:
    """Return what is certain if these are all ways in which the game can go on."""
    return WON if 1.0 in ways else LOST if ways == {0.0} else OPEN


@pytest.mark.compiled
@pytest.mark.parametrize("options", [{}, {"auto_treasures": False}, {"players": 3}])
def test_what_is_certain_is_what_trying_every_way_shows(options: dict[str, Any]) -> None:
    certain, expected = [], []
    for _, games in endgames(12, seed=3, **options):
        judged = certainties(games)
        for row in range(len(games)):
            game, me = games.take([row]), int(games.current_player[row])
            treasures = game.action_mask[0, PLAY_TREASURES].sum()
            if game.state["buys"][0] > 2 or treasures > 1 or game.state["hand"][0, me, :3].sum() > 2 * treasures:
                continue  # there are too many ways
            for action in np.flatnonzero(game.action_mask[0]):
                certain.append(judged[row, action])
                expected.append(seen(ways_to_end(game, int(action), me)))
    assert set(expected) == {OPEN, WON, LOST}
    assert certain == expected


def last_province(mine: int, *others: int) -> GameBatch:
    """Return a game with one Province left and 9 coins to spend, in which the players own so many Provinces."""
    decks: list[dict[str, Any]] = [
        {"deck_bag": {"Estate": 5, "Province": each}, "turns": 9} for each in (mine, *others)
    ]
    decks[0]["hand"] = {"Gold": 3}
    return GameBatch(
        1, num_players=len(decks), start={"supply": {"Province": 1}, "players": decks}, auto_treasures=True
    )


def test_the_last_province_is_bought_if_it_wins_and_left_if_it_loses() -> None:
    won, lost, tied, alone = (certainties(last_province(3, *others))[0] for others in ((3,), (5,), (4,), ()))
    assert np.flatnonzero(won == WON).tolist() == [BUY_PROVINCE]
    assert np.flatnonzero(lost == LOST).tolist() == [BUY_PROVINCE]
    assert (tied == OPEN).all()
    assert (alone == OPEN).all(), "solitaire"
    games = last_province(3, 3)
    assert np.flatnonzero(sound(games.action_mask, games)[0]).tolist() == [BUY_PROVINCE]
    games = last_province(3, 5)
    assert not sound(games.action_mask, games)[0, BUY_PROVINCE]


def test_a_curse_is_no_choice() -> None:
    games = last_province(3, 5)
    assert games.action_mask[0, BUY_CURSE]
    assert not sound(games.action_mask, games)[0, BUY_CURSE]


@pytest.mark.compiled
@pytest.mark.parametrize("name", SEARCHERS)
def test_what_searches_plays_to_win(name: str) -> None:
    made = mistakes(make_agent(name.format(4)), 60, seed=1)
    assert {mistake: number for mistake, (number, _) in made.items()} == dict.fromkeys(MISTAKES, 0)


@pytest.mark.nightly
@pytest.mark.parametrize("name", SEARCHERS)
def test_what_searches_plays_to_win_in_thousands_of_endgames(name: str) -> None:
    assert mistakes(make_agent(name.format(100)), 2000, seed=2) == dict.fromkeys(MISTAKES, (0, 2000))
