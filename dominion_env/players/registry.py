"""Agents by name: `make_agent("big-money")`, wherever an opponent or a player is named.

The registry knows no agent of its own. Installed packages fill it through the entry point group `dominion_env.agents`,
this project's `dominion_agents` among them:

    [project.entry-points."dominion_env.agents"]
    my_package = "my_package:register_agents"

Such a function has no arguments. It is called once in a process, when an agent is first asked for by name, and calls
`register_agent` and `register_form`. A function that raises is reported as a warning of the logger `dominion_env`; none
of its names is known then, and all other packages' agents stay as they are.
"""

import inspect
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from itertools import groupby
from threading import RLock
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from dominion_env.common.checks import one_of, shown
from dominion_env.common.errors import InvalidAgent, InvalidOption, UnknownAgent, printable
from dominion_env.players.agent import Agent, is_agent
from dominion_env.tables.cards import Card

GROUP = "dominion_env.agents"
LEVELS = ("easy", "medium", "strong", "strongest")
LOGGER = logging.getLogger("dominion_env")

_MANY = 8  # names with the same first word, of which a message says only how many they are
_DISTRIBUTION = "dominion_env"  # whose metadata names the project's own agents
_NOT_INSTALLED = (
    f"the project's own agents are missing, as no installed package {_DISTRIBUTION!r} names any: run `pip install -e .` in "
    "the checkout (again, if that was done before version 0.2), or `import dominion_agents` first"
)


class _Form(NamedTuple):
    """Names that are in no list, such as the path of a saved model."""

    described: str
    fits: Callable[[str], bool]
    maker: Callable[..., Agent]
    hint: Callable[[str], str] | None


class Strength(NamedTuple):
    """How strong an agent is, by which a player chooses an opponent.

    Attributes:
        level: group of `dominion agents`: "easy", "medium", "strong" or "strongest".
        brief: description of the agent in a few words.
        elo: measured rating over all recommended kingdoms, with `big-money` at 0; None if it has none.
        elo_on: measured ratings by kingdom.
    """

    level: str
    brief: str
    elo: int | None = None
    elo_on: Mapping[str, int] = MappingProxyType({})


class KnownAgent(NamedTuple):
    """Description of a registered agent.

    Attributes:
        described: description of the agent or its strategy, in words.
        cards: Kingdom cards that the agent needs to play as it is meant to.
        about: function that returns a page about the agent in Markdown; None if there is none.
        strength: how strong it is; None if `dominion agents` lists it with `--all` only.
    """

    described: str
    cards: tuple[Card, ...] = ()
    about: Callable[[], str] | None = None
    strength: Strength | None = None


class _Registered(NamedTuple):
    """An agent that has a name."""

    maker: Callable[..., Agent]
    known: KnownAgent


Provider: TypeAlias = Callable[[], None]  # a function that registers a package's agents

_LOCK = RLock()  # a second thread waits until all agents are there
_AGENTS: dict[str, _Registered] = {}
_FORMS: list[_Form] = []
_ADDED: list[Provider] = []  # by `add_provider`
_CALLED: list[Provider] = []
_BROKEN: list[str] = []  # what went wrong with a package, in words
_loaded = False
_own_installed = False  # whether this project's own entry point was found
_trusting = False  # see `trusting`


def register_agent(
    name: str,
    maker: Callable[..., Agent],
    described: str = "",
    cards: Sequence[Card] = (),
    about: Callable[[], str] | None = None,
    strength: Strength | None = None,
) -> None:
    """Let `make_agent(name, **settings)` return `maker(**settings)`.

    Args:
        name: a name that no agent has yet.
        maker: a class or function that returns an `Agent`.
        described: description for lists of agents; "" means the first line of the maker's docstring.
        cards: Kingdom cards that the agent needs to play as it is meant to.
        about: function that returns a page about the agent in Markdown, which `dominion agents NAME` shows.
        strength: how strong it is, for agents that `dominion agents` lists first.

    Raises:
        InvalidOption: the name is taken or no text, the maker can't be called, or there is no such level.
    """
    _load()
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise InvalidOption(f"expected an agent's name, got {shown(name)}")
    if not callable(maker):
        raise InvalidOption(f"agent {shown(name)}: expected a class or function that makes it, got {shown(maker)}")
    if name in _AGENTS:
        raise InvalidOption(f"an agent named {shown(name)} is registered already: choose another name")
    if strength is not None:
        one_of("level", strength.level, LEVELS)
    brief = printable(described or (inspect.getdoc(maker) or "").partition("\n")[0])
    _AGENTS[name] = _Registered(maker, KnownAgent(brief, tuple(cards), about, strength))


