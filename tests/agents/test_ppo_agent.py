"""Saved models as agents: only those that can play are made, and what is wrong with others is said."""

import base64
import json
import os
import pickle
import shutil
import zipfile
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from dominion_env import make_agent
from dominion_env.players.agent import shown_to

pytest.importorskip("sb3_contrib", reason="needs the extra `train`")

import gymnasium
import stable_baselines3
from gymnasium import spaces
from sb3_contrib import MaskablePPO

from dominion_agents.sb3.agent import PPOAgent
from dominion_app.cli import main
from dominion_env import NUM_ACTIONS, DominionEnv, GameBatch, InvalidAgent, InvalidOption, SB3VecEnv, WrongOrder
from dominion_env.players.registry import is_trusting, trusting
from dominion_training.play.entrants import make_entrant

FIRST_GAME = {"kingdom": "first-game-2e", "auto_treasures": True}


class Elsewhere(gymnasium.Env):
    """Spaces of another game."""

    observation_space = spaces.Box(-1, 1, (4,), np.float32)
    action_space = spaces.Discrete(2)

    def action_masks(self):
        return np.ones(2, bool)


def model(num_players=2):
    env = SB3VecEnv(1, num_players=num_players)
    return MaskablePPO("MlpPolicy", env, policy_kwargs={"net_arch": [4]}, seed=0, device="cpu")


