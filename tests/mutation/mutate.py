"""Put one fault at a time into a copy of the project and see which test notices.

    python -m tests.mutation.mutate [--only NAME] [--part I/N] [--minutes M] [--jobs 1] [--fresh]

A fault in the rules must fail a test of the rules or cards: the files that it names run first, then all others, and last the
tests of chance in the named files, which take long. A fault elsewhere must fail one of the tests that it names, or another
quick one in their files. Tests run interpreted, so that nothing must be compiled, but for faults that say otherwise. Those
share a cache, so that the core is compiled once. The first failure ends it, and every process has a time limit.

Results are kept in the file `--results`. A result is used again until the fault changes, or the test that caught it; the
result of a fault that survived, until any test that was tried changes. A change of the packages alone repeats nothing:
`--fresh` does. A run in parts, one after the other, covers the whole list: `--part 2/7` takes every seventh fault, from
the second on. With `--minutes` no fault is begun after that time, and those that were not checked are told.

The exit code is 0 if all faults that were checked are caught, 1 if one survived or has no place, 2 after Ctrl-C, 4 if the
call is wrong, and 5 if nothing was checked.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from enum import IntEnum
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NoReturn

from tqdm import tqdm

from dominion_env.rules.turns.generate import generate
from tests.mutation.fault import CARDS, Fault
from tests.mutation.faults import FAULTS

ROOT = Path(__file__).parent.parent.parent
OF_THE_RULES = ("tests/cards", "tests/rules")
COPIED = ("dominion_env", "agents", "training", "examples", "tools", "tests", "pyproject.toml", "README.md")
QUICK, NOT_SLOW, OF_CHANCE = "not compiled and not slow", "not slow", "compiled or slow"
FAILED = re.compile(r"^(?:FAILED|ERROR) (tests/.+?)(?: - .*)?$", re.MULTILINE)
NOTHING_RUN = 5  # pytest's exit code when a file has no such tests
NAMED, COMPILING, ALL, LONG = 300, 900, 1800, 3600  # seconds that a process may take

SURVIVED, LOST = "SURVIVED", "NO PLACE"
Result = dict[str, Any]


class Exit(IntEnum):
    """What the command returns, as pytest has it."""

    CAUGHT = 0
    SURVIVED = 1
    INTERRUPTED = 2
    USAGE = 4
    NOTHING = 5


class Tree:
    """A copy of the project to break, which is made when it is first needed."""

    def __init__(self, folder: Path) -> None:
        self.root = folder
        for name in COPIED if not folder.exists() else ():
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("*.nbi", "*.nbc"))
            elif source.exists():
                shutil.copy2(source, folder / name)

    def write(self, file: str, text: str) -> None:
        """Write this text to a file of a package with all that follows from it; what Python has compiled of it goes."""
        written = {file: text}
        (self.root / file).write_text(text, encoding="utf-8")
        if file.startswith(CARDS):
            package = self.root / "dominion_env"
            written |= {f"dominion_env/{name}": made for name, made in generate(package).items()}
        for name, each in written.items():
            path = self.root / name
            path.write_text(each, encoding="utf-8")
            Path(importlib.util.cache_from_source(str(path))).unlink(missing_ok=True)

    def failure(self, tests: Sequence[str], which: str, timeout: float, compiled: bool = False) -> str | None:
        """Return the first of these tests that fails, or None if all pass."""
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-rfE", "--tb=no", "-p", "no:cacheprovider"]
        settings = {
            "NUMBA_DISABLE_JIT": "0" if compiled else "1",
            "NUMBA_CACHE_DIR": str(self.root / ".numba"),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTHONPATH": os.pathsep.join(str(self.root / part) for part in ("", "agents", "training")),
            "COLUMNS": "1000",
        }
        try:
            done = subprocess.run(
                [*command, "-m", which, *tests],
                cwd=self.root,
                env={**os.environ, **settings},
                capture_output=True,
                text=True,
                timeout=timeout,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"no end within {timeout:.0f} s: {' '.join(tests[:2])}"
        if done.returncode in (0, NOTHING_RUN):
            return None
        found = FAILED.search(done.stdout)
        return found[1] if found else f"pytest stopped: {(done.stderr or done.stdout).strip().splitlines()[-1]}"


def stages(tree: Tree, fault: Fault) -> Iterator[tuple[list[str], str, float]]:
    """Yield the tests in the order in which they are run, with their marks and a time limit in seconds."""
    first = named_tests(fault.first)
    if not fault.of_the_rules:
        limit = COMPILING if fault.compiled else NAMED
        yield first, NOT_SLOW, limit
        files = sorted({name.partition("::")[0] for name in first} - {*first})
        if files:
            yield files, NOT_SLOW if fault.compiled else QUICK, limit
        return
    files = [path.relative_to(tree.root) for folder in OF_THE_RULES for path in (tree.root / folder).rglob("test_*.py")]
    others = sorted(str(file) for file in files if not any(file.is_relative_to(name) for name in first))
    if first:
        yield first, QUICK, NAMED
    yield others, QUICK, ALL
    if first:
        yield first, OF_CHANCE, LONG


def check(tree: Tree, fault: Fault) -> Result:
    """Put in this fault and run the tests until one notices."""
    right = (tree.root / fault.file).read_text(encoding="utf-8")
    begun = time.monotonic()
    if right.count(fault.old) != 1:
        return {"caught": LOST, "note": f"{fault.file} has its text {right.count(fault.old)} times", "seconds": 0.0}
    tree.write(fault.file, right.replace(fault.old, fault.new))
    caught: str | None = None
    try:
        for tests, which, timeout in stages(tree, fault):
            caught = tree.failure(tests, which, timeout, fault.compiled)
            if caught is not None:
                break
    finally:
        tree.write(fault.file, right)
    return {"caught": caught or SURVIVED, "seconds": round(time.monotonic() - begun, 1)}


def named_tests(names: Sequence[str]) -> list[str]:
    """Return the files, folders or tests that faults name.

    "cards/moat" is tests/cards/test_moat.py, and "cards/moat::it_is_kept" is test_it_is_kept in that file.
    """
    return [_named(name) for name in names]


def _named(name: str) -> str:
    path, _, test = name.partition("::")
    folder, _, file = path.rpartition("/")
    if (ROOT / "tests" / path).is_dir():
        return f"tests/{path}"
    return f"tests/{folder}/test_{file}.py" + (f"::test_{test}" if test else "")


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def fingerprint(fault: Fault, caught: str) -> str:
    """Return a hash of what a result depends on: the fault and the test that caught it, or all tests if none did."""
    named = ROOT / caught.partition("::")[0]
    if named.is_file():
        files = [named]
    else:
        first = [name.partition("::")[0] for name in named_tests(fault.first)]
        tried = {ROOT / name for name in (*(OF_THE_RULES if fault.of_the_rules else ()), *first)}
        files = sorted({path for each in tried for path in (each.rglob("*.py") if each.is_dir() else [each])})
    texts = (path.read_text(encoding="utf-8") for path in files)
    return _digest(fault.name, fault.file, fault.old, fault.new, str(fault.compiled), *texts)


def known(results: dict[str, Result], fault: Fault) -> bool:
    """Whether a kept result of this fault still holds."""
    result = results.get(fault.name)
    return result is not None and result["caught"] != LOST and result["key"] == fingerprint(fault, result["caught"])


def unfounded(tree: Tree, results: dict[str, Result], faults: Sequence[Fault]) -> str | None:
    """Return a test that has caught faults but fails in the unbroken project too, or None."""
    for compiled in (False, True):
        caught = {results[fault.name]["caught"] for fault in faults if fault.compiled == compiled}
        tests = sorted(name for name in caught if "::" in name)
        wrong = tree.failure(tests, f"({QUICK}) or ({OF_CHANCE})", LONG, compiled) if tests else None
        if wrong is not None:
            return wrong
    return None


def table(results: dict[str, Result], faults: Sequence[Fault]) -> str:
    """Return a table in Markdown of the faults and the tests that caught them, with the shares that are caught."""
    lines = ["| fault | file | caught by | s |", "|---|---|---|---|"]
    for fault in faults:
        result = results[fault.name]
        lines.append(f"| {fault.name} | `{fault.file}` | {_caught_by(result)} | {result['seconds']} |")
    lines.append("")
    for where, some in (
        ("in the rules", [fault for fault in faults if fault.of_the_rules]),
        ("elsewhere", [fault for fault in faults if not fault.of_the_rules]),
        ("in all", faults),
    ):
        caught = sum(results[fault.name]["caught"] not in (SURVIVED, LOST) for fault in some)
        seconds = sum(results[fault.name]["seconds"] for fault in some)
        if some:
            lines.append(
                f"{where}: {caught} of {len(some)} caught ({caught / len(some):.1%}), {seconds / 60:.0f} minutes"
            )
    return "\n".join(lines)


def _caught_by(result: Result) -> str:
    caught = str(result["caught"])
    if "::" in caught:
        return f"`{caught.removeprefix('tests/')}`".replace("|", "\\|")
    return f"**{caught}** {result.get('note', '')}".rstrip()


def check_all(faults: Sequence[Fault], results: dict[str, Result], kept: Path, jobs: int, until: float) -> str | None:
    """Check faults and keep what they come to, until a time of `time.monotonic`.

    Returns:
        A test that has caught faults but fails without any too, whose results are then forgotten; else None.
    """
    with tempfile.TemporaryDirectory(prefix="mutation-") as temporary, tqdm(total=len(faults), unit="fault") as bar:
        folders: SimpleQueue[Path] = SimpleQueue()
        for job in range(jobs):
            folders.put(Path(temporary) / str(job))

        def work(fault: Fault) -> tuple[Fault, Result | None]:
            folder = folders.get()
            try:
                return fault, check(Tree(folder), fault) if time.monotonic() < until else None
            finally:
                folders.put(folder)

        checked = []
        with ThreadPoolExecutor(jobs) as pool:
            for fault, result in pool.map(work, faults):
                if result is None:
                    continue
                results[fault.name] = result | {"key": fingerprint(fault, result["caught"])}
                checked.append(fault)
                _keep(kept, results)
                bar.update()
                if result["caught"] in (SURVIVED, LOST):
                    bar.write(f"{result['caught']}: {fault.name} ({fault.file}) {result.get('note', '')}")
        wrong = unfounded(Tree(folders.get()), results, checked) if checked else None
    if wrong is not None:
        _keep(kept, {name: result for name, result in results.items() if result["caught"] != wrong})
    return wrong


def _keep(file: Path, results: dict[str, Result]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(results, indent=1), encoding="utf-8")


class Parser(argparse.ArgumentParser):
    """A parser that ends as pytest does where a call is wrong."""

    def error(self, message: str) -> NoReturn:
        """Print what is wrong, and end."""
        self.print_usage(sys.stderr)
        self.exit(Exit.USAGE, f"{self.prog}: error: {message}\n")


def part(text: str) -> slice:
    """Return which faults a part such as "2/7" has: every seventh, from the second on."""
    found = re.fullmatch(r"(\d+)/(\d+)", text)
    if found is None or not 1 <= int(found[1]) <= int(found[2]):
        raise argparse.ArgumentTypeError(f"expected a part such as 2/7, got {text!r}")
    return slice(int(found[1]) - 1, None, int(found[2]))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    parser = Parser(prog="python -m tests.mutation.mutate", description=__doc__.partition("\n")[0])
    parser.add_argument("--only", metavar="NAME", help="check only faults whose name or file contains this")
    parser.add_argument(
        "--part", type=part, metavar="I/N", default=slice(None), help="check every N-th fault, from the I-th on"
    )
    parser.add_argument(
        "--minutes", type=float, default=float("inf"), metavar="M", help="begin no fault after so many minutes"
    )
    parser.add_argument(
        "--jobs",
        type=int,
        default=1,
        choices=range(1, 65),
        metavar="N",
        help="copies of the project to work on at once",
    )
    parser.add_argument("--results", type=Path, default=ROOT / ".cache" / "mutation.json", metavar="FILE")
    parser.add_argument("--fresh", action="store_true", help="repeat what earlier runs have found")
    options = parser.parse_args(arguments)
    until = time.monotonic() + 60 * options.minutes

    wanted = (options.only or "").lower()
    faults = [fault for fault in FAULTS[options.part] if wanted in fault.name.lower() or wanted in fault.file]
    if not faults:
        parser.error(f"no fault is called {options.only!r}")
    results: dict[str, Result] = {}
    if options.results.exists() and not options.fresh:
        results = json.loads(options.results.read_text(encoding="utf-8"))
    to_do = [fault for fault in faults if not known(results, fault)]
    for fault in to_do:
        results.pop(fault.name, None)
    try:
        wrong = check_all(to_do, results, options.results, options.jobs, until)
    except KeyboardInterrupt:
        print(f"Stopped; what was checked is in {options.results}.", file=sys.stderr)
        return Exit.INTERRUPTED
    if wrong is not None:
        print(f"this test fails without any fault too, what it caught does not count: {wrong}", file=sys.stderr)
        return Exit.SURVIVED
    checked = [fault for fault in faults if fault.name in results]
    print(table(results, checked))
    if left := [fault.name for fault in faults if fault.name not in results]:
        print(f"not checked for want of time: {len(left)} of {len(faults)}\n  " + "\n  ".join(left))
    if not checked:
        return Exit.NOTHING
    survived = any(results[fault.name]["caught"] in (SURVIVED, LOST) for fault in checked)
    return Exit.SURVIVED if survived else Exit.CAUGHT


if __name__ == "__main__":
    raise SystemExit(main())
