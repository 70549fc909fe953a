"""Worlds depend on what the seat that is asked knows and on their address alone, and hold nothing else of the game."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from dominion_env import GameBatch, InvalidOption
from dominion_env.rules.record.state import ALL, LOOKED_AT, NOBODY

from . import bits, dealt_again, play, sized, strange_positions
from .test_knowledge_redeal import KINDS, check_deal, name_of


def in_mid_game(**options: Any) -> GameBatch:
    batch = GameBatch(max(5, sized(20)), seed=51, autoreset=False, **options)
    for _ in play(batch, sized(60), seed=3):
        pass
    return batch


def dealt_anew_in_secret(batch: GameBatch) -> GameBatch:
    """Return games that look the same to the seats that are asked, and differ in all that these can't know.

    That are the hidden cards, the luck to come, how often others were asked, and what the records hold in places where
    nothing lies.
    """
    other = batch.clone()
    rng = np.random.default_rng(5)
    states, fresh = other._states, dealt_again(batch, 99).state
    for field in ("hand", "hand_set", "bag", "bag_set", "pile", "table"):
        states[field] = fresh[field]
    for field in ("streams", "setup_stream"):
        states[field] = rng.integers(1 << 62, size=states[field].shape)
    for row in range(len(other)):
        game, asked = states[row], batch.current_player[row]
        for seat in range(other.num_players):
            unknown_order(game, seat, seat == asked, rng)
            game["decisions"][seat] += seat != asked
            game["pile"][seat, game["discard_size"][seat] : len(game["pile"][seat]) - game["top_size"][seat]] = 7
            game["table"][seat, game["play_size"][seat] : len(game["table"][seat]) - game["aside_size"][seat]] = 7
        depth = int(game["stack_size"])
        game["stack"][depth : depth + 3] = (3, 9, 1, 2, 5)
        game["only_legal"] = 99 if game["num_legal"] != 1 else game["only_legal"]
    other._finals["hand"] = 3
    other._outcomes["scores"] = 44
    return other


def contents(batch: GameBatch) -> list[bytes]:
    """Return all that a batch holds, after it has been pickled."""
    found: list[bytes] = []

    def gather(value: Any) -> None:
        if isinstance(value, tuple | list):
            for each in value:
                gather(each)
        else:
            of_records = isinstance(value, np.ndarray) and value.dtype.names
            array = value.tobytes() if isinstance(value, np.ndarray) else repr(value).encode()
            found.append(bits(value) if of_records else array)

    gather(list(pickle.loads(pickle.dumps(batch)).__getstate__().values()))
    return found


def unknown_order(game: Any, seat: int, own: bool, rng: np.random.Generator) -> None:
    """Give the cards below the top of another's discard pile another order."""
    size = int(game["discard_size"][seat])
    if not own and size > 2:
        game["pile"][seat, : size - 1] = rng.permutation(game["pile"][seat, : size - 1])


@pytest.mark.parametrize("options", KINDS, ids=name_of)
def test_games_that_look_alike_have_the_same_worlds(options: dict[str, Any]) -> None:
    batch = in_mid_game(**options)
    batch = batch.take(np.flatnonzero(~batch.state["over"].astype(bool)))
    other = dealt_anew_in_secret(batch)
    assert bits(batch.observe()) == bits(other.observe())
    assert bits(batch.state) != bits(other.state)
    rows, seeds = np.arange(len(batch)), np.arange(3, 3 + len(batch))
    assert contents(batch.worlds(rows, 3, seeds)) == contents(other.worlds(rows, 3, seeds))
    assert contents(dealt_again(batch, 8)) == contents(dealt_again(other, 8))


@pytest.mark.parametrize("players", [2, 3, 6])
def test_strange_positions_that_look_alike_have_the_same_worlds(players: int) -> None:
    start = strange_positions(players, sized(60), seed=4)
    batch = GameBatch(len(start), start=start, autoreset=False, seed=1)
    batch = batch.take(np.flatnonzero(~batch.state["over"].astype(bool)))
    other = dealt_anew_in_secret(batch)
    other._setups[0]["hand"] = 5  # what the games began from holds hidden cards, too
    rows = np.arange(len(batch))
    assert contents(batch.worlds(rows, 2, 1)) == contents(other.worlds(rows, 2, 1))


def test_a_world_has_the_worlds_of_its_game() -> None:
    batch = in_mid_game(kingdom="random")
    rows = np.arange(len(batch))
    once = batch.worlds(rows, 1, 5)
    assert bits(once.worlds(rows, 3, 7).state) == bits(batch.worlds(rows, 3, 7).state)


