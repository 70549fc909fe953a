"""The rules of the Dominion base game once more, slow and obvious, as a check on the compiled core.

Written from the rulebook alone: it shares no table and no line with the core. Cards are names, piles are lists and
Counters, and each card's text is a generator that yields a `Question` whenever somebody has to choose, and is sent the
answer in words:

    answer = yield Question(player, kind, source, legal)

A question with one legal answer is answered silently unless `ask_forced` is set; a card's question without any
candidate is not asked. Numbers such as "5.2" refer to the sections of the rules specification.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .knowledge import ALL, NOBODY, OWNER, Knowledge, seen_by_owner_too

sys.setrecursionlimit(10_000)  # a Throne Room in a Vassal in a Throne Room in ...

# --- 9.1 names, costs, types ------------------------------------------------------------------------------------------

# name: (cost, types, editions of the base game)
CARD_TABLE: dict[str, tuple[int, str, str]] = {
    "Copper": (0, "Treasure", ""),
    "Silver": (3, "Treasure", ""),
    "Gold": (6, "Treasure", ""),
    "Estate": (2, "Victory", ""),
    "Duchy": (5, "Victory", ""),
    "Province": (8, "Victory", ""),
    "Curse": (0, "Curse", ""),
    "Adventurer": (6, "Action", "1"),
    "Artisan": (6, "Action", "2"),
    "Bandit": (5, "Action Attack", "2"),
    "Bureaucrat": (4, "Action Attack", "12"),
    "Cellar": (2, "Action", "12"),
    "Chancellor": (3, "Action", "1"),
    "Chapel": (2, "Action", "12"),
    "Council Room": (5, "Action", "12"),
    "Feast": (4, "Action", "1"),
    "Festival": (5, "Action", "12"),
    "Gardens": (4, "Victory", "12"),
    "Harbinger": (3, "Action", "2"),
    "Laboratory": (5, "Action", "12"),
    "Library": (5, "Action", "12"),
    "Market": (5, "Action", "12"),
    "Merchant": (3, "Action", "2"),
    "Militia": (4, "Action Attack", "12"),
    "Mine": (5, "Action", "12"),
    "Moat": (2, "Action Reaction", "12"),
    "Moneylender": (4, "Action", "12"),
    "Poacher": (4, "Action", "2"),
    "Remodel": (4, "Action", "12"),
    "Sentry": (5, "Action", "2"),
    "Smithy": (4, "Action", "12"),
    "Spy": (4, "Action Attack", "1"),
    "Thief": (4, "Action Attack", "1"),
    "Throne Room": (4, "Action", "12"),
    "Vassal": (3, "Action", "2"),
    "Village": (3, "Action", "12"),
    "Witch": (5, "Action Attack", "12"),
    "Woodcutter": (3, "Action", "1"),
    "Workshop": (3, "Action", "12"),
}
CARD_NAMES = list(CARD_TABLE)  # in order of card id: the base cards, then the Kingdom cards alphabetically
NUM_BASE_CARDS = 7  # Copper to Curse
BASE_CARDS = CARD_NAMES[:NUM_BASE_CARDS]
KINGDOM_CARDS = CARD_NAMES[NUM_BASE_CARDS:]
PLACE = {name: place for place, name in enumerate(CARD_NAMES)}
COST = {name: row[0] for name, row in CARD_TABLE.items()}
COINS = {"Copper": 1, "Silver": 2, "Gold": 3}
POINTS = {"Estate": 1, "Duchy": 3, "Province": 6, "Curse": -1}  # Gardens: see `ReferenceGame.score`
ACTIONS = {name for name, row in CARD_TABLE.items() if "Action" in row[1]}
ATTACKS = {name for name, row in CARD_TABLE.items() if "Attack" in row[1]}
TREASURES = {name for name, row in CARD_TABLE.items() if row[1] == "Treasure"}
VICTORIES = {name for name, row in CARD_TABLE.items() if row[1] == "Victory"}
POOLS = {
    "random": ([name for name in KINGDOM_CARDS if CARD_TABLE[name][2]], 2),
    "random-1e": ([name for name in KINGDOM_CARDS if "1" in CARD_TABLE[name][2]], 1),
    "random-2e": ([name for name in KINGDOM_CARDS if "2" in CARD_TABLE[name][2]], 2),
}

# --- 11 recommended kingdoms ------------------------------------------------------------------------------------------

RECOMMENDED: dict[str, tuple[int, str]] = {
    "first-game-1e": (1, "Cellar, Market, Militia, Mine, Moat, Remodel, Smithy, Village, Woodcutter, Workshop"),
    "big-money-1e": (
        1,
        "Adventurer, Bureaucrat, Chancellor, Chapel, Feast, Laboratory, Market, Mine, Moneylender, Throne Room",
    ),
    "interaction-1e": (
        1,
        "Bureaucrat, Chancellor, Council Room, Festival, Library, Militia, Moat, Spy, Thief, Village",
    ),
    "size-distortion-1e": (
        1,
        "Cellar, Chapel, Feast, Gardens, Laboratory, Thief, Village, Witch, Woodcutter, Workshop",
    ),
    "village-square-1e": (
        1,
        "Bureaucrat, Cellar, Festival, Library, Market, Remodel, Smithy, Throne Room, Village, Woodcutter",
    ),
    "first-game-2e": (2, "Cellar, Market, Merchant, Militia, Mine, Moat, Remodel, Smithy, Village, Workshop"),
    "size-distortion-2e": (
        2,
        "Artisan, Bandit, Bureaucrat, Chapel, Festival, Gardens, Sentry, Throne Room, Witch, Workshop",
    ),
    "deck-top-2e": (
        2,
        "Artisan, Bureaucrat, Council Room, Festival, Harbinger, Laboratory, Moneylender, Sentry, Vassal, Village",
    ),
    "sleight-of-hand-2e": (
        2,
        "Cellar, Council Room, Festival, Gardens, Harbinger, Library, Militia, Poacher, Smithy, Throne Room",
    ),
    "improvements-2e": (2, "Artisan, Cellar, Market, Merchant, Mine, Moat, Moneylender, Poacher, Remodel, Witch"),
    "silver-and-gold-2e": (
        2,
        "Bandit, Bureaucrat, Chapel, Harbinger, Laboratory, Merchant, Mine, Moneylender, Throne Room, Vassal",
    ),
}

# --- random numbers ---------------------------------------------------------------------------------------------------

WORD = 2**64
GAMMA = 0x9E3779B97F4A7C15
SETUP_STREAM = 100


def mix(z: int) -> int:
    """The finaliser of splitmix64."""
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % WORD
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % WORD
    return z ^ (z >> 31)


class Stream:
    """One stream of random numbers: a 64-bit state that advances by GAMMA."""

    def __init__(self, state: int) -> None:
        self.state = state % WORD

    @classmethod
    def of_address(cls, seed: int, index: int, episode: int, number: int) -> Stream:
        """Return stream `number` (a seat, or the setup's) of the game (seed, index, episode)."""
        key = mix((seed + GAMMA) % WORD)
        key = mix(((key ^ index % WORD) + GAMMA) % WORD)
        key = mix(((key ^ episode % WORD) + GAMMA) % WORD)
        return cls(mix(((key ^ (number + 1)) + GAMMA) % WORD))

    def below(self, number: int) -> int:
        """Return a number from 0 to `number` - 1; it always uses up one step of the stream."""
        self.state = (self.state + GAMMA) % WORD
        return ((mix(self.state) >> 32) * number) >> 32


# --- questions --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Question:
    """One decision: who is asked, what, by which card (None: the phase), and the legal answers in words."""

    player: int
    kind: str
    source: str | None
    legal: list[str]
    min_left: int
    max_left: int
    card: str | None = None  # the card it is about, where the reference is sure
    target: int | None = None  # the seat it is about, where the reference is sure


Asking = Generator[Question, str, None]
Choosing = Generator[Question, str, str | None]


def card_in(answer: str) -> str:
    """Return the card named by an answer such as "set aside Council Room"."""
    for verb in ("play ", "buy ", "gain ", "trash ", "discard ", "topdeck ", "reveal ", "set aside "):
        if answer.startswith(verb):
            return answer.removeprefix(verb)
    raise ValueError(f"{answer!r} names no card")


def choose(
    player: int,
    verb: str,
    source: str,
    cards: Iterable[str],
    *,
    may: bool = False,
    left: tuple[int, int] | None = None,
    card: str | None = None,
    target: int | None = None,
) -> Choosing:
    """One pick among `cards`, or None if there is none or the player passes, which only "may" allows (section 4)."""
    legal = [f"{verb} {name}" for name in sorted(set(cards), key=PLACE.__getitem__)]
    if not legal:
        return None
    if may:
        legal.append("pass")
    fewest, most = left or (0 if may else 1, 1)
    answer = yield Question(player, verb, source, legal, fewest, most, card, target)
    return None if answer == "pass" else card_in(answer)


# --- the table --------------------------------------------------------------------------------------------------------


class CardInPlay:
    """One card in a play area. Which one matters only to Feast, which trashes *this* card."""

    def __init__(self, name: str) -> None:
        self.name = name


@dataclass
class TopCard:
    """A card lying in order on the deck or in the revealed area, and who knows it."""

    name: str
    known: str


class Seat:
    """The zones of one player (section 1)."""

    def __init__(self, stream: Stream) -> None:
        self.hand: Counter[str] = Counter()
        self.deck_top: list[TopCard] = []  # put there in order, the next card first
        self.deck_bag: Counter[str] = Counter()  # beneath it, shuffled: a card gets its place when it is drawn
        self.discard: list[str] = []  # the last one is the top
        self.in_play: list[CardInPlay] = []
        self.set_aside: list[str] = []
        self.revealed: list[TopCard] = []
        self.chosen: list[str] = []
        self.turns = 0
        self.stream = stream

    def owned_cards(self) -> Counter[str]:
        """All cards of the player, wherever they are."""
        owned = self.hand + self.deck_bag
        owned.update(card.name for card in self.deck_top + self.revealed)
        owned.update(card.name for card in self.in_play)
        owned.update((*self.discard, *self.set_aside, *self.chosen))
        return owned


def take(counts: Counter[str], name: str) -> str:
    """Remove one card of that name, leaving no zero behind."""
    if counts[name] <= 0:
        raise RuntimeError(f"there is no {name} to take")
    counts[name] -= 1
    if counts[name] == 0:
        del counts[name]
    return name


def starting_supply(num_players: int, kingdom: Sequence[str]) -> Counter[str]:
    """2.3: pile sizes after the starting decks have been dealt; alone: those of two players with 53 Coppers."""
    full_house = num_players >= 5  # a second set of base cards
    victory = 8 if num_players <= 2 else 12
    supply = Counter(
        {
            "Copper": (120 if full_house else 60) - 7 * num_players,
            "Silver": 80 if full_house else 40,
            "Gold": 60 if full_house else 30,
            "Estate": victory,
            "Duchy": victory,
            "Province": {5: 15, 6: 18}.get(num_players, victory),
            "Curse": 10 * (max(num_players, 2) - 1),
        }
    )
    for name in kingdom:
        supply[name] = victory if name in VICTORIES else 10
    return supply


# --- the game ---------------------------------------------------------------------------------------------------------


class ReferenceGame:
    """One game: made from an address or a position, asked through `question`, moved on by `apply`.

    Args:
        num_players: 1 to 6.
        kingdom: ten names, a list of such lists, the name of a recommended set, "random", "random-1e" or "random-2e".
        edition: the wording of Throne Room, Moneylender and Mine (9.2); None: that of the named set or pool, else 2.
        seed, index, episode: the address, which keys all randomness.
        first_player: a seat or "random".
        start: a position (see `zones`) with no effect in progress; without "players" the seats are dealt as usual.
    """

    def __init__(
        self,
        num_players: int = 2,
        kingdom: Any = "first-game-2e",
        edition: int | None = None,
        seed: int = 0,
        index: int = 0,
        episode: int = 0,
        *,
        first_player: int | str = "random",
        ask_forced: bool = False,
        auto_treasures: bool = False,
        max_turns: int | None = None,
        start: Mapping[str, Any] | None = None,
    ) -> None:
        start = start or {}
        self.num_players: int = start.get("num_players", num_players)
        self.ask_forced, self.auto_treasures, self.max_turns = ask_forced, auto_treasures, max_turns
        self.setup_stream = Stream.of_address(seed, index, episode, SETUP_STREAM)
        self.seats = [Seat(Stream.of_address(seed, index, episode, seat)) for seat in range(self.num_players)]
        self.knowledge = Knowledge(self.num_players)

        self.kingdom, wording = self._find_kingdom(start.get("kingdom", kingdom))
        self.first_wording = start.get("edition", edition or wording) == 1
        self.supply = starting_supply(self.num_players, self.kingdom)
        self.piles = list(self.supply)  # 17 piles, in order of the setup, empty ones too
        self.trash: Counter[str] = Counter()
        self.supply.update({name: number - self.supply[name] for name, number in start.get("supply", {}).items()})
        self.trash.update(start.get("trash", {}))

        self.unaffected: set[int] = set()  # players who have revealed a Moat for the Attack being carried out
        self.loot: Counter[str] = Counter()  # cards trashed by the Thief being carried out
        self.over = False
        self.ended: str | None = None  # "provinces", "piles" or "truncated"
        if "players" in start:
            self._load(start)
        else:
            self._deal(first_player)
        self._game = self._play_game()
        self.question: Question | None = None
        if not start.get("over", False):
            self._go_on(None)
        else:
            self.over, self.ended = True, start.get("ended")

    # --- setup (section 2) ---

    def _find_kingdom(self, kingdom: Any) -> tuple[list[str], int]:
        """The ten Kingdom cards, drawn if need be, and the wording that goes with them."""
        if isinstance(kingdom, str):
            if kingdom in RECOMMENDED:
                edition, names = RECOMMENDED[kingdom]
                return names.split(", "), edition
            pool, edition = POOLS[kingdom]
            pool = list(pool)
            for i in range(10):
                j = i + self.setup_stream.below(len(pool) - i)
                pool.insert(i, pool.pop(j))
            return pool[:10], edition
        if isinstance(kingdom[0], str):
            return list(kingdom), 2
        return list(kingdom[self.setup_stream.below(len(kingdom)) if len(kingdom) > 1 else 0]), 2

    def _deal(self, first_player: int | str) -> None:
        """2.2: 7 Coppers and 3 Estates each, shuffled, and a first hand of 5."""
        self.start_player = self.setup_stream.below(self.num_players) if first_player == "random" else int(first_player)
        for player, seat in enumerate(self.seats):
            seat.deck_bag = Counter({"Copper": 7, "Estate": 3})
            self.draw(player, 5)
        self._begin_turn(self.start_player)

    def _load(self, position: Mapping[str, Any]) -> None:
        """Any well-formed position in which a phase of the turn is about to ask."""
        self.turn_player: int = position.get("turn_player", 0)
        self.start_player = position.get("start_player", 0)
        self.phase: str = position.get("phase", "action")
        self.actions: int = position.get("actions", 1)
        self.buys: int = position.get("buys", 1)
        self.coins: int = position.get("coins", 0)
        self.merchants: int = position.get("merchants", 0)
        self.silver_played: bool = position.get("silver_played", False)
        self.bought: bool = position.get("bought", False)
        if "streams" in position:
            self.setup_stream = Stream(position["streams"]["setup"])
        for player, zones in enumerate(position["players"]):
            seat = self.seats[player]
            seat.hand = +Counter(zones.get("hand", {}))
            top = zones.get("deck_top", [])
            marks = zones.get("deck_known", [NOBODY] * len(top))
            seat.deck_top = [TopCard(name, mark) for name, mark in zip(top, marks, strict=True)]
            seat.deck_bag = +Counter(zones.get("deck_bag", {}))
            seat.discard = in_order(zones.get("discard", []))
            seat.in_play = [CardInPlay(name) for name in in_order(zones.get("in_play", []))]
            seat.set_aside = in_order(zones.get("set_aside", []))
            seat.turns = zones.get("turns", 0)
            self.knowledge.hand[player].update(zones.get("known_hand", {}))
            self.knowledge.discard[player].update(zones.get("known_discard", {}))
            self.knowledge.top_shows(player, seat.discard)
            if "streams" in position:
                seat.stream = Stream(position["streams"]["seats"][player])

    # --- being asked, and answering ---

    def legal_actions(self) -> list[str]:
        """The legal answers to the question, in words."""
        return [] if self.question is None else self.question.legal

    def apply(self, answer: str) -> None:
        """Answer the question and go on to the next one."""
        if answer not in self.legal_actions():
            raise ValueError(f"{answer!r} is not legal: {self.legal_actions()}")
        self._go_on(answer)

    def _go_on(self, answer: str | None) -> None:
        """Run until somebody has a choice, or must be asked all the same."""
        self.question = None
        while True:
            try:
                question = next(self._game) if answer is None else self._game.send(answer)
            except StopIteration:
                self.over = True
                return
            if len(question.legal) > 1 or self.ask_forced:
                self.question = question
                return
            answer = question.legal[0]

    # --- the turn (section 3) ---

    def _play_game(self) -> Asking:
        """Play turn after turn, beginning in the phase of the position, until the game ends."""
        while True:
            me = self.turn_player
            if self.phase == "action":
                yield from self._action_phase(me)
                self.phase = "buy"
            yield from self._buy_phase(me)
            self._clean_up(me)
            self.ended = self._ending()
            if self.ended:
                return
            left = (me + 1) % self.num_players
            if self.max_turns is not None and self.seats[left].turns + 1 > self.max_turns:
                self.ended = "truncated"
                return
            self._begin_turn(left)

    def _begin_turn(self, player: int) -> None:
        """1 action, 1 buy, 0 coins."""
        self.turn_player = player
        self.seats[player].turns += 1
        self.phase = "action"
        self.actions, self.buys, self.coins = 1, 1, 0
        self.merchants, self.silver_played, self.bought = 0, False, False

    def _action_phase(self, me: int) -> Asking:
        """3.1: with an action left, the player may play an Action card from hand."""
        while True:
            playable = self.in_hand(me, ACTIONS) if self.actions > 0 else []
            answer = yield Question(me, "action", None, [f"play {card}" for card in playable] + ["pass"], 0, 1)
            if answer == "pass":
                return
            self.actions -= 1
            yield from self.play_from_hand(me, card_in(answer))

    def _buy_phase(self, me: int) -> Asking:
        """3.2: play Treasures, then buy; no Treasure after the first buy."""
        if self.auto_treasures and not self.bought:
            for card in self.in_hand(me, TREASURES):
                for _ in range(self.seats[me].hand[card]):
                    self._play_treasure(me, card)
        while True:
            legal = []
            if not self.bought and not self.auto_treasures:
                legal += [f"play {card}" for card in self.in_hand(me, TREASURES)]
            if self.buys > 0:
                legal += [f"buy {card}" for card in self.piles_costing_up_to(self.coins)]
            answer = yield Question(me, "buy", None, [*legal, "pass"], 0, 1)
            if answer == "pass":
                return
            if answer.startswith("play "):
                self._play_treasure(me, card_in(answer))
            else:
                self.bought = True
                self.buys -= 1
                self.coins -= COST[card_in(answer)]
                self.gain(me, card_in(answer))

    def _play_treasure(self, me: int, card: str) -> None:
        """It gives its coins at once; the first Silver of the turn gives one more for each Merchant played."""
        self.from_hand_into_play(me, card)
        self.coins += COINS[card]
        if card == "Silver":
            if not self.silver_played:
                self.coins += self.merchants
            self.silver_played = True

    def _clean_up(self, me: int) -> None:
        """3.3 and 7.3: the hand in order of card id, then the cards in play in their order; then draw 5."""
        seat = self.seats[me]
        hand = sorted(seat.hand.elements(), key=PLACE.__getitem__)
        played = [card.name for card in seat.in_play]
        self.knowledge.cleaned_up(me, hand, played)
        seat.discard += hand + played
        seat.hand.clear()
        seat.in_play.clear()
        self.draw(me, 5)

    # --- the end of the game (section 10) ---

    def _ending(self) -> str | None:
        """Provinces gone, or three piles (four with 5 or 6 players)."""
        if self.supply["Province"] == 0:
            return "provinces"
        return "piles" if self.empty_piles() >= (4 if self.num_players >= 5 else 3) else None

    def empty_piles(self) -> int:
        """All 17 piles count."""
        return sum(self.supply[name] == 0 for name in self.piles)

    def score(self, player: int) -> int:
        """Points over all cards that the player owns; each Gardens 1 for every 10 of them."""
        owned = self.seats[player].owned_cards()
        gardens = owned["Gardens"] * (owned.total() // 10)
        return gardens + sum(POINTS[card] * owned[card] for card in POINTS)

    def scores(self) -> list[int]:
        """Return the points of every seat."""
        return [self.score(player) for player in range(self.num_players)]

    def winners(self) -> list[int]:
        """Most points; among those tied, fewest turns; still tied: shared."""
        ranks = [(-self.score(player), seat.turns) for player, seat in enumerate(self.seats)]
        return [player for player, rank in enumerate(ranks) if rank == min(ranks)]

    # --- asking about the table ---

    def in_hand(self, player: int, among: Iterable[str] = CARD_TABLE) -> list[str]:
        """The names in a hand that belong to the given cards, in order of card id."""
        return sorted((card for card in self.seats[player].hand if card in among), key=PLACE.__getitem__)

    def hand_size(self, player: int) -> int:
        """Return the number of cards in a hand."""
        return self.seats[player].hand.total()

    def others(self, me: int) -> list[int]:
        """5.3: the other players in turn order, from the left of the current player."""
        return [(me + step) % self.num_players for step in range(1, self.num_players)]

    def victims(self, me: int) -> list[int]:
        """Return the other players who are affected by this play of an Attack."""
        return [player for player in self.others(me) if player not in self.unaffected]

    def piles_costing_up_to(self, cost: int, among: Iterable[str] = CARD_TABLE) -> list[str]:
        """Return the non-empty piles of at most this cost, in order of card id."""
        fitting = (name for name in self.piles if self.supply[name] > 0 and COST[name] <= cost and name in among)
        return sorted(fitting, key=PLACE.__getitem__)

    # --- moving cards (section 4) ---

    def take_from_deck(self, player: int) -> TopCard | None:
        """Section 6: the next card; the discard pile is shuffled only if the deck is empty and a card is needed."""
        seat = self.seats[player]
        if not seat.deck_top and not seat.deck_bag:
            seat.deck_bag = Counter(seat.discard)
            seat.discard = []
            self.knowledge.shuffled(player)
        if seat.deck_top:
            return seat.deck_top.pop(0)
        if not seat.deck_bag:
            return None
        place = seat.stream.below(seat.deck_bag.total())
        in_bag = sorted(seat.deck_bag.elements(), key=PLACE.__getitem__)
        return TopCard(take(seat.deck_bag, in_bag[place]), NOBODY)

    def draw(self, player: int, number: int) -> None:
        """+N Cards: as many as there are."""
        for _ in range(number):
            card = self.take_from_deck(player)
            if card is None:
                return
            self.seats[player].hand[card.name] += 1
            self.knowledge.drew(player, card.name, card.known)

    def reveal_from_deck(self, player: int) -> TopCard | None:
        """Lay the next card of a deck before all players."""
        card = self.take_from_deck(player)
        if card is not None:
            self.seats[player].revealed.append(TopCard(card.name, ALL))
        return card

    def look_at_from_deck(self, player: int) -> TopCard | None:
        """Lay the next card of the own deck before the player alone."""
        card = self.take_from_deck(player)
        if card is not None:
            card = TopCard(card.name, seen_by_owner_too(card.known))
            self.seats[player].revealed.append(card)
        return card

    def gain(self, player: int, card: str, where: str = "discard") -> bool:
        """From the Supply onto the discard pile, into the hand or onto the deck; nothing from an empty pile."""
        if self.supply[card] == 0:
            return False
        self.supply[card] -= 1
        seat = self.seats[player]
        if where == "hand":
            seat.hand[card] += 1
            self.knowledge.into_hand_seen(player, card)
        elif where == "deck":
            seat.deck_top.insert(0, TopCard(card, ALL))
        else:
            seat.discard.append(card)
            self.knowledge.onto_discard_seen(player, [card])
        return True

    def trash_from_hand(self, player: int, card: str) -> None:
        """Seen by all."""
        self.trash[take(self.seats[player].hand, card)] += 1
        self.knowledge.left_hand_seen(player, card)

    def discard_revealed(self, player: int) -> None:
        """All cards laid open from a deck, in the order they were revealed, the last one on top."""
        seat = self.seats[player]
        names = [card.name for card in seat.revealed]
        seat.revealed.clear()
        seat.discard += names
        self.knowledge.onto_discard_seen(player, names)

    def take_revealed(self, player: int, name: str) -> TopCard:
        """Return the first revealed card of that name."""
        revealed = self.seats[player].revealed
        return revealed.pop([card.name for card in revealed].index(name))

    def pick_from_hand(self, player: int, card: str) -> None:
        """A pick waits with the others until choosing ends."""
        self.seats[player].chosen.append(take(self.seats[player].hand, card))

    def discard_chosen(self, player: int) -> int:
        """The picks go onto the discard pile at once, in order: the others see how many, and the top one."""
        seat = self.seats[player]
        picks, seat.chosen = seat.chosen, []
        seat.discard += picks
        if picks:
            self.knowledge.left_hand_unseen(player, len(picks) - 1)
            self.knowledge.left_hand_seen(player, picks[-1])
            self.knowledge.discarded_together(player, [(card, False) for card in picks])
        return len(picks)

    # --- resolving plays (section 5) ---

    def from_hand_into_play(self, me: int, card: str) -> CardInPlay:
        """The card moves face up into the play area."""
        this = CardInPlay(take(self.seats[me].hand, card))
        self.seats[me].in_play.append(this)
        self.knowledge.left_hand_seen(me, card)
        return this

    def play_from_hand(self, me: int, card: str) -> Asking:
        """Move the card into play and carry it out."""
        yield from self.carry_out(me, self.from_hand_into_play(me, card))

    def carry_out(self, me: int, this: CardInPlay) -> Asking:
        """5.1: reaction windows if it is an Attack, then its text from top to bottom."""
        if this.name in ATTACKS:
            yield from self.reaction_windows(me, this.name)
        asking = TEXT[this.name](self, me, this)
        if asking is not None:
            yield from asking
        self.unaffected = set()

    def reaction_windows(self, me: int, attack: str) -> Asking:
        """5.2: each other player with a Moat in hand, in turn order, before anything of the Attack."""
        self.unaffected = set()
        for player in self.others(me):
            if self.seats[player].hand["Moat"] > 0:
                answer = yield Question(player, "reveal", "Moat", ["reveal Moat", "pass"], 0, 1, card=attack)
                if answer == "reveal Moat":
                    self.unaffected.add(player)
                    self.knowledge.shown_in_hand(player, {"Moat": 1})

    # --- a position ---

    def zones(self) -> dict[str, Any]:
        """The position in the public JSON form, without what only the core needs for its effects in progress."""
        return {
            "edition": 1 if self.first_wording else 2,
            "num_players": self.num_players,
            "turn_player": self.turn_player,
            "start_player": self.start_player,
            "phase": self.phase,
            "actions": self.actions,
            "buys": self.buys,
            "coins": self.coins,
            "merchants": self.merchants,
            "silver_played": self.silver_played,
            "bought": self.bought,
            "supply": {card: number for card, number in self.supply.items() if number},
            "trash": {card: number for card, number in self.trash.items() if number},
            "players": [self.zones_of(player) for player in range(self.num_players)],
            "streams": {"seats": [seat.stream.state for seat in self.seats], "setup": self.setup_stream.state},
        }

    def zones_of(self, player: int) -> dict[str, Any]:
        """The zones of one player, and what all know of them."""
        seat = self.seats[player]
        return {
            "hand": {card: number for card, number in seat.hand.items() if number},
            "deck_top": [card.name for card in seat.deck_top],
            "deck_known": [card.known for card in seat.deck_top],
            "deck_bag": {card: number for card, number in seat.deck_bag.items() if number},
            "discard": list(seat.discard),
            "in_play": [card.name for card in seat.in_play],
            "set_aside": list(seat.set_aside),
            "revealed": [card.name for card in seat.revealed],
            "revealed_known": [card.known for card in seat.revealed],
            "chosen": list(seat.chosen),
            "known_hand": {card: number for card, number in self.knowledge.hand[player].items() if number},
            "known_discard": {card: number for card, number in self.knowledge.discard[player].items() if number},
            "turns": seat.turns,
        }


def in_order(zone: Sequence[str] | Mapping[str, int]) -> list[str]:
    """A zone whose order counts, also given as counts: then in order of card id."""
    if isinstance(zone, Mapping):
        return sorted(Counter(zone).elements(), key=PLACE.__getitem__)
    return list(zone)


# --- 9.3 card by card -------------------------------------------------------------------------------------------------

CardText = Callable[[ReferenceGame, int, CardInPlay], Asking | None]
TEXT: dict[str, CardText] = {}


def text_of(name: str) -> Callable[[CardText], CardText]:
    """Enter the text of a card."""

    def enter(text: CardText) -> CardText:
        TEXT[name] = text
        return text

    return enter


@text_of("Cellar")
def cellar(game: ReferenceGame, me: int, this: CardInPlay) -> Asking:
    """+1 Action. Discard any number of cards from hand. Draw as many."""
    game.actions += 1
    while True:
        most = game.hand_size(me)
        card = yield from choose(me, "discard", "Cellar", game.in_hand(me), may=True, left=(0, most))
        if card is None:
            break
        game.pick_from_hand(me, card)
    game.draw(me, game.discard_chosen(me))


@text_of("Chapel")
def chapel(game: ReferenceGame, me: int, this: CardInPlay) -> Asking:
    """Trash up to 4 cards from hand."""
    for picked in range(4):
        most = min(4 - picked, game.hand_size(me))
        card = yield from choose(me, "trash", "Chapel", game.in_hand(me), may=True, left=(0, most))
        if card is None:
            break
        game.pick_from_hand(me, card)
    seat = game.seats[me]
    for card in seat.chosen:
        game.trash[card] += 1
        game.knowledge.left_hand_seen(me, card)
    seat.chosen = []


@text_of("Moat")
def moat(game: ReferenceGame, me: int, this: CardInPlay) -> None:
    """+2 Cards."""
    game.draw(me, 2)


@text_of("Chancellor")
def chancellor(game: ReferenceGame, me: int, this: CardInPlay) -> Asking:
    """+2 coins. May put the whole deck into the discard pile: turned over as a block, the bottom card ends on top."""
    game.coins += 2
    answer = yield Question(me, "discard deck", "Chancellor", ["discard deck", "pass"], 0, 1)
    if answer == "pass":
        return
    seat = game.seats[me]
    block: list[TopCard] = []
    while seat.deck_top or seat.deck_bag:  # never a shuffle
        card = game.take_from_deck(me)
        assert card is not None
        block.append(card)
    seat.discard += [card.name for card in block]
    game.knowledge.discarded_together(me, [(card.name, card.known == ALL) for card in block])


@text_of("Harbinger")
def harbinger(game: ReferenceGame, me: int, this: CardInPlay) -> Asking:
    """+1 Card, +1 Action. Look through the own discard pile; may put one card from it onto the deck."""
    game.draw(me, 1)
    game.actions += 1
    seat = game.seats[me]
    card = yield from choose(me, "topdeck", "Harbinger", seat.discard, may=True)
    if card is not None:
        newest = len(seat.discard) - 1 - seat.discard[::-1].index(card)
        del seat.discard[newest]
        game.knowledge.left_discard_unseen(me, seat.discard)
        seat.deck_top.insert(0, TopCard(card, OWNER))


@text_of("Merchant")
def merchant(game: ReferenceGame, me: int, this: CardInPlay) -> None:
    """+1 Card, +1 Action. The first Silver played this turn gives +1 coin."""
    game.draw(me, 1)
    game.actions += 1
    game.merchants += 1


@text_of("Vassal")
def vassal(game: ReferenceGame, me: int, this: CardInPlay) -> Asking:
    """+2 coins. Discard the top card of the deck. If it is an Action, may play it."""
    game.coins += 2
    seat = game.seats[me]
    top = game.take_from_deck(me)
    if top is None:
        return
    seat.discard.append(top.name)
    game.knowledge.onto_discard_seen(me, [top.name])
    if top.name not in ACTIONS:
        return
    card = yield from choose(me, "play", "Vassal", [top.name], may=True, card=top.name)
    if card is not None:
        seat.discard.pop()
        game.knowledge.left_discard_seen(me, card, seat.discard)
        played = CardInPlay(card)
        seat.in_play.append(played)
        yield from game.carry_out(me, played)


@text_of("Village")
def village(game: ReferenceGame, me: int, this: CardInPlay) -> None:
    """+1 Card, +2 Actions."""
    game.draw(me, 1)
    game.actions += 2


@text_of("Woodcutter")
def woodcutter(game: ReferenceGame, me: int, this: CardInPlay) -> None:
    """+1 Buy, +2 coins."""
    game.buys += 1
    game.coins += 2


@text_of("Workshop")
def workshop(game: ReferenceGame, me: int, this: CardInPlay) -> Asking:
    """Gain a card costing up to 4."""
    card = yield from choose(me, "gain", "Workshop", game.piles_costing_up_to(4))
    if card is not None:
        game.gain(me, card)


@text_of("Bureaucrat")
def bureaucrat(game: ReferenceGame, me: int, this: CardInPlay) -> Asking:
    """Gain a Silver onto the deck. Each other player puts a Victory card from hand onto their deck, or shows a hand
    without one."""
    game.gain(me, "Silver", "deck")
    for victim in game.victims(me):
        seat = game.seats[victim]
        card = yield from choose(victim, "topdeck", "Bureaucrat", game.in_hand(victim, VICTORIES))
        if card is None:
            game.knowledge.shown_in_hand(victim, seat.hand)
        else:
            take(seat.hand, card)
            game.knowledge.left_hand_seen(victim, card)
            seat.deck_top.insert(0, TopCard(card, ALL))


@text_of("Feast")
def feast(game: ReferenceGame, me: int, this: CardInPlay) -> Asking:
    """Trash this card, if it is still in play. Gain a card costing up to 5."""
    if this in game.seats[me].in_play:
        game.seats[me].in_play.remove(this)
        game.trash["Feast"] += 1
    card = yield from choose(me, "gain", "Feast", game.piles_costing_up_to(5))
    if card is not None:
        game.gain(me, card)


@text_of("Militia")
def militia(game: ReferenceGame, me: int, this: CardInPlay) -> Asking:
    """+2 coins. Each other player discards down to 3 cards in hand."""
    game.coins += 2
    for victim in game.victims(me):
        while game.hand_size(victim) > 3:
            left = game.hand_size(victim) - 3
            card = yield from choose(victim, "discard", "Militia", game.in_hand(victim), left=(left, left))
            assert card is not None
            game.pick_from_hand(victim, card)
        game.discard_chosen(victim)


@text_of("Moneylender")
def moneylender(game: ReferenceGame, me: int, this: CardInPlay) -> Asking:
    """Trash a Copper from hand (second wording: may). If a Copper was trashed, +3 coins."""
    may = not game.first_wording
    card = yield from choose(me, "trash", "Moneylender", game.in_hand(me, {"Copper"}), may=may)
    if card is not None:
        game.trash_from_hand(me, card)
        game.coins += 3


@text_of("Poacher")
def poacher(game: ReferenceGame, me: int, this: CardInPlay) -> Asking:
    """+1 Card, +1 Action, +1 coin. Discard one card per empty Supply pile."""
    game.draw(me, 1)
    game.actions += 1
    game.coins += 1
    for left in range(min(game.empty_piles(), game.hand_size(me)), 0, -1):
        card = yield from choose(me, "discard", "Poacher", game.in_hand(me), left=(left, left))
        assert card is not None
        game.pick_from_hand(me, card)
    game.discard_chosen(me)


@text_of("Remodel")
def remodel(game: ReferenceGame, me: int, this: CardInPlay) -> Asking:
    """Trash a card from hand. Gain a card costing up to 2 more than it."""
    old = yield from choose(me, "trash", "Remodel", game.in_hand(me))
    if old is None:
        return
    game.trash_from_hand(me, old)
    new = yield from choose(me, "gain", "Remodel", game.piles_costing_up_to(COST[old] + 2))
    if new is not None:
        game.gain(me, new)


@text_of("Smithy")
def smithy(game: ReferenceGame, me: int, this: CardInPlay) -> None:
    """+3 Cards."""
    game.draw(me, 3)


@text_of("Spy")
def spy(game: ReferenceGame, me: int, this: CardInPlay) -> Asking:
    """+1 Card, +1 Action. Each player, the spy first, reveals the top card of their deck; the spy discards it or puts it
    back."""
    game.draw(me, 1)
    game.actions += 1
    for player in [me, *game.victims(me)]:
        top = game.reveal_from_deck(player)
        if top is None:
            continue
        legal = [f"discard {top.name}", f"topdeck {top.name}"]
        answer = yield Question(me, "discard", "Spy", legal, 1, 1, card=top.name, target=player)
        if answer.startswith("discard"):
            game.discard_revealed(player)
        else:
            game.seats[player].deck_top.insert(0, game.take_revealed(player, top.name))


@text_of("Thief")
def thief(game: ReferenceGame, me: int, this: CardInPlay) -> Asking:
    """Each other player reveals 2 cards; one Treasure of them, by the thief's choice, is trashed, the rest discarded.
    Then the thief may gain any of the cards trashed by this play."""
    game.loot = Counter()
    for victim in game.victims(me):
        game.reveal_from_deck(victim)
        game.reveal_from_deck(victim)
        treasures = [card.name for card in game.seats[victim].revealed if card.name in TREASURES]
        card = yield from choose(me, "trash", "Thief", treasures, target=victim)
        if card is not None:
            game.take_revealed(victim, card)
            game.trash[card] += 1
            game.loot[card] += 1
        game.discard_revealed(victim)
    while game.loot:
        card = yield from choose(me, "gain", "Thief", game.loot, may=True, left=(0, game.loot.total()))
        if card is None:
            break
        take(game.loot, card)
        take(game.trash, card)
        game.seats[me].discard.append(card)
        game.knowledge.onto_discard_seen(me, [card])
    game.loot = Counter()


@text_of("Throne Room")
def throne_room(game: ReferenceGame, me: int, this: CardInPlay) -> Asking:
    """Play an Action card from hand twice (second wording: may). It moves into play once."""
    may = not game.first_wording
    card = yield from choose(me, "play", "Throne Room", game.in_hand(me, ACTIONS), may=may)
    if card is not None:
        played = game.from_hand_into_play(me, card)
        yield from game.carry_out(me, played)
        yield from game.carry_out(me, played)


@text_of("Bandit")
def bandit(game: ReferenceGame, me: int, this: CardInPlay) -> Asking:
    """Gain a Gold. Each other player reveals 2 cards, trashes one Treasure other than Copper (their choice) and discards
    the rest."""
    game.gain(me, "Gold")
    for victim in game.victims(me):
        game.reveal_from_deck(victim)
        game.reveal_from_deck(victim)
        dear = [card.name for card in game.seats[victim].revealed if card.name in ("Silver", "Gold")]
        card = yield from choose(victim, "trash", "Bandit", dear)
        if card is not None:
            game.take_revealed(victim, card)
            game.trash[card] += 1
        game.discard_revealed(victim)


@text_of("Council Room")
def council_room(game: ReferenceGame, me: int, this: CardInPlay) -> None:
    """+4 Cards, +1 Buy. Each other player, in turn order, draws a card."""
    game.draw(me, 4)
    game.buys += 1
    for player in game.others(me):
        game.draw(player, 1)


@text_of("Festival")
def festival(game: ReferenceGame, me: int, this: CardInPlay) -> None:
    """+2 Actions, +1 Buy, +2 coins."""
    game.actions += 2
    game.buys += 1
    game.coins += 2


@text_of("Laboratory")
def laboratory(game: ReferenceGame, me: int, this: CardInPlay) -> None:
    """+2 Cards, +1 Action."""
    game.draw(me, 2)
    game.actions += 1


@text_of("Library")
def library(game: ReferenceGame, me: int, this: CardInPlay) -> Asking:
    """Draw until there are 7 cards in hand; each Action drawn may be set aside. Discard the cards set aside."""
    seat = game.seats[me]
    while game.hand_size(me) < 7:
        top = game.look_at_from_deck(me)
        if top is None:
            break
        if top.name in ACTIONS:
            card = yield from choose(me, "set aside", "Library", [top.name], may=True, card=top.name)
            if card is not None:
                seat.set_aside.append(game.take_revealed(me, card).name)
                continue
        seat.hand[game.take_revealed(me, top.name).name] += 1
        game.knowledge.drew(me, top.name, top.known)
    seat.discard += seat.set_aside
    game.knowledge.onto_discard_seen(me, seat.set_aside)
    seat.set_aside = []


@text_of("Market")
def market(game: ReferenceGame, me: int, this: CardInPlay) -> None:
    """+1 Card, +1 Action, +1 Buy, +1 coin."""
    game.draw(me, 1)
    game.actions += 1
    game.buys += 1
    game.coins += 1


@text_of("Mine")
def mine(game: ReferenceGame, me: int, this: CardInPlay) -> Asking:
    """Trash a Treasure from hand (second wording: may). Gain a Treasure costing up to 3 more than it, to hand."""
    may = not game.first_wording
    old = yield from choose(me, "trash", "Mine", game.in_hand(me, TREASURES), may=may)
    if old is None:
        return
    game.trash_from_hand(me, old)
    new = yield from choose(me, "gain", "Mine", game.piles_costing_up_to(COST[old] + 3, TREASURES))
    if new is not None:
        game.gain(me, new, "hand")


@text_of("Sentry")
def sentry(game: ReferenceGame, me: int, this: CardInPlay) -> Asking:
    """+1 Card, +1 Action. Look at the top 2 cards of the deck. Trash any, discard any, put the rest back."""
    game.draw(me, 1)
    game.actions += 1
    seat = game.seats[me]
    game.look_at_from_deck(me)
    game.look_at_from_deck(me)
    unanswered = [card.name for card in seat.revealed]
    answers: dict[str, list[str]] = {"trash": [], "discard": [], "topdeck": []}
    while unanswered:
        names = sorted(set(unanswered), key=PLACE.__getitem__)
        legal = [f"{verb} {name}" for name in names for verb in answers]
        left = len(unanswered)
        answer = yield Question(me, "trash", "Sentry", legal, left, left)
        unanswered.remove(card_in(answer))
        answers[answer.split()[0]].append(card_in(answer))
    seat.revealed.clear()
    game.trash.update(answers["trash"])
    seat.discard += answers["discard"]
    game.knowledge.discarded_together(me, [(card, False) for card in answers["discard"]])
    for card in answers["topdeck"]:
        seat.deck_top.insert(0, TopCard(card, OWNER))


@text_of("Witch")
def witch(game: ReferenceGame, me: int, this: CardInPlay) -> None:
    """+2 Cards. Each other player, in turn order, gains a Curse."""
    game.draw(me, 2)
    for victim in game.victims(me):
        game.gain(victim, "Curse")


@text_of("Adventurer")
def adventurer(game: ReferenceGame, me: int, this: CardInPlay) -> None:
    """Reveal cards from the deck until 2 Treasures are revealed. These go into hand, the others are discarded."""
    seat = game.seats[me]
    treasures: list[str] = []
    while len(treasures) < 2:
        card = game.reveal_from_deck(me)
        if card is None:
            break
        if card.name in TREASURES:
            treasures.append(card.name)
    for name in treasures:
        game.take_revealed(me, name)
        seat.hand[name] += 1
        game.knowledge.into_hand_seen(me, name)
    game.discard_revealed(me)


@text_of("Artisan")
def artisan(game: ReferenceGame, me: int, this: CardInPlay) -> Asking:
    """Gain a card costing up to 5, to hand. Put a card from hand onto the deck."""
    new = yield from choose(me, "gain", "Artisan", game.piles_costing_up_to(5))
    if new is not None:
        game.gain(me, new, "hand")
    back = yield from choose(me, "topdeck", "Artisan", game.in_hand(me))
    if back is not None:
        take(game.seats[me].hand, back)
        game.knowledge.left_hand_unseen(me, 1)
        game.seats[me].deck_top.insert(0, TopCard(back, OWNER))
