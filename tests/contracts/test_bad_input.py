"""Bad input raises one of our own errors that says what was expected and got, and changes nothing."""

from __future__ import annotations

import contextlib
import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from dominion_env import (
    NUM_ACTIONS,
    NUM_CARDS,
    PASS,
    RULES_VERSION,
    Card,
    DominionEnv,
    DominionError,
    DominionVectorEnv,
    Game,
    GameBatch,
    GameOver,
    IllegalAction,
    InvalidKingdom,
    InvalidOption,
    InvalidPosition,
    InvalidReplay,
    UnknownCard,
    action_id,
    action_name,
    dominion_v0,
    observation_fields,
    observation_size,
    split,
)
from dominion_env.core.positions.form import ZONES_OF_CANDIDATES
from dominion_env.core.questions import KIND_NAMES
from dominion_env.render import render
from dominion_env.rules.state import MAX_EFFECTS
from tests.properties import bits, choose, sized

LAST = NUM_ACTIONS - 1

TEN = ["Cellar", "Market", "Merchant", "Militia", "Mine", "Moat", "Remodel", "Smithy", "Village", "Workshop"]

# Kingdoms and options


@pytest.mark.parametrize("make", [Game, lambda **options: GameBatch(2, **options)], ids=["game", "batch"])
@pytest.mark.parametrize(
    ("kingdom", "error", "message"),
    [
        ("first-game", InvalidKingdom, "'first-game'.*first-game-[12]e"),
        ("", InvalidKingdom, "no kingdom is named ''"),
        (TEN[:9], InvalidKingdom, "10 different Kingdom cards, got 9"),
        ([*TEN, "Witch"], InvalidKingdom, "10 different Kingdom cards, got 11"),
        ([*TEN[:9], "Cellar"], InvalidKingdom, "expected 10 different cards, got Cellar twice"),
        ([*TEN[:9], "Gold"], InvalidKingdom, "expected Kingdom cards, got Gold; the base cards are in every game"),
        ([*TEN[:9], "Smity"], UnknownCard, "'Smity'.*Smithy"),
        ([*TEN[:9], NUM_CARDS], UnknownCard, f"expected the number of a card, 0 to {NUM_CARDS - 1}, got {NUM_CARDS}"),
        ([*TEN[:9], -1], UnknownCard, f"0 to {NUM_CARDS - 1}, got -1"),
        ([], InvalidKingdom, "ten card names"),
        (None, InvalidKingdom, "a list of kingdoms, got None"),
        (7, InvalidKingdom, "a list of kingdoms, got 7"),
        ([None] * 10, InvalidKingdom, "a list of kingdoms, got None"),
        (
            ["first-game-2e", "random"],
            InvalidKingdom,
            "with fixed cards in a list, got 'random', which is drawn at random",
        ),
        (["first-game-2e", "nonsense"], (InvalidKingdom, UnknownCard), "nonsense"),
        ([TEN, TEN[:9]], InvalidKingdom, "got 9"),
    ],
)
def test_an_unknown_or_incomplete_kingdom_is_refused(make: Any, kingdom: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        make(kingdom=kingdom)


@pytest.mark.parametrize("make", [Game, lambda **options: GameBatch(2, **options)], ids=["game", "batch"])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_players": 0}, "num_players: expected a whole number from 1 to 6, got 0"),
        ({"num_players": 7}, "got 7"),
        ({"num_players": -1}, "got -1"),
        ({"num_players": 2.0}, "got 2.0"),
        ({"num_players": "2"}, "got '2'"),
        ({"num_players": True}, "got True"),
        ({"num_players": None}, "got None"),
        ({"edition": 3}, "edition: expected 1 .*, got 3"),
        ({"edition": 0}, "got 0"),
        ({"edition": "2"}, "edition: .*got '2'"),
        ({"edition": 1.0}, "edition: .*got 1.0"),
        ({"edition": np.float64(2)}, "edition: .*got"),
        ({"edition": np.array([1, 2])}, "edition: .*got array"),
        ({"edition": np.array(1)}, "edition: .*got array"),
        ({"max_turns": 20.0}, "max_turns: .*got 20.0"),
        ({"first_player": 0.0}, "first_player: .*got 0.0"),
        ({"first_player": False}, "first_player: .*got False"),
        ({"seed": True}, "seed: .*got True"),
        ({"edition": True}, "edition: .*got True"),
        ({"first_player": 2}, "first_player: expected 'random', 'left-of-winner' or a seat from 0 to 1, got 2"),
        ({"first_player": -1}, "got -1"),
        ({"first_player": "winner"}, "'random', 'left-of-winner' or a seat"),
        ({"max_turns": 0}, "max_turns"),
        ({"max_turns": 10**6}, "max_turns"),
        ({"auto_treasures": 1}, "auto_treasures: expected True or False, got 1"),
        ({"ask_forced": "yes"}, "ask_forced"),
        ({"observation": "all"}, "observation: expected one of 'recall', 'strict'"),
        ({"seed": "one"}, "seed"),
        ({"seed": 1.5}, "seed"),
        ({"seed": [1, 2, 3]}, "seed"),
        ({"seed": [[1], [1, 2]]}, "seed"),
        ({"index": "0"}, "index"),
        ({"index": 0.5}, "index"),
        ({"index": None}, "index"),
        ({"index": 2**63 - 1}, f"index: expected whole numbers from 0 to {2**62}"),
        ({"index": 2**64}, f"index: expected whole numbers from 0 to {2**62}"),
        ({"episode": 2**62 + 1}, "episode"),
        ({"episode": -1}, "episode"),
        ({"episode": 1.0}, "episode"),
        ({"resume": True}, "resume"),
        ({"resume": 1}, "resume"),
    ],
)
def test_an_option_outside_what_it_allows_is_refused(make: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidOption, match=message):
        make(**options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_games": 0}, "num_games"),
        ({"num_games": -5}, "num_games"),
        ({"num_games": 1.5}, "num_games"),
        ({"reward": "win"}, "reward: expected one of 'result', 'margin', 'points', got 'win'"),
        ({"illegal": "ignore"}, "illegal: expected one of 'raise', 'lose'"),
        ({"autoreset": None}, "autoreset"),
        ({"record": 1}, "record"),
        ({"num_threads": 0}, "num_threads"),
        ({"index": [1, 2, 3]}, r"index: expected a whole number or one per row \(2\)"),
        ({"start": [{}, {}, {}]}, r"expected one position or one per row \(2\), got 3"),
        (
            {"start": [{"players": [{}, {}]}, {"kingdom": TEN}]},
            "start: expected positions for equally many players with the same parts",
        ),
    ],
)
def test_an_option_of_a_batch_outside_what_it_allows_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidOption, match=message):
        GameBatch(**{"num_games": 2, **options})


