"""Merchant: +1 Card, +1 Action. The first time you play a Silver this turn, +1 coin."""

from tests.table import Table


def test_gives_a_card_and_an_action():
    table = Table("Merchant", decks="Estate, Gold")
    alice, _ = table
    alice.plays("Merchant")
    assert alice.hand == "Estate"
    assert (table.actions, table.buys, table.coins) == (1, 1, 0)


def test_the_first_silver_gives_a_coin_more():
    table = Table("Merchant, Silver")
    alice, _ = table
    alice.plays("Merchant")
    alice.ends_action_phase()
    assert table.coins == 0
    alice.plays("Silver")
    assert table.coins == 3


def test_further_silvers_give_nothing_extra():
    table = Table("Merchant, 3 Silver")
    alice, _ = table
    alice.plays("Merchant")
    alice.ends_action_phase()
    alice.plays("Silver")
    alice.plays("2 Silver")
    assert table.coins == 7


def test_the_first_silver_may_come_after_other_treasures():
    table = Table("Merchant, Copper, Gold, Silver")
    alice, _ = table
    alice.plays("Merchant")
    alice.ends_action_phase()
    alice.plays("Copper, Gold")
    assert table.coins == 4
    alice.plays("Silver")
    assert table.coins == 7


def test_without_a_silver_nothing_is_added():
    table = Table("Merchant, 2 Copper, Gold")
    alice, _ = table
    alice.plays("Merchant")
    alice.ends_action_phase()
    alice.plays("2 Copper, Gold")
    assert table.coins == 5


def test_a_silver_kept_in_hand_gives_nothing():
    table = Table("Merchant, Silver")
    alice, _ = table
    alice.plays("Merchant")
    alice.ends_action_phase()
    alice.buys("Copper")
    assert table.asks(alice, "buy")
    assert table.coins == 0


def test_the_silver_drawn_by_the_merchant_counts():
    table = Table("Merchant", decks="Silver")
    alice, _ = table
    alice.plays("Merchant")
    alice.ends_action_phase()
    alice.plays("Silver")
    assert table.coins == 3


def test_two_merchants_give_two_coins_with_the_first_silver():
    table = Table("2 Merchant, 2 Silver")
    alice, _ = table
    alice.plays("Merchant")
    alice.plays("Merchant")
    alice.ends_action_phase()
    alice.plays("Silver")
    assert table.coins == 4
    alice.plays("Silver")
    assert table.coins == 6


def test_a_merchant_that_was_not_played_gives_nothing():
    table = Table("2 Merchant, Silver", discards="3 Merchant")
    alice, _ = table
    alice.plays("Merchant")
    alice.ends_action_phase()
    alice.plays("Silver")
    assert table.coins == 3


def test_nothing_carries_over_to_later_turns():
    table = Table(["Merchant", "Silver"], decks=["Copper, 5 Estate", "5 Estate"], bags="5 Silver")
    alice, bob = table
    alice.plays("Merchant")
    alice.ends_turn()
    bob.ends_action_phase()
    bob.plays("Silver")
    assert table.coins == 2
    bob.ends_turn()
    assert table.position["merchants"] == 0
    alice.ends_turn()
    bob.ends_turn()
    assert alice.hand == "5 Silver"
    alice.ends_action_phase()
    alice.plays("2 Silver")
    assert table.coins == 4


def test_the_bonus_comes_back_with_a_merchant_of_a_later_turn():
    table = Table("Merchant, Silver", decks="Copper, Merchant, Silver", bags="9 Copper")
    alice, bob = table
    alice.plays("Merchant")
    alice.ends_action_phase()
    alice.plays("Silver")
    assert table.coins == 3
    alice.ends_turn()
    bob.ends_turn()
    alice.plays("Merchant")
    alice.ends_action_phase()
    alice.plays("Silver")
    assert table.coins == 3


def test_a_loaded_position_knows_the_merchants_in_effect():
    table = Table("2 Silver", phase="buy", merchants=2)
    alice, _ = table
    alice.plays("Silver")
    assert table.coins == 4
    alice.plays("Silver")
    assert table.coins == 6


def test_a_loaded_position_knows_that_a_silver_was_played():
    table = Table("Silver", phase="buy", merchants=1, silver_played=True)
    alice, _ = table
    alice.plays("Silver")
    assert table.coins == 2


def test_treasures_played_by_the_engine_count_as_played():
    table = Table("Merchant, Copper, 2 Silver", auto_treasures=True)
    alice, _ = table
    alice.plays("Merchant")
    alice.ends_action_phase()
    assert table.asks(alice, "buy")
    assert table.coins == 6


def test_the_drawn_card_is_not_seen_by_others():
    table = Table("Merchant", decks="Silver")
    alice, _ = table
    alice.plays("Merchant")
    assert alice.known_hand == ""


def test_played_by_vassal_it_counts():
    table = Table("Vassal, Silver", decks="Merchant, Copper")
    alice, _ = table
    alice.plays("Vassal")
    alice.plays("Merchant")
    alice.ends_action_phase()
    alice.plays("Silver")
    assert table.coins == 5


def test_under_throne_room_each_play_counts():
    table = Table("Throne Room, Merchant", decks="2 Silver, Copper")
    alice, _ = table
    alice.plays("Throne Room")
    alice.plays("Merchant")
    assert alice.hand == "2 Silver"
    assert table.actions == 2
    alice.ends_action_phase()
    alice.plays("Silver")
    assert table.coins == 4
    alice.plays("Silver")
    assert table.coins == 6
