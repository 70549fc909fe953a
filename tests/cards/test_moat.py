"""Moat: +2 Cards. When another player plays an Attack, you may reveal this from your hand: you are unaffected by it."""

import numpy as np
import pytest

from tests.table import Table

ATTACKS = ("Bandit", "Bureaucrat", "Militia", "Spy", "Thief", "Witch")


# Played.


def test_draws_two_cards():
    table = Table("Moat, Copper", decks="Silver, Gold, Estate")
    alice, _ = table
    alice.plays("Moat")
    assert alice.hand == "Copper, Silver, Gold"
    assert table.actions == 0
    assert table.asks(alice, "action")


def test_draws_one_from_the_deck_and_one_after_a_shuffle():
    table = Table("Moat", decks="Silver", discards="Gold")
    alice, _ = table
    alice.plays("Moat")
    assert alice.hand == "Silver, Gold"
    assert alice.discard == ""
    assert alice.in_play == "Moat"


def test_draws_what_there_is():
    table = Table("Moat", decks="Silver")
    alice, _ = table
    alice.plays("Moat")
    assert alice.hand == "Silver"
    assert table.asks(alice, "action")


def test_drawn_cards_are_not_seen_by_others():
    table = Table("Moat", decks="Silver, Gold")
    alice, _ = table
    alice.plays("Moat")
    assert alice.known_hand == ""


def test_a_moat_that_was_revealed_before_is_seen_to_leave_the_hand():
    table = Table("Moat, Copper", known_hands="Moat", decks="2 Silver")
    alice, _ = table
    alice.plays("Moat")
    assert alice.known_hand == ""


def test_under_throne_room_draws_four_cards():
    table = Table("Throne Room, Moat", decks="Copper, Silver, Gold, Estate, Duchy")
    alice, _ = table
    alice.plays("Throne Room")
    alice.plays("Moat")
    assert alice.hand == "Copper, Silver, Gold, Estate"
    assert alice.deck == "Duchy"
    assert alice.in_play == "Throne Room, Moat"
    assert table.asks(alice, "action")


# The window.


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_revealed_moat_leaves_its_holder_alone(attack: str):
    table = Table([attack, "Moat, Estate, 3 Copper"], decks=["Copper", "Silver, Gold"])
    alice, bob = table
    alice.plays(attack)
    bob.reveals("Moat")
    assert bob.hand == "Moat, Estate, 3 Copper"
    assert bob.deck == "Silver, Gold"
    assert bob.discard == ""
    assert bob.revealed == ""
    assert table.trash == ""


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_player_who_declines_is_hit(attack: str):
    table = Table([attack, "Moat, Estate, 3 Copper"], decks=["Copper, Curse", "Silver, Gold"])
    alice, bob = table
    alice.plays(attack)
    bob.passes()
    match attack:
        case "Bandit":
            bob.trashes("Silver")
            assert bob.discard == "Gold"
        case "Bureaucrat":
            bob.topdecks("Estate")
            assert bob.deck == "Estate, Silver, Gold"
        case "Militia":
            bob.discards("2 Copper")
            assert bob.discard == "2 Copper"
        case "Spy":
            alice.topdecks("Curse")
            alice.discards("Silver")
            assert bob.discard == "Silver"
        case "Thief":
            alice.trashes("Gold")
            alice.passes()
            assert bob.discard == "Silver"
        case "Witch":
            assert bob.discard == "Curse"
    assert table.asks(alice, "action")


def test_the_window_asks_for_the_moat_and_names_the_attack():
    table = Table(["Militia", "Moat, 4 Copper"])
    alice, bob = table
    alice.plays("Militia")
    assert table.asks(bob, "reveal", "Moat", card="Militia")
    assert table.legal == ["reveal Moat", "pass"]


def test_only_holders_of_a_moat_are_asked():
    table = Table(["Militia", "5 Copper", "Moat, 4 Copper"])
    alice, _, carol = table
    alice.plays("Militia")
    assert table.asks(carol, "reveal", "Moat")


def test_a_holder_of_two_moats_is_asked_once():
    table = Table(["Militia", "2 Moat, 3 Copper"])
    alice, bob = table
    alice.plays("Militia")
    bob.passes()
    assert table.asks(bob, "discard", "Militia")


def test_one_of_two_moats_is_enough():
    table = Table(["Militia", "2 Moat, 3 Copper"])
    alice, bob = table
    alice.plays("Militia")
    bob.reveals("Moat")
    assert table.asks(alice, "action")
    assert bob.hand == "2 Moat, 3 Copper"


def test_a_moat_outside_the_hand_is_no_reaction():
    table = Table(
        ["Militia", "4 Copper"], decks=["", "Moat"], discards=["", "Moat"], bags=["", "Moat"], in_play=["", "Moat"]
    )
    alice, bob = table
    alice.plays("Militia")
    assert table.asks(bob, "discard", "Militia")


