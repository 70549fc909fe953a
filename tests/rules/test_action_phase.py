"""Section 3.1: playing Actions."""

import pytest

from dominion_env import IllegalAction
from tests.table import Table


def test_a_turn_starts_with_one_action_one_buy_and_no_coins():
    table = Table(hands=["Festival"], players=3)
    alice, bob, _ = table
    alice.plays("Festival")
    alice.ends_turn()
    assert table.asks(bob, "action")
    assert (table.actions, table.buys, table.coins) == (1, 1, 0)


def test_playing_an_action_uses_one_action():
    table = Table(hands=["Smithy, Woodcutter"])
    alice, _ = table
    alice.plays("Woodcutter")
    assert table.actions == 0
    assert table.asks(alice, "action")
    assert table.legal == ["pass"]


def test_as_long_as_there_are_actions_more_can_be_played():
    table = Table(hands=["Village, 3 Woodcutter"])
    alice, _ = table
    alice.plays("Village, Woodcutter, Woodcutter")
    assert table.actions == 0
    assert table.legal == ["pass"]
    assert alice.hand == "Woodcutter"


def test_each_different_action_in_hand_is_offered_once():
    table = Table(hands=["2 Village, Moat, Militia, Copper, Estate, Gardens, Curse"])
    assert sorted(table.legal) == ["pass", "play Militia", "play Moat", "play Village"]


def test_playing_an_action_is_never_compulsory():
    table = Table(hands=["Village"])
    alice, _ = table
    alice.ends_action_phase()
    assert table.asks(alice, "buy")
    assert alice.hand == "Village"


def test_treasures_are_not_played_in_the_action_phase():
    table = Table(hands=["Copper, Village"])
    assert "play Copper" not in table.legal


def test_nothing_is_bought_in_the_action_phase():
    table = Table(hands=["Village"], coins=8)
    assert not [words for words in table.legal if words.startswith("buy")]


def test_a_played_card_lies_in_play_until_clean_up():
    table = Table(hands=["Village, Woodcutter"])
    alice, _ = table
    alice.plays("Village, Woodcutter")
    assert alice.in_play == "Village, Woodcutter"
    assert alice.discard == ""


def test_text_below_the_line_is_not_carried_out_when_the_card_is_played():
    table = Table(hands=["Moat, Militia", "5 Copper"], actions=2, decks=["3 Gold"])
    alice, bob = table
    alice.plays("Moat")
    assert table.asks(alice, "action")
    assert alice.hand == "Militia, 2 Gold"
    alice.plays("Militia")
    bob.discards("2 Copper")


@pytest.mark.parametrize(
    "card",
    [
        *("Adventurer", "Cellar", "Chapel", "Harbinger", "Laboratory", "Library", "Mine", "Moneylender", "Remodel"),
        *("Sentry", "Smithy", "Throne Room", "Vassal"),
    ],
)
def test_a_card_may_be_played_although_its_text_finds_nothing(card):
    table = Table(hands=[card])
    alice, _ = table
    alice.plays(card)
    assert table.asks(alice, "action")
    assert alice.in_play == card


def test_a_workshop_may_be_played_although_no_pile_fits():
    table = Table(
        hands=["Workshop"],
        kingdom="Festival, Laboratory, Library, Market, Mine, Sentry, Witch, Adventurer, Artisan",
        supply=dict.fromkeys(("Copper", "Curse", "Estate", "Silver", "Workshop"), 0),
    )
    alice, _ = table
    alice.plays("Workshop")
    assert table.asks(alice, "action")
    assert alice.discard == ""


@pytest.mark.parametrize("card", ["Workshop", "Artisan", "Feast", "Remodel"])
def test_cards_are_gained_only_from_the_piles_of_the_game(card):
    table = Table(f"{card}, Gold")
    alice, _ = table
    in_the_supply = {f"gain {name}" for name in table.supply}
    alice.plays(card)
    if card == "Remodel":
        alice.trashes("Gold")
    assert table.legal <= in_the_supply
    assert "gain Thief" not in table.legal


def test_what_can_be_done_of_a_card_must_be_done():
    table = Table(hands=["Smithy"], decks=["2 Gold"])
    alice, _ = table
    alice.plays("Smithy")
    assert alice.hand == "2 Gold"


def test_an_action_is_resolved_completely_before_the_next_one():
    table = Table(hands=["Village, Workshop, Smithy"])
    alice, _ = table
    alice.plays("Village, Workshop")
    assert all(words.startswith("gain ") for words in table.legal)
    alice.gains("Silver")
    assert table.asks(alice, "action")
    assert "play Smithy" in table.legal


def test_all_is_resolved_before_the_buy_phase():
    table = Table(hands=["Militia", "5 Copper"])
    alice, bob = table
    alice.plays("Militia")
    assert table.asks(bob, "discard")
    bob.discards("2 Copper")
    assert table.asks(alice, "action")
    alice.ends_action_phase()
    assert table.asks(alice, "buy")


def test_there_is_no_way_back_to_the_action_phase():
    table = Table(hands=["Village, Smithy, Copper"])
    alice, _ = table
    alice.plays("Village")
    alice.ends_action_phase()
    assert table.actions == 2
    assert not {"play Smithy", "play Village"} & set(table.legal)
    alice.plays("Copper")
    assert "play Smithy" not in table.legal


def test_actions_left_over_are_lost():
    table = Table(hands=["Village", "Woodcutter"])
    alice, bob = table
    alice.plays("Village")
    alice.ends_turn()
    assert table.actions == 1
    bob.plays("Woodcutter")
    assert table.actions == 0


def test_a_card_that_is_not_in_hand_cannot_be_played():
    table = Table(hands=["Village"], decks=["Smithy"])
    with pytest.raises(IllegalAction):
        table.game.apply("play Smithy")
    assert table.game.to_dict() == table.position


def test_without_forced_questions_a_phase_with_nothing_to_play_is_left_by_itself():
    table = Table(hands=["3 Copper, Estate"], ask_forced=False)
    alice, _ = table
    assert table.asks(alice, "buy")
    table = Table(hands=["Woodcutter, Village"], ask_forced=False)
    alice, _ = table
    alice.plays("Woodcutter")
    assert table.asks(alice, "buy")
    assert table.phase == "buy"


def test_with_an_action_in_hand_the_phase_is_asked_for():
    table = Table(hands=["Village"], ask_forced=False)
    alice, _ = table
    assert table.asks(alice, "action")
    assert sorted(table.legal) == ["pass", "play Village"]
