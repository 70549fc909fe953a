"""Compiled loops of agents that search: playouts, and trees whose leaves a playout or a network values."""
