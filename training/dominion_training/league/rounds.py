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

import numpy as np

from dominion_env.checks import shown, whole_number
from dominion_env.errors import InvalidOption
from dominion_env.kingdoms import resolve
from dominion_training.evaluate.entrants import fingerprint
from dominion_training.evaluate.executor import Executor
from dominion_training.evaluate.match import sets_of
from dominion_training.exploit.arguments import MEASURED
from dominion_training.exploit.attacks import file_name
from dominion_training.exploit.exploiter import train_exploiter
from dominion_training.league import ATTACK_SAMPLES, ATTACKERS, EARLIER
from dominion_training.learner.checkpoint import BEFORE, NAME
from dominion_training.learner.learner import SelfPlayPPO
from dominion_training.learner.run import train
from dominion_training.learner.settings import Settings
from dominion_training.lists.drawing import one_set
from dominion_training.records import as_plain, check_same, versions_of_games, write_atomically, write_json

FILE, ROUND = "league.json", "round.json"
MODEL, LAST = "model.safetensors", "deck.png"  # what a run that has ended leaves, the first and the last of it


@dataclass(frozen=True)
class League:
    """What a league depends on.

    Attributes:
        settings: settings of the network's run in each round; its opponents are met in all rounds.
        kingdoms: names of the single sets on which the network is attacked, which are among those of its training.
        attack_samples: number of decisions that an attack learns from.
        attackers_weight: weight of all attackers so far together, among the opponents.
        earlier_weight: weight of the networks of all earlier rounds together, among them.
        measured: number of games that measure an attack, a multiple of the number of players.

    Raises:
        DominionError: a value is not allowed.
    """

    settings: Settings
    kingdoms: tuple[str, ...]
    attack_samples: int = ATTACK_SAMPLES
    attackers_weight: float = ATTACKERS
    earlier_weight: float = EARLIER
    measured: int = MEASURED

    def __post_init__(self) -> None:
        """Check the values now: some are used only after an hour."""
        if not self.kingdoms or len(set(self.kingdoms)) < len(self.kingdoms):
            raise InvalidOption(f"kingdoms: expected at least one, each once, got {shown(self.kingdoms)}")
        known = {frozenset(cards) for cards in resolve(self.settings.kingdoms_met()).kingdoms.tolist()}
        for kingdom in self.kingdoms:
            if known and frozenset(one_set(kingdom)) not in known:
                raise InvalidOption(
                    f"kingdoms: expected some of those in which the network learns, {shown(self.settings.kingdom)}, got "
                    f"{shown(kingdom)}"
                )
        whole_number("attack_samples", self.attack_samples, 1)
        sets_of(self.measured, self.settings.players)
        for name in ("attackers_weight", "earlier_weight"):
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
    def highest(self) -> float:
        """The highest score of an attack."""
        return max(each.score for each in self.attacks)


def play_league(
    league: League,
    folder: Path,
    rounds: int,
    until: float | None = None,
    command: str = "",
    executor: Executor | None = None,
) -> Iterator[Round]:
    """Play the rounds of a league, or go on with them, and yield each when it is known.

    Args:
        league: what it depends on. The runs and attacks of all rounds have seeds of their own, from that of its settings on.
        folder: folder of the league. If it holds this league already, that goes on.
        rounds: number of rounds in all, those in the folder included.
        until: no round follows one in which each attack scores at most this; None to play all rounds.
        command: the command, for the models' cards.
        executor: what plays the games of the trainings; processes of this machine by default.

    Raises:
        KeyboardInterrupt: Ctrl-C stopped the training; everything so far is kept.
        InvalidOption: an argument is wrong, or what is kept is damaged.
        ResultsMismatch: the folder holds another league.
        DominionError: an agent can't be made, or a file can't be written.
    """
    whole_number("rounds", rounds, 1)
    replace(league.settings, seed=league.settings.seed + rounds * _seeds_of_round(league))  # which may be too large
    folder = folder.resolve()  # as the networks are named by their paths
    _begin(league, folder)
    past: list[Round] = []
    for number in range(1, rounds + 1):
        here = folder / f"round-{number}"
        past.append(_kept(here) or _played(league, past, here, command, executor))
        yield past[-1]
        if until is not None and past[-1].highest <= until:
            return


