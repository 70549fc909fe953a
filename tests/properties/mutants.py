"""Broken input by the thousand: `python -m tests.properties.mutants 20000`.

A mutant is a position, a replay, a set of options, an array of actions or a strategy's text in which one or more places were
changed at random. Each is refused with one of our own errors and changes nothing, or is played on for a while.
"""

from __future__ import annotations

import copy
import json
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from dominion_agents.scripted.agent import ScriptedAgent
from dominion_agents.strategies.strategy import Strategy
from dominion_env import CARDS, DominionError, Game, GameBatch
from dominion_env.players.agent import shown_to
from dominion_env.tables.actions import ACTION_NAMES
from tests.properties import bits, census, choose, strange_positions, zones

Random = np.random.Generator

WORDS = (
    "", "Gold", "gold", "Copper", "Moat", "Militia", "Throne Room", "Kupfer", "random", "train", "first-game-2e", "trash",
    "hand", "supply", "victim", "text", "replay", "windows", "buy", "action", "all", "owner", "provinces", "pass", "x" * 5000,
    "\x1b[31m",
)  # fmt: skip
NUMBERS = (-1, 0, 1, 2, 3, 5, 6, 7, 39, 100, 127, 128, 255, 400, 1000, 30_000, 10**6, 2**31, 2**63 - 1, 2**64, 10**400)
OTHERS = (
    None,
    True,
    False,
    0.0,
    1.0,
    1.5,
    float("nan"),
    float("inf"),
    [],
    {},
    [[]],
    [None],
    {"Copper": 5, "copper": 7},
)


def nested(levels: int) -> Any:
    """Return a list in a list and so on."""
    inner: Any = 0
    for _ in range(levels):
        inner = [inner]
    return inner


