"""A visitor's game: its table, the answers of the visitor, and what their seat sees. It knows no web library.

`Seen` is all that a page may show: it is made from the `View` of the seat, so nothing that the seat can't know is in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from dominion_app.play.table import thought_of
from dominion_app.web.house.link import Link
from dominion_env.common.checks import shown
from dominion_env.common.errors import DominionError, IllegalAction
from dominion_env.players.agent import Agent
from dominion_env.render.ending import verdict
from dominion_env.render.view import View, card_in, view_of
from dominion_env.rules.record.state import RULES_VERSION
from dominion_env.tables.actions import action_id
from dominion_env.tables.cards import Card, Type
from dominion_env.views.game import Game

PASS = "pass"
PLAY = "play "
_PICKED = ("discard ", "trash ", "topdeck ")  # verbs whose cards may be picked together
_STALE = "The table has changed meanwhile, so that was not done. This is the game as it is now."


@dataclass(frozen=True)
class Kept:
    """What is stored of a visitor's game; with its link it is the whole game.

    Attributes:
        rules: version of the rules by which it was played.
        played: the actions so far.
        answered: steps at which the visitor has answered.
        step: number of decisions before the position that is looked at.
        outcome: how the game has ended in words, "" if it has not.
    """

    rules: int = RULES_VERSION
    played: tuple[str, ...] = ()
    answered: tuple[int, ...] = ()
    step: int | None = None
    outcome: str = ""


@dataclass(frozen=True)
class Seen:
    """What a seat sees of its game, and what it can do now.

    Attributes:
        view: the table as the seat sees it.
        state: text that names what is shown. Each command carries it, so that one that comes too late changes nothing.
        step: number of decisions before this one.
        length: number of known decisions.
        mine: whether the visitor is asked.
        watched: whether the visitor has no seat.
        answers: the legal answers of the visitor in words, empty if they are not asked or only watch.
        of_hand, of_supply: whether the answers are about cards of the visitor's hand, and of the Supply; both in a phase
            of the turn, and neither where a card that lies elsewhere is asked about.
        several: whether cards of the hand are picked and then confirmed together.
        least, most: number of cards that may be confirmed, if `several`.
        picked: answers picked so far, in order.
        treasures: the Treasures that the key for all Treasures would play.
        can_undo: whether there is an answer to take back.
        thinking: name of the agent that is asked, "" if none is.
        failure: what went wrong with an agent in words, "" if nothing did.
    """

    view: View
    state: str = field(compare=False)
    step: int
    length: int
    mine: bool
    watched: bool
    answers: tuple[str, ...]
    of_hand: bool
    of_supply: bool
    several: bool
    least: int
    most: int
    picked: tuple[str, ...]
    treasures: tuple[str, ...]
    can_undo: bool
    thinking: str
    failure: str

    @property
    def phase_of_turn(self) -> bool:
        """Whether a phase of the visitor's turn asks, and no card."""
        return self.of_hand and self.of_supply

    @property
    def can_confirm(self) -> bool:
        """Whether the cards that are picked may be confirmed."""
        return self.several and self.least <= len(self.picked) <= self.most


class _Offer(NamedTuple):
    """What the visitor is asked: the fields of the same names in `Seen`."""

    answers: tuple[str, ...] = ()
    of_hand: bool = False
    of_supply: bool = False
    several: bool = False
    least: int = 0
    most: int = 0


