"""A table: who sits at it, forward and back, undo, saving and loading."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dominion_app.play.table import GameTable, TableOptions, called, continued, free_path, load, make_agents, seated
from dominion_env import Game, GameOver, IllegalAction, InvalidOption, InvalidReplay, make_agent

BOT = make_agent("big-money")
RANDOM = make_agent("random")


def watched(seed: int = 1, **options: Any) -> GameTable:
    """Two agents, nothing played yet."""
    return GameTable(Game(seed=seed, auto_treasures=True, **options), {0: BOT, 1: RANDOM}, ["Bot", "Random"])


def played(seed: int = 1) -> GameTable:
    """Return a table with a person in seat 0 and an agent, at the person's first question."""
    table = GameTable(Game(seed=seed, auto_treasures=True), {1: RANDOM})
    table.to_end()
    return table


# --- who sits where --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "seats", "people", "wanted"),
    [
        (["a", "b"], None, 0, ["a", "b"]),
        (["a"], 4, 0, ["a"] * 4),
        (["a"], 4, 1, ["a"] * 3),
        (["a", "b"], 3, 1, ["a", "b"]),
        (["a"], 1, 1, []),
        (["a"], None, 1, ["a"]),
    ],
)
def test_agents_take_the_seats_that_are_left(names: list[str], seats: int | None, people: int, wanted: list[str]):
    assert seated(names, seats, people) == wanted


@pytest.mark.parametrize(
    ("names", "seats", "people"),
    [(["a"], 0, 0), (["a"], 7, 0), (["a"] * 7, None, 0), (["a"] * 6, None, 1), (["a", "b"], 4, 0), (["a"], 0, 1), ([], 2, 0)],
)  # fmt: skip
def test_numbers_that_do_not_fit_are_refused(names: list[str], seats: int | None, people: int):
    with pytest.raises(InvalidOption, match="players"):
        seated(names, seats, people)


def test_players_of_one_name_are_numbered_and_models_are_called_by_their_file():
    assert called(["random", "big-money", "random"]) == ["random 1", "big-money", "random 2"]
    assert called(["runs/first/model.zip", "x.zip"]) == ["model", "x"]


def test_an_agent_that_is_not_known_is_refused():
    with pytest.raises(InvalidOption, match="nobody"):
        make_agents(["random", "nobody"])


def test_options_make_the_game_that_they_name():
    ten = "Cellar, Market, Merchant, Militia, Mine, Moat, Remodel, Smithy, Village, Witch"
    game = TableOptions(kingdom=ten, seed=5, edition=1, auto_treasures=False, max_turns=9).game(3)
    replay = game.replay()
    assert [card.title for card in game.kingdom] == ten.split(", ")
    assert (replay["address"]["seed"], game.num_players, game.to_dict()["edition"]) == (5, 3, 1)
    assert (replay["options"]["auto_treasures"], replay["options"]["max_turns"]) == (False, 9)
    assert len({TableOptions().game(2).replay()["address"]["seed"] for _ in range(5)}) > 1


# --- agents ----------------------------------------------------------------------------------------------------------


class Witness:
    """Answers like another agent, and remembers what it was shown."""

    def __init__(self) -> None:
        self.seen: list[tuple[Any, ...]] = []

    def act(self, *shown: Any) -> Any:
        self.seen.append(tuple(array.copy() for array in shown))
        return BOT.act(*shown)


@pytest.mark.parametrize("seat", [0, 1])
def test_an_agent_is_shown_the_observation_and_mask_of_its_seat_and_a_key(seat: int):
    witness = Witness()
    game = Game(seed=4, first_player=seat, auto_treasures=True)
    observation, mask = game.observe(seat).copy(), game.action_mask.copy()
    table = GameTable(game, {0: witness, 1: witness})
    assert table.forward()
    ((observations, masks, keys),) = witness.seen
    assert np.array_equal(observations, observation[None])
    assert np.array_equal(masks, mask[None])
    assert (keys.dtype, keys.shape) == (np.uint64, (1,))
    while table.step < 6:
        table.forward()
    assert len({int(shown[2][0]) for shown in witness.seen}) == len(witness.seen), "each decision has a key of its own"


class Cheat:
    """Answers with an action that is not legal."""

    def act(self, *shown: Any) -> Any:
        return (~shown[1]).argmax(axis=1)


