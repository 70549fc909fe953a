"""Measure how fast games are played here, and in other packages that are installed.

    dominion speed
    dominion speed batch --games 1024 --threads 2
    dominion speed --start --markdown speed.md --json speed.json

A figure is the median of several runs, with the lowest and the highest. All subjects run by turns, and figures are in CPU
seconds of one core. Packages that are not installed are left out and named: pip install 'dominion_env[others,train]'
brings all of them.

The bench lies in the folder tests/speed of a checkout of the project; it is not installed with the package.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from dominion_env.errors import DominionError

BENCH = Path(__file__).parents[1] / "tests" / "speed" / "bench.py"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the bench with these arguments and return its exit status.

    Raises:
        DominionError: the package was installed without a checkout.
    """
    if not BENCH.is_file():
        raise DominionError(
            "the speed bench belongs to a checkout of the project (its folder tests/speed) and is not installed with the package"
        )
    status: int = import_module("tests.speed.bench").main(arguments)
    return status
