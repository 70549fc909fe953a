"""Section 2: pile sizes, starting decks, the start of a turn."""

from collections import Counter
from math import comb

import numpy as np
import pytest

from dominion_env import Card, Game, GameBatch, InvalidOption
from dominion_env.tables.cards import KINGDOM_CARDS
from tests.rules import fits
from tests.table import cards

KINGDOM = cards("Cellar, Chapel, Gardens, Market, Mine, Moat, Smithy, Village, Witch, Workshop")


def supply(players: int, **options) -> Counter[str]:
    return Counter(Game(num_players=players, kingdom=KINGDOM, **options).to_dict()["supply"])


PILES = ("Copper", "Silver", "Gold", "Estate", "Duchy", "Province", "Curse", "Gardens")


@pytest.mark.parametrize("edition", [1, 2])
@pytest.mark.parametrize(
    ("players", "sizes"),
    [
        (1, (53, 40, 30, 8, 8, 8, 10, 8)),
        (2, (46, 40, 30, 8, 8, 8, 10, 8)),
        (3, (39, 40, 30, 12, 12, 12, 20, 12)),
        (4, (32, 40, 30, 12, 12, 12, 30, 12)),
        (5, (85, 80, 60, 12, 12, 15, 40, 12)),
        (6, (78, 80, 60, 12, 12, 18, 50, 12)),
    ],
)
def test_pile_sizes_by_number_of_players(players, sizes, edition):
    piles = dict(zip(PILES, sizes, strict=True))
    others = dict.fromkeys((name for name in KINGDOM if name != "Gardens"), 10)
    assert supply(players, edition=edition) == {**piles, **others}


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5, 6])
def test_there_are_seventeen_piles_and_curses_without_a_witch_too(players):
    game = Game(num_players=players, kingdom="first-game-2e")
    piles = Counter(game.to_dict()["supply"])
    assert len(piles) == 17
    assert all(piles.values())
    assert "Curse" in piles


@pytest.mark.parametrize("name", [card.title for card in KINGDOM_CARDS if card != Card.GARDENS])
def test_every_kingdom_pile_but_gardens_holds_ten(name):
    kingdom = [name, *(other for other in KINGDOM if other not in (name, "Gardens"))][:10]
    kingdom = list(dict.fromkeys([*kingdom, "Festival", "Militia"]))[:10]
    for players in (2, 4):
        game = Game(num_players=players, kingdom=kingdom)
        assert game.to_dict()["supply"][name] == 10


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5, 6])
def test_each_player_starts_with_seven_coppers_and_three_estates_five_of_them_in_hand(players):
    game = Game(num_players=players, kingdom="first-game-2e", seed=7)
    seats = game.to_dict()["players"]
    assert len(seats) == players
    for seat in seats:
        hand, bag = Counter(seat["hand"]), Counter(seat["deck_bag"])
        assert hand.total() == 5
        assert hand + bag == {"Copper": 7, "Estate": 3}
        for zone in ("deck_top", "discard", "in_play", "set_aside", "revealed", "chosen"):
            assert list(seat[zone]) == []


def test_the_hands_of_the_first_two_turns_are_together_the_ten_starting_cards():
    game = Game(num_players=3, kingdom="first-game-2e", seed=3, ask_forced=True)
    hands = [Counter(seat["hand"]) for seat in game.to_dict()["players"]]
    for _ in range(3):
        game.apply("pass")
        game.apply("buy Copper")
        game.apply("pass")
    for number, seat in enumerate(game.to_dict()["players"]):
        assert hands[number] + Counter(seat["hand"]) == {"Copper": 7, "Estate": 3}


def test_nobody_can_play_an_action_in_their_first_two_turns():
    for seed in range(10):
        game = Game(num_players=2, kingdom="first-game-2e", seed=seed, auto_treasures=True)
        for _ in range(4):
            assert game.phase == "buy"
            legal = game.legal_actions()
            game.apply("buy Cellar" if "buy Cellar" in legal else "pass")


