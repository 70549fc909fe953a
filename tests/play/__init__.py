"""Games on the terminal: what the screen says, as text."""

from __future__ import annotations

import re
from html import unescape

from textual.app import App


def screen_text(app: App[None]) -> str:
    """All that is on the screen, line by line, footer and messages included."""
    rows: dict[float, list[tuple[float, str]]] = {}
    for attributes, text in re.findall(r"<text ([^>]*)>([^<]*)</text>", app.export_screenshot()):
        place = dict(re.findall(r'(\w+)="([^"]*)"', attributes))
        if "x" in place:
            rows.setdefault(float(place["y"]), []).append((float(place["x"]), unescape(text).replace("\xa0", " ")))
    return "\n".join("".join(text for _, text in sorted(row)) for _, row in sorted(rows.items()))
