"""What a ranked agent is given leads nobody to the address of its game, whatever seeds are tried."""

from __future__ import annotations

import json
import os
import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numba
import numpy as np
import pytest

from dominion_agents.own_code.adapters import FunctionAgent
from dominion_app.cli import main
from dominion_env import DominionEnv, DominionError, Game, GameBatch, action_id, dominion_v0, make_agent
from dominion_env.common.splitmix import GAMMA, splitmix
from dominion_env.rules.record.siphash import siphash
from dominion_env.rules.record.streams import MORE_POLICY_KEY, POLICY_KEY
from dominion_training.evaluate.benchmark import benchmark
from dominion_training.evaluate.compare import compare
from dominion_training.evaluate.match import play_match
from dominion_training.evaluate.matches import Match
from dominion_training.exploit import climb
from dominion_training.lists import climbs

pytestmark = pytest.mark.compiled

SMALL = 3_141_592  # a seed of the kind that people choose
SAMPLE = range(1 << 22)
OPTIONS = {"auto_treasures": True}
NAME = f"{__name__}:SPY"  # as a command line names it
NO_MOVE = "set aside Moat"


class Spy:
    """An agent that keeps all it is given; it plays as random does."""

    def __init__(self):
        self.keys, self.hands, self.situations = [], [], []

    def decide(self, situation):
        """Keep the situation, and choose at random."""
        self.situations.append(pickle.dumps(situation))
        return self.act(situation.observations, situation.action_masks, situation.keys)

    def act(self, observations, masks, keys):
        """Keep keys and observations, and choose at random."""
        self.keys.append(keys.copy())
        self.hands.append(observations.copy())
        return make_agent("random").act(observations, masks, keys)


SPY_ITSELF = Spy()
SPY = FunctionAgent(SPY_ITSELF.act)


