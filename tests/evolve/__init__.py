"""Evolved lists: hall, evolution, simplifying, lineage, the command, and what joined the project."""
