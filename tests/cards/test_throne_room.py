"""Throne Room: play an Action card from your hand twice (first edition: you must, second edition: you may)."""

import pytest

from tests.table import Table


def test_an_action_from_hand_is_played_twice():
    table = Table(hands=["Throne Room, Militia, Copper", "2 Copper"])
    alice, _ = table
    alice.plays("Throne Room")
    assert table.asks(alice, "play", "Throne Room", max_left=1)
    alice.plays("Militia")
    assert table.asks(alice, "action")
    assert table.coins == 4
    assert alice.in_play == "Throne Room, Militia"
    assert alice.hand == "Copper"


def test_neither_play_uses_an_action_and_the_throne_room_uses_one():
    table = Table(hands=["Throne Room, Smithy"], actions=2)
    alice, _ = table
    alice.plays("Throne Room, Smithy")
    assert table.actions == 1


def test_on_village_there_are_four_actions_left():
    table = Table(hands=["Throne Room, Village"], decks=["3 Copper"])
    alice, _ = table
    alice.plays("Throne Room, Village")
    assert table.actions == 4
    assert alice.hand == "2 Copper"


def test_on_market_there_are_two_actions_left():
    table = Table(hands=["Throne Room, Market"])
    alice, _ = table
    alice.plays("Throne Room, Market")
    assert table.actions == 2
    assert table.buys == 3
    assert table.coins == 2


def test_each_different_action_in_hand_is_offered_and_no_other_card():
    table = Table(hands=["2 Throne Room, 2 Village, Smithy, Gardens, Gold, Estate, Curse"])
    alice, _ = table
    alice.plays("Throne Room")
    assert sorted(table.legal) == ["pass", "play Smithy", "play Throne Room", "play Village"]


@pytest.mark.parametrize("edition", [1, 2])
def test_without_an_action_in_hand_nothing_happens(edition):
    table = Table(hands=["Throne Room, Gold, Gardens"], edition=edition)
    alice, _ = table
    alice.plays("Throne Room")
    assert table.asks(alice, "action")
    assert alice.in_play == "Throne Room"
    assert table.actions == 0


def test_second_edition_it_may_be_declined():
    table = Table(hands=["Throne Room, Village"])
    alice, _ = table
    alice.plays("Throne Room")
    assert table.asks(alice, "play", "Throne Room", min_left=0)
    alice.passes()
    assert table.asks(alice, "action")
    assert table.actions == 0
    assert alice.hand == "Village"


def test_first_edition_it_may_not_be_declined_even_if_it_hurts():
    table = Table(hands=["Throne Room, Remodel, Province, Gold"], edition=1)
    alice, _ = table
    alice.plays("Throne Room")
    assert table.asks(alice, "play", "Throne Room", min_left=1)
    assert table.legal == ["play Remodel"]
    alice.plays("Remodel")
    alice.trashes("Province")
    alice.gains("Copper")
    assert table.legal == ["trash Gold"]


def test_first_edition_the_only_action_is_played_without_a_question():
    table = Table(hands=["Throne Room, Festival, Gold"], edition=1, ask_forced=False)
    alice, _ = table
    alice.plays("Throne Room")
    assert alice.in_play == "Throne Room, Festival"
    assert table.coins == 4


def test_second_edition_the_only_action_is_a_question_even_so():
    table = Table(hands=["Throne Room, Festival, Gold"], ask_forced=False)
    alice, _ = table
    alice.plays("Throne Room")
    assert table.asks(alice, "play", "Throne Room")
    assert sorted(table.legal) == ["pass", "play Festival"]


def test_the_first_play_is_resolved_completely_before_the_second():
    table = Table(hands=["Throne Room, Militia", "5 Copper", "5 Estate"])
    alice, bob, carol = table
    alice.plays("Throne Room, Militia")
    assert table.coins == 2
    bob.discards("2 Copper")
    assert table.coins == 2
    carol.discards("2 Estate")
    assert table.coins == 4
    assert table.asks(alice, "action")


def test_a_question_with_one_answer_is_answered_in_the_second_play_too():
    table = Table("Throne Room, Remodel, 2 Estate", ask_forced=False)
    alice, _ = table
    alice.plays("Throne Room, Remodel")
    assert table.trash == "Estate"  # there was nothing else to trash
    alice.gains("Silver")
    assert table.trash == "2 Estate"
    alice.gains("Village")
    assert alice.discard == "Silver, Village"


def test_no_other_card_is_played_between_the_two_plays():
    table = Table(hands=["Throne Room, Remodel, Village, Estate"], actions=2)
    alice, _ = table
    alice.plays("Throne Room, Remodel")
    alice.trashes("Estate")
    assert not [words for words in table.legal if words.startswith("play")]
    alice.gains("Silver")
    assert table.legal == ["trash Village"]