VIEWS = {
    "gymnasium": DominionEnv,
    "many": lambda **options: DominionVectorEnv(2, **options),
    "aec": dominion_v0.env,
    "parallel": dominion_v0.parallel_env,
}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize(
    "value", [np.array([]), np.array([1, 2]), [[0], [0, 1]], {}, {"a": []}, object(), b"x"], ids=range(7)
)
def test_options_of_views_that_are_words_are_refused_if_they_are_no_words(view: str, value: Any) -> None:
    options = ["render_mode", "mask_in"] + ["observation_keys"] * (VIEWS[view] is DominionEnv or view == "many")
    for option in options:
        with pytest.raises(InvalidOption, match=option):
            VIEWS[view](**{option: value})
    with pytest.raises(InvalidOption, match="mode"):
        render(Game(), 0, value)


@pytest.mark.parametrize("players", [0, 7, 2.0, True, "2", None, [2], {}, np.array([2])], ids=repr)
def test_fields_are_those_of_a_number_of_players(players: Any) -> None:
    for ask in (observation_fields, observation_size):
        ask(2), ask(1)  # what was asked before must not answer for 2.0 and True
        with pytest.raises(InvalidOption, match="num_players: expected a whole number from 1 to 6, got "):
            ask(players)


def test_names_of_actions_fields_and_splits_are_checked_too() -> None:
    for number in (-1, NUM_ACTIONS, 10**9):
        with pytest.raises(IllegalAction, match=f"0 to {LAST}"):
            action_name(number)
    for words in ("buy", "Province", "play Smity", "", "passs", None, 5, "discard deck now"):
        with pytest.raises(IllegalAction, match="is no action"):
            action_id(words)  # type: ignore[arg-type]
    for players in (0, 7, "2", None, True):
        with pytest.raises(InvalidOption):
            observation_fields(players)  # type: ignore[arg-type]
    with pytest.raises(InvalidKingdom, match="train, validation, test"):
        split("dev")


# Actions


@pytest.mark.parametrize("illegal", ["raise", "lose"])
@pytest.mark.parametrize(
    "actions",
    [
        0,
        [0],
        [0, 0, 0],
        [[0, 0]],
        np.zeros((2, 1), int),
        [0.0, 0.0],
        [True, True],
        ["pass", "pass"],
        [None, None],
        None,
        [[0], [0, 0]],
        np.zeros(2, np.complex64),
        [-1, 0],
        [0, NUM_ACTIONS],
        [2**62, 0],
        np.array([0, 2**63], np.uint64),
        np.array([2**64 - 1, 0], np.uint64),
    ],
    ids=repr,
)
def test_actions_of_wrong_shape_type_or_range_raise_and_nothing_moves(illegal: Any, actions: Any) -> None:
    batch = GameBatch(2, seed=1, illegal=illegal)
    before, final = bits(batch.state), bits(batch._outcomes)
    with pytest.raises(IllegalAction, match="got"):
        batch.step(actions)
    assert bits(batch.state) == before
    assert bits(batch._outcomes) == final


@pytest.mark.parametrize("threads", [1, 2])
def test_an_illegal_action_of_one_game_stops_all_and_names_the_game(threads: int) -> None:
    batch = GameBatch(5, seed=1, index=7, num_threads=threads)
    before = bits(batch.state)
    for row in range(5):
        actions = batch.sample_actions().copy()
        actions[row] = action_id("set aside Moat")
        with pytest.raises(IllegalAction) as raised:
            batch.step(actions)
        text = str(raised.value)
        assert f"game {row}, address (1, {7 + row}, 0): got 'set aside Moat'" in text
        assert f"player_{batch.current_player[row]} is asked in the Buy phase to play or buy a card" in text
        assert "'buy Copper'" in text
        assert bits(batch.state) == before


def test_an_illegal_answer_in_the_middle_of_an_effect_names_the_card_that_asks() -> None:
    start = {"kingdom": TEN, "players": [{"hand": {"Militia": 1}}, {"hand": {"Copper": 4, "Estate": 1}}]}
    game = Game(start=start)
    game.apply("play Militia")
    before = json.dumps(game.to_dict())
    with pytest.raises(
        IllegalAction, match=r"player_1 is asked by Militia to discard; legal: \['discard Copper', 'discard Estate'\]"
    ):
        game.apply("discard Gold")
    assert json.dumps(game.to_dict()) == before


def test_the_same_game_goes_on_after_bad_input_as_if_nothing_had_happened() -> None:
    tried, plain = GameBatch(3, seed=2, record=True), GameBatch(3, seed=2, record=True)
    rng = np.random.default_rng(0)
    for _ in range(60):
        for bad in ([0, 0], [-1, 0, 0], [LAST] * 3, [0.5] * 3):
            if bad != [LAST] * 3 or not tried.action_mask[:, LAST].all():
                with pytest.raises(IllegalAction):
                    tried.step(bad)
        actions = choose(plain, rng)
        tried.step(actions)
        plain.step(actions)
        assert bits(tried.state) == bits(plain.state)
    assert tried.events().tolist() == plain.events().tolist()


@pytest.mark.parametrize(
    "answer", [None, 1.0, [0], b"pass", True, -1, NUM_ACTIONS, 2**70, "", "pass now", "play", object()]
)
def test_a_game_refuses_what_is_no_action(answer: Any) -> None:
    game = Game(seed=1)
    before = json.dumps(game.to_dict())
    with pytest.raises(IllegalAction):
        game.apply(answer)
    assert json.dumps(game.to_dict()) == before
    assert game.replay()["actions"] == []


def test_after_the_end_a_game_is_over_and_a_batch_only_passes() -> None:
    game = Game(max_turns=1, seed=1)
    batch = GameBatch(2, max_turns=1, seed=1, autoreset=False)
    while not game.is_over:
        game.apply("pass")
    while not batch.state["over"].all():
        batch.step([PASS, PASS])
    before = bits(batch.state)
    with pytest.raises(GameOver, match="got 'buy Copper', but the game is over"):
        game.apply("buy Copper")
    for action in ("buy Copper", "discard deck", "play Moat"):
        with pytest.raises(IllegalAction, match=f"is over: got '{action}', only 'pass' is left"):
            batch.step([PASS, action_id(action)])
    with pytest.raises(IllegalAction):
        batch.step([PASS, 999])
    batch.step([PASS, PASS])
    assert bits(batch.state) == before


# Seats, rows, buffers


@pytest.mark.parametrize("player", [2, -1, [0, 1], [0, 0, 2], 0.0, "0", [None] * 3, [[0], [0, 1], [1]], [True] * 3])
def test_observing_no_seat_is_refused(player: Any) -> None:
    batch = GameBatch(3)
    with pytest.raises(InvalidOption, match="player: expected a seat from 0 to 1"):
        batch.observe(player)


