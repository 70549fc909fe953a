"""Labels as a table in a Parquet file, which `dominion train --teacher FILE` clones, and as numbers that sum them up."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from dominion_env.actions import NUM_ACTIONS
from dominion_env.core.fields import OBSERVATION_VERSION
from dominion_training.labelling.plans import Plans
from dominion_training.labelling.work import Labels
from dominion_training.records import put_in_place

LISTS = ("actions", "values", "errors", "errors_to_best", "games")


def labels_frame(labels: Labels, plans: Plans, num_players: int) -> pl.DataFrame:
    """Return labels as a table.

    Its columns are those that `dominion_training.learner.labels` tells of, and `error`, the standard error of the difference of
    the two best actions; `plan`, the strategy that goes on in the playouts; and `index` and `decision`, the index of the
    game's address and the number of decisions made in the game before.
    """
    number = (labels["actions"] >= 0).sum(axis=1)
    written = np.arange(labels["actions"].shape[1]) < number[:, None]
    row = np.repeat(np.arange(len(labels)), number)
    lists = pl.DataFrame({"row": row} | {name: np.ascontiguousarray(labels[name])[written] for name in LISTS})
    masks = np.unpackbits(labels["mask"], axis=1, count=NUM_ACTIONS).astype(np.bool_)
    names = [plan.name or plan.one_line() for plan in plans.portfolio.plans]
    table = pl.DataFrame(
        {
            "observation": pl.Series(np.ascontiguousarray(labels["observation"])).arr.to_list(),
            "observation_version": np.full(len(labels), OBSERVATION_VERSION),
            "players": np.full(len(labels), num_players),
            "mask": pl.Series(masks).arr.to_list(),
        }
    )
    ragged = lists.group_by("row", maintain_order=True).agg(pl.all()).drop("row")
    single = pl.DataFrame(
        {name: np.ascontiguousarray(labels[name]) for name in ("error", "usual", "index", "decision")}
    )
    return pl.concat([table, ragged, single], how="horizontal").with_columns(
        plan=pl.Series([names[plan] for plan in labels["plan"].tolist()])
    )


def write_labels(path: Path, tables: list[pl.DataFrame]) -> None:
    """Write labels as one Parquet file.

    Raises:
        DominionError: the file can't be written.
    """
    with put_in_place(path) as aside:
        pl.concat(tables).write_parquet(aside, compression="zstd")


@dataclass
class Totals:
    """What labels come to, added up over parts.

    Attributes:
        labels: number of labels.
        games: number of games that were played out for them.
        error: sum of the standard errors of the difference of the two best actions.
        beyond: number of labels whose error is larger than was asked for.
        unusual: number of labels whose best action is another than the plan's own.
        seconds: CPU seconds that they took, before an interruption too.
    """

    labels: int = 0
    games: int = 0
    error: float = 0.0
    beyond: int = 0
    unusual: int = 0
    seconds: float = 0.0

    @property
    def rate(self) -> float:
        """Labels per CPU second."""
        return self.labels / max(self.seconds, 1e-9)

    def add(self, labels: Labels, asked: float) -> None:
        """Add the labels of a part, for which a standard error was asked for."""
        at = labels["actions"] >= 0
        best = np.where(at & (labels["errors_to_best"] == 0), labels["values"], -1).argmax(axis=1)
        self.labels += len(labels)
        self.seconds += float(labels["seconds"].sum())
        self.games += int(labels["games"].sum())
        self.error += float(labels["error"].sum())
        self.beyond += int((labels["error"] > asked).sum())
        self.unusual += int((labels["actions"][np.arange(len(labels)), best] != labels["usual"]).sum())
