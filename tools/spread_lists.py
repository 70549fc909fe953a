"""Find for each kingdom of `train` the list that does best there: `python -m tools.spread_lists`.

Lists that were evolved for some kingdoms (`evolve_lists.py`) are good on others too, where most of their cards are. They
pass over what is missing. So all of them, and the published ones, meet on each kingdom what `auto-2` plays there. It writes
agents/dominion_agents/strategies/evolved_train_places.json, by which `evolved-train` plays. It takes ten minutes of a core.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from tqdm import tqdm

from dominion_agents.choosing.auto import choice_of_auto_2
from dominion_agents.strategies.evolved import PLACES_FILE, TRAIN_FILE, read_evolved
from dominion_agents.strategies.named import STRATEGIES
from dominion_agents.strategies.strategy import Strategy
from dominion_env.tables.kingdoms import SPLIT_SIZES, split
from dominion_training.common.records import write_atomically
from dominion_training.lists.arena import Arena

SPLIT = "train"
SEED = 1  # evolutions with seed 0 play the games of seeds 0 to 2, so that own lists have an advantage of luck
FEW_SETS, FINALISTS, MANY_SETS = 24, 4, 256
LEAST = 0.58  # score against what `auto-2` plays that makes a list worth learning from


def best_for(place: int, lists: Mapping[str, Strategy]) -> tuple[str, float]:
    """Return the name of the list that scores most on a kingdom against what `auto-2` plays there, and its score."""
    kingdom = split(SPLIT)[place]
    opponent, names = STRATEGIES[choice_of_auto_2(kingdom)], list(lists)
    with Arena([card.title for card in kingdom], SEED) as arena:

        def scores(names: Sequence[str], sets: range) -> list[float]:
            shares, _ = arena.play([lists[name] for name in names], [opponent] * len(sets), sets)
            found: list[float] = shares.mean(axis=1).tolist()
            return found

        few = scores(names, range(FEW_SETS))
        finalists = [name for _, name in sorted(zip(few, names, strict=True), reverse=True)[:FINALISTS]]
        many = scores(finalists, range(FEW_SETS, FEW_SETS + MANY_SETS))
    return max(zip(finalists, many, strict=True), key=lambda each: each[1])


def main(arguments: Sequence[str] | None = None) -> None:
    """Find the lists, and write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kingdoms", type=int, default=SPLIT_SIZES[SPLIT], help="number of kingdoms, the first ones")
    parser.add_argument("--workers", type=int, default=1, help="number of processes")
    chosen = parser.parse_args(arguments)
    lists = STRATEGIES | read_evolved(TRAIN_FILE.read_text(encoding="utf-8"))
    places = range(min(chosen.kingdoms, SPLIT_SIZES[SPLIT]))
    with ProcessPoolExecutor(chosen.workers) as workers:
        every = workers.map(partial(best_for, lists=lists), places)
        found = list(tqdm(every, total=len(places), unit=" kingdoms"))
    kept = {str(place): name for place, (name, score) in zip(places, found, strict=True) if score >= LEAST}
    write_atomically(PLACES_FILE, json.dumps(kept, indent=0) + "\n")
    mean = sum(score for _, score in found) / len(found)
    print(
        f"{len(kept)} of {len(places)} kingdoms; the best lists score {mean:.1%} on average; written to {PLACES_FILE}"
    )


if __name__ == "__main__":
    main()
