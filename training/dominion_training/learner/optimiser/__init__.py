"""The network, its updates, and what is made of it."""
