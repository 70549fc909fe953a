"""The quick masked distribution gives what sb3-contrib's gives."""

import numpy as np
import pytest
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.distributions import MaskableCategoricalDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from dominion_env import NUM_ACTIONS
from dominion_training.policies import FastMaskablePolicy, MaskedCategorical


@pytest.fixture
def masks():
    masks = np.random.default_rng(0).random((64, NUM_ACTIONS)) < 0.05
    masks[:, 7] = True
    return masks


@pytest.mark.parametrize("scale", [0.0, 1.0, 30.0])
def test_it_equals_the_distribution_of_sb3_contrib(masks, scale):
    torch.manual_seed(0)
    logits = [torch.randn(64, NUM_ACTIONS).mul(scale).requires_grad_() for _ in range(2)]
    logits[1].data.copy_(logits[0].data)
    actions = torch.as_tensor(masks).float().multinomial(1).squeeze(1)
    results = []
    for ours, own_logits in zip((MaskedCategorical, MaskableCategoricalDistribution), logits, strict=True):
        distribution = ours(NUM_ACTIONS).proba_distribution(own_logits)
        distribution.apply_masking(masks)
        log_prob, entropy = distribution.log_prob(actions), distribution.entropy()
        (log_prob.sum() + entropy.sum()).backward()
        results.append((log_prob, entropy, distribution.mode(), own_logits.grad))
    for ours, theirs in zip(*results, strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-5)


def test_samples_are_legal_and_as_frequent_as_probable(masks):
    torch.manual_seed(0)
    row = torch.randn(1, NUM_ACTIONS)
    distribution = MaskedCategorical(NUM_ACTIONS).proba_distribution(row.expand(20_000, -1))
    distribution.apply_masking(np.repeat(masks[:1], 20_000, axis=0))
    counts = torch.bincount(distribution.sample(), minlength=NUM_ACTIONS)
    expected = torch.softmax(row[0].masked_fill(~torch.as_tensor(masks[0]), -1e8), 0) * 20_000
    assert counts[~torch.as_tensor(masks[0])].sum() == 0
    assert ((counts - expected).abs() < 5 * expected.sqrt() + 5).all()


def test_samples_are_legal_at_both_ends_of_the_random_number(masks, monkeypatch):
    for number in (0.0, 1 - 2**-24):
        monkeypatch.setattr(torch, "rand_like", lambda like, number=number: torch.full_like(like, number))
        distribution = MaskedCategorical(NUM_ACTIONS).proba_distribution(torch.zeros(64, NUM_ACTIONS))
        distribution.apply_masking(masks)
        assert masks[np.arange(64), distribution.sample().numpy()].all()


def test_without_a_mask_everything_is_legal():
    distribution = MaskedCategorical(4).proba_distribution(torch.zeros(2, 4))
    distribution.apply_masking(None)
    torch.testing.assert_close(distribution.entropy(), torch.full((2,), 4.0).log())


def test_the_policy_evaluates_actions_as_that_of_sb3_contrib_with_the_same_weights(masks):
    torch.manual_seed(0)
    box, actions = spaces.Box(-1, 1, (10,)), spaces.Discrete(NUM_ACTIONS)
    ours = FastMaskablePolicy(box, actions, lambda _: 1e-3)
    theirs = MaskableActorCriticPolicy(box, actions, lambda _: 1e-3)
    theirs.load_state_dict(ours.state_dict())
    observations, chosen = torch.rand(64, 10), torch.as_tensor(masks).float().multinomial(1).squeeze(1)
    for a, b in zip(
        ours.evaluate_actions(observations, chosen, masks),
        theirs.evaluate_actions(observations, chosen, masks),
        strict=True,
    ):
        torch.testing.assert_close(a, b, rtol=1e-4, atol=1e-5)
