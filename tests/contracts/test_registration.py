"""Our names are in both registries, whatever is imported first, and games alone import no library that they don't need."""

import subprocess
import sys

import gymnasium
import pettingzoo
import pytest

import dominion_env
from dominion_env import dominion_v0
from dominion_env.views.registration import GYMNASIUM_IDS, PETTINGZOO_ID, AfterImport

ASK = """
import gymnasium, pettingzoo
assert set(gymnasium.registry) >= set(dominion_env.views.registration.GYMNASIUM_IDS)
assert pettingzoo.spec("aec", "dominion/base-v0").entry_point == "dominion_env.views.dominion_v0:env"
assert pettingzoo.spec("parallel", "dominion/base-v0").entry_point == "dominion_env.views.dominion_v0:parallel_env"
assert type(gymnasium.__loader__) is type(gymnasium.__spec__.loader) is type(dominion_env.__loader__)
assert not any(type(finder).__module__ == "dominion_env.views.registration" for finder in sys.meta_path)
"""
MISSING = """
import sys, dominion_env
sys.path[:] = [path for path in sys.path if "site-packages" not in path]
try:
    import gymnasium
except ModuleNotFoundError as error:
    assert error.name == "gymnasium"
else:
    raise AssertionError
"""
HEAVY = ["gymnasium", "pettingzoo", "stable_baselines3", "sb3_contrib", "torch", "PIL", "pygame", "agents", "rich"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "program",
    [
        "import sys, dominion_env" + ASK,
        "import sys, gymnasium, pettingzoo, dominion_env" + ASK,
        "import sys, gymnasium, dominion_env, pettingzoo" + ASK,
        # asking whether a library is there, without importing it, changes nothing
        "import sys, dominion_env, importlib.util; importlib.util.find_spec('gymnasium')" + ASK,
        f"import sys, dominion_env\nassert not set({HEAVY}) & set(sys.modules), set({HEAVY}) & set(sys.modules)",
        # a library that is not installed stays an ImportError of its own
        MISSING,
    ],
    ids=["last", "first", "between", "asked-for", "light", "missing"],
)
def test_the_names_are_there_and_nothing_heavy_is_imported_for_them(program):
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_name_makes_what_it_says():
    for name, options in GYMNASIUM_IDS.items():
        made = gymnasium.make(name).unwrapped
        assert isinstance(made, dominion_env.DominionEnv)
        assert isinstance(gymnasium.make_vec(name, num_envs=2), dominion_env.DominionVectorEnv)
        made.reset(seed=0)
        if options and "random" not in options["kingdom"]:
            assert made.game.kingdom == dominion_env.KINGDOMS[options["kingdom"]]
    assert isinstance(pettingzoo.make("aec", PETTINGZOO_ID).unwrapped, dominion_v0.raw_env)
    assert isinstance(pettingzoo.make("parallel", PETTINGZOO_ID, num_players=3).unwrapped, dominion_v0.raw_env)
    gymnasium.register_envs(dominion_env)


@pytest.mark.slow
def test_gymnasium_imports_the_package_for_a_name_with_its_module():
    program = """
import gymnasium
assert gymnasium.make("dominion_env:Dominion-v0").reset(seed=0)[1]["seat"] == 0
assert gymnasium.make_vec("dominion_env:Dominion/FirstGame-v0", num_envs=2).num_envs == 2
"""
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_every_name_of_the_package_is_there():
    for name in dominion_env.__all__:
        assert getattr(dominion_env, name) is not None
    assert dominion_env.views.dominion_v0 is dominion_v0
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = dominion_env.nothing


def test_a_module_found_on_the_way_is_executed_once_and_then_told_of(monkeypatch, tmp_path):
    (tmp_path / "just_for_this_test.py").write_text("value = 1")
    monkeypatch.syspath_prepend(tmp_path)
    heard = []
    finder = AfterImport("just_for_this_test", lambda: heard.append(sys.modules["just_for_this_test"].value))
    monkeypatch.setattr(sys, "meta_path", [finder, *sys.meta_path])
    assert finder.find_spec("something_else", None) is None
    __import__("just_for_this_test")
    assert heard == [1]
    assert finder not in sys.meta_path
    del sys.modules["just_for_this_test"]
