"""A table with players, so that a test reads like a ruling.

```python
table = Table(hands=["Militia, 4 Copper", "3 Estate, 2 Copper"])
alice, bob = table                     # three and more: alice, bob, carol, dave, erin, frank = table
alice.plays("Militia")
bob.discards("2 Estate")               # two picks, in the order written
assert bob.hand == "Estate, 2 Copper"  # hand, bag, trash ...: in any order
assert bob.discard == "2 Estate"       # discard, deck, in_play ...: in order
assert table.coins == 2
```

**Setting up.** Zones are given per seat, as texts such as `"Militia, 4 Copper"`; a seat left out has an empty zone, and
a text alone is the first seat's: `hands`; `decks` (in order, next card first); `bags` (cards that lie shuffled below
those of `decks`); `discards`, `in_play`, `set_aside` (in order, last = top or newest); `known_hands`, `known_discards`
(what everyone has seen); `deck_known` (for each card of `decks`: "nobody", "owner" or "all"); `turns`.
The table has as many seats as the longest of these, two at least, or `players=n`. `supply={"Curse": 1}` changes pile
counts, all others are those of the setup. The kingdom holds the Kingdom cards named anywhere (`kingdom="Gardens"` names
more) and is filled up to ten. Alice's turn is running, in its Action phase; `turn=1`, `phase="buy"`, `actions=`,
`buys=`, `coins=`, `edition=1` change that.

**Every question is asked** (`ask_forced=True`), also one with a single answer, and also a phase in which only `pass` is
left: nothing happens behind a test's back. So after a card the same player is again in their Action phase,
`ends_action_phase()` comes before Treasures and buys, and `ends_turn()` before the next player. A question without a
candidate is not asked.

**Verbs** of a seat: `plays, buys, gains, trashes, discards, topdecks, reveals, sets_aside`, each with the cards in the
order of the picks; `discards_deck()`, `passes()` (decline, stop choosing, keep; never for a phase),
`ends_action_phase()`, `ends_turn()`. Each fails when this seat is not the one asked, or the choice is not legal.
After fewer picks than allowed, `passes()` ends choosing. `table.answer("trash Copper")` answers for the seat that is asked.

**Looking.** `table.asks(bob, "discard", "Militia")` fails unless just this is asked; `table.asks(alice, "action")` says
that everything is resolved. `table.legal` are the choices in words, in no order. Of a seat: `hand, bag, draw_pile,
known_hand, known_discard, owned` (any order), `deck, discard, in_play, set_aside, revealed, chosen` (in order),
`deck_known`, `revealed_known`, `turns`, `score`. Of the table: `supply["Curse"]`, `trash`, `actions`, `buys`, `coins`,
`phase`, `turn_player`, `over`, `scores`, `winners`; `table.log(bob)` is what bob has seen happen; `table.position` is
all of it, `table.game` the game itself.

After each choice the table also checks that no card was lost or doubled, and that the position survives saving and
loading.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from dominion_env import CARDS, Card, Decision, Game

NAMES = ("alice", "bob", "carol", "dave", "erin", "frank")
BASE_CARDS = ("Copper", "Silver", "Gold", "Estate", "Duchy", "Province", "Curse")
FILLERS = ("Cellar", "Market", "Merchant", "Militia", "Mine", "Moat", "Remodel", "Smithy", "Village", "Workshop")
PLAYER_ZONES = ("hand", "deck_top", "deck_bag", "discard", "in_play", "set_aside", "revealed", "chosen")

PerSeat = str | Sequence[str]


class _Any:
    def __repr__(self) -> str:
        return "anything"


ANY: Any = _Any()


def cards(text: str) -> list[str]:
    """Return the card names of a text: "Militia, 2 Copper" is Militia, Copper, Copper."""
    names: list[str] = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        match = re.fullmatch(r"(?:(\d+) )?(\D+)", part)
        if match is None:
            raise ValueError(f"not a number and a card: {part!r}")
        names += [match[2]] * int(match[1] or 1)
    return names


class Cards(list[str]):
    """The cards of a zone. Equal to a text such as "Estate, 2 Copper", in the same order if the zone has one."""

    def __init__(self, names: Iterable[str] | Mapping[str, int], ordered: bool) -> None:
        super().__init__(Counter(names).elements() if isinstance(names, Mapping) else names)
        self.ordered = ordered

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            names = cards(other)
        elif isinstance(other, list):
            names = other
        else:
            return NotImplemented
        return list(self) == names if self.ordered else sorted(self) == sorted(names)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None

    def __repr__(self) -> str:
        runs: list[tuple[str, int]] = []
        for name in self if self.ordered else sorted(self):
            if runs and runs[-1][0] == name:
                runs[-1] = (name, runs[-1][1] + 1)
            else:
                runs.append((name, 1))
        return repr(", ".join(name if count == 1 else f"{count} {name}" for name, count in runs))


class Choices(frozenset[str]):
    """The legal choices, in no order: equal to a list or a set of the same words."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (list, set, frozenset)) and frozenset(self) ^ frozenset(other) == frozenset()

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = frozenset.__hash__

    def __repr__(self) -> str:
        return repr(sorted(self))


