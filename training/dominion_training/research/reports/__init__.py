"""Figures, sections and the report of a study."""
