"""Many games as arrays: the loop, the batch, observations, positions."""
