"""How strong the agents are that a player chooses among first, measured: the one table of `dominion agents`.

The ratings are those of docs/results.md, two players, with Big Money at 0 Elo. The searching agents are in no such field;
docs/search.md has their scores against `first-game` and `auto-2`, and the card of `any-3p` has its own.
"""

from __future__ import annotations

from dominion_env.players.registry import Strength

FIRST_GAME = "first-game-2e"  # the kingdom that newcomers meet first


def _rated(level: str, brief: str, everywhere: int | None = None, first_game: int | None = None) -> Strength:
    """Return a strength; `brief` has at most 25 letters, so that the list has one line an agent at 80 columns."""
    return Strength(level, brief, everywhere, {} if first_game is None else {FIRST_GAME: first_game})


LEVELS = {
    "random": _rated("easy", "any legal action", -1466, -1366),
    "random-buyer": _rated("easy", "buys at random", -858, -844),
    "greedy": _rated("easy", "buys the dearest card", -123, -147),
    "big-money": _rated("easy", "Province, Gold, Silver", 0, 0),
    "big-money-duchy": _rated("medium", "and Duchies at the end", 204, 221),
    "big-money-ultimate": _rated("medium", "Big Money at its best", 249, 269),
    "smithy-optimised": _rated("medium", "Big Money with Smithies", None, 498),
    "first-game": _rated("strong", "Villages and Smithies", None, 590),
    "auto": _rated("strong", "the best buy list known", 554, 771),
    "planner": _rated("strong", "searches: takes longer"),
    "quick": _rated("strongest", "made by `dominion train`", None, 964),
    "any": _rated("strongest", "a network, all kingdoms", 788, 1102),
    "first-game-ppo": _rated("strongest", "a network, First Game", None, 1122),
    "any-3p": _rated("strongest", "a network, three players"),
}
