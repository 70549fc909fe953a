"""Agents from the words of a command line: a registered name, a saved model, or code of the user's own."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import io
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import dominion_agents
from dominion_agents import ScriptedAgent
from dominion_agents.choosing.menus import is_random_menu
from dominion_agents.naming.searchers import has_budget
from dominion_agents.sb3.saved_model import read_saved_model
from dominion_env.actions import NUM_ACTIONS
from dominion_env.agent import Agent, reproducible
from dominion_env.checks import shown
from dominion_env.errors import InvalidAgent, InvalidOption, UnknownAgent
from dominion_env.registry import check_trust
from dominion_training.evaluate.adapters import FAILURES, FunctionAgent, PettingZooPolicy, SB3Policy
from dominion_training.evaluate.isolated import isolated

CODE = "module:attribute or path/to/file.py:attribute"
FORMS = (
    f"a registered name, the file of a model (model.safetensors, or model.zip with trust), {CODE}, each in a process of its "
    "own with isolated: before it"
)
ATTRIBUTE = (
    "an object with `act`, a class or function without arguments that makes one, a function "
    "act(observations, action_masks, keys), or a PettingZoo policy(observation, agent)"
)

ISOLATED = "isolated:"  # before a specification: the agent plays in a process of its own

_sources: dict[str, bytes] = {}  # the text of each module's file when it was loaded here


def make_agent(spec: str, trust: bool = False) -> Agent:
    """Return the agent that a specification names. A model.zip, like code, can run anything: load what you trust.

    Its games are kept, so an agent that thinks by the clock is refused.

    Args:
        spec: one of `FORMS`. Relative paths start from the current folder, from which modules are imported too.
        trust: whether code in a model.zip may run; code of your own, which is named as such, always does.

    Raises:
        InvalidOption: no agent is registered under that name, it is a model.zip without trust, or it does not answer alike
            each time; see `Agent`.
        InvalidAgent: the file, module or attribute does not exist, can't be loaded, or can't act.
    """
    if not isinstance(spec, str):
        raise InvalidAgent(f"agent: expected {FORMS}; got {shown(spec)}")
    if spec.startswith(ISOLATED):
        return isolated(spec.removeprefix(ISOLATED))
    if spec.endswith(".zip"):
        return _model(spec, trust)
    place = _place(spec)
    if place is None:
        try:
            made = dominion_agents.make(spec)
        except UnknownAgent as error:
            raise UnknownAgent(f"{error}; or {CODE} for code of your own") from error
        return reproducible(spec, made)
    source, attribute = place
    module = _file(spec, Path(source)) if source.endswith(".py") else _module(spec, source)
    if not hasattr(module, attribute):
        raise InvalidAgent(f"agent {spec}: there is no {attribute!r} in {source}")
    return reproducible(spec, adapt(spec, getattr(module, attribute)))


def adapt(name: str, thing: Any) -> Agent:
    """Return an object, class, function or policy as an agent.

    Raises:
        InvalidAgent: it is none of these, or raised an error when it was called to make the agent.
    """
    if not inspect.isclass(thing) and callable(getattr(thing, "act", None)):
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


def is_registered(spec: str) -> bool:
    """Whether an agent is registered under exactly this name."""
    return spec in dominion_agents.names()


def fingerprint(spec: str) -> str | None:
    """Return a hash of the things an agent is made of, which tells whether it is still the same.

    For a saved model that is its file. For code, `module:attribute` or `file.py:attribute`, it is the one file, without
    the modules that it imports or the data that it reads. For any other name it is the code of `dominion_agents` together
    with the strategies, or else the object with all it holds and the files of its classes and functions.

    Args:
        spec: specification of the agent, as in `make_agent`.

    Returns:
        16 hexadecimal digits; None if there is no such agent or file, or if parts of the agent are in no file or can't be
        pickled, such as a class that was written in a notebook.
    """
    try:
        if spec.startswith(ISOLATED):
            return isolated(spec.removeprefix(ISOLATED)).made_of
        if spec.endswith(".zip"):
            content = Path(spec).read_bytes()
        elif (place := _place(spec)) is not None:
            content = _path(place[0]).read_bytes()
        else:
            code = sorted(Path(dominion_agents.__file__).parent.rglob("*.py"))
            content = b"\0".join([*(file.read_bytes() for file in code), _content(dominion_agents.make(spec))])
    except FAILURES:  # `make_agent` will say why
        return None
    return hashlib.sha256(content).hexdigest()[:16]


def module_of(spec: str) -> ModuleType | None:
    """Return the module of code of the user's own, in which the agent was made before; None for any other agent."""
    place = _place(spec)
    if place is None:
        return None
    return sys.modules[_name_of_file(Path(place[0])) if place[0].endswith(".py") else place[0]]


