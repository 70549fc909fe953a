"""Cards that a seat can't know are dealt again, and nothing that this seat sees may change."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from dominion_env import Card, GameBatch, InvalidOption
from dominion_env.compiled.jit import COMPILED
from dominion_env.render.log import seen_by
from dominion_env.rules.record.state import ALL, NOBODY
from dominion_env.tables.cards import NUM_CARDS
from tests.rules import fits, uniform

from . import bits, dealt_again, play, sized, strange_positions, zones

KINDS: list[dict[str, Any]] = [
    {"num_players": 2, "kingdom": "random"},
    {"num_players": 2, "kingdom": "deck-top-2e"},
    {"num_players": 3, "kingdom": "interaction-1e"},
    {"num_players": 3, "kingdom": "sleight-of-hand-2e"},
    {"num_players": 4, "kingdom": "random"},
    {"num_players": 6, "kingdom": "random"},
]


def name_of(options: dict[str, Any]) -> str:
    return f"{options['num_players']}-{options['kingdom']}"


def asking_one_seat(batch: GameBatch, **options: Any) -> list[tuple[int, GameBatch]]:
    """Return the running games of a batch, grouped by the seat that decides."""
    running = ~batch.state["over"].astype(bool)
    parts = []
    for seat in np.unique(batch.current_player[running]):
        rows = np.flatnonzero(running & (batch.current_player == seat))
        start = [batch.to_dict(int(row)) for row in rows]
        parts.append((int(seat), GameBatch(len(rows), start=start, resume=True, **options)))
    return parts


def check_deal(before: GameBatch, after: GameBatch, me: int) -> None:
    """Check that `me` sees the same and that everything is kept which the deal must keep."""
    assert np.array_equal(before.observe(me), after.observe(me)), "the observation changes"
    assert np.array_equal(before.action_mask, after.action_mask), "the legal actions change"
    old, new = before.state, after.state
    changing = {
        "hand",
        "bag",
        "hand_set",
        "bag_set",
        "pile",
        "table",
        "seed",
        "index",
        "key",
        "streams",
        "setup_stream",
        "episode",
        "decisions",
        "stack",
        "only_legal",
        "recording",
    }
    for name in old.dtype.names:
        assert name in changing or name.startswith("log_") or np.array_equal(old[name], new[name]), name
    for name in ("episode", "decisions", "recording"):
        assert not new[name].any(), f"{name}: a trace of how the game came here"
    for was, now, size in zip(old["stack"], new["stack"], old["stack_size"], strict=True):
        assert np.array_equal(was[:size], now[:size]), "effects in progress"
    forced = before.action_mask.sum(axis=1) == 1
    assert np.array_equal(old["only_legal"][forced], new["only_legal"][forced]), "the only legal action"
    assert np.array_equal(sum(zones(new).values()), new["owned"]), "cards have changed hands"
    for name, zone in zones(old).items():
        assert np.array_equal(zone[:, me], zones(new)[name][:, me]) or name in ("top", "bag"), f"own {name}"
    for kinds, counts in (("hand_set", "hand"), ("bag_set", "bag")):
        assert np.array_equal((new[kinds][..., None] >> np.arange(NUM_CARDS)) & 1, (new[counts] > 0).astype(int))
    assert (new["known_hand"] <= new["hand"] + zones(new)["aside"]).all(), "cards known in a hand have left it"
    assert (new["known_discard"] <= zones(new)["discard"]).all(), "cards known in a discard pile have left it"
    end = old["pile"].shape[2]
    for game, seat in np.ndindex(*old["top_size"].shape):
        top = slice(end - old["top_size"][game, seat], end)
        was, now = old["pile"][game, seat, top], new["pile"][game, seat, top]
        assert np.array_equal(was >> 6, now >> 6), "who knows which card on a deck"
        known = (was >> 6 != NOBODY) if seat == me else (was >> 6 == ALL)
        assert np.array_equal(was[known], now[known]), "known cards on a deck stay"
        size = old["discard_size"][game, seat]
        if size:
            assert old["pile"][game, seat, size - 1] == new["pile"][game, seat, size - 1], "the top of a discard pile"


@pytest.mark.slow
@pytest.mark.parametrize("options", KINDS, ids=name_of)
def test_other_deals_look_the_same_to_the_deciding_seat(options: dict[str, Any]) -> None:
    batch = GameBatch(sized(12), seed=51, **options)
    changed = 0
    for step in play(batch, max(sized(120), 60), seed=51):
        if step % 10:
            continue
        for seat, part in asking_one_seat(batch):
            world = dealt_again(part, step, seat)
            check_deal(part, world, seat)
            changed += not np.array_equal(part.state["hand"], world.state["hand"])
    assert changed > 0


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_other_deals_look_the_same_from_strange_positions(players: int) -> None:
    start = strange_positions(players, sized(60), seed=4)
    batch = GameBatch(len(start), start=start, autoreset=False, seed=1)
    for _ in play(batch, 5, seed=1):
        for seat, part in asking_one_seat(batch):
            check_deal(part, dealt_again(part, 9, seat), seat)


def same_luck(world: GameBatch, original: GameBatch) -> list[dict[str, Any]]:
    """Return the positions of another world, with the random streams of the original."""
    positions = []
    for row in range(len(world)):
        position, first = world.to_dict(row), original.to_dict(row)
        positions.append({**position, **{key: first[key] for key in ("address", "streams", "decisions")}})
    return positions


class Witness:
    """Return what one seat has seen: visible events, the tops of the discard piles, the seat that is asked."""

    def __init__(self, batch: GameBatch, seat: int) -> None:
        self.batch, self.seat = batch, seat
        batch.events()
        self.seen: list[Any] = [[] for _ in range(len(batch))]

    def look(self) -> None:
        for event in self.batch.events():
            self.seen[event["game"]] += seen_by([event], self.seat)
        states = self.batch.state
        for row in range(len(self.batch)):
            size = states["discard_size"][row]
            tops = states["pile"][row][np.arange(len(size)), size - 1]
            self.seen[row].append(tuple(np.where(size > 0, tops, 63)))
            self.seen[row].append((int(self.batch.current_player[row]), bool(states["over"][row])))


@pytest.mark.slow
@pytest.mark.parametrize("options", KINDS, ids=name_of)
def test_as_long_as_a_seat_sees_the_same_happen_it_is_asked_the_same(options: dict[str, Any]) -> None:
    """Play on two worlds that differ in what a seat can't know; the others' choices may differ in secret."""
    start = [*strange_positions(options["num_players"], sized(30), seed=6)]
    batches = [
        GameBatch(sized(60), seed=52, ask_forced=True, autoreset=False, **options),
        GameBatch(len(start), start=start, ask_forced=True, autoreset=False, seed=1),
    ]
    later, different = 0, 0
    for number, batch in enumerate(batches):
        for _ in play(batch, (sized(60), 3)[number], seed=number):
            pass
        for seat, part in asking_one_seat(batch, record=True, ask_forced=True, autoreset=False):
            world = GameBatch(
                len(part), start=same_luck(dealt_again(part, 3, seat), part), resume=True, record=True,
                ask_forced=True, autoreset=False,
            )  # fmt: skip
            compared, apart = play_both(part, world, seat)
            later += compared
            different += apart
    if COMPILED:  # the plain interpreter plays too few games for that
        assert later > 40, "too few decisions were compared"
        assert different > 0, "the worlds never differed in secret"


def play_both(one: GameBatch, other: GameBatch, me: int) -> tuple[int, int]:
    """Compare at each decision of `me` until it can tell the worlds apart; decisions compared after others' moves."""
    witnesses = Witness(one, me), Witness(other, me)
    rng = np.random.default_rng(me)
    together = np.ones(len(one), bool)
    others_moved = np.zeros(len(one), bool)
    compared, different = 0, 0
    for _ in range(40):
        for witness in witnesses:
            witness.look()
        for row in np.flatnonzero(together):
            together[row] = witnesses[0].seen[row] == witnesses[1].seen[row]
        asked = one.current_player == me
        mine = np.flatnonzero(together & asked & ~one.state["over"].astype(bool))
        views = one.observe(me), other.observe(me)
        for row in mine:
            assert np.array_equal(views[0][row], views[1][row]), f"game {row}: the observation depends on hidden cards"
            assert np.array_equal(one.action_mask[row], other.action_mask[row])
            compared += bool(others_moved[row])
            different += not np.array_equal(one.state["hand"][row], other.state["hand"][row])
        for row in np.flatnonzero(together & one.state["over"].astype(bool)):
            assert np.array_equal(views[0][row], views[1][row]), "the last observation depends on hidden cards"
        common = np.where((one.action_mask & other.action_mask).any(axis=1))[0]
        shared = one.action_mask & other.action_mask
        liking = rng.random(shared.shape)
        liking[~asked, 0] *= 1.5  # the others pass gladly, so that their hidden cards stay hidden
        actions = [np.where(batch.action_mask, liking, -1).argmax(axis=1) for batch in (one, other)]
        for row in common:
            actions[0][row] = actions[1][row] = np.where(shared[row], liking[row], -1).argmax()
        others_moved |= ~asked
        one.step(actions[0])
        other.step(actions[1])
    return compared, different


