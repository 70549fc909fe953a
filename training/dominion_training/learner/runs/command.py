"""Train an agent by self-play.

    dominion train                                  # or: make train; five minutes on two cores, First Game
    dominion train --preset laptop --seed 1         # 30 minutes
    dominion train --kingdom size-distortion-2e --teacher double-witch
    dominion train --preset smoke                   # checks in some seconds that everything runs
    dominion train --resume latest                  # goes on where the last run was stopped; or the run's folder
    dominion train --resume latest --samples 40_000_000     # and on beyond its end

A run learns from the decisions of every seat, and ends with a model, pictures, and scores on games that training never saw.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, make_dataclass
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import tyro

from dominion_env.common.errors import InvalidOption
from dominion_env.players.registry import trusting
from dominion_training.evaluate.commands.options import At, Trust, executor_of
from dominion_training.learner.options.presets import PRESETS, preset
from dominion_training.learner.options.settings import RENAMED, Attacks, Range, Settings, meanings

# What `--help` shows together. Each setting has its place here, and the group `attacks` comes before the last.
GROUPS = {
    "game": ("kingdom", "players"),
    "network": ("net_arch", "card_units", "start_from"),
    "run": ("seed", "samples", "num_envs", "n_steps", "precision"),
    "update": ("learning_rate", "batch_size", "n_epochs", "gae_lambda", "clip_range", "ent_coef", "vf_coef",
               "max_grad_norm", "lead_weight", "keep_certain"),
    "teacher": ("teacher", "teacher_samples"),
    "opponent": ("self_play", "opponents", "snapshots", "snapshot_every"),
    "measuring": ("anchors", "eval_freq", "eval_games"),
}  # fmt: skip

# What other trainers have as an option, and what there is here.
ELSEWHERE = {
    "reward": "is no option: a run learns the share of the win, and the lead in points by --lead-weight. A reward of your own "
    "belongs to a learner of your own (docs/how_do_i.md)",
    "observation": "is no option: a network reads what its seat may know and remember. An observation of your own belongs "
    "to a learner of your own (docs/how_do_i.md)",
    "gamma": "is no option: nothing is discounted, as a game is paid at its end",
    "num_players": "is --players", "total_timesteps": "is --samples", "timesteps": "is --samples", "steps": "is --samples",
    "lr": "is --learning-rate", "opponent": "is --opponents, which takes several", "name": "is --out, a folder",
    "model": "is --start-from, or --resume for a run that goes on", "gpu": "is --device cuda",
}  # fmt: skip


@dataclass(frozen=True)
class TrainOptions:
    """Which run begins or goes on, and where."""

    preset: str = "quick"
    """Values that settings have unless they are given: smoke, quick, laptop, full, three, or a YAML file of your own."""
    resume: Annotated[str | None, tyro.conf.arg(metavar="RUN|latest")] = None
    """Go on with the run in this folder, or with the latest. Only samples and what is measured may be given anew."""
    out: Path | None = None
    """Folder of a new run [one in runs/]."""
    split: bool = False
    """Print at the end what the time went into."""
    workers: int = 0
    """Number of processes that play [one for each core]. The result does not depend on it."""
    device: str = "auto"
    """Device of the updates: cpu, cuda, or auto for CUDA where there is one."""
    cluster: At = None
    trust: Trust = False


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status, 130 when interrupted."""
    # Otherwise each of the learner's threads would start threads of its own; torch reads this when it is imported.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    given = list(sys.argv[2:] if arguments is None else arguments)
    _check_names(given)
    # Preset and run fill in the defaults of all other options, so they are read before them.
    first = argparse.ArgumentParser("dominion train", add_help=False, allow_abbrev=False)
    first.add_argument("--preset")
    first.add_argument("--resume", metavar="RUN")
    chosen, _ = first.parse_known_args(given)
    if chosen.resume is not None and chosen.preset is not None:
        raise InvalidOption(
            f"expected --resume without --preset, as a run keeps its settings, got {chosen.preset!r} too"
        )
    chosen.preset = chosen.preset or "quick"
    before: Settings | None = None
    run: Path | None = None
    if chosen.resume is not None and not {"-h", "--help"} & set(given):
        from dominion_training.learner.runs.run import latest_run, settings_of

        run = latest_run() if chosen.resume == "latest" else Path(chosen.resume)
        before = settings_of(run)
    options, settings = _asked(given, before or preset(chosen.preset))
    # These need the extra `train`, and `--help` does not.
    from dominion_training.common.records import told_command
    from dominion_training.learner.runs.run import MAY_CHANGE, train

    if before is not None:
        differ = {n for n, value in settings.as_dict().items() if value != before.as_dict()[n]} - MAY_CHANGE
        if differ:
            raise InvalidOption(
                f"a resumed run keeps its settings: expected only {', '.join(sorted(MAY_CHANGE))}, got "
                f"{', '.join(sorted(differ))} too"
            )
    command = told_command(["dominion", "train", *given])
    name = chosen.preset if chosen.preset in PRESETS else ""
    with trusting(options.trust):
        executor = executor_of(options.cluster)
        done = train(
            settings, options.out, run, name, command, options.split, executor, options.workers, options.device
        )
    return 130 if done is None else 0


