"""Pictures of a benchmark."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np
from matplotlib.colors import TwoSlopeNorm
from matplotlib.figure import Figure

from dominion_training.common.pictures import Form, figure_of, picture_of
from dominion_training.evaluate.benchmark import Benchmark
from dominion_training.evaluate.reports.short_names import legend, short_names

FARTHEST_BLACK = 0.33  # from the middle of the colours, which reach to 0.5: beyond it they are too dark for black
INCHES_PER_LETTER = 0.057  # width of a letter of the legend, about


def payoff_picture(found: Benchmark) -> bytes:
    """Return the payoff matrix as the bytes of a PNG, strongest agent first."""
    order = found.by_strength
    payoff = 100 * found.payoff()[np.ix_(order, order)]
    short = short_names(found.agents)
    names = [short[agent] for agent in order]
    side = 2.5 + 0.6 * len(order)
    width = side + 1.5
    notes = [
        line
        for note in legend(found.agents)
        for line in textwrap.wrap(note, int(width / INCHES_PER_LETTER), subsequent_indent="      ")
    ]
    figure = Figure(figsize=(width, side + 0.14 * len(notes)), layout="constrained")
    axes = figure.subplots()
    even = 100 / found.num_players
    colours = TwoSlopeNorm(even, vmin=0, vmax=100)
    image = axes.imshow(payoff, cmap="RdBu", norm=colours)
    for row in range(len(order)):
        for column in range(len(order)):
            dark = abs(colours(payoff[row, column]) - 0.5) > FARTHEST_BLACK
            colour = "white" if dark else "black"
            axes.text(column, row, f"{payoff[row, column]:.0f}", ha="center", va="center", color=colour, fontsize=8)
    written: dict[str, Any] = {"fontsize": 8, "parse_math": False}
    axes.set_xticks(range(len(order)), names, rotation=45, ha="right", rotation_mode="anchor", **written)
    axes.set_yticks(range(len(order)), names, **written)
    axes.set_title("score of row against column (%)", fontsize=10)
    ticks = [0, even / 2, even, (even + 100) / 2, 100]
    figure.colorbar(image, shrink=0.8, spacing="proportional", ticks=ticks, format="%.3g")
    if notes:
        figure.supxlabel("\n".join(notes), x=0.01, ha="left", fontsize=7, parse_math=False)
    return picture_of(figure)


def ratings_picture(found: Benchmark, form: Form = "svg") -> bytes:
    """Return the ratings with their 95% intervals as the bytes of a picture (`picture_of`), strongest agent on top."""
    order, fitted = found.by_strength[::-1], found.ratings
    short = short_names(found.agents)
    notes = [line for note in legend(found.agents) for line in textwrap.wrap(note, 90, subsequent_indent="      ")]
    elo, rows = fitted.elo[order], range(len(order))
    widths = np.maximum([elo - fitted.low[order], fitted.high[order] - elo], 0)
    figure, axes = figure_of(6, 1 + 0.3 * len(order) + 0.14 * len(notes))
    axes.axvline(0, color="grey", linewidth=0.8, linestyle="--")
    axes.errorbar(elo, rows, xerr=widths, fmt="o", color="black", markersize=4, capsize=3, linewidth=1)
    axes.set_yticks(rows, [short[agent] for agent in order], parse_math=False)
    axes.set_ylim(-0.5, len(order) - 0.5)
    axes.set_xlabel("Elo with 95% intervals, Big Money at 0")
    if notes:
        figure.supxlabel("\n".join(notes), x=0.01, ha="left", fontsize=7, parse_math=False)
    return picture_of(figure, form)
