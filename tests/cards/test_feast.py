"""Feast: trash this card. Gain a card costing up to 5."""

from tests.table import Table

KINGDOM = "Feast, Chapel, Moat, Village, Woodcutter, Gardens, Smithy, Market, Witch, Adventurer"
UP_TO_FIVE = (
    *("Copper", "Curse", "Estate", "Silver", "Duchy"),
    *("Feast", "Chapel", "Moat", "Village", "Woodcutter", "Gardens", "Smithy", "Market", "Witch"),
)


def test_trashes_itself_and_gains_a_card():
    table = Table("Feast, Copper", discards="Estate")
    alice, _ = table
    alice.plays("Feast")
    assert table.trash == "Feast"  # before the choice
    assert alice.in_play == ""
    alice.gains("Duchy")
    assert alice.discard == "Estate, Duchy"
    assert alice.hand == "Copper"
    assert table.asks(alice, "action")
    assert (table.actions, table.buys, table.coins) == (0, 1, 0)


def test_every_pile_up_to_five_is_offered_and_nothing_else():
    table = Table("Feast", kingdom=KINGDOM)
    alice, _ = table
    alice.plays("Feast")
    assert table.asks(alice, "gain", "Feast", min_left=1, max_left=1)
    assert table.legal == [f"gain {name}" for name in UP_TO_FIVE]


def test_an_empty_pile_is_not_offered():
    table = Table("Feast", kingdom=KINGDOM, supply={"Duchy": 0, "Market": 0})
    alice, _ = table
    alice.plays("Feast")
    assert not {"gain Duchy", "gain Market"} & table.legal


def test_coins_do_not_raise_the_limit():
    table = Table("Feast, 3 Gold", coins=8)
    alice, _ = table
    alice.plays("Feast")
    assert not {"gain Gold", "gain Province"} & table.legal


def test_the_gain_is_mandatory_even_if_only_a_curse_fits():
    table = Table("Feast", kingdom=KINGDOM, supply=dict.fromkeys(UP_TO_FIVE, 0) | {"Curse": 1})
    alice, _ = table
    alice.plays("Feast")
    assert table.legal == ["gain Curse"]
    alice.gains("Curse")
    assert alice.discard == "Curse"


def test_when_no_pile_fits_it_is_trashed_all_the_same():
    table = Table("Feast", kingdom=KINGDOM, supply=dict.fromkeys(UP_TO_FIVE, 0))
    alice, _ = table
    alice.plays("Feast")
    assert table.asks(alice, "action")
    assert table.trash == "Feast"
    assert alice.discard == ""


def test_the_feast_is_gone_after_clean_up():
    table = Table("Feast", decks="5 Copper")
    alice, _ = table
    alice.plays("Feast")
    alice.gains("Silver")
    alice.ends_turn()
    assert alice.owned == "5 Copper, Silver"
    assert alice.discard == "Silver"


def test_a_feast_may_gain_another_feast():
    table = Table("Feast", supply={"Feast": 1})
    alice, _ = table
    alice.plays("Feast")
    alice.gains("Feast")
    assert alice.discard == "Feast"
    assert table.trash == "Feast"
    assert table.supply["Feast"] == 0


def test_the_trashed_feast_does_not_return_to_the_supply():
    table = Table("Feast", supply={"Feast": 4})
    alice, _ = table
    alice.plays("Feast")
    alice.gains("Silver")
    assert table.supply["Feast"] == 4


def test_a_gained_card_cannot_be_used_at_once():
    table = Table("Feast", actions=2, kingdom="Market")
    alice, _ = table
    alice.plays("Feast")
    alice.gains("Market")
    assert table.legal == ["pass"]


def test_another_feast_in_play_stays_there():
    table = Table("Feast", in_play="Village, Throne Room, Woodcutter")
    alice, _ = table
    alice.plays("Feast")
    alice.gains("Silver")
    assert alice.in_play == "Village, Throne Room, Woodcutter"


def test_all_see_the_gained_card():
    table = Table("Feast", discards="Copper, Estate")
    alice, _ = table
    alice.plays("Feast")
    alice.gains("Duchy")
    assert alice.known_discard == "Estate, Duchy"


def test_under_throne_room_one_feast_is_trashed_and_two_cards_are_gained():
    table = Table("Throne Room, Feast")
    alice, _ = table
    alice.plays("Throne Room")
    alice.plays("Feast")
    alice.gains("Duchy")
    assert table.trash == "Feast"
    alice.gains("Market")
    assert table.trash == "Feast"
    assert alice.in_play == "Throne Room"
    assert alice.discard == "Duchy, Market"
    assert table.asks(alice, "action")


def test_under_throne_room_the_second_play_does_not_trash_another_feast():
    table = Table("Throne Room, 2 Feast", in_play="Feast")
    alice, _ = table
    alice.plays("Throne Room")
    alice.plays("Feast")
    alice.gains("Silver")
    alice.gains("Silver")
    assert table.trash == "Feast"
    assert alice.in_play == "Feast, Throne Room"
    assert alice.hand == "Feast"


def test_under_throne_room_each_gain_is_mandatory():
    table = Table("Throne Room, Feast")
    alice, _ = table
    alice.plays("Throne Room")
    alice.plays("Feast")
    assert "pass" not in table.legal
    alice.gains("Curse")
    assert "pass" not in table.legal


def test_the_log_of_the_others_names_the_gained_card():
    table = Table("Feast")
    alice, bob = table
    alice.plays("Feast")
    alice.gains("Duchy")
    assert "Duchy" in table.log(bob)
    assert "trashes Feast" in table.log(bob)
