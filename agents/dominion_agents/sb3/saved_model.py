"""A file of stable-baselines3, looked at without running anything that is in it.

Such a file holds pickled code, which runs when the file is loaded. No check can make that safe: load only files that you
trust. The look at its members and their JSON refuses files that are no models before anything is unpickled.
"""

from __future__ import annotations

import io
import json
import os
import re
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

from dominion_env.common.errors import InvalidOption
from dominion_env.core.observing.fields import observation_size
from dominion_env.tables.actions import NUM_ACTIONS

PLAYERS = {(observation_size(players),): players for players in range(1, 7)}  # by the shape of an observation

_MEMBER = re.compile(r"data|[A-Za-z0-9_.]+\.pth|_stable_baselines3_version|system_info\.txt")
_NEEDED = ("data", "policy.pth")
_MOST_DATA = 64 << 20  # bytes of the member "data", unpacked
_PARTS = ("policy_class", "observation_space", "action_space")


class SavedModel(NamedTuple):
    """The parts of a saved model that are plain text.

    Attributes:
        content: the whole file, so that what is loaded is what was looked at.
        module: module of the policy's class, such as "sb3_contrib.common.maskable.policies".
        shape: shape of an observation; None if the observations are no arrays.
        num_actions: number of actions; None if actions are no single numbers.
    """

    content: bytes
    module: str
    shape: tuple[int, ...] | None
    num_actions: int | None


def read_saved_model(path: str | Path) -> SavedModel:
    """Read a file that a model of stable-baselines3 was saved to. Nothing is unpickled.

    Raises:
        InvalidOption: there is no such file, or it is no model.
    """
    if not os.path.isfile(path):  # `Path.is_file` raises if a path is too long
        raise InvalidOption(f"{path}: there is no such file")
    try:
        content = Path(path).read_bytes()
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = archive.namelist()
            if "data" in names and archive.getinfo("data").file_size > _MOST_DATA:
                raise ValueError(f"its member data has more than {_MOST_DATA >> 20} MB")
            data = json.loads(archive.read("data")) if "data" in names else {}
    except Exception as error:  # a damaged archive raises errors of many kinds
        raise no_model(path, f"it can't be read, {error}") from error
    strange = [name for name in names if not _MEMBER.fullmatch(name)]
    missing = [name for name in _NEEDED if name not in names]
    if strange or missing:
        raise no_model(
            path, f"expected the members of a saved model, {' and '.join(_NEEDED)} among them, got {names[:5]}"
        )
    if not isinstance(data, dict) or not all(_is_pickled(data.get(part)) for part in _PARTS):
        raise no_model(path, f"expected {', '.join(_PARTS)} in its member data, got no such entries")
    policy, observations, actions = (data[part] for part in _PARTS)
    return SavedModel(
        content, str(policy.get("__module__", "")), _shape(observations.get("_shape")), _number(actions.get("n"))
    )


def check_environment(path: str | Path, saved: SavedModel) -> None:
    """Check that a saved model was trained in this environment.

    Raises:
        InvalidOption: its observations or actions are others.
    """
    if saved.shape not in PLAYERS or saved.num_actions != NUM_ACTIONS:
        raise no_model(
            path,
            f"expected a policy of this environment, got one for observations of shape {saved.shape} and "
            f"{saved.num_actions} actions",
        )


def no_model(path: str | Path, said: str) -> InvalidOption:
    """Return the error that a file is no model that plays here."""
    return InvalidOption(f"{path}: no saved model of this environment: {said}")


def _is_pickled(entry: Any) -> bool:
    """Whether this is an object as stable-baselines3 writes it: pickled, with its plain attributes beside."""
    return isinstance(entry, dict) and all(isinstance(entry.get(key), str) for key in (":type:", ":serialized:"))


def _shape(written: Any) -> tuple[int, ...] | None:
    if not isinstance(written, list):
        return None
    numbers = [_number(each) for each in written]
    return tuple(each for each in numbers if each is not None) if None not in numbers else None


def _number(written: Any) -> int | None:
    """Return a whole number; those of numpy are written as texts."""
    try:
        return int(written) if isinstance(written, int | str) else None
    except ValueError:
        return None
