"""Militia: +2 coins. Each other player discards down to 3 cards in hand."""

import pytest

from tests.table import Table


def test_gives_two_coins():
    table = Table("Militia, Copper", decks="Gold")
    alice, _ = table
    alice.plays("Militia")
    assert (table.actions, table.buys, table.coins) == (0, 1, 2)
    assert alice.hand == "Copper"


def test_each_other_player_discards_down_to_three_cards():
    table = Table(["Militia, 4 Copper", "3 Estate, 2 Copper"])
    alice, bob = table
    alice.plays("Militia")
    bob.discards("2 Estate")
    assert bob.hand == "Estate, 2 Copper"
    assert bob.discard == "2 Estate"
    assert table.coins == 2
    assert table.asks(alice, "action")


@pytest.mark.parametrize("size", [0, 1, 2, 3])
def test_with_three_cards_or_fewer_nothing_happens(size: int):
    table = Table(["Militia", f"{size} Copper" if size else ""], decks=["", "5 Gold"])
    alice, bob = table
    alice.plays("Militia")
    assert table.asks(alice, "action")
    assert len(bob.hand) == size
    assert bob.deck == "5 Gold"


@pytest.mark.parametrize("size", [4, 5, 6, 7, 10])
def test_as_many_are_discarded_as_are_above_three(size: int):
    table = Table(["Militia", f"{size} Copper"])
    alice, bob = table
    alice.plays("Militia")
    assert table.asks(bob, "discard", "Militia", min_left=size - 3, max_left=size - 3)
    bob.discards(f"{size - 3} Copper")
    assert table.asks(alice, "action")
    assert bob.hand == "3 Copper"


def test_the_victim_chooses_and_cannot_decline():
    table = Table(["Militia", "Gold, Estate, Copper, Smithy"])
    alice, bob = table
    alice.plays("Militia")
    assert table.legal == ["discard Gold", "discard Estate", "discard Copper", "discard Smithy"]
    bob.discards("Gold")
    assert bob.hand == "Estate, Copper, Smithy"


def test_the_last_card_picked_lies_on_top():
    table = Table(["Militia", "Estate, 2 Copper, Duchy, Curse"], discards=["", "Gold"])
    alice, bob = table
    alice.plays("Militia")
    bob.discards("Duchy, Curse")
    assert bob.discard == "Gold, Duchy, Curse"


def test_the_picks_wait_until_choosing_ends():
    table = Table(["Militia", "Estate, 2 Copper, Duchy, Curse"])
    alice, bob = table
    alice.plays("Militia")
    bob.discards("Duchy")
    assert bob.chosen == "Duchy"
    assert bob.discard == ""
    assert table.asks(bob, "discard", "Militia", min_left=1, max_left=1)
    bob.discards("Curse")
    assert bob.chosen == ""
    assert bob.discard == "Duchy, Curse"


def test_the_discarded_cards_are_not_replaced():
    table = Table(["Militia", "5 Copper"], decks=["", "5 Gold"])
    alice, bob = table
    alice.plays("Militia")
    bob.discards("2 Copper")
    assert bob.hand == "3 Copper"
    alice.ends_turn()
    assert table.asks(bob, "action")
    assert bob.hand == "3 Copper"


def test_the_attacker_discards_nothing():
    table = Table(["Militia, 6 Copper", "3 Copper"])
    alice, _ = table
    alice.plays("Militia")
    assert table.asks(alice, "action")
    assert alice.hand == "6 Copper"


def test_victims_discard_in_turn_order_each_completely():
    table = Table(["5 Copper", "Militia", "5 Copper", "5 Copper"], turn=1)
    alice, bob, carol, dave = table
    bob.plays("Militia")
    carol.discards("2 Copper")
    assert carol.discard == "2 Copper"
    assert dave.discard == ""
    dave.discards("2 Copper")
    alice.discards("2 Copper")
    assert table.asks(bob, "action")


def test_a_victim_with_a_small_hand_is_skipped():
    table = Table(["Militia", "3 Copper", "4 Copper"])
    alice, _, carol = table
    alice.plays("Militia")
    carol.discards("Copper")
    assert table.asks(alice, "action")


def test_with_three_players_one_moat_revealed_and_one_declined():
    table = Table(["Militia", "Moat, 4 Copper", "Moat, 4 Copper"])
    alice, bob, carol = table
    alice.plays("Militia")
    bob.reveals("Moat")
    carol.passes()
    carol.discards("Moat, Copper")
    assert bob.hand == "Moat, 4 Copper"
    assert carol.hand == "3 Copper"
    assert table.coins == 2


def test_a_hand_enlarged_by_council_room_goes_down_to_three():
    table = Table(["Council Room, Militia", "5 Copper"], decks=["4 Copper", "Gold"], actions=2)
    alice, bob = table
    alice.plays("Council Room")
    alice.plays("Militia")
    bob.discards("3 Copper")
    assert bob.hand == "2 Copper, Gold"


def test_others_see_only_the_top_one_of_the_discarded_cards():
    table = Table(["Militia", "Estate, 2 Copper, Duchy, Curse"])
    alice, bob = table
    alice.plays("Militia")
    bob.discards("Duchy, Curse")
    assert bob.known_discard == "Curse"
    assert bob.known_hand == ""


def test_any_card_known_in_the_hand_may_be_among_the_hidden_discards():
    table = Table(["Militia", "2 Estate, Duchy, 3 Copper"], known_hands=["", "2 Estate, Duchy, Copper"])
    alice, bob = table
    alice.plays("Militia")
    bob.discards("2 Copper, Estate")
    assert bob.hand == "Estate, Duchy, Copper"
    assert bob.known_hand == ""  # two cards left unseen, then an Estate was seen to go


def test_a_single_discard_is_seen():
    table = Table(["Militia", "2 Estate, Duchy, Copper"], known_hands=["", "2 Estate, Duchy"])
    alice, bob = table
    alice.plays("Militia")
    bob.discards("Estate")
    assert bob.known_hand == "Estate, Duchy"
    assert bob.known_discard == "Estate"


def test_under_throne_room_gives_four_coins_and_the_second_play_finds_three_cards():
    table = Table(["Throne Room, Militia", "5 Copper", "4 Estate"])
    alice, bob, carol = table
    alice.plays("Throne Room")
    alice.plays("Militia")
    assert table.coins == 2
    bob.discards("2 Copper")
    carol.discards("Estate")
    assert table.coins == 4
    assert table.asks(alice, "action")


def test_under_throne_room_the_first_play_can_be_warded_off_and_the_second_not():
    table = Table(["Throne Room, Militia", "Moat, 4 Copper", "5 Copper"])
    alice, bob, carol = table
    alice.plays("Throne Room")
    alice.plays("Militia")
    bob.reveals("Moat")
    carol.discards("2 Copper")
    bob.passes()
    bob.discards("2 Copper")
    assert bob.hand == "Moat, 2 Copper"
    assert table.asks(alice, "action")


def test_the_log_of_the_others_names_the_top_discard_alone():
    table = Table(["Militia", "Estate, 2 Copper, Duchy, Curse", "3 Copper"])
    alice, bob, carol = table
    alice.plays("Militia")
    bob.discards("Duchy")
    assert "Duchy" not in table.log(alice)
    bob.discards("Curse")
    for seat in (alice, carol):
        assert "Curse" in table.log(seat)
        assert "Duchy" not in table.log(seat)
    assert "Duchy" in table.log(bob)
