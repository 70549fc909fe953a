"""Agents from what a command line can say: a registered name, a saved model, or code of one's own."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import json
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import agents
from agents import Agent
from agents.menus import is_random_menu
from dominion_env.errors import InvalidAgent, InvalidOption
from training.evaluate.adapters import FunctionAgent, PettingZooPolicy, SB3Policy

FORMS = (
    "a registered name, the file of a saved model (model.zip), module:attribute or path/to/file.py:attribute; the "
    "attribute is an object with `act`, a class or function without arguments that makes one, a function "
    "act(observations, action_masks, keys), or a PettingZoo policy(observation, agent)"
)


def make_agent(spec: str) -> Agent:
    """The agent that a specification names.

    Args:
        spec: see `FORMS`. A relative path is looked up from the current folder, which modules are imported from too.

    Raises:
        InvalidOption: no agent is registered under that name.
        InvalidAgent: the file, module or attribute does not exist, can't be loaded, or is nothing that acts.
    """
    if spec.endswith(".zip"):
        return _model(spec)
    if ":" not in spec or spec in agents.names():
        try:
            return agents.make(spec)
        except InvalidOption as error:
            raise InvalidOption(f"{error}; or {FORMS.split(', ', 1)[1]}") from error
    source, _, attribute = spec.rpartition(":")
    if not attribute.isidentifier() or is_random_menu(spec):
        return agents.make(spec)  # a colon in words of its own: for `make` to judge
    module = _file(spec, Path(source)) if source.endswith(".py") else _module(spec, source)
    if not hasattr(module, attribute):
        raise InvalidAgent(f"agent {spec}: there is no {attribute!r} in {source}")
    return adapt(spec, getattr(module, attribute))


def adapt(name: str, thing: Any) -> Agent:
    """An object, class, function or policy as an agent.

    Raises:
        InvalidAgent: it is none of these, or raised when it was called to make the agent.
    """
    if not inspect.isclass(thing) and callable(getattr(thing, "act", None)):
        agent: Agent = thing
        return agent
    if not callable(thing):
        raise InvalidAgent(f"agent {name}: {thing!r} can't act; wanted is {FORMS}")
    wanted = _number_of_arguments(thing)
    if wanted == 0:
        return _made(name, thing)
    if not inspect.isclass(thing) and wanted == 3:
        return FunctionAgent(thing)
    if not inspect.isclass(thing) and wanted == 2:
        return PettingZooPolicy(thing)
    raise InvalidAgent(f"agent {name}: it takes {wanted} arguments; wanted is {FORMS}")


def fingerprint(spec: str) -> str | None:
    """A hash of the code or model behind a specification: whether the agent is still the same.

    Of a registered name it is that of all scripted agents; None if there is no file to be read.
    """
    if spec.endswith(".zip"):
        files = [Path(spec)]
    elif ":" in spec and spec not in agents.names() and spec.rpartition(":")[2].isidentifier():
        source = spec.rpartition(":")[0]
        files = [Path(source)] if source.endswith(".py") else _files_of_module(source)
    else:
        files = []
    if not files:
        files = sorted(Path(agents.__file__).parent.rglob("*.py"))
    try:
        return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()[:16]
    except OSError:
        return None


def _files_of_module(source: str) -> list[Path]:
    try:
        found = importlib.util.find_spec(source)
    except ModuleNotFoundError:  # of a package around it
        return []
    return [Path(found.origin)] if found is not None and found.origin is not None else []


def _number_of_arguments(thing: Callable[..., Any]) -> int:
    """How many arguments it can't do without; -1 if nobody knows."""
    try:
        parameters = inspect.signature(thing).parameters.values()
    except (TypeError, ValueError):
        return -1
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(each.kind in kinds and each.default is inspect.Parameter.empty for each in parameters)


def _made(name: str, maker: Callable[[], Any]) -> Agent:
    try:
        made = maker()
    except Exception as error:
        raise InvalidAgent(f"agent {name}: making it raised {type(error).__name__}: {error}") from error
    if not callable(getattr(made, "act", None)):
        raise InvalidAgent(f"agent {name}: it made {made!r}, which has no method `act`; wanted is {FORMS}")
    agent: Agent = made
    return agent


def _model(spec: str) -> Agent:
    if not Path(spec).is_file():
        raise InvalidAgent(f"agent {spec}: there is no such file")
    try:
        with zipfile.ZipFile(spec) as archive:
            policy = json.loads(archive.read("data"))["policy_class"]["__module__"]
        if policy.startswith("stable_baselines3."):
            return SB3Policy(_algorithm(policy).load(spec, device="cpu"))
        return agents.make(spec)
    except InvalidOption as error:
        raise InvalidAgent(f"agent {error}") from error
    except ModuleNotFoundError:
        raise
    except Exception as error:
        raise InvalidAgent(f"agent {spec}: it can't be loaded, {type(error).__name__}: {error}") from error


def _algorithm(policy: str) -> Any:
    """The algorithm whose policy stands in that module."""
    import stable_baselines3

    family = policy.split(".")[1]
    # PPO and A2C share their policies, and here both only play
    return stable_baselines3.DQN if family == "dqn" else stable_baselines3.PPO


def _file(spec: str, path: Path) -> ModuleType:
    if not path.is_file():
        raise InvalidAgent(f"agent {spec}: there is no file {path}")
    name = f"dominion_agent_{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:12]}"
    loader = importlib.util.spec_from_file_location(name, path)
    if loader is None or loader.loader is None:
        raise InvalidAgent(f"agent {spec}: {path} is no Python file")
    module = importlib.util.module_from_spec(loader)
    sys.modules[name] = module  # dataclasses and pickles look for their module there
    try:
        loader.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise InvalidAgent(f"agent {spec}: {path} raised {type(error).__name__}: {error}") from error
    return module


def _module(spec: str, source: str) -> ModuleType:
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))  # as `python -m` does; a command does not
    try:
        return importlib.import_module(source)
    except Exception as error:
        raise InvalidAgent(f"agent {spec}: {source} can't be imported, {type(error).__name__}: {error}") from error
