"""A server of the Model Context Protocol, by which language models play against agents.

    dominion mcp                 # a client starts it and talks to it by standard input and output
    dominion mcp --http 8000     # at http://127.0.0.1:8000/mcp, for this computer alone

Its tools are new_game, answer and state.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import tyro

from dominion_env.common.errors import InvalidOption

INTERRUPTED = 130  # exit status after Ctrl-C, as of all commands


@dataclass(frozen=True)
class McpOptions:
    """How clients reach the server."""

    http: Annotated[int | None, tyro.conf.arg(metavar="PORT")] = None
    """Port of this computer on which it listens; without it a client talks by standard input and output."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    options = tyro.cli(McpOptions, args=arguments, description=__doc__, prog="dominion mcp")
    if options.http is not None and not 1 <= options.http <= 65535:
        raise InvalidOption(f"http: expected 1 to 65535, got {options.http}")
    from dominion_app.mcp.games import TextGames
    from dominion_app.mcp.server import make_server

    server = make_server(TextGames())
    if options.http is None:
        # a thread that waits for standard input would keep Python alive until the next line
        signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
        server.run("stdio")
    else:
        server.run("streamable-http", host="127.0.0.1", port=options.http)
    return 0
