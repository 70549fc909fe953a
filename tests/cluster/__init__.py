"""Tests on a Ray cluster whose nodes are processes of this machine; `make cluster` runs them."""
