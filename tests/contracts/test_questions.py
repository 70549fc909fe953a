"""A question to a player reads as a sentence, the same in every view."""

from __future__ import annotations

import pytest

from dominion_env import Card, Game, GameBatch, IllegalAction
from dominion_env.core.questions import KIND_NAMES, Decision, asked
from dominion_env.render import wording
from dominion_env.render.view import view_of
from dominion_env.rules.words.asking import ALL_LOOT, Question, question
from dominion_env.rules.words.decisions import (
    ASIDE,
    DECK,
    DISCARD,
    DISCARD_PILE,
    GAIN,
    HAND,
    LOOT,
    PLAY,
    SUBJECT,
    SUPPLY,
    TOPDECK,
    TRASH,
)  # fmt: skip
from dominion_env.tables.cards import Type

OTHERS = ("Cellar", "Moat", "Village", "Smithy", "Market", "Mine", "Remodel")

SENTENCES = {
    "play": (Card.THRONE_ROOM, "asked by Throne Room to play"),
    "buy": (None, "asked in the Buy phase to play or buy a card"),
    "gain": (Card.WORKSHOP, "asked by Workshop to gain"),
    "trash": (Card.CHAPEL, "asked by Chapel to trash"),
    "discard": (Card.MILITIA, "asked by Militia to discard"),
    "topdeck": (Card.HARBINGER, "asked by Harbinger to put on the deck"),
    "reveal": (Card.MOAT, "asked by Moat to reveal"),
    "set aside": (Card.LIBRARY, "asked by Library to set aside or keep"),
    "action": (None, "asked in the Action phase to play a card"),
    "discard deck": (Card.CHANCELLOR, "asked by Chancellor to discard the deck"),
}


def test_every_kind_reads_as_a_sentence():
    assert set(SENTENCES) == set(KIND_NAMES)
    for kind, (source, sentence) in SENTENCES.items():
        assert asked(kind, source) == sentence


@pytest.mark.parametrize(
    ("hand", "answers", "question"),
    [
        ({"Militia": 1}, (), "player_0 is asked in the Action phase to play a card"),
        ({"Copper": 1}, (), "player_0 is asked in the Buy phase to play or buy a card"),
        ({"Militia": 1}, ("play Militia",), "player_1 is asked by Militia to discard"),
        ({"Chancellor": 1}, ("play Chancellor",), "player_0 is asked by Chancellor to discard the deck"),
        ({"Spy": 1}, ("play Spy",), "player_0 is asked by Spy to discard or put back"),
    ],
)
def test_error_question_and_view_say_the_same(hand: dict[str, int], answers: tuple[str, ...], question: str):
    position = {
        "kingdom": ["Militia", "Chancellor", "Spy", *OTHERS],
        "phase": "buy" if "Copper" in hand else "action",
        "players": [{"hand": hand, "deck_bag": {"Estate": 3}}, {"hand": {"Copper": 4, "Estate": 1}}],
    }
    game = Game.from_dict(position)
    for answer in answers:
        game.apply(answer)
    assert view_of(game, None).question.startswith(question)
    with pytest.raises(IllegalAction) as refused:
        game.apply("gain Province")
    said = f"{question}; legal: {game.legal_actions()}"
    assert str(refused.value).endswith(f", but {said}")
    assert GameBatch(1, start=game.to_dict()).question(0) == said


def test_the_view_tells_how_many_about_which_card_and_whose():
    def seen(*players: dict[str, dict[str, int]], first: str) -> str:
        kingdom = ["Militia", "Chapel", "Spy", "Thief", "Sentry", *OTHERS[:5]]
        game = Game.from_dict({"kingdom": kingdom, "players": list(players)})
        game.apply(first)
        return view_of(game, None, ["Ann", "Ben"]).question

    cards = {"Copper": 3, "Estate": 2}
    assert seen({"hand": {"Militia": 1}}, {"hand": cards}, first="play Militia") == (
        "Ben is asked by Militia to discard 2 cards"
    )
    assert seen({"hand": {"Chapel": 1} | cards}, {}, first="play Chapel") == (
        "Ann is asked by Chapel to trash up to 4 cards"
    )
    spied = {"hand": cards, "deck_bag": {"Gold": 1}}
    assert seen({"hand": {"Spy": 1} | cards}, spied, first="play Spy") == (
        "Ann is asked by Spy to discard or put back Gold of Ben's"
    )
    assert seen({"hand": {"Spy": 1} | cards, "deck_bag": {"Gold": 2}}, spied, first="play Spy") == (
        "Ann is asked by Spy to discard or put back their own Gold"
    )
    looted = {"hand": cards, "deck_bag": {"Gold": 1, "Silver": 1}}
    assert seen({"hand": {"Thief": 1} | cards}, looted, first="play Thief") == (
        "Ann is asked by Thief to trash a Treasure of Ben's"
    )
    looks = {"hand": {"Sentry": 1}, "deck_bag": {"Gold": 3}}
    assert seen(looks, {}, first="play Sentry") == "Ann is asked by Sentry to trash, discard or put back 2 cards"


