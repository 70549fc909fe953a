"""Positions: one game as JSON, and back.

`write` turns a record into a dictionary of plain numbers, names and lists. `read` loads any well-formed one, also a
position that no real game reaches. A key that is missing counts as empty, or as the setup has it.
"""

from dominion_env.core.positions.form import Position
from dominion_env.core.positions.reading import Template, read
from dominion_env.core.positions.writing import write

__all__ = ["Position", "Template", "read", "write"]
