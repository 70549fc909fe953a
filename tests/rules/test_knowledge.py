"""Section 7: who sees what happens, and what a seat may know.

Logs are compared as text: a card that a seat has not seen is not named in its log. What a seat may not know is tested
with pairs of positions, or of choices, that differ only in something hidden from it: its observation, its log and,
where it is asked, its choices must be equal.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from dominion_env import CARDS, Event, GameBatch, InvalidOption, action_id, observation_fields
from tests.table import Cards, Seat, Table


def log(table: Table, seat: Seat | None) -> str:
    """What happened since the table was set up, as this seat has seen it; None: all of it."""
    lines = table.game.log(None if seat is None else seat.number)
    return lines if isinstance(lines, str) else "\n".join(map(str, lines))


BITS = 6  # a single card in an observation


def sees_the_same(seat: int, one: Table, other: Table) -> bool:
    """Fail if this seat can tell the two tables apart."""
    differences = np.flatnonzero(one.game.observe(seat) != other.game.observe(seat))
    assert differences.size == 0, f"seat {seat} sees a difference at {differences.tolist()}"
    assert log(one, one.seats[seat]) == log(other, other.seats[seat])
    assert one.over == other.over
    if not one.over:
        assert one.game.decision.player == other.game.decision.player
        if one.game.decision.player == seat:
            assert one.legal == other.legal
            assert one.game.decision == other.game.decision
    return True


def can_tell(seat: int, one: Table, other: Table) -> bool:
    return not np.array_equal(one.game.observe(seat), other.game.observe(seat))


# Events: who sees that it happens, who sees the card.


def test_a_draw_is_seen_by_all_the_card_by_its_owner():
    table = Table(hands=["Smithy"], decks=["Gold, Duchy, Curse"], players=3)
    alice, bob, carol = table
    alice.plays("Smithy")
    for card in ("Gold", "Duchy", "Curse"):
        assert card in log(table, alice)
        assert card not in log(table, bob)
        assert card not in log(table, carol)
        assert card in log(table, None)
    assert "draw" in log(table, bob).lower()


def test_the_number_of_cards_drawn_is_seen():
    logs = []
    for cards in ("Gold", "Gold, Duchy"):
        table = Table(hands=["Smithy"], decks=[cards])
        alice, bob = table
        alice.plays("Smithy")
        logs.append(log(table, bob))
    assert logs[0] != logs[1]


def test_a_play_is_seen_by_all():
    table = Table(hands=["Village, Gold"])
    alice, bob = table
    alice.plays("Village")
    alice.ends_action_phase()
    alice.plays("Gold")
    for seat in (alice, bob, None):
        assert "Village" in log(table, seat)
        assert "Gold" in log(table, seat)


def test_a_buy_is_seen_by_all():
    table = Table(phase="buy", coins=8)
    alice, bob = table
    alice.buys("Province")
    assert "Province" in log(table, bob)


def test_a_gain_and_a_trashing_are_seen_by_all():
    table = Table(hands=["Remodel, Duchy"])
    alice, bob = table
    alice.plays("Remodel")
    alice.trashes("Duchy")
    alice.gains("Smithy")
    assert "Duchy" in log(table, bob)
    assert "Smithy" in log(table, bob)


def test_gains_to_hand_are_seen_by_all():
    table = Table(hands=["Mine, Silver"])
    alice, bob = table
    alice.plays("Mine")
    alice.trashes("Silver")
    alice.gains("Gold")
    assert "Gold" in log(table, bob)


def test_artisans_gain_is_seen_by_all_but_not_what_he_puts_back():
    table = Table(hands=["Artisan, Gold, Curse"])
    alice, bob = table
    alice.plays("Artisan")
    alice.gains("Duchy")
    alice.topdecks("Gold")
    assert "Duchy" in log(table, bob)
    assert "Gold" not in log(table, bob)
    assert "Gold" in log(table, alice)


def test_bureaucrats_silver_and_the_victory_card_are_seen_by_all():
    table = Table(hands=["Bureaucrat", "Duchy, Gold", ""], players=3)
    alice, bob, carol = table
    alice.plays("Bureaucrat")
    bob.topdecks("Duchy")
    for seat in (alice, carol):
        assert "Silver" in log(table, seat)
        assert "Duchy" in log(table, seat)
        assert "Gold" not in log(table, seat)


def test_a_hand_without_victory_cards_is_shown_to_all():
    table = Table(hands=["Bureaucrat", "Gold, Village, Curse", ""], players=3)
    alice, bob, carol = table
    alice.plays("Bureaucrat")
    for seat in (alice, carol):
        for card in ("Gold", "Village", "Curse"):
            assert card in log(table, seat)
    assert bob.known_hand == "Gold, Village, Curse"


def test_a_single_discard_is_seen_by_all():
    table = Table(hands=["Poacher, Duchy, Curse"], supply={"Moat": 0})
    alice, bob = table
    alice.plays("Poacher")
    alice.discards("Duchy")
    assert "Duchy" in log(table, bob)
    assert "Curse" not in log(table, bob)


def test_of_several_discards_the_others_see_the_top_one():
    table = Table(hands=["Militia", "Gold, Duchy, Curse, Village, Moat"], players=3)
    alice, bob, carol = table
    alice.plays("Militia")
    bob.passes()
    bob.discards("Gold, Duchy")
    for seat in (alice, carol):
        assert "Duchy" in log(table, seat)
        assert "Gold" not in log(table, seat)
    assert "Gold" in log(table, bob)
    assert bob.known_discard == "Duchy"


def test_the_number_of_cellars_discards_is_seen():
    logs = []
    for cards in ("Gold, Duchy", "Gold, Silver, Duchy"):
        table = Table(hands=["Cellar, Gold, Silver, Duchy"])
        alice, bob = table
        alice.plays("Cellar")
        alice.discards(cards)
        if alice.chosen:
            alice.passes()
        logs.append(log(table, bob))
        assert "Gold" not in logs[-1]
        assert "Duchy" in logs[-1]
    assert logs[0] != logs[1]


@pytest.mark.parametrize("attack", ["Spy", "Thief", "Bandit"])
def test_revealed_cards_are_seen_by_all(attack):
    table = Table(hands=[attack], decks=["", "Duchy, Village", ""], players=3)
    alice, bob, carol = table
    alice.plays(attack)
    cards = ("Duchy",) if attack == "Spy" else ("Duchy", "Village")
    for card in cards:
        assert all(card in log(table, seat) for seat in (alice, bob, carol))


def test_adventurers_cards_are_seen_by_all():
    table = Table(hands=["Adventurer"], decks=["Duchy, Gold, Village, Silver"])
    alice, bob = table
    alice.plays("Adventurer")
    for card in ("Duchy", "Gold", "Village", "Silver"):
        assert card in log(table, bob)


def test_a_revealed_moat_is_seen_by_all():
    table = Table(hands=["Witch", "Moat", ""], players=3)
    alice, bob, carol = table
    alice.plays("Witch")
    bob.reveals("Moat")
    assert "Moat" in log(table, alice)
    assert "Moat" in log(table, carol)


def test_a_declined_moat_is_seen_by_its_owner_alone():
    table = Table(hands=["Witch", "Moat", ""], players=3)
    alice, bob, carol = table
    alice.plays("Witch")
    bob.passes()
    assert "Moat" not in log(table, alice)
    assert "Moat" not in log(table, carol)
    assert "Moat" in log(table, bob)


def test_what_sentry_looks_at_is_seen_by_its_owner_alone():
    table = Table(hands=["Sentry"], decks=["Silver, Gold, Village"])
    alice, bob = table
    alice.plays("Sentry")
    for card in ("Gold", "Village"):
        assert card in log(table, alice)
        assert card not in log(table, bob)
    alice.topdecks("Gold, Village")
    for card in ("Gold", "Village"):
        assert card not in log(table, bob)


def test_that_sentry_looks_and_at_how_many_is_seen():
    logs = []
    for cards in ("Silver", "Silver, Gold", "Silver, Gold, Duchy"):
        table = Table(hands=["Sentry"], decks=[cards])
        alice, bob = table
        alice.plays("Sentry")
        logs.append(log(table, bob))
    assert len(set(logs)) == 3


def test_what_sentry_trashes_and_discards_is_seen_by_all():
    table = Table(hands=["Sentry"], decks=["Silver, Gold, Village"])
    alice, bob = table
    alice.plays("Sentry")
    alice.trashes("Gold")
    alice.discards("Village")
    assert "Gold" in log(table, bob)
    assert "Village" in log(table, bob)


def test_what_harbinger_puts_back_is_seen_by_its_owner_alone():
    table = Table(hands=["Harbinger"], decks=["Silver"], discards=["Gold, Village, Copper"])
    alice, bob = table
    alice.plays("Harbinger")
    alice.topdecks("Gold")
    assert "Gold" in log(table, alice)
    assert "Gold" not in log(table, bob)
    assert "Village" not in log(table, bob)


def test_a_card_that_library_sets_aside_is_seen_and_a_kept_one_is_not():
    table = Table(hands=["Library, 5 Copper"], decks=["Village, Smithy, Gold"])
    alice, bob = table
    alice.plays("Library")
    alice.sets_aside("Village")
    alice.passes()
    assert "Village" in log(table, bob)
    assert "Smithy" not in log(table, bob)
    assert "Smithy" in log(table, alice)


def test_vassals_discard_is_seen_by_all():
    table = Table(hands=["Vassal"], decks=["Duchy"])
    alice, bob = table
    alice.plays("Vassal")
    assert "Duchy" in log(table, bob)


def test_chancellor_shows_that_the_deck_is_turned_over_and_its_former_bottom_card():
    table = Table(hands=["Chancellor"], decks=["Gold, Duchy, Village"])
    alice, bob = table
    alice.plays("Chancellor")
    other = table.copy()
    alice.discards_deck()
    other.seats[0].passes()
    assert log(table, bob) != log(other, other.seats[1])
    assert "Gold" not in log(table, bob)
    assert "Duchy" not in log(table, bob)
    assert "Village" in log(table, bob)
    assert alice.known_discard == "Village"


def test_what_the_thief_gains_is_seen_by_all():
    table = Table(hands=["Thief"], decks=["", "Gold, Estate", ""], players=3)
    alice, bob, carol = table
    alice.plays("Thief")
    alice.trashes("Gold")
    other = table.copy()
    alice.gains("Gold")
    other.seats[0].passes()
    for seat in (bob, carol):
        assert log(table, seat) != log(other, other.seats[seat.number])


def test_a_shuffle_is_seen_by_all():
    table = Table(hands=["Market"], discards=["Gold"])
    alice, bob = table
    alice.plays("Market")
    assert "shuffle" in log(table, bob).lower()
    assert "Gold" not in log(table, bob)


def test_clean_up_shows_the_top_of_the_discard_pile_not_the_hand():
    table = Table(hands=["Gold, Duchy, Village"], decks=["5 Curse"])
    alice, bob = table
    alice.ends_turn()
    assert "Gold" not in log(table, bob)
    assert "Duchy" not in log(table, bob)
    assert "Curse" not in log(table, bob)
    assert "Village" in log(table, bob)
    assert alice.known_discard == "Village"


def test_turns_and_the_end_of_the_game_are_seen_by_all():
    table = Table(supply={"Province": 1}, phase="buy", coins=8, players=3)
    before = [log(table, seat) for seat in table]
    other = table.copy()
    table.seats[0].buys("Province")
    table.seats[0].ends_turn()
    assert all("end" in log(table, seat).lower() for seat in table)
    other.seats[0].ends_turn()
    assert all("turn" in log(other, seat).lower() for seat in other)
    assert "turn" not in "".join(before).lower()


def test_a_declined_throne_room_names_nothing():
    table = Table(hands=["Throne Room, Festival"])
    alice, bob = table
    alice.plays("Throne Room")
    alice.passes()
    assert "Festival" not in log(table, bob)


# The same as data: each event has the set of seats that saw it and the set of those that saw its card.

EVERYONE = 0b111


def events(table: Table, *answers: str) -> list[tuple[Event, int, str | None, int, int, int]]:
    """What a batch of one game notes while these answers are given: event, player, card, count, seen, card seen."""
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
    assert f"{cards} Estate" in log(adventurer, bob)


# Who knows the cards of a draw pile, of a hand, of a discard pile.


def test_a_reveal_raises_what_is_known_to_at_least_the_number_shown():
    table = Table(hands=["Bureaucrat", "2 Gold, Moat"], known_hands=["", "Gold, Moat"])
    alice, bob = table
    alice.plays("Bureaucrat")
    bob.passes()
    assert bob.known_hand == "2 Gold, Moat"


def test_all_treasures_that_are_played_together_are_seen_to_leave_the_hand():
    table = Table(
        phase="buy", hands=["3 Copper, 2 Gold, Moat"], known_hands=["2 Copper, 2 Gold, Moat"], auto_treasures=True
    )
    alice, _ = table
    assert alice.in_play == "3 Copper, 2 Gold"
    assert alice.known_hand == "Moat"


def test_bureaucrats_victory_card_drawn_again_is_known_in_hand():
    table = Table(hands=["Bureaucrat", "Duchy, Copper"], decks=["5 Copper", "5 Copper"])
    alice, bob = table
    alice.plays("Bureaucrat")
    bob.topdecks("Duchy")
    assert bob.deck_known[0] == "all"
    assert bob.known_hand == ""
    alice.ends_turn()
    bob.ends_turn()
    assert bob.known_hand == "Duchy"


def test_cards_that_leave_the_hand_unseen_take_as_many_of_each_known_card():
    table = Table(
        hands=["Militia", "3 Silver, Estate, Copper, Gold"],
        known_hands=["", "3 Silver, Estate"],
    )
    alice, bob = table
    alice.plays("Militia")
    bob.discards("Copper, Silver, Gold")
    assert bob.hand == "2 Silver, Estate"
    # two went unseen beneath the Gold: they may have been Silvers or the Estate
    assert bob.known_hand == "Silver"
    assert bob.known_discard == "Gold"


def test_the_seen_top_card_of_several_discards_takes_one_of_its_own():
    table = Table(hands=["Militia", "3 Silver, Copper, Gold"], known_hands=["", "3 Silver, Gold"])
    alice, bob = table
    alice.plays("Militia")
    bob.discards("Copper, Gold")
    assert bob.hand == "3 Silver"
    assert bob.known_hand == "2 Silver"


def test_cards_wait_in_hand_for_all_others_until_choosing_ends():
    table = Table(hands=["Militia", "3 Silver, Copper, Gold"], known_hands=["", "3 Silver, Gold"])
    alice, bob = table
    alice.plays("Militia")
    bob.discards("Gold")
    assert bob.chosen == "Gold"
    assert bob.known_hand == "3 Silver, Gold"


def test_clean_up_moves_what_is_known_of_the_hand_and_the_cards_in_play_to_the_discard_pile():
    table = Table(
        hands=["Woodcutter, Moat, Gold, Estate"],
        known_hands=["Moat, Gold"],
        decks=["5 Curse"],
        discards=["Copper"],
    )
    alice, _ = table
    alice.plays("Woodcutter")
    alice.ends_turn()
    assert alice.known_hand == ""
    assert alice.known_discard == "Copper, Gold, Moat, Woodcutter"


def test_a_shuffle_ends_what_is_known_of_the_discard_pile():
    table = Table(hands=["Market"], discards=["Gold, Silver"], known_discards=["Gold, Silver"])
    alice, _ = table
    alice.plays("Market")
    assert alice.known_discard == ""


@pytest.mark.parametrize("card", ["Gold", "Silver"])
def test_an_unseen_card_taken_from_the_discard_pile_takes_one_of_each(card):
    table = Table(
        hands=["Harbinger"], decks=["Copper"], discards=["2 Gold, Silver, Estate"], known_discards=["2 Gold, Silver"]
    )
    alice, _ = table
    alice.plays("Harbinger")
    alice.topdecks(card)
    assert alice.known_discard == "Gold, Estate"  # the top is there to be seen
    assert alice.deck_known == ["owner"]


def test_when_the_top_itself_is_taken_the_card_beneath_is_seen():
    table = Table(hands=["Harbinger"], decks=["Copper"], discards=["Gold, Silver, Estate"])
    alice, _ = table
    alice.plays("Harbinger")
    alice.topdecks("Estate")
    assert alice.discard == "Gold, Silver"
    assert alice.known_discard == "Silver"


def test_cards_known_to_all_that_chancellor_turns_over_join_the_known_ones():
    table = Table(
        hands=["Chancellor"],
        decks=["Duchy, Gold, Village, Copper"],
        deck_known=[["all", "owner", "nobody", "nobody"]],
    )
    alice, _ = table
    alice.plays("Chancellor")
    alice.discards_deck()
    assert alice.known_discard == "Duchy, Copper"


def test_a_draw_of_a_card_its_owner_alone_knows_tells_the_others_nothing():
    table = Table(hands=["Market"], decks=["Gold"], deck_known=[["owner"]])
    alice, _ = table
    alice.plays("Market")
    assert alice.known_hand == ""


def test_missing_knowledge_is_nobodys_but_the_top_of_the_discard_pile():
    table = Table(hands=["Gold"], decks=["Duchy"], discards=["Silver, Copper"])
    alice, _ = table
    assert alice.known_hand == ""
    assert alice.deck_known == ["nobody"]
    assert alice.known_discard == "Copper"


# What a seat sees when it is asked.


def seen(table: Table, seat: Seat, name: str) -> Cards:
    """The cards in one part of a seat's observation: a count per card, or single cards as number plus 1 in binary."""
    for field in observation_fields(len(table.seats)):
        if field.name == name:
            values = table.game.observe(seat.number)[field.start : field.start + field.size] / field.scale
            if field.size == len(CARDS):
                return Cards({info.name: round(float(n)) for info, n in zip(CARDS, values, strict=True)}, ordered=False)
            codes = [int(code @ (1 << np.arange(BITS))) for code in values.reshape(-1, BITS)]
            return Cards([CARDS[code - 1].name for code in codes if code], ordered=True)
    raise KeyError(name)


