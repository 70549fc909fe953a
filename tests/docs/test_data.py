"""The examples and commands of docs/data.md run."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from dominion_app.cli import main

PAGE = (Path(__file__).parents[2] / "docs" / "data.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
COMMANDS = re.findall(r"^dominion (.*)$", "\n".join(re.findall(r"```console\n(.*?)```", PAGE, flags=re.DOTALL)), re.M)


@pytest.mark.compiled
def test_the_examples_run_one_after_the_other(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    for number, example in enumerate(EXAMPLES):
        exec(compile(example, f"docs/data.md example {number + 1}", "exec"), names)
    assert len(EXAMPLES) == 2
    assert len(names["tables"]) == 200


@pytest.mark.slow
def test_the_commands_run_one_after_the_other(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    few = {"collect": ["--games", "20"], "study": ["--games", "40", "--experiments", "2"]}
    assert {command.split()[0] for command in COMMANDS} == set(few)
    for command in COMMANDS:
        name, *rest = shlex.split(command)
        assert main([name, *rest, *few[name], "--workers", "1"]) == 0
