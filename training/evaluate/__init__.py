"""How agents are compared."""
