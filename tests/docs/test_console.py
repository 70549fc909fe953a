"""Every console line of every page is one that its program takes: its options, and the names and files in it.

Lines that begin with `dominion` or `python -m` are read by the program's own parser, which is stopped before anything is
done. Then the agents, kingdoms and files that they name must be there.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import tyro

from dominion_agents.own_code.loading import is_text, place
from dominion_app import cli
from dominion_env.common.errors import DominionError
from dominion_env.tables.kingdoms import resolve
from dominion_training.play.entrants import make_entrant

PROJECT = Path(__file__).parents[2]
PAGES = [
    *(PROJECT / name for name in ("README.md", "CONTRIBUTING.md", "training/README.md", "agents/README.md")),
    *sorted((PROJECT / "docs").rglob("*.md")),
    *sorted((PROJECT / "notebooks").glob("*.ipynb")),
]
# Files that readers have or make themselves. What runs leave lies in `$run` and below these folders.
OWN_FILES = {"game.json", "position.json", "my.yaml", "my_agent.py", "my_model.zip", "teacher.json",
             "teacher.py", "model.safetensors"}  # fmt: skip
OWN_FOLDERS = ("$run/", "runs/", "results/", "leagues/")
# Options by the kind of what they name. Others that are files are written.
AGENTS = {"first", "second", "agent", "agents", "by", "against", "start", "opponents", "anchors", "teacher",
          "start_from"}  # fmt: skip
KINGDOMS = {"kingdom"}
FILES = {"position", "data", "preset"}
FILE = {"replay", "review"}  # commands whose argument is a saved game
NO_NAMES = {"agent", "scratch", "auto", "lists", "learner"}  # words that stand where a name can stand

_COMMAND = re.compile(r"(?:\$ )?(?:\.venv/bin/)?(dominion |python3? -m )")
_PLACEHOLDER = re.compile(r"[A-Z][A-Z0-9_]*(:[A-Z]+)?$")  # NAME, HOST:PORT: what the reader puts in
_WEIGHT = re.compile(r"=[\d._]+$")


class Line(NamedTuple):
    """A console line, and the number of the line of its page on which it begins."""

    number: int
    text: str


class Parsed(BaseException):
    """Stops a program when its arguments have been read."""

    def __init__(self, options: Any) -> None:
        self.options = options


def console_lines(page: str) -> Iterator[Line]:
    """Yield the commands in the blocks of a page that hold no Python, each with what continues it.

    One that is abbreviated by "..." is left out.
    """
    language: str | None = None  # of the block that is open
    lines = iter(enumerate(page.splitlines(), start=1))
    for number, line in lines:
        if fence := re.match(r" *```(\w*)", line):
            language = fence[1] if language is None else None
        elif (language not in (None, "python") or line.startswith("    ")) and _COMMAND.match(line.strip()):
            text = line.strip().removeprefix("$ ").removeprefix(".venv/bin/")
            while text.endswith("\\"):
                text = f"{text[:-1]} {next(lines)[1].strip()}"
            if "..." not in text:
                yield Line(number, text)


def text_of(file: Path) -> str:
    """Return a page, or the Markdown of a notebook."""
    text = file.read_text(encoding="utf-8")
    if file.suffix != ".ipynb":
        return text
    cells = json.loads(text)["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


def words_of(line: str) -> list[str]:
    """Return the words of a command, without comments, and what the shell does with its output."""
    words = shlex.split(line, comments=True)
    ends = [place for place, word in enumerate(words) if re.match(r"\d?>|[|;]$|&&$", word)]
    return words[: min(ends, default=None)]


def options_of(run: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Call a program, and return what its parser makes of its arguments; nothing else is done."""
    parse, read = tyro.cli, argparse.ArgumentParser.parse_args

    def stop_tyro(*arguments: Any, **options: Any) -> None:
        raise Parsed(parse(*arguments, **options))

    def stop_argparse(*arguments: Any, **options: Any) -> None:
        raise Parsed(read(*arguments, **options))

    with monkeypatch.context() as patch:
        patch.setattr(tyro, "cli", stop_tyro)
        patch.setattr(argparse.ArgumentParser, "parse_args", stop_argparse)
        try:
            run()
        except Parsed as parsed:
            return parsed.options
        raise AssertionError("the arguments were not read")


def names_in(options: Any) -> Iterator[tuple[str, str]]:
    """Yield all words of options by the names of these, those of groups too."""
    for name, value in vars(options).items():
        if isinstance(value, str | Path):
            yield name, str(value)
        elif isinstance(value, tuple | list):
            yield from ((name, str(each)) for each in value)
        elif hasattr(value, "__dict__"):
            yield from names_in(value)


def is_of_the_reader(name: str) -> bool:
    """Whether this is a placeholder, or a file that readers have or make."""
    file = name.rpartition(":")[0] or name  # an attribute of a file of theirs
    return bool(_PLACEHOLDER.match(name)) or file in OWN_FILES or name.startswith(OWN_FOLDERS)


