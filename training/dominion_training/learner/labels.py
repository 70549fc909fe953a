"""Labels: decisions with what each action was found to be worth, from a Parquet file, to be cloned.

A file has a row for each decision, with these columns:

- `observation`, a list of float32, and `observation_version`; `players`, the number of players; `mask`, a list of booleans,
  one per action;
- `actions`, `values`, `errors`, `games`: lists of equal length with each action that was tried, the share of the win that
  it led to, the standard error of that share, and the number of games that it comes from.

The clone learns probabilities that grow with an action's value: those of actions whose values differ by `TEMPERATURE`
differ by the factor e, and where the errors are larger than that, they take its place.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from dominion_agents.trained.inputs import Layout
from dominion_env.actions import NUM_ACTIONS
from dominion_env.core.fields import OBSERVATION_VERSION, observation_size
from dominion_env.errors import InvalidOption
from dominion_training.learner.translate import translated
from dominion_training.learner.update import Batch

TEMPERATURE = 0.02  # share of the win
COLUMNS = ("observation", "observation_version", "players", "mask", "actions", "values", "errors", "games")


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
            table = pl.read_parquet(path, columns=list(COLUMNS))
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
            | (pl.col("actions").list.len() == 0)
        )
        if len(table) == 0 or len(wrong):
            raise InvalidOption(
                f"{path}: expected labels of observation version {OBSERVATION_VERSION} for {layout.num_players} players, "
                f"{size} numbers each, got {len(wrong):,} others among {len(table):,}"
            )
        observations = np.array(table["observation"].to_list()).astype(np.float32)
        masks = np.array(table["mask"].to_list()).astype(np.bool_)
        wanted, shares = np.zeros((len(table), NUM_ACTIONS), np.float32), np.zeros(len(table), np.float32)
        for row, (actions, values, errors) in enumerate(table.select("actions", "values", "errors").iter_rows()):
            worth, chosen = np.array(values, np.float64), np.array(actions, np.int64)
            if (
                not np.isfinite(worth).all()
                or chosen.min() < 0
                or chosen.max() >= NUM_ACTIONS
                or not masks[row, chosen].all()
            ):
                raise InvalidOption(f"{path}: row {row}: expected legal actions and finite values, got others")
            step = max(TEMPERATURE, float(np.nan_to_num(np.array(errors, np.float64)).mean()))
            odds = np.exp((worth - worth.max()) / step)
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
