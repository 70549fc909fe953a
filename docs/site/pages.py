"""Pages of the site that lie outside of docs/, and the links that lead to them.

Links in Markdown are those of the files, so that they work in the project too. A link to a file that is no page of the
site becomes plain text.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import nbformat
from mkdocs.structure.files import File, Files

from docs.site.notebooks import NOTEBOOKS, as_markdown

PROJECT = Path(__file__).parents[2]

# Files outside of docs/, by the names of their pages.
PAGES = {
    "index.md": "README.md",
    "contributing.md": "CONTRIBUTING.md",
    "changelog.md": "CHANGELOG.md",
    "lab_notebook.md": "training/README.md",
    **{f"notebooks/{path.stem}.md": f"notebooks/{path.name}" for path in NOTEBOOKS},
}
_LINK = re.compile(r"(?s:```.*?```)|`[^`]*`|(!?)\[([^\]]*)\]\((?!\w+:|#)([^)#\s]*)(#[^)\s]*)?\)")


def relinked(text: str, source: str) -> str:
    """Return the text of the page with the file `source` (from the project's root), with links as the site has them."""
    names = {file: page for page, file in PAGES.items()}
    folder = os.path.dirname(names.get(source) or source.removeprefix("docs/"))

    def link(found: re.Match[str]) -> str:
        if found[0].startswith("`"):  # code
            return found[0]
        picture, words, target, part = found.groups()
        file = os.path.normpath(Path(source).parent / target)
        page = names.get(file) or (file.removeprefix("docs/") if file.startswith("docs/") else None)
        if page is None:
            return str(words)
        return f"{picture}[{words}]({os.path.relpath(page, folder or '.')}{part or ''})"

    return _LINK.sub(link, text)


def on_files(files: Files, *, config: Any) -> Files:
    """Add the pages that lie outside of docs/."""
    for page, file in PAGES.items():
        text = (PROJECT / file).read_text(encoding="utf-8")
        content = as_markdown(nbformat.reads(text, as_version=4)) if file.endswith(".ipynb") else text
        files.append(File.generated(config, page, content=content))
    return files


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Return a page with links as the site has them."""
    name = page.file.src_uri
    return relinked(markdown, PAGES.get(name, f"docs/{name}"))
