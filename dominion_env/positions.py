"""Positions: one game as JSON, and back.

`write` turns a record into a dictionary of plain numbers, names and lists; `read` loads any well-formed one, also a
position that no real game reaches. Whatever is missing is empty, or as the setup has it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_env.actions import NUM_ACTIONS, Verb
from dominion_env.cards import CARDS, NUM_BASE_CARDS, NUM_CARDS, Card, Type
from dominion_env.errors import DominionError, InvalidPosition
from dominion_env.kingdoms import resolve
from dominion_env.questions import KIND_NAMES, kind_name
from dominion_env.rules import decisions as asking
from dominion_env.rules import effects
from dominion_env.rules.setup import STARTING_COPPERS, STARTING_ESTATES, pile_size
from dominion_env.rules.state import (
    ALL,
    BUY_PHASE,
    CHOSEN,
    GAME,
    LARGEST,
    LOOKED_AT,
    MAX_CARDS,
    MAX_COPIES,
    MAX_EFFECTS,
    NOBODY,
    NUM_PILES,
    OWNER,
    REVEALED,
    SET_ASIDE,
    seats_for,
)

FORMAT = 1

Position = Mapping[str, Any]

_PHASES = ("action", "buy")
_KNOWERS = {"nobody": NOBODY, "owner": OWNER, "all": ALL}
_KNOWER_NAMES = {number: name for name, number in _KNOWERS.items()}
_ZONES_OF_CANDIDATES = (
    "nowhere", "action phase", "buy phase", "hand", "supply", "discard pile", "revealed", "loot", "subject", "deck",
)  # fmt: skip
_ENDINGS = ("running", "provinces", "piles", "truncated", "illegal")

_PLAYER_KEYS = (
    "hand", "deck_top", "deck_known", "deck_bag", "discard", "in_play", "set_aside", "revealed", "revealed_known",
    "chosen", "known_hand", "known_discard", "turns",
)  # fmt: skip
_KEYS = (
    "format", "edition", "num_players", "kingdom", "start_player", "turn_player", "phase", "actions", "buys", "coins",
    "merchants", "silver_played", "bought", "supply", "trash", "players", "over", "ended", "address", "streams",
    "decisions", "asked", "effects", "question", "immune", "loot",
)  # fmt: skip
_QUESTION_KEYS = (
    "player", "kind", "source", "subject", "target", "verbs", "from", "which", "optional", "picks", "min_left",
    "max_left",
)  # fmt: skip

LARGEST_TURN = 30000


# --- writing ---------------------------------------------------------------------------------------------------------


def _name(card: int) -> str:
    return CARDS[card].name


def _counts(row: NDArray[Any]) -> dict[str, int]:
    return {_name(card): copies for card, copies in enumerate(np.asarray(row).tolist()) if copies}


def _card_or_none(card: int) -> str | None:
    return None if card < 0 else _name(card)


def write(game: Any) -> dict[str, Any]:
    """The position of one record of `state.GAME` as a dictionary that JSON can hold."""
    players = int(game["num_players"])
    position: dict[str, Any] = {
        "format": FORMAT,
        "edition": int(game["edition"]),
        "num_players": players,
        "kingdom": [_name(card) for card in game["piles"][NUM_BASE_CARDS:]],
        "start_player": int(game["start_player"]),
        "turn_player": int(game["turn_player"]),
        "phase": _PHASES[game["phase"]],
        "actions": int(game["actions"]),
        "buys": int(game["buys"]),
        "coins": int(game["coins"]),
        "merchants": int(game["merchants"]),
        "silver_played": bool(game["silver_played"]),
        "bought": bool(game["bought"]),
        "supply": {_name(card): int(game["supply"][card]) for card in game["piles"]},
        "trash": _counts(game["trash"]),
        "players": [_write_player(game, seat) for seat in range(players)],
        "over": bool(game["over"]),
        "ended": _ENDINGS[game["ended"]],
        "asked": int(game["asked"]),
        "address": {"seed": int(game["seed"]), "index": int(game["index"]), "episode": int(game["episode"])},
        "streams": {"seats": [int(word) for word in game["streams"][:players]], "setup": int(game["setup_stream"])},
        "decisions": [int(number) for number in game["decisions"][:players]],
    }
    if game["stack_size"] > 0:
        position["effects"] = [
            {
                "effect": effects.EFFECTS[game["effect"][i]],
                "card": _name(game["effect_card"][i]),
                "player": int(game["effect_player"][i]),
                "step": int(game["effect_step"][i]),
                "count": int(game["effect_count"][i]),
            }
            for i in range(game["stack_size"])
        ]
        position["question"] = _write_question(game)
        position["immune"] = [seat for seat in range(players) if game["immune"] >> seat & 1]
        position["loot"] = _counts(game["loot"])
    return position


def _write_player(game: Any, seat: int) -> dict[str, Any]:
    pile, table = game["pile"][seat], game["table"][seat]
    top = pile[len(pile) - game["top_size"][seat] :]
    aside = table[len(table) - game["aside_size"][seat] :][::-1]
    beside: dict[int, list[int]] = {CHOSEN: [], SET_ASIDE: [], REVEALED: []}
    revealed_known = []
    for entry in aside:
        card, purpose = int(entry) & 63, int(entry) >> 6
        beside[REVEALED if purpose == LOOKED_AT else purpose].append(card)
        if purpose in (REVEALED, LOOKED_AT):
            revealed_known.append("owner" if purpose == LOOKED_AT else "all")
    return {
        "hand": _counts(game["hand"][seat]),
        "deck_top": [_name(int(entry) & 63) for entry in top],
        "deck_known": [_KNOWER_NAMES[int(entry) >> 6] for entry in top],
        "deck_bag": _counts(game["bag"][seat]),
        "discard": [_name(card) for card in pile[: game["discard_size"][seat]]],
        "in_play": [_name(card) for card in table[: game["play_size"][seat]]],
        "set_aside": [_name(card) for card in beside[SET_ASIDE]],
        "revealed": [_name(card) for card in beside[REVEALED]],
        "revealed_known": revealed_known,
        "chosen": [_name(card) for card in beside[CHOSEN]],
        "known_hand": _counts(game["known_hand"][seat]),
        "known_discard": _counts(game["known_discard"][seat]),
        "turns": int(game["turns"][seat]),
    }


def _write_question(game: Any) -> dict[str, Any]:
    return {
        "player": int(game["asked"]),
        "kind": kind_name(int(game["kind"])),
        "source": _card_or_none(game["source"]),
        "subject": _card_or_none(game["subject"]),
        "target": None if game["target"] < 0 else int(game["target"]),
        "verbs": [verb.word for verb in Verb if game["verbs"] >> verb & 1],
        "from": _ZONES_OF_CANDIDATES[game["candidates"]],
        "which": int(game["which"]),
        "optional": bool(game["optional"]),
        "picks": int(game["picks"]),
        "min_left": int(game["min_left"]),
        "max_left": int(game["max_left"]),
    }


# --- reading ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Template:
    """A position ready to be played from.

    Attributes:
        record: shape (1,) of `state.GAME`.
        supply_given, players_given: what the position itself says; the rest is set up as usual.
        streams_given: the position brings its address, random streams and decision counts.
    """

    record: NDArray[Any]
    supply_given: bool
    players_given: bool
    streams_given: bool

    @property
    def num_players(self) -> int:
        """1 to 6."""
        return int(self.record["num_players"][0])


def read(
    position: Position, num_players: int = 2, kingdom: Any = "first-game-2e", edition: int | None = None
) -> Template:
    """Load a position; what it does not say about players, kingdom and edition is taken from the arguments.

    Raises:
        InvalidPosition: the position is malformed; the message says where, what came and what would be right.
    """
    if not isinstance(position, Mapping):
        raise InvalidPosition(f"a position is a dictionary, {type(position).__name__} came")
    try:
        return _read(position, num_players, kingdom, edition)
    except InvalidPosition:
        raise
    except DominionError as error:
        raise InvalidPosition(f"position: {error}") from error


def _read(position: Position, num_players: int, kingdom: Any, edition: int | None) -> Template:
    _check_keys("position", position, _KEYS)
    if position.get("format", FORMAT) != FORMAT:
        raise InvalidPosition(f"position: format {position['format']!r} came, this version reads format {FORMAT}")
    seats_given = position.get("players")
    if seats_given is not None:
        _check_list("players", seats_given)
    players = _whole("num_players", position.get("num_players", len(seats_given) if seats_given else num_players), 1, 6)
    if seats_given is not None and len(seats_given) != players:
        raise InvalidPosition(f"players: {players} players need as many entries, {len(seats_given)} came")
    record = np.zeros(1, GAME[seats_for(players)])
    game = record[0]
    game["num_players"] = players
    own_kingdom = "kingdom" in position
    choice = resolve(position.get("kingdom", kingdom), position.get("edition", edition))
    if own_kingdom and len(choice.kingdoms) != 1:
        raise InvalidPosition(f"kingdom: a position has one kingdom, {position['kingdom']!r} is not one")
    game["edition"] = choice.editions[0]
    supply_given = own_kingdom or "supply" in position or seats_given is not None
    if supply_given:
        if len(choice.kingdoms) != 1:
            raise InvalidPosition("kingdom: a position with a Supply or players names its ten Kingdom cards")
        _read_supply(game, choice.kingdoms[0], position.get("supply", {}), players)
    game["trash"] = _count_row("trash", position.get("trash", {}))
    if seats_given is None:
        for key in ("turn_player", "phase", "effects", "question", "over"):
            if position.get(key):
                raise InvalidPosition(f"{key}: a position without players starts with the first turn")
    else:
        for seat, player in enumerate(seats_given):
            _read_player(game, seat, player)
        _read_turn(game, position, players)
        _read_effects(game, position, players)
    _check_totals(game, players, seats_given is None)
    streams_given = _read_streams(game, position, players)
    return Template(record, supply_given, seats_given is not None, streams_given)


def _check_keys(where: str, given: Mapping[str, Any], known: Sequence[str]) -> None:
    unknown = [key for key in given if key not in known]
    if unknown:
        raise InvalidPosition(f"{where}: {unknown[0]!r} is not understood; understood are {', '.join(known)}")


def _check_list(where: str, value: Any) -> None:
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise InvalidPosition(f"{where}: a list is wanted, {value!r} came")


def _whole(where: str, value: Any, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not least <= value <= most:
        raise InvalidPosition(f"{where}: a whole number from {least} to {most} is wanted, {value!r} came")
    return int(value)


def _flag(where: str, value: Any) -> bool:
    if not isinstance(value, bool | np.bool_):
        raise InvalidPosition(f"{where}: true or false is wanted, {value!r} came")
    return bool(value)


def _one_of(where: str, value: Any, names: Sequence[str]) -> int:
    if value not in names:
        raise InvalidPosition(f"{where}: one of {', '.join(names)} is wanted, {value!r} came")
    return names.index(value)


def _card(where: str, name: Any) -> Card:
    try:
        return Card.named(name)
    except DominionError as error:
        raise InvalidPosition(f"{where}: {error}") from error


def _cards(where: str, value: Any) -> list[int]:
    """An ordered zone: a list of names, or counts."""
    if isinstance(value, Mapping):
        return [card for card, copies in enumerate(_count_row(where, value)) for _ in range(copies)]
    _check_list(where, value)
    return [int(_card(where, name)) for name in value]


def _count_row(where: str, value: Any) -> NDArray[np.int64]:
    """A zone without order: counts, or a list of names."""
    row = np.zeros(NUM_CARDS, dtype=np.int64)
    if isinstance(value, Mapping):
        for name, copies in value.items():
            row[_card(where, name)] += _whole(f"{where}: {name}", copies, 0, MAX_COPIES)
    else:
        _check_list(where, value)
        for name in value:
            row[_card(where, name)] += 1
    if row.max() > MAX_COPIES:
        raise InvalidPosition(f"{where}: {row.max()} copies of {_name(int(row.argmax()))}, {MAX_COPIES} is the most")
    return row


def _read_supply(game: Any, kingdom: NDArray[np.int64], supply: Any, players: int) -> None:
    game["piles"] = [*range(NUM_BASE_CARDS), *kingdom]
    for card in game["piles"]:
        game["supply"][card] = pile_size(players, int(card))
    if not isinstance(supply, Mapping):
        raise InvalidPosition(f"supply: a dictionary of counts is wanted, {supply!r} came")
    for name, copies in supply.items():
        card = _card("supply", name)
        number = _whole(f"supply: {name}", copies, 0, MAX_COPIES)
        if card not in game["piles"]:
            raise InvalidPosition(f"supply: {card.title} has no pile in this kingdom")
        game["supply"][card] = number
    game["supply_kinds"] = _kinds(game["supply"])


def _kinds(counts: NDArray[Any]) -> int:
    """The cards of which there are any, a bit each."""
    return sum(1 << int(card) for card in np.flatnonzero(counts))


def _read_player(game: Any, seat: int, player: Any) -> None:
    where = f"players[{seat}]"
    if not isinstance(player, Mapping):
        raise InvalidPosition(f"{where}: a dictionary is wanted, {player!r} came")
    _check_keys(where, player, _PLAYER_KEYS)

    hand = _count_row(f"{where}.hand", player.get("hand", {}))
    bag = _count_row(f"{where}.deck_bag", player.get("deck_bag", {}))
    top = _cards(f"{where}.deck_top", player.get("deck_top", []))
    known = _marks(f"{where}.deck_known", player.get("deck_known", []), len(top), "nobody")
    discard = _cards(f"{where}.discard", player.get("discard", []))
    in_play = _cards(f"{where}.in_play", player.get("in_play", []))
    chosen = _cards(f"{where}.chosen", player.get("chosen", []))
    set_aside = _cards(f"{where}.set_aside", player.get("set_aside", []))
    revealed = _cards(f"{where}.revealed", player.get("revealed", []))
    seen = _marks(f"{where}.revealed_known", player.get("revealed_known", []), len(revealed), "all")
    beside = [(card, SET_ASIDE) for card in set_aside] + [(card, CHOSEN) for card in chosen]
    beside += [(card, REVEALED if mark == ALL else LOOKED_AT) for card, mark in zip(revealed, seen, strict=True)]

    owned = hand + bag
    for card in (*top, *discard, *in_play, *(card for card, _ in beside)):
        owned[card] += 1
    capacity = game["pile"].shape[1]
    if owned.max() > MAX_COPIES or owned.sum() > capacity:
        raise InvalidPosition(
            f"{where}: {owned.max()} copies of {_name(int(owned.argmax()))}, {owned.sum()} cards; "
            f"the most are {MAX_COPIES} copies and {capacity} cards"
        )
    known_hand = _count_row(f"{where}.known_hand", player.get("known_hand", {}))
    in_hand = hand + np.bincount(chosen, minlength=NUM_CARDS)
    known_discard = _count_row(f"{where}.known_discard", player.get("known_discard", {}))
    in_discard = np.bincount(discard, minlength=NUM_CARDS)
    for key, facts, zone in (("known_hand", known_hand, in_hand), ("known_discard", known_discard, in_discard)):
        if (facts > zone).any():
            card = int((facts - zone).argmax())
            raise InvalidPosition(f"{where}.{key}: {facts[card]} {_name(card)} known, {zone[card]} are there")
    if discard:
        known_discard[discard[-1]] = max(1, known_discard[discard[-1]])

    game["hand"][seat], game["hand_size"][seat], game["hand_kinds"][seat] = hand, hand.sum(), _kinds(hand)
    game["bag"][seat], game["bag_size"][seat], game["bag_kinds"][seat] = bag, bag.sum(), _kinds(bag)
    game["owned"][seat] = owned
    game["known_hand"][seat], game["known_discard"][seat] = known_hand, known_discard
    game["pile"][seat, : len(discard)], game["discard_size"][seat] = discard, len(discard)
    game["top_size"][seat] = len(top)
    if top:
        game["pile"][seat, -len(top) :] = [card | mark << 6 for card, mark in zip(top, known, strict=True)]
    game["table"][seat, : len(in_play)], game["play_size"][seat] = in_play, len(in_play)
    game["aside_size"][seat] = len(beside)
    if beside:
        game["table"][seat, -len(beside) :] = [card | purpose << 6 for card, purpose in reversed(beside)]


def _marks(where: str, value: Any, cards: int, default: str) -> list[int]:
    _check_list(where, value)
    if len(value) > cards:
        raise InvalidPosition(f"{where}: {len(value)} entries for {cards} cards")
    marks = [_one_of(where, name, tuple(_KNOWERS)) for name in value]
    return marks + [_KNOWERS[default]] * (cards - len(marks))


def _read_turn(game: Any, position: Position, players: int) -> None:
    turn_player = _whole("turn_player", position.get("turn_player", 0), 0, players - 1)
    game["turn_player"] = turn_player
    game["phase"] = _one_of("phase", position.get("phase", "action"), _PHASES)
    for key, usual in (("actions", 1), ("buys", 1), ("coins", 0), ("merchants", 0)):
        game[key] = _whole(key, position.get(key, usual), 0, LARGEST)
    game["silver_played"] = _flag("silver_played", position.get("silver_played", False))
    game["bought"] = _flag("bought", position.get("bought", False))
    for seat, player in enumerate(position["players"]):
        usual = 1 if seat == turn_player else 0
        game["turns"][seat] = _whole(f"players[{seat}].turns", player.get("turns", usual), 0, LARGEST_TURN)
    start = position.get("start_player", _start_player([int(n) for n in game["turns"][:players]], turn_player))
    game["start_player"] = _whole("start_player", start, 0, players - 1)
    game["over"] = _flag("over", position.get("over", False))
    ended = _one_of("ended", position.get("ended", "running"), _ENDINGS)
    if game["over"] and not ended:
        empty = int((game["supply"][game["piles"]] == 0).sum())
        ended = 1 if game["supply"][Card.PROVINCE] == 0 else 2 if empty >= (4 if players > 4 else 3) else 3
    if ended and not game["over"]:
        raise InvalidPosition(f"ended: {position['ended']!r} came, but the game is not over")
    game["ended"] = ended
    game["asked"] = _whole("asked", position.get("asked", turn_player), 0, players - 1)


def _start_player(turns: list[int], turn_player: int) -> int:
    """Who began, as far as the turns tell: the seats that are one turn ahead are those from the first player on."""
    players, most = len(turns), max(turns)
    for seat in range(players):
        if turns[seat] == most > turns[seat - 1]:
            return seat
    return (turn_player + 1) % players


def _check_totals(game: Any, players: int, dealt: bool) -> None:
    copies = game["supply"].astype(np.int64) + game["trash"] + game["owned"].astype(np.int64).sum(axis=0)
    if dealt:
        copies[Card.COPPER] += STARTING_COPPERS * players
        copies[Card.ESTATE] += STARTING_ESTATES * players
    if copies.max() > MAX_COPIES:
        card = _name(int(copies.argmax()))
        raise InvalidPosition(f"position: {copies.max()} copies of {card} in all, {MAX_COPIES} is the most")
    most = MAX_CARDS[seats_for(players)]
    if copies.sum() > most:
        raise InvalidPosition(f"position: {copies.sum()} cards in all, {most} is the most for {players} players")


def _read_streams(game: Any, position: Position, players: int) -> bool:
    address, streams = position.get("address"), position.get("streams")
    if address is None and streams is None:
        return False
    word = (1 << 64) - 1
    if not isinstance(address, Mapping | type(None)) or not isinstance(streams, Mapping | type(None)):
        raise InvalidPosition(f"address, streams: dictionaries are wanted, {address!r} and {streams!r} came")
    address = address or {}
    _check_keys("address", address, ("seed", "index", "episode"))
    game["seed"] = _whole("address.seed", address.get("seed", 0), 0, word)
    game["index"] = _whole("address.index", address.get("index", 0), 0, word >> 1)
    game["episode"] = _whole("address.episode", address.get("episode", 0), 0, word >> 1)
    if streams is None:
        return False
    _check_keys("streams", streams, ("seats", "setup"))
    seats = streams.get("seats", [])
    _check_list("streams.seats", seats)
    counts = position.get("decisions", [0] * players)
    _check_list("decisions", counts)
    if len(seats) != players or len(counts) != players:
        raise InvalidPosition(f"streams.seats, decisions: {players} entries each are wanted, one a player")
    for seat in range(players):
        game["streams"][seat] = _whole(f"streams.seats[{seat}]", seats[seat], 0, word)
        game["decisions"][seat] = _whole(f"decisions[{seat}]", counts[seat], 0, 1 << 30)
    game["setup_stream"] = _whole("streams.setup", streams.get("setup", 0), 0, word)
    return True


# --- positions in the middle of an effect ----------------------------------------------------------------------------

_ANYTHING = (Verb.TRASH, Verb.DISCARD, Verb.TOPDECK)
_MANY = 1000

# What the effects ask: (effect, card) -> (first and last step at which the question is open, verbs, candidates).
ASKED: dict[tuple[int, Card], tuple[tuple[int, int, tuple[Verb, ...], int], ...]] = {
    (effects.TEXT, Card.ARTISAN): (
        (1, 1, (Verb.GAIN,), asking.SUPPLY),
        (1, 2, (Verb.TOPDECK,), asking.HAND),
    ),
    (effects.VICTIM, Card.BANDIT): ((1, 1, (Verb.TRASH,), asking.ASIDE),),
    (effects.VICTIM, Card.BUREAUCRAT): ((1, 1, (Verb.TOPDECK,), asking.HAND),),
    (effects.TEXT, Card.CELLAR): ((1, _MANY, (Verb.DISCARD,), asking.HAND),),
    (effects.TEXT, Card.CHANCELLOR): ((1, 1, (), asking.DECK),),
    (effects.TEXT, Card.CHAPEL): ((1, 4, (Verb.TRASH,), asking.HAND),),
    (effects.TEXT, Card.FEAST): ((1, 1, (Verb.GAIN,), asking.SUPPLY),),
    (effects.TEXT, Card.HARBINGER): ((1, 1, (Verb.TOPDECK,), asking.DISCARD_PILE),),
    (effects.TEXT, Card.LIBRARY): ((1, _MANY, (Verb.SET_ASIDE,), asking.SUBJECT),),
    (effects.VICTIM, Card.MILITIA): ((1, _MANY, (Verb.DISCARD,), asking.HAND),),
    (effects.TEXT, Card.MINE): ((1, 1, (Verb.TRASH,), asking.HAND), (2, 2, (Verb.GAIN,), asking.SUPPLY)),
    (effects.TEXT, Card.MONEYLENDER): ((1, 1, (Verb.TRASH,), asking.HAND),),
    (effects.TEXT, Card.POACHER): ((1, NUM_PILES, (Verb.DISCARD,), asking.HAND),),
    (effects.TEXT, Card.REMODEL): ((1, 1, (Verb.TRASH,), asking.HAND), (2, 2, (Verb.GAIN,), asking.SUPPLY)),
    (effects.TEXT, Card.SENTRY): ((1, 1, _ANYTHING, asking.ASIDE), (2, 2, _ANYTHING, asking.SUBJECT)),
    (effects.VICTIM, Card.SPY): ((1, 1, (Verb.DISCARD, Verb.TOPDECK), asking.SUBJECT),),
    (effects.VICTIM, Card.THIEF): ((1, 1, (Verb.TRASH,), asking.ASIDE),),
    (effects.AFTERMATH, Card.THIEF): ((1, 6, (Verb.GAIN,), asking.LOOT),),
    (effects.TEXT, Card.THRONE_ROOM): ((1, 1, (Verb.PLAY,), asking.HAND),),
    (effects.TEXT, Card.VASSAL): ((1, 1, (Verb.PLAY,), asking.SUBJECT),),
    (effects.TEXT, Card.WORKSHOP): ((1, 1, (Verb.GAIN,), asking.SUPPLY),),
}


def _read_effects(game: Any, position: Position, players: int) -> None:
    frames = position.get("effects", [])
    _check_list("effects", frames)
    if not frames:
        if position.get("question"):
            raise InvalidPosition("question: nothing is asked in the middle of an effect without `effects`")
        return
    if game["over"] or game["phase"] == BUY_PHASE:
        raise InvalidPosition("effects: an effect goes on in the Action phase of a running game only")
    if len(frames) > MAX_EFFECTS:
        raise InvalidPosition(f"effects: {MAX_EFFECTS} at most, {len(frames)} came")
    for i, frame in enumerate(frames):
        where = f"effects[{i}]"
        if not isinstance(frame, Mapping):
            raise InvalidPosition(f"{where}: a dictionary is wanted, {frame!r} came")
        _check_keys(where, frame, ("effect", "card", "player", "step", "count"))
        game["effect"][i] = _one_of(f"{where}.effect", frame.get("effect"), effects.EFFECTS)
        game["effect_card"][i] = _card(f"{where}.card", frame.get("card"))
        game["effect_player"][i] = _whole(f"{where}.player", frame.get("player"), 0, players - 1)
        game["effect_step"][i] = _whole(f"{where}.step", frame.get("step", 0), 0, _MANY)
        game["effect_count"][i] = _whole(f"{where}.count", frame.get("count", 0), 0, _MANY)
    game["stack_size"] = len(frames)
    immune = position.get("immune", [])
    _check_list("immune", immune)
    game["immune"] = sum(1 << seat for seat in {_whole("immune", seat, 0, players - 1) for seat in immune})
    game["loot"] = _count_row("loot", position.get("loot", {}))
    stolen = [Card(int(card)) for card in np.flatnonzero(game["loot"])]
    if (game["loot"] > game["trash"]).any() or not all(card.info.types & Type.TREASURE for card in stolen):
        raise InvalidPosition("loot: only Treasures that lie in the trash can have been stolen")
    _read_question(game, position.get("question"), players)
    _check_stack(game)


def _read_question(game: Any, question: Any, players: int) -> None:
    if not isinstance(question, Mapping):
        raise InvalidPosition(f"question: a dictionary is wanted in the middle of an effect, {question!r} came")
    _check_keys("question", question, _QUESTION_KEYS)
    game["asked"] = _whole("question.player", question.get("player"), 0, players - 1)
    game["kind"] = _one_of("question.kind", question.get("kind"), KIND_NAMES)
    for key in ("source", "subject"):
        name = question.get(key)
        game[key] = -1 if name is None else _card(f"question.{key}", name)
    target = question.get("target")
    game["target"] = -1 if target is None else _whole("question.target", target, 0, players - 1)
    verbs = question.get("verbs", [])
    _check_list("question.verbs", verbs)
    words = tuple(verb.word for verb in Verb)
    game["verbs"] = sum(1 << verb for verb in {_one_of("question.verbs", word, words) for word in verbs})
    game["candidates"] = _one_of("question.from", question.get("from"), _ZONES_OF_CANDIDATES)
    game["which"] = _whole("question.which", question.get("which", asking.ANY), 0, (1 << 32) - 1)
    game["optional"] = _flag("question.optional", question.get("optional", False))
    for key in ("picks", "min_left", "max_left"):
        game[key] = _whole(f"question.{key}", question.get(key, 0), 0, _MANY)


def _check_stack(game: Any) -> None:
    """The effects are ones that the rules can have left waiting, and the question is the one that the newest asks."""
    size, turn_player = int(game["stack_size"]), int(game["turn_player"])
    frames = [tuple(int(game[key][i]) for key in ("effect", "effect_card", "effect_player", "effect_step", "effect_count"))
              for i in range(size)]  # fmt: skip
    effect, card, player, step, number = frames.pop()
    below: tuple[int, ...] = ()
    if effect == effects.WINDOWS:
        below = (effects.TEXT, effects.EACH_PLAYER, effects.AFTERMATH)
    elif effect == effects.VICTIM:
        below = (effects.EACH_PLAYER, effects.AFTERMATH)
    for kind in below:
        if not frames or frames[-1][:3] != (kind, card, turn_player) or (kind != effects.EACH_PLAYER and frames[-1][3]):
            raise InvalidPosition(f"effects: {_name(card)} can't wait on these effects")
        if kind == effects.EACH_PLAYER and frames[-1][4] > game["num_players"]:
            raise InvalidPosition(f"effects: {_name(card)} has counted more players than there are")
        frames.pop()
    for kind, waiting, seat, at, played in frames:
        throne_room = (kind, waiting, seat, at) == (effects.TEXT, Card.THRONE_ROOM, turn_player, 2)
        if not throne_room or played >= NUM_CARDS or not CARDS[played].types & Type.ACTION:
            raise InvalidPosition("effects: only a Throne Room waits while another card is carried out")
    if effect != effects.VICTIM and player != turn_player:
        raise InvalidPosition("effects: cards are played by the player whose turn it is")
    _check_question(game, effect, card, player, step, number)


def _check_question(game: Any, effect: int, card: int, player: int, step: int, number: int) -> None:
    wrong = InvalidPosition(f"question: {_name(card)} does not ask this at this point")
    zone, verbs, subject = int(game["candidates"]), int(game["verbs"]), int(game["subject"])
    if effect == effects.WINDOWS:
        holder = (player + number) % int(game["num_players"])
        asks_moat = (zone, verbs, int(game["which"])) == (
            asking.HAND,
            1 << Verb.REVEAL,
            asking.ONLY_MOAT,
        )
        if (
            not asks_moat
            or game["asked"] != holder
            or not 0 < number < game["num_players"]
            or not CARDS[card].types & Type.ATTACK
        ):
            raise wrong
    else:
        fits = [
            first <= step <= last and verbs == sum(1 << verb for verb in which) and zone == where
            for first, last, which, where in ASKED.get((effect, Card(card)), ())
        ]
        if not any(fits):
            raise wrong
        asks_attacker = effect == effects.VICTIM and card in (Card.SPY, Card.THIEF)
        if game["asked"] != (game["turn_player"] if asks_attacker else player):
            raise wrong
        if asks_attacker and game["target"] != player:
            raise wrong
        if not asks_attacker and game["target"] >= 0:
            raise wrong
    _check_cards_in_question(game, effect, card, player, step, number, subject, wrong)


def _check_cards_in_question(
    game: Any, effect: int, card: int, player: int, step: int, number: int, subject: int, wrong: InvalidPosition
) -> None:
    """The cards that the effect holds beside the play area are there."""
    table = game["table"][player]
    beside = [int(entry) for entry in table[len(table) - int(game["aside_size"][player]) :]]  # newest first
    cards, purposes = [entry & 63 for entry in beside], [entry >> 6 for entry in beside]
    looked_at = (LOOKED_AT, REVEALED)

    def holds(purposes_wanted: tuple[int, ...], copies: int, after: int = 0) -> bool:
        part = purposes[after : after + copies]
        return len(part) == copies and all(purpose in purposes_wanted for purpose in part)

    if effect == effects.WINDOWS:
        return
    if card in (Card.CELLAR, Card.CHAPEL, Card.POACHER, Card.MILITIA):
        if not holds((CHOSEN,), number):
            raise wrong
    elif card == Card.LIBRARY:
        if not (holds(looked_at, 1) and cards[0] == subject and holds((SET_ASIDE,), number, 1)):
            raise wrong
        if not CARDS[subject].types & Type.ACTION:
            raise wrong
    elif card == Card.SENTRY and step == 1:
        if number not in (1, 2) or not holds(looked_at, number):
            raise wrong
    elif card == Card.SENTRY:
        first = (number - 2) // 8 if 2 <= number < NUM_ACTIONS else -1
        if (
            not holds(looked_at, 2)
            or sorted(cards[:2]) != sorted((first, subject))
            or (number - 2) % 8 not in _ANYTHING
        ):
            raise wrong
    elif effect == effects.VICTIM and card == Card.SPY:
        if not holds((REVEALED,), 1) or cards[0] != subject:
            raise wrong
    elif effect == effects.VICTIM and card in (Card.THIEF, Card.BANDIT):
        if number not in (1, 2) or not holds((REVEALED,), number):
            raise wrong
    elif card == Card.VASSAL:
        size = int(game["discard_size"][player])
        on_top = size > 0 and game["pile"][player, size - 1] == subject
        if not on_top or not CARDS[subject].types & Type.ACTION:
            raise wrong
