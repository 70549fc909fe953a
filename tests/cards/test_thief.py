"""Thief: the others reveal two cards; the thief has a Treasure of each trashed and may gain any of those."""

from tests.table import Table


def test_one_of_two_treasures_is_trashed_at_the_thiefs_choice_and_the_rest_discarded():
    table = Table(hands=["Thief"], decks=["", "Silver, Gold, Copper"])
    alice, bob = table
    alice.plays("Thief")
    assert table.asks(alice, "trash", "Thief", target=bob, min_left=1, max_left=1)
    assert sorted(table.legal) == ["trash Gold", "trash Silver"]
    assert bob.revealed == "Silver, Gold"
    assert bob.revealed_known == ["all", "all"]
    alice.trashes("Gold")
    assert table.trash == "Gold"
    assert bob.discard == "Silver"
    assert bob.deck == "Copper"


def test_the_only_treasure_revealed_is_trashed():
    table = Table(hands=["Thief"], decks=["", "Estate, Copper"])
    alice, bob = table
    alice.plays("Thief")
    assert table.legal == ["trash Copper"]
    alice.trashes("Copper")
    assert table.trash == "Copper"
    assert bob.discard == "Estate"


def test_of_two_equal_treasures_only_one_is_trashed():
    table = Table(hands=["Thief"], decks=["", "2 Copper"])
    alice, bob = table
    alice.plays("Thief")
    assert table.legal == ["trash Copper"]
    alice.trashes("Copper")
    assert table.trash == "Copper"
    assert bob.discard == "Copper"
    alice.passes()
    assert table.asks(alice, "action")


def test_without_a_choice_the_treasure_is_trashed_without_a_question():
    table = Table(hands=["Thief, Village"], decks=["", "Estate, Copper"], actions=2, ask_forced=False)
    alice, _ = table
    alice.plays("Thief")
    assert table.asks(alice, "gain", "Thief")
    assert table.trash == "Copper"


def test_without_a_treasure_both_cards_are_discarded_and_nothing_is_asked():
    table = Table(hands=["Thief"], decks=["", "Estate, Village, Gold"])
    alice, bob = table
    alice.plays("Thief")
    assert table.asks(alice, "action")
    assert bob.discard == "Estate, Village"
    assert bob.deck == "Gold"
    assert table.trash == ""


def test_a_curse_is_no_treasure():
    table = Table(hands=["Thief"], decks=["", "Curse, Gardens"])
    alice, bob = table
    alice.plays("Thief")
    assert table.asks(alice, "action")
    assert bob.discard == "Curse, Gardens"


def test_the_thief_reveals_nothing():
    table = Table(hands=["Thief"], decks=["2 Gold", "2 Estate"])
    alice, _ = table
    alice.plays("Thief")
    assert alice.deck == "2 Gold"


def test_one_card_in_the_deck_is_revealed_before_the_discard_pile_is_shuffled_without_it():
    table = Table(hands=["Thief"], decks=["", "Gold"], discards=["", "2 Estate"])
    alice, bob = table
    alice.plays("Thief")
    assert bob.revealed == "Gold, Estate"
    assert bob.draw_pile == "Estate"
    assert bob.discard == ""
    alice.trashes("Gold")
    assert bob.discard == "Estate"
    assert bob.draw_pile == "Estate"


def test_an_empty_deck_is_shuffled_first():
    table = Table(hands=["Thief"], discards=["", "3 Copper"])
    alice, bob = table
    alice.plays("Thief")
    assert bob.revealed == "2 Copper"
    assert bob.draw_pile == "Copper"


def test_a_single_card_in_all_is_revealed_alone():
    table = Table(hands=["Thief"], decks=["", "Silver"])
    alice, bob = table
    alice.plays("Thief")
    assert bob.revealed == "Silver"
    alice.trashes("Silver")
    assert bob.discard == ""
    assert table.trash == "Silver"


def test_a_player_without_cards_reveals_nothing():
    table = Table(hands=["Thief"], decks=["", "", "Gold, Estate"])
    alice, _, carol = table
    alice.plays("Thief")
    assert table.asks(alice, "trash", "Thief", target=carol)


def test_the_rest_is_discarded_in_the_order_revealed():
    table = Table(hands=["Thief"], decks=["", "Duchy, Estate"], discards=["", "Copper"])
    alice, bob = table
    alice.plays("Thief")
    assert bob.discard == "Copper, Duchy, Estate"


def test_the_thief_may_gain_a_trashed_card_to_their_discard_pile():
    table = Table(hands=["Thief"], decks=["", "Gold, Estate"], discards=["Copper"])
    alice, _ = table
    alice.plays("Thief")
    alice.trashes("Gold")
    assert table.asks(alice, "gain", "Thief")
    assert sorted(table.legal) == ["gain Gold", "pass"]
    alice.gains("Gold")
    assert table.asks(alice, "action")
    assert alice.discard == "Copper, Gold"
    assert table.trash == ""


def test_what_the_thief_does_not_gain_stays_in_the_trash():
    table = Table(hands=["Thief"], decks=["", "Gold, Estate"])
    alice, _ = table
    alice.plays("Thief")
    alice.trashes("Gold")
    alice.passes()
    assert table.asks(alice, "action")
    assert alice.discard == ""
    assert table.trash == "Gold"


def test_gaining_from_the_trash_leaves_the_supply_alone():
    table = Table(hands=["Thief"], decks=["", "Gold, Estate"], supply={"Gold": 0})
    alice, _ = table
    alice.plays("Thief")
    alice.trashes("Gold")
    alice.gains("Gold")
    assert table.supply["Gold"] == 0
    assert alice.discard == "Gold"


