"""The networks of training/specialists are what its page says, and one teacher joins them."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import dominion_agents
from dominion_agents.trained.agent import TrainedAgent
from dominion_env import GameBatch
from dominion_env.cards import NUM_BASE_CARDS
from dominion_env.kingdoms import resolve
from dominion_training.evaluate.entrants import make_agent
from dominion_training.learner.settings import preset

pytestmark = pytest.mark.compiled

FOLDER = Path(__file__).parents[2] / "training" / "specialists"
FILES = sorted(FOLDER.glob("*.safetensors"))
MOST_BYTES = 1_000_000


def test_the_page_lists_each_network():
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `([\w-]+)\.safetensors`", page, re.M) == [path.stem for path in FILES]
    assert FILES


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_network_is_small_and_for_the_kingdom_that_its_name_says(path: Path):
    assert path.stat().st_size < MOST_BYTES
    assert set(TrainedAgent.load(path).kingdom or ()) == set(resolve(path.stem).kingdoms[0].tolist())


def test_the_teacher_answers_as_each_does_at_home():
    teacher = make_agent(f"{FOLDER / 'teacher.py'}:Teacher")
    at_home = {path.stem: TrainedAgent.load(path) for path in FILES}
    elsewhere = dominion_agents.make("any")
    kingdoms = [*at_home, "first-game-1e", "silver-and-gold-2e"]
    batch = GameBatch(32 * len(kingdoms), kingdom=kingdoms, seed=3, auto_treasures=True)
    piles = np.sort(batch.state["piles"][:, NUM_BASE_CARDS:], axis=1)
    rows_of = {name: np.flatnonzero((piles == np.sort(resolve(name).kingdoms[0])).all(axis=1)) for name in kingdoms}
    assert sum(map(len, rows_of.values())) == batch.num_games
    assert all(map(len, rows_of.values()))
    for _ in range(60):
        observations, masks, keys = batch.observe(), batch.action_mask, batch.policy_keys()
        actions = teacher.act(observations, masks, keys)
        probabilities, expected = teacher.evaluate(observations, masks)
        for name, rows in rows_of.items():
            agent = at_home.get(name, elsewhere)
            assert (actions[rows] == agent.act(observations[rows], masks[rows], keys[rows])).all()
            ours = agent.evaluate(observations[rows], masks[rows])
            assert (probabilities[rows] == ours[0]).all()
            assert (expected[rows] == ours[1]).all()
        batch.step(actions)


def test_the_settings_of_the_league_are_settings():
    settings = preset(str(FOLDER / "league.yaml"))
    assert settings.slots == "kingdom"