def test_an_illegal_answer_of_an_agent_is_told():
    with pytest.raises(IllegalAction):
        GameTable(Game(), {0: Cheat(), 1: Cheat()}).forward()


def test_agents_play_until_a_person_is_asked():
    table = played()
    assert table.asks_person
    assert table.game.current_player == 0
    table.answer("pass")
    table.to_end()
    assert table.asks_person
    assert table.game.turn == 2


# --- forward and back ------------------------------------------------------------------------------------------------


def test_going_back_and_forward_leads_to_the_same_positions():
    table = watched()
    positions = [table.game.to_dict()]
    for _ in range(40):
        assert table.forward()
        positions.append(table.game.to_dict())
    for step in (40, 0, 7, 6, 39, 40):
        table.go_to(step)
        assert table.step == step
        assert table.game.to_dict() == positions[step]
    table.go_to(-5)
    assert table.step == 0
    table.go_to(1000)
    assert (table.step, table.length) == (40, 40)


def test_the_end_is_the_end_of_the_game():
    table = watched(max_turns=5)
    table.to_end()
    assert table.game.is_over
    assert not table.forward()
    assert table.step == table.length
    table.go_to(0)
    table.to_end()
    assert table.game.is_over


def test_turns_are_stepped_over_forward_and_back():
    table = watched()
    starts, steps = [(table.game.turn_player, table.game.turn)], [0]
    for _ in range(6):
        table.next_turn()
        starts.append((table.game.turn_player, table.game.turn))
        steps.append(table.step)
    assert len(set(starts)) == 7
    for step, start in list(zip(steps, starts, strict=True))[-2::-1]:
        table.previous_turn()
        assert (table.step, (table.game.turn_player, table.game.turn)) == (step, start)
    table.previous_turn()
    assert table.step == 0


# --- undo ------------------------------------------------------------------------------------------------------------


def test_after_undo_the_same_answer_brings_the_same_cards():
    table = played(seed=3)
    for _ in range(12):
        before = table.game.to_dict()
        answer = table.game.legal_actions()[-1]
        table.answer(answer)
        table.to_end()
        after, log = table.game.to_dict(), table.game.log()
        assert table.undo()
        assert table.game.to_dict() == before
        assert table.asks_person
        table.answer(answer)
        table.to_end()
        assert table.game.to_dict() == after
        assert table.game.log() == log


def test_undo_takes_back_answers_of_the_person_one_by_one():
    table = played()
    start = table.step
    for _ in range(3):
        table.answer("pass")
        table.to_end()
    for _ in range(3):
        assert table.undo()
    assert table.step == table.length == start
    assert not table.undo()


def test_another_answer_after_going_back_forgets_what_was_played_later():
    table = played()
    for _ in range(4):
        table.answer("pass")
        table.to_end()
    first = next(step for step in range(table.length) if Game.from_replay(table.replay(), step).current_player == 0)
    table.go_to(first)
    answer = next(words for words in table.game.legal_actions() if words != "pass")
    table.answer(answer)
    assert table.length == table.step == first + 1
    assert table.replay()["actions"][-1] == answer
    assert table.undo()
    assert table.step == first
    assert not table.undo()


@pytest.mark.parametrize("words", ["buy Province", "dance", ""])
def test_an_answer_that_is_not_legal_changes_nothing(words: str):
    table = played()
    before = table.replay(), table.step, table.game.to_dict()
    with pytest.raises(IllegalAction):
        table.answer(words)
    assert (table.replay(), table.step, table.game.to_dict()) == before
    assert not table.undo()


def test_no_answer_after_the_end():
    table = GameTable(Game(max_turns=1, auto_treasures=True), {})
    while not table.game.is_over:
        table.answer("PASS")
    with pytest.raises(GameOver):
        table.answer("pass")
    assert set(table.replay()["actions"]) == {"pass"}


# --- files -----------------------------------------------------------------------------------------------------------


def test_a_saved_game_is_loaded_at_its_end_with_the_names(tmp_path: Path):
    table = watched(seed=8, max_turns=4)
    table.to_end()
    end = table.game.to_dict()
    table.go_to(3)
    table.save(tmp_path / "game.json")
    again = load(tmp_path / "game.json")
    assert again.game.to_dict() == end
    assert again.names == ["Bot", "Random"]
    assert again.step == again.length == table.length
    again.go_to(3)
    assert again.game.to_dict() == table.game.to_dict()


