"""A position with an entry that is not what it should be is refused."""

from __future__ import annotations

from typing import Any

import pytest

from dominion_env import (
    Game,
    InvalidPosition,
)
from tests.contracts.positions import TEN, plain_position, refused

NO_NUMBER: list[Any] = [-1, 1.5, 1.0, 0.0, "1", None, True, False, [1], 1_000_001, 2**31, 10**30]
NO_LIST: list[Any] = [5, "Copper", None, True]
NO_COUNTS: list[Any] = [5, "Copper", None, {"Copper": -1}, {"Copper": 1.5}, {"Copper": "1"}, {"Copper": True},
                        {"Copper": None}, {"Kupfer": 1}, {"Copper": 128}, {5: 1}, [5], ["Kupfer"], ["Copper"] * 128,
                        {"Copper": 5, "copper": 7}]  # fmt: skip

TOP_LEVEL: dict[str, list[Any]] = {
    "format": [0, 1, 3, "2", None, True, 2.0, [2]],
    "cards": ["base", "base+extra (40 cards, 0123abcd)", None, 39],
    "edition": [0, 3, "2", [2], 1.5],
    "num_players": [*NO_NUMBER, 0, 7, 2],
    "kingdom": [TEN[:9], [*TEN[:9], "Cellar"], [*TEN[:9], "Gold"], "random", "train", "nonsense", 5, None, [], [TEN, TEN]],
    "start_player": [*NO_NUMBER, 3],
    "turn_player": [*NO_NUMBER, 3],
    "phase": ["night", "", None, 0, ["buy"], {}],
    "actions": NO_NUMBER,
    "buys": NO_NUMBER,
    "coins": NO_NUMBER,
    "merchants": NO_NUMBER,
    "silver_played": [0, 1, "no", None],
    "bought": [0, "no", None],
    "over": [1, "no", None],
    "ended": ["won", 1, None, "provinces"],
    "asked": [*NO_NUMBER, 3],
    "supply": [*NO_COUNTS, {"Witch": 5}, ["Copper"]],
    "trash": NO_COUNTS,
    "players": [*NO_LIST, [], [{}], [{}, {}], [{}, {}, {}, {}], [{}, {}, 5], [{}, {}, None], {}],
    "address": [5, "a", {"seed": -1}, {"seed": 2**64}, {"seed": "1"}, {"index": -1}, {"episode": 1.5}, {"sea": 1},
                {"seed": 1.0}, {"seed": True}, {"episode": 2**63 - 1}, {"index": 2**63 - 1}],
    "streams": [5, {"seats": []}, {"seats": [1, 2]}, {"seats": [1, 2, -1]}, {"seats": [1, 2, "3"]},
                {"seats": [1, 2, 2**64]}, {"seats": 5}, {"setup": 1}, {"seats": [1, 2, 3], "setup": -1}, {"seat": [1]}],
    "decisions": [5, [], [1], [1, 2, -1], [1, 2, "3"], [0, 0, 10**12], None],
    "effects": [5, "text", [5], [{}], [{"effect": "text"}], {"effect": "text"}],
    "question": [{"player": 0}, 5, "what"],
    "format ": [1],
    "colour": ["red"],
}  # fmt: skip

OF_PLAYERS: dict[str, list[Any]] = {
    **dict.fromkeys(("hand", "deck_bag", "known_hand", "known_discard"), NO_COUNTS),
    **dict.fromkeys(("deck_top", "discard", "in_play", "set_aside", "revealed", "chosen"), NO_COUNTS),
    "deck_known": [5, "all", ["all"] * 50, ["me"], [None], [0], [["all"]]],
    "revealed_known": [5, "all", ["all"], ["me"]],
    "turns": [*NO_NUMBER],
    "cards": [{}],
}


@pytest.mark.parametrize("key", list(TOP_LEVEL))
def test_a_position_with_a_wrong_entry_is_refused(key: str) -> None:
    for value in TOP_LEVEL[key]:
        message = refused({**plain_position(), key: value})
        named = key.strip() in message or key in ("num_players", "kingdom", "edition", "ended")
        assert named, (value, message)


@pytest.mark.parametrize("key", list(OF_PLAYERS))
def test_a_position_with_a_wrong_entry_of_a_player_is_refused(key: str) -> None:
    for value in OF_PLAYERS[key]:
        position = plain_position()
        position["players"][2] = {"deck_top": ["Copper"], key: value}
        message = refused(position)
        assert "players[2]" in message, (value, message)


