"""Agents that choose a list for the game at hand: by kingdom, by chance, or among what another agent may gain."""
