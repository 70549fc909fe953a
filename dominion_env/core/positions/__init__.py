"""Positions: one game as JSON, and back.

`write` turns a record into a dictionary of plain numbers, names and lists; `read` loads any well-formed one, also a
position that no real game reaches. Whatever is missing is empty, or as the setup has it.
"""

from dominion_env.core.positions.form import FORMAT, LARGEST_TURN, Position
from dominion_env.core.positions.reading import Template, read
from dominion_env.core.positions.unfinished import ASKED
from dominion_env.core.positions.writing import write

__all__ = ["ASKED", "FORMAT", "LARGEST_TURN", "Position", "Template", "read", "write"]
