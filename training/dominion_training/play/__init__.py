"""How agents play: the one loop that brings games to their ends, and what is played with it."""
