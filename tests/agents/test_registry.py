"""Agents of other packages: found by name when they are installed, and told in words when they are broken."""

import os
import re
import subprocess
import sys
import textwrap
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import numpy as np
import pytest

import dominion_env
from dominion_env import (
    DominionEnv,
    DominionError,
    InvalidAgent,
    InvalidOption,
    agent_names,
    make_agent,
    register_agent,
)
from dominion_env.players import registry

ROOT = Path(__file__).parents[2]


def distribution(folder, name, entry_point, **modules):
    """Write what `pip install` leaves behind of a small distribution."""
    information = folder / f"{name}-1.0.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text(f"[dominion_env.agents]\n{name} = {entry_point}\n")
    for module, code in modules.items():
        (folder / f"{module}.py").write_text(textwrap.dedent(code))
    return folder


def run(code, *folders):
    """Return what a new process prints that finds these folders first, with the warnings of the loggers."""
    python = [sys.executable, "-c", textwrap.dedent(code)]
    path = os.pathsep.join(map(str, folders))
    done = subprocess.run(
        python, capture_output=True, text=True, env={"PYTHONPATH": path, "NUMBA_DISABLE_JIT": "1"}, cwd="/", check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


THEIRS = """
    import numpy as np
    from dominion_env import PASS, register_agent
    from dominion_env.players.registry import register_form

    class First:
        def __init__(self, number=0):
            self.number = number

        def act(self, observations, action_masks, keys):
            return np.argmax(action_masks, axis=1)

    def register():
        print("registered")
        register_agent("theirs", First)
        register_form("theirs with a number (theirs:3)", lambda name: name.startswith("theirs:"),
                      lambda name, **settings: First(int(name[7:])))
"""


@pytest.mark.slow
def test_agents_of_an_installed_distribution_play_by_name(tmp_path):
    theirs = distribution(tmp_path / "theirs", "theirs", "theirs:register", theirs=THEIRS)
    rival = distribution(  # wants a name that is taken
        tmp_path / "rival",
        "rival",
        "rival:register",
        rival="""
            from dominion_env import register_agent

            def register():
                register_agent("rivals-own", list)
                register_agent("big-money", list)
        """,
    )
    broken = distribution(tmp_path / "broken", "broken", "broken:register", broken="import no_such_module")
    told = run(
        """
        import sys
        import dominion_env
        from dominion_env import DominionEnv, GameBatch, agent_names, make_agent
        assert "dominion_agents" not in sys.modules and "theirs" not in sys.modules
        print({"theirs", "big-money"} <= set(agent_names()), "rivals-own" in agent_names())
        print(make_agent("theirs", number=5).number, make_agent("theirs:3").number)
        batch, agent = GameBatch(3), make_agent("theirs")
        batch.step(agent.act(batch.observe(), batch.action_mask, batch.policy_keys()))
        env = DominionEnv(opponents=["theirs", "theirs:3"], kingdom="first-game-2e", first_player=1)
        env.reset(seed=1)
        env.step(0)
        print(type(make_agent("big-money")).__name__)
        for name in ("thiers", "xyzzy"):
            try:
                make_agent(name)
            except dominion_env.InvalidOption as error:
                print("error:", error)
        """,
        theirs,
        broken,
        rival,
    )
    assert told.count("registered\n") == 1
    assert "True False\n5 3\nScriptedAgent\n" in told
    wrong = (
        "entry point 'broken' (broken:register) of broken registers no agents, as it raised ModuleNotFoundError: "
        "No module named 'no_such_module'; "
        "entry point 'rival' (rival:register) of rival registers no agents, as it raised InvalidOption: an agent named "
        "'big-money' is registered already: choose another name"
    )
    error, strange = re.findall("error: (.*)", told)
    assert error.startswith("'thiers' is no agent: did you mean 'theirs'? `dominion agents --all` lists all")
    assert strange.startswith("'xyzzy' is no agent: known are adventurer, ")
    assert "or theirs with a number (theirs:3)" in strange
    assert error.endswith(f"; {wrong}")
    assert strange.endswith(f"; {wrong}")
    for each in wrong.split("; "):
        assert told.count(each) == 3  # once as a warning


@pytest.mark.slow
def test_a_checkout_that_is_not_installed_says_so_and_works_once_its_agents_are_imported(tmp_path):
    for package in (ROOT / "dominion_env", ROOT / "agents" / "dominion_agents"):
        (tmp_path / package.name).symlink_to(package)
    told = run(
        """
        import importlib.metadata
        there = importlib.metadata.entry_points
        importlib.metadata.entry_points = lambda **chosen: there(**chosen).select(group="none of them")
        import dominion_env
        try:
            dominion_env.make_agent("big-money")
        except dominion_env.InvalidOption as error:
            print(error)
        import dominion_agents
        print(dominion_env.make_agent("big-money"))
        """,
        tmp_path,
    )
    assert told.startswith(
        "'big-money' is no agent: known are none; the project's own agents are missing, as no installed package "
        "'dominion_env' names any: run `pip install -e .` in the checkout"
    )
    assert told.endswith("ScriptedAgent(big-money)\n")


class Sized:
    """An agent with a setting."""

    def __init__(self, size=1):
        self.size = size

    def act(self, observations, action_masks, keys):
        return np.argmax(action_masks, axis=1)


@pytest.mark.usefixtures("forgotten_agents")
def test_an_agent_of_ones_own_is_registered_and_made_with_its_settings():
    register_agent("sized", Sized)
    assert "sized" in agent_names()
    assert make_agent("sized", size=3).size == 3
    with pytest.raises(InvalidOption, match="'sized' has no such settings: expected size, got sise"):
        make_agent("sized", sise=3)
    with pytest.raises(InvalidOption, match="'sized' is registered already"):
        register_agent("sized", Sized)
    env = DominionEnv(opponents="sized", kingdom="first-game-2e")
    env.reset(seed=0)


@pytest.mark.usefixtures("forgotten_agents")
@pytest.mark.parametrize(("name", "maker"), [("", Sized), ("  ", Sized), (5, Sized), ("mine", Sized()), ("mine", None)])
def test_what_is_no_name_or_makes_no_agent_is_refused(name, maker):
    with pytest.raises(InvalidOption, match="expected"):
        register_agent(name, maker)
    assert "mine" not in agent_names()


@pytest.mark.usefixtures("forgotten_agents")
@pytest.mark.parametrize("made", [None, "big-money", Sized])
def test_a_maker_must_return_an_agent(made):
    register_agent("mine", lambda: made)
    with pytest.raises(InvalidAgent, match="agent 'mine': expected its maker to return an object with act"):
        make_agent("mine")


def test_the_environment_imports_no_agent():
    for path in Path(dominion_env.__file__).parent.rglob("*.py"):
        assert not re.search(r"^\s*(from|import) dominion_(agents|training)", path.read_text(encoding="utf-8"), re.M), (
            path
        )


# --- how installed packages are asked, without a process of its own ---------------------------------------------------


@pytest.fixture
def installed(monkeypatch):
    """Let the registry begin again with these entry points: group, name, value."""

    def install(*values):
        for name in ("_AGENTS", "_FORMS", "_CALLED", "_BROKEN", "_ADDED"):
            monkeypatch.setattr(registry, name, type(getattr(registry, name))())
        monkeypatch.setattr(registry, "_loaded", False)
        monkeypatch.setattr(registry, "_own_installed", False)
        points = EntryPoints(EntryPoint(value, value, registry.GROUP) for value in values)
        monkeypatch.setattr(registry, "entry_points", lambda group: points.select(group=group))

    return install


def register_sized():
    register_agent("sized", Sized)
    assert "sized" in agent_names()  # asked while packages register


def register_and_leave():
    register_agent("half", Sized)
    registry.register_form("half a name", lambda name: name.startswith("half:"), lambda name: Sized())
    sys.exit("as a command would")


def interrupted():
    register_agent("lost", Sized)
    raise KeyboardInterrupt


HERE = __name__


def test_a_package_that_adds_its_function_itself_is_asked_once(installed):
    installed(f"{HERE}:register_sized")
    registry.add_provider(register_sized)
    assert agent_names() == ("sized",)
    registry.add_provider(register_sized)
    assert agent_names() == ("sized",)
    assert registry._BROKEN == []


def test_what_a_package_registered_before_it_failed_is_forgotten(installed, caplog):
    installed(f"{HERE}:register_and_leave", f"{HERE}:register_sized", f"{HERE}:HERE", f"{HERE}:nothing")
    assert agent_names() == ("sized",)
    with pytest.raises(InvalidOption, match=r"known are sized($|;)"):
        make_agent("half:a")
    said = [record.getMessage() for record in caplog.records if record.name == "dominion_env"]
    assert len(said) == 3
    assert f"entry point '{HERE}:HERE' ({HERE}:HERE) of an unknown package registers no agents" in said[0]
    assert "expected a function without arguments, got 'tests.agents.test_registry'" in said[0]
    assert "AttributeError" in said[1]
    assert "SystemExit: as a command would" in said[2]


class Leave(BaseException):
    def __str__(self) -> str:
        raise RuntimeError("no words")


def leaving():
    raise Leave


def colourful():
    register_agent("plain", Sized, described="\x1b[31mred")
    register_agent("\x1b[31mred", Sized)


def test_a_package_that_raises_anything_at_all_takes_nothing_down(installed, caplog):
    installed(f"{HERE}:leaving", f"{HERE}:colourful", f"{HERE}:register_sized")
    assert agent_names() == ("sized",)
    said = [record.getMessage() for record in caplog.records if record.name == "dominion_env"]
    assert any("as it raised Leave: an error that can't be written" in text for text in said)
    assert all(text.isprintable() for text in said)


def test_texts_of_packages_hold_no_escape_codes(installed):
    installed(f"{HERE}:register_sized")
    register_agent("plain", Sized, described="\x1b[31mred")
    assert registry.registered_agents()["plain"].described == "?[31mred"
    with pytest.raises(InvalidOption, match="expected an agent's name"):
        register_agent("\x1b[31mred", Sized)


def test_after_ctrl_c_the_packages_are_asked_again(installed):
    installed(f"{HERE}:interrupted", f"{HERE}:register_sized")
    with pytest.raises(KeyboardInterrupt):
        agent_names()
    with pytest.raises(KeyboardInterrupt):
        agent_names()
    installed(f"{HERE}:register_sized")
    assert agent_names() == ("sized",)


@pytest.mark.parametrize(
    "name",
    [10**5 * "x", 10**5 * "x" + ".zip", 10**5 * "x" + ".safetensors", 10**5 * "x" + ".strategy", "random-menu:" + 10**5 * "9",
     "Province; " + 10**5 * "x", "\x1b[31m\x07.zip", "\x1b[31m\x07.safetensors", "\0.safetensors", "\0.zip",
     "\x1b[31m\x07; Gold", "\x1b[31m\x07", "random-menu:\x1b[31m\x07"],
)  # fmt: skip
def test_a_name_of_any_length_and_with_any_signs_is_refused_in_some_words(name):
    """A saved game names its agents, and `dominion play` prints what is wrong with them."""
    with pytest.raises(DominionError) as caught:
        make_agent(name)
    said = str(caught.value)
    assert len(said) <= 1500
    assert said.replace("\n", "").isprintable()


def test_of_many_names_with_the_same_first_word_a_message_says_only_how_many_they_are(monkeypatch):
    for few in range(7):
        monkeypatch.setitem(registry._AGENTS, f"few-{few}", registry._AGENTS["random"])
    for many in range(8):
        monkeypatch.setitem(registry._AGENTS, f"many-{many}", registry._AGENTS["random"])
    with pytest.raises(InvalidOption) as caught:
        make_agent("xyzzy")
    listed = str(caught.value).split(", ")
    assert [name for name in listed if name.startswith("few-")] == [f"few-{few}" for few in range(7)]
    assert [name for name in listed if name.startswith("many-")] == ["many-... (8 of them)"]
