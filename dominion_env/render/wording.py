"""A question as one says it to the player who is asked: in the words of the card's file, or in words made from it."""

from collections.abc import Mapping, Sequence
from typing import Any

from dominion_env.core.questions import Decision, offered, question_of
from dominion_env.render.log import counted
from dominion_env.rules.words.asking import Question
from dominion_env.rules.words.decisions import ASIDE, DECK, DISCARD_PILE, HAND, LOOT, SUBJECT
from dominion_env.tables.actions import Verb, action_name
from dominion_env.tables.cards import Card, Type

_PHASES = {"action": "Play an Action card, or go on to the Buy phase", "buy": "Play Treasures, or buy a card"}
_WITHOUT_TREASURES = "Buy a card, or end the turn"
_TREASURES = [card.title for card in Card if Type.TREASURE in card.info.types]

_FROM = {
    HAND: " from your hand",
    DISCARD_PILE: " from your discard pile",
    ASIDE: " beside the play area",
    LOOT: " of those that were trashed",
}


def request(decision: Decision, names: Sequence[str], position: Mapping[str, Any]) -> str:
    """Return a question as one says it to the player who is asked: "Remodel: gain a card costing up to $4 (...)".

    The words of a card's file may have in braces: {cards}, the number of cards with "up to" where fewer will do; {number},
    the most that may still be named; {card}, the card that the question is about; {whose}, the player whose card it is;
    {most}, the most that a gained card may cost; {may}, "you may " if one may decline; {before}, the first of two answers.

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
    question = question_of(decision.source, decision.kind, card is not None)
    words = (question.words_for_several if most > 1 else "") or question.words or _words_of(question)
    said = words.format(
        cards=f"{'' if decision.min_left == most else 'up to '}{counted(most, 'card')}",
        number=most,
        card="" if card is None else card.title,
        whose="your own" if decision.target in (None, decision.player) else f"{names[decision.target or 0]}'s",
        most=question.up_to if card is None else card.info.cost + (question.above_trashed or 0),
        may="you may " if decision.min_left == 0 else "",
        before=_before(position) if "{before}" in words else "",
    )
    return f"{decision.source.title}: {said}"


def _before(position: Mapping[str, Any]) -> str:
    """Return the first of two answers to a text, which moves no card yet."""
    answer = action_name(position["effects"][-1]["memory"])
    put_back = answer.removeprefix("topdeck ")
    return answer if put_back == answer else f"put back {put_back}, which then lies below"


def kind_of_card(question: Question) -> str:
    """Return what a question is after: "a Treasure", "a Copper", "a card"."""
    kinds = [kind.name.title() for kind in Type if question.types & kind and kind.name is not None]
    kinds = [kind if kind in ("Treasure", "Curse") else f"{kind} card" for kind in kinds]
    name = Card(question.only).title if question.only is not None else " or ".join(kinds) or "card"
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"


def _words_of(question: Question) -> str:
    """Return a question in words that follow from it, for `request`."""
    if question.zone == DECK:
        return "{may}put your whole deck into your discard pile"
    several = question.verbs.bit_count() > 1
    verb = Verb(question.kind)
    what = "{cards}" if question.most is not None else kind_of_card(question)
    if question.zone == SUBJECT:
        what = "{whose} {card}" if question.asks_attacker else "{card}"
    elif question.barred is not None:
        what += f" other than {Card(question.barred).title}"
    if question.up_to is not None or question.above_trashed is not None:
        what += " costing up to ${most}"
    what += _FROM.get(question.zone, "")
    if question.above_trashed is not None:
        what += " (you trashed {card})"
    if several:
        said = f"{offered(question)} {what}"
    else:
        said = f"put {what} onto your deck" if verb == Verb.TOPDECK else f"{verb.word} {what}"
    return said if question.most is not None else "{may}" + said


def declining(question: Question) -> str:
    """Return what passing means where a question allows it: "Trash no more", "Keep it"."""
    if question.zone == DECK:
        return "Keep the deck"
    verb = Verb(question.kind)
    if verb == Verb.SET_ASIDE:
        return "Keep it"
    if question.zone == SUBJECT or verb == Verb.REVEAL:
        return f"Don't {verb.word} it"
    if question.most is not None:
        return f"{verb.word.capitalize()} no more"
    return "Put none on top" if verb == Verb.TOPDECK else f"{verb.word.capitalize()} none"
