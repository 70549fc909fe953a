"""Agents from what a command line says: every form there is, and what is said about others."""

from __future__ import annotations

import importlib
import json
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

import dominion_agents
from dominion_agents.own_code.adapters import FunctionAgent, PettingZooPolicy
from dominion_agents.own_code.loading import adapt
from dominion_env import NUM_ACTIONS, GameBatch, InvalidAgent, InvalidOption, register_agent
from dominion_training.play.entrants import fingerprint, make_entrant
from tests.training.evaluate import players
from tests.training.evaluate.players import MODULE


@pytest.fixture(scope="module")
def decisions():
    batch = GameBatch(20, kingdom="first-game-2e", auto_treasures=True, seed=3)
    for _ in range(8):
        batch.step(batch.sample_actions())
    return batch.observe().copy(), batch.action_mask.copy(), batch.policy_keys().copy()


@pytest.mark.parametrize("attribute", ["lazy", "Lazy", "make_lazy", "INSTANCE"])
@pytest.mark.parametrize("source", [MODULE, players.__file__])
def test_code_of_ones_own(source, attribute, decisions):
    agent = make_entrant(f"{source}:{attribute}")
    assert (agent.act(*decisions) == players.lazy(*decisions)).all()


def test_a_registered_name():
    assert isinstance(make_entrant("big-money"), dominion_agents.ScriptedAgent)


def test_a_random_menu_and_its_seed():
    assert repr(make_entrant("random-menu:7")) == "RandomMenu(7)"
    assert fingerprint("random-menu:7") == fingerprint("random-menu:7") != fingerprint("random-menu:8")
    with pytest.raises(
        InvalidOption, match="'random-menu:seven': expected a seed after the colon, a whole number from 0"
    ):
        make_entrant("random-menu:seven")


def test_a_pettingzoo_policy(decisions):
    agent = make_entrant(f"{MODULE}:last_legal")
    assert isinstance(agent, PettingZooPolicy)
    actions = agent.act(*decisions)
    masks = decisions[1]
    assert actions.tolist() == [int(np.flatnonzero(mask)[-1]) for mask in masks]
    assert actions.dtype.kind == "i"


def test_methods_and_objects_that_are_called_are_functions_too(decisions):
    assert isinstance(adapt("bound", players.INSTANCE.act), FunctionAgent)

    class Callable:
        def __call__(self, observations, masks, keys):
            return players.lazy(observations, masks, keys)

    assert (adapt("called", Callable()).act(*decisions) == players.lazy(*decisions)).all()


