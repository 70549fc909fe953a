"""The versions of constraints.txt can be installed with every Python that the project supports, patch releases included."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parents[2]
PIN = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)", re.MULTILINE)


def asks_for_more(name: str, version: str, python: str) -> str | None:
    """Return which Python an installed version of a package asks for if that leaves this one out; else None."""
    try:
        found = metadata(name)
    except PackageNotFoundError:
        return None
    asked = found.get("Requires-Python")
    left_out = found["Version"] == version and asked and not SpecifierSet(asked).contains(python)
    return f"{name}=={version} asks for Python {asked}" if left_out else None


def test_no_pin_asks_for_a_newer_python_than_the_project():
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["requires-python"]
    python = f"{declared.removeprefix('>=')}.0"
    pins = PIN.findall((ROOT / "constraints.txt").read_text(encoding="utf-8"))
    assert len(pins) > 100
    assert [said for name, version in pins if (said := asks_for_more(name, version, python))] == []


def test_a_pin_that_asks_for_more_is_told():
    pytest_version = metadata("pytest")["Version"]
    assert asks_for_more("pytest", pytest_version, "2.7") == (
        f"pytest=={pytest_version} asks for Python {metadata('pytest')['Requires-Python']}"
    )
    assert asks_for_more("pytest", "0.1", "2.7") is None
    assert asks_for_more("no-such-package", "1", "2.7") is None
