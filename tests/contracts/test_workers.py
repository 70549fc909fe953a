"""With `num_workers` several processes play the rows of a `DominionVectorEnv`: the same games, and nothing is left behind."""

import copy
import gc
import itertools
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import gymnasium
import numpy as np
import psutil
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode

from dominion_env import (
    NUM_ACTIONS,
    PASS,
    DominionEnv,
    DominionError,
    DominionVectorEnv,
    GameOver,
    IllegalAction,
    InvalidOption,
    WrongOrder,
)
from dominion_env.testing import check_vector_env

FIRST_GAME = {"kingdom": "first-game-2e", "auto_treasures": True, "seed": 3, "observation_dtype": "uint8"}
SHORT = FIRST_GAME | {"max_turns": 4}
NEXT_STEP, SAME_STEP, DISABLED = AutoresetMode

pytestmark = pytest.mark.compiled


class Passing:
    """Never does anything that it need not; fails when a player has begun the turn of this number."""

    def __init__(self, failing_turn=99, how=RuntimeError):
        self.failing_turn, self.how = failing_turn, how

    def __repr__(self):
        return "Passing()"

    def decide(self, situation):
        if (situation.games.turns >= self.failing_turn).any():
            if isinstance(self.how, type):
                raise self.how("out of ideas")
            return self.how
        return np.argmax(situation.action_masks, axis=1)

    def act(self, observations, action_masks, keys):
        raise NotImplementedError


class Staying(Passing):
    """An agent that can't be pickled."""

    def __reduce__(self):
        raise TypeError("it stays")


class Torch(Passing):
    """Fails where torch takes more threads than one in a process that was started."""

    def __setstate__(self, state):
        self.__dict__, self.torch = state, pytest.importorskip("torch")  # in the process that plays

    def decide(self, situation):
        if multiprocessing.parent_process() and self.torch.get_num_threads() != 1:
            raise self.how("too many threads")
        return super().decide(situation)


class Sleeping(Passing):
    def decide(self, situation):
        time.sleep(0.5)
        return super().decide(situation)


def both(num_envs=5, num_workers=2, **options):
    """Return an environment of one process, and the same one of several."""
    return [DominionVectorEnv(num_envs, num_workers=number, **options) for number in (1, num_workers)]


def same(*results):
    return data_equivalence(*results, exact=True)


def play_alike(one, several, steps=50):
    """Play both environments from a reset, and check that all that they return is the same, also some steps later."""
    kept = [(one.reset(), several.reset())]
    for step in range(steps):
        actions = one.sample_actions()
        if step % 9 == 8 and one.games.batch.illegal == "lose":
            actions[step % one.num_envs] = NUM_ACTIONS - 1
        np.testing.assert_array_equal(actions, np.where(actions == NUM_ACTIONS - 1, actions, several.sample_actions()))
        if one.autoreset_mode == NEXT_STEP:
            actions[one.games.over] = NUM_ACTIONS + 5  # ignored
        kept.append((one.step(actions), several.step(actions)))
        assert same(*kept[-1])
        done = kept[-1][0][2] | kept[-1][0][3]
        if one.autoreset_mode == DISABLED and done.any():
            for envs in (one, several):
                with pytest.raises(GameOver, match=rf"rows \{np.flatnonzero(done).tolist()}"[:-1]):
                    envs.step(actions)
            np.testing.assert_array_equal(one.action_masks(), several.action_masks())
            options = {"reset_mask": done}
            kept.append((one.reset(seed=step, options=options), several.reset(seed=step, options=options)))
        if not one.copy or step % 7 == 6:  # let memory be used again
            kept.clear()
        if not one.copy:
            np.testing.assert_array_equal(one.action_masks(), several.action_masks())
    assert all(same(*pair) for pair in kept)
    assert one.addresses == several.addresses


