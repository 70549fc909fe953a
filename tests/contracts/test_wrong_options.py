"""Each view refuses a wrong option, with an error that says what was expected and got: one table for all of them."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from inspect import Parameter, signature
from typing import Any

import numpy as np
import pytest

import dominion_env
from dominion_env import DominionEnv, DominionError, DominionVectorEnv, Game, GameBatch, InvalidOption, dominion_v0
from dominion_env.render import render
from tests.contracts.positions import TEN

SB3 = find_spec("sb3_contrib") is not None  # the extra `train`


def sb3_view(**options: Any) -> Any:
    options = {"num_envs": 2, "opponents": "random", "kingdom": "first-game-2e", **options}
    return dominion_env.SB3VecEnv(**options)


VIEWS: dict[str, Callable[..., Any]] = {
    "game": Game,
    "batch": lambda **options: GameBatch(**{"num_games": 2, **options}),
    "env": DominionEnv,
    "vector": lambda **options: DominionVectorEnv(**{"num_envs": 2, **options}),
    "aec": dominion_v0.env,
    "raw": dominion_v0.raw_env,
    "parallel": dominion_v0.parallel_env,
    **({"sb3": sb3_view} if SB3 else {}),
}
# the classes whose signatures name the options
OWN: dict[str, Callable[[], Any]] = {
    "game": lambda: Game,
    "batch": lambda: GameBatch,
    "env": lambda: DominionEnv,
    "vector": lambda: DominionVectorEnv,
    "raw": lambda: dominion_v0.raw_env,
    **({"sb3": lambda: dominion_env.SB3VecEnv} if SB3 else {}),
}
CORE, ZOO, LEARNERS, MANY = "game batch", "aec raw parallel", "env vector sb3", "vector sb3"
SINGLE = f"env {ZOO}"  # views of one game
ALL = f"{CORE} {LEARNERS} {ZOO}"
NO_WORDS = (np.array([]), np.array([1, 2]), [[0], [0, 1]], {}, {"a": []}, object(), b"x")


class Passing:
    """A class in place of an agent."""

    def act(self, observations, action_masks, keys):
        return np.argmax(action_masks, axis=1)


SEATS = "expected 'random', 'left-of-winner' or a seat from 0 to 1, got"
AGENTS = "opponents: expected names or agents with act.*, got"
MODES = "expected 'human', 'ansi', 'rgb_array', 'svg', 'html' or None, got"

# the views, an option, values, and the error
TABLE: list[tuple[str, str, list[Any], str]] = [
    (ALL, "num_players", [0, 7, -1, 2.0, "2", True, None], "num_players: expected a whole number from 1 to 6, got "),
    (ALL, "edition", [0, 3, "2", 1.0, True, np.float64(2), np.array([1, 2])], "edition: expected 1 .*, got"),
    (ALL, "max_turns", [20.0, 0, 10**6], "max_turns: .*got "),
    (ALL, "first_player", [0.0, False, 2, -1, 9, "winner", "me"], f"first_player: {SEATS} "),
    (ALL, "seed", ["one", True, 1.5], "seed: .*got"),
    (CORE, "seed", [[1, 2, 3], [[1], [1, 2]]], "seed"),
    (MANY, "seed", [[1]], "seed"),
    (CORE, "index", ["0", 0.5, None], "index"),
    (CORE, "index", [2**63 - 1, 2**64], f"index: expected whole numbers from 0 to {2**62}"),
    (CORE, "episode", [2**62 + 1, -1, 1.0], "episode"),
    (CORE, "resume", [True, 1], "resume"),
    (ALL, "auto_treasures", [1], "auto_treasures: expected True or False, got 1"),
    (ALL, "ask_forced", ["yes"], "ask_forced"),
    (ALL, "observation", ["all"], "observation: expected one of 'recall', 'strict', 'kingdom'"),
    (f"batch {LEARNERS} {ZOO}", "observation_dtype", ["float64", np.uint8], "observation_dtype: expected one of 'float32', "),
    (ALL, "kingdom", ["no-such-set"], "no kingdom is named 'no-such-set'"),
    ("batch", "num_games", [0, -5, 1.5], "num_games"),
    (f"batch {LEARNERS}", "reward", ["win"], "reward: expected one of 'result', 'margin', 'points', 'lead', got 'win'"),
    (f"batch {LEARNERS} {ZOO}", "illegal", ["ignore"], "illegal: expected one of 'raise', 'lose'"),
    ("batch", "autoreset", [None], "autoreset"),
    (f"batch {LEARNERS}", "record", [1], "record: expected True or False, got 1"),
    ("batch", "index", [[1, 2, 3]], r"index: expected a whole number or one per row \(2\)"),
    (CORE, "start", [3, "first-game-2e"], "position: expected .*, got "),
    ("batch", "start", [[{}, {}, {}]], r"expected one position or one per row \(2\), got 3"),
    ("batch", "start", [[{"players": [{}, {}]}, {"kingdom": TEN}]], "positions for equally many players with the same"),
    # what the views have
    (LEARNERS, "opponents", ["no-such-agent"], "'no-such-agent' is no agent: known are .*big-money"),
    (LEARNERS, "opponents", [[]], "opponents: expected at least one agent, or None"),
    (LEARNERS, "opponents", [[3], 3, Passing], f"{AGENTS} "),
    (LEARNERS, "seat", [2, -1, True, None, "left", [0]], "seat: expected 'random', 'alternate' or a seat from 0 to 1, got "),
    (f"env vector {ZOO}", "mask_in", ["nowhere"], "mask_in: expected one of 'info', 'observation', 'both', got 'nowhere'"),
    (f"env vector {ZOO}", "mask_in", [*NO_WORDS], "mask_in: "),
    (ZOO, "idle_can_pass", [1, None], "idle_can_pass: expected True or False, got "),
    ("env vector", "observation_keys", [*NO_WORDS], "observation_keys: "),
    (SINGLE, "render_mode", ["3d", 1, *NO_WORDS], f"render_mode: {MODES} "),
    ("vector", "render_mode", ["3d", *NO_WORDS], "render_mode: expected .*, got "),
    ("sb3", "render_mode", ["human"], "render_mode: expected 'rgb_array' or None, got 'human'"),
    (f"{LEARNERS} {ZOO}", "render_seat", [2, "mine", True], "render_seat: expected 'all', None or a seat from 0 to 1, got "),
    ("env", "autoreset", [True], r"autoreset=True: call reset\(\) when a game has ended"),
    (ZOO, "autoreset", [True], "autoreset=True"),
    ("vector", "autoreset", [True], "autoreset=True: choose an autoreset_mode instead"),
    ("sb3", "autoreset", [False], "autoreset: expected True"),
    ("sb3", "autoreset", [np.array([])], "autoreset: expected True or False, got array"),
    ("vector", "autoreset_mode", ["Never", None], "autoreset_mode: expected 'NextStep', 'SameStep', 'Disabled', got "),
    ("vector", "copy", [0], "copy: expected True or False, got 0"),
    ("env", "num_games", [3], "num_games=3: this is one game; DominionVectorEnv has many"),
    (ZOO, "num_games", [3], "num_games=3: this is one game"),
    (MANY, "num_games", [3], "num_games=3: did you mean `num_envs`?"),
    ("vector", "num_workers", [0, 3, -1, 1.5, "2", True], "num_workers: expected a whole number from 1 to 2, got "),
    (MANY, "num_envs", [0, 1.5, "2", True], "num_envs: expected a whole number from 1, got "),
    # what no view has
    ("env", "oponents", [1], "argument 'oponents': did you mean 'opponents'[?] it has opponents, seat, .*kingdom"),
    ("env", "colour", [1], "DominionEnv got an unexpected keyword argument 'colour': it has"),
    ("vector", "auto_treasure", [True], "DominionVectorEnv got an unexpected keyword argument 'auto_treasure': did you mean"),
    ("sb3", "kingdoms", [1], "SB3VecEnv got .* argument 'kingdoms': did you mean 'kingdom'[?] it has num_envs, "),
    (ZOO, "masks_in", ["info"], "dominion_v0 got .* argument 'masks_in': did you mean 'mask_in'[?] it has num_players, "),
]  # fmt: skip


@pytest.mark.parametrize(
    ("views", "option", "values", "message"), TABLE, ids=[f"{views.split()[0]}-{option}" for views, option, *_ in TABLE]
)
def test_a_wrong_option_is_refused(views: str, option: str, values: list[Any], message: str) -> None:
    for view in set(views.split()) & VIEWS.keys():
        for value in values:
            with pytest.raises(DominionError, match=message):
                VIEWS[view](**{option: value})


@pytest.mark.parametrize("view", OWN)
def test_the_table_has_each_option_that_a_view_names(view: str) -> None:
    assert named_options(view) <= {option for views, option, *_ in TABLE if view in views.split()}


def test_many_games_take_each_option_of_one_game() -> None:
    assert named_options("env") <= named_options("vector")


def named_options(view: str) -> set[str]:
    parameters = signature(OWN[view]()).parameters.values()
    return {each.name for each in parameters if each.kind is not Parameter.VAR_KEYWORD}


def test_a_wrong_value_is_an_invalid_option() -> None:
    for view in VIEWS.values():
        with pytest.raises(InvalidOption):
            view(num_players=7)


def test_a_wrong_mode_of_a_picture_is_refused() -> None:
    for value in NO_WORDS:
        with pytest.raises(InvalidOption, match="mode"):
            render(Game(), 0, value)