def question(table: Table, seat: Seat) -> list[float]:
    """All that a seat sees of the open question."""
    view = table.game.observe(seat.number)
    fields = observation_fields(len(table.seats))
    first = next(field.start for field in fields if field.name == "question_kind")
    return [float(value) for value in view[first:]]


def test_the_thief_sees_the_treasures_to_choose_from():
    table = Table(hands=["Thief"], decks=["", "Silver, Gold"], players=3)
    alice, bob, carol = table
    alice.plays("Thief")
    assert seen(table, alice, "question_candidates") == "Silver, Gold"
    assert seen(table, alice, "question_source") == "Thief"
    assert not any(question(table, bob))
    assert not any(question(table, carol))
    alice.trashes("Gold")
    assert seen(table, alice, "question_candidates") == "Gold"  # to gain


def test_bandits_victim_sees_the_treasures_to_choose_from():
    table = Table(hands=["Bandit"], decks=["", "Silver, Gold"], players=3)
    alice, bob, carol = table
    alice.plays("Bandit")
    assert seen(table, bob, "question_candidates") == "Silver, Gold"
    assert not any(question(table, alice))
    assert not any(question(table, carol))


def test_the_spy_sees_the_card_that_he_is_asked_about():
    table = Table(hands=["Spy"], decks=["Copper, Duchy", "Gold"])
    alice, bob = table
    alice.plays("Spy")
    assert seen(table, alice, "question_card") == "Duchy"
    alice.discards("Duchy")
    assert seen(table, alice, "question_card") == "Gold"
    assert not any(question(table, bob))


