"""The picture of a review: the chance to win over the turns."""

from __future__ import annotations

import numpy as np
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from dominion_agents.coach import Decision, Review
from dominion_training.common.pictures import figure_of, picture_of

COLOUR, MISTAKE = "#1f5fa8", "#b3261e"


def picture(found: Review, name: str) -> bytes:
    """Return the chance to win over the turns as the bytes of a PNG.

    The line is the chance with the best action at each decision, and the band its interval. A dot below the line is the
    action that was played instead. The dearest mistakes are named.

    Args:
        found: a review with at least one decision.
        name: name of the player.
    """
    decisions, places = found.decisions, _places(found.decisions)
    best = 100 * np.array([each.better.chance.share for each in decisions])
    low = 100 * np.array([each.better.chance.low for each in decisions])
    high = 100 * np.array([each.better.chance.high for each in decisions])
    figure, axes = figure_of(9, 4.5)
    axes.fill_between(places, low, high, color=COLOUR, alpha=0.2, linewidth=0, label="95% interval")
    axes.plot(places, best, color=COLOUR, marker=".", label="with the best action")
    for mistakes, colour, label in ((False, "grey", "played instead"), (True, MISTAKE, "played, clearly worse")):
        chosen = [row for row, each in enumerate(decisions) if each.cost is not None and each.is_mistake == mistakes]
        if chosen:
            played = [100 * decisions[row].played.chance.share for row in chosen]
            axes.vlines(places[chosen], played, best[chosen], color=colour, linewidth=1)
            axes.plot(places[chosen], played, "o", color=colour, markersize=4, label=label)
    steps = [each.step for each in decisions]
    for number, each in enumerate(found.dearest, start=1):
        row = steps.index(each.decision.step)
        where = (places[row], 100 * each.decision.played.chance.share)
        axes.annotate(
            f"{number}: {each.decision.played.name}", where, (4, -4), textcoords="offset points", fontsize=8,
            color=MISTAKE, va="top", parse_math=False,
        )  # fmt: skip
    axes.set_ylim(-2, 102)
    axes.set_xlabel("turn")
    axes.set_ylabel("chance to win (%)")
    axes.set_title(f"Chance to win of {name}", fontsize=10, parse_math=False)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.legend(fontsize=8, frameon=False)
    return picture_of(figure)


def _places(decisions: tuple[Decision, ...]) -> NDArray[np.float64]:
    """Return where decisions stand, float64 (decisions,): those of a turn from its number on, evenly up to the next one."""
    turns = np.array([each.turn for each in decisions])
    number, first = np.bincount(turns)[turns], np.searchsorted(turns, turns)
    found: NDArray[np.float64] = turns + (np.arange(len(turns)) - first) / number
    return found
