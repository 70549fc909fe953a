"""Gymnasium's vector environment keeps Gymnasium's promises, and is the single environment many times over."""

import copy
import itertools
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import DictInfoToList, NormalizeObservation, RecordEpisodeStatistics

from dominion_env import (
    KINGDOMS,
    NUM_ACTIONS,
    PASS,
    DominionEnv,
    DominionVectorEnv,
    GameOver,
    IllegalAction,
    InvalidOption,
    WrongOrder,
)
from dominion_env.testing import check_vector_env

FIRST_GAME = {"kingdom": "first-game-2e", "auto_treasures": True}
SHORT = FIRST_GAME | {"max_turns": 3, "opponents": "random"}
NEXT_STEP, SAME_STEP, DISABLED = AutoresetMode

pytestmark = pytest.mark.compiled


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        {"kingdom": "random", "opponents": ["random", "big-money"], "seat": "random"},
        {"num_players": 3, "seat": "alternate"},
        {"opponents": None},
        {"opponents": None, "num_players": 6, "observation": "strict", "max_turns": 4},
        {"num_players": 1, "opponents": None},
        {"reward": "points", "illegal": "raise", "seat": 1, "ask_forced": True},
    ],
    ids=lambda options: ", ".join(f"{name}={value}" for name, value in options.items()),
)
def test_it_passes_our_check_of_vector_environments(options):
    options = {"auto_treasures": True, "max_turns": 6, "opponents": "random"} | options
    check_vector_env(
        lambda n, mode: DominionVectorEnv(n, autoreset_mode=mode, **options), lambda: DominionEnv(**options), episodes=4
    )


def test_gymnasiums_own_vector_environment_of_ours_passes_too():
    options = SHORT | {"max_turns": 6}
    check_vector_env(
        lambda n, mode: SyncVectorEnv([lambda: DominionEnv(**options)] * n, autoreset_mode=mode),
        lambda: DominionEnv(**options),
        keeps_reset_mask=False,
        episodes=3,
    )


@pytest.mark.parametrize("mode", AutoresetMode)
def test_it_says_the_same_as_gymnasiums_own_of_single_environments(mode):
    options = {"auto_treasures": True, "kingdom": "random", "opponents": ["big-money", "random"], "seat": "random"}
    ours = gymnasium.make_vec("Dominion-v0", num_envs=4, autoreset_mode=mode, **options)
    theirs = SyncVectorEnv([lambda: DominionEnv(**options)] * 4, autoreset_mode=mode)
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    assert ours.metadata == theirs.metadata
    assert data_equivalence(ours.reset(seed=3), theirs.reset(seed=3), exact=True)
    ended = 0
    while ended < 8:
        actions = ours.unwrapped.sample_actions()
        told = ours.step(actions)
        assert data_equivalence(told, theirs.step(actions), exact=True)
        done = told[2] | told[3]
        ended += done.sum()
        if mode == DISABLED and done.any():
            observations, _ = ours.reset(options={"reset_mask": done})
            np.testing.assert_array_equal(observations, theirs.reset(options={"reset_mask": done})[0])


@pytest.mark.parametrize("mode", AutoresetMode)
def test_gymnasiums_episode_statistics_are_right(mode):
    """Returns and lengths, also after a reset of some rows, against plain sums."""
    envs = RecordEpisodeStatistics(DominionVectorEnv(4, autoreset_mode=mode, reward="points", **SHORT))
    envs.reset(seed=0)
    lengths, returns, waiting = np.zeros(4, int), np.zeros(4), np.zeros(4, bool)
    ended = 0
    for step in range(200):
        _, rewards, terminations, truncations, infos = envs.step(envs.unwrapped.sample_actions())
        lengths, returns = np.where(waiting, 0, lengths + 1), np.where(waiting, 0, returns + rewards)
        done = terminations | truncations
        if done.any():
            np.testing.assert_array_equal(infos["_episode"], done)
            np.testing.assert_array_equal(infos["episode"]["l"][done], lengths[done])
            np.testing.assert_array_equal(infos["episode"]["r"][done], returns[done])
            assert (returns[done] != 0).any()
            ended += done.sum()
        again = done.copy() if mode == DISABLED else np.zeros(4, bool)
        if step % 7 == 6:
            again[step % 4] = True  # in the middle of its game
        if again.any():
            envs.reset(options={"reset_mask": again})
        waiting = (done & ~again) if mode == NEXT_STEP else np.zeros(4, bool)
        restarted = again | done if mode == SAME_STEP else again
        lengths[restarted], returns[restarted] = 0, 0
    assert ended >= 20


