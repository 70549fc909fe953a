"""Gymnasium's single environment keeps Gymnasium's promises, and ours."""

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.utils.env_match import check_environments_match
from gymnasium.wrappers import RecordEpisodeStatistics

from dominion_env import (
    NUM_ACTIONS,
    PASS,
    DominionEnv,
    Game,
    GameOver,
    IllegalAction,
    InvalidOption,
    WrongOrder,
    make_agent,
    observation_size,
)
from dominion_env.views.registration import GYMNASIUM_IDS

FIRST_GAME = {"kingdom": "first-game-2e", "auto_treasures": True}


class Passing:
    """Never does anything that it need not."""

    def act(self, observations, action_masks, keys):
        return np.argmax(action_masks, axis=1)


def pick(mask, step):
    """Some legal action, depending on nothing but the mask and the number of the step."""
    legal = np.flatnonzero(mask)
    return int(legal[step * 7919 % len(legal)])


def play(env, decisions=10_000):
    """Play to the end of the game, the same in each run, and tell all that came back."""
    told = []
    mask = env.get_wrapper_attr("action_masks")()
    for step in range(decisions):
        told.append(env.step(pick(mask, step)))
        _, _, terminated, truncated, info = told[-1]
        mask = info["action_mask"]
        if terminated or truncated:
            break
    return told


@pytest.mark.parametrize("options", [{}, {"opponents": "random", "seat": "random"}, {"opponents": None}])
def test_it_passes_gymnasiums_check(options, capsys):
    env = gymnasium.make("Dominion-v0", disable_env_checker=True, render_mode="ansi", **FIRST_GAME, **options)
    check_env(env.unwrapped)  # renders in every mode
    assert "Province" in capsys.readouterr().out


@pytest.mark.parametrize("options", [{}, {"opponents": None, "num_players": 3}])
def test_it_passes_the_check_of_stable_baselines3(options):
    checks = pytest.importorskip("stable_baselines3.common.env_checker", reason="needs the extra `train`")
    checks.check_env(DominionEnv(**FIRST_GAME, **options))


@pytest.mark.parametrize("name", GYMNASIUM_IDS)
def test_every_name_makes_an_environment_that_its_wrappers_find_no_fault_with(name):
    env = RecordEpisodeStatistics(gymnasium.make(name, opponents="random", max_turns=3, auto_treasures=True))
    env.reset(seed=0)
    assert [card.title for card in env.unwrapped.game.kingdom] == [
        card.title for card in Game(kingdom=GYMNASIUM_IDS[name].get("kingdom", "first-game-2e")).kingdom
    ] or "Random" in name
    *_, (_, reward, _, truncated, info) = play(env)
    assert truncated
    assert info["episode"]["r"] == reward == 0


def test_a_made_environment_can_be_made_again_from_its_spec():
    env = gymnasium.make("Dominion/BigMoney-v0", opponents=["random", "big-money"], seat="alternate")
    check_environments_match(env, gymnasium.make(env.spec), num_steps=50)
    check_environments_match(env, gymnasium.make(gymnasium.envs.registration.EnvSpec.from_json(env.spec.to_json())), 10)


def test_gymnasiums_order_enforcing_and_ours():
    env = DominionEnv(**FIRST_GAME)
    for call in (lambda: env.step(PASS), env.render):
        with pytest.raises(WrongOrder, match=r"before reset\(\) or after close\(\): reset\(\) starts a game"):
            call()
    env.reset()
    env.close()
    env.close()
    with pytest.raises(WrongOrder, match=r"step\(\) before reset\(\) or after close\(\)"):
        env.step(PASS)
    env.reset(seed=0)
    env.step(NUM_ACTIONS - 1)
    with pytest.raises(GameOver, match=r"got 0, but the game is over: reset\(\) starts the next"):
        env.step(PASS)


def test_info_says_what_is_legal_who_the_learner_is_and_how_it_ended():
    env = DominionEnv(opponents="random", seat=1, num_players=3, max_turns=3, **FIRST_GAME)
    observation, info = env.reset(seed=0)
    assert observation.shape == (observation_size(3),)
    while True:
        assert info["seat"] == 1
        assert not any(np.any(value) for name, value in info.items() if name not in ("action_mask", "seat"))
        assert info["action_mask"].dtype == np.int8
        np.testing.assert_array_equal(info["action_mask"], env.action_masks())
        assert info["action_mask"].sum() >= 2
        *_, truncated, info = env.step(pick(info["action_mask"], 0))
        if truncated:
            break
    assert info["action_mask"].all()
    assert env.action_masks().all()
    game = env.game
    assert game.is_over
    assert info["scores"].tolist() == game.scores
    assert info["turns"].tolist() == [3, 3, 3]
    assert info["winners"].tolist() == [False] * 3
    assert info["rewards"].tolist() == [0.0] * 3
    assert (info["ended"], info["is_success"], info["seat"]) == (3, 0.0, 1)


@pytest.mark.parametrize("num_players", [2, *(pytest.param(n, marks=pytest.mark.compiled) for n in (3, 4, 5, 6))])
def test_the_loss_arrives_although_the_game_ends_in_somebody_elses_turn(num_players):
    env = DominionEnv(opponents="big-money", seat=0, num_players=num_players, reward="result", **FIRST_GAME)
    for seed in range(3):
        env.reset(seed=seed)
        terminated = False
        while not terminated:
            seen, reward, terminated, _, info = env.step(PASS)
        # Only Big Money buys, so it took the last Province: not at a decision of the learner.
        assert reward == pytest.approx(-1 / (num_players - 1))
        assert info["winners"].any()
        assert not info["winners"][0]
        assert reward == info["rewards"][0]
        np.testing.assert_array_equal(seen, env.game.observe(0))


