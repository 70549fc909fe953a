"""`dominion speed`: the way to the speed bench, which lies in the folder tests/speed of a checkout and is not installed."""

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
