"""Cellar: +1 Action. Discard any number of cards, then draw as many."""

from tests.table import Table


def test_gives_one_action():
    table = Table("Cellar, Copper")
    alice, _ = table
    alice.plays("Cellar")
    alice.passes()
    assert table.actions == 1


def test_the_action_can_be_used_for_another_card():
    table = Table("Cellar, Village, Copper")
    alice, _ = table
    alice.plays("Cellar")
    alice.passes()
    alice.plays("Village")
    assert table.actions == 2


def test_draws_as_many_cards_as_were_discarded():
    table = Table("Cellar, 2 Estate, Copper", decks="Silver, Gold, Duchy")
    alice, _ = table
    alice.plays("Cellar")
    alice.discards("2 Estate")
    alice.passes()
    assert alice.hand == "Copper, Silver, Gold"
    assert alice.discard == "2 Estate"
    assert alice.deck == "Duchy"
    assert table.asks(alice, "action")


def test_any_number_may_be_discarded_also_none():
    table = Table("Cellar, 2 Estate, Copper", decks="Silver")
    alice, _ = table
    alice.plays("Cellar")
    assert table.asks(alice, "discard", "Cellar", min_left=0, max_left=3)
    alice.passes()
    assert alice.hand == "2 Estate, Copper"
    assert alice.discard == ""
    assert alice.deck == "Silver"


def test_declining_to_discard_shuffles_nothing():
    table = Table("Cellar, Copper", discards="Gold, Silver")
    alice, _ = table
    alice.plays("Cellar")
    alice.passes()
    assert alice.discard == "Gold, Silver"
    assert alice.draw_pile == ""


def test_choosing_ends_by_itself_when_the_whole_hand_is_picked():
    table = Table("Cellar, Copper, Estate", decks="Silver, Gold")
    alice, _ = table
    alice.plays("Cellar")
    alice.discards("Copper, Estate")
    assert table.asks(alice, "action")
    assert alice.hand == "Silver, Gold"


def test_with_no_card_in_hand_only_the_action_happens():
    table = Table("Cellar", decks="Gold", discards="Silver")
    alice, _ = table
    alice.plays("Cellar")
    assert table.asks(alice, "action")
    assert table.actions == 1
    assert alice.hand == ""
    assert alice.deck == "Gold"
    assert alice.discard == "Silver"


def test_the_cellar_itself_cannot_be_discarded():
    table = Table("Cellar, Copper, Estate")
    alice, _ = table
    alice.plays("Cellar")
    assert alice.in_play == "Cellar"
    assert table.legal == ["discard Copper", "discard Estate", "pass"]


def test_another_cellar_in_hand_can_be_discarded():
    table = Table("2 Cellar, Copper", decks="Gold")
    alice, _ = table
    alice.plays("Cellar")
    alice.discards("Cellar")
    alice.passes()
    assert alice.hand == "Copper, Gold"
    assert alice.in_play == "Cellar"
    assert alice.discard == "Cellar"


def test_the_cards_are_discarded_all_at_once():
    table = Table("Cellar, Estate, Duchy, Copper", decks="Silver, Gold", discards="Province")
    alice, _ = table
    alice.plays("Cellar")
    alice.discards("Estate, Duchy")
    assert alice.chosen == "Estate, Duchy"
    assert alice.hand == "Copper"
    assert alice.discard == "Province"
    assert alice.deck == "Silver, Gold"
    alice.passes()
    assert alice.chosen == ""
    assert alice.discard == "Province, Estate, Duchy"


def test_a_drawn_card_cannot_be_discarded_by_the_same_cellar():
    table = Table("Cellar, Estate, Copper", decks="Curse")
    alice, _ = table
    alice.plays("Cellar")
    alice.discards("Estate")
    assert "discard Curse" not in table.legal
    alice.passes()
    assert alice.hand == "Copper, Curse"


def test_the_last_card_picked_lies_on_top():
    table = Table("Cellar, Estate, Copper, Duchy", decks="3 Silver")
    alice, _ = table
    alice.plays("Cellar")
    alice.discards("Duchy, Copper, Estate")
    assert alice.discard == "Duchy, Copper, Estate"


def test_a_shuffle_for_the_draw_contains_the_cards_just_discarded():
    table = Table("Cellar, Copper, Estate, Duchy")
    alice, _ = table
    alice.plays("Cellar")
    alice.discards("Copper, Estate, Duchy")
    assert alice.hand == "Copper, Estate, Duchy"
    assert alice.discard == ""
    assert alice.draw_pile == ""


def test_the_draw_takes_the_deck_first_and_then_shuffles():
    table = Table("Cellar, 2 Estate, Copper", decks="Gold")
    alice, _ = table
    alice.plays("Cellar")
    alice.discards("2 Estate")
    alice.passes()
    assert alice.hand == "Gold, Estate, Copper"
    assert alice.discard == ""
    assert alice.draw_pile == "Estate"


