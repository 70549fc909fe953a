"""The network in torch, its losses and updates, and its export as a model."""
