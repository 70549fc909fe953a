"""A question as one says it to the player who is asked: one sentence for each card that asks, and for each phase."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dominion_env.actions import action_name
from dominion_env.cards import Card, Type
from dominion_env.core.questions import Decision
from dominion_env.render.log import counted

_PHASES = {
    "action": "Play an Action card, or go on to the Buy phase",
    "buy": "Play Treasures, or buy a card",
}
_WITHOUT_TREASURES = "Buy a card, or end the turn"
_SECOND = "; of two put back, the second lies on top"
_TREASURES = [card.title for card in Card if Type.TREASURE in card.info.types]

# By the card that asks and the kind of question. {cards} is the number of cards with "up to" where fewer will do, {card} the
# card that the question is about, {whose} the player whose card it is, {most} the most that a gained card may cost, and
# {may} tells that one may decline.
_REQUESTS = {
    (Card.ARTISAN, "gain"): "gain a card costing up to $5 to your hand",
    (Card.ARTISAN, "topdeck"): "put a card from your hand onto your deck",
    (Card.BANDIT, "trash"): "trash one of the Treasures that you revealed",
    (Card.BUREAUCRAT, "topdeck"): "put a Victory card from your hand onto your deck",
    (Card.CELLAR, "discard"): "discard {cards}; you draw as many",
    (Card.CHANCELLOR, "discard deck"): "put your whole deck into your discard pile, or keep it",
    (Card.CHAPEL, "trash"): "trash {cards} from your hand",
    (Card.FEAST, "gain"): "gain a card costing up to $5",
    (Card.HARBINGER, "topdeck"): "put a card from your discard pile onto your deck, or none",
    (Card.LIBRARY, "set aside"): "set aside {card}, or keep it",
    (Card.MILITIA, "discard"): "discard {cards} from your hand",
    (Card.MINE, "gain"): "gain a Treasure costing up to ${most} to your hand (you trashed {card})",
    (Card.MINE, "trash"): "{may}trash a Treasure from your hand, and gain a better one",
    (Card.MOAT, "reveal"): "reveal it, so that {card} does nothing to you, or don't",
    (Card.MONEYLENDER, "trash"): "trash a Copper from your hand for $3, or don't",
    (Card.POACHER, "discard"): "discard {cards} from your hand",
    (Card.REMODEL, "gain"): "gain a card costing up to ${most} (you trashed {card})",
    (Card.REMODEL, "trash"): "trash a card from your hand, and gain one costing up to $2 more",
    (Card.SENTRY, "topdeck"): "put the cards back onto your deck in any order",
    (Card.SENTRY, "trash"): "trash, discard or put back {card}",
    (Card.SPY, "discard"): "discard {whose} {card}, or put it back",
    (Card.THIEF, "gain"): "gain any of the Treasures that were trashed, one by one",
    (Card.THIEF, "trash"): "trash one of {whose} Treasures",
    (Card.THRONE_ROOM, "play"): "{may}play an Action card from your hand twice",
    (Card.VASSAL, "play"): "play {card} that you discarded, or don't",
    (Card.WORKSHOP, "gain"): "gain a card costing up to $4",
}
_MORE = {Card.REMODEL: 2, Card.MINE: 3}  # that a gained card may cost more than the trashed one


def request(decision: Decision, names: Sequence[str], position: Mapping[str, Any]) -> str:
    """Return a question as one says it to the player who is asked: "Remodel: gain a card costing up to $4 (...)".

    Args:
        decision: the question, with all that the player may know of it.
        names: names of the players.
        position: the position in which it is asked.
    """
    if decision.source is None:
        hand = position["players"][decision.player]["hand"]
        has_treasures = not position["bought"] and any(card in hand for card in _TREASURES)
        return _WITHOUT_TREASURES if decision.kind == "buy" and not has_treasures else _PHASES[decision.kind]
    card, most = decision.card, decision.max_left
    said = _REQUESTS[decision.source, decision.kind].format(
        cards=f"{'' if decision.min_left == most else 'up to '}{counted(most, 'card')}",
        card=_looked_at(most) if card is None else card.title,
        whose="your own" if decision.target in (None, decision.player) else f"{names[decision.target or 0]}'s",
        most=0 if card is None else card.info.cost + _MORE.get(decision.source, 0),
        may="you may " if decision.min_left == 0 else "",
    )
    if decision.source == Card.SENTRY and decision.kind == "trash" and card is not None:
        before = action_name(position["effects"][-1]["memory"])  # which moves no card yet
        put_back = before.removeprefix("topdeck ")
        said += f" (before: {before if put_back == before else f'put back {put_back}, which then lies below'})"
    elif decision.source == Card.SENTRY and decision.kind == "trash" and most > 1:
        said += _SECOND
    return f"{decision.source.title}: {said}"


def _looked_at(cards: int) -> str:
    """Return what Sentry asks about before its first answer."""
    return "the card that you looked at" if cards == 1 else f"the {cards} cards that you looked at, one by one"
