"""Spy: +1 Card, +1 Action. Each player reveals the top card of their deck; the spy has it discarded or put back."""

import pytest

from tests.table import Table


def test_a_card_is_drawn_and_the_action_comes_back():
    table = Table(hands=["Spy"], decks=["Gold"])
    alice, _ = table
    alice.plays("Spy")
    assert alice.hand == "Gold"
    assert table.actions == 1


def test_the_spy_reveals_their_own_card_first_then_the_others_in_turn_order():
    table = Table(hands=["Spy"], decks=["Copper, Gold", "Estate", "Duchy", "Province"])
    alice, bob, carol, dave = table
    alice.plays("Spy")
    assert table.asks(alice, "discard", "Spy", card="Gold", target=alice)
    alice.topdecks("Gold")
    assert table.asks(alice, "discard", "Spy", card="Estate", target=bob)
    alice.discards("Estate")
    assert table.asks(alice, "discard", "Spy", card="Duchy", target=carol)
    alice.topdecks("Duchy")
    assert table.asks(alice, "discard", "Spy", card="Province", target=dave)
    alice.discards("Province")
    assert table.asks(alice, "action")
    assert alice.deck == "Gold"
    assert (bob.deck, bob.discard) == ("", "Estate")
    assert (carol.deck, carol.discard) == ("Duchy", "")
    assert (dave.deck, dave.discard) == ("", "Province")


def test_the_order_starts_left_of_the_spy_and_goes_round():
    table = Table(hands=["", "", "Spy"], decks=["Gold", "Silver", "2 Copper"], turn=2)
    alice, bob, carol = table
    carol.plays("Spy")
    assert table.asks(carol, "discard", "Spy", target=carol)
    carol.discards("Copper")
    assert table.asks(carol, "discard", "Spy", card="Gold", target=alice)
    carol.discards("Gold")
    assert table.asks(carol, "discard", "Spy", card="Silver", target=bob)


@pytest.mark.parametrize("card", ["Copper", "Province", "Curse", "Village"])
def test_any_card_may_be_discarded_or_put_back(card):
    table = Table(hands=["Spy"], decks=["Copper", f"{card}, Gold"])
    alice, bob = table
    alice.plays("Spy")
    assert sorted(table.legal) == [f"discard {card}", f"topdeck {card}"]
    other = table.copy()
    alice.discards(card)
    assert bob.discard == card
    assert bob.deck == "Gold"
    alice, bob = other
    alice.topdecks(card)
    assert bob.discard == ""
    assert bob.deck == f"{card}, Gold"


def test_each_card_is_revealed_only_when_the_one_before_has_its_answer():
    table = Table(hands=["Spy"], decks=["Copper, Gold", "Estate", "Duchy"])
    alice, bob, carol = table
    alice.plays("Spy")
    assert (alice.revealed, bob.revealed, carol.revealed) == ("Gold", "", "")
    alice.topdecks("Gold")
    assert (alice.revealed, bob.revealed, carol.revealed) == ("", "Estate", "")
    alice.discards("Estate")
    assert (alice.revealed, bob.revealed, carol.revealed) == ("", "", "Duchy")
    assert carol.revealed_known == ["all"]


def test_the_card_is_drawn_before_anything_is_revealed():
    table = Table(hands=["Spy"], decks=["Silver, Gold, Copper"])
    alice, _ = table
    alice.plays("Spy")
    assert alice.hand == "Silver"
    assert alice.revealed == "Gold"


def test_an_empty_deck_is_shuffled_first():
    table = Table(hands=["Spy"], decks=["Copper"], discards=["Gold", "2 Duchy"])
    alice, bob = table
    alice.plays("Spy")
    assert alice.revealed == "Gold"
    alice.discards("Gold")
    assert bob.revealed == "Duchy"
    assert bob.discard == ""
    assert bob.draw_pile == "Duchy"
    alice.topdecks("Duchy")
    assert bob.deck == "Duchy"
    assert bob.bag == "Duchy"


def test_a_deck_that_the_draw_has_emptied_is_shuffled_for_the_reveal():
    table = Table(hands=["Spy"], decks=["Copper"], discards=["3 Silver"])
    alice, _ = table
    alice.plays("Spy")
    assert alice.hand == "Copper"
    assert alice.revealed == "Silver"
    assert alice.bag == "2 Silver"


def test_the_spy_itself_is_not_shuffled_in():
    table = Table(hands=["Spy"])
    alice, _ = table
    alice.plays("Spy")
    assert alice.in_play == "Spy"
    assert alice.draw_pile == ""


