"""Bandit: gain a Gold. The others reveal two cards, trash a Treasure other than Copper and discard the rest."""

import pytest

from tests.table import Table


def test_the_player_gains_a_gold_to_their_discard_pile():
    table = Table(hands=["Bandit"], discards=["Copper"])
    alice, _ = table
    alice.plays("Bandit")
    assert alice.discard == "Copper, Gold"
    assert table.supply["Gold"] == 29
    assert table.asks(alice, "action")


def test_the_victim_chooses_between_silver_and_gold():
    table = Table(hands=["Bandit"], decks=["", "Silver, Gold, Copper"])
    alice, bob = table
    alice.plays("Bandit")
    assert table.asks(bob, "trash", "Bandit", min_left=1, max_left=1)
    assert sorted(table.legal) == ["trash Gold", "trash Silver"]
    assert bob.revealed == "Silver, Gold"
    assert bob.revealed_known == ["all", "all"]
    other = table.copy()
    bob.trashes("Silver")
    assert table.trash == "Silver"
    assert bob.discard == "Gold"
    assert bob.deck == "Copper"
    _, bob = other
    bob.trashes("Gold")
    assert other.trash == "Gold"
    assert bob.discard == "Silver"


@pytest.mark.parametrize("treasure", ["Silver", "Gold"])
@pytest.mark.parametrize("rest", ["Copper", "Estate", "Village", "Curse"])
def test_the_only_treasure_other_than_copper_is_trashed_and_the_rest_discarded(treasure, rest):
    table = Table(hands=["Bandit"], decks=["", f"{rest}, {treasure}"])
    alice, bob = table
    alice.plays("Bandit")
    assert table.legal == [f"trash {treasure}"]
    bob.trashes(treasure)
    assert table.trash == treasure
    assert bob.discard == rest


def test_of_two_equal_treasures_exactly_one_is_trashed():
    table = Table(hands=["Bandit"], decks=["", "2 Silver"])
    alice, bob = table
    alice.plays("Bandit")
    bob.trashes("Silver")
    assert table.asks(alice, "action")
    assert table.trash == "Silver"
    assert bob.discard == "Silver"


def test_without_a_choice_nothing_is_asked():
    table = Table(hands=["Bandit, Village"], decks=["", "Copper, Gold"], actions=2, ask_forced=False)
    alice, bob = table
    alice.plays("Bandit")
    assert table.asks(alice, "action")
    assert table.trash == "Gold"
    assert bob.discard == "Copper"


def test_coppers_are_not_trashed():
    table = Table(hands=["Bandit"], decks=["", "2 Copper, Gold"])
    alice, bob = table
    alice.plays("Bandit")
    assert table.asks(alice, "action")
    assert table.trash == ""
    assert bob.discard == "2 Copper"
    assert bob.deck == "Gold"


def test_without_a_treasure_both_are_discarded_in_the_order_revealed():
    table = Table(hands=["Bandit"], decks=["", "Duchy, Estate"], discards=["", "Copper"])
    alice, bob = table
    alice.plays("Bandit")
    assert bob.discard == "Copper, Duchy, Estate"


def test_treasures_in_hand_in_the_discard_pile_and_deeper_in_the_deck_are_safe():
    table = Table(hands=["Bandit", "2 Gold"], decks=["", "Copper, Estate, Silver"], discards=["", "Gold"])
    alice, bob = table
    alice.plays("Bandit")
    assert table.asks(alice, "action")
    assert table.trash == ""
    assert bob.hand == "2 Gold"
    assert bob.deck == "Silver"
    assert bob.discard == "Gold, Copper, Estate"


def test_without_a_gold_left_the_others_still_reveal():
    table = Table(hands=["Bandit"], decks=["", "Silver, Copper"], supply={"Gold": 0})
    alice, bob = table
    alice.plays("Bandit")
    bob.trashes("Silver")
    assert alice.discard == ""
    assert bob.discard == "Copper"


def test_the_gold_comes_before_the_others_reveal():
    table = Table(hands=["Bandit"], decks=["", "Silver, Gold"])
    alice, _ = table
    alice.plays("Bandit")
    assert alice.discard == "Gold"


def test_the_attacker_reveals_nothing():
    table = Table(hands=["Bandit"], decks=["2 Gold"])
    alice, _ = table
    alice.plays("Bandit")
    assert alice.deck == "2 Gold"


def test_one_card_in_the_deck_is_revealed_before_the_discard_pile_is_shuffled_without_it():
    table = Table(hands=["Bandit"], decks=["", "Gold"], discards=["", "2 Silver"])
    alice, bob = table
    alice.plays("Bandit")
    assert bob.revealed == "Gold, Silver"
    assert bob.draw_pile == "Silver"
    bob.trashes("Silver")
    assert bob.discard == "Gold"
    assert bob.draw_pile == "Silver"


