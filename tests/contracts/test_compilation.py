"""The functions that are compiled, the changes after which they are compiled again, and the order of imports."""

from __future__ import annotations

import ast
import gc
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import numba
import pytest
from numba.core import types
from numba.core.registry import cpu_target

import dominion_env
from dominion_env import GameBatch
from dominion_env.compiled import inner, jit
from dominion_env.core import loop, sources
from dominion_env.core.observing import observation
from dominion_env.rules import sources as rules_sources
from dominion_env.rules.turns import generate, redeal
from dominion_env.rules.words.vocabulary import row
from dominion_env.tables.card_info import MOST_CARDS

PACKAGE = Path(dominion_env.__file__).parent
ROOT = PACKAGE.parent


def every_way_in() -> None:
    """Use all entry points, with both records, and with everything that could change the type of an argument."""
    for players in (1, 2, 3, 6):
        for options in ({}, {"record": True}, {"autoreset": False}, {"kingdom": "random"}):
            batch = GameBatch(3, num_players=players, **options)  # type: ignore[arg-type]
            for actions in (
                batch.sample_actions(),
                batch.sample_actions().astype("int8"),
                list(batch.sample_actions()),
            ):
                if batch.action_mask[range(3), actions].all():
                    batch.step(actions)
            batch.policy_keys(), batch.scores
        batch.note_ends()
        batch.observe(), batch.observe(0), batch.observe([0, 0, 0])
        batch.reset(), batch.reset(seed=1), batch.reset(mask=[True, False, False])
        fork = batch.fork(0, 2, 1)
        fork.worlds([0, 1], 1, 1, int(fork.current_player[0]))
        start = [batch.to_dict(row) for row in range(3)]
        GameBatch(3, start=start), GameBatch(3, start=start, resume=True), GameBatch(3, start=start[0])


