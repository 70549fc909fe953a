"""A benchmark as a picture and as a page that stands alone."""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from matplotlib.backends.backend_agg import FigureCanvasAgg  # needs no screen and no global state
from matplotlib.figure import Figure

from training.evaluate.runner import write_atomically

if TYPE_CHECKING:
    from training.evaluate.benchmark import Benchmark

TEMPLATE = "report.html.jinja"


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


def picture(found: Benchmark) -> bytes:
    """The payoff matrix as the bytes of a PNG, strongest agent first."""
    order = by_strength(found)
    payoff = 100 * found.payoff()[np.ix_(order, order)]
    names = [found.agents[agent] for agent in order]
    side = 2.5 + 0.6 * len(order)
    figure = Figure(figsize=(side + 1.5, side), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    even = 100 / found.num_players
    image = axes.imshow(payoff, cmap="RdBu", vmin=0 if found.num_players == 2 else even - 50, vmax=even + 50)
    for row in range(len(order)):
        for column in range(len(order)):
            colour = "white" if abs(payoff[row, column] - even) > 33 else "black"
            axes.text(column, row, f"{payoff[row, column]:.0f}", ha="center", va="center", color=colour, fontsize=8)
    axes.set_xticks(range(len(order)), names, rotation=45, ha="right", fontsize=8)
    axes.set_yticks(range(len(order)), names, fontsize=8)
    axes.set_title("score of row against column (%)", fontsize=10)
    figure.colorbar(image, shrink=0.8)
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=150)
    return stream.getvalue()
