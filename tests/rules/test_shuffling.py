"""Section 6: the moment at which a deck is shuffled, and the cards that are shuffled in."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from dominion_env import Card, GameBatch, action_id
from tests.rules import fits, uniform
from tests.table import Table, cards

KINGDOM = cards("Cellar, Chancellor, Council Room, Laboratory, Library, Market, Moat, Sentry, Smithy, Spy")


def test_a_deck_that_has_just_become_empty_is_not_shuffled_until_a_card_is_needed():
    table = Table(hands=["Laboratory, Market"], decks=["2 Copper"], discards=["Gold, Silver"])
    alice, _ = table
    alice.plays("Laboratory")
    assert alice.draw_pile == ""
    assert alice.discard == "Gold, Silver"
    alice.plays("Market")
    assert alice.discard == ""
    assert len(alice.draw_pile) == 1


def test_the_cards_already_in_the_deck_are_used_first():
    table = Table(hands=["Smithy"], decks=["Gold, Silver"], discards=["4 Estate"])
    alice, _ = table
    alice.plays("Smithy")
    assert alice.hand == "Gold, Silver, Estate"


def test_if_the_discard_pile_is_empty_too_as_much_is_done_as_possible():
    table = Table(hands=["Smithy"], decks=["Gold"])
    alice, _ = table
    alice.plays("Smithy")
    assert alice.hand == "Gold"


def test_the_whole_discard_pile_is_shuffled_and_nothing_else():
    table = Table(
        hands=["Market, Estate", "Copper"],
        discards=["2 Gold, Silver", "Duchy"],
        in_play=["Village"],
        set_aside=["Curse"],
        trash="Province",
    )
    alice, bob = table
    alice.plays("Market")
    drawn = Counter(alice.hand) - Counter({"Estate": 1})
    assert drawn + Counter(alice.draw_pile) == {"Gold": 2, "Silver": 1}
    assert alice.in_play == "Village, Market"
    assert bob.discard == "Duchy"


def test_cards_in_play_that_are_being_carried_out_are_not_shuffled_in():
    table = Table(hands=["Throne Room, Smithy"], discards=["2 Copper"])
    alice, _ = table
    alice.plays("Throne Room, Smithy")
    assert alice.hand == "2 Copper"
    assert alice.in_play == "Throne Room, Smithy"


def test_cards_revealed_by_adventurer_are_not_shuffled_in():
    table = Table(hands=["Adventurer"], decks=["Estate, Silver"], discards=["Gold"])
    alice, _ = table
    alice.plays("Adventurer")
    assert alice.hand == "Silver, Gold"
    assert alice.discard == "Estate"
    assert alice.draw_pile == ""


@pytest.mark.parametrize("attack", ["Thief", "Bandit"])
def test_cards_revealed_by_thief_and_bandit_are_not_shuffled_in(attack):
    table = Table(hands=[attack], decks=["", "Estate"], discards=["", "Duchy"])
    alice, bob = table
    alice.plays(attack)
    assert bob.discard == "Estate, Duchy"
    assert bob.draw_pile == ""


def test_cards_looked_at_by_sentry_are_not_shuffled_in():
    table = Table(hands=["Sentry"], decks=["Copper, Estate"], discards=["Duchy"])
    alice, _ = table
    alice.plays("Sentry")
    assert alice.revealed == "Estate, Duchy"
    assert alice.draw_pile == ""


def test_cards_set_aside_by_library_are_not_shuffled_in():
    table = Table(hands=["Library, 5 Copper"], decks=["Village"], discards=["Gold"])
    alice, _ = table
    alice.plays("Library")
    alice.sets_aside("Village")
    assert alice.hand == "5 Copper, Gold"
    assert alice.discard == "Village"


def test_a_card_discarded_later_in_the_same_effect_is_not_shuffled_in():
    table = Table(hands=["Vassal"], discards=["Gold"])
    alice, _ = table
    alice.plays("Vassal")
    assert alice.discard == "Gold"
    assert alice.draw_pile == ""


def test_a_card_gained_later_in_the_same_effect_is_not_shuffled_in():
    table = Table(hands=["Throne Room, Sentry, Workshop"], decks=["Copper"], discards=["Village, Estate"], actions=2)
    alice, _ = table
    alice.plays("Workshop")  # the shuffle comes only with the Sentry
    alice.gains("Silver")
    assert alice.discard == "Village, Estate, Silver"
    alice.plays("Throne Room, Sentry")
    assert alice.hand == "Copper"
    assert len(alice.revealed) == 2
    assert alice.discard == ""


def test_cellars_discards_are_shuffled_in():
    table = Table(hands=["Cellar, 3 Estate"])
    alice, _ = table
    alice.plays("Cellar")
    alice.discards("3 Estate")
    assert alice.hand == "3 Estate"
    assert alice.discard == ""


def test_cards_gained_earlier_in_the_turn_are_shuffled_in():
    table = Table(hands=["Workshop, Market"], actions=2)
    alice, _ = table
    alice.plays("Workshop")
    alice.gains("Silver")
    alice.plays("Market")
    assert alice.hand == "Silver"


def test_putting_cards_onto_an_empty_deck_does_not_shuffle():
    table = Table(hands=["Bureaucrat", "Estate"], discards=["Gold", "Gold"])
    alice, bob = table
    alice.plays("Bureaucrat")
    bob.topdecks("Estate")
    assert alice.draw_pile == "Silver"
    assert bob.draw_pile == "Estate"
    assert alice.discard == "Gold"
    assert bob.discard == "Gold"


def test_chancellor_does_not_shuffle():
    table = Table(hands=["Chancellor"], decks=["Gold"], discards=["Silver"])
    alice, _ = table
    alice.plays("Chancellor")
    alice.discards_deck()
    assert alice.draw_pile == ""
    assert alice.discard == "Silver, Gold"


def test_looking_through_the_discard_pile_does_not_shuffle():
    table = Table(hands=["Harbinger"], decks=["Copper"], discards=["Gold, Silver"])
    alice, _ = table
    alice.plays("Harbinger")
    alice.passes()
    assert alice.discard == "Gold, Silver"
    assert alice.draw_pile == ""


def test_each_player_shuffles_their_own_discard_pile():
    table = Table(hands=["Council Room"], discards=["4 Copper", "Silver", "Gold"])
    alice, bob, carol = table
    alice.plays("Council Room")
    assert (alice.hand, bob.hand, carol.hand) == ("4 Copper", "Silver", "Gold")


def test_a_shuffle_forgets_what_was_known_of_the_discard_pile():
    table = Table(hands=["Market"], discards=["3 Gold"], known_discards=["3 Gold"])
    alice, _ = table
    alice.plays("Market")
    assert alice.known_discard == ""
    assert alice.known_hand == ""


# The shuffle is fair. One position many times, each with a luck of its own.


def many(count: int, seed: int, **seat) -> GameBatch:
    position = {
        "format": 2,
        "edition": 2,
        "num_players": 2,
        "kingdom": KINGDOM,
        "turn_player": 0,
        "phase": "action",
        "actions": 1,
        "buys": 1,
        "coins": 0,
        "players": [{"turns": 3, **seat}, {"turns": 2}],
    }
    return GameBatch(count, start=position, seed=seed, ask_forced=True)


def play(batch: GameBatch, words: str) -> None:
    batch.step(np.full(len(batch.current_player), action_id(words)))


TEN = cards("Copper, Silver, Gold, Estate, Duchy, Province, Curse, Adventurer, Artisan, Bandit")


@pytest.mark.compiled
@pytest.mark.parametrize("zone", ["deck_bag", "discard"])
def test_each_card_is_equally_likely_on_top(zone):
    batch = many(6000, seed=21, hand={"Market": 1}, **{zone: TEN if zone == "discard" else dict.fromkeys(TEN, 1)})
    play(batch, "play Market")
    hands = batch.state["hand"][:, 0]
    assert (hands.sum(axis=1) == 1).all()
    assert uniform(hands.sum(axis=0)[[Card[name.upper()] for name in TEN]])


@pytest.mark.compiled
def test_copies_count_each_for_itself():
    batch = many(6000, seed=22, hand={"Market": 1}, deck_bag={"Copper": 3, "Gold": 1})
    play(batch, "play Market")
    golds = int(batch.state["hand"][:, 0, Card.GOLD].sum())
    assert fits([golds, 6000 - golds], [1, 3])


@pytest.mark.compiled
def test_all_orders_of_three_cards_are_equally_likely():
    batch = many(6000, seed=23, hand={"Chancellor": 1}, deck_bag={"Gold": 1, "Silver": 1, "Copper": 1})
    play(batch, "play Chancellor")
    play(batch, "discard deck")
    orders = Counter(tuple(batch.to_dict(row)["players"][0]["discard"]) for row in range(6000))
    assert set(orders) == set(permutations(["Gold", "Silver", "Copper"]))
    assert uniform(list(orders.values()))


@pytest.mark.compiled
def test_the_pairs_of_a_hand_are_equally_likely():
    five = ["Copper", "Silver", "Gold", "Estate", "Duchy"]
    batch = many(6000, seed=24, hand={"Laboratory": 1}, discard=five)
    play(batch, "play Laboratory")
    hands = batch.state["hand"][:, 0, :5]
    pairs = Counter(tuple(np.flatnonzero(hand)) for hand in hands)
    assert len(pairs) == 10
    assert uniform(list(pairs.values()))


@pytest.mark.compiled
def test_the_order_in_which_cards_were_discarded_does_not_matter():
    batch = many(6000, seed=25, hand={"Market": 1}, discard=["Gold", "Gold", "Silver", "Silver"])
    play(batch, "play Market")
    golds = int(batch.state["hand"][:, 0, Card.GOLD].sum())
    assert uniform([golds, 6000 - golds])


@pytest.mark.compiled
def test_the_same_address_shuffles_alike_and_another_one_does_not():
    first, second, other = (many(200, seed=seed, hand={"Smithy": 1}, discard=2 * TEN) for seed in (26, 26, 27))
    for batch in (first, second, other):
        play(batch, "play Smithy")
    assert np.array_equal(first.state["hand"], second.state["hand"])
    assert not np.array_equal(first.state["hand"], other.state["hand"])


def test_how_many_cards_are_shuffled_is_told():
    table = Table(hands=["Market"], discards=["Gold, Silver, Copper"])
    alice, bob = table
    alice.plays("Market")
    shuffled = next(line for line in table.log(bob).splitlines() if "shuffle" in line)
    assert "3" in shuffled


def hands_drawn(action: str, seed: int) -> list[list[str]]:
    """Return both players' hands for their second turns, from equal decks, after this Action of the first player."""
    table = Table(hands=[action], bags=2 * ["9 Copper, 9 Silver, 9 Gold"], seed=seed)
    alice, bob = table
    alice.plays(action)
    alice.ends_turn()
    bob.ends_turn()
    return [list(alice.hand), list(bob.hand)]


def test_what_one_player_draws_does_not_change_what_another_will_draw():
    for seed in range(5):
        few, many = hands_drawn("Village", seed), hands_drawn("Smithy", seed)
        assert few[1] == many[1]


def test_players_with_equal_decks_do_not_draw_the_same_cards():
    assert any(alice != bob for alice, bob in (hands_drawn("Woodcutter", seed) for seed in range(5)))
