"""Library: draw until you have 7 cards in hand; you may set aside each Action as you draw it; discard those after."""

import pytest

from tests.table import Table


def test_cards_are_drawn_until_there_are_seven_in_hand():
    table = Table(hands=["Library, 4 Copper"], decks=["Silver, Gold, Estate, Duchy"])
    alice, _ = table
    alice.plays("Library")
    assert alice.hand == "4 Copper, Silver, Gold, Estate"
    assert alice.deck == "Duchy"
    assert table.asks(alice, "action")
    assert table.actions == 0


@pytest.mark.parametrize("cards", [7, 8])
def test_with_seven_or_more_in_hand_nothing_is_drawn(cards):
    table = Table(hands=[f"Library, {cards} Copper"], decks=["Village"])
    alice, _ = table
    alice.plays("Library")
    assert table.asks(alice, "action")
    assert len(alice.hand) == cards
    assert alice.deck == "Village"


def test_the_library_itself_does_not_count():
    table = Table(hands=["Library, 6 Copper"], decks=["2 Silver"])
    alice, _ = table
    alice.plays("Library")
    assert alice.hand == "6 Copper, Silver"


@pytest.mark.parametrize("card", ["Village", "Moat", "Militia", "Library", "Throne Room"])
def test_each_action_drawn_may_be_set_aside_or_kept_reactions_and_attacks_too(card):
    table = Table(hands=["Library, 6 Copper"], decks=[f"{card}, Gold"])
    alice, _ = table
    alice.plays("Library")
    assert table.asks(alice, "set aside", "Library", card=card)
    assert sorted(table.legal) == ["pass", f"set aside {card}"]
    other = table.copy()
    alice.sets_aside(card)
    assert alice.hand == "6 Copper, Gold"
    assert alice.discard == card
    alice, _ = other
    alice.passes()
    assert other.asks(alice, "action")
    assert alice.hand == f"6 Copper, {card}"
    assert alice.deck == "Gold"


@pytest.mark.parametrize("card", ["Copper", "Estate", "Curse", "Gardens"])
def test_other_cards_are_always_kept(card):
    table = Table(hands=["Library, 6 Copper"], decks=[f"{card}, Gold"])
    alice, _ = table
    alice.plays("Library")
    assert table.asks(alice, "action")
    assert alice.hand == f"6 Copper, {card}"


def test_each_action_is_asked_about_at_once_knowing_what_has_been_drawn_so_far():
    table = Table(hands=["Library, 3 Copper"], decks=["Gold, Village, Silver, Smithy, Estate"])
    alice, _ = table
    alice.plays("Library")
    assert alice.hand == "3 Copper, Gold"
    assert alice.revealed == "Village"
    alice.passes()
    assert table.asks(alice, "set aside", "Library", card="Smithy")
    assert alice.hand == "3 Copper, Gold, Village, Silver"
    assert alice.revealed == "Smithy"
    alice.sets_aside("Smithy")
    assert alice.hand == "3 Copper, Gold, Village, Silver, Estate"


def test_a_card_set_aside_does_not_count_as_in_hand_and_lies_apart_until_the_end():
    table = Table(hands=["Library, 5 Copper"], decks=["Village, Smithy, Gold, Moat"], discards=["Estate"])
    alice, _ = table
    alice.plays("Library")
    alice.sets_aside("Village")
    assert alice.set_aside == "Village"
    assert alice.discard == "Estate"
    alice.sets_aside("Smithy")
    assert table.asks(alice, "set aside", "Library", card="Moat")
    assert alice.set_aside == "Village, Smithy"
    assert alice.discard == "Estate"
    alice.passes()
    assert alice.hand == "5 Copper, Gold, Moat"
    assert alice.set_aside == ""
    assert alice.discard == "Estate, Village, Smithy"


def test_a_shuffle_in_the_middle_leaves_out_the_cards_set_aside():
    table = Table(hands=["Library, 3 Copper"], decks=["Village"], discards=["2 Gold"])
    alice, _ = table
    alice.plays("Library")
    alice.sets_aside("Village")
    assert table.asks(alice, "action")
    assert alice.hand == "3 Copper, 2 Gold"
    assert alice.discard == "Village"
    assert alice.draw_pile == ""


def test_if_the_deck_runs_out_drawn_cards_are_kept_and_those_set_aside_discarded():
    table = Table(hands=["Library, Copper"], decks=["Village, Smithy"])
    alice, _ = table
    alice.plays("Library")
    alice.sets_aside("Village")
    alice.passes()
    assert table.asks(alice, "action")
    assert alice.hand == "Copper, Smithy"
    assert alice.discard == "Village"


def test_all_actions_may_be_set_aside_until_nothing_is_left():
    table = Table(hands=["Library"], decks=["Village, Smithy"])
    alice, _ = table
    alice.plays("Library")
    alice.sets_aside("Village, Smithy")
    assert table.asks(alice, "action")
    assert alice.hand == ""
    assert alice.discard == "Village, Smithy"


def test_with_no_cards_at_all_nothing_is_drawn():
    table = Table(hands=["Library"])
    alice, _ = table
    alice.plays("Library")
    assert table.asks(alice, "action")
    assert alice.hand == ""


def test_throne_room_the_second_play_adds_nothing_with_seven_in_hand():
    table = Table(hands=["Throne Room, Library"], decks=["9 Copper"])
    alice, _ = table
    alice.plays("Throne Room, Library")
    assert alice.hand == "7 Copper"
    assert alice.deck == "2 Copper"


def test_throne_room_the_second_play_may_draw_what_the_first_one_set_aside():
    table = Table(hands=["Throne Room, Library"], decks=["Village, 2 Copper"])
    alice, _ = table
    alice.plays("Throne Room, Library")
    alice.sets_aside("Village")
    assert table.asks(alice, "set aside", "Library", card="Village")
    assert alice.discard == ""
    alice.passes()
    assert table.asks(alice, "action")
    assert alice.hand == "Village, 2 Copper"


def test_a_card_in_question_is_seen_by_its_owner_alone():
    table = Table(hands=["Library, 6 Copper"], decks=["Village, Gold"])
    alice, _ = table
    alice.plays("Library")
    assert alice.revealed == "Village"
    assert alice.revealed_known == ["owner"]


def test_a_kept_card_is_not_known_and_a_card_set_aside_is():
    table = Table(hands=["Library, 5 Copper"], decks=["Village, Smithy, Moat, Gold"], discards=["Duchy, Estate"])
    alice, _ = table
    alice.plays("Library")
    alice.passes()
    alice.sets_aside("Smithy, Moat")
    assert alice.hand == "5 Copper, Village, Gold"
    assert alice.known_hand == ""
    assert alice.known_discard == "Estate, Smithy, Moat"


def test_a_card_that_all_knew_on_the_deck_is_known_in_hand():
    table = Table(hands=["Library, 4 Copper"], decks=["Estate, Village, Copper"], deck_known=[["all", "all"]])
    alice, _ = table
    alice.plays("Library")
    alice.passes()
    assert alice.known_hand == "Estate, Village"
