"""The documentation builds as a site: every link leads somewhere, every page is in the navigation."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import dominion_agents
import dominion_env
import dominion_training
from docs.site.docstrings import separated
from docs.site.pages import PAGES, relinked

PROJECT = Path(__file__).parents[2]
REFERENCE = sorted((PROJECT / "docs" / "reference").glob("*.md"))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", "docs/site/mkdocs.yml"]
    done = subprocess.run(
        [*command, "--site-dir", str(folder)], cwd=PROJECT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return folder


def test_every_page_is_built(site: Path):
    pages = {page.name for page in (PROJECT / "docs").glob("*.md")} | {*PAGES}
    assert {f"{page.removesuffix('.md')}.html" for page in pages} <= {
        str(page.relative_to(site)) for page in site.rglob("*.html")
    }
    assert {page.stem for page in REFERENCE} <= {page.stem for page in site.glob("reference/*.html")}
    assert not (site / "site").exists()


def test_the_navigation_names_pages_in_words(site: Path):
    text = (site / "index.html").read_text(encoding="utf-8")
    named = re.findall(r'<span class="md-ellipsis">\s*(.*?)\s*</span>', text, re.DOTALL)
    assert {"Overview", "Your first agent", "Views of other libraries", "How do I", "Notebooks", "Reference"} <= set(
        named
    )
    assert not [name for name in named if "/" in name or name.endswith(".md")]


def test_notebooks_are_pages_with_their_pictures(site: Path):
    text = (site / "notebooks" / "a_game_by_hand.html").read_text(encoding="utf-8")
    assert "A game by hand" in text
    assert 'src="data:image/svg+xml;base64,' in text


def test_the_search_works_in_pages_that_are_opened_as_files(site: Path):
    """A browser lets such a page load scripts, but neither JSON nor workers."""
    index = (site / "search" / "search_index.js").read_text(encoding="utf-8")
    assert index.startswith("var __index = {")
    assert {page["location"] for page in json.loads(index.partition("=")[2])["docs"]} >= {
        "rules.html",
        "first_agent.html",
    }
    for page, script in (("index.html", "scripts"), ("reference/games.html", "../scripts")):
        assert f'<script src="{script}/iframe-worker.js"></script>' in (site / page).read_text(encoding="utf-8")
    assert "IFrameWorker" in (site / "scripts" / "iframe-worker.js").read_text(encoding="utf-8")


MOST_PUBLIC_NAMES = 60
BESIDE = {  # in modules of their own
    "dominion_env.render.render", "dominion_env.testing.check_vector_env", "dominion_env.text.Answer",
    "dominion_env.text.TextGame",
}  # fmt: skip


def test_the_reference_has_every_public_name_and_no_other():
    described = [name for page in REFERENCE for name in re.findall(r"^::: (\S+)$", page.read_text("utf-8"), re.M)]
    packages = (dominion_env, dominion_agents, dominion_training)
    public = {f"{package.__name__}.{name}" for package in packages for name in package.__all__} | BESIDE
    assert sorted(described) == sorted(public)
    assert len(public) <= MOST_PUBLIC_NAMES


@pytest.mark.parametrize("package", [dominion_env, dominion_agents], ids=lambda package: package.__name__)
def test_a_name_that_was_public_answers_with_a_warning_that_says_where_it_is(package: ModuleType):
    for name, place in package._WENT.items():
        with pytest.warns(DeprecationWarning, match=f"{package.__name__}.{name} goes in version 0.5: use {place}$"):
            there = getattr(package, name)
        module, _, attribute = place.rpartition(".")
        assert there is getattr(import_module(module), attribute)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = package.nothing


def test_the_reference_shows_arguments_results_and_errors_as_tables(site: Path):
    text = (site / "reference" / "games.html").read_text(encoding="utf-8")
    batch = text[text.index('id="dominion_env.GameBatch"') : text.index('id="dominion_env.Game"')]
    step = batch[batch.index('id="dominion_env.GameBatch.step"') :]
    for title in ("Parameters:", "Returns:", "Raises:"):
        assert re.search(rf"{title}</span>\s*</p>\s*<table>", step), title
    assert "Args:" not in batch


def test_an_entry_for_several_parameters_becomes_one_for_each():
    assert separated(
        """Play.

        Args:
            first, second: who
                play.
            **options: a, b: of `GameBatch`.

        Raises:
            A, B: never.
        """
    ) == (
        """Play.

        Args:
            first: who
                play.
            second: who
                play.
            **options: a, b: of `GameBatch`.

        Raises:
            A, B: never.
        """
    )


def test_the_first_page_is_readme_with_links_inside_of_the_site(site: Path):
    text = (site / "index.html").read_text(encoding="utf-8")
    assert 'src="images/browser/table.png"' in text
    assert 'href="contributing.html"' in text
    assert "docs/" not in "".join(re.findall(r'(?:href|src)="([^"]*)"', text))


def test_readers_load_nothing_from_other_servers(site: Path):
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert not re.findall(r'<(?:link|script|img|iframe)\b[^>]*(?:href|src)="(?:https?:)?//', text), page.name


@pytest.mark.parametrize(
    ("source", "text", "expected"),
    [
        ("README.md", "[a](docs/rules.md#end)", "[a](rules.md#end)"),
        ("README.md", "![a](docs/images/p.png)", "![a](images/p.png)"),
        ("README.md", "[MIT](LICENSE)", "MIT"),
        ("docs/search.md", "[a](../training/README.md)", "[a](lab_notebook.md)"),
        ("docs/search.md", "[a](rules.md)", "[a](rules.md)"),
        ("training/README.md", "[a](../docs/rules.md)", "[a](rules.md)"),
        ("docs/reference/games.md", "[a](../rules.md) [b](../../README.md)", "[a](../rules.md) [b](../index.md)"),
        ("docs/data.md", "[a](../notebooks/ten_lines_each.ipynb)", "[a](notebooks/ten_lines_each.md)"),
        ("docs/rules.md", "[a](reference/games.md#part)", "[a](reference/games.md#part)"),
        ("docs/search.md", "[a](https://example.org) [b](#c)", "[a](https://example.org) [b](#c)"),
        ("docs/search.md", "`x[0](y)`\n```\nx[0](y)\n```", "`x[0](y)`\n```\nx[0](y)\n```"),
    ],
)
def test_links_are_those_of_the_site(source: str, text: str, expected: str):
    assert relinked(text, source) == expected
