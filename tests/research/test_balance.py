"""Which cards make games close: the effects are differences of means over the games that were played."""

from __future__ import annotations

import numpy as np
import pytest

from dominion_env import Card, DominionError, InvalidOption, make_agent
from dominion_training.play.loop import Player
from dominion_training.play.sets import play_sets
from dominion_training.research.analyses.balance import MOST_TURNS, Balance, Effect, agreements, alike, balance
from dominion_training.research.analyses.statistics import Estimate
from tests.properties import sized


@pytest.mark.compiled
def test_an_effect_is_the_difference_of_the_leads_with_and_without_a_card():
    number = sized(400)
    found = balance("big-money", number, seed=3)
    player = Player("big-money", make_agent("big-money"))
    games = play_sets((player, player), range(number), 3, kingdom="random", auto_treasures=True, max_turns=MOST_TURNS)[
        ::2
    ]
    leads = np.abs(np.diff(games["points"].astype(int), axis=1)[:, 0])
    assert found.games == number == len(games)
    assert found.lead.value == pytest.approx(leads.mean())
    for effect in found.effects:
        there = (games["kingdom"] == effect.card).any(axis=1)
        if effect.lead.is_known:
            assert effect.lead.value == pytest.approx(leads[there].mean() - leads[~there].mean())
    # Money players never touch a Kingdom card, so no card does anything.
    assert not any(effect.q is not None and effect.q < 0.01 for effect in found.effects)


@pytest.mark.compiled
def test_curses_part_players_who_find_the_witch_and_others_alike():
    effects = {effect.card: effect for effect in balance("auto-2", sized(2000), seed=1).effects}
    assert effects[Card.WITCH].lead.low > 0.5
    assert effects[Card.WITCH].q < 0.001


def made(agent: str, values: dict[Card, float], q: float = 0.001) -> Balance:
    effects = tuple(
        Effect(card, Estimate(value, value - 1, value + 1, 99, q, 0.5), q) for card, value in values.items()
    )
    return Balance(agent, 99, Estimate(5.0, 4.0, 6.0, 99), effects)


def test_what_holds_for_all_agents_holds_for_each_of_them():
    one = made("one", {Card.MOAT: -1.0, Card.WITCH: 2.0, Card.MINE: 1.0})
    other = made("other", {Card.MOAT: -3.0, Card.WITCH: 1.0, Card.MINE: -1.0})
    assert alike([one, other]) == ([Card.MOAT], [Card.WITCH])
    unsure = made("unsure", {Card.MOAT: -3.0, Card.WITCH: 1.0, Card.MINE: -1.0}, q=0.2)
    assert alike([one, unsure]) == ([], [])
    (same,) = agreements([one, one])
    assert (same.agents, same.rho) == (("one", "one"), pytest.approx(1.0))


def test_too_few_games_and_wrong_names_are_told_in_words():
    few = balance("big-money", 3)
    assert not few.lead.is_known
    with pytest.raises(InvalidOption, match="too few"):
        agreements([few, few])
    with pytest.raises(DominionError):
        balance("nobody", 10)
    with pytest.raises(InvalidOption, match="games"):
        balance("big-money", 0)
