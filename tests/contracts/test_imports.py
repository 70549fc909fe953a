"""Imports point one way: the contracts of pyproject.toml, which `make lint` checks too, hold and can fail."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = {"dominion_env": ".", "dominion_agents": "agents", "dominion_training": "training"}


def broken_contracts(root: Path) -> list[str]:
    """Return the output lines that name a broken contract of the project in this folder."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(str(root / folder) for folder in PACKAGES.values())}
    check = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
    done = subprocess.run([sys.executable, "-c", check], cwd=root, env=environment, capture_output=True, text=True)
    lines = done.stdout.splitlines()
    assert any("Contracts:" in line for line in lines), done.stdout + done.stderr
    assert done.returncode == (0 if any("0 broken" in line for line in lines) else 1)
    return [line for line in lines if line.endswith("BROKEN")]


@pytest.mark.slow
def test_imports_point_one_way():
    assert broken_contracts(ROOT) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("importer", "imported"),
    [
        ("dominion_env/rules/zones.py", "dominion_env.core.batch"),
        ("dominion_env/core/batch.py", "dominion_env.views.learner"),
        ("dominion_env/views/sb3.py", "dominion_agents"),
        ("dominion_env/rules/streams.py", "dominion_env.rules.turn"),
        ("agents/dominion_agents/buy_list.py", "dominion_agents.notation"),
        ("training/dominion_training/evaluate/match.py", "dominion_training.evaluate.benchmark"),
    ],
)
def test_an_import_in_the_wrong_direction_breaks_a_contract(importer: str, imported: str, tmp_path: Path):
    shutil.copy2(ROOT / "pyproject.toml", tmp_path)
    for package, folder in PACKAGES.items():
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder / package, tmp_path / folder / package, ignore=ignored)
    file = tmp_path / importer
    file.write_text(f"{file.read_text()}\n\ndef hidden() -> None:\n    import {imported}\n")
    assert broken_contracts(tmp_path)
