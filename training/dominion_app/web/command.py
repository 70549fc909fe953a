"""A table in the browser: play, watch, review and compare.

    dominion serve                        # at http://localhost:8080, for this computer alone
    dominion serve --port 8000 --games games.sqlite
    dominion serve --host 0.0.0.0         # for everybody who can reach this computer
    dominion serve --agent mine=runs/x/model.safetensors    # with a model of yours at the table

Games are kept in a file, so a restart loses nothing. Agents are named as in `dominion play`, but never by a path.
Limits count visitors by their address. Behind a proxy it is the one that uvicorn believes: FORWARDED_ALLOW_IPS names the proxies
whose X-Forwarded-For counts, by default those of this computer.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from dominion_env.common.errors import InvalidOption

EXTRA = 'the table in the browser needs NiceGUI, which is missing; install it with: pip install "dominion-env[web]"'


@dataclass(frozen=True)
class ServeOptions:
    """Where the server listens, and where it keeps the games."""

    host: str = "127.0.0.1"
    """Address on which it listens; 0.0.0.0 lets other computers in."""
    port: int = 8080
    """Port on which it listens."""
    games: Path = Path("dominion-games.sqlite")
    """File in which the games of all visitors are kept."""
    agent: tyro.conf.UseAppendAction[tuple[Annotated[str, tyro.conf.arg(metavar="NAME=MODEL")], ...]] = ()
    """A trained model (.safetensors), and the name by which visitors choose it. Can be given several times."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    options = tyro.cli(ServeOptions, args=arguments, description=__doc__, prog="dominion serve")
    if not 1 <= options.port <= 65535:
        raise InvalidOption(f"port: expected 1 to 65535, got {options.port}")
    # The library keeps a folder for what it is not asked to keep here.
    os.environ.setdefault("NICEGUI_STORAGE_PATH", str(Path(tempfile.gettempdir()) / f"dominion-{os.getuid()}"))
    try:
        from dominion_app.web.server import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "nicegui":
            raise
        print(f"dominion serve: {EXTRA}", file=sys.stderr)
        return 1
    serve(options.host, options.port, options.games, options.agent)
    return 0
