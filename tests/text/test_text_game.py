"""`TextGame`: whole games in words, against all kinds of opponents, and nothing in them that a seat can't know."""

from __future__ import annotations

import random
import re
from typing import Any

import numpy as np
import pytest

from dominion_env import DominionEnv, Game, InvalidKingdom, InvalidOption, UnknownAgent, WrongOrder
from dominion_env.tables.actions import ACTION_NAMES
from dominion_env.text import Answer, TextGame

SEED = 2**63 + 987654321987


def answers_in(text: str) -> list[str]:
    """Return the answers that a text lists, without what they mean."""
    listed = text.rpartition("\nAnswers: ")[2]
    return [re.sub(r" \(.*?\)|^\d+ ", "", each) for each in re.split(r", (?=\d+ )", listed)]


def play_to_the_end(game: TextGame, rng: random.Random) -> list[str]:
    """Answer at random by words and numbers; return all that the seat has read."""
    read = [game.rules, game.text]
    while not game.is_over:
        legal = answers_in(game.text)
        place = rng.randrange(len(legal))
        answer = game.answer(rng.choice([legal[place], str(place + 1), f"I {legal[place]}!"]))
        assert answer == Answer(True, legal[place], "")
        read.append(game.text)
    return read


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"num_players": 1, "kingdom": "random"},
        {"num_players": 4, "kingdom": "random", "seat": "random", "opponents": ["big-money", "random", "auto"]},
        {"num_players": 3, "kingdom": "interaction-1e", "seat": 2, "auto_treasures": False, "opponents": "random"},
    ],
)
def test_a_whole_game_names_no_address(options: dict[str, Any]):
    game = TextGame(seed=SEED, **options)
    read = play_to_the_end(game, random.Random(4))
    assert not [text for text in read if str(SEED) in text or "/" in text or "seed" in text]
    assert "The game is over: " in read[-1]
    assert game.answer("pass") == Answer(False, None, "The game is over.", "not legal")
    again = Game.from_replay(game.replay())
    assert (again.scores, again.winners) == (game.scores, game.winners)
    assert again.address["seed"] == SEED


def test_answers_that_are_not_taken_change_nothing():
    game = TextGame(seed=5)
    before = game.text
    for wrong in ("Buy a Province", "reveal Moat", "buy", "hello", None, "x" * 10**6, "99"):
        answer = game.answer(wrong)
        assert not answer.taken
        assert str(5) not in answer.why.replace("$5", "")
        assert game.text == before
    with pytest.raises(WrongOrder, match="shows what is hidden"):
        game.replay()


def test_without_a_list_texts_have_no_answers_and_numbers_are_none():
    game = TextGame(seed=5, list_answers=False)
    assert "Answers:" not in game.text
    assert "in the list" not in game.rules
    assert game.text.endswith("Buy a card, or end the turn")
    assert not game.answer("1").taken
    assert game.answer("done").action == "pass"


def test_texts_begin_where_the_last_answer_was_given():
    game = TextGame(opponents="big-money", seed=5)
    game.answer("pass")
    story = game.text.split("\n\n")[0].splitlines()
    assert story[0] == "You are player_0."
    assert story[1].startswith("player_0 draws ")
    assert [line.partition(":")[0] for line in story[2:]] == ["Turn 2 of player_1", "Turn 2 of player_0"]


@pytest.mark.parametrize(
    "opponents",
    ["big-money", ["big-money", "random", "auto"], pytest.param("planner:8", marks=pytest.mark.compiled)],
)
def test_it_is_the_game_of_the_address_with_the_same_seats_and_opponents(opponents: Any):
    """Pass in each question, here and in the view of Gymnasium."""
    options = {"opponents": opponents, "num_players": 3, "seat": "random", "kingdom": "random", "auto_treasures": True}
    for seed in range(1 if opponents == "planner:8" else 4):
        env = DominionEnv(illegal="raise", max_turns=6, **options)
        _, info = env.reset(seed=seed)
        done = False
        while not done:
            _, _, terminated, truncated, info = env.step(int(np.argmax(info["action_mask"])))
            done = terminated or truncated
        game = TextGame(seed=seed, max_turns=6, **options)
        while not game.is_over:
            assert game.answer("1").taken
        assert game.seat == info["seat"]
        assert game.scores == info["scores"].tolist()


def test_first_editions_texts_are_those_of_that_edition():
    kingdom = "Throne Room, Mine, Moneylender, Moat, Smithy, Village, Witch, Chapel, Gardens, Militia"
    first, second = (TextGame(kingdom=kingdom, edition=edition).rules for edition in (1, 2))
    assert "\nMoneylender (Action, costs 4 coins): Trash a Copper from your hand. If you did, +3 coins." in first
    assert (
        "\nMoneylender (Action, costs 4 coins): You may trash a Copper from your hand. If you did, +3 coins." in second
    )
    assert "edition" not in first + second
    assert len(second) < 3000


@pytest.mark.parametrize("players", [2, 5])
def test_the_rules_name_the_piles_that_end_a_game(players: int):
    assert f"any {3 if players == 2 else 4} piles" in TextGame(num_players=players).rules


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"opponents": "nobody"}, UnknownAgent),
        ({"opponents": []}, InvalidOption),
        ({"seat": 2}, InvalidOption),
        ({"seat": "alternate"}, InvalidOption),
        ({"kingdom": "nowhere"}, InvalidKingdom),
        ({"list_answers": 1}, InvalidOption),
        ({"num_players": 7}, InvalidOption),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], error: type[Exception]):
    with pytest.raises(error):
        TextGame(**options)


class Failing:
    """Fails at its third decision."""

    asked = 0

    def act(self, observations: Any, action_masks: Any, keys: Any) -> Any:
        self.asked += 1
        if self.asked == 3:
            raise RuntimeError("out of order")
        return np.argmax(action_masks, axis=1)


def test_after_an_opponent_has_failed_the_game_can_not_go_on():
    failing = Failing()
    game = TextGame(opponents=failing, seed=5)
    while failing.asked < 2:
        game.answer("pass")
    with pytest.raises(RuntimeError, match="out of order"):
        game.answer("pass")
    with pytest.raises(WrongOrder, match="an opponent has failed"):
        game.answer("pass")


def test_every_word_of_an_action_is_understood_where_games_go():
    """All the actions that random games of all cards offer are taken by name."""
    seen: set[str] = set()
    for seed in range(12):
        game = TextGame(opponents="random", kingdom="random", seed=seed, num_players=2, max_turns=25)
        rng = random.Random(seed)
        while not game.is_over:
            legal = answers_in(game.text)
            seen.update(legal)
            assert game.answer(rng.choice(legal[1:] if len(legal) > 2 else legal).upper()).taken
    assert seen <= set(ACTION_NAMES)
    assert len(seen) > 60


def test_a_searching_opponent_is_asked_by_decide_and_knows_the_gains():
    asked: list[Any] = []

    class Searching:
        def act(self, observations: Any, action_masks: Any, keys: Any) -> Any:
            raise AssertionError

        def decide(self, situation: Any) -> Any:
            asked.append(situation.gains[0].max(initial=-1))
            return np.argmax(situation.action_masks, axis=1)

    game = TextGame(opponents=Searching(), seed=5)
    for _ in range(3):
        game.answer("buy Copper")
    assert len(asked) >= 2
    assert asked[-1] == 0
