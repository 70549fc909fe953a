"""Workshop: gain a card costing up to 4."""

from tests.table import Table

KINGDOM = "Workshop, Chapel, Moat, Village, Woodcutter, Gardens, Smithy, Market, Witch, Adventurer"
UP_TO_FOUR = (
    "Copper",
    "Curse",
    "Estate",
    "Silver",
    "Workshop",
    "Chapel",
    "Moat",
    "Village",
    "Woodcutter",
    "Gardens",
    "Smithy",
)


def test_every_pile_up_to_four_is_offered_and_nothing_else():
    table = Table("Workshop", kingdom=KINGDOM)
    alice, _ = table
    alice.plays("Workshop")
    assert table.asks(alice, "gain", "Workshop", min_left=1, max_left=1)
    assert table.legal == [f"gain {name}" for name in UP_TO_FOUR]


def test_the_card_goes_to_the_discard_pile():
    table = Table("Workshop", decks="Gold", discards="Copper", supply={"Silver": 5})
    alice, _ = table
    alice.plays("Workshop")
    alice.gains("Silver")
    assert alice.discard == "Copper, Silver"
    assert alice.hand == ""
    assert alice.deck == "Gold"
    assert table.supply["Silver"] == 4
    assert table.asks(alice, "action")


def test_a_gained_action_cannot_be_used_at_once():
    table = Table("Workshop", actions=2)
    alice, _ = table
    alice.plays("Workshop")
    alice.gains("Village")
    assert table.legal == ["pass"]
    assert table.actions == 1


def test_it_is_a_gain_and_no_buy():
    table = Table("Workshop", coins=3)
    alice, _ = table
    alice.plays("Workshop")
    alice.gains("Silver")
    assert (table.buys, table.coins) == (1, 3)


def test_coins_do_not_raise_the_limit():
    table = Table("Workshop, 3 Gold", coins=10, kingdom="Market")
    alice, _ = table
    alice.plays("Workshop")
    assert not {"gain Market", "gain Duchy", "gain Gold", "gain Province"} & table.legal


def test_an_empty_pile_is_not_offered():
    table = Table("Workshop", kingdom=KINGDOM, supply={"Silver": 0, "Gardens": 0, "Copper": 0})
    alice, _ = table
    alice.plays("Workshop")
    assert table.legal == [f"gain {name}" for name in UP_TO_FOUR if name not in ("Silver", "Gardens", "Copper")]


def test_the_gain_is_mandatory_even_if_only_a_curse_fits():
    table = Table("Workshop", kingdom=KINGDOM, supply=dict.fromkeys(UP_TO_FOUR, 0) | {"Curse": 1})
    alice, _ = table
    alice.plays("Workshop")
    assert table.legal == ["gain Curse"]
    alice.gains("Curse")
    assert alice.discard == "Curse"


def test_nothing_is_asked_when_no_pile_fits():
    table = Table("Workshop", kingdom=KINGDOM, supply=dict.fromkeys(UP_TO_FOUR, 0))
    alice, _ = table
    alice.plays("Workshop")
    assert table.asks(alice, "action")
    assert alice.discard == ""


def test_emptying_the_last_pile_does_not_end_the_game_before_the_turn_does():
    table = Table("Workshop", supply={"Silver": 1, "Estate": 0, "Curse": 0})
    alice, _ = table
    alice.plays("Workshop")
    alice.gains("Silver")
    assert not table.over
    alice.ends_turn()
    assert table.over


def test_all_see_the_gained_card():
    table = Table("Workshop", discards="Copper, Estate")
    alice, _ = table
    alice.plays("Workshop")
    alice.gains("Silver")
    assert alice.known_discard == "Estate, Silver"


def test_under_throne_room_two_cards_are_gained():
    table = Table("Throne Room, Workshop", kingdom="Village")
    alice, _ = table
    alice.plays("Throne Room")
    alice.plays("Workshop")
    alice.gains("Village")
    alice.gains("Silver")
    assert alice.discard == "Village, Silver"
    assert table.actions == 0
    assert table.asks(alice, "action")


def test_under_throne_room_the_last_copy_is_gone_for_the_second_play():
    table = Table("Throne Room, Workshop", supply={"Village": 1})
    alice, _ = table
    alice.plays("Throne Room")
    alice.plays("Workshop")
    alice.gains("Village")
    assert "gain Village" not in table.legal
    assert "gain Silver" in table.legal


def test_the_log_of_the_others_names_the_gained_card():
    table = Table("Workshop")
    alice, bob = table
    alice.plays("Workshop")
    alice.gains("Silver")
    assert "Silver" in table.log(bob)
