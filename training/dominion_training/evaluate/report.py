"""A benchmark as a picture and as a page that stands alone."""

from __future__ import annotations

import base64
import io
import json
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from matplotlib.backends.backend_agg import FigureCanvasAgg  # needs no screen and no global state
from matplotlib.colors import TwoSlopeNorm
from matplotlib.figure import Figure

from dominion_training.evaluate.runner import write_atomically

if TYPE_CHECKING:
    from dominion_training.evaluate.benchmark import Benchmark

TEMPLATE = "report.html.jinja"
LONGEST_LABEL = 20  # letters
FARTHEST_BLACK = 0.33  # from the middle of the colours, which reach to 0.5: beyond it they are too dark for black
INCHES_PER_LETTER = 0.057  # of the legend, about


def write_picture(path: Path, found: Benchmark) -> None:
    """The payoff matrix as a PNG, strongest agent first."""
    path.write_bytes(picture(found))


def write_html(path: Path, found: Benchmark, record: dict[str, Any]) -> None:
    """One file with tables and picture that needs nothing else.

    Args:
        path: of the file.
        found: what was found.
        record: what is shown of where it comes from: "command", "versions", "addresses", "ratings_method".
    """
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    low, high = found.interval()
    page = environment.get_template(TEMPLATE).render(
        found=found,
        order=by_strength(found),
        labels=labels(found.agents),
        payoff=found.payoff(),
        low=low,
        high=high,
        picture=base64.b64encode(picture(found)).decode(),
        versions=json.dumps(record["versions"]),
        addresses=json.dumps(record["addresses"]),
        command=record["command"],
        method=record["ratings_method"],
    )
    write_atomically(path, page)


def by_strength(found: Benchmark) -> list[int]:
    """The agents' numbers, highest rating first."""
    return [int(agent) for agent in np.argsort(-found.ratings.elo, kind="stable")]


def labels(agents: Sequence[str]) -> list[str]:
    """What agents are called where there is little room: those with long names by their place in the list, `#3`."""
    return [
        f"#{place}" if len(agent) > LONGEST_LABEL or "\n" in agent else agent for place, agent in enumerate(agents, 1)
    ]


def legend(agents: Sequence[str]) -> list[str]:
    """What the numbers among `labels` stand for, a line each."""
    return [
        f"{label}: {'; '.join(agent.splitlines())}"
        for label, agent in zip(labels(agents), agents, strict=True)
        if label != agent
    ]


def picture(found: Benchmark) -> bytes:
    """The payoff matrix as the bytes of a PNG, strongest agent first."""
    order = by_strength(found)
    payoff = 100 * found.payoff()[np.ix_(order, order)]
    short = labels(found.agents)
    names = [short[agent] for agent in order]
    side = 2.5 + 0.6 * len(order)
    width = side + 1.5
    notes = [
        line
        for note in legend(found.agents)
        for line in textwrap.wrap(note, int(width / INCHES_PER_LETTER), subsequent_indent="      ")
    ]
    figure = Figure(figsize=(width, side + 0.14 * len(notes)), layout="constrained")
    FigureCanvasAgg(figure)
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
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=150)
    return stream.getvalue()
