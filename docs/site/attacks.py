"""How beatable agents are, at least: results of `dominion exploit` and `dominion evolve` are written into docs/attacks.json.

    python -m docs.site.attacks results/exploit-1/result.json results/evolve-1/result.json

The worst enemy of an evolution is an attack on `auto-3`, which plays the lists that were evolved.

An attack takes the place of an older one by the same means on the same agent and kingdom. `make docs` writes the table of
docs/evaluation.md from this file. The cards of trained agents hold the attacks on them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from dominion_agents.strategies.evolved import EVOLVED, PREFIX
from dominion_agents.strategies.strategy import Strategy
from dominion_training.common.records import write_atomically

FILE = Path(__file__).parents[1] / "attacks.json"
KINDS = {"lists": "the best buy list found", "learner": "a network trained against it"}
ENEMY = "the worst enemy of its evolution"
PLAYS_EVOLVED = "auto-3"

Row = dict[str, Any]


def rows_of(result: Row) -> list[Row]:
    """Return the attacks of a result of `dominion exploit`, one for each kingdom, as cards have them.

    Args:
        result: the result.json of the command.
    """
    return [
        {
            "kind": KINDS[result["by"]], "kingdom": kingdom, **{key: found[key] for key in ("score", "low", "high", "games")},
            "searched": f"{found['games_searched']:,} games" if "games_searched" in found else f"{found['samples']:,} samples",
        }
        for kingdom, found in result["kingdoms"].items()
    ]  # fmt: skip


def enemy_of(result: Row) -> Row:
    """Return the worst enemy that an evolution has found, as an attack on its list.

    Args:
        result: the result.json of `dominion evolve`.

    Raises:
        ValueError: the list is not the one that has joined the project.
    """
    kingdom, enemy = result["kingdom"], result["enemy_result"]
    found, ours = Strategy.parse(result["strategy"]), EVOLVED.get(f"{PREFIX}{kingdom}")
    if ours is None or replace(ours, name=found.name, source=found.source, players=found.players) != found:
        raise ValueError(f"{kingdom}: expected the evolved list of the project, got {found.one_line()!r}")
    measured = {key: enemy[key] for key in ("score", "low", "high", "games")}
    return {"kind": ENEMY, "kingdom": kingdom, **measured, "searched": f"{result['enemy_games']:,} games"}


def joined(known: Sequence[Row], result: Row) -> list[Row]:
    """Return the attacks with those of one more result, in the order of agents and kingdoms."""
    new = (
        [{"agent": PLAYS_EVOLVED, **enemy_of(result)}]
        if "enemy_result" in result
        else [{"agent": result["agent"], **each} for each in rows_of(result)]
    )
    found = {_place(row): row for row in [*known, *new]}
    return [found[place] for place in sorted(found)]


def kept_attacks() -> list[Row]:
    """Return the attacks of the file."""
    rows: list[Row] = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else []
    return rows


def _place(row: Row) -> tuple[str, str, str]:
    return row["agent"], row["kingdom"], row["kind"]


def main(files: Sequence[str]) -> None:
    """Add the attacks of these results to the file."""
    rows = kept_attacks()
    for file in files:
        rows = joined(rows, json.loads(Path(file).read_text(encoding="utf-8")))
    write_atomically(FILE, json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
