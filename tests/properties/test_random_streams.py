"""Each seat has its own luck; drawing for agents changes nothing; forks and other worlds have fresh luck."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dominion_env import Game, GameBatch, InvalidOption
from tests.rules import uniform

from . import GAMES, bits, game_name, play, sized


def test_looking_and_sampling_change_nothing() -> None:
    for options in GAMES:
        batch = GameBatch(3, seed=1, **options)
        for step in play(batch, 20):
            if step % 5:
                continue
            before = bits(batch.state)
            first = batch.sample_actions().copy(), batch.policy_keys().copy()
            batch.observe(), batch.observe(0), batch.to_dict(0), batch.scores, batch.clone().step(first[0])
            assert np.array_equal(batch.sample_actions(), first[0])
            assert np.array_equal(batch.policy_keys(), first[1])
            assert bits(batch.state) == before


@pytest.mark.parametrize("options", GAMES[1:], ids=game_name)
def test_what_is_sampled_depends_on_address_seat_and_number_of_decisions_alone(options: dict[str, Any]) -> None:
    """The n-th decision of a seat has the same key whatever was decided before, by this seat or others."""
    one, other = GameBatch(4, seed=2, **options), GameBatch(4, seed=2, **options)
    keys: dict[tuple[int, int, int], int] = {}
    for batch, seed in ((one, 1), (other, 2)):
        for _ in play(batch, 30, seed=seed):
            seats = batch.current_player
            for row, key in enumerate(batch.policy_keys()):
                episode, count = int(batch.state["episode"][row]), int(batch.state["decisions"][row, seats[row]])
                if episode == 0:
                    assert keys.setdefault((row, int(seats[row]), count), int(key)) == key
    assert len(set(keys.values())) == len(keys)


def test_samples_are_legal_and_spread_evenly_over_the_legal_actions() -> None:
    hand = {"Cellar": 1, "Market": 2, "Moat": 1, "Smithy": 1, "Workshop": 1}
    batch = GameBatch(sized(2000), seed=3, start={"kingdom": "first-game-2e", "players": [{"hand": hand}, {}]})
    actions = batch.sample_actions()
    assert batch.action_mask[np.arange(len(batch)), actions].all()
    legal = np.flatnonzero(batch.action_mask[0])
    assert len(legal) == 6
    assert uniform([(actions == action).sum() for action in legal])


@pytest.mark.parametrize("players", [2, 3])
def test_a_seats_luck_does_not_depend_on_what_others_do(players: int) -> None:
    """A seat that ends every turn at once draws the same hands, whether the others buy or not."""
    hands = []
    for others in ("pass", "buy Copper"):
        game = Game(num_players=players, seed=4, first_player=0, auto_treasures=True, ask_forced=True)
        seen = []
        for _ in range(80):
            mine = game.current_player == 1
            if mine and game.phase == "action":
                seen.append(game.to_dict()["players"][1]["hand"])
            buys = game.phase == "buy" and game.buys > 0
            game.apply(others if not mine and buys and others in game.legal_actions() else "pass")
        hands.append(seen)
    shortest = min(map(len, hands))
    assert shortest > 5
    assert hands[0][:shortest] == hands[1][:shortest]


def test_streams_of_seats_and_addresses_are_all_different() -> None:
    batch = GameBatch(sized(300), num_players=6, seed=5)
    assert len(np.unique(batch.state["streams"])) == batch.state["streams"].size


def test_copies_of_a_fork_stand_at_the_same_point_with_luck_of_their_own() -> None:
    for options in GAMES:
        batch = GameBatch(3, seed=6, record=True, **options)
        for _ in play(batch, 25):
            pass
        before = bits(batch.state)
        fork = batch.fork(1, copies=5, seed=77)
        assert bits(batch.state) == before
        assert len(fork) == 5
        assert len(np.unique(fork.state["streams"][:, 0])) == 5
        alike = [name for name in fork.state.dtype.names if name not in _LUCK and not name.startswith("log_")]
        for name in alike:
            assert (fork.state[name] == batch.state[name][1]).all(), name
        seats = range(batch.num_players)
        assert all((fork.observe(seat) == batch.observe(seat)[1]).all() for seat in seats)
        again = batch.fork(1, copies=2, seed=77)
        assert bits(again.state) == bits(fork.state[:2]), "copy i has the luck of (seed, i)"
        other = batch.fork(1, copies=5, seed=78)
        assert not np.intersect1d(other.state["streams"], fork.state["streams"]).size
        assert len(np.unique(fork.policy_keys())) == 5


_LUCK = {"seed", "index", "key", "streams", "setup_stream"}


def test_copies_of_a_fork_draw_differently() -> None:
    batch = GameBatch(1, seed=7)
    fork = batch.fork(0, copies=20, seed=1)
    turn = fork.state["turn_player"].copy()
    while (fork.state["turn_player"] == turn).any():
        fork.step(np.zeros(20, np.int64))
    fork.step(np.zeros(20, np.int64))
    fork.step(np.zeros(20, np.int64))
    assert len({hand.tobytes() for hand in fork.state["hand"].copy()}) > 1


def test_a_fork_keeps_the_options_and_the_last_result() -> None:
    batch = GameBatch(2, num_players=3, seed=8, max_turns=2, reward="points", illegal="lose", observation="strict")
    for _ in play(batch, 60):
        pass
    fork = batch.fork(0, copies=3, seed=0)
    assert (fork.final.scores == batch.final.scores[0]).all()
    assert (fork.final.ended == batch.final.ended[0]).all()
    assert fork.illegal == "lose"
    assert np.array_equal(fork.observe()[0], batch.observe()[0])
    rewards, *_ = fork.step(np.full(3, 1))  # nobody is asked about a Chancellor here
    assert (rewards[np.arange(3), batch.current_player[0]] == -1).all()


@pytest.mark.parametrize(("index", "copies"), [(2, 1), (-1, 1), (0, 0), (0, -3), ("0", 1), (0, 1.5), (True, 1)])
def test_a_fork_of_no_game_or_no_copies_is_refused(index: Any, copies: Any) -> None:
    batch = GameBatch(2)
    before = bits(batch.state)
    with pytest.raises(InvalidOption):
        batch.fork(index, copies, 0)
    assert bits(batch.state) == before
