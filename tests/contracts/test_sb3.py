"""SB3's view: what the learner gets is what its seat saw and earned, game for game."""

import pickle

import numpy as np
import pytest

from dominion_env import make_agent

pytest.importorskip("sb3_contrib", reason="needs the extra `train`")

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import VecMonitor

from dominion_env import (
    KINGDOMS,
    NUM_ACTIONS,
    PASS,
    DominionEnv,
    GameBatch,
    IllegalAction,
    InvalidOption,
    WrongOrder,
    action_id,
)
from dominion_env.views.sb3 import SB3VecEnv

FIRST_GAME = {"kingdom": "first-game-2e", "auto_treasures": True}


class Passing:
    """Never does anything that it need not."""

    def act(self, observations, action_masks, keys):
        return np.argmax(action_masks, axis=1)


def first_legal(masks):
    return np.argmax(masks, axis=1)


def pick(masks, step):
    """Some legal action per row, depending on nothing but the row and the number of the step."""
    return np.array([np.flatnonzero(mask)[step * 7919 % mask.sum()] for mask in masks])


def one_game(seed, episode, seat, opponents, choose, **options):
    """Play a learner's game in the plainest way: one game, one decision after the other.

    Returns what the learner saw at each decision and at the end, its reward, and how many decisions it had.
    """
    batch = GameBatch(1, seed=[seed], episode=episode, autoreset=False, **options)
    seen = []
    while True:
        if batch.current_player[0] == seat:
            seen.append(batch.observe(seat)[0].copy())
            action = choose(batch.action_mask, len(seen) - 1)
        else:
            action = opponents[batch.current_player[0]].act(batch.observe(), batch.action_mask, batch.policy_keys())
        rewards, terminated, truncated = batch.step(action)
        if terminated[0] or truncated[0]:
            return seen, batch.observe(seat)[0].copy(), rewards[0, seat], bool(truncated[0])


@pytest.mark.parametrize(
    ("opponent", "num_players"),
    [
        ("big-money", 2),
        pytest.param("big-money", 3, marks=pytest.mark.compiled),
        pytest.param("random", 2, marks=pytest.mark.compiled),
        pytest.param("random", 3, marks=pytest.mark.compiled),
    ],
)
def test_each_row_tells_the_story_of_its_learners_seat(opponent, num_players):
    options = FIRST_GAME | {"num_players": num_players, "max_turns": 40}
    options |= {"reward": "lead"}
    env = SB3VecEnv(4, opponents=opponent, seat="alternate", seed=10, **options)
    everybody = [make_agent(opponent)] * num_players
    observations = env.reset()
    seen = [[] for _ in range(4)]
    episodes = [0] * 4
    while min(episodes) < 2:
        for row in range(4):
            seen[row].append(observations[row])
        actions = np.array([pick(env.action_masks()[row : row + 1], len(seen[row]) - 1)[0] for row in range(4)])
        observations, rewards, dones, infos = env.step(actions)
        for row in range(4):
            if not dones[row]:
                assert rewards[row] == 0
                assert infos[row]["ended"] == infos[row]["is_success"] == infos[row]["scores"].any() == 0
                continue
            seat = episodes[row] % num_players
            told = one_game(10 + row, episodes[row], seat, everybody, pick, **options)
            np.testing.assert_array_equal(seen[row], told[0])
            np.testing.assert_array_equal(infos[row]["terminal_observation"], told[1])
            assert rewards[row] == told[2]
            assert infos[row]["TimeLimit.truncated"] == told[3]
            assert infos[row]["seat"] == seat
            seen[row] = []
            episodes[row] += 1


def test_the_losers_minus_one_arrives_although_the_game_ended_in_the_opponents_turn():
    env = SB3VecEnv(8, opponents="big-money", reward="result", **FIRST_GAME)
    env.reset()
    losses = 0
    while losses < 16:
        _, rewards, dones, infos = env.step(first_legal(env.action_masks()))
        assert (rewards[dones] == -1).all()
        for row in np.flatnonzero(dones):
            # Only Big Money buys, so the game ended when it took the last Province: not at a decision of the learner.
            assert infos[row]["winners"].tolist() == [False, True]
            assert infos[row]["rewards"].tolist() == [-1.0, 1.0]
            assert infos[row]["is_success"] == 0.0
            losses += 1


