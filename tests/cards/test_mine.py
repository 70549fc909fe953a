"""Mine: trash a Treasure from your hand (second edition: you may); gain one costing up to 3 more to your hand."""

import pytest

from tests.table import Table


def test_a_treasure_is_trashed_and_a_better_one_gained_to_hand():
    table = Table(hands=["Mine, Copper, Estate"])
    alice, _ = table
    alice.plays("Mine")
    assert table.asks(alice, "trash", "Mine", max_left=1)
    alice.trashes("Copper")
    assert table.asks(alice, "gain", "Mine", min_left=1, max_left=1)
    alice.gains("Silver")
    assert table.asks(alice, "action")
    assert alice.hand == "Silver, Estate"
    assert alice.discard == ""
    assert table.trash == "Copper"
    assert table.supply["Silver"] == 39


@pytest.mark.parametrize(
    ("trashed", "gains"),
    [
        ("Copper", ["gain Copper", "gain Silver"]),
        ("Silver", ["gain Copper", "gain Gold", "gain Silver"]),
        ("Gold", ["gain Copper", "gain Gold", "gain Silver"]),
    ],
)
def test_the_gained_treasure_costs_up_to_3_more_and_may_cost_the_same_or_less(trashed, gains):
    table = Table(hands=[f"Mine, {trashed}"], coins=9)
    alice, _ = table
    alice.plays("Mine")
    alice.trashes(trashed)
    assert sorted(table.legal) == gains


def test_only_treasures_can_be_trashed():
    table = Table(hands=["Mine, Copper, Gold, Estate, Curse, Village, Mine"])
    alice, _ = table
    alice.plays("Mine")
    assert sorted(table.legal) == ["pass", "trash Copper", "trash Gold"]


def test_the_new_treasure_can_be_played_this_turn():
    table = Table(hands=["Mine, Silver"])
    alice, _ = table
    alice.plays("Mine")
    alice.trashes("Silver")
    alice.gains("Gold")
    alice.ends_action_phase()
    alice.plays("Gold")
    assert table.coins == 3


def test_second_edition_the_trashing_may_be_declined_and_nothing_is_gained():
    table = Table(hands=["Mine, Copper"])
    alice, _ = table
    alice.plays("Mine")
    assert table.asks(alice, "trash", "Mine", min_left=0)
    alice.passes()
    assert table.asks(alice, "action")
    assert alice.hand == "Copper"
    assert table.trash == ""


def test_first_edition_the_trashing_may_not_be_declined():
    table = Table(hands=["Mine, Gold, Estate"], edition=1)
    alice, _ = table
    alice.plays("Mine")
    assert table.asks(alice, "trash", "Mine", min_left=1)
    assert table.legal == ["trash Gold"]
    alice.trashes("Gold")
    alice.gains("Copper")
    assert alice.hand == "Copper, Estate"


def test_first_edition_the_only_treasure_is_trashed_without_a_question():
    table = Table(hands=["Mine, Copper, Estate"], edition=1, ask_forced=False)
    alice, _ = table
    alice.plays("Mine")
    assert table.asks(alice, "gain", "Mine")
    assert table.trash == "Copper"


@pytest.mark.parametrize("edition", [1, 2])
def test_without_a_treasure_in_hand_nothing_happens(edition):
    table = Table(hands=["Mine, Estate, Village"], edition=edition)
    alice, _ = table
    alice.plays("Mine")
    assert table.asks(alice, "action")
    assert alice.hand == "Estate, Village"
    assert table.trash == ""


@pytest.mark.parametrize("edition", [1, 2])
def test_with_no_fitting_pile_left_the_trashed_card_is_lost(edition):
    table = Table(hands=["Mine, Copper, Estate"], supply={"Copper": 0, "Silver": 0}, edition=edition)
    alice, _ = table
    alice.plays("Mine")
    alice.trashes("Copper")
    assert table.asks(alice, "action")
    assert alice.hand == "Estate"
    assert table.trash == "Copper"


def test_the_gain_is_mandatory_also_if_it_is_no_better():
    table = Table(hands=["Mine, Silver"], supply={"Silver": 0, "Gold": 0})
    alice, _ = table
    alice.plays("Mine")
    alice.trashes("Silver")
    assert table.legal == ["gain Copper"]
    alice.gains("Copper")
    assert alice.hand == "Copper"


def test_an_empty_pile_is_not_offered():
    table = Table(hands=["Mine, Silver"], supply={"Gold": 0})
    alice, _ = table
    alice.plays("Mine")
    alice.trashes("Silver")
    assert sorted(table.legal) == ["gain Copper", "gain Silver"]


def test_throne_room_the_second_play_may_trash_what_the_first_one_gained():
    table = Table(hands=["Throne Room, Mine, Copper"])
    alice, _ = table
    alice.plays("Throne Room, Mine")
    alice.trashes("Copper")
    alice.gains("Silver")
    assert table.asks(alice, "trash", "Mine")
    alice.trashes("Silver")
    alice.gains("Gold")
    assert alice.hand == "Gold"
    assert table.trash == "Copper, Silver"


def test_throne_room_second_edition_each_play_may_be_declined():
    start = Table(hands=["Throne Room, Mine, 2 Copper"])
    table = start.copy()
    alice, _ = table
    alice.plays("Throne Room, Mine")
    alice.passes()
    assert table.asks(alice, "trash", "Mine")
    alice.trashes("Copper")
    alice.gains("Silver")
    assert table.asks(alice, "action")
    assert alice.hand == "Copper, Silver"

    table = start.copy()
    alice, _ = table
    alice.plays("Throne Room, Mine")
    alice.trashes("Copper")
    alice.gains("Silver")
    alice.passes()
    assert table.asks(alice, "action")
    assert alice.hand == "Copper, Silver"


def test_throne_room_first_edition_both_plays_are_mandatory():
    table = Table(hands=["Throne Room, Mine, Copper, Gold"], edition=1)
    alice, _ = table
    alice.plays("Throne Room, Mine")
    assert sorted(table.legal) == ["trash Copper", "trash Gold"]
    alice.trashes("Copper")
    alice.gains("Copper")
    assert sorted(table.legal) == ["trash Copper", "trash Gold"]


def test_throne_room_the_second_play_finds_no_treasure():
    table = Table(hands=["Throne Room, Mine, Copper"], supply={"Copper": 0, "Silver": 0})
    alice, _ = table
    alice.plays("Throne Room, Mine")
    alice.trashes("Copper")
    assert table.asks(alice, "action")
    assert alice.hand == ""


def test_the_gained_treasure_is_known_in_hand():
    table = Table(hands=["Mine, Copper, Moat"], known_hands=["Copper, Moat"])
    alice, _ = table
    alice.plays("Mine")
    alice.trashes("Copper")
    assert alice.known_hand == "Moat"
    alice.gains("Silver")
    assert alice.known_hand == "Moat, Silver"


def test_the_known_treasure_is_known_in_the_discard_pile_after_clean_up():
    table = Table(hands=["Mine, 2 Copper, Village"], decks=["5 Estate"])
    alice, _ = table
    alice.plays("Mine")
    alice.trashes("Copper")
    alice.gains("Silver")
    alice.ends_turn()
    assert alice.discard == "Copper, Silver, Village, Mine"
    assert alice.known_discard == "Silver, Mine"


def test_the_second_question_names_the_trashed_card():
    table = Table("Mine, Silver")
    alice, _ = table
    alice.plays("Mine")
    assert table.asks(alice, "trash", "Mine", card=None)
    alice.trashes("Silver")
    assert table.asks(alice, "gain", "Mine", card="Silver")