def test_a_player_without_cards_reveals_nothing_and_nothing_is_asked_about_them():
    table = Table(hands=["Spy"], decks=["2 Copper", "", "Gold"])
    alice, bob, carol = table
    alice.plays("Spy")
    alice.topdecks("Copper")
    assert table.asks(alice, "discard", "Spy", card="Gold", target=carol)
    alice.discards("Gold")
    assert bob.discard == ""
    assert table.asks(alice, "action")


def test_with_no_cards_anywhere_nothing_is_asked():
    table = Table(hands=["Spy"])
    alice, _ = table
    alice.plays("Spy")
    assert table.asks(alice, "action")
    assert table.actions == 1


def test_a_moat_revealed_skips_its_owner_and_nobody_else():
    table = Table(hands=["Spy", "Moat", "Copper"], decks=["2 Copper", "Gold", "Silver"])
    alice, bob, carol = table
    alice.plays("Spy")
    assert table.asks(bob, "reveal", "Moat", card="Spy")
    bob.reveals("Moat")
    assert table.asks(alice, "discard", "Spy", target=alice)
    alice.topdecks("Copper")
    assert table.asks(alice, "discard", "Spy", target=carol)
    alice.discards("Silver")
    assert bob.deck == "Gold"
    assert bob.hand == "Moat"
    assert carol.discard == "Silver"


def test_a_moat_declined_protects_nobody():
    table = Table(hands=["Spy", "Moat"], decks=["Copper", "Gold"])
    alice, bob = table
    alice.plays("Spy")
    bob.passes()
    assert table.asks(alice, "discard", "Spy", card="Gold", target=bob)


def test_the_moat_windows_come_before_the_card_is_drawn():
    table = Table(hands=["Spy", "Moat", "Moat"], decks=["Gold", "Copper", "Copper"])
    alice, bob, carol = table
    alice.plays("Spy")
    assert table.asks(bob, "reveal", "Moat")
    assert (alice.hand, table.actions) == ("", 0)
    bob.passes()
    assert table.asks(carol, "reveal", "Moat")
    assert (alice.hand, table.actions) == ("", 0)


def test_the_spys_own_moat_does_not_exempt_the_spy():
    table = Table(hands=["Spy, Moat"], decks=["Copper, Gold"])
    alice, _ = table
    alice.plays("Spy")
    assert table.asks(alice, "discard", "Spy", card="Gold", target=alice)


def test_throne_room_reveals_the_cards_that_were_put_back_once_more():
    table = Table(hands=["Throne Room, Spy"], decks=["Copper, Silver, Gold", "Estate, Duchy"])
    alice, bob = table
    alice.plays("Throne Room, Spy")
    alice.topdecks("Silver")
    alice.topdecks("Estate")
    assert alice.hand == "Copper, Silver"
    assert table.asks(alice, "discard", "Spy", card="Gold", target=alice)
    alice.discards("Gold")
    assert table.asks(alice, "discard", "Spy", card="Estate", target=bob)
    alice.discards("Estate")
    assert table.asks(alice, "action")
    assert table.actions == 2
    assert bob.deck == "Duchy"


def test_throne_room_opens_new_moat_windows_for_the_second_play():
    table = Table(hands=["Throne Room, Spy", "Moat"], decks=["4 Copper", "Gold"])
    alice, bob = table
    alice.plays("Throne Room, Spy")
    bob.reveals("Moat")
    alice.topdecks("Copper")
    assert table.asks(bob, "reveal", "Moat", card="Spy")
    bob.passes()
    alice.topdecks("Copper")
    alice.discards("Gold")
    assert bob.discard == "Gold"


def test_a_card_put_back_is_known_to_all_and_stays_so_in_hand():
    table = Table(hands=["Spy"], decks=["Copper", "Gold, 4 Copper"])
    alice, bob = table
    alice.plays("Spy")
    alice.topdecks("Gold")
    assert bob.deck_known == ["all"] + 4 * ["nobody"]
    alice.ends_turn()
    bob.ends_turn()
    assert bob.known_hand == "Gold"


def test_the_drawn_card_is_seen_by_its_owner_alone():
    table = Table(hands=["Spy"], decks=["Copper, Gold"])
    alice, _ = table
    alice.plays("Spy")
    alice.topdecks("Gold")
    assert alice.known_hand == ""


def test_a_discarded_card_stays_known_when_others_cover_it():
    table = Table(hands=["Spy"], decks=["Copper", "Gold"], discards=["", "Estate, Silver"])
    alice, bob = table
    alice.plays("Spy")
    alice.discards("Gold")
    assert bob.discard == "Estate, Silver, Gold"
    assert bob.known_discard == "Silver, Gold"
