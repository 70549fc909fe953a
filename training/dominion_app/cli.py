"""The command `dominion`, whose commands are each run by the `main` of their own module.

A module is imported only when its command is called, as some import large packages.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from rich import print as show
from rich.table import Table

from dominion_env.common.checks import shown
from dominion_env.common.errors import DominionError

EVALUATE = "dominion_training.evaluate.commands"
CHECKOUT = Path(__file__).parents[2]  # or a folder without tests, above an installed package
BROKEN_PIPE = 141  # exit status of a program that writes to `head` after `head` has ended


class Command(NamedTuple):
    """A command: the module whose `main(arguments)` runs it, what it does, and the extra that it needs, if any."""

    module: str
    does: str
    extra: str = ""


COMMANDS = {
    "train": Command("dominion_training.learner.runs.command", "train an agent and measure it", "train"),
    "play": Command("dominion_app.play.person", "play against agents in the terminal", "play"),
    "watch": Command("dominion_app.play.watch", "watch agents play, step by step", "play"),
    "replay": Command("dominion_app.play.replay", "go through a saved game, forward and back", "play"),
    "serve": Command(
        "dominion_app.web.command", "lay a table in the browser: play, watch, review, compare, puzzles", "web"
    ),
    "mcp": Command("dominion_app.mcp.command", "let language models play, as a server of tools (MCP)", "llm"),
    "review": Command("dominion_app.review.command", "say what your decisions in a saved game have cost", "research"),
    "compare": Command(
        f"{EVALUATE}.compare", "say which of two agents is better, by how much, and how sure that is", "research"
    ),
    "benchmark": Command(f"{EVALUATE}.benchmark", "rate agents against each other over kingdoms", "research"),
    "loss": Command(f"{EVALUATE}.loss", "say what an agent's decisions cost it, in few games", "research"),
    "puzzles": Command(
        "dominion_training.puzzles.command", "ask agents at positions that have one best answer", "research"
    ),
    "baselines": Command(f"{EVALUATE}.baselines", "rate the project's own agents, and yours with them", "research"),
    "evolve": Command(
        "dominion_training.evolve.command", "evolve a buy list for a kingdom, and see how beatable it is", "research"
    ),
    "exploit": Command("dominion_training.exploit.command", "search for what beats an agent, and measure that"),
    "collect": Command(
        "dominion_training.research.collect.collecting", "play games and keep them as tables for research", "research"
    ),
    "study": Command(
        "dominion_training.research.reports.studying", "study the cards, openings and decks of a kingdom", "research"
    ),
    "validate": Command(
        "tests.validation.command", "reproduce published figures, in a checkout of the project", "research"
    ),
    "compile": Command("dominion_app.compiling", "compile ahead what would be compiled at first use"),
    "speed": Command("tests.speed.bench", "measure how fast games are played here, in a checkout of the project"),
    "agents": Command("dominion_app.catalogue.agents", "list the agents that can be named"),
    "kingdoms": Command("dominion_app.catalogue.kingdoms", "list the kingdoms that can be named"),
    "cards": Command("dominion_app.catalogue.cards", "list the cards with their texts"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit status.

    The status is 2 if the command was called wrongly, 1 if it failed, 130 if Ctrl-C stopped it, and 141 if the reader of
    its output has gone.
    """
    try:
        try:
            return _run(list(sys.argv[1:] if arguments is None else arguments))
        finally:
            sys.stdout.flush()  # so that a broken pipe shows here, and not while Python shuts down
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE


def _run(given: list[str]) -> int:
    if not given or given[0] in ("-h", "--help"):
        show(_help())
        return 0 if given else 2
    name, *rest = given
    if name in ("-V", "--version"):
        print(f"dominion_env {_version()}")
        return 0
    if name not in COMMANDS:
        near = get_close_matches(name, COMMANDS, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"the commands are {', '.join(COMMANDS)}"
        print(f"dominion: {shown(name)} is no command: {hint}", file=sys.stderr)
        return 2
    try:
        return _module(COMMANDS[name].module).main(rest) or 0
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        print(f"dominion {name}: the package {missing} is missing{_advice(missing, name)}", file=sys.stderr)
        return 1
    except DominionError as error:
        print(f"dominion {name}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _module(name: str) -> ModuleType:
    """Import the module of a command.

    Raises:
        DominionError: it belongs to the tests, and the package was installed without them.
    """
    folder = Path(*name.split(".")[:-1])
    if name.startswith("tests.") and not (CHECKOUT / folder).is_dir():
        raise DominionError(
            f"this command belongs to a checkout of the project (its folder {folder}) and is not installed with the package"
        )
    return import_module(name)


def _advice(missing: str, name: str) -> str:
    """Return how to install a missing package, if an extra brings it; the extra of the command comes first."""
    extras = _extras_with(missing)
    wanted = COMMANDS[name].extra
    if not extras:
        return ""
    return f"; install it with: pip install 'dominion_env[{wanted if wanted in extras else extras[0]}]'"


def _extras_with(package: str) -> list[str]:
    """Return the extras of this project that bring a package, given by the name by which it is imported."""
    try:
        listed = requires("dominion_env") or []
    except PackageNotFoundError:  # a checkout that was not installed
        return []
    found = [re.match(r"""([\w.-]+).*\bextra == ['"]([\w-]+)['"]""", each) for each in listed]
    wanted = package.replace("_", "-").lower()
    return [each[2] for each in found if each and each[2] != "all" and each[1].replace("_", "-").lower() == wanted]


def _version() -> str:
    try:
        return version("dominion_env")
    except PackageNotFoundError:
        return "(not installed)"


def _help() -> Table:
    table = Table(title="dominion COMMAND ...; each explains itself with --help", box=None, title_justify="left")
    for name, command in COMMANDS.items():
        table.add_row(f"dominion {name}", command.does)
    table.add_row("dominion --version", "print the version")
    return table


if __name__ == "__main__":
    sys.exit(main())
