"""Attackers: buy lists that beat the network as it is now, sought while it learns, so that it meets them from then on.

A network that only meets itself and well-known lists has gaps, which short lists find: they empty piles before it has
bought points, say. The search is that of `dominion exploit`, with a small budget that may grow, as the gaps that are left
take longer to find. It begins in turn with rushes, published lists, money decks, anything, and the attackers so far.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import zip_longest
from typing import Any

import numpy as np

from dominion_agents import ScriptedAgent
from dominion_agents.strategies.named import STRATEGIES
from dominion_agents.strategies.strategy import Strategy
from dominion_agents.trained.agent import TrainedAgent
from dominion_env import GameBatch
from dominion_env.tables.cards import NUM_BASE_CARDS, Card
from dominion_training.learner.optimiser.update import one_threaded_workers
from dominion_training.learner.options.settings import Settings
from dominion_training.learner.rollouts.shard import MAX_TURNS
from dominion_training.lists.against_agent import play_against
from dominion_training.lists.budget import Budget
from dominion_training.lists.climbs import KEPT, State, next_state, surely
from dominion_training.lists.cutting import Outcomes
from dominion_training.lists.random_lists import RandomLists
from dominion_training.lists.search import Candidate
from dominion_training.play.loop import Player

ATTACK_SEED = 700_000_000  # far from the seeds of training and of measuring
ELSEWHERE = "big-money-ultimate"  # what an opponent plays where none of its lists can be played
MOST_KINGDOMS = 4  # that a search attacks, if the training has several
MOST_FINDS = 3  # lists that a search on one kingdom brings, each the best of its climb
TRIALS = ((25, 4), (200, 1))  # sets that all lists play to choose the strongest, and how many go on


def attackers(
    network: TrainedAgent,
    batch: GameBatch,
    before: Sequence[Strategy],
    settings: Settings,
    number: int,
    games: int,
    threads: int = 1,
) -> list[list[Strategy]]:
    """Return the opponents that an attack brings, the strongest first, each as a list for each of some kingdoms.

    All of these lists score more than an even share against the network. An opponent may lack some of the kingdoms.

    Args:
        network: the network as it is now.
        batch: games of the training, some of whose kingdoms are taken, those of many games rather than those of few.
        before: the lists that attacks have found so far, the newest last.
        settings: settings of the run.
        number: number of the attack, from 1, by which its games are drawn.
        games: number of games on each kingdom.
        threads: number of threads that play. The result does not depend on it.
    """
    seed = ATTACK_SEED + 1000 * settings.seed + number
    games_now = np.column_stack([batch.state["edition"], np.sort(batch.state["piles"], axis=1)])
    drawn = np.random.default_rng(seed).permutation(games_now).tolist()
    chosen = [*dict.fromkeys(map(tuple, drawn))][:MOST_KINGDOMS]  # the likelier, the more games have it
    found = [
        _winning_lists(
            network, [*map(Card, piles[NUM_BASE_CARDS:])], edition, before, settings, number, seed, games, threads
        )
        for edition, *piles in chosen
    ]
    return [[each for each in ranked if each is not None] for ranked in zip_longest(*found)]


def opponent(lists: Sequence[Strategy]) -> ScriptedAgent:
    """Return an agent that plays in each game the first of these lists whose cards are all there."""
    return ScriptedAgent(*lists, STRATEGIES[ELSEWHERE], cards=[each.kingdom_cards for each in lists] + [()])


def strongest(network: TrainedAgent, lists: Sequence[Strategy], settings: Settings, **options: Any) -> Strategy | None:
    """Return the list that scores most against the network, in games of its own; None if there is none.

    Args:
        network: the trained network.
        lists: lists for the kingdom of the games.
        settings: settings of the run.
        options: options of `GameBatch`, the kingdom among them.
    """
    left, seed = list(dict.fromkeys(lists)), ATTACK_SEED + 1000 * settings.seed  # attacks are numbered from 1
    for sets, staying in TRIALS if left else ():
        shares, _ = play_against(left, Player("network", network), range(sets), seed, settings.players, **options)
        left = [left[place] for place in np.argsort(-shares.mean(axis=1), kind="stable")[:staying]]
        seed += 500  # which no attack reaches
    return left[0] if left else None


def _winning_lists(
    network: TrainedAgent,
    kingdom: list[Card],
    edition: int,
    before: Sequence[Strategy],
    settings: Settings,
    number: int,
    seed: int,
    games: int,
    threads: int,
) -> list[Strategy]:
    """Search for the lists that score most in this kingdom; return those that win, the best of each climb."""
    lists, against = RandomLists(kingdom), Player("network", network)
    known = dict.fromkeys(each for each in reversed(before) if set(each.kingdom_cards) <= set(kingdom))
    state = State(climb=number - 1, kept=tuple(map(Candidate, known))[:KEPT])
    options: dict[str, Any] = {
        "kingdom": kingdom, "edition": edition, "auto_treasures": True, "max_turns": MAX_TURNS,
    }  # fmt: skip
    best: dict[int, Candidate] = {}
    with one_threaded_workers(threads) as workers:

        def play(field: list[Strategy], sets: range) -> Outcomes:
            share = -(-len(field) // threads)
            parts = [field[first : first + share] for first in range(0, len(field), share)]
            alone = partial(
                play_against, against=against, sets=sets, seed=seed, num_players=settings.players, **options
            )
            return np.concatenate(list(workers.map(alone, parts)), axis=1)

        while not state.is_over(settings.players, Budget(games)):
            state = next_state(state, lists, seed, play)
            if state.staying:  # empty where a climb has just ended, which has found nothing better for some rounds
                best[state.climb] = state.staying[0]
    ranked = sorted(best.values(), key=surely, reverse=True)
    winning = [each.strategy for each in ranked if each.score > 1 / settings.players]
    return list(dict.fromkeys(winning))[:MOST_FINDS]
