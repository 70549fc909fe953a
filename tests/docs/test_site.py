"""The documentation builds as a site: every link leads somewhere, every page is in the navigation."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from docs.site.pages import PAGES, relinked

PROJECT = Path(__file__).parents[2]


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
    pages = {page.stem for page in (PROJECT / "docs").glob("*.md")} | {Path(page).stem for page in PAGES}
    assert pages <= {page.stem for page in site.glob("*.html")}
    assert not (site / "site").exists()


def test_the_first_page_is_readme_with_links_inside_of_the_site(site: Path):
    text = (site / "index.html").read_text(encoding="utf-8")
    assert 'src="images/position.png"' in text
    assert 'href="contributing.html"' in text
    assert "docs/" not in "".join(re.findall(r'(?:href|src)="([^"]*)"', text))


def test_readers_load_nothing_from_other_servers(site: Path):
    for page in site.glob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert not re.findall(r'<(?:link|script|img|iframe)\b[^>]*(?:href|src)="(?:https?:)?//', text), page.name


@pytest.mark.parametrize(
    ("source", "text", "expected"),
    [
        ("README.md", "[a](docs/rules.md#end)", "[a](rules.md#end)"),
        ("README.md", "![a](docs/images/p.png)", "![a](images/p.png)"),
        ("README.md", "[MIT](LICENSE)", "MIT"),
        ("docs/search.md", "[a](../training/README.md)", "[a](training.md)"),
        ("docs/search.md", "[a](rules.md)", "[a](rules.md)"),
        ("training/README.md", "[a](../docs/rules.md)", "[a](rules.md)"),
        ("docs/search.md", "[a](https://example.org) [b](#c)", "[a](https://example.org) [b](#c)"),
        ("docs/search.md", "`x[0](y)`\n```\nx[0](y)\n```", "`x[0](y)`\n```\nx[0](y)\n```"),
    ],
)
def test_links_are_those_of_the_site(source: str, text: str, expected: str):
    assert relinked(text, source) == expected
