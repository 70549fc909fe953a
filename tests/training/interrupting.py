"""Ctrl-C at chosen moments of a training run."""

from __future__ import annotations

import os
import signal
from collections.abc import Collection

import pytest

from dominion_training.learner.runs.callbacks import ProgressBar


def press_ctrl_c_after(rollouts: Collection[int], patch: pytest.MonkeyPatch) -> list[int]:
    """Let Ctrl-C be pressed at the end of the rollouts with these numbers, counted from 1 over all runs from now on.

    Returns:
        A list that grows by one number with each rollout.
    """
    seen: list[int] = []
    step = ProgressBar._on_step

    def pressed(self: ProgressBar) -> bool:
        seen.append(1)
        if len(seen) in rollouts:
            os.kill(os.getpid(), signal.SIGINT)
        return step(self)

    patch.setattr(ProgressBar, "_on_step", pressed)
    return seen