def test_gymnasiums_other_wrappers_work():
    envs = DictInfoToList(NormalizeObservation(gymnasium.make_vec("Dominion/Random2E-v0", num_envs=3, **SHORT_KEYS)))
    observations, infos = envs.reset(seed=0)
    for _ in range(30):
        observations, *_, infos = envs.step(envs.unwrapped.sample_actions())
    assert observations.shape == envs.observation_space.shape
    assert len(infos) == 3
    assert infos[0]["action_mask"].shape == (NUM_ACTIONS,)


SHORT_KEYS = {"auto_treasures": True, "max_turns": 3, "opponents": "random"}


def test_facts_of_an_end_stand_in_the_rows_of_the_games_that_have_ended_and_last():
    players = [{"discard": {"Duchy": 1}, "turns": 1}, {"turns": 1}]
    ends_now = {"kingdom": "first-game-2e", "supply": {"Province": 0}, "phase": "buy", "players": players}
    ends_later = ends_now | {"phase": "action", "players": [{"hand": {"Moat": 1}, **players[0]}, players[1]]}
    envs = DominionVectorEnv(2, None, start=[ends_now, ends_later], auto_treasures=True)
    envs.reset()
    _, _, terminated, _, infos = envs.step(np.array([PASS, PASS]))
    assert terminated.tolist() == (infos["ended"] > 0).tolist() == [True, False]
    _, _, later, _, infos = envs.step(np.array([PASS, PASS]))
    assert later.tolist() == (infos["ended"] > 0).tolist() == [False, True]
    assert infos["scores"].tolist() == [[0, 0], [3, 0]]
    assert terminated.tolist() == [True, False]


def test_the_mask_of_resets_stays_in_the_options():
    envs = DominionVectorEnv(3, autoreset_mode=DISABLED, **SHORT)
    envs.reset(seed=0)
    options = {"reset_mask": np.array([True, False, False])}
    envs.reset(options=options)
    np.testing.assert_array_equal(options["reset_mask"], [True, False, False])


def test_rows_wait_for_their_reset_when_autoreset_is_disabled():
    envs = DominionVectorEnv(2, autoreset_mode="Disabled", **FIRST_GAME)
    envs.reset(seed=0)
    lost = envs.step(np.array([NUM_ACTIONS - 1, envs.sample_actions()[1]]))
    assert lost[2].tolist() == [True, False]
    assert envs.action_masks()[0].all()
    before = pickle.dumps(envs.games)
    with pytest.raises(GameOver, match=r"rows \[0\] are over and autoreset is disabled"):
        envs.step(np.zeros(2, int))
    assert pickle.dumps(envs.games) == before
    observations, infos = envs.reset(options={"reset_mask": lost[2]})
    np.testing.assert_array_equal(observations[1], lost[0][1])
    assert infos["action_mask"].sum(axis=1).max() < NUM_ACTIONS
    envs.step(envs.sample_actions())


def test_without_copies_there_is_one_buffer_of_observations_and_one_of_masks():
    envs = DominionVectorEnv(3, copy=False, **FIRST_GAME)
    first, infos = envs.reset(seed=0)
    second, *_, later = envs.step(envs.sample_actions())
    assert first is second
    assert np.shares_memory(infos["action_mask"], later["action_mask"])
    np.testing.assert_array_equal(infos["action_mask"], envs.action_masks())
    with pytest.raises(AssertionError, match="changed by a later call"):
        check_vector_env(lambda n, mode: DominionVectorEnv(n, autoreset_mode=mode, copy=False, **SHORT), episodes=1)


