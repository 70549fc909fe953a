"""Checks of single arguments: values that pass, and errors that name the argument."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dominion_env.common.checks import flag, is_whole, one_of, seat_or, whole_number, whole_per_row
from dominion_env.common.errors import InvalidOption, InvalidStrategy


@pytest.mark.parametrize("value", [1, np.int8(1), np.uint64(1), np.int64(1)])
def test_a_whole_number_is_an_int_or_an_integer_of_numpy(value: Any) -> None:
    checked = whole_number("rounds", value, 1, 3)
    assert checked == 1
    assert type(checked) is int


@pytest.mark.parametrize("value", [True, np.bool_(True), 1.0, np.float64(1), "1", None, [1], np.array([1])])
def test_nothing_else_is_a_whole_number(value: Any) -> None:
    assert not is_whole(value)
    with pytest.raises(InvalidOption, match="rounds: expected a whole number from 1 to 3, got"):
        whole_number("rounds", value, 1, 3)


@pytest.mark.parametrize("value", [0, 4, -1, 10**30, np.uint64(2**64 - 1)])
def test_a_number_out_of_range_is_named_with_the_range(value: Any) -> None:
    with pytest.raises(InvalidOption, match="rounds: expected a whole number from 1 to 3, got"):
        whole_number("rounds", value, 1, 3)


def test_a_range_may_have_no_end_and_an_error_may_be_another() -> None:
    assert whole_number("seed", 10**30, 0) == 10**30
    with pytest.raises(InvalidStrategy, match="seed: expected a whole number from 0, got -1"):
        whole_number("seed", -1, 0, error=InvalidStrategy)


def test_flags_are_true_or_false() -> None:
    assert flag("copy", np.bool_(True)) is True
    assert flag("copy", False) is False
    for value in (0, 1, "yes", None):
        with pytest.raises(InvalidOption, match="copy: expected True or False, got"):
            flag("copy", value)


def test_words_are_one_of_those_that_there_are() -> None:
    assert one_of("mode", "svg", ("text", "svg")) == "svg"
    for value in ("png", None, 1, ["svg"]):
        with pytest.raises(InvalidOption, match="mode: expected one of 'text', 'svg', got"):
            one_of("mode", value, ("text", "svg"))


def test_a_seat_may_be_one_of_some_words_instead() -> None:
    assert seat_or("seat", np.int8(1), 2, ("random", None)) == 1
    assert seat_or("seat", "random", 2, ("random", None)) == "random"
    assert seat_or("seat", None, 2, ("random", None)) is None
    for value in (2, -1, True, "all", 1.0, ["random"], np.array(["random"])):
        with pytest.raises(InvalidOption, match="seat: expected 'random', None or a seat from 0 to 1, got"):
            seat_or("seat", value, 2, ("random", None))


def test_one_whole_number_stands_for_all_rows_and_is_taken_modulo_two_to_the_64() -> None:
    assert whole_per_row("seed", -1, 2, np.uint64).tolist() == [2**64 - 1] * 2
    assert whole_per_row("seed", [2**64, 5], 2, np.uint64).tolist() == [0, 5]
    for value in ([1], [1, 2, 3], [True, False], 1.5, "1", None, [[1, 2]], np.zeros(2)):
        with pytest.raises(InvalidOption, match=r"seed: expected a whole number or one per row \(2\), got"):
            whole_per_row("seed", value, 2, np.uint64)
