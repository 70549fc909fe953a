"""Section 3.2: playing Treasures, then buying."""

import pytest

from tests.table import Table, cards


@pytest.mark.parametrize(("treasure", "coins"), [("Copper", 1), ("Silver", 2), ("Gold", 3)])
def test_a_treasure_gives_its_coins_when_played(treasure, coins):
    table = Table(hands=[treasure], phase="buy")
    alice, _ = table
    alice.plays(treasure)
    assert table.coins == coins
    assert alice.in_play == treasure
    assert alice.hand == ""


def test_treasures_are_played_in_any_order_and_number():
    table = Table(hands=["2 Copper, Silver, Gold"], phase="buy")
    alice, _ = table
    alice.plays("Gold, Copper, Silver")
    assert table.coins == 6
    assert alice.in_play == "Gold, Copper, Silver"
    assert alice.hand == "Copper"


def test_no_treasure_need_be_played_and_those_kept_give_nothing():
    table = Table(hands=["3 Gold"], phase="buy", coins=2)
    alice, _ = table
    assert "buy Estate" in table.legal
    assert "buy Silver" not in table.legal
    alice.buys("Estate")
    assert table.coins == 0


def test_victory_cards_curses_and_actions_are_not_played():
    table = Table(hands=["Estate, Curse, Gardens, Village, Copper"], phase="buy", actions=5)
    assert [words for words in table.legal if words.startswith("play")] == ["play Copper"]


def test_a_bought_card_goes_to_the_discard_pile_and_costs_coins_and_a_buy():
    table = Table(phase="buy", coins=7, buys=2, discards=["Copper"])
    alice, _ = table
    alice.buys("Silver")
    assert table.coins == 4
    assert table.buys == 1
    assert alice.discard == "Copper, Silver"
    assert table.supply["Silver"] == 39


@pytest.mark.parametrize(
    ("coins", "names"),
    [
        (0, {"Copper", "Curse"}),
        (1, {"Copper", "Curse"}),
        (2, {"Copper", "Curse", "Estate", "Cellar", "Moat"}),
        (3, {"Copper", "Curse", "Estate", "Cellar", "Moat", "Silver", "Merchant", "Village", "Workshop"}),
    ],
)
def test_whatever_costs_no_more_than_the_coins_can_be_bought(coins, names):
    table = Table(phase="buy", coins=coins)
    assert {words.removeprefix("buy ") for words in table.legal} == names | {"pass"}


COSTS = {
    0: "Copper, Curse",
    2: "Estate, Cellar, Chapel, Moat",
    3: "Silver, Chancellor, Harbinger, Merchant, Vassal, Village, Woodcutter, Workshop",
    4: ("Bureaucrat, Feast, Gardens, Militia, Moneylender, Poacher, Remodel, Smithy, Spy, Thief, Throne Room"),
    5: "Duchy, Bandit, Council Room, Festival, Laboratory, Library, Market, Mine, Sentry, Witch",
    6: "Gold, Adventurer, Artisan",
    8: "Province",
}


@pytest.mark.parametrize(("card", "cost"), [(card, cost) for cost, names in COSTS.items() for card in cards(names)])
def test_every_card_has_its_printed_cost(card, cost):
    table = Table(phase="buy", coins=cost, kingdom=card)
    alice, _ = table
    alice.buys(card)
    assert table.coins == 0
    assert alice.discard == card
    if cost > 0:
        table = Table(phase="buy", coins=cost - 1, kingdom=card)
        assert f"buy {card}" not in table.legal


@pytest.mark.parametrize("card", ["Copper", "Curse"])
def test_copper_and_curse_are_bought_for_nothing_but_use_a_buy(card):
    table = Table(phase="buy", coins=0)
    alice, _ = table
    alice.buys(card)
    assert alice.discard == card
    assert table.buys == 0
    assert table.legal == ["pass"]


def test_an_empty_pile_cannot_be_bought_from():
    table = Table(phase="buy", coins=8, supply={"Province": 0, "Copper": 0, "Moat": 0})
    assert not {"buy Province", "buy Copper", "buy Moat"} & set(table.legal)
    assert "buy Gold" in table.legal


def test_whether_to_play_the_last_treasure_is_asked_also_if_nothing_can_be_bought():
    table = Table(hands=["Copper"], phase="buy", supply={"Copper": 0, "Curse": 0}, ask_forced=False)
    assert sorted(table.legal) == ["pass", "play Copper"]


def test_the_last_card_of_a_pile_is_bought_once():
    table = Table(phase="buy", coins=12, buys=2, supply={"Gold": 1})
    alice, _ = table
    alice.buys("Gold")
    assert "buy Gold" not in table.legal


def test_the_trash_is_not_for_sale():
    table = Table(phase="buy", coins=8, supply={"Gold": 0}, trash="Gold")
    assert "buy Gold" not in table.legal


