"""The course of a game: setup, turns, effects, and worlds that are dealt anew."""