@cache
def check_agent(name: str) -> None:
    """Raise the error of an agent that there is not."""
    make_entrant(name)


def check_names(options: Any, command: str) -> None:
    """Raise an error if an agent, kingdom or file is not there."""
    for option, name in names_in(options):
        if name in NO_NAMES or is_of_the_reader(_WEIGHT.sub("", name)):
            continue
        if option in KINGDOMS:
            kingdom = _WEIGHT.sub("", name)
            if "+" not in kingdom or ":" in kingdom:  # else cards of kingdoms
                resolve(kingdom)
        elif option in AGENTS and is_text(name):  # it may need keys
            assert (PROJECT / place(name)[0]).exists(), f"there is no {name}"
        elif option in AGENTS and (command, option) != ("exploit", "by"):
            check_agent(_WEIGHT.sub("", name))
        elif (option in FILES and "." in name) or (option == "file" and command in FILE):
            assert (PROJECT / name).exists(), f"there is no {name}"


def check(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Raise an error that says what is wrong with a console line."""
    words = words_of(line)
    if words[0] == "dominion":
        command, given = words[1], words[2:]
        if "--resume" in given:  # the run is the reader's
            place = given.index("--resume")
            del given[place : place + 2]
        assert command in cli.COMMANDS or command.startswith("-"), f"there is no command {command}"
        if command in cli.COMMANDS:
            main = import_module(cli.COMMANDS[command].module).main
            check_names(options_of(lambda: main(given), monkeypatch), command)
        return
    module, given = words[2], words[3:]
    if module == "pytest":
        missing = [name for name in given if not name.startswith("-") and not (PROJECT / name).exists()]
        assert not missing, f"there is no {missing[0]}"
        return
    found = find_spec(f"{module}.__main__" if (PROJECT / module.replace(".", "/")).is_dir() else module)
    assert found is not None, f"there is no module {module}"
    assert found.origin is not None
    if re.search(r"tyro\.cli|\.parse_args", Path(found.origin).read_text(encoding="utf-8")):
        monkeypatch.setattr(sys, "argv", [module, *given])
        main = import_module(found.name).main
        check_names(options_of(lambda: main(), monkeypatch), module)


def faults(name: str, page: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return what is wrong on a page: the page, the line, the command, and what its program says."""
    found = []
    for number, text in console_lines(page):
        capsys.readouterr()
        try:
            check(text, monkeypatch)
        except (AssertionError, DominionError) as error:
            found.append(f"{name}:{number}: {text}: {error}")
        except SystemExit:
            said = " ".join(capsys.readouterr().err.split())
            found.append(f"{name}:{number}: {text}: {said}")
    return found


def with_lines(pages: Sequence[Path]) -> list[Path]:
    """Return the pages that have console lines."""
    return [page for page in pages if next(console_lines(text_of(page)), None)]


@pytest.mark.parametrize("page", with_lines(PAGES), ids=lambda page: str(page.relative_to(PROJECT)))
def test_the_console_lines_of_a_page_are_right(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    Path("my.yaml").write_text("samples: 1_000_000\n")  # the one file of the reader's that is read for the options
    wrong = faults(str(page.relative_to(PROJECT)), text_of(page), monkeypatch, capsys)
    assert not wrong, "\n" + "\n".join(wrong)


def test_the_lines_of_readme_are_found():
    lines = [line.text for line in console_lines(text_of(PROJECT / "README.md"))]
    assert {shlex.split(line)[1] for line in lines} >= {"play", "train", "compare", "exploit"}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("dominion compare $run/model.safetensors big-money-market-festival --games 2000", "is no agent"),
        ("$ dominion compare big-money random --game 2000", "game"),
        ("dominion compare big-money random --kingdom first-game", "no kingdom"),
        ("dominion train --preset quik", "preset"),
        ("dominion train --opponents first-gam=2", "is no agent"),
        ("dominion train --kingdom first-game-2e \\\n    --samples many", "samples"),
        ("dominion replay gane.json", "there is no gane.json"),
        ("dominion benhmark big-money", "there is no command benhmark"),
        ("python -m dominion_training.nothing --games 3", "there is no module"),
        ("python -m dominion_app.play.draw a.png --decision 143", "decision"),
        ("python -m pytest tests/test_nothing.py", "there is no tests/test_nothing.py"),
        (".venv/bin/dominion watch big-money randon --plain | less", "is no agent"),
    ],
)
def test_a_line_that_is_wrong_is_found_with_its_page_and_line(
    line: str, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    page = f"# Page\n\n```console\ndominion play big-money\n{line}\n```\n"
    [found] = faults("page.md", page, monkeypatch, capsys)
    assert found.startswith("page.md:5: ")
    assert said in found
