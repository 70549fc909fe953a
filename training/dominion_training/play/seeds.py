"""The seeds of ranked games, which their agents can't find out by trying.

The seed decides all luck, and agents get random keys and see cards that come from it. So an agent that tries all seeds of
some range, and keeps the one whose keys or hands are those it was given, knows every card to come. Seeds of 64 random bits
are too many to be tried.
"""

from __future__ import annotations

import secrets
from pathlib import Path

from dominion_env.common.checks import is_whole
from dominion_env.common.files import parse_json


def drawn_seed() -> int:
    """Draw 64 random bits as the seed of ranked games."""
    return secrets.randbits(64)


def seed_of_run(given: int | None, kept: Path | None = None, bits: int = 64, inside: str | None = None) -> int:
    """Return the seed of a run: the one given, else the one with which its results were begun, else a drawn one.

    Args:
        given: what the caller wants; None for a seed that nobody can guess.
        kept: the file with the run's settings, if there may be one.
        bits: number of random bits to draw.
        inside: name of the entry of that file in which the settings are; None if they are the whole file.
    """
    if given is not None:
        return given
    try:
        settings = parse_json(kept.read_bytes()) if kept is not None else {}
        seed = (settings if inside is None else settings[inside])["seed"]
    except (OSError, ValueError, LookupError, TypeError):  # whoever reads the file for its settings says what is wrong
        seed = None
    return int(seed) if is_whole(seed) else secrets.randbits(bits)
