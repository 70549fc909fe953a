"""Bad input raises one of our own errors that says what was expected and got, and changes nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dominion_env import (
    NUM_ACTIONS,
    PASS,
    RULES_VERSION,
    DominionError,
    Game,
    GameBatch,
    GameOver,
    IllegalAction,
    InvalidKingdom,
    InvalidOption,
    InvalidReplay,
    UnknownCard,
    action_id,
    action_name,
    observation_fields,
    observation_size,
    split,
)
from dominion_env.render import render
from dominion_env.tables.cards import NUM_CARDS
from tests.contracts.positions import TEN, plain_position
from tests.properties import bits, choose

LAST = NUM_ACTIONS - 1


# Kingdoms and options


@pytest.mark.parametrize("make", [Game, lambda **options: GameBatch(2, **options)], ids=["game", "batch"])
@pytest.mark.parametrize(
    ("kingdom", "error", "message"),
    [
        ("first-game", InvalidKingdom, "'first-game'.*first-game-[12]e"),
        ("", InvalidKingdom, "no kingdom is named ''"),
        (TEN[:9], InvalidKingdom, "10 different Kingdom cards, got 9"),
        ("Village,Smithy", InvalidKingdom, "10 different Kingdom cards, got 2"),
        (
            "Moat Cellar Mine Witch Spy Thief Feast Library Chapel Village",
            InvalidKingdom,
            "ten cards have commas between",
        ),
        ("Village+Smithy", InvalidKingdom, "ten cards have commas between; .* --kingdom train Village.Smithy=3"),
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


def test_an_illegal_action_of_one_game_stops_all_and_names_the_game_without_its_address() -> None:
    batch = GameBatch(5, seed=987654321, index=7)
    before = bits(batch.state)
    for row in range(5):
        actions = batch.sample_actions().copy()
        actions[row] = action_id("set aside Moat")
        with pytest.raises(IllegalAction) as raised:
            batch.step(actions)
        text = str(raised.value)
        assert text.startswith(f"game {row}: got 'set aside Moat'")
        assert "987654321" not in text
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
        with pytest.raises(InvalidOption, match="array of float32, int16, uint8, of shape"):
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


@pytest.mark.slow
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


# Replays

OTHER_CARDS = "base+extra (40 cards, 0123abcd)"


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
        (
            {"cards": OTHER_CARDS},
            r"expected cards of base \(39 cards, \w{8}\), got 'base\+extra \(40 cards, 0123abcd\)'",
        ),
        ({"cards": None}, "expected cards of base .* got None"),
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
