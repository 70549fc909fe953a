"""Buy lists that beat one agent: drawn and changed at random, and played against it many at a time."""
