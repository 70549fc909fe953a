"""Harbinger: +1 Card, +1 Action. Look through your discard pile; you may put a card from it onto your deck."""

from tests.table import Table


def test_gives_a_card_and_an_action():
    table = Table("Harbinger", decks="Silver, Gold")
    alice, _ = table
    alice.plays("Harbinger")
    assert alice.hand == "Silver"
    assert table.actions == 1
    assert table.asks(alice, "action")


def test_may_put_a_card_from_the_discard_pile_onto_the_deck():
    table = Table("Harbinger", decks="Copper, Estate", discards="Gold, Silver")
    alice, _ = table
    alice.plays("Harbinger")
    assert table.asks(alice, "topdeck", "Harbinger", min_left=0, max_left=1)
    assert table.legal == ["topdeck Gold", "topdeck Silver", "pass"]
    alice.topdecks("Gold")
    assert alice.deck == "Gold, Estate"
    assert alice.discard == "Silver"
    assert table.asks(alice, "action")


def test_may_put_nothing_back():
    table = Table("Harbinger", decks="Copper, Estate", discards="Gold, Silver")
    alice, _ = table
    alice.plays("Harbinger")
    alice.passes()
    assert alice.deck == "Estate"
    assert alice.discard == "Gold, Silver"
    assert table.asks(alice, "action")


def test_only_one_card_is_put_back():
    table = Table("Harbinger", decks="Copper", discards="Gold, Silver")
    alice, _ = table
    alice.plays("Harbinger")
    alice.topdecks("Gold")
    assert table.asks(alice, "action")


def test_each_name_in_the_discard_pile_is_offered_once():
    table = Table("Harbinger", decks="Copper", discards="Gold, Estate, Gold, Estate, Curse")
    alice, _ = table
    alice.plays("Harbinger")
    assert table.legal == ["topdeck Gold", "topdeck Estate", "topdeck Curse", "pass"]
    assert len(table.game.legal_actions()) == 4


def test_with_an_empty_discard_pile_nothing_is_asked():
    table = Table("Harbinger", decks="Copper, Gold")
    alice, _ = table
    alice.plays("Harbinger")
    assert table.asks(alice, "action")


def test_nothing_is_asked_when_the_draw_has_shuffled_the_discard_pile_away():
    table = Table("Harbinger", discards="Gold, Silver, Copper")
    alice, _ = table
    alice.plays("Harbinger")
    assert table.asks(alice, "action")
    assert len(alice.hand) == 1
    assert len(alice.draw_pile) == 2
    assert alice.discard == ""


def test_without_any_card_only_the_action_happens():
    table = Table("Harbinger")
    alice, _ = table
    alice.plays("Harbinger")
    assert alice.hand == ""
    assert table.actions == 1
    assert table.asks(alice, "action")


def test_onto_an_empty_deck_the_card_becomes_the_only_one():
    table = Table("Harbinger", decks="Copper", discards="Gold, Silver")
    alice, _ = table
    alice.plays("Harbinger")
    alice.topdecks("Silver")
    assert alice.draw_pile == "Silver"
    assert alice.discard == "Gold"


def test_the_order_of_the_remaining_discard_pile_stays():
    table = Table("Harbinger", decks="Copper", discards="Copper, Estate, Silver, Gold")
    alice, _ = table
    alice.plays("Harbinger")
    alice.topdecks("Estate")
    assert alice.discard == "Copper, Silver, Gold"


def test_the_harbinger_itself_is_in_play_and_not_offered():
    table = Table("Harbinger", decks="Copper", discards="Gold")
    alice, _ = table
    alice.plays("Harbinger")
    assert alice.in_play == "Harbinger"
    assert "topdeck Harbinger" not in table.legal


def test_the_card_put_back_is_the_next_one_drawn():
    table = Table("Harbinger, Village", decks="Copper", bags="3 Estate", discards="Gold, Silver")
    alice, _ = table
    alice.plays("Harbinger")
    alice.topdecks("Gold")
    alice.plays("Village")
    assert alice.hand == "Copper, Gold"
    assert alice.bag == "3 Estate"


