"""Each default that differs between the views is in the one table, and no other differs."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any

import pytest

from dominion_env import DominionEnv, DominionVectorEnv, Game, GameBatch, SB3VecEnv, dominion_v0
from dominion_env.views.common.defaults import DIFFERING, VIEWS

# The signatures in which a view's own options stand; what is not in the first is handed on to the next.
SIGNATURES: dict[str, tuple[Callable[..., Any], ...]] = {
    "GameBatch": (GameBatch,),
    "Game": (Game,),
    "raw_env": (dominion_v0.raw_env, GameBatch),
    "env": (dominion_v0.raw_env, GameBatch),
    "DominionEnv": (DominionEnv, GameBatch),
    "DominionVectorEnv": (DominionVectorEnv, GameBatch),
    "SB3VecEnv": (SB3VecEnv, GameBatch),
}
INHERITED = {"num_games", "autoreset", "record", "index", "episode"}  # views set them, as "When a game has ended" says
BY_CALL = {"illegal", "reward"}  # chosen by the call: their effect is tested below


def default_of(view: str, option: str) -> Any:
    for signature in SIGNATURES[view]:
        parameter = inspect.signature(signature).parameters.get(option)
        if parameter is not None:
            return parameter.default
    return inspect.Parameter.empty


@pytest.mark.parametrize("row", [row for row in DIFFERING if row.option not in BY_CALL], ids=lambda row: row.option)
def test_the_table_says_what_the_signatures_say(row):
    found = {view: default_of(view, row.option) for view in VIEWS}
    assert {view: value for view, value in found.items() if value is not inspect.Parameter.empty} == row.defaults
    assert len(set(row.defaults.values())) > 1


def test_no_other_default_differs():
    options = {
        name for signatures in SIGNATURES.values() for each in signatures for name in inspect.signature(each).parameters
    }
    differing = {
        option
        for option in options - INHERITED
        if len({repr(default_of(view, option)) for view in VIEWS} - {repr(inspect.Parameter.empty)}) > 1
    }
    assert differing - BY_CALL == {row.option for row in DIFFERING} - BY_CALL


def test_the_rewards_and_what_an_illegal_action_does(monkeypatch):
    makers = {
        "GameBatch": lambda: GameBatch(1),
        "raw_env": dominion_v0.raw_env,
        "env": dominion_v0.env,
        "DominionEnv": DominionEnv,
        "DominionVectorEnv": DominionVectorEnv,
        "SB3VecEnv": lambda: SB3VecEnv(1, opponents="big-money"),
    }
    real, signature, made = GameBatch.__init__, inspect.signature(GameBatch.__init__), []

    @wraps(real)
    def noting(*args: Any, **options: Any) -> None:
        bound = signature.bind(*args, **options)
        bound.apply_defaults()
        made.append(bound.arguments)
        real(*args, **options)

    monkeypatch.setattr(GameBatch, "__init__", noting)
    for view, make in makers.items():
        make()
        for row in DIFFERING:
            if row.option in BY_CALL:
                assert made[-1][row.option] == row.defaults[view], (view, row.option)