def test_the_moat_stays_in_hand_and_can_be_revealed_again_in_the_same_turn():
    table = Table(["Militia, Witch", "Moat, 4 Copper"], actions=2)
    alice, bob = table
    alice.plays("Militia")
    bob.reveals("Moat")
    alice.plays("Witch")
    bob.reveals("Moat")
    assert bob.hand == "Moat, 4 Copper"
    assert bob.discard == ""


def test_each_attack_asks_again():
    table = Table(["2 Witch, Militia", "Moat, 4 Copper"], actions=3)
    alice, bob = table
    alice.plays("Witch")
    bob.reveals("Moat")
    alice.plays("Witch")
    bob.passes()
    assert bob.discard == "Curse"
    alice.plays("Militia")
    bob.reveals("Moat")
    assert bob.hand == "Moat, 4 Copper"


def test_after_a_declined_attack_the_next_one_can_be_warded_off():
    table = Table(["2 Witch", "Moat, 4 Copper"], actions=2)
    alice, bob = table
    alice.plays("Witch")
    bob.passes()
    alice.plays("Witch")
    bob.reveals("Moat")
    assert bob.discard == "Curse"


def test_the_moat_can_still_be_played_in_its_owners_turn():
    table = Table(["Militia", "Moat, 4 Copper"], decks=["5 Copper", "2 Gold"])
    alice, bob = table
    alice.plays("Militia")
    bob.reveals("Moat")
    alice.ends_turn()
    bob.plays("Moat")
    assert bob.hand == "4 Copper, 2 Gold"


def test_the_attacker_still_gets_their_own_part():
    table = Table(["Bureaucrat, Militia, Witch, Bandit", "Moat"], decks="2 Copper, 2 Estate", actions=4)
    alice, bob = table
    alice.plays("Militia")
    bob.reveals("Moat")
    assert table.coins == 2
    alice.plays("Bureaucrat")
    bob.reveals("Moat")
    assert alice.deck == "Silver, 2 Copper, 2 Estate"
    alice.plays("Witch")
    bob.reveals("Moat")
    assert alice.hand == "Bandit, Silver, Copper"
    alice.plays("Bandit")
    bob.reveals("Moat")
    assert alice.discard == "Gold"


def test_other_victims_are_still_hit():
    table = Table(["Witch", "Copper", "Moat", "Copper"], decks="2 Copper")
    alice, bob, carol, dave = table
    alice.plays("Witch")
    carol.reveals("Moat")
    assert bob.discard == "Curse"
    assert carol.discard == ""
    assert dave.discard == "Curse"


def test_with_few_curses_an_exempt_player_is_skipped_and_the_next_one_gets_the_last():
    table = Table(["Witch", "Moat", "Copper"], decks="2 Copper", supply={"Curse": 1})
    alice, bob, carol = table
    alice.plays("Witch")
    bob.reveals("Moat")
    assert bob.discard == ""
    assert carol.discard == "Curse"


def test_all_windows_come_before_any_part_of_the_attack():
    table = Table(["Witch", "Moat", "Moat"], decks="Silver, Gold")
    alice, bob, carol = table
    alice.plays("Witch")
    bob.passes()
    assert table.asks(carol, "reveal", "Moat")
    assert alice.hand == ""
    assert bob.discard == ""
    carol.passes()
    assert alice.hand == "Silver, Gold"
    assert bob.discard == carol.discard == "Curse"


def test_the_window_comes_before_the_attackers_coins_silver_gold_and_cards():
    for attack in ATTACKS:
        table = Table([attack, "Moat, 4 Copper"], decks="Silver, Gold")
        alice, bob = table
        alice.plays(attack)
        assert table.asks(bob, "reveal", "Moat", card=attack)
        assert alice.in_play == attack
        assert alice.hand == ""
        assert alice.deck == "Silver, Gold"
        assert alice.discard == ""
        assert (table.actions, table.coins) == (0, 0)


def test_a_window_comes_before_an_earlier_victim_is_asked():
    table = Table(["Militia", "5 Copper", "Moat, 4 Copper"])
    alice, bob, carol = table
    alice.plays("Militia")
    carol.reveals("Moat")
    bob.discards("2 Copper")
    assert table.asks(alice, "action")
    assert carol.hand == "Moat, 4 Copper"


def test_the_windows_open_in_turn_order_from_the_attackers_left():
    table = Table(["Moat", "Witch", "Moat", "Moat"], turn=1)
    alice, bob, carol, dave = table
    bob.plays("Witch")
    carol.passes()
    dave.reveals("Moat")
    alice.passes()
    assert carol.discard == alice.discard == "Curse"
    assert dave.discard == ""


