"""Check that this environment holds the lowest version that pyproject.toml declares of every package.

    python -m tests.lowest

`make lowest` asks before it runs the tests there. A bound below what can be installed beside the others would
never be tested. torch is left out, and so are three extras: `others`, which only the speed bench needs, `clients`, whose
libraries ask for new versions of what they depend on, and `cluster`, whose tests have a run of their own.
"""

from __future__ import annotations

import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

from packaging.requirements import Requirement
from packaging.version import Version

PROJECT = Path(__file__).parents[1]
NOT_LOWERED = {"torch"}
NOT_INSTALLED = {"all", "clients", "cluster", "others"}


def bounds(settings: str) -> dict[str, Version]:
    """Return the lower bound of each package that a `pyproject.toml` declares, by its name.

    Args:
        settings: text of the file.

    Raises:
        ValueError: a package is declared with something else than one lower bound, or with two different ones.
    """
    found: dict[str, Version] = {}
    declared = tomllib.loads(settings)
    extras = declared["project"]["optional-dependencies"]
    lines = [*declared["project"]["dependencies"], *declared["dependency-groups"]["test"]]
    for line in (*lines, *(line for extra, named in extras.items() if extra not in NOT_INSTALLED for line in named)):
        requirement = Requirement(line)
        specifiers = list(requirement.specifier)
        if [each.operator for each in specifiers] != [">="]:
            raise ValueError(f"{line}: expected one lower bound")
        lowest = Version(specifiers[0].version)
        if found.setdefault(requirement.name, lowest) != lowest:
            raise ValueError(f"{line}: elsewhere its bound is {found[requirement.name]}")
    return found


def main() -> int:
    """Print the versions, and return 1 if one of them is not the lowest that is declared."""
    declared = bounds((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    installed = {name: Version(version(name)) for name in declared}
    print(", ".join(f"{name} {installed[name]}" for name in sorted(declared)))
    wrong = [name for name in sorted(set(declared) - NOT_LOWERED) if installed[name] != declared[name]]
    for name in wrong:
        print(f"{name}: declared from {declared[name]} on, but {installed[name]} is installed", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
