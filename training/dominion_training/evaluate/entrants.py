"""Agents from what a command line can say: a registered name, a saved model, or code of one's own."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import io
import json
import pickle
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import dominion_agents
from dominion_agents import Agent, ScriptedAgent
from dominion_agents.menus import is_random_menu
from dominion_env.errors import InvalidAgent, InvalidOption
from dominion_training.evaluate.adapters import FAILURES, FunctionAgent, PettingZooPolicy, SB3Policy

FORMS = (
    "a registered name, the file of a saved model (model.zip), module:attribute or path/to/file.py:attribute; the "
    "attribute is an object with `act`, a class or function without arguments that makes one, a function "
    "act(observations, action_masks, keys), or a PettingZoo policy(observation, agent)"
)

_sources: dict[str, bytes] = {}  # what stood in the file of a module when it was loaded here


def make_agent(spec: str) -> Agent:
    """The agent that a specification names.

    Args:
        spec: see `FORMS`. A relative path is looked up from the current folder, which modules are imported from too.

    Raises:
        InvalidOption: no agent is registered under that name.
        InvalidAgent: the file, module or attribute does not exist, can't be loaded, or is nothing that acts.
    """
    if not isinstance(spec, str):
        raise InvalidAgent(f"expected an agent named by a text, got {spec!r}; expected {FORMS}")
    if spec.endswith(".zip"):
        return _model(spec)
    place = _place(spec)
    if place is None:
        try:
            return dominion_agents.make(spec)
        except InvalidOption as error:
            if ":" in spec:
                raise
            raise InvalidOption(f"{error}; or {FORMS.split(', ', 1)[1]}") from error
    source, attribute = place
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
        raise InvalidAgent(f"agent {name}: {thing!r} can't act; expected {FORMS}")
    wanted = _number_of_arguments(thing)
    if wanted == 0:
        return _made(name, thing)
    if not inspect.isclass(thing) and wanted == 3:
        return FunctionAgent(thing)
    if not inspect.isclass(thing) and wanted == 2:
        return PettingZooPolicy(thing)
    raise InvalidAgent(f"agent {name}: it takes {wanted} arguments; expected {FORMS}")


def fingerprint(spec: str) -> str | None:
    """A hash of what an agent is made of: whether it is still the same.

    Of a saved model it is that of the file; of code, `module:attribute` or `file.py:attribute`, that of its one file, not
    of what that imports or reads. Of any other name it is that of the project's agents and of what the name stands for:
    the strategies, or else the object with all it holds and the files of its classes and functions.

    Args:
        spec: as in `make_agent`.

    Returns:
        16 hexadecimal digits; None if nobody can tell, as there is no such agent or file, or parts of it are in no file or
        can't be pickled, such as a class that was written in a notebook.
    """
    try:
        if spec.endswith(".zip"):
            content = Path(spec).read_bytes()
        elif (place := _place(spec)) is not None:
            content = _path(place[0]).read_bytes()
        else:
            code = sorted(Path(dominion_agents.__file__).parent.rglob("*.py"))
            content = b"\0".join([*(file.read_bytes() for file in code), _content(dominion_agents.make(spec))])
    except FAILURES:  # to be told when the agent is made
        return None
    return hashlib.sha256(content).hexdigest()[:16]


def _place(spec: str) -> tuple[str, str] | None:
    """File or module, and attribute; None of what `dominion_agents.make` knows."""
    source, _, attribute = spec.rpartition(":")
    if not source or spec in dominion_agents.names() or is_random_menu(spec) or not attribute.isidentifier():
        return None  # a colon may stand in a strategy too
    return source, attribute


def _path(source: str) -> Path:
    """The file of a file or module; raises where there is none."""
    if source.endswith(".py"):
        return Path(source)
    _look_here_too()
    found = importlib.util.find_spec(source)
    if found is None or found.origin is None:
        raise FileNotFoundError(source)
    return Path(found.origin)


def _content(agent: Agent) -> bytes:
    """What an object is made of; raises where that can't be told."""
    if type(agent) is ScriptedAgent:
        return repr(agent.strategies).encode()
    stream = io.BytesIO()
    pickler = _Pickler(stream)
    pickler.dump(agent)
    return b"\0".join([stream.getvalue(), *(Path(file).read_bytes() for file in sorted(pickler.files))])


class _Pickler(pickle.Pickler):
    """Pickles, and notes in `files` where the code stands that a pickle only names."""

    def __init__(self, stream: io.BytesIO) -> None:
        super().__init__(stream, protocol=5)
        self.files: set[str] = set()

    def persistent_id(self, thing: Any) -> None:
        """Called with everything that is going to be pickled; None: as usual."""
        if not inspect.isclass(thing) and not inspect.isfunction(thing):
            return
        try:
            file = inspect.getsourcefile(thing)
        except TypeError:  # compiled, in Python or in a package
            return
        if file is None:
            raise OSError(f"the code of {thing!r} is in no file")
        self.files.add(file)


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
    except FAILURES as error:
        raise InvalidAgent(f"agent {name}: making it raised {type(error).__name__}: {error}") from error
    if not callable(getattr(made, "act", None)):
        raise InvalidAgent(f"agent {name}: it made {made!r}, which has no method `act`; expected {FORMS}")
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
        return dominion_agents.make(spec)
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
    module = ModuleType(name)
    module.__file__ = str(path)
    sys.modules[name] = module  # dataclasses and pickles look for their module there
    try:
        _execute(path.read_bytes(), path, module)
    except FAILURES as error:
        del sys.modules[name]
        raise InvalidAgent(f"agent {spec}: {path} raised {type(error).__name__}: {error}") from error
    return module


def _module(spec: str, source: str) -> ModuleType:
    """The module as its file is now, also if it has been written anew since it was loaded here."""
    _look_here_too()
    try:
        module = importlib.import_module(source)
        path = _path(source)
        code = path.read_bytes() if path.suffix == ".py" else b""
        if _sources.setdefault(source, code) != code:
            _execute(code, path, module)
            _sources[source] = code
    except FAILURES as error:
        raise InvalidAgent(f"agent {spec}: {source} can't be imported, {type(error).__name__}: {error}") from error
    return module


def _execute(code: bytes, path: Path, module: ModuleType) -> None:
    """Not by import, which takes a file of the same size and second for the one that it has compiled before."""
    exec(compile(code, path, "exec", dont_inherit=True), module.__dict__)


def _look_here_too() -> None:
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))  # as `python -m` does; a command does not
