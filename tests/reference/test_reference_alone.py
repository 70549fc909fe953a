"""The reference engine on its own: it must be trusted before anything is compared with it."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from dominion_env import CARDS, KINGDOMS, Card, Type
from dominion_env.tables.kingdoms import resolve

from .engine import (
    ACTIONS,
    ATTACKS,
    BASE_CARDS,
    CARD_NAMES,
    COST,
    POOLS,
    RECOMMENDED,
    TEXT,
    CardInPlay,
    ReferenceGame,
    Stream,
    starting_supply,
)
from .play import RandomPlayer, random_kingdom, random_position


def table(
    hand: str,
    *others: str,
    deck: str = "",
    discard: str = "",
    edition: int = 2,
    kingdom: str = "first-game-2e",
    **more: Any,
) -> ReferenceGame:
    """Return a game from a position in words: the first player's hand, deck and discard pile, and the other hands."""
    players: list[dict[str, Any]] = [{"hand": counts(words), "turns": 3} for words in (hand, *others)]
    players[0] |= {"deck_top": cards(deck), "discard": cards(discard)}
    options = {name: more.pop(name) for name in ("ask_forced", "auto_treasures", "max_turns") if name in more}
    start = {"num_players": len(players), "kingdom": RECOMMENDED[kingdom][1].split(", "), "edition": edition}
    return ReferenceGame(start={**start, "players": players, **more}, **options)


def counts(words: str) -> Counter[str]:
    return Counter(cards(words))


def cards(words: str) -> list[str]:
    return words.split(", ") if words else []


def hand(game: ReferenceGame, player: int = 0) -> Counter[str]:
    return game.seats[player].hand


def play(game: ReferenceGame, *answers: str) -> None:
    for answer in answers:
        game.apply(answer)


def all_cards(game: ReferenceGame) -> Counter[str]:
    total = game.supply + game.trash
    for seat in game.seats:
        total += seat.owned_cards()
    return total


# --- tables ---


def test_every_action_card_has_a_text_and_nothing_else_has() -> None:
    assert set(TEXT) == ACTIONS


def test_its_cards_and_kingdoms_are_those_of_the_frozen_base_game() -> None:
    assert [info.name for info in CARDS] == CARD_NAMES
    assert [COST[name] for name in CARD_NAMES] == [info.cost for info in CARDS]
    assert {info.name for info in CARDS if Type.ATTACK in info.types} == ATTACKS
    assert {name: sorted(names.split(", ")) for name, (_, names) in RECOMMENDED.items()} == {
        name: sorted(card.title for card in kingdom) for name, kingdom in KINGDOMS.items()
    }
    for name, (pool, *_) in POOLS.items():
        assert sorted(pool) == [Card(number).title for number in resolve(name).pool]


@pytest.mark.parametrize(
    ("num_players", "piles"),
    [
        (1, [53, 40, 30, 8, 8, 8, 10]),
        (2, [46, 40, 30, 8, 8, 8, 10]),
        (3, [39, 40, 30, 12, 12, 12, 20]),
        (4, [32, 40, 30, 12, 12, 12, 30]),
        (5, [85, 80, 60, 12, 12, 15, 40]),
        (6, [78, 80, 60, 12, 12, 18, 50]),
    ],
)
def test_pile_sizes(num_players: int, piles: list[int]) -> None:
    supply = starting_supply(num_players, ["Gardens", "Smithy"])
    assert [supply[card] for card in BASE_CARDS] == piles
    assert supply["Gardens"] == (8 if num_players <= 2 else 12)
    assert supply["Smithy"] == 10


def test_streams_stay_within_64_bits() -> None:
    stream = Stream.of_address(-1, 2**70, 3, 0)
    values = [stream.below(10) for _ in range(2_000)]
    assert set(values) == set(range(10))
    assert 0 <= stream.state < 2**64


# --- random games ---


@pytest.mark.parametrize("seed", range(4))
def test_cards_are_conserved_in_real_games(seed: int) -> None:
    rng = random.Random(seed)
    num_players = rng.randint(1, 6)
    game = ReferenceGame(num_players, random_kingdom(rng), rng.choice([1, 2]), seed, max_turns=25)
    play_to_the_end(game, RandomPlayer(rng))
    assert all(seat.turns <= 25 for seat in game.seats)


