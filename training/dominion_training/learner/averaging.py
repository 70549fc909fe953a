"""The mean of a network's weights over the end of its training (stochastic weight averaging, Izmailov et al. 2018).

It is meant for runs whose weights wander around a good place rather than settle there. Where the rate of learning falls to
nearly nothing, as in all presets, the mean was not seen to play better than the last weights.
"""

from __future__ import annotations

import copy

import torch

from dominion_training.learner.networks import Network


class Average:
    """The mean of weights that a network has had.

    Args:
        network: a network of the same kind and size.

    Attributes:
        network: a network with the mean as its weights; it says nothing while `number` is 0.
        number: number of times that weights have been added.
    """

    def __init__(self, network: Network) -> None:
        self.network = copy.deepcopy(network)
        self.number = 0

    def add(self, network: Network) -> None:
        """Add the weights of a network as they are now."""
        self.number += 1
        with torch.no_grad():
            for mean, new in zip(self.network.parameters(), network.parameters(), strict=True):
                mean.lerp_(new, 1 / self.number)

    def forget(self) -> None:
        """Begin anew."""
        self.number = 0
