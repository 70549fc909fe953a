"""The game as an object whose method is a tool: what TRL finds in it, and the reward."""

from __future__ import annotations

import inspect
import random

import numpy as np
import pytest

from dominion_env import DominionEnv, InvalidOption, WrongOrder
from dominion_env.text.tools import DominionTools


def test_its_tool_is_answer_with_a_docstring():
    methods = dict(inspect.getmembers(DominionTools, inspect.isfunction))
    assert {name for name in methods if not name.startswith("_")} == {"reset", "answer", "get_reward"}
    assert list(inspect.signature(methods["answer"]).parameters) == ["self", "text"]
    assert "Args:\n    text: " in inspect.getdoc(methods["answer"])


def test_a_row_names_options_and_others_are_passed_over():
    tools = DominionTools(opponents="random", num_players=3)
    first = tools.reset(prompt=[{"role": "user"}], seed=3, kingdom="improvements-2e", level=None, seat=None)
    assert tools.reset(seed=3, kingdom="improvements-2e") == first
    assert "Witch (Action-Attack, costs 5 coins)" in first
    assert "\nplayer_2 hand:" in first
    assert tools.reset(seed=4, kingdom="improvements-2e") != first


def test_a_row_names_no_code():
    tools = DominionTools()
    assert "player_0" in tools.reset(opponents="smithy-optimised")
    with pytest.raises(InvalidOption, match="opponents: expected a registered name in a row, got 'os:getcwd'"):
        tools.reset(opponents="os:getcwd")


def test_wrong_answers_come_back_with_the_reason():
    tools = DominionTools()
    tools.reset(seed=1)
    assert tools.answer("hello").startswith("Not taken: Expected one answer alone")
    assert tools.answer("pass").startswith("You are player_0.")


@pytest.mark.parametrize("players", [1, 2, 3])
def test_the_reward_is_that_of_the_lead(players: int):
    options = {"opponents": "random", "num_players": players, "kingdom": "random"}
    for seed in range(4):
        env = DominionEnv(auto_treasures=True, reward="lead", illegal="raise", **options)
        _, info = env.reset(seed=seed)
        tools, done, paid = DominionTools(**options), False, 0.0
        tools.reset(seed=seed)
        rng = random.Random(seed)
        while not done:
            legal = np.flatnonzero(info["action_mask"])
            place = rng.randrange(len(legal))
            _, paid, terminated, _, info = env.step(int(legal[place]))
            tools.answer(str(place + 1))
            done = terminated
        assert tools.is_over
        assert tools.get_reward() == pytest.approx(paid, abs=1e-6)


def test_a_game_that_goes_on_counts_as_lost():
    tools = DominionTools()
    tools.reset(seed=1)
    assert tools.get_reward() == -0.5


def test_there_is_no_game_before_the_first_reset():
    with pytest.raises(WrongOrder, match="reset"):
        DominionTools().answer("pass")