@pytest.mark.parametrize("seed", range(8))
def test_cards_are_conserved_from_strange_positions(seed: int) -> None:
    rng = random.Random(seed)
    options = {"ask_forced": rng.random() < 0.3, "auto_treasures": rng.random() < 0.5}
    game = ReferenceGame(start=random_position(rng), max_turns=12, **options)
    play_to_the_end(game, RandomPlayer(rng))


def play_to_the_end(game: ReferenceGame, player: RandomPlayer) -> None:
    cards_at_start = all_cards(game)
    while (question := game.question) is not None:
        assert len(question.legal) == len(set(question.legal)) >= (1 if game.ask_forced else 2)
        assert game.supply.total() == 0 or min(game.supply.values()) >= 0
        zones = game.zones()
        for seat, public in zip(game.seats, zones["players"], strict=True):
            held = seat.hand + Counter(seat.chosen)
            assert all(number <= held[card] for card, number in public["known_hand"].items())
            lying = Counter(seat.discard)
            assert all(number <= lying[card] for card, number in public["known_discard"].items())
        game.apply(player.answer(question.kind, question.legal))
        assert all_cards(game) == cards_at_start
    assert game.over
    assert game.ended


# --- rulings ---


def test_hands_of_the_first_two_turns_are_the_ten_starting_cards() -> None:
    game = ReferenceGame(2, seed=5, auto_treasures=True)
    first, seen = game.turn_player, Counter[str]()
    for _ in range(4):
        if game.turn_player == first:
            seen += hand(game, first) + Counter(card.name for card in game.seats[first].in_play)
        play(game, "pass")
    assert seen == counts("Copper, Copper, Copper, Copper, Copper, Copper, Copper, Estate, Estate, Estate")


def test_throne_room_on_throne_room_plays_two_cards_twice_each() -> None:
    game = table("Throne Room, Throne Room, Village, Market")
    play(game, "play Throne Room", "play Throne Room", "play Village", "play Market")
    assert (game.actions, game.buys, game.coins) == (4 + 2, 1 + 2, 2)
    assert [card.name for card in game.seats[0].in_play] == ["Throne Room", "Throne Room", "Village", "Market"]


def test_throne_room_is_mandatory_in_the_first_wording_only() -> None:
    first = table("Throne Room, Chapel, Village, Copper", edition=1)
    play(first, "play Throne Room")
    assert first.legal_actions() == ["play Chapel", "play Village"]
    second = table("Throne Room, Village, Copper")
    play(second, "play Throne Room")
    assert second.legal_actions() == ["play Village", "pass"]


def test_a_throned_feast_is_trashed_once_and_leaves_other_feasts_in_play() -> None:
    game = table("Throne Room, Feast, Copper", edition=1)
    game.seats[0].in_play.insert(0, CardInPlay("Feast"))
    play(game, "play Throne Room", "gain Silver", "gain Duchy")
    assert game.trash == {"Feast": 1}
    assert [card.name for card in game.seats[0].in_play] == ["Feast", "Throne Room"]
    assert game.seats[0].discard == ["Silver", "Duchy"]


def test_each_throned_attack_has_its_own_moat_window() -> None:
    game = table("Throne Room, Militia", "Moat, Estate, Copper, Silver, Gold", edition=1)
    play(game, "play Throne Room", "reveal Moat")
    assert game.question is not None
    assert (game.question.source, game.question.player) == ("Moat", 1)
    play(game, "pass")
    assert game.question.source == "Militia"
    assert game.question.min_left == 2


def test_library_leaves_the_set_aside_cards_out_of_the_shuffle() -> None:
    game = table("Library, Estate", deck="Smithy", discard="Copper, Copper")
    play(game, "play Library", "set aside Smithy")
    assert game.question is not None
    assert game.question.kind == "buy"
    assert hand(game) == counts("Estate, Copper, Copper")
    assert game.seats[0].discard == ["Smithy"]


def test_the_cellar_draws_what_it_has_just_discarded() -> None:
    game = table("Cellar, Estate, Estate, Duchy")
    play(game, "play Cellar", "discard Estate", "discard Duchy", "discard Estate")
    assert hand(game) == counts("Estate, Estate, Duchy")
    assert game.seats[0].discard == []


