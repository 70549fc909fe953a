"""What one seat may see of a game, as plain values; text and pictures are made from these alone.

Nothing that the seat can't know gets into a `View`, so no text or picture can show it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from dominion_env.core.questions import Decision, asked, question_of
from dominion_env.render.log import ENDINGS, counted
from dominion_env.render.names import check_names, player_name
from dominion_env.render.wording import kind_of_card, request
from dominion_env.rules.record.parts import REMEMBER_AN_ANSWER
from dominion_env.tables.actions import FIRST_CARD_ACTION, NUM_VERBS, action_id, action_name
from dominion_env.tables.cards import NUM_BASE_CARDS, Card, Type

LOG_LINES = 40  # more of the newest events than any picture shows


class ShownGame(Protocol):
    """A game that can be shown: the parts of `Game` that `view_of` reads."""

    @property
    def num_players(self) -> int: ...

    @property
    def decision(self) -> Decision | None: ...

    @property
    def is_over(self) -> bool: ...

    def check_seat(self, seat: int | None) -> None: ...

    def to_dict(self) -> dict[str, Any]: ...

    @property
    def scores(self) -> list[int]: ...

    @property
    def winners(self) -> list[int]: ...

    def legal_actions(self) -> list[str]: ...

    def newest_events(self, seat: int | None, lines: int, names: Sequence[str] | None = None) -> list[str]: ...


class CardGroup(NamedTuple):
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
    """One player as the seat of the view sees them.

    Attributes:
        seat: number of the player's seat.
        name: name of the player.
        open: whether the seat of the view may see this player's hand.
        turns: number of turns begun, the running one included.
        points: points if the game ended now (all cards that a player owns are public).
        hand: known cards of the hand in order of their numbers, then the unknown ones, if any. Cards being chosen count
            as hand for the other players.
        deck_size: number of cards in the draw pile.
        deck_top: cards on top of the draw pile, the next one first, down to the last one that the seat of the view knows.
        discard_size: number of cards in the discard pile.
        discard_top: top card of the discard pile, or None.
        in_play, set_aside: cards in these zones, in the order of their first copies.
        revealed: cards that all players see until they are moved on, in order.
        looked_at: cards that only their owner sees until they are moved on, in order; unknown to the other players.
        chosen: cards picked from the hand that have not moved yet, in order; empty if the hand is not open.
        owned: all cards that the player owns, in order of their numbers; they are public.
    """

    seat: int
    name: str
    open: bool
    turns: int
    points: int
    hand: tuple[CardGroup, ...]
    deck_size: int
    deck_top: tuple[CardGroup, ...]
    discard_size: int
    discard_top: Card | None
    in_play: tuple[CardGroup, ...]
    set_aside: tuple[CardGroup, ...]
    revealed: tuple[CardGroup, ...]
    looked_at: tuple[CardGroup, ...]
    chosen: tuple[CardGroup, ...]
    owned: tuple[CardGroup, ...]

    @property
    def aside(self) -> dict[str, tuple[CardGroup, ...]]:
        """Cards that lie neither in hand, in play nor in a pile, by the words for their place; no place is empty."""
        places = {
            "set aside": self.set_aside,
            "revealed": self.revealed,
            "looked at": self.looked_at,
            "chosen": self.chosen,
            "on the deck": self.deck_top,
        }
        return {place: groups for place, groups in places.items() if groups}

    @property
    def hand_size(self) -> int:
        """Number of cards in hand; for the other players, those being chosen are among them."""
        return sum(group.copies for group in self.hand)


@dataclass(frozen=True)
class View:
    """The table as one seat sees it.

    Attributes:
        seat: the seat that looks; None if everything is open.
        turn_player, turn, phase, actions, buys, coins: state of the running turn.
        merchants: number of Merchants played in the running turn.
        edition: edition whose wording holds, 1 or 2.
        base, kingdom: piles of the Supply.
        trash: cards in the trash, in order of their numbers.
        players: all players, in order of their seats.
        asked: the seat that must decide; None once the game is over.
        question: the question in words; the other seats read it without the details, and without what the victim of an
            Attack is asked to do.
        request: the same question as one says it to the player who is asked; empty for every other seat.
        legal: legal answers in words; empty for every seat but the one that is asked.
        events: newest lines of the log, oldest first, as the seat has seen them.
        over: whether the game has ended.
        ended: reason for the end in words; empty before it.
        winners: seats that have won.
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
    trash: tuple[CardGroup, ...]
    players: tuple[PlayerView, ...]
    asked: int | None
    question: str
    request: str
    legal: tuple[str, ...]
    events: tuple[str, ...]
    over: bool
    ended: str
    winners: tuple[int, ...]

    @property
    def heading(self) -> str:
        """ "Turn 8 of player_0, Action phase"."""
        return f"Turn {self.turn} of {self.players[self.turn_player].name}, {self.phase.capitalize()} phase"


