"""Labels: decisions with what each action was found to be worth, from a Parquet file, to be cloned.

A file has a row for each decision, with these columns:

- `observation`, a list of float32, and `observation_version`; `players`, the number of players; `mask`, a list of booleans,
  one per action;
- `actions`, `values`, `errors`, `games`: lists of equal length with each action that was tried, the share of the win that
  it led to, the standard error of that share, and the number of games that it comes from;
- `errors_to_best`, which may be missing: the standard error of the difference of each value to the best one. If the actions
  were tried in the same worlds it can't be computed from `errors`;
- `usual`, which may be missing too: the action of the policy that the values are measured with.

The clone learns probabilities that grow with an action's value. An action that is worse than the best by `TEMPERATURE` is
less likely than that by the factor e. Where the standard error of the difference is larger, it takes the place of
`TEMPERATURE`; without `errors_to_best` it is taken to be the mean of `errors`.

Of several actions that are worth the same some look better than the others by chance, and a clone that believes them all
forgets the policy. So where `usual` is there, how much better an action is than the usual one is not taken as measured:
before the measurement it is expected to be `EXPECTED`, give or take `SPREAD`, and both are weighed by their errors. The
temperature then is `TEMPERATURE` alone.
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
EXPECTED, SPREAD = -0.03, 0.03  # share of the win by which an action is better than the usual one, and its deviation
COLUMNS = ("observation", "observation_version", "players", "mask", "actions", "values", "errors", "games")
DIFFERENCES, USUAL = "errors_to_best", "usual"  # columns that may be missing


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
            there = pl.read_parquet_schema(path)
            more = [name for name in (DIFFERENCES, USUAL) if name in there]
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
            | (
                pl.lit(False)
                if DIFFERENCES not in more
                else pl.col("actions").list.len() != pl.col(DIFFERENCES).list.len()
            )
            | (pl.lit(False) if USUAL not in more else ~pl.col("actions").list.contains(pl.col(USUAL)))
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
        lists = ("actions", "values", "errors", *more)
        for row, read in enumerate(table.select(lists).iter_rows()):
            given = dict(zip(lists, read, strict=True))
            actions, values = given["actions"], given["values"]
            worth, chosen = np.array(values, np.float64), np.array(actions, np.int64)
            if (
                not np.isfinite(worth).all()
                or chosen.min() < 0
                or chosen.max() >= NUM_ACTIONS
                or not masks[row, chosen].all()
            ):
                raise InvalidOption(f"{path}: row {row}: expected legal actions and finite values, got others")
            errors = np.nan_to_num(np.array(given.get(DIFFERENCES, given["errors"]), np.float64))
            if DIFFERENCES not in given:
                errors[:] = errors.mean()
            odds = _odds(worth, errors) if USUAL not in given else _weighed(worth, errors, actions.index(given[USUAL]))
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


def _odds(values: NDArray[np.float64], errors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how likely each action shall be beside the best one, which gets 1.

    Args:
        values: share of the win of each action.
        errors: standard error of the difference of each to the best.
    """
    odds: NDArray[np.float64] = np.exp((values - values.max()) / np.maximum(TEMPERATURE, errors))
    return odds


def _weighed(values: NDArray[np.float64], errors: NDArray[np.float64], usual: int) -> NDArray[np.float64]:
    """Return how likely each action shall be beside the likeliest, which gets 1, if the one at this place is the usual one.

    The error of an action's difference to the usual one is not known. It is taken to be the larger one of both their errors.
    """
    measured, expected = np.maximum(errors, errors[usual]) ** 2, SPREAD**2
    better = ((values - values[usual]) * expected + EXPECTED * measured) / (expected + measured)
    better[usual] = 0
    odds: NDArray[np.float64] = np.exp((better - better.max()) / TEMPERATURE)
    return odds
