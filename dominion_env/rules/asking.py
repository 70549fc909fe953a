"""The questions that a card's text can ask, said beside the text: `@text(question(HAND, TRASH), ...)`.

The rules don't need to know them beforehand. A position in the middle of an effect does: it is loaded only if the text
of its newest effect can have asked its question at this point, and if the cards that the text then relies on lie where
they should (`core/positions/unfinished.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass
from typing import Any

from dominion_env.actions import FIRST_CARD_ACTION, NUM_VERBS
from dominion_env.cards import CARDS, Type
from dominion_env.rules.jit import rule
from dominion_env.rules.state import CHOSEN, LOOKED_AT, REVEALED, SET_ASIDE

ANY_STEP = range(1, 1001)  # of a text that may ask again and again; positions have no higher steps


@dataclass(frozen=True)
class Waiting:
    """What a text that waits for an answer finds, in plain Python.

    Attributes:
        remembered: the number that the text remembers.
        subject: the card that the question is about; -1 for none.
        beside: the cards beside the play area of the player whom the text is about, newest first, each as a pair of the
            card and its mark.
        discard_top: the card on top of that player's discard pile; -1 for none.
    """

    remembered: int
    subject: int
    beside: list[tuple[int, int]]
    discard_top: int

    def lie_beside(self, cards: int, *purposes: int, after: int = 0) -> bool:
        """Return whether so many cards lie beside the play area for one of these purposes, `after` newer ones."""
        marks = [mark for _, mark in self.beside[after : after + cards]]
        return len(marks) == cards and all(mark in purposes for mark in marks)


Needs = Callable[[Waiting], bool]


def nothing(waiting: Waiting) -> bool:
    """Return True, as the text relies on no card in particular."""
    return True


def picked_cards(waiting: Waiting) -> bool:
    """Return whether as many picked cards as the text remembers lie beside the play area."""
    return waiting.lie_beside(waiting.remembered, CHOSEN)


def revealed_cards(waiting: Waiting) -> bool:
    """Return whether one or two revealed cards lie beside the play area."""
    return waiting.remembered in (1, 2) and waiting.lie_beside(waiting.remembered, REVEALED)


def revealed_subject(waiting: Waiting) -> bool:
    """Return whether the card that the question is about lies revealed beside the play area."""
    return waiting.remembered == 1 and waiting.lie_beside(1, REVEALED) and waiting.beside[0][0] == waiting.subject


def looked_at_cards(waiting: Waiting) -> bool:
    """Return whether one or two cards that the player has looked at lie beside the play area."""
    return waiting.remembered in (1, 2) and waiting.lie_beside(waiting.remembered, LOOKED_AT, REVEALED)


def one_of_two_answered(*verbs: int) -> Needs:
    """Make sure that of two cards looked at the text remembers the answer about the one not asked about."""

    def needs(waiting: Waiting) -> bool:
        first, verb = divmod(waiting.remembered - FIRST_CARD_ACTION, NUM_VERBS)
        two = sorted(card for card, _ in waiting.beside[:2])
        are_there = waiting.lie_beside(2, LOOKED_AT, REVEALED) and two == sorted((first, waiting.subject))
        return are_there and verb in verbs

    return needs


def action_looked_at(waiting: Waiting) -> bool:
    """Return whether the Action asked about was looked at last, and as many as remembered were set aside before."""
    looked_at = waiting.lie_beside(1, LOOKED_AT, REVEALED) and waiting.beside[0][0] == waiting.subject
    return looked_at and _is_action(waiting.subject) and waiting.lie_beside(waiting.remembered, SET_ASIDE, after=1)


def action_on_discard_pile(waiting: Waiting) -> bool:
    """Return whether the Action that the question is about lies on top of the discard pile."""
    return waiting.discard_top == waiting.subject and _is_action(waiting.subject)


def _is_action(card: int) -> bool:
    return card >= 0 and Type.ACTION in CARDS[card].types


@dataclass(frozen=True)
class Question:
    """A question that a text can ask.

    Attributes:
        zone: where the candidates lie.
        verbs: what may be done with them, a bit each.
        steps: how often the text has been entered when the question is open.
        asks_attacker: the attacker is asked instead of the victim whom the text is about.
        needs: what else must hold, as the text relies on it.
    """

    zone: int
    verbs: int
    steps: Container[int]
    asks_attacker: bool
    needs: Needs


def question(
    zone: int, *verbs: int, step: int | range = 1, asks_attacker: bool = False, needs: Needs = nothing
) -> Question:
    """Say what a text can ask: a zone, one or more verbs, and the step or steps at which the question is open."""
    steps = (step,) if isinstance(step, int) else step
    return Question(zone, one_of(*verbs), steps, asks_attacker, needs)


def one_of(*verbs: int) -> int:
    """Return the set of these verbs, a bit each."""
    return sum(1 << verb for verb in verbs)


_QUESTIONS: dict[Any, tuple[Question, ...]] = {}


def text(*questions: Question) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a function a card's text: compiled, with the questions that it can ask."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        compiled = rule(function)
        _QUESTIONS[compiled] = questions
        return compiled

    return decorate


def questions_of(compiled: Callable[..., Any]) -> tuple[Question, ...]:
    """Return the questions that a card's text can ask."""
    return _QUESTIONS[compiled]
