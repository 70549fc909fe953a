"""Strategies: buy lists and ways to play, their notations, and the lists that come with the project."""
