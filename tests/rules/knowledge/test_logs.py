"""The log tells a seat that something happened, and names the card if the seat has seen it."""

import pytest

from tests.table import Table


def test_a_draw_is_seen_by_all_the_card_by_its_owner():
    table = Table(hands=["Smithy"], decks=["Gold, Duchy, Curse"], players=3)
    alice, bob, carol = table
    alice.plays("Smithy")
    for card in ("Gold", "Duchy", "Curse"):
        assert card in table.log(alice)
        assert card not in table.log(bob)
        assert card not in table.log(carol)
        assert card in table.log()
    assert "draw" in table.log(bob).lower()


def test_the_number_of_cards_drawn_is_seen():
    logs = []
    for cards in ("Gold", "Gold, Duchy"):
        table = Table(hands=["Smithy"], decks=[cards])
        alice, bob = table
        alice.plays("Smithy")
        logs.append(table.log(bob))
    assert logs[0] != logs[1]


def test_a_play_is_seen_by_all():
    table = Table(hands=["Village, Gold"])
    alice, bob = table
    alice.plays("Village")
    alice.ends_action_phase()
    alice.plays("Gold")
    for seat in (alice, bob, None):
        assert "Village" in table.log(seat)
        assert "Gold" in table.log(seat)


def test_a_buy_is_seen_by_all():
    table = Table(phase="buy", coins=8)
    alice, bob = table
    alice.buys("Province")
    assert "Province" in table.log(bob)


def test_a_gain_and_a_trashing_are_seen_by_all():
    table = Table(hands=["Remodel, Duchy"])
    alice, bob = table
    alice.plays("Remodel")
    alice.trashes("Duchy")
    alice.gains("Smithy")
    assert "Duchy" in table.log(bob)
    assert "Smithy" in table.log(bob)


def test_gains_to_hand_are_seen_by_all():
    table = Table(hands=["Mine, Silver"])
    alice, bob = table
    alice.plays("Mine")
    alice.trashes("Silver")
    alice.gains("Gold")
    assert "Gold" in table.log(bob)


def test_artisans_gain_is_seen_by_all_but_not_the_card_put_back():
    table = Table(hands=["Artisan, Gold, Curse"])
    alice, bob = table
    alice.plays("Artisan")
    alice.gains("Duchy")
    alice.topdecks("Gold")
    assert "Duchy" in table.log(bob)
    assert "Gold" not in table.log(bob)
    assert "Gold" in table.log(alice)


def test_bureaucrats_silver_and_the_victory_card_are_seen_by_all():
    table = Table(hands=["Bureaucrat", "Duchy, Gold", ""], players=3)
    alice, bob, carol = table
    alice.plays("Bureaucrat")
    bob.topdecks("Duchy")
    for seat in (alice, carol):
        assert "Silver" in table.log(seat)
        assert "Duchy" in table.log(seat)
        assert "Gold" not in table.log(seat)


def test_a_hand_without_victory_cards_is_shown_to_all():
    table = Table(hands=["Bureaucrat", "Gold, Village, Curse", ""], players=3)
    alice, bob, carol = table
    alice.plays("Bureaucrat")
    for seat in (alice, carol):
        for card in ("Gold", "Village", "Curse"):
            assert card in table.log(seat)
    assert bob.known_hand == "Gold, Village, Curse"


def test_a_single_discard_is_seen_by_all():
    table = Table(hands=["Poacher, Duchy, Curse"], supply={"Moat": 0})
    alice, bob = table
    alice.plays("Poacher")
    alice.discards("Duchy")
    assert "Duchy" in table.log(bob)
    assert "Curse" not in table.log(bob)


def test_of_several_discards_the_others_see_the_top_one():
    table = Table(hands=["Militia", "Gold, Duchy, Curse, Village, Moat"], players=3)
    alice, bob, carol = table
    alice.plays("Militia")
    bob.passes()
    bob.discards("Gold, Duchy")
    for seat in (alice, carol):
        assert "Duchy" in table.log(seat)
        assert "Gold" not in table.log(seat)
    assert "Gold" in table.log(bob)
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
        logs.append(table.log(bob))
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
        assert all(card in table.log(seat) for seat in (alice, bob, carol))


def test_adventurers_cards_are_seen_by_all():
    table = Table(hands=["Adventurer"], decks=["Duchy, Gold, Village, Silver"])
    alice, bob = table
    alice.plays("Adventurer")
    for card in ("Duchy", "Gold", "Village", "Silver"):
        assert card in table.log(bob)


def test_a_revealed_moat_is_seen_by_all():
    table = Table(hands=["Witch", "Moat", ""], players=3)
    alice, bob, carol = table
    alice.plays("Witch")
    bob.reveals("Moat")
    assert "Moat" in table.log(alice)
    assert "Moat" in table.log(carol)


def test_a_declined_moat_is_seen_by_its_owner_alone():
    table = Table(hands=["Witch", "Moat", ""], players=3)
    alice, bob, carol = table
    alice.plays("Witch")
    bob.passes()
    assert "Moat" not in table.log(alice)
    assert "Moat" not in table.log(carol)
    assert "Moat" in table.log(bob)


