"""A seat with a perfect memory knows what it has chosen and set going in the running turn: its observation tells it.

From one position a turn is played in many ways, with the same luck, so that the same cards are met. Wherever two of these
courses come to the same observation of the seat that is asked, its positions must be the same for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from dominion_env import GameBatch
from dominion_env.compiled.jit import COMPILED

from . import GAMES, choose, game_name, play, sized, strange_positions

TURN = (
    "turn_player", "phase", "actions", "buys", "coins", "merchants", "silver_played", "bought", "supply", "trash", "asked",
    "immune", "loot", "question",
)  # fmt: skip


def own_part(position: dict[str, Any], seat: int) -> dict[str, Any]:
    """Return all of a position that the seat has chosen or set going, or that lies open to it.

    Of cards in a row those count that will lie on top: the order beneath the top of a discard pile shows in nothing that
    the seat may look at.
    """
    me = position["players"][seat]
    deck = [card if knows != "nobody" else None for card, knows in zip(me["deck_top"], me["deck_known"], strict=True)]
    return {
        **{name: position.get(name) for name in TURN},
        "effects": [
            (frame["effect"].replace("replay", "text"), frame["card"], frame["player"], frame["memory"])
            for frame in position.get("effects", [])
        ],
        "draw pile": Counter(me["deck_top"]) + Counter(me["deck_bag"]),
        "next cards": deck[:3],
        **{name: +Counter(me[name]) for name in ("hand", "known_hand", "known_discard")},
        **{name: (Counter(me[name]), me[name][-1:]) for name in ("discard", "in_play", "set_aside", "chosen")},
        "revealed": Counter(me["revealed"]),
    }


def explore(batch: GameBatch, copies: int, answers: int, seed: int) -> int:
    """Play the running turn of each game in many ways. Return how often an observation was met again by another way."""
    seats = np.repeat(batch.current_player, copies)
    turn_player, turns = (np.repeat(batch.state[name], copies, axis=0) for name in ("turn_player", "turns"))
    ways = batch.take(np.repeat(np.arange(len(batch)), copies))
    rng = np.random.default_rng(seed)
    met: list[dict[bytes, tuple[bytes, dict[str, Any]]]] = [{} for _ in range(len(batch))]
    course = np.zeros((len(ways), answers), np.int64)
    again = 0
    going = np.ones(len(ways), bool)
    for number in range(answers):
        state = ways.state
        going &= (state["turn_player"] == turn_player) & (state["turns"] == turns).all(axis=1) & (state["over"] == 0)
        rows = np.flatnonzero(going & (ways.current_player == seats))
        for row, seen in zip(rows, ways.observe()[rows], strict=True):
            way = course[row].tobytes()
            known = met[row // copies]
            if seen.tobytes() not in known:
                known[seen.tobytes()] = way, own_part(ways.to_dict(int(row)), int(seats[row]))
            elif known[seen.tobytes()][0] != way:
                again += 1
                first, now = known[seen.tobytes()][1], own_part(ways.to_dict(int(row)), int(seats[row]))
                differ = {name: (first[name], now[name]) for name in first if first[name] != now[name]}
                assert not differ, f"seat {seats[row]} can't tell apart: {differ}"
        actions = choose(ways, rng)
        course[:, number] = actions + 1
        ways.step(actions)
    return again


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_seat_tells_apart_what_it_has_chosen_from_strange_positions(players: int) -> None:
    start: Sequence[dict[str, Any]] = strange_positions(players, sized(60), seed=12)
    batch = GameBatch(len(start), start=start, autoreset=False, seed=5)
    assert explore(batch, copies=sized(40), answers=14, seed=players) > 100 * COMPILED


@pytest.mark.slow
@pytest.mark.parametrize("options", GAMES[1:], ids=game_name)
def test_a_seat_tells_apart_what_it_has_chosen_in_every_kind_of_game(options: dict[str, Any]) -> None:
    batch = GameBatch(sized(10), seed=61, autoreset=False, max_turns=30, **options)
    again = 0
    for step in play(batch, sized(160), seed=61):
        if step and step % 16 == 0:
            again += explore(batch, copies=sized(30), answers=12, seed=step)
    assert again > 5 * COMPILED  # in some kinds of game few ways meet again


# Many cards that make other cards be played, or that ask several questions, in one hand.
CHAINS = [
    {"hand": {"Throne Room": 3, "Vassal": 2, "Cellar": 1, "Library": 1}, "deck_bag": {"Throne Room": 2, "Vassal": 2}},
    {"hand": {"Village": 2, "Sentry": 2, "Library": 1, "Throne Room": 1}, "deck_bag": {"Village": 3, "Sentry": 3}},
    {"hand": {"Throne Room": 2, "Thief": 2, "Harbinger": 2, "Artisan": 1}, "deck_bag": {"Silver": 3, "Thief": 2}},
    {"hand": {"Throne Room": 2, "Chapel": 1, "Poacher": 2, "Cellar": 1}, "deck_bag": {"Gold": 3, "Throne Room": 2}},
]


@pytest.mark.slow
@pytest.mark.parametrize("chain", range(len(CHAINS)))
def test_a_seat_tells_apart_what_it_has_chosen_in_long_chains(chain: int) -> None:
    me = {**CHAINS[chain], "discard": ["Silver", "Vassal", "Throne Room", "Estate"]}
    others = [{"hand": {"Moat": 1, "Copper": 2}, "deck_bag": {"Copper": 2, "Silver": 2, "Gold": 1}}] * 2
    start = {"num_players": 3, "players": [me, *others], "actions": 3, "turn_player": 0, "trash": {"Copper": 1}}
    batch = GameBatch(1, start=start, autoreset=False, seed=chain)
    assert explore(batch, copies=sized(3000), answers=14, seed=chain) > sized(100)
