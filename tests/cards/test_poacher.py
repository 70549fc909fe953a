"""Poacher: +1 Card, +1 Action, +1 coin. Discard a card for each empty Supply pile."""

import pytest

from tests.table import Table


def test_gives_a_card_an_action_and_a_coin():
    table = Table("Poacher, Copper", decks="Gold, Silver")
    alice, _ = table
    alice.plays("Poacher")
    assert alice.hand == "Copper, Gold"
    assert (table.actions, table.buys, table.coins) == (1, 1, 1)


def test_with_no_empty_pile_nothing_is_discarded():
    table = Table("Poacher, 4 Copper", decks="Gold")
    alice, _ = table
    alice.plays("Poacher")
    assert table.asks(alice, "action")
    assert alice.discard == ""


@pytest.mark.parametrize("pile", ["Copper", "Silver", "Gold", "Estate", "Duchy", "Curse", "Poacher", "Gardens", "Moat"])
def test_every_pile_of_the_supply_counts(pile: str):
    table = Table("Poacher, 2 Copper", decks="Silver", kingdom="Poacher, Gardens, Moat", supply={pile: 0})
    alice, _ = table
    alice.plays("Poacher")
    assert table.asks(alice, "discard", "Poacher", min_left=1, max_left=1)
    alice.discards("Copper")
    assert table.asks(alice, "action")


@pytest.mark.parametrize("empty", [1, 2, 3, 4])
def test_one_card_is_discarded_for_each_empty_pile(empty: int):
    piles = ("Copper", "Curse", "Poacher", "Estate")[:empty]
    table = Table("Poacher, 5 Copper", decks="Gold", supply=dict.fromkeys(piles, 0))
    alice, _ = table
    alice.plays("Poacher")
    assert table.asks(alice, "discard", "Poacher", min_left=empty, max_left=empty)
    alice.discards(f"{empty} Copper")
    assert table.asks(alice, "action")
    assert len(alice.hand) == 6 - empty
    assert alice.discard == f"{empty} Copper"


def test_discarding_cannot_be_declined():
    table = Table("Poacher, Copper, Estate", decks="Gold", supply={"Curse": 0})
    alice, _ = table
    alice.plays("Poacher")
    assert table.legal == ["discard Copper", "discard Estate", "discard Gold"]


def test_the_card_just_drawn_may_be_discarded():
    table = Table("Poacher, Copper", decks="Curse", supply={"Estate": 0})
    alice, _ = table
    alice.plays("Poacher")
    alice.discards("Curse")
    assert alice.hand == "Copper"
    assert alice.discard == "Curse"


def test_with_more_empty_piles_than_cards_the_whole_hand_is_discarded():
    table = Table("Poacher, Estate", decks="Copper", supply={"Estate": 0, "Curse": 0, "Poacher": 0})
    alice, _ = table
    alice.plays("Poacher")
    assert table.asks(alice, "discard", "Poacher", min_left=2, max_left=2)
    alice.discards("Copper, Estate")
    assert table.asks(alice, "action")
    assert alice.hand == ""
    assert alice.discard == "Copper, Estate"


def test_with_no_card_to_discard_nothing_is_asked():
    table = Table("Poacher", supply={"Estate": 0, "Curse": 0})
    alice, _ = table
    alice.plays("Poacher")
    assert table.asks(alice, "action")
    assert (table.actions, table.coins) == (1, 1)


def test_the_draw_comes_before_the_discard_and_shuffles_without_it():
    table = Table("Poacher, Estate", discards="Gold", supply={"Curse": 0})
    alice, _ = table
    alice.plays("Poacher")
    assert alice.hand == "Estate, Gold"
    alice.discards("Estate")
    assert alice.discard == "Estate"
    assert alice.draw_pile == ""


def test_the_piles_are_counted_when_it_is_played():
    table = Table("Workshop, Poacher, Copper", actions=2, supply={"Silver": 1})
    alice, _ = table
    alice.plays("Workshop")
    alice.gains("Silver")
    alice.plays("Poacher")
    assert table.asks(alice, "discard", "Poacher", min_left=1)


def test_the_last_card_picked_lies_on_top():
    table = Table("Poacher, Copper, Estate, Duchy", decks="Gold", supply={"Curse": 0, "Estate": 0})
    alice, _ = table
    alice.plays("Poacher")
    alice.discards("Estate")
    assert alice.chosen == "Estate"
    assert alice.discard == ""
    alice.discards("Copper")
    assert alice.discard == "Estate, Copper"


def test_others_see_only_the_top_one_of_several_discarded_cards():
    table = Table("Poacher, Copper, Estate, Duchy", decks="Gold", supply={"Curse": 0, "Estate": 0})
    alice, _ = table
    alice.plays("Poacher")
    alice.discards("Estate, Copper")
    assert alice.known_discard == "Copper"
    assert alice.known_hand == ""


def test_any_card_known_in_the_hand_may_be_the_hidden_discard():
    table = Table(
        "Poacher, Copper, 2 Estate, Duchy",
        decks="Gold",
        known_hands="2 Estate, Duchy",
        supply={"Curse": 0, "Estate": 0},
    )
    alice, _ = table
    alice.plays("Poacher")
    alice.discards("Copper, Duchy")
    assert alice.known_hand == "Estate"


def test_a_single_discard_is_seen():
    table = Table("Poacher, Estate, Duchy", decks="Gold", known_hands="Estate, Duchy", supply={"Curse": 0})
    alice, _ = table
    alice.plays("Poacher")
    alice.discards("Estate")
    assert alice.known_hand == "Duchy"
    assert alice.known_discard == "Estate"


def test_under_throne_room_draws_and_discards_twice():
    table = Table("Throne Room, Poacher, Estate, Copper", decks="Gold, Silver, Duchy", supply={"Curse": 0})
    alice, _ = table
    alice.plays("Throne Room")
    alice.plays("Poacher")
    assert alice.hand == "Estate, Copper, Gold"
    alice.discards("Estate")
    assert alice.hand == "Copper, Gold, Silver"
    alice.discards("Copper")
    assert alice.hand == "Gold, Silver"
    assert (table.actions, table.coins) == (2, 2)
    assert table.asks(alice, "action")


def test_under_throne_room_the_second_draw_can_shuffle_the_first_discard():
    table = Table("Throne Room, Poacher", decks="Gold", supply={"Curse": 0})
    alice, _ = table
    alice.plays("Throne Room")
    alice.plays("Poacher")
    alice.discards("Gold")
    assert alice.hand == "Gold"
    alice.discards("Gold")
    assert alice.hand == ""
    assert alice.discard == "Gold"
    assert (table.actions, table.coins) == (2, 2)


def test_the_log_of_the_others_names_the_top_discard_alone():
    table = Table("Poacher, Copper, Estate, Duchy", decks="Gold", supply={"Curse": 0, "Estate": 0})
    alice, bob = table
    alice.plays("Poacher")
    alice.discards("Estate, Duchy")
    assert "Duchy" in table.log(bob)
    assert not any(name in table.log(bob) for name in ("Estate", "Gold", "Copper"))
