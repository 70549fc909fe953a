"""`dominion evolve`, as it is called."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from dominion_agents import Strategy
from dominion_app.cli import main
from dominion_env.common.errors import DominionError, InvalidKingdom, InvalidOption, ResultsMismatch
from dominion_training.evolve import evolution, evolve
from dominion_training.lists.arena import Arena

FEW = ["--games", "2000", "--measured", "4"]
CALL = ["evolve", "--kingdom", "first-game-2e", *FEW]
pytestmark = pytest.mark.usefixtures("small")


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")


def result_of(folder: Path) -> dict:
    return {
        name: value
        for name, value in json.loads((folder / "result.json").read_text()).items()
        if name not in ("command", "seconds", "enemy_seconds", "versions")
    }


@pytest.mark.compiled
def test_it_ends_with_a_list_its_lineage_its_matches_and_its_worst_enemy(capsys):
    assert main([*CALL, "--json", "found.json"]) == 0
    told = capsys.readouterr().out
    [folder] = Path("results").iterdir()
    found = json.loads((folder / "result.json").read_text())
    assert found == json.loads(Path("found.json").read_text())
    assert found["command"] == "dominion " + " ".join([*CALL, "--json", "found.json"])
    assert 0 < found["games"] <= 2000
    assert 0 < found["enemy_games"] <= 2000
    assert len(set(found["seeds"].values())) == 3
    assert {"smithy-optimised", "first-game", "big-money"} <= set(found["matches"])
    assert "double-witch" not in found["matches"]
    for name, match in found["matches"].items():
        assert match["games"] == 4
        assert name in told
    assert list(found["matches"].values()) == sorted(found["matches"].values(), key=lambda match: match["score"])
    strategy = Strategy.read(folder / "evolved.strategy")
    assert Strategy.parse(found["strategy"] + ";").rules == strategy.rules
    assert found["lineage"][-1]["strategy"] == found["strategy"]
    assert all(str(rule) in told for rule in strategy.rules)
    assert "Its worst enemy" in told
    assert (
        f"seed {found['seeds']['measuring']}; the evolution played those of seed {found['seeds']['evolving']}" in told
    )
    assert (folder / "lineage.png").read_bytes().startswith(b"\x89PNG")
    assert b"<svg" in (folder / "lineage.svg").read_bytes()
    assert (folder / "lineage.md").read_text().count("\n") == 2 + len(found["lineage"])


@pytest.mark.slow
@pytest.mark.compiled
def test_ctrl_c_keeps_the_evolution_which_goes_on_to_the_same_end(monkeypatch, capsys):
    assert main([*CALL, "--out", "straight"]) == 0
    generations, attacks = [], []
    following, attacking = evolution.Evolution.next_state, evolve.climbs.next_state

    def interrupted(self, state):
        generations.append(state.generation)
        if len(generations) == 3:
            raise KeyboardInterrupt
        return following(self, state)

    def interrupted_too(state, *given):
        attacks.append(state.games)
        if len(attacks) == 3:
            raise KeyboardInterrupt
        return attacking(state, *given)

    monkeypatch.setattr(evolution.Evolution, "next_state", interrupted)
    monkeypatch.setattr(evolve.climbs, "next_state", interrupted_too)
    for number in range(2):
        assert main([*CALL, "--out", "stopped", "--workers", str(number + 1)]) == 130
        told = capsys.readouterr().out
        assert "Interrupted. What was evolved in stopped is kept: the same command goes on from there." in told
    assert main([*CALL, "--out", "stopped"]) == 0
    assert generations[:4] == [0, 1, 2, 2]
    assert attacks[3] == attacks[2] > 0
    assert result_of(Path("stopped")) == result_of(Path("straight"))


@pytest.mark.slow
@pytest.mark.compiled
def test_with_a_larger_budget_it_evolves_on_and_seeks_the_enemy_of_the_new_list():
    larger = [*CALL, "--games", "5000"]
    assert main([*larger, "--out", "straight"]) == 0
    assert main([*CALL, "--out", "grown"]) == 0
    first = result_of(Path("grown"))
    assert main([*larger, "--out", "grown"]) == 0
    grown = result_of(Path("grown"))
    assert grown == result_of(Path("straight"))
    assert grown["strategy"] != first["strategy"]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (["--kingdom", "atlantis", *FEW], "no kingdom is named 'atlantis'"),
        (["--kingdom", "random", *FEW], "kingdom: expected one set of ten cards"),
        (["--games", "0"], "games: expected a whole number from"),
        (["--games", "50"], "which the first generation takes, got 50"),
        (["--minutes", "0"], "minutes: expected a finite number above 0, got 0"),
        (["--minutes", "nan"], "minutes: expected a finite number above 0, got nan"),
        (["--seed", "-1", *FEW], "seed: expected a whole number from 0 to"),
        (["--workers", "0", *FEW], "workers: expected a whole number from 1"),
        (["--games", "2000", "--measured", "5"], "games: expected a multiple of 2"),
        (["--heart", "Village", *FEW], "heart: expected two of Cellar, Market, Merchant"),
        (["--heart", "Village,Witch", *FEW], "got ['Village', 'Witch']"),
        (["--json", "gone/x.json", *FEW], "--json: expected a file in a folder that can be written to"),
        (["--out", __file__, *FEW], "can't hold a search"),
    ],
)
def test_a_wrong_call_is_explained_before_anything_is_played(call, said, capsys, monkeypatch):
    monkeypatch.setattr(Arena, "play", lambda *given: pytest.fail("games were played"))
    assert main(["evolve", *call]) == 1
    assert said in capsys.readouterr().err


@pytest.mark.compiled
def test_a_heart_is_kept_with_the_evolution(tmp_path):
    evolve.evolve("first-game-2e", games=2000, measured=2, folder=tmp_path, heart=["Village", "Smithy"])
    with pytest.raises(ResultsMismatch, match=r"heart .*Smithy.* there, .* here"):
        evolve.evolve("first-game-2e", games=2000, folder=tmp_path, heart=["Village", "Market"])
    with pytest.raises(ResultsMismatch, match="heart"):
        evolve.evolve("first-game-2e", games=2000, folder=tmp_path)


@pytest.mark.slow
@pytest.mark.compiled
def test_a_heart_goes_on_in_either_order_of_its_cards(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for heart in ("Smithy,Village", "village, smithy"):
        assert main(["evolve", "--heart", heart, "--games", "2000", "--measured", "2"]) == 0
    assert len([*(tmp_path / "results").iterdir()]) == 1


def test_without_a_budget_nothing_evolves():
    with pytest.raises(InvalidOption, match="budget: expected games or minutes, got none"):
        evolve.evolve("first-game-2e")
    with pytest.raises(InvalidKingdom):
        evolve.evolve("atlantis", games=2000)


def one_generation(folder, seed=0):
    def stop(progress):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evolve.evolve("first-game-2e", games=2000, seed=seed, folder=folder, progress=stop)


@pytest.mark.compiled
def test_a_damaged_file_and_that_of_another_evolution_are_refused(tmp_path):
    one_generation(tmp_path)
    kept = tmp_path / evolve.EVOLUTION
    whole = kept.read_text()
    with pytest.raises(ResultsMismatch, match=r"seed 0 there, 1 here.*Choose another folder, or remove it"):
        evolve.evolve("first-game-2e", games=2000, seed=1, folder=tmp_path)
    with pytest.raises(ResultsMismatch, match=r"kingdom .* there, .* here"):
        evolve.evolve("big-money-1e", games=2000, folder=tmp_path)
    for damaged in (whole[: len(whole) // 2], whole.replace("Province", "Duchy", 1), "[]", "{}"):
        kept.write_text(damaged)
        with pytest.raises(ResultsMismatch, match="is damaged and holds no search"):
            evolve.evolve("first-game-2e", games=2000, folder=tmp_path)


@pytest.mark.compiled
def test_on_a_full_disk_the_last_generation_stays(tmp_path, monkeypatch):
    one_generation(tmp_path)
    before = (tmp_path / evolve.EVOLUTION).read_bytes()

    def full(*given):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr(os, "fsync", full)
        with pytest.raises(DominionError, match="can't be written: No space left on device"):
            evolve.evolve("first-game-2e", games=2000, folder=tmp_path)
    assert (tmp_path / evolve.EVOLUTION).read_bytes() == before
    assert {path.name for path in tmp_path.iterdir()} == {evolve.EVOLUTION, "evolution.strategy"}


@pytest.mark.compiled
def test_a_bad_list_meets_an_enemy_that_beats_it(monkeypatch):
    bad = Strategy.parse("Copper; Estate")
    family = {0: evolution.Member(bad, "money"), 1: evolution.Member(bad, "simplified", (0,))}
    monkeypatch.setattr(evolve, "_champion", lambda state, arena: (1, family, 0))
    monkeypatch.setattr(evolve, "Evolved", lambda **found: found)
    state = evolution.EvolutionState(family=family)
    monkeypatch.setattr(evolve, "_evolved", lambda *given: state)
    found = evolve.evolve("first-game-2e", games=2000, measured=100)
    assert found["enemy_result"].score > 0.9
    assert found["matches"]["big-money"].score < 0.1
