"""Every view tells the story that `GameBatch` tells for the same address, decision by decision."""

import hashlib

import numpy as np
import pytest

from dominion_env import NUM_ACTIONS, DominionEnv, DominionVectorEnv, Game, GameBatch, dominion_v0, make_agent
from dominion_env.views.learner import LearnerBatch

SEED, EPISODES = 11, 2
SETTINGS = [
    {"kingdom": "random", "num_players": 2, "auto_treasures": True},
    {"kingdom": "interaction-1e", "num_players": 3, "max_turns": 30},
    {"kingdom": "train", "num_players": 6, "auto_treasures": True, "max_turns": 8, "observation": "strict"},
]

pytestmark = pytest.mark.compiled


def pick(mask, step):
    """Return a legal action that depends only on the mask and the number of the decision."""
    legal = np.flatnonzero(mask)
    return int(legal[(step * 0x9E3779B1 >> 15) % len(legal)])


class Chronicle(list):
    """The story of a game: at each decision the seat, its observation and action; at the end the results and views of all."""

    def decision(self, seat, observation, action):
        self.append((int(seat), hashlib.sha256(np.ascontiguousarray(observation)).hexdigest(), int(action)))

    def end(self, rewards, terminated, observation):
        seen = hashlib.sha256(np.ascontiguousarray(observation)).hexdigest()
        self.append((np.asarray(rewards, np.float32).tolist(), bool(terminated), seen))

    def next_action(self, mask):
        return pick(mask, len(self))


def by_game_batch(options):
    batch, told = GameBatch(3, seed=[SEED - 1, SEED, 0], autoreset=False, **options), Chronicle()
    for episode in range(EPISODES):
        if episode:
            batch.reset(mask=np.array([False, True, False]))
        over = False
        while not over:
            actions = batch.sample_actions().copy()
            actions[batch.state["over"] == 1] = 0
            actions[1] = told.next_action(batch.action_mask[1])
            seat = int(batch.current_player[1])
            told.decision(seat, batch.observe()[1], actions[1])
            rewards, terminated, truncated = batch.step(actions)
            over = terminated[1] or truncated[1]
        told.end(rewards[1], terminated[1], batch.observe(seat)[1])
    return told


def by_game(options):
    told = Chronicle()
    for episode in range(EPISODES):
        game = Game(seed=SEED, episode=episode, **options)
        while not game.is_over:
            seat = game.current_player
            action = told.next_action(np.isin(np.arange(NUM_ACTIONS), game._batch.action_mask[0].nonzero()[0]))
            told.decision(seat, game.observe(), action)
            game.apply(action)
        winners, seats = game.winners, range(game.num_players)
        losers = len(seats) - len(winners)
        share = [losers / len(winners) if seat in winners else -1 for seat in seats] if winners else [0 for _ in seats]
        paid = [part / (len(seats) - 1) for part in share]
        told.end(paid, bool(winners), game.observe(seat))
    return told


def by_aec(options, wrap=dominion_v0.env):
    env, told = wrap(**options), Chronicle()
    for episode in range(EPISODES):
        env.reset(seed=None if episode else SEED)
        for agent in env.agent_iter():
            observation, _, terminated, truncated, info = env.last()
            if terminated or truncated:
                break
            seat = env.possible_agents.index(agent)
            action = told.next_action(info["action_mask"])
            told.decision(seat, observation["observation"], action)
            env.step(action)
        last = env.observe(env.possible_agents[seat])["observation"]
        told.end([env.rewards[agent] for agent in env.possible_agents], terminated, last)
    return told


def by_raw_aec(options):
    return by_aec(options, dominion_v0.raw_env)


def by_parallel(options):
    env, told = dominion_v0.parallel_env(**options), Chronicle()
    for episode in range(EPISODES):
        observations, _ = env.reset(seed=None if episode else SEED)
        while env.agents:
            seat, agent = next((s, a) for s, a in enumerate(env.agents) if observations[a]["action_mask"].any())
            action = told.next_action(observations[agent]["action_mask"])
            told.decision(seat, observations[agent]["observation"], action)
            idle = dict.fromkeys(env.agents, 0)
            observations, rewards, terminations, _, _ = env.step(idle | {agent: action})
        told.end(list(rewards.values()), terminations[agent], observations[agent]["observation"])
    return told


