"""Answers in words: any spelling of one legal action is taken, and all else is refused in words, with nothing changed."""

from __future__ import annotations

import time
from typing import Any

import pytest

from dominion_env.tables.actions import ACTION_NAMES
from dominion_env.text.reading import read_answer

BUYS = ("pass", "buy Copper", "buy Silver", "buy Province", "buy Smithy", "buy Throne Room")
ACTIONS = ("pass", "play Smithy", "play Village", "play Throne Room")
MOAT = ("pass", "reveal Moat")
CHANCELLOR = ("pass", "discard deck")
LIBRARY = ("pass", "set aside Smithy")
CHAPEL = ("pass", "trash Copper", "trash Estate")
MILITIA = ("discard Copper", "discard Estate", "discard Witch")
SENTRY = ("trash Silver", "discard Silver", "topdeck Silver", "trash Estate", "discard Estate", "topdeck Estate")
SPY = ("discard Silver", "topdeck Silver")
BUREAUCRAT = ("topdeck Estate", "topdeck Duchy")
VASSAL = ("pass", "play Festival")
HARBINGER = ("pass", "topdeck Copper", "topdeck Gold")
TREASURES = ("pass", "play Silver", "buy Copper")


@pytest.mark.parametrize(
    ("legal", "answer", "action"),
    [
        *((BUYS, words, "buy Province") for words in (
            "Buy a Province.", "buy province", "I buy Province!", "province", "Provinces", "**buy Province**", "4",
            "4. buy Province", "#4", "(4)", "Answer: 4", "buy_Province", '{"action": "buy Province"}', "buying 1 Province",
            "My final answer is: buy the Province", "I\u2019ll buy a Province, please", "buy Province, buy Province",
            "\n  BUY\t PROVINCE \r\n", "4: I'd like to buy one Province", "Okay, I'll go with Province", "get a Province",
            '```json\n{"action": "buy", "card": "Province"}\n```', "\\boxed{4}", "I take 4", "I'll take option 4",
        )),
        *((BUYS, words, "pass") for words in (
            "pass", "Pass.", "I pass", "end turn", "end my turn", "End the turn!", "done", "I'm done.", "buy nothing",
            "nothing", "no", "none", "no more", "stop", "skip", "1", "1 pass", "finish", "Don't buy", "no, I pass",
            "No, thank you.", "No. Nothing more.", "don't buy anything", "buy nothing else", "I'm done buying", "nope",
        )),
        *((ACTIONS, words, "play Smithy") for words in ("play the smithy", "Smithy", "smithies", "play Smithy from my hand")),
        *((ACTIONS, words, "pass") for words in ("go on to the Buy phase", "buy phase", "end phase", "end the action phase")),
        (ACTIONS, "Play the Throne Room", "play Throne Room"),
        *((MOAT, words, "reveal Moat") for words in ("yes", "Yes!", "reveal", "reveal it", "Moat", "yes, reveal it", "show it")),
        *((MOAT, words, "pass") for words in ("no", "No, don't reveal it", "don't reveal the Moat", "do not reveal", "pass")),
        *((CHANCELLOR, words, "discard deck") for words in (
            "yes", "discard my deck", "discard", "put your whole deck into your discard pile", "discard the deck",
        )),
        *((CHANCELLOR, words, "pass") for words in ("no", "keep the deck", "keep it", "don't discard the deck")),
        *((LIBRARY, words, "set aside Smithy") for words in ("set it aside", "set Smithy aside", "yes", "2")),
        *((LIBRARY, words, "pass") for words in ("keep", "keep it", "keep the Smithy in my hand", "no")),
        *((CHAPEL, words, "pass") for words in ("trash no more", "none", "done", "trash nothing", "stop trashing")),
        (CHAPEL, "trash the Copper in my hand", "trash Copper"),
        (CHAPEL, "I trash a Copper from my hand", "trash Copper"),
        (MILITIA, "witch", "discard Witch"),
        (MILITIA, "2", "discard Estate"),
        *((SENTRY, words, "topdeck Silver") for words in (
            "topdeck Silver", "put Silver back", "put back the Silver", "put Silver on top of my deck", "Silver onto the deck",
            "place Silver on the top of the deck",
        )),
        (SENTRY, "trash the estate", "trash Estate"),
        (SPY, "put it back", "topdeck Silver"),
        (SPY, "discard it", "discard Silver"),
        (SPY, "put it into the discard pile", "discard Silver"),
        (BUREAUCRAT, "Duchy", "topdeck Duchy"),
        (BUREAUCRAT, "put Estate onto my deck", "topdeck Estate"),
        (VASSAL, "yes, play it", "play Festival"),
        (VASSAL, "don't play it", "pass"),
    ],
)  # fmt: skip
def test_a_spelling_that_fits_one_legal_action_is_taken(legal: tuple[str, ...], answer: str, action: str):
    assert read_answer(answer, legal) == (True, action, "", "")


def test_every_action_is_taken_by_its_name_its_number_and_in_a_sentence():
    for place, name in enumerate(ACTION_NAMES, start=1):
        for words in (name, name.upper(), f'"{name}."', f"I {name} now", f"{place}", f"{place}) {name}"):
            assert read_answer(words, ACTION_NAMES).action == name, words