class Seat:
    """One player: the verbs are choices, and the zones lie before the player."""

    def __init__(self, table: Table, number: int) -> None:
        self.table = table
        self.number = number
        self.name = NAMES[number]

    def __repr__(self) -> str:
        return self.name

    # Verbs.

    def plays(self, text: str) -> None:
        self._chooses("play", text)

    def buys(self, text: str) -> None:
        self._chooses("buy", text)

    def gains(self, text: str) -> None:
        self._chooses("gain", text)

    def trashes(self, text: str) -> None:
        self._chooses("trash", text)

    def discards(self, text: str) -> None:
        self._chooses("discard", text)

    def topdecks(self, text: str) -> None:
        self._chooses("topdeck", text)

    def reveals(self, text: str) -> None:
        self._chooses("reveal", text)

    def sets_aside(self, text: str) -> None:
        self._chooses("set aside", text)

    def discards_deck(self) -> None:
        """Put the whole deck into the discard pile, as Chancellor allows."""
        self.table._apply(self, "discard deck")

    def passes(self) -> None:
        """Decline what a card offers, or stop choosing."""
        kind = self.table.decision.kind
        assert kind not in ("action", "buy"), f"{self} passes, but no card asks: it is the {kind} phase"
        self.table._apply(self, "pass")

    def ends_action_phase(self) -> None:
        kind = self.table.decision.kind
        assert kind == "action", f"{self} ends the Action phase, but is asked: {kind}"
        self.table._apply(self, "pass")

    def ends_turn(self) -> None:
        """End the Action phase, if it is running, and the Buy phase."""
        if self.table.decision.kind == "action":
            self.ends_action_phase()
        kind = self.table.decision.kind
        assert kind == "buy", f"{self} ends the turn, but is asked: {kind}"
        self.table._apply(self, "pass")

    def _chooses(self, verb: str, text: str) -> None:
        names = cards(text)
        assert names, f"{self} {verb}s nothing: write passes()"
        for name in names:
            self.table._apply(self, f"{verb} {name}")

    # Zones.

    @property
    def zones(self) -> dict[str, Any]:
        """This seat's part of the position."""
        zones: dict[str, Any] = self.table.position["players"][self.number]
        return zones

    def _zone(self, name: str, ordered: bool) -> Cards:
        return Cards(self.zones.get(name, []), ordered)

    @property
    def hand(self) -> Cards:
        return self._zone("hand", ordered=False)

    @property
    def deck(self) -> Cards:
        """The cards of the deck whose place is fixed, next card first. Those below are in `bag`."""
        return self._zone("deck_top", ordered=True)

    @property
    def bag(self) -> Cards:
        """The shuffled part of the deck."""
        return self._zone("deck_bag", ordered=False)

    @property
    def draw_pile(self) -> Cards:
        """The whole deck, without its order."""
        return Cards([*self.deck, *self.bag], ordered=False)

    @property
    def discard(self) -> Cards:
        """The discard pile, the last card on top."""
        return self._zone("discard", ordered=True)

    @property
    def in_play(self) -> Cards:
        return self._zone("in_play", ordered=True)

    @property
    def set_aside(self) -> Cards:
        return self._zone("set_aside", ordered=True)

    @property
    def revealed(self) -> Cards:
        return self._zone("revealed", ordered=True)

    @property
    def chosen(self) -> Cards:
        """Cards picked from the hand that move when choosing ends."""
        return self._zone("chosen", ordered=True)

    @property
    def known_hand(self) -> Cards:
        """Cards in this hand that everyone has seen."""
        return self._zone("known_hand", ordered=False)

    @property
    def known_discard(self) -> Cards:
        """Cards in this discard pile that everyone has seen."""
        return self._zone("known_discard", ordered=False)

    @property
    def deck_known(self) -> list[str]:
        """The seats that know each card of `deck`: "nobody", "owner" or "all"."""
        marks = list(self.zones.get("deck_known", []))
        return marks + ["nobody"] * (len(self.deck) - len(marks))

    @property
    def revealed_known(self) -> list[str]:
        """The seats that see each card of `revealed`: "owner" or "all"."""
        marks = list(self.zones.get("revealed_known", []))
        return marks + ["all"] * (len(self.revealed) - len(marks))

    @property
    def owned(self) -> Cards:
        """All cards of this player, wherever they are."""
        return Cards([name for zone in PLAYER_ZONES for name in self._zone(zone, ordered=False)], ordered=False)

    @property
    def turns(self) -> int:
        return int(self.zones["turns"])

    @property
    def score(self) -> int:
        return int(self.table.scores[self.number])


