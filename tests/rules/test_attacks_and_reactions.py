"""Section 5: playing a card, Moat windows, the order of several players."""

import pytest

from dominion_env import CARDS, Type
from tests.table import Seat, Table

ATTACKS = ["Bureaucrat", "Militia", "Spy", "Thief", "Bandit", "Witch"]
OTHERS = [
    info.name for info in CARDS if info.types & Type.ACTION and not info.types & Type.ATTACK and info.name != "Moat"
]
VICTIM_HAND = "Moat, Estate, 3 Copper"


def table_for(attack: str, victims: list[str], hand: str = "", **options) -> Table:
    """Return a table with an Attack in Alice's hand and decks worth attacking."""
    decks = ["5 Curse", *("Silver, Gold, Estate" for _ in victims)]
    return Table(hands=[f"{attack}{hand}", *victims], decks=decks, kingdom=attack, **options)


def answers_all(table: Table) -> None:
    """Answer all questions of the Attack, discarding rather than keeping, until the attacker may go on."""
    while table.game.decision.kind not in ("action", "buy"):
        table.answer(min(table.legal))


def belongings(seat: Seat) -> list[list[str]]:
    return [list(seat.hand), list(seat.deck), list(seat.discard)]


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_revealed_moat_keeps_its_owner_unaffected_and_others_are_hit(attack):
    table = table_for(attack, [VICTIM_HAND, "2 Estate, 3 Copper"])
    alice, bob, carol = table
    before, hit = belongings(bob), belongings(carol)
    alice.plays(attack)
    assert table.asks(bob, "reveal", "Moat", card=attack)
    assert sorted(table.legal) == ["pass", "reveal Moat"]
    bob.reveals("Moat")
    answers_all(table)
    assert belongings(bob) == before
    assert belongings(carol) != hit


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_declined_moat_leaves_its_owner_affected(attack):
    table = table_for(attack, [VICTIM_HAND])
    alice, bob = table
    without = table_for(attack, ["Copper, Estate, 3 Copper"])
    alice.plays(attack)
    bob.passes()
    without.seats[0].plays(attack)
    assert (table.asked.name, table.game.decision.kind) == (without.asked.name, without.game.decision.kind)
    before = belongings(bob)
    if table.game.decision.kind not in ("action", "buy"):
        if attack == "Spy":
            alice.discards("Curse")
            alice.discards("Silver")
        answers_all(table)
        assert belongings(bob) != before
    else:
        assert attack == "Witch"
        assert bob.discard == "Curse"


@pytest.mark.parametrize("attack", ATTACKS)
def test_all_windows_come_before_any_part_of_the_attack(attack):
    table = table_for(attack, [VICTIM_HAND, VICTIM_HAND])
    alice, bob, carol = table
    before = [belongings(seat) for seat in (bob, carol)]
    supply = table.supply
    alice.plays(attack)
    for seat in (bob, carol):
        assert table.asks(seat, "reveal", "Moat", card=attack)
        assert alice.in_play == attack
        assert belongings(alice) == [[], ["Curse"] * 5, []]
        assert [belongings(other) for other in (bob, carol)] == before
        assert (table.actions, table.coins) == (0, 0)
        assert table.supply == supply
        seat.passes()


@pytest.mark.parametrize("attack", ATTACKS)
def test_the_attacker_gets_their_own_part_although_all_reveal(attack):
    table = table_for(attack, [VICTIM_HAND])
    alice, bob = table
    alice.plays(attack)
    bob.reveals("Moat")
    if attack == "Spy":
        assert table.asks(alice, "discard", "Spy", card="Curse", target=alice)
        alice.topdecks("Curse")
    assert table.asks(alice, "action")
    assert alice.deck[:1] == (["Silver"] if attack == "Bureaucrat" else ["Curse"])
    assert alice.discard == ("Gold" if attack == "Bandit" else "")
    assert len(alice.hand) == {"Witch": 2, "Spy": 1}.get(attack, 0)
    assert table.coins == (2 if attack == "Militia" else 0)
    assert table.actions == (1 if attack == "Spy" else 0)


