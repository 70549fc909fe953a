"""The command `dominion`: one line a command, each carried out by the `main` of its own module.

A module is imported when its command is asked for, as some bring large packages with them.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

from rich import print as show
from rich.table import Table

from dominion_env.errors import DominionError

# name: module with `main(arguments)`, what the command does
COMMANDS = {
    "train": ("dominion_training.train", "train an agent and measure it"),
    "play": ("dominion_env.play.person", "play against agents in the terminal"),
    "watch": ("dominion_env.play.watch", "watch agents play, step by step"),
    "replay": ("dominion_env.play.replay", "go through a saved game, forward and back"),
    "compare": (
        "dominion_training.evaluate.compare",
        "which of two agents is better, by how much, and how sure that is",
    ),
    "benchmark": ("dominion_training.evaluate.benchmark", "rate agents against each other over kingdoms"),
    "baselines": ("dominion_training.evaluate.baselines", "rate the project's own agents, and yours beside them"),
    "validate": ("dominion_training.evaluate.validate", "reproduce published figures"),
    "speed": ("dominion_env.speed", "measure how fast games are played here"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit status: 2 if it was called wrongly, 1 if it failed, 130 if Ctrl-C stopped it."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if not given or given[0] in ("-h", "--help"):
        show(_help())
        return 0 if given else 2
    name, *rest = given
    if name not in COMMANDS:
        print(f"dominion: {name!r} is no command: choose {', '.join(COMMANDS)}", file=sys.stderr)
        return 2
    module, _ = COMMANDS[name]
    try:
        return import_module(module).main(rest) or 0
    except ModuleNotFoundError as error:
        print(f"dominion {name}: {error}; install it with: pip install 'dominion_env[all]'", file=sys.stderr)
        return 1
    except DominionError as error:
        print(f"dominion {name}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _help() -> Table:
    table = Table(title="dominion COMMAND ...; each explains itself with --help", box=None, title_justify="left")
    for name, (_, meaning) in COMMANDS.items():
        table.add_row(f"dominion {name}", meaning)
    return table


if __name__ == "__main__":
    sys.exit(main())
