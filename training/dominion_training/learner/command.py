"""Train an agent by self-play.

    dominion train                                  # or: make train; five minutes on two cores, First Game
    dominion train --preset laptop --seed 1         # 30 minutes
    dominion train --kingdom size-distortion-2e --teacher double-witch
    dominion train --preset smoke                   # checks in some seconds that everything runs
    dominion train --resume latest                  # goes on where the last run was stopped; or the run's folder
    dominion train --resume latest --samples 40_000_000     # and on beyond its end

A run learns from the decisions of every seat, plays against itself, scripted agents and its own earlier versions, and
ends with a model, pictures, and scores on games that training never saw.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import tyro

from dominion_env.registry import trusting
from dominion_training.evaluate.commands.options import At, Trust, cluster_at
from dominion_training.learner.settings import Settings, preset, preset_names


@dataclass(frozen=True)
class TrainOptions:
    """Which run begins or goes on."""

    preset: str = "quick"
    """Values that all settings have unless they are given: smoke, quick, laptop, full, three, or a YAML file of your own."""
    resume: Annotated[str | None, tyro.conf.arg(metavar="RUN|latest")] = None
    """Go on with the run in this folder, or with the latest run. A resumed run keeps its settings, but for the number of
    samples and those of measuring."""
    out: Path | None = None
    """Folder of a new run; by default one in runs/."""
    split: bool = False
    """Print at the end what the time went into."""
    cluster: At = None
    trust: Trust = False
    settings: Annotated[Settings, tyro.conf.OmitArgPrefixes] = field(default_factory=Settings)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status, 130 when interrupted."""
    # Otherwise each of the learner's threads would start threads of its own; torch reads this when it is imported.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    given = list(sys.argv[2:] if arguments is None else arguments)
    # Preset and run fill in the defaults of all other options, so they are read before them.
    first = argparse.ArgumentParser("dominion train", add_help=False, allow_abbrev=False)
    first.add_argument("--preset", default="quick")
    first.add_argument("--resume", metavar="RUN")
    chosen, _ = first.parse_known_args(given)
    before: Settings | None = None
    run: Path | None = None
    if chosen.resume is not None and not {"-h", "--help"} & set(given):
        from dominion_training.learner.run import latest_run, settings_of

        run = latest_run() if chosen.resume == "latest" else Path(chosen.resume)
        before = settings_of(run)
    defaults = TrainOptions(chosen.preset, settings=before or preset(chosen.preset))
    options = tyro.cli(TrainOptions, args=given, default=defaults, description=__doc__, prog="dominion train")
    # These need the extra `train`, and `--help` does not.
    from dominion_env.errors import InvalidOption
    from dominion_training.learner.run import MAY_CHANGE, train

    if before is not None:
        differ = {n for n, value in options.settings.as_dict().items() if value != before.as_dict()[n]} - MAY_CHANGE
        if differ:
            raise InvalidOption(
                f"a resumed run keeps its settings: expected only {', '.join(sorted(MAY_CHANGE))}, got "
                f"{', '.join(sorted(differ))} too"
            )
    command = shlex.join(["dominion", "train", *given])
    name = chosen.preset if chosen.preset in preset_names() else ""
    with trusting(options.trust):
        executor = None if options.cluster is None else cluster_at(options.cluster)
        done = train(options.settings, options.out, run, name, command, options.split, executor)
    return 130 if done is None else 0