def test_the_view_tells_the_first_of_sentrys_two_answers_as_it_moves_no_card_yet():
    players = [{"hand": {"Sentry": 1}, "deck_top": ["Copper", "Gold", "Estate"]}, {}]
    game = Game.from_dict({"kingdom": ["Sentry", "Chapel", "Spy", *OTHERS], "players": players})
    game.apply("play Sentry")
    game.apply("trash Estate")
    asked_now = "player_0 is asked by Sentry to trash, discard or put back Gold"
    assert view_of(game, 0).question == f"{asked_now}, after 'trash Estate'"
    assert "Estate" not in view_of(game, 1).question


def militia_played(hand: dict[str, int]) -> Game:
    """Return a game in which player_0 has played Militia and player_1 has this hand."""
    game = Game.from_dict(
        {
            "kingdom": ["Militia", "Chapel", "Spy", *OTHERS],
            "players": [{"hand": {"Militia": 1}}, {"hand": hand, "deck_bag": {"Gold": 6}}],
        }
    )
    game.apply("play Militia")
    return game


def test_others_read_which_card_asks_but_not_about_a_moat():
    hands: tuple[dict[str, int], ...] = ({"Copper": 4, "Estate": 1}, {"Moat": 1, "Copper": 3, "Estate": 1})
    for hand, mine in zip(hands, ("by Militia to discard 2 cards", "by Moat to reveal, about Militia"), strict=True):
        game = militia_played(hand)
        assert view_of(game, 1).question == f"player_1 is asked {mine}"
        assert view_of(game, 0).question == "player_1 is asked by Militia"


def test_others_read_what_the_player_of_the_turn_is_asked():
    cards = {"Copper": 3, "Estate": 2}
    game = Game.from_dict(
        {"kingdom": ["Militia", "Chapel", "Spy", *OTHERS], "players": [{"hand": {"Chapel": 1} | cards}, {}]}
    )
    assert view_of(game, 1).question == "player_0 is asked in the Action phase to play a card"
    game.apply("play Chapel")
    game.apply("trash Copper")
    assert view_of(game, 1).question == "player_0 is asked by Chapel to trash"
    assert view_of(game, 1).legal == ()


def requested(hand: dict[str, int], *answers: str, other: dict[str, object] | None = None, edition: int = 2) -> str:
    """Return what the player who is asked reads after these answers; nobody else reads it."""
    kingdom = [card for card in hand if card not in ("Copper", "Silver", "Estate", "Moat")]
    kingdom = [*kingdom, *(card for card in (*OTHERS, "Chapel", "Witch", "Bureaucrat") if card not in kingdom)][:10]
    position = {
        "kingdom": kingdom,
        "edition": edition,
        "players": [{"hand": hand, "deck_top": ["Gold"] * 3}, other or {}],
    }
    game = Game.from_dict(position)
    for answer in answers:
        game.apply(answer)
    asked_now = game.decision
    assert asked_now is not None
    assert view_of(game, 1 - asked_now.player).request == ""
    return view_of(game, asked_now.player, ["Ann", "Ben"]).request