def test_a_single_card_in_all_is_revealed_alone():
    table = Table(hands=["Bandit"], discards=["", "Silver"])
    alice, bob = table
    alice.plays("Bandit")
    bob.trashes("Silver")
    assert bob.discard == ""
    assert bob.draw_pile == ""


def test_a_player_without_cards_reveals_nothing():
    table = Table(hands=["Bandit"], decks=["", "", "Silver, Gold"])
    alice, _, carol = table
    alice.plays("Bandit")
    assert table.asks(carol, "trash", "Bandit")


def test_the_victims_come_in_turn_order_and_each_is_done_before_the_next_reveals():
    table = Table(hands=["", "Bandit"], decks=["Silver, Gold", "", "Gold, Silver"], turn=1)
    alice, bob, carol = table
    bob.plays("Bandit")
    assert table.asks(carol, "trash", "Bandit")
    assert alice.revealed == ""
    carol.trashes("Gold")
    assert carol.discard == "Silver"
    assert table.asks(alice, "trash", "Bandit")
    assert alice.revealed == "Silver, Gold"
    alice.trashes("Silver")
    assert table.trash == "Silver, Gold"
    assert table.asks(bob, "action")


def test_a_revealed_moat_keeps_its_owners_deck_and_the_attacker_keeps_the_gold():
    table = Table(hands=["Bandit", "Moat", ""], decks=["", "2 Gold", "Gold, Copper"])
    alice, bob, carol = table
    alice.plays("Bandit")
    bob.reveals("Moat")
    carol.trashes("Gold")
    assert bob.deck == "2 Gold"
    assert alice.discard == "Gold"


def test_a_moat_declined_protects_nobody():
    table = Table(hands=["Bandit", "Moat"], decks=["", "2 Gold"])
    alice, bob = table
    alice.plays("Bandit")
    bob.passes()
    bob.trashes("Gold")
    assert bob.discard == "Gold"


def test_the_moat_windows_come_before_the_gold():
    table = Table(hands=["Bandit", "Moat", "Moat"])
    alice, bob, carol = table
    alice.plays("Bandit")
    assert table.asks(bob, "reveal", "Moat", card="Bandit")
    assert alice.discard == ""
    bob.reveals("Moat")
    assert table.asks(carol, "reveal", "Moat", card="Bandit")
    assert alice.discard == ""
    carol.passes()
    assert alice.discard == "Gold"


def test_throne_room_gains_two_golds_and_works_on_the_deck_as_it_is_then():
    table = Table(hands=["Throne Room, Bandit"], decks=["", "Copper, Estate, Gold, Silver"])
    alice, bob = table
    alice.plays("Throne Room, Bandit")
    assert bob.discard == "Copper, Estate"
    bob.trashes("Silver")
    assert table.asks(alice, "action")
    assert alice.discard == "2 Gold"
    assert bob.discard == "Copper, Estate, Gold"


def test_throne_room_may_reveal_a_card_of_the_first_play_again_after_a_shuffle():
    table = Table(hands=["Throne Room, Bandit"], decks=["", "Gold, Silver"])
    alice, bob = table
    alice.plays("Throne Room, Bandit")
    bob.trashes("Silver")
    assert bob.revealed == "Gold"
    bob.trashes("Gold")
    assert table.trash == "Silver, Gold"
    assert bob.owned == ""


def test_throne_room_with_one_gold_left_gains_one():
    table = Table(hands=["Throne Room, Bandit"], supply={"Gold": 1})
    alice, _ = table
    alice.plays("Throne Room, Bandit")
    assert alice.discard == "Gold"


def test_throne_room_opens_moat_windows_for_both_plays():
    table = Table(hands=["Throne Room, Bandit", "Moat"], decks=["", "2 Copper, 2 Estate"])
    alice, bob = table
    alice.plays("Throne Room, Bandit")
    bob.reveals("Moat")
    assert alice.discard == "Gold"
    assert table.asks(bob, "reveal", "Moat", card="Bandit")
    bob.passes()
    assert bob.discard == "2 Copper"


def test_the_revealed_cards_and_the_gold_are_known():
    table = Table(hands=["Bandit"], decks=["", "Estate, Duchy"], discards=["Silver, Copper", "Gold, Copper"])
    alice, bob = table
    alice.plays("Bandit")
    assert alice.known_discard == "Copper, Gold"
    assert bob.known_discard == "Copper, Estate, Duchy"
