"""The report of a study: one page that needs no other file."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from dominion_training.research.reports.figures import in_svg
from dominion_training.research.reports.sections import Section
from dominion_training.research.reports.summary import summary

TEMPLATE = "study.html.jinja"


def html_report(title: str, about: str, sections: Sequence[Section], record: dict[str, Any]) -> str:
    """Return the page of a study.

    Args:
        title: its heading.
        about: what was played.
        sections: what was found.
        record: entries "command" and "versions".
    """
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    return environment.get_template(TEMPLATE).render(
        title=title,
        about=about,
        sections=sections,
        summary=summary(sections),
        pictures={
            section.name: base64.b64encode(in_svg(section.figure)).decode()
            for section in sections
            if section.figure is not None
        },
        command=record["command"],
        versions=json.dumps(record["versions"]),
    )
