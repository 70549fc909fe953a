"""`Game`: one game of Dominion in words, for people, logs, replays, positions and tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dominion_env.actions import ACTION_NAMES, action_id
from dominion_env.cards import Card
from dominion_env.core.batch import DEFAULT_MAX_TURNS, GameBatch
from dominion_env.core.positions import Position, read
from dominion_env.core.questions import kind_name
from dominion_env.errors import DominionError, GameOver, IllegalAction, InvalidOption, InvalidReplay
from dominion_env.kingdoms import KingdomLike
from dominion_env.render import render
from dominion_env.render.log import log_text, sentences
from dominion_env.rules.state import RULES_VERSION

REPLAY_FORMAT = 1


class Decision(NamedTuple):
    """What is asked.

    Attributes:
        player: the seat that must answer.
        kind: "action", "buy", "discard deck", or the first verb that is offered: "trash", "gain" ...
        source: the card whose text asks; None for the phases of the turn; Moat for its own window.
        card: the card that the question is about (the Attack of a Moat's window, what Spy revealed), if any.
        target: the seat that it is about (Spy's, Thief's victim), if any.
        min_left, max_left: how many cards may still be picked, this one included.
    """

    player: int
    kind: str
    source: Card | None
    card: Card | None
    target: int | None
    min_left: int
    max_left: int


class Game:
    """One game: a `GameBatch` of a single row, in words.

    Args: those of `GameBatch` that suit one game.

    Raises:
        InvalidOption, InvalidKingdom, UnknownCard, InvalidPosition: as `GameBatch`.
    """

    def __init__(
        self,
        num_players: int = 2,
        kingdom: KingdomLike = "first-game-2e",
        edition: int | None = None,
        seed: int = 0,
        index: int = 0,
        episode: int = 0,
        auto_treasures: bool = False,
        ask_forced: bool = False,
        first_player: int | Literal["random", "left-of-winner"] = "random",
        max_turns: int = DEFAULT_MAX_TURNS,
        observation: Literal["recall", "strict"] = "recall",
        start: Position | None = None,
        resume: bool = False,
    ) -> None:
        self._options: dict[str, Any] = {
            "num_players": num_players, "kingdom": _plain(kingdom), "edition": edition, "auto_treasures": auto_treasures,
            "ask_forced": ask_forced, "first_player": first_player, "max_turns": max_turns, "observation": observation,
            "resume": resume,
        }  # fmt: skip
        self._address = {"seed": seed, "index": index, "episode": episode}
        self._start = start
        self._batch = GameBatch(
            1, num_players, kingdom, edition, seed, index, episode, auto_treasures, ask_forced, first_player, max_turns,
            observation=observation, autoreset=False, record=True, start=start, resume=resume,
        )  # fmt: skip
        self._actions: list[int] = []
        self._events: list[NDArray[Any]] = [self._batch.events()]

    # --- what is going on --------------------------------------------------------------------------------------------

    @property
    def _state(self) -> Any:
        return self._batch.state[0]

    @property
    def num_players(self) -> int:
        """1 to 6."""
        return self._batch.num_players

    @property
    def kingdom(self) -> tuple[Card, ...]:
        """The ten Kingdom cards, in order of their numbers."""
        return tuple(Card(card) for card in self._state["piles"][7:])

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
        """Which turn of that player this is, from 1."""
        return int(self._state["turns"][self.turn_player])

    @property
    def phase(self) -> str:
        """ "action" or "buy"."""
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
        """What is asked; None once the game is over."""
        game = self._state
        if game["over"]:
            return None
        return Decision(
            int(game["asked"]),
            kind_name(int(game["kind"])),
            Card(game["source"]) if game["source"] >= 0 else None,
            Card(game["subject"]) if game["subject"] >= 0 else None,
            int(game["target"]) if game["target"] >= 0 else None,
            int(game["min_left"]),
            int(game["max_left"]),
        )

    def legal_actions(self) -> list[str]:
        """The legal answers in words, in order of their numbers; none once the game is over."""
        if self.is_over:
            return []
        return [ACTION_NAMES[action] for action in np.flatnonzero(self._batch.action_mask[0])]

    @property
    def action_mask(self) -> NDArray[np.bool_]:
        """bool (NUM_ACTIONS,): which actions are legal; as `GameBatch.action_mask`. A live buffer."""
        mask: NDArray[np.bool_] = self._batch.action_mask[0]
        return mask

    def policy_key(self) -> np.uint64:
        """A random number for the agent of the seat that must decide; the same until it has decided."""
        key: np.uint64 = self._batch.policy_keys()[0]
        return key

    def scores(self) -> list[int]:
        """Points of each player over all cards owned, as if the game ended now."""
        return [int(points) for points in self._batch.scores[0]]

    def winners(self) -> list[int]:
        """The seats that have won, several if they share the victory; none of a running or truncated game."""
        return [int(seat) for seat in np.flatnonzero(self._batch.final.winners[0])] if self.is_over else []

    def observe(self, seat: int | None = None) -> NDArray[np.float32]:
        """What a seat sees, None: the seat that must decide; float32 (observation_size,)."""
        seen: NDArray[np.float32] = self._batch.observe(seat)[0]
        return seen

    # --- playing -----------------------------------------------------------------------------------------------------

    def apply(self, action: str | int) -> None:
        """Carry out an answer of the current player, in words or as a number, and all that follows from it.

        Raises:
            GameOver: the game has ended.
            IllegalAction: no action, or not legal now; nothing has happened.
        """
        if self.is_over:
            raise GameOver(f"got {action!r}, but the game is over: {dict(enumerate(self.scores()))} points")
        if isinstance(action, str):
            number = action_id(action)
        elif isinstance(action, int | np.integer) and not isinstance(action, bool):
            number = int(action)
        else:
            raise IllegalAction(f"expected an action in words or as a whole number, got {action!r}")
        if not 0 <= number < len(ACTION_NAMES):
            raise IllegalAction(f"{number} is no action: actions are 0 to {len(ACTION_NAMES) - 1}")
        self._batch.step(np.array([number]))
        self._actions.append(number)
        self._events.append(self._batch.events())

    def copy(self) -> Game:
        """A copy that goes on by itself, with the same luck."""
        copy = object.__new__(Game)
        copy.__dict__.update(self.__dict__)
        copy._batch = self._batch.clone()
        copy._actions = list(self._actions)
        copy._events = list(self._events)
        return copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self.copy()

    # --- telling -----------------------------------------------------------------------------------------------------

    def log(self, seat: int | None = None, names: Sequence[str] | None = None) -> str:
        """What has happened, a line each: of a seat, only what it has seen; None: everything.

        `names`: what the players are called, one each; None: "player_0" and so on.
        """
        self.check_seat(seat)
        return log_text([row for part in self._events for row in part], seat, names)

    def newest_events(self, seat: int | None, lines: int, names: Sequence[str] | None = None) -> list[str]:
        """The last lines of the log, at most so many, without turning all of it into words.

        Args:
            seat: whose eyes; None: everything.
            lines: at least 1.
            names: what the players are called, one each; None: "player_0" and so on.
        """
        self.check_seat(seat)
        actions = lines
        while True:
            told = sentences([row for part in self._events[-actions:] for row in part], seat, names)
            if len(told) > lines or actions >= len(self._events):  # the first may be the end of a longer line
                return told[-lines:]
            actions *= 2

    def render(self, seat: int | None = None) -> str:
        """The table as plain text: of a seat, only what it may see; None: everything.

        `dominion_env.render.render` has colours and pictures.
        """
        return render(self, seat, "text")

    def check_seat(self, seat: int | None) -> None:
        """Raise InvalidOption if this is neither a seat of this game nor None."""
        whole = isinstance(seat, int | np.integer) and not isinstance(seat, bool)
        if seat is not None and not (whole and 0 <= seat < self.num_players):
            raise InvalidOption(f"seat: expected 0 to {self.num_players - 1} or None, got {seat!r}")

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
        """The position as plain numbers, names and lists, for JSON; `from_dict` goes on from it exactly."""
        return self._batch.to_dict(0)

    @classmethod
    def from_dict(cls, position: Position, **options: Any) -> Game:
        """Load a position, any well-formed one: what it leaves out is empty, or as the setup has it.

        A position that brings its random streams goes on with them. Options are those of `Game`; the position decides
        on players, kingdom and edition.

        Raises:
            InvalidPosition: the position is malformed.
        """
        usual = {"num_players": 2, "kingdom": "first-game-2e", "edition": None}
        template = read(position, **{key: options.get(key, default) for key, default in usual.items()})
        own_address = not {"seed", "index", "episode"} & options.keys()
        if own_address and not template.streams_given:
            options |= {key: int(template.record[key][0]) for key in ("seed", "index", "episode")}
        return cls(start=position, resume=template.streams_given and own_address, **options)

    def replay(self) -> dict[str, Any]:
        """What is needed to play this game again, for JSON: rules version, options, address, start and actions."""
        return {
            "format": REPLAY_FORMAT,
            "rules": RULES_VERSION,
            "options": dict(self._options),
            "address": dict(self._address),
            "start": self._start,
            "start_player": int(self._state["start_player"]),
            "actions": [ACTION_NAMES[action] for action in self._actions],
        }

    @classmethod
    def from_replay(cls, replay: Mapping[str, Any], step: int | None = None) -> Game:
        """Play a replay again, up to and including `step` actions (None: all).

        Raises:
            InvalidReplay: the replay is malformed, of another rules version, or one of its actions is not legal.
        """
        if not isinstance(replay, Mapping):
            raise InvalidReplay(f"replay: expected a dictionary, got {type(replay).__name__}")
        missing = [key for key in ("format", "rules", "options", "address", "actions") if key not in replay]
        if missing:
            raise InvalidReplay(f"replay: {', '.join(missing)} missing")
        if replay["format"] != REPLAY_FORMAT:
            raise InvalidReplay(f"replay: expected format {REPLAY_FORMAT}, got {replay['format']!r}")
        if replay["rules"] != RULES_VERSION:
            raise InvalidReplay(f"replay: of rules version {replay['rules']!r}, this is version {RULES_VERSION}")
        actions, options, address = replay["actions"], replay["options"], replay["address"]
        if not isinstance(actions, Sequence) or isinstance(actions, str):
            raise InvalidReplay(f"replay: actions: expected a list of words, got {actions!r}")
        if step is None:
            step = len(actions)
        if isinstance(step, bool) or not isinstance(step, int) or not 0 <= step <= len(actions):
            raise InvalidReplay(f"step: expected 0 to {len(actions)}, got {step!r}")
        try:
            game = cls(start=replay.get("start"), **{**options, **address})
        except (TypeError, DominionError) as error:
            raise InvalidReplay(f"replay: {error}") from error
        begun = replay.get("start_player", game._state["start_player"])
        if begun != game._state["start_player"]:
            raise InvalidReplay(f"replay: player_{begun} started, here it is player_{game._state['start_player']}")
        for number, action in enumerate(actions[:step]):
            try:
                game.apply(action)
            except DominionError as error:
                raise InvalidReplay(f"replay: action {number}: {error}") from error
        return game


def game_with_log(position: Position, events: Sequence[NDArray[Any]]) -> Game:
    """The game that goes on from a position, with what had happened before (`GameBatch.events`, oldest first)."""
    game = Game.from_dict(position)
    game._events[:0] = events
    return game


def _plain(kingdom: KingdomLike) -> Any:
    """The kingdom as JSON can hold it: names."""
    if isinstance(kingdom, str):
        return kingdom
    if isinstance(kingdom, Card):
        return kingdom.title
    if isinstance(kingdom, Sequence):
        return [_plain(part) for part in kingdom]  # type: ignore[arg-type]
    return kingdom
