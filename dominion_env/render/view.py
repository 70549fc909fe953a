"""What one seat may see of a game, as plain facts; every way of showing a game starts from here.

Nothing that the seat can't know gets into a `View`, so no renderer can show it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from dominion_env.actions import FIRST_CARD_ACTION, NUM_VERBS, action_id
from dominion_env.cards import NUM_BASE_CARDS, Card, Type
from dominion_env.core.questions import asked
from dominion_env.errors import InvalidOption
from dominion_env.render.log import counted

if TYPE_CHECKING:
    from dominion_env.game import Decision, Game

LOG_LINES = 40  # of the newest events, more than any picture shows


class Stack(NamedTuple):
    """Copies of one card; `card` is None where the seat can't see which card it is."""

    card: Card | None
    copies: int

    @property
    def name(self) -> str:
        """The card's name, or "?"."""
        return "?" if self.card is None else self.card.title


class Pile(NamedTuple):
    """A pile of the Supply, perhaps empty."""

    card: Card
    copies: int


@dataclass(frozen=True)
class PlayerView:
    """One player as the seat sees him.

    Attributes:
        seat: his number; `name`: what he is called.
        open: whether the seat may see his hand.
        turns: turns begun, the running one included; `points`: if the game ended now (all cards owned are public).
        hand: what is known of it, by card; then the unknown cards, if any. Cards being chosen count as hand for others.
        deck_size, deck_top: cards in the draw pile; the topmost down to the last one that the seat knows.
        discard_size, discard_top: cards in the discard pile; the one on top.
        in_play, set_aside: by card, in the order of the first copy.
        revealed, chosen: in order; those looked at in secret are unknown to others.
    """

    seat: int
    name: str
    open: bool
    turns: int
    points: int
    hand: tuple[Stack, ...]
    deck_size: int
    deck_top: tuple[Stack, ...]
    discard_size: int
    discard_top: Card | None
    in_play: tuple[Stack, ...]
    set_aside: tuple[Stack, ...]
    revealed: tuple[Stack, ...]
    chosen: tuple[Stack, ...]

    @property
    def hand_size(self) -> int:
        """Cards in hand; for others those being chosen are among them."""
        return sum(stack.copies for stack in self.hand)


@dataclass(frozen=True)
class View:
    """The table as one seat sees it.

    Attributes:
        seat: whose view, None: everything is open.
        turn_player, turn, phase, actions, buys, coins: of the running turn; `merchants` played in it.
        edition: whose wording holds.
        base, kingdom: piles of the Supply; `trash`: by card.
        players: in order of their seats.
        asked: the seat that must decide, None once the game is over.
        question: what it is asked, in words; for the other seats without the details, and without what the victim of an
            Attack is asked to do.
        legal: the answers in words, for the asked seat alone.
        events: newest lines of the log, oldest first, as the seat has seen them.
        over: whether the game has ended; `ended`: why, in a word ("running" if not); `winners`: who has won it.
    """

    seat: int | None
    turn_player: int
    turn: int
    phase: str
    actions: int
    buys: int
    coins: int
    merchants: int
    edition: int
    base: tuple[Pile, ...]
    kingdom: tuple[Pile, ...]
    trash: tuple[Stack, ...]
    players: tuple[PlayerView, ...]
    asked: int | None
    question: str
    legal: tuple[str, ...]
    events: tuple[str, ...]
    over: bool
    ended: str
    winners: tuple[int, ...]

    @property
    def heading(self) -> str:
        """ "Turn 8 of player_0, Action phase"."""
        return f"Turn {self.turn} of {self.players[self.turn_player].name}, {self.phase.capitalize()} phase"


# What kind of card it is at first glance; the first that fits.
_KINDS = (
    (Type.CURSE, "curse"),
    (Type.ATTACK, "attack"),
    (Type.REACTION, "reaction"),
    (Type.TREASURE, "treasure"),
    (Type.VICTORY, "victory"),
    (Type.ACTION, "action"),
)
KINDS = tuple(kind for _, kind in _KINDS)


def kind_of(card: Card | None) -> str:
    """One of `KINDS`, by which cards are coloured; "unknown" for a card that can't be seen."""
    if card is None:
        return "unknown"
    return next(kind for type_, kind in _KINDS if card.info.types & type_)


def printed(card: Card) -> list[str]:
    """What a card gives by itself, in brief: ["+1 Card", "+2 Actions"], ["$3"], ["6 points"]."""
    info = card.info
    if info.types & Type.TREASURE:
        return [f"${info.coins}"]
    if info.points:
        return [counted(info.points, "point")]
    gives = ((info.cards, "Card"), (info.actions, "Action"), (info.buys, "Buy"))
    return [*(f"+{counted(n, word)}" for n, word in gives if n), *([f"+${info.coins}"] if info.coins else [])]


