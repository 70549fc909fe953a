"""A seat sees what it has chosen and set going itself, as long as that matters."""

from collections.abc import Sequence
from itertools import combinations

import pytest

from tests.rules.knowledge import can_tell, number, numbers, question, seen
from tests.table import Table


def after(start: Table, *answers: str) -> Table:
    """Return a copy of the table after these answers of the seats that are asked."""
    table = start.copy()
    for answer in answers:
        table.answer(answer)
    return table


def told_apart(seat: int, start: Table, *courses: Sequence[str]) -> bool:
    """Fail unless the seat is asked the same after all courses, and can tell each from each."""
    tables = [after(start, *course) for course in courses]
    for one, other in combinations(tables, 2):
        assert one.game.decision == other.game.decision
        assert one.legal == other.legal
        assert can_tell(seat, one, other)
    return True


@pytest.mark.parametrize("second", ["Silver", "Gold"])
def test_the_first_of_sentrys_two_answers_is_seen_with_the_second_question(second):
    start = Table(hands=["Sentry"], decks=[f"Copper, Gold, {second}"], bags=["3 Copper"])
    start.seats[0].plays("Sentry")
    assert told_apart(0, start, ["trash Gold"], ["discard Gold"], ["topdeck Gold"])


def test_the_card_of_sentrys_first_answer_is_seen_with_the_second_question():
    table = Table(hands=["Sentry"], decks=["Copper, Gold, Silver"], bags=["3 Copper"])
    alice, bob = table
    alice.plays("Sentry")
    assert seen(table, alice, "question_last_card") == []
    alice.discards("Gold")
    assert seen(table, alice, "question_last_card") == ["Gold"]
    assert not any(question(table, bob))


def test_all_pending_replays_are_seen():
    start = Table(hands=["Throne Room, Vassal, Cellar, Estate"], decks=["Throne Room"], actions=2)
    vassal_again = ["play Throne Room", "play Vassal", "play Throne Room", "play Cellar"]
    throne_room_again = ["play Vassal", "play Throne Room", "play Throne Room", "play Cellar"]
    assert told_apart(0, start, vassal_again, throne_room_again)
    for course, card in ((vassal_again, "Vassal"), (throne_room_again, "Throne Room")):
        table = after(start, *course)
        assert number(table, table.seats[0], "pending_replays") == 2
        assert seen(table, table.seats[0], "next_replays") == ["Cellar", card]


def test_the_card_picked_last_is_seen_as_it_will_lie_on_top():
    start = Table(hands=["Cellar, Gold, Silver, Estate"], bags=["5 Copper"])
    start.seats[0].plays("Cellar")
    assert told_apart(0, start, ["discard Gold", "discard Silver"], ["discard Silver", "discard Gold"])


def test_the_card_that_library_has_set_aside_last_is_seen_as_it_will_lie_on_top():
    start = Table(hands=["Library, 4 Copper"], decks=["Village, Smithy, Village, Moat"], bags=["5 Copper"])
    start.seats[0].plays("Library")
    aside, keep = "set aside {}", "pass"
    smithy_on_top = [aside.format("Village"), aside.format("Smithy"), keep]
    village_on_top = [keep, aside.format("Smithy"), aside.format("Village")]
    assert told_apart(0, start, smithy_on_top, village_on_top)


def test_the_card_played_last_is_seen_as_it_will_lie_on_top():
    start = Table(hands=["Festival, Woodcutter, Smithy"], actions=2)
    plays = ["play Festival", "play Woodcutter"]
    assert told_apart(0, start, plays, plays[::-1])


def test_what_the_thief_in_progress_has_trashed_is_seen():
    table = Table(hands=["Thief", "", ""], decks=["", "Copper, Silver", "Copper, Silver"], trash="Copper, Gold")
    alice, *_ = table
    alice.plays("Thief")
    alice.trashes("Silver")
    assert numbers(table, alice, "loot") == [0, 1, 0]


def test_a_moat_shown_to_all_is_seen_when_the_next_attack_asks():
    start = Table(hands=["Throne Room, Militia", "Moat, 2 Copper"])
    start.seats[0].plays("Throne Room")
    start.seats[0].plays("Militia")
    assert told_apart(1, start, ["reveal Moat"], ["pass"])


def test_who_is_unaffected_is_seen_until_the_attack_is_over():
    table = Table(hands=["Thief", "", "Moat"], decks=["", "Silver, Estate", "Gold"], players=3)
    alice, _, carol = table
    alice.plays("Thief")
    carol.reveals("Moat")
    alice.trashes("Silver")
    assert table.asks(alice, "gain", "Thief")
    assert table.position["immune"] == [carol.number]
    assert numbers(table, alice, "immune") == [0, 0, 1]
    alice.gains("Silver")
    assert not any(numbers(table, alice, "immune"))
