"""Where agents stand among the project's own, kingdom by kingdom.

A strategy without its cards is Big Money under another name. So on each kingdom only those play that find all the cards
there which they buy; who needs none, and `auto`, play on all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dominion_agents import STRATEGIES
from dominion_env.errors import InvalidOption
from dominion_env.kingdoms import resolve
from dominion_training.evaluate.benchmark import Benchmark, collect, plan, play
from dominion_training.evaluate.report import by_strength
from dominion_training.evaluate.runner import Folder, Match, parse_kingdom


@dataclass(frozen=True)
class Standings:
    """What was found.

    Attributes:
        by_kingdom: everybody who plays on a kingdom, on that kingdom.
        everywhere: those who play on all kingdoms, over all of them.
    """

    by_kingdom: dict[str, Benchmark]
    everywhere: Benchmark

    def summary(self) -> dict[str, Any]:
        """Everything as plain numbers, for JSON."""
        return {
            "everywhere": self.everywhere.summary(),
            "by_kingdom": {kingdom: found.summary() for kingdom, found in self.by_kingdom.items()},
        }


def baselines_for(kingdom: str) -> tuple[str, ...]:
    """`random`, `auto`, and the project's strategies that have all cards there which they buy.

    Args:
        kingdom: a recommended set, or ten card names with commas between.

    Raises:
        InvalidKingdom: there is no such kingdom.
        InvalidOption: it is not one set of ten cards.
    """
    kingdoms = resolve(parse_kingdom(kingdom)).kingdoms
    if len(kingdoms) != 1:
        raise InvalidOption(f"kingdom {kingdom}: expected one set of ten cards, as who plays depends on the cards")
    cards = set(kingdoms[0].tolist())
    return ("random", "auto", *(name for name, each in STRATEGIES.items() if cards.issuperset(each.kingdom_cards)))


def standings(
    agents: Sequence[str],
    kingdoms: Sequence[str],
    num_games: int,
    workers: int = 1,
    folder: Path | None = None,
    seed: int = 0,
    progress: Callable[[int, str], None] = lambda games, note: None,
    **options: Any,
) -> Standings:
    """Let agents and baselines meet each other, two players, on the same addresses on every kingdom.

    Args:
        agents: specifications of further agents, who play on all kingdoms; there may be none.
        kingdoms: as in `baselines_for`.
        num_games: of each match on each kingdom.
        workers, folder, seed, progress, options: as in `benchmark`.

    Raises:
        InvalidOption: an agent or kingdom named twice, or no kingdom.
        DominionError: as `baselines_for`, `run_tasks` and `Folder`.
    """
    fields, matches = planned(agents, kingdoms, seed, options)
    played = play(matches, num_games, workers, Folder(folder, matches) if folder is not None else None, progress)
    first, *others = fields.values()
    everywhere = [name for name in first if all(name in each for each in others)]
    return Standings(
        {kingdom: collect(names, [kingdom], 2, played) for kingdom, names in fields.items()},
        collect(everywhere, kingdoms, 2, played),
    )


def planned(
    agents: Sequence[str], kingdoms: Sequence[str], seed: int, options: dict[str, Any]
) -> tuple[dict[str, tuple[str, ...]], list[Match]]:
    """Who plays on which kingdom, and the matches that are to be played."""
    plan(agents or ("random",), kingdoms, 2, seed, options)  # refuses what is named twice
    fields: dict[str, tuple[str, ...]] = {}
    matches: list[Match] = []
    for kingdom in kingdoms:
        names = (
            *agents,
            *(each for each in baselines_for(kingdom) if each not in agents),
        )  # a pair stands in one order
        fields[kingdom], here = plan(names, [kingdom], 2, seed, options)
        matches += here
    return fields, matches


def not_told_apart(found: Benchmark) -> list[int]:
    """The agents, strongest first, whose rating is the highest or does not differ from it at 95%."""
    ratings, covariance = found.ratings, found.ratings.covariance
    order = by_strength(found)
    best = order[0]
    variance = covariance[best, best] + covariance.diagonal() - 2 * covariance[best]
    near = ratings.elo[best] - ratings.elo <= ratings.quantile * np.sqrt(np.maximum(variance, 0))
    return [agent for agent in order if near[agent]]