def test_a_drawn_action_is_not_played_by_the_throne_room():
    table = Table(hands=["Throne Room, Village"], decks=["Festival, Copper"])
    alice, _ = table
    alice.plays("Throne Room, Village")
    assert table.asks(alice, "action")
    assert alice.hand == "Festival, Copper"


def test_another_throne_room_in_hand_is_not_needed_for_the_second_play():
    table = Table(hands=["Throne Room, 2 Moat"], decks=["5 Copper"])
    alice, _ = table
    alice.plays("Throne Room, Moat")
    assert alice.hand == "Moat, 4 Copper"
    assert alice.in_play == "Throne Room, Moat"


def test_both_cards_are_discarded_once_in_clean_up():
    table = Table(hands=["Throne Room, Festival"], decks=["5 Copper"])
    alice, _ = table
    alice.plays("Throne Room, Festival")
    alice.ends_turn()
    assert alice.discard == "Throne Room, Festival"


# Throne Room on Throne Room.


def test_throne_room_on_throne_room_plays_two_different_cards_twice_each():
    table = Table(hands=["2 Throne Room, Village, Smithy, Festival"], decks=["9 Copper"])
    alice, _ = table
    alice.plays("Throne Room, Throne Room")
    assert table.asks(alice, "play", "Throne Room")
    alice.plays("Village")
    assert table.asks(alice, "play", "Throne Room")
    assert table.actions == 4
    assert sorted(table.legal) == ["pass", "play Festival", "play Smithy"]
    alice.plays("Smithy")
    assert table.asks(alice, "action")
    assert table.actions == 4
    assert alice.hand == "Festival, 8 Copper"
    assert alice.in_play == "2 Throne Room, Village, Smithy"


def test_throne_room_on_throne_room_plays_two_copies_of_a_name_if_there_are_two():
    table = Table(hands=["2 Throne Room, 2 Festival"])
    alice, _ = table
    alice.plays("Throne Room, Throne Room, Festival")
    assert table.coins == 4
    alice.plays("Festival")
    assert table.coins == 8
    assert table.buys == 5
    assert table.actions == 8


def test_throne_room_on_throne_room_with_one_action_plays_it_twice_not_four_times():
    table = Table(hands=["2 Throne Room, Festival"])
    alice, _ = table
    alice.plays("Throne Room, Throne Room, Festival")
    assert table.asks(alice, "action")
    assert table.coins == 4


@pytest.mark.parametrize("edition", [1, 2])
def test_throne_room_on_throne_room_without_a_further_action_does_nothing(edition):
    table = Table(hands=["2 Throne Room, Gold"], edition=edition)
    alice, _ = table
    alice.plays("Throne Room, Throne Room")
    assert table.asks(alice, "action")
    assert alice.in_play == "2 Throne Room"


def test_the_second_pick_may_be_a_card_that_the_first_one_drew():
    table = Table(hands=["2 Throne Room, Village"], decks=["Copper, Festival"])
    alice, _ = table
    alice.plays("Throne Room, Throne Room, Village")
    assert sorted(table.legal) == ["pass", "play Festival"]
    alice.plays("Festival")
    assert table.coins == 4


def test_second_edition_each_of_the_two_picks_may_be_declined():
    start = Table(hands=["2 Throne Room, Festival, Woodcutter"])
    table = start.copy()
    alice, _ = table
    alice.plays("Throne Room, Throne Room")
    alice.passes()
    assert table.asks(alice, "play", "Throne Room")
    alice.plays("Festival")
    assert table.asks(alice, "action")
    assert table.coins == 4

    table = start.copy()
    alice, _ = table
    alice.plays("Throne Room, Throne Room, Festival")
    alice.passes()
    assert table.asks(alice, "action")
    assert table.coins == 4

    table = start.copy()
    alice, _ = table
    alice.plays("Throne Room, Throne Room")
    alice.passes()
    alice.passes()
    assert table.asks(alice, "action")
    assert table.coins == 0


def test_first_edition_neither_pick_may_be_declined():
    table = Table(hands=["2 Throne Room, Festival, Woodcutter"], edition=1)
    alice, _ = table
    alice.plays("Throne Room, Throne Room")
    assert sorted(table.legal) == ["play Festival", "play Woodcutter"]
    alice.plays("Festival")
    assert table.legal == ["play Woodcutter"]