def test_what_sentry_looks_at_is_seen_by_its_owner_alone():
    table = Table(hands=["Sentry"], decks=["Silver, Gold, Village"])
    alice, bob = table
    alice.plays("Sentry")
    for card in ("Gold", "Village"):
        assert card in table.log(alice)
        assert card not in table.log(bob)
    alice.topdecks("Gold, Village")
    for card in ("Gold", "Village"):
        assert card not in table.log(bob)


def test_that_sentry_looks_and_at_how_many_is_seen():
    logs = []
    for cards in ("Silver", "Silver, Gold", "Silver, Gold, Duchy"):
        table = Table(hands=["Sentry"], decks=[cards])
        alice, bob = table
        alice.plays("Sentry")
        logs.append(table.log(bob))
    assert len(set(logs)) == 3


def test_what_sentry_trashes_and_discards_is_seen_by_all():
    table = Table(hands=["Sentry"], decks=["Silver, Gold, Village"])
    alice, bob = table
    alice.plays("Sentry")
    alice.trashes("Gold")
    alice.discards("Village")
    assert "Gold" in table.log(bob)
    assert "Village" in table.log(bob)


def test_what_harbinger_puts_back_is_seen_by_its_owner_alone():
    table = Table(hands=["Harbinger"], decks=["Silver"], discards=["Gold, Village, Copper"])
    alice, bob = table
    alice.plays("Harbinger")
    alice.topdecks("Gold")
    assert "Gold" in table.log(alice)
    assert "Gold" not in table.log(bob)
    assert "Village" not in table.log(bob)


def test_the_card_that_harbinger_uncovers_is_seen_by_all():
    table = Table(hands=["2 Harbinger, Village"], decks=["2 Copper"], discards=["Gold, Silver"], players=3, actions=2)
    alice, *_ = table
    alice.plays("Harbinger")
    alice.topdecks("Silver")
    for seat in (*table, None):
        assert table.log(seat).endswith("player_0 uncovers Gold in the discard pile")
    alice.plays("Harbinger")
    alice.topdecks("Gold")
    for seat in (*table, None):
        assert table.log(seat).endswith("player_0 empties the discard pile")


def test_the_log_tells_gains_from_the_trash_from_gains_from_the_supply():
    table = Table(hands=["Thief, Workshop", ""], decks=["", "Silver, Estate"], actions=2)
    alice, bob = table
    alice.plays("Thief")
    alice.trashes("Silver")
    alice.gains("Silver")
    assert "player_0 gains Silver from the trash" in table.log(bob)
    alice.plays("Workshop")
    alice.gains("Silver")
    assert table.log(bob).endswith("player_0 gains Silver")


def test_a_card_that_library_sets_aside_is_seen_and_a_kept_one_is_not():
    table = Table(hands=["Library, 5 Copper"], decks=["Village, Smithy, Gold"])
    alice, bob = table
    alice.plays("Library")
    alice.sets_aside("Village")
    alice.passes()
    assert "Village" in table.log(bob)
    assert "Smithy" not in table.log(bob)
    assert "Smithy" in table.log(alice)


def test_vassals_discard_is_seen_by_all():
    table = Table(hands=["Vassal"], decks=["Duchy"])
    alice, bob = table
    alice.plays("Vassal")
    assert "Duchy" in table.log(bob)


def test_chancellor_shows_that_the_deck_is_turned_over_and_its_former_bottom_card():
    table = Table(hands=["Chancellor"], decks=["Gold, Duchy, Village"])
    alice, bob = table
    alice.plays("Chancellor")
    other = table.copy()
    alice.discards_deck()
    other.seats[0].passes()
    assert table.log(bob) != other.log(other.seats[1])
    assert "Gold" not in table.log(bob)
    assert "Duchy" not in table.log(bob)
    assert "Village" in table.log(bob)
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
        assert table.log(seat) != other.log(other.seats[seat.number])


def test_a_shuffle_is_seen_by_all():
    table = Table(hands=["Market"], discards=["Gold"])
    alice, bob = table
    alice.plays("Market")
    assert "shuffle" in table.log(bob).lower()
    assert "Gold" not in table.log(bob)


def test_clean_up_shows_the_top_of_the_discard_pile_not_the_hand():
    table = Table(hands=["Gold, Duchy, Village"], decks=["5 Curse"])
    alice, bob = table
    alice.ends_turn()
    assert "Gold" not in table.log(bob)
    assert "Duchy" not in table.log(bob)
    assert "Curse" not in table.log(bob)
    assert alice.known_discard == "Village"


def test_turns_and_the_end_of_the_game_are_seen_by_all():
    table = Table(supply={"Province": 1}, phase="buy", coins=8, players=3)
    before = [table.log(seat) for seat in table]
    other = table.copy()
    table.seats[0].buys("Province")
    table.seats[0].ends_turn()
    assert all("end" in table.log(seat).lower() for seat in table)
    other.seats[0].ends_turn()
    assert all("turn" in other.log(seat).lower() for seat in other)
    assert "turn" not in "".join(before).lower()


def test_a_declined_throne_room_names_nothing():
    table = Table(hands=["Throne Room, Festival"])
    alice, bob = table
    alice.plays("Throne Room")
    alice.passes()
    assert "Festival" not in table.log(bob)
