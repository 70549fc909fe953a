"""The AEC view keeps PettingZoo's promises, and ours."""

import copy
import pickle
import warnings
from itertools import combinations, islice

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test, state_test
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

from dominion_env import (
    NUM_ACTIONS,
    PASS,
    Card,
    Game,
    GameBatch,
    IllegalAction,
    InvalidOption,
    WrongOrder,
    dominion_v0,
    observation_size,
)
from dominion_env.core.observing.fields import observation_fields

FIRST_GAME = {"kingdom": "first-game-2e", "auto_treasures": True}
COMPILED_PLAYERS = [pytest.param(players, marks=pytest.mark.compiled) for players in (2, 4)]


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


@pytest.mark.parametrize(
    ("mask_in", "found"), [("info", []), ("both", ["not a NumPy array", "should be gymnasium.spaces.box"])]
)
def test_the_api_test_warns_of_nothing_but_that_an_observation_is_a_dictionary(mask_in, found):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(dominion_v0.env(mask_in=mask_in, **FIRST_GAME), num_cycles=200)
    told = {str(warning.message) for warning in caught}
    assert len(told) == len(found)
    assert all(any(words in message for message in told) for words in found)


@pytest.mark.parametrize("mask_in", ["both", "observation", "info"])
def test_it_passes_the_seed_test(mask_in):
    seed_test(lambda: dominion_v0.env(mask_in=mask_in, kingdom="random"), num_cycles=200)


@pytest.mark.parametrize("mask_in", ["both", "observation", "info"])
@pytest.mark.parametrize("num_players", [1, *COMPILED_PLAYERS])
def test_it_passes_the_tests_of_parallel_environments(mask_in, num_players):
    options = {"mask_in": mask_in, "num_players": num_players, **FIRST_GAME}
    parallel_api_test(dominion_v0.parallel_env(**options), num_cycles=200)
    parallel_seed_test(lambda: dominion_v0.parallel_env(**options), num_cycles=200)


@pytest.mark.parametrize("num_players", [1, 2, 6])
def test_it_passes_the_state_test_without_a_warning(num_players):
    options = {"num_players": num_players, **FIRST_GAME}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        state_test(dominion_v0.env(**options), dominion_v0.parallel_env(**options))


def test_it_passes_the_render_test(capsys):
    text = {mode: lambda shown: isinstance(shown, str) and "Province" in shown for mode in ("svg", "html")}
    render_test(lambda **options: dominion_v0.env(**FIRST_GAME, **options), custom_tests=text)
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
    assert env.infos["player_1"]["scores"].tolist() == batch.scores[0].tolist()


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


def test_the_winner_is_paid_by_the_loser():
    players = [{"discard": {"Duchy": 1}, "turns": 1}, {"turns": 1}]
    start = {"kingdom": "first-game-2e", "supply": {"Province": 0}, "phase": "buy", "players": players}
    env = dominion_v0.raw_env(start=start)
    env.reset()
    env.step(PASS)
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0}


def test_a_position_that_was_cut_short_starts_truncated():
    env = dominion_v0.raw_env(start={"players": [{}, {}], "over": True, "ended": "truncated"})
    env.reset()
    assert set(env.truncations.values()) == {True}
    assert set(env.terminations.values()) == {False}


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
    for action in (NUM_ACTIONS - 1, NUM_ACTIONS, -1, 2.0, None, "pass", True, 1 << 70, np.array([2]), [2]):
        with pytest.raises(
            IllegalAction, match=r"got .*player_[01] is asked in the Buy phase.*legal: \['pass', 'buy Copper'"
        ):
            env.step(action)
        assert pickle.dumps(env) == before


@pytest.mark.parametrize("number", [int, np.int64, np.uint8, np.array], ids=lambda kind: kind.__name__)
def test_an_action_is_any_whole_number(number):
    env = dominion_v0.raw_env(**FIRST_GAME)
    env.reset(seed=0)
    env.step(number(0))
    assert env._batch.turns.sum() == 2  # passing has ended a turn


def test_what_users_write_into_what_they_were_given_lasts_no_longer_than_the_step():
    env = dominion_v0.raw_env(num_players=3, **FIRST_GAME)
    env.reset(seed=0)
    waiting = [agent for agent in env.agents if agent != env.agent_selection][-1]
    acting = env.agent_selection
    env.observe(waiting)["action_mask"][:] = 1
    env.infos[waiting]["mine"] = 1
    env.rewards[waiting] = env._cumulative_rewards[acting] = 5.0
    env.step(0)
    assert not env.observe(waiting)["action_mask"].any()
    assert "mine" not in env.infos[waiting]
    assert set(env.rewards.values()) == {0.0}
    assert env._cumulative_rewards[acting] == 0.0


def test_infos_of_the_parallel_environment_stay_as_they_were_given_out():
    env = dominion_v0.parallel_env(num_players=3, auto_treasures=True)
    env.reset(seed=4)
    active = []
    for _ in range(6):
        *_, infos = env.step(dict.fromkeys(env.agents, 0))
        active.append((infos, {agent: info["action_mask"].tolist() for agent, info in infos.items()}))
    for given, as_it_was in active:
        assert {agent: info["action_mask"].tolist() for agent, info in given.items()} == as_it_was


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
    assert env.infos["player_0"]["scores"].tolist() == game.scores
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


