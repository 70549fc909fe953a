"""`Game`: one game of Dominion in words, for people, logs, replays, positions and tests."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from inspect import signature
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dominion_env.common.checks import is_whole, is_whole_in, seat_or, shown, whole_number
from dominion_env.common.errors import DominionError, GameOver, IllegalAction, InvalidReplay
from dominion_env.common.superseded import CallableList
from dominion_env.core.address import Address, address_of, fresh_seed
from dominion_env.core.batch import DEFAULT_MAX_TURNS, GameBatch
from dominion_env.core.observing.fields import ObservationName
from dominion_env.core.positions import Position, read
from dominion_env.core.questions import Decision, decision_of
from dominion_env.render import render
from dominion_env.render.log import log_text, sentences
from dominion_env.render.names import check_names
from dominion_env.rules.record.state import RULES_VERSION
from dominion_env.tables.actions import ACTION_NAMES, action_id
from dominion_env.tables.cards import CARD_SET, NUM_BASE_CARDS, Card, set_of
from dominion_env.tables.kingdoms import CardLike, KingdomLike, named

REPLAY_FORMAT = 2


class Game:
    """One game in words; beneath it is a `GameBatch` of a single row.

    The arguments are those of `GameBatch` that suit one game; with `seed=None`, the seed drawn is in `address`.

    Raises:
        InvalidOption, InvalidKingdom, UnknownCard, InvalidPosition: an argument is not what `GameBatch` expects.
    """

    def __init__(  # noqa: PLR0913  the options of `GameBatch` that suit one game
        self,
        num_players: int = 2,
        kingdom: KingdomLike = "first-game-2e",
        edition: int | None = None,
        seed: int | None = 0,
        index: int = 0,
        episode: int = 0,
        auto_treasures: bool = False,
        ask_forced: bool = False,
        first_player: int | Literal["random", "left-of-winner"] = "random",
        max_turns: int = DEFAULT_MAX_TURNS,
        observation: ObservationName = "recall",
        start: Position | None = None,
        resume: bool = False,
    ) -> None:
        seed = fresh_seed() if seed is None else seed
        self._batch = GameBatch(
            1, num_players, kingdom, edition, seed, index, episode, auto_treasures, ask_forced, first_player, max_turns,
            observation=observation, autoreset=False, record=True, start=start, resume=resume,
        )  # fmt: skip
        self._options: dict[str, Any] = {
            "num_players": num_players, "kingdom": _plain(kingdom), "edition": edition, "auto_treasures": auto_treasures,
            "ask_forced": ask_forced, "first_player": first_player, "max_turns": max_turns, "observation": observation,
            "resume": resume,
        }  # fmt: skip
        self._address = Address(seed=seed, index=index, episode=episode)
        self._start = start
        self._actions: list[int] = []
        self._events: list[NDArray[Any]] = [self._batch.events()]

    # --- what is going on --------------------------------------------------------------------------------------------

    @property
    def _state(self) -> Any:
        return self._batch.state[0]

    @property
    def address(self) -> Address:
        """Seed, index and episode, which with the options and the choices decide the whole game."""
        return address_of(self._state)

    @property
    def batch(self) -> GameBatch:
        """The `GameBatch` of this one game, for reading; `apply` alone makes moves that log and replay know of."""
        return self._batch

    @property
    def num_players(self) -> int:
        """Number of players, 1 to 6."""
        return self._batch.num_players

    @property
    def kingdom(self) -> tuple[Card, ...]:
        """The ten Kingdom cards, in order of their numbers."""
        return tuple(Card(card) for card in self._state["piles"][NUM_BASE_CARDS:])

    @property
    def current_player(self) -> int:
        """The seat that must decide."""
        return int(self._state["asked"])

    @property
    def turn_player(self) -> int:
        """The seat whose turn it is."""
        return int(self._state["turn_player"])

    @property
    def turn(self) -> int:
        """Number of this turn among those of the same player, from 1."""
        return int(self._state["turns"][self.turn_player])

    @property
    def phase(self) -> str:
        """Phase of the turn, "action" or "buy"."""
        return ("action", "buy")[self._state["phase"]]

    @property
    def actions(self) -> int:
        """Actions left in this turn."""
        return int(self._state["actions"])

    @property
    def buys(self) -> int:
        """Buys left in this turn."""
        return int(self._state["buys"])

    @property
    def coins(self) -> int:
        """Coins left in this turn."""
        return int(self._state["coins"])

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by the rules or by the turn limit."""
        return bool(self._state["over"])

    @property
    def decision(self) -> Decision | None:
        """The question that must be answered; None once the game is over."""
        return decision_of(self._state)

    def legal_actions(self) -> list[str]:
        """Return the legal answers in words, in order of their numbers; none once the game is over."""
        if self.is_over:
            return []
        return [ACTION_NAMES[action] for action in np.flatnonzero(self._batch.action_mask[0])]

    @property
    def action_mask(self) -> NDArray[np.bool_]:
        """Mask of the legal actions, bool (NUM_ACTIONS,); a live buffer, as `GameBatch.action_mask`."""
        mask: NDArray[np.bool_] = self._batch.action_mask[0]
        return mask

    def policy_key(self) -> np.uint64:
        """Return a random number for the agent of the seat that must decide; it stays the same until that seat has decided."""
        key: np.uint64 = self._batch.policy_keys()[0]
        return key

    @property
    def scores(self) -> list[int]:
        """Points of each player over all cards owned, as if the game ended now."""
        return CallableList(self._batch.scores[0].tolist(), "Game.scores")

    @property
    def winners(self) -> list[int]:
        """Seats that have won: several if they share the victory, none in a running or truncated game."""
        won = np.flatnonzero(self._batch.final.winners[0]).tolist() if self.is_over else []
        return CallableList(won, "Game.winners")

    def observe(self, seat: int | None = None) -> NDArray[np.float32]:
        """Return the observation of a seat, float32 (observation_size,); None means the seat that must decide."""
        seen: NDArray[np.float32] = self._batch.observe(seat)[0]
        return seen

    # --- playing -----------------------------------------------------------------------------------------------------

    def apply(self, action: str | int) -> None:
        """Carry out an answer of the current player, in words or as a number, and all that follows from it.

        Args:
            action: an action in words ("play Smithy") or its number.

        Raises:
            GameOver: the game has ended.
            IllegalAction: this is no action, or it is not legal now; nothing has happened.
        """
        if self.is_over:
            raise GameOver(f"got {shown(action)}, but the game is over: {dict(enumerate(self.scores))} points")
        if isinstance(action, str):
            number = action_id(action)
        elif is_whole(action):
            number = int(action)
        else:
            raise IllegalAction(f"expected an action in words or as a whole number, got {shown(action)}")
        if not 0 <= number < len(ACTION_NAMES):
            raise IllegalAction(f"expected an action from 0 to {len(ACTION_NAMES) - 1}, got {shown(number)}")
        self._batch.step(np.array([number]))
        self._actions.append(number)
        self._events.append(self._batch.events())

    def copy(self) -> Game:
        """Return a copy that goes on by itself, with the same luck."""
        copy = object.__new__(Game)
        copy.__dict__.update(self.__dict__)
        copy._batch = self._batch.clone()
        copy._actions = list(self._actions)
        copy._events = list(self._events)
        return copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self.copy()

    # --- telling -----------------------------------------------------------------------------------------------------

    def log(self, seat: int | None = None, names: Sequence[str] | None = None, last: int | None = None) -> str:
        """Return what has happened, one line for each event.

        Args:
            seat: seat whose knowledge is shown; None shows everything.
            names: names of the players, one each; None means "player_0" and so on.
            last: number of the newest lines to return, without the empty ones between turns; None returns all.

        Raises:
            InvalidOption: the game has no such seat, `names` are not one text each, or `last` is no whole number from 0.
        """
        self.check_seat(seat)
        check_names(names, self.num_players)
        text = log_text(self.events(), seat, names)
        if last is None:
            return text
        number = whole_number("last", last, 0)
        lines = [line for line in text.splitlines() if line]
        return "\n".join(lines[max(0, len(lines) - number) :])

    def events(self, answers: int | None = None) -> list[Any]:
        """Return what has happened since the last `answers` answers began, or all, as rows of `GameBatch.events`."""
        parts = self._events if answers is None else self._events[max(0, len(self._events) - answers) :]
        return [row for part in parts for row in part]

    def newest_events(self, seat: int | None, lines: int, names: Sequence[str] | None = None) -> list[str]:
        """Return the last lines of the log, without turning all of it into words.

        Args:
            seat: seat whose knowledge is shown; None shows everything.
            lines: largest number of lines, at least 1.
            names: names of the players, one each; None means "player_0" and so on.

        Raises:
            InvalidOption: the game has no such seat, or `names` are not one text each.
        """
        self.check_seat(seat)
        check_names(names, self.num_players)
        actions = lines
        while True:
            newest = sentences(self.events(actions), seat, names)
            if len(newest) > lines or actions >= len(self._events):  # the first line may be the end of a longer one
                return newest[-lines:]
            actions *= 2

    def render(self, seat: int | None = None) -> str:
        """Return the table as plain text, as far as a seat may see it; None shows everything.

        `dominion_env.render.render` also makes coloured text and pictures.
        """
        return render(self, seat, "text")

    def check_seat(self, seat: int | None) -> None:
        """Check that `seat` is a seat of this game or None.

        Raises:
            InvalidOption: it is neither.
        """
        seat_or("seat", seat, self.num_players, (None,))

    def _repr_svg_(self) -> str:
        """Return what a notebook shows: the picture as the seat to decide (at the end, the seat asked last) sees it.

        Code hosts show SVG in a notebook, and leave out HTML that holds it.
        """
        return render(self, self.current_player, "svg")

    def __str__(self) -> str:
        return self.render()

    def __repr__(self) -> str:
        state = "over" if self.is_over else f"turn {self.turn} of player_{self.turn_player}"
        return f"Game({self.num_players} players, {state})"

    # --- positions and replays ---------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Return the position as plain numbers, names and lists, for JSON; `from_dict` goes on from it exactly."""
        return self._batch.to_dict(0)

    @classmethod
    def from_dict(cls, position: Position, **options: Any) -> Game:
        """Load any well-formed position; parts that it leaves out are empty, or as the setup has them.

        A position that brings its random streams goes on with them.

        Args:
            position: a position, as `to_dict` returns it or written by hand.
            options: options of `Game`; number of players, kingdom and edition are those of the position if it has them.

        Raises:
            InvalidPosition: the position is malformed.
        """
        usual = {"num_players": 2, "kingdom": "first-game-2e", "edition": None}
        template = read(position, **{key: options.get(key, default) for key, default in usual.items()})
        own_address = not {"seed", "index", "episode"} & options.keys()
        if own_address and not template.streams_given:
            options |= {key: int(template.record[key][0]) for key in ("seed", "index", "episode")}
        return cls(start=position, resume=template.streams_given and own_address, **options)

    @classmethod
    def with_history(cls, position: Position, events: Sequence[NDArray[Any]]) -> Game:
        """Load a position whose log begins with events that came before it.

        Args:
            position: as for `from_dict`.
            events: parts of what `GameBatch.events` returned for this game, oldest first.
        """
        game = cls.from_dict(position)
        game._events[:0] = events
        return game

    def replay(self) -> dict[str, Any]:
        """Return all that is needed to play this game again, for JSON.

        This is the rules version, options, address, start, actions, and a fingerprint of the position at the end, by
        which `from_replay` finds out that a replay leads elsewhere.
        """
        return {
            "format": REPLAY_FORMAT,
            "rules": RULES_VERSION,
            **set_of(self._state["piles"]),
            "options": dict(self._options),
            "address": dict(self._address),
            "start": self._start,
            "start_player": int(self._state["start_player"]),
            "actions": [ACTION_NAMES[action] for action in self._actions],
            "end": self._fingerprint(),
        }

    def _fingerprint(self) -> str:
        """Return a hash of the position, which tells it from any other one that a game has come to."""
        may_change = ("format", "cards")  # some day
        position = {key: value for key, value in self.to_dict().items() if key not in may_change}
        return sha256(json.dumps(position, sort_keys=True).encode()).hexdigest()[:32]

    @classmethod
    def from_replay(cls, replay: Mapping[str, Any], step: int | None = None) -> Game:
        """Play a replay again.

        Args:
            replay: a dictionary as `replay` returns it.
            step: number of actions to play; None plays all. The end is compared only if all are played.

        Raises:
            InvalidReplay: the replay is malformed, of another rules version, one of its actions is not legal, or it
                leads to another position than the one that was stored.
        """
        if not isinstance(replay, Mapping):
            raise InvalidReplay(f"replay: expected a dictionary, got {type(replay).__name__}")
        for key, what, version in (("format", "format", REPLAY_FORMAT), ("rules", "rules version", RULES_VERSION)):
            if key not in replay:
                raise InvalidReplay(f"replay: {key} missing")
            if not is_whole_in(replay[key], version, version):
                raise InvalidReplay(f"replay: expected {what} {version}, got {shown(replay[key])}")
        if replay.get("cards", str(CARD_SET)) != str(CARD_SET):
            raise InvalidReplay(f"replay: expected cards of {CARD_SET}, got {shown(replay['cards'])}")
        missing = [key for key in ("options", "address", "start_player", "actions", "end") if key not in replay]
        if missing:
            raise InvalidReplay(f"replay: {', '.join(missing)} missing")
        actions, options, address = replay["actions"], replay["options"], replay["address"]
        _check_names("options", options, [name for name in _OPTIONS if name not in (*_ADDRESS, "start")])
        _check_names("address", address, _ADDRESS)
        if not isinstance(actions, Sequence) or isinstance(actions, str):
            raise InvalidReplay(f"replay: actions: expected a list of words, got {shown(actions)}")
        if step is None:
            step = len(actions)
        step = whole_number("step", step, 0, len(actions), InvalidReplay)
        try:
            game = cls(start=replay.get("start"), **{**options, **address})
        except DominionError as error:
            raise InvalidReplay(f"replay: {error}") from error
        begun = whole_number("replay: start_player", replay["start_player"], 0, game.num_players - 1, InvalidReplay)
        if begun != game._state["start_player"]:
            raise InvalidReplay(f"replay: expected player_{begun} to start, got player_{game._state['start_player']}")
        for number, action in enumerate(actions[:step]):
            try:
                game.apply(action)
            except DominionError as error:
                raise InvalidReplay(f"replay: action {number}: {error}") from error
        if step == len(actions) and not (isinstance(replay["end"], str) and replay["end"] == game._fingerprint()):
            raise InvalidReplay(
                "replay: expected to come to the position that was stored, got another one: the address, an option or an "
                "action is not the one that was played"
            )
        return game


_OPTIONS = tuple(signature(Game).parameters)
_ADDRESS = ("seed", "index", "episode")


def _check_names(part: str, given: Any, known: Sequence[str]) -> None:
    """Check that a part of a replay is a dictionary whose keys are all known."""
    if not isinstance(given, Mapping):
        raise InvalidReplay(f"replay: {part}: expected a dictionary, got {shown(given)}")
    unknown = [key for key in given if key not in known]
    if unknown:
        raise InvalidReplay(f"replay: {part}: expected names among {', '.join(known)}, got {shown(unknown[0])}")


def _plain(kingdom: KingdomLike | CardLike) -> Any:
    """Return the kingdom as names, which JSON can hold."""
    if isinstance(kingdom, str):
        return named(kingdom)
    if isinstance(kingdom, Card):
        return kingdom.title
    if isinstance(kingdom, Sequence):
        return [_plain(part) for part in kingdom]
    if isinstance(kingdom, np.integer):
        return int(kingdom)
    return kingdom