def test_three_throne_rooms_play_three_cards_twice_each():
    table = Table(hands=["3 Throne Room, Festival, Market, Woodcutter, Village"])
    alice, _ = table
    alice.plays("Throne Room, Throne Room, Throne Room")
    alice.plays("Festival, Market")  # the two plays of the third
    assert table.asks(alice, "play", "Throne Room")
    alice.plays("Woodcutter")  # the second play of the second
    assert table.asks(alice, "action")
    assert table.coins == 2 * (2 + 1 + 2)
    assert table.buys == 1 + 2 * (1 + 1 + 1)
    assert table.actions == 2 * (2 + 1)
    assert alice.hand == "Village"


def test_the_third_throne_room_may_be_picked_second():
    table = Table(hands=["3 Throne Room, Festival, Market, Woodcutter, Village"])
    alice, _ = table
    alice.plays("Throne Room, Throne Room")
    alice.plays("Festival")
    alice.plays("Throne Room")
    alice.plays("Market, Woodcutter")
    assert table.asks(alice, "action")
    assert table.coins == 2 * (2 + 1 + 2)
    assert alice.in_play == "2 Throne Room, Festival, Throne Room, Market, Woodcutter"


def test_thirty_throne_rooms_play_thirty_cards_twice_each():
    table = Table(hands=["30 Throne Room, 30 Festival"], kingdom="Throne Room, Festival")
    alice, _ = table
    alice.plays("30 Throne Room")
    alice.plays("30 Festival")
    assert table.asks(alice, "action")
    assert table.actions == 120
    assert table.coins == 120
    assert table.buys == 61
    assert alice.hand == ""
    assert alice.in_play == "30 Throne Room, 30 Festival"


def test_thirty_throne_rooms_and_nothing_else_do_nothing():
    table = Table(hands=["30 Throne Room"], edition=1)
    alice, _ = table
    alice.plays("30 Throne Room")
    assert table.asks(alice, "action")
    assert table.actions == 0


def test_thirty_throne_rooms_can_all_be_declined_one_after_the_other():
    table = Table(hands=["30 Throne Room, Festival"])
    alice, _ = table
    alice.plays("30 Throne Room")
    for _ in range(30):
        assert table.asks(alice, "play", "Throne Room")
        alice.passes()
    assert table.asks(alice, "action")
    assert alice.hand == "Festival"


def test_thirty_throne_rooms_on_a_witch_hand_out_two_curses_and_ask_twice():
    table = Table(hands=["30 Throne Room, Witch", "Moat"], edition=1)
    alice, bob = table
    alice.plays("30 Throne Room, Witch")
    bob.reveals("Moat")
    bob.passes()
    assert table.asks(alice, "action")
    assert bob.discard == "Curse"


# Throne Room and Vassal.


def test_on_vassal_the_second_play_works_on_the_deck_as_it_is_then():
    table = Table(hands=["Throne Room, Vassal"], decks=["Festival, Copper, Gold"])
    alice, _ = table
    alice.plays("Throne Room, Vassal")
    assert table.asks(alice, "play", "Vassal", card="Festival")
    alice.plays("Festival")
    assert table.asks(alice, "action")
    assert table.coins == 2 + 2 + 2
    assert alice.discard == "Copper"
    assert alice.deck == "Gold"
    assert alice.in_play == "Throne Room, Vassal, Festival"


def test_vassal_may_play_a_throne_room_from_the_discard_pile():
    table = Table(hands=["Vassal, Woodcutter"], decks=["Throne Room"])
    alice, _ = table
    alice.plays("Vassal, Throne Room")
    assert table.asks(alice, "play", "Throne Room")
    alice.plays("Woodcutter")
    assert table.asks(alice, "action")
    assert table.coins == 2 + 4
    assert table.actions == 0
    assert alice.in_play == "Vassal, Throne Room, Woodcutter"
    assert alice.discard == ""


def test_a_throne_room_left_by_vassal_stays_in_the_discard_pile():
    table = Table(hands=["Vassal, Woodcutter"], decks=["Throne Room"])
    alice, _ = table
    alice.plays("Vassal")
    alice.passes()
    assert table.asks(alice, "action")
    assert alice.discard == "Throne Room"


def test_first_edition_the_throne_room_that_vassal_plays_is_mandatory():
    table = Table(hands=["Vassal, Woodcutter"], decks=["Throne Room"], edition=1)
    alice, _ = table
    alice.plays("Vassal")
    assert "pass" in table.legal  # Vassal says "may" in every wording
    alice.plays("Throne Room")
    assert table.legal == ["play Woodcutter"]


