"""Parts on a Ray cluster: the same games as on one machine, whatever happens to the nodes."""

from __future__ import annotations

import errno
import json
import pickle
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import ray
from ray import exceptions

from dominion_agents.own_code.adapters import FunctionAgent
from dominion_env import DominionError, InvalidAgent, InvalidOption, register_agent
from dominion_training.evaluate import matches as work
from dominion_training.evaluate.matches import Match, MatchPart
from dominion_training.executors.cluster import executor, node, tasks
from dominion_training.executors.cluster.executor import Cluster
from dominion_training.executors.cluster.versions import versions_here
from dominion_training.executors.folder import Folder
from dominion_training.executors.runner import run_parts
from dominion_training.play import roster
from tests.cluster.waiting import a_node_lost, wait_until
from tests.training.evaluate.players import BIG_MONEY, LAZY, MODULE
from tests.validation.experiments import OpeningHands
from tests.validation.trials import Trial

pytestmark = pytest.mark.filterwarnings("default")  # what Ray warns of is Ray's

OPTIONS = {"auto_treasures": True}
MATCH = Match(LAZY, "random", options=OPTIONS)


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr(work, "SETS_PER_PART", 10)


def games(parts, workers=1, folder=None):
    return [games for _, games in run_parts(parts, workers, folder)]


def same(one, other):
    return len(one) == len(other) and all((a == b).all() for a, b in zip(one, other, strict=True))


def test_games_are_the_same_on_one_machine_and_on_one_node_and_on_three(nodes):
    parts = [*MATCH.parts(120), *Trial(OpeningHands(), 3).parts(20_000)]
    alone = games(parts)
    assert same(games(parts, Cluster(nodes.address)), alone)
    nodes.add()
    nodes.add()
    assert same(games(parts, Cluster(nodes.address)), alone)


def test_agents_travel_as_they_are(nodes, tmp_path, forgotten_agents):
    """A file is not read on a node, and an agent that was registered here alone plays there."""
    register_agent("mine", lambda: FunctionAgent(lambda o, m, k: BIG_MONEY.act(o, m, k)))
    file = tmp_path / "mine.strategy"
    file.write_text("Province; Gold; Silver")
    parts = Match("mine", str(file), options=OPTIONS).parts(40)
    alone = games(parts)
    started = Cluster(nodes.address).start(parts)
    file.unlink()
    for number, part in enumerate(parts):
        started.begin(number, part)
    found = {}
    while len(found) < len(parts):
        found.update(started.finished())
    started.stop()
    assert same([found[number] for number in range(len(parts))], alone)


def test_a_node_that_is_killed_costs_its_running_parts_only(nodes, watched, monkeypatch):
    started, start = [], Cluster.start
    monkeypatch.setattr(Cluster, "start", lambda self, parts: started.append(start(self, parts)) or started[-1])
    parts = Match(watched.spec, "random", options=OPTIONS | {"max_turns": 6}).parts(800)
    alone = games(parts)
    with a_node_lost(nodes, watched):
        found = games(parts, Cluster(nodes.address))
    assert same(found, alone)
    lost = started[0]._lost.total()
    assert 1 <= lost <= 2, "what the node was playing, and perhaps what it had just finished"


def test_an_error_is_that_of_one_machine_and_what_was_played_before_is_kept(nodes, tmp_path):
    good = MATCH.parts(60)
    bad = MatchPart(replace(MATCH, first=f"{MODULE}:explodes_late", second="big-money"), 0, 10)
    folder = Folder(tmp_path / "kept", [MATCH, bad.work])
    seen = []
    with pytest.raises(InvalidAgent, match=r"agent .*:explodes_late: raised RuntimeError: out of ideas"):
        seen.extend(part for part, _ in run_parts([*good, bad], Cluster(nodes.address), folder))
    assert seen == good
    assert all(folder.load(part) is not None for part in good)


def test_a_part_that_kills_its_processes_is_given_up(nodes, monkeypatch):
    monkeypatch.setattr(tasks, "LIVES", 2)
    parts = replace(MATCH, first=f"{MODULE}:dies").parts(20)
    with pytest.raises(
        DominionError, match=r"2 processes that played the same part are gone, as they have died.*are kept"
    ):
        games(parts, Cluster(nodes.address))


