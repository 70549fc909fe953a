"""`make lowest` tests the lowest versions that are declared, and notices a bound that it can't test."""

from __future__ import annotations

import pytest
from packaging.version import Version

from tests import lowest

SETTINGS = """
[project]
dependencies = ["numpy>=2.0"]
[project.optional-dependencies]
train = ["torch>=2.5", "matplotlib>=3.9"]
research = ["matplotlib>={matplotlib}"]
others = ["pyminion"]
all = ["dominion_env[train,research]"]
[dependency-groups]
test = ["pytest{pytest}"]
"""


def test_the_bounds_are_those_of_all_extras_but_others_and_of_the_tests():
    found = lowest.bounds(SETTINGS.format(matplotlib="3.9", pytest=">=8.3"))
    expected = {"numpy": "2.0", "torch": "2.5", "matplotlib": "3.9", "pytest": "8.3"}
    assert found == {name: Version(bound) for name, bound in expected.items()}


def test_a_package_has_one_bound():
    with pytest.raises(ValueError, match=r"matplotlib>=3\.10: elsewhere its bound is 3\.9"):
        lowest.bounds(SETTINGS.format(matplotlib="3.10", pytest=">=8.3"))


@pytest.mark.parametrize("pytest_", ["", "==8.3", ">=8.3,<9"])
def test_anything_else_than_a_lower_bound_is_refused(pytest_: str):
    with pytest.raises(ValueError, match="expected one lower bound"):
        lowest.bounds(SETTINGS.format(matplotlib="3.9", pytest=pytest_))


@pytest.mark.parametrize(("installed", "status"), [("2.0.0", 0), ("2.1", 1)])
def test_an_environment_with_other_versions_is_refused(installed, status, monkeypatch, capsys):
    monkeypatch.setattr(lowest, "bounds", lambda _: {"numpy": Version("2.0"), "torch": Version("2.5")})
    monkeypatch.setattr(lowest, "version", {"numpy": installed, "torch": "2.13.0"}.__getitem__)
    assert lowest.main() == status
    said = capsys.readouterr().err
    assert ("numpy: declared from 2.0 on, but 2.1 is installed" in said) == bool(status)
