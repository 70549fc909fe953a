"""The same address, options and choices give the same game, bit for bit, in any process, compiled or not."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from dominion_env import NUM_ACTIONS, PASS, Game, GameBatch
from dominion_env.compiled.jit import COMPILED

from . import GAMES, SETTINGS, bits, choose, game_name, options, play, sized, strange_positions
from .playthrough_hash import playthrough_hash

ROOT = Path(__file__).parents[2]


@SETTINGS
@given(options=options())
def test_same_address_and_choices_give_the_same_bytes(options: dict[str, Any]) -> None:
    one, other = Game(**options), Game(**options)
    rng = np.random.default_rng(5)
    for _ in range(12):
        legal = one.legal_actions()
        assert bits(one._batch.state) == bits(other._batch.state)
        assert legal == other.legal_actions()
        answer = legal[rng.integers(len(legal))]
        one.apply(answer)
        other.apply(answer)
    assert one.to_dict() == other.to_dict()
    assert one.log() == other.log()


def test_other_seeds_indices_and_episodes_are_other_games() -> None:
    addresses = [(seed, index, episode) for seed in (0, 1) for index in (0, 1) for episode in (0, 1)]
    games = [GameBatch(1, seed=s, index=i, episode=e).state["streams"].tobytes() for s, i, e in addresses]
    assert len(set(games)) == len(addresses)


@pytest.mark.parametrize("options", GAMES, ids=game_name)
def test_a_reset_to_a_seed_is_the_game_of_that_seed(options: dict[str, Any]) -> None:
    fresh = GameBatch(3, seed=9, **options)
    used = GameBatch(3, seed=4, **options)
    for _ in play(used, 25):
        pass
    used.reset(seed=9)
    for _ in zip(play(fresh, 15, seed=1), play(used, 15, seed=1), strict=True):
        assert bits(fresh.state) == bits(used.state)


@pytest.mark.parametrize("options", GAMES, ids=game_name)
def test_a_clone_goes_on_identically_and_by_itself(options: dict[str, Any]) -> None:
    batch = GameBatch(4, seed=5, record=True, **options)
    for step in play(batch, 40, seed=5):
        if step % 10:
            continue
        before = bits(batch.state)
        clones = [batch.clone(), copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))]
        logs = []
        for clone in clones:
            for _ in play(clone, 12, seed=step):
                pass
            logs.append((bits(clone.state), clone.events().tobytes(), clone.final.scores.tobytes()))
        assert bits(batch.state) == before, "playing a copy has changed the original"
        assert len(set(logs)) == 1


def test_a_batch_pickled_in_the_middle_of_effects_goes_on_identically() -> None:
    start = strange_positions(3, sized(40))
    batch = GameBatch(len(start), start=start, seed=1, illegal="lose", reward="margin", max_turns=3)
    for _ in play(batch, 4):
        pass
    assert (batch.state["stack_size"] > 0).any()
    other = pickle.loads(pickle.dumps(batch))
    rng = np.random.default_rng(3)
    for _ in range(40):
        actions = choose(batch, rng)
        assert np.array_equal(batch.sample_actions(), other.sample_actions())
        assert all(np.array_equal(*pair) for pair in zip(batch.step(actions), other.step(actions), strict=True))
        assert bits(batch.state) == bits(other.state)
    last = NUM_ACTIONS - 1
    actions[0] = last if not batch.action_mask[0, last] else PASS
    assert np.array_equal(batch.step(actions)[0], other.step(actions)[0]), "options are kept too"


def test_a_game_pickled_in_the_middle_goes_on_identically_with_log_and_replay() -> None:
    game = Game(kingdom="interaction-1e", num_players=3, seed=8)
    rng = np.random.default_rng(0)
    for _ in range(60):
        legal = game.legal_actions()
        game.apply(legal[rng.integers(len(legal))])
    for other in (pickle.loads(pickle.dumps(game)), game.copy(), copy.deepcopy(game)):
        assert other.to_dict() == game.to_dict()
        mine, theirs = game.copy(), other
        for _ in range(20):
            answer = mine.legal_actions()[-1]
            mine.apply(answer)
            theirs.apply(answer)
        assert mine.log(1) == theirs.log(1)
        assert mine.replay() == theirs.replay()
        assert mine.to_dict() == theirs.to_dict()


def _printed_elsewhere(**environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "tests.properties.playthrough_hash"],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


@pytest.mark.slow
def test_another_process_plays_the_same_games() -> None:
    assert _printed_elsewhere(PYTHONHASHSEED="123") == playthrough_hash()


if COMPILED:

    @pytest.mark.slow
    def test_the_plain_interpreter_plays_the_same_games() -> None:
        assert _printed_elsewhere(NUMBA_DISABLE_JIT="1") == playthrough_hash()
