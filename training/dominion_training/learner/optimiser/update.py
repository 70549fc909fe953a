"""The update: proximal policy optimisation on the samples of all shards, and the cloning of a teacher's decisions."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from dominion_training.learner.optimiser.networks import Network
from dominion_training.learner.rollouts.samples import Samples, advantages

CERTAIN = 0.95  # a decision is near-certain if its action was drawn with a higher probability
MASKED = -50.0  # below the highest legal score; an exponential of -1e8 is no smaller in effect, and slow to compute


class Batch(NamedTuple):
    """What an update learns from one shard: its samples whose outcome is known.

    Attributes:
        inputs: int8 (n, inputs).
        legal: uint8 (n, bytes), a bit per action.
        actions: int64 (n,).
        log_probs: float32 (n,), those with which the actions were drawn.
        advantages: float32 (n,), of the policy, normalised over all shards.
        share_targets, lead_targets: float32 (n,), what the two values are trained towards.
        teacher_probs: float32 (n, actions), a teacher's probabilities for a clone; None where `actions` are to be cloned.
        weights: float32 (n,), the number of samples that each represents; None where each represents itself alone.
    """

    inputs: Tensor
    legal: Tensor
    actions: Tensor
    log_probs: Tensor
    advantages: Tensor
    share_targets: Tensor
    lead_targets: Tensor
    teacher_probs: Tensor | None = None
    weights: Tensor | None = None

    def size(self, rows: Tensor) -> Tensor:
        """Return the number of samples that those in these rows represent, float64 ()."""
        if self.weights is None:
            return torch.tensor(len(rows), dtype=torch.float64)
        return self.weights[rows].sum(dtype=torch.float64)

    def part(self, rows: Tensor) -> Batch:
        """Return these samples."""
        return self._replace(
            **{name: each.index_select(0, rows) for name, each in self._asdict().items() if each is not None}
        )


def thinned(batch: Batch, share: float, rng: np.random.Generator) -> Batch:
    """Return a batch without most of its near-certain decisions: each that stays represents 1 / `share` of them.

    In many decisions the network has hardly a doubt, so they move its weights little, and yet each costs as much time as any
    other. The ones that stay count more, so the expected gradient is the same.

    Args:
        batch: the samples.
        share: share of the near-certain decisions that stay, above 0.
        rng: draws them.
    """
    certain = batch.log_probs > math.log(CERTAIN)
    stays = ~certain | torch.from_numpy(rng.random(len(certain)) < share)
    weights = torch.where(certain, 1 / share, 1.0)
    return batch._replace(weights=weights).part(stays.nonzero().squeeze(1))


def together(parts: Sequence[Batch], device: torch.device) -> Batch:
    """Return all samples as one batch on a device."""
    columns = zip(*parts, strict=True)
    # Devices copy faster than processors, so that the parts are put together there.
    return Batch._make(None if each[0] is None else torch.cat([own.to(device) for own in each]) for each in columns)


class Statistics(NamedTuple):
    """Means over the samples of an update; the losses return them as sums, in this order."""

    policy_loss: float
    share_loss: float
    lead_loss: float
    entropy: float
    kl: float
    clipped: float


def batches(
    shards: Sequence[Samples], gae_lambda: float, lead_weight: float, spread: Callable[..., Iterable[Any]] = map
) -> tuple[list[Batch], float]:
    """Return the samples of each shard with advantages and targets, and the explained variance of the results.

    Args:
        shards: samples after a rollout.
        gae_lambda: lambda of the advantages, for each own turn.
        lead_weight: weight of the lead in points, besides the share of the win, in the policy's advantage.
        spread: `map`, or that of an executor, by whose threads the shards are gone through side by side.
    """
    found = list(spread(partial(_advantages_of, gae_lambda=gae_lambda), shards))
    policy = [share + np.float32(lead_weight) * lead for _, share, lead in found]
    every = np.concatenate(policy)
    mean, deviation = every.mean(), every.std() + 1e-8
    result = list(spread(_batch_of, shards, found, [(own - mean) / deviation for own in policy]))
    errors = np.concatenate([share for _, share, _ in found])
    values = np.concatenate([samples.shares[rows] for samples, (rows, *_) in zip(shards, found, strict=True)])
    variance = float(np.var(errors + values))
    explained = 1 - float(np.var(errors)) / variance if variance > 0 else 0.0
    return result, explained


def _advantages_of(
    samples: Samples, gae_lambda: float
) -> tuple[NDArray[np.int64], NDArray[np.float32], NDArray[np.float32]]:
    """Return the samples whose outcome is known, and their advantages in the share of the win and in the lead."""
    size, rows = samples.size, samples.trained_on()
    share, lead = np.empty((2, size), np.float32)
    for values, finals, out in (
        (samples.shares, samples.final_shares, share),
        (samples.leads, samples.final_leads, lead),
    ):
        advantages(size, values, finals, samples.following, samples.turns, np.float32(gae_lambda), out)
    return rows, share[rows], lead[rows]


def _batch_of(
    samples: Samples,
    known: tuple[NDArray[np.int64], NDArray[np.float32], NDArray[np.float32]],
    policy: NDArray[np.float32],
) -> Batch:
    """Return samples as tensors, with these advantages."""
    rows, share, lead = known
    return Batch(  # `take` lets other threads run, and indexing doesn't
        torch.from_numpy(samples.inputs.take(rows, 0)),
        torch.from_numpy(samples.legal.take(rows, 0)),
        torch.from_numpy(samples.actions[rows].astype(np.int64)),
        torch.from_numpy(samples.log_probs[rows]),
        torch.from_numpy(policy),
        torch.from_numpy(np.clip(share + samples.shares[rows], 0, 1)),
        torch.from_numpy(lead + samples.leads[rows]),
        None if samples.targets is None else torch.from_numpy(samples.targets[rows].astype(np.float32)),
    )


@cache
def _bits(device: torch.device) -> Tensor:
    return torch.tensor([1, 2, 4, 8, 16, 32, 64, 128], dtype=torch.uint8, device=device)


def masked_log_probs(scores: Tensor, legal: Tensor) -> Tensor:
    """Return the log-probabilities of all actions, float32 (n, actions); illegal ones have practically none.

    Args:
        scores: float32 (n, actions).
        legal: uint8 (n, bytes), a bit per action.
    """
    allowed = (legal.unsqueeze(-1) & _bits(legal.device)).ne(0).flatten(1)[:, : scores.shape[1]]
    # The fill lies below the highest legal score, wherever the scores have drifted to.
    highest = scores.detach().masked_fill(~allowed, -torch.inf).amax(1, keepdim=True)
    return torch.log_softmax(torch.where(allowed, scores, highest + MASKED), 1)


class LossWeights(NamedTuple):
    """Weights of the terms of the loss, and the range of the clip."""

    clip: float
    entropy: float
    share: float = 1.0
    lead: float = 0.5


def ppo_loss(network: Network, batch: Batch, weights: LossWeights) -> tuple[Tensor, Tensor]:
    """Return the sum of the losses over a batch, and the sums of the numbers of `Statistics`, float32 (6,).

    This is PPO in operations of torch, for devices; on the processor `fused_ppo_loss` computes the same, its gradient too.
    """
    scores, values = network(batch.inputs)
    log_probs = masked_log_probs(scores, batch.legal)
    chosen = log_probs.gather(1, batch.actions[:, None]).squeeze(1)
    log_ratio = chosen - batch.log_probs
    ratio = log_ratio.exp()
    clipped = ratio.clamp(1 - weights.clip, 1 + weights.clip)
    policy = -_sum(torch.minimum(ratio * batch.advantages, clipped * batch.advantages), batch)
    entropy = -_sum((log_probs.exp() * log_probs).sum(1), batch)
    share, lead = _value_losses(values, batch)
    loss = policy - weights.entropy * entropy + weights.share * share + weights.lead * lead
    with torch.no_grad():
        kl = _sum(ratio - 1 - log_ratio, batch)
        beyond = _sum((ratio != clipped).float(), batch)
        sums = torch.stack([policy, share, lead, entropy, kl, beyond])
    return loss, sums


def clone_loss(network: Network, batch: Batch, weights: LossWeights) -> tuple[Tensor, Tensor]:
    """Return the sum of the losses of imitation over a batch, and the sums of the numbers of `Statistics`.

    `clipped` then is the share of decisions in which the network's likeliest action is not the teacher's.
    """
    scores, values = network(batch.inputs)
    log_probs = masked_log_probs(scores, batch.legal)
    if batch.teacher_probs is None:
        policy = -_sum(log_probs.gather(1, batch.actions[:, None]).squeeze(1), batch)
    else:
        policy = -_sum((batch.teacher_probs * log_probs).sum(1), batch)
    share, lead = _value_losses(values, batch)
    loss = policy + weights.share * share + weights.lead * lead
    with torch.no_grad():
        entropy = -_sum((log_probs.exp() * log_probs).sum(1), batch)
        other = _sum((log_probs.argmax(1) != batch.actions).float(), batch)
        sums = torch.stack([policy, share, lead, entropy, torch.zeros((), device=scores.device), other])
    return loss, sums


def _value_losses(values: Tensor, batch: Batch) -> tuple[Tensor, Tensor]:
    share = torch.nn.functional.binary_cross_entropy_with_logits(values[:, 0], batch.share_targets, reduction="none")
    lead = torch.nn.functional.smooth_l1_loss(values[:, 1], batch.lead_targets, reduction="none")
    return _sum(share, batch), _sum(lead, batch)


def _sum(numbers: Tensor, batch: Batch) -> Tensor:
    """Return the sum of a number of each sample, times the number of samples that it represents."""
    return numbers.sum() if batch.weights is None else (numbers * batch.weights).sum()


def one_threaded_workers(number: int) -> ThreadPoolExecutor:
    """Return threads in each of which torch computes with one thread; otherwise each would start a team of its own."""
    return ThreadPoolExecutor(number, initializer=_compute_alone)


def _compute_alone() -> None:
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)


class Updater:
    """Trains a network on batches of all shards, a thread for each.

    Each minibatch takes as many samples from each shard. The gradients are added in the order of the shards, so that any
    number of threads gives the same weights.

    Args:
        network: the network; it is changed in place.
        shards: number of shards.
        threads: number of threads.
        learning_rate: step size of Adam at the beginning.
        device: where the updates are computed. Elsewhere than on the processor all shards are one batch, which travels as
            counts of a byte each.
        max_grad_norm: largest norm of the gradient.
    """

    def __init__(
        self, network: Network, shards: int, threads: int, learning_rate: float, device: torch.device | None = None,
        max_grad_norm: float = 0.5,
    ) -> None:  # fmt: skip
        self._max_grad_norm = max_grad_norm
        self.device = device or torch.device("cpu")
        self.network = network.to(self.device)
        if self.device.type != "cpu":
            shards, threads = 1, 1
        self.optimiser = torch.optim.Adam(network.parameters(), lr=learning_rate, eps=1e-5, fused=True)
        self._copies = [network]
        for _ in range(1, shards):
            twin = copy.deepcopy(network)
            for own, shared in zip(twin.parameters(), network.parameters(), strict=True):
                own.data = shared.data  # the same numbers, with gradients of its own
            self._copies.append(twin)
        self._threads = one_threaded_workers(threads) if threads > 1 else None

    def run(
        self,
        data: Sequence[Batch],
        loss: Callable[[Network, Batch, LossWeights], tuple[Tensor, Tensor]],
        weights: LossWeights,
        epochs: int,
        minibatch: int,
        rng: np.random.Generator,
        learning_rate: float,
    ) -> Statistics:
        """Go over the samples some times, in minibatches of a new random order each time.

        Raises:
            FloatingPointError: a loss is not finite; the weights are those before that minibatch.
        """
        for group in self.optimiser.param_groups:
            group["lr"] = learning_rate
        if self.device.type != "cpu":
            data = [together(data, self.device)]
        parts = max(1, round(sum(float(each.size(torch.arange(len(each.actions)))) for each in data) / minibatch))
        totals = torch.zeros(len(Statistics._fields), device=self.device)
        samples = torch.zeros((), dtype=torch.float64, device=self.device)
        for _ in range(epochs):
            drawn = [torch.from_numpy(rng.permutation(len(each.actions))).to(self.device) for each in data]
            orders = [order.tensor_split(parts) for order in drawn]
            for part in range(parts):
                rows = [order[part] for order in orders]
                size = sum((each.size(own) for each, own in zip(data, rows, strict=True)), torch.zeros(()))

                def gradient(shard: int, rows: list[Tensor] = rows, size: Tensor = size) -> Tensor:
                    twin = self._copies[shard]
                    twin.zero_grad(set_to_none=True)
                    total, sums = loss(twin, data[shard].part(rows[shard]), weights)
                    (total / size).backward()  # type: ignore[no-untyped-call]  # torch gives it no types
                    return sums

                shards = range(len(data))
                by_shard = list(map(gradient, shards) if self._threads is None else self._threads.map(gradient, shards))
                sums = torch.stack(by_shard).sum(0)
                self._step(sums)
                totals += sums
                samples += size
        return Statistics(*(totals / samples).tolist())

    def _step(self, sums: Tensor) -> None:
        for parameter, *others in zip(*(each.parameters() for each in self._copies), strict=True):
            for other in others:
                parameter.grad.add_(other.grad)
        norm = torch.nn.utils.clip_grad_norm_(self.network.parameters(), self._max_grad_norm)
        # A row without a legal action has a loss that is no number, and yet no gradient. One look at both makes a device
        # wait once.
        if not torch.isfinite(sums.sum() + norm):
            raise FloatingPointError("the loss is not a finite number")
        self.optimiser.step()
