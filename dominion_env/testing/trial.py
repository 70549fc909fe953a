"""The run of a vector environment that all checks share, and how they compare and complain."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, VectorEnv
from numpy.typing import NDArray

AnyVectorEnv = VectorEnv[Any, Any, Any]
Make = Callable[[int, AutoresetMode], AnyVectorEnv]
MakeSingle = Callable[[], gymnasium.Env[Any, Any]]
Choose = Callable[[AnyVectorEnv, dict[str, Any], np.random.Generator], Any]


class Trial(NamedTuple):
    """An environment in one autoreset mode, as all checks make and reset it."""

    make: Make
    mode: AutoresetMode
    num_envs: int
    seed: int
    choose: Choose

    def begin(self) -> tuple[AnyVectorEnv, np.random.Generator, Any]:
        """Return a new environment, a random generator for actions, and what `reset` returned."""
        env = self.make(self.num_envs, self.mode)
        return env, np.random.default_rng(self.seed), env.reset(seed=self.seed)

    def where(self, call: str, row: int | None = None) -> str:
        """Return the beginning of an error: autoreset mode, call and row."""
        return f"autoreset {self.mode.value}, {call}" + ("" if row is None else f", row {row}")


def demand(condition: bool, message: str) -> None:
    """Raise AssertionError with the message unless the condition holds."""
    if not condition:
        raise AssertionError(message)


def same(one: Any, other: Any) -> bool:
    """Whether two returned values have the same type and exactly the same content."""
    return type(one) is type(other) and data_equivalence(one, other, exact=True)


def infos_now(before: dict[str, Any], after: dict[str, Any], rows: NDArray[np.bool_]) -> dict[str, Any]:
    """Return the infos of all rows after a reset of some, as environments return only those of the reset rows."""
    now = {**before, **after}
    for name in before.keys() & after.keys():
        old, new = before[name], after[name]
        if isinstance(old, np.ndarray) and isinstance(new, np.ndarray) and old.shape == new.shape:
            now[name] = np.where(rows.reshape(-1, *[1] * (old.ndim - 1)), new, old)
    return now