@pytest.fixture(autouse=True)
def nothing_kept_so_far(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    SPY_ITSELF.__init__()


_mix, _siphash = numba.njit(splitmix), numba.njit(siphash)


@numba.njit(nogil=True)
def _by_key(first, last, wanted):
    """Return the seeds whose game (seed, 0, 0) has this key at the first decision of seat 0 or 1."""
    found = []
    for seed in range(first, last):
        key = _mix(np.uint64(seed) + GAMMA)
        key = _mix(key + GAMMA)
        key = _mix(key + GAMMA)
        one, more = _mix((key ^ POLICY_KEY) + GAMMA), _mix((key ^ MORE_POLICY_KEY) + GAMMA)
        for seat in range(2):
            if _siphash(one, more, (np.uint64(seat), np.uint64(0), np.uint64(16 << 56))) == wanted:
                found.append(seed)  # noqa: PERF401  as Numba can't extend by a generator
    return found


def by_key(seeds, key):
    """Look the key up that the agent was given at its first decision in the first set."""
    cuts = np.linspace(seeds.start, seeds.stop, 65).astype(np.int64).tolist()
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        parts = threads.map(lambda cut: _by_key(*cut, key), pairwise(cuts))
        return [seed for part in parts for seed in part]


def by_hands(seeds, seen):
    """Look up what the agent was shown at the first decision of each set, from the first on."""
    left = np.array(seeds, np.uint64)
    for index, shown in enumerate(seen):
        fits = [
            (GameBatch(len(some), seed=some, index=index, **OPTIONS).observe() == shown).all(axis=1)
            for some in np.array_split(left, max(1, len(left) // 4096))
        ]
        left = left[np.concatenate(fits)]
        if not len(left):
            break
    return left.tolist()


def test_both_look_ups_find_a_seed_that_is_chosen_by_hand():
    result = play_match(SPY, make_agent("big-money"), 64, SMALL, **OPTIONS)
    assert result.seed == SMALL
    assert by_key(SAMPLE, SPY_ITSELF.keys[0][0]) == [SMALL]
    assert by_hands(range(SMALL - 5000, SMALL + 5000), SPY_ITSELF.hands[0]) == [SMALL]


def in_a_match():
    return play_match(SPY, make_agent("big-money"), 64, **OPTIONS).seed


def in_compare():
    return compare(Match(NAME, "big-money", options=OPTIONS), 64).result.seed


def in_a_benchmark():
    (result,) = benchmark([NAME], ["first-game-2e"], 64, **OPTIONS).results.values()
    return result.seed


def by_the_command():
    call = ["compare", NAME, "big-money", "--games", "64", "--workers", "1", "--json", "found.json"]
    assert main(call) == 0
    return json.loads(Path("found.json").read_text())["addresses"]["seed"]


@pytest.mark.parametrize("ranked", [in_a_match, in_compare, in_a_benchmark, by_the_command])
def test_no_look_up_finds_the_address_of_a_ranked_game(ranked):
    seed = ranked()
    assert seed >> 32  # else these 2**32 numbers are few, and one in 2**32 runs fails here
    assert by_key(SAMPLE, SPY_ITSELF.keys[0][0]) == []
    assert by_hands(range(SMALL - 5000, SMALL + 5000), SPY_ITSELF.hands[0]) == []
    keys, hands = SPY_ITSELF.keys, SPY_ITSELF.hands
    SPY_ITSELF.__init__()
    play_match(SPY, make_agent("big-money"), 64, seed, max_turns=2000, **OPTIONS)
    for now, then in ((SPY_ITSELF.keys, keys), (SPY_ITSELF.hands, hands)):  # who has the results can repeat the run
        assert all(np.array_equal(*both) for both in zip(now, then, strict=True))


def test_an_attacked_agent_finds_no_address(monkeypatch):
    monkeypatch.setattr(climbs, "PLAN", replace(climbs.PLAN, drawn=16, changed=8, patience=1))
    found = climb(SPY, games=600, measured=20, keep_in=Path("kept.json"))
    assert found.searched_seed >> 32
    assert by_key(SAMPLE, SPY_ITSELF.keys[0][0]) == []
    assert Path("kept.json").stat().st_mode & 0o777 == 0o600
    again = climb(SPY, games=600, measured=20, keep_in=Path("kept.json"))
    assert again.measured_seed == found.measured_seed


@pytest.mark.nightly
def test_no_look_up_over_all_seeds_of_32_bits_finds_the_address_of_a_ranked_game():
    in_a_match()
    assert by_key(range(1 << 32), SPY_ITSELF.keys[0][0]) == []


def test_the_same_command_goes_on_with_its_seed_that_only_the_owner_can_read():
    call = ["compare", "random", "big-money", "--workers", "1", "--games"]
    assert main([*call, "20"]) == 0
    (settings,) = Path("results").glob("*/settings.json")
    assert settings.stat().st_mode & 0o777 == 0o600
    seed = json.loads(settings.read_text())["seed"]
    assert main([*call, "40", "--json", "found.json"]) == 0
    assert json.loads(Path("found.json").read_text())["addresses"]["seed"] == seed
    assert len(list(Path("results").iterdir())) == 1
    assert main([*call, "20", "--seed", "7", "--json", "found.json"]) == 0
    assert json.loads(Path("found.json").read_text())["addresses"]["seed"] == 7


def test_nothing_in_a_situation_holds_seed_key_or_stream():
    spy = Spy()
    batch = GameBatch(64, seed=0xDEAD_BEEF_1234_5678, **OPTIONS)
    secrets = {batch.state[name].tobytes()[i : i + 8] for name in ("seed", "key") for i in range(0, 8 * 64, 8)}
    secrets |= {stream.tobytes() for stream in batch.state["streams"][:, :2].reshape(-1)}
    play_match(spy, make_agent("big-money"), 4, 0xDEAD_BEEF_1234_5678, **OPTIONS)
    assert spy.situations
    assert not any(secret in situation for situation in spy.situations for secret in secrets)


def steps_in_words():
    """Yield functions, each of which makes an illegal move in the game of seed 987654321 as a player would."""
    batch = GameBatch(2, seed=987654321)
    yield lambda: batch.step(np.full(2, action_id(NO_MOVE)))
    yield lambda: batch.step(np.full(2, -1))
    yield lambda: batch.step(np.full(1, action_id(NO_MOVE)), rows=[1])
    game = Game(seed=987654321)
    yield lambda: game.apply(NO_MOVE)
    yield lambda: game.apply("buy a Province")
    yield lambda: game.apply(999)
    env = DominionEnv(seed=987654321, illegal="raise")
    env.reset()
    yield lambda: env.step(action_id(NO_MOVE))
    yield lambda: env.step(1000)
    raw = dominion_v0.raw_env(seed=987654321)
    raw.reset()
    yield lambda: raw.step(action_id(NO_MOVE))


def test_no_error_for_an_illegal_answer_holds_the_address():
    for step in steps_in_words():
        with pytest.raises((DominionError, ValueError)) as raised:
            step()
        error = raised.value
        shown = f"{error!r} {error} {vars(error)} {error.__cause__!r} {error.__context__!r}"
        assert "987654321" not in shown
        assert "address" not in shown
