"""Modules of dominion_training import each other one way, and only the commands know the command line."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import dominion_training

ROOT = Path(dominion_training.__file__).parent
MODULES = {
    ".".join(file.relative_to(ROOT.parent).with_suffix("").parts).removesuffix(".__init__"): file
    for file in ROOT.rglob("*.py")
}
COMMAND_LINES = ("tyro", "argparse")
KNOW_THE_COMMAND_LINE = (
    "dominion_training.learner.command",
    "dominion_training.evolve.command",
    "dominion_training.exploit.command",
    "dominion_training.research.collecting",
    "dominion_training.research.studying",
    "dominion_training.review.command",
    "dominion_training.web.command",
)


def imported(file: Path) -> set[str]:
    """Return the names of everything a file imports, also inside of functions and for type checkers only."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            found |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
    return found


def test_no_imports_go_in_a_circle():
    needs = {module: (imported(file) & MODULES.keys()) - {module} for module, file in MODULES.items()}
    assert len(list(TopologicalSorter(needs).static_order())) == len(MODULES)  # a circle raises CycleError


def test_what_compares_agents_knows_no_command_line():
    knowing = {module for module, file in MODULES.items() if imported(file) & set(COMMAND_LINES)}
    assert {module for module in knowing if not module.startswith("dominion_training.evaluate.commands.")} == set(
        KNOW_THE_COMMAND_LINE
    )
