"""Unseeded environments deal different games, and every view tells the address that deals its game again."""

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import SyncVectorEnv

from dominion_env import DominionEnv, DominionVectorEnv, Game, GameBatch, InvalidOption, dominion_v0

OPTIONS = {"kingdom": "random", "auto_treasures": True}


def sb3_view():
    pytest.importorskip("stable_baselines3", reason="needs the extra `train`")
    from dominion_env import SB3VecEnv

    return SB3VecEnv


def dealt(game):
    """Return what tells one deal from another: the drawn kingdom, who begins, and all hands."""
    position = game.to_dict()
    return repr((position["kingdom"], position["turn_player"], [player["hand"] for player in position["players"]]))


def game_of(view):
    """Return the first game of a view of single games, started without a seed."""
    view.reset()
    return view.unwrapped.game


SINGLE = {
    "DominionEnv": lambda **options: DominionEnv(**OPTIONS, **options),
    "gymnasium.make": lambda **options: gymnasium.make("Dominion-v0", **OPTIONS, **options),
    "env": lambda **options: dominion_v0.env(**OPTIONS, **options),
    "raw_env": lambda **options: dominion_v0.raw_env(**OPTIONS, **options),
    "parallel_env": lambda **options: dominion_v0.parallel_env(**OPTIONS, **options),
}


@pytest.mark.parametrize("view", SINGLE)
def test_eight_unseeded_environments_deal_eight_games(view):
    assert len({dealt(game_of(SINGLE[view]())) for _ in range(8)}) == 8


@pytest.mark.parametrize("view", SINGLE)
def test_the_address_that_is_read_back_deals_the_game_again(view):
    env = SINGLE[view]()
    for _ in range(3):  # the next episodes too
        game = game_of(env)
        address = env.unwrapped.address
        again = SINGLE[view](**address)
        assert dealt(game_of(again)) == dealt(game)
        assert again.unwrapped.address == address == game.address


@pytest.mark.parametrize("view", SINGLE)
def test_a_seed_given_to_reset_is_the_game_as_before(view):
    env = SINGLE[view]()
    env.reset(seed=5)
    assert env.unwrapped.address == {"seed": 5, "index": 0, "episode": 0}
    assert dealt(env.unwrapped.game) == dealt(Game(**OPTIONS, seed=5))
    env.reset()
    assert env.unwrapped.address == {"seed": 5, "index": 0, "episode": 1}


def test_gymnasiums_vector_environment_of_unseeded_ones_deals_different_games():
    envs = SyncVectorEnv([lambda: gymnasium.make("Dominion-v0", **OPTIONS)] * 8)
    envs.reset()
    assert len({dealt(game) for game in envs.get_attr("game")}) == 8


def test_stable_baselines_vector_environment_of_unseeded_ones_deals_different_games():
    sb3_view()
    from stable_baselines3.common.vec_env import DummyVecEnv

    envs = DummyVecEnv([SINGLE["gymnasium.make"]] * 8)
    envs.reset()
    assert len({dealt(env.unwrapped.game) for env in envs.envs}) == 8


def test_views_of_many_games_deal_different_ones_and_tell_their_addresses():
    views = [
        DominionVectorEnv(4, **OPTIONS),
        DominionVectorEnv(4, **OPTIONS),
        *(sb3_view()(4, **OPTIONS) for _ in "ab"),
    ]
    for view in views:
        view.reset()
    addresses = [tuple(address.values()) for view in views for address in view.addresses]
    assert len(set(addresses)) == 16
    assert len({dealt(view.games.logs.game(row)) for view in views for row in range(4)}) == 16
    for view in views:
        assert list(view.get_attr("address")) == list(view.addresses)
        first = view.addresses[0]["seed"]
        assert [address["seed"] for address in view.addresses] == [first + row for row in range(4)]
        again = type(view)(4, seed=first, **OPTIONS)
        again.reset()
        assert again.addresses == view.addresses
        assert dealt(again.games.logs.game(3)) == dealt(view.games.logs.game(3))


def test_a_batch_and_a_game_keep_seed_zero_and_take_none():
    assert GameBatch(2).state["seed"].tolist() == [0, 0]
    assert Game().address == {"seed": 0, "index": 0, "episode": 0}
    seeds = {int(GameBatch(2, seed=None).state["seed"][0]) for _ in range(8)} | {
        Game(seed=None).address["seed"] for _ in range(8)
    }
    assert len(seeds) == 16
    batch = GameBatch(3, seed=None)
    again = GameBatch(3, seed=int(batch.state["seed"][0]))
    assert batch.state.tobytes() == again.state.tobytes()


def test_a_game_with_a_drawn_seed_can_be_replayed():
    game = Game(seed=None, auto_treasures=True)
    game.apply("pass")
    again = Game.from_replay(game.replay())
    assert again.to_dict() == game.to_dict()


@pytest.mark.parametrize("seed", [-1, 1 << 64, True, 1.0, "one", np.float32(2), np.array(1.5), np.array(True)])
def test_every_view_refuses_the_same_seeds(seed):
    resets = [view().reset for view in SINGLE.values()]
    resets.append(DominionVectorEnv(2, **OPTIONS).reset)
    resets.append(sb3_view()(2, **OPTIONS).seed)
    for reset in resets:
        with pytest.raises(InvalidOption, match=r"seed: expected a whole number from 0 to 2[*][*]64 - 1, got"):
            reset(seed=seed)


@pytest.mark.parametrize("seed", [0, np.int64(3), np.array(3), np.array(5, np.uint8), (1 << 64) - 1])
def test_every_view_takes_the_same_seeds(seed):
    for view in SINGLE.values():
        env = view()
        env.reset(seed=seed)
        assert env.unwrapped.address["seed"] == seed
        assert type(env.unwrapped.address["seed"]) is int
        assert view(seed=seed).unwrapped.address["seed"] == seed
    assert Game(seed=seed).address["seed"] == GameBatch(1, seed=seed).state["seed"][0] == seed
    envs = DominionVectorEnv(1, **OPTIONS)
    envs.reset(seed=seed)
    vec = sb3_view()(1, **OPTIONS)
    vec.seed(seed)
    vec.reset()
    assert envs.addresses[0]["seed"] == vec.addresses[0]["seed"] == seed
