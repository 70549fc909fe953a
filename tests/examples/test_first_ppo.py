"""A newcomer's plain PPO learns against Big Money."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from dominion_env import NUM_ACTIONS, observation_size
from examples import first_ppo
from examples.first_ppo import Agent, Args
from tests.examples.leads import assert_beats_random

pytestmark = pytest.mark.compiled


def test_a_short_run_improves_and_leaves_a_model_and_a_curve(tmp_path: Path) -> None:
    scores = first_ppo.main(Args(out=tmp_path, total_timesteps=33_000, num_steps=64, eval_every=100, eval_games=50))
    assert [row[0] for row in scores] == [32_768]
    assert {file.name for file in tmp_path.iterdir()} == {"learning.png", "model.pt", "scores.csv"}
    agent = Agent(observation_size(2), NUM_ACTIONS)
    agent.load_state_dict(torch.load(tmp_path / "model.pt"))
    assert_beats_random(lambda obs, masks: agent(obs, masks)[0].exp().multinomial(1).squeeze(1))


@pytest.mark.nightly
def test_with_its_default_options_it_beats_big_money(tmp_path: Path) -> None:
    decisions, _, score, _, _ = first_ppo.main(Args(out=tmp_path))[-1]
    assert decisions <= 500_000
    assert score > 0.8