def test_the_winners_plus_one_arrives():
    money = make_agent("big-money")
    env = SB3VecEnv(8, opponents=Passing(), seat="random", reward="result", **FIRST_GAME)
    observations = env.reset()
    wins = 0
    while wins < 16:
        actions = money.act(observations, env.action_masks(), np.zeros(8, dtype=np.uint64))
        observations, rewards, dones, infos = env.step(actions)
        assert (rewards[dones] == 1).all()
        for row in np.flatnonzero(dones):
            assert np.flatnonzero(infos[row]["winners"]) == [infos[row]["seat"]]
            assert infos[row]["is_success"] == 1.0
            wins += 1


@pytest.mark.compiled
def test_a_rows_games_do_not_depend_on_the_other_rows():
    alone = SB3VecEnv(1, opponents="random", seat="random", seed=7, **FIRST_GAME)
    among = SB3VecEnv(5, opponents="random", seat="random", seed=3, **FIRST_GAME)
    one, five = alone.reset(), among.reset()
    for step in range(300):
        np.testing.assert_array_equal(one[0], five[4])
        chosen, others = pick(alone.action_masks(), step), pick(among.action_masks(), step + 1)
        others[4] = chosen[0]
        one, reward, done, _ = alone.step(chosen)
        five, rewards, dones, _ = among.step(others)
        assert (reward[0], done[0]) == (rewards[4], dones[4])


@pytest.mark.compiled
def test_opponents_and_seats_are_drawn_from_the_address():
    class Counting(Passing):
        calls = 0

        def act(self, observations, action_masks, keys):
            self.calls += len(keys)
            return super().act(observations, action_masks, keys)

    counts = []
    for _ in range(2):
        pool = [Counting(), make_agent("big-money"), Counting()]
        env = SB3VecEnv(32, opponents=pool, seat="random", seed=0, **FIRST_GAME)
        env.reset()
        seats = [env.seats.copy()]
        for _ in range(60):
            env.step(first_legal(env.action_masks()))
            seats.append(env.seats.copy())
        counts.append((pool[0].calls, pool[2].calls, np.array(seats).tobytes()))
    assert counts[0] == counts[1]
    assert counts[0][0] > 0
    assert counts[0][1] > 0
    assert set(np.frombuffer(counts[0][2], dtype=np.int64)) == {0, 1}


def test_without_opponents_every_row_is_the_seat_that_must_decide():
    env = SB3VecEnv(4, seed=0, **FIRST_GAME)
    batch = GameBatch(4, seed=[0, 1, 2, 3], **FIRST_GAME)
    observations = env.reset()
    for _ in range(200):
        np.testing.assert_array_equal(env.seats, batch.current_player)
        np.testing.assert_array_equal(observations, batch.observe())
        np.testing.assert_array_equal(env.action_masks(), batch.action_mask)
        actions, deciders = batch.sample_actions().copy(), batch.current_player.copy()
        all_rewards, terminated, truncated = (array.copy() for array in batch.step(actions))
        observations, rewards, dones, infos = env.step(actions)
        np.testing.assert_array_equal(dones, terminated | truncated)
        for row in np.flatnonzero(dones):
            assert rewards[row] == all_rewards[row, deciders[row]]
            assert infos[row]["rewards"].tolist() == all_rewards[row].tolist()
            np.testing.assert_array_equal(
                infos[row]["terminal_observation"], batch.final.observe(int(deciders[row]))[row]
            )


def test_a_solitaire_game_needs_no_opponent():
    env = SB3VecEnv(2, num_players=1, max_turns=3, **FIRST_GAME)
    env.reset()
    for _ in range(20):
        _, _, dones, infos = env.step(first_legal(env.action_masks()))
        for row in np.flatnonzero(dones):
            assert infos[row]["TimeLimit.truncated"]


def test_a_game_cut_at_the_turn_limit_is_marked_for_bootstrapping():
    env = SB3VecEnv(2, opponents=Passing(), max_turns=5, **FIRST_GAME)
    env.reset()
    cut = 0
    while cut < 4:
        _, rewards, dones, infos = env.step(first_legal(env.action_masks()))
        for row in np.flatnonzero(dones):
            assert infos[row]["TimeLimit.truncated"]
            assert not infos[row]["winners"].any()
            assert rewards[row] == 0
            cut += 1


def test_masks_reach_maskable_ppo_straight_from_the_core():
    env = VecMonitor(SB3VecEnv(3, opponents="random", **FIRST_GAME))
    env.reset()
    assert is_masking_supported(env)
    masks = get_action_masks(env)
    np.testing.assert_array_equal(masks, env.unwrapped.games.batch.action_mask)
    assert masks.dtype == np.bool_
    assert masks.shape == (3, NUM_ACTIONS)
    assert (masks.sum(axis=1) >= 2).all()
    assert len(env.env_method("action_masks", indices=[0, 2])) == 2
    assert len(env.env_method("action_masks", indices=1)) == 1