@pytest.mark.parametrize("attack", ATTACKS)
def test_only_holders_of_a_moat_are_asked_in_turn_order_from_the_attackers_left(attack):
    table = Table(
        hands=["Moat", "Copper", attack, "2 Moat", "Moat"],
        decks=[""] * 5,
        kingdom=attack,
        turn=2,
    )
    alice, bob, carol, dave, erin = table
    carol.plays(attack)
    for seat in (dave, erin, alice):
        assert table.asks(seat, "reveal", "Moat", card=attack)
        seat.reveals("Moat")
    assert bob.hand == "Copper"
    answers_all(table)
    assert table.asks(carol, "action")


@pytest.mark.parametrize("attack", ATTACKS)
def test_several_moats_are_one_question(attack):
    table = table_for(attack, ["3 Moat"])
    alice, bob = table
    alice.plays(attack)
    bob.reveals("Moat")
    assert bob.hand == "3 Moat"
    answers_all(table)
    assert bob.hand == "3 Moat"


@pytest.mark.parametrize("attack", ATTACKS)
def test_nobody_reacts_to_their_own_attack(attack):
    table = table_for(attack, ["3 Copper"], hand=", Moat")
    alice, _ = table
    alice.plays(attack)
    while table.game.decision.kind not in ("action", "buy"):
        assert table.game.decision.kind != "reveal"
        table.answer(min(table.legal))
    assert "Moat" in alice.hand


@pytest.mark.parametrize("attack", ATTACKS)
def test_each_replay_by_throne_room_opens_new_windows(attack):
    table = table_for("Throne Room", [VICTIM_HAND], hand=f", {attack}")
    alice, bob = table
    before = belongings(bob)
    alice.plays("Throne Room")
    alice.plays(attack)
    assert table.asks(bob, "reveal", "Moat", card=attack)
    bob.reveals("Moat")
    while table.asked is alice:
        table.answer(min(table.legal))
    assert table.asks(bob, "reveal", "Moat", card=attack)
    assert belongings(bob) == before
    bob.reveals("Moat")
    answers_all(table)
    assert belongings(bob) == before


@pytest.mark.parametrize("attack", ATTACKS)
def test_being_exempt_from_one_play_does_not_exempt_from_the_next(attack):
    table = table_for("Throne Room", [VICTIM_HAND], hand=f", {attack}")
    alice, bob = table
    before = belongings(bob)
    alice.plays("Throne Room")
    alice.plays(attack)
    bob.reveals("Moat")
    while table.asked is alice:
        table.answer("topdeck Curse")
    bob.passes()
    if attack == "Spy":
        alice.topdecks("Curse")
        assert table.asks(alice, "discard", "Spy", card="Silver", target=bob)
        alice.discards("Silver")
    answers_all(table)
    assert belongings(bob) != before


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_played_by_vassal_opens_windows(attack):
    table = Table(hands=["Vassal", "Moat"], decks=[attack, ""])
    alice, bob = table
    alice.plays("Vassal")
    assert table.asks(alice, "play", "Vassal", card=attack)
    alice.plays(attack)
    assert table.asks(bob, "reveal", "Moat", card=attack)


@pytest.mark.parametrize("card", OTHERS)
def test_cards_that_are_no_attacks_open_no_window(card):
    table = Table(hands=[f"{card}, Copper, Estate", "Moat", "Moat"], decks=["5 Copper"], discards=["2 Silver"])
    alice, _, _ = table
    alice.plays(card)
    while table.game.decision.kind not in ("action", "buy"):
        assert table.asked is alice
        table.answer(min(table.legal))


def test_a_moat_can_be_revealed_several_times_in_a_turn_and_played_later():
    table = Table(hands=["Militia, Witch, Bureaucrat", "Moat, 4 Copper"], actions=3, decks=["2 Copper", "2 Gold"])
    alice, bob = table
    for attack in ("Militia", "Witch", "Bureaucrat"):
        alice.plays(attack)
        bob.reveals("Moat")
    assert bob.hand == "Moat, 4 Copper"
    assert bob.discard == ""
    alice.ends_turn()
    bob.plays("Moat")
    assert bob.hand == "4 Copper, 2 Gold"


def test_revealing_for_one_attack_does_not_help_against_another():
    table = Table(hands=["2 Witch", "Moat"], actions=2)
    alice, bob = table
    alice.plays("Witch")
    bob.reveals("Moat")
    alice.plays("Witch")
    bob.passes()
    assert bob.discard == "Curse"