if jit.COMPILED:

    def test_each_entry_point_is_compiled_once_for_each_record() -> None:
        every_way_in()
        entry_points = {
            "play_games": loop.play_games,
            "sample": loop.sample,
            "policy_keys": loop.policy_keys,
            "scores": loop.scores,
            "note_ends": loop.note_ends,
            "give_streams": redeal.give_streams,
            "deal_worlds": redeal.deal_worlds,
        }
        compiled = {name: len(function.signatures) for name, function in entry_points.items()}
        assert compiled == dict.fromkeys(entry_points, 2)

    def test_observations_are_compiled_once_for_each_record_and_kind() -> None:
        every_way_in()
        kinds = [
            (games, values.dtype, slots == types.none, wanted == types.none)
            for games, _, _, values, slots, wanted, _ in observation.observe_games.signatures
        ]
        assert len(set(kinds)) == len(kinds) >= 2

    def test_the_cache_key_of_each_function_holds_the_hash_of_its_sources() -> None:
        codegen = cpu_target.target_context.codegen()
        keys = {function: function._cache._index_key((), codegen) for function in jit.CACHED}
        assert {function: key[-1] for function, key in keys.items()} == jit.CACHED
        assert jit.CACHED[loop.play_games] == jit.CACHED[observation.observe_games] == sources.SOURCE_HASH
        assert jit.CACHED[redeal.deal_worlds] == rules_sources.RULES_HASH

    @pytest.mark.slow
    def test_nothing_is_left_to_compile_after_dominion_compile() -> None:
        """Every compiled function that Python calls is used by some part, with records of each layout if it takes records."""
        code = """
from dominion_env.compiled.notice import NOTICE
from dominion_env.rules.record.state import GAME
from dominion_app.compiling import parts
for part in [part for seats in GAME for part in parts(seats)]:
    part.use()
layouts = {function: len({str(kinds) for kinds in function.signatures}) for function in NOTICE.functions}
takes_games = ("dominion_env.", "dominion_agents.searching.", "dominion_training.research.")
wanted = {function: len(GAME) if function.__module__.startswith(takes_games) else 1 for function in layouts}
print({function.__name__ for function in layouts if layouts[function] < wanted[function]})
"""
        done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
        assert done.stdout == "set()\n"
        assert (
            subprocess.run([sys.executable, "-m", "dominion_app.cli", "compile", "--check"], cwd=ROOT).returncode == 0
        )

    # A function that two entry points share, on numba as it is and on one that lacks what `inner` leans on.
    TOY = """
import sys
import numba.core.codegen
if sys.argv[1] == "lacking":
    del numba.core.codegen.JITCodeLibrary
import numpy as np
from dominion_env.compiled.inner import INNER
from dominion_env.compiled.jit import entry_point, rule, shared

@rule
def twice(number):
    return 2 * number

@shared("")
def sum_of(first, second):
    return twice(first) + second

@entry_point("")
def entry(numbers):
    numbers[0] = sum_of(np.int8(3), numbers[1])

numbers = np.array([0, 4])
entry(numbers)
print(bool(INNER), numbers[0])
"""

    @pytest.mark.slow
    @pytest.mark.parametrize(("numba_is", "leaning"), [("whole", True), ("lacking", False)])
    def test_a_numba_without_the_names_that_are_leaned_on_compiles_its_own_way(
        tmp_path: Path, numba_is: str, leaning: bool
    ) -> None:
        script = tmp_path / "toy.py"
        script.write_text(TOY)
        for _ in range(2):  # compiled, then from the cache
            done = subprocess.run([sys.executable, str(script), numba_is], capture_output=True, text=True, check=True)
            assert done.stdout == f"{leaning} 10\n"

    @pytest.mark.skipif(not inner.INNER, reason="functions are compiled numba's own way")
    @pytest.mark.parametrize("frozen", [False, True])
    def test_what_the_compiler_makes_is_not_looked_through_when_it_ends(frozen: bool) -> None:
        gc.collect()
        if frozen:
            gc.freeze()
        before, looked = gc.get_freeze_count(), []
        gc.callbacks.append(lambda *_: looked.append(1))
        try:
            with inner._no_collection():
                made: list[list[int]] = [[] for _ in range(50_000)]
            made.extend([] for _ in range(10))
            assert gc.isenabled()
            assert gc.get_freeze_count() == before  # what others have frozen stays so, and nothing else does
            assert frozen or not looked
        finally:
            gc.callbacks.pop()
            gc.unfreeze()

    def test_passes_describe_a_record_by_the_name_it_has() -> None:
        record = numba.typeof(GameBatch(1).state).dtype
        assert repr(record) is record.name

    @pytest.fixture
    def toy(tmp_path: Path) -> list[str]:
        """The command that runs a script which says when it begins to compile, and in the end whether it had to."""
        script = tmp_path / "toy.py"
        script.write_text(f"""
from numba.core import event
class Listener(event.Listener):
    def on_start(self, told):
        print("compiling", flush=True)
    def on_end(self, told):
        pass
event.register("numba:compile", Listener())
{TOY}""")
        return [sys.executable, str(script), "whole"]

    @pytest.mark.slow
    def test_processes_that_compile_at_once_do_not_disturb_each_other(toy: list[str]) -> None:
        together = [subprocess.Popen(toy, stdout=subprocess.PIPE, text=True) for _ in range(3)]
        for process in together:
            said, _ = process.communicate(timeout=300)
            assert process.returncode == 0
            assert said.endswith("True 10\n")
        assert subprocess.run(toy, stdout=subprocess.PIPE, text=True).stdout == "True 10\n", "it is kept"

    @pytest.mark.slow
    def test_an_interrupt_while_something_is_compiled_leaves_nothing_broken(toy: list[str]) -> None:
        with subprocess.Popen(toy, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "compiling\n"
            process.send_signal(signal.SIGINT)
            _, error = process.communicate(timeout=300)
        assert error.endswith("KeyboardInterrupt\n")
        done = subprocess.run(toy, stdout=subprocess.PIPE, text=True)
        assert done.stdout.endswith("compiling\nTrue 10\n"), "what was cut off is compiled again"
        assert subprocess.run(toy, stdout=subprocess.PIPE, text=True).stdout == "True 10\n", "it is kept"


# An edit anywhere in the core leads to recompilation.

# What Python runs: batches and games, and what is imported for them.
PYTHON_ONLY = {"__init__.py", "batch.py", "checks.py", "game.py", "errors.py"}


def compiled_modules() -> list[Path]:
    """Every file with code that numba compiles, or with tables that this code is compiled with."""
    reached, waiting = (
        set(),
        [PACKAGE / f"{name}.py" for name in ("core/loop", "core/observing/observation", "rules/turns/redeal")],
    )
    while waiting:
        path = waiting.pop()
        if path in reached or path.name in PYTHON_ONLY or not path.exists():
            continue
        reached.add(path)
        waiting += [module_path(name) for name in imported(path)]
    return sorted(reached)


def module_path(name: str) -> Path:
    path = ROOT.joinpath(*name.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def imported(path: Path) -> list[str]:
    """Return the modules of this package that a file imports, at any place in the file."""
    names = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("dominion_env"):
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            names += [alias.name for alias in node.names if alias.name.startswith("dominion_env")]
    return [name for name in names if module_path(name).exists()]


def hash_of(package: Path) -> str:
    """Return the source hash that a copy of the package computes of itself."""
    code = "from dominion_env.core.sources import SOURCE_HASH; print(SOURCE_HASH)"
    environment = {**os.environ, "PYTHONPATH": str(package.parent), "NUMBA_DISABLE_JIT": "1"}
    command, place = [sys.executable, "-c", code], package.parent
    return subprocess.run(
        command, env=environment, cwd=place, capture_output=True, text=True, check=True
    ).stdout.strip()


def test_the_hash_covers_every_module_of_the_core(tmp_path: Path) -> None:
    copy = tmp_path / "dominion_env"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))

    def source_hash() -> str:
        return jit.hash_of_sources(copy, rules_sources.FILES) + jit.hash_of_sources(copy, sources.FILES)

    unchanged = source_hash()
    assert unchanged == sources.SOURCE_HASH, "the hash is of the sources, not of where they lie"
    modules = compiled_modules()
    assert len(modules) > 40
    for module in modules:
        copied = copy / module.relative_to(PACKAGE)
        before = copied.read_bytes()
        copied.write_bytes(before + b"\n# edited\n")
        assert source_hash() != unchanged, f"an edit of {copied.name} would go unnoticed"
        copied.write_bytes(before)
    assert source_hash() == unchanged
    (copy / "rules" / "cards" / "base" / "prince.py").write_text("")
    assert source_hash() != unchanged, "a new card would go unnoticed"


