"""A picture that nobody asks for costs nothing: with "rgb_array" games are recorded from the first `render()` on."""

import numpy as np
import pytest

from dominion_env import PASS, DominionEnv, DominionVectorEnv, GameBatch, InvalidOption, dominion_v0

OPTIONS = {"auto_treasures": True, "first_player": 0}


def sb3(**options):
    pytest.importorskip("stable_baselines3", reason="needs the extra `train`")
    from dominion_env import SB3VecEnv

    return SB3VecEnv(1, **options)


VIEWS = {
    "DominionEnv": lambda **options: DominionEnv("random", **options),
    "DominionVectorEnv": lambda **options: DominionVectorEnv(1, "random", **options),
    "SB3VecEnv": lambda **options: sb3(opponents="random", **options),
    "raw_env": lambda **options: dominion_v0.raw_env(**options),
}


def batch_of(view):
    return view._batch if hasattr(view, "_batch") else view.games.batch


def passed(view, name):
    view.step(PASS if name in ("DominionEnv", "raw_env") else np.array([PASS]))


def log_of(view):
    return view.game.log() if hasattr(view, "game") else view.games.logs.game(0).log()


@pytest.mark.parametrize("name", VIEWS)
def test_nothing_is_recorded_for_rgb_array_before_the_first_render(name):
    view = VIEWS[name](render_mode="rgb_array", seed=4, **OPTIONS)
    view.reset()
    for _ in range(3):
        passed(view, name)
    assert not batch_of(view).state["recording"].any()
    assert log_of(view) == ""
    view.render()
    assert batch_of(view).state["recording"].all()
    passed(view, name)
    assert "Turn " in log_of(view)


@pytest.mark.parametrize("name", VIEWS)
def test_pictures_of_the_next_episode_show_all_that_happened_in_it(name):
    view, always = VIEWS[name](render_mode="rgb_array", seed=4, **OPTIONS), VIEWS[name](record=True, seed=4, **OPTIONS)
    for each in (view, always):
        each.reset()
        if each is view:
            each.render()
        passed(each, name)
        each.reset()
        passed(each, name)
    assert log_of(view) == log_of(always) != ""


def test_recording_changes_nothing_in_the_game():
    plain, recording = (GameBatch(4, seed=2, auto_treasures=True) for _ in "ab")
    for step in range(400):
        if step == 5:
            recording.start_recording()
            recording.start_recording()  # already
        actions = plain.sample_actions().copy()
        np.testing.assert_array_equal(actions, recording.sample_actions())
        told = [tuple(part.copy() for part in batch.step(actions)) for batch in (plain, recording)]
        for one, other in zip(*told, strict=True):
            np.testing.assert_array_equal(one, other)
        np.testing.assert_array_equal(plain.action_mask, recording.action_mask)
        np.testing.assert_array_equal(plain.observe(), recording.observe())
    assert len(recording.events()) > 400
    with pytest.raises(InvalidOption, match="record=True"):
        plain.events()


def test_stable_baselines_helper_makes_environments_that_record_nothing():
    pytest.importorskip("stable_baselines3", reason="needs the extra `train`")
    from stable_baselines3.common.env_util import make_vec_env

    envs = make_vec_env("Dominion-v0", n_envs=2, env_kwargs=OPTIONS)
    assert [env.unwrapped.render_mode for env in envs.envs] == ["rgb_array"] * 2
    envs.reset()
    assert not any(env.unwrapped.games.batch.state["recording"].any() for env in envs.envs)