def _place(spec: str) -> tuple[str, str] | None:
    """Return file or module, and attribute; None for a specification that `dominion_agents.make` reads."""
    source, _, attribute = spec.rpartition(":")
    if (
        not source
        or spec.startswith(ISOLATED)
        or is_registered(spec)
        or is_random_menu(spec)
        or has_budget(spec)
        or not attribute.isidentifier()
    ):
        return None  # a colon may stand in a strategy too
    return source, attribute


def _path(source: str) -> Path:
    """Return the file that is named, or that holds the module; raises an error if there is none."""
    if source.endswith(".py"):
        return Path(source)
    _look_here_too()
    found = importlib.util.find_spec(source)
    if found is None or found.origin is None:
        raise FileNotFoundError(source)
    return Path(found.origin)


def _content(agent: Agent) -> bytes:
    """Return everything an object is made of as bytes; raises an error if parts are in no file."""
    if type(agent) is ScriptedAgent:
        return repr(agent.strategies).encode()
    stream = io.BytesIO()
    pickler = _Pickler(stream)
    pickler.dump(agent)
    return b"\0".join([stream.getvalue(), *(Path(file).read_bytes() for file in sorted(pickler.files))])


class _Pickler(pickle.Pickler):
    """A pickler that notes in `files` where the code stands that a pickle only names."""

    def __init__(self, stream: io.BytesIO) -> None:
        super().__init__(stream, protocol=5)
        self.files: set[str] = set()

    def persistent_id(self, thing: Any) -> None:
        """Note the file of a class or function that is going to be pickled; None lets it be pickled as usual."""
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
    if not callable(getattr(made, "act", None)):
        raise InvalidAgent(
            f"agent {name}: expected {ATTRIBUTE}; got a maker of {shown(made)}, which has no method `act`"
        )
    agent: Agent = made
    return agent


def _model(spec: str, trust: bool) -> Agent:
    try:
        saved = read_saved_model(spec)
    except InvalidOption as error:
        raise InvalidAgent(f"agent {error}") from error
    check_trust(spec, trust)
    try:
        if not saved.module.startswith("stable_baselines3."):
            return dominion_agents.make(spec, trust=True)
        if saved.num_actions != NUM_ACTIONS:
            raise InvalidOption(f"{spec}: expected a model for {NUM_ACTIONS} actions, got one for {saved.num_actions}")
        return SB3Policy(_algorithm(saved.module).load(io.BytesIO(saved.content), device="cpu"))
    except InvalidOption as error:
        raise InvalidAgent(f"agent {error}") from error
    except ModuleNotFoundError:
        raise
    except Exception as error:
        raise InvalidAgent(f"agent {spec}: it can't be loaded, {type(error).__name__}: {error}") from error


def _algorithm(policy: str) -> Any:
    """Return the algorithm whose policy stands in that module."""
    import stable_baselines3

    family = policy.split(".")[1]
    # PPO and A2C share their policies, and only the policy is used here.
    return stable_baselines3.DQN if family == "dqn" else stable_baselines3.PPO


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
        path = _path(source)
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
