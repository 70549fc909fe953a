"""Searching: playouts, which play games on by strategies, and what agents that search are made of."""
