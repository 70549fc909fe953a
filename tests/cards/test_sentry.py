"""Sentry: +1 Card, +1 Action. Look at the top 2 cards of your deck: trash, discard or put back each of them."""

import pytest

from tests.table import Seat, Table


def answers(alice: Seat, verb: str, card: str) -> None:
    {"trash": alice.trashes, "discard": alice.discards, "topdeck": alice.topdecks}[verb](card)


def test_a_card_is_drawn_and_the_action_comes_back_before_the_player_looks():
    table = Table(hands=["Sentry"], decks=["Copper, Silver, Gold, Estate"])
    alice, _ = table
    alice.plays("Sentry")
    assert alice.hand == "Copper"
    assert table.actions == 1
    assert alice.revealed == "Silver, Gold"
    assert alice.deck == "Estate"


@pytest.mark.parametrize("silver", ["trash", "discard", "topdeck"])
@pytest.mark.parametrize("gold", ["trash", "discard", "topdeck"])
def test_each_of_the_two_cards_is_trashed_discarded_or_put_back(silver, gold):
    table = Table(hands=["Sentry"], decks=["Copper, Silver, Gold, Estate"])
    alice, _ = table
    alice.plays("Sentry")
    assert table.asks(alice, "trash", "Sentry")
    assert len(table.legal) == 6
    assert "pass" not in table.legal
    answers(alice, silver, "Silver")
    assert sorted(table.legal) == ["discard Gold", "topdeck Gold", "trash Gold"]
    answers(alice, gold, "Gold")
    assert table.asks(alice, "action")
    done = {
        verb: [card for card, said in (("Silver", silver), ("Gold", gold)) if said == verb] for verb in (silver, gold)
    }
    assert table.trash == done.get("trash", [])
    assert alice.discard == done.get("discard", [])
    assert alice.deck == [*reversed(done.get("topdeck", [])), "Estate"]
    assert alice.revealed == ""


def test_either_card_may_be_answered_first():
    table = Table(hands=["Sentry"], decks=["Copper, Silver, Gold"])
    alice, _ = table
    alice.plays("Sentry")
    alice.trashes("Gold")
    assert sorted(table.legal) == ["discard Silver", "topdeck Silver", "trash Silver"]


@pytest.mark.parametrize(("first", "second"), [("Silver", "Gold"), ("Gold", "Silver")])
def test_of_two_cards_put_back_the_last_one_named_is_on_top(first, second):
    table = Table(hands=["Sentry"], decks=["Copper, Silver, Gold, Estate"])
    alice, _ = table
    alice.plays("Sentry")
    alice.topdecks(f"{first}, {second}")
    assert alice.deck == f"{second}, {first}, Estate"


@pytest.mark.parametrize(("first", "second"), [("Silver", "Gold"), ("Gold", "Silver")])
def test_of_two_cards_discarded_the_last_one_named_is_on_top(first, second):
    table = Table(hands=["Sentry"], decks=["Copper, Silver, Gold"], discards=["Estate"])
    alice, _ = table
    alice.plays("Sentry")
    alice.discards(f"{first}, {second}")
    assert alice.discard == f"Estate, {first}, {second}"


def test_nothing_moves_before_both_cards_have_an_answer():
    table = Table(hands=["Sentry"], decks=["Copper, Silver, Gold"])
    alice, _ = table
    alice.plays("Sentry")
    alice.trashes("Silver")
    assert table.trash == ""
    assert alice.revealed == "Silver, Gold"
    alice.topdecks("Gold")
    assert table.trash == "Silver"
    assert alice.deck == "Gold"


def test_two_equal_cards_may_have_different_answers():
    table = Table(hands=["Sentry"], decks=["Copper, 2 Curse"])
    alice, _ = table
    alice.plays("Sentry")
    assert sorted(table.legal) == ["discard Curse", "topdeck Curse", "trash Curse"]
    alice.trashes("Curse")
    assert sorted(table.legal) == ["discard Curse", "topdeck Curse", "trash Curse"]
    alice.discards("Curse")
    assert table.trash == "Curse"
    assert alice.discard == "Curse"


def test_one_card_in_all_is_one_decision():
    table = Table(hands=["Sentry"], decks=["Copper, Gold"])
    alice, _ = table
    alice.plays("Sentry")
    assert sorted(table.legal) == ["discard Gold", "topdeck Gold", "trash Gold"]
    alice.topdecks("Gold")
    assert table.asks(alice, "action")
    assert alice.deck == "Gold"


