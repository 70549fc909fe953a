"""A checkpoint: everything that a run needs to go on as if it had never stopped, as safetensors with JSON.

It holds weights, moments of the optimiser, the games with their random streams, the samples whose outcome is not
known yet, who plays where, the lists that attacks have found, and the counters; of the earlier versions that are met it holds
the names of their files. All other random numbers come from the seed and these counters. No code is in the file, or run from
it; a checksum guards the games' records, which compiled code trusts.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors import numpy as safetensors

from dominion_agents.strategies.strategy import Strategy
from dominion_agents.trained.agent import TrainedAgent
from dominion_agents.trained.model import VERSIONS, read_model, to_safetensors
from dominion_env.common.checks import shown
from dominion_env.common.errors import InvalidOption
from dominion_env.common.files import to_json
from dominion_env.tables.cards import BASE_SET, CARD_SET
from dominion_training.common.records import write_atomically
from dominion_training.executors.executor import Executor
from dominion_training.learner.optimiser.networks import Network
from dominion_training.learner.options.settings import Settings
from dominion_training.learner.self_play.learner import SelfPlayPPO

KIND, VERSION = "dominion_env checkpoint", 5
FORMAT = f"{KIND} {VERSION}"
NAME, BEFORE = "checkpoint.safetensors", "checkpoint-before.safetensors"
VERSIONS_MET = "league"  # the folder of the earlier versions, by the name that saved runs have
_COUNTERS = ("num_timesteps", "rollouts", "refused", "is_cloning")


def save_checkpoint(run: Path, learner: SelfPlayPPO, progress: dict[str, Any]) -> None:
    """Write the checkpoint of a run; the one before it is kept beside it.

    Args:
        run: folder of the run.
        learner: the learner, between two rollouts.
        progress: what the run keeps about itself, as plain values.

    Raises:
        DominionError: a file can't be written, or a process that plays has died; the checkpoint in place stays.
    """
    arrays = {"record": learner.record}
    arrays |= {f"network/{name}": value.cpu().numpy() for name, value in learner.network.state_dict().items()}
    for number, state in learner.updater.optimiser.state_dict()["state"].items():
        arrays |= {f"optimiser/{number}/{name}": value.cpu().numpy() for name, value in state.items()}
    for number, shard in enumerate(learner.shards_now()):
        shard.samples.keep_open(shard.last)  # as the next rollout would do first
        arrays |= {f"shard {number}/{name}": array for name, array in shard.snapshot().items()}
    first = len(learner.settings.opponents)
    joined = learner.names[first:]
    for name, agent in zip(joined, learner.opponents[first:], strict=True):
        file = _version_file(run, name)
        if isinstance(agent, TrainedAgent) and not file.exists():
            file.parent.mkdir(exist_ok=True)
            write_atomically(file, agent.model.to_bytes())
    told = {
        "versions": VERSIONS | {"torch": str(torch.__version__)},
        "cards": str(CARD_SET),
        "settings": learner.settings.as_dict(),
        "counters": {name: getattr(learner, name) for name in _COUNTERS},
        "seconds": learner.seconds,
        "joined": joined,
        "attackers": {name: [each.one_line() for each in lists] for name, lists in learner.exploiters.items()},
        "progress": progress,
    }
    text = to_json(told)
    content = to_safetensors(arrays, {"format": FORMAT, "run": text, "sha256": _checksum(arrays, text)})
    file = run / NAME
    if file.exists():  # copied and not moved, so that there is a whole checkpoint of this name at any moment
        write_atomically(run / BEFORE, file.read_bytes())
    write_atomically(file, content)


def load_checkpoint(
    run: Path, settings: Settings, executor: Executor | None = None, workers: int = 1, device: str = "auto"
) -> tuple[SelfPlayPPO, dict[str, Any]]:
    """Return the learner as it was saved, and what the run kept about itself.

    Args:
        run: folder of the run.
        settings: settings to go on with; only the number of samples, what is measured, and how often may differ from those
            of the checkpoint.
        executor, workers, device: what plays and learns from now on, as `SelfPlayPPO` takes them.

    Raises:
        InvalidOption: there is no checkpoint, it is damaged, or it is one of other rules or other settings.
    """
    errors = []
    for file in (run / NAME, run / BEFORE):
        try:
            return _loaded(run, file, lambda: SelfPlayPPO(settings, executor, workers, device))
        except InvalidOption as error:
            errors.append(error)
            if not (run / BEFORE).exists():
                break
    raise errors[0]


def _loaded(run: Path, file: Path, begin: Callable[[], SelfPlayPPO]) -> tuple[SelfPlayPPO, dict[str, Any]]:
    try:
        content = file.read_bytes()
    except OSError as error:
        raise InvalidOption(f"{file}: expected the checkpoint of a run, got none: {error.strerror or error}") from error
    damaged = f"{file}: expected a whole checkpoint, got one that is cut or damaged, or another file"
    try:
        size = int.from_bytes(content[:8], "little")
        kept = json.loads(content[8 : 8 + size])["__metadata__"]
        arrays, told = safetensors.load(content), json.loads(kept["run"])
    except (SafetensorError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise InvalidOption(damaged) from error
    if kept.get("sha256") != _checksum(arrays, kept["run"]):
        raise InvalidOption(damaged)
    if kept.get("format") != FORMAT:
        raise InvalidOption(
            f"{file}: expected a checkpoint of format {VERSION}, got {shown(kept.get('format'))}: train again, or go back to the "
            "version that wrote it"
        )
    own = {name: told["versions"].get(name) for name in VERSIONS}
    if own != VERSIONS:
        raise InvalidOption(
            f"{file}: expected a checkpoint of {VERSIONS}, got one of {own}: train again, or go back to that version"
        )
    cards = told.get("cards", str(BASE_SET))
    if cards != str(CARD_SET):
        raise InvalidOption(f"{file}: expected a checkpoint for cards of {CARD_SET}, got one for {shown(cards)}")
    try:
        learner = begin()
        _restore(learner, arrays, told, run)
    except (KeyError, ValueError, RuntimeError, InvalidOption) as error:
        raise InvalidOption(f"{file}: the checkpoint does not fit the settings of the run: {error}") from error
    return learner, told["progress"]


def _restore(learner: SelfPlayPPO, arrays: dict[str, NDArray[Any]], told: dict[str, Any], run: Path) -> None:
    for name in told["joined"]:
        if name in told["attackers"]:
            learner.add_exploiter(name, [Strategy.parse(text) for text in told["attackers"][name]])
        else:
            learner.add_opponent(name, TrainedAgent(read_model(_version_file(run, name)), deterministic=False))
    for name in _COUNTERS:
        setattr(learner, name, told["counters"][name])
    learner.seconds = dict(told["seconds"])
    learner.record = arrays["record"]
    _take(learner.network, arrays)
    kept = learner.updater.optimiser.state_dict()
    for name, array in arrays.items():
        if name.startswith("optimiser/"):
            _, parameter, key = name.split("/")
            kept["state"].setdefault(int(parameter), {})[key] = torch.from_numpy(array.copy())
    learner.updater.optimiser.load_state_dict(kept)
    for number, shard in enumerate(learner.shards):
        prefix = f"shard {number}/"
        shard.restore({name[len(prefix) :]: array for name, array in arrays.items() if name.startswith(prefix)}, True)
    learner.choose_weights()


def _take(network: Network, arrays: dict[str, NDArray[Any]]) -> None:
    found = {name: torch.from_numpy(arrays[f"network/{name}"]) for name in network.state_dict()}
    with torch.no_grad():
        for name, own in network.state_dict().items():
            own.copy_(found[name])  # in place: the threads' copies share these numbers


def _version_file(run: Path, name: str) -> Path:
    return run / VERSIONS_MET / f"{name.replace(' ', '-')}.safetensors"


def _checksum(arrays: dict[str, NDArray[Any]], text: str) -> str:
    digest = hashlib.sha256(text.encode())
    for name in sorted(arrays):
        digest.update(name.encode())
        digest.update(arrays[name].tobytes())
    return digest.hexdigest()
