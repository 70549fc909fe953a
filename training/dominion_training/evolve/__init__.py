"""Buy lists evolved from random ones, by games among themselves: what is strong in a kingdom, and what beats that."""
