"""Lists for many kingdoms: the file that they are written into, and that the work goes on where it was."""

from __future__ import annotations

import json

import pytest

from dominion_agents.evolved import TRAIN_FILE, read_evolved
from dominion_agents.strategy import Strategy
from dominion_training.evolve import evolve, many
from dominion_training.records import read_lines

pytestmark = pytest.mark.usefixtures("small")


def kept(place, score, text="guard: on; Province; Gold; Silver"):
    return {
        "place": place, "budget": 5000, "seed": 3, "list": text, "games": 4000, "score": score, "low": score - 0.03,
        "high": score + 0.03,
    }  # fmt: skip


def test_the_file_holds_what_scores_enough_in_the_order_of_the_kingdoms():
    text = many.text(
        [kept(30, 0.65, "Gold; Silver"), kept(30, 0.7), kept(4, 0.55), kept(5, 0.54), kept(30, 0.6, "Gold; Copper")]
    )
    assert list(read_evolved(text)) == ["evolved-train:4", "evolved-train:30"]
    assert read_evolved(text)["evolved-train:30"] == Strategy.parse(
        "name: evolved-train:30; source: dominion evolve; players: 2; guard: on; Province; Gold; Silver"
    )
    assert "# dominion evolve --kingdom train:30 --games 5000 --seed 3: 70.0% (67.0% to 73.0%)\n" in text
    with_a_heart = many.text([kept(4, 0.6) | {"heart": ["Village", "Smithy"]}])
    assert "# dominion evolve --kingdom train:4 --games 5000 --seed 3 --heart Village,Smithy: 60.0% (" in with_a_heart


def test_the_projects_file_is_what_the_command_writes():
    head = many.HEAD.format(measured="1,000", least="55%")
    assert TRAIN_FILE.read_text(encoding="utf-8").startswith(head + "\n\n# dominion evolve --kingdom train:")


@pytest.mark.compiled
def test_it_evolves_what_is_missing_and_measures_it(tmp_path, monkeypatch):
    monkeypatch.setattr(many, "MEASURED", 4)
    monkeypatch.setattr(many, "LEAST", 0.0)
    keep, out = tmp_path / "kept.jsonl", tmp_path / "lists.txt"
    keep.write_text(json.dumps(kept(7, 0.9)) + "\n" + json.dumps(kept(8, 0.9))[:40])  # its second line was cut off
    many.main(["--places", "7", "--games", "5000", "--seed", "3", "--keep", str(keep), "--out", str(out)])
    assert list(read_evolved(out.read_text())) == ["evolved-train:7"]  # known, and not evolved again
    many.main(["--places", "9", "--games", "2000", "--keep", str(keep), "--out", str(out)])
    found = {each["place"]: each for each in read_lines(keep)}
    assert found[7] == kept(7, 0.9)
    assert set(found) == {7, 9}
    assert set(read_evolved(out.read_text())) == {"evolved-train:7", "evolved-train:9"}
    alone = evolve.evolve("train:9", games=2000, seed=0, measured=4)
    assert (found[9]["list"], found[9]["games"]) == (alone.strategy.one_line(), alone.games)


def test_a_heart_must_be_in_each_kingdom_and_is_evolved_beside_what_has_none(tmp_path, capsys, monkeypatch):
    keep, out = tmp_path / "kept.jsonl", tmp_path / "lists.txt"
    keep.write_text(json.dumps(kept(61, 0.9)) + "\n")
    asked = ["--games", "5000", "--seed", "3", "--keep", str(keep), "--out", str(out), "--heart", "Village", "Smithy"]
    with pytest.raises(SystemExit):
        many.main(["--places", "61", "2", *asked])
    assert "--heart: expected two of" in capsys.readouterr().err
    found = []
    monkeypatch.setattr(many, "found_for", lambda place, **given: found.append((place, given)) or kept(place, 0.95))
    many.main(["--places", "61", *asked])
    assert found == [(61, {"games": 5000, "seed": 3, "heart": ["Village", "Smithy"]})]


def test_places_that_are_not_in_the_split_are_refused(tmp_path, capsys):
    with pytest.raises(SystemExit):
        many.main(["--places", "1000", "--keep", str(tmp_path / "kept.jsonl")])
    assert "--places: expected numbers from 0 to 999, got [1000]" in capsys.readouterr().err
    assert not (tmp_path / "kept.jsonl").exists()