class Table:
    """A position to start from, the seats around it, and what lies in the middle. See the top of this file."""

    def __init__(  # noqa: PLR0913  a test names the few that it needs
        self,
        hands: PerSeat = (),
        *,
        decks: PerSeat = (),
        bags: PerSeat = (),
        discards: PerSeat = (),
        in_play: PerSeat = (),
        set_aside: PerSeat = (),
        known_hands: PerSeat = (),
        known_discards: PerSeat = (),
        deck_known: Sequence[Sequence[str]] = (),
        turns: Sequence[int] | None = None,
        players: int | None = None,
        supply: Mapping[str, int] | None = None,
        trash: str = "",
        kingdom: str = "",
        edition: int = 2,
        turn: int = 0,
        phase: str = "action",
        actions: int = 1,
        buys: int = 1,
        coins: int = 0,
        merchants: int = 0,
        silver_played: bool = False,
        bought: bool = False,
        seed: int = 0,
        ask_forced: bool = True,
        auto_treasures: bool = False,
        **options: Any,
    ) -> None:
        ordered = {"deck_top": decks, "discard": discards, "in_play": in_play, "set_aside": set_aside}
        counted = {"hand": hands, "deck_bag": bags, "known_hand": known_hands, "known_discard": known_discards}
        zones = {
            name: [cards(text) for text in ([texts] if isinstance(texts, str) else texts)]
            for name, texts in {**ordered, **counted}.items()
        }
        num_players = players or max(2, *(len(seats) for seats in zones.values()))
        named = [
            *cards(kingdom),
            *(supply or {}),
            *(name for seats in zones.values() for seat in seats for name in seat),
            *cards(trash),
            *FILLERS,
        ]
        seats: list[dict[str, Any]] = []
        for number in range(num_players):
            lists = {name: zone[number] if number < len(zone) else [] for name, zone in zones.items()}
            seat: dict[str, Any] = {
                name: dict(Counter(lists[name])) if name in counted else lists[name] for name in lists
            }
            if number < len(deck_known):
                seat["deck_known"] = list(deck_known[number])
            seat["turns"] = turns[number] if turns is not None else int(number <= turn)
            seats.append(seat)
        position = {
            "format": 2,
            "edition": edition,
            "num_players": num_players,
            "kingdom": list(dict.fromkeys(name for name in named if name not in BASE_CARDS))[:10],
            "turn_player": turn,
            "start_player": 0,
            "phase": phase,
            "actions": actions,
            "buys": buys,
            "coins": coins,
            "merchants": merchants,
            "silver_played": silver_played,
            "bought": bought,
            "supply": dict(supply or {}),
            "trash": dict(Counter(cards(trash))),
            "players": seats,
        }
        self.options = {"ask_forced": ask_forced, "auto_treasures": auto_treasures, **options}
        self._sit_down(Game.from_dict(position, seed=seed, **self.options))

    def _sit_down(self, game: Game) -> None:
        self.game = game
        self._position: dict[str, Any] | None = None
        self.seats: list[Seat] = [Seat(self, number) for number in range(len(self.position["players"]))]
        self._census = self._count_cards()
        self._check()

    def copy(self) -> Table:
        """Return the same position once more, to try another choice."""
        table = object.__new__(Table)
        table.options = self.options
        table._sit_down(self.game.copy())
        return table

    def __iter__(self) -> Iterator[Seat]:
        return iter(self.seats)

    # Choices.

    def _apply(self, seat: Seat, words: str) -> None:
        assert not self.over, f"{seat}: {words}, but the game is over"
        asked = self.asked
        assert asked is seat, f"{seat}: {words}, but {asked} is asked: {self.decision}, {self.legal}"
        assert words in self.legal, f"{seat}: {words}, but {self.decision} allows {self.legal}"
        self.game.apply(words)
        self._position = None
        self._check()

    def answer(self, words: str) -> None:
        """Give this answer, "trash Copper" or "pass", for the seat that is asked."""
        self._apply(self.asked, words)

    def _check(self) -> None:
        """Check that cards are conserved, and that a position is the same after saving and loading."""
        assert self._count_cards() == self._census, "cards were lost or came from nowhere"
        if not self.over:
            assert self.legal, "a running game always offers something"
        text = json.dumps(self.position)
        loaded = Game.from_dict(json.loads(text), **self.options)
        assert loaded.to_dict() == json.loads(text), "the position changes when it is saved and loaded"
        if not self.over:
            assert loaded.legal_actions() == self.game.legal_actions(), "the choices change with saving and loading"
            assert loaded.decision == self.game.decision, "the question changes with saving and loading"

    def _count_cards(self) -> Counter[str]:
        census = Counter(self.position["supply"]) + Counter(self.position["trash"])
        for seat in self.seats:
            census += Counter(seat.owned)
        return census

    # Looking.

    @property
    def legal(self) -> Choices:
        """The choices of the seat that is asked, in words."""
        return Choices(self.game.legal_actions())

    @property
    def decision(self) -> Decision:
        """The question that is asked; it fails when the game is over."""
        decision = self.game.decision
        assert decision is not None, "the game is over: nobody is asked"
        return decision

    @property
    def asked(self) -> Seat:
        """The seat that has to choose now."""
        return self.seats[self.decision.player]

    def asks(
        self,
        seat: Seat,
        kind: str,
        source: str | None = ANY,
        *,
        card: str | None = ANY,
        target: Seat | None = ANY,
        min_left: int = ANY,
        max_left: int = ANY,
    ) -> bool:
        """Fail unless this seat is asked just this: "action", "buy", or the verb of a card's question."""
        decision = self.decision
        is_asked = {
            "seat": self.seats[decision.player],
            "kind": decision.kind,
            "source": _name(decision.source),
            "card": _name(decision.card),
            "target": None if decision.target is None else self.seats[decision.target],
            "min_left": decision.min_left,
            "max_left": decision.max_left,
        }
        expected = {
            "seat": seat,
            "kind": kind,
            "source": source,
            "card": card,
            "target": target,
            "min_left": min_left,
            "max_left": max_left,
        }
        wrong = [key for key, value in expected.items() if value is not ANY and value != is_asked[key]]
        assert not wrong, (
            f"not as expected: {wrong}\nasked:    {is_asked}\nexpected: {expected}\nlegal:    {self.legal}"
        )
        return True

    def log(self, seat: Seat | None = None) -> str:
        """Return the log of this seat since the table was set up, or without a seat the whole log."""
        return str(self.game.log(None if seat is None else seat.number))

    @property
    def position(self) -> dict[str, Any]:
        if self._position is None:
            self._position = self.game.to_dict()
        return self._position

    @property
    def supply(self) -> Counter[str]:
        return Counter(self.position["supply"])

    @property
    def trash(self) -> Cards:
        return Cards(self.position["trash"], ordered=False)

    @property
    def phase(self) -> str:
        return str(self.position["phase"])

    @property
    def actions(self) -> int:
        return int(self.position["actions"])

    @property
    def buys(self) -> int:
        return int(self.position["buys"])

    @property
    def coins(self) -> int:
        return int(self.position["coins"])

    @property
    def turn_player(self) -> Seat:
        return self.seats[int(self.position["turn_player"])]

    @property
    def over(self) -> bool:
        return bool(self.game.is_over)

    @property
    def scores(self) -> list[int]:
        return [int(score) for score in self.game.scores]

    @property
    def winners(self) -> list[Seat]:
        """The seats that share the victory."""
        return [self.seats[int(seat)] for seat in self.game.winners]


def _name(card: Card | None) -> str | None:
    return None if card is None else str(CARDS[card].name)