def test_random_play_needs_no_loop_over_masks_and_is_a_function_of_the_address():
    envs = DominionVectorEnv(64, **FIRST_GAME)
    _, infos = envs.reset(seed=5)
    actions = envs.sample_actions()
    assert infos["action_mask"][np.arange(64), actions].all()
    np.testing.assert_array_equal(actions, envs.sample_actions())
    assert len(set(actions.tolist())) > 1
    alone = DominionVectorEnv(1, **FIRST_GAME)
    alone.reset(seed=5 + 20)
    assert alone.sample_actions()[0] == actions[20]


def test_seeds_may_be_given_per_row_and_left_out():
    envs = DominionVectorEnv(3, seed=10, **FIRST_GAME)
    constructed, _ = envs.reset()
    following, _ = envs.reset()
    np.testing.assert_array_equal(envs.reset(seed=10)[0], constructed)
    np.testing.assert_array_equal(envs.reset()[0], following)
    mixed, _ = envs.reset(seed=[12, None, 10])
    np.testing.assert_array_equal(mixed[0], constructed[2])
    np.testing.assert_array_equal(mixed[2], constructed[0])
    np.testing.assert_array_equal(mixed[1], DominionVectorEnv(1, seed=11, episode=2, **FIRST_GAME).reset()[0][0])
    fresh = DominionVectorEnv(3, seed=[10, 11, 12], **FIRST_GAME)
    np.testing.assert_array_equal(fresh.reset(seed=[None, 1, None])[0][::2], constructed[::2])


def test_without_opponents_the_last_seat_is_that_of_the_last_decision():
    """Nothing is left to buy without coins: once player_0 has passed, all that follows is forced."""
    kingdom = [card.title for card in KINGDOMS["first-game-2e"]]
    start = {
        "kingdom": kingdom,
        "num_players": 2,
        "phase": "buy",
        "coins": 8,
        "supply": {"Copper": 0, "Curse": 0},
        "players": [{"deck_bag": {"Estate": 9}}, {"deck_bag": {"Estate": 9}}],
    }
    for max_turns, mode in itertools.product((3, 4), AutoresetMode):
        envs = DominionVectorEnv(2, opponents=None, start=start, max_turns=max_turns, autoreset_mode=mode)
        envs.reset()
        *_, truncations, infos = envs.step(np.zeros(2, int))
        assert truncations.all()
        assert (infos["final_info"] if mode == SAME_STEP else infos)["seat"].tolist() == [0, 0]


@pytest.mark.parametrize("num_players", [2, 3, 4, 5, 6])
def test_any_number_of_players_and_every_reward_arrives(num_players):
    options = FIRST_GAME | {"autoreset_mode": SAME_STEP, "reward": "result"}
    envs = DominionVectorEnv(4, num_players=num_players, seat="random", **options)
    _, infos = envs.reset(seed=0)
    ended = 0
    while ended < 6:
        _, rewards, terminations, _, infos = envs.step(np.full(4, PASS))
        for row in np.flatnonzero(terminations):
            end = infos["final_info"]
            seat = end["seat"][row]
            assert not end["winners"][row, seat]  # only Big Money buys, and ends the game in its own turn
            assert rewards[row] == end["rewards"][row, seat] == pytest.approx(-1 / (num_players - 1))
            assert end["scores"][row, seat] == 3
            ended += 1
        assert (rewards[~terminations] == 0).all()


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("mode", [NEXT_STEP, SAME_STEP])
def test_a_copy_goes_on_alike_and_apart(mode, copied):
    envs = DominionVectorEnv(3, seat="random", autoreset_mode=mode, **SHORT)
    envs.reset(seed=2)

    def play(envs):
        return [envs.step(envs.sample_actions()) for _ in range(40)]

    play(envs)
    twin = copied(envs)
    assert data_equivalence(play(twin), play(envs), exact=True)


