"""Both record layouts share a cache, and code that was compiled for one is never used for the other."""

from __future__ import annotations

import subprocess
import sys

import numba
import numpy as np
import pytest

from dominion_env.rules.record.state import GAME

NAMES = """
import numba, numpy as np
{before}
from dominion_env.rules.record.state import GAME
import dominion_env.compiled.jit
for seats in {order}:
    print(seats, numba.typeof(np.zeros(1, GAME[seats])).dtype.mangling_args)
"""


def _names(before: str, order: tuple[int, int]) -> list[str]:
    code = NAMES.format(before=before, order=order)
    return sorted(
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.splitlines()
    )


@pytest.mark.slow
@pytest.mark.compiled
def test_symbols_of_the_two_layouts_differ_and_do_not_depend_on_what_a_process_did_before():
    other_types_first = "for n in range(5): numba.typeof(np.zeros(1, [('a', 'i1', (n + 1,))]))"
    small_first = _names("", (2, 6))
    large_first = _names(other_types_first, (6, 2))
    assert small_first == large_first
    assert len({line.split(" ", 1)[1] for line in small_first}) == len(GAME) == 2


@pytest.mark.compiled
def test_a_layouts_symbol_is_made_from_its_fields():
    one = numba.typeof(np.zeros(1, [("a", "i1"), ("b", "i2")])).dtype.mangling_args
    other = numba.typeof(np.zeros(1, [("a", "i1"), ("c", "i2")])).dtype.mangling_args
    assert one != other
