"""Throne Room on each Action card: played twice, completely, with no action of its own."""

import pytest

from dominion_env import CARDS, Card, action_id
from dominion_env.tables.cards import CardInfo, Type
from tests.table import Table

ACTIONS = [info for info in CARDS if Type.ACTION in info.types]
OTHERS = [info for info in ACTIONS if Type.ATTACK in info.types or info.name == "Council Room"]  # what others feel
# Cards that a play takes off the deck besides +Cards, when all that can be declined is declined: hand of 5, all Copper.
MORE_CARDS_OFF_THE_DECK = {
    "Adventurer": 2 * 2,
    "Artisan": 2 * -1,  # one is put back
    "Bureaucrat": 2 * -1,  # the Silver
    "Library": 2,  # up to 7 in hand; the second play draws nothing
    "Sentry": 2 * 2,  # both are trashed
    "Spy": 2 * 1,
    "Vassal": 2 * 1,
}

every_action = pytest.mark.parametrize("info", ACTIONS, ids=[info.name for info in ACTIONS])


def let_everybody_decline(table: Table) -> None:
    """Answer all questions of cards but those of Throne Room: no if possible, else the first choice there is."""
    while not table.over:
        decision = table.decision
        if decision.kind in ("action", "buy") or (
            decision.source is not None and decision.source.title == "Throne Room"
        ):
            return
        table.answer("pass" if "pass" in table.legal else min(table.legal, key=action_id))


def coins(info: CardInfo, plays: int, edition: int) -> int:
    must_trash_a_copper = info.name == "Moneylender" and edition == 1
    return plays * (info.coins + 3 * must_trash_a_copper)


@every_action
def test_is_played_twice_with_one_action_and_lies_in_play_once(info: CardInfo):
    for edition in (1, 2):
        table = Table(
            [f"Throne Room, {info.name}, 4 Copper, Estate", "5 Copper", "5 Copper"],
            decks=["30 Copper", "10 Copper", "10 Copper"],
            actions=3,
            edition=edition,
        )
        alice, _, _ = table
        alice.plays("Throne Room")
        alice.plays(info.name)
        let_everybody_decline(table)
        assert table.asks(alice, "action")
        assert table.actions == 3 - 1 + 2 * info.actions
        assert table.buys == 1 + 2 * info.buys
        assert table.coins == coins(info, 2, edition)
        assert 30 - len(alice.deck) == 2 * info.cards + MORE_CARDS_OFF_THE_DECK.get(info.name, 0)
        if info.name == "Feast":
            assert alice.in_play == "Throne Room"
            assert table.trash == "Feast"
        else:
            assert alice.in_play == f"Throne Room, {info.name}"


@every_action
def test_with_no_other_card_anywhere_both_plays_do_what_they_can(info: CardInfo):
    table = Table([f"Throne Room, {info.name}", "", ""])
    alice, _, _ = table
    alice.plays("Throne Room")
    alice.plays(info.name)
    let_everybody_decline(table)
    assert table.asks(alice, "action")
    assert table.actions == 2 * info.actions
    assert table.buys == 1 + 2 * info.buys
    assert table.coins == 2 * info.coins


# a card of each kind: it asks nothing, asks its player, asks others, moves itself, plays another
@pytest.mark.parametrize("name", ["Market", "Cellar", "Militia", "Feast", "Vassal"])
def test_a_throne_room_on_throne_room_plays_two_of_them_twice_each(name: str):
    info = CARDS[Card.named(name)]
    table = Table([f"2 Throne Room, 2 {name}, 4 Copper, Estate", "5 Copper"], decks=["60 Copper", "10 Copper"])
    alice, _ = table
    alice.plays("Throne Room")
    alice.plays("Throne Room")
    alice.plays(name)
    let_everybody_decline(table)
    assert table.asks(alice, "play", "Throne Room")
    alice.plays(name)
    let_everybody_decline(table)
    assert table.asks(alice, "action")
    assert table.actions == 4 * info.actions
    assert table.buys == 1 + 4 * info.buys
    assert table.coins == coins(info, 4, 2)
    assert alice.owned.count(name) + table.trash.count(name) == 2


def test_each_throne_room_takes_the_next_before_any_is_carried_out_a_second_time():
    table = Table(["6 Throne Room", "5 Copper"])
    alice, _ = table
    for _ in range(6):
        alice.plays("Throne Room")
    assert alice.in_play == "6 Throne Room"
    assert table.asks(alice, "action")


@pytest.mark.parametrize("info", OTHERS, ids=[info.name for info in OTHERS])
def test_with_one_player_at_the_table_there_is_nobody_else_to_affect(info: CardInfo):
    table = Table(f"Throne Room, {info.name}, 4 Copper, Estate", decks="30 Copper", players=1)
    (alice,) = table
    alice.plays("Throne Room")
    alice.plays(info.name)
    let_everybody_decline(table)
    assert table.asks(alice, "action")
    assert table.actions == 2 * info.actions
    assert table.coins == coins(info, 2, 2)


@pytest.mark.parametrize("edition", [1, 2])
def test_every_action_of_the_hand_can_be_chosen(edition: int):
    names = [info.name for info in ACTIONS]
    table = Table(", ".join(["Throne Room", *names, "3 Copper"]), edition=edition)
    alice, _ = table
    alice.plays("Throne Room")
    assert table.asks(alice, "play", "Throne Room", min_left=2 - edition, max_left=1)  # the first edition says "must"
    assert set(table.legal) == {f"play {name}" for name in names} | ({"pass"} if edition == 2 else set())
    if edition == 2:
        alice.passes()
        assert table.asks(alice, "action")
        assert (table.actions, table.buys, table.coins) == (0, 1, 0)