def test_a_node_with_another_version_is_told(nodes, monkeypatch):
    ours = versions_here() | {"numba": "0.0.1"}
    monkeypatch.setattr(tasks, "versions_here", lambda: ours)
    with pytest.raises(DominionError, match=r"node .* would play other games: numba .* there, 0\.0\.1 here"):
        games(MATCH.parts(20), Cluster(nodes.address))


def test_a_node_without_this_package_is_told(monkeypatch):
    travelling = pickle.loads(ray.cloudpickle.dumps(tasks._traveller()))
    monkeypatch.setitem(sys.modules, "dominion_training.executors.cluster.node", None)
    said = travelling(b"", {}, {}, 1)
    assert "expected the version of dominion_env that is installed here, got an error" in said


@dataclass(frozen=True)
class Exhausting:
    """A part that fails for want of something, if it does."""

    error: BaseException | None
    work: Match = MATCH
    start: int = 0
    stop: int = 10

    def play(self, stopping=None):
        if self.error is not None:
            raise self.error
        return np.zeros(3)


def pickled(*parts):
    return ray.cloudpickle.dumps(list(parts))


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (MemoryError(), r"node \S+ has too little memory; finished parts are kept"),
        (OSError(errno.ENOSPC, "No space left"), r"node \S+ has no space left on its disk; finished parts are kept"),
        (ModuleNotFoundError("No module named 'sklearn'", name="sklearn"), r"node \S+ lacks the module sklearn"),
    ],
)
def test_a_node_that_lacks_something_is_told(error, words):
    with pytest.raises(DominionError, match=words):
        node.play_parts(pickled(Exhausting(error)), {}, versions_here(), 1)


def test_a_node_plays_until_a_part_fails_or_the_time_is_over():
    good, bad = Exhausting(None), Exhausting(MemoryError())
    play = partial(node.play_parts, agents={}, versions=versions_here())
    assert len(play(pickled(good, good, good), seconds=60)[0]) == 3
    assert len(play(pickled(good, good, good), seconds=0)[0]) == 1
    assert len(play(pickled(good, good, bad, good), seconds=60)[0]) == 2


def test_other_errors_of_a_part_stay_what_they_are():
    with pytest.raises(PermissionError):
        node.play_parts(pickled(Exhausting(PermissionError(errno.EACCES, "no"))), {}, versions_here(), 1)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (exceptions.OutOfMemoryError("killed"), "their nodes had too little memory"),
        (exceptions.OutOfDiskError("full"), "their nodes had no space left on the disk"),
        (exceptions.WorkerCrashedError(), "they have died"),
    ],
)
def test_why_parts_were_lost_is_told(error, words):
    assert words in str(tasks._given_up(error))


def test_an_agent_that_can_not_travel_is_told(forgotten_agents):
    lock = threading.Lock()
    register_agent("mine", lambda: FunctionAgent(lambda o, m, k: lock))
    roster.HERE.renew("mine")
    with pytest.raises(InvalidAgent, match=r"agent mine: it can't travel .* TypeError: .*lock.*without --cluster"):
        executor._packed("mine")


@pytest.mark.parametrize("spec", ["planner:1ms", "text:tests.training.evaluate.speakers:money"])
def test_an_agent_that_does_not_repeat_itself_is_refused(spec):
    with pytest.raises(InvalidOption, match=f"{spec}: expected an agent that answers alike each time"):
        Cluster().start(Match(spec, "random").parts(2))


@pytest.mark.parametrize("address", ["", "here", "host:", ":6379", "host:port", "ray://host:10001"])
def test_what_is_no_address_is_told(address):
    with pytest.raises(InvalidOption, match="cluster: expected auto or HOST:PORT of the head, got "):
        Cluster(address)


def test_an_address_without_a_cluster_is_told():
    with pytest.raises(DominionError, match=r"cluster 127\.0\.0\.1:1: expected a Ray cluster, got no answer"):
        games(MATCH.parts(20), Cluster("127.0.0.1:1"))


