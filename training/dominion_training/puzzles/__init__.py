"""Puzzles: decisions of games with one answer that is best beyond doubt, to test agents, people and language models."""

from __future__ import annotations

from dominion_training.puzzles.puzzle import Puzzle, batch_of, puzzles

__all__ = ["Puzzle", "batch_of", "puzzles"]
