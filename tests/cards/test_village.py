"""Village: +1 Card, +2 Actions."""

from tests.table import Table


def test_gives_a_card_and_two_actions():
    table = Table("Village, Copper", decks="Silver, Gold")
    alice, _ = table
    alice.plays("Village")
    assert alice.hand == "Copper, Silver"
    assert (table.actions, table.buys, table.coins) == (2, 1, 0)
    assert table.asks(alice, "action")


def test_two_further_actions_can_be_played():
    table = Table("Village, 2 Woodcutter")
    alice, _ = table
    alice.plays("Village")
    alice.plays("Woodcutter")
    alice.plays("Woodcutter")
    assert (table.actions, table.buys, table.coins) == (0, 3, 4)


def test_nothing_must_be_played_with_the_actions():
    table = Table("Village, Smithy")
    alice, _ = table
    alice.plays("Village")
    alice.ends_action_phase()
    assert table.asks(alice, "buy")


def test_with_an_empty_deck_the_discard_pile_is_shuffled():
    table = Table("Village", discards="Gold")
    alice, _ = table
    alice.plays("Village")
    assert alice.hand == "Gold"
    assert alice.discard == ""


def test_without_any_card_there_are_only_the_actions():
    table = Table("Village")
    alice, _ = table
    alice.plays("Village")
    assert alice.hand == ""
    assert alice.draw_pile == ""
    assert table.actions == 2


def test_taking_the_last_card_of_the_deck_shuffles_nothing():
    table = Table("Village", decks="Gold", discards="Copper")
    alice, _ = table
    alice.plays("Village")
    assert alice.draw_pile == ""
    assert alice.discard == "Copper"


def test_the_drawn_card_is_not_seen_by_others():
    table = Table("Village", decks="Gold")
    alice, _ = table
    alice.plays("Village")
    assert alice.known_hand == ""


def test_drawing_a_card_that_only_its_owner_knew_stays_hidden():
    table = Table("Village", decks="Gold, Silver", deck_known=[["owner", "all"]])
    alice, _ = table
    alice.plays("Village")
    assert alice.known_hand == ""
    assert alice.deck_known == ["all"]


def test_drawing_a_card_that_all_knew_on_the_deck_is_known_in_hand():
    table = Table("Village", decks="Gold, Silver", deck_known=[["all", "nobody"]])
    alice, _ = table
    alice.plays("Village")
    assert alice.known_hand == "Gold"
    assert alice.deck_known == ["nobody"]


def test_played_twice_by_throne_room_leaves_four_actions():
    table = Table("Throne Room, Village", decks="Copper, Silver, Gold")
    alice, _ = table
    alice.plays("Throne Room")
    alice.plays("Village")
    assert table.actions == 4
    assert alice.hand == "Copper, Silver"
    assert alice.in_play == "Throne Room, Village"


def test_the_log_of_the_others_does_not_name_the_drawn_card():
    table = Table("Village", decks="Gold")
    alice, bob = table
    alice.plays("Village")
    assert "Gold" in table.log(alice)
    assert "Gold" not in table.log(bob)
