"""Play a league: `python -m dominion_training.league --preset my.yaml --kingdom first-game-2e --out leagues/first-game`.

In each round the network learns as `dominion train` lets it, with the settings of the preset. Then it is attacked by networks
that are trained against it alone, as `dominion exploit --by learner` does: one begins with its own weights, and from the second
round on another with those of the best attacker of the round before. In the next round the network goes on and meets all
attackers so far, and what it was in each round, beside the opponents of the preset.

A round begins with the learning rate and the entropy of the preset, so a network that plays well already needs small ones.

Interrupted, the same command goes on where it was. With more rounds, a league that has ended goes on too.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import tyro
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from dominion_env.errors import DominionError, InvalidOption
from dominion_env.registry import trusting
from dominion_training.evaluate.commands.options import At, Trust, cluster_at
from dominion_training.exploit.arguments import MEASURED
from dominion_training.league import ATTACK_SAMPLES, ATTACKERS, EARLIER
from dominion_training.learner.settings import preset


@dataclass(frozen=True)
class LeagueOptions:
    """Which league is played."""

    preset: str
    """Settings of the network's run in each round: the name of a preset, or a YAML file of your own."""
    out: Path
    """Folder of the league."""
    kingdom: tuple[str, ...] = ()
    """Names of the single sets on which the network is attacked [the preset's kingdom]."""
    rounds: int = 3
    """Number of rounds in all, those in the folder included."""
    until: float | None = None
    """No round follows one in which each attack scores at most this, such as 0.55 [all rounds are played]."""
    attack_samples: int = ATTACK_SAMPLES
    """Number of decisions that each attack learns from."""
    attackers_weight: float = ATTACKERS
    """Weight of all attackers so far together, among the opponents."""
    earlier_weight: float = EARLIER
    """Weight of the networks of all earlier rounds together, among the opponents."""
    measured: int = MEASURED
    """Number of fresh games that measure each attack, a multiple of the number of players."""
    cluster: At = None
    trust: Trust = False


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the league and return the exit status: 1 if something is wrong, 130 when interrupted."""
    # As in `dominion train`: the learner's threads are to start none of their own, and torch reads this when imported.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    chosen = tyro.cli(LeagueOptions, args=arguments, description=__doc__, prog="python -m dominion_training.league")
    command = shlex.join(
        ["python", "-m", "dominion_training.league", *(sys.argv[1:] if arguments is None else arguments)]
    )
    try:
        with trusting(chosen.trust):
            return _play(chosen, command)
    except DominionError as error:
        print(f"league: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"Interrupted. The league in {chosen.out} is kept: the same command goes on from there.")
        return 130


def _play(chosen: LeagueOptions, command: str) -> int:
    # `--help` does not need the extra `train`.
    from dominion_training.league.rounds import League, play_league

    if chosen.until is not None and not 0 <= chosen.until <= 1:
        raise InvalidOption(f"--until: expected a score from 0 to 1, got {chosen.until}")
    settings, console = preset(chosen.preset), Console()
    league = League(
        settings, chosen.kingdom or (settings.kingdom,), chosen.attack_samples, chosen.attackers_weight, chosen.earlier_weight,
        chosen.measured,
    )  # fmt: skip
    executor = None if chosen.cluster is None else cluster_at(chosen.cluster)
    table = Table(title="attacks on the network of each round, in games that neither has seen", title_justify="left")
    for heading in ("round", "kingdom", "begins with", "score", "95% interval", "n"):
        table.add_column(heading, justify="left" if heading in ("kingdom", "begins with") else "right")
    for each in play_league(league, chosen.out, chosen.rounds, chosen.until, command, executor):
        for attack in each.attacks:
            table.add_row(
                str(each.number), attack.kingdom, "the network" if attack.start == "main" else "an attacker",
                f"{attack.score:.1%}", f"{attack.low:.1%} to {attack.high:.1%}", f"{attack.games:,}",
            )  # fmt: skip
        console.print(table)
        console.print(f"The network of round {each.number}: {escape(each.model)}", highlight=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
