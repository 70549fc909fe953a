"""The files from which the rules and the core are compiled; an edit of any of them makes everything compile again."""

from __future__ import annotations

from pathlib import Path

from dominion_env.compiled.jit import hash_of_sources

# The files that are compiled, and those whose tables compiled code reads as constants.
COMPILED_FILES = (
    "actions.py",
    "cards.py",
    "compiled/*.py",
    "core/fields.py",
    "core/loop.py",
    "core/observation.py",
    "core/rewards.py",
    "rules/**/*.py",
    "sources.py",
    "splitmix.py",
)

SOURCE_HASH = hash_of_sources(Path(__file__).parent, COMPILED_FILES)