def test_a_saved_game_that_names_code_is_not_continued_and_runs_nothing(tmp_path: Path):
    saved = {**Game(seed=2).replay(), "agents": [None, "os:abort"]}
    (tmp_path / "game.json").write_text(json.dumps(saved))
    with pytest.raises(InvalidOption, match="loaded only with trust"):
        continued(tmp_path / "game.json")


def test_a_replay_written_by_hand_is_loaded(tmp_path: Path):
    game = Game(seed=2, first_player=0)
    game.apply("pass")
    (tmp_path / "game.json").write_text(json.dumps(game.replay()))
    table = load(tmp_path / "game.json")
    assert table.names == ["player_0", "player_1"]
    assert table.game.to_dict() == game.to_dict()


def test_a_file_that_can_not_be_written_is_told(tmp_path: Path):
    with pytest.raises(InvalidOption, match="can't be written"):
        watched().save(tmp_path / "no folder" / "game.json")


GOOD = Game(seed=2).replay()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a replay as JSON"),
        ("{", "expected a replay as JSON"),
        ("[" * 100000, "expected a replay as JSON"),
        ("[]", "dictionary"),
        ("3", "dictionary"),
        ("{}", "missing"),
        (json.dumps({**GOOD, "rules": 999}), "rules version"),
        (json.dumps({**GOOD, "format": 99}), "format"),
        (json.dumps({**GOOD, "actions": ["dance"]}), "action 0"),
        (json.dumps({**GOOD, "actions": ["buy Province"]}), "action 0"),
        (json.dumps({**GOOD, "actions": 5}), "actions"),
        (json.dumps({**GOOD, "options": {"num_players": 9}}), "num_players"),
        (json.dumps({**GOOD, "options": 4}), "replay"),
        (json.dumps({**GOOD, "address": {"seed": "x"}}), "seed"),
        (json.dumps({**GOOD, "names": ["a"]}), "names"),
        (json.dumps({**GOOD, "names": "ab"}), "names"),
        (json.dumps({**GOOD, "names": [1, 2]}), "names"),
    ],
)
def test_a_file_that_is_no_replay_is_refused(tmp_path: Path, text: str, message: str):
    path = tmp_path / "game.json"
    path.write_text(text)
    with pytest.raises(InvalidReplay, match=message) as raised:
        load(path)
    assert str(path) in str(raised.value)


def test_files_that_can_not_be_read_are_refused(tmp_path: Path):
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    for path in (tmp_path, tmp_path / "nothing", tmp_path / "bytes"):
        with pytest.raises(InvalidReplay, match=str(path)):
            load(path)


def test_a_new_file_overwrites_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    names = []
    for _ in range(3):
        path = free_path("game")
        path.touch()
        names.append(path.name)
    assert names == ["game.json", "game-2.json", "game-3.json"]


def test_going_back_in_a_long_game_plays_few_decisions_again(monkeypatch: pytest.MonkeyPatch):
    game, seen = Game(seed=1, auto_treasures=True), list[dict[str, Any]]()
    while len(seen) < 180:
        seen.append(game.to_dict())
        game.apply(game.legal_actions()[0])
    table = GameTable(game)
    table.go_to(0)
    table.go_to(180)
    applied = list[str]()
    apply = Game.apply
    monkeypatch.setattr(Game, "apply", lambda self, action: applied.append(action) or apply(self, action))
    for step in (179, 178, 120, 51, 0):
        applied.clear()
        table.go_to(step)
        assert table.game.to_dict() == seen[step]
        assert len(applied) < 50


def test_positions_after_another_answer_are_forgotten():
    game = Game(seed=1, auto_treasures=True)
    while len(game.replay()["actions"]) < 120:
        game.apply(game.legal_actions()[0])
    table = GameTable(game)
    table.go_to(0)
    table.go_to(120)
    table.go_to(60)
    table.answer(table.game.legal_actions()[-1])
    for _ in range(59):
        table.answer(table.game.legal_actions()[-1])
    now = table.game.to_dict()
    table.go_to(0)
    table.go_to(120)
    assert table.game.to_dict() == now
    table.go_to(110)
    table.go_to(120)
    assert table.game.to_dict() == now
