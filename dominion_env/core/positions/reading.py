"""Reading a position in words as a record: table, players, turn and random streams."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_env.common.checks import is_whole_in, shown
from dominion_env.common.errors import DominionError, InvalidPosition
from dominion_env.core.positions import form, values
from dominion_env.core.positions.unfinished import read_effects
from dominion_env.rules.record import state
from dominion_env.rules.record.marks import marked
from dominion_env.rules.turns.setup import STARTING_COPPERS, STARTING_ESTATES, pile_size, planned_pile
from dominion_env.tables.cards import CARD_SET, NUM_BASE_CARDS, NUM_CARDS, Card
from dominion_env.tables.kingdoms import Choice, resolve


@dataclass(frozen=True)
class Template:
    """A position ready to be played from.

    Attributes:
        record: the position, shape (1,) of `state.GAME`.
        supply_given: true if the position has a Supply; otherwise it is laid out as usual, but for piles whose size the
            position gives.
        players_given: true if the position has players; otherwise their decks are dealt as usual.
        streams_given: true if the position has its address, random streams and decision counts.
    """

    record: NDArray[Any]
    supply_given: bool
    players_given: bool
    streams_given: bool

    @property
    def num_players(self) -> int:
        """Number of players, 1 to 6."""
        return int(self.record["num_players"][0])


def read(
    position: form.Position, num_players: int = 2, kingdom: Any = "first-game-2e", edition: int | None = None
) -> Template:
    """Load a position; where it does not say them, players, kingdom and edition are taken from the arguments.

    Raises:
        InvalidPosition: the position is malformed; the message says where, and what was expected instead.
    """
    if not isinstance(position, Mapping):
        raise InvalidPosition(f"position: expected a dictionary, got {type(position).__name__}")
    try:
        return _read(position, num_players, kingdom, edition)
    except InvalidPosition:
        raise
    except DominionError as error:
        raise InvalidPosition(f"position: {error}") from error


def _read(position: form.Position, num_players: int, kingdom: Any, edition: int | None) -> Template:
    values.check_keys("position", position, form.KEYS)
    if not is_whole_in(position.get("format", form.FORMAT), form.FORMAT, form.FORMAT):
        raise InvalidPosition(f"position: expected format {form.FORMAT}, got {shown(position['format'])}")
    if position.get("cards", str(CARD_SET)) != str(CARD_SET):
        raise InvalidPosition(f"position: expected cards of {CARD_SET}, got {shown(position['cards'])}")
    seats_given = position.get("players")
    if seats_given is not None:
        values.check_list("players", seats_given)
    players = values.whole(
        "num_players", position.get("num_players", len(seats_given) if seats_given else num_players), 1, 6
    )
    if seats_given is not None and len(seats_given) != players:
        raise InvalidPosition(f"players: expected {players} entries, one a player, got {len(seats_given)}")
    record = np.zeros(1, state.GAME[state.seats_for(players)])
    game = record[0]
    game["num_players"] = players
    own_kingdom = "kingdom" in position
    choice = resolve(position.get("kingdom", kingdom), position.get("edition", edition))
    if own_kingdom and len(choice.kingdoms) != 1:
        raise InvalidPosition(f"kingdom: expected one kingdom, got {shown(position['kingdom'])}")
    game["edition"] = choice.editions[0]
    supply = position.get("supply", {})
    if not isinstance(supply, Mapping):
        raise InvalidPosition(f"supply: expected a dictionary of counts, got {shown(supply)}")
    piles = values.copies_by_card("supply", supply)
    is_drawn = len(choice.kingdoms) != 1
    supply_given = own_kingdom or seats_given is not None or ("supply" in position and not is_drawn)
    if supply_given and is_drawn:
        raise InvalidPosition("kingdom: expected ten Kingdom cards beside `players`, got a kingdom that is drawn")
    if supply_given:
        _lay_out_supply(game, choice.kingdoms[0], piles, players)
    else:
        _plan_supply(game, choice, piles)
    game["trash"] = values.count_row("trash", position.get("trash", {}))
    if seats_given is None:
        for key in form.KEYS_OF_COURSE:
            if position.get(key):
                raise InvalidPosition(
                    f"{key}: expected none in a position without `players`, got {shown(position[key])}"
                )
    else:
        for seat, player in enumerate(seats_given):
            _read_player(game, seat, player)
        _read_turn(game, position, players)
        read_effects(game, position, players)
    _check_totals(game, players, seats_given is None, None if supply_given else choice)
    streams_given = _read_streams(game, position, players)
    return Template(record, supply_given, seats_given is not None, streams_given)


def _lay_out_supply(game: Any, kingdom: NDArray[np.int64], piles: dict[Card, int], players: int) -> None:
    game["piles"] = [*range(NUM_BASE_CARDS), *kingdom]
    for card in game["piles"]:
        game["supply"][card] = pile_size(players, int(card))
    for card, number in piles.items():
        if card not in game["piles"]:
            raise InvalidPosition(f"supply: expected cards of this kingdom, got {card.title}")
        game["supply"][card] = number
    game["supply_set"] = _set_of(game["supply"])


def _plan_supply(game: Any, choice: Choice, piles: dict[Card, int]) -> None:
    """Keep the sizes of piles for the kingdoms that are drawn later."""
    always = {*range(NUM_BASE_CARDS)}
    if len(choice.kingdoms):
        always |= set.intersection(*(set(kingdom) for kingdom in choice.kingdoms.tolist()))
    for card, number in piles.items():
        if card not in always:
            raise InvalidPosition(f"supply: expected cards of every kingdom that may be drawn, got {card.title}")
        game["supply"][card] = planned_pile(number)


def _largest_supply(game: Any, players: int, choice: Choice) -> tuple[NDArray[np.int64], int]:
    """Return the most copies of each card, and the most cards in all, that the Supply of a drawn kingdom holds."""
    planned = game["supply"].astype(np.int64)
    sizes = np.array([pile_size(players, card) for card in range(NUM_CARDS)])
    sizes = np.where(planned < 0, planned_pile(planned), sizes)
    possible = choice.kingdoms if len(choice.kingdoms) else choice.pool[None]
    in_game = np.zeros(NUM_CARDS, bool)
    in_game[:NUM_BASE_CARDS] = in_game[possible] = True
    kingdom = np.sort(sizes[possible], axis=1)[:, -(state.NUM_PILES - NUM_BASE_CARDS) :]
    return sizes * in_game, int(sizes[:NUM_BASE_CARDS].sum() + kingdom.sum(axis=1).max())


def _set_of(counts: NDArray[Any]) -> int:
    """Return the set of cards of which there are any, as in `rules/record/card_sets.py`."""
    return sum(1 << int(card) for card in np.flatnonzero(counts))


def _read_player(game: Any, seat: int, player: Any) -> None:
    where = f"players[{seat}]"
    if not isinstance(player, Mapping):
        raise InvalidPosition(f"{where}: expected a dictionary, got {shown(player)}")
    values.check_keys(where, player, form.PLAYER_KEYS)

    hand = values.count_row(f"{where}.hand", player.get("hand", {}))
    bag = values.count_row(f"{where}.deck_bag", player.get("deck_bag", {}))
    top = values.card_list(f"{where}.deck_top", player.get("deck_top", []))
    known = _marks(f"{where}.deck_known", player.get("deck_known", []), len(top), "nobody")
    discard = values.card_list(f"{where}.discard", player.get("discard", []))
    in_play = values.card_list(f"{where}.in_play", player.get("in_play", []))
    chosen = values.card_list(f"{where}.chosen", player.get("chosen", []))
    set_aside = values.card_list(f"{where}.set_aside", player.get("set_aside", []))
    revealed = values.card_list(f"{where}.revealed", player.get("revealed", []))
    seen = _marks(f"{where}.revealed_known", player.get("revealed_known", []), len(revealed), "all")
    beside = [(card, state.SET_ASIDE) for card in set_aside] + [(card, state.CHOSEN) for card in chosen]
    beside += [
        (card, state.REVEALED if mark == state.ALL else state.LOOKED_AT)
        for card, mark in zip(revealed, seen, strict=True)
    ]

    owned = hand + bag
    for card in (*top, *discard, *in_play, *(card for card, _ in beside)):
        owned[card] += 1
    capacity = game["pile"].shape[1]
    if owned.max() > state.MAX_COPIES or owned.sum() > capacity:
        raise InvalidPosition(
            f"{where}: expected at most {state.MAX_COPIES} copies of a card and {capacity} cards, "
            f"got {owned.max()} copies of {form.title_of(int(owned.argmax()))} and {owned.sum()} cards"
        )
    known_hand = values.count_row(f"{where}.known_hand", player.get("known_hand", {}))
    in_hand = hand + np.bincount(chosen, minlength=NUM_CARDS)
    known_discard = values.count_row(f"{where}.known_discard", player.get("known_discard", {}))
    in_discard = np.bincount(discard, minlength=NUM_CARDS)
    for key, facts, zone in (("known_hand", known_hand, in_hand), ("known_discard", known_discard, in_discard)):
        if (facts > zone).any():
            card = int((facts - zone).argmax())
            raise InvalidPosition(
                f"{where}.{key}: expected at most {zone[card]} {form.title_of(card)} known, got {facts[card]}"
            )
    if discard:
        known_discard[discard[-1]] = max(1, known_discard[discard[-1]])

    game["hand"][seat], game["hand_size"][seat], game["hand_set"][seat] = hand, hand.sum(), _set_of(hand)
    game["bag"][seat], game["bag_size"][seat], game["bag_set"][seat] = bag, bag.sum(), _set_of(bag)
    game["owned"][seat] = owned
    game["known_hand"][seat], game["known_discard"][seat] = known_hand, known_discard
    for key, unseen in zip(form.LACKING_KEYS, (in_hand - known_hand, in_discard - known_discard), strict=True):
        game[key][seat] = _read_lacking(f"{where}.{key}", player.get(key, {}), unseen)
        game[f"{key}_set"][seat] = _set_of(game[key][seat])
    game["unshuffled"][seat] = values.count_row(f"{where}.unshuffled", player.get("unshuffled", {}))
    game["pile"][seat, : len(discard)], game["discard_size"][seat] = discard, len(discard)
    game["top_size"][seat] = len(top)
    if top:
        game["pile"][seat, -len(top) :] = [marked(card, mark) for card, mark in zip(top, known, strict=True)]
    game["table"][seat, : len(in_play)], game["play_size"][seat] = in_play, len(in_play)
    game["aside_size"][seat] = len(beside)
    if beside:
        game["table"][seat, -len(beside) :] = [marked(card, purpose) for card, purpose in reversed(beside)]


def _read_lacking(where: str, value: Any, unseen: NDArray[Any]) -> list[int]:
    """Return the numbers of unseen cards that are none of the sets, for which there must be such cards."""
    if not isinstance(value, Mapping):
        raise InvalidPosition(f"{where}: expected a dictionary, got {shown(value)}")
    values.check_keys(where, value, form.LACKED_WORDS)
    found = [
        values.whole(f"{where}: {word}", value.get(word, 0), 0, min(int(unseen.sum()), state.MOST_LACKING))
        for word in form.LACKED_WORDS
    ]
    there = np.flatnonzero(found)
    for some in chain.from_iterable(combinations(there, number + 1) for number in range(len(there))):
        # Hall's condition: any of them together find cards enough.
        in_all = np.bitwise_and.reduce(state.LACKED[[*some]])
        cards, most = sum(found[i] for i in some), int(unseen[in_all >> np.arange(NUM_CARDS) & 1 == 0].sum())
        if cards > most:
            words = ", ".join(form.LACKED_WORDS[i] for i in some)
            raise InvalidPosition(f"{where}: expected at most {most} cards without {words}, got {cards}")
    return found


def _marks(where: str, value: Any, cards: int, default: str) -> list[int]:
    values.check_list(where, value)
    if len(value) > cards:
        raise InvalidPosition(f"{where}: expected at most {cards} entries, one a card, got {len(value)}")
    marks = [values.one_of(where, name, tuple(form.KNOWERS)) for name in value]
    return marks + [form.KNOWERS[default]] * (cards - len(marks))


def _read_turn(game: Any, position: form.Position, players: int) -> None:
    turn_player = values.whole("turn_player", position.get("turn_player", 0), 0, players - 1)
    game["turn_player"] = turn_player
    game["phase"] = values.one_of("phase", position.get("phase", "action"), form.PHASES)
    for key, usual in (("actions", 1), ("buys", 1), ("coins", 0), ("merchants", 0)):
        game[key] = values.whole(key, position.get(key, usual), 0, state.LARGEST)
    game["silver_played"] = values.flag("silver_played", position.get("silver_played", False))
    game["bought"] = values.flag("bought", position.get("bought", False))
    for seat, player in enumerate(position["players"]):
        usual = 1 if seat == turn_player else 0
        game["turns"][seat] = values.whole(f"players[{seat}].turns", player.get("turns", usual), 0, form.LARGEST_TURN)
    start = position.get("start_player", _start_player([int(n) for n in game["turns"][:players]], turn_player))
    game["start_player"] = values.whole("start_player", start, 0, players - 1)
    game["over"] = values.flag("over", position.get("over", False))
    ended = values.one_of("ended", position.get("ended", "running"), form.ENDINGS)
    if game["over"] and not ended:
        empty = int((game["supply"][game["piles"]] == 0).sum())
        ended = state.PILES if empty >= state.PILES_TO_END[players] else state.TRUNCATED
        ended = state.PROVINCES if game["supply"][Card.PROVINCE] == 0 else ended
    if ended and not game["over"]:
        raise InvalidPosition(
            f"ended: expected {form.ENDINGS[state.NOT_ENDED]!r} without `over`, got {shown(position['ended'])}"
        )
    game["ended"] = ended
    game["asked"] = values.whole("asked", position.get("asked", turn_player), 0, players - 1)


def _start_player(turns: list[int], turn_player: int) -> int:
    """Return the first player, as far as the turns tell: those from the first player on are one turn ahead."""
    players, most = len(turns), max(turns)
    for seat in range(players):
        if turns[seat] == most > turns[seat - 1]:
            return seat
    return (turn_player + 1) % players


def _check_totals(game: Any, players: int, dealt: bool, drawn: Choice | None) -> None:
    """Check that there are not too many cards; `dealt` are the decks of the start, `drawn` the kingdoms drawn later."""
    copies = game["trash"].astype(np.int64) + game["owned"].astype(np.int64).sum(axis=0)
    if dealt:
        copies[Card.COPPER] += STARTING_COPPERS * players
        copies[Card.ESTATE] += STARTING_ESTATES * players
    supply = game["supply"].astype(np.int64)
    piles, in_piles = (supply, int(supply.sum())) if drawn is None else _largest_supply(game, players, drawn)
    total = int(copies.sum()) + in_piles
    copies += piles
    if copies.max() > state.MAX_COPIES:
        card = form.title_of(int(copies.argmax()))
        raise InvalidPosition(
            f"position: expected at most {state.MAX_COPIES} of {card} in all, got {copies.max()} copies"
        )
    most = state.MAX_CARDS[state.seats_for(players)]
    if total > most:
        raise InvalidPosition(f"position: expected at most {most} cards in all for {players} players, got {total}")


def _read_streams(game: Any, position: form.Position, players: int) -> bool:
    address, streams = position.get("address"), position.get("streams")
    if address is None and streams is None:
        return False
    word = (1 << 64) - 1
    if not isinstance(address, Mapping | type(None)) or not isinstance(streams, Mapping | type(None)):
        raise InvalidPosition(f"address, streams: expected dictionaries, got {shown(address)} and {shown(streams)}")
    address = address or {}
    values.check_keys("address", address, ("seed", "index", "episode"))
    game["seed"] = values.whole("address.seed", address.get("seed", 0), 0, word)
    game["index"] = values.whole("address.index", address.get("index", 0), 0, state.LARGEST_INDEX)
    game["episode"] = values.whole("address.episode", address.get("episode", 0), 0, state.LARGEST_INDEX)
    if streams is None:
        return False
    values.check_keys("streams", streams, ("seats", "setup"))
    seats = streams.get("seats", [])
    values.check_list("streams.seats", seats)
    counts = position.get("decisions", [0] * players)
    values.check_list("decisions", counts)
    if len(seats) != players or len(counts) != players:
        raise InvalidPosition(
            f"streams.seats, decisions: expected {players} entries each, one a player, got {len(seats)} and {len(counts)}"
        )
    for seat in range(players):
        game["streams"][seat] = values.whole(f"streams.seats[{seat}]", seats[seat], 0, word)
        game["decisions"][seat] = values.whole(f"decisions[{seat}]", counts[seat], 0, 1 << 30)
    game["setup_stream"] = values.whole("streams.setup", streams.get("setup", 0), 0, word)
    return True
