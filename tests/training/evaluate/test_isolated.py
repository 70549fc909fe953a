"""An isolated agent plays as it does elsewhere, in a process that has nothing of the games."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from dominion_app.cli import main
from dominion_env import InvalidAgent, make_agent
from dominion_training.evaluate.match import play_match
from dominion_training.play.entrants import ISOLATED, fingerprint, make_entrant
from dominion_training.play.isolated import end_all

pytestmark = pytest.mark.compiled

OPTIONS = {"auto_treasures": True}
AGENT = """
import gc, os
from pathlib import Path

from dominion_env import GameBatch, InvalidKingdom, make_agent

PLAYER = make_agent("big-money-duchy")


class Agent:
    observation, fields = PLAYER.observation, PLAYER.fields

    def act(self, observations, masks, keys):
        print("what an agent prints is no answer")
        Path("pid").write_text(str(os.getpid()))
        mode = Path("mode").read_text()
        if mode == "look" and any(isinstance(each, GameBatch) for each in gc.get_objects()):
            raise RuntimeError("there is a batch")
        if mode == "raise":
            raise ValueError("no idea")
        if mode == "kingdom":
            raise InvalidKingdom("row 0: expected a Chapel")
        if mode == "floats":
            return masks.argmax(axis=1) * 1.0
        if mode == "die":
            os._exit(1)
        return PLAYER.act(observations, masks, keys)
"""


@pytest.fixture(autouse=True)
def ended():
    yield
    end_all()


@pytest.mark.slow
def test_an_isolated_agent_plays_alike_with_nothing_of_the_games_in_its_process(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(AGENT)
    Path("mode").write_text("look")
    before = set(sys.modules)
    agent, other = make_entrant(f"{ISOLATED}./mine.py:Agent"), make_agent("big-money")
    apart = play_match(agent, other, 100, 5, **OPTIONS)
    assert (apart.games == play_match(make_agent("big-money-duchy"), other, 100, 5, **OPTIONS).games).all()
    assert int(Path("pid").read_text()) != os.getpid()
    assert not any("dominion_agent_" in name for name in set(sys.modules) - before)  # nor is its code loaded here
    assert fingerprint(f"{ISOLATED}./mine.py:Agent") == fingerprint("./mine.py:Agent")
    for mode, told in (
        ("raise", r"agent first: raised ValueError: no idea \(.*mine.py, line \d+\) when asked in game \d+: player_"),
        ("kingdom", r"^agent first: expected a Chapel \(in game \S+\)$"),
        ("floats", r"expected ints of shape \(\d+,\), got float64"),
        ("die", "the process of the agent has ended"),
    ):
        Path("mode").write_text(mode)
        with pytest.raises(InvalidAgent, match=told):
            play_match(agent, other, 10, 5, **OPTIONS)


@pytest.mark.slow
def test_an_agent_that_needs_the_games_is_refused_in_words():
    with pytest.raises(InvalidAgent, match="agent planner:50: expected an agent that chooses from observations alone"):
        make_entrant(f"{ISOLATED}planner:50")


@pytest.mark.slow
def test_compare_isolates_both_agents_in_each_of_its_processes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = []
    for more in (["--isolated", "--workers", "2"], ["--workers", "1"]):
        call = ["compare", "big-money-duchy", "big-money", "--games", "1200", "--seed", "4"]
        assert main([*call, "--json", "found.json", *more]) == 0
        found.append(json.loads(Path("found.json").read_text()))
    assert found[0]["first"] == "isolated:big-money-duchy"
    assert found[0]["set_scores"] == found[1]["set_scores"]
