"""Rounds of parts: each is played whole, in the order given, on an executor that is started once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from dominion_training.executors.runner import Rounds
from dominion_training.play.loop import Stopped


@dataclass(frozen=True)
class Counting:
    """A part that comes to its number, or to an error."""

    number: int

    def play(self, stopping=None):
        if self.number < 0:
            return ValueError(f"part {self.number}")
        return np.array([self.number])


class Backwards:
    """An executor that finishes the parts two by two, those that began last first."""

    ahead = 4

    def __init__(self):
        self.started = self.stopped = 0
        self.begun, self.most = [], 0

    def start(self, parts):
        self.started += 1
        return self

    def begin(self, number, part):
        self.begun.append((number, part))
        self.most = max(self.most, len(self.begun))

    def finished(self):
        for _ in range(min(2, len(self.begun))):
            number, part = self.begun.pop()
            yield number, part.play()

    def stop(self):
        self.stopped += 1
        return []


def test_rounds_come_back_in_their_order_from_an_executor_that_is_started_once():
    executor = Backwards()
    with Rounds(executor, [Counting(0)]) as rounds:
        for numbers in (range(9), range(20, 21), range(0), range(5, 12)):
            assert [int(found[0]) for found in rounds.play([Counting(number) for number in numbers])] == [*numbers]
    assert (executor.started, executor.stopped, executor.most) == (1, 1, 4)


def test_the_first_part_in_order_that_failed_decides():
    with Rounds(Backwards(), []) as rounds, pytest.raises(ValueError, match="part -2"):
        rounds.play([Counting(1), Counting(-2), Counting(-3)])


def test_a_round_that_is_stopped_is_not_waited_for():
    executor = Backwards()
    with Rounds(executor, []) as rounds:
        with pytest.raises(Stopped):
            rounds.play([Counting(number) for number in range(6)], lambda: True)
        assert len(executor.begun) == 2
        assert len(rounds.play([], lambda: True)) == 0
    assert executor.stopped == 1


def test_a_round_that_is_finished_counts_even_if_it_is_late():
    with Rounds(Backwards(), []) as rounds:
        assert len(rounds.play([Counting(1), Counting(2)], lambda: True)) == 2
