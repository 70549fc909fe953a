"""What a network reads of a row of an observation, step by step: only the interpreter can call these from outside."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dominion_agents.trained.forward import look
from dominion_agents.trained.inputs import layout
from dominion_agents.trained.reading import GLANCE, MOST, _count
from dominion_env import NUM_ACTIONS, Card, Verb, observation_fields, observation_size
from dominion_env.compiled.jit import COMPILED, records
from dominion_env.rules.words.decisions import ASK_BUY
from dominion_env.tables.actions import action_of
from dominion_env.tables.kingdoms import KINGDOMS

pytestmark = pytest.mark.skipif(COMPILED, reason="what compiled code calls can't be called from Python")

LAYOUT = layout("kingdom", 2)
START = {field.name: field.start for field in observation_fields(2)}


def seen(row: Any, *actions: int) -> tuple[dict[str, int], Any]:
    """Return the inputs by name, and what was looked at, where these actions are legal in a game of the First Game."""
    row[[START["in_game"] + int(card) for card in (*range(7), *KINGDOMS["first-game-2e"])]] = 1
    mask = np.zeros(NUM_ACTIONS, np.bool_)
    mask[list(actions)] = True
    glance, inputs = records(np.zeros(1, GLANCE))[0], np.zeros(LAYOUT.num_inputs, np.int8)
    look(glance, LAYOUT.reading()[0], row, mask, inputs, 0)
    return dict(zip(LAYOUT.names, inputs.tolist(), strict=True)), glance


def empty_row() -> Any:
    return np.zeros(observation_size(2), np.float32)


@pytest.mark.parametrize(("number", "count"), [(2.9999, 3), (3.0001, 3), (-2.9999, -3), (300, MOST), (-300, -MOST)])
def test_a_count_is_rounded_and_cut_off(number, count):
    assert _count(np.float32(number)) == count


def test_two_known_copies_of_a_card_are_two():
    row = empty_row()
    row[[START["my_known_top"] + 6 * place for place in (1, 2)]] = 1  # Copper, in binary
    inputs, _ = seen(row, 0)
    assert inputs["my_known_top, from 2 of slot 0"] == 2
    assert inputs["my_known_top of slot 0"] == 0


@pytest.mark.parametrize("card", [Card.COPPER, Card.SILVER, Card.GOLD])
def test_each_treasure_is_played_before_anything_is_bought(card):
    row = empty_row()
    row[START["question_kind"] + ASK_BUY] = 1
    _, glance = seen(row, 0, action_of(Verb.PLAY, card), action_of(Verb.BUY, Card.ESTATE))
    assert glance["legal"][: glance["num_legal"]].tolist() == [action_of(Verb.PLAY, card)]
