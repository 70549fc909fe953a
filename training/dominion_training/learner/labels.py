"""Labels: decisions with what each action was found to be worth, from a Parquet file, to be cloned.

A file has a row for each decision, with these columns:

- `observation`, a list of float32, and `observation_version`; `players`, the number of players; `mask`, a list of booleans,
  one per action;
- `actions`, `values`, `errors`, `games`: lists of equal length with each action that was tried, the share of the win that
  it led to, the standard error of that share, and the number of games that it comes from;
- `errors_to_best`, which may be missing: the standard error of the difference of each value to the best one. If the actions
  were tried in the same worlds it can't be computed from `errors`.

The clone learns probabilities that grow with an action's value. An action that is worse than the best by `TEMPERATURE` is
less likely than that by the factor e. Where the standard error of the difference is larger, it takes the place of
`TEMPERATURE`; without `errors_to_best` it is taken to be the mean of `errors`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from dominion_agents.trained.inputs import Layout
from dominion_env.actions import NUM_ACTIONS
from dominion_env.core.fields import OBSERVATION_VERSION, observation_size
from dominion_env.errors import InvalidOption
from dominion_training.learner.translate import translated
from dominion_training.learner.update import Batch

TEMPERATURE = 0.02  # share of the win
COLUMNS = ("observation", "observation_version", "players", "mask", "actions", "values", "errors", "games")
DIFFERENCES = "errors_to_best"  # a column that may be missing


class Labels:
    """The labels of a Parquet file, in the file's order.

    Args:
        path: the file.
        layout: inputs and actions of the network that is to learn from them.

    Raises:
        InvalidOption: the file is missing or damaged, or has other columns, or labels of another observation or number of
            players.
    """

    def __init__(self, path: str | Path, layout: Layout) -> None:
        import polars as pl

        try:
            more = [DIFFERENCES] if DIFFERENCES in pl.read_parquet_schema(path) else []
            table = pl.read_parquet(path, columns=[*COLUMNS, *more])
        except (OSError, pl.exceptions.PolarsError) as error:
            raise InvalidOption(
                f"{path}: expected labels with the columns {', '.join(COLUMNS)}, got: {error}"
            ) from error
        size = observation_size(layout.num_players)
        wrong = table.filter(
            (pl.col("observation_version") != OBSERVATION_VERSION)
            | (pl.col("players") != layout.num_players)
            | (pl.col("observation").list.len() != size)
            | (pl.col("mask").list.len() != NUM_ACTIONS)
            | (pl.col("actions").list.len() != pl.col("values").list.len())
            | (pl.col("actions").list.len() != pl.col("errors").list.len())
            | pl.any_horizontal(
                pl.lit(False), *(pl.col("actions").list.len() != pl.col(name).list.len() for name in more)
            )
            | (pl.col("actions").list.len() == 0)
        )
        if len(table) == 0 or len(wrong):
            raise InvalidOption(
                f"{path}: expected labels of observation version {OBSERVATION_VERSION} for {layout.num_players} players, "
                f"{size} numbers each, got {len(wrong):,} others among {len(table):,}"
            )
        observations = table["observation"].explode().to_numpy().astype(np.float32).reshape(-1, size)
        masks = table["mask"].explode().to_numpy().astype(np.bool_).reshape(-1, NUM_ACTIONS)
        wanted, shares = np.zeros((len(table), NUM_ACTIONS), np.float32), np.zeros(len(table), np.float32)
        lists = table.select("actions", "values", "errors", *more)
        for row, (actions, values, errors, *differences) in enumerate(lists.iter_rows()):
            worth, chosen = np.array(values, np.float64), np.array(actions, np.int64)
            if (
                not np.isfinite(worth).all()
                or chosen.min() < 0
                or chosen.max() >= NUM_ACTIONS
                or not masks[row, chosen].all()
            ):
                raise InvalidOption(f"{path}: row {row}: expected legal actions and finite values, got others")
            odds = _odds(worth, np.array(errors, np.float64), *(np.array(each, np.float64) for each in differences))
            wanted[row, chosen] = odds / odds.sum()
            shares[row] = (worth * odds).sum() / odds.sum()
        self.shares = np.clip(shares, 0, 1)
        self.inputs, self.legal, self.targets = translated(layout, observations, masks, wanted)

    def __len__(self) -> int:
        return len(self.inputs)

    def batch(self, first: int, number: int) -> Batch:
        """Return so many labels from one on, beginning again behind the last; they say nothing about the lead."""
        rows = (first + np.arange(number)) % len(self)
        unknown = torch.full((number,), torch.nan)
        return Batch(
            torch.from_numpy(self.inputs[rows]), torch.from_numpy(self.legal[rows]),
            torch.from_numpy(self.targets[rows].argmax(1)), torch.zeros(number), torch.zeros(number),
            torch.from_numpy(self.shares[rows]), unknown, torch.from_numpy(self.targets[rows]),
        )  # fmt: skip


def _odds(
    values: NDArray[np.float64], errors: NDArray[np.float64], differences: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Return how likely each action shall be beside the best one, which gets 1."""
    if differences is None:
        differences = np.full(len(values), np.nan_to_num(errors).mean())
    odds: NDArray[np.float64] = np.exp((values - values.max()) / np.maximum(TEMPERATURE, np.nan_to_num(differences)))
    return odds
