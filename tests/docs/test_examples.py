"""Every Python example of README and the documentation runs. Those of a page run one after the other, as one program."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
# These look at what is printed too, in tests of their own.
ELSEWHERE = {
    "clients.md": "tests/clients/test_recipes.py",
    "evaluation.md": "tests/docs/test_evaluation.py",
    "strategies.md": "tests/docs/test_strategies.py",
}
PAGES = [
    PROJECT / "README.md",
    *(page for page in sorted((PROJECT / "docs").glob("*.md")) if page.name not in ELSEWHERE),
]
EXAMPLES = {
    str(page.relative_to(PROJECT)): re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    for page in PAGES
}


def test_there_are_examples_for_every_view():
    text = "\n".join(EXAMPLES["docs/views.md"])
    assert all(view in text for view in ("GameBatch(", "dominion_v0.", "gymnasium.make"))
    assert "GameBatch(" in "\n".join(EXAMPLES["README.md"])


def test_the_other_pages_have_tests_of_their_own():
    for page, test in ELSEWHERE.items():
        assert (PROJECT / test).exists() or not (PROJECT / "docs" / page).exists(), f"{page}: nothing runs its examples"


@pytest.mark.slow
@pytest.mark.usefixtures("forgotten_agents")
@pytest.mark.parametrize("page", [page for page, examples in EXAMPLES.items() if examples])
def test_the_examples_of_a_page_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)  # for what they write
    names: dict[str, object] = {"__name__": "__main__"}
    for number, example in enumerate(EXAMPLES[page], start=1):
        exec(compile(example, f"{page}, example {number}", "exec"), names)
    if page == "docs/training.md":
        logged = (tmp_path / "logs" / "progress.csv").read_text()
        assert "mine/entropy" in logged
        assert "update/entropy" in logged
