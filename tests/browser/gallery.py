"""Make a picture of every question that a player can be asked, on large and small screens, light and dark.

    python -m tests.browser.gallery FOLDER

writes FOLDER/QUESTION-LOOK.png for each scene of `tests.browser.questions` and each of `LOOKS`, checks each page as
`faults` does, and ends with status 1 if anything is wrong.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import CHROMIUM, PHONE, WIDE, Server
from tests.browser.questions import SCENES, WANTED, Scene, link_to


class Look(NamedTuple):
    """A number of players, a size of the screen in pixels, and whether it is dark."""

    players: int
    size: tuple[int, int]
    dark: bool

    @property
    def name(self) -> str:
        """Name for a file."""
        return f"{self.players}-{'wide' if self.size == WIDE else 'phone'}-{'dark' if self.dark else 'light'}"


LOOKS = (Look(2, WIDE, False), Look(6, WIDE, True), Look(2, PHONE, True), Look(6, PHONE, False))

# Returns the answers that can't be seen or pressed: on a large screen all are in sight at once, and on a small
# one each comes into sight of the question, whose place on the screen is fixed.
_HIDDEN = """(scroll) => [...document.querySelectorAll("#question h2, #question button")].filter((each) => {
  if (scroll) each.scrollIntoView({block: "nearest"});
  const box = each.getBoundingClientRect(), x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
  const inside = box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
  return !inside || !each.contains(document.elementFromPoint(x, y));
}).map((each) => each.innerText)"""
# Returns the parts whose content is wider than they are.
_CUT = """() => [...document.querySelectorAll("#question, #own, #supply, #others, nav")].flatMap((part) =>
  [...part.querySelectorAll("*")].filter((each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 1
    && getComputedStyle(each).display !== "inline" && !each.closest(".wide")).map((each) => each.innerText))"""
# Returns the names of cards that are broken in the middle of a word.
_BROKEN = """() => [...document.querySelectorAll(".pile .name, .held .name")].filter((each) => {
  const words = document.createRange();
  words.selectNodeContents(each);
  return !each.innerText.includes(" ") && words.getClientRects().length > 1;
}).map((each) => each.innerText)"""


def faults(page: Any, look: Look) -> list[str]:
    """Return what is wrong with a page in words: parts that can't be seen or pressed, and what axe finds."""
    found = []
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        found.append("it is wider than the screen")
    found += [f"out of sight: {words}" for words in page.evaluate(_HIDDEN, look.size == PHONE)]
    found += [f"cut off: {words}" for words in page.evaluate(_CUT)]
    found += [f"broken: {words}" for words in page.evaluate(_BROKEN)]
    page.evaluate("scrollTo(0, 0)")
    axe = Axe().run(page)
    if axe.violations_count:
        found.append(axe.generate_report())
    return found


def pick(page: Any, scene: Scene) -> None:
    """Pick the first cards that can be picked, as many as the scene says."""
    for number in range(1, scene.picks + 1):
        page.click("#own button.held:not(.chosen) >> nth=0")
        page.wait_for_function("n => document.querySelectorAll('#own .chosen').length === n", arg=number)


def _pictures(browser: Browser, address: str, look: Look, folder: Path, scenes: Sequence[Scene]) -> list[str]:
    """Write the pictures of a look. Returns what is wrong, in words."""
    width, height = look.size
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme="dark" if look.dark else "light"
    )
    wrong = []
    for scene in scenes:
        page = context.new_page()
        page.goto(address + link_to(scene, look.players))
        page.wait_for_function("window.did_handshake === true")
        pick(page, scene)
        name = f"{scene.name}-{look.name}"
        wrong += [f"{name}: {each}" for each in faults(page, look)]
        page.screenshot(path=folder / f"{name}.png")
        page.close()
    context.close()
    return wrong


def main(folder: Path) -> int:
    """Write all pictures, print what is wrong, and return the exit status."""
    folder.mkdir(parents=True, exist_ok=True)
    wrong = [f"{each}: no scene asks it" for each in WANTED - {scene.asks for scene in SCENES}]
    with (
        tempfile.TemporaryDirectory() as games,
        Server(Path(games) / "games.sqlite") as server,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"]) as browser,
    ):
        for look in LOOKS:
            wrong += _pictures(browser, server.address, look, folder, SCENES)
    print("\n".join(wrong) or f"{len(SCENES) * len(LOOKS)} pictures in {folder}, nothing is wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tests.browser.gallery FOLDER")
    sys.exit(main(Path(sys.argv[1])))