def test_thief_trashes_one_of_two_equal_treasures_and_gains_only_its_own() -> None:
    start = {"hand": {"Thief": 1}, "turns": 1}
    victim = {"deck_top": ["Silver", "Silver"], "turns": 1}
    options: dict[str, Any] = {"num_players": 2, "kingdom": RECOMMENDED["interaction-1e"][1].split(", ")}
    game = ReferenceGame(start={**options, "players": [start, victim], "trash": {"Gold": 1}})
    play(game, "play Thief")
    assert game.legal_actions() == ["gain Silver", "pass"]
    assert game.seats[1].discard == ["Silver"]
    play(game, "gain Silver")
    assert game.trash == {"Gold": 1}
    assert game.seats[0].discard == ["Silver"]


def test_militia_lays_the_picks_in_order_and_waits_for_all_of_them() -> None:
    game = table("Militia", "Gold, Estate, Estate, Copper, Silver")
    play(game, "play Militia", "discard Gold")
    assert game.seats[1].chosen == ["Gold"]
    assert game.seats[1].discard == []
    play(game, "discard Estate")
    assert game.seats[1].discard == ["Gold", "Estate"]
    assert hand(game, 1) == counts("Estate, Copper, Silver")


def test_chancellor_turns_the_deck_over_without_a_shuffle() -> None:
    game = table("Chancellor", deck="Gold, Silver", discard="Copper", kingdom="interaction-1e", edition=1)
    play(game, "play Chancellor", "discard deck")
    assert game.seats[0].discard == ["Copper", "Gold", "Silver"]
    assert game.coins == 2


def test_vassal_plays_from_the_discard_pile_without_using_an_action() -> None:
    game = table("Vassal", deck="Vassal, Village, Gold", discard="Copper", kingdom="deck-top-2e")
    play(game, "play Vassal", "play Vassal", "play Village")
    assert (game.actions, game.coins) == (2, 4)
    assert hand(game) == counts("Gold")
    assert game.seats[0].discard == ["Copper"]


def test_adventurer_leaves_the_revealed_cards_out_of_the_shuffle() -> None:
    game = table("Adventurer", deck="Estate, Gold, Duchy", discard="Silver", kingdom="big-money-1e", edition=1)
    play(game, "play Adventurer")
    assert hand(game) == counts("Gold, Silver")
    assert game.seats[0].discard == ["Estate", "Duchy"]


def test_the_witch_hands_curses_out_in_turn_order_past_the_moat() -> None:
    game = table("Witch", "Moat", "Estate", "Estate", supply={"Curse": 1})
    play(game, "play Witch", "reveal Moat")
    assert [seat.discard for seat in game.seats] == [[], [], ["Curse"], []]


def test_poacher_counts_the_empty_piles_after_the_draw() -> None:
    game = table("Poacher, Estate", deck="Gold", supply={"Curse": 0, "Mine": 0})
    play(game, "play Poacher", "discard Gold")
    assert game.seats[0].discard == ["Gold", "Estate"]


def test_merchants_count_each_play_and_only_the_first_silver() -> None:
    game = table("Throne Room, Merchant, Silver, Silver", edition=1)
    play(game, "play Throne Room", "play Silver", "play Silver")
    assert game.coins == 6


def test_sentry_puts_the_card_named_last_on_top() -> None:
    game = table("Sentry, Estate", deck="Copper, Gold, Silver", kingdom="deck-top-2e")
    play(game, "play Sentry", "topdeck Silver", "topdeck Gold")
    assert [card.name for card in game.seats[0].deck_top] == ["Gold", "Silver"]


def test_no_treasure_after_a_buy_and_the_province_ends_the_game_after_the_turn() -> None:
    game = table("Copper, Copper", "Estate", coins=8, buys=2, phase="buy", supply={"Province": 1})
    play(game, "buy Province")
    assert "buy Estate" not in game.legal_actions()
    assert game.legal_actions() == ["buy Copper", "buy Curse", "pass"]
    play(game, "pass")
    assert game.over
    assert game.ended == "provinces"
    assert game.scores() == [6, 1]
    assert game.winners() == [0]


def test_gardens_and_the_tie_break() -> None:
    game = table("Gardens, Gardens", "Estate, Estate", discard=", ".join(["Copper"] * 18), over=True)
    assert game.scores() == [4, 2]
    game.seats[1].hand = counts("Duchy, Estate")
    assert game.winners() == [0, 1]
    game.seats[0].turns += 1
    assert game.winners() == [1]


def test_max_turns_truncates_before_the_next_turn() -> None:
    game = ReferenceGame(2, max_turns=3, ask_forced=True)
    while game.legal_actions():
        play(game, "pass")
    assert game.ended == "truncated"
    assert [seat.turns for seat in game.seats] == [3, 3]
