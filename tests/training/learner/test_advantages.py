"""Advantages along chains of decisions equal the definition, however the chains of many seats lie among each other."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dominion_agents.trained.inputs import layout
from dominion_training.learner.optimiser.update import batches
from dominion_training.learner.rollouts.samples import ENDED, OPEN, Samples, advantages

LAYOUT = layout("kingdom", 2)


class Step(NamedTuple):
    """One sample: its seat, how many turns that seat has begun since its last one, and whether its game ends then."""

    seat: int
    turns: int
    value: float
    final: float
    ends: bool


STEPS = st.lists(
    st.builds(Step, st.integers(0, 3), st.integers(0, 2), st.floats(0, 1, width=32), st.floats(-1, 1, width=32), st.booleans()),
    min_size=1, max_size=40,
)  # fmt: skip


def chained(steps: list[Step]) -> Samples:
    """Return samples whose chains are those of the seats."""
    samples = Samples(LAYOUT, len(steps) + 3)
    last: dict[int, int] = {}
    for number, step in enumerate(steps):
        before = last.get(step.seat)
        samples.turns[number] = step.turns + (samples.turns[before] if before is not None else 0)
        samples.shares[number] = samples.leads[number] = step.value
        samples.final_shares[number] = samples.final_leads[number] = step.final
        samples.seats[number] = step.seat
        if before is not None:
            samples.following[before] = number
        last[step.seat] = number
        if step.ends:
            samples.following[number] = ENDED
            del last[step.seat]
    samples.size = len(steps)
    return samples


def by_definition(samples: Samples, number: int, decay: float) -> float:
    """Return the sum of all later surprises, each weakened by `decay` for every pair of decisions with a turn between."""
    after = samples.following[number]
    if after == OPEN:
        return 0.0
    if after == ENDED:
        return float(samples.final_shares[number]) - float(samples.shares[number])
    weight = 1.0 if samples.turns[after] == samples.turns[number] else decay
    surprise = float(samples.shares[after]) - float(samples.shares[number])
    return surprise + weight * by_definition(samples, after, decay)


def test_lambda_counts_once_for_each_turn_and_nothing_is_known_of_an_open_sample() -> None:
    values, finals = np.array([0.2, 0.4, 0.7, 0.5], np.float32), np.array([0, 0, 1, 0], np.float32)
    following, turns = np.array([1, 2, ENDED, OPEN]), np.array([3, 3, 4, 4], np.int16)
    found = np.empty(4, np.float32)
    advantages(4, values, finals, following, turns, np.float32(0.5), found)
    assert found[2] == np.float32(1) - values[2]
    assert found[1] == pytest.approx(0.3 + 0.5 * found[2])
    assert found[0] == pytest.approx(0.2 + found[1])
    assert found[3] == 0


@given(STEPS, st.sampled_from([0.0, 0.5, 0.95, 1.0]))
def test_advantages_are_those_of_the_definition(steps: list[Step], decay: float) -> None:
    samples = chained(steps)
    found = np.full(samples.room, np.nan, np.float32)
    advantages(
        samples.size, samples.shares, samples.final_shares, samples.following, samples.turns, np.float32(decay), found
    )
    wanted = [by_definition(samples, number, decay) for number in range(samples.size)]
    np.testing.assert_allclose(found[: samples.size], wanted, atol=1e-5)
    assert np.isnan(found[samples.size :]).all()


@given(STEPS)
def test_with_a_lambda_of_one_an_advantage_is_the_result_less_the_value(steps: list[Step]) -> None:
    samples = chained(steps)
    found = np.zeros(samples.room, np.float32)
    advantages(
        samples.size, samples.shares, samples.final_shares, samples.following, samples.turns, np.float32(1), found
    )
    for number in range(samples.size):
        end = number
        while samples.following[end] >= 0:
            end = samples.following[end]
        result = samples.final_shares[end] if samples.following[end] == ENDED else samples.shares[end]
        np.testing.assert_allclose(found[number], result - samples.shares[number], atol=1e-5)


def shards() -> list[Samples]:
    """Return the samples of two shards with unequal sizes, values and results."""
    rng = np.random.default_rng(4)
    made = []
    for size in (30, 17):
        steps = [
            Step(int(rng.integers(3)), int(rng.integers(2)), *rng.random(2), rng.random() < 0.2) for _ in range(size)
        ]
        samples = chained([*steps, Step(9, 1, 0.5, 0.5, False)])
        samples.leads[:size] = rng.normal(size=size)
        samples.final_leads[:size] = rng.uniform(-1, 1, size)
        samples.inputs[:size] = rng.integers(0, 9, samples.inputs[:size].shape)
        samples.actions[:size] = rng.integers(0, 9, size)
        samples.log_probs[:size] = -rng.random(size)
        made.append(samples)
    return made


def test_a_batch_has_the_samples_whose_outcome_is_known_and_what_they_teach() -> None:
    both = shards()
    data, explained = batches(both, 0.9, 0.4)
    policy, errors, targets = [], [], []
    for samples, batch in zip(both, data, strict=True):
        rows = samples.trained_on()
        assert 0 < len(rows) < samples.size - 1
        share, lead = np.zeros((2, samples.size), np.float32)
        for values, finals, out in (
            (samples.shares, samples.final_shares, share),
            (samples.leads, samples.final_leads, lead),
        ):
            advantages(samples.size, values, finals, samples.following, samples.turns, np.float32(0.9), out)
        for name in ("inputs", "legal", "actions", "log_probs"):
            np.testing.assert_array_equal(getattr(batch, name).numpy(), getattr(samples, name)[rows])
        np.testing.assert_allclose(batch.share_targets, np.clip(share[rows] + samples.shares[rows], 0, 1), atol=1e-6)
        np.testing.assert_allclose(batch.lead_targets, lead[rows] + samples.leads[rows], atol=1e-6)
        policy.append(share[rows] + 0.4 * lead[rows])
        errors.append(share[rows])
        targets.append(share[rows] + samples.shares[rows])
    # The advantages are normalised together, so that a shard with better games has higher ones.
    every = np.concatenate(policy)
    found = np.concatenate([batch.advantages.numpy() for batch in data])
    np.testing.assert_allclose(found, (every - every.mean()) / every.std(), atol=1e-4)
    assert abs(float(data[0].advantages.mean())) > 1e-3
    assert abs(explained - (1 - np.var(np.concatenate(errors)) / np.var(np.concatenate(targets)))) < 1e-5