def test_a_buffer_of_the_wrong_form_is_refused_and_not_written() -> None:
    batch = GameBatch(3)
    size = batch.observation_size
    read_only = np.zeros((3, size), np.float32)
    read_only.setflags(write=False)
    wrong = [
        np.zeros((3, size), np.float64),
        np.zeros((2, size), np.float32),
        np.zeros((3, size + 1), np.float32),
        np.zeros((size, 3), np.float32).T,
        np.zeros((3, 2 * size), np.float32)[:, ::2],
        read_only,
        np.zeros(3 * size, np.float32),
        [[0.0] * size] * 3,
    ]
    for out in wrong:
        with pytest.raises(InvalidOption, match="float32 array of shape"):
            batch.observe(out=out)  # type: ignore[arg-type]
        assert not np.any(out)


@pytest.mark.parametrize("mask", [[True, False], [1, 0, 1], [[True], [True], [True]], True, "all", [None] * 3,
                                  [True, [False], True]])  # fmt: skip
def test_a_reset_of_rows_that_are_not_there_is_refused(mask: Any) -> None:
    batch = GameBatch(3, seed=1)
    before = bits(batch.state)
    with pytest.raises(InvalidOption, match="mask"):
        batch.reset(mask=mask)
    assert bits(batch.state) == before


@pytest.mark.parametrize("seed", ["x", 1.5, [1, 2], [1.0, 2.0, 3.0], [None] * 3, [[1], [2, 3], [4]]])
def test_a_reset_to_no_seed_is_refused(seed: Any) -> None:
    batch = GameBatch(3, seed=1)
    before = bits(batch.state)
    with pytest.raises(InvalidOption, match="seed"):
        batch.reset(seed=seed)
    assert bits(batch.state) == before


@pytest.mark.parametrize("rows", [[[0], [0, 1]], [], [0.0], [True], [-1], [3], [[0]], "0", None])
def test_taking_rows_that_are_not_there_is_refused(rows: Any) -> None:
    with pytest.raises(InvalidOption, match="rows: expected"):
        GameBatch(3).take(rows)


@pytest.mark.parametrize("names", [[], ["Ada"], ["Ada", "Bob", "Eve"], "AB", [1, 2], 5, {0: "Ada", 1: "Bob"}])
def test_names_that_are_not_one_for_each_player_are_refused(names: Any) -> None:
    game = Game()
    calls: list[Callable[[], Any]] = [
        lambda: game.log(names=names),
        lambda: game.newest_events(0, 3, names),
        lambda: render(game, 0, "text", names),
    ]
    for call in calls:
        with pytest.raises(InvalidOption, match=r"names: expected one for each player \(2\), got "):
            call()


# What an error shows of the input


def deep(levels: int) -> Any:
    nested: Any = []
    for _ in range(levels):
        nested = [nested]
    return nested


LONG: list[Any] = ["x" * 10**6, ["x" * 10**5] * 100, 10**5000, [10**5000], deep(900), deep(100_000), {"a": deep(900)},
                   b"x" * 10**6, dict.fromkeys(map(str, range(10**5))), "\x1b[31m\n" * 1000]  # fmt: skip


@pytest.mark.parametrize("value", LONG, ids=range(len(LONG)))
def test_an_error_shows_long_and_nested_input_in_a_few_words(value: Any) -> None:
    position = {**plain_position()}
    played = replay()
    calls: list[Callable[[], Any]] = [
        lambda: Game(kingdom=value),
        lambda: Game(kingdom=[value] * 10),
        lambda: Game(kingdom=["first-game-2e", value]),
        lambda: Game(edition=value),
        lambda: Game(first_player=value),
        lambda: Game(observation=value),
        lambda: GameBatch(2, start=value),
        lambda: GameBatch(2, index=value),
        lambda: GameBatch(2).step(value),
        lambda: GameBatch(2).take(value),
        lambda: GameBatch(2).reset(mask=value),
        lambda: Game().apply(value),
        lambda: action_id(value),
        lambda: action_name(value),
        lambda: split(value),
        *(lambda key=key: Game.from_dict({**position, key: value}) for key in position),
        *(
            lambda key=key: Game.from_dict({**position, "players": [{key: value}, {}, {}]})
            for key in position["players"][0]
        ),
        *(lambda key=key: Game.from_replay({**played, key: value}) for key in played),
        *(lambda key=key: Game.from_replay({**played, key: {"seed": value}}) for key in ("options", "address")),
        lambda: Game.from_replay({**played, "options": {"kingdom": value}}),
        lambda: Game.from_replay({**played, "actions": [value]}),
    ]
    if isinstance(value, str):
        calls += [
            lambda: Game.from_dict({**position, value: 1}),
            lambda: Game.from_replay({**played, "address": {value: 1}}),
        ]
    for number, call in enumerate(calls):
        try:
            call()
        except DominionError as error:
            message = str(error)
        else:
            assert isinstance(value, dict), number  # a replay without options, and the like
            continue
        assert len(message) < 1500, number
        assert "\x1b" not in message


# Positions


def plain_position() -> dict[str, Any]:
    return Game(num_players=3, kingdom=TEN, seed=3, first_player=0).to_dict()


NO_NUMBER: list[Any] = [-1, 1.5, 1.0, 0.0, "1", None, True, False, [1], 1_000_001, 2**31, 10**30]
NO_LIST: list[Any] = [5, "Copper", None, True]
NO_COUNTS: list[Any] = [5, "Copper", None, {"Copper": -1}, {"Copper": 1.5}, {"Copper": "1"}, {"Copper": True},
                        {"Copper": None}, {"Kupfer": 1}, {"Copper": 128}, {5: 1}, [5], ["Kupfer"], ["Copper"] * 128,
                        {"Copper": 5, "copper": 7}]  # fmt: skip

TOP_LEVEL: dict[str, list[Any]] = {
    "format": [0, 1, 3, "2", None, True, 2.0, [2]],
    "edition": [0, 3, "2", [2], 1.5],
    "num_players": [*NO_NUMBER, 0, 7, 2],
    "kingdom": [TEN[:9], [*TEN[:9], "Cellar"], [*TEN[:9], "Gold"], "random", "train", "nonsense", 5, None, [], [TEN, TEN]],
    "start_player": [*NO_NUMBER, 3],
    "turn_player": [*NO_NUMBER, 3],
    "phase": ["night", "", None, 0, ["buy"], {}],
    "actions": NO_NUMBER,
    "buys": NO_NUMBER,
    "coins": NO_NUMBER,
    "merchants": NO_NUMBER,
    "silver_played": [0, 1, "no", None],
    "bought": [0, "no", None],
    "over": [1, "no", None],
    "ended": ["won", 1, None, "provinces"],
    "asked": [*NO_NUMBER, 3],
    "supply": [*NO_COUNTS, {"Witch": 5}, ["Copper"]],
    "trash": NO_COUNTS,
    "players": [*NO_LIST, [], [{}], [{}, {}], [{}, {}, {}, {}], [{}, {}, 5], [{}, {}, None], {}],
    "address": [5, "a", {"seed": -1}, {"seed": 2**64}, {"seed": "1"}, {"index": -1}, {"episode": 1.5}, {"sea": 1},
                {"seed": 1.0}, {"seed": True}, {"episode": 2**63 - 1}, {"index": 2**63 - 1}],
    "streams": [5, {"seats": []}, {"seats": [1, 2]}, {"seats": [1, 2, -1]}, {"seats": [1, 2, "3"]},
                {"seats": [1, 2, 2**64]}, {"seats": 5}, {"setup": 1}, {"seats": [1, 2, 3], "setup": -1}, {"seat": [1]}],
    "decisions": [5, [], [1], [1, 2, -1], [1, 2, "3"], [0, 0, 10**12], None],
    "effects": [5, "text", [5], [{}], [{"effect": "text"}], {"effect": "text"}],
    "question": [{"player": 0}, 5, "what"],
    "format ": [1],
    "colour": ["red"],
}  # fmt: skip

