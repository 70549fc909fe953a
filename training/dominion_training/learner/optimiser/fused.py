"""The loss of PPO on the processor: one compiled pass over the samples computes it and its slopes.

Of some hundred actions a decision has about five that are legal. `ppo_loss` computes with all of them, in some fifty
operations with an array in between each; here only the legal ones are looked at, and threads don't wait for one another.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from dominion_env.compiled.jit import entry_point, hash_of_sources
from dominion_training.learner.optimiser.networks import Network
from dominion_training.learner.optimiser.update import Batch, Losses

_BYTE = 8


def _make_pass(source_hash: str) -> Callable[..., None]:
    def one_pass(
        scores: Any, values: Any, legal: Any, actions: Any, log_probs: Any, advantages: Any, shares: Any, leads: Any,
        counts: Any, clip: Any, entropy_weight: Any, share_weight: Any, lead_weight: Any, score_slopes: Any,
        value_slopes: Any, told: Any,
    ) -> Any:  # fmt: skip
        """Write the slopes of the summed loss by each score and value, and add the numbers of `Statistics` to `told`.

        `counts` says how many samples each represents; an empty one says that each represents itself alone. What is not a
        number shows in `told`, and a row without a legal action makes the loss of the policy NaN.
        """
        source_hash  # noqa: B018  part of the cache key, see `entry_point`
        places = np.empty(scores.shape[1], np.int64)  # of the legal actions of a row, the first `number`
        for row in range(scores.shape[0]):
            count = float(counts[row]) if counts.shape[0] > 0 else 1.0
            number, highest = 0, -math.inf
            for byte in range(legal.shape[1]):
                bits, action = int(legal[row, byte]), _BYTE * byte
                while bits:
                    if bits & 1:
                        places[number] = action
                        number += 1
                        highest = max(highest, float(scores[row, action]))
                    bits >>= 1
                    action += 1
            total, weighted = 0.0, 0.0
            for place in range(number):
                above = float(scores[row, places[place]]) - highest
                total += math.exp(above)
                weighted += math.exp(above) * above
            log_total = math.log(total) if total > 0 else math.nan
            entropy = log_total - weighted / total if total > 0 else math.nan

            log_prob = float(scores[row, actions[row]]) - highest - log_total
            log_ratio = log_prob - float(log_probs[row])
            ratio, advantage = math.exp(log_ratio), float(advantages[row])
            near = min(max(ratio, 1.0 - clip), 1.0 + clip)
            gain = min(ratio * advantage, near * advantage)
            # Beyond the clip a better ratio gains nothing more, so that nothing pulls there.
            pull = -count * ratio * advantage if ratio * advantage <= near * advantage else 0.0
            score_slopes[row] = 0.0
            score_slopes[row, actions[row]] = pull
            for place in range(number):
                own = float(scores[row, places[place]]) - highest - log_total
                score_slopes[row, places[place]] += math.exp(own) * (count * entropy_weight * (own + entropy) - pull)

            logit, share = float(values[row, 0]), float(shares[row])
            small = math.exp(-abs(logit))
            expected = 1.0 / (1.0 + small) if logit >= 0 else small / (1.0 + small)
            value_slopes[row, 0] = count * share_weight * (expected - share)
            error = float(values[row, 1]) - float(leads[row])
            value_slopes[row, 1] = count * lead_weight * min(max(error, -1.0), 1.0)

            told[0] -= count * gain
            told[1] += count * (max(logit, 0.0) - logit * share + math.log1p(small))
            told[2] += count * (error * error / 2 if abs(error) < 1 else abs(error) - 0.5)
            told[3] += count * entropy
            told[4] += count * (ratio - 1 - log_ratio)
            told[5] += count * (ratio != near)

    return one_pass


_one_pass = entry_point(_make_pass, hash_of_sources(Path(__file__).parent, ("fused.py",)))
_EACH_ALONE = np.zeros(0, np.float32)


class _Fused(torch.autograd.Function):
    """The sum of the losses, whose slopes are found together with it."""

    @staticmethod
    def forward(ctx: Any, scores: Tensor, values: Tensor, batch: Batch, weights: Losses) -> tuple[Tensor, Tensor]:
        slopes, told = (torch.empty_like(scores), torch.empty_like(values)), np.zeros(6)
        counts = _EACH_ALONE if batch.weights is None else batch.weights.numpy()
        columns = (batch.legal, batch.actions, batch.log_probs, batch.advantages, batch.shares, batch.leads)
        _one_pass(
            scores.detach().numpy(), values.detach().numpy(), *(each.numpy() for each in columns), counts, weights.clip,
            weights.entropy, weights.share, weights.lead, *(each.numpy() for each in slopes), told,
        )  # fmt: skip
        ctx.save_for_backward(*slopes)
        policy, share, lead, entropy, *_ = told
        loss = policy - weights.entropy * entropy + weights.share * share + weights.lead * lead
        sums = torch.from_numpy(told.astype(np.float32))
        ctx.mark_non_differentiable(sums)
        return scores.new_tensor(loss), sums

    @staticmethod
    def backward(ctx: Any, *slopes: Tensor) -> tuple[Tensor, Tensor, None, None]:
        by_score, by_value = ctx.saved_tensors
        return by_score * slopes[0], by_value * slopes[0], None, None


def fused_ppo_loss(network: Network, batch: Batch, weights: Losses) -> tuple[Tensor, Tensor]:
    """Return what `ppo_loss` returns, for a network and samples on the processor."""
    scores, values = network(batch.inputs)
    found: tuple[Tensor, Tensor] = _Fused.apply(scores, values, batch, weights)  # type: ignore[no-untyped-call]
    return found
