"""What a planted fault is."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

CARDS = "dominion_env/rules/cards/"
_RULES = ("dominion_env/rules/", "dominion_env/tables/cards.py")


class Fault(NamedTuple):
    """One small wrong edit of a package.

    Attributes:
        name: what is wrong now, in words.
        file: path in the checkout.
        old: right text, once in the file.
        new: wrong text in its place.
        near: tests that are run first, below `tests/`: folders, files without `test_` and `.py`, or one test of a file, as in
            "app/web/limits::calls_are_counted". Outside the rules these are the tests that must catch the fault.
        compiled: whether the tests need compiled code; all others run interpreted.
    """

    name: str
    file: str
    old: str
    new: str
    near: tuple[str, ...] = ()
    compiled: bool = False

    @property
    def of_the_rules(self) -> bool:
        """Whether the fault is in the rules of the game, which the tests of cards and rules hold."""
        return self.file.startswith(_RULES)

    @property
    def first(self) -> tuple[str, ...]:
        """The tests that are run first: those of `near`, or else the card's own for the text of a card."""
        return self.near or ((f"cards/{Path(self.file).stem}",) if self.file.startswith(CARDS) else ())
