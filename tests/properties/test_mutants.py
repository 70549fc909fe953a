"""Broken input is refused or played safely; `python -m tests.properties.mutants 20000` tries more of it."""

from __future__ import annotations

import pytest

from . import sized
from .mutants import Trial


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_a_mutant_is_refused_or_plays_on_with_all_its_cards(seed: int) -> None:
    tried = Trial(seed).run(sized(300))
    assert sum(number for name, number in tried.items() if name.endswith("played")) >= sized(20)
    assert sum(number for name, number in tried.items() if name.endswith("refused")) >= sized(100)
