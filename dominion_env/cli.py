"""The command `dominion`, whose commands are each run by the `main` of their own module.

A module is imported only when its command is called, as some import large packages.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

from rich import print as show
from rich.table import Table

from dominion_env.errors import DominionError

EVALUATE = "dominion_training.evaluate.commands"

# By name: the module whose `main(arguments)` runs the command, and what the command does.
COMMANDS = {
    "train": ("dominion_training.train", "train an agent and measure it"),
    "play": ("dominion_env.play.person", "play against agents in the terminal"),
    "watch": ("dominion_env.play.watch", "watch agents play, step by step"),
    "replay": ("dominion_env.play.replay", "go through a saved game, forward and back"),
    "compare": (f"{EVALUATE}.compare", "say which of two agents is better, by how much, and how sure that is"),
    "benchmark": (f"{EVALUATE}.benchmark", "rate agents against each other over kingdoms"),
    "baselines": (f"{EVALUATE}.baselines", "rate the project's own agents, and yours beside them"),
    "validate": (f"{EVALUATE}.validate", "reproduce published figures"),
    "speed": ("dominion_env.speed", "measure how fast games are played here"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit status: 2 if it was called wrongly, 1 if it failed, 130 if Ctrl-C stopped it."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if not given or given[0] in ("-h", "--help"):
        show(_help())
        return 0 if given else 2
    name, *rest = given
    if name not in COMMANDS:
        print(f"dominion: expected one of {', '.join(COMMANDS)}, got {name!r}", file=sys.stderr)
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
