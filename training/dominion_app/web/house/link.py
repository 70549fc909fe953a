"""What makes a game, as the query of an address: the same link gives the same game."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any
from urllib.parse import parse_qsl, urlencode

from dominion_app.play.table import MOST_PLAYERS, GameTable, seated, table_of
from dominion_app.web.guarding.limits import (
    MOST_DECISIONS,
    MOST_NAME,
    MOST_PACKED,
    MOST_ROUNDS,
    MOST_SEED,
    MOST_UPLOAD,
)
from dominion_app.web.house.players import allowed, one_line, short_names
from dominion_env.common.checks import shown
from dominion_env.common.errors import InvalidOption, InvalidPosition, InvalidReplay
from dominion_env.common.files import parse_json
from dominion_env.common.foreign import foreign
from dominion_env.core.address import fresh_seed
from dominion_env.tables.kingdoms import ten_cards
from dominion_env.views.game import Game

OPPONENT = "big-money"
PERSON = "Player"
INSTEAD = "instead"  # what takes the place of the agent before it, where a form has a list and a field for each seat
GALLERY = "gallery"  # a kingdom of the cards that are given one by one
_KEYS = (
    "kingdom",
    "card",
    "players",
    "agent",
    INSTEAD,
    "seat",
    "seed",
    "index",
    "episode",
    "treasures",
    "name",
    "position",
    "replay",
)
_MOST_FIELDS = 100
_NOT_CARRIED = "a link holds no saved game or position that is as long as this one"


def pack(value: Any) -> str:
    """Return a saved game or a position as letters that a link can carry.

    Raises:
        InvalidOption: it is too long.
    """
    text = base64.urlsafe_b64encode(zlib.compress(json.dumps(value, separators=(",", ":")).encode(), 9)).decode()
    if len(text) > MOST_PACKED:
        raise InvalidOption(f"{_NOT_CARRIED}: expected at most {MOST_PACKED} characters, got {len(text)}")
    return text.rstrip("=")


def unpack(text: str) -> Any:
    """Return what `pack` was given.

    Raises:
        InvalidOption: the letters are not what `pack` returned, or too many.
    """
    try:
        packed = base64.b64decode(text.encode() + b"=" * (-len(text) % 4), altchars=b"-_", validate=True)
        opened = zlib.decompressobj()
        content = opened.decompress(packed, MOST_UPLOAD)
        if len(text) > MOST_PACKED or opened.unconsumed_tail:
            raise InvalidOption(f"{_NOT_CARRIED}: expected at most {MOST_UPLOAD} bytes")
        return parse(content)
    except (binascii.Error, zlib.error, UnicodeError) as error:
        raise InvalidOption(
            "link: expected a saved game or a position, got letters that are damaged; copy the whole link"
        ) from error


def parse(content: bytes | str) -> Any:
    """Return what an uploaded or pasted text holds as JSON.

    Raises:
        InvalidOption: it is no JSON, or too long.
    """
    if len(content) > MOST_UPLOAD:
        raise InvalidOption(f"file: expected at most {MOST_UPLOAD} bytes, got {len(content)}")
    if not content.strip():
        raise InvalidOption("file: expected a saved game or a position, got nothing; choose a file, or paste its text")
    try:
        return parse_json(content)
    except ValueError as error:
        text = content if isinstance(content, str) else content.decode(errors="replace")
        got = foreign(text) or "something else"
        raise InvalidOption(f"file: expected a saved game or a position as JSON, got {got}") from error


@dataclass(frozen=True)
class Link:
    """What makes a game.

    Attributes:
        kingdom: a name, or ten names with commas between.
        players: number of players.
        agents: names of the agents, by seat; None at the seat of the visitor.
        seat: seat of the visitor; None if all seats have agents and the visitor watches.
        seed, index, episode: the game's address.
        ask_treasures: whether the visitor plays each Treasure, or all at once by a key, instead of the rules at once.
        name: the visitor's name.
        position: a position to begin with, packed; "" for none.
        replay: a saved game, packed; "" for none. It decides everything but the agents and the seat.
    """

    kingdom: str = "first-game-2e"
    players: int = 2
    agents: tuple[str | None, ...] = (None, OPPONENT)
    seat: int | None = 0
    seed: int = 0
    index: int = 0
    episode: int = 0
    ask_treasures: bool = True
    name: str = PERSON
    position: str = ""
    replay: str = ""

    @staticmethod
    def read(query: Sequence[tuple[str, str]]) -> Link:
        """Read the query of an address.

        Args:
            query: names and values; `card` and `agent` may come several times.

        Raises:
            DominionError: a value is wrong; the message says which.
        """
        given: dict[str, list[str]] = {}
        for key, value in query:
            if key == INSTEAD and value.strip() and given.get("agent"):
                given["agent"][-1] = value
            given.setdefault(key, []).append(value)
        unknown = [key for key in given if key not in _KEYS]
        if unknown:
            raise InvalidOption(f"link: expected only {', '.join(_KEYS)}, got {shown(unknown[0])}")
        one = {key: values[-1].strip() for key, values in given.items()}
        return _read(one, given)

    @property
    def watched(self) -> bool:
        """Whether the visitor has no seat."""
        return self.seat is None

    @cached_property
    def query(self) -> str:
        """The query that `read` reads, in one form for each game."""
        pairs: list[tuple[str, str]] = []
        if self.replay:
            pairs = [("replay", self.replay)]
        else:
            start = [("position", self.position)] if self.position else []
            pairs = [*start, ("kingdom", self.kingdom), ("players", str(self.players)), ("seed", str(self.seed))]
            pairs += [(key, str(value)) for key, value in (("index", self.index), ("episode", self.episode)) if value]
        pairs += [("agent", agent) for agent in self.agents if agent is not None]
        pairs.append(("seat", "watch" if self.seat is None else str(self.seat)))
        pairs += [] if self.ask_treasures or self.replay else [("treasures", "auto")]
        pairs += [("name", self.name)] if self.name != PERSON and self.seat is not None else []
        return urlencode(pairs)

    def table(self) -> GameTable:
        """Make the game with its names, at its start, or at the end of what was saved; the agents are not made yet.

        Raises:
            DominionError: something is wrong with it.
        """
        called = {seat: agent for seat, agent in enumerate(self.agents) if agent is not None}
        if self.replay:
            table = _saved(self.replay)
            return GameTable(table.game.copy(), {}, table.names, called or table.called)
        names = short_names([*called.values()])
        if self.seat is not None:
            names.insert(self.seat, self.name)
        return GameTable(self._game(), {}, names, called)

    def _game(self) -> Game:
        options: dict[str, Any] = {
            "auto_treasures": self.seat is None or not self.ask_treasures, "max_turns": MOST_ROUNDS,
            "seed": self.seed, "index": self.index, "episode": self.episode,
        }  # fmt: skip
        if not self.position:
            return Game(self.players, self.kingdom, **options)
        position = unpack(self.position)
        if not isinstance(position, dict) or not isinstance(position.get("players"), list):
            raise InvalidPosition("position: expected an object with a list of players, got none")
        return Game.from_dict(position, kingdom=self.kingdom, num_players=len(position["players"]), **options)


def _read(one: Mapping[str, str], given: Mapping[str, list[str]]) -> Link:
    """Read values of which each was given once, but for cards and agents."""
    names = [allowed(name) for name in given.get("agent", []) if name.strip()]
    replay, position = one.get("replay", ""), one.get("position", "")
    if replay:
        return _read_saved(replay, names, one)
    players = number_in("players", one, 2, 1, MOST_PLAYERS)
    if position:
        opened = unpack(position)
        if not isinstance(opened, dict) or not isinstance(opened.get("players"), list):
            raise InvalidPosition("position: expected an object with a list of players, got none")
        players = len(opened["players"])
    seat = None if one.get("seat") == "watch" else number_in("seat", one, 0, 0, players - 1)
    if players == 1 and seat is not None:
        names = []
    elif not names:
        names = [OPPONENT]
    agents: list[str | None] = []
    if names:
        agents += _seated(names, players, 0 if seat is None else 1)
    if seat is not None:
        agents.insert(seat, None)
    kingdom = one.get("kingdom") or (GALLERY if "card" in given else "first-game-2e")
    if "card" in given and kingdom != GALLERY:
        raise InvalidOption(
            f"kingdom: expected {shown(kingdom)} or cards of the gallery, got both; untick the cards, or choose the gallery"
        )
    if kingdom == GALLERY:
        cards = [card.strip() for value in given.get("card", []) for card in value.split(",") if card.strip()]
        kingdom = ", ".join(card.title for card in ten_cards(cards))
    link = Link(
        kingdom=kingdom, players=players, agents=tuple(agents), seat=seat,
        seed=number_in("seed", one, fresh_seed(), 0, MOST_SEED),
        index=number_in("index", one, 0, 0, 2**63 - 1), episode=number_in("episode", one, 0, 0, 2**63 - 1),
        ask_treasures=_ask_treasures(one), name=_name(one), position=position,
    )  # fmt: skip
    link.table()  # refuses a wrong kingdom or position now
    return link


def _read_saved(replay: str, names: list[str], one: Mapping[str, str]) -> Link:
    """Read the link of a saved game, which is only gone through if it names no agents."""
    table = _saved(replay)
    players = table.game.num_players
    seat = None if one.get("seat", "watch") == "watch" else number_in("seat", one, 0, 0, players - 1)
    agents: list[str | None] = [None] * players
    if seat is not None:
        agents = [*_seated(names or [OPPONENT], players, 1)]
        agents.insert(seat, None)
    return Link(players=players, agents=tuple(agents), seat=seat, replay=replay)


def _seated(names: Sequence[str], players: int, people: int) -> list[str]:
    """Return the names of the agents, one for each seat that no person takes.

    Raises:
        InvalidOption: the number of names is wrong.
    """
    seats = players - people
    if len(names) not in (seats, 1):
        wanted = "1 agent" if seats == 1 else f"{seats} agents, or 1 for all of them"
        raise InvalidOption(f"agents: expected {wanted}, as there are {players} players, got {len(names)}")
    return seated(names, players, people)


@lru_cache(16)  # a request reads it several times, and Back and Next are requests of the same game
def _saved(packed: str) -> GameTable:
    """Return the table of a saved game, whose game must not be changed.

    Raises:
        InvalidReplay: it is none, of other rules, or too long.
    """
    replay = unpack(packed)
    if isinstance(replay, dict) and isinstance(replay.get("actions"), list) and len(replay["actions"]) > MOST_DECISIONS:
        raise InvalidReplay(f"replay: expected at most {MOST_DECISIONS} actions, got {len(replay['actions'])}")
    table = table_of(replay)
    table.names = [one_line(name, MOST_NAME) for name in table.names]
    return table


def packed_file(content: bytes | str) -> tuple[str, str]:
    """Return the kind of a file and its content for a link: a "replay" or a "position", packed, or a "link".

    Raises:
        DominionError: it holds none of them.
    """
    value = parse(content)
    if isinstance(value, dict) and isinstance(value.get("link"), str):
        try:
            pairs = parse_qsl(value["link"], max_num_fields=_MOST_FIELDS)
        except ValueError as error:
            raise InvalidOption(f"link: expected at most {_MOST_FIELDS} values, got more") from error
        return "link", Link.read(pairs).query
    if isinstance(value, dict) and "actions" in value and "options" in value:
        text = pack(value)
        _saved(text)
        return "replay", text
    if isinstance(value, dict) and "players" in value:
        text = pack(value)
        Link.read([("position", text), ("seat", "watch"), ("agent", OPPONENT)])
        return "position", text
    raise InvalidOption("file: expected a saved game or a position, got JSON that is neither")


def number_in(key: str, one: Mapping[str, str], usual: int, least: int, most: int) -> int:
    """Return the whole number of a key in the query of an address, the usual one if none is given.

    Raises:
        InvalidOption: it is no number from the least to the most.
    """
    text = one.get(key, "")
    if not text:
        return usual
    if not (text.isascii() and text.isdigit() and len(text) <= 20 and least <= int(text) <= most):
        raise InvalidOption(f"{key}: expected a whole number from {least} to {most}, got {shown(text)}")
    return int(text)


def _ask_treasures(one: Mapping[str, str]) -> bool:
    text = one.get("treasures", "ask")
    if text not in ("ask", "auto"):
        raise InvalidOption(f"treasures: expected 'ask' or 'auto', got {shown(text)}")
    return text == "ask"


def _name(one: Mapping[str, str]) -> str:
    text = one_line(one.get("name", "")) or PERSON
    if len(text) > MOST_NAME:
        raise InvalidOption(f"name: expected at most {MOST_NAME} characters, got {len(text)}")
    return text
