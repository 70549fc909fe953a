"""The record of one game, and its random streams."""
