"""Attackers: buy lists that beat the network as it is now, sought while it learns, so that it meets them from then on.

A network that only meets itself and well-known lists has gaps, which short lists find: they empty piles before it has
bought points, say. The search is that of `dominion exploit`, with a small budget. It begins in turn with rushes, published
lists, money decks, anything, and the attackers so far.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dominion_agents import ScriptedAgent
from dominion_agents.strategies import STRATEGIES
from dominion_agents.strategy import Strategy
from dominion_agents.trained.agent import TrainedAgent
from dominion_env import GameBatch
from dominion_env.cards import NUM_BASE_CARDS, Card
from dominion_training.evaluate.games import Player
from dominion_training.learner.settings import Settings
from dominion_training.lists.drawing import Lists
from dominion_training.lists.field import play_field
from dominion_training.lists.search import KEPT, Candidate, State, games_of_round, next_state

ATTACK_SEED = 700_000_000  # far from the seeds of training and of measuring
ELSEWHERE = "big-money-ultimate"  # what an opponent plays where none of its lists can be played


def attackers(
    network: TrainedAgent, batch: GameBatch, before: Sequence[Strategy], settings: Settings, number: int
) -> list[Strategy]:
    """Return a list for each of some kingdoms that scores more than an even share against the network there.

    Args:
        network: the network as it is now.
        batch: games of the training, some of whose kingdoms are taken.
        before: the lists that attacks have found so far, the newest last.
        settings: settings of the run.
        number: number of the attack, from 1, by which its games are drawn.
    """
    seed = ATTACK_SEED + 1000 * settings.seed + number
    piles = np.unique(np.sort(batch.state["piles"], axis=1), axis=0)
    chosen = np.random.default_rng(seed).permutation(piles)[: settings.attack_kingdoms]
    kingdoms = ([Card(int(card)) for card in row[NUM_BASE_CARDS:]] for row in chosen)
    found = (_strongest(network, kingdom, before, settings, number, seed) for kingdom in kingdoms)
    return [each.strategy for each in found if each.score > 1 / settings.players]


def opponent(lists: Sequence[Strategy]) -> ScriptedAgent:
    """Return an agent that plays in each game the first of these lists whose cards are all there."""
    return ScriptedAgent(*lists, STRATEGIES[ELSEWHERE], cards=[each.kingdom_cards for each in lists] + [()])


def _strongest(
    network: TrainedAgent, kingdom: list[Card], before: Sequence[Strategy], settings: Settings, number: int, seed: int
) -> Candidate:
    """Search for the list that scores most in this kingdom."""
    lists, against = Lists(kingdom), Player("network", network)
    known = dict.fromkeys(each for each in reversed(before) if set(each.kingdom_cards) <= set(kingdom))
    state = State(climb=number - 1, kept=tuple(map(Candidate, known))[:KEPT])
    options: dict[str, Any] = {"kingdom": kingdom, "auto_treasures": True, "max_turns": settings.max_turns}
    while state.games == 0 or state.games + games_of_round(state, settings.players) <= settings.attack_games:
        state = next_state(
            state, lists, seed, lambda field, sets: play_field(field, against, sets, seed, settings.players, **options)
        )
    assert state.best is not None
    return state.best