CARD_STYLES = ("curse", "attack", "reaction", "treasure", "victory", "action")  # that of the first type that a card has


def style_of(card: Card | None) -> str:
    """Return the style in which a card is coloured: one of `CARD_STYLES`, or "unknown" for a card that can't be seen."""
    if card is None:
        return "unknown"
    return next(style for style in CARD_STYLES if card.info.types & Type[style.upper()])


def types_of(card: Card) -> str:
    """Return the types of a card as they are printed: "Action-Attack"."""
    return "-".join(str(type_.name).capitalize() for type_ in Type if type_ in card.info.types)


def printed(card: Card) -> list[str]:
    """Return the printed bonuses of a card in brief: ["+1 Card", "+2 Actions"], ["$3"], ["6 points"]."""
    info = card.info
    if info.types & Type.TREASURE:
        return [f"${info.coins}"]
    if info.points:
        return [counted(info.points, "point")]
    gives = ((info.cards, "Card"), (info.actions, "Action"), (info.buys, "Buy"))
    return [*(f"+{counted(n, word)}" for n, word in gives if n), *([f"+${info.coins}"] if info.coins else [])]


def gist(card: Card) -> list[str]:
    """Return the printed bonuses of a card and its effect in brief: ["$3"], ["gain up to $4"], ["+2 Cards"]."""
    return [*printed(card), *([card.info.gist] if card.info.gist else [])]


