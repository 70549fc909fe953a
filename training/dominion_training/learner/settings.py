"""The settings of a training run. Presets are YAML files in `presets/`; a value given on the command line replaces theirs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from types import UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import yaml

from dominion_agents.trained.inputs import SlotsName, layout
from dominion_agents.trained.model import NETWORKS, NetworkName, shapes
from dominion_env.cards import Card
from dominion_env.checks import one_of, shown, whole_number
from dominion_env.errors import InvalidKingdom, InvalidOption, UnknownCard
from dominion_env.kingdoms import Kingdom, KingdomLike, kingdom_names, resolve

PRESETS = Path(__file__).parent / "presets"
_WEIGHT = re.compile(r"=\d*\.?\d+(e-?\d+)?$")  # behind the name of an opponent
_LARGEST_SEED = (1 << 32) - 1  # that torch and numpy take


@dataclass(frozen=True)
class Settings:
    """Settings of a run; together with the versions in the run's folder they reproduce the model."""

    kingdom: str = "first-game-2e"
    """Name of a set, "random", "train", ... as in GameBatch."""
    often: tuple[str, ...] = ()
    """Kingdoms of `kingdom` that come more often, by name or by cards that they have: train:61+115=14, Village+Smithy=3.

    The number of times is a whole one. A kingdom that is named with 14 and with 3 comes 16 times: each adds its number less one.
    """
    beside: tuple[str, ...] = ()
    """Other kingdoms that it meets beside those of `kingdom`, and how many times each comes: first-game-2e=300, test:5=2."""
    players: int = 2
    """Number of players, 2 to 6."""
    slots: SlotsName = "kingdom"
    """Cards that the network sees: those of one kingdom, all, or those of any kingdom with their names ("piles")."""
    network: NetworkName = "plain"
    """Kind of network: "plain" for layers alone, "cards" for a vector of each card beside them."""
    units: tuple[int, ...] = (256, 256)
    """Widths of the layers, which policy and values share."""
    card_units: int = 32
    """Length of a card's vector, where the network has such vectors."""
    seed: int = 0
    """Seed of the network, the games and their opponents."""
    samples: int = 9_000_000
    """Number of decisions to learn from, those of the teacher included."""
    games: int = 512
    """Number of games played side by side, over all shards."""
    shards: int = 2
    """Number of parts that games and samples are divided into, each for a thread. The result depends on it."""
    threads: int = 0
    """Number of threads; 0 stands for one per core, up to the number of shards. The result does not depend on it."""
    processes: int = 1
    """Number of processes that play, up to the number of shards; 1 plays on threads of this process. 0 stands for one per core,
    and for 1 where an agent can't be pickled. The result does not depend on it."""
    device: str = "auto"
    """Device of the updates: "cpu", "cuda", or "auto" for CUDA where there is one."""
    precision: Literal["float32", "bfloat16", "auto"] = "float32"
    """Precision of the products in the updates; "auto" is bfloat16 where the processor or the device has instructions for it."""
    rollout: int = 65_536
    """Number of decisions between two updates."""
    minibatch: int = 2_048
    """Number of decisions in a minibatch at the start."""
    last_minibatch: int | None = None
    """Number of decisions in a minibatch at the end; in between it changes in a straight line. None stands for `minibatch`."""
    epochs: int = 2
    """Number of passes over a rollout."""
    certain: float = 1.0
    """Share of the near-certain decisions that an update learns from, each of which then counts 1 / share times."""
    learning_rate: float = 1.5e-3
    """Step size of Adam at the start."""
    last_learning_rate: float = 5e-5
    """Step size at the end; in between it falls in a straight line."""
    entropy: float = 0.012
    """Weight of the policy's entropy in the loss at the start; a higher one explores more."""
    last_entropy: float = 0.002
    """Weight of the entropy at the end."""
    averaged: float = 0.0
    """Share of the run at whose end weights are averaged: the model has the mean of them. 0 for the last weights alone."""
    clip: float = 0.2
    """Largest change of a probability's ratio in an update."""
    decay: float = 0.95
    """Lambda of the advantages, counted once for each own turn."""
    lead_weight: float = 1.0
    """Weight of the lead in points / 50 beside the share of the win, at the start."""
    last_lead_weight: float = 0.2
    """Weight of the lead at the end."""
    start_from: str | None = None
    """A trained network to begin with, by its path (.safetensors) or name. One for two players is made one for more."""
    teacher: str | None = "first-game"
    """Agent that is cloned first."""
    teacher_samples: int = 800_000
    """Number of the teacher's decisions to learn from."""
    teacher_learning_rate: float = 1e-3
    """Step size while cloning."""
    self_play: float = 1.5
    """Weight of games against itself."""
    opponents: tuple[str, ...] = ("first-game=1", "smithy-optimised=2", "big-money-ultimate=0.3")
    """Agents that it meets, each with its weight behind a "="; without one it is 1."""
    snapshots: float = 0.5
    """Weight of games against earlier versions of itself."""
    snapshot_every: int = 3_000_000
    """Number of decisions between two such versions."""
    snapshots_met: int = 6
    """Number of earlier versions that are met, the newest ones."""
    attackers: float = 1.0
    """Weight of games against buy lists that were found to beat it."""
    attack_every: int = 0
    """Number of decisions between two searches for such lists; 0 for none."""
    attack_games: int = 20_000
    """Number of games of a search, on each of its kingdoms, at the start."""
    last_attack_games: int | None = None
    """Number of games of a search at the end; in between it changes in a straight line. None stands for `attack_games`."""
    attack_kingdoms: int = 1
    """Number of kingdoms of a search, if the training has several."""
    attackers_met: int = 12
    """Number of finds that are met, the newest ones."""
    openings: float = 0.0
    """Share of games whose first turns one of `opponents` plays for all seats: positions that it would not reach itself."""
    opening_turns: int = 12
    """Most turns of a seat that are played so; how many it is, is drawn for each game."""
    prioritised: bool = True
    """Whether opponents that win more are met more."""
    max_turns: int = 100
    """Last round of a game while training."""
    anchors: tuple[str, ...] = ("big-money-ultimate", "smithy-optimised", "first-game")
    """Agents against which the score is measured while training, and at the end."""
    anchor_every: int = 2_000_000
    """Number of decisions between two measurements."""
    anchor_games: int = 400
    """Number of games against each anchor at a measurement."""
    eval_kingdom: str | None = None
    """Kingdoms of the measurements; those of the training by default."""
    eval_games: int = 4_000
    """Number of games against each anchor at the end."""
    checkpoint_minutes: float = 1.0
    """Minutes between two checkpoints."""

    def __post_init__(self) -> None:
        """Check the numbers now: some of them are used only after hours of training.

        Raises:
            InvalidOption: a value is not one of those that are allowed.
        """
        whole_number("seed", self.seed, 0, _LARGEST_SEED)
        whole_number("players", self.players, 2, 6)
        for name in ("samples", "games", "shards", "rollout", "minibatch", "epochs", "snapshot_every", "snapshots_met",
                     "attack_games", "attack_kingdoms", "attackers_met", "opening_turns", "max_turns", "anchor_every",
                     "anchor_games", "eval_games"):  # fmt: skip
            whole_number(name, getattr(self, name), 1)
        for name in ("threads", "processes", "teacher_samples", "attack_every"):
            whole_number(name, getattr(self, name), 0)
        if self.games % self.shards:
            raise InvalidOption(f"games: expected a multiple of the {self.shards} shards, got {self.games}")
        # so that in each rollout some of the kept samples' outcomes come to be known
        fewest = 2 * self.games * self.players
        if self.rollout < fewest:
            raise InvalidOption(f"rollout: expected at least {fewest}, for {self.games} games, got {self.rollout}")
        for name in ("anchor_games", "eval_games"):
            if getattr(self, name) % self.players:
                raise InvalidOption(
                    f"{name}: expected a multiple of {self.players}, the seats, got {getattr(self, name)}"
                )
        for name in ("last_minibatch", "last_attack_games"):
            if getattr(self, name) is not None:
                whole_number(name, getattr(self, name), 1)
        one_of("precision", self.precision, ("float32", "bfloat16", "auto"))
        one_of("network", self.network, NETWORKS)
        whole_number("card_units", self.card_units, 1)
        shapes(layout(self.slots, self.players), self.units, self.card_units if self.network == "cards" else 0)
        if not 0 < self.certain <= 1:
            raise InvalidOption(f"certain: expected a share above 0 and at most 1, got {shown(self.certain)}")
        if not 0 <= self.averaged <= 1:
            raise InvalidOption(f"averaged: expected a share from 0 to 1, got {shown(self.averaged)}")
        if not 0 <= self.openings <= 1:
            raise InvalidOption(f"openings: expected a share from 0 to 1, got {shown(self.openings)}")
        self.kingdoms_met()
        own = [(name, getattr(self, name)) for name in ("self_play", "snapshots", "attackers")]
        for name, weight in [*own, *self.opponents_met()]:
            if not 0 <= weight < float("inf"):
                raise InvalidOption(f"{name}: expected a weight from 0, got {shown(weight)}")

    def opponents_met(self) -> list[tuple[str, float]]:
        """Return the opponents' names and weights."""
        found = []
        for text in self.opponents:
            name, _, weight = text.rpartition("=") if _WEIGHT.search(text) else (text, "", "1")
            found.append((name, float(weight)))
        return found

    def kingdoms_met(self) -> KingdomLike:
        """Return the kingdoms of the training as `GameBatch` takes them, each as many times as `often` and `beside` say.

        Raises:
            InvalidKingdom: there is no such kingdom.
            InvalidOption: what is to come often is neither kingdoms of `kingdom` nor cards that one of these has, what comes
                beside them is one of them, or a number of times is no whole one.
        """
        if not self.often and not self.beside:
            return self.kingdom
        found: list[str | Kingdom] = [self.kingdom]
        known = _cards_of(self.kingdom)
        every = set(known)
        again: Sequence[str | Kingdom]
        for text in self.often:
            name, times = _times("often", text, "train:61+115=14 or Village+Smithy=3")
            if name in kingdom_names() or ":" in name:
                meant, again = _cards_of(name), [name]
            else:
                meant = _having(name, known)
                again = meant if len(known) > 1 else [self.kingdom]  # which keeps its edition
            if not meant or not every.issuperset(meant):
                raise InvalidOption(f"often: expected kingdoms of {shown(self.kingdom)}, got {shown(name)}")
            found += [*again] * (times - 1)
        for text in self.beside:
            name, times = _times("beside", text, "first-game-2e=300 or test:5=2")
            meant = _cards_of(name)
            if not known or not meant:
                drawn = self.kingdom if not known else name
                raise InvalidOption(f"beside: expected kingdoms with fixed cards, got {shown(drawn)}, drawn at random")
            if not every.isdisjoint(meant):
                raise InvalidOption(
                    f"beside: expected kingdoms that are not of {shown(self.kingdom)}, got {shown(name)}; often takes those"
                )
            found += [name] * times
        return found

    def but(self, **values: Any) -> Settings:
        """Return these settings with other values.

        Raises:
            InvalidOption: there is no such setting, or a value is not allowed.
        """
        kinds = get_type_hints(type(self))
        given: dict[str, Any] = {}
        for name, value in values.items():
            if name not in kinds:
                near = "".join(f" (did you mean {each!r}?)" for each in get_close_matches(name, kinds, n=1))
                raise InvalidOption(f"settings: expected some of {', '.join(kinds)}, got {shown(name)}{near}")
            given[name] = _as(kinds[name], value)
            if given[name] is _NO_VALUE:
                raise InvalidOption(f"{name}: expected a value like {getattr(Settings(), name)!r}, got {shown(value)}")
        return replace(self, **given)

    def as_dict(self) -> dict[str, Any]:
        """Return the settings as plain values."""
        return asdict(self)