def junk(rng: Random) -> Any:
    """Return a value that might stand anywhere."""
    kind = rng.integers(20)
    if kind < 7:
        return int(NUMBERS[rng.integers(len(NUMBERS))])
    if kind < 12:
        return WORDS[rng.integers(len(WORDS))]
    if kind < 14:
        return CARDS[rng.integers(len(CARDS))].name
    if kind == 14:
        return nested(900)
    return copy.deepcopy(OTHERS[rng.integers(len(OTHERS))])


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the way to every entry of a value that is made of dictionaries and lists."""
    if isinstance(value, dict):
        return [step for key in value for step in ((*path, key), *places(value[key], (*path, key)))]
    if isinstance(value, list):
        return [step for at in range(len(value)) for step in ((*path, at), *places(value[at], (*path, at)))]
    return []


def mutant(value: Any, rng: Random) -> Any:
    """Return a copy with one place changed, sometimes two."""
    value = copy.deepcopy(value)
    for _ in range(1 + int(rng.random() < 0.3)):
        ways = places(value)
        if not ways:
            return value
        *path, last = ways[rng.integers(len(ways))]
        holder = value
        for step in path:
            holder = holder[step]
        old, kind = holder[last], rng.integers(8)
        if kind == 0:
            del holder[last]
        elif kind < 4 and type(old) is int:
            holder[last] = old + int(rng.integers(-2, 3))
        elif kind == 4 and isinstance(holder, list):
            holder.insert(int(rng.integers(len(holder) + 1)), copy.deepcopy(old))
        elif kind == 5:
            other: Any = value
            for step in ways[rng.integers(len(ways))]:  # a value of another place, if it is still there
                if not (step in other if isinstance(other, dict) else isinstance(other, list) and step < len(other)):
                    break
                other = other[step]
            holder[last] = copy.deepcopy(other)
        else:
            holder[last] = junk(rng)
    return value


def play_on(batch: GameBatch, rng: Random, steps: int = 25) -> None:
    """Play at random. All cards stay, each game that runs has a choice, and nothing that is counted parts from the cards."""
    cards = census(batch.state)
    for _ in range(steps):
        running = batch.state["over"] == 0
        if not batch.state["ask_forced"].any():
            assert (batch.action_mask.sum(axis=1)[running] >= 2).all(), "a question with one answer is asked"
        assert batch.action_mask.any(axis=1).all()
        _, ended, cut = batch.step(choose(batch, rng))
        if (ended | cut).any():  # the next episode may have begun
            break
        assert np.array_equal(census(batch.state), cards), "cards are lost or come from nowhere"
    owned = sum(zone for zone in zones(batch.state).values())
    assert np.array_equal(owned, batch.state["owned"]), "what a player owns is not what lies there"
    for name in ("actions", "buys", "coins", "merchants", "hand", "bag", "trash", "supply"):
        assert (batch.state[name] >= 0).all(), f"{name} has overflowed"


def positions(rng: Random) -> list[dict[str, Any]]:
    """Return positions, many of them in the middle of effects."""
    found = []
    for players in range(1, 7):
        for position in strange_positions(players, 8, seed=int(rng.integers(1000))):
            game = Game.from_dict(position, ask_forced=bool(rng.integers(2)))
            for _ in range(rng.integers(12)):
                if game.is_over:
                    break
                before = game.to_dict()
                game.apply(int(choose(game.batch, rng)[0]))
                if "question" in before:
                    found.append(before)
            found.append(game.to_dict())
    return found


class Trial:
    """Mutants of every kind, and what becomes of them.

    Args:
        seed: start of all random choices.
    """

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.positions = positions(self.rng)
        self.in_effects = [position for position in self.positions if "question" in position]
        self.replays = [self._replay(position) for position in self.positions[::5]]
        self.batch = GameBatch(3, seed=seed)
        self.counts: Counter[str] = Counter()

    def _replay(self, position: dict[str, Any]) -> dict[str, Any]:
        own = {"num_players": position["num_players"], "kingdom": "random", "seed": int(self.rng.integers(1000))}
        game = Game(start=position if self.rng.integers(2) else None, **own)
        for _ in range(6):
            if not game.is_over:
                game.apply(int(choose(game.batch, self.rng)[0]))
        replay: dict[str, Any] = json.loads(json.dumps(game.replay()))
        return replay

    def _one_of(self, values: list[Any]) -> Any:
        return values[self.rng.integers(len(values))]

    def position(self) -> None:
        """Try a position."""
        tried = mutant(self._one_of(self.in_effects if self.rng.integers(2) else self.positions), self.rng)
        before = repr(tried)
        try:
            game = Game.from_dict(tried, max_turns=30_000 if self.rng.integers(2) else 3)
        finally:
            assert repr(tried) == before, "the input has been changed"
        play_on(game.batch, self.rng)

    def replay(self) -> None:
        """Try a replay."""
        tried = mutant(self._one_of(self.replays), self.rng)
        before = repr(tried)
        try:
            game = Game.from_replay(tried)
        finally:
            assert repr(tried) == before, "the input has been changed"
        play_on(game.batch, self.rng, 5)

    def options(self) -> None:
        """Try the options of a batch."""
        known: dict[str, Any] = {
            "num_players": 2, "kingdom": [card.name for card in CARDS[20:30]], "edition": 2, "seed": [1, 2], "index": 3,
            "episode": 4, "auto_treasures": True, "ask_forced": False, "first_player": 0, "max_turns": 20,
            "reward": "result", "illegal": "raise", "observation": "recall", "autoreset": False, "record": True,
            "start": {"supply": {"Province": 3, "Copper": 4}, "trash": {"Gold": 1}}, "resume": False,
        }  # fmt: skip
        kept = {name: value for name, value in known.items() if self.rng.random() < 0.6}
        tried = {name: value for name, value in mutant(kept, self.rng).items() if name in known}
        batch = GameBatch(2, **tried)
        if batch.illegal == "raise":
            play_on(batch, self.rng, 10)

    def actions(self) -> None:
        """Try the arguments of `step`, `reset`, `take` and `observe`."""
        before = bits(self.batch.state)
        tried = mutant(self.batch.sample_actions().tolist(), self.rng)
        calls: list[Callable[[], Any]] = [
            lambda: self.batch.step(tried),
            lambda: self.batch.step(tried, rows=mutant([0, 2], self.rng)),
            lambda: self.batch.reset(seed=tried),
            lambda: self.batch.reset(mask=mutant([True, False, True], self.rng)),
            lambda: self.batch.take(tried),
            lambda: self.batch.observe(tried),
            lambda: Game().apply(self._one_of([tried, junk(self.rng), *ACTION_NAMES])),
        ]
        try:
            calls[self.rng.integers(len(calls))]()
        except DominionError:
            assert bits(self.batch.state) == before, "a call that was refused has changed something"
            raise
        play_on(self.batch.clone(), self.rng, 3)

    def strategy(self) -> None:
        """Try the text of a strategy."""
        text = self._one_of(TEXTS)
        for _ in range(self.rng.integers(1, 4)):
            at, to = sorted(self.rng.integers(len(text) + 1, size=2))
            part = [
                "",
                text[at:to] * 2,
                str(self._one_of(list(NUMBERS))),
                self._one_of(list(WORDS)),
                ";",
                ">",
                "\n",
                "(",
            ]
            text = text[:at] + self._one_of(part) + text[at if self.rng.integers(2) else to :]
        agent = ScriptedAgent(Strategy.parse(text))
        batch = GameBatch(2, seed=int(self.rng.integers(100)), max_turns=3)
        for _ in range(4):
            answers = agent.act(shown_to(agent, batch), batch.action_mask.copy(), batch.policy_keys().copy())
            batch.step(answers)
        play_on(batch, self.rng, 3)

    def run(self, number: int) -> Counter[str]:
        """Try so many mutants; return how many of each kind were refused and played."""
        kinds: list[Callable[[], None]] = [
            *[self.position] * 8, *[self.replay] * 3, *[self.options] * 3, *[self.actions] * 3, self.strategy
        ]  # fmt: skip
        for _ in range(number):
            kind = kinds[self.rng.integers(len(kinds))]
            try:
                kind()
            except DominionError as error:
                message, end = str(error), "refused"
            else:
                message, end = "", "played"
            assert len(message) < 3000, "a message as long as the input"
            self.counts[f"{kind.__name__} {end}"] += 1
        return self.counts


TEXTS = [
    "Province if Gold > 0; Duchy if provinces <= 4; Estate if provinces <= 3; Smithy if Smithy < 2; Gold; Silver",
    "name: a list\nProvince\nGold\nVillage if Village < Smithy + 1\nSmithy\nSilver if turn < 12",
    "Province; Gold if coins >= 6; Militia if Militia = 0; Silver",
]

if __name__ == "__main__":
    how_many = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    trial = Trial(int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    for name, count in sorted(trial.run(how_many).items()):
        print(f"{count:7} {name}")
