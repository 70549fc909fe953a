"""Pairs of games whose courses differ only in what a seat may not know: it sees the same."""

from collections.abc import Callable

import numpy as np

from tests.rules.knowledge import can_tell, sees_the_same
from tests.table import Table


def both(start: Table, one: Callable[[Table], None], other: Callable[[Table], None]) -> tuple[Table, Table]:
    """Return the same table after one choice and after another."""
    tables = start.copy(), start.copy()
    one(tables[0])
    other(tables[1])
    return tables


def test_a_declined_moat_leaves_no_trace():
    tables = [
        Table(hands=["Witch", hand, ""], bags=["", bag, ""], players=3)
        for hand, bag in (("Moat, Witch", "Estate"), ("Estate, Witch", "Moat"))
    ]
    for table in tables:
        table.seats[0].plays("Witch")
        if table.game.decision.kind == "reveal":
            table.seats[1].passes()
        assert table.asks(table.seats[0], "action")
    assert sees_the_same(0, *tables)
    assert sees_the_same(2, *tables)
    for table in tables:
        table.seats[0].ends_turn()
        table.seats[1].ends_turn()
    assert sees_the_same(0, *tables)
    assert sees_the_same(2, *tables)


def test_which_cards_lie_beneath_the_top_of_militias_discards_is_hidden():
    start = Table(hands=["Militia", "Gold, Silver, 2 Copper, Estate", "3 Copper"])
    tables = both(start, lambda t: t.seats[0].plays("Militia"), lambda t: t.seats[0].plays("Militia"))
    for table, card in zip(tables, ("Gold", "Silver"), strict=True):
        table.seats[1].discards(card)
    assert sees_the_same(0, *tables)  # already during the choice
    assert sees_the_same(2, *tables)
    assert can_tell(1, *tables)
    for table in tables:
        table.seats[1].discards("Estate")
    assert sees_the_same(0, *tables)
    assert sees_the_same(2, *tables)


def test_which_cards_lie_beneath_the_top_of_cellars_discards_is_hidden():
    start = Table(hands=["Cellar, Gold, Silver, Estate"], bags=["5 Copper"])
    start.seats[0].plays("Cellar")
    tables = both(start, lambda t: t.seats[0].discards("Gold, Estate"), lambda t: t.seats[0].discards("Silver, Estate"))
    assert sees_the_same(1, *tables)
    for table in tables:
        table.seats[0].passes()
    assert sees_the_same(1, *tables)


def test_what_artisan_puts_back_is_hidden():
    start = Table(hands=["Artisan, Gold, Estate"], known_hands=["Estate"])
    start.seats[0].plays("Artisan")
    start.seats[0].gains("Silver")
    tables = both(start, lambda t: t.seats[0].topdecks("Gold"), lambda t: t.seats[0].topdecks("Silver"))
    assert sees_the_same(1, *tables)
    assert can_tell(0, *tables)


def test_what_harbinger_puts_back_is_hidden():
    start = Table(hands=["Harbinger"], decks=["Copper"], discards=["Gold, Silver, Silver, Estate"])
    start.seats[0].plays("Harbinger")
    tables = both(start, lambda t: t.seats[0].topdecks("Gold"), lambda t: t.seats[0].topdecks("Silver"))
    assert sees_the_same(1, *tables)
    for table in tables:
        table.seats[0].ends_turn()
    assert sees_the_same(1, *tables)


def test_the_order_of_what_sentry_puts_back_is_hidden():
    start = Table(hands=["Sentry"], decks=["Copper, Gold, Silver"], bags=["4 Copper"])
    start.seats[0].plays("Sentry")
    tables = both(start, lambda t: t.seats[0].topdecks("Gold, Silver"), lambda t: t.seats[0].topdecks("Silver, Gold"))
    assert sees_the_same(1, *tables)
    assert can_tell(0, *tables)


def test_what_sentry_looks_at_is_hidden():
    tables = [
        Table(hands=["Sentry"], decks=[decks], bags=["3 Copper, Gold"])
        for decks in ("Copper, Estate, Silver", "Copper, Silver, Estate")
    ]
    for table in tables:
        table.seats[0].plays("Sentry")
    assert sees_the_same(1, *tables)
    for table in tables:
        table.seats[0].topdecks("Silver, Estate")
    assert sees_the_same(1, *tables)