# Deals are as likely as each other, and known copies stay.

KINGDOM = "first-game-2e"


def at_table(*players: dict[str, Any], **more: Any) -> GameBatch:
    return GameBatch(1, start={"kingdom": KINGDOM, "players": list(players), **more})


def test_every_deal_of_the_hidden_cards_is_as_likely() -> None:
    other = {
        "hand": {"Gold": 1, "Moat": 1},
        "known_hand": {"Moat": 1},
        "deck_top": ["Copper", "Silver"],
        "deck_known": ["owner", "all"],
        "deck_bag": {"Duchy": 1},
        "discard": ["Smithy", "Curse"],
    }
    number = sized(4800)
    worlds = at_table({"hand": {"Copper": 5, "Village": 1}}, other).worlds([0], number, seeds=2, player=0)
    deals: Counter[tuple[int, ...]] = Counter()
    for row in worlds.state:
        hand = np.flatnonzero(row["hand"][1]).tolist()
        assert Card.MOAT in hand
        hand.remove(Card.MOAT)
        top, silver = row["pile"][1, -2:] & 63
        assert (silver, row["pile"][1, 1]) == (Card.SILVER, Card.CURSE), "what all know stays"
        deals[hand[0], int(top), int(np.flatnonzero(row["bag"][1])[0]), int(row["pile"][1, 0])] += 1
    hidden = (Card.GOLD, Card.COPPER, Card.DUCHY, Card.SMITHY)
    assert set(deals) == set(permutations(hidden))
    assert uniform(list(deals.values()))


