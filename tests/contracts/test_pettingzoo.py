"""The AEC view keeps PettingZoo's promises, and ours."""

import copy
import pickle
from itertools import islice

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

from dominion_env import NUM_ACTIONS, Game, GameBatch, IllegalAction, InvalidKingdom, InvalidOption, dominion_v0

FIRST_GAME = {"kingdom": "first-game-2e", "auto_treasures": True}


def play(env, decisions=None):
    """Play legal actions, the same in each run, and tell all that came back."""
    told = []
    for agent in islice(env.agent_iter(), decisions):
        observation, reward, termination, truncation, info = env.last()
        action = None
        if not (termination or truncation):
            legal = np.flatnonzero(info["action_mask"])
            action = int(legal[len(told) % len(legal)])
        told.append((agent, observation["observation"].tobytes(), reward, termination, truncation, action))
        env.step(action)
    return told


@pytest.mark.parametrize("mask_in", ["both", "observation", "info"])
@pytest.mark.parametrize("make", [dominion_v0.env, dominion_v0.raw_env])
def test_it_passes_the_api_test(make, mask_in):
    api_test(make(mask_in=mask_in, **FIRST_GAME), num_cycles=200)


@pytest.mark.parametrize("num_players", [1, 3, 6])
def test_it_passes_the_api_test_with_any_number_of_players(num_players):
    api_test(dominion_v0.env(num_players=num_players, kingdom="random"), num_cycles=100)


@pytest.mark.parametrize("mask_in", ["both", "observation", "info"])
def test_it_passes_the_seed_test(mask_in):
    seed_test(lambda: dominion_v0.env(mask_in=mask_in, kingdom="random"), num_cycles=200)


def test_it_passes_the_render_test(capsys):
    render_test(lambda **options: dominion_v0.raw_env(**FIRST_GAME, **options))
    assert "Province" in capsys.readouterr().out


def test_the_same_seed_gives_the_same_game_as_in_a_batch():
    env = dominion_v0.raw_env(**FIRST_GAME)
    env.reset(seed=5)
    batch = GameBatch(1, seed=5, autoreset=False, **FIRST_GAME)
    over = False
    while not over:
        assert env.agent_selection == f"player_{batch.current_player[0]}"
        for seat, agent in enumerate(env.agents):
            np.testing.assert_array_equal(env.observe(agent)["observation"], batch.observe(seat)[0])
        np.testing.assert_array_equal(env.observe(env.agent_selection)["action_mask"], batch.action_mask[0])
        action = batch.sample_actions().copy()
        rewards, terminated, truncated = batch.step(action)
        env.step(action[0])
        assert list(env.rewards.values()) == rewards[0].tolist()
        over = bool(terminated[0] or truncated[0])
    assert env.terminations == dict.fromkeys(env.agents, bool(terminated[0]))
    assert env.truncations == dict.fromkeys(env.agents, bool(truncated[0]))
    assert env.infos["player_1"]["scores"] == batch.scores[0].tolist()


def test_reset_without_a_seed_plays_the_next_episode():
    env, fresh = dominion_v0.env(**FIRST_GAME), dominion_v0.env(seed=3, episode=1, **FIRST_GAME)
    env.reset(seed=3)
    first = play(env)
    env.reset()
    fresh.reset()
    second = play(env)
    assert second != first
    assert second == play(fresh)


def test_every_reward_reaches_its_player_once():
    env = dominion_v0.env(**FIRST_GAME)
    env.reset(seed=1)
    told = play(env)
    total = {agent: sum(reward for a, _, reward, *_ in told if a == agent) for agent in env.possible_agents}
    assert sorted(total.values()) in ([-1.0, 1.0], [0.0, 0.0])
    assert not env.agents


def test_the_mask_is_zeros_for_who_waits_and_ones_when_all_is_over():
    env = dominion_v0.env(illegal="lose", **FIRST_GAME)
    env.reset(seed=0)
    asked = env.agent_selection
    waiting = next(agent for agent in env.agents if agent != asked)
    assert env.observe(asked)["action_mask"].sum() >= 2
    assert env.observe(waiting)["action_mask"].sum() == 0
    env.step(NUM_ACTIONS - 1)
    for agent in env.agents:
        assert env.observe(agent)["action_mask"].all()
        assert env.observe(agent)["action_mask"] is env.infos[agent]["action_mask"]


