"""The entry of a field of the observation, and the kinds of fields, each with what it takes to describe one.

An entry has its writer as text, of which `generate.py` makes compiled code. A `value` is an expression of the record
`game` and of seats: `me` whose observation this is, `seat` an opponent's. A `writer` is a call of a function of
`putting.py`, which also gets the row of the observation, the place in it, and the scale if there is one.
"""

from typing import NamedTuple

from dominion_env.rules.record.state import MAX_CARDS, MAX_COPIES, seats_for

CODE = 6  # bits of a card's number plus 1
MOST_IN_A_ZONE = 640  # cards, of one player
OPEN, RECALL = True, False  # whether the "strict" observation shows a field too


class Entry(NamedTuple):
    """What is said once about a field, for any number of players.

    Attributes:
        name: name of the field, that of all opponents' fields for one of theirs: "opponent_points".
        size: how many numbers it has, "cards" or "players" for a number of each, "all_cards" for one of each card also in
            an observation of the cards of a kingdom.
        scale: factor of the values.
        low, high: lowest and highest count or number that is shown.
        strict: whether the "strict" observation shows it too.
        meaning: meaning of its numbers, in words.
        writing: statement that writes it into a `row` at its `place`.
    """

    name: str
    size: int | str
    scale: float
    low: int
    high: int
    strict: bool
    meaning: str
    writing: str

    @property
    def written_whole(self) -> bool:
        """Whether all its numbers are written, whatever the position, or only those that are not zero."""
        return "put_" in self.writing


def cards(name: str, writer: str, scale: float, strict: bool, meaning: str) -> Entry:
    """Make a field with a count for each card."""
    writing = _call(writer, "scale")
    return Entry(name, "cards", scale, 0, MAX_COPIES, strict, meaning, writing)


def flag_of_cards(name: str, writer: str, strict: bool, meaning: str) -> Entry:
    """Make a field with 0 or 1 for each card, also in an observation of the cards of a kingdom."""
    return Entry(name, "all_cards", 1, 0, 1, strict, meaning, _call(writer))


def number(name: str, value: str, scale: float, high: int, strict: bool, meaning: str) -> Entry:
    """Make a field with one number, not below 0, which is cut off at `high`."""
    return Entry(name, 1, scale, 0, high, strict, meaning, f"put_at_most(row, place, {value}, high, scale)")


def points(name: str, value: str, strict: bool, meaning: str) -> Entry:
    """Make a field with victory points, which are cut off at the highest; the lowest is one for each card."""
    writing = f"put_points(row, place, {value}, high, scale)"
    return Entry(name, 1, 1 / 8, -MOST_IN_A_ZONE, 2000, strict, meaning, writing)


def size(name: str, value: str, strict: bool, meaning: str) -> Entry:
    """Make a field with the number of cards in a zone."""
    return Entry(name, 1, 1 / 8, 0, MOST_IN_A_ZONE, strict, meaning, f"put_at_most(row, place, {value}, high, scale)")


def flag(name: str, value: str, strict: bool, meaning: str) -> Entry:
    """Make a field that is 0 or 1."""
    return Entry(name, 1, 1, 0, 1, strict, meaning, f"put_number(row, place, {value}, scale)")


def copies(name: str, size: int, value: str, scale: float, strict: bool, meaning: str) -> Entry:
    """Make a field with the copies of each of the first `size` cards; in `value`, `i` is the card."""
    writing = f"for i in range({size}):\n    put_number(row, place + i, {value}, scale)"
    return Entry(name, size, scale, 0, MAX_COPIES, strict, meaning, writing)


def number_each(name: str, value: str, scale: float, high: int, strict: bool, meaning: str) -> Entry:
    """Make a field with a number for each player, which is cut off at `high`; in `value`, `seat` is the player's seat."""
    writing = f"put_at_most(row, place + distance, {value}, high, scale)"
    writing = f"for distance in range(game.num_players):\n    seat = seat_after(game, me, distance)\n    {writing}"
    return Entry(name, "players", scale, 0, high, strict, meaning, writing)


def flag_each(name: str, writer: str, strict: bool, meaning: str) -> Entry:
    """Make a field with 0 or 1 for each player."""
    return Entry(name, "players", 1, 0, 1, strict, meaning, _call(writer))


def player(name: str, value: str, strict: bool, meaning: str) -> Entry:
    """Make a field that has a 1 at one player, whose seat is `value`."""
    return Entry(name, "players", 1, 0, 1, strict, meaning, f"add_mark(row, place, distance_to(game, me, {value}))")


def one_of(name: str, size: int, value: str, strict: bool, meaning: str) -> Entry:
    """Make a field that has a 1 at the number `value`, and none if that is negative."""
    return Entry(name, size, 1, 0, 1, strict, meaning, f"add_mark(row, place, {value})")


def card(name: str, value: str, strict: bool, meaning: str) -> Entry:
    """Make a field with one card in binary."""
    return Entry(name, CODE, 1, 0, 1, strict, meaning, f"put_card(row, place, {value})")


def card_list(name: str, size: int, writer: str, strict: bool, meaning: str) -> Entry:
    """Make a field with `size` cards in binary, one after the other."""
    return Entry(name, size * CODE, 1, 0, 1, strict, meaning, _call(writer))


def _call(writer: str, *more: str) -> str:
    function, arguments = writer.removesuffix(")").split("(", 1)
    return f"{function}({', '.join(('row', 'place', arguments, *more))})"


assert MAX_CARDS[seats_for(6)] <= MOST_IN_A_ZONE
