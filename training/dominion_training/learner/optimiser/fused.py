"""The loss of PPO on the processor: one compiled pass over the samples computes it and its gradient.

Of some hundred actions a decision has about five that are legal. `ppo_loss` computes with all of them, in some fifty
operations with an array in between each; here only the legal ones are looked at, and threads don't wait for one another.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from dominion_env.compiled.instructions import row_of
from dominion_env.compiled.jit import entry_point, hash_of_sources, rule, specialised
from dominion_env.core.sources import SOURCE_HASH
from dominion_training.learner.optimiser.networks import Network
from dominion_training.learner.optimiser.update import Batch, LossWeights

_BYTE = 8


class Columns(NamedTuple):
    """The columns of `Batch` that the loss needs, as arrays; `counts` has `Batch.weights`, and is empty if there are none."""

    legal: Any
    actions: Any
    log_probs: Any
    advantages: Any
    share_targets: Any
    lead_targets: Any
    counts: Any


@rule
def _legal_places(legal: Any, row: Any, places: Any) -> Any:
    """Write the actions that are legal in a row, and return their number."""
    number = 0
    for byte in range(legal.shape[1]):
        bits, action = int(legal[row, byte]), _BYTE * byte
        while bits:
            if bits & 1:
                places[number] = action
                number += 1
            bits >>= 1
            action += 1
    return number


@rule
def _log_total_and_entropy(scores: Any, places: Any, number: Any, highest: Any) -> Any:
    """Return the logarithm of the sum of the exponentials of a row's scores above the highest, and their entropy."""
    total, weighted = 0.0, 0.0
    for place in range(number):
        above = float(scores[places[place]]) - highest
        total += math.exp(above)
        weighted += math.exp(above) * above
    log_total = math.log(total) if total > 0 else math.nan
    return log_total, log_total - weighted / total if total > 0 else math.nan


@rule
def _policy_loss(
    columns: Any, weights: Any, row: Any, count: Any, scores: Any, slopes: Any, places: Any, sums: Any
) -> None:
    """Write the slopes of a row's loss by each score, and add its gain, entropy, divergence and clipping."""
    number, action, highest = int(_legal_places(columns.legal, row, places)), int(columns.actions[row]), -math.inf
    for place in range(number):
        highest = max(highest, float(scores[places[place]]))
    log_total, entropy = _log_total_and_entropy(scores, places, number, highest)

    log_prob = float(scores[action]) - highest - log_total
    log_ratio = log_prob - float(columns.log_probs[row])
    ratio, advantage = math.exp(log_ratio), float(columns.advantages[row])
    near = min(max(ratio, 1.0 - weights.clip), 1.0 + weights.clip)
    # Beyond the clip a better ratio gains nothing more, so that nothing pulls there.
    pull = -count * ratio * advantage if ratio * advantage <= near * advantage else 0.0
    slopes[:] = 0.0
    slopes[action] = pull
    for place in range(number):
        own = float(scores[places[place]]) - highest - log_total
        slopes[places[place]] += math.exp(own) * (count * weights.entropy * (own + entropy) - pull)

    sums[0] -= count * min(ratio * advantage, near * advantage)
    sums[3] += count * entropy
    sums[4] += count * (ratio - 1 - log_ratio)
    sums[5] += count * (ratio != near)


@rule
def _value_loss(columns: Any, weights: Any, row: Any, count: Any, values: Any, slopes: Any, sums: Any) -> None:
    """Write the slopes of a row's loss by the two values, and add the losses of share and lead."""
    logit, share = float(values[0]), float(columns.share_targets[row])
    small = math.exp(-abs(logit))
    expected = 1.0 / (1.0 + small) if logit >= 0 else small / (1.0 + small)
    slopes[0] = count * weights.share * (expected - share)
    error = float(values[1]) - float(columns.lead_targets[row])
    slopes[1] = count * weights.lead * min(max(error, -1.0), 1.0)
    sums[1] += count * (max(logit, 0.0) - logit * share + math.log1p(small))
    sums[2] += count * (error * error / 2 if abs(error) < 1 else abs(error) - 0.5)


@entry_point(SOURCE_HASH + hash_of_sources(Path(__file__).parent, ("fused.py",)))
def _one_pass(
    scores: Any, values: Any, columns: Any, weights: Any, score_slopes: Any, value_slopes: Any, sums: Any
) -> Any:
    """Write the slopes of the summed loss by each score and value, and add the numbers of `Statistics` to `sums`.

    What is not a number shows in `sums`, and a row without a legal action makes the loss of the policy NaN.
    """
    places = np.empty(scores.shape[1], np.int64)  # of the legal actions of a row, in front
    for row in range(scores.shape[0]):
        count = float(columns.counts[row]) if columns.counts.shape[0] > 0 else 1.0
        _policy_loss(columns, weights, row, count, row_of(scores, row), score_slopes[row], places, sums)
        _value_loss(columns, weights, row, count, row_of(values, row), row_of(value_slopes, row), sums)


_EACH_ALONE = np.zeros(0, np.float32)


class _Fused(torch.autograd.Function):
    """The sum of the losses, whose slopes are found together with it."""

    @staticmethod
    def forward(ctx: Any, scores: Tensor, values: Tensor, batch: Batch, weights: LossWeights) -> tuple[Tensor, Tensor]:
        slopes, sums = (torch.empty_like(scores), torch.empty_like(values)), np.zeros(6)
        counts = _EACH_ALONE if batch.weights is None else batch.weights.numpy()
        columns = (
            batch.legal,
            batch.actions,
            batch.log_probs,
            batch.advantages,
            batch.share_targets,
            batch.lead_targets,
        )
        given = (
            scores.detach().numpy(), values.detach().numpy(), Columns._make([*(each.numpy() for each in columns), counts]),
            weights, *(each.numpy() for each in slopes), sums,
        )  # fmt: skip
        specialised(_one_pass, *given)(*given)
        ctx.save_for_backward(*slopes)
        policy, share, lead, entropy, *_ = sums
        loss = policy - weights.entropy * entropy + weights.share * share + weights.lead * lead
        as_tensor = torch.from_numpy(sums.astype(np.float32))
        ctx.mark_non_differentiable(as_tensor)
        return scores.new_tensor(loss), as_tensor

    @staticmethod
    def backward(ctx: Any, *slopes: Tensor) -> tuple[Tensor, Tensor, None, None]:
        by_score, by_value = ctx.saved_tensors
        return by_score * slopes[0], by_value * slopes[0], None, None


def fused_ppo_loss(network: Network, batch: Batch, weights: LossWeights) -> tuple[Tensor, Tensor]:
    """Return what `ppo_loss` returns, for a network and samples on the processor."""
    scores, values = network(batch.inputs)
    found: tuple[Tensor, Tensor] = _Fused.apply(scores, values, batch, weights)  # type: ignore[no-untyped-call]
    return found
