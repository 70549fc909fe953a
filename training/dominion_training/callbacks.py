"""The callback of a training run: progress bar, learning curve, checkpoints, and stopping at Ctrl-C."""

from __future__ import annotations

import signal
import threading
import time
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from tqdm import tqdm

from dominion_training.runs import CurvePoint, Progress, save_checkpoint


class RunCallback(BaseCallback):
    """Saves a run, shows its progress, and stops it at Ctrl-C.

    A run is saved only between two rollouts, when the model has just been updated. From there a resumed run goes on bit
    for bit like one that was never stopped. So the first Ctrl-C stops the run after the current update, which takes some
    seconds. A second one stops it at once and goes back to the last checkpoint.
    """

    model: MaskablePPO

    def __init__(self, run: Path, progress: Progress, total_steps: int, checkpoint_minutes: float) -> None:
        super().__init__()
        self.interrupted = False
        self._run, self._progress, self._total_steps = run, progress, total_steps
        self._checkpoint_seconds = 60 * checkpoint_minutes
        self._scores: list[float] = []
        self._turns: list[float] = []
        self._truncated: list[bool] = []
        self._stopping = False

    def _on_training_start(self) -> None:
        self._started = self._saved = time.perf_counter()
        self._seconds_before = self._progress.seconds
        self._bar = tqdm(total=self._total_steps, initial=self.num_timesteps, unit=" decisions", unit_scale=True)
        # Python handles signals in the main thread only; elsewhere Ctrl-C is left to the program.
        self._main_thread = threading.current_thread() is threading.main_thread()
        if self._main_thread:
            self._handler_before = signal.signal(signal.SIGINT, self._interrupt)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        self.interrupted = True
        self._bar.write("Stopping after this update; press Ctrl-C again to stop at once.")
        signal.signal(signal.SIGINT, signal.default_int_handler)

    def _on_rollout_start(self) -> None:
        now = time.perf_counter()
        self._progress.seconds = self._seconds_before + now - self._started
        if self.interrupted or now - self._saved > self._checkpoint_seconds:
            save_checkpoint(self._run, self.model, self._progress)
            self._saved = time.perf_counter()
        self._stopping = self.interrupted

    def _on_step(self) -> bool:
        if self._stopping:
            return False
        dones: np.ndarray[Any, Any] = self.locals["dones"]
        for row in np.flatnonzero(dones):
            info: dict[str, Any] = self.locals["infos"][row]
            self._scores.append(info["is_success"])
            self._turns.append(info["turns"][info["seat"]])
            self._truncated.append(info["TimeLimit.truncated"])
        return True

    def _on_rollout_end(self) -> None:
        self._bar.update(self.num_timesteps - self._bar.n)
        if not self._scores:
            return
        score = float(np.mean(self._scores))
        self.logger.record("game/score", score)
        self.logger.record("game/turns", float(np.mean(self._turns)))
        self.logger.record("game/truncated", float(np.mean(self._truncated)))
        self._bar.set_postfix(score=f"{score:.1%}")
        seconds = self._seconds_before + time.perf_counter() - self._started
        self._progress.curve.append(CurvePoint(self.num_timesteps, seconds, len(self._scores), score))
        for values in (self._scores, self._turns, self._truncated):
            values.clear()

    def _on_training_end(self) -> None:
        self._progress.seconds = self._seconds_before + time.perf_counter() - self._started
        self.close()

    def close(self) -> None:
        """Close the bar and restore the handling of Ctrl-C."""
        self._bar.close()
        if self._main_thread:
            signal.signal(signal.SIGINT, self._handler_before)