@pytest.mark.parametrize(
    ("card", "hand", "answers", "words"),
    [
        ("Village", {}, (), "Play an Action card, or go on to the Buy phase"),
        ("Village", {"Silver": 1}, ("pass",), "Play Treasures, or buy a card"),
        ("Village", {"Estate": 1}, ("pass",), "Buy a card, or end the turn"),
        ("Remodel", {"Estate": 1, "Copper": 1}, (), "Remodel: trash a card from your hand, and gain one costing up to $2 more"),
        ("Remodel", {"Estate": 1, "Copper": 1}, ("trash Estate",), "Remodel: gain a card costing up to $4 (you trashed Estate)"),
        ("Mine", {"Copper": 1, "Silver": 1}, (), "Mine: you may trash a Treasure from your hand, and gain a better one"),
        ("Mine", {"Copper": 1}, ("trash Copper",), "Mine: gain a Treasure costing up to $3 to your hand (you trashed Copper)"),
        ("Artisan", {"Copper": 1}, (), "Artisan: gain a card costing up to $5 to your hand"),
        ("Chapel", {"Copper": 4}, (), "Chapel: trash up to 4 cards from your hand"),
        ("Throne Room", {"Village": 2}, (), "Throne Room: you may play an Action card from your hand twice"),
        ("Moneylender", {"Copper": 1}, (), "Moneylender: trash a Copper from your hand for $3, or don't"),
        ("Workshop", {}, (), "Workshop: gain a card costing up to $4"),
    ],
)  # fmt: skip
def test_the_player_who_is_asked_reads_a_sentence_for_each_card(
    card: str, hand: dict[str, int], answers: tuple[str, ...], words: str
):
    first = (f"play {card}", *answers) if card != "Village" else answers
    assert requested({card: 1, **hand}, *first) == words


def test_the_victim_of_an_attack_reads_a_sentence_too():
    hand = {"Copper": 4, "Estate": 1}
    assert requested({"Militia": 1}, "play Militia", other={"hand": hand}) == "Militia: discard 2 cards from your hand"
    moat = {"hand": {"Moat": 1, "Copper": 4}}
    assert requested({"Militia": 1}, "play Militia", other=moat) == (
        "Moat: reveal it, so that Militia does nothing to you, or don't"
    )
    spied = {"hand": hand, "deck_top": ["Estate", "Gold"]}
    assert requested({"Spy": 1, "Estate": 1}, "play Spy", other=spied) == "Spy: discard your own Gold, or put it back"
    assert requested({"Spy": 1, "Estate": 1}, "play Spy", "topdeck Gold", other=spied) == (
        "Spy: discard Ben's Estate, or put it back"
    )


def test_what_was_trashed_is_not_called_what_is_gained():
    game = Game.from_dict(
        {"kingdom": ["Witch", "Chapel", "Spy", *OTHERS], "players": [{"hand": {"Remodel": 1, "Copper": 2}}, {}]}
    )
    game.apply("play Remodel")
    assert view_of(game, None).question == "player_0 is asked by Remodel to gain a card for Copper"


@pytest.mark.parametrize(
    ("asks", "words"),
    [
        (question(HAND, DISCARD, TOPDECK), "discard or put back a card from your hand"),
        (question(SUPPLY, GAIN, types=int(Type.ACTION), up_to=3), "you may gain an Action card costing up to $3"),
        (question(SUPPLY, GAIN, above_trashed=1), "you may gain a card costing up to $4 (you trashed Silver)"),
        (
            question(ASIDE, TRASH, barred=int(Card.COPPER)),
            "you may trash a card other than Copper beside the play area",
        ),
        (question(DISCARD_PILE, TOPDECK, only=0), "you may put a Copper from your discard pile onto your deck"),
        (question(SUBJECT, PLAY, asks_attacker=True), "you may play Ben's Silver"),
        (question(LOOT, GAIN, most=ALL_LOOT), "gain up to 2 cards of those that were trashed"),
        (question(DECK), "you may put your whole deck into your discard pile"),
    ],
)
def test_a_question_without_words_of_its_own_is_said_in_words_made_from_it(
    asks: Question, words: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(wording, "question_of", lambda *_: asks)
    several = asks.most is not None
    kind = KIND_NAMES[asks.kind]
    decision = Decision(
        0,
        kind,
        Card.SPY,
        Card.SILVER if asks.is_about_a_card else None,
        1,
        int(asks.verbs.bit_count() > 1),
        1 + several,
    )
    assert wording.request(decision, ["Ann", "Ben"], {}) == f"Spy: {words}"
