"""The planted faults fit the packages: each has one place, breaks something, and names tests that exist."""

import ast
import re
from collections import Counter
from functools import cache

import pytest

from tests.mutation.faults import FAULTS
from tests.mutation.mutate import ROOT, Exit, main, named_tests, part

AREAS = (
    "dominion_env/core/loop", "dominion_env/core/batch", "dominion_env/core/observing/observation",
    "dominion_env/core/observing/fields",
    "dominion_env/core/observing/putting", "dominion_env/core/observing/places",
    "dominion_env/core/rewards", "dominion_env/core/positions/", "dominion_env/views/", "dominion_env/players/registry",
    "dominion_env/render/", "agents/dominion_agents/searching/", "agents/dominion_agents/trained/",
    "agents/dominion_agents/", "training/dominion_training/evaluate/", "training/dominion_training/research/",
    "training/dominion_training/learner/", "training/dominion_training/evolve/", "training/dominion_training/lists/",
    "training/dominion_app/web/",
)  # fmt: skip


@cache
def read(file: str) -> tuple[str, str]:
    """Return a file of a package, and what Python reads in it."""
    text = (ROOT / file).read_text(encoding="utf-8")
    return text, ast.dump(ast.parse(text))


def test_there_are_enough_faults_and_no_name_is_used_twice():
    assert sum(fault.of_the_rules for fault in FAULTS) >= 250
    assert sum(not fault.of_the_rules for fault in FAULTS) >= 150
    assert not [name for name, times in Counter(fault.name for fault in FAULTS).items() if times > 1]
    assert not [area for area in AREAS if sum(fault.file.startswith(area) for fault in FAULTS) < 2]


def test_each_fault_has_exactly_one_place():
    """A change of a line that a fault names moves the fault to the new text: all such faults are listed at once."""
    misplaced = []
    for fault in FAULTS:
        if not (ROOT / fault.file).is_file():
            misplaced.append(f"{fault.name}: there is no {fault.file}")
            continue
        found = read(fault.file)[0].count(fault.old)
        if found != 1:
            misplaced.append(f"{fault.name}: {fault.file} has its text {found} times")
    assert not misplaced, "\n" + "\n".join(misplaced)


def test_each_fault_changes_the_program_and_leaves_one():
    harmless = []
    for fault in FAULTS:
        text, program = read(fault.file)
        if ast.dump(ast.parse(text.replace(fault.old, fault.new))) == program:
            harmless.append(fault.name)
    assert not harmless, harmless


def test_the_tests_to_run_first_exist():
    missing = []
    for name in sorted({test for fault in FAULTS for test in named_tests(fault.first)}):
        file, _, test = name.partition("::")
        if not (ROOT / file).exists() or (test and not re.search(rf"^def {test}\(", read(file)[0], re.MULTILINE)):
            missing.append(name)
    assert not missing, "\n" + "\n".join(missing)


def test_a_fault_outside_the_rules_names_the_tests_that_must_catch_it():
    unnamed = [fault.name for fault in FAULTS if not fault.of_the_rules and not fault.near]
    assert not unnamed, unnamed


def test_parts_cover_the_list_once():
    parts = [FAULTS[part(f"{number}/7")] for number in range(1, 8)]
    assert sorted(fault for some in parts for fault in some) == sorted(FAULTS)
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


def test_a_run_without_time_says_what_was_not_checked(tmp_path, capsys):
    results = tmp_path / "results.json"
    call = ["--only", "Adventurer stops", "--minutes", "0", "--results", str(results)]
    assert main(call) == Exit.NOTHING
    assert "not checked for want of time: 2 of 2" in capsys.readouterr().out
    assert not results.exists()


@pytest.mark.parametrize("call", [["--part", "0/7"], ["--part", "8/7"], ["--only", "no such fault"], ["--report", "x"]])
def test_a_wrong_call_ends_as_in_pytest(call, capsys):
    with pytest.raises(SystemExit) as end:
        main(call)
    assert end.value.code == Exit.USAGE
    assert "error" in capsys.readouterr().err