def test_a_copy_in_another_place_has_the_same_hash(tmp_path: Path) -> None:
    shutil.copytree(PACKAGE, tmp_path / "dominion_env", ignore=shutil.ignore_patterns("__pycache__"))
    assert hash_of(tmp_path / "dominion_env") == sources.SOURCE_HASH
    with (tmp_path / "dominion_env" / "rules" / "zones.py").open("a") as file:
        file.write("\n")
    assert hash_of(tmp_path / "dominion_env") != sources.SOURCE_HASH


def test_the_written_files_are_what_the_generator_writes() -> None:
    for name, text in generate.generate().items():
        assert (PACKAGE / name).read_text() == text, "run `python -m dominion_env.rules.turns.generate`"


def test_the_generator_needs_nothing_that_it_writes(tmp_path: Path) -> None:
    """It works with its files missing or wrong, as after a card's function got another name, and finds new functions."""
    copy = tmp_path / "dominion_env"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    written = {name: (copy / name).read_text() for name in generate.generate()}

    def runs() -> None:
        command = [
            sys.executable,
            copy / "rules" / "turns" / "generate.py",
        ]  # by its path, as the package can't be imported
        subprocess.run(command, cwd=tmp_path, check=True, env={**os.environ, "PYTHONPATH": ""})

    for name in written:
        (copy / name).unlink()
    runs()
    assert {name: (copy / name).read_text() for name in written} == written
    for name in written:
        (copy / name).write_text("<<<<<<< HEAD\n")
    base = copy / "rules" / "cards" / "base"
    witch, smithy = base / "witch.py", base / "smithy.py"
    witch.write_text(witch.read_text().replace("witch_victim", "witch_each_player"))
    smithy.write_text(smithy.read_text() + "def smithy_reaction(game, me, step, action): ...\n")
    runs()
    assert "return witch_each_player(" in (copy / "rules" / "turns" / "dispatch.py").read_text()
    assert "return smithy_reaction(" in (copy / "rules" / "turns" / "dispatch.py").read_text()
    parts = (copy / "rules" / "record" / "parts.py").read_text()
    assert "WITH_REACTION = (Card.MOAT, Card.SMITHY,)" in parts
    assert "ON_THE_ATTACKER_TOO = (Card.SPY, Card.WITCH,)" in parts


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        ('CARD = row("Prince", cost=8)', "expected cost, types"),
        ('CARD = row("Prince", cost=8, types="Action", coin=1)', "got cost, types, coin"),
        ('CARD = row("Prince", cost=8, types="Action Attack")', "got 'Action Attack'"),
        ('CARD = row("Prince", cost=8, types="Action", basic=True)', "expected no basic card"),
        ('CARD = row("Princess", cost=8, types="Action")', "expected the name princess.py"),
        ('CARD = row("Prince", cost=COST, types="Action")', "with plain values"),
        ("", "with plain values"),
        (
            'CARD = row("Prince", cost=8, types="Action")\ndef princes(game, me, step, action): ...',
            "of prince, prince_victim, prince_each_player, prince_aftermath, prince_reaction, got princes",
        ),
    ],
)
def test_the_generator_says_what_is_wrong_with_a_cards_file(wrong: str, expected: str, tmp_path: Path) -> None:
    shutil.copytree(PACKAGE / "rules" / "cards", tmp_path / "rules" / "cards")
    shutil.copytree(PACKAGE / "tables", tmp_path / "tables")
    (tmp_path / "rules" / "cards" / "base" / "prince.py").write_text(wrong)
    with pytest.raises(SystemExit, match=r"^rules/cards/base/prince.py: expected") as error:
        generate.generate(tmp_path)
    assert expected in str(error.value)


