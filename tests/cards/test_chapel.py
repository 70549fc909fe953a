"""Chapel: trash up to 4 cards from your hand."""

from tests.table import Table


def test_trashes_up_to_four_cards():
    table = Table("Chapel, 3 Estate, 2 Copper")
    alice, _ = table
    alice.plays("Chapel")
    alice.trashes("3 Estate, Copper")
    assert table.trash == "3 Estate, Copper"
    assert alice.hand == "Copper"


def test_choosing_ends_by_itself_after_four():
    table = Table("Chapel, 6 Copper")
    alice, _ = table
    alice.plays("Chapel")
    assert table.asks(alice, "trash", "Chapel", min_left=0, max_left=4)
    alice.trashes("4 Copper")
    assert table.asks(alice, "action")
    assert alice.hand == "2 Copper"


def test_may_trash_fewer():
    table = Table("Chapel, 3 Estate, 2 Copper")
    alice, _ = table
    alice.plays("Chapel")
    alice.trashes("2 Estate")
    alice.passes()
    assert table.trash == "2 Estate"
    assert alice.hand == "Estate, 2 Copper"


def test_may_trash_nothing():
    table = Table("Chapel, 3 Estate, 2 Copper")
    alice, _ = table
    alice.plays("Chapel")
    alice.passes()
    assert table.trash == ""
    assert alice.hand == "3 Estate, 2 Copper"
    assert table.asks(alice, "action")


def test_choosing_ends_by_itself_when_the_hand_is_empty():
    table = Table("Chapel, Estate, Copper")
    alice, _ = table
    alice.plays("Chapel")
    alice.trashes("Estate, Copper")
    assert table.asks(alice, "action")
    assert alice.hand == ""


def test_with_no_card_in_hand_nothing_is_asked():
    table = Table("Chapel", decks="Estate", discards="Curse")
    alice, _ = table
    alice.plays("Chapel")
    assert table.asks(alice, "action")
    assert table.trash == ""
    assert alice.deck == "Estate"
    assert alice.discard == "Curse"


def test_the_chapel_itself_cannot_be_trashed():
    table = Table("Chapel, Estate, Copper")
    alice, _ = table
    alice.plays("Chapel")
    assert table.legal == ["trash Estate", "trash Copper", "pass"]
    alice.passes()
    assert alice.in_play == "Chapel"


def test_another_chapel_in_hand_can_be_trashed():
    table = Table("2 Chapel, Copper")
    alice, _ = table
    alice.plays("Chapel")
    alice.trashes("Chapel")
    alice.passes()
    assert table.trash == "Chapel"
    assert alice.in_play == "Chapel"


def test_cards_of_any_type_can_be_trashed():
    table = Table("Chapel, Province, Gold, Curse, Witch")
    alice, _ = table
    alice.plays("Chapel")
    alice.trashes("Province, Gold, Curse, Witch")
    assert table.trash == "Province, Gold, Curse, Witch"


def test_the_picks_wait_until_choosing_ends():
    table = Table("Chapel, Estate, Copper, Curse")
    alice, _ = table
    alice.plays("Chapel")
    alice.trashes("Estate, Curse")
    assert alice.chosen == "Estate, Curse"
    assert alice.hand == "Copper"
    assert table.trash == ""
    alice.passes()
    assert alice.chosen == ""
    assert table.trash == "Estate, Curse"


def test_gives_no_action_card_or_coin():
    table = Table("Chapel, Copper", decks="Gold")
    alice, _ = table
    alice.plays("Chapel")
    alice.trashes("Copper")
    assert (table.actions, table.buys, table.coins) == (0, 1, 0)
    assert alice.hand == ""
    assert alice.deck == "Gold"


def test_trashed_cards_count_for_nobody():
    table = Table("Chapel, Curse, Province")
    alice, _ = table
    alice.plays("Chapel")
    alice.trashes("Curse, Province")
    assert alice.owned == "Chapel"
    assert table.scores == [0, 0]


def test_trashed_cards_do_not_return_to_the_supply():
    table = Table("Chapel, Estate, Copper", supply={"Estate": 3})
    alice, _ = table
    alice.plays("Chapel")
    alice.trashes("Estate")
    alice.passes()
    assert table.supply["Estate"] == 3


def test_the_discard_pile_is_not_touched():
    table = Table("Chapel, Estate", discards="Gold", known_discards="Gold")
    alice, _ = table
    alice.plays("Chapel")
    alice.trashes("Estate")
    assert alice.discard == "Gold"
    assert alice.known_discard == "Gold"


def test_all_see_which_cards_leave_the_hand():
    table = Table("Chapel, 2 Estate, Duchy, Copper", known_hands="2 Estate, Duchy")
    alice, _ = table
    alice.plays("Chapel")
    alice.trashes("Copper, Estate")
    assert alice.known_hand == "2 Estate, Duchy"  # picks count as hand until they move
    alice.passes()
    assert alice.known_hand == "Estate, Duchy"


def test_under_throne_room_up_to_eight_cards_are_trashed():
    table = Table("Throne Room, Chapel, 3 Estate, 5 Copper, Gold")
    alice, _ = table
    alice.plays("Throne Room")
    alice.plays("Chapel")
    alice.trashes("3 Estate, Copper")
    assert table.trash == "3 Estate, Copper"
    assert table.asks(alice, "trash", "Chapel", max_left=4)
    alice.trashes("4 Copper")
    assert table.asks(alice, "action")
    assert table.trash == "3 Estate, 5 Copper"
    assert alice.hand == "Gold"
    assert table.actions == 0


def test_under_throne_room_either_play_may_trash_nothing():
    table = Table("Throne Room, Chapel, Estate, Copper")
    alice, _ = table
    alice.plays("Throne Room")
    alice.plays("Chapel")
    alice.passes()
    alice.trashes("Estate")
    alice.passes()
    assert table.trash == "Estate"
    assert table.asks(alice, "action")


def test_under_throne_room_nothing_is_asked_when_the_first_play_took_the_whole_hand():
    table = Table("Throne Room, Chapel, Estate, Copper")
    alice, _ = table
    alice.plays("Throne Room")
    alice.plays("Chapel")
    alice.trashes("Estate, Copper")
    assert table.asks(alice, "action")
    assert alice.in_play == "Throne Room, Chapel"


def test_the_log_of_the_others_names_the_trashed_cards_when_they_have_moved():
    table = Table("Chapel, Estate, Duchy, Copper")
    alice, bob = table
    alice.plays("Chapel")
    alice.trashes("Estate, Duchy")
    assert not any(name in table.log(bob) for name in ("Estate", "Duchy"))
    alice.passes()
    assert all(name in table.log(bob) for name in ("Estate", "Duchy"))
    assert "Copper" not in table.log(bob)
