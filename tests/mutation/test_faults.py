"""The list of faults fits the core: each says where it goes, once, and leaves a program behind."""

import ast
from functools import cache
from pathlib import Path

import pytest

from tests.mutation.faults import FAULTS, Fault

ROOT = Path(__file__).parent.parent.parent


def test_there_are_enough_of_them_and_no_name_is_used_twice():
    assert len(FAULTS) >= 60
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)


@cache
def read(file: str) -> tuple[str, str]:
    """A file of the core, and what Python reads in it."""
    text = (ROOT / "dominion_env" / file).read_text()
    return text, ast.dump(ast.parse(text))


@pytest.mark.parametrize("fault", FAULTS, ids=[fault.name for fault in FAULTS])
def test_a_fault_has_exactly_one_place_and_leaves_a_program(fault: Fault):
    text, program = read(fault.file)
    found = text.count(fault.old)
    assert found == 1, f"{fault.file} has the text of this fault {found} times, not once"
    assert fault.old != fault.new
    assert ast.dump(ast.parse(text.replace(fault.old, fault.new))) != program


@pytest.mark.parametrize("fault", FAULTS, ids=[fault.name for fault in FAULTS])
def test_the_tests_to_run_first_exist(fault: Fault):
    for name in fault.first:
        folder, _, file = name.partition("/")
        assert (ROOT / "tests" / folder / f"test_{file}.py").exists()
