"""Measure what the first page weighs and when it is seen, each time by a browser that knows nothing of the server yet.

    python -m tests.browser.first_page

The weight is what Chromium receives over the wire, compressed, until the page is live. First paint is what it reports as
first contentful paint, counted from the beginning of the visit.
"""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import CHROMIUM, WIDE, Server

TIMES = 5
PATHS = ("/", "/play?kingdom=first-game-2e&seed=1")
_PAINT = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"  # undefined before it


def measured(browser: Browser, address: str) -> tuple[float, float]:
    """Return the kilobytes that a first visit fetches, and the milliseconds until its first paint."""
    context = browser.new_context(viewport={"width": WIDE[0], "height": WIDE[1]})
    page = context.new_page()
    fetched = [0.0]
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    network.on("Network.loadingFinished", lambda event: fetched.append(event["encodedDataLength"]))
    page.goto(address)
    page.wait_for_function("window.did_handshake === true")
    paint: Any = page.wait_for_function(_PAINT).json_value()
    context.close()
    return sum(fetched) / 1000, float(paint)


def main() -> None:
    """Start a server and a browser, and print the medians with the smallest and largest values."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Server(Path(folder) / "games.sqlite") as server,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"]) as browser,
    ):
        for path in PATHS:
            found = [measured(browser, server.address + path) for _ in range(TIMES)]
            kilobytes, paints = zip(*found, strict=True)
            print(
                f"{path}: {statistics.median(kilobytes):.0f} kB; first paint {statistics.median(paints):.0f} ms "
                f"({min(paints):.0f} to {max(paints):.0f}), median of {TIMES}"
            )


if __name__ == "__main__":
    main()
