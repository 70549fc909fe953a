"""The folder of a training run: its files, and how a run is saved and resumed.

config.json  versions.json   the settings; the versions of all packages, the commit and the machine
checkpoint.pkl               the model, the games and all random numbers, to go on exactly where the run stopped
model.zip                    the trained model, for `MaskablePPO.load` or `dominion_agents.make(path)`
curve.csv  curve.png         the score while training
tb/                          the logs for TensorBoard
result.json                  the final scores
"""

from __future__ import annotations

import io
import json
import pickle
import random
import subprocess
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecMonitor

from dominion_training import records
from dominion_training.config import TrainConfig
from dominion_training.records import write_atomically, write_json

RUNS = Path("runs")


@dataclass
class CurvePoint:
    """The state of a run after a rollout: decisions and seconds so far, games ended in it, and their score."""

    steps: int
    seconds: float
    games: int
    score: float


@dataclass
class Progress:
    """The part of a run that is neither in the model nor in the games."""

    seconds: float = 0.0
    curve: list[CurvePoint] = field(default_factory=list)

    @property
    def steps(self) -> int:
        """Number of the learner's decisions up to the last rollout in which a game ended."""
        return self.curve[-1].steps if self.curve else 0


def new_run(config: TrainConfig, folder: Path | None = None) -> Path:
    """Make the folder of a new run, named by time, kingdom and seed, and write its settings and versions."""
    run = folder or RUNS / f"{time.strftime('%Y%m%d-%H%M%S')}-{config.kingdom}-seed{config.seed}"
    run.mkdir(parents=True, exist_ok=False)
    write_json(run / "config.json", asdict(config))
    write_json(run / "versions.json", versions())
    return run


def latest_run() -> Path:
    """Return the folder of the run that was saved last.

    Raises:
        FileNotFoundError: there is no saved run.
    """
    found = sorted(RUNS.glob("*/checkpoint.pkl"), key=lambda path: path.stat().st_mtime)
    if not found:
        raise FileNotFoundError(f"expected a run to resume in {RUNS.resolve()}, got none")
    return found[-1].parent


def read_config(run: Path) -> TrainConfig:
    """Return the settings that the run was started with."""
    values: dict[str, Any] = json.loads((run / "config.json").read_text())
    values["hidden"] = tuple(values["hidden"])
    return TrainConfig(**values)


def versions() -> dict[str, Any]:
    """Return the versions, the machine and the commit, which decide with the settings how a run goes."""
    git = subprocess.run(["git", "rev-parse", "HEAD"], cwd=Path(__file__).parent, capture_output=True, text=True)
    return records.versions() | {"commit": git.stdout.strip() if git.returncode == 0 else None}


def save_checkpoint(run: Path, model: MaskablePPO, progress: Progress) -> None:
    """Save everything that a run needs to go on as if it had never stopped; called between two rollouts."""
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
    write_atomically(run / "checkpoint.pkl", pickle.dumps(state))


def load_checkpoint(run: Path) -> tuple[MaskablePPO, Progress]:
    """Return the model with its games, and the progress, as they were saved. Load only files you trust (pickle)."""
    state = pickle.loads((run / "checkpoint.pkl").read_bytes())
    monitor = VecMonitor(state["games"])
    for name, value in state["episodes"].items():
        setattr(monitor, name, value)
    model = MaskablePPO.load(io.BytesIO(state["model"]), env=monitor, device="cpu", force_reset=False)
    monitor.venv._reset_seeds()  # loading asks for a reset with the run's seed, but the games go on
    python_state, numpy_state, torch_state = state["random"]
    random.setstate(python_state)
    np.random.set_state(numpy_state)  # noqa: NPY002 (what SB3 uses)
    torch.set_rng_state(torch_state)
    return model, state["progress"]


def write_curve(run: Path, curve: list[CurvePoint], opponent: str, result: float | None = None) -> None:
    """Write `curve.csv` and its picture."""
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
    """Write the final scores as `result.json`."""
    write_json(run / "result.json", result)
