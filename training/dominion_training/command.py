"""Train an agent: MaskablePPO learns First Game against Big Money in about five minutes, and is judged.

    dominion train                        # or: make train
    dominion train --seed 1 --kingdom size-distortion-2e
    dominion train --preset smoke         # checks in some seconds that everything runs
    dominion train --resume latest        # goes on where the last run was stopped; or the run's folder
    dominion train --resume latest --total-steps 3_000_000        # and on beyond its end

The score against random and against Big Money (Province, Gold, Silver) is wins and half the ties over pairs of games
with the same luck and swapped seats. The learner then always takes the likeliest action.

Loading a model or a checkpoint, so also --resume, can run any code that is in its file: load only what you trust.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

import tyro

from dominion_training.config import PRESETS, TrainConfig


@dataclass(frozen=True)
class TrainOptions:
    """Which run begins or goes on."""

    preset: Literal["main", "smoke"] = "main"
    """Values that all settings have unless they are given; "smoke" is a run of some seconds."""
    resume: Annotated[str | None, tyro.conf.arg(metavar="RUN|latest")] = None
    """Go on with the run in this folder, or with the latest run. A resumed run keeps its settings, but for
    `--total-steps`, over which the learning rate then falls."""
    settings: Annotated[TrainConfig, tyro.conf.OmitArgPrefixes] = field(default_factory=TrainConfig)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status, 130 when interrupted."""
    # The preset fills in the defaults of all other options, so it is read before them.
    first = argparse.ArgumentParser("dominion train", add_help=False, allow_abbrev=False)
    first.add_argument("--preset", choices=PRESETS, default="main")
    first.add_argument("--resume", metavar="RUN")
    chosen, rest = first.parse_known_args(arguments)
    if chosen.resume is not None and not {"-h", "--help"} & set(rest):
        first.add_argument("--total-steps", "--total_steps", type=int)
        longer, rest = first.parse_known_args(arguments)
        if rest:
            first.error(
                "a resumed run keeps its settings: expected --resume alone, or with --total-steps for a later end, got "
                f"{' '.join(rest)} too"
            )
        return _go_on(chosen.resume, longer.total_steps)
    default = TrainOptions(chosen.preset, settings=PRESETS[chosen.preset])
    options = tyro.cli(TrainOptions, args=arguments, default=default, description=__doc__, prog="dominion train")
    from dominion_training.train import train  # needs the extra `train`

    return 130 if train(options.settings) is None else 0


def _go_on(folder: str, total_steps: int | None) -> int:
    """Go on with an earlier run, to a later end if one is given, and return the exit status."""
    from dominion_training import runs
    from dominion_training.train import train

    run = runs.latest_run() if folder == "latest" else Path(folder)
    return 130 if train(runs.read_config(run), resume=run, total_steps=total_steps) is None else 0
