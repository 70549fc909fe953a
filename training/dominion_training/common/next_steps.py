"""What a run prints when it ends: where the results are, and the commands that go on from there."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path


def after_training(run: Path, kingdom: str | None = None, players: int = 2) -> str:
    """Return the lines that are printed when a run has ended.

    Args:
        run: folder of the run.
        kingdom: the only kingdom on which its network plays; None if the commands' own will do.
        players: number of players with which its network plays.
    """
    model = str(run / "model.safetensors")
    there = "" if kingdom is None else f" --kingdom {shlex.quote(kingdom)}"
    table = "" if players == 2 else f" --players {players}"
    return "\n".join(
        (
            f"learning curves: {run / 'learning.png'}",
            f"what it buys, and its deck: {run / 'buys.png'}, {run / 'deck.png'}",
            f"trained model: {model}",
            f"more curves: {command('tensorboard')} --logdir {run / 'tb'}",
            f"play against it: {command('dominion')} play {' '.join([model] * (players - 1))}{there}",
            f"find what beats it: {command('dominion')} exploit {model}{table}{there}",
        )
    )


def after_interruption(run: Path, steps: int | None) -> str:
    """Return the lines that are printed when Ctrl-C has stopped a run.

    Args:
        run: folder of the run.
        steps: decisions of the learner that were saved; None if it was stopped at once, without saving.
    """
    resume = f"--resume {run}"
    going_on = f'make train ARGS="{resume}"' if "MAKELEVEL" in os.environ else f"{command('dominion')} train {resume}"
    return "\n".join(
        (
            "Stopped at once, and the run goes back to its last checkpoint."
            if steps is None
            else f"Interrupted and saved, at {steps:,} decisions.",
            f"to go on: {going_on}",
        )
    )


def command(name: str) -> str:
    """Return what starts a command of this environment: its name where the shell finds it, else its path."""
    own = Path(sys.executable).with_name(name)
    found = shutil.which(name)
    if not own.exists() or (found is not None and Path(found).absolute() == own.absolute()):
        return name
    return os.path.relpath(own)