def test_the_first_turn_starts_with_one_action_one_buy_and_no_coins():
    game = Game(num_players=2, kingdom="first-game-2e", ask_forced=True, first_player=1)
    assert game.phase == "action"
    assert (game.actions, game.buys, game.coins) == (1, 1, 0)
    assert game.current_player == 1
    position = game.to_dict()
    assert position["turn_player"] == 1
    assert position["start_player"] == 1
    assert [seat["turns"] for seat in position["players"]] == [0, 1]


def test_the_trash_is_empty_at_the_start():
    assert Counter(Game(num_players=2, kingdom="first-game-2e").to_dict()["trash"]).total() == 0


def test_the_next_episode_starts_with_a_fresh_supply_and_an_empty_trash():
    batch = GameBatch(4, num_players=2, kingdom=KINGDOM, seed=1)
    fresh = batch.state["supply"].copy()
    for _ in range(200):
        batch.step(batch.sample_actions())
    batch.reset()
    assert np.array_equal(batch.state["supply"], fresh)
    assert not batch.state["trash"].any()


def test_the_next_episode_starts_with_starting_decks_and_a_first_turn():
    batch = GameBatch(2, kingdom="size-distortion-2e", seed=3)
    while not batch.state["trash"].any(axis=1).all():
        batch.step(batch.sample_actions())
    batch.reset()
    assert (batch.turns.sum(axis=1) == 1).all()
    for row in range(2):
        position = batch.to_dict(row)
        assert (position["actions"], position["buys"], position["coins"], position["merchants"]) == (1, 1, 0, 0)
        for player in position["players"]:
            assert Counter(player["hand"]).total() == 5
            assert Counter(player["hand"]) + Counter(player["deck_bag"]) == {"Copper": 7, "Estate": 3}
            assert not any(
                player[zone] for zone in ("deck_top", "discard", "in_play", "set_aside", "revealed", "chosen")
            )


def test_starting_cards_are_worth_three_points():
    assert list(Game(num_players=4, kingdom="first-game-2e").scores) == [3, 3, 3, 3]


@pytest.mark.parametrize("players", [0, 7, -1])
def test_other_numbers_of_players_are_refused(players):
    with pytest.raises(InvalidOption):
        Game(num_players=players, kingdom="first-game-2e")


@pytest.mark.parametrize("edition", [0, 3])
def test_there_are_two_editions(edition):
    with pytest.raises(InvalidOption):
        Game(num_players=2, kingdom="first-game-2e", edition=edition)


@pytest.mark.compiled
@pytest.mark.parametrize("players", [2, 4])
def test_starting_hands_are_five_of_ten_cards_at_random(players):
    batch = GameBatch(6000, num_players=players, kingdom="first-game-2e", seed=11, ask_forced=True)
    shares = [comb(3, estates) * comb(7, 5 - estates) / comb(10, 5) for estates in range(4)]
    for seat in range(players):
        estates = batch.state["hand"][:, seat, Card.ESTATE]
        assert fits(np.bincount(estates, minlength=4), shares)


@pytest.mark.compiled
def test_the_hands_of_two_players_are_independent():
    batch = GameBatch(8000, num_players=2, kingdom="first-game-2e", seed=12, ask_forced=True)
    estates = batch.state["hand"][:, :, Card.ESTATE]
    shares = [comb(3, k) * comb(7, 5 - k) / comb(10, 5) for k in range(4)]
    pairs = np.bincount(2 * np.minimum(estates[:, 0] // 2, 1) + np.minimum(estates[:, 1] // 2, 1), minlength=4)
    few, many = shares[0] + shares[1], shares[2] + shares[3]
    assert fits(pairs, [few * few, few * many, many * few, many * many])


@pytest.mark.compiled
def test_five_coppers_in_one_of_the_first_two_hands_happen_once_in_six_games():
    batch = GameBatch(6000, num_players=2, kingdom="first-game-2e", seed=13, ask_forced=True)
    coppers = batch.state["hand"][:, 0, Card.COPPER]
    splits = int(((coppers == 5) | (coppers == 2)).sum())
    assert fits([splits, 6000 - splits], [1 / 6, 5 / 6])