def test_a_game_that_ended_by_the_rules_is_not_truncated_and_its_reward_lasts():
    players = [{"discard": {"Duchy": 1}, "turns": 1}, {"turns": 1}]
    players[0]["hand"] = {"Moat": 1}  # so that the turn has two decisions
    env = SB3VecEnv(1, start={"kingdom": "first-game-2e", "supply": {"Province": 0}, "players": players})
    env.reset()
    env.step([PASS])
    _, rewards, dones, infos = env.step([PASS])
    assert dones.tolist() == [True]
    assert not infos[0]["TimeLimit.truncated"]
    env.step([PASS])
    assert rewards.tolist() == [1.0]


def test_returned_arrays_are_the_callers():
    env = SB3VecEnv(2, opponents="random", max_turns=3, **FIRST_GAME)
    told = [env.reset(), env.action_masks()]
    kept, ends = [array.copy() for array in told], 0
    for _ in range(50):
        observations, rewards, dones, infos = env.step(first_legal(env.action_masks()))
        last = [info["terminal_observation"] for info in infos if info["ended"]]
        told += [observations, rewards, dones, env.action_masks(), *last]
        kept += [array.copy() for array in told[len(kept) :]]
        ends += len(last)
    assert ends > 4
    for array, then in zip(told, kept, strict=True):
        np.testing.assert_array_equal(array, then)


def test_seeds_set_by_sb3_start_those_games_at_the_next_reset_only():
    env = SB3VecEnv(3, opponents="random", seed=20, **FIRST_GAME)
    start = env.reset()
    again = env.reset()
    assert not np.array_equal(start, again)
    assert list(env.seed(20)) == [20, 21, 22]
    np.testing.assert_array_equal(env.reset(), start)
    np.testing.assert_array_equal(env.reset(), again)


def test_an_illegal_action_raises_and_moves_no_game():
    env = SB3VecEnv(3, opponents="random", **FIRST_GAME)
    env.reset()
    before = pickle.dumps(env.games.batch.state)
    for wrong in (np.full(3, NUM_ACTIONS - 1), np.array([PASS, PASS]), np.zeros(3)):
        with pytest.raises(IllegalAction):
            env.step(wrong)
    assert pickle.dumps(env.games.batch.state) == before


def test_a_pickled_environment_goes_on_alike():
    env = SB3VecEnv(4, opponents=["random", "big-money"], seat="random", **FIRST_GAME)
    env.reset()
    for step in range(25):
        env.step(pick(env.action_masks(), step))
    twin = pickle.loads(pickle.dumps(env))
    for step in range(100):
        masks = env.action_masks()
        np.testing.assert_array_equal(masks, twin.action_masks())
        actions = pick(masks, step)
        for ours, theirs in zip(env.step(actions)[:3], twin.step(actions)[:3], strict=True):
            np.testing.assert_array_equal(ours, theirs)


def test_games_that_end_before_the_learner_is_asked_are_passed_over(monkeypatch):
    monkeypatch.setattr("dominion_env.views.learner.MAX_GAMES_WITHOUT_DECISION", 20)
    start = {
        "kingdom": [card.title for card in KINGDOMS["first-game-2e"]],
        "num_players": 2,
        "turn_player": 1,
        "phase": "buy",
        "coins": 8,
        "supply": {"Province": 1},
        "players": [{"deck_bag": {"Copper": 9}}, {"deck_bag": {"Copper": 9}}],
    }
    env = SB3VecEnv(2, opponents="big-money", seat=0, start=start, **FIRST_GAME)
    with pytest.raises(InvalidOption, match="never decides"):
        env.reset()
    # If the learner has the turn in some of the episodes, only these are told.
    env = SB3VecEnv(4, opponents="big-money", seat="random", reward="result", start=start, **FIRST_GAME)
    env.reset()
    for _ in range(20):
        assert (env.seats == 1).all()
        _, rewards, dones, infos = env.step(np.full(4, action_id("buy Province")))
        assert dones.all()
        assert (rewards == 1).all()
        assert all(info["seat"] == 1 for info in infos)


