"""`GameBatch` keeps the promises of its documentation, name by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from dominion_env import (
    CARDS,
    DISCARD_DECK,
    KINGDOMS,
    NUM_ACTIONS,
    PASS,
    Card,
    Event,
    Game,
    GameBatch,
    IllegalAction,
    InvalidOption,
    action_id,
    kingdom_names,
    observation_size,
    split,
)
from dominion_env.core import loop
from dominion_env.core.rewards import REWARDS, Reward
from dominion_env.tables.cards import NUM_BASE_CARDS, NUM_CARDS
from tests.properties import bits, choose, play, sized
from tests.rules import uniform

# Positions one "pass" before the end: the last Province is gone when the turn of seat 0 ends.


def last_turn(points: Sequence[str], turns: Sequence[int] | None = None, **more: Any) -> dict[str, Any]:
    """Return a position in which seat 0 ends the game with its turn; seats own just these cards, in the discard pile."""
    players: list[dict[str, Any]] = [{"discard": cards.split(", ") if cards else []} for cards in points]
    for player, number in zip(players, turns or [1] * len(points), strict=True):
        player["turns"] = number
    return {"kingdom": "first-game-2e", "supply": {"Province": 0}, "phase": "buy", "players": players, **more}


def ended(points: Sequence[str], turns: Sequence[int] | None = None, **options: Any) -> GameBatch:
    batch = GameBatch(1, start=last_turn(points, turns), autoreset=False, **options)
    batch.step([PASS])
    return batch


def paid(points: Sequence[str], turns: Sequence[int] | None = None, **options: Any) -> list[float]:
    batch = GameBatch(1, start=last_turn(points, turns), autoreset=False, **options)
    rewards, terminated, truncated = batch.step([PASS])
    assert terminated[0]
    assert not truncated[0]
    return [round(float(reward), 5) for reward in rewards[0]]


# A batch and what it hands out.


@pytest.mark.parametrize("players", range(1, 7))
def test_a_new_batch_stands_at_its_first_decision(players: int) -> None:
    batch = GameBatch(3, num_players=players)
    assert batch.current_player.shape == (3,)
    assert batch.current_player.dtype == np.int8
    assert batch.action_mask.shape == (3, NUM_ACTIONS)
    assert batch.action_mask.dtype == np.bool_
    assert batch.scores.tolist() == [[3] * players] * 3
    assert batch.turns.shape == (3, players)
    assert batch.turns.sum(axis=1).tolist() == [1, 1, 1]
    assert batch.observe().shape == (3, batch.observation_size) == (3, observation_size(players))
    assert batch.observe().dtype == np.float32
    assert batch.sample_actions().shape == batch.policy_keys().shape == (3,)
    assert batch.policy_keys().dtype == np.uint64
    assert len(batch) == batch.num_games == 3


def test_a_step_returns_rewards_and_two_flags_per_game() -> None:
    rewards, terminated, truncated = GameBatch(4, num_players=3).step(np.zeros(4, np.int32))
    assert rewards.shape == (4, 3)
    assert rewards.dtype == np.float32
    assert terminated.shape == truncated.shape == (4,)
    assert terminated.dtype == truncated.dtype == np.bool_
    assert not rewards.any()


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint64])
def test_actions_of_any_whole_type_do(dtype: Any) -> None:
    batch = GameBatch(2)
    batch.step(np.zeros(2, dtype))
    batch.step([0, 0])


def test_what_is_handed_out_is_read_only_and_alive() -> None:
    batch = GameBatch(2, num_players=2, seed=1)
    rewards, terminated, truncated = batch.step(batch.sample_actions())
    final = batch.final
    arrays = [batch.current_player, batch.action_mask, batch.turns, batch.state, rewards, terminated, truncated]
    arrays += [final.scores, final.turns, final.winners, final.rounds, final.ended, final.kingdom, final.episode]
    for array in arrays:
        assert not array.flags.writeable
        with pytest.raises(ValueError, match="read-only"):
            array[0] = array[1]
    mask, asked = batch.action_mask, batch.current_player
    for _ in play(batch, 10):
        pass
    assert np.array_equal(mask, batch.action_mask), "the buffer lives: no new one need be fetched"
    assert np.array_equal(asked, batch.current_player)


def test_the_state_shows_every_zone_by_name() -> None:
    batch = GameBatch(5, num_players=2)
    assert batch.state["hand"].shape == (5, 2, NUM_CARDS)
    assert GameBatch(5, num_players=4).state["hand"].shape == (5, 6, NUM_CARDS)
    assert (batch.state["hand"].sum(axis=2) == 5).all()
    assert batch.state.itemsize <= 4096
    assert GameBatch(1, num_players=6).state.itemsize <= 16384


def test_a_position_of_a_batch_is_that_of_its_single_game() -> None:
    batch = GameBatch(3, seed=5, kingdom="random")
    for row in range(3):
        assert batch.to_dict(row) == Game(seed=5, index=row, kingdom="random").to_dict()


# reset


def test_reset_without_seed_starts_the_next_episode_of_the_masked_rows() -> None:
    batch = GameBatch(3, seed=5)
    for _ in play(batch, 7):
        pass
    before = [batch.to_dict(row) for row in range(3)]
    batch.reset(mask=[False, True, False])
    assert [batch.to_dict(row) for row in (0, 2)] == [before[0], before[2]]
    assert batch.to_dict(1) == Game(seed=5, index=1, episode=1).to_dict()
    batch.reset()
    assert batch.state["episode"].tolist() == [1, 2, 1]


def test_reset_with_a_seed_starts_episode_0_of_that_seed() -> None:
    batch = GameBatch(3, seed=5, index=10, episode=4)
    batch.reset(seed=6)
    assert [batch.to_dict(row) for row in range(3)] == [Game(seed=6, index=10 + row).to_dict() for row in range(3)]
    batch.reset(seed=[7, 8, 9], mask=[True, True, False])
    assert batch.to_dict(0) == Game(seed=7).to_dict()
    assert batch.to_dict(1) == Game(seed=8).to_dict()
    assert batch.to_dict(2) == Game(seed=6, index=12).to_dict()
    batch.reset(seed=6)
    assert batch.to_dict(2) == Game(seed=6, index=12).to_dict()


def test_reset_clears_the_flags_of_finished_games() -> None:
    batch = GameBatch(2, start=[last_turn(["", "Estate"]), last_turn(["", "Estate"])], autoreset=False)
    batch.step([0, 0])
    batch.reset(mask=[True, False])
    _, terminated, _ = batch.step([0, 0])
    assert terminated.tolist() == [True, True], "row 0 has ended once more, row 1 still is at its end"
    assert batch.final.episode.tolist() == [1, 0]


# Rewards


@pytest.mark.parametrize(
    ("points", "wanted"),
    [
        (["Duchy", "Estate"], [1, -1]),
        (["Estate", "Duchy"], [-1, 1]),
        (["Estate", "Estate"], [0, 0]),
        (["Duchy", "Estate", "Estate"], [1, -0.5, -0.5]),
        (["Duchy", "Duchy", "Estate"], [0.25, 0.25, -0.5]),
        (["Duchy", "Duchy", "Duchy"], [0, 0, 0]),
        (["Estate", "Duchy", "Estate", "Estate"], [-0.33333, 1, -0.33333, -0.33333]),
        (["Duchy", "Estate", "Duchy", ""], [0.33333, -0.33333, 0.33333, -0.33333]),
        (["Duchy", "Duchy", "Duchy", ""], [0.11111, 0.11111, 0.11111, -0.33333]),
        (["Duchy"], [0]),
    ],
)
def test_the_result_is_zero_sum_and_shared_by_the_winners(points: list[str], wanted: list[float]) -> None:
    assert paid(points) == wanted
    assert abs(sum(paid(points))) < 1e-4


def test_among_those_with_equal_points_who_had_fewer_turns_wins() -> None:
    assert paid(["Duchy", "Duchy"], turns=[2, 1]) == [-1, 1]
    assert paid(["Duchy", "Duchy", "Duchy"], turns=[2, 1, 1]) == [-0.5, 0.25, 0.25]
    assert paid(["Duchy", "Duchy, Estate", "Duchy"], turns=[2, 2, 1]) == [-0.5, 1, -0.5]


@pytest.mark.parametrize(
    ("points", "wanted"),
    [
        (["5 Province", ""], [1 + 0.5, -1 - 0.5]),
        (["3 Estate", ""], [1 + 0.05, -1 - 0.05]),
        (["Province, 3 Province", "9 Province"], [-1 - 0.5, 1 + 0.5]),
        (["Duchy", "Duchy"], [0, 0]),
        (["3 Duchy", "Duchy", "Duchy"], [1 + 0.1, -0.5 - 0.05, -0.5 - 0.05]),
        (["9 Province", "3 Duchy", ""], [1.5, -0.5 - 0.25 + 0.075, -0.5 - 0.25 - 0.075]),
        (["3 Duchy, 2 Curse"], [0]),
    ],
)
def test_the_margin_adds_half_the_mean_lead_in_thirty_points(points: list[str], wanted: list[float]) -> None:
    cards = [", ".join(many(part) for part in seat.split(", ")) if seat else "" for seat in points]
    assert paid(cards, reward="margin") == pytest.approx(wanted, abs=1e-4)


def many(part: str) -> str:
    number, _, card = part.partition(" ")
    return ", ".join([card] * int(number)) if number.isdigit() else part


def test_points_pay_the_own_points() -> None:
    assert paid(["Duchy, Curse, Curse", "Curse, Curse", "Province"], reward="points") == [1, -2, 6]
    assert paid(["Duchy, Estate"], reward="points") == [4]


def test_nothing_is_paid_before_the_end() -> None:
    for reward in REWARDS:
        batch = GameBatch(8, seed=1, reward=reward)
        for _ in range(40):
            rewards, terminated, truncated = batch.step(batch.sample_actions())
            assert (rewards[~(terminated | truncated)] == 0).all()


def test_a_truncated_game_pays_nothing_but_points() -> None:
    for reward, wanted in (("result", [0, 0]), ("margin", [0, 0]), ("points", [3, 3]), ("lead", [0, 0])):
        batch = GameBatch(1, max_turns=1, reward=reward, autoreset=False, first_player=0)
        while not batch.state["over"][0]:
            rewards, terminated, truncated = batch.step([PASS])
        assert truncated[0]
        assert not terminated[0]
        assert rewards[0].tolist() == wanted
        assert not batch.final.winners.any()
        assert batch.final.ended[0] == 3


# The end: final, autoreset


def test_final_tells_how_the_last_episode_ended() -> None:
    batch = ended(["Province, Duchy", "Duchy", "Province, Duchy"], turns=[5, 5, 4])
    final = batch.final
    assert final.scores.tolist() == [[9, 3, 9]]
    assert final.turns.tolist() == [[5, 5, 4]]
    assert final.winners.tolist() == [[False, False, True]]
    assert final.rounds.tolist() == [5]
    assert final.ended.tolist() == [1]
    assert [Card(card) for card in final.kingdom[0]] == list(KINGDOMS["first-game-2e"])
    assert final.episode.tolist() == [0]


@pytest.mark.parametrize(
    ("players", "piles", "over"), [(2, 3, True), (2, 2, False), (4, 3, True), (5, 3, False), (6, 4, True)]
)
def test_empty_piles_end_the_game(players: int, piles: int, over: bool) -> None:
    position = last_turn(["Estate"] * players)
    position["supply"] = dict.fromkeys(["Smithy", "Market", "Moat", "Village"][:piles], 0)
    batch = GameBatch(1, start=position, autoreset=False)
    assert batch.step([PASS])[1][0] == over
    assert batch.final.ended[0] == (2 if over else 0)


def test_before_any_episode_has_ended_final_says_so() -> None:
    batch = GameBatch(3)
    assert batch.final.ended.tolist() == [0, 0, 0]
    assert not batch.final.winners.any()


@pytest.mark.parametrize("players", [1, 2, 5])
def test_with_autoreset_the_step_that_ends_a_game_starts_the_next(players: int) -> None:
    batch = GameBatch(4, num_players=players, seed=3, max_turns=2, kingdom="random")
    twin = GameBatch(4, num_players=players, seed=3, max_turns=2, kingdom="random", autoreset=False)
    seen = 0
    for _ in range(400):
        actions = choose(batch, np.random.default_rng(seen))
        last = batch.current_player.copy()
        returned = [part.copy() for part in batch.step(actions)]
        ended_alone = [part.copy() for part in twin.step(actions)]
        assert all(np.array_equal(mine, theirs) for mine, theirs in zip(returned, ended_alone, strict=True))
        for row in np.flatnonzero(returned[1] | returned[2]):
            seen += 1
            for name in ("scores", "turns", "winners", "rounds", "ended", "kingdom", "episode"):
                assert np.array_equal(getattr(batch.final, name)[row], getattr(twin.final, name)[row]), name
            for seat in range(players):
                assert np.array_equal(batch.final.observe(seat)[row], twin.observe(seat)[row])
            assert np.array_equal(batch.final.observe()[row], twin.observe()[row])
            assert np.array_equal(batch.final.observe(last)[row], twin.observe(last)[row])
            assert batch.turns[row].sum() == 1, "the new game has begun"
            assert batch.action_mask[row].sum() >= 2
            assert batch.state["episode"][row] == batch.final.episode[row] + 1
            again = Game(
                players, "random", seed=3, index=int(row), episode=int(batch.state["episode"][row]), max_turns=2
            )
            assert batch.to_dict(int(row)) == again.to_dict()
            mask = np.zeros(4, bool)
            mask[row] = True
            twin.reset(mask=mask)
        if seen > 5:
            break
    assert seen > 5


def test_without_autoreset_the_flags_stay_and_pass_changes_nothing() -> None:
    batch = ended(["Duchy", "Estate"])
    before, kept = bits(batch.state), batch.final.scores.copy()
    assert np.flatnonzero(batch.action_mask[0]).tolist() == [PASS]
    for _ in range(3):
        rewards, terminated, truncated = batch.step([PASS])
        assert rewards[0].tolist() == [0, 0]
        assert terminated[0]
        assert not truncated[0]
        assert bits(batch.state) == before
        assert np.array_equal(batch.final.scores, kept)


@pytest.mark.parametrize("illegal", ["raise", "lose"])
def test_after_the_end_anything_but_pass_raises(illegal: Any) -> None:
    batch = ended(["Duchy", "Estate"], illegal=illegal)
    before = bits(batch.state)
    with pytest.raises(IllegalAction, match=r"is over.*got 'buy Copper'.*only 'pass'"):
        batch.step([action_id("buy Copper")])
    assert bits(batch.state) == before


def test_final_of_a_batch_without_autoreset_stays_after_a_reset() -> None:
    batch = ended(["Duchy", "Estate"], kingdom="first-game-2e")
    batch.reset()
    assert batch.final.ended.tolist() == [1]
    assert batch.final.episode.tolist() == [0], "the last finished episode, not the running one"


# Illegal actions


def test_an_illegal_action_raises_and_no_game_has_moved() -> None:
    batch = GameBatch(3, seed=1, kingdom="improvements-2e", first_player=1)
    before = bits(batch.state)
    actions = batch.sample_actions().copy()
    actions[1] = action_id("gain Gold")
    with pytest.raises(
        IllegalAction, match=r"game 1.*got 'gain Gold'.*player_1 is asked in the (Action|Buy) phase .*legal: \["
    ):
        batch.step(actions)
    assert bits(batch.state) == before


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_lose_ends_the_game_and_the_offender_pays(players: int, reward: Reward) -> None:
    batch = GameBatch(2, num_players=players, illegal="lose", autoreset=False, reward=reward, seed=2)
    actions = batch.sample_actions().copy()
    actions[0] = action_id("gain Gold")
    offender = int(batch.current_player[0])
    rewards, terminated, truncated = batch.step(actions)
    wanted = np.full(players, 1 / (players - 1), np.float32)
    wanted[offender] = -1
    assert np.allclose(rewards[0], wanted)
    assert not rewards[1].any()
    assert terminated.tolist() == [True, False]
    assert not truncated.any()
    assert batch.final.ended.tolist() == [4, 0]
    assert not batch.final.winners.any()


def test_lose_with_autoreset_starts_the_next_episode() -> None:
    batch = GameBatch(1, illegal="lose")
    _, terminated, _ = batch.step([NUM_ACTIONS - 1])
    assert terminated[0]
    assert batch.final.ended[0] == 4
    assert batch.to_dict(0) == Game(episode=1).to_dict()


# max_turns, first player


@pytest.mark.parametrize("players", [1, 2, 4])
@pytest.mark.parametrize("limit", [1, 3])
def test_a_game_is_cut_before_a_round_beyond_the_limit(players: int, limit: int) -> None:
    batch = GameBatch(2, num_players=players, max_turns=limit, autoreset=False, seed=4, ask_forced=True)
    while not batch.state["over"].all():
        batch.step(np.zeros(2, np.int64))
    assert batch.final.turns.tolist() == [[limit] * players] * 2
    assert batch.final.rounds.tolist() == [limit, limit]
    assert batch.final.ended.tolist() == [3, 3]


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_given_seat_begins(seat: int) -> None:
    assert (GameBatch(20, num_players=3, first_player=seat).current_player == seat).all()


def test_the_first_player_is_random_by_default() -> None:
    batch = GameBatch(sized(600), num_players=3, seed=1)
    assert uniform(np.bincount(batch.current_player, minlength=3))


@pytest.mark.parametrize(
    ("points", "turns", "starters"),
    [
        (["Duchy", "Estate", "Estate"], [1, 1, 1], {1}),
        (["Estate", "Estate", "Duchy"], [1, 1, 1], {0}),
        (["Duchy", "Duchy", "Estate"], [1, 1, 1], {2}),
        (["Duchy", "Estate", "Duchy", "Estate"], [1, 1, 1, 1], {1, 3}),
        (["Duchy", "Duchy"], [1, 1], {0, 1}),
        (["Duchy", "Duchy"], [2, 1], {0}),
    ],
)
def test_left_of_the_winner_begins_the_next_episode(points: list[str], turns: list[int], starters: set[int]) -> None:
    """Left of a single winner; among those who did not share a victory; among all if all did."""
    rows = sized(60)
    position = {**last_turn(points, turns), "asked": 0}
    batch = GameBatch(rows, num_players=len(points), seed=1, first_player="left-of-winner", autoreset=False)
    batch._states[:] = GameBatch(1, start=position, autoreset=False)._states[0]
    batch._states["index"] = np.arange(rows)
    batch.step(np.zeros(rows, np.int64))
    assert batch.final.ended.all()
    batch.reset()
    assert set(batch.state["start_player"].tolist()) == starters


def test_left_of_the_winner_is_random_in_episode_0_and_after_no_result() -> None:
    batch = GameBatch(sized(200), first_player="left-of-winner", seed=3, max_turns=1)
    assert uniform(np.bincount(batch.current_player, minlength=2))
    while not batch.state["episode"].all():
        batch.step(np.zeros(len(batch), np.int64))
    assert uniform(np.bincount(batch.state["start_player"], minlength=2))


def test_after_a_reset_with_a_seed_nobody_knows_the_last_winner() -> None:
    options: dict[str, Any] = {"first_player": "left-of-winner", "autoreset": False}
    batch = GameBatch(40, seed=1, start=None, **options)
    batch._states[:] = GameBatch(1, start=last_turn(["Duchy", "Estate"]), autoreset=False)._states[0]
    batch.step(np.zeros(40, np.int64))
    assert batch.final.winners[:, 0].all()
    batch.reset(seed=7)
    fresh = GameBatch(40, seed=7, **options)
    assert batch.state["start_player"].tolist() == fresh.state["start_player"].tolist()


# Starting positions


def test_a_position_without_players_sets_only_the_supply_of_every_episode() -> None:
    start = {"kingdom": "first-game-2e", "supply": {"Province": 100, "Curse": 0}}
    batch = GameBatch(4, start=start, seed=7, max_turns=2)
    plain = GameBatch(4, kingdom="first-game-2e", seed=7, max_turns=2)
    assert np.array_equal(batch.state["hand"], plain.state["hand"]), "the deal is the usual one"
    while not (batch.state["episode"] > 1).all():
        assert (batch.state["supply"][:, Card.PROVINCE] == 100).all()
        assert (batch.state["supply"][:, Card.CURSE] == 0).all()
        assert (batch.state["supply"][:, Card.GOLD] == 30).all()
        batch.step(np.zeros(4, np.int64))


def test_a_position_per_row_starts_each_row() -> None:
    positions = [last_turn(["Duchy", "Estate"]), last_turn(["Estate", "Duchy"]), last_turn(["Curse", ""])]
    batch = GameBatch(3, start=positions, autoreset=False)
    assert batch.scores.tolist() == [[3, 1], [1, 3], [-1, 0]]
    rewards, *_ = batch.step([0, 0, 0])
    assert rewards.tolist() == [[1, -1], [-1, 1], [-1, 1]]


def test_every_episode_starts_from_the_position() -> None:
    batch = GameBatch(2, start=last_turn(["Duchy", "Estate"]))
    for episode in range(3):
        assert batch.scores.tolist() == [[3, 1]] * 2
        assert batch.state["episode"].tolist() == [episode] * 2
        _, terminated, _ = batch.step([0, 0])
        assert terminated.all()


def test_a_position_overrides_kingdom_edition_and_players() -> None:
    start = {"kingdom": "big-money-1e", "edition": 1, "num_players": 3, "players": [{}, {}, {}]}
    batch = GameBatch(1, num_players=2, kingdom="first-game-2e", edition=2, start=start)
    assert batch.num_players == 3
    assert batch.state["edition"][0] == 1
    assert tuple(batch.state["piles"][0][NUM_BASE_CARDS:]) == KINGDOMS["big-money-1e"]


def test_a_game_that_resumes_keeps_its_address_and_streams() -> None:
    game = GameBatch(1, seed=5, index=6, episode=7)
    resumed = GameBatch(1, start=[game.to_dict(0)], resume=True, seed=99)
    fresh = GameBatch(1, start=[game.to_dict(0)], seed=99)
    assert resumed.to_dict(0) == game.to_dict(0)
    assert fresh.to_dict(0)["address"] == {"seed": 99, "index": 0, "episode": 0}
    assert fresh.to_dict(0)["streams"] != game.to_dict(0)["streams"]


# Kingdoms and wording


def kingdoms_of(batch: GameBatch) -> set[tuple[int, ...]]:
    return {tuple(piles[NUM_BASE_CARDS:].tolist()) for piles in batch.state["piles"]}


@pytest.mark.parametrize("name", list(KINGDOMS))
def test_a_named_kingdom_is_laid_out_with_its_own_wording(name: str) -> None:
    batch = GameBatch(1, kingdom=name)
    assert kingdoms_of(batch) == {KINGDOMS[name]}
    assert batch.state["edition"][0] == int(name[-2])
    assert GameBatch(1, kingdom=name, edition=1).state["edition"][0] == 1
    assert GameBatch(1, kingdom=name, edition=2).state["edition"][0] == 2


@pytest.mark.parametrize(("name", "edition"), [("random", 2), ("random-1e", 1), ("random-2e", 2)])
def test_a_random_kingdom_is_drawn_for_each_game_and_episode(name: str, edition: int) -> None:
    batch = GameBatch(40, kingdom=name, seed=1)
    assert len(kingdoms_of(batch)) > 30
    assert (batch.state["edition"] == edition).all()
    if name != "random":
        assert all(edition in CARDS[card].editions for kingdom in kingdoms_of(batch) for card in kingdom)
    first = batch.state["piles"].copy()
    batch.reset()
    assert (batch.state["piles"] != first).any(axis=1).mean() > 0.8
    assert all(list(piles) == sorted(set(piles)) for piles in batch.state["piles"].tolist())


@pytest.mark.parametrize("name", ["train", "validation", "test"])
def test_a_split_gives_kingdoms_of_that_split(name: str) -> None:
    assert kingdoms_of(GameBatch(60, kingdom=name, seed=2)) <= {tuple(map(int, cards)) for cards in split(name)}


def test_splits_are_disjoint_from_each_other_and_from_the_named_sets() -> None:
    sets = [set(split(name)) for name in ("train", "validation", "test")] + [set(KINGDOMS.values())]
    assert len(set.union(*sets)) == sum(map(len, sets))


def test_ten_names_or_cards_in_any_order_are_a_kingdom() -> None:
    names = ["Workshop", "Witch", "Village", "Vassal", "Thief", "Spy", "Sentry", "Moat", "Mine", "Gardens"]
    cards = [Card.named(name) for name in names]
    for kingdom in (names, tuple(cards), [*names[:5], *cards[5:]]):
        assert kingdoms_of(GameBatch(1, kingdom=kingdom)) == {tuple(sorted(cards))}


def test_of_a_list_of_kingdoms_one_is_drawn_with_its_wording() -> None:
    batch = GameBatch(sized(400), kingdom=["big-money-1e", "first-game-2e"], seed=1)
    first = (batch.state["piles"][:, NUM_BASE_CARDS:] == KINGDOMS["big-money-1e"]).all(axis=1)
    assert uniform([first.sum(), (~first).sum()])
    assert (batch.state["edition"] == np.where(first, 1, 2)).all()


def test_all_names_are_listed() -> None:
    assert {*KINGDOMS, "random", "random-1e", "random-2e", "train", "validation", "test", "train-large"} == set(
        kingdom_names()
    )


# Questions


def test_treasures_are_played_one_by_one_or_by_themselves() -> None:
    seat = {"hand": {"Copper": 3, "Silver": 1}}
    start = {"kingdom": "first-game-2e", "phase": "buy", "players": [seat, {}]}
    asked, by_itself = GameBatch(1, start=start), GameBatch(1, start=start, auto_treasures=True)
    assert asked.action_mask[0, action_id("play Copper")]
    assert asked.state["coins"][0] == 0
    assert by_itself.state["coins"][0] == 5
    plays = [action_id(f"play {card}") for card in ("Copper", "Silver", "Gold")]
    assert not by_itself.action_mask[0, plays].any()
    batch = GameBatch(8, auto_treasures=True, seed=1)
    for _ in play(batch, 60):
        assert not batch.action_mask[:, plays].any()


def test_a_decision_with_one_answer_is_asked_only_if_wanted() -> None:
    free, asked = GameBatch(1, first_player=0), GameBatch(1, first_player=0, ask_forced=True)
    assert free.state["phase"][0] == 1, "nobody holds an Action in the first turn"
    assert asked.state["phase"][0] == 0
    assert np.flatnonzero(asked.action_mask[0]).tolist() == [PASS]


def test_solitaire_uses_the_supply_of_two_with_53_coppers_and_pays_nothing() -> None:
    batch = GameBatch(1, num_players=1, autoreset=False, seed=1)
    two = GameBatch(1, num_players=2, seed=1)
    supply, usual = batch.state["supply"][0].copy(), two.state["supply"][0].copy()
    assert supply[Card.COPPER] == 53
    supply[Card.COPPER] = usual[Card.COPPER]
    assert np.array_equal(supply, usual)
    rng = np.random.default_rng(0)
    while not batch.state["over"][0]:
        rewards, terminated, _ = batch.step(choose(batch, rng))
    assert terminated[0]
    assert rewards.tolist() == [[0]]
    assert batch.final.winners.tolist() == [[True]]


# Events


def test_events_are_removed_when_they_are_fetched() -> None:
    batch = GameBatch(2, record=True)
    first = batch.events()
    assert first.dtype.names == ("game", "count", "event", "player", "card", "seen", "card_seen")
    assert set(first["event"].tolist()) == {Event.DRAW, Event.TURN}
    assert len(batch.events()) == 0
    batch.step(batch.sample_actions())
    assert len(batch.events()) >= 2


# Copies


def test_copies_keep_every_option() -> None:
    batch = GameBatch(2, num_players=3, reward="points", illegal="lose", observation="strict", max_turns=1, record=True)
    for copy in (batch.clone(), batch.fork(0, 2, 1)):
        assert copy.num_players == 3
        assert copy.observation == "strict"
        batch.events(), copy.events()
        while not copy.final.ended.all():
            rewards, *_ = copy.step(np.zeros(2, np.int64))
        assert rewards.tolist() == [[3, 3, 3]] * 2
        assert len(copy.events())
        assert len(batch.events()) == 0


def test_the_text_of_a_batch_says_how_large_it_is() -> None:
    assert "2 games" in repr(GameBatch(2, num_players=3))
    assert "3 players" in repr(GameBatch(2, num_players=3))


@pytest.mark.parametrize("row", [-1, 2, "0", 0.0, None])
def test_there_is_no_position_of_a_row_that_is_not_there(row: Any) -> None:
    with pytest.raises(InvalidOption):
        GameBatch(2).to_dict(row)


# --- some games move, others wait ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("autoreset", [True, False])
def test_games_that_move_do_so_as_alone_and_the_others_wait(autoreset: bool) -> None:
    options: dict[str, Any] = {"kingdom": "random", "seed": 3, "autoreset": autoreset, "max_turns": 6}
    batch = GameBatch(5, **options)
    alone = [GameBatch(1, index=i, **options) for i in range(5)]
    rng = np.random.default_rng(0)
    ended = 0
    for _ in range(max(200, sized(300))):
        rows = rng.permutation(5)[: rng.integers(0, 6)]
        actions = choose(batch, rng)[rows]
        rewards, terminated, truncated = batch.step(actions, rows=rows)
        for row, action in zip(rows, actions, strict=True):
            paid, done, cut = alone[row].step([action])
            assert (rewards[row].tolist(), terminated[row], truncated[row]) == (paid[0].tolist(), done[0], cut[0])
            ended += done[0] + cut[0]
        waiting = np.setdiff1d(np.arange(5), rows)
        assert not rewards[waiting].any()
        still_over = batch.state["over"][waiting] & (not autoreset)
        assert np.array_equal((terminated | truncated)[waiting], still_over)
        assert [batch.to_dict(i) for i in range(5)] == [one.to_dict(0) for one in alone]
    assert ended


def test_keys_and_samples_are_others_after_each_decision_of_a_seat() -> None:
    batch = GameBatch(1, seed=2, ask_forced=True, max_turns=9)
    seen = []
    for _ in range(30):
        seen.append((int(batch.current_player[0]), int(batch.policy_keys()[0])))
        assert batch.policy_keys()[0] == seen[-1][1], "the same until that seat has decided"
        batch.step(batch.sample_actions())
    assert len(set(seen)) == len(seen)
    assert {seat for seat, _ in seen} == {0, 1}


def test_every_legal_action_is_sampled_in_some_game() -> None:
    batch = GameBatch(300, seed=2, start=last_turn(["Duchy", "Estate"], coins=3))
    assert set(batch.sample_actions().tolist()) == set(np.flatnonzero(batch.action_mask[0]).tolist())


def test_events_that_do_not_fit_into_the_buffer_at_once_are_all_there() -> None:
    number = 16 * loop.LOG_SIZE
    together = GameBatch(number, seed=2, record=True).events()
    assert len(together) > number
    for row in (0, 1, number // 2, number - 1):
        alone = GameBatch(1, seed=2, index=row, record=True).events()
        mine = together[together["game"] == row].copy()
        mine["game"] = 0
        assert bits(mine) == bits(alone)


def test_worlds_that_are_written_over_have_no_result_yet() -> None:
    batch = GameBatch(1, start=last_turn(["Duchy", "Estate"]))
    worlds = batch.worlds([0], 1, seeds=1)
    worlds.step([PASS])
    assert worlds.final.ended.tolist() == [1]
    batch.worlds([0], 1, seeds=2, out=worlds)
    assert worlds.final.ended.tolist() == [0]


def test_without_a_seat_the_one_that_must_decide_is_shown_also_in_the_others_turn() -> None:
    batch = GameBatch(40, seed=2, kingdom="first-game-2e", auto_treasures=True)
    while (batch.current_player == batch.state["turn_player"]).all():  # until a Militia is played
        batch.step(batch.sample_actions())
    assert np.array_equal(batch.observe(), batch.observe(batch.current_player))


def test_the_top_of_a_loaded_discard_pile_is_known_to_all() -> None:
    batch = GameBatch(1, start=last_turn(["Duchy, Estate", ""]))
    assert np.flatnonzero(batch.state["known_discard"][0, 0]).tolist() == [Card.ESTATE]


def test_a_snapshot_stays_as_it_is_while_the_games_go_on() -> None:
    batch = GameBatch(3, seed=2, max_turns=3)
    kept, before = batch.snapshot(), batch.state.copy()
    for _ in range(20):
        batch.step(batch.sample_actions())
    assert bits(batch.state) != bits(before)
    batch.restore(kept)
    assert bits(batch.state) == bits(before)


def test_events_of_games_that_move_bear_their_rows() -> None:
    batch = GameBatch(3, record=True)
    batch.events()
    batch.step([PASS], rows=[2])
    assert set(batch.events()["game"]) == {2}


@pytest.mark.parametrize(
    ("rows", "actions", "error", "message"),
    [
        ([0, 3], [0, 0], InvalidOption, "rows: expected numbers of games from 0 to 2"),
        ([0, 0], [0, 0], InvalidOption, "rows: expected each game at most once"),
        ([0, 1], [0], IllegalAction, r"actions: expected ints of shape \(2,\), got int64 of shape \(1,\)"),
        ([2, 1], [0, -1], IllegalAction, rf"game 1: got -1 \(actions are 0 to {NUM_ACTIONS - 1}\)"),
        ([2, 1], [0, NUM_ACTIONS], IllegalAction, f"game 1: .* {NUM_ACTIONS} "),
        ([2, 1], np.array([0, 2**63], np.uint64), IllegalAction, r"game 1: .* 9223372036854775808 "),
        ([2, 1], [0, DISCARD_DECK], IllegalAction, r"game 1: got 'discard deck', but player_\d is asked"),
        ([2, 1], [0, 0.5], IllegalAction, "float64"),
    ],
)
def test_games_that_can_not_move_so_do_not_move(rows: Any, actions: Any, error: Any, message: str) -> None:
    batch = GameBatch(3)
    before = batch.state.copy()
    with pytest.raises(error, match=message):
        batch.step(actions, rows=rows)
    assert np.array_equal(batch.state, before)
    with pytest.raises(IllegalAction, match="-1"):  # nothing waits that has not been left out
        batch.step([0, -1, 0])
    batch.step([PASS] * 3)


def test_after_an_interrupted_step_a_reset_starts_all_games(monkeypatch: pytest.MonkeyPatch) -> None:
    options: dict[str, Any] = {"num_games": 300, "kingdom": "random", "record": True, "auto_treasures": True}
    batch, other = GameBatch(**options), GameBatch(**options)
    play = batch._play_games

    def interrupted(*arguments: Any) -> Any:
        if (code := play(*arguments)) == loop.FULL:
            raise KeyboardInterrupt
        return code

    monkeypatch.setattr(batch, "_play_games", interrupted)
    with pytest.raises(KeyboardInterrupt):
        batch.step(batch.sample_actions())
    monkeypatch.undo()
    for each in (batch, other):
        each.reset(seed=7)
    assert [batch.to_dict(i) for i in range(300)] == [other.to_dict(i) for i in range(300)]
