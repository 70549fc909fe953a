"""Opponents that join during a run: earlier versions of the network, and buy lists that attacks find."""
