"""The names of agents."""
