"""The tables: cards, kingdoms, actions."""