def test_attributes_of_rows():
    env = SB3VecEnv(3, opponents="random", seat="alternate", **FIRST_GAME)
    env.reset()
    assert env.get_attr("render_mode") == [None] * 3
    assert env.get_attr("seats", indices=[1, 2]) == [0, 0]
    assert env.env_is_wrapped(VecMonitor) == [False] * 3
    for call in (
        lambda: env.get_attr("nothing"),
        lambda: env.set_attr("seats", 1),
        lambda: env.env_method("nothing"),
    ):
        with pytest.raises(AttributeError):
            call()
    assert not env.has_attr("nothing")
    env.close()
    env.close()


def test_calls_in_the_wrong_order_are_refused():
    env = SB3VecEnv(2, opponents="random", **FIRST_GAME)
    with pytest.raises(WrongOrder, match=r"step\(\) before reset\(\)"):
        env.step(np.zeros(2, int))
    env.reset()
    env.close()
    for call in (env.reset, lambda: env.step(np.zeros(2, int))):
        with pytest.raises(WrongOrder, match=r"after close\(\): make a new environment"):
            call()


@pytest.mark.parametrize("num_players", [2, *(pytest.param(n, marks=pytest.mark.compiled) for n in (3, 4, 5, 6))])
def test_any_number_of_players_and_every_reward_arrives(num_players):
    env = SB3VecEnv(3, "big-money", "random", reward="result", num_players=num_players, **FIRST_GAME)
    env.reset()
    ended = 0
    while ended < 4:
        _, rewards, dones, infos = env.step(first_legal(env.action_masks()))
        for row in np.flatnonzero(dones):
            seat = infos[row]["seat"]
            assert not infos[row]["winners"][seat]
            assert rewards[row] == np.float32(infos[row]["rewards"][seat]) == np.float32(-1 / (num_players - 1))
            ended += 1


def test_pictures_of_all_games_for_videos():
    from dominion_env.render import render

    env = VecMonitor(SB3VecEnv(2, opponents="random", seat="alternate", render_mode="rgb_array", **FIRST_GAME))
    env.reset()
    row = env.unwrapped.games.logs.game(0)
    first = env.get_images()[0]
    np.testing.assert_array_equal(first, render(row, 0, "rgb_array"))
    assert env.render().shape == (2 * first.shape[0], first.shape[1], 3)
    assert env.render_mode == "rgb_array"


@pytest.mark.slow
@pytest.mark.compiled
def test_maskable_ppo_trains_saves_loads_resumes_and_is_evaluated(tmp_path):
    env = VecMonitor(SB3VecEnv(8, opponents="random", seat="random", max_turns=15, **FIRST_GAME))
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=64, n_epochs=1, device="cpu", seed=0)
    model.learn(4096)
    assert len(model.ep_info_buffer) > 0
    assert all(-1 <= episode["r"] <= 1 for episode in model.ep_info_buffer)
    assert set(model.ep_success_buffer) <= {0.0, 0.5, 1.0}
    model.save(tmp_path / "model.zip")

    loaded = MaskablePPO.load(tmp_path / "model.zip", env=env, device="cpu")
    observations = env.reset()
    before = model.predict(observations, action_masks=env.action_masks(), deterministic=True)[0]
    after = loaded.predict(observations, action_masks=env.action_masks(), deterministic=True)[0]
    np.testing.assert_array_equal(before, after)
    loaded.learn(512, reset_num_timesteps=False)
    assert loaded.num_timesteps == model.num_timesteps + 512

    rewards, lengths = evaluate_policy(loaded, env, n_eval_episodes=8, return_episode_rewards=True)
    assert len(rewards) == len(lengths) == 8
    assert all(-1 <= reward <= 1 for reward in rewards)
    assert min(lengths) > 10


@pytest.mark.compiled
def test_maskable_ppo_learns_from_the_single_environment_too():
    env = DominionEnv(opponents="random", max_turns=5, **FIRST_GAME)
    model = MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=64, n_epochs=1, device="cpu", seed=0)
    model.learn(128)
    assert model.ep_info_buffer[0]["r"] == 0  # cut short: an illegal action would have cost 1
    assert evaluate_policy(model, model.get_env(), n_eval_episodes=2)[0] == 0


def test_the_old_name_of_the_environment_that_pays_the_lead_warns_and_works():
    from dominion_training.rewards import LeadEnv

    with pytest.warns(DeprecationWarning, match="SB3VecEnv"):
        env = LeadEnv(2, opponents="big-money", seed=0, **FIRST_GAME)
    env.reset()
    dones = np.zeros(2, bool)
    while not dones.any():
        _, rewards, dones, infos = env.step(first_legal(env.action_masks()))
    row = int(dones.argmax())
    mine, theirs = infos[row]["scores"]
    assert rewards[row] == np.float32(-0.5 + (mine - theirs) / 50)
