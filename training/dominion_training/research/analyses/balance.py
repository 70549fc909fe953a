"""Which cards make games close, whatever the agent: one agent plays itself on random kingdoms, a new one in each game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from dominion_env.common.checks import whole_number
from dominion_env.common.errors import InvalidOption
from dominion_env.tables.cards import KINGDOM_CARDS, Card
from dominion_training.evaluate.match import sets_of
from dominion_training.play.entrants import make_entrant
from dominion_training.play.loop import Player
from dominion_training.play.sets import play_sets
from dominion_training.research.analyses.statistics import Estimate, adjusted, contrast, mean_of

MOST_TURNS = 60  # of a player; weak agents end few games sooner


@dataclass(frozen=True)
class Effect:
    """What a card does to the lead.

    Attributes:
        card: the Kingdom card.
        lead: points by which the winner leads in games with the card, less those in games without it.
        q: q-value of Benjamini and Hochberg over all cards; None where there are too few games.
    """

    card: Card
    lead: Estimate
    q: float | None


@dataclass(frozen=True)
class Balance:
    """How close the games of an agent against itself are.

    Attributes:
        agent: its name.
        games: number of games.
        lead: mean lead of the winner, in points.
        effects: what each card does to it, in order of the cards' numbers.
    """

    agent: str
    games: int
    lead: Estimate
    effects: tuple[Effect, ...]


def balance(agent: str, games: int = 10_000, seed: int = 0) -> Balance:
    """Return which cards make games between two copies of an agent close.

    Kingdoms are random, of all 32 cards, so that games with a card differ from those without it by that card and by chance.

    Args:
        agent: name of an agent that plays every kingdom.
        games: number of games, each on a kingdom of its own.
        seed: seed of the games.

    Raises:
        DominionError: an argument is wrong.
    """
    number = whole_number("games", games, 1, 10**7)
    made = Player(agent, make_entrant(agent))
    played = play_sets(
        (made, made), range(sets_of(2 * number, 2)), seed, kingdom="random", auto_treasures=True, max_turns=MOST_TURNS
    )
    played = played[played["rotation"] == 0]  # the other rotation of the same two agents is the same game
    leads = np.abs(played["points"][:, 0].astype(np.float64) - played["points"][:, 1])
    rows = np.arange(number)
    effects = [
        contrast(leads, (played["kingdom"] == card).any(axis=1).astype(np.int64), (-1.0, 1.0), rows)
        for card in KINGDOM_CARDS
    ]
    found = [Effect(card, each, q) for card, each, q in zip(KINGDOM_CARDS, effects, adjusted(effects), strict=True)]
    return Balance(agent, number, mean_of(leads, (0, np.inf)), tuple(found))


@dataclass(frozen=True)
class Agreement:
    """How alike the effects of the cards are for two agents: Spearman's rank correlation over the cards."""

    agents: tuple[str, str]
    rho: float
    p: float


def agreements(found: Sequence[Balance]) -> list[Agreement]:
    """Return how alike the effects are for each two agents.

    Raises:
        InvalidOption: there are too few games to tell the effects.
    """
    pairs = [(one, other) for place, one in enumerate(found) for other in found[place + 1 :]]
    if any(not effect.lead.is_known for each in found for effect in each.effects):
        raise InvalidOption("games: expected enough of them to tell the effect of each card, got too few")
    told = []
    for one, other in pairs:
        values = [[effect.lead.value for effect in each.effects] for each in (one, other)]
        rho, p = stats.spearmanr(*values)
        told.append(Agreement((one.agent, other.agent), float(rho), float(p)))
    return told


def alike(found: Sequence[Balance], q: float = 0.05) -> tuple[list[Card], list[Card]]:
    """Return the cards that surely make games closer for all agents, and those that surely make them less close for all."""
    closer, wider = [], []
    for number in range(len(found[0].effects)):
        effects = [each.effects[number] for each in found]
        signs = [effect.lead.value or 0.0 for effect in effects if effect.q is not None and effect.q <= q]
        if len(signs) == len(found):
            closer += [effects[0].card] if max(signs) < 0 else []
            wider += [effects[0].card] if min(signs) > 0 else []
    return closer, wider
