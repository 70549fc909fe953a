"""Agents of code that the user names, and objects of other forms as agents."""
