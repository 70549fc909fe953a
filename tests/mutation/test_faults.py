"""The planted faults fit the core: each has one place, breaks something, and names tests that exist."""

import ast
from collections import Counter
from functools import cache

from tests.mutation.faults import FAULTS
from tests.mutation.mutate import ROOT, named_tests


@cache
def read(file: str) -> tuple[str, str]:
    """Return a file of the core, and what Python reads in it."""
    text = (ROOT / "dominion_env" / file).read_text(encoding="utf-8")
    return text, ast.dump(ast.parse(text))


def test_there_are_enough_faults_and_no_name_is_used_twice():
    assert len(FAULTS) >= 250
    assert not [name for name, times in Counter(fault.name for fault in FAULTS).items() if times > 1]


def test_each_fault_has_exactly_one_place():
    """A change of a line that a fault names moves the fault to the new text: all such faults are listed at once."""
    misplaced = []
    for fault in FAULTS:
        if not (ROOT / "dominion_env" / fault.file).is_file():
            misplaced.append(f"{fault.name}: there is no dominion_env/{fault.file}")
            continue
        found = read(fault.file)[0].count(fault.old)
        if found != 1:
            misplaced.append(f"{fault.name}: dominion_env/{fault.file} has its text {found} times")
    assert not misplaced, "\n" + "\n".join(misplaced)


def test_each_fault_changes_the_program_and_leaves_one():
    harmless = []
    for fault in FAULTS:
        text, program = read(fault.file)
        if ast.dump(ast.parse(text.replace(fault.old, fault.new))) == program:
            harmless.append(fault.name)
    assert not harmless, harmless


def test_the_tests_to_run_first_exist():
    missing = {test for fault in FAULTS for test in named_tests(fault.first) if not (ROOT / test).exists()}
    assert not missing, missing
