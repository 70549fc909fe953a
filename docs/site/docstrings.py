"""Docstrings as the site's reference needs them: one entry for each parameter.

In the code one entry of `Args:` may describe several parameters ("seeds, index: ..."). The table of the reference has a
row for each of them, with its own type and default, and the build fails if an entry names no parameter.
"""

from __future__ import annotations

import re
from typing import Any

import griffe

_ARGUMENTS = re.compile(r"^( *)Args:\n(?:\1 +.*\n?|\s*\n)*", re.MULTILINE)
_SHARED = re.compile(r"^( +)(\*{0,2}\w+(?:, \*{0,2}\w+)+):(.*(?:\n\1 +.*)*)", re.MULTILINE)


def separated(docstring: str) -> str:
    """Return a docstring in which each parameter has an entry of its own."""

    def entries(found: re.Match[str]) -> str:
        indent, names, text = found.groups()
        return "\n".join(f"{indent}{name}:{text}" for name in names.split(", "))

    return _ARGUMENTS.sub(lambda section: _SHARED.sub(entries, section[0]), docstring)


class Separated(griffe.Extension):
    """Separates shared entries while the code is read."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Rewrite the docstring of an object."""
        if obj.docstring is not None:
            obj.docstring.value = separated(obj.docstring.value)