class VisitorGame:
    """A game of one visitor, played or watched.

    Args:
        link: what makes the game.
        agents: its agents that answer at once, by seat. Other seats without a person are asked elsewhere; see `asked`.
        kept: what was played before.

    Raises:
        DominionError: the link is wrong, or what was kept does not fit it.

    Attributes:
        link: the link of the game.
        table: the table.
        failure: what went wrong with an agent in words, "" if nothing did.
        spectated: seat whose view a visitor who watches has chosen; None for all cards.
    """

    def __init__(self, link: Link, agents: dict[int, Agent] | None = None, kept: Kept | None = None) -> None:
        self.link = link
        self.failure = ""
        self.spectated: int | None = None
        self._picks: list[tuple[str, ...]] = [()]  # the cards picked for this question, after each click
        self._agents = agents or {}
        self.table = link.table()
        if kept is not None:
            self._go_on(kept)
        elif link.replay and link.watched:
            self.table.go_to(0)

    def _go_on(self, kept: Kept) -> None:
        """Play what was kept."""
        if kept.rules != RULES_VERSION:
            raise IllegalAction(
                f"this game was begun by version {kept.rules} of the rules, and this server plays version {RULES_VERSION}; "
                "it can't be continued, and the link begins it anew"
            )
        self.table.go_to(0)
        for action in kept.played:
            self.table.answer(action)
        self.table.answered = [step for step in kept.answered if step < len(kept.played)]
        if kept.step is not None:
            self.table.go_to(kept.step)

    @property
    def kept(self) -> Kept:
        """What must be stored to go on later."""
        outcome = verdict(view_of(self.game, self.seat, self.table.shown_names)) if self.game.is_over else ""
        return Kept(RULES_VERSION, self.table.played, tuple(self.table.answered), self.table.step, outcome)

    @property
    def seat(self) -> int | None:
        """Seat of the visitor; None if they watch."""
        return self.link.seat

    @property
    def game(self) -> Game:
        """The game at the position that is looked at."""
        return self.table.game

    @property
    def _mine(self) -> bool:
        return not self.game.is_over and self.game.current_player == self.seat

    # --- what is seen ------------------------------------------------------------------------------------------------

    def seen(self) -> Seen:
        """Return what the visitor sees now."""
        looking = self.spectated if self.link.watched else self.seat
        view = view_of(self.game, looking, self.table.shown_names)
        asked = self._offer()
        mine = bool(asked.answers)
        return Seen(
            view=view,
            state=self.state,
            step=self.table.step,
            length=self.table.length,
            mine=mine,
            watched=self.link.watched,
            **asked._asdict(),
            picked=self._picked,
            treasures=_treasures(asked.answers),
            can_undo=bool(self.table.answered) and not self.link.watched,
            thinking="" if mine or view.over or self.asked is None else self.table.asked,
            failure=self.failure,
        )

    def _offer(self) -> _Offer:
        """Return what the visitor is asked now."""
        decision = self.game.decision
        if decision is None or not self._mine:
            return _Offer()
        legal, most = tuple(self.game.legal_actions()), decision.max_left
        place = None if decision.source is None else self.game.to_dict()["question"]["from"]
        of_hand = place in (None, "hand")
        several = of_hand and most > 1 and _alike(legal)
        return _Offer(legal, of_hand, place in (None, "supply"), several, decision.min_left, most)

    @property
    def question(self) -> str:
        """The question with all its details, for a visitor who may know them."""
        return view_of(self.game, None, self.table.shown_names).question

    # --- what the visitor does ---------------------------------------------------------------------------------------

    @property
    def state(self) -> str:
        """A text that names what the pages show now: the number of changes of the table, and of clicks that picked cards."""
        return f"{self.table.changes}.{len(self._picks) - 1}"

    @property
    def _picked(self) -> tuple[str, ...]:
        return self._picks[-1]

    def check_state(self, state: str) -> None:
        """Check that a command was given to what the pages show now.

        Raises:
            IllegalAction: the table or the cards that are picked have changed since.
        """
        if state != self.state:
            raise IllegalAction(_STALE)

    def answer(self, state: str, *actions: str) -> None:
        """Give an answer of the visitor, of one action or several in a row.

        Args:
            state: the state in which the visitor was asked; see `Seen`. The other commands have the same argument.
            actions: actions in words.

        Raises:
            IllegalAction: it is not asked for, any more or at all; nothing has changed.
        """
        asked = self._check(state)
        if actions[0] not in asked.answers:
            raise IllegalAction(f"expected one of {', '.join(asked.answers)}; got {shown(actions[0])}")
        self.table.answer(*actions)
        self._picks = [()]

    def pick(self, state: str, action: str) -> None:
        """Pick one more card, which is carried out when all are confirmed.

        Other cards may have been picked since the state was shown, as two quick clicks on two cards are no mistake.

        Raises:
            IllegalAction: there is no such card left to pick; nothing has changed.
        """
        asked = self._check(state, action)
        card = card_in(action) if action in asked.answers else None
        if not asked.several or card is None or self._picked.count(action) >= view_hand(self.game, self.seat)[card]:
            raise IllegalAction(f"There is no card for “{action[:40]}” left in the hand to pick.")
        if len(self._picked) >= asked.most:
            raise IllegalAction(f"expected at most {asked.most} cards, which are picked already; take one back first")
        self._picks.append((*self._picked, action))

    def take_back(self, state: str, action: str = "") -> None:
        """Take back a card that was picked, the last one if none is named.

        Raises:
            IllegalAction: no such card is picked.
        """
        self._check(state, action)
        if not self._picked or (action and action not in self._picked):
            raise IllegalAction("expected a card that is picked, got none")
        last = len(self._picked) - 1 - (self._picked[::-1].index(action) if action else 0)
        self._picks.append(self._picked[:last] + self._picked[last + 1 :])

    def confirm(self, state: str) -> None:
        """Carry out the cards that are picked, and end the question.

        Raises:
            IllegalAction: too few are picked.
        """
        asked = self._check(state)
        if not (asked.several and asked.least <= len(self._picked) <= asked.most):
            raise IllegalAction(f"expected {asked.least} to {asked.most} cards, got {len(self._picked)}")
        self.answer(state, *self._to_carry_out())

    def _to_carry_out(self) -> list[str]:
        """Return the answers that confirm what is picked: it may be over before the last card, or go on after it.

        Where all that is left to pick is alike, the rules pick it, and where more may be picked, a pass ends the question.
        """
        begun, game, answers = self.game.decision, self.game.copy(), list[str]()
        for action in [*self._picked, PASS]:
            now = game.decision
            if begun is None or now is None or (now.player, now.source) != (begun.player, begun.source):
                break
            if now.max_left != begun.max_left - len(answers):
                break
            game.apply(action)
            answers.append(action)
        return answers

    def play_treasures(self, state: str) -> None:
        """Play all Treasures of the hand, the dearest first.

        Raises:
            IllegalAction: there is none to play now.
        """
        self._check(state)
        treasures = self._all_treasures()
        if not treasures:
            raise IllegalAction("expected Treasures in hand that can be played now, got none")
        self.answer(state, *treasures)

    def _all_treasures(self) -> list[str]:
        """Return the actions that play all Treasures; nothing is drawn meanwhile, so the hand tells them."""
        hand = view_hand(self.game, self.seat)
        return [play for play in _treasures(self.game.legal_actions()) for _ in range(hand[_card(play)])]

    def undo(self, state: str) -> None:
        """Take back the card that was picked last, or else the visitor's last answer.

        Raises:
            IllegalAction: there is nothing to take back.
        """
        self.check_state(state)
        if self._picked:
            self.take_back(state)
        elif not self.table.undo():
            raise IllegalAction("there is nothing to take back")
        self.failure = ""

    def begin_anew(self, state: str) -> None:
        """Go back to the start of the game and forget what was played.

        Raises:
            IllegalAction: the table has changed meanwhile.
        """
        self.check_state(state)
        changes, self.table = self.table.changes, self.link.table()
        if self.link.replay:
            self.table.go_to(0 if self.link.watched else self.table.length)
        self.table.changes += changes + 1
        self._picks = [()]
        self.failure = ""

    def _check(self, state: str, picking: str | None = None) -> _Offer:
        """Return what the visitor is asked, after a check that a command belongs to it.

        Args:
            state: the state to which the command was given.
            picking: the card that is picked or taken back, if the command does that; other cards are no concern of it.
        """
        clicks = {f"{self.table.changes}.{number}": picked for number, picked in enumerate(self._picks)}
        if not picking or state not in clicks or clicks[state].count(picking) != self._picked.count(picking):
            self.check_state(state)
        if not self._mine:
            raise IllegalAction("it is not your turn to answer")
        return self._offer()

    # --- what the agents do ------------------------------------------------------------------------------------------

    @property
    def asked(self) -> str | None:
        """Name of the agent that must answer now; None if no agent is asked, or if what it has answered is known."""
        if self.game.is_over or self._mine or self.table.step < self.table.length:
            return None
        return self.link.agents[self.game.current_player]

    def agents_answer(self) -> bool:
        """Let the agents that answer at once play until the visitor or another agent is asked.

        Returns:
            Whether an agent is asked that must be asked elsewhere.
        """
        while self.asked is not None and not self.failure:
            if not self.agent_answers_at_once():
                return not self.failure
        return False

    def agent_answers_at_once(self) -> bool:
        """Let the agent that is asked answer, if it is one that answers at once; return whether it did.

        A mistake of an agent is kept in `failure`.
        """
        forced = self._forced()
        if forced is not None:
            self.agent_answers(forced)
            return True
        agent = self._agents.get(self.game.current_player)
        if agent is None:
            return False
        thought: Callable[[], int] = thought_of(agent, self.game)
        try:
            self.table.agent_answers(thought())
        except Exception as error:  # whatever an agent raises, it must not end the server
            self.fails(error)
            return False
        return True

    def _forced(self) -> str | None:
        """Return the Treasure that an agent plays next where each one is asked for; agents play all of them."""
        decision = self.game.decision
        if decision is None or decision.kind != "buy":
            return None
        return next(iter(_treasures(self.game.legal_actions())), None)

    def agent_answers(self, action: str) -> None:
        """Carry out the answer of an agent that was asked elsewhere; a mistake is kept in `failure`."""
        try:
            self.table.agent_answers(_number(self.game, action))
        except DominionError as error:
            self.fails(error)

    def fails(self, error: BaseException | str) -> None:
        """Keep in words what went wrong with the agent that is asked; the game stays as it was."""
        told = str(error) if isinstance(error, (str, DominionError)) else f"{type(error).__name__}: {error}"
        self.failure = f"{self.table.asked} has not answered: {told}"

    def to_judge(self) -> dict[str, Any]:
        """Return the replay up to the visitor's decision, after all Treasures, whose order a coach need not judge.

        Raises:
            IllegalAction: the visitor is not asked.
        """
        if not self._mine:
            raise IllegalAction("the coach judges your own decisions, and you are not asked now")
        game = self.game.copy()
        for action in self._all_treasures():
            game.apply(action)
        return game.replay()

    @property
    def is_open(self) -> bool:
        """Whether the visitor may know everything: they watch, or the game is over."""
        return self.link.watched or self.game.is_over

    def replay(self) -> dict[str, Any]:
        """Return the game with its names for `dominion replay`, `dominion play` and a link."""
        return self.table.replay()

    def saved(self) -> dict[str, Any]:
        """Return what the visitor may save: the whole game if they may know all of it, else its link alone."""
        return self.replay() if self.is_open else {"link": self.link.query}


def _alike(legal: Sequence[str]) -> bool:
    """Return whether all these answers but passing do the same with cards that may be picked together."""
    answers = [answer for answer in legal if answer != PASS]
    return any(all(answer.startswith(verb) for answer in answers) for verb in _PICKED)


def view_hand(game: Game, seat: int | None) -> Counter[Card | None]:
    """Return the hand of a seat, by cards."""
    hand = {} if seat is None else game.to_dict()["players"][seat]["hand"]
    return Counter({Card.named(name): copies for name, copies in hand.items()})


def _treasures(legal: Sequence[str]) -> tuple[str, ...]:
    """Return the answers that play a Treasure in the Buy phase, the dearest first."""
    plays = [answer for answer in legal if answer.startswith(PLAY) and Type.TREASURE in _card(answer).info.types]
    return tuple(sorted(plays, key=lambda answer: -_card(answer).info.cost))


def _card(answer: str) -> Card:
    card = card_in(answer)
    assert card is not None
    return card


def _number(game: Game, action: str) -> int:
    """Return the number of an action in words, after a check that it is legal."""
    if action not in game.legal_actions():
        raise IllegalAction(f"{action!r}: expected one of {', '.join(game.legal_actions())}")
    return action_id(action)
