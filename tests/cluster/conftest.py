"""A small Ray cluster, and an agent whose play can be watched."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from dominion_env import make_agent

MEMORY = 80 * 1024 * 1024  # bytes of a node's store; Ray asks for 75 MB at least

if find_spec("ray") is None:
    assert not os.environ.get("CLUSTER_REQUIRED"), "ray is not installed: make cluster does that"
    collect_ignore_glob = ["test_*.py"]


class Nodes:
    """A cluster of this machine: a head and other nodes, of one core each.

    Args:
        num_nodes: number of nodes, the head among them.
    """

    def __init__(self, num_nodes: int = 1) -> None:
        from ray.cluster_utils import Cluster

        # All that Ray writes; a short path, as it holds sockets. "auto" of others does not find this cluster.
        self._folder = Path(tempfile.mkdtemp(prefix="ray", dir="/tmp"))
        (self._folder / "ray").mkdir()
        os.environ["RAY_TMPDIR"] = str(self._folder)
        head = {"num_cpus": 1, "object_store_memory": MEMORY, "include_dashboard": False}
        self._cluster = Cluster(initialize_head=True, head_node_args=head)
        self.others: list[Any] = []
        for _ in range(num_nodes - 1):
            self.add()

    @property
    def address(self) -> str:
        """HOST:PORT of the head."""
        return str(self._cluster.address)

    def add(self) -> None:
        """Let one more node join."""
        self.others.append(self._cluster.add_node(num_cpus=1, object_store_memory=MEMORY))

    def started(self, processes: set[int]) -> Any | None:
        """Return a node, other than the head, that has started one of these processes, or None."""
        return next((node for node in self.others if processes & _started_by(node)), None)

    def lose(self, node: Any) -> None:
        """Kill a node that has joined with all its processes at once, as if its machine had lost its power."""
        self.others.remove(node)
        _kill({_raylet(node), *_started_by(node)})
        self._cluster.remove_node(node, allow_graceful=False)

    def lose_head(self) -> None:
        """Kill the head."""
        started = _started_by(self._cluster.head_node)
        self._cluster.head_node.kill_all_processes(check_alive=False, allow_graceful=False)
        _kill(started)

    def end(self) -> None:
        """End all that is left."""
        started = {pid for node in self._cluster.list_all_nodes() for pid in _started_by(node)}
        self._cluster.shutdown()
        _kill(started)
        shutil.rmtree(self._folder, ignore_errors=True)
        del os.environ["RAY_TMPDIR"]


def _raylet(node: Any) -> int:
    return int(node.all_processes["raylet"][0].process.pid)


def _started_by(node: Any) -> set[int]:
    if "raylet" not in node.all_processes:
        return set()
    try:
        tasks = list(Path(f"/proc/{_raylet(node)}/task").iterdir())
        return {int(pid) for task in tasks for pid in (task / "children").read_text().split()}
    except (FileNotFoundError, ProcessLookupError):
        return set()


def _kill(processes: set[int]) -> None:
    for pid in processes:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


@pytest.fixture(scope="module")
def nodes() -> Iterator[Nodes]:
    """Return a cluster of one node for the tests of a file, which may add others."""
    found = Nodes()
    yield found
    found.end()


class Watched:
    """An agent in a file of its own that plays as Big Money; each process that it plays in leaves a file.

    Args:
        folder: folder of its files.
    """

    def __init__(self, folder: Path) -> None:
        self._file, self._slow, self._seen = folder / "watched.py", folder / "slow", folder / "seen"
        self._seen.mkdir()
        self._file.write_text(
            "import os, time\n"
            "from pathlib import Path\n"
            "from dominion_env import make_agent\n"
            'BIG_MONEY = make_agent("big-money")\n'
            "def act(observations, masks, keys):\n"
            f"    Path({str(self._seen)!r}, str(os.getpid())).touch()\n"
            f"    time.sleep(0.1 if os.path.exists({str(self._slow)!r}) else 0)\n"
            "    return BIG_MONEY.act(observations, masks, keys)\n"
        )
        self.spec = f"{self._file}:act"

    def agent(self) -> Any:
        """Return the agent as an object that does not come from its file, and travels with its code."""
        from dominion_agents.own_code.adapters import FunctionAgent

        seen, slow, big_money = self._seen, self._slow, make_agent("big-money")

        def act(observations: Any, masks: Any, keys: Any) -> Any:
            import os
            import time

            (seen / str(os.getpid())).touch()
            time.sleep(0.1 if slow.exists() else 0)
            return big_money.act(observations, masks, keys)

        return FunctionAgent(act)

    def be_slow(self, once: Path | None = None) -> None:
        """Take a tenth of a second for each answer, from now on or as soon as there is this file."""
        if once is None:
            self._slow.touch()
        else:
            self._slow.symlink_to(once)

    def be_fast(self) -> None:
        """Take no time."""
        self._slow.unlink()

    @property
    def processes(self) -> set[int]:
        """Numbers of the processes in which it has played."""
        return {int(file.name) for file in self._seen.iterdir()}


@pytest.fixture
def watched(tmp_path: Path) -> Watched:
    """Return the agent."""
    return Watched(tmp_path)
