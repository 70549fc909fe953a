"""Data sets: games that are played, recorded and kept as tables."""
