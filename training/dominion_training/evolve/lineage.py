"""Where a list comes from: its ancestors as a table and as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dominion_agents.strategies.strategy import Strategy
from dominion_training.common.pictures import Form, figure_of, picture_of
from dominion_training.evaluate.match import score_interval
from dominion_training.evolve.evolution import Member
from dominion_training.lists.arena import SEATS, Arena

MOST_TICKS = 9
SETS = 200  # that each ancestor plays against the champion
# Colours that people who don't see all colours can tell apart (Okabe and Ito), on light pages and on dark ones.
COLOURS = {"drawn": "#009E73", "changed": "#0072B2", "crossed": "#E69F00", "simplified": "#CC79A7"}
MARKERS = {"drawn": "s", "changed": "o", "crossed": "D", "simplified": "*"}


@dataclass(frozen=True)
class Ancestor:
    """A list of the lineage, and how it does against the last one.

    Attributes:
        number: its number in the family.
        member: the list, and how it came to be.
        score, low, high: its score against the champion, with the 95% interval.
        games: number of these games.
    """

    number: int
    member: Member
    score: float
    low: float
    high: float
    games: int

    @property
    def how(self) -> str:
        """How it came to be, one of `COLOURS`."""
        return self.member.how if self.member.parents else "drawn"


def line_of(family: dict[int, Member], number: int) -> list[int]:
    """Return the numbers of a list and of its ancestors, the first parent of each, the oldest first."""
    found = [number]
    while parents := family[found[-1]].parents:
        found.append(parents[0])
    return found[::-1]


def lineage(family: dict[int, Member], number: int, arena: Arena, first_set: int = 0) -> list[Ancestor]:
    """Let the ancestors of a list play against it.

    Args:
        family: all lists, by their numbers.
        number: that of the list.
        arena: plays the games.
        first_set: number of the first set.

    Returns:
        The ancestors and the list itself, in order of age.
    """
    line = line_of(family, number)
    sets = range(first_set, first_set + SETS)
    champion = [family[number].strategy] * SETS
    shares = arena.play([family[each].strategy for each in line], champion, sets)[0]
    found = []
    for each, row in zip(line, shares.reshape(len(line), SETS, SEATS).mean(axis=2), strict=True):
        low, high = score_interval(row)
        found.append(Ancestor(each, family[each], float(row.mean()), low, high, SETS * SEATS))
    return found


def difference(before: Strategy | None, after: Strategy) -> str:
    """Return in words what distinguishes a list from the one that it was made from."""
    if before is None:
        return after.one_line()
    old, new = before.lines(), after.lines()
    said = [f"without {each}" for each in old if each not in new] + [f"with {each}" for each in new if each not in old]
    common_before, common_after = [each for each in old if each in new], [each for each in new if each in old]
    if common_before != common_after:
        said.append("in another order")
    return "; ".join(said)


def lineage_table(ancestors: Sequence[Ancestor]) -> list[dict[str, Any]]:
    """Return the lineage as plain values, a row for each list, the oldest first."""
    rows, before = [], None
    for each in ancestors:
        rows.append({
            "list": each.number, "generation": each.member.generation, "games": each.member.games, "made": each.member.how,
            "parents": list(each.member.parents), "score": each.score, "low": each.low, "high": each.high, "n": each.games,
            "what_is_new": difference(before, each.member.strategy), "strategy": each.member.strategy.one_line(),
        })  # fmt: skip
        before = each.member.strategy
    return rows


def lineage_picture(ancestors: Sequence[Ancestor], title: str, form: Form) -> bytes:
    """Return a picture of the lineage (`picture_of`): the lists in order of age, and their scores against the last one."""
    figure, axes = figure_of(7, 3.8)
    order = np.arange(len(ancestors))
    scores = 100 * np.array([each.score for each in ancestors])
    axes.axhline(50, color="grey", linewidth=0.8, linestyle="--")
    axes.plot(order, scores, color="grey", linewidth=1, zorder=1)
    for how, colour in COLOURS.items():
        places = [place for place, each in enumerate(ancestors) if each.how == how]
        if places:
            chosen = [ancestors[place] for place in places]
            below = scores[places] - 100 * np.array([each.low for each in chosen])
            above = 100 * np.array([each.high for each in chosen]) - scores[places]
            around = [np.maximum(below, 0), np.maximum(above, 0)]
            axes.errorbar(
                places, scores[places], yerr=around, fmt=MARKERS[how], color=colour, markersize=5, linewidth=1,
                capsize=2, label=how,
            )  # fmt: skip
    ticks = np.unique(np.linspace(0, len(ancestors) - 1, MOST_TICKS).round().astype(int))
    axes.set_xticks(ticks, [f"{ancestors[tick].member.games / 1e6:.2f}" for tick in ticks])
    axes.set_xlabel("the lists of the line, and the games of the evolution before each, in millions")
    axes.set_ylabel("score against the last list, %")
    axes.set_ylim(-2, 62)
    axes.set_title(f"{title} (n = {ancestors[0].games} each, 95% intervals)", fontsize=10, parse_math=False)
    axes.legend(frameon=False, fontsize=8, loc="lower right")
    return picture_of(figure, form)