def test_a_world_depends_on_its_game_its_seed_and_its_number_alone() -> None:
    batch = in_mid_game(kingdom="random", episode=3)
    worlds = batch.worlds([4, 1, 4, 4], 3, [7, 8, 7, 9])
    assert len(worlds) == 12
    np.testing.assert_array_equal(worlds.state["seed"], np.repeat([7, 8, 7, 9], 3))
    np.testing.assert_array_equal(worlds.state["index"], np.tile(np.arange(3), 4))
    assert (worlds.state["episode"] == 0).all()
    row = [bits(worlds.state[at]) for at in range(12)]
    assert row[0:3] == row[6:9], "the same game with the same seed"
    assert len(set(row[0:3] + row[9:12])) == 6, "copies and seeds differ"
    assert [bits(batch.worlds([1], 2, 8).state[at]) for at in range(2)] == row[3:5]


def test_worlds_go_on_alike_and_their_luck_is_fresh() -> None:
    batch = in_mid_game(kingdom="first-game-2e")
    twice = batch.worlds([2, 2], 4, 6)
    for _ in range(50):
        actions = twice.sample_actions()
        np.testing.assert_array_equal(actions[:4], actions[4:])
        np.testing.assert_array_equal(twice.policy_keys()[:4], twice.policy_keys()[4:])
        twice.step(actions)
    worlds = batch.worlds([2], 20, 6)
    assert len(np.unique(worlds.state["streams"])) == worlds.state["streams"].size
    assert not np.intersect1d(worlds.state["streams"], batch.state["streams"]).size


@pytest.mark.parametrize("options", KINDS, ids=name_of)
def test_worlds_keep_what_the_seat_knows(options: dict[str, Any]) -> None:
    batch = in_mid_game(**options)
    rows = np.flatnonzero(~batch.state["over"].astype(bool))
    worlds = batch.worlds(rows, 2, 1)
    for seat in np.unique(batch.current_player[rows]):
        here = np.flatnonzero(batch.current_player[rows] == seat)
        check_deal(batch.take(rows[here]), worlds.take(2 * here + 1), int(seat))


def test_known_cards_of_a_discard_pile_lie_below_its_top_and_unknown_ones_below_these() -> None:
    other = {"discard": ["Gold", "Silver", "Gold", "Curse", "Copper"], "known_discard": {"Gold": 1, "Curse": 1}}
    start = {"players": [{"hand": {"Copper": 5}}, {**other, "deck_bag": {"Duchy": 3}}]}
    worlds = GameBatch(1, start=start).worlds([0], 60, 1)
    piles = worlds.state["pile"][:, 1, :5]
    assert {tuple(pile[2:]) for pile in piles.tolist()} == {(6, 2, 0)}
    assert {card for pile in piles[:, :2].tolist() for card in pile} == {1, 2, 4}


def test_the_other_seats_cards_on_a_deck_and_looked_at_alone_are_dealt() -> None:
    other = {
        "deck_top": ["Gold", "Silver"], "deck_known": ["owner", "all"], "deck_bag": {"Copper": 4},
        "revealed": ["Curse"], "revealed_known": ["owner"],
    }  # fmt: skip
    worlds = GameBatch(1, start={"players": [{"hand": {"Village": 5}}, other]}).worlds([0], 60, 1)
    top, aside = worlds.state["pile"][:, 1, -2:], worlds.state["table"][:, 1, -1]
    assert {(entry & 63, entry >> 6) for entry in top[:, 1].tolist()} == {(1, ALL)}
    assert len({entry & 63 for entry in top[:, 0].tolist()}) == 3
    assert len({entry & 63 for entry in aside.tolist()}) == 3
    assert {entry >> 6 for entry in aside.tolist()} == {LOOKED_AT}
    assert NOBODY not in {entry >> 6 for entry in top.ravel().tolist()}


# The buffers.


def test_worlds_may_be_written_over_earlier_ones() -> None:
    for start in (None, {"players": [{"hand": {"Copper": 5}}, {"deck_bag": {"Gold": 3, "Curse": 3}}]}):
        batch = GameBatch(3, seed=2, start=start)
        out = batch.worlds([0, 1], 2, 1)
        for _ in range(200):
            out.step(out.sample_actions())
        again = batch.worlds([2, 0], 2, [8, 9], out=out)
        assert again is out
        fresh = batch.worlds([2, 0], 2, [8, 9])
        assert bits(out.state) == bits(fresh.state)
        out.reset(), fresh.reset()
        assert bits(out.state) == bits(fresh.state)
        assert (out.final.ended == 0).all()
        np.testing.assert_array_equal(out.current_player, fresh.current_player)


def test_only_worlds_of_the_same_batch_are_written_over() -> None:
    batch = GameBatch(3, seed=2)
    for wrong in (batch, batch.clone(), GameBatch(2).worlds([0], 4, 1), batch.worlds([0], 3, 1), "worlds"):
        before = bits(wrong.state) if isinstance(wrong, GameBatch) else b""
        with pytest.raises(InvalidOption, match="out: expected 4 worlds that this batch has made"):
            batch.worlds([0, 1], 2, 1, out=wrong)  # type: ignore[arg-type]
        assert not before or bits(wrong.state) == before  # type: ignore[union-attr]