def test_no_card_is_no_decision():
    table = Table(hands=["Sentry"], decks=["Copper"])
    alice, _ = table
    alice.plays("Sentry")
    assert table.asks(alice, "action")
    assert alice.hand == "Copper"


def test_a_shuffle_for_the_second_card_leaves_out_the_first():
    table = Table(hands=["Sentry"], decks=["Copper, Gold"], discards=["2 Estate"])
    alice, _ = table
    alice.plays("Sentry")
    assert alice.revealed == "Gold, Estate"
    assert alice.draw_pile == "Estate"
    assert alice.discard == ""


def test_the_draw_may_shuffle_and_leaves_out_the_sentry():
    table = Table(hands=["Sentry"], discards=["3 Estate"])
    alice, _ = table
    alice.plays("Sentry")
    assert alice.hand == "Estate"
    assert alice.revealed == "2 Estate"
    assert alice.in_play == "Sentry"


def test_cards_go_back_onto_an_empty_deck_without_a_shuffle():
    table = Table(hands=["Sentry"], decks=["Copper, Gold, Silver"], discards=["5 Estate"])
    alice, _ = table
    alice.plays("Sentry")
    alice.topdecks("Gold, Silver")
    assert alice.draw_pile == "Gold, Silver"
    assert alice.discard == "5 Estate"


def test_throne_room_the_second_play_works_on_the_deck_as_it_is_then():
    table = Table(hands=["Throne Room, Sentry"], decks=["Copper, Silver, Gold, Estate, Duchy"])
    alice, _ = table
    alice.plays("Throne Room, Sentry")
    alice.topdecks("Silver, Gold")
    assert alice.hand == "Copper, Gold"
    assert alice.revealed == "Silver, Estate"
    alice.discards("Silver")
    alice.trashes("Estate")
    assert table.actions == 2
    assert alice.discard == "Silver"
    assert table.trash == "Estate"
    assert alice.deck == "Duchy"


def test_throne_room_the_second_play_may_look_at_what_the_first_one_discarded():
    table = Table(hands=["Throne Room, Sentry"], decks=["Copper, Silver, Gold"])
    alice, _ = table
    alice.plays("Throne Room, Sentry")
    alice.trashes("Silver")
    alice.discards("Gold")
    assert alice.hand == "Copper, Gold"
    assert table.asks(alice, "action")


def test_it_concerns_nobody_else():
    table = Table(hands=["Sentry", "Moat"], decks=["3 Copper", "2 Gold"])
    alice, bob = table
    alice.plays("Sentry")
    assert table.asks(alice, "trash", "Sentry")
    assert bob.deck == "2 Gold"


def test_the_cards_looked_at_are_seen_by_their_owner_alone():
    table = Table(hands=["Sentry"], decks=["Copper, Silver, Gold"])
    alice, _ = table
    alice.plays("Sentry")
    assert alice.revealed_known == ["owner", "owner"]


def test_what_is_put_back_is_known_to_its_owner_alone():
    table = Table(hands=["Sentry"], decks=["Copper, Silver, Gold, Estate"])
    alice, _ = table
    alice.plays("Sentry")
    alice.topdecks("Gold, Silver")
    assert alice.deck_known == ["owner", "owner", "nobody"]


def test_of_two_cards_discarded_only_the_top_one_is_known():
    table = Table(hands=["Sentry"], decks=["Copper, Silver, Gold"], discards=["Duchy, Estate"])
    alice, _ = table
    alice.plays("Sentry")
    alice.discards("Silver, Gold")
    assert alice.known_discard == "Estate, Gold"


def test_one_discarded_card_is_known():
    table = Table(hands=["Sentry"], decks=["Copper, Silver, Gold"])
    alice, _ = table
    alice.plays("Sentry")
    alice.discards("Silver")
    alice.trashes("Gold")
    assert alice.known_discard == "Silver"


def test_trashing_comes_before_discarding_whatever_was_answered_first():
    table = Table(["Sentry"], decks=["Silver, Gold, Village"])
    alice, bob = table
    alice.plays("Sentry")
    alice.discards("Gold")
    assert (table.trash, alice.discard) == ("", "")  # until both cards have an answer
    alice.trashes("Village")
    log = table.log(bob)
    assert log.index("trashes Village") < log.index("discards Gold")


def test_it_is_told_how_many_cards_are_left_to_sort():
    table = Table(["Sentry"], decks=["Silver, Gold, Village"])
    alice, _ = table
    alice.plays("Sentry")
    assert table.asks(alice, "trash", "Sentry", min_left=2, max_left=2)
    alice.topdecks("Gold")
    assert table.asks(alice, "trash", "Sentry", card="Village", min_left=1, max_left=1)