def test_of_several_copies_each_hand_is_as_likely_as_its_ways_to_be_dealt() -> None:
    worlds = at_table({"hand": {"Village": 1}}, {"hand": {"Gold": 2}, "deck_bag": {"Copper": 2}})
    golds = worlds.worlds([0], sized(3000), seeds=4, player=0).state["hand"][:, 1, Card.GOLD]
    assert fits([(golds == copies).sum() for copies in range(3)], [1, 4, 1])


def test_the_newest_known_copies_of_a_discard_pile_stay_and_its_order_is_kept() -> None:
    other = {
        "hand": {"Estate": 5},
        "discard": ["Gold", "Silver", "Gold", "Copper"],
        "known_discard": {"Gold": 1, "Copper": 1},
    }
    worlds = at_table({"hand": {"Village": 1}}, other).worlds([0], 200, seeds=1, player=0)
    assert (worlds.state["pile"][:, 1, 2] == Card.GOLD).all()
    assert (worlds.state["pile"][:, 1, 3] == Card.COPPER).all()
    assert len(np.unique(worlds.state["pile"][:, 1, 0])) == 3


def test_cards_that_an_opponent_alone_looks_at_are_dealt_again() -> None:
    other = {
        "revealed": ["Gold", "Silver"],
        "revealed_known": ["owner", "all"],
        "hand": {"Copper": 1},
        "deck_bag": {"Curse": 1},
    }
    before = at_table({"hand": {"Village": 1}}, other).fork(0, 200, seed=1)
    worlds = dealt_again(before, 1, 0)
    positions = [worlds.to_dict(row)["players"][1] for row in range(len(worlds))]
    assert {tuple(position["revealed"]) for position in positions} == {
        (card, "Silver") for card in ("Gold", "Copper", "Curse")
    }
    assert all(position["revealed_known"] == ["owner", "all"] for position in positions)
    check_deal(before, worlds, 0)


def test_ones_own_cards_stay_but_for_what_nobody_knows() -> None:
    me = {
        "hand": {"Village": 1, "Gold": 1},
        "deck_top": ["Silver", "Duchy"],
        "deck_known": ["owner", "nobody"],
        "deck_bag": {"Curse": 1},
        "discard": ["Estate", "Copper", "Estate"],
    }
    worlds = at_table(me, {"hand": {"Copper": 5}}).worlds([0], 200, seeds=1, player=0)
    assert {tuple(pile[:3]) for pile in worlds.state["pile"][:, 0]} == {(Card.ESTATE, Card.COPPER, Card.ESTATE)}
    assert set(worlds.state["pile"][:, 0, -2] & 63) == {Card.SILVER}
    assert set(worlds.state["pile"][:, 0, -1] & 63) == {Card.DUCHY, Card.CURSE}


def test_the_worlds_of_a_batch_have_luck_of_their_own() -> None:
    batch = GameBatch(1, seed=3).fork(0, 30, seed=5)
    seat = int(batch.current_player[0])
    worlds = dealt_again(batch, 6, seat)
    assert len(np.unique(worlds.state["streams"])) == worlds.state["streams"].size
    assert not np.intersect1d(worlds.state["streams"], batch.state["streams"]).size
    assert bits(dealt_again(batch, 6, seat).state) == bits(worlds.state)
    assert len({hand.tobytes() for hand in worlds.state["hand"][:, 1 - seat].copy()}) > 1


def test_dealing_again_leaves_the_batch_as_it_was() -> None:
    batch = GameBatch(1, num_players=4, seed=3)
    before = bits(batch.state)
    dealt_again(batch, 6, int(batch.current_player[0]))
    assert bits(batch.state) == before


def test_worlds_are_dealt_only_for_a_seat_that_decides_in_every_game() -> None:
    batch = GameBatch(8, seed=3)
    assert len(np.unique(batch.current_player)) == 2
    before = bits(batch.state)
    with pytest.raises(InvalidOption, match="expected games in which player_0 is asked, got player_1 in game"):
        dealt_again(batch, 1, 0)
    assert bits(batch.state) == before


@pytest.mark.parametrize("seat", [-1, 2, "0", 0.0, True])
def test_worlds_of_no_seat_are_refused(seat: Any) -> None:
    with pytest.raises(InvalidOption):
        dealt_again(GameBatch(1, first_player=0), 1, seat)
