"""What earlier versions had still answers for a version, or is refused in words that say what to do instead."""

from __future__ import annotations

import numpy as np
import pytest

from dominion_env import DominionVectorEnv, GameBatch
from dominion_env.common.errors import UnknownOption
from tests.properties import bits


def test_a_name_that_goes_answers_and_names_the_one_that_has_taken_its_place() -> None:
    batch = GameBatch(3, seed=2)
    with pytest.warns(DeprecationWarning, match=r"determinize.* goes in version 0\.5: use GameBatch\.worlds") as caught:
        old = batch.determinize(seed=[4, 5, 6])
    assert caught[0].filename == __file__
    assert bits(old.state[:1]) == bits(batch.worlds([0], 1, 4).state)
    assert np.array_equal(old.observe(), batch.observe())


@pytest.mark.parametrize("make", [GameBatch, DominionVectorEnv])
def test_an_option_that_went_is_refused_with_what_to_do_instead(make: type) -> None:
    with pytest.raises(
        UnknownOption, match=r"'num_threads': it was removed in version 0\.4: step several batches in processes"
    ):
        make(2, num_threads=2)
