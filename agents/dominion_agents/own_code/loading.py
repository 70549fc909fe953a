"""Agents of code that the user names: `module:attribute` or `path/to/file.py:attribute`."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from dominion_agents.own_code.adapters import FAILURES, FunctionAgent, PettingZooPolicy
from dominion_env.common.checks import shown
from dominion_env.common.errors import InvalidAgent
from dominion_env.players.agent import Agent, is_agent

FORM = "code of your own, module:attribute or path/to/file.py:attribute"
ATTRIBUTE = (
    "an object with `act` or `decide`, a class or function without arguments that makes one, a function "
    "act(observations, action_masks, keys), or a PettingZoo policy(observation, agent)"
)

_sources: dict[str, bytes] = {}  # the text of each module's file when it was loaded here


def is_code(name: str) -> bool:
    """Whether a name has the form of code; a strategy may hold a colon too."""
    source, _, attribute = name.rpartition(":")
    is_module = all(part.isidentifier() for part in source.split("."))
    return attribute.isidentifier() and (source.endswith(".py") or is_module)


def naming_hint(name: str) -> str:
    """Return how the code in a file is named, if a name looks like the path of one."""
    return "code of your own is named file.py:attribute" if ".py" in name else ""


def own_code(name: str) -> Agent:
    """Make the agent that a module or file holds. Its code runs.

    Args:
        name: `module:attribute` or `path/to/file.py:attribute`. Relative paths start from the current folder, from which
            modules are imported too.

    Raises:
        InvalidAgent: the file, module or attribute does not exist, can't be loaded, or can't act.
    """
    source, attribute = place(name)
    module = _file(name, Path(source)) if source.endswith(".py") else _module(name, source)
    if not hasattr(module, attribute):
        raise InvalidAgent(f"agent {name}: there is no {attribute!r} in {source}")
    return adapt(name, getattr(module, attribute))


def adapt(name: str, thing: Any) -> Agent:
    """Return an object, class, function or policy as an agent.

    Raises:
        InvalidAgent: it is none of these, or raised an error when it was called to make the agent.
    """
    if is_agent(thing):
        agent: Agent = thing
        return agent
    if not callable(thing):
        raise InvalidAgent(f"agent {name}: expected {ATTRIBUTE}; got {shown(thing)}, which can't act")
    wanted = _number_of_arguments(thing)
    if wanted == 0:
        return _made(name, thing)
    if not inspect.isclass(thing) and wanted == 3:
        return FunctionAgent(thing)
    if not inspect.isclass(thing) and wanted == 2:
        return PettingZooPolicy(thing)
    raise InvalidAgent(f"agent {name}: expected {ATTRIBUTE}; got a function or class of {wanted} arguments")


def module_of(name: str) -> ModuleType | None:
    """Return the module of code of the user's own, in which the agent was made before; None for any other agent."""
    if not is_code(name):
        return None
    source, _ = place(name)
    return sys.modules[_name_of_file(Path(source)) if source.endswith(".py") else source]


def place(name: str) -> tuple[str, str]:
    """Return file or module, and attribute."""
    source, _, attribute = name.rpartition(":")
    return source, attribute


def path_of(source: str) -> Path:
    """Return the file that is named, or that holds the module; raises an error if there is none."""
    if source.endswith(".py"):
        return Path(source)
    _look_here_too()
    found = importlib.util.find_spec(source)
    if found is None or found.origin is None:
        raise FileNotFoundError(source)
    return Path(found.origin)


def _number_of_arguments(thing: Callable[..., Any]) -> int:
    """Return how many arguments a call must give; -1 if the signature is unknown."""
    try:
        parameters = inspect.signature(thing).parameters.values()
    except (TypeError, ValueError):
        return -1
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(each.kind in kinds and each.default is inspect.Parameter.empty for each in parameters)


def _made(name: str, maker: Callable[[], Any]) -> Agent:
    try:
        made = maker()
    except FAILURES as error:
        raise InvalidAgent(f"agent {name}: making it raised {type(error).__name__}: {error}") from error
    if not is_agent(made):
        raise InvalidAgent(
            f"agent {name}: expected {ATTRIBUTE}; got a maker of {shown(made)}, which has no method `act` or `decide`"
        )
    agent: Agent = made
    return agent


def _file(spec: str, path: Path) -> ModuleType:
    if not path.is_file():
        raise InvalidAgent(f"agent {spec}: there is no file {path}")
    name = _name_of_file(path)
    module = ModuleType(name)
    module.__file__ = str(path)
    sys.modules[name] = module  # dataclasses and pickles look for their module there
    try:
        _execute(path.read_bytes(), path, module)
    except FAILURES as error:
        del sys.modules[name]
        raise InvalidAgent(f"agent {spec}: {path} raised {type(error).__name__}: {error}") from error
    return module


def _name_of_file(path: Path) -> str:
    return f"dominion_agent_{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:12]}"


def _module(spec: str, source: str) -> ModuleType:
    """Import the module as its file is now, even if the file has changed since it was loaded here."""
    _look_here_too()
    try:
        module = importlib.import_module(source)
        path = path_of(source)
        code = path.read_bytes() if path.suffix == ".py" else b""
        if _sources.setdefault(source, code) != code:
            _execute(code, path, module)
            _sources[source] = code
    except FAILURES as error:
        raise InvalidAgent(f"agent {spec}: {source} can't be imported, {type(error).__name__}: {error}") from error
    return module


def _execute(code: bytes, path: Path, module: ModuleType) -> None:
    """Run the code of a module. An import would take a file of the same size and second for the one compiled before."""
    exec(compile(code, path, "exec", dont_inherit=True), module.__dict__)


def _look_here_too() -> None:
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))  # as `python -m` does; a command does not
