"""Pages, source text and settings of the project: `make lint` runs these tests."""
