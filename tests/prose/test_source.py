"""What the source text of the project promises: documented names, helps in lines, one place that asks agents."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from pathlib import Path

import pytest

import dominion_env
from dominion_app.cli import COMMANDS, main

ROOT = Path(__file__).parents[2]


def test_agents_are_asked_in_one_place() -> None:
    """Only `agent.ask` calls `act` and `decide`; so do agents that are made of others, the process of an isolated agent, and
    what compiles them."""
    found = set()
    for folder in ("dominion_env", "training/dominion_training", "training/dominion_app"):
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and getattr(node.func, "attr", None) in ("act", "decide"):
                    found.add(path.relative_to(ROOT).as_posix())
    assert found == {
        "dominion_env/players/agent.py",
        "training/dominion_app/compiling.py",
        "training/dominion_training/play/isolated_process.py",
    }


def test_all_public_functions_and_classes_are_documented() -> None:
    for name in dominion_env.__all__:
        thing = getattr(dominion_env, name)
        if inspect.isclass(thing) or inspect.isfunction(thing):
            assert (thing.__doc__ or "").strip(), name
        if inspect.isclass(thing):
            for part, value in vars(thing).items():
                if not part.startswith("_") and (
                    inspect.isfunction(value) or isinstance(value, property | classmethod)
                ):
                    assert (inspect.getdoc(value) or "").strip(), f"{name}.{part}"


@pytest.mark.parametrize("command", COMMANDS)
def test_each_example_in_a_help_has_a_line_of_its_own(command: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        main([command, "--help"])
    module = importlib.import_module(COMMANDS[command].module)
    examples = [
        line.strip() for line in (module.__doc__ or "").splitlines() if re.match(r" *(dominion|python -m) ", line)
    ]
    told = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert set(examples) <= set(told)
    assert examples or command not in ("play", "watch", "replay", "speed")


# Turns of phrase that a native reader stumbles over, with what to write instead.
MANNERISMS = {
    r"\bso many\b(?! \w+ \w+ that)": "the number by its name, such as `cards`",
    r"\bstands? for\b": "means, is",
    r"\btells (how|what|which|where|whether|if|when)\b": "says, shows, explains",
    r"\b(has|have|had) \d+(\.\d+)?% against\b": "scores 55% against",
    r"\bof above\b": "name the thing",
    r"\b(is|are) told (how|what|which|where|that)\b": "reads, is given",
}


def test_prose_has_no_mannerisms():
    paths = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "training" / "README.md"]
    for folder in ("dominion_env", "agents", "training", "tools", "examples", "docs"):
        paths += (ROOT / folder).rglob("*.py")
    found = []
    for path in paths:
        if path.name == "CHANGELOG.md":
            continue
        text = " ".join(re.sub(r"^\s*#", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE).split())
        for mannerism, instead in MANNERISMS.items():
            found += [
                f"{path.relative_to(ROOT)}: {match[0]!r}: write {instead}"
                for match in re.finditer(mannerism, text, re.IGNORECASE)
            ]
    assert found == []
