"""The Gymnasium views put the mask where a library looks for it, under the names that it reads."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from dominion_env import NUM_ACTIONS, DominionEnv, DominionVectorEnv, InvalidOption, WrongOrder, dominion_v0
from dominion_env.common.errors import IllegalAction

SHORT = {"auto_treasures": True, "max_turns": 2, "opponents": "random"}


@pytest.mark.filterwarnings("ignore:.*:UserWarning")  # what the checker thinks of unusual spaces
def test_gymnasiums_checker_passes_with_masks_in_observations():
    check_env(DominionEnv(mask_in="observation", **SHORT), skip_render_check=True)


@pytest.mark.parametrize("keys", [("observation", "action_mask"), ("observations", "action_mask"), ("obs", "mask")])
def test_observations_hold_the_mask_under_the_names_that_are_asked_for(keys):
    env = gymnasium.make("Dominion-v0", mask_in="observation", observation_keys=keys, **SHORT)
    plain = gymnasium.make("Dominion-v0", **SHORT)
    seen, info = env.reset(seed=3)
    expected, told = plain.reset(seed=3)
    over = False
    while True:
        assert set(seen) == set(keys)
        np.testing.assert_array_equal(seen[keys[0]], expected)
        np.testing.assert_array_equal(seen[keys[1]], told["action_mask"])
        assert env.observation_space.contains(seen)
        assert "action_mask" not in info
        if over:
            assert seen[keys[1]].all()
            break
        action = int(np.flatnonzero(seen[keys[1]])[-1])
        seen, _, terminated, truncated, info = env.step(action)
        expected, _, _, _, told = plain.step(action)
        over = terminated or truncated


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("mask_in", ["observation", "both"])
def test_many_games_put_it_where_single_ones_do(mode, mask_in):
    options = SHORT | {"mask_in": mask_in, "observation_keys": ("obs", "mask")}
    ours = DominionVectorEnv(2, autoreset_mode=mode, **options)
    theirs = SyncVectorEnv([lambda: DominionEnv(**options)] * 2, autoreset_mode=mode)
    assert ours.observation_space == theirs.observation_space
    told = ours.reset(seed=3)
    assert data_equivalence(told, theirs.reset(seed=3), exact=True)
    for _ in range(12):
        actions = np.array([np.flatnonzero(mask)[-1] for mask in told[0]["mask"]])
        told = ours.step(actions)
        assert data_equivalence(told, theirs.step(actions), exact=True)
        if mode == AutoresetMode.DISABLED and ours.games.over.any():
            again = {"reset_mask": ours.games.over.copy()}
            told = ours.reset(options=dict(again))
            assert data_equivalence(told, theirs.reset(options=again), exact=True)


@pytest.mark.parametrize("make", [DominionEnv, DominionVectorEnv])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mask_in": "obs"}, "mask_in: expected one of 'info', 'observation', 'both', got 'obs'"),
        ({"observation_keys": "observations"}, "observation_keys: expected two different names"),
        ({"observation_keys": ("a", "a")}, "observation_keys: expected two different names"),
        ({"observation_keys": ("a", 1)}, "observation_keys: expected two different names"),
        ({"observation_keys": None}, "observation_keys: expected two different names"),
    ],
)
def test_a_wrong_place_or_name_is_refused(make, options, message):
    with pytest.raises(InvalidOption, match=message):
        make(**options)


def test_agents_that_wait_can_pass_if_asked_and_what_they_answer_counts_for_nothing():
    env = dominion_v0.parallel_env(auto_treasures=True, num_players=3, idle_can_pass=True)
    plain = dominion_v0.parallel_env(auto_treasures=True, num_players=3)
    observations, _ = env.reset(seed=2)
    expected, _ = plain.reset(seed=2)
    for _ in range(40):
        asked = env.aec_env.agent_selection
        for agent, seen in observations.items():
            mask = seen["action_mask"]
            if agent == asked:
                np.testing.assert_array_equal(mask, expected[agent]["action_mask"])
            else:
                assert np.flatnonzero(mask).tolist() == [0]
            np.testing.assert_array_equal(seen["observation"], expected[agent]["observation"])
        action = int(np.flatnonzero(observations[asked]["action_mask"])[-1])
        observations, *_ = env.step(dict.fromkeys(env.agents, 0) | {asked: action})
        expected, *_ = plain.step(dict.fromkeys(plain.agents, NUM_ACTIONS - 1) | {asked: action})


def test_a_wrong_answer_for_idle_agents_is_refused():
    with pytest.raises(InvalidOption, match="idle_can_pass: expected True or False, got 'pass'"):
        dominion_v0.parallel_env(idle_can_pass="pass")


def test_the_parallel_view_before_reset_says_what_is_missing():
    env = dominion_v0.parallel_env(auto_treasures=True)
    assert env.agents == []
    with pytest.raises(WrongOrder, match=r"step\(\) before reset\(\): reset\(\) starts a game"):
        env.step({"player_0": 0, "player_1": 0})


def test_the_parallel_view_asks_for_the_action_that_is_missing():
    env = dominion_v0.parallel_env(auto_treasures=True, first_player=1)
    env.reset(seed=0)
    with pytest.raises(IllegalAction, match="expected an action of player_1, which must decide, got actions of "):
        env.step({"player_0": 0})
    env.step({"player_1": 0})


def test_an_unmasked_learner_is_told_of_illegal_lose():
    pytest.importorskip("stable_baselines3", reason="needs the extra `train`")
    from dominion_env import SB3VecEnv

    env = SB3VecEnv(2, auto_treasures=True)
    env.reset()
    with pytest.raises(IllegalAction) as caught:
        env.step(np.array([1, 1]))
    assert any('illegal="lose"' in note for note in caught.value.__notes__)
