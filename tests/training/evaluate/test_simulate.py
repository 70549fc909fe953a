"""The simulation of a cluster: by hand where nothing is drawn, and its laws where something is."""

from __future__ import annotations

import pytest

from dominion_env import InvalidOption
from dominion_training.evaluate.cluster.simulate import Plan, _Node, forecast, main

CALM = Plan(parts=640, seconds=10, spread=0, cores=4, start=5, failures=0, task=0, part=0)


def seconds(found):
    return 3600 * found.hours


@pytest.mark.parametrize("nodes", [1, 2, 16])
def test_without_chance_and_costs_each_core_plays_its_share(nodes):
    found = forecast(CALM, nodes)
    assert seconds(found) == pytest.approx(5 + 640 * 10 / (4 * nodes))
    assert 3600 * found.paid == pytest.approx(seconds(found) * 4 * nodes)
    assert found.used == pytest.approx(640 * 10 / (3600 * found.paid))
    assert found.lost == found.sending == 0


def test_the_process_that_sends_bounds_the_speed():
    plan = Plan(parts=6400, seconds=0.1, spread=0, cores=4, start=0, failures=0, task=0.01, part=0.002)
    assert plan.together == 5
    least = 6400 / 5 * 0.01 + 6400 * 0.002
    found = forecast(plan, 1000)
    assert least <= seconds(found) < 1.1 * least
    assert found.sending > 0.9


def test_parts_that_are_lost_are_played_again():
    plan = Plan(parts=2000, seconds=60, cores=4, failures=2, away=300)
    calm, stormy = (forecast(each, 10) for each in (Plan(parts=2000, seconds=60, cores=4, failures=0), plan))
    assert calm.lost == 0 < stormy.lost
    assert stormy.hours > calm.hours
    assert stormy.used * stormy.paid == pytest.approx(calm.used * calm.paid)
    assert stormy.used + stormy.lost / stormy.paid < 1
    assert forecast(plan, 10) == stormy


def test_all_cores_of_a_node_fail_together_and_it_comes_back(monkeypatch):
    monkeypatch.setattr(_Node, "_time_to_failure", lambda self: 100.0)
    node = _Node(Plan(start=5, away=20, failures=1), None)
    assert node.up(0) == (0, 105)
    assert node.up(104) == (104, 105)
    assert node.up(105) == (130, 230)
    assert node.up(129) == (130, 230)
    assert node.up(200) == (200, 230)
    assert node.up(231) == (255, 355)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--parts", "0"], "--parts: expected a finite number from 1, got 0"),
        (["--seconds", "-1"], "--seconds: expected a finite number from 0, got -1"),
        (["--seconds", "0"], "--seconds: expected a number above 0, got 0"),
        (["--away", "inf"], "--away: expected a finite number from 0, got inf"),
        (["--nodes", "0"], "--nodes: expected numbers from 1, got 0"),
        (
            ["--failures", "3600", "--seconds", "2"],
            "--failures: expected nodes that outlive a task of 2 seconds, got one",
        ),
    ],
)
def test_bad_numbers_are_told(arguments, words):
    with pytest.raises(InvalidOption, match=words):
        main(arguments)


def test_the_command_shows_a_table_and_draws(tmp_path, capsys):
    picture = tmp_path / "scale.png"
    given = ["--parts", "500", "--nodes", "1", "10", "--also", "0.1", "--picture", str(picture)]
    assert main(given) == 0
    assert "core-hours" in capsys.readouterr().out
    assert picture.read_bytes().startswith(b"\x89PNG")
