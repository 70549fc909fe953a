"""The compiled core and the reference engine play the same random games and must agree at each decision.

    python -m tests.reference.lockstep --games 20000 --seed 0

Game number n of a seed is the same in every run, so that a long run can be cut into pieces with `--first`. A mismatch
is printed with everything that is needed to see it again: `--first n --games 1`.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from dominion_env import CARDS, Game

from .engine import ACTIONS, POOLS, RECOMMENDED, Question, ReferenceGame, card_in
from .play import RandomPlayer, random_kingdom, random_position

KEPT_OPTIONS = ("ask_forced", "auto_treasures", "max_turns")  # a position does not hold them
TURN_LIMITS = [6, 10, 12, 15, 20, 25]
RELOAD_RATE = 0.005  # how often the core's game is saved as JSON and loaded again, also in the middle of effects


@dataclass
class Tally:
    """Counts of what was compared."""

    games: int = 0
    decisions: int = 0
    reloads: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    asked_by: Counter[str] = field(default_factory=Counter)  # decisions by the card whose text asks, or the phase
    played: Counter[str] = field(default_factory=Counter)  # plays that were decided on; replays are not counted


class Mismatch(AssertionError):
    """The engines differ; the message says where and in what."""


def set_up(seed: int, number: int) -> tuple[dict[str, Any], dict[str, Any], random.Random]:
    """Return the options of game `number`, the position it starts from (or none), and the rest of its dice."""
    rng = random.Random(f"lockstep {seed} {number}")
    real_end = rng.random() < 0.15
    options: dict[str, Any] = {
        "ask_forced": rng.random() < 0.25,
        "auto_treasures": rng.random() < 0.5,
        "max_turns": 80 if real_end else rng.choice(TURN_LIMITS),
    }
    if rng.random() < 0.55:
        return options, random_position(rng), rng
    options |= {
        "num_players": rng.choice([1, 2, 2, 2, 3, 3, 4, 5, 6]),
        "seed": rng.choice([seed, rng.getrandbits(63), -number]),
        "index": number,
        "episode": rng.choice([0, 0, 3]),
    }
    named = rng.random()
    if named < 0.15:
        options["kingdom"] = rng.choice(list(POOLS))
    elif named < 0.3:
        options["kingdom"] = rng.choice(list(RECOMMENDED))
    elif named < 0.4:
        options["kingdom"] = [random_kingdom(rng) for _ in range(rng.choice([1, 3]))]
    else:
        options["kingdom"] = random_kingdom(rng)
    if rng.random() < 0.7:
        options["edition"] = rng.choice([1, 2])
    if rng.random() < 0.3:
        options["first_player"] = rng.randrange(options["num_players"])
    if real_end:  # dealt as usual, but from a small supply
        options["start"] = {
            "kingdom": random_kingdom(rng),
            "supply": {"Province": rng.randrange(1, 4), "Estate": rng.randrange(3)},
        }
    return options, {}, rng


def play_in_lockstep(seed: int, number: int, tally: Tally) -> None:
    """Play game `number` in both engines."""
    options, position, rng = set_up(seed, number)
    try:
        play_both(options, position, RandomPlayer(rng), tally)
    except Mismatch as mismatch:
        raise Mismatch(f"game {number} (--seed {seed} --first {number} --games 1): {mismatch}") from mismatch


def play_both(options: dict[str, Any], position: dict[str, Any], player: RandomPlayer, tally: Tally) -> None:
    """Play one game, from a position or an address, comparing at each decision and at the end."""
    log: list[str] = []
    try:
        if position:
            core = Game.from_dict(position, **options)
            reference = ReferenceGame(start=position, **options)
        else:
            core = Game(**options)
            reference = ReferenceGame(**options)
        while (question := reference.question) is not None:
            compare_decision(core, reference, question)
            answer = player.answer(question.kind, question.legal)
            log.append(f"{len(log)}: player {question.player} [{question.source or question.kind}] {answer}")
            tally.decisions += 1
            tally.asked_by[question.source or f"({question.kind})"] += 1
            if answer.startswith("play "):
                tally.played[card_in(answer)] += 1
            core.apply(answer)
            reference.apply(answer)
            if player.rng.random() < RELOAD_RATE and not core.is_over:
                tally.reloads += 1
                text = json.dumps(core.to_dict())
                kept = {name: options[name] for name in KEPT_OPTIONS if name in options}
                core = Game.from_dict(json.loads(text), **kept)
                log.append(f"{len(log)}: saved and loaded again")
        compare_ending(core, reference)
        tally.endings[reference.ended or "?"] += 1
        tally.games += 1
    except Exception as error:
        start = json.dumps(position) if position else "as usual"
        report = [
            f"decision {len(log)}",
            f"options: {options}",
            f"start: {start}",
            *log[-60:],
            f"{type(error).__name__}: {error}",
        ]
        raise Mismatch("\n  ".join(report)) from error


def compare_decision(core: Game, reference: ReferenceGame, question: Question) -> None:
    """Check that the same player is asked the same question in the same position."""
    if core.is_over:
        raise AssertionError(f"the core is over, the reference asks {question}")
    decision = core.decision
    assert decision is not None
    source = None if decision.source is None else CARDS[decision.source].name
    differences = []
    asked = (decision.player, decision.kind, source, decision.min_left, decision.max_left)
    expected = (question.player, question.kind, question.source, question.min_left, question.max_left)
    if asked != expected or core.current_player != question.player:
        differences.append(f"decision: core {decision}, reference {question}")
    if question.card is not None and (decision.card is None or CARDS[decision.card].name != question.card):
        differences.append(f"decision.card: core {decision.card!r}, reference {question.card}")
    if question.target is not None and decision.target != question.target:
        differences.append(f"decision.target: core {decision.target}, reference {question.target}")
    legal = core.legal_actions()
    if sorted(legal) != sorted(question.legal):
        differences.append(f"legal: core {legal}, reference {question.legal}")
    differences += different_zones(core.to_dict(), reference)
    if differences:
        raise AssertionError("\n    ".join(["they differ:", *differences]))


def different_zones(core: dict[str, Any], reference: ReferenceGame) -> list[str]:
    """Return the differences of the two positions, in words."""
    expected = reference.zones()
    differences = []
    if sorted(core["kingdom"]) != sorted(reference.kingdom):
        differences.append(f"kingdom: core {core['kingdom']}, reference {reference.kingdom}")
    if "immune" in core and set(core["immune"]) != reference.unaffected:
        differences.append(f"immune: core {core['immune']}, reference {reference.unaffected}")
    if "loot" in core and core["loot"] != dict(reference.loot):
        differences.append(f"loot: core {core['loot']}, reference {dict(reference.loot)}")
    for key, value in expected.items():
        if key == "players" or core[key] == value:
            continue
        got = {card: number for card, number in core[key].items() if number} if key == "supply" else core[key]
        if got != value:
            differences.append(f"{key}: core {got}, reference {value}")
    for seat, zones in enumerate(expected["players"]):
        got = core["players"][seat]
        differences += [
            f"player {seat} {zone}: core {got[zone]}, reference {cards}"
            for zone, cards in zones.items()
            if got[zone] != cards
        ]
    return differences


def compare_ending(core: Game, reference: ReferenceGame) -> None:
    """Check that both are over, with the same cards, points and winners."""
    if not core.is_over:
        raise AssertionError(f"the reference is over ({reference.ended}), the core asks {core.decision}")
    differences = []
    if list(core.scores) != reference.scores():
        differences.append(f"scores: core {core.scores}, reference {reference.scores()}")
    if reference.ended != "truncated" and list(core.winners) != reference.winners():
        differences.append(f"winners: core {core.winners}, reference {reference.winners()}")
    position = core.to_dict()
    if position.get("over") is not True:
        differences.append(f"over: {position.get('over')}")
    differences += [
        text for text in different_zones(position, reference) if text.startswith(("player ", "supply", "trash"))
    ]
    if differences:
        raise AssertionError("\n    ".join(["the endings differ:", *differences]))


def main() -> int:
    """Play the long run from the command line."""
    from tqdm import tqdm

    parser = argparse.ArgumentParser(description="Play random games in the core and in the reference engine.")
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="the number of the first game")
    parser.add_argument("--most-mismatches", type=int, default=3, help="stop after so many games that differ")
    arguments = parser.parse_args()

    tally, mismatches, began = Tally(), 0, time.perf_counter()
    numbers = range(arguments.first, arguments.first + arguments.games)
    for number in tqdm(numbers, unit="game", mininterval=2.0, smoothing=0.05):
        try:
            play_in_lockstep(arguments.seed, number, tally)
        except Mismatch as mismatch:
            mismatches += 1
            tqdm.write(f"\nMISMATCH {mismatch}\n")
            if mismatches == arguments.most_mismatches:
                break
        except KeyboardInterrupt:
            tqdm.write(f"Interrupted; go on with --first {number}")
            break
    seconds = time.perf_counter() - began
    print(f"{tally.games} games agree, {mismatches} differ; {tally.decisions} decisions, {tally.reloads} reloads")
    print(f"{tally.games / seconds:.1f} games/s, {tally.decisions / seconds:.0f} decisions/s")
    print(f"endings: {dict(tally.endings)}")
    print(f"{'card or phase':<16}{'decisions':>12}{'plays':>12}")
    for name in sorted(set(tally.asked_by) | set(tally.played) | ACTIONS):
        print(f"{name:<16}{tally.asked_by[name]:>12}{tally.played[name]:>12}")
    return 1 if mismatches else 0


if __name__ == "__main__":
    sys.exit(main())