def test_the_mask_is_where_it_is_asked_for():
    for mask_in, in_observation, in_info in [("both", 1, 1), ("observation", 1, 0), ("info", 0, 1)]:
        env = dominion_v0.env(mask_in=mask_in, **FIRST_GAME)
        env.reset(seed=0)
        observation, _, _, _, info = env.last()
        assert isinstance(observation, dict) == bool(in_observation)
        assert ("action_mask" in info) == bool(in_info)
        assert env.observation_space(env.agent_selection).contains(observation)
        mask = info["action_mask"] if in_info else observation["action_mask"]
        assert mask.dtype == np.int8


def test_an_illegal_action_raises_in_the_raw_environment_and_changes_nothing():
    env = dominion_v0.raw_env(**FIRST_GAME)
    env.reset(seed=0)
    before = pickle.dumps(env)
    for action in (NUM_ACTIONS - 1, NUM_ACTIONS, -1, 2.0, None, "pass"):
        with pytest.raises(IllegalAction):
            env.step(action)
        assert pickle.dumps(env) == before


def test_an_illegal_action_loses_in_the_wrapped_environment():
    env = dominion_v0.env(num_players=3, **FIRST_GAME)
    env.reset(seed=0)
    offender = env.agent_selection
    env.step(NUM_ACTIONS - 1)
    assert env.rewards == {agent: -1.0 if agent == offender else 0.5 for agent in env.agents}
    assert all(env.terminations.values())
    for _ in env.agent_iter():
        env.step(None)
    assert not env.agents


def test_pettingzoos_own_wrapper_for_illegal_actions_works_too():
    env = TerminateIllegalWrapper(dominion_v0.raw_env(**FIRST_GAME), illegal_reward=-1)
    env.reset(seed=0)
    offender = env.agent_selection
    env.step(NUM_ACTIONS - 1)
    assert env.rewards[offender] == -1
    for _ in env.agent_iter():
        env.step(None)
    assert not env.agents


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_in_the_middle_of_a_game_goes_on_alike_and_apart(copied):
    env = dominion_v0.env(**FIRST_GAME)
    env.reset(seed=2)
    play(env, decisions=30)
    twin = copied(env)
    assert play(twin) == play(env)


def test_what_was_observed_stays_as_it_was():
    env = dominion_v0.env(**FIRST_GAME)
    env.reset(seed=0)
    observation = env.last()[0]
    before = {name: part.copy() for name, part in observation.items()}
    play(env, decisions=20)
    for name, part in observation.items():
        np.testing.assert_array_equal(part, before[name])


def test_a_finished_position_starts_finished():
    game = Game(auto_treasures=True, max_turns=3)
    while not game.is_over:
        game.apply(game.legal_actions()[0])
    env = dominion_v0.env(start=game.to_dict())
    env.reset()
    assert env.truncations == {"player_0": True, "player_1": True}
    assert env.infos["player_0"]["scores"] == game.scores()
    for _ in env.agent_iter():
        env.step(None)
    assert not env.agents


def test_the_game_behind_it_can_be_read_and_played_in_without_a_trace():
    env = dominion_v0.raw_env(**FIRST_GAME)
    env.reset(seed=0)
    before = pickle.dumps(env)
    game = env.game
    assert f"player_{game.current_player}" == env.agent_selection
    game.apply(game.legal_actions()[0])
    assert pickle.dumps(env) == before


def test_wrong_options_are_refused():
    for wrong in ({"mask_in": "nowhere"}, {"render_mode": "3d"}, {"num_players": 7}, {"kingdom": "no-such-set"}):
        with pytest.raises((InvalidOption, InvalidKingdom)):
            dominion_v0.env(**wrong)
    with pytest.raises(InvalidOption, match="mask_in='nowhere'"):
        dominion_v0.env(mask_in="nowhere")
