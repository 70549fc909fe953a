"""Collections are played, kept, and opened as data sets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from dominion_training.common.folders import folder_for_work
from dominion_training.common.records import write_atomically, write_json
from dominion_training.executors.executor import Executor
from dominion_training.executors.folder import Folder
from dominion_training.executors.runner import run_parts
from dominion_training.research.collect.data import RECORD, Collection, DataSet, open_data, record_of_data
from dominion_training.research.collect.sheet import SHEET, sheet


def gather(
    work: Collection,
    path: Path,
    workers: int | Executor,
    made: Callable[[], dict[str, Any]],
    advance: Callable[[int], None],
) -> DataSet:
    """Play the games of a collection that are missing, and return the finished data set.

    Args:
        work: what is to be collected.
        path: folder of the data set.
        workers: number of processes of this machine, or what else plays the parts.
        made: function that returns command, versions and fingerprints, for `data.json`.
        advance: function that is called with the number of games that are there.

    Raises:
        InvalidAgent: an agent can't be made, or failed.
        ResultsMismatch: the folder holds another collection.
        DominionError: an option is wrong, or a file can't be written.
    """
    work.check()
    parts = work.parts(path, made()["command"])  # which makes the agents, before there is a folder
    with folder_for_work(path, "results"):
        folder, written = Folder(path, [work]), []
        for part, digests in run_parts(parts, workers, folder):
            written.append((part, digests))
            advance(part.stop)
        record = record_of_data(work, written, made())
        write_atomically(path / SHEET, sheet(record))
        write_json(path / RECORD, record)
        return open_data(path)
