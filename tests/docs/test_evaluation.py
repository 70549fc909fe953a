"""The examples and commands of docs/evaluation.md run."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from dominion_app.cli import main

PAGE = (Path(__file__).parents[2] / "docs" / "evaluation.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
COMMANDS = re.findall(r"^dominion (.*)$", "\n".join(re.findall(r"```console\n(.*?)```", PAGE, flags=re.DOTALL)), re.M)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_an_example_runs(number: int):
    exec(compile(EXAMPLES[number], f"docs/evaluation.md example {number + 1}", "exec"), {})


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_runs(command: str, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name, *rest = shlex.split(command)
    few = {
        "validate": ["--games", "200", "--workers", "1"],
        "exploit": ["--measured", "20"],
        "loss": ["--games", "2", "--playouts", "60", "--max-turns", "4", "--workers", "1"],
    }
    assert main([name, *rest, *few.get(name, ["--games", "20", "--workers", "1"])]) == 0


def test_every_command_has_an_example():
    names = {"compare", "benchmark", "baselines", "loss", "exploit", "validate"}
    assert {command.split()[0] for command in COMMANDS} == names
    assert len(EXAMPLES) == 4
