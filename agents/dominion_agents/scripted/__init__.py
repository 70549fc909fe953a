"""Agents that buy by a list and play by heuristics, compiled; and the random agent."""