# Later episodes.


def test_later_episodes_of_worlds_are_games_of_their_own_addresses() -> None:
    batch = GameBatch(2, seed=2, kingdom="random")
    worlds = batch.worlds([0, 1, 0], 2, [5, 6, 5])
    worlds.reset()
    expected = GameBatch(2, seed=5, kingdom="random", episode=1)
    assert bits(worlds.state[:2]) == bits(expected.state)
    assert bits(worlds.state[4:]) == bits(expected.state)


def test_later_episodes_of_a_position_begin_from_the_world() -> None:
    start = {"players": [{"hand": {"Copper": 5}}, {"hand": {"Gold": 2}, "deck_bag": {"Curse": 3}}]}
    batch = GameBatch(1, start=start)
    worlds = batch.worlds([0], 8, 1)
    hands = worlds.state["hand"].copy()
    worlds.reset()
    np.testing.assert_array_equal(worlds.state["hand"], hands)
    assert (worlds.state["episode"] == 1).all()
    assert len(np.unique(hands[:, 1], axis=0)) > 1


def test_a_supply_that_was_given_is_that_of_later_episodes_too() -> None:
    start = [{"supply": {"Province": copies}} for copies in (3, 5)]
    worlds = GameBatch(2, start=start, seed=4).worlds([1, 0], 2, 1)
    worlds.reset()
    np.testing.assert_array_equal(worlds.state["supply"][:, 5], [5, 5, 3, 3])


def test_worlds_of_a_batch_that_records_begin_without_events() -> None:
    batch = GameBatch(2, seed=2, record=True)
    for _ in play(batch, 30, seed=1):
        pass
    worlds = batch.worlds([0, 1], 2, 1)
    assert not worlds.is_recording
    assert not any(worlds.state[name].any() for name in worlds.state.dtype.names if name.startswith("log_"))
    worlds.start_recording()
    worlds.step(worlds.sample_actions())
    assert len(worlds.events())


def test_worlds_of_a_game_that_is_over_are_over_and_tell_its_result() -> None:
    batch = GameBatch(2, seed=2, autoreset=False, max_turns=1)
    while not batch.state["over"].all():
        batch.step(np.where(batch.state["over"], 0, batch.sample_actions()))
    worlds = batch.worlds([1, 0], 2, 1)
    assert worlds.state["over"].all()
    np.testing.assert_array_equal(worlds.final.scores, np.repeat(batch.final.scores[::-1], 2, axis=0))
    _, terminated, truncated = worlds.step(np.zeros(4, np.int64))
    assert truncated.all()
    assert not terminated.any()


# What is refused; nothing changes then.

WRONG: list[tuple[dict[str, Any], str]] = [
    ({"rows": []}, "rows: expected at least one row number"),
    ({"rows": [3]}, "rows: expected 0 to 2"),
    ({"rows": [-1]}, "rows: expected 0 to 2"),
    ({"rows": [0.0]}, "rows: expected at least one row number"),
    ({"copies": 0}, "copies: expected a whole number from 1"),
    ({"copies": 1 << 40}, "copies: expected a whole number from 1 to"),
    ({"copies": True}, "copies: expected a whole number"),
    ({"seeds": [1, 2]}, r"seeds: expected a whole number or one per row \(1\)"),
    ({"seeds": None}, "seeds: expected"),
    ({"player": 2}, "player: expected a whole number from 0 to 1"),
    ({"player": 1}, "worlds: expected games in which player_1 is asked, got player_0 in game 0"),
]


@pytest.mark.parametrize(("wrong", "words"), WRONG)
def test_bad_input_is_refused_in_words(wrong: dict[str, Any], words: str) -> None:
    batch = GameBatch(3, seed=2, first_player=0)
    before = bits(batch.state)
    with pytest.raises(InvalidOption, match=words):
        batch.worlds(**{"rows": [0], "copies": 2, "seeds": 1, **wrong})
    assert bits(batch.state) == before


def test_seeds_are_one_or_one_for_each_row_of_any_whole_numbers() -> None:
    batch = GameBatch(3, seed=2)
    big = (1 << 64) - 1
    worlds: list[NDArray[Any]] = [
        batch.worlds([0, 1], 1, seeds).state for seeds in (-1, big, [big, -1], np.full(2, big, np.uint64))
    ]
    assert len({bits(each) for each in worlds}) == 1


def test_a_copy_of_a_batch_is_not_recorded_with_it() -> None:
    batch = GameBatch(2, seed=2)
    copy = batch.clone()
    copy.start_recording()
    batch.reset()
    assert not batch.state["recording"].any()