def card_in(answer: str) -> Card | None:
    """Return the card in an answer such as "set aside Village"; None for "pass" and "discard deck"."""
    number = action_id(answer) - FIRST_CARD_ACTION
    return Card(number // NUM_VERBS) if number >= 0 else None


def view_of(game: ShownGame, seat: int | None, names: Sequence[str] | None = None) -> View:
    """Return what a seat may see of a game.

    Args:
        game: a running or finished game; it is not changed.
        seat: seat that looks, 0 to num_players - 1; None shows everything.
        names: names of the players, one each; None means "player_0" and so on.

    Raises:
        InvalidOption: the game has no such seat, or there is not one name for each player.
    """
    game.check_seat(seat)
    position, decision = game.to_dict(), game.decision
    check_names(names, game.num_players)
    called = [player_name(number, names) for number in range(game.num_players)]
    piles = [Pile(Card.named(name), copies) for name, copies in position["supply"].items()]
    may_read = decision is not None and seat in (None, decision.player)
    return View(
        seat=seat,
        **{key: position[key] for key in ("turn_player", "phase", "actions", "buys", "coins", "merchants", "edition")},
        turn=position["players"][position["turn_player"]]["turns"],
        base=tuple(piles[:NUM_BASE_CARDS]),
        kingdom=tuple(piles[NUM_BASE_CARDS:]),
        trash=sorted_groups(position["trash"]),
        players=tuple(
            _player(number, called[number], points, player, seat)
            for number, (player, points) in enumerate(zip(position["players"], game.scores, strict=True))
        ),
        asked=None if decision is None else decision.player,
        question="" if decision is None else _question(decision, called, may_read, position),
        request="" if decision is None or not may_read else request(decision, called, position),
        legal=tuple(game.legal_actions()) if may_read else (),
        events=tuple(game.newest_events(seat, LOG_LINES, called)),
        over=game.is_over,
        ended=ENDINGS.get(position["ended"], ""),
        winners=tuple(game.winners),
    )


def sorted_groups(cards: Mapping[str, int] | Iterable[str]) -> tuple[CardGroup, ...]:
    """Return cards, given by counts or by a list of names, in order of their numbers."""
    counts = Counter(cards)
    return tuple(sorted(CardGroup(Card.named(name), copies) for name, copies in counts.items() if copies))


def _groups_in_order(names: Iterable[str]) -> tuple[CardGroup, ...]:
    """Return cards, given by a list of names, in the order of their first copies."""
    return tuple(CardGroup(Card.named(name), copies) for name, copies in Counter(names).items())


def _player(number: int, name: str, points: int, player: Mapping[str, Any], seat: int | None) -> PlayerView:
    mine = seat is None or seat == number
    if mine:
        hand = sorted_groups(player["hand"])
    else:
        hand = sorted_groups(player["known_hand"])
        unknown = sum(player["hand"].values()) + len(player["chosen"]) - sum(group.copies for group in hand)
        if unknown:
            hand += (CardGroup(None, unknown),)
    top = [
        CardGroup(Card.named(card) if seat is None or knower == "all" or (mine and knower == "owner") else None, 1)
        for card, knower in zip(player["deck_top"], player["deck_known"], strict=True)
    ]
    while top and top[-1].card is None:
        top.pop()
    aside = [
        (knower, CardGroup(Card.named(card) if mine or knower == "all" else None, 1))
        for card, knower in zip(player["revealed"], player["revealed_known"], strict=True)
    ]
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
        in_play=_groups_in_order(player["in_play"]),
        set_aside=_groups_in_order(player["set_aside"]),
        revealed=tuple(group for knower, group in aside if knower == "all"),
        looked_at=tuple(group for knower, group in aside if knower != "all"),
        chosen=tuple(CardGroup(Card.named(card), 1) for card in player["chosen"]) if mine else (),
        owned=_owned(player),
    )


def _owned(player: Mapping[str, Any]) -> tuple[CardGroup, ...]:
    """Return all cards of a player, wherever they are."""
    cards = Counter(player["hand"]) + Counter(player["deck_bag"])
    for zone in ("deck_top", "discard", "in_play", "set_aside", "revealed", "chosen"):
        cards.update(player[zone])
    return sorted_groups(cards)


def _question(decision: Decision, names: Sequence[str], may_read: bool, position: Mapping[str, Any]) -> str:
    """Return the question in words, with its details only if the view may have them (`may_read`)."""
    who = names[decision.player]
    if not may_read and decision.player != position["turn_player"]:
        # A Moat in hand is a secret, so the others read the same whether it is asked about or the Attack goes on.
        attack = decision.card if decision.kind == "reveal" else decision.source
        return f"{who} is asked" if attack is None else f"{who} is asked by {attack.title}"
    words = f"{who} is {asked(decision.kind, decision.source)}"
    if not may_read or decision.source is None:
        return words
    if decision.kind == "reveal":
        return words if decision.card is None else f"{words}, about {decision.card.title}"
    if decision.max_left > 1:
        words += f" {'' if decision.min_left == decision.max_left else 'up to '}{decision.max_left} cards"
    if decision.target == decision.player:
        words += " their own"
    if decision.card is not None and decision.kind == "gain":
        words += f" a card for {decision.card.title}"  # which Remodel or Mine has trashed
    elif decision.card is not None:
        words += f" {decision.card.title}"
    elif decision.target is not None:
        words += f" {kind_of_card(question_of(decision.source, decision.kind))}"  # of those that are revealed
    if decision.target not in (None, decision.player):
        words += f" of {names[decision.target]}'s"
    # The first of two answers moves no card yet.
    if decision.source in REMEMBER_AN_ANSWER and decision.card is not None:
        words += f", after {action_name(position['effects'][-1]['memory'])!r}"
    return words