def test_a_module_in_the_current_folder(tmp_path, monkeypatch):
    (tmp_path / "my_own_player.py").write_text("def act(observations, masks, keys):\n    return masks.argmax(axis=1)\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [part for part in sys.path if part])
    try:
        assert isinstance(make_entrant("my_own_player:act"), FunctionAgent)
    finally:
        sys.modules.pop("my_own_player", None)


@pytest.mark.parametrize(
    ("spec", "error", "message"),
    [
        (
            "nobody",
            InvalidOption,
            "known are .*big-money.*code of your own, module:attribute or path/to/file.py:attribute",
        ),
        ("there-is-none.zip", InvalidOption, "no such file"),
        ("no/model.safetensors", InvalidOption, "^no/model.safetensors: there is no such file$"),
        ("there-is-none.py:act", InvalidAgent, "no file there-is-none.py"),
        ("no.such.module:act", InvalidAgent, "can't be imported, ModuleNotFoundError"),
        (f"{MODULE}:nothing", InvalidAgent, "no 'nothing' in"),
        (f"{MODULE}:NUMBER", InvalidAgent, "expected an object with `act` or `decide`, .*; got 17, which can't act"),
        (
            f"{MODULE}:two_needed",
            InvalidAgent,
            "expected an object with `act` or `decide`, .*; got a function or class of 1 arguments",
        ),
        (
            f"{MODULE}:NeedsMore",
            InvalidAgent,
            "expected an object with `act` or `decide`, .*; got a function or class of 1 arguments",
        ),
        (f"{MODULE}:broken_factory", InvalidAgent, "got a maker of 17, which has no method `act`"),
        (f"{MODULE}:raising_factory", InvalidAgent, "making it raised OSError: no weights"),
        (f"{MODULE}:leaving_factory", InvalidAgent, "making it raised SystemExit: bye"),
        (players.lazy, InvalidAgent, "agent: expected a name, got <function lazy "),
    ],
)
def test_a_specification_of_no_agent_is_explained(spec, error, message):
    with pytest.raises(error, match=message):
        make_entrant(spec)


def test_files_that_can_not_be_loaded(tmp_path):
    (tmp_path / "broken.py").write_text("def act(:\n")
    with pytest.raises(InvalidAgent, match="raised SyntaxError"):
        make_entrant(f"{tmp_path}/broken.py:act")
    (tmp_path / "leaves.py").write_text("raise SystemExit(3)\n")
    with pytest.raises(InvalidAgent, match="raised SystemExit: 3"):
        make_entrant(f"{tmp_path}/leaves.py:act")
    (tmp_path / "broken.zip").write_bytes(b"no archive")
    with pytest.raises(InvalidOption, match=r"broken\.zip: no saved model of this environment: it can't be read"):
        make_entrant(f"{tmp_path}/broken.zip")
    with zipfile.ZipFile(tmp_path / "hollow.zip", "w") as archive:
        archive.writestr("data", json.dumps({"policy_class": {"__module__": "nowhere"}}))
    with pytest.raises(InvalidOption, match=r"hollow\.zip: no saved model of this environment"):
        make_entrant(f"{tmp_path}/hollow.zip")


def test_a_fingerprint_tells_whether_code_is_the_same(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("def act(o, m, k):\n    return m.argmax(1)\n")
    before = fingerprint(f"{file}:act")
    assert before == fingerprint(f"{file}:act")
    file.write_text("def act(o, m, k):\n    return m.argmax(axis=1)\n")
    assert fingerprint(f"{file}:act") != before
    assert fingerprint(f"{MODULE}:lazy") == fingerprint(f"{Path(players.__file__)}:lazy") is not None
    names = ["random", "auto", "random-menu", "big-money", "big-money-duchy", "name: no. 1; guard: on; Province; Gold"]
    assert len({fingerprint(name) for name in names} - {None}) == len(names)
    assert [fingerprint(name) for name in ("gone.zip", "gone.from_here:act", "gone.strategy", "nobody")] == [None] * 4


def test_a_fingerprint_covers_the_lists_that_come_with_the_agents(tmp_path, monkeypatch):
    monkeypatch.setattr(dominion_agents, "__file__", str(tmp_path / "__init__.py"))
    (tmp_path / "strategies").mkdir()
    lists = tmp_path / "strategies" / "named.txt"
    lists.write_text("name: big-money; Province; Gold; Silver")
    before = fingerprint("planner")
    lists.write_text("name: big-money; Province; Silver")
    assert fingerprint("planner") != before


def test_a_fingerprint_of_a_strategy_file_is_that_of_its_strategy(tmp_path):
    file = tmp_path / "mine.strategy"
    file.write_text("Province; Gold; Silver")
    before = fingerprint(str(file))
    file.write_text("# the same\nProvince\nGold\nSilver\n")
    assert fingerprint(str(file)) == before is not None
    file.write_text("Province; Gold; Smithy if Smithy < 2; Silver")
    assert fingerprint(str(file)) != before
    file.write_text("guard: on; Province; Gold; Silver")
    assert fingerprint(str(file)) != before


@pytest.mark.usefixtures("forgotten_agents")
def test_a_fingerprint_of_a_registered_agent_is_that_of_what_it_holds_and_of_its_code(tmp_path, monkeypatch):
    file = tmp_path / "holds_weights.py"
    code = (
        "class Mine:\n    def __init__(self, weights):\n        self.weights = weights\n\n    def act(self, o, m, k):\n"
    )
    file.write_text(code + "        return m.argmax(1)\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(sys.modules, "holds_weights", None)
    del sys.modules["holds_weights"]
    module = importlib.import_module("holds_weights")
    weights = [np.zeros(3)]
    register_agent("mine", lambda: module.Mine(weights[0]))
    before = fingerprint("mine")
    assert before == fingerprint("mine") is not None
    weights[0] = np.ones(3)
    other = fingerprint("mine")
    assert other not in (before, None)
    file.write_text(code + "        return m[:, ::-1].argmax(1)\n")
    assert fingerprint("mine") not in (other, before, None)
    register_agent("by-function", lambda: FunctionAgent(players.lazy))
    register_agent("by-another", lambda: FunctionAgent(players.slow))
    assert len({fingerprint("by-function"), fingerprint("by-another"), None}) == 3


@pytest.mark.usefixtures("forgotten_agents")
def test_what_is_in_no_file_has_no_fingerprint(monkeypatch):
    class Local:
        def act(self, observations, masks, keys):
            return masks.argmax(axis=1)

    register_agent("local", Local)
    register_agent("nameless", lambda: FunctionAgent(lambda observations, masks, keys: masks.argmax(axis=1)))
    monkeypatch.setattr(sys.modules["__main__"], "__file__", None, raising=False)  # as in a notebook
    cell: dict[str, type] = {"__name__": "__main__"}
    exec(compile("class Cell:\n    def act(self, o, m, k):\n        return m.argmax(1)\n", "<cell 3>", "exec"), cell)
    monkeypatch.setattr(sys.modules["__main__"], "Cell", cell["Cell"], raising=False)
    register_agent("cell", cell["Cell"])
    assert [fingerprint(name) for name in ("local", "nameless", "cell")] == [None] * 3


def test_a_module_that_was_written_again_is_loaded_again(tmp_path, monkeypatch, decisions):
    file = tmp_path / "written_twice.py"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [part for part in sys.path if part])  # as in a command
    assert fingerprint("written_twice:act") is None
    masks = decisions[1]
    try:
        for answer in ("m.argmax(1)", f"{NUM_ACTIONS - 1} - m[:, ::-1].argmax(1)"):
            file.write_text(f"def act(o, m, k):\n    return {answer}\n")
            importlib.invalidate_caches()
            assert (make_entrant("written_twice:act").act(*decisions) == eval(answer, {"m": masks})).all()
        own = fingerprint("written_twice:act")
        assert own == fingerprint(f"{file}:act") is not None
    finally:
        sys.modules.pop("written_twice", None)


@pytest.mark.compiled
@pytest.mark.parametrize("algorithm", ["PPO", "A2C", "DQN", "MaskablePPO"])
def test_models_of_stable_baselines3(algorithm, tmp_path, decisions):
    import sb3_contrib
    import stable_baselines3
    from gymnasium import Env, spaces

    size = decisions[0].shape[1]

    class Spaces(Env):
        observation_space = spaces.Box(-np.inf, np.inf, (size,), np.float32)
        action_space = spaces.Discrete(NUM_ACTIONS)

        def action_masks(self):
            return np.ones(NUM_ACTIONS, bool)

    library = sb3_contrib if algorithm == "MaskablePPO" else stable_baselines3
    more = {"buffer_size": 10} if algorithm == "DQN" else {}
    getattr(library, algorithm)("MlpPolicy", Spaces(), seed=1, device="cpu", **more).save(tmp_path / "model.zip")
    agent = make_entrant(str(tmp_path / "model.zip"), trust=True)
    observations, masks, keys = decisions
    actions = agent.act(observations, masks, keys)
    assert masks[np.arange(20), actions].all()
    assert len(set(actions.tolist())) > 1
    alone = [agent.act(observations[row : row + 1], masks[row : row + 1], keys[row : row + 1])[0] for row in range(20)]
    assert actions.tolist() == alone