def register_form(
    described: str, fits: Callable[[str], bool], maker: Callable[..., Agent], hint: Callable[[str], str] | None = None
) -> None:
    """Let `make_agent(name, **settings)` return `maker(name, **settings)` for all names of a form.

    Names of `agent_names()` come first, then the forms in the order in which they were registered.

    Args:
        described: the form in words, as the error for an unknown name lists it: "the path of a saved model (.zip)".
        fits: says whether a name has this form; it must not raise.
        maker: a function of the name that returns an `Agent`, or raises a `DominionError` that says what is wrong.
        hint: returns advice about a name that no form fits, or ""; the error for that name begins with it.

    Raises:
        InvalidOption: one of these is of another kind.
    """
    _load()
    if not isinstance(described, str) or not callable(fits) or not callable(maker):
        raise InvalidOption(
            f"a form of names: expected a text and two functions, got {shown(described)}, {shown(fits)}, {shown(maker)}"
        )
    _FORMS.append(_Form(described, fits, maker, hint))


def agent_names() -> tuple[str, ...]:
    """Return all registered names in alphabetical order."""
    _load()
    return tuple(sorted(_AGENTS))


def registered_agents() -> dict[str, KnownAgent]:
    """Return the descriptions of all registered agents, by their names in alphabetical order."""
    _load()
    return {name: _AGENTS[name].known for name in sorted(_AGENTS)}


def make_agent(name: str, **settings: Any) -> Agent:
    """Make the agent of a name.

    Args:
        name: one of `agent_names()`, or a name of a registered form. The forms of `dominion_agents` are a random menu
            with its seed (`random-menu:7`), the path of a trained model (.safetensors), of a model saved by MaskablePPO
            (.zip), of lists by kingdom (.json) or of a strategy (.strategy, or any path with a directory), and a strategy
            in either notation, where one rule alone needs a ";" behind it; and code of your own, `module:attribute` or
            `path/to/file.py:attribute`, which runs.
        settings: keyword arguments of the agent's maker. Scripted agents have `guard` (bool), `missing` ("skip" or
            "refuse"), `players` (1 to 6) and the decisions of `dominion_agents.strategies.ways.WAYS`, such as `trash="keep-6"`.
            Trained models have `deterministic` (bool), and those of MaskablePPO also `observation` and `trust`: True lets
            the code run that is in their file.

    Raises:
        UnknownAgent: no agent has this name; the message offers names.
        InvalidOption: the agent does not have such settings.
        InvalidAgent: the maker returned something that is no agent.
        InvalidStrategy: a strategy or a setting can't be read.
    """
    if not isinstance(name, str):
        raise InvalidOption(f"expected an agent's name, got {type(name).__name__}")
    _load()
    if name in _AGENTS:
        return _made(name, _AGENTS[name].maker, (), settings)
    for form in _FORMS:
        if form.fits(name):
            return _made(name, form.maker, (name,), settings)
    raise UnknownAgent(_unknown(name))


@contextmanager
def trusting(trust: bool = True) -> Iterator[None]:
    """Let code run that is in the files of agents, for all that are made within. `--trust` of a command does this."""
    global _trusting
    before, _trusting = _trusting, trust
    try:
        yield
    finally:
        _trusting = before


def is_trusting() -> bool:
    """Whether this is within `trusting()`."""
    return _trusting


def check_trust(path: str, trust: bool = False) -> None:
    """Check that code in the file of an agent may run.

    Args:
        path: path of the file.
        trust: whether the caller has said that it may.

    Raises:
        InvalidOption: it may not.
    """
    if not (trust or _trusting):
        raise InvalidOption(
            f"{path}: loading it can run any code that was put into it, so it is loaded only with trust. If you know where "
            f"the file comes from, say so: --trust on the command line, or make_agent({shown(path)}, trust=True)"
        )


def add_provider(register: Provider) -> None:
    """Add a function that registers agents, for a package that is imported without being installed.

    The function is called when an agent is first asked for by name, and only once, whether it comes from here or from an
    entry point.
    """
    with _LOCK:
        _ADDED.append(register)
        if _loaded:
            _call(register, register.__module__)


