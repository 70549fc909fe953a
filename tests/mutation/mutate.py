"""Put one fault at a time into a copy of the rules and see which test notices.

    python -m tests.mutation.mutate [--only NAME] [--jobs 1] [--report FILE]

The tests of the rules and cards run interpreted, so that nothing must be compiled. The files that a fault names run
first, then all others, and last the tests of chance in the named files, which take long. The first failure ends it.
Results are kept in the file `--results`. A result is used again until the fault changes, or the test that caught it; the
result of a fault that survived, until any test changes. A change of the core alone repeats nothing: `--fresh` does.
The exit code is 1 if a fault survived or has no place.
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
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from tqdm import tqdm

from tests.mutation.faults import FAULTS, Fault

ROOT = Path(__file__).parent.parent.parent
TESTED = ("tests/cards", "tests/rules")
COPIED = ("dominion_env", "agents", "training", "tests", "pyproject.toml", "README.md")
QUICK, OF_CHANCE = "not compiled and not slow", "compiled or slow"
FAILED = re.compile(r"^(?:FAILED|ERROR) (tests/.+?)(?: - .*)?$", re.MULTILINE)
NOTHING_RUN = 5  # pytest's exit code when a file has no such tests

SURVIVED, LOST = "SURVIVED", "NO PLACE"
Result = dict[str, Any]


class Tree:
    """A copy of the project to break."""

    def __init__(self, folder: Path) -> None:
        self.root = folder
        for name in COPIED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("*.nbi", "*.nbc"))
            elif source.exists():
                shutil.copy2(source, folder / name)

    def write(self, file: str, text: str) -> None:
        """Write this text to a file of the core, and remove what Python has compiled of the old text."""
        path = self.root / "dominion_env" / file
        path.write_text(text)
        Path(importlib.util.cache_from_source(str(path))).unlink(missing_ok=True)

    def failure(self, tests: Sequence[str], which: str, timeout: float) -> str | None:
        """Return the first of these tests that fails, or None if all pass."""
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-rfE", "--tb=no", "-p", "no:cacheprovider"]
        settings = {
            "NUMBA_DISABLE_JIT": "1",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTHONPATH": os.pathsep.join(str(self.root / part) for part in ("", "agents", "training")),
        }
        try:
            done = subprocess.run(
                [*command, "-m", which, *tests],
                cwd=self.root,
                env={**os.environ, **settings, "COLUMNS": "1000"},
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
    files = [path.relative_to(tree.root) for folder in TESTED for path in (tree.root / folder).rglob("test_*.py")]
    others = sorted(str(file) for file in files if not any(file.is_relative_to(name) for name in first))
    if first:
        yield first, QUICK, 300
    yield others, QUICK, 1800
    if first:
        yield first, OF_CHANCE, 3600


def check(tree: Tree, fault: Fault) -> Result:
    """Break this rule and run the tests until one notices."""
    right = (tree.root / "dominion_env" / fault.file).read_text()
    begun = time.monotonic()
    if right.count(fault.old) != 1:
        return {"caught": LOST, "note": f"{fault.file} has its text {right.count(fault.old)} times", "seconds": 0.0}
    tree.write(fault.file, right.replace(fault.old, fault.new))
    caught: str | None = None
    try:
        for tests, which, timeout in stages(tree, fault):
            caught = tree.failure(tests, which, timeout)
            if caught is not None:
                break
    finally:
        tree.write(fault.file, right)
    return {"caught": caught or SURVIVED, "seconds": round(time.monotonic() - begun, 1)}


def named_tests(names: Sequence[str]) -> list[str]:
    """Return the files, or folders, of tests that faults name: "cards/moat" is tests/cards/test_moat.py."""
    return [_named(*name.split("/")) for name in names]


def _named(folder: str, name: str) -> str:
    below = f"tests/{folder}/{name}"
    return below if (ROOT / below).is_dir() else f"tests/{folder}/test_{name}.py"


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def fingerprint(fault: Fault, caught: str) -> str:
    """Return a hash of what a result depends on: the fault and the test that caught it, or all tests if none did."""
    named = ROOT / caught.partition("::")[0]
    if named.is_file():
        files = [named]
    else:
        tried = {ROOT / name for name in (*TESTED, *named_tests(fault.first))}
        files = sorted({path for each in tried for path in (each.rglob("*.py") if each.is_dir() else [each])})
    return _digest(fault.name, fault.file, fault.old, fault.new, *(path.read_text() for path in files))


def known(results: dict[str, Result], fault: Fault) -> bool:
    """Whether a kept result of this fault still holds."""
    result = results.get(fault.name)
    return result is not None and result["caught"] != LOST and result["key"] == fingerprint(fault, result["caught"])


def unfounded(trees: SimpleQueue[Tree], caught: Sequence[str]) -> str | None:
    """Return a test that has caught faults but fails in the unbroken project too, or None."""
    tests = sorted({name for name in caught if "::" in name})
    return trees.get().failure(tests, f"({QUICK}) or ({OF_CHANCE})", 3600) if tests else None


PAGE = """# Mutation check

