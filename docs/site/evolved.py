"""The lists that the project has evolved: results of `dominion evolve` go into
agents/dominion_agents/strategies/evolved.txt.

    python -m docs.site.evolved results/evolve-1/result.json results/evolve-2/result.json

A list takes the place of an older one of its kingdom. One that does not beat what `auto-2` plays there is refused.
"""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from dominion_agents.choosing.auto import EVOLVED_AT, choice_of_auto_2
from dominion_agents.strategies.evolved import FILE, PREFIX
from dominion_agents.strategies.strategy import Strategy
from dominion_env.tables.kingdoms import KINGDOMS

HEAD = """\
# Lists that `dominion evolve` found for recommended kingdoms, from random lists, for two players. The strategy beside each score
# is the published one that scores most against it, and its worst enemy a list that was sought against it alone.
# `python -m docs.site.evolved` writes this file from results of the command.
"""


def entry(result: dict[str, Any]) -> tuple[str, str]:
    """Return a list as the file has it, and the kingdom that it belongs to.

    Args:
        result: the result.json of `dominion evolve`.

    Raises:
        ValueError: the kingdom is not a recommended one, or the list does not beat what `auto-2` plays there.
    """
    kingdom = result["kingdom"]
    if kingdom not in KINGDOMS:
        raise ValueError(f"kingdom: expected a recommended one, got {kingdom!r}")
    name, matches, enemy = f"{PREFIX}{kingdom}", result["matches"], result["enemy_result"]
    chosen = choice_of_auto_2(KINGDOMS[kingdom])
    if matches[chosen]["low"] <= 0.5:
        raise ValueError(
            f"{name}: expected a list that surely beats `{chosen}`, got a score of {matches[chosen]['score']:.1%}"
        )
    best = min(matches, key=lambda each: matches[each]["score"])
    said = [
        f"# {_command(result['command'])}",
        f"# {result['games']:,} games of evolution. {_score(matches[chosen])} against",
        f"# {chosen}, which auto-2 plays there, "
        + (
            "and more against all others that are published."
            if best == chosen
            else f"{_score(matches[best])} against {best}."
        ),
        f"# Its worst enemy, found in {result['enemy_games']:,} games, scores {_score(enemy)} against it.",
    ]
    strategy = replace(Strategy.parse(result["strategy"]), name=name, source="dominion evolve", players=EVOLVED_AT)
    return "\n".join([*said, str(strategy)]), kingdom


def _command(command: str) -> str:
    """Return the command without what the list does not depend on: folders and files, the workers."""
    words, found = shlex.split(command), list[str]()
    while words:
        word = words.pop(0)
        if word in ("--out", "--json", "--workers"):
            words.pop(0)
        else:
            found.append(word)
    return shlex.join(found)


def _score(summary: dict[str, Any]) -> str:
    return f"{summary['score']:.1%} ({summary['low']:.1%} to {summary['high']:.1%}, n = {summary['games']:,})"


def joined(text: str, results: Sequence[dict[str, Any]]) -> str:
    """Return the text of the file with more lists in it, in the order of the kingdoms."""
    parts = [
        part.strip("\n") for part in text.split("\n\n") if any(line[:1] not in ("", "#") for line in part.split("\n"))
    ]
    entries = {Strategy.parse(part).name.removeprefix(PREFIX): part for part in parts}
    for result in results:
        new, kingdom = entry(result)
        entries[kingdom] = new
    return "\n\n".join([HEAD.strip("\n"), *(entries[kingdom] for kingdom in KINGDOMS if kingdom in entries)]) + "\n"


if __name__ == "__main__":
    found = [json.loads(Path(path).read_text(encoding="utf-8")) for path in sys.argv[1:]]
    FILE.write_text(joined(FILE.read_text(encoding="utf-8"), found), encoding="utf-8")