def test_cards_that_were_in_the_trash_before_cannot_be_gained():
    table = Table(hands=["Thief"], decks=["", "Copper, Estate"], trash="Gold, Silver, Copper")
    alice, _ = table
    alice.plays("Thief")
    alice.trashes("Copper")
    assert sorted(table.legal) == ["gain Copper", "pass"]
    alice.gains("Copper")
    assert table.asks(alice, "action")
    assert table.trash == "Gold, Silver, Copper"


def test_with_nothing_trashed_nothing_can_be_gained():
    table = Table(hands=["Thief"], decks=["", "2 Estate"], trash="Gold")
    alice, _ = table
    alice.plays("Thief")
    assert table.asks(alice, "action")
    assert table.trash == "Gold"


def test_the_victims_come_in_turn_order_and_the_gains_once_after_all_of_them():
    table = Table(hands=["", "Thief"], decks=["Gold, Silver", "", "Copper, Silver", "Gold, Copper"], turn=1)
    alice, bob, carol, dave = table
    bob.plays("Thief")
    assert table.asks(bob, "trash", "Thief", target=carol)
    assert (carol.revealed, dave.revealed, alice.revealed) == ("Copper, Silver", "", "")
    bob.trashes("Silver")
    assert table.asks(bob, "trash", "Thief", target=dave)
    assert carol.discard == "Copper"
    bob.trashes("Copper")
    assert table.asks(bob, "trash", "Thief", target=alice)
    bob.trashes("Gold")
    assert table.asks(bob, "gain", "Thief")
    assert sorted(table.legal) == ["gain Copper", "gain Gold", "gain Silver", "pass"]
    bob.gains("Gold, Silver")
    assert sorted(table.legal) == ["gain Copper", "pass"]
    bob.passes()
    assert bob.discard == "Gold, Silver"
    assert table.trash == "Copper"


def test_gains_lie_in_the_order_of_the_picks():
    table = Table(hands=["Thief"], decks=["", "Gold", "Silver"])
    alice, _, _ = table
    alice.plays("Thief")
    alice.trashes("Gold, Silver")
    alice.gains("Silver, Gold")
    assert table.asks(alice, "action")
    assert alice.discard == "Silver, Gold"


def test_two_trashed_copies_can_both_be_gained():
    table = Table(hands=["Thief"], decks=["", "Gold", "Gold"])
    alice, _, _ = table
    alice.plays("Thief")
    alice.trashes("2 Gold")
    alice.gains("Gold")
    assert sorted(table.legal) == ["gain Gold", "pass"]
    alice.gains("Gold")
    assert alice.discard == "2 Gold"


def test_a_moat_revealed_keeps_the_deck_from_the_thief():
    table = Table(hands=["Thief", "Moat", ""], decks=["", "2 Gold", "2 Silver"])
    alice, bob, carol = table
    alice.plays("Thief")
    bob.reveals("Moat")
    assert table.asks(alice, "trash", "Thief", target=carol)
    alice.trashes("Silver")
    alice.passes()
    assert bob.deck == "2 Gold"
    assert bob.hand == "Moat"


def test_a_moat_declined_does_not():
    table = Table(hands=["Thief", "Moat"], decks=["", "2 Gold"])
    alice, bob = table
    alice.plays("Thief")
    bob.passes()
    alice.trashes("Gold")
    assert bob.discard == "Gold"


def test_throne_room_works_on_the_deck_as_it_is_then():
    table = Table(hands=["Throne Room, Thief"], decks=["", "Gold, Estate, Silver"])
    alice, bob = table
    alice.plays("Throne Room, Thief")
    alice.trashes("Gold")
    alice.gains("Gold")
    assert table.asks(alice, "trash", "Thief", target=bob)
    assert bob.revealed == "Silver, Estate"
    alice.trashes("Silver")
    alice.passes()
    assert table.asks(alice, "action")
    assert alice.discard == "Gold"
    assert bob.discard == "Estate"


def test_throne_room_the_second_play_cannot_gain_what_the_first_one_trashed():
    table = Table(hands=["Throne Room, Thief"], decks=["", "Gold, Estate, Silver, Duchy"])
    alice, _ = table
    alice.plays("Throne Room, Thief")
    alice.trashes("Gold")
    alice.passes()
    alice.trashes("Silver")
    assert sorted(table.legal) == ["gain Silver", "pass"]
    alice.gains("Silver")
    assert table.asks(alice, "action")
    assert table.trash == "Gold"


def test_throne_room_opens_moat_windows_for_both_plays():
    table = Table(hands=["Throne Room, Thief", "Moat"], decks=["", "4 Gold"])
    alice, bob = table
    alice.plays("Throne Room, Thief")
    bob.passes()
    alice.trashes("Gold")
    alice.passes()
    assert table.asks(bob, "reveal", "Moat", card="Thief")
    bob.reveals("Moat")
    assert table.asks(alice, "action")
    assert table.trash == "Gold"


def test_the_revealed_cards_that_are_discarded_are_known():
    table = Table(hands=["Thief"], decks=["", "Estate, Duchy"], discards=["", "Gold, Copper"])
    alice, bob = table
    alice.plays("Thief")
    assert bob.known_discard == "Copper, Estate, Duchy"


def test_the_gained_cards_are_known():
    table = Table(hands=["Thief"], decks=["", "Gold", "Silver"])
    alice, _, _ = table
    alice.plays("Thief")
    alice.trashes("Gold, Silver")
    alice.gains("Gold, Silver")
    assert alice.known_discard == "Gold, Silver"
