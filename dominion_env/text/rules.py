"""The game in short, and the texts of a kingdom's cards, for a player who reads them once."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from dominion_env.render.log import counted
from dominion_env.render.view import printed, types_of
from dominion_env.rules.record.state import PILES_TO_END
from dominion_env.tables.cards import NUM_BASE_CARDS, Card
from dominion_env.tables.kingdoms import KingdomLike, resolve

_GAME = """\
Dominion, a card game in which each player builds a deck of their own. It begins as 7 Copper and 3 Estate, shuffled, and a \
hand of 5 cards is drawn from it. At the end the player with the most points in all their cards wins, between equal points \
the one with fewer turns.

A turn has three phases. Action phase: you may play one Action card from your hand, and another for each +1 Action. Buy \
phase: {treasures}, and you may buy one card from the Supply, and another for each +1 Buy; together they cost at most \
your coins. A bought or gained card goes to your discard pile. Clean-up: your hand and all that you played go to your discard \
pile, and you draw 5 cards. Whenever your deck is too small, your discard pile is shuffled and becomes the deck.

The game ends after a turn in which the Provinces or any {piles} piles of the Supply have run out.

You are asked one question at a time, and answer in the words of one action alone, such as "buy Silver", "play Smithy" or \
"trash Estate"{number}. "pass" ends a phase, declines, or stops choosing. Several cards are named one by one, in one answer \
each. In the Supply, "Silver (3) x40" is 40 copies at 3 coins each.

The cards:
"""
_IN_THE_SECOND = " (second edition: you may)"


def rules_text(
    kingdom: Iterable[int], edition: int, num_players: int, auto_treasures: bool = True, list_answers: bool = True
) -> str:
    """Return the game in short and the texts of its cards.

    Args:
        kingdom: numbers of the Kingdom cards.
        edition: edition whose wording holds, 1 or 2.
        num_players: number of players.
        auto_treasures: whether Treasures are played without a question.
        list_answers: whether answers are listed with numbers.
    """
    told = _GAME.format(
        treasures="all your Treasures are played" if auto_treasures else "you may play your Treasures",
        piles=PILES_TO_END[num_players],
        number=', or with its number in the list of answers, such as "3"' if list_answers else "",
    )
    return f"{told}{_lines([*range(NUM_BASE_CARDS), *kingdom], edition)}"


def cards_text(kingdom: KingdomLike) -> str:
    """Return the texts of the Kingdom cards that a kingdom has, or may have where it is drawn.

    Raises:
        InvalidKingdom, UnknownCard: there is no such kingdom or card.
    """
    choice = resolve(kingdom)
    return _lines(np.unique(choice.kingdoms) if choice.kingdoms.size else choice.pool, int(choice.editions[0]))


def _lines(cards: Iterable[int], edition: int) -> str:
    return "\n".join(card_line(Card(card), edition) for card in cards)


@lru_cache(256)
def card_line(card: Card, edition: int | None = None) -> str:
    """Return a card in a line: "Smithy (Action, costs 4 coins): +3 Cards."; without an edition it says what both do."""
    text = card.info.text if edition is None else card.info.text.replace(_IN_THE_SECOND, "")
    if edition == 2 and text != card.info.text:
        text = f"You may {text[0].lower()}{text[1:]}"
    said = " ".join([*(f"{each}." for each in printed(card)), text]).strip()
    return f"{card.title} ({types_of(card)}, costs {counted(card.info.cost, 'coin')}): {said}"