def test_a_chain_of_throne_rooms_and_vassals():
    table = Table(hands=["Throne Room, Vassal, Woodcutter"], decks=["Vassal, Throne Room, Festival, Gold"])
    alice, _ = table
    alice.plays("Throne Room, Vassal")  # first play: the second Vassal comes up
    assert table.asks(alice, "play", "Vassal", card="Vassal")
    alice.plays("Vassal")
    assert table.asks(alice, "play", "Vassal", card="Throne Room")
    alice.plays("Throne Room")
    assert table.asks(alice, "play", "Throne Room")
    alice.plays("Woodcutter")
    assert table.asks(alice, "play", "Vassal", card="Festival")  # the first Vassal's second play
    assert table.coins == 2 + 2 + 4 + 2
    alice.plays("Festival")
    assert table.asks(alice, "action")
    assert table.coins == 12
    assert alice.in_play == "Throne Room, 2 Vassal, Throne Room, Woodcutter, Festival"
    assert alice.deck == "Gold"


def test_throne_room_on_throne_room_on_two_vassals():
    table = Table(hands=["2 Throne Room, 2 Vassal"], decks=["Copper, Market, Silver, Estate"])
    alice, _ = table
    alice.plays("Throne Room, Throne Room, Vassal")  # Copper, then Market
    alice.passes()
    alice.plays("Vassal")  # Silver, then Estate
    assert table.asks(alice, "action")
    assert table.coins == 8
    assert alice.discard == "Copper, Market, Silver, Estate"


def test_thirty_vassals_in_the_deck_follow_one_another():
    table = Table(hands=["Throne Room, Vassal"], decks=["30 Vassal"])
    alice, _ = table
    alice.plays("Throne Room, Vassal")
    alice.plays("30 Vassal")
    assert table.asks(alice, "action")
    assert table.coins == 2 * 32
    assert alice.deck == ""


# Cards that move, wait or ask when they are played again.


def test_on_feast_one_trash_and_two_gains():
    table = Table(hands=["Throne Room, Feast"])
    alice, _ = table
    alice.plays("Throne Room, Feast")
    assert table.trash == "Feast"
    alice.gains("Duchy")
    assert table.asks(alice, "gain", "Feast")
    alice.gains("Market")
    assert table.asks(alice, "action")
    assert table.trash == "Feast"
    assert alice.discard == "Duchy, Market"
    assert alice.in_play == "Throne Room"


def test_on_throne_room_on_feast_and_another_feast_four_gains():
    table = Table(hands=["2 Throne Room, 2 Feast"])
    alice, _ = table
    alice.plays("Throne Room, Throne Room, Feast")
    alice.gains("2 Duchy")
    alice.plays("Feast")
    alice.gains("2 Duchy")
    assert table.trash == "2 Feast"
    assert alice.discard == "4 Duchy"


def test_on_merchant_the_first_silver_gives_two_more():
    table = Table(hands=["Throne Room, Merchant, 2 Silver"])
    alice, _ = table
    alice.plays("Throne Room, Merchant")
    alice.ends_action_phase()
    alice.plays("Silver")
    assert table.coins == 4
    alice.plays("Silver")
    assert table.coins == 6


def test_an_attack_opens_its_windows_again_for_the_second_play():
    table = Table(hands=["Throne Room, Witch", "Moat", "Moat"])
    alice, bob, carol = table
    alice.plays("Throne Room, Witch")
    bob.reveals("Moat")
    carol.passes()
    assert table.asks(bob, "reveal", "Moat", card="Witch")
    bob.passes()
    carol.reveals("Moat")
    assert table.asks(alice, "action")
    assert bob.discard == "Curse"
    assert carol.discard == "Curse"


def test_a_throne_room_is_no_attack_and_opens_no_window_itself():
    table = Table(hands=["Throne Room, Witch", "Moat"])
    alice, _ = table
    alice.plays("Throne Room")
    assert table.asks(alice, "play", "Throne Room")


def test_a_moat_drawn_between_the_plays_may_be_revealed_for_the_second():
    table = Table(hands=["2 Throne Room, Council Room, Witch", ""], decks=["", "Moat, Copper"])
    alice, bob = table
    alice.plays("Throne Room, Throne Room, Council Room")
    alice.plays("Witch")
    bob.reveals("Moat")
    bob.reveals("Moat")
    assert bob.discard == ""


def test_all_see_which_card_is_played():
    table = Table(hands=["Throne Room, 2 Village, Copper"], known_hands=["2 Village"])
    alice, _ = table
    alice.plays("Throne Room, Village")
    assert alice.known_hand == "Village"


def test_declining_tells_nothing():
    table = Table(hands=["Throne Room, Village"])
    alice, _ = table
    alice.plays("Throne Room")
    alice.passes()
    assert alice.known_hand == ""


def test_both_plays_are_told():
    table = Table(["Throne Room, Village"])
    alice, bob = table
    alice.plays("Throne Room, Village")
    assert table.log(bob).count("plays Village") == 2
