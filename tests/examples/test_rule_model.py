"""The stand-in for a language model errs as it says, and hardly ever where the answers are listed."""

from __future__ import annotations

import pytest

from dominion_agents.own_code.text import TextAgent
from dominion_env import make_agent
from dominion_training import play_match
from dominion_training.evaluate.taken import taken
from examples.rule_model import RuleModel

pytestmark = pytest.mark.compiled


def found(policy: str):
    """Return what its answers took in 20 games."""
    games = play_match(TextAgent(RuleModel(), policy), make_agent("big-money"), 20, seed=1, auto_treasures=True).games
    return taken([(games, True)])


def test_it_finds_legal_answers_in_the_list_and_misses_many_without():
    with_list, without = found("retry,first"), found("retry,first,unlisted")
    assert with_list["wrong_share"] < 0.02
    assert 0.1 < without["wrong_share"] < 0.4
    assert all(without["wrong_answers"][kind] > 10 for kind in ("unreadable", "not_legal", "several"))
    assert with_list["tokens_per_game"] > 10_000


def test_it_says_the_same_to_the_same_text_and_minds_the_reason_of_a_refusal():
    asked = "Turn 5 of player_0, Buy phase: 1 action, 1 buy, 4 coins\n\nBuy a card, or end the turn"
    said = RuleModel()(asked)
    assert said == RuleModel()(asked)
    refused = f"{asked}\n\nYour last answer was not taken: “{said}” fits no answer that is legal now."
    assert RuleModel()(refused) != said
