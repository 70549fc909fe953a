"""Scripts that made a file or a table of the project once, and make it again: `python -m tools.NAME --help` in a checkout."""
