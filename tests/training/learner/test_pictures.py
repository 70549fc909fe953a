"""The pictures of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dominion_env.tables.cards import NUM_CARDS, Card
from dominion_training.learner.runs import pictures


def test_the_deck_is_drawn_with_six_named_cards_and_one_line_for_all_others(monkeypatch: pytest.MonkeyPatch):
    drawn: list[Any] = []
    monkeypatch.setattr(pictures, "_save", lambda figure, path: drawn.append(figure.axes[0]))
    decks = np.zeros((5, NUM_CARDS))
    most = [Card.COPPER, Card.GOLD, Card.SMITHY, Card.VILLAGE, Card.MOAT, Card.MARKET]
    decks[:, most] = 4.0
    decks[:, [Card.ESTATE, Card.CELLAR]] = 1.5
    pictures.deck_by_turn(Path("deck.png"), decks, 10)
    (axes,) = drawn
    assert {text.get_text() for text in axes.texts} == {card.title for card in most} | {"all others"}
    assert len(axes.lines) == 7
    assert axes.lines[-1].get_ydata().tolist() == [3.0] * 5
    heights = sorted(text.xyann[1] for text in axes.texts)
    assert min(np.diff(heights)) > 0.19  # names of equal lines stand apart