def test_others_do_not_see_which_card_was_put_back():
    table = Table("Harbinger", decks="Copper, Estate", discards="Gold, Silver", deck_known=[["nobody", "all"]])
    alice, _ = table
    alice.plays("Harbinger")
    alice.topdecks("Gold")
    assert alice.deck == "Gold, Estate"
    assert alice.deck_known == ["owner", "all"]


def test_any_card_known_in_the_discard_pile_may_be_the_one_that_left():
    table = Table("Harbinger", decks="Copper", discards="2 Gold, Silver, Curse", known_discards="2 Gold, Silver, Curse")
    alice, _ = table
    alice.plays("Harbinger")
    alice.topdecks("Silver")
    assert alice.discard == "2 Gold, Curse"
    assert alice.known_discard == "Gold, Curse"  # one of the two Gold may be gone; the Curse is seen on top


def test_a_new_top_card_of_the_discard_pile_is_seen():
    table = Table("Harbinger", decks="Copper", discards="Estate, Gold, Silver")
    alice, _ = table
    alice.plays("Harbinger")
    assert alice.known_discard == "Silver"
    alice.topdecks("Silver")
    assert alice.known_discard == "Gold"


def test_declining_shows_nothing_of_the_discard_pile():
    table = Table("Harbinger", decks="Copper", discards="Estate, Gold, Silver")
    alice, _ = table
    alice.plays("Harbinger")
    alice.passes()
    assert alice.known_discard == "Silver"
    assert alice.known_hand == ""


def test_a_card_put_back_unseen_is_drawn_unseen():
    table = Table("2 Harbinger", decks="Copper, Estate", discards="Gold, Silver")
    alice, _ = table
    alice.plays("Harbinger")
    alice.topdecks("Gold")
    alice.plays("Harbinger")
    assert alice.hand == "Copper, Gold"
    assert alice.known_hand == ""


def test_under_throne_room_the_second_play_works_on_the_deck_as_it_is_then():
    table = Table("Throne Room, Harbinger", decks="Copper", discards="Gold, Silver")
    alice, _ = table
    alice.plays("Throne Room")
    alice.plays("Harbinger")
    alice.topdecks("Gold")
    assert alice.hand == "Copper, Gold"
    alice.topdecks("Silver")
    assert alice.deck == "Silver"
    assert alice.discard == ""
    assert table.actions == 2
    assert table.asks(alice, "action")


def test_under_throne_room_either_play_may_be_declined():
    table = Table("Throne Room, Harbinger", decks="Copper, Estate", discards="Gold, Silver")
    alice, _ = table
    alice.plays("Throne Room")
    alice.plays("Harbinger")
    alice.passes()
    assert alice.hand == "Copper, Estate"
    alice.topdecks("Gold")
    assert alice.deck == "Gold"
    assert table.asks(alice, "action")


def test_under_throne_room_the_second_draw_can_shuffle_the_discard_pile_away():
    table = Table("Throne Room, Harbinger", decks="Copper", discards="Gold, Silver")
    alice, _ = table
    alice.plays("Throne Room")
    alice.plays("Harbinger")
    alice.passes()
    assert table.asks(alice, "action")
    assert len(alice.hand) == 2
    assert len(alice.draw_pile) == 1
    assert alice.discard == ""


def test_the_log_of_the_others_does_not_name_the_card_put_back():
    table = Table("Harbinger", decks="Copper", discards="Gold, Silver")
    alice, bob = table
    alice.plays("Harbinger")
    alice.topdecks("Gold")
    assert "Gold" in table.log(alice)
    assert "Gold" not in table.log(bob)
    assert "Copper" not in table.log(bob)


def test_the_others_see_that_a_card_was_put_back():
    logs = []
    for answer in ("topdeck Gold", "pass"):
        table = Table("Harbinger", decks="Copper", discards="Gold, Silver")
        alice, bob = table
        alice.plays("Harbinger")
        table.answer(answer)
        logs.append(table.log(bob))
    assert logs[0] != logs[1]