def test_sentry_shows_the_two_cards_to_their_owner_alone():
    table = Table(hands=["Sentry"], decks=["Copper, Gold, Gold"])
    alice, bob = table
    alice.plays("Sentry")
    assert seen(table, alice, "question_candidates") == "2 Gold"
    assert not any(question(table, bob))


def test_harbinger_shows_the_discard_pile_to_its_owner_alone():
    table = Table(hands=["Harbinger"], decks=["Copper"], discards=["2 Gold, Estate"])
    alice, bob = table
    alice.plays("Harbinger")
    assert seen(table, alice, "question_candidates") == "2 Gold, Estate"
    assert not any(question(table, bob))


def test_library_shows_the_card_in_question_to_its_owner_alone():
    table = Table(hands=["Library"], decks=["Gold, Village"])
    alice, bob = table
    alice.plays("Library")
    assert seen(table, alice, "question_card") == "Village"
    assert seen(table, alice, "my_hand") == "Gold"
    assert not any(question(table, bob))


def test_cards_chosen_so_far_are_seen_by_their_owner_alone_and_count_as_hand_for_others():
    table = Table(hands=["Militia", "5 Copper"])
    alice, bob = table
    alice.plays("Militia")
    bob.discards("Copper")
    assert seen(table, bob, "question_chosen") == "Copper"
    assert not any(question(table, alice))


