"""Games for language models: what a seat reads, and how its answers are read."""
