"""Agents that are measured: made by name, for results that are kept, with a fingerprint of what they are made of."""

from __future__ import annotations

import hashlib
import inspect
import io
import pickle
from pathlib import Path
from typing import Any

import dominion_agents
from dominion_agents import ScriptedAgent
from dominion_agents.own_code.adapters import FAILURES
from dominion_agents.own_code.loading import is_code, is_text, path_of, place
from dominion_env import agent_names, make_agent, text
from dominion_env.common.checks import shown
from dominion_env.common.errors import InvalidAgent
from dominion_env.compiled.jit import hash_of_sources
from dominion_env.players import registry
from dominion_env.players.agent import Agent, reproducible
from dominion_env.players.registry import is_trusting, trusting
from dominion_training.play.isolated import isolated

ISOLATED = "isolated:"  # before a name: the agent plays in a process of its own
CODE_AND_DATA = ("**/*.py", "**/*.json", "**/*.txt")  # the files of a package that say what it does


def make_entrant(spec: str, trust: bool = False) -> Agent:
    """Return the agent of a name for games that must come out the same again.

    Args:
        spec, trust: as for `make_player`.

    Raises:
        DominionError: as `dominion_env.make_agent`.
        InvalidOption: it does not answer alike each time; see `Agent`.
    """
    return reproducible(spec, make_player(spec, trust))


def make_player(spec: str, trust: bool = False) -> Agent:
    """Return the agent of a name, which may answer otherwise each time.

    Args:
        spec: a name that `dominion_env.make_agent` takes, or one with `isolated:` before it.
        trust: whether code in a model.zip may run; code of your own, which is named as such, always does.

    Raises:
        DominionError: as `dominion_env.make_agent`.
    """
    if not isinstance(spec, str):
        raise InvalidAgent(f"agent: expected a name, got {shown(spec)}")
    if spec.startswith(ISOLATED):
        return isolated(spec.removeprefix(ISOLATED))
    with trusting(trust or is_trusting()):
        return registry.make_agent(spec)


def is_registered(spec: str) -> bool:
    """Whether an agent is registered under exactly this name."""
    return spec in agent_names()


def fingerprint(spec: str) -> str | None:
    """Return a hash of the things an agent is made of, which says whether it is still the same.

    For a saved model that is its file. For code, `module:attribute` or `file.py:attribute`, it is the one file, without
    the modules that it imports or the data that it reads. For any other name it is `dominion_agents`, its code and its data,
    together with the strategies, or else the object with all it holds and the files of its classes and functions.

    Args:
        spec: specification of the agent, as in `make_player`.

    Returns:
        16 hexadecimal digits; None if there is no such agent or file, or if parts of the agent are in no file or can't be
        pickled, such as a class that was written in a notebook.
    """
    try:
        if spec.startswith(ISOLATED):
            return isolated(spec.removeprefix(ISOLATED)).made_of
        if not is_registered(spec) and spec.endswith(".zip"):
            content = Path(spec).read_bytes()
        elif not is_registered(spec) and is_code(spec):
            content = path_of(place(spec)[0]).read_bytes()
            if is_text(spec):  # it is also made of what it reads, and of what it says
                content += hash_of_sources(Path(text.__file__).parent, ("*.py",)).encode()
                content += getattr(make_agent(spec), "made_of", "").encode()
        else:
            code = hash_of_sources(Path(dominion_agents.__file__).parent, CODE_AND_DATA)
            content = b"\0".join([code.encode(), _content(make_agent(spec))])
    except FAILURES:  # `make_player` will say why
        return None
    return hashlib.sha256(content).hexdigest()[:16]


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
