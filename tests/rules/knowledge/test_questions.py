"""A seat sees its own cards, what lies open of the others, and the question that it is asked."""

import pytest

from tests.rules.knowledge import number, question, seen
from tests.table import Table


def test_a_seat_sees_its_own_cards_and_the_composition_of_its_deck_and_discard_pile():
    table = Table(
        hands=["Gold, Moat"], decks=["Duchy"], bags=["2 Copper"], discards=["Silver, Estate"], in_play=["Village"]
    )
    alice, bob = table
    assert seen(table, alice, "my_hand") == "Gold, Moat"
    assert seen(table, alice, "my_draw_pile") == "Duchy, 2 Copper"
    assert seen(table, alice, "my_discard") == "Silver, Estate"
    assert seen(table, alice, "my_discard_top") == "Estate"
    assert seen(table, bob, "opponent_1_owned") == alice.owned
    assert seen(table, bob, "opponent_1_in_play") == "Village"
    assert seen(table, bob, "opponent_1_discard_top") == "Estate"
    assert seen(table, bob, "opponent_1_known_hand") == ""
    assert seen(table, bob, "my_hand") == ""


def test_opponents_are_seen_in_turn_order_from_the_one_who_looks():
    table = Table(in_play=["Village", "Moat", "Smithy"])
    alice, bob, carol = table
    assert seen(table, alice, "opponent_1_in_play") == "Moat"
    assert seen(table, alice, "opponent_2_in_play") == "Smithy"
    assert seen(table, bob, "opponent_1_in_play") == "Smithy"
    assert seen(table, bob, "opponent_2_in_play") == "Village"
    assert seen(table, carol, "opponent_1_in_play") == "Village"


def test_the_thief_sees_the_treasures_to_choose_from():
    table = Table(hands=["Thief"], decks=["", "Silver, Gold"], players=3)
    alice, bob, carol = table
    alice.plays("Thief")
    assert seen(table, alice, "question_candidates") == "Silver, Gold"
    assert seen(table, alice, "question_source") == "Thief"
    assert not any(question(table, bob))
    assert not any(question(table, carol))
    alice.trashes("Gold")
    assert seen(table, alice, "question_candidates") == "Gold"  # to gain


def test_bandits_victim_sees_the_treasures_to_choose_from():
    table = Table(hands=["Bandit"], decks=["", "Silver, Gold"], players=3)
    alice, bob, carol = table
    alice.plays("Bandit")
    assert seen(table, bob, "question_candidates") == "Silver, Gold"
    assert not any(question(table, alice))
    assert not any(question(table, carol))


def test_the_spy_sees_the_card_in_question():
    table = Table(hands=["Spy"], decks=["Copper, Duchy", "Gold"])
    alice, bob = table
    alice.plays("Spy")
    assert seen(table, alice, "question_card") == "Duchy"
    alice.discards("Duchy")
    assert seen(table, alice, "question_card") == "Gold"
    assert not any(question(table, bob))


def test_sentry_shows_the_two_cards_to_their_owner_alone():
    table = Table(hands=["Sentry"], decks=["Copper, Gold, Gold"])
    alice, bob = table
    alice.plays("Sentry")
    assert seen(table, alice, "question_candidates") == "2 Gold"
    assert not any(question(table, bob))


def test_harbinger_shows_the_discard_pile_to_its_owner_alone():
    table = Table(hands=["Harbinger"], decks=["Copper"], discards=["2 Gold, Estate"])
    alice, bob = table
    alice.plays("Harbinger")
    assert seen(table, alice, "question_candidates") == "2 Gold, Estate"
    assert not any(question(table, bob))


def test_library_shows_the_card_in_question_to_its_owner_alone():
    table = Table(hands=["Library"], decks=["Gold, Village"])
    alice, bob = table
    alice.plays("Library")
    assert seen(table, alice, "question_card") == "Village"
    assert seen(table, alice, "my_hand") == "Gold"
    assert not any(question(table, bob))


def test_cards_chosen_so_far_are_seen_by_their_owner_alone_and_count_as_hand_for_others():
    table = Table(hands=["Militia", "5 Copper"])
    alice, bob = table
    alice.plays("Militia")
    bob.discards("Copper")
    assert seen(table, bob, "question_chosen") == "Copper"
    assert not any(question(table, alice))


def test_a_throne_rooms_second_play_is_seen_to_be_pending_while_the_first_one_asks():
    once, twice = (
        Table(hands=[f"{cards}, Remodel, Copper, Estate"], in_play=[in_play])
        for cards, in_play in (("Curse", "Throne Room"), ("Throne Room, Curse", ""))
    )
    once.seats[0].plays("Remodel")
    twice.seats[0].plays("Throne Room, Remodel")
    assert once.seats[0].in_play == twice.seats[0].in_play
    assert once.legal == twice.legal
    assert question(once, once.seats[0]) != question(twice, twice.seats[0])
    for table in (once, twice):
        table.seats[0].trashes("Copper")
        table.seats[0].gains("Copper")
    assert once.asks(once.seats[0], "action")
    assert twice.asks(twice.seats[0], "trash", "Remodel")


@pytest.mark.parametrize(
    ("card", "picks"),
    [
        ("Cellar", ["discard Copper", "discard Estate"]),
        ("Chapel", ["trash Copper", "trash Estate"]),
        ("Militia", ["discard Copper", "discard Estate"]),
        ("Poacher", ["discard Copper", "discard Estate"]),
        ("Sentry", ["trash Gold"]),
        ("Thief", ["trash Gold", "trash Silver", "gain Gold"]),
    ],
)
def test_picks_made_so_far_are_seen_in_the_question(card, picks):
    hand = "3 Copper, 3 Estate"
    table = Table(
        hands=[f"{card}, {hand}", hand if card == "Militia" else "", ""],
        decks=["Copper, Gold, Village", "Gold, Copper", "Silver, Copper"],
        supply={"Curse": 0, "Moat": 0, "Market": 0} if card == "Poacher" else {},
    )
    table.seats[0].plays(card)
    made = 0
    for words in picks:
        assert number(table, table.asked, "question_picks") == made
        table.answer(words)
        made = made + 1 if card != "Thief" or words.startswith("gain") else 0
    assert number(table, table.asked, "question_picks") == made