def test_a_throne_rooms_second_play_is_seen_to_be_pending_while_the_first_one_asks():
    once, twice = (
        Table(hands=[f"{cards}, Remodel, Copper, Estate"], in_play=[in_play])
        for cards, in_play in (("Curse", "Throne Room"), ("Throne Room, Curse", ""))
    )
    once.seats[0].plays("Remodel")
    twice.seats[0].plays("Throne Room, Remodel")
    assert once.seats[0].in_play == twice.seats[0].in_play
    assert once.legal == twice.legal
    assert question(once, once.seats[0]) != question(twice, twice.seats[0])
    for table in (once, twice):
        table.seats[0].trashes("Copper")
        table.seats[0].gains("Copper")
    assert once.asks(once.seats[0], "action")
    assert twice.asks(twice.seats[0], "trash", "Remodel")


def test_a_seat_sees_its_own_cards_and_the_composition_of_its_deck_and_discard_pile():
    table = Table(
        hands=["Gold, Moat"], decks=["Duchy"], bags=["2 Copper"], discards=["Silver, Estate"], in_play=["Village"]
    )
    alice, bob = table
    assert seen(table, alice, "my_hand") == "Gold, Moat"
    assert seen(table, alice, "my_draw_pile") == "Duchy, 2 Copper"
    assert seen(table, alice, "my_discard") == "Silver, Estate"
    assert seen(table, alice, "my_discard_top") == "Estate"
    assert seen(table, bob, "opponent_1_owned") == alice.owned
    assert seen(table, bob, "opponent_1_in_play") == "Village"
    assert seen(table, bob, "opponent_1_discard_top") == "Estate"
    assert seen(table, bob, "opponent_1_known_hand") == ""
    assert seen(table, bob, "my_hand") == ""


