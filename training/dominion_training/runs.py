"""The folder of a training run: its files, and how a run is saved and resumed.

config.json  versions.json   the settings; the versions of all packages, the commit and the machine
checkpoint.pkl               the model, the games and all random numbers, to go on exactly where the run stopped
model.zip                    the trained model, for `MaskablePPO.load` or `dominion_agents.make(path)`
curve.csv  curve.png         the score while training
tb/                          the logs for TensorBoard
result.json                  the final scores

checkpoint.pkl and model.zip hold pickled objects, and loading them can run any code that was put into them: load only
files that you trust. A checkpoint begins with a line of its own and a checksum, so that one that is empty, cut or something
else is refused before anything is unpickled.
"""

from __future__ import annotations

import hashlib
import io
import json
import pickle
import random
import subprocess
import time
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, get_args, get_type_hints

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecMonitor

from dominion_env.errors import InvalidOption
from dominion_training import records
from dominion_training.config import TrainConfig
from dominion_training.records import put_in_place, write_atomically, write_json

RUNS = Path("runs")

_CHECKPOINT = b"dominion_env checkpoint 1\n"  # the first line, before the checksum of the rest
_CHECKSUM = hashlib.sha256().digest_size


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
    """Make the folder of a new run, named by time, kingdom and seed, and write its settings and versions.

    Raises:
        InvalidOption: the folder is there already, or can't be made.
        DominionError: a file can't be written.
    """
    run = folder or RUNS / f"{time.strftime('%Y%m%d-%H%M%S')}-{config.kingdom}-seed{config.seed}"
    try:
        run.mkdir(parents=True, exist_ok=False)
    except OSError as error:
        raise InvalidOption(f"{run} can't be made for a run: {error.strerror or error}") from error
    write_json(run / "config.json", asdict(config))
    write_json(run / "versions.json", versions())
    return run


def prolong(run: Path, config: TrainConfig, total_steps: int, done: int) -> TrainConfig:
    """Return the settings of a run that ends later, and keep them in its folder.

    Args:
        run: folder of the run.
        config: settings of the run.
        total_steps: number of the learner's decisions at which the run ends from now on.
        done: number of those made so far.

    Raises:
        InvalidOption: so many have been made already.
        DominionError: the file can't be written.
    """
    if total_steps <= done:
        raise InvalidOption(
            f"total_steps: expected more than the {done:,} decisions of the run so far, got {total_steps:,}"
        )
    longer = replace(config, total_steps=total_steps)
    write_json(run / "config.json", asdict(longer))
    return longer


def latest_run() -> Path:
    """Return the folder of the run that was saved last.

    Raises:
        InvalidOption: there is no saved run.
    """
    found = sorted(RUNS.glob("*/checkpoint.pkl"), key=lambda path: path.stat().st_mtime)
    if not found:
        raise InvalidOption(f"--resume latest: expected a run to resume in {RUNS.resolve()}, got none")
    return found[-1].parent


def read_config(run: Path) -> TrainConfig:
    """Return the settings that the run was started with.

    Raises:
        InvalidOption: there is no such run, or its settings can't be read.
    """
    file = run / "config.json"
    if not file.is_file():
        raise InvalidOption(f"{run}: expected the folder of a run, with its config.json, got none")
    try:
        values = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise InvalidOption(f"{file} can't be read as the settings of a run: {error}") from error
    names = {each.name for each in fields(TrainConfig)}
    if not isinstance(values, dict) or set(values) != names:
        differing = names ^ set(values) if isinstance(values, dict) else names
        raise InvalidOption(f"{file}: expected the settings of a run, got others than {', '.join(sorted(differing))}")
    if isinstance(values["hidden"], list):
        values["hidden"] = tuple(values["hidden"])
    for name, kind in get_type_hints(TrainConfig).items():
        if not _fits(values[name], kind):
            raise InvalidOption(
                f"{file}: {name}: expected a value like {getattr(TrainConfig(), name)!r}, got {values[name]!r}"
            )
    return TrainConfig(**values)


def _fits(value: Any, kind: Any) -> bool:
    """Whether a value of JSON is of the type of a setting: a class, a choice of texts, or a tuple of numbers."""
    if kind is float:
        return isinstance(value, float | int) and not isinstance(value, bool)
    if isinstance(kind, type) and not get_args(kind):
        return type(value) is kind
    if isinstance(value, tuple):
        return all(type(each) is int for each in value)
    return value in get_args(kind)


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
    content = pickle.dumps(state)
    write_atomically(run / "checkpoint.pkl", _CHECKPOINT + hashlib.sha256(content).digest() + content)


def load_checkpoint(run: Path) -> tuple[MaskablePPO, Progress]:
    """Return the model with its games, and the progress, as they were saved. Load only files that you trust (pickle).

    Raises:
        InvalidOption: there is no checkpoint, or it is damaged, or was saved by other versions of the packages.
    """
    file = run / "checkpoint.pkl"
    try:
        kept = file.read_bytes()
    except OSError as error:
        raise InvalidOption(f"{file}: expected the checkpoint of a run, got none: {error.strerror or error}") from error
    content = kept[len(_CHECKPOINT) + _CHECKSUM :]
    if kept != _CHECKPOINT + hashlib.sha256(content).digest() + content:
        raise InvalidOption(
            f"{file}: expected a whole checkpoint of this version, got one that is cut, damaged or of another version; the "
            "run can't go on from it, and nothing was changed"
        )
    try:
        return _restored(pickle.loads(content))
    except Exception as error:  # unpickling can raise anything
        raise InvalidOption(
            f"{file}: this checkpoint can't be loaded with the packages that are installed now ({run / 'versions.json'} has "
            f"those of the run): {type(error).__name__}: {error}"
        ) from error


def _restored(state: dict[str, Any]) -> tuple[MaskablePPO, Progress]:
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
    write_atomically(run / "curve.csv", "\n".join(lines) + "\n")

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
    with put_in_place(run / "curve.png") as aside:
        figure.savefig(aside, dpi=150, format="png")


def save_model(run: Path, model: MaskablePPO) -> None:
    """Write the trained model as `model.zip`."""
    content = io.BytesIO()
    model.save(content)
    write_atomically(run / "model.zip", content.getvalue())


def write_result(run: Path, result: dict[str, Any]) -> None:
    """Write the final scores as `result.json`."""
    write_json(run / "result.json", result)
