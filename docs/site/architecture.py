"""The picture of docs/architecture.md: `python -m docs.site.architecture` draws it from the imports of the code."""

from __future__ import annotations

import json
from pathlib import Path

import grimp
import matplotlib as mpl
import networkx as nx

mpl.use("svg")
import matplotlib.pyplot as plt
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

PICTURE = Path(__file__).parents[1] / "images" / "architecture.svg"
PACKAGES = ("dominion_env", "dominion_agents", "dominion_training", "dominion_app")

# Each room, its place in the picture (column, height) and a few words on what lies in it.
ROOMS: dict[str, tuple[float, float, str]] = {
    "common": (0.7, 0, "errors, checks of\narguments, files"),
    "compiled": (3.4, 0, "how functions are compiled,\nkept and shipped"),
    "tables": (0.7, 1, "cards, actions, kingdoms"),
    "rules": (2, 2, "zones, effects, the turn,\na file for each card"),
    "core": (2, 3, "GameBatch, loop, rewards,\nobservation, positions"),
    "render": (0.7, 4, "a position as text\nand picture"),
    "players": (2.9, 4, "what an agent is;\nagents by name"),
    "views": (1.4, 5, "one game in words, PettingZoo,\nGymnasium, stable-baselines3"),
    "text": (0.7, 6.1, "a game for a\nlanguage model"),
    "dominion_agents": (3.4, 5, "random, scripted,\ntrained agents"),
    "dominion_training": (2.6, 6.1, "learners, measurements,\nresearch"),
    "dominion_app": (0.7, 7.1, "the command line, terminal,\nbrowser and reviews"),
}


def room_of(module: str) -> str | None:
    """Return the room in which a module lies; None for what the picture leaves out, such as the command line."""
    package, *parts = module.split(".")
    if package != "dominion_env":
        return package
    room = parts[0] if parts else ""
    return room if room in ROOMS else None


def imports_between_rooms() -> list[tuple[str, str]]:
    """Return which room imports which, (importer, imported), sorted."""
    graph = grimp.build_graph(*PACKAGES, cache_dir=None)
    found: set[tuple[str, str]] = set()
    for importer in graph.modules:
        for imported in graph.find_modules_directly_imported_by(importer):
            above, below = room_of(importer), room_of(imported)
            if above is not None and below is not None and above != below:
                found.add((above, below))
    return sorted(found)


def described(picture: Path) -> list[tuple[str, str]]:
    """Return the imports that a picture says it shows."""
    text = picture.read_text(encoding="utf-8")
    start = text.index("<dc:description>") + len("<dc:description>")
    written = text[start : text.index("</dc:description>")].replace("&quot;", '"')
    return [(importer, imported) for importer, imported in json.loads(written)]


def draw(picture: Path) -> None:
    """Draw the rooms, the lowest at the bottom, with arrows from importers to what they import.

    An arrow that other arrows imply is left out: views import tables, but also core, which does.
    """
    shown = nx.transitive_reduction(nx.DiGraph(imports_between_rooms())).edges
    mpl.rcParams |= {"svg.hashsalt": "architecture", "svg.fonttype": "none", "font.family": "sans-serif"}
    figure, axes = plt.subplots(figsize=(9, 9.4))
    wide, high = 1.06, 0.62
    for importer, imported in sorted(shown):
        x, y, _ = ROOMS[importer]
        to_x, to_y, _ = ROOMS[imported]
        style = {"arrowstyle": "-|>", "mutation_scale": 11, "color": "#8a8f98", "linewidth": 1.1, "zorder": 1}
        start, end = (x, y - high / 2), (to_x, to_y + high / 2)
        axes.add_patch(FancyArrowPatch(start, end, **style))
    for room, (x, y, words) in ROOMS.items():
        outside = room.startswith("dominion_")
        box = (x - wide / 2, y - high / 2)
        colours = {"facecolor": "#fdf3d8" if outside else "#e3eefb", "edgecolor": "#40526b"}
        axes.add_patch(FancyBboxPatch(box, wide, high, boxstyle="round,pad=0.02", zorder=2, **colours))
        axes.text(x, y + 0.16, room, ha="center", va="center", weight="bold", fontsize=11, color="#1d2733", zorder=3)
        axes.text(x, y - 0.09, words, ha="center", va="center", fontsize=8.5, color="#1d2733", zorder=3)
    axes.set(xlim=(0, 4.1), ylim=(-0.5, 7.5))
    axes.axis("off")
    description = json.dumps(imports_between_rooms())
    figure.savefig(picture, bbox_inches="tight", metadata={"Date": None, "Description": description}, facecolor="white")
    plt.close(figure)


if __name__ == "__main__":
    draw(PICTURE)