def test_opponents_are_seen_in_turn_order_from_the_one_who_looks():
    table = Table(in_play=["Village", "Moat", "Smithy"])
    alice, bob, carol = table
    assert seen(table, alice, "opponent_1_in_play") == "Moat"
    assert seen(table, alice, "opponent_2_in_play") == "Smithy"
    assert seen(table, bob, "opponent_1_in_play") == "Smithy"
    assert seen(table, bob, "opponent_2_in_play") == "Village"
    assert seen(table, carol, "opponent_1_in_play") == "Village"


# What a seat may not know: pairs that differ only in hidden things.


HIDDEN_OPPONENTS = [
    {
        "hands": ["2 Copper", "Gold, Copper"],
        "decks": ["", "Silver"],
        "bags": ["Copper", "Estate, Duchy"],
        "discards": ["", "Village, Copper"],
    },
    {
        "hands": ["2 Copper", "Village, Duchy"],
        "decks": ["", "Gold"],
        "bags": ["Copper", "Silver, Copper"],
        "discards": ["", "Estate, Copper"],
    },
    {
        "hands": ["2 Copper", "Estate, Silver"],
        "decks": ["", "Copper"],
        "bags": ["Copper", "Gold, Village"],
        "discards": ["", "Duchy, Copper"],
    },
]


