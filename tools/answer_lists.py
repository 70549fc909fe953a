"""Find the known list that does best against an agent on each kingdom: `python -m tools.answer_lists any`.

The published lists, those that were evolved for kingdoms of `train`, and others that are named (`--also`) meet the agent on
each kingdom of `train` where most of their cards are; what is missing is passed over. With `--only` the lists that are named
meet it and no others, and with `--cards` they meet it where these cards are. With `--rushes 48` it meets 48
more, which are drawn by chance for each kingdom and empty its cheap piles. `--split` names other kingdoms. The best of each
kingdom are written to a file, which is an agent by itself: a network may train against it (`--opponents answers.json=4`), or
be measured.

That takes about six minutes of a core for `any`. What is known is kept beside the file, and the same command goes on from there.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Collection, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from dominion_agents.choosing.by_kingdom import ELSEWHERE, SUFFIX, ByKingdom, ListFor, written
from dominion_agents.strategies.evolved import evolved_on_train
from dominion_agents.strategies.named import STRATEGIES
from dominion_agents.strategies.strategy import Strategy
from dominion_env.common.errors import DominionError
from dominion_env.players.agent import Agent
from dominion_env.tables.cards import Card
from dominion_env.tables.kingdoms import SPLIT_SIZES, split
from dominion_training.common.records import read_lines, write_atomically
from dominion_training.lists.against_agent import play_against
from dominion_training.lists.arena import MOST_WORKERS
from dominion_training.lists.random_lists import RandomLists
from dominion_training.play.entrants import fingerprint, make_entrant
from dominion_training.play.loop import Player

SPLIT, SEED = "train", 800_000_000  # the seed is far from those of training
MOSTLY = 0.6  # share of a list's Kingdom cards that must be in a kingdom for it to be tried there
FEW_SETS, FINALISTS, MANY_SETS = 8, 3, 48
MOST_RUSHES = 10_000
MAX_TURNS = 100


def best_for(
    place: int, agent: str, lists: Sequence[Strategy], rushes: int = 0, kingdoms: str = SPLIT
) -> dict[str, Any]:
    """Return the list that scores most against an agent on a kingdom, as plain values.

    Args:
        place: place of the kingdom in the split.
        agent: what names the agent on a command line.
        lists: the lists, of which those are tried whose cards are mostly there; where there is none, "tried" is 0.
        rushes: number of rushes that are drawn for this kingdom and tried too.
        kingdoms: name of the split.
    """
    kingdom = split(kingdoms)[place]
    play = partial(
        play_against, against=Player(agent, _made(agent)), seed=SEED, kingdom=list(kingdom), auto_treasures=True,
        max_turns=MAX_TURNS,
    )  # fmt: skip
    drawn, rng = RandomLists(list(kingdom)), np.random.default_rng([SEED, place])
    known = [each for each in lists if _is_mostly_in(each, kingdom)]
    tried = list(dict.fromkeys([*known, *(drawn.rush(rng) for _ in range(rushes))]))
    if not tried:
        return {"place": place, "tried": 0, "score": 0.0, "list": ""}
    few = play(tried, sets=range(FEW_SETS))[0].mean(axis=1)
    finalists = [tried[number] for number in np.argsort(-few, kind="stable")[:FINALISTS]]
    many = play(finalists, sets=range(FEW_SETS, FEW_SETS + MANY_SETS))[0].mean(axis=1)
    best = int(many.argmax())
    return {"place": place, "tried": len(tried), "score": float(many[best]), "list": finalists[best].one_line()}


@cache
def _made(agent: str) -> Agent:
    """Return the agent, made once in each process."""
    return make_entrant(agent)


def _made_of(agent: str, lists: Sequence[Strategy], rushes: int, kingdoms: str) -> str:
    """Return a hash of the agent as it is now and the rest, so that what was found for others is not taken for theirs."""
    parts = [str(fingerprint(agent)), *(each.one_line() for each in lists), f"{rushes} rushes", kingdoms]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def _is_mostly_in(strategy: Strategy, kingdom: Collection[Card]) -> bool:
    wanted = strategy.kingdom_cards
    return sum(card in kingdom for card in wanted) >= MOSTLY * len(wanted)


def main(arguments: Sequence[str] | None = None) -> None:
    """Let the lists meet the agent, and write the file; a wrong argument ends the program with a message."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("agent", help="the agent: a registered name or the path of a model")
    parser.add_argument("--also", type=Path, nargs="*", default=[], help="files of further lists (.strategy)")
    parser.add_argument("--only", nargs="*", metavar="LIST", help="published names or files: the lists that meet it")
    parser.add_argument("--rushes", type=int, default=0, help="number of rushes that are drawn for each kingdom")
    parser.add_argument("--split", choices=tuple(SPLIT_SIZES), default=SPLIT, help="where the kingdoms are from")
    parser.add_argument("--kingdoms", type=int, help="number of kingdoms, the first ones [all of the split]")
    parser.add_argument("--cards", nargs="+", default=[], metavar="CARD", help="cards that the kingdoms have")
    parser.add_argument("--least", type=float, default=0.0, help="score that a list must have to be written")
    parser.add_argument("--elsewhere", default=ELSEWHERE, help="name of the agent that plays on the other kingdoms")
    parser.add_argument("--workers", type=int, default=1, help="number of processes")
    parser.add_argument("--out", type=Path, default=Path("answers.json"), help="the file with the lists")
    chosen = parser.parse_args(arguments)
    kingdoms, size = split(chosen.split), SPLIT_SIZES[chosen.split]
    first = size if chosen.kingdoms is None else chosen.kingdoms
    for name, number, most in (("kingdoms", first, size), ("workers", chosen.workers, MOST_WORKERS)):
        if not 1 <= number <= most:
            parser.error(f"--{name}: expected a whole number from 1 to {most}, got {number}")
    if not 0 <= chosen.rushes <= MOST_RUSHES:
        parser.error(f"--rushes: expected a whole number from 0 to {MOST_RUSHES}, got {chosen.rushes}")
    if chosen.out.suffix != SUFFIX:
        parser.error(f"--out: expected the name of a file that ends in {SUFFIX}, got {chosen.out}")
    try:
        make_entrant(chosen.agent)
        cards = {Card.named(title) for title in chosen.cards}
        only = [STRATEGIES[name] if name in STRATEGIES else Strategy.read(Path(name)) for name in chosen.only or ()]
        also = [Strategy.read(path) for path in chosen.also]
        ByKingdom((), chosen.elsewhere)
    except DominionError as error:
        parser.error(str(error))
    every = [*(only if chosen.only is not None else (*STRATEGIES.values(), *evolved_on_train().values())), *also]
    lists = list(dict.fromkeys(replace(each, name="", source="") for each in every))
    if not lists and not chosen.rushes:
        parser.error("--only: expected a list that meets the agent, or --rushes with a number above 0, got neither")
    made_of = _made_of(chosen.agent, lists, chosen.rushes, chosen.split)
    find = partial(best_for, agent=chosen.agent, lists=lists, rushes=chosen.rushes, kingdoms=chosen.split)
    places = [place for place in range(first) if cards.issubset(kingdoms[place])]
    if not places:
        parser.error(
            f"--cards: expected cards that a kingdom of {chosen.split} has together, got {' '.join(chosen.cards)}"
        )
    kept = chosen.out.with_suffix(".jsonl")
    known = read_lines(kept)
    if any(each["made_of"] != made_of for each in known):
        parser.error(
            f"{kept}: expected what was found for {chosen.agent} as it is now, these lists and these kingdoms, got something else"
        )
    best = {each["place"]: each for each in known}
    missing = [place for place in places if place not in best]
    with ExitStack() as stack:
        file = stack.enter_context(kept.open("a", encoding="utf-8"))
        workers = stack.enter_context(ProcessPoolExecutor(chosen.workers))
        for found in tqdm(workers.map(find, missing), total=len(missing), unit=" kingdoms", disable=not missing):
            file.write(json.dumps(found | {"made_of": made_of}) + "\n")
            file.flush()
            best[found["place"]] = found
    met = [best[place] for place in places if best[place]["tried"]]
    worth = [each for each in met if each["score"] >= chosen.least]
    lines = [(ListFor(kingdoms[each["place"]], Strategy.parse(each["list"])), each["score"]) for each in worth]
    write_atomically(chosen.out, written(lines, chosen.elsewhere))
    mean = sum(each["score"] for each in met) / max(len(met), 1)
    print(
        f"{len(worth)} of {len(met)} kingdoms have a list with {chosen.least:.0%} or more against {chosen.agent}; "
        f"the best lists score {mean:.1%} on average; written to {chosen.out}"
    )


if __name__ == "__main__":
    main()
