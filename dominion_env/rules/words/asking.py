"""The questions that a card's text can ask, said once in front of the text: `TRASHED = question(HAND, TRASH)`.

The text asks with this value, which holds all that the rules need. The rest is for others: a position in the middle of an
effect is loaded only if the text of its newest effect can have asked its question at this point, and if the cards that the
text then relies on lie where they should (`core/positions/unfinished.py`); and the players read the question in words
(`render/wording.py`).
"""

from collections.abc import Callable, Container
from dataclasses import dataclass, replace
from typing import Any, Literal

from dominion_env.compiled.jit import rule
from dominion_env.rules.record.state import CHOSEN, LOOKED_AT, REVEALED, SET_ASIDE
from dominion_env.rules.words import decisions
from dominion_env.tables.actions import FIRST_CARD_ACTION, NUM_VERBS
from dominion_env.tables.cards import CARDS, NUM_BASE_CARDS, Card, CardInfo, Type

ANY_STEP = range(1, 1001)  # of a text that may ask again and again; positions have no higher steps


@dataclass(frozen=True)
class Waiting:
    """What a text that waits for an answer finds, in plain Python.

    Attributes:
        step: number of times that the text has been entered.
        remembered: the number that the text remembers.
        edition: wording of the cards, 1 or 2.
        subject: the card that the question is about; -1 for none.
        subject_cost: cost of that card now, in coins; 0 for none.
        beside: the cards beside the play area of the player whom the text is about, newest first, each as a pair of the
            card and its mark.
        discard_top: the card on top of that player's discard pile; -1 for none.
        hand_size: number of cards in that player's hand.
        empty_piles: number of empty piles of the Supply.
        trash: the different cards in the trash.
        loot: number of cards trashed by this Attack that can still be gained.
        others: number of other players at the table.
    """

    step: int
    remembered: int
    edition: int
    subject: int
    subject_cost: int
    beside: list[tuple[int, int]]
    discard_top: int
    hand_size: int
    empty_piles: int
    trash: frozenset[int]
    loot: int
    others: int

    def lie_beside(self, cards: int, *purposes: int, after: int = 0) -> bool:
        """Return whether `cards` cards lie beside the play area for one of these purposes, below `after` newer ones."""
        marks = [mark for _, mark in self.beside[after : after + cards]]
        return len(marks) == cards and all(mark in purposes for mark in marks)


Needs = Callable[[Waiting], bool]


def nothing(waiting: Waiting) -> bool:
    """Return True, as the text relies on no card in particular."""
    return True


def picked_cards(waiting: Waiting) -> bool:
    """Return whether one card was picked at each step so far, and all lie beside the play area."""
    return waiting.remembered == waiting.step - 1 and waiting.lie_beside(waiting.remembered, CHOSEN)


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


def one_for_each_victim(waiting: Waiting) -> bool:
    """Return whether no more cards can be gained than there are victims, with those gained at the steps so far."""
    return waiting.step - 1 + waiting.loot <= waiting.others


def action_on_discard_pile(waiting: Waiting) -> bool:
    """Return whether the Action that the question is about lies on top of the discard pile."""
    return waiting.discard_top == waiting.subject and _is_action(waiting.subject)


def _is_action(card: int) -> bool:
    return card >= 0 and Type.ACTION in CARDS[card].types


@dataclass(frozen=True)
class Most:
    """How many cards may still be named, the one asked for included, where a text asks again and again.

    Attributes:
        left: function that returns this number.
        counts, number: the same for `texts.ask_to_pick`, if it asks.
    """

    left: Callable[[Waiting], int]
    counts: int = 0
    number: int = 0


def down_to(cards: int) -> Most:
    """Let a player pick until the hand is down to this number of cards."""
    return Most(lambda waiting: waiting.hand_size - cards, decisions.DOWN_TO, cards)


def in_all(cards: int) -> Most:
    """Let a player pick this number of cards, as far as the hand reaches."""
    return Most(lambda waiting: min(cards - waiting.remembered, waiting.hand_size), decisions.IN_ALL, cards)


WHOLE_HAND = down_to(0)
ONE_FOR_EACH_EMPTY_PILE = Most(
    lambda waiting: min(waiting.empty_piles - waiting.remembered, waiting.hand_size), decisions.EACH_EMPTY_PILE
)
ALL_ASIDE = Most(lambda waiting: waiting.remembered)  # cards of the effect beside the play area
THE_LAST = Most(lambda waiting: 1)  # no other card follows
ALL_LOOT = Most(lambda waiting: waiting.loot)  # cards trashed by this Attack that can still be gained

May = bool | Literal["in the second edition"]


