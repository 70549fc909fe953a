"""Observations of whole numbers say what those of float32 say, and those of a kingdom what those of all cards say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest

from dominion_env import (
    FIELD_NAMES,
    DominionEnv,
    DominionVectorEnv,
    GameBatch,
    InvalidOption,
    InvalidPosition,
    SB3VecEnv,
    dominion_v0,
    observation_fields,
    observation_scales,
    observation_size,
)
from dominion_env.compiled.jit import COMPILED
from dominion_env.core.observing.field_kinds import CODE
from dominion_env.core.observing.fields import OBSERVATIONS, bounds_of, entries
from dominion_env.views.common.observation_space import observation_space

from . import sized
from .test_observation import extreme_position

PILES, CARDS = 17, 39
WHOLE = ("int16", "uint8")
# What is compiled for each type and observation takes two seconds, so not all are, where anything is compiled.
ALL = [(observation, dtype) for observation in OBSERVATIONS for dtype in WHOLE]
SOME = ALL if not COMPILED else [("recall", "uint8"), ("kingdom", "uint8")]
IN_BINARY = ("_last_played", "_discard_top", "_known_top", "question_source", "question_card", "question_last_card")


def batches(players: int) -> list[GameBatch]:
    """Return games of many kingdoms at many points, also in the middle of effects."""
    batch = GameBatch(sized(40), players, kingdom="test", seed=players, ask_forced=True)
    kept = []
    for step in range(91):
        if step % 30 == 0:
            kept.append(batch.clone())
        batch.step(batch.sample_actions())
    return kept


def as_whole_numbers(seen: Any, players: int, observation: Any, dtype: str) -> Any:
    """Return what a float32 observation is in whole numbers, one field after the other."""
    expected = np.zeros(seen.shape, np.int64)
    for field in observation_fields(players, observation):
        part = slice(field.start, field.start + field.size)
        counts = np.round(seen[:, part] / field.scale).astype(np.int64)
        if dtype == "uint8":
            is_shown = field.strict or observation != "strict"
            counts = np.clip(counts + (100 if field.name.endswith("_points") and is_shown else 0), 0, 255)
        expected[:, part] = counts
    return expected


@pytest.mark.parametrize("players", range(1, 7))
def test_whole_numbers_are_the_counts_that_float32_shows(players: int) -> None:
    for batch in batches(players):
        for observation, dtype in SOME if players > 2 else ALL:
            seen, told = batch.observer(observation)(), batch.observer(observation, dtype)()
            assert told.dtype == dtype
            assert (told == as_whole_numbers(seen, players, observation, dtype)).all()


def test_scales_turn_whole_numbers_into_float32() -> None:
    batch = batches(2)[1]
    for observation in OBSERVATIONS:
        told = batch.observer(observation, "int16")()
        scales = observation_scales(2, observation)
        assert scales.shape == (observation_size(2, observation),)
        assert (told * scales == batch.observer(observation)()).all()


@pytest.mark.parametrize("players", range(1, 7))
def test_a_kingdom_shows_the_cards_of_its_piles_in_order(players: int) -> None:
    for batch in batches(players):
        piles = batch.state["piles"].astype(int)
        places = np.zeros((len(piles), CARDS + 1), int)
        np.put_along_axis(places, piles + 1, np.arange(1, PILES + 1)[None], axis=1)
        seen, told = batch.observe(), batch.observer("kingdom")()
        for whole, field in zip(observation_fields(players), observation_fields(players, "kingdom"), strict=True):
            there = seen[:, whole.start : whole.start + whole.size]
            here = told[:, field.start : field.start + field.size]
            if field.size == PILES:
                there = np.take_along_axis(there, piles, axis=1)
            elif field.name.endswith(IN_BINARY) or field.name == "next_replays":
                codes = there.reshape(len(piles), -1, CODE) @ (1 << np.arange(CODE))
                shown = np.take_along_axis(places, codes.astype(int), axis=1)
                there = (shown[:, :, None] >> np.arange(CODE) & 1).reshape(len(piles), -1)
            assert (here == there).all(), field.name
    counted = [entry.name for entry in entries().values() if entry.size == "cards"]
    sizes = {field.name: field.size for field in observation_fields(2, "kingdom")}
    assert {sizes[name.replace("opponent_", "opponent_1_")] for name in counted} == {PILES}
    assert sizes["in_game"] == CARDS  # which says what cards the piles are


@pytest.mark.parametrize("dtype", ["float32", "uint8"])
def test_fields_asked_for_are_the_same_in_any_type_and_kingdom(dtype: Any) -> None:
    batch = batches(2)[2]
    for observation in ("recall", "kingdom"):
        everything = batch.observer(observation, dtype)()
        only = batch.observer(observation, dtype)(fields=("my_hand", "opponent_points", "question_kind", "in_game"))
        shown = only != 0
        assert (only[shown] == everything[shown]).all()
        for field in observation_fields(2, observation):
            if field.name in ("my_hand", "opponent_1_points", "question_kind", "in_game"):
                part = slice(field.start, field.start + field.size)
                assert (only[:, part] == everything[:, part]).all()


@pytest.mark.parametrize("players", [1, 2])
def test_numbers_beyond_a_byte_are_cut_off_and_points_below_zero_are_not_lost(players: int) -> None:
    batch = GameBatch(1, start=extreme_position(players), observation_dtype="uint8")
    field = {field.name: field.start for field in observation_fields(players)}
    (row,) = batch.observe(0)
    assert [row[field[name]] for name in ("actions", "buys", "coins", "merchants", "turns")] == [255] * 5
    assert row[field["my_points"]] == 100 + batch.scores[0, 0] == 0
    assert row[field["my_hand_size"]] == 127
    (wide,) = batch.observer("recall", "int16")(0)
    assert [wide[field[name]] for name in ("actions", "coins", "turns", "my_points")] == [1000, 2000, 8000, -100]
    for dtype in WHOLE:
        low, high = bounds_of(players, "recall", dtype)
        for seat in range(players):
            (seen,) = batch.observer("recall", dtype)(seat)
            assert (low <= seen).all()
            assert (seen <= high).all()


def test_a_card_without_a_pile_has_no_place_in_a_kingdom() -> None:
    start = {"players": [{"hand": {"Moat": 1, "Witch": 1}}, {}], "kingdom": "first-game-2e"}
    with pytest.raises(InvalidPosition, match=r'observation: "kingdom" .*, got Witch in position 0'):
        GameBatch(1, start=start, observation="kingdom")
    batch = GameBatch(1, start=start)
    with pytest.raises(InvalidPosition, match="got Witch"):
        batch.observer("kingdom")
    assert batch.observe().any()


@pytest.mark.parametrize(
    ("out", "came"),
    [
        (np.zeros((3, 889), np.int8), "got int8 of shape"),
        (np.zeros((3, 889), np.float64), "got float64 of shape"),
        (np.zeros((3, 889), ">i2"), "got >i2 of shape"),
        (np.zeros((2, 889), np.uint8), r"of shape \(3, 889\), got uint8 of shape \(2, 889\)"),
        (np.zeros((889, 3), np.uint8).T, "not contiguous"),
        (np.broadcast_to(np.zeros(889, np.uint8), (3, 889)), "read-only"),
        (bytearray(3 * 889), "got bytearray"),
    ],
)
def test_arrays_that_can_not_be_written_into_are_refused(out: Any, came: str) -> None:
    with pytest.raises(InvalidOption, match=f"out: expected a contiguous, writable array of .*{came}"):
        GameBatch(3, observation_dtype="uint8").observe(out=out)


VIEWS: dict[str, Callable[..., Any]] = {
    "raw_env": dominion_v0.raw_env,
    "env": dominion_v0.env,
    "DominionEnv": DominionEnv,
    "DominionVectorEnv": lambda **options: DominionVectorEnv(3, autoreset_mode="SameStep", **options),
    "SB3VecEnv": lambda **options: SB3VecEnv(3, opponents="big-money", seed=1, **options),
}


def observations_of(view: str, env: Any, steps: int) -> list[Any]:
    """Return what a view shows in the first steps, the last observations of games among them."""
    if view in ("raw_env", "env"):
        env.reset(seed=1)
        seen = [env.last()[0]["observation"]]
        for _ in range(steps):
            if env.last()[2] or env.last()[3]:
                break
            env.step(int(env.last()[0]["action_mask"].argmax()))
            seen.append(env.last()[0]["observation"])
        return seen
    if view == "SB3VecEnv":
        seen = [env.reset()]
        for _ in range(steps):
            told, _, dones, infos = env.step(env.games.batch.sample_actions())
            seen += [told, *(info["terminal_observation"] for done, info in zip(dones, infos, strict=True) if done)]
        return seen
    seen = [env.reset(seed=1)[0]]
    for _ in range(steps):
        action = env.sample_actions() if view == "DominionVectorEnv" else int(env.action_masks().argmax())
        told, *_, terminated, truncated, infos = env.step(action)
        seen += [told, *(last for last in infos.get("final_obs", ()) if last is not None)]
        if view == "DominionEnv" and (terminated or truncated):
            break
    return seen


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize(
    "options", [{"observation_dtype": "uint8"}, {"observation_dtype": "int16", "observation": "kingdom"}]
)
def test_every_view_shows_whole_numbers_that_its_space_holds(view: str, options: dict[str, Any]) -> None:
    seen = observations_of(view, VIEWS[view](max_turns=4, **options), 60)
    plain = observations_of(view, VIEWS[view](max_turns=4, observation=options.get("observation", "recall")), 60)
    env = VIEWS[view](**options)
    space = env.observation_space("player_0")["observation"] if view in ("raw_env", "env") else env.observation_space
    dtype = options["observation_dtype"]
    assert len(seen) == len(plain) > 3
    for told, then in zip(seen, plain, strict=True):
        assert told.dtype == dtype == space.dtype
        rows = then.reshape(-1, then.shape[-1])
        assert (
            told.reshape(rows.shape) == as_whole_numbers(rows, 2, options.get("observation", "recall"), dtype)
        ).all()
        single = getattr(env, "single_observation_space", space)
        for row in told.reshape(rows.shape):
            assert single.contains(row)


def test_a_wrapper_that_makes_float32_works_on_bytes() -> None:
    scales = observation_scales(2)
    wrapped = gymnasium.wrappers.TransformObservation(
        DominionEnv(observation_dtype="uint8", seed=3),
        lambda seen: seen * scales,
        gymnasium.spaces.Box(0, 300, scales.shape, np.float32),
    )
    shown = wrapped.reset()[0]
    assert shown.dtype == np.float32
    plain = DominionEnv(seed=3).reset()[0]
    different = np.flatnonzero(shown != plain)
    assert different.tolist() == [field.start for field in observation_fields(2) if field.name.endswith("_points")]


def test_a_space_has_the_type_and_bounds_of_its_batch() -> None:
    space = observation_space(GameBatch(1, 4, observation="kingdom", observation_dtype="uint8"))
    assert space.dtype == np.uint8
    assert space.shape == (observation_size(4, "kingdom"),)
    assert space.high[observation_fields(4, "kingdom")[0].start] == 127


def test_options_of_observations_are_checked() -> None:
    with pytest.raises(
        InvalidOption, match="observation_dtype: expected one of 'float32', 'int16', 'uint8', got 'float64'"
    ):
        GameBatch(1, observation_dtype="float64")  # type: ignore[arg-type]
    with pytest.raises(InvalidOption, match="observation: expected one of 'recall', 'strict', 'kingdom'"):
        observation_scales(2, "piles")  # type: ignore[arg-type]
    assert len(FIELD_NAMES) == len(entries())