_NO_VALUE: Any = object()


def _as(kind: Any, value: Any) -> Any:
    """Return a value of YAML or JSON as a setting of this type, or `_NO_VALUE`."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is UnionType:
        found = [each for each in (_as(one, value) for one in inner) if each is not _NO_VALUE]
        return found[0] if found else _NO_VALUE
    if origin is Literal:
        return value if value in inner else _NO_VALUE
    if origin is tuple:
        items = [_as(inner[0], each) for each in value] if isinstance(value, list | tuple) else [_NO_VALUE]
        return _NO_VALUE if any(each is _NO_VALUE for each in items) else tuple(items)
    if origin is dict:
        if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
            return _NO_VALUE
        pairs = {key: _as(inner[1], each) for key, each in value.items()}
        return _NO_VALUE if any(each is _NO_VALUE for each in pairs.values()) else pairs
    if kind is float and type(value) in (int, float):
        return float(value)
    return value if type(value) is kind or (kind is type(None) and value is None) else _NO_VALUE


def preset_names() -> tuple[str, ...]:
    """Return the names of the presets."""
    return tuple(sorted(path.stem for path in PRESETS.glob("*.yaml")))


def preset(name: str) -> Settings:
    """Return the settings of a preset, or of a YAML file of that path.

    Raises:
        InvalidOption: there is no such preset, or the file can't be read, or it holds something else.
    """
    file = PRESETS / f"{name}.yaml" if name in preset_names() else Path(name)
    try:
        values = yaml.safe_load(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidOption(
            f"preset: expected one of {', '.join(preset_names())} or a YAML file, got {shown(name)}"
        ) from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise InvalidOption(f"{file}: expected YAML, got something else: {' '.join(str(error).split())}") from error
    if not isinstance(values, dict) or not all(isinstance(key, str) for key in values):
        raise InvalidOption(f"{file}: expected settings and their values, got {shown(values)}")
    try:
        return Settings().but(**values)
    except (InvalidKingdom, InvalidOption) as error:
        raise InvalidOption(f"{file}: {error}") from error


def _times(setting: str, text: str, example: str) -> tuple[str, int]:
    """Return what a text such as "train:61=14" names, and how many times that comes.

    Raises:
        InvalidOption: it is no such text.
    """
    name, _, times = text.rpartition("=")
    if not re.fullmatch(r"[1-9][0-9]{0,3}", times):
        raise InvalidOption(
            f"{setting}: expected kingdoms and how many times they come, 1 to 9,999, such as {example}, got {shown(text)}"
        )
    return name, int(times)


def _cards_of(kingdom: str) -> list[Kingdom]:
    return [tuple(map(Card, cards)) for cards in resolve(kingdom).kingdoms.tolist()]


def _having(titles: str, kingdoms: list[Kingdom]) -> list[Kingdom]:
    """Return the kingdoms that have all of these cards, which are named with + between.

    Raises:
        InvalidOption: there is no such card.
    """
    try:
        cards = {Card.named(title) for title in titles.split("+")}
    except UnknownCard as error:
        raise InvalidOption(
            f"often: expected a kingdom, or cards with + between, got {shown(titles)}: {error}"
        ) from error
    return [kingdom for kingdom in kingdoms if cards.issubset(kingdom)]
