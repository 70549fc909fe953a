"""The update computes what the formulas say, the same with any number of threads, and refuses what is not finite."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from dominion_agents.trained.inputs import layout
from dominion_env import GameBatch, InvalidOption
from dominion_training.learner.optimiser.fused import fused_ppo_loss
from dominion_training.learner.optimiser.networks import Network, Plain, new_network
from dominion_training.learner.optimiser.update import (
    CERTAIN,
    Batch,
    LossWeights,
    Updater,
    batches,
    clone_loss,
    masked_log_probs,
    ppo_loss,
    thinned,
    together,
)
from dominion_training.learner.rollouts.shard import Shard

LAYOUT = layout("kingdom", 2)
Loss: TypeAlias = Callable[..., tuple[Tensor, Tensor]]
EVERY_LOSS = pytest.mark.parametrize("loss", [ppo_loss, fused_ppo_loss, clone_loss])
PPO = pytest.mark.parametrize("loss", [ppo_loss, fused_ppo_loss])


def network(seed: int = 0) -> Plain:
    torch.manual_seed(seed)
    return Plain(LAYOUT, (16,))


def batch(size: int, seed: int = 0, actions: int = LAYOUT.num_actions, inputs: int = LAYOUT.num_inputs) -> Batch:
    """Return made-up samples with two to six legal actions each."""
    rng = np.random.default_rng(seed)
    legal = np.zeros((size, actions), np.uint8)
    chosen = np.zeros(size, np.int64)
    for row in range(size):
        places = rng.choice(actions, rng.integers(2, 7), replace=False)
        legal[row, places] = 1
        chosen[row] = places[0]
    return Batch(
        torch.from_numpy(rng.integers(0, 6, (size, inputs)).astype(np.int8)),
        torch.from_numpy(np.packbits(legal, axis=1, bitorder="little")),
        torch.from_numpy(chosen),
        torch.from_numpy(rng.uniform(-2, -0.2, size).astype(np.float32)),
        torch.from_numpy(rng.normal(size=size).astype(np.float32)),
        torch.from_numpy(rng.random(size).astype(np.float32)),
        torch.from_numpy(rng.normal(size=size).astype(np.float32)),
    )


def allowed(of: Batch, actions: int) -> np.ndarray:
    return np.unpackbits(of.legal.numpy(), axis=1, bitorder="little")[:, :actions].astype(bool)


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("kind", "slots", "players", "units"),
    [
        ("plain", "kingdom", 2, (64, 32)), ("plain", "all", 3, (64, 32)), ("cards", "kingdom", 2, (64, 32)),
        ("cards", "piles", 2, (48,)), ("cards", "piles", 3, (64, 48, 32)),
    ],
)  # fmt: skip
def test_torch_finds_the_probabilities_with_which_the_games_were_played(kind, slots, players, units) -> None:
    torch.manual_seed(1)
    net = new_network(kind, layout(slots, players), units, 32)
    nn.init.normal_(net.policy.weight, std=0.5)
    shard = Shard(net.layout, GameBatch(16, players, "random", auto_treasures=True, max_turns=12), [], 2000, 3)
    shard.play(net.exported())
    data, _ = batches([shard.samples], 0.95, 0.5)
    with torch.no_grad():
        scores, values = net(data[0].inputs)
        found = masked_log_probs(scores, data[0].legal).gather(1, data[0].actions[:, None]).squeeze(1)
    torch.testing.assert_close(found, data[0].log_probs, atol=1e-4, rtol=0)
    rows = shard.samples.trained_on()
    torch.testing.assert_close(
        torch.sigmoid(values[:, 0]), torch.from_numpy(shard.samples.shares[rows]), atol=1e-4, rtol=0
    )
    torch.testing.assert_close(values[:, 1], torch.from_numpy(shard.samples.leads[rows]), atol=1e-4, rtol=1e-4)
    assert found.std() > 0.3
    # So nothing is clipped before the first step, and the ratio is 1.
    _, told = ppo_loss(net, data[0], LossWeights(0.2, 0.01))
    assert told[5] == 0
    assert abs(float(told[4])) / len(found) < 1e-6


@pytest.mark.parametrize("drift", [-1e4, -100.0, 0.0, 100.0, 1e4])
@pytest.mark.parametrize("gap", [0.0, 300.0, 1e4])
def test_illegal_actions_are_improbable_wherever_the_scores_have_drifted(drift: float, gap: float) -> None:
    made = batch(64)
    legal = torch.from_numpy(allowed(made, LAYOUT.num_actions))
    torch.manual_seed(0)
    # The legal scores drift, and the illegal ones lie above them.
    scores = (torch.randn(64, LAYOUT.num_actions) + drift + gap * ~legal).requires_grad_()
    found = masked_log_probs(scores, made.legal)
    assert torch.isfinite(found).all()
    assert float(found.exp()[~legal].detach().max()) < 1e-20
    torch.testing.assert_close(torch.where(legal, found.exp(), 0.0).sum(1), torch.ones(64))
    wanted = torch.log_softmax(scores.masked_fill(~legal, -torch.inf), 1)
    torch.testing.assert_close(found[legal], wanted[legal])
    found.gather(1, made.actions[:, None]).sum().backward()
    assert scores.grad is not None
    assert (scores.grad[~legal] == 0).all()


class Tiny(nn.Module):
    """A network in double precision: one layer for scores and values."""

    def __init__(self, inputs: int, actions: int) -> None:
        super().__init__()
        self.actions = actions
        torch.manual_seed(2)
        self.weight = nn.Parameter(0.3 * torch.randn(inputs, actions + 2, dtype=torch.float64))

    def forward(self, counts: Tensor) -> tuple[Tensor, Tensor]:
        out = counts.double() @ self.weight
        return out[:, : self.actions], out[:, self.actions :]


def by_the_formulas(weight: np.ndarray, of: Batch, actions: int, weights: LossWeights, clones: bool) -> float:
    """Return the sum of the losses over a batch, sample by sample."""
    total = 0.0
    legal = allowed(of, actions)
    for row in range(len(of.actions)):
        out = of.inputs[row].numpy().astype(float) @ weight
        own = {a: math.exp(out[a]) for a in range(actions) if legal[row, a]}
        chances = {a: each / sum(own.values()) for a, each in own.items()}
        chance = chances[int(of.actions[row])]
        if clones:
            total -= math.log(chance)
        else:
            ratio, advantage = chance / math.exp(of.log_probs[row]), float(of.advantages[row])
            near = min(max(ratio, 1 - weights.clip), 1 + weights.clip)
            total -= min(ratio * advantage, near * advantage)
            total += weights.entropy * sum(each * math.log(each) for each in chances.values())
        share, target = 1 / (1 + math.exp(-out[actions])), float(of.share_targets[row])
        total -= weights.share * (target * math.log(share) + (1 - target) * math.log(1 - share))
        error = abs(out[actions + 1] - float(of.lead_targets[row]))
        total += weights.lead * (error**2 / 2 if error < 1 else error - 0.5)
    return total


@EVERY_LOSS
def test_losses_and_their_gradients_are_those_of_the_formulas(loss: Loss) -> None:
    actions, inputs, weights = 11, 5, LossWeights(clip=0.2, entropy=0.3, share=0.7, lead=0.4)
    made, net = batch(40, 6, actions, inputs), Tiny(inputs, actions)
    with torch.no_grad():
        now = masked_log_probs(net(made.inputs)[0], made.legal).gather(1, made.actions[:, None]).squeeze(1)
    made = made._replace(log_probs=now - torch.linspace(-0.5, 0.5, 40)[torch.randperm(40)])
    found, told = loss(net, made, weights)
    found.backward()  # type: ignore[no-untyped-call]
    start, clones = net.weight.detach().numpy(), loss is clone_loss
    assert found.item() == pytest.approx(by_the_formulas(start, made, actions, weights, clones), rel=1e-6)
    if not clones:
        assert 5 < told[5] < 35  # some are clipped, and some are not
    slopes = np.zeros_like(start)
    for place in np.ndindex(start.shape):
        low, high = start.copy(), start.copy()
        low[place] -= 1e-6
        high[place] += 1e-6
        slopes[place] = (
            by_the_formulas(high, made, actions, weights, clones) - by_the_formulas(low, made, actions, weights, clones)
        ) / 2e-6
    assert net.weight.grad is not None
    np.testing.assert_allclose(net.weight.grad.numpy(), slopes, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("certain", [None, 0.25])
@pytest.mark.parametrize("precision", [torch.float32, torch.bfloat16])
def test_the_fused_loss_and_its_gradient_are_those_of_the_operations(certain, precision) -> None:
    net, made, weights = network(), batch(3000, 8), LossWeights(clip=0.2, entropy=0.3, share=0.7, lead=0.4)
    net.precision = precision
    nn.init.normal_(net.policy.weight, std=0.5)  # sure of some actions
    with torch.no_grad():
        made = made._replace(
            log_probs=masked_log_probs(net(made.inputs)[0], made.legal).gather(1, made.actions[:, None])[:, 0]
        )
    made = made._replace(log_probs=made.log_probs + 0.3 * torch.randn(3000))
    if certain is not None:
        made = thinned(made, certain, np.random.default_rng(0))
    found = []
    for loss in (ppo_loss, fused_ppo_loss):
        net.zero_grad()
        total, told = loss(net, made, weights)
        (total / 3000).backward()  # type: ignore[no-untyped-call]
        found.append((total.detach(), told, [each.grad for each in net.parameters()]))
    (one, said, slopes), (other, fused_said, fused_slopes) = found
    torch.testing.assert_close(other, one, rtol=1e-5, atol=0)
    torch.testing.assert_close(fused_said, said, rtol=1e-4, atol=1e-3)
    assert 0.1 < said[5] / made.size(torch.arange(len(made.actions))) < 0.9
    rough = 1e-5 if precision == torch.float32 else 1e-3
    for own, fused in zip(slopes, fused_slopes, strict=True):
        torch.testing.assert_close(fused, own, rtol=rough, atol=rough)


def test_what_an_update_tells_are_means_over_its_samples() -> None:
    net, made = network(), batch(200)
    weights = LossWeights(0.2, 0.01)
    with torch.no_grad():
        log_probs = masked_log_probs(net(made.inputs)[0], made.legal)
        _, told = ppo_loss(net, made, weights)
        ratio = (log_probs.gather(1, made.actions[:, None]).squeeze(1) - made.log_probs).exp()
    said = Updater(net, 1, 1, 0.0).run([made], ppo_loss, weights, 2, 50, np.random.default_rng(0), 0.0)
    np.testing.assert_allclose(said, told / 200, rtol=1e-4, atol=1e-6)
    assert said.entropy == pytest.approx(
        float(torch.distributions.Categorical(logits=log_probs).entropy().mean()), rel=1e-4
    )
    assert said.kl == pytest.approx(float((ratio - 1 - ratio.log()).mean()), rel=1e-3)
    assert said.clipped == pytest.approx(float(((ratio - 1).abs() > 0.2).float().mean()))


@pytest.mark.parametrize("slots", ["kingdom", "piles"])
def test_every_weight_of_card_vectors_learns(slots) -> None:
    chosen = layout(slots, 2)
    torch.manual_seed(0)
    net = new_network("cards", chosen, (32, 16), 16)
    made = batch(256, inputs=chosen.num_inputs)
    if slots == "piles":  # the cards of games in which all 39 take part
        cards = torch.stack([torch.randperm(39)[:17] for _ in range(256)]).sort(1).values
        made.inputs[:, -17:] = cards.to(torch.int8)
    before = copy.deepcopy(net.state_dict())
    updater, rng = Updater(net, 2, 1, 1e-3), np.random.default_rng(0)
    first, *_, last = (
        updater.run([made, made], clone_loss, LossWeights(0.2, 0.0), 2, 128, rng, 3e-3) for _ in range(20)
    )
    assert last.policy_loss < 0.3 * first.policy_loss
    assert last.share_loss < first.share_loss
    for name, value in net.state_dict().items():
        assert (value != before[name]).float().mean() > 0.5, name  # some units are 0 for all of the samples


def test_bfloat16_changes_card_vectors_by_little() -> None:
    torch.manual_seed(0)
    net, made = new_network("cards", layout("kingdom", 2), (32,), 16), batch(64)
    with torch.no_grad():
        exact = net(made.inputs)
        net.precision = torch.bfloat16
        for one, other in zip(net(made.inputs), exact, strict=True):
            assert one.dtype == torch.float32
            assert not torch.equal(one, other)
            torch.testing.assert_close(one, other, atol=0.05, rtol=0.05)


def test_the_weights_of_another_kind_of_network_are_refused() -> None:
    chosen = layout("kingdom", 2)
    plain, cards = new_network("plain", chosen, (16,), 16), new_network("cards", chosen, (16,), 16)
    with pytest.raises(InvalidOption, match=r"layers of 16, vectors of 16 for each card, got slots .* layers of 16$"):
        cards.load(plain.model())
    with pytest.raises(InvalidOption, match=r"layers of 16, got slots .* vectors of 16 for each card$"):
        plain.load(cards.model())
    other = new_network("cards", chosen, (16,), 16)
    other.load(cards.model().half())
    assert not torch.equal(other.cards.weight, cards.cards.weight)
    torch.testing.assert_close(other.cards.weight, cards.cards.weight, atol=1e-2, rtol=1e-2)


def updated(shards: int, threads: int, data: list[Batch], minibatch: int, epochs: int = 2) -> Plain:
    net = network()
    Updater(net, shards, threads, 1e-3).run(
        data, ppo_loss, LossWeights(0.2, 0.01), epochs, minibatch, np.random.default_rng(7), 1e-3
    )
    return net


@pytest.mark.parametrize("shards", [2, 3])
def test_one_and_two_threads_give_the_same_weights_bit_for_bit(shards: int) -> None:
    data = [batch(300 + 7 * number, number) for number in range(shards)]
    first, second = (updated(shards, threads, data, 128) for threads in (1, 2))
    for one, other in zip(first.parameters(), second.parameters(), strict=True):
        assert torch.equal(one, other)
    assert not torch.equal(first.policy.weight, network().policy.weight)


def test_the_gradient_of_a_minibatch_is_the_mean_over_all_shards() -> None:
    data = [batch(60, 1), batch(150, 2), batch(90, 3)]
    joined = together(data, torch.device("cpu"))
    apart, at_once = updated(3, 1, data, 300, 1), updated(1, 1, [joined], 300, 1)
    for one, other in zip(apart.parameters(), at_once.parameters(), strict=True):
        assert one.grad is not None
        torch.testing.assert_close(one.grad, other.grad, rtol=1e-3, atol=1e-6)


@EVERY_LOSS
def test_a_sample_that_stands_for_several_teaches_what_these_would(loss: Loss) -> None:
    made, copies = batch(60, 4), torch.tensor([1, 1, 4] * 20)
    whole = made.part(torch.repeat_interleave(torch.arange(60), copies))
    fewer = made._replace(weights=copies.float())
    assert fewer.size(torch.arange(60)) == len(whole.actions) == 120
    nets = network(), network()
    said = [
        Updater(net, 1, 1, 1e-3).run([data], loss, LossWeights(0.2, 0.01), 1, 1000, np.random.default_rng(0), 1e-3)
        for net, data in zip(nets, (whole, fewer), strict=True)
    ]
    np.testing.assert_allclose(*said, rtol=1e-4, atol=1e-6)
    for one, other in zip(*(net.parameters() for net in nets), strict=True):
        assert one.grad is not None
        torch.testing.assert_close(one.grad, other.grad, rtol=1e-3, atol=1e-6)


def test_near_certain_decisions_are_thinned_out_and_all_others_stay() -> None:
    made = batch(100, 1).part(torch.arange(100).repeat(200))
    chances = torch.linspace(0.5, 1.0, len(made.actions))
    made = made._replace(log_probs=chances.log(), teacher_probs=torch.rand(len(chances), 2))
    found = thinned(made, 0.25, np.random.default_rng(3))
    certain, sure = made.log_probs > math.log(CERTAIN), found.log_probs > math.log(CERTAIN)
    assert torch.equal(found.log_probs[~sure], made.log_probs[~certain])
    assert 0.22 < sure.sum() / certain.sum() < 0.28
    assert found.weights is not None
    assert torch.equal(found.weights, torch.where(sure, 4.0, 1.0))
    assert found.size(torch.arange(len(sure))) == pytest.approx(len(chances), rel=0.02)
    assert all(len(each) == len(sure) for each in found if each is not None)
    again, other = (thinned(made, 0.25, np.random.default_rng(seed)) for seed in (3, 4))
    assert torch.equal(found.log_probs, again.log_probs)
    assert not torch.equal(found.log_probs[-50:], other.log_probs[-50:])


def test_thinned_minibatches_are_as_many_as_before() -> None:
    sizes: list[int] = []

    def noted(net: Network, part: Batch, weights: LossWeights) -> tuple[Tensor, Tensor]:
        sizes.append(len(part.actions))
        return ppo_loss(net, part, weights)

    made = batch(400)._replace(log_probs=torch.full((400,), -0.001))
    for data in (made, thinned(made, 0.25, np.random.default_rng(0))):
        Updater(network(), 1, 1, 1e-3).run([data], noted, LossWeights(0.2, 0.0), 1, 50, np.random.default_rng(0), 1e-3)
    assert sizes[:8] == [50] * 8
    assert 6 <= len(sizes[8:]) <= 10
    assert max(sizes[8:]) < 20


def test_each_epoch_goes_once_over_all_samples_in_another_order() -> None:
    seen: list[list[int]] = []

    def noted(net: Network, part: Batch, weights: LossWeights) -> tuple[Tensor, Tensor]:
        seen.append(part.actions.tolist())
        return clone_loss(net, part, weights)

    data = [batch(size, size)._replace(actions=torch.arange(size) % 100) for size in (90, 70)]
    Updater(network(), 2, 1, 0.0).run(data, noted, LossWeights(0.2, 0.0), 3, 40, np.random.default_rng(0), 0.0)
    parts = 4
    assert len(seen) == 3 * parts * 2
    for shard, size in enumerate((90, 70)):
        parts_of = [seen[epoch * parts * 2 + shard : (epoch + 1) * parts * 2 : 2] for epoch in range(3)]
        orders = [[action for part in each for action in part] for each in parts_of]
        assert all(sorted(order) == list(range(size)) for order in orders)
        assert orders[0] != orders[1] != orders[2]


def test_an_update_learns_at_the_rate_that_it_is_given() -> None:
    slow, fast = network(), network()
    before = [value.detach().clone() for value in slow.parameters()]
    for net, rate in ((slow, 0.0), (fast, 1e-3)):
        Updater(net, 1, 1, 1e-2).run(
            [batch(40)], ppo_loss, LossWeights(0.2, 0.01), 1, 40, np.random.default_rng(0), rate
        )
    assert all(torch.equal(one, other) for one, other in zip(before, slow.parameters(), strict=True))
    moved = max(float((one - other.detach()).abs().max()) for one, other in zip(before, fast.parameters(), strict=True))
    assert moved == pytest.approx(1e-3, rel=0.01)  # as the first step of Adam is


@PPO
@pytest.mark.parametrize("wrong", ["advantages", "share_targets", "lead_targets", "log_probs"])
def test_a_loss_that_is_not_finite_is_refused_and_leaves_the_weights(wrong: str, loss: Loss) -> None:
    good, bad = batch(64, 1), batch(64, 2)
    getattr(bad, wrong)[5] = torch.nan
    net = network()
    updater = Updater(net, 2, 1, 1e-3)
    before = copy.deepcopy(net.state_dict())
    with pytest.raises(FloatingPointError, match="not a finite number"):
        updater.run([good, bad], loss, LossWeights(0.2, 0.01), 1, 128, np.random.default_rng(0), 1e-3)
    for name, value in net.state_dict().items():
        assert torch.equal(value, before[name])
    # And it goes on learning from what is finite.
    said = updater.run([good, good], loss, LossWeights(0.2, 0.01), 1, 128, np.random.default_rng(0), 1e-3)
    assert all(map(math.isfinite, said))
    assert all(torch.isfinite(value).all() for value in net.state_dict().values())


@PPO
def test_a_decision_without_a_legal_action_is_refused(loss: Loss) -> None:
    made, net = batch(32), network()
    made.legal[3] = 0
    with pytest.raises(FloatingPointError):
        Updater(net, 1, 1, 1e-3).run([made], loss, LossWeights(0.2, 0.01), 1, 32, np.random.default_rng(0), 1e-3)
    assert all(torch.isfinite(value).all() for value in net.state_dict().values())


@pytest.mark.slow
def test_cloning_learns_the_teachers_decisions_and_the_results() -> None:
    made, net = batch(256), network()
    updater, rng = Updater(net, 1, 1, 1e-3), np.random.default_rng(0)
    first, *_, last = (updater.run([made], clone_loss, LossWeights(0.2, 0.0), 4, 64, rng, 3e-3) for _ in range(20))
    assert last.policy_loss < 0.3 * first.policy_loss
    assert last.clipped < 0.1 < first.clipped
    assert last.share_loss < first.share_loss
    assert last.lead_loss < first.lead_loss