def test_one_players_moat_does_not_help_another():
    table = Table(hands=["Witch", "Moat", "Moat", ""], players=4)
    alice, bob, carol, dave = table
    alice.plays("Witch")
    bob.reveals("Moat")
    carol.passes()
    assert (bob.discard, carol.discard, dave.discard) == ("", "Curse", "Curse")


def test_a_moat_that_was_discarded_to_the_attack_cannot_be_revealed_for_the_next():
    table = Table(hands=["2 Militia", "Moat, 4 Copper"], actions=2)
    alice, bob = table
    alice.plays("Militia")
    bob.passes()
    bob.discards("Moat, Copper")
    alice.plays("Militia")
    assert table.asks(alice, "action")


def test_a_moat_is_asked_for_although_the_attack_would_do_nothing():
    table = Table(hands=["Militia", "Moat"])
    alice, bob = table
    alice.plays("Militia")
    assert table.asks(bob, "reveal", "Moat", card="Militia")
    bob.passes()
    assert table.asks(alice, "action")


def test_a_revealed_moat_is_known_and_a_declined_one_is_not():
    table = Table(hands=["Witch", "2 Moat, Copper", "2 Moat, Copper"])
    alice, bob, carol = table
    alice.plays("Witch")
    bob.reveals("Moat")
    carol.passes()
    assert bob.known_hand == "Moat"
    assert carol.known_hand == ""


def test_revealing_again_shows_at_least_one_moat_not_two():
    table = Table(hands=["2 Witch", "2 Moat"], actions=2)
    alice, bob = table
    alice.plays("Witch")
    bob.reveals("Moat")
    alice.plays("Witch")
    bob.reveals("Moat")
    assert bob.known_hand == "Moat"


def test_a_players_part_is_completed_before_the_next_ones_begins():
    table = Table(hands=["", "Militia", "5 Copper", "5 Estate"], turn=1)
    _, bob, carol, dave = table
    bob.plays("Militia")
    carol.discards("Copper")
    assert table.asks(carol, "discard", "Militia", min_left=1)
    carol.discards("Copper")
    assert table.asks(dave, "discard", "Militia", min_left=2)
    assert carol.discard == "2 Copper"
    dave.discards("2 Estate")
    assert table.asks(bob, "action")


def test_the_order_of_players_decides_who_gets_the_last_curse():
    for turn, expected in ((0, 1), (1, 2), (2, 0)):
        hands = ["", "", ""]
        hands[turn] = "Witch"
        table = Table(hands=hands, supply={"Curse": 1}, turn=turn)
        table.seats[turn].plays("Witch")
        assert [seat.discard == "Curse" for seat in table] == [seat == expected for seat in range(3)]


def test_the_card_lies_in_play_while_windows_are_open():
    table = Table(hands=["Militia", "Moat, 4 Copper"])
    alice, bob = table
    alice.plays("Militia")
    assert table.asks(bob, "reveal", "Moat")
    assert alice.in_play == "Militia"
    assert alice.hand == ""


def test_a_feast_no_longer_in_play_is_not_trashed_again():
    table = Table(hands=["Throne Room, Feast"], trash="Feast")
    alice, _ = table
    alice.plays("Throne Room, Feast")
    alice.gains("Silver, Silver")
    assert table.trash == "2 Feast"


@pytest.mark.parametrize("attack", ATTACKS)
def test_in_solitaire_an_attack_hits_nobody(attack):
    table = Table(hands=[attack], decks=["5 Copper"], players=1)
    (alice,) = table
    alice.plays(attack)
    if attack == "Spy":
        alice.topdecks("Copper")
    assert table.asks(alice, "action")


def test_six_players_are_all_hit_in_turn_order():
    table = Table(hands=["4 Copper", "4 Copper", "4 Copper", "4 Copper", "Militia", "4 Copper"], turn=4)
    alice, bob, carol, dave, erin, frank = table
    erin.plays("Militia")
    for seat in (frank, alice, bob, carol, dave):
        assert table.asks(seat, "discard", "Militia", min_left=1, max_left=1)
        seat.discards("Copper")
    assert table.asks(erin, "action")


def test_showing_one_of_two_known_moats_does_not_make_the_other_forgotten():
    table = Table(hands=["Witch", "2 Moat"], known_hands=["", "2 Moat"])
    alice, bob = table
    alice.plays("Witch")
    bob.reveals("Moat")
    assert bob.known_hand == "2 Moat"
