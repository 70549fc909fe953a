"""What a run tells its user when it ends: where the results are, and the commands that go on from there."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path


def after_training(run: Path) -> str:
    """Return the lines that are printed when a run has ended, for the run's folder."""
    return "\n".join(
        (
            f"learning curves: {run / 'learning.png'}",
            f"what it buys, and its deck: {run / 'buys.png'}, {run / 'deck.png'}",
            f"trained model: {run / 'model.safetensors'}",
            f"more curves: {command('tensorboard')} --logdir {run / 'tb'}",
            f"play against it: {command('dominion')} play {run / 'model.safetensors'}",
            f"find what beats it: {command('dominion')} exploit {run / 'model.safetensors'}",
        )
    )


def after_interruption(run: Path, steps: int) -> str:
    """Return the lines that are printed when Ctrl-C has stopped a run.

    Args:
        run: folder of the run.
        steps: decisions of the learner so far.
    """
    resume = f"--resume {run}"
    going_on = f'make train ARGS="{resume}"' if "MAKELEVEL" in os.environ else f"{command('dominion')} train {resume}"
    return "\n".join(
        (
            f"Interrupted and saved, at {steps:,} decisions.",
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
