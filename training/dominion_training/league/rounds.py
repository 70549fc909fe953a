"""The rounds of a league: the network's run, the attacks on it, and what the next round makes of them.

league.json                             what the league depends on
round-1/main/                           the run of the network in this round, as `dominion train` has it
round-1/KINGDOM-from-main/              an attack that begins with its weights, as `dominion exploit` has it
round-1/KINGDOM-from-attacker/          one that begins with those of the best attacker of the round before
round-1/KINGDOM-from-main.safetensors   the network that the attack has trained
round-1/round.json                      what the attacks score
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dominion_env.checks import shown, whole_number
from dominion_env.errors import InvalidOption, ResultsMismatch
from dominion_training.evaluate.entrants import fingerprint
from dominion_training.evaluate.executor import Executor
from dominion_training.evaluate.match import sets_of
from dominion_training.exploit.arguments import MEASURED
from dominion_training.exploit.exploiter import train_exploiter
from dominion_training.learner.checkpoint import BEFORE, NAME
from dominion_training.learner.learner import SelfPlayPPO
from dominion_training.learner.run import train
from dominion_training.learner.settings import Settings
from dominion_training.lists.drawing import one_set
from dominion_training.records import as_plain, versions_of_games, write_atomically, write_json

FILE, ROUND, MODEL = "league.json", "round.json", "model.safetensors"
ATTACK_SAMPLES = 6_000_000


@dataclass(frozen=True)
class League:
    """What a league depends on.

    Attributes:
        settings: settings of the network's run in each round; its opponents are met in all rounds.
        kingdoms: names of the single sets on which the network is attacked.
        attack_samples: number of decisions that an attack learns from.
        attacker_weight: weight of each attacker so far among the opponents.
        earlier_weight: weight of the network of each earlier round among them.
        measured: number of games that measure an attack, a multiple of the number of players.

    Raises:
        DominionError: a value is not allowed.
    """

    settings: Settings
    kingdoms: tuple[str, ...]
    attack_samples: int = ATTACK_SAMPLES
    attacker_weight: float = 1.5
    earlier_weight: float = 0.5
    measured: int = MEASURED

    def __post_init__(self) -> None:
        """Check the values now: some are used only after an hour."""
        if not self.kingdoms or len(set(self.kingdoms)) < len(self.kingdoms):
            raise InvalidOption(f"kingdoms: expected at least one, each once, got {shown(self.kingdoms)}")
        for kingdom in self.kingdoms:
            cards = one_set(kingdom)
            if self.settings.slots == "kingdom" and set(cards) != set(one_set(self.settings.kingdom)):
                raise InvalidOption(
                    f"kingdoms: expected {self.settings.kingdom}, as the network is for one kingdom, got {shown(kingdom)}"
                )
        whole_number("attack_samples", self.attack_samples, 1)
        sets_of(self.measured, self.settings.players)
        for name in ("attacker_weight", "earlier_weight"):
            if not 0 <= getattr(self, name) < float("inf"):
                raise InvalidOption(f"{name}: expected a weight from 0, got {shown(getattr(self, name))}")


@dataclass(frozen=True)
class Attacked:
    """An attack of one round, and how it did in fresh games.

    Attributes:
        kingdom: name of the set.
        start: "main" if it began with the weights of the network, "attacker" if with those of an earlier attacker.
        model: path of the network that it has trained.
        score, low, high: its score against the network, with the 95% interval.
        games: number of these games.
    """

    kingdom: str
    start: str
    model: str
    score: float
    low: float
    high: float
    games: int


@dataclass(frozen=True)
class Round:
    """A round of the league.

    Attributes:
        number: its number, from 1.
        model: path of the network.
        attacks: the attacks on it.
    """

    number: int
    model: str
    attacks: tuple[Attacked, ...]

    @property
    def worst(self) -> float:
        """The highest score of an attack."""
        return max(each.score for each in self.attacks)


def play_league(
    league: League, folder: Path, rounds: int, until: float | None = None, executor: Executor | None = None
) -> Iterator[Round]:
    """Play the rounds of a league, or go on with them, and yield each when it is known.

    Args:
        league: what it depends on.
        folder: folder of the league. If it holds this league already, that goes on.
        rounds: number of rounds in all, those in the folder included.
        until: no round follows one in which each attack scores at most this; None to play all rounds.
        executor: what plays the games of the trainings; processes of this machine by default.

    Raises:
        KeyboardInterrupt: Ctrl-C stopped the training; everything so far is kept.
        InvalidOption: an argument is wrong, or what is kept is damaged.
        ResultsMismatch: the folder holds another league.
        DominionError: an agent can't be made, or a file can't be written.
    """
    whole_number("rounds", rounds, 1)
    _begin(league, folder)
    past: list[Round] = []
    for number in range(1, rounds + 1):
        here = folder / f"round-{number}"
        past.append(_kept(here) or _played(league, number, past, here, executor))
        yield past[-1]
        if until is not None and past[-1].worst <= until:
            return


def settings_of_round(league: League, past: Sequence[Round]) -> Settings:
    """Return the settings of the network's run in the round after these.

    From the second round on it begins with the network of the round before, and clones nobody.
    """
    seed = league.settings.seed + len(past) * _seeds_of_round(league)
    if not past:
        return replace(league.settings, seed=seed)
    attackers = [f"{attack.model}={league.attacker_weight:g}" for each in past for attack in each.attacks]
    earlier = [f"{each.model}={league.earlier_weight:g}" for each in past]
    opponents = (*league.settings.opponents, *attackers, *earlier)
    return replace(league.settings, seed=seed, start_from=past[-1].model, teacher=None, opponents=opponents)


def _seeds_of_round(league: League) -> int:
    return 1 + 2 * len(league.kingdoms)  # the network's, and those of two attacks on each kingdom


def _begin(league: League, folder: Path) -> None:
    """Write what the league depends on, or check that the folder holds this one."""
    named = [
        league.settings.start_from,
        league.settings.teacher,
        *(name for name, _ in league.settings.opponents_met()),
    ]
    made_of = {name: fingerprint(name) for name in named if name is not None and not name.endswith(".parquet")}
    ours = as_plain({"league": league, "made_of": made_of, **versions_of_games()})
    file = folder / FILE
    if not file.exists():
        SelfPlayPPO(league.settings)  # before the folder, which a wrong setting must not leave
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InvalidOption(f"{folder} can't hold a league: {error.strerror or error}; choose another") from error
        write_json(file, ours)
        return
    theirs = _read(file)
    if theirs != ours:
        raise ResultsMismatch(f"{folder} holds another league, as {file} tells: choose another folder, or remove it")


def _read(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InvalidOption(f"{file}: expected what a league has written, got a damaged file: {error}") from error


def _kept(here: Path) -> Round | None:
    """Return the round of this folder, if it was played to its end."""
    if not (here / ROUND).exists():
        return None
    values = _read(here / ROUND)
    return Round(values["number"], values["model"], tuple(Attacked(**each) for each in values["attacks"]))


def _played(league: League, number: int, past: Sequence[Round], here: Path, executor: Executor | None) -> Round:
    settings = settings_of_round(league, past)
    main = str(_main(settings, here / "main", executor))
    attacks: list[Attacked] = []
    for kingdom in league.kingdoms:
        starts = {"main": "agent"}
        before = [each for each in past[-1].attacks if each.kingdom == kingdom] if past else []
        if before:
            starts["attacker"] = max(before, key=lambda each: each.score).model
        for name, start in starts.items():
            attack = here / f"{kingdom}-from-{name}"
            found = train_exploiter(
                main, kingdom, folder=attack, samples=league.attack_samples, start=start,
                seed=settings.seed + 1 + len(attacks), measured=league.measured, num_players=settings.players,
                executor=executor,
            )  # fmt: skip
            model = attack.with_suffix(".safetensors")
            write_atomically(model, found.model.to_bytes())
            low, high = found.result.interval()
            attacks.append(Attacked(kingdom, name, str(model), found.result.score, low, high, found.result.num_games))
    done = Round(number, main, tuple(attacks))
    write_json(here / ROUND, as_plain(done))
    return done


def _main(settings: Settings, run: Path, executor: Executor | None) -> Path:
    """Train the network of a round, or go on with that, and return the path of its model."""
    if (run / MODEL).exists():
        return run / MODEL
    can_go_on = (run / NAME).exists() or (run / BEFORE).exists()
    if not can_go_on:
        shutil.rmtree(run, ignore_errors=True)  # a run that was killed before its first checkpoint
    if train(settings, run, resume=run if can_go_on else None, executor=executor) is None:
        raise KeyboardInterrupt
    return run / MODEL
