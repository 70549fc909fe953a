"""Witch: +2 Cards. Each other player gains a Curse."""

from tests.table import Table


def test_two_cards_are_drawn():
    table = Table(hands=["Witch"], decks=["Gold, Silver, Copper"])
    alice, _ = table
    alice.plays("Witch")
    assert alice.hand == "Gold, Silver"
    assert table.actions == 0


def test_each_other_player_gains_a_curse_to_their_discard_pile():
    table = Table(hands=["Witch"], discards=["Copper", "Copper", ""])
    alice, bob, carol = table
    alice.plays("Witch")
    assert table.asks(alice, "action")
    assert bob.discard == "Copper, Curse"
    assert carol.discard == "Curse"
    assert alice.discard == ""  # the Copper was drawn
    assert table.supply["Curse"] == 18


def test_the_last_curses_go_to_those_earlier_in_turn_order():
    table = Table(hands=["", "", "Witch"], supply={"Curse": 2}, players=4, turn=2)
    alice, bob, carol, dave = table
    carol.plays("Witch")
    assert dave.discard == "Curse"
    assert alice.discard == "Curse"
    assert bob.discard == ""
    assert table.supply["Curse"] == 0


def test_an_exempt_player_is_skipped_and_the_last_curse_goes_to_the_next():
    table = Table(hands=["Witch", "Moat"], supply={"Curse": 1}, players=3)
    alice, bob, carol = table
    alice.plays("Witch")
    bob.reveals("Moat")
    assert bob.discard == ""
    assert carol.discard == "Curse"


def test_with_no_curse_left_the_cards_are_still_drawn():
    table = Table(hands=["Witch"], decks=["2 Gold"], supply={"Curse": 0})
    alice, bob = table
    alice.plays("Witch")
    assert alice.hand == "2 Gold"
    assert bob.discard == ""


def test_a_curse_gained_is_not_drawn_by_the_witch():
    table = Table(hands=["Witch"], players=2)
    alice, bob = table
    alice.plays("Witch")
    assert alice.hand == ""
    assert bob.discard == "Curse"


def test_the_windows_come_before_the_cards_are_drawn():
    table = Table(hands=["Witch", "Moat", "Moat"], decks=["2 Gold"])
    alice, bob, carol = table
    alice.plays("Witch")
    assert table.asks(bob, "reveal", "Moat", card="Witch")
    assert alice.hand == ""
    bob.reveals("Moat")
    assert table.asks(carol, "reveal", "Moat", card="Witch")
    assert alice.hand == ""
    assert table.supply["Curse"] == 20
    carol.reveals("Moat")
    assert alice.hand == "2 Gold"
    assert table.supply["Curse"] == 20


def test_a_moat_declined_protects_nobody():
    table = Table(hands=["Witch", "Moat"])
    alice, bob = table
    alice.plays("Witch")
    bob.passes()
    assert bob.discard == "Curse"
    assert bob.hand == "Moat"


def test_the_witchs_own_moat_is_not_asked_for():
    table = Table(hands=["Witch, Moat"])
    alice, _ = table
    alice.plays("Witch")
    assert table.asks(alice, "action")


def test_throne_room_draws_four_and_hands_out_two_curses_each():
    table = Table(hands=["Throne Room, Witch"], decks=["5 Copper"], players=3)
    alice, bob, carol = table
    alice.plays("Throne Room, Witch")
    assert alice.hand == "4 Copper"
    assert bob.discard == "2 Curse"
    assert carol.discard == "2 Curse"


def test_throne_room_with_three_curses_left_the_first_victim_gets_two():
    table = Table(hands=["Throne Room, Witch"], supply={"Curse": 3}, players=3)
    alice, bob, carol = table
    alice.plays("Throne Room, Witch")
    assert bob.discard == "2 Curse"
    assert carol.discard == "Curse"


def test_throne_room_a_moat_answers_for_each_play():
    table = Table(hands=["Throne Room, Witch", "Moat"])
    alice, bob = table
    alice.plays("Throne Room, Witch")
    bob.passes()
    assert bob.discard == "Curse"
    bob.reveals("Moat")
    assert table.asks(alice, "action")
    assert bob.discard == "Curse"


def test_two_witches_in_a_turn_open_two_windows():
    table = Table(hands=["2 Witch", "Moat"], actions=2)
    alice, bob = table
    alice.plays("Witch")
    bob.reveals("Moat")
    alice.plays("Witch")
    bob.reveals("Moat")
    assert bob.discard == ""
    assert bob.hand == "Moat"


def test_in_solitaire_nobody_is_cursed():
    table = Table(hands=["Witch"], decks=["2 Gold"], players=1)
    (alice,) = table
    alice.plays("Witch")
    assert alice.hand == "2 Gold"
    assert alice.discard == ""


def test_the_curse_is_known_and_the_drawn_cards_are_not():
    table = Table(hands=["Witch"], decks=["2 Gold"], discards=["", "Silver, Copper"])
    alice, bob = table
    alice.plays("Witch")
    assert bob.known_discard == "Copper, Curse"
    assert alice.known_hand == ""


def test_a_curse_is_told_to_be_gained_not_bought():
    table = Table(["Witch"], decks="2 Copper")
    alice, _ = table
    alice.plays("Witch")
    assert "player_1 gains Curse" in table.log(alice)
