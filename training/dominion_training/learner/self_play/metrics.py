"""What the games of a rollout say, for the logger of a run."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dominion_env.tables.actions import FIRST_CARD_ACTION, NUM_VERBS, Verb
from dominion_env.tables.cards import CARDS, NUM_CARDS
from dominion_training.learner.rollouts.samples import ENDED
from dominion_training.learner.rollouts.shard import Shard


def of_games(shards: list[Shard]) -> dict[str, float]:
    """Return lengths of the games that have ended in the last rollout, and what the network has bought in it, by name."""
    lengths = [length for shard in shards for length in shard.lengths]
    found = {}
    if lengths:
        found["games/rounds"] = float(np.mean(lengths))
        found["games/truncated"] = sum(shard.truncated for shard in shards) / len(lengths)
    copies, turns = bought(shards)
    for card in np.flatnonzero(copies):
        found[f"bought in a game/{CARDS[card].name}"] = float(copies[card])
        found[f"bought on turn/{CARDS[card].name}"] = float(turns[card])
    return found


def bought(shards: list[Shard]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return what the network has bought in the last rollout.

    Returns:
        Copies of each card in a game, and the mean of the seat's own turns in which they were bought (NaN for none), both
        float64 (NUM_CARDS,).
    """
    counts, turns, games = np.zeros(NUM_CARDS), np.zeros(NUM_CARDS), 0
    for shard in shards:
        samples, size = shard.samples, shard.samples.size
        actions = samples.actions[:size].astype(np.int64) - FIRST_CARD_ACTION
        buys = (actions >= 0) & (actions % NUM_VERBS == Verb.BUY)
        slots = actions[buys] // NUM_VERBS
        if samples.layout.num_cards_told:
            told = samples.inputs[:size][buys, -samples.layout.num_cards_told :]
            cards = told[np.arange(len(slots)), slots]
        else:
            everything = samples.layout.slots == "all"
            card_of = np.arange(NUM_CARDS) if everything else np.sort(shard.batch.state["piles"][0])
            cards = card_of[slots]
        counts += np.bincount(cards, minlength=NUM_CARDS)
        turns += np.bincount(cards, samples.turns[:size][buys], minlength=NUM_CARDS)
        games += int((samples.following[:size] == ENDED).sum())
    with np.errstate(invalid="ignore"):
        return counts / max(games, 1), turns / counts