def settings_of_round(league: League, past: Sequence[Round]) -> Settings:
    """Return the settings of the network's run in the round after these.

    From the second round on it begins with the network of the round before, and clones nobody.
    """
    seed = league.settings.seed + len(past) * _seeds_of_round(league)
    if not past:
        return replace(league.settings, seed=seed)
    attackers = _sharing(league.attackers_weight, [attack.model for each in past for attack in each.attacks])
    earlier = _sharing(league.earlier_weight, [each.model for each in past])
    opponents = (*league.settings.opponents, *attackers, *earlier)
    return replace(league.settings, seed=seed, start_from=past[-1].model, teacher=None, opponents=opponents)


def _sharing(weight: float, names: Sequence[str]) -> list[str]:
    """Return these opponents, as settings have them, with equal parts of a weight."""
    each = np.format_float_positional(weight / len(names), precision=6, trim="-")
    return [f"{name}={each}" for name in names]


def _seeds_of_round(league: League) -> int:
    return 1 + 2 * len(league.kingdoms)  # the network's, and those of two attacks on each kingdom


def _begin(league: League, folder: Path) -> None:
    """Write what the league depends on, or check that the folder holds this one."""
    settings = league.settings
    named = [settings.start_from, settings.teacher, *(name for name, _ in settings.opponents_met())]
    made_of = {name: fingerprint(name) for name in named if name is not None}
    ours = as_plain({**vars(league), **settings.as_dict(), **versions_of_games(), "made_of": made_of})
    del ours["settings"]  # whose values stand beside the others
    file = folder / FILE
    if file.exists():
        theirs = _read(file)
        if not isinstance(theirs, dict):
            raise InvalidOption(f"{file}: expected what a league depends on, got {shown(theirs)}")
        check_same(folder, "a league", theirs, ours)
        return
    if any(folder.glob("round-*")):
        raise InvalidOption(
            f"{folder}: expected the folder of a league, with its {FILE}, or an empty one, got rounds without it"
        )
    SelfPlayPPO(settings)  # before the folder, which a wrong setting must not leave
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidOption(f"{folder} can't hold a league: {error.strerror or error}; choose another") from error
    write_json(file, ours)


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
    try:
        attacks = [Attacked(**{**each, "model": str(here / each["model"])}) for each in values["attacks"]]
        return Round(values["number"], str(here / values["model"]), tuple(attacks))
    except (KeyError, TypeError) as error:
        raise InvalidOption(
            f"{here / ROUND}: expected a round as a league has written it, got {shown(values)}"
        ) from error


def _played(league: League, past: Sequence[Round], here: Path, command: str, executor: Executor | None) -> Round:
    settings, number = settings_of_round(league, past), len(past) + 1
    main = str(_main(settings, here / "main", command, executor))
    attacks: list[Attacked] = []
    for kingdom in league.kingdoms:
        starts = {"main": "agent"}
        before = [each for each in past[-1].attacks if each.kingdom == kingdom] if past else []
        if before:
            starts["attacker"] = max(before, key=lambda each: each.score).model
        for name, start in starts.items():
            attack = here / f"{file_name(kingdom)}-from-{name}"
            found = train_exploiter(
                main, kingdom, folder=attack, samples=league.attack_samples, start=start,
                seed=settings.seed + 1 + len(attacks), measured=league.measured, num_players=settings.players,
                command=command, executor=executor,
            )  # fmt: skip
            model = attack.with_suffix(".safetensors")
            write_atomically(model, found.model.to_bytes())
            low, high = found.result.interval()
            attacks.append(Attacked(kingdom, name, str(model), found.result.score, low, high, found.result.num_games))
    done = Round(number, main, tuple(attacks))
    write_json(here / ROUND, _as_plain(done, here))
    return done


def _as_plain(done: Round, here: Path) -> dict[str, Any]:
    """Return a round as JSON holds it, with paths that a folder may be moved with."""
    attacks = [{**vars(each), "model": str(Path(each.model).relative_to(here))} for each in done.attacks]
    return {"number": done.number, "model": str(Path(done.model).relative_to(here)), "attacks": as_plain(attacks)}


def _main(settings: Settings, run: Path, command: str, executor: Executor | None) -> Path:
    """Train the network of a round, or go on with that, and return the path of its model."""
    if (run / MODEL).exists() and (run / LAST).exists():
        return run / MODEL
    can_go_on = (run / NAME).exists() or (run / BEFORE).exists()
    if not can_go_on:
        shutil.rmtree(run, ignore_errors=True)  # a run that was killed before its first checkpoint
    if train(settings, run, resume=run if can_go_on else None, command=command, executor=executor) is None:
        raise KeyboardInterrupt
    return run / MODEL
