"""A few whole games, as text, line by line."""

from __future__ import annotations

from itertools import zip_longest

import pytest

from . import GAMES, HERE, lines, path_of


@pytest.mark.parametrize("name", list(GAMES))
def test_the_game_goes_as_it_is_written(name: str) -> None:
    written = path_of(name).read_text().splitlines()
    for number, (now, before) in enumerate(zip_longest(lines(name), written), start=1):
        assert now == before, f"line {number} of {path_of(name).name}; write it again if a rule asks for the change"


def test_no_text_is_left_of_a_game_that_is_no_longer_played() -> None:
    assert {path.stem for path in HERE.glob("*.txt")} == set(GAMES)


def test_the_games_are_won_played_by_many_cards_and_show_reactions() -> None:
    texts = {name: path_of(name).read_text() for name in GAMES}
    assert all("winners: " in text and "Turn 2 of player_1" in text for text in texts.values())
    played = {line.split(" plays ")[1] for text in texts.values() for line in text.splitlines() if " plays " in line}
    assert len(played) > 25