class Question(int):
    """A question that a text can ask: for compiled code a number, `decisions.packed_question`, for Python what follows.

    Attributes:
        zone: zone of the candidates.
        verbs: verbs that may be done with a candidate, a bit each.
        steps: numbers of times that the text may have been entered when the question is open.
        asks_attacker: True if the attacker is asked instead of the victim whom the text is about.
        needs: further condition on which the text relies.
        may: True if passing is an answer.
        types, up_to, only, barred: limits on the candidates, 0 or None for none; see `decisions.joined_which`.
        above_trashed: largest difference in cost to the card just trashed, which the question is about; None if it is
            about no such card.
        most: number of cards that may still be named; None for a question about one card.
        words: the question as one says it to the player who is asked, "" if it follows from the rest. `render/wording.py`
            says what may stand in braces.
        words_for_several: the same where several cards may still be named, "" if that is no different.
    """

    zone: int
    verbs: int
    steps: Container[int]
    asks_attacker: bool
    needs: Needs
    may: May
    types: int
    up_to: int | None
    only: int | None
    barred: int | None
    above_trashed: int | None
    most: Most | None
    words: str
    words_for_several: str

    @property
    def kind(self) -> int:
        """The kind of question, as the record has it."""
        return decisions.kind_of(self.zone, self.verbs)

    @property
    def is_about_a_card(self) -> bool:
        """Whether it is about one card, such as the one just trashed."""
        return self.zone == decisions.SUBJECT or self.above_trashed is not None

    def is_about_right_card(self, waiting: Waiting) -> bool:
        """Return whether the question is about a card if it should be; `needs` knows more about a revealed one."""
        if self.above_trashed is not None:
            fits = self.types == 0 or int(CARDS[waiting.subject].types) & self.types != 0
            return waiting.subject in waiting.trash and fits
        return self.zone == decisions.SUBJECT or waiting.subject < 0

    def in_record(self, waiting: Waiting) -> dict[str, int]:
        """Return the fields of the record that follow from the question and what the text finds."""
        optional = waiting.edition == 2 if isinstance(self.may, str) else self.may
        up_to = self.up_to if self.above_trashed is None else waiting.subject_cost + self.above_trashed
        most = 1 if self.most is None else self.most.left(waiting)
        return {
            "kind": self.kind,
            "which": decisions.joined_which(self.types, up_to, self.only, self.barred),
            "optional": int(optional),
            "picks": 0 if self.most is None else waiting.step - 1,
            "min_left": 0 if optional else most,
            "max_left": most,
        }


def question(
    zone: int, *verbs: int, step: int | range = 1, asks_attacker: bool = False, needs: Needs = nothing,
    may: May = False, types: int = 0, up_to: int | None = None, only: int | None = None, barred: int | None = None,
    above_trashed: int | None = None, most: Most | None = None, words: str | tuple[str, str] = "",
) -> Question:  # fmt: skip
    """Say what a text can ask: a zone, one or more verbs, and the step or steps with which the answer may come.

    The other arguments are the attributes of `Question`; `words` may be a pair, for one card and for several.
    """
    number, counts = (0, 0) if most is None else (most.number, most.counts)
    optional = decisions.MAY_IN_SECOND_EDITION if isinstance(may, str) else decisions.MAY if may else decisions.MUST
    which = decisions.joined_which(types, up_to, only, barred)
    made = Question(
        decisions.packed_question(zone, one_of(*verbs), optional, asks_attacker, above_trashed, number, counts, which)
    )
    made.zone, made.verbs, made.steps = zone, one_of(*verbs), (step,) if isinstance(step, int) else step
    made.asks_attacker, made.needs, made.may = asks_attacker, needs, may
    made.types, made.up_to, made.only, made.barred = types, up_to, only, barred
    made.above_trashed, made.most = above_trashed, most
    made.words, made.words_for_several = (words, "") if isinstance(words, str) else words
    return made


def picks(verb: int, most: Most, may: May = False, words: str = "") -> Question:
    """Say that a text asks for one card of the hand after the other (`texts.ask_to_pick`), to do this with all at once."""
    return question(decisions.HAND, verb, step=ANY_STEP, needs=picked_cards, may=may, most=most, words=words)


def one_of(*verbs: int) -> int:
    """Return the set of these verbs, a bit each."""
    return sum(1 << verb for verb in verbs)


def row(name: str, *, cost: int, types: str, basic: bool = False, **rest: Any) -> int:
    """Return the number of the card whose file says this row.

    Args:
        name: name as printed.
        cost: printed cost in coins.
        types: its types with " - " between, "Action - Attack".
        basic: True for the seven cards of every game.
        rest: the other attributes of `CardInfo`, as far as they are not as usual.

    Raises:
        ImportError: the generated table has another row.
    """
    said = CardInfo(name, cost, Type(sum(Type[each.upper()] for each in types.split(" - "))), **rest)
    known = [replace(info, set_name=said.set_name) for info in CARDS]
    if said not in known or basic != (known.index(said) < NUM_BASE_CARDS):
        raise ImportError(
            f"{name}: expected the row of card_table.py, got {said}; "
            "`python -m dominion_env.rules.turns.generate` writes that file"
        )
    return int(Card.named(name))


_QUESTIONS: dict[Any, tuple[Question, ...]] = {}


def text(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function a card's text: compiled, with the questions that it names."""
    compiled, names = rule(function), function.__code__.co_names
    found = [function.__globals__.get(name) for name in names]
    _QUESTIONS[compiled] = tuple(each for each in found if isinstance(each, Question))
    return compiled


def reaction(words: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a function what a revealed Reaction does, with the words of the question whether to reveal it."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        compiled = rule(function)
        _QUESTIONS[compiled] = (question(decisions.HAND, decisions.REVEAL, may=True, words=words),)
        return compiled

    return decorate


def questions_of(compiled: Callable[..., Any]) -> tuple[Question, ...]:
    """Return the questions that a card's text can ask."""
    return _QUESTIONS[compiled]
