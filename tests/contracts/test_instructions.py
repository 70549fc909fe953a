"""Machine instructions do what their definitions in plain Python say; random words are those of SplitMix64."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest

from dominion_env.common.splitmix import GAMMA, number_below, splitmix
from dominion_env.compiled import instructions
from dominion_env.rules.record import streams

NUMBERS = [1, 2, 3, 40, 255, 1 << 38, (1 << 39) - 1, (1 << 62) + 8, -(1 << 63), -1]


@numba.njit
def bits_of(word: Any) -> Any:
    return instructions.lowest_bit(word), instructions.count_bits(word)


@pytest.mark.parametrize("number", NUMBERS)
def test_bits_are_found_and_counted(number: int) -> None:
    word = number & (1 << 64) - 1
    lowest = next(place for place in range(64) if word >> place & 1)
    assert tuple(bits_of(np.int64(number))) == (lowest, word.bit_count())
    assert (instructions._lowest_bit(number), instructions._count_bits(number)) == (lowest, word.bit_count())


LENGTHS = [8, 11, 16, 39]


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("add", [False, True])
def test_a_scaled_copy_writes_or_adds_each_number_once(length: int, add: bool) -> None:
    copy = instructions.scaled_copy(length, add)

    @numba.njit
    def run(out: Any, numbers: Any) -> None:
        copy(instructions.from_here(out, 1), 1, instructions.row_of(numbers, 1), 2, np.float32(0.25))

    numbers = np.arange(-60, 60, dtype=np.int8).reshape(2, 60)
    out = np.full(length + 4, 5, np.float32)
    run(out, numbers)
    expected = numbers[1, 2 : 2 + length] / 4 + (5 if add else 0)
    assert out.tolist() == [5, 5, *expected.tolist(), 5, 5]


@pytest.mark.parametrize("length", LENGTHS)
def test_numbers_that_are_not_zero_are_found_whatever_their_width(length: int) -> None:
    which = instructions.where_set(length, 4)

    @numba.njit
    def run(row: Any) -> Any:
        return which(instructions.from_here(row, 0), 1)

    row = np.zeros(length + 2, np.int32)
    wanted = [0, 3, length - 1]
    row[0] = row[-1] = 1  # before and after
    row[[place + 1 for place in wanted]] = 7, 1 << 30, -1
    assert run(row) == sum(1 << place for place in wanted)


def test_random_words_are_those_of_the_reference_code() -> None:
    words = splitmix(np.arange(1, 4, dtype=np.uint64) * GAMMA)
    assert words.tolist() == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    assert number_below(words, 10).tolist() == [(word >> 32) * 10 >> 32 for word in words.tolist()]


def test_compiled_code_has_the_same_random_words() -> None:
    @numba.njit
    def word(key: Any) -> Any:
        return streams.mix(key)

    with np.errstate(over="ignore"):
        assert int(word(GAMMA)) == 0xE220A8397B1DCDAF
