"""The strategies that come with the project. `named.txt` has them in the notation of strategies.

They are bots published for other Dominion programs, written in our own notation. The sources are Geronimoo's simulator (bots
by Geronimoo and by the authors named), Dominiate, Provincial and the Dominion Strategy wiki. All of them buy one card after
the other by these lists. Ours play by the default ways, not by those of the programs, unless their texts name others.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from dominion_agents.strategies.strategy import Strategy, read_named
from dominion_env.common.checks import shown
from dominion_env.common.errors import InvalidStrategy

_KEPT = 64  # texts whose strategies are remembered


def strategy_of(given: Strategy | str, what: str = "strategy") -> Strategy:
    """Return a strategy, which is given itself, or by its name or its text.

    Args:
        given: the strategy.
        what: what it is, for the message.

    Raises:
        InvalidStrategy: it is none.
    """
    if isinstance(given, Strategy):
        return given
    if not isinstance(given, str):
        raise InvalidStrategy(f"{what}: expected a Strategy, its name or its text, got {shown(given)}")
    return _named(given)


@lru_cache(_KEPT)
def _named(text: str) -> Strategy:
    return STRATEGIES[text] if text in STRATEGIES else Strategy.parse(text)


STRATEGIES: dict[str, Strategy] = read_named(Path(__file__).with_name("named.txt").read_text(encoding="utf-8"))