OF_PLAYERS: dict[str, list[Any]] = {
    **dict.fromkeys(("hand", "deck_bag", "known_hand", "known_discard"), NO_COUNTS),
    **dict.fromkeys(("deck_top", "discard", "in_play", "set_aside", "revealed", "chosen"), NO_COUNTS),
    "deck_known": [5, "all", ["all"] * 50, ["me"], [None], [0], [["all"]]],
    "revealed_known": [5, "all", ["all"], ["me"]],
    "turns": [*NO_NUMBER],
    "cards": [{}],
}


def refused(position: Any, **options: Any) -> str:
    """Fail unless everything that loads a position refuses this one, and return the message."""
    text = repr(position)
    with pytest.raises(InvalidPosition) as raised:
        Game.from_dict(position, **options)
    with pytest.raises(InvalidPosition):
        GameBatch(2, start=position, **options)
    assert repr(position) == text, "the input has been changed"
    assert len(str(raised.value)) > 15
    return str(raised.value)


@pytest.mark.parametrize("key", list(TOP_LEVEL))
def test_a_position_with_a_wrong_entry_is_refused(key: str) -> None:
    for value in TOP_LEVEL[key]:
        message = refused({**plain_position(), key: value})
        named = key.strip() in message or key in ("num_players", "kingdom", "edition", "ended")
        assert named, (value, message)


@pytest.mark.parametrize("key", list(OF_PLAYERS))
def test_a_position_with_a_wrong_entry_of_a_player_is_refused(key: str) -> None:
    for value in OF_PLAYERS[key]:
        position = plain_position()
        position["players"][2] = {"deck_top": ["Copper"], key: value}
        message = refused(position)
        assert "players[2]" in message, (value, message)


@pytest.mark.parametrize("position", [None, 5, "position", [], [{}], object()])
def test_a_position_that_is_no_dictionary_is_refused(position: Any) -> None:
    with pytest.raises(InvalidPosition, match="dictionary"):
        Game.from_dict(position)


def test_more_than_127_copies_of_a_card_are_refused_wherever_they_lie() -> None:
    supply = {"Copper": 0}
    fine = [{"hand": {"Copper": 100}, "deck_bag": {"Copper": 27}}, {}]
    Game.from_dict({"kingdom": TEN, "supply": supply, "players": fine})
    for players, more in (
        ([{"hand": {"Copper": 100}, "deck_bag": {"Copper": 28}}, {}], {}),
        ([{"hand": {"Copper": 100}}, {"discard": ["Copper"] * 28}], {}),
        (fine, {"trash": {"Copper": 1}}),
        (fine, {"supply": {"Copper": 1}}),
    ):
        assert "128 copies" in refused({"kingdom": TEN, "supply": supply, "players": players, **more})