@pytest.mark.parametrize("mode", AutoresetMode)
def test_several_processes_play_the_same_games(mode):
    one, several = both(autoreset_mode=mode, opponents=["big-money", "random"], seat="random", **SHORT)
    play_alike(one, several)
    several.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("num_workers", "options"),
    [
        (3, {"num_players": 4, "opponents": None, "max_turns": 3}),
        (2, {"num_players": 4, "opponents": "big-money", "seat": "alternate", "copy": False, "max_turns": 4}),
        (3, {"opponents": None, "copy": False, "autoreset_mode": SAME_STEP, "illegal": "raise"}),
        (2, {"opponents": Passing(), "mask_in": "both", "autoreset_mode": DISABLED, "observation": "kingdom"}),
        (
            2,
            {
                "mask_in": "observation",
                "autoreset_mode": SAME_STEP,
                "observation_dtype": "float32",
                "kingdom": "random",
            },
        ),
        (5, {"seed": [7, 7, 2**64 - 1, 3, 0], "episode": 2, "illegal": "raise", "reward": "points"}),
        (2, {"seed": 3, "index": [4, 5, 6, 7, 8], "autoreset_mode": DISABLED}),
    ],
    ids=str,
)
def test_whatever_the_options_are(num_workers, options):
    one, several = both(num_workers=num_workers, **SHORT | options)
    play_alike(one, several)
    several.close()


@pytest.mark.slow
def test_it_passes_our_check_of_vector_environments():
    options = {"auto_treasures": True, "max_turns": 6, "opponents": "random"}
    check_vector_env(
        lambda n, mode: DominionVectorEnv(n, autoreset_mode=mode, num_workers=2 if n > 1 else 1, **options),
        lambda: DominionEnv(**options),
        episodes=3,
    )


@pytest.mark.slow
def test_rows_that_begin_from_positions_do_so_in_any_process():
    game = DominionEnv(**FIRST_GAME)
    game.reset()
    starts = []
    for _ in range(5):
        game.step(PASS)
        starts.append(game.unwrapped.game.to_dict())
    one, several = both(start=starts, opponents=None, max_turns=6, seed=1)
    play_alike(one, several)
    one, several = both(start=starts, resume=True, opponents=None, max_turns=6)
    play_alike(one, several)


@pytest.mark.slow
def test_pictures_attributes_and_copies_are_the_same():
    one, several = both(render_mode="ansi", **SHORT)
    play_alike(one, several, 5)
    assert one.render() == several.render() == several.call("render")
    assert [each.log() for each in one.get_attr("game")] == [each.log() for each in several.get_attr("game")]
    assert one.get_attr("address") == several.get_attr("address")
    twins = [copy.deepcopy(several), pickle.loads(pickle.dumps(several))]
    for _ in range(6):
        actions = one.sample_actions()
        expected = one.step(actions)
        assert all(same(expected, each.step(actions)) for each in (several, *twins))
    assert [each.render() for each in twins] == [one.render()] * 2
    for envs in (several, *twins):
        envs.close()
    with pytest.raises(WrongOrder, match=r"after close\(\): make a new environment"):
        several.sample_actions()


def test_arrays_belong_to_the_caller_as_long_as_there_is_a_view_of_one():
    envs = DominionVectorEnv(2, num_workers=2, **SHORT)
    kept = []
    views = (
        lambda seen: seen[0],
        lambda seen: seen.T[3:],
        memoryview,
        lambda seen: seen.reshape(-1)[5:],
        lambda seen: [seen],
    )
    for view in views * 2:
        envs.reset()
        seen = envs.step(envs.sample_actions())[0]
        kept.append((view(seen), seen.copy(), view))
        del seen
        for _ in range(3):
            envs.step(envs.sample_actions())
    assert all(np.array_equal(np.array(now), np.array(view(then))) for now, then, view in kept)
    kept.clear()
    addresses = {envs.step(envs.sample_actions())[0].ctypes.data for _ in range(20)}
    assert len(addresses) <= 2  # memory of which nothing is held is used again
    held = envs.step(envs.sample_actions())
    envs.close()
    assert held[0].sum() > 0
    fixed = DominionVectorEnv(2, num_workers=2, copy=False, **SHORT)
    assert fixed.reset()[0] is fixed.step(fixed.sample_actions())[0]
    fixed.close()


