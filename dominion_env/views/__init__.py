"""The environments that other libraries expect, each a thin view of the core without any rules."""
