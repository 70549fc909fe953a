"""Events as data: each has the set of seats that saw it, and the set of those that saw its card."""

import numpy as np
import pytest

from dominion_env import CARDS, Event, GameBatch, InvalidOption, action_id
from tests.table import Table

EVERYONE = 0b111


def events(table: Table, *answers: str) -> list[tuple[Event, int, str | None, int, int, int]]:
    """Return the events of one game during these answers: event, player, card, count, seen, card seen."""
    batch = GameBatch(1, start=table.position, record=True, ask_forced=True)
    batch.events()
    for words in answers:
        batch.step(np.array([action_id(words)]))
    return [
        (
            Event(int(row["event"])),
            int(row["player"]),
            CARDS[row["card"]].name if row["card"] >= 0 else None,
            int(row["count"]),
            int(row["seen"]) & EVERYONE,
            int(row["card_seen"]) & EVERYONE,
        )
        for row in batch.events()
    ]


def test_events_say_who_saw_a_drawn_card():
    table = Table(hands=["", "Market", ""], decks=["", "Gold", ""], turn=1)
    assert events(table, "play Market") == [
        (Event.PLAY, 1, "Market", 1, EVERYONE, EVERYONE),
        (Event.DRAW, 1, "Gold", 1, EVERYONE, 0b010),
    ]


def test_events_say_who_saw_a_moat():
    table = Table(hands=["Witch", "Moat", "Moat"])
    noted = events(table, "play Witch", "pass", "reveal Moat")
    assert noted[:3] == [
        (Event.PLAY, 0, "Witch", 1, EVERYONE, EVERYONE),
        (Event.DECLINE, 1, "Moat", 1, 0b010, 0b010),
        (Event.REACT, 2, "Moat", 1, EVERYONE, EVERYONE),
    ]
    assert noted[3:] == [(Event.GAIN, 1, "Curse", 1, EVERYONE, EVERYONE)]


def test_events_say_who_saw_what_library_keeps():
    table = Table(hands=["Library, 5 Copper"], decks=["Village, Smithy, Gold"], players=3)
    noted = events(table, "play Library", "pass", "set aside Smithy")
    assert [row for row in noted if row[2] == "Village" and row[0] != Event.DRAW] == [
        (Event.KEEP, 0, "Village", 1, 0b001, 0b001)
    ]
    assert (Event.SET_ASIDE, 0, "Smithy", 1, EVERYONE, EVERYONE) in noted
    assert all(row[5] == 0b001 for row in noted if row[2] in ("Village", "Gold"))


def test_events_tell_gains_from_the_trash_from_gains_from_the_supply():
    table = Table(hands=["Thief, Workshop", ""], decks=["", "Silver, Estate"], actions=2)
    noted = events(table, "play Thief", "trash Silver", "gain Silver", "play Workshop", "gain Silver")
    gains = [row[:3] for row in noted if row[0] in (Event.GAIN, Event.GAIN_FROM_TRASH)]
    assert gains == [(Event.GAIN_FROM_TRASH, 0, "Silver"), (Event.GAIN, 0, "Silver")]


@pytest.mark.parametrize(
    ("discard", "pick", "uncovered"),
    [
        ("Gold, Silver", "Silver", [(Event.UNCOVER, 0, "Gold", 1, EVERYONE, EVERYONE)]),
        ("Silver", "Silver", [(Event.UNCOVER, 0, None, 1, EVERYONE, EVERYONE)]),
        ("Gold, Silver", "Gold", []),  # the top stays as it is
        ("Silver, Silver", "Silver", []),  # the others see no difference
    ],
)
def test_an_event_tells_the_card_that_harbinger_uncovers(discard, pick, uncovered):
    table = Table(hands=["Harbinger"], decks=["Copper"], discards=[discard], players=3)
    noted = events(table, "play Harbinger", f"topdeck {pick}")
    assert noted[-1 - len(uncovered)] == (Event.TOPDECK, 0, pick, 1, EVERYONE, 0b001)
    assert noted[len(noted) - len(uncovered) :] == uncovered


def test_events_say_who_saw_discards_that_move_together():
    table = Table(hands=["Militia", "Gold, Duchy, 3 Copper", ""])
    noted = events(table, "play Militia", "discard Gold", "discard Duchy")
    assert (Event.DISCARD, 1, "Duchy", 2, EVERYONE, EVERYONE) in noted
    assert all(row[5] == 0b010 for row in noted if row[2] == "Gold")


def test_events_are_handed_out_once():
    batch = GameBatch(2, num_players=2, kingdom="first-game-2e", record=True, auto_treasures=True)
    assert len(batch.events()) > 0
    assert len(batch.events()) == 0
    batch.step(np.zeros(2, dtype=np.int64))
    assert set(batch.events()["game"].tolist()) == {0, 1}
    with pytest.raises(InvalidOption):
        GameBatch(1, kingdom="first-game-2e").events()


@pytest.mark.parametrize("cards", [10, 63, 64, 65, 110])
def test_no_event_of_a_long_effect_is_lost(cards):
    adventurer = Table(hands=["Adventurer"], decks=[f"{cards} Estate"], supply={"Estate": 0}, players=3)
    noted = events(adventurer, "play Adventurer")
    assert [row[0] for row in noted].count(Event.REVEAL) == cards
    assert sum(row[3] for row in noted if row[0] == Event.DISCARD) == cards
    cellar = Table(hands=[f"Cellar, {cards} Estate"], supply={"Estate": 0}, players=3)
    noted = events(cellar, "play Cellar", *["discard Estate"] * cards)
    assert [row[0] for row in noted].count(Event.DRAW) == cards
    alice, bob, _ = adventurer
    alice.plays("Adventurer")
    assert f"{cards} Estate" in adventurer.log(bob)
