"""Actions in the words of people and language models: what means one action only is taken, all else is refused."""

import pytest

from dominion_env import Game, IllegalAction, InvalidOption, action_id, action_name
from dominion_env.tables.actions import ACTION_NAMES


@pytest.mark.parametrize(
    "words",
    [
        "buy Curse.", '"buy Curse"', "'Buy Curse'", "BUY CURSE", "  buy   Curse\n", "buy_curse", "buy: Curse!",
        "`buy Curse`", "**buy Curse**",
    ],
)  # fmt: skip
def test_a_spelling_that_means_one_action_is_taken(words):
    assert action_name(action_id(words)) == "buy Curse"


def test_every_action_is_found_in_a_sentence_of_its_own():
    for number, name in enumerate(ACTION_NAMES):
        assert action_id(f'"{name.upper()}."') == number


@pytest.mark.parametrize(
    "words",
    [
        "",
        ".",
        "Curse",
        "buy",
        "buy 2 Curse",
        "buy Curse or pass",
        "buy Curse, then pass",
        "don't buy Curse",
        "buycurse",
    ],
)
def test_what_names_no_action_or_more_than_one_is_refused(words):
    with pytest.raises(IllegalAction, match="is no action"):
        action_id(words)


def test_a_game_takes_such_spellings_and_refuses_what_is_not_legal():
    game = Game(auto_treasures=True)
    with pytest.raises(IllegalAction, match="'play Smithy'"):
        game.apply('"Play Smithy."')
    game.apply('"Buy Curse."')
    assert game.replay()["actions"] == ["buy Curse"]


def test_the_log_can_be_cut_to_its_newest_lines():
    game = Game(auto_treasures=True)
    for _ in range(20):
        game.apply("pass")
    for seat in (None, 0, 1):
        lines = [line for line in game.log(seat).splitlines() if line]
        assert len(lines) > 9
        for last in (1, 3, 9, len(lines), len(lines) + 5):
            assert game.log(seat, last=last).splitlines() == lines[-last:]
        assert game.log(seat, last=0) == ""


@pytest.mark.parametrize("last", [-1, 1.0, True, "3"])
def test_a_wrong_number_of_lines_is_refused(last):
    with pytest.raises(InvalidOption, match="last"):
        Game().log(last=last)
