"""A run: the command, its folder, and what it shows while it goes on."""
