"""What the lobby lists of a visitor's games, and what a comparison says of how games end."""

from __future__ import annotations

import time

from dominion_app.web.guarding.limits import MOST_ROUNDS
from dominion_app.web.house.link import Link
from dominion_app.web.house.store import Latest
from dominion_app.web.pages import lobby
from dominion_app.web.pages.compare import Compared, result
from dominion_training.play.sets import ENDINGS

LINK = "kingdom=first-game-2e&players=2&seed=7&agent=big-money&seat=0"


def test_a_game_is_listed_with_the_day_of_its_last_answer_and_its_end():
    changed = time.mktime((2026, 1, 31, 9, 5, 0, 0, 0, -1))
    listed = lobby.games([Latest(LINK, changed, ""), Latest(LINK, changed, "Ann has won with 30 points.")])
    assert "first-game-2e, seed 7, with big-money</a> (2026-01-31 09:05, not over yet)" in listed
    assert "(2026-01-31 09:05, Ann has won with 30 points.)" in listed


def test_a_comparison_tells_in_words_how_games_ended():
    compared = Compared.read([("first", "big-money"), ("second", "smithy-optimised"), ("seed", "1")])
    assert compared is not None
    ended = {how: number for number, how in enumerate(ENDINGS.values(), 2)}  # 2, 3, 4
    answer = {
        "score": 0.5, "low": 0.4, "high": 0.6, "wins": 4, "ties": 1, "losses": 4, "games": 9, "rounds": 17.0, "even": 0.5,
        "endings": ended, "score_by_position": [0.5, 0.5], "curves": {},
    }  # fmt: skip
    page = result(answer, compared)
    for words, number in (("ended as the Provinces ran out", 2), ("ended as enough other piles ran out", 3),
                          (f"stopped after {MOST_ROUNDS} rounds", 4)):  # fmt: skip
        assert f"{words}</th><td>{number}</td>" in page


def test_the_lobby_lists_agents_and_takes_another_one_in_its_place():
    assert '<optgroup label="Trained networks">' in lobby.form()
    assert '<option value="big-money" selected>' in lobby.form()
    pairs = [
        ("seed", "1"),
        ("players", "3"),
        ("agent", "any"),
        ("instead", " "),
        ("agent", ""),
        ("instead", "Province; Gold"),
    ]
    assert Link.read(pairs).agents == (None, "any", "Province; Gold")
    again = lobby.form(pairs)
    assert '<option value="any" selected>' in again
    assert '<input name="instead" value="Province; Gold"' in again
    assert again.count('value="Province; Gold"') == 1