@pytest.mark.parametrize(
    ("legal", "answer", "wrong"),
    [
        *((BUYS, words, "several") for words in ("buy", "buy Silver, buy Province", "Silver Province", "pass, buy Silver",
                                                 "pass, smithy", "buy Silver or Province", "buy Silver, then pass")),
        *((SENTRY, words, "several") for words in ("trash", "Silver", "trash it", "trash Silver, discard Estate")),
        (MILITIA, "discard a card", "several"),
        *((BUYS, words, "not legal") for words in ("buy Gold", "gain Silver", "play Smithy", "Gold", "17", "0", "4 buy Silver",
                                                   "yes", "reveal it", "don't buy Silver", "discard deck", "no Province",
                                                   "don't pass", "don't end my turn", "99999999999")),
        *((MILITIA, words, "not legal") for words in ("pass", "end turn", "no", "none", "keep", "buy Silver", "Silver")),
        (CHAPEL, "end turn", "not legal"),
        *((MOAT, words, "not legal") for words in ("yes, no", "No! Reveal it")),
        (CHANCELLOR, "don't keep the deck", "not legal"),
        *((LIBRARY, words, "not legal") for words in ("don't keep it", "put it into my hand", "take it", "don't take it")),
        *((LIBRARY, words, "several") for words in ("put Smithy in hand", "take the Smithy")),
        *((MOAT, words, "several") for words in (
            "No, reveal Moat", "no: Moat", "Nope, reveal Moat", "None. Reveal Moat", "Nothing. Reveal the Moat",
            "No - reveal Moat", "No\nReveal Moat", "no? reveal Moat", "Done. Reveal Moat", "Finished! Reveal Moat",
        )),
        *((CHAPEL, words, "not legal") for words in ("trash, then stop", "Trash one and stop", "done. trash it")),
        *((BUYS, words, "several") for words in ("buy Silver, then stop", "I buy Silver, then I'm finished", "Done. Buy Silver")),
        (CHAPEL, "put Copper into my discard pile", "several"),
        (HARBINGER, "put Gold into my hand", "several"),
        (VASSAL, "put it in my hand", "unreadable"),
        (TREASURES, "done playing", "not legal"),  # a turn does not end by it
        *((BUYS, words, "unreadable") for words in (
            "", " \n", "...", "the", "hello", "buy 2 Silver", "buy Silver 3",
            "-4", "3.5", "3 4", "1e3", "buysilver", "buy S\u0131lver", "If I could I would buy a Province",
            "buy Silver instead of Province", "\u0664", "buy \u200bSilver", "buy Silver\x00", "\x1b[31mbuy Silver", "\ud800",
        )),
    ],
)  # fmt: skip
def test_an_answer_that_fits_no_action_or_several_is_refused(legal: tuple[str, ...], answer: str, wrong: str):
    read = read_answer(answer, legal, request="What do you do")
    assert (read.taken, read.action, read.wrong) == (False, None, wrong), read.why
    assert read.why.endswith("The question is: What do you do.")
    assert read.why.replace("\n", "").isprintable()


def test_of_several_actions_that_fit_why_lists_those():
    assert "fits several answers: trash Silver, discard Silver, topdeck Silver." in read_answer("silver", SENTRY).why
    assert "“silver” fits several answers." in read_answer("silver", SENTRY, listed=False).why


def test_an_answer_to_another_question_is_told_what_is_asked_now():
    read = read_answer("play Smithy", BUYS, "Buy a card, or end the turn")
    assert read.why == (
        "\u201cplay Smithy\u201d fits no answer that is legal now. The question is: Buy a card, or end the turn."
    )


def test_numbers_are_answers_only_where_they_are_listed():
    assert read_answer("2", BUYS, listed=True).action == "buy Copper"
    for words in ("2", "2 buy Copper"):
        read = read_answer(words, BUYS, listed=False)
        assert (read.taken, read.wrong) == (False, "unreadable")
        assert "no numbers are listed" in read.why


class Shouting:
    def __repr__(self) -> str:
        raise AssertionError("nobody may look at it")


@pytest.mark.parametrize(
    "answer", [None, 3, 3.0, b"buy Silver", ["buy Silver"], Shouting(), type("x" * 10**6, (), {})()]
)
def test_what_is_no_text_is_refused(answer: Any):
    read = read_answer(answer, BUYS, "Q")
    assert (read.taken, read.wrong) == (False, "unreadable")
    assert read.why.startswith("Expected a text, got ")
    assert len(read.why) < 200


def test_a_long_answer_is_refused_at_once_and_is_not_echoed():
    begun = time.perf_counter()
    for answer in ("buy Silver " * 10**6, "\x00" * 10**7, "\n" * 10**7 + "buy Silver"):
        read = read_answer(answer, BUYS, "Q")
        assert (read.taken, read.wrong) == (False, "unreadable")
        assert "at most 400 characters" in read.why
        assert len(read.why) < 200
    assert time.perf_counter() - begun < 1


@pytest.mark.parametrize("answer", ["x" * 400, "buy " * 100, "\u00e9 " * 200, "1" * 400, "\x1b" * 400, "Silver " * 57])
def test_why_shows_no_more_than_an_excerpt(answer: str):
    read = read_answer(answer, BUYS, "Q")
    assert len(read.why) < 400
    assert read.why.isprintable()