def test_it_renders_a_frame_per_game(capsys):
    envs = DominionVectorEnv(3, render_mode="ansi", seat="alternate", **FIRST_GAME)
    envs.reset(seed=0)
    frames = envs.render()
    single = DominionEnv(render_mode="ansi", **FIRST_GAME)
    for row, frame in enumerate(frames):
        single.reset(seed=row)
        assert frame == single.render()
    envs = DominionVectorEnv(2, render_mode="human", **FIRST_GAME)
    envs.reset()
    assert capsys.readouterr().out.count("Province") >= 2
    envs.step(envs.sample_actions())
    assert capsys.readouterr().out.count("Province") >= 2
    assert envs.render() is None
    pictures = gymnasium.make_vec("Dominion-v0", num_envs=2, render_mode="rgb_array")
    pictures.reset()
    assert np.array(pictures.render()).shape[::4] == (2,)


def test_calls_in_the_wrong_order_are_refused():
    envs = DominionVectorEnv(2, **FIRST_GAME)
    with pytest.raises(WrongOrder, match=r"step\(\) before reset\(\)"):
        envs.step(np.zeros(2, int))
    with pytest.raises(WrongOrder, match=r"render\(\) before reset\(\)"):
        envs.render()
    with pytest.raises(WrongOrder, match=r"reset\(\) of some rows before reset\(\) of all"):
        envs.reset(options={"reset_mask": np.array([True, False])})
    envs.reset()
    envs.close()
    envs.close()
    for call in (envs.reset, envs.render, lambda: envs.step(np.zeros(2, int))):
        with pytest.raises(WrongOrder, match=r"after close\(\): make a new environment"):
            call()


def test_wrong_actions_seeds_and_masks_change_nothing():
    envs = DominionVectorEnv(2, illegal="raise", **FIRST_GAME)
    envs.reset(seed=0)
    before = pickle.dumps(envs.games.batch)
    for actions in (
        [NUM_ACTIONS - 1] * 2,
        [NUM_ACTIONS, PASS],
        [-1, PASS],
        [PASS],
        PASS,
        [0.0, 0.0],
        None,
        [[PASS], [PASS, PASS]],
    ):
        with pytest.raises(IllegalAction):
            envs.step(actions)
    for seed in (-1, 1.5, "12", True, [1], [1, 2, 3], [1, -1], [1, "2"], 1 << 64):
        with pytest.raises(InvalidOption, match="seed: "):
            envs.reset(seed=seed)
    for mask in ([True, False], np.ones(2), np.ones(3, bool), np.zeros(2, bool), None):
        with pytest.raises(InvalidOption, match="reset_mask: "):
            envs.reset(options={"reset_mask": mask})
    for options in (5, [True, False], "reset_mask"):
        with pytest.raises(InvalidOption, match="options: expected a dictionary or None"):
            envs.reset(options=options)
    assert pickle.dumps(envs.games.batch) == before
    envs.reset(options={"options": 1})


def test_a_misspelt_option_is_named_through_gymnasiums_registry_too():
    for make in (gymnasium.make, gymnasium.make_vec):
        with pytest.raises(
            InvalidOption, match="got an unexpected keyword argument 'oponents': did you mean 'opponents'"
        ):
            make("Dominion-v0", oponents="random")


def test_attributes_and_methods_of_the_games_are_reached_as_in_gymnasiums_own():
    ours = DominionVectorEnv(3, render_mode="ansi", **SHORT)
    theirs = SyncVectorEnv([lambda: DominionEnv(render_mode="ansi", **SHORT)] * 3)
    for envs in (ours, theirs):
        envs.reset(seed=4)
    for name in ("address", "observation_space", "action_space", "render_mode"):
        assert ours.get_attr(name) == theirs.get_attr(name) == ours.call(name)
    assert [game.to_dict() for game in ours.get_attr("game")] == [game.to_dict() for game in theirs.get_attr("game")]
    np.testing.assert_array_equal(ours.call("action_masks"), theirs.call("action_masks"))
    assert ours.call("render") == theirs.call("render")
    for call in (ours.get_attr, ours.call):
        with pytest.raises(AttributeError, match="no attribute 'no_such_thing', only 'address', 'game'"):
            call("no_such_thing")
