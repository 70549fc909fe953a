"""Searches for lists, and evolutions, on a Ray cluster: the same ones as on one machine."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from dataclasses import replace

import pytest

from dominion_app.cli import main
from dominion_env import DominionError, InvalidAgent
from dominion_training.evolve import evolution
from dominion_training.evolve.evolve import evolve
from dominion_training.executors.cluster.executor import Cluster
from dominion_training.executors.local import Local
from dominion_training.exploit import climb
from dominion_training.lists import against_agent, arena, climbs
from dominion_training.lists.arena import Arena
from tests.cluster.waiting import a_node_lost, wait_until
from tests.training.exploit.players import MODULE

pytestmark = pytest.mark.filterwarnings("default")  # what Ray warns of is Ray's

K = "first-game-2e"
FEW = {"games": 1500, "measured": 200, "seed": 3}


@pytest.fixture
def small_searches(monkeypatch):
    """Let the first round of a search take 768 games, in parts of a few."""
    monkeypatch.setattr(climbs, "PLAN", replace(climbs.PLAN, drawn=64, changed=16, patience=2))
    monkeypatch.setattr(against_agent, "GAMES_OF_A_PART", 40)
    monkeypatch.setattr(against_agent, "GAMES_OF_A_SEARCHER", 12)


@pytest.fixture
def small_evolutions(monkeypatch, small_searches):
    """Let an evolution be short, and nearly every call of the arena be sent in parts."""
    monkeypatch.setattr(evolution, "PLAN", replace(evolution.PLAN, drawn=48, changed=12, patience=1))
    for name, value in {"FOUNDERS": 3, "JOINING_SETS": 16, "HASTE": 100}.items():
        monkeypatch.setattr(evolution, name, value)
    monkeypatch.setattr(arena, "GAMES_OF_A_PART", 48)
    monkeypatch.setattr(arena, "WORTH_SENDING", 96)


def told(found):
    return found.summary() | {"seconds": 0.0}


def evolved(**more):
    found = evolve(K, games=4000, measured=40, seed=2, **more)
    return [found.strategy, found.before, found.enemy, found.enemy_result.summary(), found.games, found.enemy_games,
            found.generations, found.ancestors]  # fmt: skip


def test_a_search_finds_the_same_in_one_process_and_in_two_and_on_one_node_and_on_three(nodes, small_searches):
    alone = climb("big-money", K, **FEW)
    assert alone.games_searched > 768, "more than one round"
    assert told(climb("big-money", K, executor=Local(1), **FEW)) == told(alone)
    assert told(climb("big-money", K, executor=Local(2), **FEW)) == told(alone)
    assert told(climb("big-money", K, executor=Cluster(nodes.address), **FEW)) == told(alone)
    nodes.add()
    nodes.add()
    assert told(climb("big-money", K, executor=Cluster(nodes.address), **FEW)) == told(alone)
    assert told(climb("big-money", K, executor=Cluster(nodes.address), **FEW | {"seed": 4})) != told(alone)


def test_an_evolution_is_the_same_on_threads_and_on_one_node_and_on_three(nodes, small_evolutions, monkeypatch):
    alone, sent = evolved(), []
    monkeypatch.setattr(Arena, "_sent", lambda self, *given, own=Arena._sent: sent.append(given) or own(self, *given))
    assert evolved(workers=2) == alone
    assert not sent
    assert evolved(executor=Cluster(nodes.address)) == alone
    assert sent, "calls that are worth sending"
    nodes.add()
    assert evolved(executor=Cluster(nodes.address)) == alone
    assert evolved(executor=Local(2)) == alone


def test_a_node_that_is_killed_costs_its_running_parts_only(nodes, watched, small_searches):
    few = FEW | {"games": 800, "max_turns": 6}
    alone = climb(watched.spec, K, **few)
    with a_node_lost(nodes, watched):
        found = climb(watched.spec, K, executor=Cluster(nodes.address), **few)
    assert told(found) == told(alone)


@pytest.mark.parametrize("call", [["exploit", "big-money"], ["evolve"]])
def test_the_commands_do_as_they_do_on_one_machine(nodes, call, small_evolutions, tmp_path):
    given = [*call, "--games", "4000", "--measured", "40", "--seed", "2"]
    assert main([*given, "--out", str(tmp_path / "one")]) == 0
    assert main([*given, "--out", str(tmp_path / "nodes"), "--cluster", nodes.address]) == 0

    def result(name):
        text = (tmp_path / name / "result.json").read_text()
        return json.loads(text, object_hook=without_times)

    assert result("one") == result("nodes")


def without_times(values):
    return {name: value for name, value in values.items() if name not in ("seconds", "enemy_seconds", "command")}


def test_ctrl_c_ends_the_search_and_the_same_command_goes_on(nodes, watched, tmp_path):
    out, straight = tmp_path / "out", tmp_path / "straight"
    call = [
        sys.executable, "-m", "dominion_app.cli", "exploit", watched.spec, "--games", "6000", "--measured", "40", "--max-turns",
        "4", "--seed", "0", "--out",
    ]  # fmt: skip
    kept = out / "first-game-2e.json"
    watched.be_slow(once=kept)  # else the search could be over before it is interrupted
    process = subprocess.Popen(
        [*call, str(out), "--cluster", nodes.address], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    wait_until(lambda: kept.exists() or process.poll() is not None)
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert "is kept: the same command goes on from there" in " ".join(said.split())
    wait_until(lambda: not any(runs(pid) for pid in watched.processes), 20)
    watched.be_fast()
    subprocess.run([*call, str(out), "--workers", "2"], check=True, capture_output=True)
    subprocess.run([*call, str(straight)], check=True, capture_output=True)
    assert outcome(out) == outcome(straight)


def runs(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def outcome(folder):
    return json.loads((folder / "result.json").read_text(), object_hook=without_times)["kingdoms"]


def test_errors_are_those_of_one_machine(nodes, small_searches):
    with pytest.raises(InvalidAgent, match=rf"agent {MODULE}:explodes: raised RuntimeError: out of ideas"):
        climb(f"{MODULE}:explodes", K, executor=Cluster(nodes.address), **FEW)


@pytest.mark.parametrize("call", [["exploit", "big-money"], ["evolve"]])
def test_an_address_without_a_cluster_is_told(call, tmp_path, capsys):
    given = [*call, "--games", "100000", "--out", str(tmp_path / "out"), "--cluster"]
    assert main([*given, "127.0.0.1:1"]) == 1
    assert "cluster 127.0.0.1:1: expected a Ray cluster, got no answer" in " ".join(capsys.readouterr().err.split())
    assert main([*given, "here"]) == 2 or "expected auto or HOST:PORT" in capsys.readouterr().err
    with pytest.raises(DominionError):
        evolve(K, games=100_000, executor=Cluster("127.0.0.1:1"))
