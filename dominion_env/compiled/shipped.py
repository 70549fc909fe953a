"""Compiled code that comes with the package: a wheel built by `make wheel` needs no compiling where it fits.

It fits the same sources, Python, numba and LLVM, which are part of each file's name, on any processor of the family that
it was built for. Anywhere else functions are compiled for the machine as ever.
"""

import hashlib
import pickle
import platform
import sys
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
from llvmlite import binding

FOLDER = Path(__file__).parent.parent / "shipped"

# The family of processors by kind of machine, with the instructions that it needs. Nearly every x86-64 processor since 2009
# has these, and code for it plays as fast as code for the machine itself (`dominion speed`).
FAMILIES = {"x86_64": ("x86-64-v2", ("cx16", "popcnt", "sahf", "sse4.2", "ssse3"))}


def file_of(function: Any, source_hash: str, kinds: tuple[Any, ...]) -> Path:
    """Return the file with what a function is compiled to for arguments of these types.

    Args:
        function: numba's dispatcher.
        source_hash: hash of all sources that the function is compiled from.
        kinds: numba's types of the arguments.
    """
    family, _ = FAMILIES[platform.machine()]
    name = f"{function.py_func.__module__}.{function.py_func.__name__}"
    made_of = (
        name,
        source_hash,
        repr(kinds),
        numba.__version__,
        llvmlite.__version__,
        sys.implementation.cache_tag,
        family,
    )
    return FOLDER / f"{name}-{hashlib.sha256(repr(made_of).encode()).hexdigest()[:20]}"


@cache
def _fits() -> bool:
    """Whether there is such code, and this processor can run it."""
    if not FOLDER.is_dir() or numba.config.BOUNDSCHECK or platform.machine() not in FAMILIES:
        return False
    present = binding.get_host_cpu_features()
    return all(present.get(name) for name in FAMILIES[platform.machine()][1])


def load(function: Any, source_hash: str, kinds: tuple[Any, ...], target: Any) -> Any:
    """Return what a function was compiled to, ready to run, or None if the package has nothing that fits."""
    if not _fits():
        return None
    try:
        return function._cache._impl.rebuild(target, pickle.loads(file_of(function, source_hash, kinds).read_bytes()))
    except Exception:  # there is no such file, or it is damaged, by which anything can be raised
        return None


def write(function: Any, source_hash: str) -> None:
    """Write what a function was compiled to in this process, each of its overloads into its file."""
    from numba.core.serialize import dumps

    FOLDER.mkdir(exist_ok=True)
    for kinds, compiled in function.overloads.items():
        file_of(function, source_hash, kinds).write_bytes(dumps(function._cache._impl.reduce(compiled)))