def _made(name: str, maker: Callable[..., Agent], arguments: tuple[str, ...], settings: dict[str, Any]) -> Agent:
    if settings:
        _check_settings(name, maker, arguments, settings)
    agent = maker(*arguments, **settings)
    if not is_agent(agent):
        raise InvalidAgent(
            f"agent {shown(name)}: expected its maker to return an object with act(observations, action_masks, keys), got "
            f"{shown(agent)}"
        )
    return agent


def _check_settings(
    name: str, maker: Callable[..., Agent], arguments: tuple[str, ...], settings: dict[str, Any]
) -> None:
    try:
        signature = inspect.signature(maker)
    except (TypeError, ValueError):  # some compiled functions have none; the call itself will tell
        return
    try:
        signature.bind_partial(*arguments, **settings)
    except TypeError as error:
        known = list(signature.parameters)[len(arguments) :]
        raise InvalidOption(
            f"{shown(name)} has no such settings: expected {', '.join(known) or 'none'}, got {', '.join(settings)}"
        ) from error


def _unknown(name: str) -> str:
    """Return the message for a name that no agent has."""
    message = f"{shown(name)} is no agent: "
    for form in _FORMS:
        hint = form.hint(name) if form.hint is not None else ""
        message += f"{hint}; " if hint else ""
    near = get_close_matches(name, _AGENTS, n=3)
    if near:
        message += f"did you mean {' or '.join(map(repr, near))}? `dominion agents --all` lists all"
    else:
        *others, last = [*_listed(sorted(_AGENTS)), *(form.described for form in _FORMS)] or ["none"]
        message += f"known are {', '.join(others)}, or {last}" if others else f"known are {last}"
    missing = [] if _own_installed or _ADDED else [_NOT_INSTALLED]
    return "; ".join([message, *missing, *_BROKEN])


def _listed(names: list[str]) -> list[str]:
    """Return the names as a message lists them; of many with the same first word it says only how many they are."""
    listed: list[str] = []
    for word, family in groupby(names, key=lambda name: name.split("-")[0]):
        same = list(family)
        listed += same if len(same) < _MANY else [f"{word}-... ({len(same)} of them)"]
    return listed


def _load() -> None:
    """Call every function that registers agents, the first time that one is asked for."""
    global _loaded, _own_installed
    with _LOCK:
        if _loaded:
            return
        _loaded = True  # already now, as the functions that are called below come back here
        try:
            for register in tuple(_ADDED):
                _call(register, register.__module__)
            for point in _entry_points():
                _own_installed |= _is_own(point)
                _call_installed(point)
        except BaseException:  # Ctrl-C while a package is imported: the next call begins again
            for kept in (_AGENTS, _FORMS, _CALLED, _BROKEN):
                kept.clear()
            _loaded = False
            raise


def _entry_points() -> list[EntryPoint]:
    """Return the entry points of installed packages, the project's own first so that it keeps its names."""
    return sorted(entry_points(group=GROUP), key=lambda point: (not _is_own(point), point.name, point.value))


def _distribution(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else ""


def _is_own(point: EntryPoint) -> bool:
    return _distribution(point).replace("-", "_").lower() == _DISTRIBUTION


def _call_installed(point: EntryPoint) -> None:
    origin = f"entry point {point.name!r} ({point.value}) of {_distribution(point) or 'an unknown package'}"
    try:
        register = point.load()
        if not callable(register):
            raise InvalidOption(f"expected a function without arguments, got {shown(register)}")
    except KeyboardInterrupt:  # the user's
        raise
    except BaseException as error:
        _report(origin, error)
    else:
        _call(register, origin)


def _call(register: Provider, origin: str) -> None:
    if register in _CALLED:  # a package that is installed may add its function itself too
        return
    _CALLED.append(register)
    try:
        with _all_or_nothing():
            register()
    except KeyboardInterrupt:  # the user's
        raise
    except BaseException as error:
        _report(origin, error)


@contextmanager
def _all_or_nothing() -> Iterator[None]:
    """Forget what was registered within, if an error ends it."""
    agents, forms = dict(_AGENTS), list(_FORMS)
    try:
        yield
    except BaseException:
        _AGENTS.clear()
        _AGENTS.update(agents)
        _FORMS[:] = forms
        raise


def _report(origin: str, error: BaseException) -> None:
    try:
        words = str(error)
    except Exception:  # another package wrote its `__str__`, which can raise anything
        words = "an error that can't be written"
    message = printable(f"{origin} registers no agents, as it raised {type(error).__name__}: {words}")
    _BROKEN.append(message)
    LOGGER.warning(message)