def test_the_shuffle_leaves_out_cards_in_play():
    table = Table("Cellar, Copper", in_play="Village")
    alice, _ = table
    alice.plays("Cellar")
    alice.discards("Copper")
    assert alice.in_play == "Village, Cellar"
    assert alice.hand == "Copper"
    assert alice.draw_pile == ""


def test_no_card_is_shuffled_when_the_deck_has_just_enough():
    table = Table("Cellar, Copper, Estate", decks="Gold")
    alice, _ = table
    alice.plays("Cellar")
    alice.discards("Copper")
    alice.passes()
    assert alice.draw_pile == ""
    assert alice.discard == "Copper"


def test_others_see_only_the_top_one_of_the_discarded_cards():
    table = Table("Cellar, Estate, Duchy, Copper", decks="3 Silver")
    alice, _ = table
    alice.plays("Cellar")
    alice.discards("Estate, Duchy")
    alice.passes()
    assert alice.known_discard == "Duchy"


def test_drawn_cards_are_not_seen_by_others():
    table = Table("Cellar, Estate, Copper", decks="Gold")
    alice, _ = table
    alice.plays("Cellar")
    alice.discards("Estate")
    alice.passes()
    assert alice.known_hand == ""


def test_drawing_a_card_that_all_know_is_seen_by_others():
    table = Table("Cellar, Estate, Copper", decks="Gold", deck_known=[["all"]])
    alice, _ = table
    alice.plays("Cellar")
    alice.discards("Estate")
    alice.passes()
    assert alice.known_hand == "Gold"


def test_others_cannot_tell_whether_a_card_they_know_was_among_the_hidden_discards():
    table = Table("Cellar, 2 Estate, Duchy, Copper", known_hands="2 Estate, Duchy", decks="3 Silver")
    alice, _ = table
    alice.plays("Cellar")
    alice.discards("Copper, Estate")
    assert alice.known_hand == "2 Estate, Duchy"  # picks count as hand until they move
    alice.passes()
    assert alice.known_hand == ""  # one Estate was seen to go, the other card could be an Estate or the Duchy


def test_a_shuffle_for_the_draw_clears_what_was_known_of_the_discard_pile():
    table = Table("Cellar, Copper, Estate", discards="Gold, Silver", known_discards="Gold, Silver")
    alice, _ = table
    alice.plays("Cellar")
    alice.discards("Copper")
    alice.passes()
    assert alice.known_discard == ""
    assert alice.discard == ""


def test_under_throne_room_each_play_discards_and_draws():
    table = Table("Throne Room, Cellar, Estate, Copper, Duchy", decks="Silver, Gold, Province")
    alice, _ = table
    alice.plays("Throne Room")
    alice.plays("Cellar")
    assert table.actions == 1
    alice.discards("Estate")
    alice.passes()
    assert alice.hand == "Copper, Duchy, Silver"
    assert table.actions == 2
    alice.discards("Silver, Duchy")  # also the card that the first play drew
    alice.passes()
    assert alice.hand == "Copper, Gold, Province"
    assert alice.discard == "Estate, Silver, Duchy"
    assert table.asks(alice, "action")


def test_under_throne_room_either_play_may_discard_nothing():
    table = Table("Throne Room, Cellar, Estate, Copper", decks="Silver")
    alice, _ = table
    alice.plays("Throne Room")
    alice.plays("Cellar")
    alice.passes()
    alice.discards("Estate")
    alice.passes()
    assert alice.hand == "Copper, Silver"
    assert table.actions == 2


def test_under_throne_room_with_no_other_card_both_plays_give_their_action():
    table = Table("Throne Room, Cellar")
    alice, _ = table
    alice.plays("Throne Room")
    alice.plays("Cellar")
    assert table.asks(alice, "action")
    assert table.actions == 2


def test_the_log_of_the_others_names_the_top_discard_alone():
    table = Table("Cellar, Estate, Duchy, Copper", decks="Silver, Gold")
    alice, bob = table
    alice.plays("Cellar")
    alice.discards("Estate, Duchy")
    assert not any(name in table.log(bob) for name in ("Estate", "Duchy"))
    alice.passes()
    assert "Duchy" in table.log(bob)
    assert not any(name in table.log(bob) for name in ("Estate", "Silver", "Gold"))
    assert all(name in table.log(alice) for name in ("Estate", "Duchy", "Silver", "Gold"))


def test_the_number_of_discards_is_public():
    logs = []
    for number in (2, 3):
        table = Table("Cellar, 4 Copper", decks="4 Gold")
        alice, bob = table
        alice.plays("Cellar")
        alice.discards(f"{number} Copper")
        alice.passes()
        logs.append(table.log(bob))
    assert logs[0] != logs[1]