def test_which_card_sentry_discards_beneath_is_hidden():
    start = Table(hands=["Sentry"], decks=["Copper, Gold, Silver"], bags=["4 Estate"])
    start.seats[0].plays("Sentry")
    other = Table(hands=["Sentry"], decks=["Copper, Estate, Silver"], bags=["Gold, 3 Estate"])
    other.seats[0].plays("Sentry")
    start.seats[0].discards("Gold, Silver")
    other.seats[0].discards("Estate, Silver")
    assert sees_the_same(1, start, other)


def test_a_kept_library_card_is_hidden():
    tables = [
        Table(hands=["Library, 5 Copper"], decks=[decks], bags=[bags])
        for decks, bags in (("Village, Gold", "Copper, 5 Estate"), ("Copper, Gold", "Village, 5 Estate"))
    ]
    for table in tables:
        table.seats[0].plays("Library")
        if table.game.decision.kind == "set aside":
            table.seats[0].passes()
        assert table.asks(table.seats[0], "action")
    assert sees_the_same(1, *tables)
    assert can_tell(0, *tables)


def test_what_chancellor_turns_over_beneath_the_top_is_hidden():
    tables = [
        Table(hands=["Chancellor", "Copper"], decks=[decks])
        for decks in ("Gold, Silver, Copper", "Silver, Gold, Copper")
    ]
    for table in tables:
        table.seats[0].plays("Chancellor")
        table.seats[0].discards_deck()
    assert sees_the_same(0, *tables)
    assert sees_the_same(1, *tables)


def test_a_drawn_card_is_hidden_from_the_others():
    tables = [
        Table(hands=["Smithy"], decks=[decks], bags=[bags])
        for decks, bags in (("Gold, Silver, Copper", "Duchy"), ("Duchy, Silver, Copper", "Gold"))
    ]
    for table in tables:
        table.seats[0].plays("Smithy")
    assert sees_the_same(1, *tables)
    assert can_tell(0, *tables)


def test_a_hand_laid_down_in_clean_up_is_hidden_beneath_the_cards_in_play():
    tables = [
        Table(hands=[hand], decks=["5 Curse"], bags=[bag])
        for hand, bag in (("Woodcutter, Gold", "Duchy"), ("Woodcutter, Duchy", "Gold"))
    ]
    for table in tables:
        table.seats[0].plays("Woodcutter")
        table.seats[0].ends_turn()
    assert sees_the_same(1, *tables)


def test_what_council_room_gives_the_others_is_hidden():
    tables = [
        Table(hands=["Council Room", "Copper", ""], decks=["", deck, ""], bags=["", bag, ""], players=3)
        for deck, bag in (("Gold", "Silver"), ("Silver", "Gold"))
    ]
    for table in tables:
        table.seats[0].plays("Council Room")
    assert sees_the_same(0, *tables)
    assert sees_the_same(2, *tables)


def test_a_declined_throne_room_leaves_no_trace():
    tables = [
        Table(hands=[f"Throne Room, {card}"], bags=[bag])
        for card, bag in (("Village", "Smithy"), ("Smithy", "Village"))
    ]
    for table in tables:
        table.seats[0].plays("Throne Room")
        table.seats[0].passes()
    assert sees_the_same(1, *tables)


def test_at_the_end_of_the_game_hidden_cards_stay_hidden_but_points_are_seen():
    tables = [
        Table(hands=["", hand], bags=["", bag], supply={"Province": 0})
        for hand, bag in (("Gold, Duchy", "Silver, 5 Copper"), ("Gold, Silver", "Duchy, 5 Copper"))
    ]
    for table in tables:
        table.seats[0].ends_turn()
        assert table.over
    assert sees_the_same(0, *tables)
    richer = Table(hands=["", "Gold, Province"], bags=["", "Silver, 5 Copper"], supply={"Province": 0})
    richer.seats[0].ends_turn()
    assert can_tell(0, tables[0], richer)


def test_ones_own_question_is_seen_and_nobody_elses():
    one = Table(hands=["Militia", "5 Copper", ""], players=3)
    one.seats[0].plays("Militia")
    other = one.copy()
    other.seats[1].discards("Copper")
    assert can_tell(1, one, other)
    assert np.array_equal(one.game.observe(0), other.game.observe(0))
    assert np.array_equal(one.game.observe(2), other.game.observe(2))
