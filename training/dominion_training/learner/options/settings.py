"""The settings of a training run, in the words of stable-baselines3 where they mean the same. `presets.py` has ready ones."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from difflib import get_close_matches
from itertools import pairwise
from pathlib import Path
from types import UnionType
from typing import Any, ClassVar, Generic, Literal, NamedTuple, Self, TypeVar, get_args, get_origin, get_type_hints

import numpy as np
import yaml
from yaml.events import AliasEvent, CollectionEndEvent, CollectionStartEvent

from dominion_agents.trained.inputs import SlotsName, layout
from dominion_agents.trained.model import NetworkName, shapes
from dominion_env.common.checks import number, shown, whole_number
from dominion_env.common.errors import InvalidKingdom, InvalidOption, UnknownCard
from dominion_env.common.files import decoded
from dominion_env.tables.cards import Card
from dominion_env.tables.kingdoms import Kingdom, KingdomLike, kingdom_names, resolve

N = TypeVar("N", bound=float)

GAMES_A_SHARD = 512  # of a run with many games, as many as a core plays well
LARGEST_ROLLOUT = 1 << 24  # samples, of some hundred bytes each
_LARGEST = 10**15  # of all counts
_LARGEST_SEED = (1 << 32) - 1  # that torch and numpy take
_LARGEST_FILE = 1 << 20  # bytes of settings
_DEEPEST = 10  # values in values
_WEIGHT = re.compile(r"=\d*\.?\d+(e-?\d+)?$")  # behind the name of an opponent
_MEASURED_ON = {"train": "validation", "train-large": "validation"}  # kingdoms that measure what was learned on others


class Range(NamedTuple, Generic[N]):
    """A number that changes in a straight line over the run, from the end of the cloning on.

    As text it is "START:END", or one number that stays.
    """

    start: N
    end: N

    def __str__(self) -> str:
        return f"{self.start:_}:{self.end:_}" if self.start != self.end else f"{self.start:_}"


@dataclass(frozen=True)
class _Checked:
    """Settings whose values are converted and checked when they are made: some are used only after hours of training."""

    _prefix: ClassVar[str] = ""

    def __post_init__(self) -> None:
        for name, kind in _kinds(type(self)).items():
            found = _as(kind, getattr(self, name))
            if found is _NO_VALUE:
                is_choice = get_origin(kind) is Literal
                example = f"a value like {_written(getattr(_usual(type(self)), name))}"
                wanted = f"one of {', '.join(get_args(kind))}" if is_choice else example
                raise InvalidOption(f"{self._prefix}{name}: expected {wanted}, got {shown(getattr(self, name))}")
            object.__setattr__(self, name, found)
        self._check()

    def _check(self) -> None:
        """Check the values, which have the right types."""

    def but(self, **values: Any) -> Self:
        """Return these settings with other values.

        Raises:
            InvalidOption: there is no such setting, or a value is not allowed.
        """
        kinds = _kinds(type(self))
        if old := [name for name in values if name not in kinds and name in RENAMED]:
            raise InvalidOption("; ".join(f"{self._prefix}{name}: {RENAMED[name]}" for name in old))
        given: dict[str, Any] = {}
        for name, value in values.items():
            if name not in kinds:
                near = get_close_matches(name, kinds, n=1)
                hint = f"did you mean {self._prefix + near[0]!r}?" if near else f"the settings are {', '.join(kinds)}"
                raise InvalidOption(f"{shown(self._prefix + name)} is no setting: {hint}")
            own = getattr(self, name)
            is_group = isinstance(own, _Checked) and isinstance(value, Mapping)
            given[name] = own.but(**{str(key): each for key, each in value.items()}) if is_group else value
        return replace(self, **given)


@dataclass(frozen=True)
class Attacks(_Checked):
    """Searches for buy lists that beat the current network, which it meets from then on."""

    _prefix: ClassVar[str] = "attacks."

    every: int = 0
    """Number of samples between two searches for buy lists that beat the network; 0 for no search."""
    games: Range[int] = Range(20_000, 20_000)
    """Number of games of such a search, on each of its kingdoms."""
    weight: float = 1.0
    """Weight of games against the lists that were found, all together."""

    def _check(self) -> None:
        whole_number("attacks.every", self.every, 0, _LARGEST)
        for each in self.games:
            whole_number("attacks.games", each, 1, _LARGEST)
        number("attacks.weight", self.weight, 0)


@dataclass(frozen=True)
class Settings(_Checked):
    """Settings of a run; together with the versions in the run's folder they reproduce the model.

    A sample is a decision from which the network learns, of whatever seat. A `Range` may be given as "START:END".
    """

    # There are at most 32. A new one has its check in `_check`, its place in `GROUPS` (runs/command.py), and its row in
    # docs/training.md, which `python -m docs.site.describe` writes.

    kingdom: tuple[str, ...] = ("first-game-2e",)
    """Name of a set, "random", "train", ... as in GameBatch. More names say how many times kingdoms come, by name or by cards
    that they have: train train:61+115=14 Village+Smithy=3 first-game-2e=300."""
    players: int = 2
    """Number of players, 2 to 6."""
    net_arch: tuple[int, ...] = (256, 256)
    """Widths of the layers, which policy and values share."""
    card_units: int = 0
    """Length of the vector (embedding) of each card; 0 for a plain network of layers."""
    start_from: str | None = None
    """A trained network to begin with, by its path (.safetensors) or name. One for two players is made one for more."""
    seed: int = 0
    """Seed of the network, the games and their opponents."""
    samples: int = 9_000_000
    """Number of samples to learn from, the teacher's included."""
    num_envs: int = 512
    """Number of games played side by side."""
    n_steps: int = 128
    """Samples a game between two updates, on average over the games."""
    precision: Literal["float32", "bfloat16", "auto"] = "float32"
    """Precision of the products in the updates; "auto" is bfloat16 where processor or device have instructions for it."""
    learning_rate: Range[float] = Range(1.5e-3, 5e-5)
    """Step size of Adam."""
    batch_size: Range[int] = Range(2_048, 2_048)
    """Samples in a minibatch."""
    n_epochs: int = 2
    """Number of passes over a rollout."""
    gae_lambda: float = 0.95
    """Lambda of generalised advantage estimation, which counts once for each own turn."""
    clip_range: float = 0.2
    """How far from 1 the ratio of new to old probability may move before it is clipped."""
    ent_coef: Range[float] = Range(0.012, 0.002)
    """Weight of the policy's entropy in the loss; a higher one explores more."""
    vf_coef: float = 1.0
    """Weight of the value losses; that of the lead counts half."""
    max_grad_norm: float = 0.5
    """Largest norm of the gradient."""
    lead_weight: Range[float] = Range(1.0, 0.2)
    """Weight of the advantage in points / 50, beside the advantage in the share of the win."""
    keep_certain: float = 1.0
    """Share of the near-certain samples that an update learns from, each of which then counts 1 / share times."""
    teacher: str | None = "first-game"
    """Agent that is cloned first."""
    teacher_samples: int = 800_000
    """Number of the teacher's samples."""
    self_play: float = 1.5
    """Weight of games of the network against itself."""
    opponents: tuple[str, ...] = ("first-game=1", "smithy-optimised=2", "big-money-ultimate=0.3")
    """Agents that the network meets, each with its weight after a "=", or 1. Those that win more are met more."""
    snapshots: float = 0.5
    """Weight of games against snapshots, the newest earlier versions of the network."""
    snapshot_every: int = 3_000_000
    """Number of samples between two snapshots."""
    attacks: Attacks = field(default_factory=Attacks)
    """Searches for buy lists that beat it."""
    anchors: tuple[str, ...] = ("big-money-ultimate", "smithy-optimised", "first-game")
    """Agents against which the score is measured while training, and at the end."""
    eval_freq: int = 2_000_000
    """Number of samples between two measurements."""
    eval_games: Range[int] = Range(400, 4_000)
    """Number of games against each anchor, at a measurement and at the end."""

    def _check(self) -> None:
        whole_number("seed", self.seed, 0, _LARGEST_SEED)
        whole_number("players", self.players, 2, 6)
        for name in ("samples", "num_envs", "n_epochs", "snapshot_every", "eval_freq"):
            whole_number(name, getattr(self, name), 1, _LARGEST)
        for name in ("batch_size", "eval_games"):
            for each in getattr(self, name):
                whole_number(name, each, 1, _LARGEST)
        for name in ("teacher_samples", "card_units"):
            whole_number(name, getattr(self, name), 0, _LARGEST)
        # so that in each rollout some of the kept samples' outcomes come to be known
        whole_number("n_steps", self.n_steps, 2 * self.players, _LARGEST)
        if self.rollout > LARGEST_ROLLOUT:
            raise InvalidOption(
                f"n_steps: expected at most {LARGEST_ROLLOUT:,} samples in all games together, got {shown(self.rollout)}"
            )
        for each in self.learning_rate:
            number("learning_rate", each, 0, 1)
        for name in ("ent_coef", "lead_weight"):
            for each in getattr(self, name):
                number(name, each, 0)
        number("gae_lambda", self.gae_lambda, 0, 1)
        for name in ("vf_coef", "self_play", "snapshots"):
            number(name, getattr(self, name), 0)
        for name in ("clip_range", "max_grad_norm"):
            number(name, getattr(self, name), above=0)
        number("keep_certain", self.keep_certain, most=1, above=0)
        if not self.kingdom:
            raise InvalidOption("kingdom: expected the name of a kingdom or of several, got none")
        try:
            shapes(layout(self.slots, self.players), self.net_arch, self.card_units)
        except InvalidOption as error:  # a model has other words
            raise InvalidOption(re.sub("^units", "net_arch", str(error))) from error
        for before, text in pairwise(["big-money", *self.opponents]):
            if _WEIGHT.fullmatch(f"={text}"):
                raise InvalidOption(
                    f"opponents: expected a weight after its agent, such as {before}={text}, got {shown(text)} as an agent"
                )
        for name, weight in self.opponents_met():
            number(name, weight, 0)

    # --- what follows from the settings ------------------------------------------------------------------------------

    @property
    def shards(self) -> int:
        """Number of parts that games and samples are divided into, each for a core. The result depends on it."""
        most = max(2, self.num_envs // GAMES_A_SHARD)
        return next(each for each in range(most, 0, -1) if self.num_envs % each == 0)

    @property
    def rollout(self) -> int:
        """Number of samples between two updates."""
        return self.num_envs * self.n_steps

    @property
    def network(self) -> NetworkName:
        """Kind of network."""
        return "cards" if self.card_units else "plain"

    @property
    def slots(self) -> SlotsName:
        """Cards that a new network sees: those of the one kingdom, all, or for card vectors the piles of any kingdom."""
        if len(np.unique(resolve(self.kingdoms_met()).kingdoms, axis=0)) == 1:
            return "kingdom"
        return "piles" if self.card_units else "all"

    @property
    def eval_kingdom(self) -> str:
        """Kingdoms of the measurements: those of the training, or of validation for a split that is for training."""
        return _MEASURED_ON.get(self.kingdom[0], self.kingdom[0])

    def games_at(self, end: bool) -> int:
        """Return the number of games against each anchor at a measurement or at the end, as many from each seat."""
        games = self.eval_games.end if end else self.eval_games.start
        return max(games - games % self.players, self.players)

    def opponents_met(self) -> list[tuple[str, float]]:
        """Return the opponents' names and weights."""
        found = []
        for text in self.opponents:
            name, _, weight = text.rpartition("=") if _WEIGHT.search(text) else (text, "", "1")
            found.append((name, float(weight)))
        return found

    def kingdoms_met(self) -> KingdomLike:
        """Return the kingdoms of the training as `GameBatch` takes them, each as many times as `kingdom` says.

        Raises:
            InvalidKingdom: there is no such kingdom.
            InvalidOption: kingdoms that are to come some times are partly of the first ones and partly not, or drawn at
                random, or a number of times is no whole one.
        """
        pool, *others = self.kingdom
        if not others:
            return pool
        found: list[str | Kingdom] = [pool]
        known = _cards_of(pool)
        every = set(known)
        again: Sequence[str | Kingdom]
        for text in others:
            name, times = _times(text)
            if name in kingdom_names() or ":" in name:
                meant, again = _cards_of(name), [name]
            else:
                meant = _having(name, known)
                again = meant if len(known) > 1 else [pool]  # which keeps its edition
            if not known or not meant:
                raise InvalidOption(
                    f"kingdom: expected kingdoms with fixed cards, got {shown(name)} beside those of {shown(pool)}"
                )
            if every.issuperset(meant):
                found += [*again] * (times - 1)
            elif every.isdisjoint(meant):
                found += [name] * times
            else:
                raise InvalidOption(
                    f"kingdom: expected kingdoms that are all of {shown(pool)} or all others, got {shown(name)}"
                )
        return found

    def as_dict(self) -> dict[str, Any]:
        """Return the settings as plain values, as a YAML file has them."""
        return {name: _plain(value) for name, value in asdict(self).items()}


# What version 0.3 and other libraries call a setting, and what it is now.
RENAMED = {
    "often": "is now part of kingdom, such as [train, Village+Smithy=3]",
    "beside": "is now part of kingdom, such as [train, first-game-2e=300]",
    "slots": "is gone, as it follows from kingdom and card_units",
    "network": "is gone, as a network has card vectors where card_units is above 0",
    "units": "is now net_arch",
    "games": "is now num_envs",
    "rollout": "is now n_steps, which is counted for each game",
    "shards": "is gone, as it follows from num_envs",
    "threads": "is gone, as there is one for each core",
    "processes": "is now the option --workers",
    "device": "is now the option --device",
    "minibatch": "is now batch_size",
    "last_minibatch": "is now the second number of batch_size, START:END",
    "epochs": "is now n_epochs",
    "certain": "is now keep_certain",
    "last_learning_rate": "is now the second number of learning_rate, START:END",
    "entropy": "is now ent_coef",
    "last_entropy": "is now the second number of ent_coef, START:END",
    "last_lead_weight": "is now the second number of lead_weight, START:END",
    "clip": "is now clip_range",
    "decay": "is now gae_lambda",
    "averaged": "is gone, as averaged weights were not seen to play better",
    "teacher_learning_rate": "is gone, as it is 1e-3, and 3e-4 for a network that start_from names",
    "snapshots_met": "is gone, as the 6 newest are met",
    "attackers": "is now attacks.weight",
    "attack_every": "is now attacks.every",
    "attack_games": "is now attacks.games",
    "last_attack_games": "is now the second number of attacks.games, START:END",
    "attack_kingdoms": "is gone, as up to 4 are attacked at a time",
    "attackers_met": "is gone, as the 24 newest are met",
    "openings": "is gone",
    "opening_turns": "is gone",
    "prioritised": "is gone, as opponents that win more are always met more",
    "max_turns": "is gone, as games end after 100 rounds",
    "anchor_every": "is now eval_freq",
    "anchor_games": "is now the first number of eval_games, START:END",
    "eval_kingdom": "is gone, as it is validation for train and train-large, and else the kingdom of the training",
    "checkpoint_minutes": "is gone, as a checkpoint is written each minute",
    "total_timesteps": "is samples here, as the decisions of all seats count",
    "n_envs": "is num_envs here",
    "num_steps": "is n_steps here",
    "update_epochs": "is n_epochs here",
    "clip_coef": "is clip_range here",
    "gamma": "is always 1 here, as the result comes at the end of a game",
}


def meanings(kind: type[_Checked] = Settings) -> dict[str, str]:
    """Return what each setting means, which is the text behind it, in one line."""
    (tree,) = ast.parse(inspect.getsource(kind)).body
    assert isinstance(tree, ast.ClassDef)
    found, name = {}, ""
    for each in tree.body:
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
            name = each.target.id
        elif isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant) and name:
            found[name] = " ".join(str(each.value.value).split())
    return found