@pytest.fixture(scope="module")
def for_two(tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "for_two.zip"
    model().save(path)
    return str(path)


def test_a_saved_model_plays(for_two):
    trusted = make_agent(for_two, trust=True)
    env = DominionEnv(opponents=trusted, first_player=1, max_turns=2, **FIRST_GAME)
    env.reset(seed=0)
    assert env.game.turn_player == 0


def test_a_file_that_is_not_there_is_named_as_it_was_given():
    for make in (make_agent, PPOAgent.load, lambda path: DominionEnv(opponents=path)):
        with pytest.raises(InvalidOption, match=r"^nofile\.zip: there is no such file"):
            make("nofile.zip")


@pytest.mark.parametrize("content", [b"nothing", b"PK\x05\x06" + bytes(18)], ids=["text", "an empty archive"])
def test_a_file_that_holds_no_model_is_refused(content, tmp_path):
    path = tmp_path / "model.zip"
    path.write_bytes(content)
    with pytest.raises(InvalidOption, match=r"model\.zip: no saved model of this environment: "):
        make_agent(str(path))


class Planted:
    """An object that makes a file when it is unpickled."""

    def __init__(self, file):
        self.file = file

    def __reduce__(self):
        return os.mkdir, (self.file,)


def pickled(thing):
    return {":type:": "", ":serialized:": base64.b64encode(pickle.dumps(thing)).decode()}


@pytest.mark.parametrize(
    "members",
    [
        {"data": {"learning_rate": "PLANTED"}},
        {"data": {"learning_rate": "PLANTED"}, "policy.pth": "", "holiday.jpg": ""},
        {"data": {"learning_rate": "PLANTED"}, "policy.pth": ""},
        {"data": ["PLANTED"], "policy.pth": ""},
        {"data": {"policy_class": "PLANTED", "observation_space": "PLANTED"}, "policy.pth": ""},
        {
            "data": {"policy_class": "PLANTED", "observation_space": "PLANTED", "action_space": "PLANTED"},
            "policy.pth": "",
        },
    ],
)
def test_nothing_runs_in_a_file_that_is_no_model(members, tmp_path):
    path, planted = tmp_path / "model.zip", tmp_path / "ran"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            written = json.dumps(content).replace('"PLANTED"', json.dumps(pickled(Planted(str(planted)))))
            archive.writestr(name, written)
    with_trust = [partial(make, trust=True) for make in (make_agent, make_entrant)]
    for make in (make_agent, PPOAgent.load, make_entrant, *with_trust):
        with pytest.raises((InvalidOption, InvalidAgent), match=r"model\.zip: (no saved model of|loading it can run)"):
            make(str(path))
    assert not planted.exists()


def test_nothing_runs_in_a_model_without_trust(tmp_path):
    path, planted = tmp_path / "model.zip", tmp_path / "ran"
    with_code = model()
    with_code.planted = Planted(str(planted))
    with_code.save(path)
    wanted = (
        r"model\.zip: loading it can run any code .*: --trust on the command line, or make_agent\('.*', trust=True\)"
    )
    for make in (make_agent, make_entrant, lambda name: DominionEnv(opponents=name)):
        with pytest.raises(InvalidOption, match=wanted):
            make(str(path))
    with trusting(False), pytest.raises(InvalidOption, match=wanted):
        make_entrant(str(path))
    assert main(["watch", str(path), "random", "--plain"]) == 1
    assert not planted.exists()
    assert is_trusting() is False
    with trusting():
        make_entrant(str(path))
    assert is_trusting() is False
    assert planted.exists()


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("command", ["watch", "compare", "benchmark", "exploit"])
def test_a_command_loads_a_model_with_trust_only(command, for_two, capsys, tmp_path, monkeypatch):
    if command != "watch":
        pytest.importorskip("scipy", reason="needs the extra `research`")
    monkeypatch.chdir(tmp_path)
    path = shutil.copy(for_two, str(tmp_path / "model.zip"))
    more = {
        "watch": ["random", "--plain"],
        "compare": ["random", "--games", "2", "--workers", "1"],
        "benchmark": ["random", "--games", "2", "--workers", "1"],
        "exploit": ["--games", "4096", "--measured", "2"],
    }[command]
    call = [command, path, *more, "--max-turns", "2"]
    assert main(call) == 1
    assert f"dominion {command}: {path}: loading it can run any code" in capsys.readouterr().err
    assert main([*call, "--trust"]) == 0


@pytest.mark.compiled
def test_a_saved_game_that_names_a_model_needs_trust_too(for_two, capsys, tmp_path):
    saved = str(tmp_path / "game.json")
    assert main(["watch", "random", for_two, "--plain", "--trust", "--save", saved, "--max-turns", "2"]) == 0
    capsys.readouterr()
    assert main(["play", saved]) == 1
    assert f"dominion play: {for_two}: loading it can run any code" in capsys.readouterr().err


@pytest.mark.slow
def test_other_processes_are_told_of_the_trust(for_two, tmp_path, monkeypatch):
    pytest.importorskip("scipy", reason="needs the extra `research`")
    monkeypatch.chdir(tmp_path)
    call = ["compare", for_two, "random", "--games", "1200", "--workers", "2", "--max-turns", "1"]
    assert main([*call, "--trust"]) == 0


def test_nothing_runs_in_a_model_of_another_game(tmp_path):
    path, planted = tmp_path / "other.zip", tmp_path / "ran"
    other = MaskablePPO("MlpPolicy", Elsewhere(), device="cpu")
    other.planted = Planted(str(planted))
    other.save(path)
    with pytest.raises(InvalidOption, match="expected a policy of this environment"):
        PPOAgent.load(path)
    assert not planted.exists()


def test_help_and_docs_say_that_a_model_can_run_code():
    page = (Path(__file__).parents[2] / "docs" / "evaluation.md").read_text(encoding="utf-8")
    assert "only files that you trust" in " ".join(page.split())
    assert "only files that you trust" in " ".join(PPOAgent.load.__doc__.split())


@pytest.mark.parametrize("algorithm", [MaskablePPO, stable_baselines3.PPO])
def test_a_model_of_another_game_is_refused(algorithm, tmp_path):
    message = r"expected a policy of this environment, got one for observations of shape \(4,\) and 2 actions"
    path = str(tmp_path / "other.zip")
    algorithm("MlpPolicy", Elsewhere(), device="cpu").save(path)
    with pytest.raises(InvalidOption, match=r"other\.zip: no saved model of this environment: .*" + message):
        make_agent(path, trust=True)


def test_a_model_without_masks_is_no_model_of_maskable_ppo(tmp_path):
    stable_baselines3.PPO("MlpPolicy", Elsewhere(), device="cpu").save(tmp_path / "ppo.zip")
    with pytest.raises(InvalidOption, match="expected one of MaskablePPO, got a policy of stable_baselines3"):
        PPOAgent.load(tmp_path / "ppo.zip")


def test_a_model_for_another_number_of_players_says_so(for_two):
    trusted = make_agent(for_two, trust=True)
    env = DominionEnv(opponents=trusted, first_player=1, num_players=3, **FIRST_GAME)
    with pytest.raises(
        InvalidOption, match=r"expected shape .* was trained with 2 players, got .* of games for 3 players"
    ):
        env.reset(seed=0)
    with pytest.raises(WrongOrder, match=r"opponent .*PPOAgent.* failed"):
        env.step(0)


def test_a_model_may_say_which_observation_it_was_trained_on(for_two):
    assert PPOAgent.load(for_two).observation is None
    batch = GameBatch(3, **FIRST_GAME)
    for reads in ("recall", "strict"):
        agent = PPOAgent.load(for_two, observation=reads)
        wanted = GameBatch(3, observation=reads, **FIRST_GAME).observe()
        np.testing.assert_array_equal(shown_to(agent, batch), wanted)
    assert agent.act(wanted, batch.action_mask, batch.policy_keys()).max() < NUM_ACTIONS
