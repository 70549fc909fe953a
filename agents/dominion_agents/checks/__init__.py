"""Checks of what agents are given."""