@pytest.mark.parametrize("position", [None, 5, "position", [], [{}], object()])
def test_a_position_that_is_no_dictionary_is_refused(position: Any) -> None:
    with pytest.raises(InvalidPosition, match="dictionary"):
        Game.from_dict(position)


def test_more_than_127_copies_of_a_card_are_refused_wherever_they_lie() -> None:
    supply = {"Copper": 0}
    fine = [{"hand": {"Copper": 100}, "deck_bag": {"Copper": 27}}, {}]
    Game.from_dict({"kingdom": TEN, "supply": supply, "players": fine})
    for players, more in (
        ([{"hand": {"Copper": 100}, "deck_bag": {"Copper": 28}}, {}], {}),
        ([{"hand": {"Copper": 100}}, {"discard": ["Copper"] * 28}], {}),
        (fine, {"trash": {"Copper": 1}}),
        (fine, {"supply": {"Copper": 1}}),
    ):
        assert "128 copies" in refused({"kingdom": TEN, "supply": supply, "players": players, **more})


@pytest.mark.parametrize(("players", "most"), [(1, 400), (2, 400), (3, 640), (6, 640)])
def test_more_cards_than_there_is_room_for_are_refused(players: int, most: int) -> None:
    kingdom = ["Chapel", *TEN[1:]]
    empty = dict.fromkeys(["Copper", "Silver", "Gold", "Estate", "Duchy", "Province", "Curse", *kingdom], 0)
    names = ["Copper", "Silver", "Gold", "Estate", "Duchy", "Province", "Curse"]
    hand = dict.fromkeys(names[: most // 100], 100)
    hand[names[most // 100]] = most % 100
    position = {"kingdom": kingdom, "supply": empty, "players": [{"hand": hand}, *[{}] * (players - 1)]}
    assert sum(Game.from_dict(position).to_dict()["players"][0]["hand"].values()) == most
    message = refused({**position, "trash": {"Chapel": 1}})
    assert str(most + 1) in message
    assert str(most) in message


@pytest.mark.parametrize(
    "zone", ["hand", "deck_top", "deck_bag", "discard", "in_play", "set_aside", "revealed", "chosen"]
)
@pytest.mark.parametrize(("players", "most"), [(2, 400), (3, 640)])
def test_one_player_has_no_more_cards_than_there_is_room_for(zone: str, players: int, most: int) -> None:
    cards = [name for name in ("Copper", "Silver", "Gold", "Estate", "Duchy", "Moat") for _ in range(127)]
    position = {
        "kingdom": TEN,
        "supply": dict.fromkeys(["Copper", "Silver", "Gold", "Estate", "Duchy", "Province", "Curse", *TEN], 0),
    }
    crowd: list[dict[str, Any]] = [{} for _ in range(players - 1)]
    assert f"and {most} cards, got" in refused({**position, "players": [{zone: cards[: most + 1]}, *crowd]})


def test_more_can_not_be_known_than_there_is() -> None:
    for player in (
        {"hand": {"Moat": 1}, "known_hand": {"Moat": 2}},
        {"hand": {"Moat": 1}, "known_hand": {"Gold": 1}},
        {"discard": ["Gold"], "known_discard": {"Gold": 2}},
        {"discard": ["Gold"], "known_discard": {"Moat": 1}},
    ):
        assert "known" in refused({"kingdom": TEN, "players": [player, {}]})


def test_a_position_without_players_can_not_be_in_the_middle_of_a_game() -> None:
    for key, value in {
        "start_player": 1,
        "turn_player": 1,
        "phase": "buy",
        **dict.fromkeys(("actions", "buys", "coins", "merchants"), 5),
        "silver_played": True,
        "bought": True,
        "over": True,
        "ended": "piles",
        "asked": 1,
        "effects": [{}],
        "question": {"player": 0},
        "immune": [1],
        "loot": {"Gold": 1},
    }.items():
        assert key in refused({"kingdom": TEN, key: value})


@pytest.mark.parametrize("key", ["question", "immune", "loot"])
@pytest.mark.parametrize("value", [[[]], {"Gold": 1}, "Gold", 5])
def test_what_belongs_to_an_effect_is_refused_without_one(key: str, value: Any) -> None:
    assert key in refused({**plain_position(), key: value})