ACTIONS = (
    [PASS, PASS, PASS, NUM_ACTIONS - 1, NUM_ACTIONS - 2],
    [NUM_ACTIONS - 1] * 5,
    [PASS, PASS, PASS, NUM_ACTIONS, NUM_ACTIONS - 1],
    [PASS, PASS, PASS, NUM_ACTIONS - 1, -1],
    np.array([PASS, NUM_ACTIONS - 1, PASS, 2**63 + 5, PASS], np.uint64),
    [PASS],
    PASS,
    [0.0] * 5,
    None,
    [[PASS], [PASS, PASS]],
    [PASS] * 6,
)


@pytest.mark.parametrize("illegal", ["raise", "lose"])
def test_an_action_is_refused_before_anything_moves_anywhere(illegal):
    one, several = both(illegal=illegal, **FIRST_GAME)
    with pytest.raises(WrongOrder, match=r"step\(\) before reset\(\)"):
        several.step([PASS] * 5)
    play_alike(one, several, 2)
    for actions in ACTIONS[0 if illegal == "raise" else 2 :]:
        raised = []
        for envs in (one, several):
            with pytest.raises(IllegalAction) as error:
                envs.step(actions)
            raised.append((str(error.value), getattr(error.value, "__notes__", [])))
        assert raised[0] == raised[1]
        assert [game.to_dict() for game in one.get_attr("game")] == [
            game.to_dict() for game in several.get_attr("game")
        ]
    assert same(one.step(one.sample_actions()), several.step(several.sample_actions()))
    several.close()


def until_it_fails(envs):
    for _ in range(3):
        envs.reset()
        envs.step([PASS] * 5)


@pytest.mark.parametrize(
    ("how", "error"), [(RuntimeError, RuntimeError), ([PASS], IllegalAction), (KeyboardInterrupt, KeyboardInterrupt)]
)
def test_an_opponent_fails_as_in_one_process(how, error):
    # only the last row is in turn 7 already, and another process plays it
    start = [{"players": [{"turns": turns}, {"turns": turns}]} for turns in (1, 1, 1, 1, 7)]
    told = []
    for envs in both(opponents=Passing(7, how), start=start, auto_treasures=True, first_player=0):
        with pytest.raises(error) as raised:
            until_it_fails(envs)
        told.append((str(raised.value), getattr(raised.value, "__notes__", [])))
        calls = [lambda: envs.step([PASS] * 5), envs.action_masks, envs.sample_actions]  # noqa: B023
        calls.append(lambda: envs.reset(options={"reset_mask": np.arange(5) > 2}))  # noqa: B023
        for call in calls:
            with pytest.raises(
                WrongOrder, match=r"opponent Passing\(\) failed, so .* reset\(\) of all rows must come first"
            ):
                call()
        envs.close()
    if how is RuntimeError:
        assert "the first decision it was asked for: game 2: player_1 is asked" in told[1][1][0]  # there
    words = [text.split("shape")[0] for text, _ in told]
    assert words[0] == words[1]


@pytest.mark.slow
def test_torch_takes_one_thread_in_each_worker(monkeypatch):
    pytest.importorskip("torch")
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    env = DominionVectorEnv(4, num_workers=2, opponents=Torch(), **SHORT)
    env.reset()
    env.step(np.full(4, PASS))
    env.close()


def test_what_can_not_be_pickled_is_refused():
    with pytest.raises(
        InvalidOption, match=r"opponents: expected agents that can be pickled, .* got Passing\(\) \(TypeError"
    ):
        DominionVectorEnv(2, opponents=Staying(), num_workers=2)
    assert not multiprocessing.active_children()


def test_it_is_an_option_of_gymnasiums_registry():
    envs = gymnasium.make_vec("Dominion-v0", num_envs=3, num_workers=2, **SHORT)
    envs.reset()
    assert len(multiprocessing.active_children()) == 1
    del envs
    gc.collect()
    assert not multiprocessing.active_children()