@pytest.mark.parametrize("mark", ["nobody", "owner"])
def test_where_an_opponents_cards_lie_is_hidden(mark):
    tables = [Table(**zones, deck_known=[[], [mark]], kingdom="Village") for zones in HIDDEN_OPPONENTS]
    for other in tables[1:]:
        assert sees_the_same(0, tables[0], other)
        assert can_tell(1, tables[0], other)


def test_the_order_of_ones_own_draw_pile_is_hidden():
    one = Table(hands=["Village, Copper"], decks=["Gold, Silver, Estate"], bags=["2 Duchy"])
    for decks, bags in (("Estate, Gold, Silver", "2 Duchy"), ("Duchy, Silver, Duchy", "Gold, Estate")):
        other = Table(hands=["Village, Copper"], decks=[decks], bags=[bags])
        assert sees_the_same(0, one, other)
        assert sees_the_same(1, one, other)


def test_whether_ones_own_unknown_cards_have_a_place_already_is_hidden():
    one = Table(hands=["Village"], decks=["Gold, Silver, Estate"])
    other = Table(hands=["Village"], bags=["Gold, Silver, Estate"])
    assert sees_the_same(0, one, other)
    assert sees_the_same(1, one, other)


def test_a_card_that_ones_owner_knows_is_seen_by_him_alone():
    one = Table(decks=["Gold, Silver"], deck_known=[["owner", "owner"]], players=3)
    other = Table(decks=["Silver, Gold"], deck_known=[["owner", "owner"]], players=3)
    assert can_tell(0, one, other)
    assert sees_the_same(1, one, other)
    assert sees_the_same(2, one, other)


