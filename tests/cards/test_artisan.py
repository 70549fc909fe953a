"""Artisan: gain a card costing up to 5 to your hand; put a card from your hand onto your deck."""

import pytest

from tests.table import Table, cards


def test_a_card_costing_up_to_5_is_gained_to_hand():
    table = Table(hands=["Artisan, Copper"])
    alice, _ = table
    alice.plays("Artisan")
    assert table.asks(alice, "gain", "Artisan", min_left=1, max_left=1)
    alice.gains("Duchy")
    assert alice.hand == "Copper, Duchy"
    assert alice.discard == ""
    assert table.supply["Duchy"] == 7


def test_then_a_card_from_hand_is_put_onto_the_deck():
    table = Table(hands=["Artisan, Copper, Estate"], decks=["Silver"])
    alice, _ = table
    alice.plays("Artisan")
    alice.gains("Market")
    assert table.asks(alice, "topdeck", "Artisan", min_left=1, max_left=1)
    assert sorted(table.legal) == ["topdeck Copper", "topdeck Estate", "topdeck Market"]
    alice.topdecks("Estate")
    assert table.asks(alice, "action")
    assert alice.hand == "Copper, Market"
    assert alice.deck == "Estate, Silver"


def test_the_gained_card_may_be_put_onto_the_deck():
    table = Table(hands=["Artisan, Copper"])
    alice, _ = table
    alice.plays("Artisan")
    alice.gains("Market")
    alice.topdecks("Market")
    assert alice.deck == "Market"
    assert alice.hand == "Copper"


@pytest.mark.parametrize("card", ["Copper", "Curse", "Estate", "Silver", "Smithy", "Duchy", "Market"])
def test_any_card_costing_up_to_5_may_be_gained(card):
    table = Table(hands=["Artisan, 2 Gold"], coins=9)
    alice, _ = table
    alice.plays("Artisan")
    assert not {"gain Gold", "gain Province", "gain Artisan", "pass"} & set(table.legal)
    alice.gains(card)
    assert alice.hand == f"2 Gold, {card}"


def test_an_empty_pile_is_not_offered():
    table = Table(hands=["Artisan"], supply={"Duchy": 0})
    alice, _ = table
    alice.plays("Artisan")
    assert "gain Duchy" not in table.legal


ALL_EMPTY = dict.fromkeys(
    cards(
        "Copper, Silver, Estate, Duchy, Curse, Cellar, Market, Merchant, Militia, Mine, Moat, Remodel, Smithy, Village"
    ),
    0,
)


def test_if_nothing_can_be_gained_a_card_is_still_put_onto_the_deck():
    table = Table(hands=["Artisan, Gold"], supply=ALL_EMPTY)
    alice, _ = table
    alice.plays("Artisan")
    assert table.asks(alice, "topdeck", "Artisan")
    alice.topdecks("Gold")
    assert alice.deck == "Gold"
    assert alice.hand == ""


def test_if_nothing_can_be_gained_and_the_hand_is_empty_nothing_happens():
    table = Table(hands=["Artisan"], supply=ALL_EMPTY)
    alice, _ = table
    alice.plays("Artisan")
    assert table.asks(alice, "action")
    assert alice.deck == ""


def test_with_an_empty_hand_the_gained_card_must_be_put_onto_the_deck():
    table = Table(hands=["Artisan"])
    alice, _ = table
    alice.plays("Artisan")
    alice.gains("Silver")
    assert table.legal == ["topdeck Silver"]
    alice.topdecks("Silver")
    assert alice.hand == ""
    assert alice.deck == "Silver"


def test_onto_an_empty_deck_the_card_is_the_only_one_and_nothing_is_shuffled():
    table = Table(hands=["Artisan, Copper"], discards=["3 Gold"])
    alice, _ = table
    alice.plays("Artisan")
    alice.gains("Silver")
    alice.topdecks("Copper")
    assert alice.draw_pile == "Copper"
    assert alice.discard == "3 Gold"


def test_a_gained_treasure_can_be_played_this_turn():
    table = Table(hands=["Artisan, Copper"])
    alice, _ = table
    alice.plays("Artisan")
    alice.gains("Silver")
    alice.topdecks("Copper")
    alice.ends_action_phase()
    alice.plays("Silver")
    assert table.coins == 2


def test_a_gained_action_can_be_played_with_an_action_left():
    table = Table(hands=["Artisan, Copper"], actions=2)
    alice, _ = table
    alice.plays("Artisan")
    alice.gains("Militia")
    alice.topdecks("Copper")
    alice.plays("Militia")
    assert table.coins == 2


def test_throne_room_gains_two_and_puts_back_two():
    table = Table(hands=["Throne Room, Artisan, Copper"])
    alice, _ = table
    alice.plays("Throne Room, Artisan")
    alice.gains("Market")
    alice.topdecks("Copper")
    assert table.asks(alice, "gain", "Artisan")
    alice.gains("Duchy")
    alice.topdecks("Market")
    assert table.asks(alice, "action")
    assert alice.hand == "Duchy"
    assert alice.deck == "Market, Copper"


def test_the_gain_is_known_and_the_card_put_back_is_known_to_its_owner_alone():
    table = Table(hands=["Artisan, Copper, Estate"], decks=["Gold"])
    alice, _ = table
    alice.plays("Artisan")
    alice.gains("Market")
    assert alice.known_hand == "Market"
    alice.topdecks("Estate")
    assert alice.known_hand == ""  # for all the others know, the Market went back
    assert alice.deck_known == ["owner", "nobody"]


def test_a_card_that_leaves_unseen_takes_one_of_each_known_card():
    table = Table(hands=["Artisan, Copper, 2 Moat, 3 Silver"], known_hands=["2 Moat, 3 Silver"])
    alice, _ = table
    alice.plays("Artisan")
    alice.gains("Silver")
    assert alice.known_hand == "2 Moat, 4 Silver"
    alice.topdecks("Copper")
    assert alice.known_hand == "Moat, 3 Silver"


def test_the_card_put_back_is_not_known_when_it_is_drawn_again():
    table = Table(hands=["Artisan, Copper"], decks=["4 Estate"])
    alice, _ = table
    alice.plays("Artisan")
    alice.gains("Market")
    alice.topdecks("Market")
    alice.ends_turn()
    assert alice.hand == "Market, 4 Estate"
    assert alice.known_hand == ""
