"""Playouts come to what the same games come to through `worlds`, `act` and `step`, and refuse what they can't play."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dominion_agents import ScriptedAgent, Strategy, playouts
from dominion_agents.scripted import book
from dominion_agents.searching.loops import playouts as loop
from dominion_agents.strategies.named import STRATEGIES
from dominion_env import PASS, Card, GameBatch, IllegalAction, InvalidOption, InvalidStrategy
from dominion_env.compiled.jit import CACHED, COMPILED
from dominion_env.core.sources import SOURCE_HASH
from dominion_env.players.agent import shown_to
from tests.properties import bits, sized, strange_positions

from . import advanced, played_by, shares_of

NAMES = (
    "big-money",
    "first-game",
    "double-witch",
    "workshop-gardens",
    "random-buyer",
    "spy-thief",
    "laboratory-engine",
)
GUARDED = [Strategy.parse("guard: on; Province; Gold; Silver"), Strategy.parse("dearest; random")]

KINDS: list[dict[str, Any]] = [
    {"num_players": 2, "kingdom": "first-game-2e", "auto_treasures": True},
    {"num_players": 2, "kingdom": "random"},
    {"num_players": 1, "kingdom": "random-2e", "ask_forced": True},
    {"num_players": 3, "kingdom": "random-1e", "max_turns": 12},
    {"num_players": 4, "kingdom": "interaction-1e", "auto_treasures": True},
]


def some_strategies(rows: int, players: int, seed: int) -> tuple[ScriptedAgent, np.ndarray]:
    """Return an agent of many strategies, and one of them for each row and seat."""
    agent = ScriptedAgent(*(STRATEGIES[name] for name in NAMES), *GUARDED)
    return agent, np.random.default_rng(seed).integers(len(agent.strategies), size=(rows, players))


@pytest.mark.compiled
@pytest.mark.parametrize("options", KINDS, ids=lambda kind: f"{kind['num_players']}-{kind['kingdom']}")
def test_playouts_are_the_games_that_the_public_surface_plays(options: dict[str, Any]) -> None:
    batch = advanced(GameBatch(sized(20), seed=5, autoreset=False, **options), 40)
    batch = batch.take(np.flatnonzero(~batch.state["over"].astype(bool)))
    rows = np.arange(len(batch))[::-1].copy()
    actions, seeds, worlds = batch.sample_actions()[rows], np.arange(7, 7 + len(rows)), 3
    agent, followed = some_strategies(len(rows), batch.num_players, seed=1)
    before = bits(batch.state)
    shares, points = playouts(batch, rows, actions, worlds, np.array(agent.strategies, object)[followed], seeds)
    assert bits(batch.state) == before
    assert shares.dtype == np.float32
    assert points.dtype == np.int16
    games = batch.worlds(rows, worlds, seeds)
    wanted_shares, wanted_points = played_by(
        agent, np.repeat(followed, worlds, axis=0), games, np.repeat(actions, worlds)
    )
    shape = len(rows), worlds, batch.num_players
    np.testing.assert_array_equal(points, wanted_points.reshape(shape))
    np.testing.assert_allclose(shares, wanted_shares.reshape(shape), rtol=1e-6)


@pytest.mark.compiled
@pytest.mark.parametrize("players", [2, 3])
def test_playouts_of_strange_positions_are_the_games_that_the_public_surface_plays(players: int) -> None:
    start = strange_positions(players, sized(60), seed=4)
    batch = GameBatch(len(start), start=start, autoreset=False, seed=1, max_turns=30)
    rows = np.flatnonzero(~batch.state["over"].astype(bool))
    actions = batch.sample_actions()[rows]
    agent, followed = some_strategies(len(rows), players, seed=2)
    shares, points = playouts(batch, rows, actions, 2, np.array(agent.strategies, object)[followed], seeds=3)
    wanted = played_by(agent, np.repeat(followed, 2, axis=0), batch.worlds(rows, 2, 3), np.repeat(actions, 2))
    np.testing.assert_array_equal(points.reshape(-1, players), wanted[1])
    np.testing.assert_allclose(shares.reshape(-1, players), wanted[0], rtol=1e-6)


def test_the_same_seed_gives_each_action_the_same_worlds() -> None:
    batch = advanced(GameBatch(1, seed=8, auto_treasures=True), 30)
    legal = np.flatnonzero(batch.action_mask[0])
    rows = np.zeros(len(legal), int)
    together = playouts(batch, rows, legal, sized(30), "big-money", seeds=4)[1]
    for action, points in zip(legal, together, strict=True):
        np.testing.assert_array_equal(playouts(batch, [0], [action], sized(30), "big-money", seeds=4)[1][0], points)
    fewer = playouts(batch, rows, legal, 2, "big-money", seeds=4)[1]
    np.testing.assert_array_equal(fewer, together[:, :2])
    other = playouts(batch, rows, legal, sized(30), "big-money", seeds=5)[1]
    assert not np.array_equal(other, together)


@pytest.mark.parametrize("turns", [0, 1, 3])
def test_leaves_are_the_games_after_so_many_more_turns(turns: int) -> None:
    options: dict[str, Any] = {"seed": 5, "kingdom": "first-game-2e", "autoreset": False, "auto_treasures": True}
    batch = advanced(GameBatch(sized(20), **options), 40)
    rows, actions = np.arange(len(batch)), batch.sample_actions().copy()
    shares, points, leaves = playouts(batch, rows, actions, 2, ["first-game", "big-money"], 3, turns=turns)
    games = batch.worlds(rows, 2, 3)
    agent = ScriptedAgent(STRATEGIES["first-game"], STRATEGIES["big-money"])
    last = games.turns.sum(axis=1) + turns
    games.step(np.repeat(actions, 2))
    while (going := np.flatnonzero((games.turns.sum(axis=1) < last) & ~games.state["over"].astype(bool))).size:
        given = shown_rows(games, agent, going)
        games.step(agent.act_as(games.current_player[going].astype(np.int64), *given), rows=going)
    assert bits(leaves.state) == bits(games.state)
    over = leaves.state["over"].astype(bool)
    np.testing.assert_array_equal(np.isnan(shares.reshape(-1, 2)), np.repeat(~over[:, None], 2, axis=1))
    np.testing.assert_array_equal(points.reshape(-1, 2), leaves.scores)
    assert leaves.observe().shape == (len(leaves), batch.observation_size)
    for of_leaves, wanted in zip(ends_of(leaves), ends_of(games), strict=True):
        np.testing.assert_array_equal(of_leaves, wanted)


def ends_of(games: GameBatch) -> tuple[np.ndarray, ...]:
    """Return all that a batch tells of its finished episodes."""
    final = games.final
    told = final.scores, final.turns, final.winners, final.rounds, final.ended, final.kingdom, final.episode
    return (*told, final.observe()[games.state["over"].astype(bool)])


def shown_rows(games: GameBatch, agent: ScriptedAgent, rows: np.ndarray) -> tuple[Any, ...]:
    return shown_to(agent, games, rows), games.action_mask[rows], games.policy_keys()[rows]


def test_leaves_that_have_ended_tell_who_has_won() -> None:
    batch = advanced(GameBatch(4, seed=5, autoreset=False, auto_treasures=True), 40)
    rows, actions = np.arange(4), batch.sample_actions().copy()
    shares, _, leaves = playouts(batch, rows, actions, 2, "big-money", 3, turns=200)
    assert leaves.state["over"].all()
    np.testing.assert_array_equal(shares, playouts(batch, rows, actions, 2, "big-money", 3)[0])
    np.testing.assert_allclose(shares.reshape(-1, 2), shares_of(leaves))


def test_a_strategy_is_a_name_a_text_or_itself_for_all_or_one_for_each() -> None:
    batch = GameBatch(2, seed=5, auto_treasures=True)
    actions = batch.sample_actions().copy()
    named = playouts(batch, [0, 1], actions, 2, "big-money", 1)[1]
    money = STRATEGIES["big-money"]
    for same in (money, [money, "big-money"], [[money, money], ["big-money", str(money)]]):
        np.testing.assert_array_equal(playouts(batch, [0, 1], actions, 2, same, 1)[1], named)


# Positions without a game to play, and with next to no end.


def test_each_seat_plays_by_its_own_plan_also_after_a_call_with_others() -> None:
    batch = GameBatch(1, seed=3, kingdom="first-game-2e", auto_treasures=True, first_player=0)
    plans = {Card.ESTATE: Strategy.parse("Estate;"), Card.SILVER: Strategy.parse("Silver;")}
    for first, second in ((Card.ESTATE, Card.SILVER), (Card.SILVER, Card.ESTATE)):
        both = np.array([plans[first], plans[second]], object)
        *_, leaves = playouts(batch, [0], [PASS], 2, both, 1, turns=6)
        owned = leaves.state["owned"].astype(int)
        start = {Card.ESTATE: 3, Card.SILVER: 0}
        assert (owned[:, 0, second] == start[second]).all()
        assert (owned[:, 1, first] == start[first]).all()
        assert (owned[:, 1, second] > start[second]).all()
        assert (leaves.state["decisions"][:, :2] > 0).all()


def test_each_row_has_the_luck_of_its_own_seed() -> None:
    batch = GameBatch(1, seed=3, kingdom="first-game-2e", auto_treasures=True, first_player=0)
    *_, leaves = playouts(batch, [0, 0, 0], [PASS] * 3, 2, "big-money", [1, 2, 1], turns=4)
    hands = leaves.state["hand"].reshape(3, -1).tolist()
    assert hands[0] == hands[2] != hands[1]


def test_a_game_that_is_over_has_its_result_at_once() -> None:
    batch = GameBatch(2, seed=5, autoreset=False, auto_treasures=True)
    while not batch.state["over"].all():
        batch.step(np.where(batch.state["over"], 0, batch.sample_actions()))
    shares, points = playouts(batch, [1, 0], [0, 0], 3, "big-money", 1)
    np.testing.assert_array_equal(points, np.repeat(batch.final.scores[[1, 0], None], 3, axis=1))
    np.testing.assert_allclose(shares[:, 0], shares_of(batch)[[1, 0]])
    with pytest.raises(IllegalAction, match="is over: got 'play Smithy'"):
        playouts(batch, [1], [dominion_action("play Smithy")], 3, "big-money", 1)


def dominion_action(words: str) -> int:
    from dominion_env import action_id

    return action_id(words)


def test_a_truncated_game_is_shared_by_all() -> None:
    batch = GameBatch(3, num_players=3, seed=5, auto_treasures=True, max_turns=2)
    shares, _ = playouts(batch, [0, 1, 2], batch.sample_actions(), 2, "big-money", 1)
    np.testing.assert_allclose(shares, 1 / 3)


def test_an_illegal_action_that_has_ended_a_game_has_lost_it() -> None:
    batch = GameBatch(1, num_players=3, seed=5, illegal="lose", autoreset=False, first_player=1)
    batch.step([dominion_action("gain Gold")])
    shares, _ = playouts(batch, [0], [0], 1, "big-money", 1)
    np.testing.assert_allclose(shares[0, 0], [0.5, 0, 0.5])


def test_solitaire_is_always_won() -> None:
    batch = GameBatch(2, num_players=1, seed=5, auto_treasures=True)
    assert (playouts(batch, [0, 1], batch.sample_actions(), 2, "big-money", 1)[0] == 1).all()


@pytest.mark.compiled
def test_127_copies_of_everything_come_to_an_end() -> None:
    cards = dict.fromkeys(("Copper", "Throne Room"), 127)
    supply = {"Copper": 0, "Silver": 5, "Gold": 5, "Curse": 0, "Throne Room": 0}
    seats = [{"hand": cards}, {"hand": {"Estate": 1}}]
    start = {"players": seats, "phase": "action", "supply": supply, "kingdom": "size-distortion-2e"}
    batch = GameBatch(1, start=start, max_turns=20)
    _, points = playouts(batch, [0], [int(batch.action_mask[0].nonzero()[0][1])], 4, "laboratory-engine", 1)
    assert points.shape == (1, 4, 2)


# What is refused; nothing changes then.

MONEY = STRATEGIES["big-money"]
WRONG: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"worlds": 0}, InvalidOption, "worlds: expected a whole number from 1"),
    ({"worlds": 1 << 40}, InvalidOption, "worlds: expected a whole number from 1 to"),
    ({"worlds": 2.0}, InvalidOption, "worlds: expected a whole number"),
    ({"rows": []}, InvalidOption, "rows: expected at least one row number"),
    ({"rows": [0, 4]}, InvalidOption, "rows: expected numbers of games from 0 to 3"),
    ({"rows": [-1, 0]}, InvalidOption, "rows: expected numbers of games from 0 to 3"),
    ({"rows": "all"}, InvalidOption, "rows: expected"),
    ({"actions": [0]}, InvalidOption, "actions: expected an action for each of 2 rows"),
    ({"actions": [0.0, 0.0]}, InvalidOption, "actions: expected an action"),
    ({"actions": [314, 0]}, IllegalAction, "got 314"),
    ({"actions": [-1, 0]}, IllegalAction, "got -1"),
    ({"actions": [1, 1]}, IllegalAction, "got 'discard deck', but player_"),
    ({"strategies": []}, InvalidOption, "strategies: expected one for each of 2 rows and 2 players"),
    ({"strategies": [[MONEY] * 3] * 2}, InvalidOption, r"got an array of shape \(2, 3\)"),
    (
        {"strategies": [[MONEY], [MONEY, MONEY]]},
        InvalidStrategy,
        "strategies: expected a Strategy, its name or its text",
    ),
    ({"strategies": None}, InvalidStrategy, "expected a Strategy, its name or its text, got None"),
    ({"strategies": "big-mony"}, InvalidStrategy, "big-mony"),
    ({"strategies": "missing: refuse; Chapel; Gold"}, InvalidStrategy, "Chapel not in the kingdom"),
    ({"seeds": [1]}, InvalidOption, "seeds: expected a whole number or one per row"),
    ({"seeds": 0.5}, InvalidOption, "seeds: expected"),
    ({"turns": -1}, InvalidOption, "turns: expected a whole number from 0"),
    ({"turns": 1.5}, InvalidOption, "turns: expected a whole number from 0"),
]


@pytest.mark.parametrize(("wrong", "error", "words"), WRONG)
def test_bad_input_is_refused_in_words(wrong: dict[str, Any], error: type[Exception], words: str) -> None:
    batch = GameBatch(4, seed=5, auto_treasures=True)
    given = {"rows": [0, 1], "actions": [0, 0], "worlds": 2, "strategies": "big-money", "seeds": 1, **wrong}
    before = bits(batch.state)
    with pytest.raises(error, match=words):
        playouts(batch, **given)
    assert bits(batch.state) == before


def test_a_strategy_whose_cards_are_missing_goes_without_them() -> None:
    batch = GameBatch(1, seed=5, auto_treasures=True)
    without = playouts(batch, [0], [0], 2, "Chapel; Province; Gold; Silver", 1)[1]
    np.testing.assert_array_equal(without, playouts(batch, [0], [0], 2, "Province; Gold; Silver", 1)[1])


if COMPILED:

    def test_the_loop_is_compiled_once_for_each_record() -> None:
        for players in (2, 3):
            batch = GameBatch(2, num_players=players, seed=5)
            fixed = np.zeros(1, np.int64)
            fixed.setflags(write=False)
            playouts(batch, [0], [0], 2, "big-money", 1)
            playouts(batch, fixed, fixed, np.int8(2), [MONEY] * players, np.uint64(1), turns=1)
            playouts(batch, np.array([0], np.int8), [0], 1, [MONEY] * players, fixed, turns=1)
        assert len(loop.play_out.signatures) == 2


def test_the_cache_key_covers_all_sources() -> None:
    if COMPILED:
        assert CACHED[loop.play_out] == loop.LOOPS_HASH
        assert loop.LOOPS_HASH.startswith(book.SCRIPTED_HASH)
        assert loop.LOOPS_HASH.startswith(SOURCE_HASH)
