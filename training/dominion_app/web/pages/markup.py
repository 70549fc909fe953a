"""HTML written in Python. Every text is escaped, unless it was made here."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup, escape

Content = str | Markup


def tag(name: str, /, *content: Content | Iterable[Content], **attributes: str | int | bool | None) -> Markup:
    """Return an element with its attributes and content, which is escaped where it is no markup.

    Args:
        name: name of the element.
        content: texts, markup, or lists of these.
        attributes: attributes; `_` becomes "-" and a `_` at the end nothing (`class_`, `aria_label`). True means
            an attribute without a value; one that is False or None is left out.
    """
    inner = "".join(str(escape(each)) if isinstance(each, str) else str(join(each)) for each in content)
    return Markup(f"<{name}{_attributes(attributes)}>{inner}</{name}>")


def void(name: str, /, **attributes: str | int | bool | None) -> Markup:
    """Return an element without content, such as `input`."""
    return Markup(f"<{name}{_attributes(attributes)}>")


def join(parts: Iterable[Content], between: str = "") -> Markup:
    """Return parts in a row, escaped where they are no markup."""
    return Markup(between).join(parts)


def _attributes(attributes: dict[str, str | int | bool | None]) -> str:
    words = []
    for name, value in attributes.items():
        written = name.rstrip("_").replace("_", "-")
        if value is True:
            words.append(f" {written}")
        elif value is not None and value is not False:
            words.append(f' {written}="{escape(str(value))}"')
    return "".join(words)