def test_the_win_arrives():

    money = make_agent("big-money")
    env = DominionEnv(opponents=Passing(), seat="alternate", reward="result", **FIRST_GAME)
    seats = []
    for _ in range(4):
        observation, info = env.reset()
        terminated = False
        while not terminated:
            action = money.act(observation[None], info["action_mask"][None].astype(bool), np.zeros(1, np.uint64))[0]
            observation, reward, terminated, _, info = env.step(action)
        assert reward == info["is_success"] == 1.0
        seats.append(info["seat"])
    assert seats == [0, 1, 0, 1]


def test_an_illegal_action_loses_unless_it_shall_raise():
    env = DominionEnv(num_players=3, **FIRST_GAME)
    env.reset(seed=0)
    _, reward, terminated, truncated, info = env.step(NUM_ACTIONS - 1)
    assert (reward, terminated, truncated, info["ended"]) == (-1.0, True, False, 4)
    assert info["rewards"].tolist() == [-1.0, 0.5, 0.5]

    env = DominionEnv(illegal="raise", **FIRST_GAME)
    env.reset(seed=0)
    before = pickle.dumps(env.games.batch)
    for wrong in (NUM_ACTIONS - 1, NUM_ACTIONS, -1, 2.0, None, "pass", [1], 10**30):
        with pytest.raises(IllegalAction):
            env.step(wrong)
        assert pickle.dumps(env.games.batch) == before
    with pytest.raises(IllegalAction, match=f"expected an action from 0 to {NUM_ACTIONS - 1}, got {NUM_ACTIONS}"):
        DominionEnvAt(seed=0).step(NUM_ACTIONS)


def DominionEnvAt(seed):
    env = DominionEnv(**FIRST_GAME)
    env.reset(seed=seed)
    return env


def test_without_opponents_the_learner_is_whoever_must_decide():
    env, game = DominionEnv(opponents=None, **FIRST_GAME), Game(seed=4, **FIRST_GAME)
    observation, info = env.reset(seed=4)
    for step in range(60):
        assert info["seat"] == game.current_player
        np.testing.assert_array_equal(observation, game.observe())
        action = pick(info["action_mask"], step)
        game.apply(action)
        observation, *_, info = env.step(action)


def test_seed_0_is_a_seed_like_any_other():
    env = DominionEnv(opponents=None, seed=3)
    env.reset()
    env.reset(seed=0)
    assert env.address == {"seed": 0, "index": 0, "episode": 0}


def test_reset_without_a_seed_plays_the_next_episode_and_the_first_that_of_the_constructor():
    env = DominionEnv(seed=3, **FIRST_GAME)
    first = env.reset()
    second = env.reset()
    assert not data_equivalence(first, second)
    assert data_equivalence(env.reset(seed=3), first)
    assert data_equivalence(env.reset(), second)
    assert data_equivalence(DominionEnv(seed=3, episode=1, **FIRST_GAME).reset(), second)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_in_the_middle_of_a_game_goes_on_alike_and_apart(copied):
    env = DominionEnv(opponents=["random", "big-money"], seat="random", **FIRST_GAME)
    env.reset(seed=2)
    play(env, decisions=20)
    twin = copied(env)
    assert data_equivalence(play(twin, 100), play(env, 100))


def test_it_renders_the_learners_view_unless_told_otherwise():
    def shown(**options):
        env = DominionEnv(seat=1, render_mode="ansi", **FIRST_GAME, **options)
        env.reset(seed=0)
        return env.render(), env.game

    from dominion_env.render import render

    own, game = shown()
    assert own == render(game, 1, "ansi") == shown(render_seat=1)[0]
    assert shown(render_seat=0)[0] == render(game, 0, "ansi") != own
    assert shown(render_seat="all")[0] == render(game, None, "ansi") != own


def test_it_renders_in_every_mode(capsys):
    for mode, kind in (("ansi", str), ("svg", str), ("html", str), ("rgb_array", np.ndarray), ("human", type(None))):
        env = DominionEnv(render_mode=mode, **FIRST_GAME)
        env.reset(seed=0)
        env.step(PASS)
        printed = capsys.readouterr().out
        assert ("Province" in printed) == (mode == "human")
        frame = env.render()
        assert isinstance(frame, kind)
        if mode == "rgb_array":
            assert frame.dtype == np.uint8
            assert frame.shape[2:] == (3,)
    with pytest.warns(UserWarning, match=r"render\(\) without a render_mode"):
        assert DominionEnvAt(seed=0).render() is None


def test_a_wrong_seed_is_refused_and_other_reset_options_are_not_looked_at():
    env = DominionEnvAt(seed=0)
    before = pickle.dumps(env)
    for wrong in (-1, 1.5, "1", True, [1], 1 << 64):
        with pytest.raises(InvalidOption, match=r"seed: expected a whole number from 0 to 2\*\*64 - 1"):
            env.reset(seed=wrong)
        assert pickle.dumps(env) == before
    env.reset(seed=np.int64(5), options={"options": 1})
