"""Who sits where in a set of games, and whose result is whose: one decision long games in which a certain seat can win."""

from __future__ import annotations

from typing import Any

import numpy as np

from dominion_agents.strategies.strategy import Strategy
from dominion_env import PASS, action_id
from dominion_training.lists.against_agent import play_against
from dominion_training.play.loop import Player
from dominion_training.play.sets import Games, play_sets

# Seat 1 can buy the last Province; otherwise the game is cut when the turns of this round are over.
START = {
    "kingdom": "first-game-2e", "supply": {"Province": 1}, "phase": "buy", "coins": 8, "turn_player": 1, "start_player": 1,
    "players": [{}, {"turns": 1}, {}],
}  # fmt: skip


class Buying:
    """Buys a Province wherever it can, or never."""

    def __init__(self, buys: bool) -> None:
        self.action = action_id("buy Province") if buys else PASS

    def act(self, observations: Any, masks: Any, keys: Any) -> Any:
        return np.where(masks[:, self.action], self.action, PASS)


def played(lineup: str, sets: range = range(2), **options: Any) -> Games:
    """Play with players who buy ("B") and players who don't ("-")."""
    agents = {letter: Player(letter, Buying(letter == "B")) for letter in "B-"}
    return play_sets([agents[letter] for letter in lineup], sets, start=START, max_turns=1, **options)


def test_in_rotation_r_the_player_at_place_i_sits_in_seat_i_plus_r():
    for place, lineup in enumerate(("B--", "-B-", "--B")):
        games = played(lineup)
        won = games["shares"][:, 1] == 1
        assert games["rotation"][won].tolist() == [(1 - place) % 3] * 2
        assert (games["points"][won, 1] == 6).all()


def test_a_game_that_is_cut_is_shared_by_all():
    games = played("---")
    assert (games["shares"] == 1 / 3).all()
    assert (games["ended"] == 3).all()


def test_results_stay_with_their_games_when_most_have_ended():
    games = played("BB-", range(4))
    assert games["set"].tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]
    assert games["shares"].tolist() == [[0, 1, 0], [0, 1, 0], [1 / 3] * 3] * 4


def test_a_list_in_a_field_is_ahead_of_the_best_other_player():
    lists, other = [Strategy.parse("Province;"), Strategy.parse("Gold;")], Player("-", Buying(False))
    shares, ahead = play_against(lists, other, range(1), 0, 3, start=START, max_turns=1)
    assert shares.tolist() == [[1 / 3, 1, 1 / 3], [1 / 3] * 3]
    assert ahead.tolist() == [[0, 6, 0], [0, 0, 0]]


def test_the_sets_that_are_asked_for_are_played_and_no_more():
    games = played("B--", range(3, 6), games_at_once=6)
    assert games["set"].tolist() == [3, 3, 3, 4, 4, 4, 5, 5, 5]
