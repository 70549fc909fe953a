"""Trained networks as agents: what they read, how they are computed, and their files. Nothing here needs torch."""