@pytest.mark.parametrize(("players", "most"), [(1, 400), (2, 400), (3, 640), (6, 640)])
def test_more_cards_than_there_is_room_for_are_refused(players: int, most: int) -> None:
    kingdom = ["Chapel", *TEN[1:]]
    empty = dict.fromkeys(["Copper", "Silver", "Gold", "Estate", "Duchy", "Province", "Curse", *kingdom], 0)
    names = ["Copper", "Silver", "Gold", "Estate", "Duchy", "Province", "Curse"]
    hand = dict.fromkeys(names[: most // 100], 100)
    hand[names[most // 100]] = most % 100
    position = {"kingdom": kingdom, "supply": empty, "players": [{"hand": hand}, *[{}] * (players - 1)]}
    assert sum(Game.from_dict(position).to_dict()["players"][0]["hand"].values()) == most
    message = refused({**position, "trash": {"Chapel": 1}})
    assert str(most + 1) in message
    assert str(most) in message


@pytest.mark.parametrize(
    "zone", ["hand", "deck_top", "deck_bag", "discard", "in_play", "set_aside", "revealed", "chosen"]
)
@pytest.mark.parametrize(("players", "most"), [(2, 400), (3, 640)])
def test_one_player_has_no_more_cards_than_there_is_room_for(zone: str, players: int, most: int) -> None:
    cards = [name for name in ("Copper", "Silver", "Gold", "Estate", "Duchy", "Moat") for _ in range(127)]
    position = {
        "kingdom": TEN,
        "supply": dict.fromkeys(["Copper", "Silver", "Gold", "Estate", "Duchy", "Province", "Curse", *TEN], 0),
    }
    crowd: list[dict[str, Any]] = [{} for _ in range(players - 1)]
    assert f"and {most} cards, got" in refused({**position, "players": [{zone: cards[: most + 1]}, *crowd]})


def test_more_can_not_be_known_than_there_is() -> None:
    for player in (
        {"hand": {"Moat": 1}, "known_hand": {"Moat": 2}},
        {"hand": {"Moat": 1}, "known_hand": {"Gold": 1}},
        {"discard": ["Gold"], "known_discard": {"Gold": 2}},
        {"discard": ["Gold"], "known_discard": {"Moat": 1}},
    ):
        assert "known" in refused({"kingdom": TEN, "players": [player, {}]})


def test_a_position_without_players_can_not_be_in_the_middle_of_a_game() -> None:
    for key, value in {
        "start_player": 1,
        "turn_player": 1,
        "phase": "buy",
        **dict.fromkeys(("actions", "buys", "coins", "merchants"), 5),
        "silver_played": True,
        "bought": True,
        "over": True,
        "ended": "piles",
        "asked": 1,
        "effects": [{}],
        "question": {"player": 0},
        "immune": [1],
        "loot": {"Gold": 1},
    }.items():
        assert key in refused({"kingdom": TEN, key: value})


@pytest.mark.parametrize("key", ["question", "immune", "loot"])
@pytest.mark.parametrize("value", [[[]], {"Gold": 1}, "Gold", 5])
def test_what_belongs_to_an_effect_is_refused_without_one(key: str, value: Any) -> None:
    assert key in refused({**plain_position(), key: value})


# Positions in the middle of effects: each card that asks, with every entry of its effects and question tampered with.


def asking() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield for each card that asks something a position in which it waits for the answer."""
    cards = ["Artisan", "Bandit", "Bureaucrat", "Cellar", "Chancellor", "Chapel", "Feast", "Harbinger", "Library",
             "Militia", "Mine", "Moneylender", "Poacher", "Remodel", "Sentry", "Spy", "Thief", "Throne Room", "Vassal",
             "Workshop", "Witch"]  # fmt: skip
    for card in cards:
        rest = [name for name in ("Moat", "Village", "Smithy", "Market", *cards) if name != card][:9]
        mine = {"Copper": 2, "Estate": 1, "Village": 2, "Throne Room": 1}
        mine[card] = mine.get(card, 0) + 1
        me = {"hand": mine, "deck_top": ["Village", "Silver", "Copper", "Gold"], "discard": ["Gold", "Duchy"]}
        victim = {"hand": {"Estate": 1, "Duchy": 1, "Copper": 3}, "deck_top": ["Gold", "Silver", "Copper"]}
        kingdom = list(dict.fromkeys([card, "Throne Room", *rest]))[:10]
        supply = {"Curse": 0}
        for first in (card, "Throne Room"):
            for moat in (0, 1):
                players = [
                    me,
                    victim | {"hand": {**victim["hand"], "Moat": moat}},
                    {"hand": {"Estate": 1, "Silver": 4}},
                ]
                game = Game.from_dict({"kingdom": kingdom, "supply": supply, "players": players, "actions": 2})
                game.apply(f"play {first}")
                if first == "Throne Room" != card:
                    game.apply(f"play {card}")
                for step in range(3):
                    position = game.to_dict()
                    if "question" not in position:
                        break
                    yield f"{first} {card} moat {moat} step {step}", position
                    game.apply(game.legal_actions()[-1])


POSITIONS = dict(asking())
OTHER_VALUES: list[Any] = [
    *(None, -1, 0, 1, 2, 3, 7, NUM_CARDS - 1, NUM_CARDS, 200, 1001, 2**40, 1.5, "", "Gold", "Village", "hand", "text"),
    *("victim", "trash", [], ["trash"], [["trash"]], {}, True, False, "supply", "loot"),
]


def test_all_cards_that_ask_are_tried() -> None:
    assert {name.split(" moat")[0] for name in POSITIONS} >= {
        f"Throne Room {card}" for card in ("Mine", "Library", "Thief")
    }
    assert len(POSITIONS) > 60


Path = tuple[str | int, ...]
GONE = object()


def changes(position: dict[str, Any]) -> list[tuple[Path, Any]]:
    """Yield places in effects, question, loot, immune seats and zones, each with a value that could stand there."""
    paths: list[Path] = [("effects", number, key) for number, frame in enumerate(position["effects"]) for key in frame]
    paths += [("question", key) for key in position["question"]]
    paths += [(key,) for key in ("immune", "loot", "effects", "question", "phase", "turn_player", "over")]
    left_out: list[Path] = [("effects", number) for number in range(len(position["effects"]))]
    left_out += [("question", key) for key in position["question"]]
    left_out += [("players", seat, zone) for seat, player in enumerate(position["players"]) for zone in player]
    return [(path, value) for path in paths for value in OTHER_VALUES] + [(path, GONE) for path in left_out]


def tampered(position: dict[str, Any], path: Path, value: Any) -> dict[str, Any]:
    """Return the position with another value at that place."""
    changed = copy.deepcopy(position)
    place: Any = changed
    for step in path[:-1]:
        place = place[step]
    if value is GONE:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return changed


def test_a_start_that_gives_only_the_supply_goes_with_drawn_kingdoms() -> None:
    lists = ["first-game-2e", "improvements-2e"]
    for kingdom in ("random", "random-1e", "train", lists):
        batch = GameBatch(20, kingdom=kingdom, start={"supply": {"Province": 100, "Curse": 0, "Duchy": 1}}, seed=3)
        usual = GameBatch(20, kingdom=kingdom, seed=3)
        for _ in range(3):
            supply, usually = batch.state["supply"], usual.state["supply"]
            assert (supply[:, Card.PROVINCE] == 100).all()
            assert (supply[:, Card.CURSE] == 0).all()
            assert (supply[:, Card.DUCHY] == 1).all()
            assert np.delete(supply, [4, 5, 6], axis=1).tolist() == np.delete(usually, [4, 5, 6], axis=1).tolist()
            assert not batch.action_mask[:, action_id("buy Curse")].any(), "an empty pile is offered"
            assert len(np.unique(batch.state["piles"], axis=0)) > 1
            batch.reset()
            usual.reset()
    shared = GameBatch(20, kingdom=lists, start={"supply": {"Moat": 3, "Cellar": 0}})
    assert (shared.state["supply"][:, [Card.MOAT, Card.CELLAR]] == [3, 0]).all()


@pytest.mark.parametrize(
    ("kingdom", "start", "message"),
    [
        ("random", {"supply": {"Moat": 1}}, "expected cards of every kingdom that may be drawn, got Moat"),
        ("train", {"supply": {"Moat": 1}}, "expected cards of every kingdom that may be drawn, got Moat"),
        (
            ["first-game-2e", "improvements-2e"],
            {"supply": {"Witch": 1}},
            "expected cards of every kingdom that may be drawn, got Witch",
        ),
        ("random", {"supply": {"Copper": 114}}, "at most 127 of Copper in all, got 128 copies"),
        ("random", {"trash": {"Copper": 70}}, "at most 127 of Copper in all, got 130 copies"),
        ("random", {"trash": {"Moat": 118}}, "at most 127 of Moat in all, got 128 copies"),
        ("random", {"supply": dict.fromkeys(["Silver", "Gold", "Curse"], 100)}, "at most 400 cards in all"),
        ("random", {"players": [{}, {}]}, "expected ten Kingdom cards beside `players`, got a kingdom that is drawn"),
    ],
)
def test_a_start_for_drawn_kingdoms_that_may_not_fit_is_refused(kingdom: Any, start: Any, message: str) -> None:
    with pytest.raises(InvalidPosition, match=message):
        GameBatch(3, kingdom=kingdom, start=start)


def test_a_question_with_one_legal_answer_is_answered_when_a_position_is_loaded() -> None:
    hands = {
        "Militia": [{"hand": {"Militia": 1}}, {"hand": {"Copper": 5}}],
        "Remodel": [{"hand": {"Remodel": 1, "Gold": 3}}, {}],
        "Sentry": [{"hand": {"Sentry": 1}, "deck_top": ["Gold", "Copper", "Copper"]}, {}],
        "Thief": [{"hand": {"Thief": 1}}, {"deck_top": ["Gold", "Estate"]}],
    }
    for card, players in hands.items():
        kingdom = [card, "Throne Room", "Chapel", "Moat", "Village", "Market", "Smithy", "Cellar", "Mine", "Festival"]
        start = {"kingdom": kingdom, "players": players}
        asking, going = Game.from_dict(start, ask_forced=True), Game.from_dict(start)
        for game in (asking, going):
            game.apply(f"play {card}")
        forced = asking.to_dict()
        assert Game.from_dict(forced, ask_forced=True).to_dict() == forced
        loaded = Game.from_dict(forced)
        assert len(loaded.legal_actions()) > 1
        if card != "Sentry":
            assert len(asking.legal_actions()) == 1
            assert loaded.to_dict() == {**going.to_dict(), "decisions": loaded.to_dict()["decisions"]}


@pytest.mark.parametrize("card", ["Cellar", "Chapel"])
def test_a_question_that_may_be_declined_stays_so_in_a_position(card: str) -> None:
    name = f"{card} {card} moat 0 step 0"
    changed = copy.deepcopy(POSITIONS[name])
    del changed["question"]["optional"]
    refused(changed)


def test_no_number_of_a_turn_overflows_or_is_saved_beyond_what_can_be_loaded() -> None:
    largest = 1_000_000
    hand = {"Silver": 2, "Festival": 30, "Throne Room": 20, "Merchant": 10, "Gold": 1}
    start = {
        "kingdom": [
            "Festival",
            "Throne Room",
            "Merchant",
            "Moat",
            "Village",
            "Market",
            "Smithy",
            "Cellar",
            "Mine",
            "Bandit",
        ],
        "players": [{"hand": hand, "deck_bag": {"Copper": 20}}, {}],
        **dict.fromkeys(("actions", "buys", "coins", "merchants"), largest),
    }
    for seed in range(sized(20)):
        game = Game.from_dict(start, max_turns=2)
        rng = np.random.default_rng(seed)
        for _ in range(120):
            if game.is_over:
                break
            game.apply(int(choose(game._batch, rng)[0]))
            assert min(game.coins, game.buys, game.actions) >= 0
            assert max(game.coins, game.buys, game.actions) < 3 * largest
            position = game.to_dict()
            assert max(position[key] for key in ("actions", "buys", "coins", "merchants")) <= largest
            assert Game.from_dict(position).legal_actions() == game.legal_actions()


def play_to_the_end(game: Game, most: int = 400) -> None:
    """Play a loaded position on for a while."""
    cards = count(game)
    rng = np.random.default_rng(0)
    for _ in range(most):
        if game.is_over:
            break
        game._batch.step(choose(game._batch, rng))
    assert count(game) == cards, "cards were lost or came from nowhere"


def count(game: Game) -> int:
    state = game._batch.state[0]
    return int(state["supply"].astype(int).sum() + state["trash"].sum() + state["owned"].astype(int).sum())


EVERY = 1600 // sized(20)  # there are more than a hundred thousand changes; that many lie between two that are tried


@pytest.mark.parametrize("part", range(4))
def test_a_tampered_effect_is_refused_or_played_safely(part: int) -> None:
    """A changed position is refused or played on: there is no error of another kind, no crash, and no card is lost."""
    loaded = refusals = 0
    for number, position in enumerate(POSITIONS.values()):
        if number % 4 != part:
            continue
        for path, value in changes(position)[7 * number % EVERY :: EVERY]:
            try:
                game = Game.from_dict(tampered(position, path, value), max_turns=3)
            except InvalidPosition:
                refusals += 1
            else:
                loaded += 1
                play_to_the_end(game, 40)
    assert loaded > 0
    assert refusals > 0


def test_more_effects_than_there_is_room_for_are_refused() -> None:
    position = POSITIONS["Militia Militia moat 0 step 0"]
    many = [position["effects"][0]] * (MAX_EFFECTS + 1)
    assert f"effects: expected at most {MAX_EFFECTS}, got {MAX_EFFECTS + 1}" in refused({**position, "effects": many})


def without_sense(effects: list[dict[str, Any]], players: int) -> Iterator[list[dict[str, Any]]]:
    """Yield these effects, each time with one that can't be in progress at its place."""
    newest = effects[-1]
    attack = newest["effect"] in ("victim", "windows")
    if newest["effect"] != "victim":
        yield [*effects[:-1], {**newest, "player": 1}]
    for place, frame in enumerate(effects[:-1]):
        changes: list[dict[str, Any]] = [{"effect": "drawing"}, {"effect": "victim"}, {"player": 1}, {"card": "Chapel"}]
        if attack and frame["card"] == newest["card"]:
            yield effects[:place] + effects[place + 1 :]
            changes += [{"memory": players + 1} if frame["effect"] == "each player" else {"step": 1}]
        else:
            changes += [{"step": 1}, {"memory": int(Card.GOLD)}, {"memory": int(Card.GARDENS)}, {"memory": NUM_CARDS}]
        for change in changes:
            yield [*effects[:place], {**frame, **change}, *effects[place + 1 :]]


def test_effects_that_the_rules_do_not_leave_below_each_other_are_refused() -> None:
    tried = 0
    for position in POSITIONS.values():
        for effects in without_sense(position["effects"], position["num_players"]):
            assert refused({**position, "effects": effects}).startswith("effects: expected"), effects
            tried += 1
    assert tried > 500


@pytest.mark.parametrize("cards", [0, 1, 2, 3])
def test_nobody_is_asked_to_discard_down_to_three_cards_who_has_no_more(cards: int) -> None:
    position = copy.deepcopy(POSITIONS["Militia Militia moat 0 step 0"])
    position["players"][1]["hand"] = {"Copper": cards}
    position["question"] |= (
        {"min_left": cards - 3, "max_left": cards - 3} if cards > 2 else {"min_left": 0, "max_left": 0}
    )
    assert "question" in refused(position)


@pytest.mark.parametrize("distance", [0, 3])
def test_no_reaction_is_asked_of_the_attacker(distance: int) -> None:
    position = copy.deepcopy(POSITIONS["Militia Militia moat 1 step 0"])
    position["players"][0]["hand"]["Moat"] = 1
    assert position["num_players"] == 3
    position["effects"][-1]["memory"] = distance
    position["question"]["player"] = 0
    assert "question" in refused(position)


def test_loot_is_treasures_that_lie_in_the_trash() -> None:
    position = POSITIONS["Thief Thief moat 0 step 0"]
    trash = {**position["trash"], "Estate": 1, "Silver": 1}
    for loot in ({"Silver": 2}, {"Estate": 1}, {"Silver": 1, "Estate": 1}, {"Gold": 1 + trash.get("Gold", 0)}):
        said = refused({**position, "trash": trash, "loot": loot})
        assert said.startswith("loot: expected Treasures that lie in the trash, got ")
    Game.from_dict({**position, "trash": trash, "loot": {"Silver": 1}})


def test_loot_is_one_card_of_each_other_player_at_most() -> None:
    players = [{"hand": {"Thief": 1}}, *({"deck_top": ["Gold", "Estate"]} for _ in range(5))]
    game = Game.from_dict({"kingdom": ["Thief", *TEN[:9]], "players": players})
    game.apply("play Thief")
    for gained in range(5):
        position = game.to_dict()
        left = position["loot"]["Gold"]
        assert gained + left == 5
        assert Game.from_dict(position).legal_actions() == game.legal_actions()
        position["trash"]["Gold"] += 1
        position["loot"]["Gold"] += 1
        position["question"]["max_left"] += 1
        said = refused(position)
        assert said.startswith("loot: expected at most one card for each other player" if gained == 0 else "question")
        game.apply("gain Gold")
    assert "question" not in game.to_dict()


@pytest.mark.parametrize("change", [{"phase": "buy"}, {"over": True, "ended": "piles"}])
def test_effects_go_on_in_the_action_phase_of_a_running_game_only(change: dict[str, Any]) -> None:
    for position in POSITIONS.values():
        assert "effects: expected none" in refused({**position, **change})


def test_all_tampering_with_the_types_of_a_question_raises_our_error() -> None:
    names = ["Throne Room Mine moat 0 step 0", "Thief Thief moat 0 step 0", "Library Library moat 0 step 0"]
    names += ["Sentry Sentry moat 0 step 0", "Militia Militia moat 1 step 0"]
    for name in names:
        for path, value in changes(POSITIONS[name])[:: 2 * EVERY // sized(80) + 1]:
            with contextlib.suppress(InvalidPosition):
                Game.from_dict(tampered(POSITIONS[name], path, value))


@pytest.mark.parametrize(
    "key", ["player", "kind", "source", "subject", "target", "verbs", "from", "which", "optional", "immune", "loot"]
)
def test_entries_of_a_question_that_can_not_be_are_refused(key: str) -> None:
    position = next(value for name, value in POSITIONS.items() if name.startswith("Militia Militia moat 0"))
    for value in (-2, 10**9, 1.5, "nonsense", ["nonsense"], {"nonsense": 1}, [["trash"]]):
        changed = copy.deepcopy(position)
        if key in ("immune", "loot"):
            changed[key] = value
        else:
            changed["question"][key] = value
        refused(changed)


def other_questions(question: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield well-formed questions that differ from this one in one entry."""
    values: dict[str, list[Any]] = {
        "player": [0, 1, 2],
        "kind": list(KIND_NAMES),
        "source": [None, "Moat", "Gold", "Chapel"],
        "target": [None, 0, 1, 2],
        "verbs": [[], ["trash"], ["discard"], ["gain", "play"], ["topdeck", "trash"]],
        "from": list(ZONES_OF_CANDIDATES),
        "which": [{}, {"types": ["treasure"]}, {"up_to": 8}, {"only": "Copper"}, {"except": "Estate"}, {"up_to": 254}],
        "optional": [False, True],
        **{key: [0, 1, 2, 3, 5, 900] for key in ("picks", "min_left", "max_left")},
    }
    if question["verbs"] != [
        "gain"
    ]:  # Remodel and Mine ask about the card just trashed, which may be any that is there
        values["subject"] = [None, "Gold", "Village", "Militia"]
    for key, others in values.items():
        yield from ({**question, key: other} for other in others if other != question[key])


def test_a_question_that_no_card_asks_is_refused() -> None:
    tried = 0
    for number, position in enumerate(POSITIONS.values()):
        for other in list(other_questions(position["question"]))[number % 11 :: 1 + 110 // sized(100)]:
            with pytest.raises(InvalidPosition, match="question"):
                Game.from_dict({**position, "question": other})
            tried += 1
    assert tried > 400


def test_which_cards_will_do_is_said_in_words() -> None:
    asked = {name: position["question"]["which"] for name, position in POSITIONS.items()}
    assert asked["Militia Militia moat 0 step 0"] == {}
    assert asked["Mine Mine moat 0 step 0"] == {"types": ["treasure"]}
    assert asked["Mine Mine moat 0 step 1"] == {"types": ["treasure"], "up_to": 3}
    assert asked["Bandit Bandit moat 0 step 0"] == {"types": ["treasure"], "except": "Copper"}
    assert asked["Witch Witch moat 1 step 0"] == {"only": "Moat"}


@pytest.mark.parametrize(
    "which",
    [5, None, [], {"costs": 1}, {"types": "treasure"}, {"types": ["Treasure"]}, {"types": [1]}, {"up_to": 255},
     {"up_to": -1}, {"up_to": None}, {"only": "Gould"}, {"only": 3}, {"except": None}],
)  # fmt: skip
def test_nonsense_about_which_cards_will_do_is_refused(which: Any) -> None:
    position = copy.deepcopy(POSITIONS["Mine Mine moat 0 step 0"])
    position["question"]["which"] = which
    assert "question.which" in refused(position)


def test_every_question_of_the_rules_loads_as_it_was() -> None:
    for name, position in POSITIONS.items():
        assert Game.from_dict(json.loads(json.dumps(position))).to_dict() == position, name


# Replays


def replay() -> dict[str, Any]:
    game = Game(kingdom=TEN, seed=1)
    for _ in range(6):
        game.apply(game.legal_actions()[-1])
    return game.replay()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 1}, "expected format 2, got 1"),
        ({"format": True}, "expected format 2, got True"),
        ({"format": 2.0}, "expected format 2, got 2.0"),
        ({"format": None}, "got None"),
        ({"rules": RULES_VERSION - 1}, f"expected rules version {RULES_VERSION}, got {RULES_VERSION - 1}"),
        ({"rules": str(RULES_VERSION)}, f"expected rules version {RULES_VERSION}, got '{RULES_VERSION}'"),
        ({"rules": float(RULES_VERSION)}, f"got {RULES_VERSION}.0"),
        ({"actions": "pass"}, "a list of words"),
        ({"actions": None}, "a list of words"),
        ({"actions": 5}, "a list of words"),
        ({"actions": ["play Province"]}, "action 0: .*'play Province'"),
        ({"actions": ["nonsense"]}, "action 0: 'nonsense' is no action"),
        ({"actions": [None]}, "action 0"),
        ({"actions": [[0]]}, "action 0"),
        ({"actions": [10**6]}, "action 0"),
        ({"options": {"num_players": 9}}, "num_players"),
        ({"options": {"kingdom": "nonsense"}}, "nonsense"),
        ({"options": {"colour": "red"}}, "colour"),
        ({"options": None}, "replay"),
        ({"options": 5}, "replay"),
        ({"address": {"seed": "x"}}, "seed"),
        ({"address": {"sea": 1}}, "sea"),
        ({"address": []}, "replay"),
        ({"address": None}, "replay"),
        ({"start": 5}, "dictionary"),
        ({"start": {"players": [5]}}, "dictionary"),
        ({"start_player": 7}, "start_player: expected a whole number from 0 to 1, got 7"),
        ({"start_player": []}, r"start_player: .* got \[\]"),
        ({"start_player": 0.0}, "start_player: .* got 0.0"),
        ({"start_player": True}, "start_player: .* got True"),
        ({"end": None}, "expected to come to the position that was stored"),
        ({"end": []}, "expected to come to the position that was stored"),
    ],
)
def test_a_malformed_replay_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidReplay, match=message):
        Game.from_replay({**replay(), **change})


@pytest.mark.parametrize("key", ["format", "rules", "options", "address", "start_player", "actions", "end"])
def test_a_replay_with_a_part_missing_is_refused(key: str) -> None:
    with pytest.raises(InvalidReplay, match=f"{key} missing"):
        Game.from_replay({name: value for name, value in replay().items() if name != key})


@pytest.mark.parametrize("step", [-1, 7, 1.0, "1", True])
def test_a_step_that_a_replay_does_not_have_is_refused(step: Any) -> None:
    with pytest.raises(InvalidReplay, match="step: expected a whole number from 0 to 6"):
        Game.from_replay(replay(), step)


@pytest.mark.parametrize("what", [None, 5, "replay", [], [1, 2]])
def test_a_replay_that_is_no_dictionary_is_refused(what: Any) -> None:
    with pytest.raises(InvalidReplay, match="dictionary"):
        Game.from_replay(what)


def test_a_replay_that_leads_elsewhere_is_refused() -> None:
    played = replay()
    assert Game.from_replay(played).replay() == played
    game = Game.from_replay(played, 5)
    other = next(words for words in game.legal_actions() if words != played["actions"][5])
    changes: list[dict[str, Any]] = [
        {"actions": [*played["actions"][:5], other]},
        {"actions": played["actions"][:5]},
        {"address": {**played["address"], "episode": 1}},
        {"address": {**played["address"], "index": 2}},
        {"options": {**played["options"], "edition": 1}},
        {"end": "0" * 32},
        {"end": played["end"].upper()},
    ]
    for change in changes:
        with pytest.raises(
            InvalidReplay, match=r"expected to come to the position that was stored|to start|not|action"
        ):
            Game.from_replay({**played, **change})
    for change in (changes[0], changes[1], *changes[4:]):
        with pytest.raises(InvalidReplay, match="expected to come to the position that was stored, got another one"):
            Game.from_replay({**played, **change})


def test_a_replay_that_goes_on_after_the_end_is_refused() -> None:
    game = Game(max_turns=1)
    while not game.is_over:
        game.apply("pass")
    longer = game.replay()
    longer["actions"].append("pass")
    with pytest.raises(InvalidReplay, match="game is over"):
        Game.from_replay(longer)


# Extreme but well-formed positions: played to the end, nothing is read or written out of bounds.

CHAINING = [
    "Throne Room",
    "Vassal",
    "Library",
    "Adventurer",
    "Cellar",
    "Militia",
    "Village",
    "Festival",
    "Sentry",
    "Thief",
]


def extreme(hand: dict[str, int], **more: Any) -> dict[str, Any]:
    me = {
        "hand": hand,
        **{key: more.pop(key) for key in list(more) if key in ("deck_top", "deck_bag", "discard", "in_play")},
    }
    named = [*hand, *me.get("deck_top", []), *me.get("deck_bag", {}), *me.get("discard", []), *CHAINING]
    base = ("Copper", "Silver", "Gold", "Estate", "Duchy", "Province", "Curse")
    kingdom = list(dict.fromkeys(name for name in named if name not in base))[:10]
    supply = dict.fromkeys((*base, *kingdom), 5) | {"Copper": 0}
    other = {"hand": {"Moat": 1, "Copper": 5}}
    return {"kingdom": kingdom, "supply": supply, "players": [me, other], "actions": 3, **more}


EXTREMES: dict[str, Callable[[], dict[str, Any]]] = {
    "thirty Throne Rooms": lambda: extreme({"Throne Room": 30, "Militia": 2, "Library": 1}, deck_bag={"Village": 50}),
    "a hundred and twenty Throne Rooms": lambda: extreme({"Throne Room": 122, "Thief": 2, "Village": 5}),
    "Throne Rooms alone": lambda: extreme({"Throne Room": 122}),
    "a deck of Vassals": lambda: extreme({"Vassal": 1}, deck_top=["Vassal"] * 121),
    "Throne Rooms and Vassals": lambda: extreme(
        {"Throne Room": 60, "Vassal": 60}, deck_top=["Vassal", "Throne Room"] * 60
    ),
    "Library and three hundred Actions": lambda: extreme(
        {"Library": 1}, deck_bag={"Village": 100, "Festival": 100, "Sentry": 100}
    ),
    "Adventurer and three hundred cards": lambda: extreme(
        {"Throne Room": 2, "Adventurer": 2}, deck_bag={"Village": 100, "Estate": 100, "Festival": 100}, discard=["Gold"]
    ),
    "a hand of three hundred cards": lambda: extreme({"Cellar": 3, "Village": 100, "Festival": 100, "Copper": 97}),
    "a discard pile of three hundred cards": lambda: extreme(
        {"Village": 3, "Cellar": 1}, discard=["Gold"] * 100 + ["Estate"] * 100 + ["Festival"] * 100
    ),
    "huge coins": lambda: extreme({"Festival": 100, "Throne Room": 50}, coins=9999, buys=9999, merchants=9999),
    "many Silvers with many Merchants": lambda: extreme(
        {"Silver": 100, "Gold": 100}, merchants=9999, coins=9999, phase="buy"
    ),
}


@pytest.mark.parametrize("edition", [1, 2])
@pytest.mark.parametrize("name", list(EXTREMES))
def test_extreme_positions_are_played_safely(name: str, edition: int) -> None:
    """Play Actions as long as there are any; count the cards, and save the position at any time."""
    game = Game.from_dict({**EXTREMES[name](), "edition": edition}, max_turns=3, auto_treasures=name != "huge coins")
    cards, rng = count(game), np.random.default_rng(1)
    for step in range(sized(1500)):
        if game.is_over:
            break
        legal = np.flatnonzero(game._batch.action_mask[0])
        eager = legal[legal > PASS] if len(legal) > 1 and rng.random() < 0.95 else legal
        game.apply(int(rng.choice(eager)))
        assert min(game.coins, game.buys, game.actions) >= 0
        if step % 15 == 0:
            assert count(game) == cards
            assert Game.from_dict(game.to_dict(), auto_treasures=name != "huge coins").to_dict() == game.to_dict()
    assert count(game) == cards


def test_a_game_of_six_with_six_hundred_cards_is_played_safely() -> None:
    big = {"Village": 20, "Throne Room": 15, "Militia": 10, "Thief": 10, "Library": 10}
    kingdom = [*CHAINING[:9], "Thief"]
    supply = dict.fromkeys(["Copper", "Silver", "Gold", "Estate", "Duchy", "Province", "Curse", *kingdom], 5)
    players = [{"hand": big, "deck_bag": {"Gold": 10, "Estate": 10}} for _ in range(6)]
    game = Game.from_dict({"kingdom": kingdom, "supply": supply, "players": players, "actions": 20}, max_turns=2)
    play_to_the_end(game, sized(1500))
