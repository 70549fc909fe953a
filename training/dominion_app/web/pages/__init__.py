"""The pages and their parts, as HTML."""
