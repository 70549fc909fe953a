"""The folder of a training run: what is in it, how it is saved and found again.

config.json  versions.json   settings; versions of everything, commit, machine
checkpoint.pkl               all that is needed to go on exactly where it stopped: model, games, random numbers
model.zip                    the trained model, for `MaskablePPO.load` or `dominion_agents.make(path)`
curve.csv  curve.png         how the score rose
tb/                          TensorBoard logs
result.json                  the final scores
"""

from __future__ import annotations

import io
import json
import os
import pickle
import platform
import random
import subprocess
import time
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecMonitor

from dominion_training.config import TrainConfig

RUNS = Path("runs")
PACKAGES = ("dominion_env", "numpy", "numba", "torch", "stable-baselines3", "sb3-contrib", "gymnasium", "pettingzoo")


@dataclass
class CurvePoint:
    """Where the run stood after a rollout: decisions and seconds so far, and the score of the games ended in it."""

    steps: int
    seconds: float
    games: int
    score: float


@dataclass
class Progress:
    """What of a run is neither in the model nor in the games."""

    seconds: float = 0.0
    curve: list[CurvePoint] = field(default_factory=list)

    @property
    def steps(self) -> int:
        """Decisions of the learner up to the last rollout in which a game ended."""
        return self.curve[-1].steps if self.curve else 0


def new_run(config: TrainConfig, folder: Path | None = None) -> Path:
    """Make the folder of a new run, named by time, kingdom and seed, with its settings and versions in it."""
    run = folder or RUNS / f"{time.strftime('%Y%m%d-%H%M%S')}-{config.kingdom}-seed{config.seed}"
    run.mkdir(parents=True, exist_ok=False)
    _write_json(run / "config.json", asdict(config))
    _write_json(run / "versions.json", versions())
    return run


def latest_run() -> Path:
    """The run that was saved last.

    Raises:
        FileNotFoundError: there is none.
    """
    found = sorted(RUNS.glob("*/checkpoint.pkl"), key=lambda path: path.stat().st_mtime)
    if not found:
        raise FileNotFoundError(f"no run to resume in {RUNS.resolve()}")
    return found[-1].parent


def read_config(run: Path) -> TrainConfig:
    """The settings that the run was started with."""
    values: dict[str, Any] = json.loads((run / "config.json").read_text())
    values["hidden"] = tuple(values["hidden"])
    return TrainConfig(**values)


def versions() -> dict[str, Any]:
    """What else decides how a run goes."""
    found: dict[str, Any] = {
        "python": platform.python_version(),
        "machine": platform.platform(),
        "cpus": os.cpu_count(),
    }
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = None
    git = subprocess.run(["git", "rev-parse", "HEAD"], cwd=Path(__file__).parent, capture_output=True, text=True)
    found["commit"] = git.stdout.strip() if git.returncode == 0 else None
    return found


def save_checkpoint(run: Path, model: MaskablePPO, progress: Progress) -> None:
    """Save everything needed to go on as if nothing had happened; must be called between two rollouts."""
    weights = io.BytesIO()
    model.save(weights)
    monitor = model.get_env()
    assert isinstance(monitor, VecMonitor)
    state = {
        "model": weights.getvalue(),
        "games": monitor.venv,
        "episodes": {name: getattr(monitor, name) for name in ("episode_returns", "episode_lengths", "episode_count")},
        "random": (random.getstate(), np.random.get_state(), torch.get_rng_state()),  # noqa: NPY002 (what SB3 uses)
        "progress": progress,
    }
    # Written aside and then renamed: an interruption never leaves half a checkpoint.
    aside = run / "checkpoint.tmp"
    aside.write_bytes(pickle.dumps(state))
    aside.replace(run / "checkpoint.pkl")


def load_checkpoint(run: Path) -> tuple[MaskablePPO, Progress]:
    """The model with its games, and the progress, as they were when saved. Load only files that you trust (pickle)."""
    state = pickle.loads((run / "checkpoint.pkl").read_bytes())
    monitor = VecMonitor(state["games"])
    for name, value in state["episodes"].items():
        setattr(monitor, name, value)
    model = MaskablePPO.load(io.BytesIO(state["model"]), env=monitor, device="cpu", force_reset=False)
    monitor.venv._reset_seeds()  # loading has asked for a reset with the run's seed, the games go on instead
    python_state, numpy_state, torch_state = state["random"]
    random.setstate(python_state)
    np.random.set_state(numpy_state)  # noqa: NPY002 (what SB3 uses)
    torch.set_rng_state(torch_state)
    return model, state["progress"]


def write_curve(run: Path, curve: list[CurvePoint], opponent: str, result: float | None = None) -> None:
    """`curve.csv` and its picture."""
    lines = ["steps,seconds,games,score", *(f"{p.steps},{p.seconds:.1f},{p.games},{p.score:.4f}" for p in curve)]
    (run / "curve.csv").write_text("\n".join(lines) + "\n")

    from matplotlib.backends.backend_agg import FigureCanvasAgg  # needs no screen and no global state
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    axes.axhline(50, color="grey", linewidth=1, linestyle="--", label="even")
    axes.plot([p.steps / 1e6 for p in curve], [100 * p.score for p in curve], label="while training (explores)")
    if result is not None and curve:
        axes.plot(curve[-1].steps / 1e6, 100 * result, "o", label="final, best action each time")
    axes.set(xlabel="decisions of the learner (millions)", ylabel=f"score against {opponent} (%)", ylim=(0, 100))
    axes.legend(loc="lower right")
    figure.savefig(run / "curve.png", dpi=150)


def write_result(run: Path, result: dict[str, Any]) -> None:
    """`result.json`: the final scores."""
    _write_json(run / "result.json", result)


def _write_json(path: Path, value: dict[str, Any]) -> None:
    path.write_text(json.dumps(value, indent=2) + "\n")
