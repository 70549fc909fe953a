"""The tables of docs/results.md: `python -m docs.site.results` plays the games that are not kept yet, and writes them."""

from __future__ import annotations

import os
from pathlib import Path

from rich.console import Console

from docs.site.describe import filled
from dominion_env.tables.kingdoms import KINGDOMS
from dominion_training.evaluate.commands.options import GameOptions
from dominion_training.evaluate.commands.steps import playing
from dominion_training.evaluate.reports.markdown import standings_in_markdown
from dominion_training.evaluate.standings import Standings, plan_standings, standings
from dominion_training.executors.folder import default_folder

PAGE = Path(__file__).parents[1] / "results.md"
NUM_GAMES = 1000
SEED = 0


def with_standings(page: str, found: Standings, num_games: int) -> str:
    """Return the page with the tables of these standings.

    Raises:
        ValueError: the page has no place for them.
    """
    return filled(PAGE.name, page, {"standings": lambda: f"\n{standings_in_markdown(found, num_games)}\n"})


def main() -> None:
    """Play what `dominion baselines` has not kept already, and write the tables."""
    kingdoms, options = tuple(KINGDOMS), GameOptions().for_batch()
    _, matches = plan_standings((), kingdoms, SEED, options)
    folder = default_folder("baselines", matches)
    with playing(NUM_GAMES * len(matches), folder, Console()) as advance:
        found = standings((), kingdoms, NUM_GAMES, os.cpu_count() or 1, folder, SEED, advance, **options)
    PAGE.write_text(with_standings(PAGE.read_text(encoding="utf-8"), found, NUM_GAMES), encoding="utf-8")


if __name__ == "__main__":
    main()
