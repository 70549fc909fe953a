"""Callbacks of a training run, for the learner or any other of stable-baselines3's kind: its line, scores and checkpoints."""

from __future__ import annotations

import signal
import threading
import time
from pathlib import Path
from types import FrameType
from typing import Any

from stable_baselines3.common.callbacks import BaseCallback
from tqdm import tqdm

from dominion_training.evaluate.match import play_match
from dominion_training.learner.self_play.checkpoint import save_checkpoint
from dominion_training.learner.self_play.learner import SelfPlayPPO
from dominion_training.play.entrants import make_entrant

MEASURING_SEED = 1_000_000_000  # far from the seeds of training; the final scores have seeds of their own
CHECKPOINT_SECONDS = 60.0  # between two checkpoints
SHORT_NAMES = {"big-money-ultimate": "BMU", "smithy-optimised": "Smithy", "first-game": "First Game"}


class _LearnerCallback(BaseCallback):
    """A callback that knows the learner by its own type."""

    @property
    def learner(self) -> SelfPlayPPO:
        """The learner."""
        assert isinstance(self.model, SelfPlayPPO)
        return self.model


class Scores(_LearnerCallback):
    """Measures the network against the anchors now and then, and logs the scores with their intervals.

    Args:
        points: the measurements so far, to which new ones are added: decisions, seconds, and of each anchor the score and
            its interval.
    """

    def __init__(self, points: list[dict[str, Any]]) -> None:
        super().__init__()
        self.points = points

    def _on_step(self) -> bool:
        learner = self.learner
        due = sum(point["samples"] > 0 for point in self.points) + 1
        if learner.num_timesteps >= due * learner.settings.eval_freq:
            self.measure()
        return True

    def measure(self) -> None:
        """Measure the network as it is now."""
        learner = self.learner
        settings, agent = learner.settings, learner.agent()
        point: dict[str, Any] = {
            "samples": learner.num_timesteps,
            "seconds": sum(learner.seconds.values()),
            "scores": {},
        }
        for name in settings.anchors:
            result = play_match(
                agent, make_entrant(name), settings.games_at(end=False), MEASURING_SEED + settings.seed, settings.players,
                kingdom=settings.eval_kingdom, auto_treasures=True,
            )  # fmt: skip
            low, high = result.interval()
            point["scores"][name] = [result.score, low, high]
            self.logger.record(f"score/{name}", result.score)
            self.logger.record(f"score/{name} low", low)
            self.logger.record(f"score/{name} high", high)
        self.points.append(point)


class ProgressBar(_LearnerCallback):
    """Shows how far training is, and the newest scores, as one line."""

    def __init__(self, points: list[dict[str, Any]]) -> None:
        super().__init__()
        self.points = points
        self.bar: tqdm[Any] | None = None

    def _on_training_start(self) -> None:
        print("Playing the first games; what was never compiled here is compiled before.", flush=True)

    def _begin_bar(self) -> None:
        """Show the line from the second rollout on, so that the time left is not reckoned from what compiling took."""
        learner = self.learner
        self.bar = tqdm(
            total=learner.settings.samples, initial=learner.num_timesteps, unit=" samples", unit_scale=True, dynamic_ncols=True,
            smoothing=0.1,
        )  # fmt: skip

    def _on_step(self) -> bool:
        if self.bar is None:
            self._begin_bar()
        else:
            self.bar.update(self.learner.num_timesteps - self.bar.n)
            if self.points:
                told = {
                    SHORT_NAMES.get(name, name): f"{100 * score[0]:.0f}%"
                    for name, score in self.points[-1]["scores"].items()
                }
                self.bar.set_postfix(told)
        return True

    def _on_training_end(self) -> None:
        self.close()

    def close(self) -> None:
        """Close the line."""
        if self.bar is not None:
            self.bar.close()
            self.bar = None


class Checkpoints(_LearnerCallback):
    """Saves the run each minute, and saves and stops it at Ctrl-C.

    The first Ctrl-C stops the run after the current rollout, which takes a second or two. A second one stops it at once,
    and the run goes back to its last checkpoint.
    """

    def __init__(self, run: Path, progress: dict[str, Any]) -> None:
        super().__init__()
        self.interrupted = False
        self._run, self._progress = run, progress
        self._in_main_thread = threading.current_thread() is threading.main_thread()

    def _on_training_start(self) -> None:
        self._saved = time.perf_counter()
        if self._in_main_thread:  # Python handles signals there only; elsewhere Ctrl-C is left to the program
            self._handler_before = signal.signal(signal.SIGINT, self._interrupt)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        self.interrupted = True
        tqdm.write("Stopping after this rollout; press Ctrl-C again to stop at once.")
        signal.signal(signal.SIGINT, signal.default_int_handler)

    def _on_step(self) -> bool:
        if self.interrupted or time.perf_counter() - self._saved > CHECKPOINT_SECONDS:
            self.save()
        return not self.interrupted

    def save(self) -> None:
        """Save the run as it is now."""
        save_checkpoint(self._run, self.learner, self._progress)
        self._saved = time.perf_counter()

    def close(self) -> None:
        """Restore the handling of Ctrl-C."""
        if self._in_main_thread and hasattr(self, "_handler_before"):
            signal.signal(signal.SIGINT, self._handler_before)