def test_the_generator_refuses_more_cards_than_a_set_of_cards_can_hold(tmp_path: Path) -> None:
    shutil.copytree(PACKAGE / "rules" / "cards", tmp_path / "rules" / "cards")
    shutil.copytree(PACKAGE / "tables", tmp_path / "tables")
    more = tmp_path / "rules" / "cards" / "more"
    more.mkdir()
    here = len(dominion_env.CARDS)
    for number in range(here, MOST_CARDS + 1):
        assert generate.generate(tmp_path)["tables/card_table.py"].count("CardInfo(") == number
        (more / f"c{number}.py").write_text(f'CARD = row("C{number}", cost=1, types="Action", cards=1)')
    with pytest.raises(SystemExit, match="expected at most 62 cards, as a set of cards is an int64, got 63"):
        generate.generate(tmp_path)


def test_a_cards_row_that_the_generated_table_does_not_have_is_refused() -> None:
    with pytest.raises(ImportError, match="Village: expected the row of card_table"):
        row("Village", cost=4, types="Action", cards=1, actions=2)


# Public names.

PROMISED = [
    "Card", "CARDS", "PASS", "DISCARD_DECK", "NUM_ACTIONS", "action_name", "action_id", "GameBatch", "Game", "Decision",
    "observation_fields", "DominionError", "IllegalAction", "UnknownCard", "InvalidKingdom", "InvalidPosition",
    "InvalidReplay", "InvalidOption", "GameOver",
]  # fmt: skip


def test_all_promised_names_can_be_imported() -> None:
    assert set(PROMISED) <= set(dominion_env.__all__)
    assert sorted(set(dominion_env.__all__)) == sorted(dominion_env.__all__)
    for name in dominion_env.__all__:
        assert hasattr(dominion_env, name)


def test_all_errors_are_of_one_tree() -> None:
    for name in PROMISED[11:]:
        error = getattr(dominion_env, name)
        assert issubclass(error, dominion_env.DominionError)
        assert issubclass(error, ValueError) or name in ("DominionError", "GameOver")
