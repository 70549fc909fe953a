"""Saved models as agents: only those that can play are made, and what is wrong with others is said."""

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="needs the extra `train`")

import gymnasium
import stable_baselines3
from gymnasium import spaces
from sb3_contrib import MaskablePPO

import dominion_agents
from dominion_agents.ppo_agent import PPOAgent
from dominion_env import NUM_ACTIONS, DominionEnv, GameBatch, InvalidOption, SB3VecEnv, WrongOrder

FIRST_GAME = {"kingdom": "first-game-2e", "auto_treasures": True}


class Elsewhere(gymnasium.Env):
    """Spaces of another game."""

    observation_space = spaces.Box(-1, 1, (4,), np.float32)
    action_space = spaces.Discrete(2)

    def action_masks(self):
        return np.ones(2, bool)


def model(num_players=2):
    env = SB3VecEnv(1, num_players=num_players)
    return MaskablePPO("MlpPolicy", env, policy_kwargs={"net_arch": [4]}, seed=0, device="cpu")


@pytest.fixture(scope="module")
def for_two(tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "for_two.zip"
    model().save(path)
    return str(path)


def test_a_saved_model_plays(for_two):
    env = DominionEnv(opponents=for_two, first_player=1, max_turns=2, **FIRST_GAME)
    env.reset(seed=0)
    assert env.game.turn_player == 0


def test_a_file_that_is_not_there_is_named_as_it_was_given():
    for make in (dominion_agents.make, PPOAgent.load, lambda path: DominionEnv(opponents=path)):
        with pytest.raises(InvalidOption, match=r"^nofile\.zip: there is no such file"):
            make("nofile.zip")


@pytest.mark.parametrize("content", [b"nothing", b"PK\x05\x06" + bytes(18)], ids=["text", "an empty archive"])
def test_a_file_that_holds_no_model_is_refused(content, tmp_path):
    path = tmp_path / "model.zip"
    path.write_bytes(content)
    with pytest.raises(InvalidOption, match=r"model\.zip: no saved model of this environment: "):
        dominion_agents.make(str(path))


@pytest.mark.parametrize(
    ("algorithm", "message"),
    [
        (
            MaskablePPO,
            r"expected a policy of this environment, got one for observations of shape \(4,\) and Discrete\(2\)",
        ),
        (stable_baselines3.PPO, "must subclass MaskableActorCriticPolicy"),
    ],
)
def test_a_model_of_another_game_is_refused(algorithm, message, tmp_path):
    path = str(tmp_path / "other.zip")
    algorithm("MlpPolicy", Elsewhere(), device="cpu").save(path)
    with pytest.raises(InvalidOption, match=r"other\.zip: no saved model of this environment: .*" + message):
        dominion_agents.make(path)


def test_a_model_for_another_number_of_players_says_so(for_two):
    env = DominionEnv(opponents=for_two, first_player=1, num_players=3, **FIRST_GAME)
    with pytest.raises(InvalidOption, match=r"a model trained with 2 players, .* was asked in games for 3 players"):
        env.reset(seed=0)
    with pytest.raises(WrongOrder, match=r"opponent '.*for_two\.zip' failed"):
        env.step(0)


def test_a_model_may_say_which_observation_it_was_trained_on(for_two):
    assert PPOAgent.load(for_two).observation is None
    batch = GameBatch(3, **FIRST_GAME)
    for reads in ("recall", "strict"):
        agent = PPOAgent.load(for_two, observation=reads)
        wanted = GameBatch(3, observation=reads, **FIRST_GAME).observe()
        np.testing.assert_array_equal(dominion_agents.shown_to(agent, batch), wanted)
    assert agent.act(wanted, batch.action_mask, batch.policy_keys()).max() < NUM_ACTIONS
