"""Agents among the project's own, rated kingdom by kingdom.

A strategy without its cards is Big Money under another name. So a strategy plays only on kingdoms that hold all the cards
it buys. Strategies that buy no Kingdom card play on all kingdoms, and so do `auto` and `random`. A trained network of the
project plays on the kingdoms for which it was trained.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dominion_agents.strategies.evolved import evolved_for
from dominion_agents.strategies.named import STRATEGIES
from dominion_agents.trained.box import models_in_the_box
from dominion_env.tables.kingdoms import one_set
from dominion_training.common.folders import folder_for_work
from dominion_training.evaluate.benchmark import (
    Benchmark,
    check_kingdoms,
    check_names,
    collect,
    plan_matches,
    play_matches,
)
from dominion_training.evaluate.matches import Match
from dominion_training.executors.executor import Executor
from dominion_training.executors.folder import SETTINGS, Folder
from dominion_training.play.seeds import seed_of_run


@dataclass(frozen=True)
class Standings:
    """The benchmarks of one kingdom each, and one over all of them.

    Attributes:
        by_kingdom: the benchmark of each kingdom, with all agents that play there.
        everywhere: the benchmark over all kingdoms, with the agents that play on each of them.
    """

    by_kingdom: dict[str, Benchmark]
    everywhere: Benchmark

    def summary(self) -> dict[str, Any]:
        """Return everything as plain values for JSON."""
        return {
            "everywhere": self.everywhere.summary(),
            "by_kingdom": {kingdom: found.summary() for kingdom, found in self.by_kingdom.items()},
        }


def baselines_for(kingdom: str) -> tuple[str, ...]:
    """Return `random`, `auto`, the strategies that find all their cards there, the list evolved there, and trained networks.

    Args:
        kingdom: name of a recommended set, or ten card names with commas between.

    Raises:
        InvalidKingdom: the kingdom is unknown.
        InvalidOption: the name has more than one set of ten cards.
    """
    cards = {*one_set(kingdom, "the agents depend on them")}
    strategies = (name for name, each in STRATEGIES.items() if cards.issuperset(each.kingdom_cards))
    networks = (name for name, each in models_in_the_box().items() if each.plays(cards, 2))
    evolved = evolved_for(cards)
    return ("random", "auto", *strategies, *([] if evolved is None else [evolved]), *networks)


def standings(
    agents: Sequence[str],
    kingdoms: Sequence[str],
    num_games: int,
    workers: int | Executor = 1,
    folder: Path | None = None,
    seed: int | None = None,
    progress: Callable[[int, str], None] = lambda games, note: None,
    **options: Any,
) -> Standings:
    """Let agents and baselines meet each other, two players, on the same addresses on every kingdom.

    Args:
        agents: specifications of further agents, which play on all kingdoms; there may be none.
        kingdoms: kingdoms as in `baselines_for`.
        num_games: number of games of each match on each kingdom.
        workers, folder, seed, progress, options: as in `benchmark`.

    Raises:
        InvalidOption: an agent or kingdom is named twice, or there is no kingdom.
        DominionError: as `baselines_for`, `run_parts` and `Folder`.
    """
    seed = seed_of_run(seed, folder and folder / SETTINGS)
    fields, matches = plan_standings(agents, kingdoms, seed, options)
    with folder_for_work(folder, "results"):
        kept = None if folder is None else Folder(folder, matches)
        played = play_matches(matches, num_games, workers, kept, progress)
    by_kingdom = {kingdom: collect(names, [kingdom], 2, played) for kingdom, names in fields.items()}
    if len(kingdoms) == 1:  # what is fitted there is fitted once
        return Standings(by_kingdom, by_kingdom[kingdoms[0]])
    first, *others = fields.values()
    everywhere = [name for name in first if all(name in each for each in others)]
    return Standings(by_kingdom, collect(everywhere, kingdoms, 2, played))


def plan_standings(
    agents: Sequence[str], kingdoms: Sequence[str], seed: int, options: dict[str, Any]
) -> tuple[dict[str, tuple[str, ...]], list[Match]]:
    """Return the agents on each kingdom, and the matches to play.

    Raises:
        DominionError: as `standings`.
    """
    check_names("agents", agents)
    check_kingdoms(kingdoms)
    fields: dict[str, tuple[str, ...]] = {}
    matches: list[Match] = []
    for kingdom in kingdoms:
        own = (each for each in baselines_for(kingdom) if each not in agents)
        names = (*agents, *own)  # in one order everywhere, so that each pair is one match
        fields[kingdom], here = plan_matches(names, [kingdom], 2, seed, options)
        matches += here
    return fields, matches


def not_told_apart(found: Benchmark) -> list[int]:
    """Return the agents, strongest first, whose ratings do not differ from the highest one at 95%."""
    ratings, covariance = found.ratings, found.ratings.covariance
    order = found.by_strength
    best = order[0]
    variance = covariance[best, best] + covariance.diagonal() - 2 * covariance[best]
    near = ratings.elo[best] - ratings.elo <= ratings.quantile * np.sqrt(np.maximum(variance, 0))
    return [agent for agent in order if near[agent]]
