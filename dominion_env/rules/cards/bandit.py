from __future__ import annotations

from typing import Any

from dominion_env.cards import Card
from dominion_env.rules.decisions import (
    ASIDE,
    FINISHED,
    TRASH,
    TYPE_TREASURE,
    WAITING,
    card_of,
    except_card,
    must_choose,
    of_type,
)
from dominion_env.rules.jit import rule
from dominion_env.rules.stack import count, counted
from dominion_env.rules.zones import discard_revealed, gain, reveal_cards, trash_revealed

_COPPER, _GOLD = int(Card.COPPER), int(Card.GOLD)


@rule
def bandit(game: Any, me: Any, step: Any, action: Any) -> Any:
    """Gain a Gold."""
    gain(game, me, _GOLD)
    return FINISHED


@rule
def bandit_victim(game: Any, victim: Any, step: Any, action: Any) -> Any:
    """Reveal the top 2 cards of your deck, trash a revealed Treasure other than Copper, discard the rest."""
    if step > 0:
        trash_revealed(game, victim, card_of(action))
        discard_revealed(game, victim, counted(game) - 1)
        return FINISHED
    revealed = reveal_cards(game, victim, 2)
    count(game, revealed)
    if must_choose(game, victim, TRASH, ASIDE, of_type(TYPE_TREASURE) | except_card(_COPPER)) == WAITING:
        return WAITING
    discard_revealed(game, victim, revealed)
    return FINISHED