def test_nobody_reacts_to_their_own_attack():
    table = Table(["Militia, Moat", "Copper"])
    alice, _ = table
    alice.plays("Militia")
    assert table.asks(alice, "action")


def test_cards_that_are_no_attacks_open_no_window():
    table = Table(["Council Room", "Moat, 4 Copper"], decks=["4 Copper", "Gold"])
    alice, bob = table
    alice.plays("Council Room")
    assert table.asks(alice, "action")
    assert bob.hand == "Moat, 4 Copper, Gold"


def test_with_a_spy_the_exempt_player_reveals_nothing_but_the_spy_does():
    table = Table(["Spy", "Moat"], decks=["Copper, Gold", "Silver"])
    alice, bob = table
    alice.plays("Spy")
    bob.reveals("Moat")
    assert table.asks(alice, "discard", "Spy", card="Gold")
    alice.discards("Gold")
    assert table.asks(alice, "action")
    assert bob.deck == "Silver"


@pytest.mark.parametrize("attack", ATTACKS)
def test_under_throne_room_each_play_of_an_attack_opens_a_window(attack: str):
    table = Table([f"Throne Room, {attack}", "Moat, 4 Copper"], decks=["", "Silver, 3 Gold"])
    alice, bob = table
    alice.plays("Throne Room")
    alice.plays(attack)
    bob.reveals("Moat")
    assert table.asks(bob, "reveal", "Moat", card=attack)
    bob.reveals("Moat")
    assert bob.hand == "Moat, 4 Copper"
    assert bob.deck == "Silver, 3 Gold"
    assert bob.discard == ""


def test_under_throne_room_a_moat_can_be_revealed_for_the_first_play_only():
    table = Table(["Throne Room, Witch", "Moat"], decks="4 Copper")
    alice, bob = table
    alice.plays("Throne Room")
    alice.plays("Witch")
    bob.reveals("Moat")
    assert alice.hand == "2 Copper"
    bob.passes()
    assert bob.discard == "Curse"
    assert table.asks(alice, "action")


def test_under_throne_room_a_moat_can_be_revealed_for_the_second_play_only():
    table = Table(["Throne Room, Witch", "Moat"], decks="4 Copper")
    alice, bob = table
    alice.plays("Throne Room")
    alice.plays("Witch")
    bob.passes()
    assert bob.discard == "Curse"
    bob.reveals("Moat")
    assert bob.discard == "Curse"
    assert alice.hand == "4 Copper"


def test_a_moat_gone_after_the_first_play_cannot_be_revealed_for_the_second():
    table = Table(["Throne Room, Militia", "Moat, 4 Copper"])
    alice, bob = table
    alice.plays("Throne Room")
    alice.plays("Militia")
    bob.passes()
    bob.discards("Moat, Copper")
    assert table.asks(alice, "action")


def test_an_attack_played_by_vassal_opens_windows():
    table = Table(["Vassal", "Moat, 4 Copper"], decks="Militia")
    alice, bob = table
    alice.plays("Vassal")
    alice.plays("Militia")
    bob.reveals("Moat")
    assert table.coins == 4
    assert bob.hand == "Moat, 4 Copper"


# Knowledge of the others.


def test_a_revealed_moat_is_known_to_lie_in_the_hand():
    table = Table(["Militia", "2 Moat, 3 Copper"])
    alice, bob = table
    alice.plays("Militia")
    bob.reveals("Moat")
    assert bob.known_hand == "Moat"


def test_a_second_reveal_shows_no_second_moat():
    table = Table(["2 Militia", "2 Moat, 3 Copper"], actions=2)
    alice, bob = table
    alice.plays("Militia")
    bob.reveals("Moat")
    alice.plays("Militia")
    bob.reveals("Moat")
    assert bob.known_hand == "Moat"


def test_a_revealed_moat_adds_nothing_to_a_hand_known_to_hold_one():
    table = Table(["Militia", "2 Moat, 3 Copper"], known_hands=["", "Moat, Copper"])
    alice, bob = table
    alice.plays("Militia")
    bob.reveals("Moat")
    assert bob.known_hand == "Moat, Copper"


def test_a_declined_moat_leaves_no_trace():
    with_moat = Table(["Militia", "Moat, 4 Copper"], bags=["", "Copper"])
    alice, bob = with_moat
    alice.plays("Militia")
    bob.passes()
    bob.discards("Copper, Copper")
    assert bob.known_hand == ""
    without = Table(["Militia", "5 Copper"], bags=["", "Moat"])
    alice, bob = without
    alice.plays("Militia")
    bob.discards("Copper, Copper")
    np.testing.assert_array_equal(with_moat.game.observe(0), without.game.observe(0))
    assert with_moat.log(alice) == without.log(alice)
    assert with_moat.log(bob) != without.log(bob)
