"""Run the notebooks and keep what they show: `python -m docs.site.notebooks` writes their outputs.

Code hosts show a notebook as it is kept, pictures included. The tests run the notebooks too, with small budgets, and keep
nothing.
"""

from __future__ import annotations

import os
import sys
from base64 import b64encode
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

PROJECT = Path(__file__).parents[2]
NOTEBOOKS = sorted((PROJECT / "notebooks").glob("*.ipynb"))


def executed(path: Path, budgets: Mapping[str, int] | None = None) -> nbformat.NotebookNode:
    """Run a notebook from start to end.

    Args:
        path: file of the notebook.
        budgets: values that replace those of its cell with the tag "parameters".

    Returns:
        The notebook with its outputs, without the times of the run.

    Raises:
        ValueError: the notebook has no such cell, or the cell sets none of these names.
        nbclient.exceptions.CellExecutionError: a cell has failed.
    """
    notebook = nbformat.read(path, as_version=4)
    for name, value in (budgets or {}).items():
        cells = [cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", ())]
        if len(cells) != 1 or f"{name} = " not in cells[0].source:
            raise ValueError(f"{path.name}: expected one cell with the tag 'parameters' that sets {name}")
        cells[0].source += f"\n{name} = {value}"
    client = NotebookClient(notebook, timeout=600, kernel_name="python3", record_timing=False)
    client.execute(env={**os.environ, "PYTHONPATH": str(PROJECT)})
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    return notebook


def warned(notebook: nbformat.NotebookNode) -> list[str]:
    """Return what the cells have written to the standard error, but for the notice that something is being compiled."""
    cells = (cell for cell in notebook.cells if cell.cell_type == "code")
    texts = [output.text for cell in cells for output in cell.outputs if output.get("name") == "stderr"]
    return [text for text in texts if "being compiled for this machine" not in text]


def quiet(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Return the notebook without what its cells have written to the standard error."""
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if output.get("name") != "stderr"]
    return notebook


def as_markdown(notebook: nbformat.NotebookNode) -> str:
    """Return a notebook with its outputs as a page of the site, pictures included."""
    parts = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            parts += [f"```python\n{cell.source}\n```", *map(_shown, cell.outputs)]
        else:
            parts.append(cell.source)
    return "\n\n".join(parts) + "\n"


def _shown(output: Any) -> str:
    data = output.get("data", {})
    if "image/png" in data:
        return f'<img alt="" src="data:image/png;base64,{data["image/png"].strip()}">'
    if "image/svg+xml" in data:
        return f'<img alt="" src="data:image/svg+xml;base64,{b64encode(data["image/svg+xml"].encode()).decode()}">'
    return f"```text\n{output.get('text') or data['text/plain']}\n```"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the notebooks that are named, or all, and write them; returns the exit status."""
    named: Sequence[Any] = (sys.argv[1:] if arguments is None else arguments) or NOTEBOOKS
    for path in map(Path, named):
        notebook = executed(path)
        if warnings := warned(notebook):
            print(f"{path}: {warnings}", file=sys.stderr)
            return 1
        path.write_text(nbformat.writes(quiet(notebook)) + "\n", encoding="utf-8")
        print(f"{path}: {path.stat().st_size / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
