"""The contracts of pyproject.toml on imports, which `lint-imports` checks, can fail."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = {
    "dominion_env": ".",
    "dominion_agents": "agents",
    "dominion_training": "training",
    "dominion_app": "training",
}


def broken_contracts(root: Path) -> list[str]:
    """Return the names of the broken contracts of the project in this folder."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(str(root / folder) for folder in PACKAGES.values())}
    check = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
    done = subprocess.run([sys.executable, "-c", check], cwd=root, env=environment, capture_output=True, text=True)
    lines = done.stdout.splitlines()
    assert any("Contracts:" in line for line in lines), done.stdout + done.stderr
    assert done.returncode == (0 if any("0 broken" in line for line in lines) else 1)
    return [line.partition(" BROKEN")[0] for line in lines if " BROKEN" in line]


WRONG = {
    "dominion_env/rules/zones.py": "dominion_env.core.batch",  # rooms
    "dominion_env/rules/record/streams.py": "dominion_env.rules.turns.turn",  # files of the rules
    "dominion_env/views/sb3.py": "dominion_agents",  # packages
    "training/dominion_app/review/command.py": "dominion_app.web.server",  # rooms of the programs for people
    "agents/dominion_agents/strategies/buy_list.py": "dominion_agents.strategies.notation",  # a circle
    "agents/dominion_agents/strategies/ways.py": "dominion_agents.trained.box",  # rooms of the agents
    "training/dominion_training/play/seeds.py": "dominion_training.learner.options.settings",  # rooms of the training
    "training/dominion_training/evaluate/nash.py": "dominion_training.evaluate.commands",  # rooms of evaluation
    "training/dominion_app/web/guarding/limits.py": "dominion_app.web.server",  # rooms of the browser table
    "training/dominion_training/learner/rollouts/samples.py": "dominion_training.learner.runs.run",  # ... of the learner
    "training/dominion_training/research/collect/tables.py": "dominion_training.research.reports",  # ... of research
    "training/dominion_training/evaluate/match.py": "argparse",  # the command line
}


def test_each_contract_is_broken_by_an_import_in_a_function(tmp_path: Path):
    shutil.copy2(ROOT / "pyproject.toml", tmp_path)
    for package, folder in PACKAGES.items():
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder / package, tmp_path / folder / package, ignore=ignored)
    for importer, imported in WRONG.items():
        file = tmp_path / importer
        file.write_text(f"{file.read_text()}\n\ndef hidden() -> None:\n    import {imported}\n")
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    assert broken_contracts(tmp_path) == [each["name"] for each in contracts]