_NO_VALUE: Any = object()


def _usual(kind: type[_Checked]) -> Any:
    """Return the default of each setting, without a check."""
    found = object.__new__(kind)
    for each in fields(kind):
        default = each.default_factory() if callable(each.default_factory) else each.default
        object.__setattr__(found, each.name, default)
    return found


def _kinds(kind: type[_Checked]) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {each.name: hints[each.name] for each in fields(kind)}


def _plain(value: Any) -> Any:
    """Return a value as YAML and JSON have it."""
    if isinstance(value, Range):
        return [*value] if value.start != value.end else value.start
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    return [*value] if isinstance(value, tuple) else value


def _written(value: Any) -> str:
    """Return a value as an error shows it."""
    return str(value) if isinstance(value, Range) else repr(_plain(asdict(value) if is_dataclass(value) else value))  # type: ignore[arg-type]


def _as(kind: Any, value: Any) -> Any:
    """Return a value of YAML, JSON or Python as a setting of this type, or `_NO_VALUE`."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is UnionType:
        found = [each for each in (_as(one, value) for one in inner) if each is not _NO_VALUE]
        return found[0] if found else _NO_VALUE
    if origin is Literal:
        return value if isinstance(value, str) and value in inner else _NO_VALUE
    if origin is Range:
        return _as_range(inner[0], value)
    if origin is tuple:
        items = [_as(inner[0], each) for each in (value if isinstance(value, list | tuple) else [value])]
        return _NO_VALUE if any(each is _NO_VALUE for each in items) else tuple(items)
    if isinstance(kind, type) and issubclass(kind, _Checked) and isinstance(value, Mapping):
        return kind().but(**{str(name): each for name, each in value.items()})
    if kind is float and type(value) is int:
        return float(value) if value.bit_length() < 1_000 else float("inf")  # which is refused in words
    return value if type(value) is kind or (kind is type(None) and value is None) else _NO_VALUE


def _as_range(kind: type[int] | type[float], value: Any) -> Any:
    """Return a range from one number or two, or from such numbers as text; `_NO_VALUE` for anything else."""
    if isinstance(value, str):
        try:
            value = [kind(each) for each in value.split(":")]
        except ValueError:
            return _NO_VALUE
    items = [_as(kind, each) for each in (value if isinstance(value, list | tuple) else [value])]
    if len(items) not in (1, 2) or any(each is _NO_VALUE for each in items):
        return _NO_VALUE
    return Range(items[0], items[-1])


# --- files ---------------------------------------------------------------------------------------------------------------


def _wrong(told: str, at: Any) -> yaml.MarkedYAMLError:
    """Return the error for an event or node, which shows where that is."""
    return yaml.MarkedYAMLError(problem=told, problem_mark=at.start_mark)


class _Loader(yaml.SafeLoader):  # type: ignore[misc]  # yaml gives it no types
    """Reads YAML as people mean it: 1e-3 is a number, 20:40 and 2026-01-01 are texts, and no key comes twice."""

    yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {}

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(AliasEvent):
            raise _wrong("expected each value where it belongs, got a reference", self.peek_event())
        return super().compose_node(parent, index)

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        keys = [key for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
        names = [key.value for key in keys]
        if twice := [key for number, key in enumerate(keys) if key.value in names[:number]]:
            raise _wrong(f"expected each setting once, got {shown(twice[0].value)} twice", twice[0])
        return super().construct_mapping(node, deep)


for _tag, _form, _first in (
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("bool", r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    ("int", r"[-+]?[0-9][0-9_]*", list("-+0123456789")),
    ("float", r"[-+]?(\.[0-9]+|[0-9][0-9_]*(\.[0-9_]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)",
     list("-+0123456789.")),
):  # fmt: skip
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(f"^(?:{_form})$"), _first)


def _depth(text: str) -> int:
    """Return how deep values are nested, without a call for each level, as loading them takes."""
    depth = deepest = 0
    for each in yaml.parse(text, _Loader):
        depth += isinstance(each, CollectionStartEvent) - isinstance(each, CollectionEndEvent)
        deepest = max(deepest, depth)
    return deepest


def read_settings(file: Path) -> Settings:
    """Return the settings of a YAML file; what it leaves out has its default.

    Raises:
        OSError: the file can't be read.
        InvalidOption: it holds something else.
    """
    content = file.read_bytes()
    if len(content) > _LARGEST_FILE:
        raise InvalidOption(f"{file}: expected settings of at most {_LARGEST_FILE:,} bytes, got {len(content):,}")
    values = None
    try:
        text = decoded(content)
        is_shallow = _depth(text) <= _DEEPEST
        if is_shallow:
            values = yaml.load(text, _Loader)
    except (yaml.YAMLError, ValueError) as error:
        told = str(error).replace('"<unicode string>", ', "")
        raise InvalidOption(f"{file}: expected YAML, got something else:\n{told}") from error
    if not is_shallow:
        raise InvalidOption(f"{file}: expected settings and their values, got values nested too deep")
    if not isinstance(values, dict) or not all(isinstance(key, str) for key in values):
        raise InvalidOption(f"{file}: expected settings and their values, got {shown(values)}")
    try:
        return Settings().but(**values)
    except (InvalidKingdom, InvalidOption) as error:
        raise InvalidOption(f"{file}: {error}") from error


# --- kingdoms ------------------------------------------------------------------------------------------------------------


def _times(text: str) -> tuple[str, int]:
    """Return what a text such as "train:61=14" names, and how many times that comes.

    Raises:
        InvalidOption: it is no such text.
    """
    name, _, times = text.rpartition("=")
    if not re.fullmatch(r"[1-9][0-9]{0,3}", times):
        raise InvalidOption(
            "kingdom: expected each name after the first with the number of times it comes, 1 to 9,999, such as "
            f"train:61+115=14 or Village+Smithy=3, got {shown(text)}"
        )
    return name, int(times)


def _cards_of(kingdom: str) -> list[Kingdom]:
    return [tuple(map(Card, cards)) for cards in resolve(kingdom).kingdoms.tolist()]


def _having(titles: str, kingdoms: list[Kingdom]) -> list[Kingdom]:
    """Return the kingdoms that have all of these cards, which are named with + between.

    Raises:
        InvalidOption: there is no such card, or no such kingdom.
    """
    try:
        cards = {Card.named(title) for title in titles.split("+")}
    except UnknownCard as error:
        raise InvalidOption(
            f"kingdom: expected a kingdom, or cards with + between, got {shown(titles)}: {error}"
        ) from error
    found = [kingdom for kingdom in kingdoms if cards.issubset(kingdom)]
    if kingdoms and not found:
        raise InvalidOption(f"kingdom: expected cards of some of the kingdoms, got {shown(titles)}")
    return found
