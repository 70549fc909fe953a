"""Recognises the files of other Dominion programs, so that a reader that can't read one says whose it is."""

import re
from typing import NamedTuple


class _Form(NamedTuple):
    told: str
    pattern: re.Pattern[str]


_LOOKED_AT = 100_000  # characters at the beginning of a text
_FORMS = tuple(
    _Form(told, re.compile(pattern, re.MULTILINE | re.IGNORECASE))
    for told, pattern in (
        (
            "a file of bots of Geronimoo's simulator (XML)",
            r"<playerCollection\b|<player\s+name=[^>]*>[\s\S]*?<buy\s+name=",
        ),
        ("a bot of Dominiate (CoffeeScript)", r"^\s*(?:gain|trash|play|action|discard)(?:Priority|Value)\s*[:=]\s*\("),
        (
            "a table of results of Provincial; one menu of it, such as e3-d5-p8-gold@99|silver@99, can be read",
            r"\A\s*(?:Leaderboard|Progression|Generation|Counters)\s+Kingdom cards:",
        ),
        ("a bot of pyminion (Python)", r"^\s*(?:from|import)\s+pyminion\b"),
        ("a bot of pydominion (Python)", r"^\s*(?:from|import)\s+dominion(?:\.|\s+import\b)"),
        ("a game log of dominion.games", r"\A\s*Game #\d+,|^\s*Turn \d+ - \S"),
        ("a game log of Goko's Dominion Online", r"^-+ Game Setup -+\s*$|^Supply cards: "),
        ("a game log of Isotropic", r"<title>Dominion Game #|(?:—|&mdash;|---) .+'s turn \d+ (?:—|&mdash;|---)"),
        ("a page of HTML", r"\A\s*<(?:!doctype html|html)\b"),
    )
)


def foreign(text: str) -> str:
    """Return whose file this is, in words such as "a bot of Dominiate (CoffeeScript)"; "" if no other program is recognised.

    Args:
        text: the text, or its beginning. A reader asks once it has found that it can't read the text itself.
    """
    beginning = text[:_LOOKED_AT].lstrip("\ufeff")
    return next((form.told for form in _FORMS if form.pattern.search(beginning)), "")
