"""Section 3.3: Clean-up, and the order of a discard pile (7.3)."""

import pytest

from tests.table import Table


def test_all_cards_in_play_and_in_hand_go_to_the_discard_pile_and_five_are_drawn():
    table = Table(hands=["Village, Copper, Estate"], decks=["Estate, Gold, 5 Silver"], discards=["Duchy"])
    alice, _ = table
    alice.plays("Village")
    alice.ends_turn()
    assert alice.in_play == ""
    assert alice.discard == "Duchy, Copper, 2 Estate, Village"
    assert alice.hand == "Gold, 4 Silver"
    assert alice.deck == "Silver"


def test_the_hand_is_laid_first_then_the_cards_in_play_in_the_order_they_were_played():
    table = Table(hands=["Woodcutter, Silver, Copper, Moat, Estate"], decks=["5 Curse"])
    alice, _ = table
    alice.plays("Woodcutter")
    alice.ends_action_phase()
    alice.plays("Silver, Copper")
    alice.ends_turn()
    assert alice.discard == "Estate, Moat, Woodcutter, Silver, Copper"


def test_bought_cards_lie_beneath_those_of_clean_up():
    table = Table(hands=["2 Copper, Estate"], decks=["5 Curse"], phase="buy", coins=3)
    alice, _ = table
    alice.plays("2 Copper")
    alice.buys("Silver")
    alice.ends_turn()
    assert alice.discard == "Silver, Estate, 2 Copper"


def test_with_nothing_in_play_the_highest_card_of_the_hand_is_on_top():
    table = Table(hands=["Village, Copper, Province, Adventurer, Copper"], decks=["5 Curse"])
    alice, _ = table
    alice.ends_turn()
    assert alice.discard == "2 Copper, Province, Adventurer, Village"


def test_with_nothing_at_all_the_discard_pile_stays_as_it_was():
    table = Table(decks=["5 Curse"], discards=["Gold, Silver"])
    alice, _ = table
    alice.ends_turn()
    assert alice.discard == "Gold, Silver"


@pytest.mark.parametrize("cards", [0, 1, 4, 5, 6])
def test_the_new_hand_is_five_cards_or_all_there_are(cards):
    table = Table(bags=[f"{cards} Copper" if cards else ""])
    alice, _ = table
    alice.ends_turn()
    assert len(alice.hand) == min(5, cards)
    assert len(alice.owned) == cards


def test_the_cards_just_discarded_are_part_of_the_shuffle():
    table = Table(hands=["Woodcutter, 2 Gold"], decks=["Silver"], discards=["Duchy"])
    alice, _ = table
    alice.plays("Woodcutter")
    alice.ends_turn()
    assert alice.hand == "Silver, Duchy, Woodcutter, 2 Gold"
    assert alice.discard == ""
    assert alice.draw_pile == ""


def test_the_cards_of_the_deck_are_drawn_before_the_shuffled_ones():
    table = Table(hands=["9 Copper"], decks=["Silver, Gold, Estate"])
    alice, _ = table
    alice.ends_turn()
    assert alice.hand == "Silver, Gold, Estate, 2 Copper"
    assert alice.bag == "7 Copper"


def test_a_deck_of_five_is_drawn_without_a_shuffle():
    table = Table(hands=["Gold"], decks=["5 Copper"])
    alice, _ = table
    alice.ends_turn()
    assert alice.draw_pile == ""
    assert alice.discard == "Gold"


def test_a_card_bought_this_turn_can_be_drawn_for_the_next_one():
    table = Table(phase="buy", coins=3)
    alice, _ = table
    alice.buys("Silver")
    alice.ends_turn()
    assert alice.hand == "Silver"


def test_then_the_player_to_the_left_takes_their_turn():
    table = Table(players=3, turns=[2, 1, 1])
    alice, bob, carol = table
    alice.ends_turn()
    assert table.turn_player is bob
    assert table.asks(bob, "action")
    bob.ends_turn()
    assert table.turn_player is carol
    carol.ends_turn()
    assert table.turn_player is alice
    assert [seat.turns for seat in table] == [3, 2, 2]


def test_all_counters_start_again():
    table = Table(hands=["Merchant, Festival, Silver"], coins=3)
    alice, _ = table
    alice.plays("Merchant, Festival")
    alice.ends_action_phase()
    alice.plays("Silver")
    alice.buys("Copper")
    alice.ends_turn()
    position = table.position
    assert (table.actions, table.buys, table.coins) == (1, 1, 0)
    assert position["merchants"] == 0
    assert position["silver_played"] is False
    assert position["bought"] is False


def test_a_hand_that_others_have_changed_is_the_hand_the_turn_starts_with():
    table = Table(hands=["Militia, 4 Copper", "5 Estate"], decks=["5 Copper", "5 Copper"])
    alice, bob = table
    alice.plays("Militia")
    bob.discards("2 Estate")
    alice.ends_turn()
    assert bob.hand == "3 Estate"


def test_a_hand_of_more_than_five_is_kept_for_the_turn():
    table = Table(hands=["Council Room", "5 Estate"], decks=["9 Copper", "Gold"])
    alice, bob = table
    alice.plays("Council Room")
    alice.ends_turn()
    assert bob.hand == "5 Estate, Gold"


def test_a_feast_that_trashed_itself_is_not_discarded():
    table = Table(hands=["Feast"], decks=["5 Copper"])
    alice, _ = table
    alice.plays("Feast")
    alice.gains("Duchy")
    alice.ends_turn()
    assert alice.discard == "Duchy"
    assert table.trash == "Feast"


def test_in_solitaire_the_same_player_is_next():
    table = Table(players=1, hands=["5 Copper"], decks=["5 Estate"], turns=[1])
    (alice,) = table
    alice.ends_turn()
    assert table.asks(alice, "action")
    assert alice.turns == 2
    assert alice.hand == "5 Estate"


def test_the_cards_in_play_and_the_top_of_the_hand_are_seen():
    table = Table(hands=["Woodcutter, Gold, Estate, Moat"], decks=["5 Curse"], known_hands=["Moat"])
    alice, _ = table
    alice.plays("Woodcutter")
    alice.ends_turn()
    assert alice.known_discard == "Moat, Woodcutter"
    assert alice.known_hand == ""


def test_with_nothing_in_play_the_top_card_of_the_hand_is_seen():
    table = Table(hands=["Gold, Estate, Moat"], decks=["5 Curse"])
    alice, _ = table
    alice.ends_turn()
    assert alice.known_discard == "Moat"


def test_the_top_card_of_the_hand_that_all_knew_already_is_seen_once():
    table = Table(hands=["Gold, 2 Village"], known_hands=["Village"], decks=["5 Curse"])
    alice, _ = table
    alice.ends_turn()
    assert alice.discard == "Gold, 2 Village"
    assert alice.known_discard == "Village"
