"""The time until the first step, compiled or loaded from the cache, and the memory that a game needs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from dominion_env.rules.record.state import GAME

WARM_RUNS = 3

# It prints the CPU seconds of its process since it began.
CHILD = """
import json, logging, time
logging.getLogger("dominion_env").setLevel("ERROR")  # compiling is measured here
from dominion_env import GameBatch
imported = time.process_time()
batch = GameBatch(1)
batch.step(batch.sample_actions())
batch.observe()
print(json.dumps([imported, time.process_time()]))
"""


@dataclass(frozen=True)
class Start:
    """CPU seconds of a new Python process.

    Attributes:
        imported: time until `dominion_env` is imported.
        cold: time until the first step and observation, with an empty cache.
        warm: the same time with a full cache.
        cache_bytes: size of the cache on disk.
        record_bytes: size of a game's record, by the seats that it has room for.
    """

    imported: float
    cold: float
    warm: float
    cache_bytes: int
    record_bytes: dict[int, int]


def measure_start() -> Start:
    """Start Python once with an empty cache (that takes about a minute), and some times more with a full one."""
    with tempfile.TemporaryDirectory() as cache:
        _, cold = _child(cache)
        warm = [_child(cache) for _ in range(WARM_RUNS)]
        size = sum(path.stat().st_size for path in Path(cache).rglob("*") if path.is_file())
    return Start(
        imported=median(imported for imported, _ in warm),
        cold=cold,
        warm=median(first for _, first in warm),
        cache_bytes=size,
        record_bytes={seats: record.itemsize for seats, record in GAME.items()},
    )


def _child(cache: str) -> tuple[float, float]:
    """Return the times of the import and of the first step in a child that finds modules where this process does."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache, "PYTHONPATH": os.pathsep.join(sys.path)}
    out = subprocess.run(
        [sys.executable, "-P", "-c", CHILD], env=environment, stdout=subprocess.PIPE, text=True, check=True
    )
    imported, first = json.loads(out.stdout)
    return imported, first
