"""How agents are compared; docs/evaluation.md explains the methods."""
