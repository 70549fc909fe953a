"""Agents of code that the user names: `module:attribute` or `path/to/file.py:attribute`.

With `text:` before it, the attribute is a function of a text to a text, and `text/lose:` names what follows wrong answers.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from dominion_agents.own_code.adapters import FAILURES, FunctionAgent, PettingZooPolicy
from dominion_agents.own_code.text import UNLISTED, USUAL, TextAgent
from dominion_env.common.checks import shown
from dominion_env.common.errors import InvalidAgent
from dominion_env.players.agent import Agent, is_agent

FORM = "code of your own, module:attribute or path/to/file.py:attribute, or text:module:function"
ATTRIBUTE = (
    "an object with `act` or `decide`, a class or function without arguments that makes one, a function "
    "act(observations, action_masks, keys), or a PettingZoo policy(observation, agent)"
)

_TEXT = re.compile(r"text(?:/(?P<policy>[^:]*))?:(?=.+:)", re.ASCII)  # a module may have the name `text` too

_sources: dict[str, bytes] = {}  # the text of each module's file when it was loaded here


def is_code(name: str) -> bool:
    """Whether a name has the form of code; a strategy may hold a colon too."""
    source, attribute = place(name)
    is_module = all(part.isidentifier() for part in source.split("."))
    return attribute.isidentifier() and (source.endswith(".py") or is_module)


def naming_hint(name: str) -> str:
    """Return how the code in a file is named, if a name looks like the path of one."""
    return "code of your own is named file.py:attribute" if ".py" in name else ""


def own_code(name: str) -> Agent:
    """Make the agent that a module or file holds. Its code runs.

    Args:
        name: `module:attribute` or `path/to/file.py:attribute`, with `text:` before it if that is a function of a text, or a
            class or function without arguments that makes one. Relative paths start from the current folder, from which
            modules are imported too.

    Raises:
        InvalidAgent: the file, module or attribute does not exist, can't be loaded, or can't act.
        InvalidOption: there is no such policy of wrong answers; see `TextAgent`.
    """
    source, attribute = place(name)
    module = _file(name, Path(source)) if source.endswith(".py") else _module(name, source)
    if not hasattr(module, attribute):
        raise InvalidAgent(f"agent {name}: there is no {attribute!r} in {source}")
    thing = getattr(module, attribute)
    text = _TEXT.match(name)
    return adapt(name, thing) if text is None else _text_agent(name, thing, text["policy"])


def _text_agent(name: str, thing: Any, policy: str | None) -> Agent:
    try:
        answers = thing() if callable(thing) and _number_of_arguments(thing) == 0 else thing
    except FAILURES as error:
        raise InvalidAgent(f"agent {name}: making it raised {type(error).__name__}: {error}") from error
    if (
        inspect.isclass(answers)
        or not callable(answers)
        or _number_of_arguments(answers) not in (1, -1)
        or _waits(answers)
    ):
        raise InvalidAgent(f"agent {name}: expected a function of a text that returns a text, got {shown(answers)}")
    return cast(Agent, TextAgent(answers, USUAL if policy is None else policy))


def _waits(thing: Callable[..., Any]) -> bool:
    """Return whether a call gives a coroutine or generator, and no answer."""
    kinds = inspect.iscoroutinefunction, inspect.isgeneratorfunction, inspect.isasyncgenfunction
    return any(kind(each) for kind in kinds for each in (thing, type(thing).__call__))


def is_text(name: str) -> bool:
    """Return whether a name is that of a function of a text."""
    return is_code(name) and _TEXT.match(name) is not None


def with_policy(name: str, policy: str) -> str:
    """Return the name of a function of a text with a policy of wrong answers, unless it names one itself."""
    found = _TEXT.match(name)
    if found is None or found["policy"] not in (None, UNLISTED):
        return name
    return f"text/{','.join(filter(None, (policy, found['policy'])))}:{name[found.end() :]}"


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
    source, _, attribute = _TEXT.sub("", name, count=1).rpartition(":")
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
