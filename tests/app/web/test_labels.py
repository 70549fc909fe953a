"""The words of answers, which cards of the table answer a click, and who attacks."""

from __future__ import annotations

from typing import Any

import pytest

from dominion_app.web.pages import table_parts as parts
from dominion_app.web.pages.labels import DECLINING, label_of, relabelled
from dominion_app.web.pages.review import reviewed
from tests.app.web import game_of
from tests.app.web.test_games import asked, position

SECOND = "Artisan,Bandit,Harbinger,Mine,Moat,Moneylender,Remodel,Vassal,Village,Witch"


def test_each_question_that_can_be_declined_says_how():
    assert {said.removeprefix("asked by "): words for said, words in DECLINING.items()} == {
        "Cellar to discard": "Discard no more", "Chancellor to discard the deck": "Keep the deck",
        "Chapel to trash": "Trash no more", "Harbinger to put on the deck": "Put none on top",
        "Library to set aside or keep": "Keep it", "Mine to trash": "Trash none", "Moat to reveal": "Don't reveal it",
        "Moneylender to trash": "Trash none", "Thief to gain": "Gain no more", "Throne Room to play": "Play none",
        "Vassal to play": "Don't play it",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "question", "label"),
    [
        ("pass", "Ann is asked in the Buy phase to play or buy a card", "End the turn"),
        ("pass", "Ann is asked in the Action phase to play a card", "Go on to the Buy phase"),
        ("pass", "Ann is asked by Moat to reveal, about Witch", "Don't reveal it"),
        ("pass", "asked by Throne Room to play", "Play none"),
        ("topdeck Gold", "asked by Sentry to trash, discard or put back", "Put Gold back"),
        ("topdeck Gold", "asked by Harbinger to put on the deck", "Put Gold on top"),
        ("discard deck", "asked by Chancellor to discard the deck", "Discard the deck"),
        ("set aside Moat", "asked by Library to set aside or keep", "Set aside Moat"),
    ],
)  # fmt: skip
def test_an_answer_is_called_as_its_button(answer: str, question: str, label: str):
    assert label_of(answer, question) == label


def test_a_review_calls_passing_as_the_button_does():
    told = "Turn 5, asked in the Buy phase to play or buy a card: pass cost 3 percent of the win. Better: pass."
    assert relabelled(told, told).endswith("card: “End the turn” cost 3 percent of the win. Better: “End the turn”.")
    action = {"action": "pass", "chance": 0.5, "low": 0.4, "high": 0.6}
    decision = {
        "step": 1, "turn": 5, "own_turn": True, "asked": "asked in the Buy phase to play or buy a card", "played": "pass",
        "better": "buy Gold", "mistake": True, "cost": {"share": 0.1, "low": 0.05, "high": 0.2}, "actions": [action],
    }  # fmt: skip
    noise = decision | {"step": 2, "mistake": False, "cost": {"share": 0.04, "low": -0.01, "high": 0.09}}
    mean = {"loss": 0.05, "half_width": float("nan"), "decisions": 2}
    losses = mean | {"groups": {"buy": mean | {"half_width": 0.02}}}
    page = reviewed({"decisions": [decision, noise], "dearest": [], "explained": [[told]], "losses": losses}, "Ann")
    assert "<td>End the turn</td>" in page
    assert "10.0 [5.0, 20.0]" in page
    assert "<td>0</td>" in page
    assert "<td>all</td><td>5.00</td><td>2</td>" in page
    assert "<td>buy</td><td>5.00 ±2.00</td><td>2</td>" in page
    assert "pass" not in page


def test_watched_values_call_passing_as_the_button_does():
    page = parts.bars("quick", {"bars": [["pass", 0.75]], "chance": None}, "quick is asked in the Buy phase to play")
    assert "End the turn" in page
    assert "pass" not in page


def _clickable(html: str) -> int:
    return html.count("<button")


@pytest.mark.parametrize(
    ("card", "hand", "mine", "answer"),
    [
        ("Harbinger", ["Copper", "Gold"], {"discard": ["Copper", "Gold"]}, "topdeck Copper"),
        ("Vassal", ["Village"], {"deck_top": ["Village"]}, "play Village"),
    ],
)  # fmt: skip
def test_a_card_of_the_hand_is_no_answer_about_one_that_lies_elsewhere(
    card: str, hand: list[str], mine: dict[str, Any], answer: str
):
    game = game_of(**position(card, *hand, kingdom=SECOND, mine=mine))
    game.answer(game.state, f"play {card}")
    seen = asked(game)
    assert answer in seen.answers
    assert _clickable(parts.own(seen)) == 0


def test_thief_takes_no_card_of_the_own_hand_and_none_of_the_supply():
    game = game_of(**position("Thief", "Silver", "Gold"))
    game.answer(game.state, "play Thief")
    seen = asked(game)
    assert seen.answers == ("trash Silver", "trash Gold")
    assert _clickable(parts.own(seen)) == 0
    assert "has revealed" in parts.question(seen)
    game.answer(game.state, "trash Silver")
    seen = asked(game)
    assert "gain Silver" in seen.answers
    assert _clickable(parts.supply(seen)) == 0
    assert _clickable(parts.question(seen)) == 2


def test_who_attacks_is_told():
    players = [{"hand": {"Copper": 3, "Estate": 2}}, {"hand": {"Militia": 1, "Copper": 4}}]
    attack = position(players=players, turn_player=1) | {"agent": "double-militia"}
    seen = asked(game_of(**attack))
    assert "“double-militia” attacks you." in parts.question(seen)
    assert seen.several
    assert _clickable(parts.own(seen)) == 5


def test_treasures_come_before_purchases_and_the_dearest_card_first():
    game = game_of(**position("Gold", "Gold", "Copper", "Estate", phase="buy", coins=5))
    question = parts.question(asked(game))
    words = ["treasures", "play Copper", "play Gold", "buy Duchy", "buy Silver", "buy Curse"]
    places = [question.index(f"|{word}") for word in words]
    assert places == sorted(places)
    assert question.count('class="main"') == 1, "one answer stands out"
