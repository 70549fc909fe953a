"""A benchmark as one HTML page that needs no other file."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from dominion_training.evaluate.benchmark import Benchmark
from dominion_training.evaluate.reports.pictures import payoff_picture
from dominion_training.evaluate.reports.short_names import short_names
from dominion_training.evaluate.taken import taken_in_words

TEMPLATE = "report.html.jinja"


def html_report(found: Benchmark, record: dict[str, Any]) -> str:
    """Return the page with the tables and the picture of a benchmark.

    Args:
        found: the benchmark.
        record: entries "command", "versions", "addresses" and "ratings_method", which the page shows.
    """
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    low, high = found.interval()
    return environment.get_template(TEMPLATE).render(
        found=found,
        order=found.by_strength,
        short_names=short_names(found.agents),
        payoff=found.payoff(),
        low=low,
        high=high,
        taken={agent: taken_in_words(each) for agent, each in found.taken.items()},
        picture=base64.b64encode(payoff_picture(found)).decode(),
        versions=json.dumps(record["versions"]),
        addresses=json.dumps(record["addresses"]),
        command=record["command"],
        method=record["ratings_method"],
    )
