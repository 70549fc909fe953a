"""Vassal: +2 coins. Discard the top card of your deck; if it is an Action card, you may play it."""

import pytest

from tests.table import Table


def test_gives_two_coins_and_discards_the_top_card():
    table = Table("Vassal", decks="Estate, Gold")
    alice, _ = table
    alice.plays("Vassal")
    assert table.coins == 2
    assert alice.discard == "Estate"
    assert alice.deck == "Gold"


@pytest.mark.parametrize("card", ["Copper", "Estate", "Curse", "Gardens"])
def test_a_card_that_is_no_action_is_not_asked_about(card: str):
    table = Table("Vassal", decks=card)
    alice, _ = table
    alice.plays("Vassal")
    assert table.asks(alice, "action")
    assert alice.discard == card


def test_an_action_may_be_played():
    table = Table("Vassal", decks="Village, Gold")
    alice, _ = table
    alice.plays("Vassal")
    assert table.asks(alice, "play", "Vassal", card="Village")
    assert table.legal == ["play Village", "pass"]
    assert alice.discard == "Village"
    alice.plays("Village")
    assert alice.in_play == "Vassal, Village"
    assert alice.discard == ""
    assert alice.hand == "Gold"


def test_an_action_may_be_left_in_the_discard_pile():
    table = Table("Vassal", decks="Village, Gold", discards="Copper")
    alice, _ = table
    alice.plays("Vassal")
    alice.passes()
    assert alice.discard == "Copper, Village"
    assert alice.in_play == "Vassal"
    assert alice.hand == ""
    assert table.asks(alice, "action")


def test_playing_the_card_uses_no_action():
    table = Table("Vassal", decks="Smithy")
    alice, _ = table
    alice.plays("Vassal")
    alice.plays("Smithy")
    assert table.actions == 0
    assert alice.in_play == "Vassal, Smithy"


def test_actions_given_by_the_card_are_kept():
    table = Table("Vassal", decks="Village")
    alice, _ = table
    alice.plays("Vassal")
    alice.plays("Village")
    assert table.actions == 2


def test_with_an_empty_deck_the_discard_pile_is_shuffled_first():
    table = Table("Vassal", discards="Village")
    alice, _ = table
    alice.plays("Vassal")
    assert table.asks(alice, "play", "Vassal", card="Village")
    assert alice.discard == "Village"
    assert alice.draw_pile == ""
    alice.plays("Village")
    assert alice.in_play == "Vassal, Village"


def test_without_any_card_there_are_only_the_coins():
    table = Table("Vassal")
    alice, _ = table
    alice.plays("Vassal")
    assert table.coins == 2
    assert table.asks(alice, "action")


def test_only_the_card_just_discarded_can_be_played():
    table = Table("Vassal", decks="Copper", discards="Village")
    alice, _ = table
    alice.plays("Vassal")
    assert table.asks(alice, "action")
    assert alice.discard == "Village, Copper"


def test_the_top_card_is_discarded_also_if_it_was_known():
    table = Table("Vassal", decks="Gold", deck_known=[["owner"]])
    alice, _ = table
    alice.plays("Vassal")
    assert alice.discard == "Gold"


def test_a_vassal_may_play_another_vassal():
    table = Table("Vassal", decks="Vassal, Village, Gold")
    alice, _ = table
    alice.plays("Vassal")
    alice.plays("Vassal")
    assert table.asks(alice, "play", "Vassal", card="Village")
    alice.plays("Village")
    assert table.coins == 4
    assert alice.in_play == "2 Vassal, Village"
    assert alice.hand == "Gold"
    assert table.actions == 2


def test_a_throne_room_played_by_vassal_takes_its_card_from_the_hand():
    table = Table("Vassal, Village", decks="Throne Room, 2 Copper")
    alice, _ = table
    alice.plays("Vassal")
    alice.plays("Throne Room")
    alice.plays("Village")
    assert alice.in_play == "Vassal, Throne Room, Village"
    assert alice.hand == "2 Copper"
    assert table.actions == 4


