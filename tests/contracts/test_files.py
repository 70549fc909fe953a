"""Files of each form are read in one way, with a byte order mark or without, and JSON is written in one way."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from pathlib import Path

import numpy as np
import pytest

from dominion_agents.choosing.by_kingdom import ByKingdom, written
from dominion_agents.strategies.strategy import Strategy
from dominion_app.play.table import load, read_position
from dominion_env import Game, InvalidReplay
from dominion_env.common.files import decoded, parse_json, read_json, to_json

PACKAGES = [
    Path(each)
    for each in ("dominion_env", "agents/dominion_agents", "training/dominion_training", "training/dominion_app")
]  # of a checkout, where tests run
# What is JSON within another file, or goes between our own processes.
INSIDE = {"files.py", "evolved.py", "rankings.py", "header.py",
          "saved_model.py", "checkpoint.py", "records.py", "folders.py", "store.py",
          "worker.py", "workers.py"}  # fmt: skip


def with_mark(path: Path, text: str, encoding: str) -> Path:
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_each_reader_passes_over_a_byte_order_mark(encoding, tmp_path):
    game, lists = Game(seed=3), Strategy.parse("Gold; Silver", "mine")
    saved = with_mark(tmp_path / "game.json", to_json(game.replay()), encoding)
    assert load(saved).game.replay() == game.replay()
    position = with_mark(tmp_path / "position.json", to_json(game.to_dict()), encoding)
    assert read_position(position) == game.to_dict()
    assert Strategy.read(with_mark(tmp_path / "mine.strategy", "Gold\r\nSilver\r\n", encoding)) == lists
    assert not ByKingdom.read(with_mark(tmp_path / "lists.json", written([]), encoding)).strategies


def test_settings_and_uploads_pass_over_it_too(tmp_path):
    settings = pytest.importorskip("dominion_training.learner.options.settings")
    link = pytest.importorskip("dominion_app.web.house.link")
    (tmp_path / "mine.yaml").write_bytes(BOM_UTF8 + b"seed: 5\n")
    assert settings.read_settings(tmp_path / "mine.yaml").seed == 5
    assert link.parse(BOM_UTF8 + b"[1]") == link.parse("\ufeff[1]") == [1]


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe\x00", b"[" * 100_000, b"\x80"])
def test_what_is_no_json_is_told_in_words(content, tmp_path):
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(InvalidReplay, match="file: expected a replay as JSON, got something else: "):
        read_json(tmp_path / "file", "a replay", InvalidReplay)


def test_line_ends_are_those_of_python():
    assert decoded(b"a\r\nb\rc") == "a\nb\nc"


def test_json_that_is_written_holds_nothing_that_strict_parsers_refuse():
    values = {"elo": float("-inf"), "more": [np.float32("nan"), np.array([1.5, np.inf])], 3: np.int64(4)}
    text = to_json(values)
    assert text == '{"elo": null, "more": [null, [1.5, null]], "3": 4}'
    assert parse_json(text)["3"] == 4


@pytest.mark.prose
def test_no_other_code_reads_or_writes_json():
    found = set()
    for package in PACKAGES:
        for file in package.rglob("*.py"):
            text = file.read_text(encoding="utf-8")
            calls = re.findall(r"json\.loads?\(|(?:write_text|write_atomically|print|content)\(.*json\.dumps\(", text)
            if calls and file.name not in INSIDE:
                found.add(file.name)
    assert not found
