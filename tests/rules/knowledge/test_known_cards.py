"""Cards of a draw pile, a hand or a discard pile that all have seen are known until they may have left it."""

import pytest

from tests.table import Table


def test_a_reveal_raises_what_is_known_to_at_least_the_number_shown():
    table = Table(hands=["Bureaucrat", "2 Gold, Moat"], known_hands=["", "Gold, Moat"])
    alice, bob = table
    alice.plays("Bureaucrat")
    bob.passes()
    assert bob.known_hand == "2 Gold, Moat"


def test_all_treasures_that_are_played_together_are_seen_to_leave_the_hand():
    table = Table(
        phase="buy", hands=["3 Copper, 2 Gold, Moat"], known_hands=["2 Copper, 2 Gold, Moat"], auto_treasures=True
    )
    alice, _ = table
    assert alice.in_play == "3 Copper, 2 Gold"
    assert alice.known_hand == "Moat"


def test_bureaucrats_victory_card_drawn_again_is_known_in_hand():
    table = Table(hands=["Bureaucrat", "Duchy, Copper"], decks=["5 Copper", "5 Copper"])
    alice, bob = table
    alice.plays("Bureaucrat")
    bob.topdecks("Duchy")
    assert bob.deck_known[0] == "all"
    assert bob.known_hand == ""
    alice.ends_turn()
    bob.ends_turn()
    assert bob.known_hand == "Duchy"


def test_cards_that_leave_the_hand_unseen_take_as_many_of_each_known_card():
    table = Table(
        hands=["Militia", "3 Silver, Estate, Copper, Gold"],
        known_hands=["", "3 Silver, Estate"],
    )
    alice, bob = table
    alice.plays("Militia")
    bob.discards("Copper, Silver, Gold")
    assert bob.hand == "2 Silver, Estate"
    # two went unseen beneath the Gold: they may have been Silvers or the Estate
    assert bob.known_hand == "Silver"
    assert bob.known_discard == "Gold"


def test_the_seen_top_card_of_several_discards_takes_one_of_its_own():
    table = Table(hands=["Militia", "3 Silver, Copper, Gold"], known_hands=["", "3 Silver, Gold"])
    alice, bob = table
    alice.plays("Militia")
    bob.discards("Copper, Gold")
    assert bob.hand == "3 Silver"
    assert bob.known_hand == "2 Silver"


def test_cards_wait_in_hand_for_all_others_until_choosing_ends():
    table = Table(hands=["Militia", "3 Silver, Copper, Gold"], known_hands=["", "3 Silver, Gold"])
    alice, bob = table
    alice.plays("Militia")
    bob.discards("Gold")
    assert bob.chosen == "Gold"
    assert bob.known_hand == "3 Silver, Gold"


def test_clean_up_moves_what_is_known_of_the_hand_and_the_cards_in_play_to_the_discard_pile():
    table = Table(
        hands=["Woodcutter, Moat, Gold, Estate"],
        known_hands=["Moat, Gold"],
        decks=["5 Curse"],
        discards=["Copper"],
    )
    alice, _ = table
    alice.plays("Woodcutter")
    alice.ends_turn()
    assert alice.known_hand == ""
    assert alice.known_discard == "Copper, Gold, Moat, Woodcutter"


def test_a_shuffle_ends_what_is_known_of_the_discard_pile():
    table = Table(hands=["Market"], discards=["Gold, Silver"], known_discards=["Gold, Silver"])
    alice, _ = table
    alice.plays("Market")
    assert alice.known_discard == ""


@pytest.mark.parametrize("card", ["Gold", "Silver"])
def test_an_unseen_card_taken_from_the_discard_pile_takes_one_of_each(card):
    table = Table(
        hands=["Harbinger"], decks=["Copper"], discards=["2 Gold, Silver, Estate"], known_discards=["2 Gold, Silver"]
    )
    alice, _ = table
    alice.plays("Harbinger")
    alice.topdecks(card)
    assert alice.known_discard == "Gold, Estate"  # the top is there to be seen
    assert alice.deck_known == ["owner"]


def test_when_the_top_itself_is_taken_the_card_beneath_is_seen():
    table = Table(hands=["Harbinger"], decks=["Copper"], discards=["Gold, Silver, Estate"])
    alice, _ = table
    alice.plays("Harbinger")
    alice.topdecks("Estate")
    assert alice.discard == "Gold, Silver"
    assert alice.known_discard == "Silver"


def test_cards_known_to_all_that_chancellor_turns_over_join_the_known_ones():
    table = Table(
        hands=["Chancellor"],
        decks=["Duchy, Gold, Village, Copper"],
        deck_known=[["all", "owner", "nobody", "nobody"]],
    )
    alice, _ = table
    alice.plays("Chancellor")
    alice.discards_deck()
    assert alice.known_discard == "Duchy, Copper"


def test_a_draw_of_a_card_its_owner_alone_knows_tells_the_others_nothing():
    table = Table(hands=["Market"], decks=["Gold"], deck_known=[["owner"]])
    alice, _ = table
    alice.plays("Market")
    assert alice.known_hand == ""


def test_missing_knowledge_is_nobodys_but_the_top_of_the_discard_pile():
    table = Table(hands=["Gold"], decks=["Duchy"], discards=["Silver, Copper"])
    alice, _ = table
    assert alice.known_hand == ""
    assert alice.deck_known == ["nobody"]
    assert alice.known_discard == "Copper"
