"""Code that comes compiled with the package is used where it fits, and nowhere else."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.compiled

# It adds two numbers by a compiled function, and prints whether that had to be compiled.
ADDS = """
import sys
from pathlib import Path
from numba.core import event
from dominion_env.compiled import jit, shipped

shipped.FOLDER = Path(sys.argv[1])
if "other processor" in sys.argv:
    shipped.FAMILIES = {machine: (name, ("an instruction of tomorrow",)) for machine, (name, _) in shipped.FAMILIES.items()}

source_hash = "changed" if "changed sources" in sys.argv else "sources"

@jit.entry_point(source_hash)
def add(first, second):
    return first + second

with event.install_recorder("numba:compile") as recorder:
    assert add(1, 2) == 3
print("compiled" if recorder.buffer else "shipped")
if "write" in sys.argv:
    shipped.write(add, source_hash)
"""


def adds(folder: Path, *how: str) -> str:
    """Return whether the function was "compiled" or "shipped" in a process with an empty cache."""
    script = folder / "adds.py"
    script.write_text(ADDS)
    cache = folder / f"cache of {how}"
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    done = subprocess.run(
        [sys.executable, str(script), str(folder / "code"), *how],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout.strip()


def test_what_fits_is_used_and_nothing_else(tmp_path: Path) -> None:
    assert adds(tmp_path, "write") == "compiled"
    assert adds(tmp_path) == "shipped"
    assert adds(tmp_path, "changed sources") == "compiled"
    assert adds(tmp_path, "other processor") == "compiled"
    (file,) = (tmp_path / "code").iterdir()
    file.write_bytes(file.read_bytes()[:100])
    assert adds(tmp_path, "damaged") == "compiled"


# It plays in every way that `dominion compile` knows, and prints which of the project's functions had to be compiled.
PLAYS = """
from numba.core import event
from dominion_env.compiled.jit import CACHED
from dominion_env.rules.record.state import GAME
from dominion_app.compiling import parts
with event.install_recorder("numba:compile") as recorder:
    for part in [part for seats in GAME for part in parts(seats)]:
        part.use()
print({told.data["dispatcher"].__name__ for _, told in recorder.buffer if told.data["dispatcher"] in CACHED} or "nothing")
"""


@pytest.mark.nightly
def test_a_wheel_with_compiled_code_plays_without_compiling(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    subprocess.run([sys.executable, "-m", "tools.wheel", str(tmp_path)], cwd=root, check=True)
    (wheel,) = tmp_path.glob("*.whl")
    assert "-none-any" not in wheel.name
    zipfile.ZipFile(wheel).extractall(tmp_path / "installed")
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": str(tmp_path / "installed")}
    command = [sys.executable, "-c", PLAYS]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "nothing\n"
