"""Files of results are whole or not there, and nothing goes on from results of something else."""

from __future__ import annotations

from pathlib import Path

import pytest

from dominion_env.common.errors import DominionError, ResultsMismatch
from dominion_training.common.records import check_same, put_in_place, read_lines, told_command, write_atomically


def test_a_line_that_was_cut_off_goes_so_that_the_next_can_be_added(tmp_path):
    file = tmp_path / "lines"
    assert read_lines(file) == []
    file.write_text('{"a": 1}\n{"a": 2}\n{"a"')
    assert read_lines(file) == [{"a": 1}, {"a": 2}]
    with file.open("a") as stream:
        stream.write('{"a": 3}\n')
    assert read_lines(file) == [{"a": 1}, {"a": 2}, {"a": 3}]


@pytest.mark.parametrize("error", [OSError("no space left"), KeyboardInterrupt()])
def test_a_write_that_fails_leaves_the_file_as_it_was_and_nothing_beside_it(tmp_path, error):
    file = tmp_path / "results"
    write_atomically(file, "before")

    def write(aside: Path) -> None:
        aside.write_text("half")
        raise error

    with pytest.raises((DominionError, KeyboardInterrupt)), put_in_place(file) as aside:
        write(aside)
    assert [path.name for path in tmp_path.iterdir()] == ["results"]
    assert file.read_text() == "before"


def test_what_differs_is_named_unless_it_may_differ(tmp_path):
    theirs, ours = {"seed": 1, "games": 5}, {"seed": 2, "games": 6}
    with pytest.raises(ResultsMismatch, match="seed 1 there, 2 here"):
        check_same(tmp_path, "an attack", theirs, ours, {"games"})
    check_same(tmp_path, "an attack", theirs, ours | {"seed": 1}, {"games"})
    with pytest.raises(ResultsMismatch, match="players None there, 2 here"):
        check_same(tmp_path, "an attack", theirs, theirs | {"players": 2})


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("train --out /home/me/runs/a --seed 1", "train --seed 1"), ("train --out=/tmp/a --seed 1", "train --seed 1"),
        ("train --start-from /home/me/x.safetensors", "train --start-from x.safetensors"),
        ("train --start-from=~/x.safetensors", "train --start-from=x.safetensors"),
        ("train --opponents /a/b/x.safetensors=1 quick=2", "train --opponents x.safetensors=1 quick=2"),
        ("exploit mine/agent.py:act --kingdom random", "exploit mine/agent.py:act --kingdom random"),
    ],
)  # fmt: skip
def test_a_card_tells_the_command_without_places_of_this_machine(given, told):
    assert told_command(["dominion", *given.split()]) == f"dominion {told}"
