"""Remodel: trash a card from your hand; gain a card costing up to 2 more than it."""

import pytest

from tests.table import Table

NOTHING_UP_TO_2 = {"Copper": 0, "Curse": 0, "Estate": 0, "Cellar": 0, "Moat": 0}


def test_a_card_from_hand_is_trashed_and_one_costing_up_to_2_more_gained():
    table = Table(hands=["Remodel, Estate, Copper"])
    alice, _ = table
    alice.plays("Remodel")
    assert table.asks(alice, "trash", "Remodel", min_left=1, max_left=1)
    alice.trashes("Estate")
    assert table.asks(alice, "gain", "Remodel", min_left=1, max_left=1)
    alice.gains("Smithy")
    assert table.asks(alice, "action")
    assert alice.hand == "Copper"
    assert alice.discard == "Smithy"
    assert table.trash == "Estate"
    assert table.supply["Smithy"] == 9


@pytest.mark.parametrize(
    ("trashed", "fits", "too_dear"),
    [
        ("Copper", "Estate", "Silver"),
        ("Curse", "Moat", "Silver"),
        ("Estate", "Militia", "Duchy"),
        ("Silver", "Duchy", "Gold"),
        ("Smithy", "Gold", "Province"),
        ("Duchy", "Gold", "Province"),
        ("Gold", "Province", None),
    ],
)
def test_the_limit_is_the_printed_cost_of_the_trashed_card_and_2(trashed, fits, too_dear):
    table = Table(hands=[f"Remodel, {trashed}"], coins=10)
    alice, _ = table
    alice.plays("Remodel")
    alice.trashes(trashed)
    assert f"gain {fits}" in table.legal
    assert f"gain {too_dear}" not in table.legal
    alice.gains(fits)
    assert alice.discard == fits


def test_treasures_are_not_worth_their_coins_but_their_cost():
    table = Table(hands=["Remodel, Copper"])
    alice, _ = table
    alice.plays("Remodel")
    alice.trashes("Copper")
    assert "gain Silver" not in table.legal


def test_the_gained_card_may_be_a_copy_of_the_trashed_one():
    table = Table(hands=["Remodel, Silver"])
    alice, _ = table
    alice.plays("Remodel")
    alice.trashes("Silver")
    alice.gains("Silver")
    assert table.trash == "Silver"
    assert alice.discard == "Silver"


def test_the_gained_card_may_be_cheaper():
    table = Table(hands=["Remodel, Gold"])
    alice, _ = table
    alice.plays("Remodel")
    alice.trashes("Gold")
    alice.gains("Curse")
    assert alice.discard == "Curse"


def test_trashing_is_mandatory_even_if_it_hurts():
    table = Table(hands=["Remodel, Province, Gold"])
    alice, _ = table
    alice.plays("Remodel")
    assert sorted(table.legal) == ["trash Gold", "trash Province"]


def test_gaining_is_mandatory_even_if_only_a_curse_fits():
    table = Table(hands=["Remodel, Copper"], supply={**NOTHING_UP_TO_2, "Curse": 3})
    alice, _ = table
    alice.plays("Remodel")
    alice.trashes("Copper")
    assert table.legal == ["gain Curse"]
    alice.gains("Curse")
    assert alice.discard == "Curse"


def test_the_trashing_stands_if_nothing_can_be_gained():
    table = Table(hands=["Remodel, Copper, Gold"], supply=NOTHING_UP_TO_2)
    alice, _ = table
    alice.plays("Remodel")
    alice.trashes("Copper")
    assert table.asks(alice, "action")
    assert table.trash == "Copper"
    assert alice.hand == "Gold"
    assert alice.discard == ""


def test_an_empty_pile_is_not_offered():
    table = Table(hands=["Remodel, Gold"], supply={"Province": 0})
    alice, _ = table
    alice.plays("Remodel")
    alice.trashes("Gold")
    assert "gain Province" not in table.legal
    assert "gain Gold" in table.legal


def test_with_an_empty_hand_nothing_happens():
    table = Table(hands=["Remodel"])
    alice, _ = table
    alice.plays("Remodel")
    assert table.asks(alice, "action")
    assert table.trash == ""
    assert alice.discard == ""


def test_remodel_cannot_be_trashed_by_itself_but_another_one_can():
    table = Table(hands=["2 Remodel"])
    alice, _ = table
    alice.plays("Remodel")
    assert table.legal == ["trash Remodel"]
    alice.trashes("Remodel")
    alice.gains("Gold")
    assert alice.in_play == "Remodel"
    assert table.trash == "Remodel"


def test_the_only_card_in_hand_is_trashed_without_a_question():
    table = Table(hands=["Remodel, Estate"], ask_forced=False)
    alice, _ = table
    alice.plays("Remodel")
    assert table.asks(alice, "gain", "Remodel")
    assert table.trash == "Estate"


def test_the_trash_is_no_pile_to_gain_from():
    table = Table(hands=["Remodel, Gold"], trash="Thief")
    alice, _ = table
    alice.plays("Remodel")
    alice.trashes("Gold")
    assert "gain Thief" in table.legal
    alice.gains("Thief")
    assert table.trash == "Gold, Thief"
    assert table.supply["Thief"] == 9


def test_throne_room_remodels_two_cards_of_the_hand():
    table = Table(hands=["Throne Room, Remodel, Estate, Gold"])
    alice, _ = table
    alice.plays("Throne Room, Remodel")
    alice.trashes("Estate")
    alice.gains("Silver")
    assert table.asks(alice, "trash", "Remodel")
    assert table.legal == ["trash Gold"]
    alice.trashes("Gold")
    alice.gains("Province")
    assert alice.discard == "Silver, Province"
    assert table.trash == "Estate, Gold"
    assert alice.in_play == "Throne Room, Remodel"


def test_throne_room_with_one_card_in_hand_remodels_once():
    table = Table(hands=["Throne Room, Remodel, Estate"])
    alice, _ = table
    alice.plays("Throne Room, Remodel")
    alice.trashes("Estate")
    alice.gains("Silver")
    assert table.asks(alice, "action")
    assert alice.discard == "Silver"


def test_all_see_what_is_trashed_and_what_is_gained():
    table = Table(hands=["Remodel, 2 Moat, Copper"], known_hands=["2 Moat"])
    alice, _ = table
    alice.plays("Remodel")
    alice.trashes("Moat")
    assert alice.known_hand == "Moat"
    alice.gains("Smithy")
    assert alice.known_hand == "Moat"
    assert alice.known_discard == "Smithy"


def test_an_unknown_card_trashed_from_hand_takes_no_knowledge_of_others():
    table = Table(hands=["Remodel, Moat, Copper"], known_hands=["Moat"])
    alice, _ = table
    alice.plays("Remodel")
    alice.trashes("Copper")
    assert alice.known_hand == "Moat"


def test_the_second_question_names_the_trashed_card():
    table = Table("Remodel, Estate")
    alice, _ = table
    alice.plays("Remodel")
    assert table.asks(alice, "trash", "Remodel", card=None)
    alice.trashes("Estate")
    assert table.asks(alice, "gain", "Remodel", card="Estate")