def test_a_card_that_is_not_in_the_kingdom_is_not_for_sale():
    table = Table(phase="buy", coins=8)
    assert "buy Witch" not in table.legal


def test_without_buys_nothing_can_be_bought():
    table = Table(phase="buy", coins=8, buys=0)
    assert table.legal == ["pass"]


def test_coins_of_actions_and_treasures_are_one_sum_for_all_buys():
    table = Table(hands=["Woodcutter, Silver, Gold"])
    alice, _ = table
    alice.plays("Woodcutter")
    alice.ends_action_phase()
    alice.plays("Silver, Gold")
    assert table.coins == 7
    alice.buys("Smithy, Silver")
    assert alice.discard == "Smithy, Silver"
    assert table.coins == 0


def test_no_change_is_lost_between_two_buys():
    table = Table(phase="buy", coins=8, buys=2)
    alice, _ = table
    alice.buys("Duchy")
    assert table.coins == 3
    alice.buys("Silver")
    assert table.coins == 0


def test_buys_and_coins_may_stay_unused_and_are_lost():
    table = Table(hands=["", "Copper"], phase="buy", coins=8, buys=3)
    alice, bob = table
    alice.buys("Estate")
    alice.ends_turn()
    assert alice.discard == ""
    assert alice.hand == "Estate"
    bob.ends_action_phase()
    assert (table.buys, table.coins) == (1, 0)


def test_the_same_card_can_be_bought_twice():
    table = Table(phase="buy", coins=6, buys=2)
    alice, _ = table
    alice.buys("2 Silver")
    assert alice.discard == "2 Silver"


@pytest.mark.parametrize("edition", [1, 2])
def test_no_treasure_is_played_after_the_first_buy_even_with_buys_left(edition):
    table = Table(hands=["2 Gold, Copper"], phase="buy", buys=3, edition=edition)
    alice, _ = table
    alice.plays("Gold")
    alice.buys("Copper")
    assert not [words for words in table.legal if words.startswith("play")]
    assert "buy Silver" in table.legal
    assert alice.hand == "Gold, Copper"


def test_treasures_may_be_played_again_in_the_next_turn():
    table = Table(hands=["Copper", "Copper"], phase="buy")
    alice, bob = table
    alice.buys("Copper")
    alice.ends_turn()
    bob.ends_action_phase()
    assert "play Copper" in table.legal


def test_actions_are_not_played_whatever_actions_are_left():
    table = Table(hands=["Village, Smithy"], phase="buy", actions=3)
    assert not [words for words in table.legal if words.startswith("play")]


def test_a_bought_card_cannot_be_used_this_turn():
    table = Table(phase="buy", coins=8, buys=2)
    alice, _ = table
    alice.buys("Silver")
    assert alice.hand == ""
    assert "play Silver" not in table.legal


def test_buying_onto_a_discard_pile_with_others_shows_the_bought_card():
    table = Table(phase="buy", coins=3, discards=["Gold, Estate"])
    alice, _ = table
    alice.buys("Silver")
    assert alice.discard == "Gold, Estate, Silver"
    assert alice.known_discard == "Estate, Silver"


def test_treasures_played_by_the_engine_lie_in_order_of_card_number():
    table = Table(hands=["Gold, Copper, Silver, Copper, Estate"], auto_treasures=True)
    alice, _ = table
    alice.ends_action_phase()
    assert table.coins == 7
    assert alice.in_play == "2 Copper, Silver, Gold"
    assert alice.hand == "Estate"
    assert not [words for words in table.legal if words.startswith("play")]


def test_the_engine_plays_no_treasure_before_the_buy_phase():
    table = Table(hands=["Cellar, Copper, Silver"], auto_treasures=True)
    alice, _ = table
    alice.plays("Cellar")
    alice.discards("Silver")
    alice.passes()
    assert table.coins == 0


def test_a_position_loaded_before_its_first_buy_has_its_treasures_played():
    table = Table(hands=["2 Silver"], phase="buy", auto_treasures=True)
    alice, _ = table
    assert table.coins == 4
    assert alice.hand == ""


def test_a_position_loaded_after_a_buy_keeps_its_treasures():
    table = Table(hands=["2 Silver"], phase="buy", buys=2, bought=True, auto_treasures=True)
    alice, _ = table
    assert table.coins == 0
    assert alice.hand == "2 Silver"


def test_treasures_played_by_the_engine_count_a_merchants_first_silver():
    table = Table(hands=["2 Merchant, Copper, 2 Silver"], auto_treasures=True)
    alice, _ = table
    alice.plays("2 Merchant")
    alice.ends_action_phase()
    assert table.coins == 1 + 2 + 2 + 2


def test_without_forced_questions_the_turn_ends_after_the_last_buy():
    table = Table(hands=["3 Copper", "5 Copper"], phase="buy", ask_forced=False)
    alice, bob = table
    alice.plays("Copper")
    alice.buys("Copper")
    assert table.asks(bob, "buy")