def card_in(answer: str) -> Card | None:
    """The card that an answer in words is about: "set aside Village"; None for "pass" and "discard deck"."""
    number = action_id(answer) - FIRST_CARD_ACTION
    return Card(number // NUM_VERBS) if number >= 0 else None


def view_of(game: Game, seat: int | None, names: Sequence[str] | None = None) -> View:
    """What a seat may see of a game, None: everything.

    Args:
        game: running or finished; it is not changed.
        seat: 0 to num_players - 1, or None.
        names: what the players are called, one each; None: "player_0" and so on.

    Raises:
        InvalidOption: there is no such seat, or not one name a player.
    """
    game.check_seat(seat)
    position, decision = game.to_dict(), game.decision
    called = [f"player_{number}" for number in range(game.num_players)] if names is None else list(names)
    if len(called) != game.num_players:
        raise InvalidOption(f"names: expected one a player ({game.num_players}), got {len(called)}")
    piles = [Pile(Card.named(name), copies) for name, copies in position["supply"].items()]
    told = decision is not None and seat in (None, decision.player)
    return View(
        seat=seat,
        turn_player=position["turn_player"],
        turn=position["players"][position["turn_player"]]["turns"],
        phase=position["phase"],
        actions=position["actions"],
        buys=position["buys"],
        coins=position["coins"],
        merchants=position["merchants"],
        edition=position["edition"],
        base=tuple(piles[:NUM_BASE_CARDS]),
        kingdom=tuple(piles[NUM_BASE_CARDS:]),
        trash=sorted_stacks(position["trash"]),
        players=tuple(
            _player(number, called[number], points, player, seat)
            for number, (player, points) in enumerate(zip(position["players"], game.scores(), strict=True))
        ),
        asked=None if decision is None else decision.player,
        question="" if decision is None else _question(decision, called, told, position["turn_player"]),
        legal=tuple(game.legal_actions()) if told else (),
        events=tuple(game.newest_events(seat, LOG_LINES, called)),
        over=game.is_over,
        ended=position["ended"],
        winners=tuple(game.winners()),
    )


def sorted_stacks(cards: Mapping[str, int] | Iterable[str]) -> tuple[Stack, ...]:
    """Counts, or a list of names, by card in order of their numbers."""
    counts = Counter(cards)
    return tuple(sorted(Stack(Card.named(name), copies) for name, copies in counts.items() if copies))


def _stacks_in_order(names: Iterable[str]) -> tuple[Stack, ...]:
    """By card, in the order of the first copy."""
    return tuple(Stack(Card.named(name), copies) for name, copies in Counter(names).items())


def _player(number: int, name: str, points: int, player: Mapping[str, Any], seat: int | None) -> PlayerView:
    mine = seat is None or seat == number
    if mine:
        hand = sorted_stacks(player["hand"])
    else:
        hand = sorted_stacks(player["known_hand"])
        unknown = sum(player["hand"].values()) + len(player["chosen"]) - sum(stack.copies for stack in hand)
        if unknown:
            hand += (Stack(None, unknown),)
    top = [
        Stack(Card.named(card) if seat is None or knower == "all" or (mine and knower == "owner") else None, 1)
        for card, knower in zip(player["deck_top"], player["deck_known"], strict=True)
    ]
    while top and top[-1].card is None:
        top.pop()
    return PlayerView(
        seat=number,
        name=name,
        open=mine,
        turns=player["turns"],
        points=points,
        hand=hand,
        deck_size=len(player["deck_top"]) + sum(player["deck_bag"].values()),
        deck_top=tuple(top),
        discard_size=len(player["discard"]),
        discard_top=Card.named(player["discard"][-1]) if player["discard"] else None,
        in_play=_stacks_in_order(player["in_play"]),
        set_aside=_stacks_in_order(player["set_aside"]),
        revealed=tuple(
            Stack(Card.named(card) if mine or knower == "all" else None, 1)
            for card, knower in zip(player["revealed"], player["revealed_known"], strict=True)
        ),
        chosen=tuple(Stack(Card.named(card), 1) for card in player["chosen"]) if mine else (),
    )


def _question(decision: Decision, names: Sequence[str], told: bool, turn_player: int) -> str:
    """Who is asked what; others learn what everybody at the table sees, without the details."""
    who = names[decision.player]
    if not told and decision.player != turn_player:
        # A Moat in hand is a secret: whether it is asked about or the Attack goes on, the others read the same.
        attack = decision.card if decision.source == Card.MOAT else decision.source
        return f"{who} is asked" if attack is None else f"{who} is asked by {attack.title}"
    if not told:
        return f"{who} is {asked(decision.kind, decision.source)}"
    words = f"{who} is {asked(decision.kind, decision.source)}"
    if decision.source is None:
        return words
    if decision.max_left > 1:
        words += f" {'' if decision.min_left == decision.max_left else 'up to '}{decision.max_left} cards"
    if decision.card is not None:
        words += f", about {decision.card.title}"
    if decision.target is not None:
        words += f" of {names[decision.target]}"
    return words
