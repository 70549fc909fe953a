"""Parts of data sets that are played on a machine that does not reach their folder: the same files, byte by byte."""

from __future__ import annotations

import polars as pl
import pytest

from dominion_env import DominionError
from dominion_training.research.collect.data import Collection, packed, unpacked


def part_of(folder):
    work = Collection(("big-money",), games=4, options={"auto_treasures": True})
    (part,) = work.parts(folder)
    return part


@pytest.mark.compiled
def test_what_a_node_sends_is_what_would_be_written_here(tmp_path):
    part = part_of(tmp_path / "here")
    written, sent = part.play(), part.away().play()
    assert part.away().is_whole(sent)
    assert unpacked(sent) == {
        name: (rows, part.file(name).read_bytes())
        for name, rows in zip(written["table"].tolist(), written["rows"].tolist(), strict=True)
    }
    there = part_of(tmp_path / "there")
    assert (there.brought(sent) == written).all()
    assert there.is_whole(written)


def test_tables_travel_in_their_order():
    files = {"games": (3, b"one"), "players": (6, b""), "events": (0, b"three")}
    assert list(unpacked(packed(files)).items()) == list(files.items())


def test_a_node_with_another_polars_is_told(tmp_path, monkeypatch):
    away = part_of(tmp_path).away()
    monkeypatch.setattr(pl, "__version__", "0.1")
    with pytest.raises(DominionError, match=r"node \S+ would write other files: polars 0\.1 there, \d.* here"):
        away.play()