def test_a_feast_played_by_vassal_trashes_itself():
    table = Table("Vassal", decks="Feast")
    alice, _ = table
    alice.plays("Vassal")
    alice.plays("Feast")
    alice.gains("Duchy")
    assert table.trash == "Feast"
    assert alice.in_play == "Vassal"
    assert alice.discard == "Duchy"


def test_an_attack_played_by_vassal_hits_the_others():
    table = Table(["Vassal", "5 Copper"], decks="Militia")
    alice, bob = table
    alice.plays("Vassal")
    alice.plays("Militia")
    bob.discards("2 Copper")
    assert table.coins == 4
    assert table.asks(alice, "action")


def test_the_played_card_is_not_part_of_the_shuffle_it_causes():
    table = Table("Vassal", decks="Smithy", discards="2 Copper")
    alice, _ = table
    alice.plays("Vassal")
    alice.plays("Smithy")
    assert alice.hand == "2 Copper"
    assert alice.in_play == "Vassal, Smithy"


def test_a_declined_card_is_part_of_the_next_shuffle():
    table = Table("Vassal, Village", decks="Smithy", actions=2)
    alice, _ = table
    alice.plays("Vassal")
    alice.passes()
    alice.plays("Village")
    assert alice.hand == "Smithy"


def test_all_see_the_discarded_card():
    table = Table("Vassal", decks="Smithy", discards="Copper, Estate")
    alice, _ = table
    alice.plays("Vassal")
    alice.passes()
    assert alice.known_discard == "Estate, Smithy"


def test_a_played_card_is_seen_to_leave_the_discard_pile():
    table = Table("Vassal", decks="Village", discards="Copper, Estate")
    alice, _ = table
    alice.plays("Vassal")
    alice.plays("Village")
    assert alice.discard == ""  # Village drew a card of the shuffled pile
    table = Table("Vassal", decks="Woodcutter", discards="Copper, Estate")
    alice, _ = table
    alice.plays("Vassal")
    alice.plays("Woodcutter")
    assert alice.known_discard == "Estate"


def test_under_throne_room_the_second_play_works_on_the_deck_as_it_is_then():
    table = Table("Throne Room, Vassal", decks="Village, Smithy, Gold, 3 Copper")
    alice, _ = table
    alice.plays("Throne Room")
    alice.plays("Vassal")
    alice.plays("Village")  # draws the Smithy
    assert alice.discard == "Gold"
    assert alice.hand == "Smithy"
    assert table.coins == 4
    assert table.actions == 2
    assert table.asks(alice, "action")


def test_under_throne_room_each_of_two_actions_may_be_played_or_left():
    table = Table("Throne Room, Vassal", decks="Smithy, Woodcutter")
    alice, _ = table
    alice.plays("Throne Room")
    alice.plays("Vassal")
    alice.passes()
    alice.plays("Woodcutter")
    assert alice.in_play == "Throne Room, Vassal, Woodcutter"
    assert alice.discard == "Smithy"
    assert (table.coins, table.buys) == (6, 2)


def test_under_throne_room_a_declined_card_can_be_met_again_after_a_shuffle():
    table = Table("Throne Room, Vassal", decks="Woodcutter")
    alice, _ = table
    alice.plays("Throne Room")
    alice.plays("Vassal")
    alice.passes()
    assert table.asks(alice, "play", "Vassal", card="Woodcutter")
    alice.plays("Woodcutter")
    assert (table.coins, table.buys) == (6, 2)


def test_the_log_of_the_others_names_the_discarded_card():
    table = Table("Vassal", decks="Gold")
    alice, bob = table
    alice.plays("Vassal")
    assert "Gold" in table.log(bob)


def test_the_copy_just_discarded_is_the_one_that_is_played():
    table = Table("Vassal", decks="Village, Gold", discards="Village, Copper")
    alice, _ = table
    alice.plays("Vassal")
    assert alice.discard == "Village, Copper, Village"
    alice.plays("Village")
    assert alice.discard == "Village, Copper"
