"""Evolve lists for many kingdoms of `train`: `python -m tools.evolve_lists --places 17 300`.

It makes agents/dominion_agents/strategies/evolved_train.txt, the lists that `evolved-train` plays. A list for a kingdom is what
`dominion evolve --kingdom train:17` finds with as many games and the same seed; no enemy is sought. Each is measured against
`auto-2`, and those that score too little are left out, as there is nothing to learn from them.

A kingdom takes about 40 seconds of a core. What has been evolved is kept in `--keep`, and the same command goes on from there.
With more games, another seed or a heart it evolves further lists for the same kingdoms; the best one of each counts.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from tqdm import tqdm

from dominion_agents import ScriptedAgent
from dominion_agents.choosing.auto import EVOLVED_AT
from dominion_agents.strategies.evolved import PREFIX, TRAIN_FILE
from dominion_agents.strategies.strategy import Strategy
from dominion_env import make_agent
from dominion_env.common.errors import InvalidOption
from dominion_env.tables.kingdoms import SPLIT_SIZES
from dominion_training.common.records import read_lines, write_atomically
from dominion_training.evaluate.match import play_match
from dominion_training.evolve.evolve import evolved_list, seeds_of
from dominion_training.lists.random_lists import RandomLists

SPLIT = "train"
LEAST, MEASURED = 0.55, 1000  # score against `auto-2` that a list must have, and the games that measure it
MAX_TURNS = 100

HEAD = """\
# Lists that `dominion evolve` found for kingdoms of `train`, from random lists, for two players. Each score is against
# `auto-2`, in {measured} games; lists with less than {least} are left out. Trained networks learn from these lists.
# `python -m tools.evolve_lists` writes this file."""


def found_for(place: int, games: int, seed: int, heart: Sequence[str] | None = None) -> dict[str, Any]:
    """Evolve a list for a kingdom and measure it, as plain values."""
    kingdom = f"{SPLIT}:{place}"
    strategy, played = evolved_list(kingdom, games, seed, heart=heart)
    result = play_match(
        ScriptedAgent(strategy), make_agent("auto-2"), MEASURED, seeds_of(seed)[2], EVOLVED_AT, kingdom=kingdom,
        auto_treasures=True, max_turns=MAX_TURNS,
    )  # fmt: skip
    low, high = result.interval()
    return {
        "place": place, "budget": games, "seed": seed, "heart": heart, "list": strategy.one_line(), "games": played,
        "score": result.score, "low": low, "high": high,
    }  # fmt: skip


def text(found: Iterable[dict[str, Any]]) -> str:
    """Return the file with the best list of each kingdom, where it is worth learning from, in the order of their places."""
    best = {each["place"]: each for each in sorted(found, key=lambda each: each["score"])}
    kept = [best[place] for place in sorted(best) if best[place]["score"] >= LEAST]
    parts = [HEAD.format(measured=f"{MEASURED:,}", least=f"{LEAST:.0%}")]
    for each in kept:
        name = f"{PREFIX}{SPLIT}:{each['place']}"
        strategy = replace(Strategy.parse(each["list"]), name=name, source="dominion evolve", players=EVOLVED_AT)
        command = f"dominion evolve --kingdom {SPLIT}:{each['place']} --games {each['budget']} --seed {each['seed']}"
        if each.get("heart"):  # files of older versions have none
            command += f" --heart {','.join(each['heart'])}"
        parts.append(f"# {command}: {each['score']:.1%} ({each['low']:.1%} to {each['high']:.1%})\n{strategy}")
    return "\n\n".join(parts) + "\n"


def main(arguments: Sequence[str] | None = None) -> None:
    """Evolve what is missing, and write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--places", type=int, nargs="*", default=[], help="places of the kingdoms in the split")
    parser.add_argument("--games", type=int, default=1_000_000, help="games of each evolution, at most")
    parser.add_argument("--heart", nargs=2, metavar="CARD", help="two cards on which climbs with a heart build")
    parser.add_argument("--seed", type=int, default=0, help="seed of everything")
    parser.add_argument("--workers", type=int, default=1, help="number of processes")
    parser.add_argument("--keep", type=Path, default=Path("evolved-train.jsonl"), help="file of what has been evolved")
    parser.add_argument("--out", type=Path, default=TRAIN_FILE, help="the file with the lists")
    chosen = parser.parse_args(arguments)
    if not all(0 <= place < SPLIT_SIZES[SPLIT] for place in chosen.places):
        parser.error(f"--places: expected numbers from 0 to {SPLIT_SIZES[SPLIT] - 1}, got {chosen.places}")
    kept = read_lines(chosen.keep)
    asked = chosen.games, chosen.seed, chosen.heart
    known = {each["place"] for each in kept if (each["budget"], each["seed"], each.get("heart")) == asked}
    missing = [place for place in dict.fromkeys(chosen.places) if place not in known]
    try:
        for place in missing:
            RandomLists(f"{SPLIT}:{place}").heart_of(chosen.heart)
    except InvalidOption as error:
        parser.error(f"--{error}")
    evolve = partial(found_for, games=chosen.games, seed=chosen.seed, heart=chosen.heart)
    with ExitStack() as stack:
        file = stack.enter_context(chosen.keep.open("a", encoding="utf-8"))
        several = stack.enter_context(ProcessPoolExecutor(chosen.workers)) if chosen.workers > 1 else None
        every = map(evolve, missing) if several is None else several.map(evolve, missing)
        for found in tqdm(every, total=len(missing), unit=" kingdoms", disable=not missing):
            file.write(json.dumps(found) + "\n")
            file.flush()
            kept.append(found)
    write_atomically(chosen.out, text(kept))
    print(f"{len({each['place'] for each in kept})} kingdoms; the lists are in {chosen.out}")


if __name__ == "__main__":
    main()
