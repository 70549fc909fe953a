"""Options that several commands have, in groups of their own in `--help`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import tyro

from dominion_agents.own_code.loading import is_text, with_policy
from dominion_env.common.errors import InvalidOption
from dominion_env.core.batch import DEFAULT_MAX_TURNS

if TYPE_CHECKING:
    from dominion_training.executors.executor import Executor


@dataclass(frozen=True)
class GameOptions:
    """Rules of the games."""

    max_turns: int = DEFAULT_MAX_TURNS
    """A game that would begin a round beyond this is truncated."""
    ask_treasures: bool = False
    """Ask agents for every Treasure they play, instead of playing all."""

    def for_batch(self) -> dict[str, Any]:
        """Return these options as `GameBatch` names them."""
        return {"auto_treasures": not self.ask_treasures, "max_turns": self.max_turns}


# Where the parts are played, if not by processes of this machine.
At = Annotated[
    str | None,
    tyro.conf.arg(
        metavar="{auto,HOST:PORT}",
        help="Play on a Ray cluster that is running: auto for that of this machine, or the address of its head.",
    ),
]


def executor_of(cluster: str | None, workers: int = 1) -> Executor | None:
    """Return what plays the parts; None for this process alone.

    Args:
        cluster: address of a cluster, if one is chosen.
        workers: number of processes of this machine, where none is.

    Raises:
        InvalidOption: there is less than one worker, or the address of the cluster is none.
        ModuleNotFoundError: a cluster is chosen, and Ray is not installed.
    """
    if cluster is not None:
        from dominion_training.executors.cluster.executor import Cluster

        return Cluster(cluster)
    from dominion_training.executors.local import Local

    return None if workers == 1 else Local(workers)


def games_from_every_seat(given: int | None, usual: int, players: int) -> int:
    """Return the number of games that is given, or the usual one, made a multiple of the number of players.

    A number that is given is not changed, and refused where it does not fit.
    """
    return usual - usual % max(players, 1) if given is None else given


@dataclass(frozen=True)
class RunOptions:
    """How the games are played and where they are kept."""

    seed: int | None = None
    """Seed of the games [64 random bits where agents are ranked, 0 for data]. Agents could guess a small one."""
    workers: int = field(default_factory=lambda: os.cpu_count() or 1)
    """Number of processes, without --cluster."""
    cluster: At = None
    out: Path | None = None
    """Folder of the results [results/COMMAND-..., one for each choice of agents, kingdoms and rules]."""
    json: Path | None = None
    """Write the result to this file too."""

    def processes(self) -> int:
        """Return the number of processes, for a command whose parts write files on the machine that plays them.

        Raises:
            InvalidOption: a cluster is chosen.
        """
        if self.cluster is not None:
            raise InvalidOption(f"--cluster: expected none, as this command writes on one machine, got {self.cluster}")
        return self.workers

    def executor(self) -> Executor | int:
        """Return what plays the parts, as `executor_of` does; 1 for this process."""
        return executor_of(self.cluster, self.workers) or 1


@dataclass(frozen=True)
class ContestOptions:
    """Players that do not repeat themselves: models behind an API, text:module:function, budgets in time.

    Each pair of games is kept as soon as it is over, with all answers, and is never asked for again.
    """

    wrong: Literal["retry,first", "retry,pass", "retry,lose", "first", "pass", "lose"] | None = None
    """What follows a wrong answer in words: one retry with the reason; then the first legal action, a pass, or the game is
    lost [retry,first]."""
    max_seconds_per_game: float | None = None
    """A player that takes longer in a game has lost it, with the answer that goes beyond."""
    max_tokens_per_game: float | None = None
    """As many tokens as a player may use in a game; it says how many it uses."""
    max_cost_per_game: float | None = None
    """As much as the answers of a player may cost in a game, in the player's own currency."""

    def limits(self) -> dict[str, float]:
        """Return the limits that are given, as `Match` names them."""
        given = {
            "seconds": self.max_seconds_per_game, "tokens": self.max_tokens_per_game, "cost": self.max_cost_per_game,
        }  # fmt: skip
        return {name: most for name, most in given.items() if most is not None}

    def named(self, specs: Sequence[str]) -> tuple[str, ...]:
        """Return the agents' names with the policy of wrong answers, if one is given.

        Raises:
            InvalidOption: it is given, and no agent answers in words.
        """
        if self.wrong is None:
            return tuple(specs)
        if not any(map(is_text, specs)):
            raise InvalidOption(f"--wrong: expected an agent text:module:function, got {', '.join(specs)}")
        return tuple(with_policy(spec, self.wrong) for spec in specs)


# Grouped in `--help`, and without a prefix on the command line: `--seed`, not `--run.seed`.
Game = Annotated[GameOptions, tyro.conf.OmitArgPrefixes]
Run = Annotated[RunOptions, tyro.conf.OmitArgPrefixes]
Contest = Annotated[ContestOptions, tyro.conf.OmitArgPrefixes]
GAME, RUN, CONTEST = GameOptions(), RunOptions(), ContestOptions()  # what these are if nothing is said

# `trusting` takes it, around everything that a command does.
Trust = Annotated[
    bool,
    tyro.conf.arg(
        help="Load saved models of stable-baselines3 (.zip). Code in such a file runs, so load only files that you trust."
    ),
]


def check_place(option: str, path: Path | None) -> None:
    """Check that a file can be written to the place of an option, before any games are played for it.

    Raises:
        InvalidOption: it can't.
    """
    if path is None:
        return
    if path.is_dir():
        raise InvalidOption(f"{option}: expected a file, got the folder {path}")
    if not os.access(path.parent, os.W_OK):
        raise InvalidOption(f"{option}: expected a file in a folder that can be written to, got {path}")
