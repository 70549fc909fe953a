"""The tables of the documentation are those of the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs.site import describe
from dominion_training.learner.options.presets import QUICK
from dominion_training.learner.options.settings import Settings


@pytest.mark.parametrize("name", describe.PAGES)
def test_the_tables_of_a_page_are_up_to_date(name: str):
    page = (describe.DOCS / name).read_text(encoding="utf-8")
    assert describe.with_tables(name, page) == page, "run: python -m docs.site.describe"


def test_the_command_writes_all_tables_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    pages = {name: (describe.DOCS / name).read_text(encoding="utf-8") for name in describe.PAGES}
    for name, page in pages.items():
        emptied = re.sub(r"(<!-- [\w-]+ -->\n).*?(<!-- end -->)", r"\1\2", page, flags=re.DOTALL)
        assert len(emptied) < len(page)
        (tmp_path / name).write_text(emptied, encoding="utf-8")
    monkeypatch.setattr(describe, "DOCS", tmp_path)
    describe.main()
    assert {name: (tmp_path / name).read_text(encoding="utf-8") for name in pages} == pages


def test_the_table_of_settings_says_where_a_bare_train_differs():
    rows = [row.split(" | ") for row in describe.PAGES["training.md"]["settings"]().splitlines()[2:]]
    usual, quick = Settings().as_dict(), QUICK.as_dict()
    assert {row[0].strip("| `") for row in rows if row[2]} == {name for name in usual if usual[name] != quick[name]}


def test_a_page_without_a_place_for_a_table_is_refused():
    with pytest.raises(ValueError, match=r"cards\.md must have a line <!-- base --> and then <!-- end -->"):
        describe.with_tables("cards.md", "")


def test_arguments_are_read_with_all_their_lines():
    def example():
        """One.

        Args:
            first, second: what
                they are: words.
            third: 3.

        Raises:
            ValueError: never.
        """

    assert describe.arguments(example) == [("first, second", "what they are: words."), ("third", "3.")]


def test_a_docstring_without_arguments_is_refused():
    def example():
        """One."""

    with pytest.raises(ValueError, match="example: its docstring has no Args"):
        describe.arguments(example)


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("core.batch", "GameBatch"),
        ("views.dominion_v0", "raw_env"),
        ("views.gymnasium_env", "DominionEnv"),
        ("views.vector_env", "DominionVectorEnv"),
        ("views.sb3", "SB3VecEnv"),
    ],
)
def test_every_parameter_of_a_view_is_described(module: str, name: str):
    from importlib import import_module
    from inspect import signature

    view = getattr(import_module(f"dominion_env.{module}"), name)
    described = {each for names, _ in describe.arguments(view) for each in names.split(", ")}
    assert described == set(signature(view).parameters)