def by_gymnasium(options):
    env, told = DominionEnv(opponents=None, illegal="raise", **options), Chronicle()
    for episode in range(EPISODES):
        observation, info = env.reset(seed=None if episode else SEED)
        over = False
        while not over:
            seat, action = info["seat"], told.next_action(info["action_mask"])
            told.decision(seat, observation, action)
            observation, reward, terminated, truncated, info = env.step(action)
            over = terminated or truncated
        assert info["seat"] == seat
        assert reward == info["rewards"][seat]
        told.end(info["rewards"], terminated, observation)
    return told


def by_vector(options, mode):
    envs, told = DominionVectorEnv(3, opponents=None, autoreset_mode=mode, **options), Chronicle()
    observations, infos = envs.reset(seed=SEED - 1)  # row 1 is the game
    finished = 0
    while finished < EPISODES:
        actions = envs.sample_actions()
        actions[1] = told.next_action(infos["action_mask"][1])
        seat = infos["seat"][1]
        told.decision(seat, observations[1], actions[1])
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        done = terminations | truncations
        if done[1]:
            finished += 1
            end = infos["final_info"] if mode == "SameStep" else infos
            seen = infos["final_obs"][1] if mode == "SameStep" else observations[1]
            assert end["seat"][1] == seat
            assert rewards[1] == end["rewards"][1, seat]
            told.end(end["rewards"][1], terminations[1], seen)
            if mode == "NextStep":
                observations, _, _, _, infos = envs.step(envs.sample_actions())
                done[:] = False
        if mode == "Disabled" and done.any():
            observations, infos = envs.reset(options={"reset_mask": done})
    return told


def by_vector_next_step(options):
    return by_vector(options, "NextStep")


def by_vector_same_step(options):
    return by_vector(options, "SameStep")


def by_vector_disabled(options):
    return by_vector(options, "Disabled")


def by_sb3(options):
    from dominion_env.views.sb3 import SB3VecEnv

    envs, told = SB3VecEnv(3, **options), Chronicle()
    envs.seed(SEED - 1)
    observations = envs.reset()
    finished = 0
    while finished < EPISODES:
        actions = envs.games.batch.sample_actions().copy()
        actions[1] = told.next_action(envs.action_masks()[1])
        seat = envs.seats[1]
        told.decision(seat, observations[1], actions[1])
        observations, rewards, dones, infos = envs.step(actions)
        if dones[1]:
            finished += 1
            assert (infos[1]["seat"], rewards[1]) == (seat, np.float32(infos[1]["rewards"][seat]))
            told.end(infos[1]["rewards"], not infos[1]["TimeLimit.truncated"], infos[1]["terminal_observation"])
    return told


@pytest.fixture(scope="module", params=SETTINGS, ids=lambda options: f"{options['kingdom']}-{options['num_players']}")
def story(request):
    return request.param, by_game_batch(request.param)


@pytest.mark.parametrize(
    "tell",
    [
        by_game,
        by_aec,
        by_raw_aec,
        by_parallel,
        by_gymnasium,
        by_vector_next_step,
        by_vector_same_step,
        by_vector_disabled,
        pytest.param(by_sb3, id="by_sb3"),
    ],
)
def test_it_is_the_game_of_game_batch(tell, story):
    if tell is by_sb3:
        pytest.importorskip("stable_baselines3", reason="needs the extra `train`")
    options, wanted = story
    assert len(wanted) > 100
    assert tell(options) == wanted


@pytest.mark.parametrize("autoreset", [False, True])
def test_the_learners_games_too_are_those_of_game_batch(autoreset):
    """With opponents: the same as playing them by hand, decision by decision."""

    money, options = make_agent("big-money"), SETTINGS[1]
    games = LearnerBatch(1, "big-money", seat=1, autoreset=autoreset, seed=[SEED], **options)
    batch = GameBatch(1, seed=[SEED], autoreset=False, **options)
    games.reset()
    step, over = 0, False
    while not over:
        if batch.current_player[0] == 1:
            np.testing.assert_array_equal(games.observe(), batch.observe())
            action = pick(batch.action_mask[0], step)
            step += 1
            paid = games.step([action])
        else:
            action = money.act(batch.observe(), batch.action_mask, batch.policy_keys())[0]
        rewards, terminated, truncated = batch.step([action])
        over = terminated[0] or truncated[0]
    assert [part[0] for part in paid] == [rewards[0, 1], terminated[0], truncated[0]]
    np.testing.assert_array_equal(games.final_observations, batch.observe(1))
    assert games.over[0] == (not autoreset)
