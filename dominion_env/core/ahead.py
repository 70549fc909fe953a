"""The records that are needed soon: of many games at once, most of the time would go by waiting for memory.

A record is a page of memory, of which a step or an observation reads a third. The processor can't guess which lines these
are, so they are asked for while the games before are played. What is asked for need not exist, and may be of no use.
"""

from typing import Any

from dominion_env.compiled import CACHE_LINE
from dominion_env.compiled.instructions import prefetch
from dominion_env.compiled.jit import primitive
from dominion_env.rules.record.state import GAME, HOT_BYTES, QUESTION_BYTES, ZONES_AT

AHEAD = 3  # games: with one, half of the wait is left; with more than three, nothing is gained

SMALL, (HOT, LARGE_HOT) = GAME[2].itemsize, HOT_BYTES.values()
ZONES, LARGE_ZONES = ZONES_AT.values()
QUESTION = QUESTION_BYTES[2]


@primitive
def _fetch(games: Any, begin: Any, end: Any) -> None:
    for place in range(begin, end, CACHE_LINE):
        prefetch(games, place)


@primitive
def fetch_question(games: Any, row: Any) -> None:
    """Hint that a legal action is soon drawn in this row, if there is one."""
    _fetch(games, row * games.itemsize, row * games.itemsize + QUESTION)


@primitive
def fetch_game(games: Any, row: Any, begin: Any) -> None:
    """Hint that the game in this row, if there is one, is soon played or shown: its record from this byte on."""
    start = row * games.itemsize
    if games.itemsize == SMALL:
        _fetch(games, start + begin, start + HOT)
        for place in ZONES:
            prefetch(games, start + place)
    else:
        _fetch(games, start + begin, start + LARGE_HOT)
        for place in LARGE_ZONES:
            prefetch(games, start + place)