def test_the_state_is_what_all_seats_know_together():
    env = dominion_v0.env(num_players=3, observation="strict", **FIRST_GAME)
    env.reset(seed=0)
    play(env, decisions=40)
    recall = GameBatch(1, start=env.unwrapped.game.to_dict(), resume=True)
    state = env.state().reshape(3, observation_size(3))
    fields = {field.name: slice(field.start, field.start + field.size) for field in observation_fields(3)}
    for seat in range(3):
        np.testing.assert_array_equal(state[seat], recall.observe(seat)[0])
        held = env.unwrapped.game.to_dict()["players"][seat]["hand"]
        hand = state[seat, fields["my_hand"]] * 4
        assert {Card(card).title: int(hand[card]) for card in np.flatnonzero(hand)} == held
    assert env.state_space.contains(env.state())


def test_an_attack_asks_the_victims_in_the_middle_of_a_turn():
    hands = [{"Militia": 1, "Village": 1}, {"Copper": 3, "Estate": 3}, {"Copper": 2, "Gold": 2}]
    kingdom = [card.title for card in Game(**FIRST_GAME).kingdom]
    start = {"kingdom": kingdom, "num_players": 3, "players": [{"hand": hand} for hand in hands]}
    env = dominion_v0.env(start=start)
    env.reset()
    asked = []
    game = env.unwrapped.game
    for agent in env.agent_iter(7):
        masks = {other: int(env.infos[other]["action_mask"].sum()) for other in env.agents}
        assert [other for other, legal in masks.items() if legal] == [agent]
        asked.append(agent)
        wanted = [action for action in game.legal_actions() if action.startswith("play Militia")]
        game.apply((wanted or game.legal_actions())[0])
        env.step(int(game._actions[-1]))
    assert asked == ["player_0", *["player_1"] * 3, "player_2", "player_0", "player_1"]


def test_it_renders_the_view_of_who_must_act_unless_told_otherwise():
    from dominion_env.render import render

    def shown(**options):
        env = dominion_v0.env(render_mode="ansi", first_player=1, **FIRST_GAME, **options)
        env.reset(seed=0)
        return env.render(), env.unwrapped.game

    own, game = shown()
    assert own == render(game, 1, "ansi") == shown(render_seat=1)[0]
    assert shown(render_seat=0)[0] == render(game, 0, "ansi") != own
    assert shown(render_seat="all")[0] == render(game, None, "ansi") != own


def test_calls_in_the_wrong_order_are_refused():
    env = dominion_v0.raw_env(render_mode="ansi", **FIRST_GAME)

    def refused(match):
        for call in (lambda: env.step(0), lambda: env.observe("player_0"), env.last, env.state, env.render):
            with pytest.raises(WrongOrder, match=match):
                call()

    refused(r"before reset\(\) or after close\(\): reset\(\) starts a game")
    env.reset()
    env.close()
    env.close()
    refused(r"before reset\(\) or after close\(\): reset\(\) starts a game")
    env.reset(seed=0)
    play(env)
    with pytest.raises(WrongOrder, match=r"the game is over and all agents have left; reset\(\) starts the next"):
        env.step(None)
    assert env.observe("player_0")["action_mask"].all()

    wrapped = dominion_v0.env(**FIRST_GAME)
    for call in (lambda: wrapped.step(0), lambda: wrapped.observe("player_0"), wrapped.state, wrapped.render):
        with pytest.raises(AssertionError, match=r"reset\(\) needs to be called before"):
            call()


def test_unknown_agents_and_late_actions_are_refused():
    env = dominion_v0.env(num_players=3, **FIRST_GAME)
    env.reset(seed=0)
    for call in (env.observe, env.observation_space, env.action_space):
        for agent in ("player_3", 0, None):
            with pytest.raises(InvalidOption, match="agent: expected player_0, player_1, player_2, got "):
                call(agent)
    env.step(NUM_ACTIONS - 1)
    with pytest.raises(IllegalAction, match=r"expected None, as the game of player_. is over, got 0"):
        env.step(0)
    env.step(None)
    assert len(env.agents) == 2


@pytest.mark.parametrize("action", [NUM_ACTIONS, -1, 2.0, None, "pass", [1], True, 10**30])
def test_what_is_no_action_is_refused_by_the_wrapped_environment_too(action):
    env = dominion_v0.env(**FIRST_GAME)
    env.reset(seed=0)
    before = pickle.dumps(env.unwrapped)
    with pytest.raises(IllegalAction):
        env.step(action)
    assert pickle.dumps(env.unwrapped) == before


@pytest.mark.parametrize("action", [np.int8(0), np.uint64(0), np.array(0)])
def test_any_whole_number_is_an_action(action):
    env = dominion_v0.raw_env(**FIRST_GAME)
    env.reset(seed=0)
    env.step(action)


def test_nothing_that_was_handed_out_changes_later_or_is_shared():
    env = dominion_v0.parallel_env(**FIRST_GAME)
    told = [env.reset(seed=0)]
    kept = [copy.deepcopy(told[0])]
    for _ in range(40):
        observations = told[-1][0]
        actions = {agent: int(np.argmax(seen["action_mask"])) for agent, seen in observations.items()}
        told.append(env.step(actions))
        kept.append(copy.deepcopy(told[-1]))
    for then, now in zip(kept, told, strict=True):
        for agent in then[0]:
            assert data_equivalence(then[0][agent], now[0][agent], exact=True)
    arrays = [part for step in told for seen in step[0].values() for part in seen.values()]
    assert not any(np.shares_memory(one, other) for one, other in islice(combinations(arrays, 2), 4000))


def test_a_wrong_seed_is_refused():
    env = dominion_v0.env(**FIRST_GAME)
    env.reset(seed=0)
    before = pickle.dumps(env)
    for seed in ("one", 1.5, [1, 2], True):
        with pytest.raises(InvalidOption, match="seed"):
            env.reset(seed=seed)
        assert pickle.dumps(env) == before