@pytest.mark.slow
def test_a_worker_that_has_died_is_named_and_closes_the_environment():
    envs = DominionVectorEnv(4, num_workers=3, **SHORT)
    envs.reset()
    envs.games._workers[1]._process.kill()
    with pytest.raises(DominionError, match=r"worker 2, which plays the rows from 2, has ended with exit code -9"):
        envs.step(envs.sample_actions())
    assert envs.closed
    assert not multiprocessing.active_children()
    with pytest.raises(WrongOrder, match=r"step\(\) after close\(\)"):
        envs.step([PASS] * 4)
    envs.close()


PROGRAM = """
import multiprocessing, os, signal, sys
from pathlib import Path
import numpy as np
from dominion_env import DominionVectorEnv, WrongOrder
from tests.contracts.test_workers import Passing, Sleeping, same

def main(slow):
    opponents = Sleeping() if slow else "big-money"
    envs = DominionVectorEnv(4, opponents, seed=0, num_workers=3, auto_treasures=True, first_player=0)
    envs.reset()
    mapped = Path("/proc/self/maps").read_text().splitlines()
    assert not any("/dev/shm" in line and not line.endswith("(deleted)") for line in mapped), mapped
    print(*[each.pid for each in multiprocessing.active_children()], flush=True)
    interrupted = 0
    while True:
        try:
            envs.step(envs.sample_actions() if not interrupted else np.zeros(4, int))
        except KeyboardInterrupt:
            interrupted += 1
            if not slow:
                raise
            try:
                envs.step(np.zeros(4, int))
            except WrongOrder as error:
                assert "reset() of all rows must come first" in str(error)
            again = DominionVectorEnv(4, Passing(), seed=0, auto_treasures=True, first_player=0)
            assert same(envs.reset(seed=5), again.reset(seed=5))
            assert same(envs.step(np.zeros(4, int)), again.step(np.zeros(4, int)))
            if interrupted == 2:
                print("went on", flush=True)
                return

if __name__ == "__main__":
    main(sys.argv[1] == "slow")
"""


def started(tmp_path, kind):
    """Start the program; return it and its workers."""
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    call = [sys.executable, str(path), kind]
    program = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    workers = [psutil.Process(int(number)) for number in program.stdout.readline().split()]
    assert len(workers) == 2, program.stderr.read()
    everything = psutil.Process(program.pid).children(recursive=True)  # also what Python starts for them
    return program, {*workers, *everything}


def check_gone(program, left):
    """Check that all processes have ended; one that its new parent has not noticed yet counts as ended."""
    end = time.monotonic() + 20
    while alive := [each for each in left if each.is_running() and each.status() != psutil.STATUS_ZOMBIE]:
        assert time.monotonic() < end, alive
        time.sleep(0.05)
    program.stdout.close()
    program.stderr.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "kind"),
    [(signal.SIGINT, "fast"), *itertools.product((signal.SIGTERM, signal.SIGKILL), ("fast", "slow"))],
)
def test_no_process_outlives_its_parent(tmp_path, number, kind):
    program, left = started(tmp_path, kind)
    time.sleep(0.3)
    program.send_signal(number)
    assert program.wait(30) != 0
    check_gone(program, left)


@pytest.mark.slow
def test_after_ctrl_c_in_a_step_a_reset_goes_on(tmp_path):
    program, left = started(tmp_path, "slow")
    for _ in range(2):
        time.sleep(0.7)
        for each in (program, *left):  # as a terminal does it
            each.send_signal(signal.SIGINT)
        time.sleep(4)
    out, err = program.communicate(timeout=60)
    assert (out, program.returncode) == ("went on\n", 0), err
    check_gone(program, left)


@pytest.mark.slow
def test_a_script_without_a_guard_is_told_so(tmp_path):
    path = tmp_path / "script.py"
    path.write_text("from dominion_env import DominionVectorEnv\nDominionVectorEnv(2, num_workers=2)\n")
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 1
    assert "A script makes one with num_workers under `if __name__ == '__main__':`" in done.stderr
