"""A game does not know in which batch, and at which place, it is played."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dominion_env import GameBatch

from . import GAMES, bits, game_name, play, sized

STEPS = 15 + sized(45)


@pytest.mark.parametrize("options", GAMES, ids=game_name)
def test_row_i_is_the_single_game_of_its_address(options: dict[str, Any]) -> None:
    batch = GameBatch(7, seed=21, index=100, max_turns=6, **options)
    singles = [GameBatch(1, seed=21, index=100 + row, max_turns=6, **options) for row in range(7)]
    for _ in range(STEPS):
        actions = batch.sample_actions().copy()
        observations, keys = batch.observe(), batch.policy_keys().copy()
        paid = [part.copy() for part in batch.step(actions)]
        for row, single in enumerate(singles):
            assert single.sample_actions()[0] == actions[row]
            assert np.array_equal(single.observe()[0], observations[row])
            assert single.policy_keys()[0] == keys[row]
            alone = single.step(actions[row : row + 1])
            assert all(np.array_equal(mine[0], theirs[row]) for mine, theirs in zip(alone, paid, strict=True))
    for row, single in enumerate(singles):
        assert bits(single.state[0]) == bits(batch.state[row])
        for name in ("scores", "turns", "winners", "rounds", "ended", "kingdom", "episode"):
            assert np.array_equal(getattr(single.final, name)[0], getattr(batch.final, name)[row])


@pytest.mark.parametrize("size", [2, 5, sized(200)])
def test_the_size_of_the_batch_changes_nothing(size: int) -> None:
    small, large = GameBatch(2, seed=3, max_turns=5), GameBatch(size, seed=3, max_turns=5)
    for _ in range(STEPS):
        actions = large.sample_actions().copy()
        assert np.array_equal(small.sample_actions(), actions[:2])
        small.step(actions[:2])
        large.step(actions)
        assert bits(small.state) == bits(large.state[:2])


def test_rows_can_stand_in_any_order() -> None:
    order = np.random.default_rng(0).permutation(16)
    straight = GameBatch(16, num_players=3, kingdom="random", seed=4)
    mixed = GameBatch(16, num_players=3, kingdom="random", seed=4, index=order)
    for _ in range(STEPS):
        actions = straight.sample_actions().copy()
        assert np.array_equal(mixed.sample_actions(), actions[order])
        straight.step(actions)
        mixed.step(actions[order])
        assert bits(mixed.state) == bits(straight.state[order])


def test_with_a_seed_per_row_each_row_is_game_0_of_its_seed() -> None:
    seeds = [5, 2**62, 5, -1]
    batch = GameBatch(4, kingdom="random-1e", seed=seeds)
    for row, seed in enumerate(seeds):
        assert bits(GameBatch(1, kingdom="random-1e", seed=seed).state[0]) == bits(batch.state[row])
    assert bits(batch.state[0]) == bits(batch.state[2])
    assert batch.state["index"].tolist() == [0, 0, 0, 0]


def test_with_seed_and_index_per_row_each_row_has_its_own_address() -> None:
    batch = GameBatch(3, seed=[1, 2, 3], index=[7, 8, 9])
    for row in range(3):
        assert bits(GameBatch(1, seed=row + 1, index=row + 7).state[0]) == bits(batch.state[row])


@pytest.mark.parametrize("options", GAMES[1:7:3], ids=game_name)
def test_later_episodes_are_those_of_their_address(options: dict[str, Any]) -> None:
    batch = GameBatch(sized(20), seed=6, max_turns=3, **options)
    for _ in play(batch, 80):
        pass
    assert (batch.state["episode"] > 0).any()
    for row in range(len(batch)):
        episode = int(batch.state["episode"][row])
        fresh = GameBatch(1, seed=6, index=row, episode=episode, max_turns=3, **options)
        again = batch.clone()
        again.reset()
        fresh.reset()
        assert fresh.state["episode"][0] == episode + 1
        assert bits(again.state[row]) == bits(fresh.state[0])