def _check_names(given: Sequence[str]) -> None:
    """Check that no option has the name that a setting had, or that other trainers have, and no range has spaces.

    Raises:
        InvalidOption: one has.
    """
    for option, first, second in zip(given, given[1:], given[2:], strict=False):
        if _is_range(option) and not any(text.startswith("-") for text in (first, second)):
            raise InvalidOption(f"{option}: expected START or START:END without spaces, got {first} {second}")
    names = [text.partition("=")[0] for text in given if text.startswith("--")]
    known = {name: text for name, text in RENAMED.items() if name != "device"} | ELSEWHERE
    old = {name: known.get(name[2:].replace("-", "_")) for name in names}
    if told := [f"{name} {text}" for name, text in old.items() if text is not None]:
        raise InvalidOption("; ".join(told))


def _is_range(option: str) -> bool:
    """Whether a setting that may change over the run has this name."""
    if not option.startswith("--"):
        return False
    usual: Any = Settings()
    for part in option[2:].replace("-", "_").split("."):
        usual = getattr(usual, part, None)
    return isinstance(usual, Range)


def _asked(given: Sequence[str], defaults: Settings) -> tuple[TrainOptions, Settings]:
    """Return what the command line asks for; settings that it does not name have these values."""
    groups = [(title, _group(title, defaults, names), True) for title, names in GROUPS.items()]
    groups.insert(-1, ("attacks", _group("attacks", defaults.attacks, [*meanings(Attacks)]), False))
    fields = [
        (title, Annotated[group, tyro.conf.OmitArgPrefixes] if is_flat else group, field(default_factory=group))
        for title, group, is_flat in groups
    ]
    asked = make_dataclass("Asked", fields, bases=(TrainOptions,), frozen=True)
    options: Any = tyro.cli(asked, args=given, description=__doc__, prog="dominion train")
    values = {
        name: value for title, _, is_flat in groups if is_flat for name, value in vars(getattr(options, title)).items()
    }
    return options, Settings(**values, attacks=Attacks(**vars(options.attacks)))


def _short(default: str) -> str:
    """Return what `--help` says of a default, which can hold many buy lists."""
    return f"(default: {default if len(default) <= 100 else 'as in the preset'})"


def _group(title: str, defaults: Any, names: Sequence[str]) -> type[Any]:
    """Return some settings as a class of options. A range is a text there, which the settings read."""
    kinds, told = get_type_hints(type(defaults)), meanings(type(defaults))
    fields: list[tuple[str, Any, Any]] = []
    for name in names:
        kind, value, shape = kinds[name], getattr(defaults, name), None
        if isinstance(value, Range):
            kind, value, shape = str, str(value), "START[:END]"
        shown = tyro.conf.arg(help=told[name], metavar=shape, help_behavior_hint=_short)
        fields.append((name, Annotated[kind, shown], field(default=value)))
    return make_dataclass(title, fields, frozen=True)
