"""The files of the core that are compiled, beyond those of the rules."""

from __future__ import annotations

from pathlib import Path

from dominion_env.compiled.jit import hash_of_sources
from dominion_env.rules.sources import RULES_HASH

FILES = (
    "core/field_kinds.py",
    "core/fields.py",
    "core/loop.py",
    "core/observation.py",
    "core/places.py",
    "core/put_fields.py",
    "core/putting.py",
    "core/rewards.py",
    "core/sources.py",
)

SOURCE_HASH = RULES_HASH + hash_of_sources(Path(__file__).parents[1], FILES)