def test_a_card_that_all_know_is_seen_by_all():
    one = Table(decks=["Gold, Silver"], deck_known=[["all"]], players=3)
    other = Table(decks=["Silver, Gold"], deck_known=[["all"]], players=3)
    assert all(can_tell(seat, one, other) for seat in range(3))


def test_a_known_card_of_a_hand_is_seen_by_all():
    one = Table(hands=["Gold, Moat"], known_hands=["Moat"], bags=["Copper"])
    other = Table(hands=["Gold, Moat"], known_hands=["Gold"], bags=["Copper"])
    assert can_tell(1, one, other)


def test_the_top_of_a_discard_pile_is_seen_by_all():
    one, other = (Table(discards=[cards]) for cards in ("Gold, Silver", "Silver, Gold"))
    assert can_tell(0, one, other)
    assert can_tell(1, one, other)


def test_the_order_beneath_the_top_of_a_discard_pile_is_seen_by_nobody():
    one, other = (Table(discards=[f"{cards}, Copper"]) for cards in ("Gold, Silver", "Silver, Gold"))
    assert sees_the_same(0, one, other)
    assert sees_the_same(1, one, other)


def test_sizes_of_hands_and_what_is_owned_are_seen_by_all():
    base = Table(hands=["", "Gold, Silver"], bags=["", "Copper"])
    assert can_tell(0, base, Table(hands=["", "Gold"], bags=["", "Silver, Copper"]))
    assert can_tell(0, base, Table(hands=["", "Gold, Duchy"], bags=["", "Copper"]))


def test_the_trash_and_the_cards_in_play_and_set_aside_are_seen_by_all():
    base = Table(players=3)
    for other in (
        Table(players=3, trash="Gold"),
        Table(in_play=["Gold", "", ""]),
        Table(set_aside=["Gold", "", ""]),
        Table(players=3, supply={"Gold": 29}),
    ):
        assert all(can_tell(seat, base, other) for seat in range(3))


def test_in_the_strict_view_holdings_that_lie_hidden_are_not_shown():
    zones = [{"bags": ["", "3 Gold"]}, {"bags": ["", "3 Curse"]}]
    strict = [Table(**zone, observation="strict") for zone in zones]
    recall = [Table(**zone) for zone in zones]
    assert sees_the_same(0, *strict)
    assert can_tell(0, *recall)


def test_in_the_strict_view_what_was_seen_in_a_hand_is_not_shown_again():
    tables = [
        Table(hands=["", "Gold, Moat"], known_hands=["", known], bags=["", "Copper"], observation="strict")
        for known in ("Moat", "Gold")
    ]
    assert sees_the_same(0, *tables)


def both(start: Table, one: Callable[[Table], None], other: Callable[[Table], None]) -> tuple[Table, Table]:
    """The same table after one choice and after another."""
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
    assert sees_the_same(0, *tables)  # while he is choosing, too
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


def number(table: Table, seat: Seat, name: str) -> float:
    """A part of a seat's observation that is one number."""
    field = next(field for field in observation_fields(len(table.seats)) if field.name == name)
    return float(table.game.observe(seat.number)[field.start] / field.scale)


@pytest.mark.parametrize(
    ("card", "picks"),
    [
        ("Cellar", ["discard Copper", "discard Estate"]),
        ("Chapel", ["trash Copper", "trash Estate"]),
        ("Militia", ["discard Copper", "discard Estate"]),
        ("Poacher", ["discard Copper", "discard Estate"]),
        ("Sentry", ["trash Gold"]),
        ("Thief", ["trash Gold", "trash Silver", "gain Gold"]),
    ],
)
def test_picks_made_so_far_are_seen_in_the_question(card, picks):
    hand = "3 Copper, 3 Estate"
    table = Table(
        hands=[f"{card}, {hand}", hand if card == "Militia" else "", ""],
        decks=["Copper, Gold, Village", "Gold, Copper", "Silver, Copper"],
        supply={"Curse": 0, "Moat": 0, "Market": 0} if card == "Poacher" else {},
    )
    table.seats[0].plays(card)
    made = 0
    for words in picks:
        assert number(table, table.asked, "question_picks") == made
        table.answer(words)
        made = made + 1 if card != "Thief" or words.startswith("gain") else 0
    assert number(table, table.asked, "question_picks") == made
