"""Machine instructions do what their definitions in plain Python say; random words are those of SplitMix64."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest

from dominion_env.common.splitmix import GAMMA, number_below, splitmix
from dominion_env.compiled import instructions
from dominion_env.compiled.inner import ENTRY
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
def test_a_scaled_copy_writes_each_number_once(length: int) -> None:
    copy = instructions.scaled_copy(length)

    @numba.njit
    def run(out: Any, numbers: Any) -> None:
        copy(instructions.from_here(out, 1), 1, instructions.row_of(numbers, 1), 2, np.float32(0.25))

    numbers = np.arange(-60, 60, dtype=np.int8).reshape(2, 60)
    out = np.full(length + 4, 5, np.float32)
    run(out, numbers)
    assert out.tolist() == [5, 5, *(numbers[1, 2 : 2 + length] / 4).tolist(), 5, 5]


@pytest.mark.parametrize("length", [length for length in LENGTHS if length >= instructions.BYTES])
@pytest.mark.parametrize("kind", [np.float32, np.int16, np.uint8])
def test_numbers_less_those_of_two_rows_are_written_once(length: int, kind: type[Any]) -> None:
    rest = instructions.counts_rest(length)

    @numba.njit(**ENTRY)
    def run(out: Any, rows: Any) -> None:
        first, second = instructions.row_of(rows, 0), instructions.row_of(rows, 1)
        rest(instructions.from_here(out, 0), 1, first, second, instructions.row_of(rows, 2), np.float32(0.5))

    rows = np.random.default_rng(length).integers(0, 40, (3, length), np.int8)
    rows[0] += rows[1] + rows[2]
    out = np.full(length + 2, 5, kind)
    run(out, rows)
    expected = (rows[0] - rows[1] - rows[2]) * (0.5 if kind is np.float32 else 1)
    assert out.tolist() == [5, *expected.tolist(), 5]


@pytest.mark.parametrize("kind", [np.float32, np.int16, np.uint8])
@pytest.mark.parametrize("length", [34, 39, 62])
def test_numbers_that_are_picked_are_written_one_after_the_other(length: int, kind: type[Any]) -> None:
    picking = instructions.picking(length, 17)
    choose, copy, rest = picking.choose, picking.copy, picking.rest

    @numba.njit(**ENTRY)
    def run(out: Any, rows: Any, chosen: Any, numbers: Any) -> None:
        choose(chosen, 1, numbers)
        first, picked = instructions.row_of(rows, 0), instructions.from_here(chosen, 0)
        copy(instructions.from_here(out, 0), 1, first, picked, 1, np.float32(0.5))
        second, third = instructions.row_of(rows, 1), instructions.row_of(rows, 2)
        rest(instructions.from_here(out, 0), 20, first, second, third, picked, 1, np.float32(0.5))

    random = np.random.default_rng(length)
    numbers = np.sort(random.choice(length, 17, replace=False)).astype(np.int8)
    rows = random.integers(0, 40, (3, length), np.int8)
    rows[0] += rows[1] + rows[2]
    out = np.full(38, 5, kind)
    run(out, rows, np.zeros(picking.size + 1, np.int8), numbers)
    times = 0.5 if kind is np.float32 else 1
    assert out[1:18].tolist() == (rows[0, numbers] * times).tolist()
    assert out[20:37].tolist() == ((rows[0] - rows[1] - rows[2])[numbers] * times).tolist()
    assert out[[0, 18, 19, 37]].tolist() == [5] * 4


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
