"""Throne Room on each Action card: played twice, completely, with no action of its own."""

import pytest

from dominion_env import CARDS, action_id
from dominion_env.cards import CardInfo, Type
from tests.table import Table

ACTIONS = [info for info in CARDS if Type.ACTION in info.types]
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
both_editions = pytest.mark.parametrize("edition", [1, 2])


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


@both_editions
@every_action
def test_is_played_twice_with_one_action(info: CardInfo, edition: int):
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


@both_editions
@every_action
def test_both_plays_take_their_cards_off_the_deck(info: CardInfo, edition: int):
    table = Table(
        [f"Throne Room, {info.name}, 4 Copper, Estate", "5 Copper", "5 Copper"],
        decks=["30 Copper", "10 Copper", "10 Copper"],
        edition=edition,
    )
    alice, _, _ = table
    alice.plays("Throne Room")
    alice.plays(info.name)
    let_everybody_decline(table)
    assert 30 - len(alice.deck) == 2 * info.cards + MORE_CARDS_OFF_THE_DECK.get(info.name, 0)


@every_action
def test_lies_in_play_once(info: CardInfo):
    table = Table([f"Throne Room, {info.name}, 4 Copper, Estate", "5 Copper"], decks=["30 Copper", "10 Copper"])
    alice, _ = table
    alice.plays("Throne Room")
    alice.plays(info.name)
    let_everybody_decline(table)
    if info.name == "Feast":
        assert alice.in_play == "Throne Room"
        assert table.trash == "Feast"
    else:
        assert alice.in_play == f"Throne Room, {info.name}"


@every_action
def test_a_throne_room_on_throne_room_plays_two_of_them_twice_each(info: CardInfo):
    if info.name == "Throne Room":
        hand, chosen = "6 Throne Room", "Throne Room"
    else:
        hand, chosen = f"2 Throne Room, 2 {info.name}, 4 Copper, Estate", info.name
    table = Table([hand, "5 Copper"], decks=["60 Copper", "10 Copper"])
    alice, _ = table
    alice.plays("Throne Room")
    alice.plays("Throne Room")
    alice.plays(chosen)
    if chosen == "Throne Room":
        # each one takes the next, before any is carried out a second time
        alice.plays("Throne Room")
        alice.plays("Throne Room")
        alice.plays("Throne Room")
        assert alice.in_play == "6 Throne Room"
        assert table.asks(alice, "action")
        return
    let_everybody_decline(table)
    assert table.asks(alice, "play", "Throne Room")
    alice.plays(chosen)
    let_everybody_decline(table)
    assert table.asks(alice, "action")
    assert table.actions == 4 * info.actions
    assert table.buys == 1 + 4 * info.buys
    assert table.coins == coins(info, 4, 2)
    assert alice.owned.count(info.name) + table.trash.count(info.name) == 2


@both_editions
@every_action
def test_with_no_other_card_anywhere_both_plays_do_what_they_can(info: CardInfo, edition: int):
    table = Table([f"Throne Room, {info.name}", "", ""], edition=edition)
    alice, _, _ = table
    alice.plays("Throne Room")
    alice.plays(info.name)
    let_everybody_decline(table)
    assert table.asks(alice, "action")
    assert table.actions == 2 * info.actions
    assert table.buys == 1 + 2 * info.buys
    assert table.coins == 2 * info.coins


@every_action
def test_with_one_player_at_the_table_there_is_nobody_else_to_affect(info: CardInfo):
    table = Table(f"Throne Room, {info.name}, 4 Copper, Estate", decks="30 Copper", players=1)
    (alice,) = table
    alice.plays("Throne Room")
    alice.plays(info.name)
    let_everybody_decline(table)
    assert table.asks(alice, "action")
    assert table.actions == 2 * info.actions
    assert table.coins == coins(info, 2, 2)


@every_action
def test_must_be_played_in_the_first_edition(info: CardInfo):
    table = Table(f"Throne Room, {info.name}, 3 Copper", edition=1)
    alice, _ = table
    alice.plays("Throne Room")
    assert table.asks(alice, "play", "Throne Room", min_left=1, max_left=1)
    assert table.legal == [f"play {info.name}"]


@every_action
def test_may_be_left_in_hand_in_the_second_edition(info: CardInfo):
    table = Table(f"Throne Room, {info.name}, 3 Copper", edition=2)
    alice, _ = table
    alice.plays("Throne Room")
    assert table.asks(alice, "play", "Throne Room", min_left=0, max_left=1)
    assert table.legal == [f"play {info.name}", "pass"]
    alice.passes()
    assert table.asks(alice, "action")
    assert alice.hand == f"{info.name}, 3 Copper"
    assert (table.actions, table.buys, table.coins) == (0, 1, 0)
