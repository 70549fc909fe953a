"""The strategies that come with the project. `named.txt` has them in the notation of strategies.

They are bots published for other Dominion programs, written in our own notation. The sources are Geronimoo's simulator (bots
by Geronimoo and by the authors named), Dominiate, Provincial and the Dominion Strategy wiki. All of them buy one card after
the other by these lists. Ours play by the default ways, not by those of the programs, unless their texts name others.
"""

from __future__ import annotations

from pathlib import Path

from dominion_agents.strategies.strategy import Strategy


def read_named(text: str) -> dict[str, Strategy]:
    """Return the strategies of a text, by name.

    Args:
        text: strategies with blank lines between, each with its name.

    Raises:
        InvalidStrategy: a part of the text is no strategy.
        ValueError: two bear the same name.
    """
    found: dict[str, Strategy] = {}
    for part in text.split("\n\n"):
        if all(line.startswith("#") for line in part.split("\n") if line):
            continue
        strategy = Strategy.parse(part)
        if strategy.name in found:
            raise ValueError(f"expected each name once, got {strategy.name!r} twice")
        found[strategy.name] = strategy
    return found


STRATEGIES: dict[str, Strategy] = read_named(Path(__file__).with_name("named.txt").read_text(encoding="utf-8"))