def refused(why):
    """Return what Ray raises where the head does not let it in."""
    error = ConnectionError("Failed to connect to Ray cluster at 192.0.2.2:6379")
    error.__cause__ = RuntimeError(f"Failed to connect to GCS. Last connection error: {why}")
    return error


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (
            ConnectionError("Could not find any running Ray instance."),
            "cluster auto: expected a Ray cluster, got no answer",
        ),
        (RuntimeError("Version mismatch:\n  Ray: 2.9.3"), "cluster auto: Ray says: Version mismatch: Ray: 2.9.3"),
        (
            refused("Unauthenticated: RPC error: InvalidAuthToken: Authentication token is missing or incorrect"),
            "cluster auto: it asks for Ray's token; set RAY_AUTH_MODE=token",
        ),
    ],
)
def test_a_cluster_that_can_not_be_joined_is_told(error, words, monkeypatch):
    def init(**_):
        raise error

    monkeypatch.setattr(ray, "init", init)
    with pytest.raises(DominionError, match=words):
        games(MATCH.parts(20), Cluster())


PARTS = 16


def command(agent, out, *where):
    return [
        sys.executable, "-m", "dominion_app.cli", "compare", agent, "random", "--games", str(PARTS * 2 * 500),
        "--max-turns", "4", "--seed", "0", "--out", str(out), *where,
    ]  # fmt: skip


def test_ctrl_c_ends_what_it_started_and_nothing_else_and_the_same_command_goes_on(nodes, watched, tmp_path):
    ray.init(address=nodes.address, log_to_driver=False)
    out, straight = tmp_path / "out", tmp_path / "straight"
    try:
        other = ray.remote(num_cpus=0)(lambda: time.sleep(3600)).remote()
        watched.be_slow()
        process = subprocess.Popen(
            command(watched.spec, out, "--cluster", nodes.address),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        wait_until(lambda: list(out.glob("parts/*.npy")) or process.poll() is not None)
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=30)
        assert process.returncode == 130, said
        assert "Interrupted" in said
        kept = {file.name: file.stat().st_mtime_ns for file in out.glob("parts/*.npy")}
        assert 1 <= len(kept) < PARTS
        wait_until(lambda: not any(runs(pid) for pid in watched.processes), 20)
        assert not ray.wait([other], timeout=1)[0], "a task of somebody else"
    finally:
        ray.shutdown()
    watched.be_fast()
    subprocess.run(command(watched.spec, out, "--cluster", nodes.address), check=True, capture_output=True)
    assert {name: (out / "parts" / name).stat().st_mtime_ns for name in kept} == kept
    subprocess.run(command(watched.spec, straight, "--workers", "1"), check=True, capture_output=True)
    assert results(out) == results(straight)


def test_when_the_head_is_killed_the_same_command_goes_on(nodes, watched, tmp_path):
    """The last test of this cluster."""
    out, straight = tmp_path / "out", tmp_path / "straight"
    watched.be_slow()
    process = subprocess.Popen(
        command(watched.spec, out, "--cluster", nodes.address),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    wait_until(lambda: list(out.glob("parts/*.npy")) or process.poll() is not None)
    nodes.lose_head()
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 1, said
    assert "the head of the cluster" in said
    assert "is gone; finished parts are kept, so the same command goes on" in " ".join(said.split())
    watched.be_fast()
    kept = {file.name: file.stat().st_mtime_ns for file in out.glob("parts/*.npy")}
    assert 1 <= len(kept) < PARTS
    subprocess.run(command(watched.spec, out, "--workers", "1"), check=True, capture_output=True)
    assert {name: (out / "parts" / name).stat().st_mtime_ns for name in kept} == kept
    subprocess.run(command(watched.spec, straight, "--workers", "1"), check=True, capture_output=True)
    assert results(out) == results(straight)


def results(folder):
    return json.loads((folder / "result.json").read_text()) | {"command": ""}


def runs(pid):
    return Path(f"/proc/{pid}").exists()
