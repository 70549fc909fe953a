"""Games on the terminal: what the screen says, as text."""

from __future__ import annotations

from textual.app import App


def screen_text(app: App[None]) -> str:
    """All that is on the screen, line by line, footer and messages included."""
    # `export_screenshot` says the same as an SVG, but takes a hundred times as long.
    return "\n".join(strip.text.rstrip() for strip in app.screen._compositor.render_strips())