Each row is a fault: one small edit of the core that breaks one rule (`tests/mutation/faults.py`). The check puts them
into a copy of the project one at a time, runs the tests of the rules and cards, and reports the first test that fails.

    python -m tests.mutation.mutate --report docs/mutation.md

`--only NAME` checks some of them, `--fresh` forgets earlier results. A fault that survives shows that a test is missing,
or that the edit is no fault. A new rule comes with a new row.
"""


def table(results: dict[str, Result], faults: Sequence[Fault], timed: bool) -> str:
    """Return a table in Markdown of the faults and the tests that caught them, with the totals.

    Times differ from machine to machine, so that the report leaves them out.
    """
    lines = ["| broken rule | file | caught by |" + timed * " s |", "|---|---|---|" + timed * "---|"]
    for fault in faults:
        result = results[fault.name]
        lines.append(f"| {fault.name} | `{fault.file}` | {_caught_by(result)} |" + timed * f" {result['seconds']} |")
    survived = sum(results[fault.name]["caught"] == SURVIVED for fault in faults)
    lost = sum(results[fault.name]["caught"] == LOST for fault in faults)
    lines += [
        "",
        f"{len(faults)} faults: {len(faults) - survived - lost} caught, {survived} survived, {lost} without a place.",
    ]
    if timed:
        lines.append(f"{sum(results[fault.name]['seconds'] for fault in faults) / 60:.0f} minutes with one job.")
    return "\n".join(lines) + "\n"


def _caught_by(result: Result) -> str:
    caught = str(result["caught"])
    if "::" in caught:
        return f"`{caught.removeprefix('tests/')}`".replace("|", "\\|")
    return f"**{caught}** {result.get('note', '')}".rstrip()


def main() -> int:
    """Run the command line and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation.mutate", description=__doc__.partition("\n")[0])
    parser.add_argument("--only", metavar="NAME", help="check only faults whose name or file contains this")
    parser.add_argument("--jobs", type=int, default=1, help="copies of the project to work on at once")
    parser.add_argument("--report", type=Path, metavar="FILE", help="write the table to this file too")
    parser.add_argument("--results", type=Path, default=ROOT / ".cache" / "mutation.json", metavar="FILE")
    parser.add_argument("--fresh", action="store_true", help="repeat what earlier runs have found")
    options = parser.parse_args()

    wanted = (options.only or "").lower()
    faults = [fault for fault in FAULTS if wanted in fault.name.lower() or wanted in fault.file]
    if not faults:
        parser.error(f"no fault is called {options.only!r}")
    results: dict[str, Result] = {}
    if options.results.exists() and not options.fresh:
        results = json.loads(options.results.read_text())
    to_do = [fault for fault in faults if not known(results, fault)]

    with tempfile.TemporaryDirectory(prefix="mutation-") as temporary, tqdm(total=len(faults), unit="fault") as bar:
        bar.update(len(faults) - len(to_do))
        trees: SimpleQueue[Tree] = SimpleQueue()
        for job in range(min(options.jobs, len(to_do))):
            trees.put(Tree(Path(temporary) / str(job)))

        def work(fault: Fault) -> tuple[Fault, Result]:
            tree = trees.get()
            try:
                return fault, check(tree, fault)
            finally:
                trees.put(tree)

        with ThreadPoolExecutor(max(1, options.jobs)) as pool:
            for fault, result in pool.map(work, to_do):
                result["key"] = fingerprint(fault, result["caught"])
                results[fault.name] = result
                options.results.parent.mkdir(parents=True, exist_ok=True)
                options.results.write_text(json.dumps(results, indent=1))
                bar.update()
                if result["caught"] in (SURVIVED, LOST):
                    bar.write(f"{result['caught']}: {fault.name} ({fault.file}) {result.get('note', '')}")

        wrong = unfounded(trees, [results[fault.name]["caught"] for fault in faults] if to_do else [])
        if wrong is not None:
            print(f"this test fails without any fault too, what it caught does not count: {wrong}", file=sys.stderr)
            left = {name: result for name, result in results.items() if result["caught"] != wrong}
            options.results.write_text(json.dumps(left, indent=1))
            return 1

    print(table(results, faults, timed=True))
    if options.report:
        options.report.parent.mkdir(parents=True, exist_ok=True)
        options.report.write_text(f"{PAGE}\n{table(results, faults, timed=False)}")
    return int(any(results[fault.name]["caught"] in (SURVIVED, LOST) for fault in faults))


if __name__ == "__main__":
    raise SystemExit(main())
