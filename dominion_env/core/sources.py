"""The files of the core that are compiled, beyond those of the rules."""

from pathlib import Path

from dominion_env.compiled.jit import hash_of_sources
from dominion_env.rules.sources import RULES_HASH

FILES = ("core/ahead.py", "core/loop.py", "core/observing/*.py", "core/rewards.py", "core/sources.py")

SOURCE_HASH = RULES_HASH + hash_of_sources(Path(__file__).parents[1], FILES)
