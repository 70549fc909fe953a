"""The notebooks run from start to end, show what they are about, and hold no logic."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import nbformat
import pytest

from docs.site.notebooks import NOTEBOOKS, executed, warned

BUDGETS = {
    "a_game_by_hand": {},
    "a_language_model": {"GAMES": 24, "RATING_GAMES": 6, "LOSS_GAMES": 2, "PLAYOUTS": 300},
    "a_trained_agent": {"SAMPLES": 30_000, "ANCHOR_GAMES": 4, "GAMES": 4, "BENCHMARK_GAMES": 10},
    "benchmark_your_agent": {"MATCH_GAMES": 40, "BENCHMARK_GAMES": 20},
    "evolve_a_strategy": {"GAMES": 100_000, "MEASURED": 100},
    "openings_and_card_values": {"GAMES": 1_000, "EXPERIMENTS": 40},
    "ten_lines_each": {"BATCH_STEPS": 50, "LEARNER_STEPS": 512},
    "when_to_buy_what": {"GAMES": 60, "WORLDS": 4},
    "which_kingdoms_are_close": {"GAMES": 400},
}
# This one is about an agent, which is a function.
FUNCTIONS = {"benchmark_your_agent": {"two_smithies", "cards"}}
PICTURES = {"image/png", "image/svg+xml"}  # what code hosts show

# A path from the root of a file system, of two parts at least, on its own, in quotes or behind file://; or of Windows.
_ABSOLUTE = re.compile(r"""(?:(?<![\w./:<\\-])|file://)/[A-Za-z_][\w.-]*/[\w.-]+|\b[A-Z]:\\+[A-Za-z]|site-packages""")

each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def code_cells(path: Path) -> list[nbformat.NotebookNode]:
    return [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]


def paths_of_a_machine(text: str) -> list[str]:
    """Return the absolute paths in a text, which are those of the machine where a notebook was run."""
    return _ABSOLUTE.findall(text)


def test_every_notebook_has_its_small_budgets():
    assert {path.stem for path in NOTEBOOKS} == set(BUDGETS)


@each_notebook
def test_a_notebook_is_kept_small_and_says_nothing_about_a_machine(path: Path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert set(notebook.metadata) <= {"kernelspec", "language_info"}
    assert path.stat().st_size < 200_000
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            output.get("data", {}).pop("image/png", None)  # letters and slashes at random
    assert not paths_of_a_machine(nbformat.writes(notebook))


@pytest.mark.parametrize("text", ["/home/ada/game.py", '"/opt/a/b"', "in /tmp/x1/cell.py:3", "file:///srv/a/b", "C:\\Users\\ada",
                                  "lib/site-packages/numba"])  # fmt: skip
def test_paths_of_a_machine_are_found(text: str):
    assert paths_of_a_machine(f"saved to {text} at last")


@pytest.mark.parametrize(
    "text", ["and/or", "</svg></g>", "1/2/3", "http://www.w3.org/2000/svg", "image/svg+xml", "a / b"]
)
def test_other_slashes_are_no_paths(text: str):
    assert not paths_of_a_machine(f"saved to {text} at last")


@each_notebook
def test_a_notebook_is_kept_with_what_it_shows(path: Path):
    cells = code_cells(path)
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1)), "python -m docs.site.notebooks"
    outputs = [output for cell in cells for output in cell.outputs]
    assert {output.output_type for output in outputs} <= {"stream", "display_data", "execute_result"}
    assert any(PICTURES & set(output.get("data", ())) for output in outputs)


@each_notebook
def test_a_cell_that_shows_something_has_been_run(path: Path):
    for cell in code_cells(path):
        last = ast.parse(cell.source).body[-1]
        prints = any(isinstance(node, ast.Name) and node.id in {"print", "show", "display"} for node in ast.walk(last))
        if prints or (isinstance(last, ast.Expr) and not isinstance(last.value, ast.Call)):
            assert cell.outputs, cell.source


def test_ten_lines_each_shows_something_for_every_view():
    cells = [cell for cell in code_cells(NOTEBOOKS[0].with_name("ten_lines_each.ipynb")) if "budgets" not in cell.id]
    for view in ("dominion_v0.env", "gymnasium.make", "GameBatch(", "SB3VecEnv("):
        (cell,) = [cell for cell in cells if view in cell.source]
        assert cell.outputs, view


@each_notebook
def test_a_notebook_holds_no_logic(path: Path):
    defined = {
        node.name
        for cell in code_cells(path)
        for node in ast.walk(ast.parse(cell.source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    }
    assert defined == FUNCTIONS.get(path.stem, set())


@pytest.mark.compiled
@pytest.mark.slow
@each_notebook
def test_a_notebook_runs(path: Path):
    kept = path.read_bytes()
    notebook = executed(path, BUDGETS[path.stem])
    shown = [len(cell.outputs) > 0 for cell in notebook.cells if cell.cell_type == "code"]
    assert shown == [len(cell.outputs) > 0 for cell in code_cells(path)]
    assert not warned(notebook)
    assert path.read_bytes() == kept


def test_budgets_go_to_a_cell_that_sets_them(tmp_path: Path):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("GAMES = 3")])
    path = tmp_path / "one.ipynb"
    nbformat.write(notebook, path)
    with pytest.raises(ValueError, match="expected one cell with the tag 'parameters' that sets GAMES"):
        executed(path, {"GAMES": 1})
