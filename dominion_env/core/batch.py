"""`GameBatch`: many games of Dominion, advanced by one call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dominion_env.common import checks
from dominion_env.common.errors import DominionError, IllegalAction, InvalidOption, InvalidPosition
from dominion_env.common.superseded import refusing_options_that_went, warn_of
from dominion_env.compiled.jit import records, specialised
from dominion_env.core import loop
from dominion_env.core.address import fresh_seed
from dominion_env.core.observing.fields import DTYPES, OBSERVATIONS, DtypeName, ObservationName
from dominion_env.core.observing.observer import Numbers, Observer, checked_rows
from dominion_env.core.positions import Position, Template, read, write
from dominion_env.core.questions import KIND_NAMES, asked
from dominion_env.core.restoring import as_positions, check_alike, check_bounds, check_places
from dominion_env.core.rewards import REWARDS, Reward, outcome_dtype
from dominion_env.rules.record.state import GAME, LARGEST_INDEX, LOG_SIZE, seats_for
from dominion_env.rules.turns.redeal import MOST_SEATS, ZONES, deal_worlds, give_streams
from dominion_env.rules.turns.setup import LEFT_OF_WINNER, RANDOM
from dominion_env.rules.words.decisions import NOTHING
from dominion_env.tables.actions import ACTION_NAMES, NUM_ACTIONS
from dominion_env.tables.cards import NUM_BASE_CARDS, Card
from dominion_env.tables.kingdoms import KingdomLike, resolve

Bools = NDArray[np.bool_]
Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

DEFAULT_MAX_TURNS = 2000
MOST_TURNS = 30000
_INT64 = np.dtype(np.int64)
DONE = loop.DONE


class Final:
    """The last finished episode of each game of a batch; `GameBatch.final` describes it."""

    def __init__(self, outcomes: NDArray[Any], states: NDArray[Any], players: int, observer: Observer) -> None:
        self._observe = observer
        self.scores = _read_only(outcomes["scores"][:, :players])
        self.turns = _read_only(outcomes["turns"][:, :players])
        self.winners = _read_only(outcomes["winners"][:, :players].view(np.bool_))
        self.rounds = _read_only(outcomes["rounds"])
        self.ended = _read_only(outcomes["ended"])
        self.kingdom = _read_only(states["piles"][:, NUM_BASE_CARDS:])
        self.episode = _read_only(states["episode"])

    def observe(
        self,
        player: ArrayLike | None = None,
        out: Numbers | None = None,
        fields: Sequence[str] | None = None,
        rows: ArrayLike | None = None,
    ) -> Any:
        """Return what a seat saw at the end. The arguments are those of `GameBatch.observe`; a `player` of None is the seat
        that was asked last."""
        return self._observe(player, out, fields, rows)


class GameBatch:
    """Hold games of Dominion side by side, one record each in a numpy array, and advance them by compiled code.

    Row i is the game with the address (seed, index + i, episode). The same address, options and choices give the same
    game in any batch, view or process.

    Args:
        num_games: number of games, which are the rows of all arrays, at least 1.
        num_players: number of players, 1 to 6; one player is solitaire.
        kingdom: a name (`kingdom_names()`, or "test:5" for one kingdom of a split), ten card names (or a text that has
            commas between them), or a list of kingdoms, one of which is drawn per episode.
        edition: wording of Throne Room, Moneylender and Mine, 1 or 2; None means that of the kingdom.
        seed: one int, or one per row (row i is then (seed[i], 0, episode)). None draws an int at random, which is then in
            `state["seed"]`.
        index: index of the first row, from which the rows count up, or one index per row.
        episode: episode of the first games.
        auto_treasures: whether all Treasures are played when the Buy phase begins, instead of being asked for one by one.
        ask_forced: whether decisions with one legal answer are asked too, instead of being carried out.
        first_player: "random", a seat, or "left-of-winner".
        max_turns: last round; a game that would begin another one is truncated.
        reward: payment at the end, "result" (zero-sum), "margin" (result and lead in points, cut off at 30), "points", or
            "lead" (half the result, and the lead in points / 50).
        illegal: "raise" to raise `IllegalAction` before anything has moved; "lose" to end the game, whose offender gets -1.
        observation: "recall" (what a player with a perfect memory knows), "strict" (what lies open), or "kingdom" (recall,
            with places for the 17 cards of the game alone).
        observation_dtype: type of the numbers of an observation, "float32", or "int16" or "uint8" for whole numbers, which
            `observation_scales` turns into the former; they are cut off at the bounds of the field and of the type. Points
            in uint8 have 100 added.
        autoreset: whether the step that ends a game starts its next episode.
        record: whether events are kept for `events()`.
        start: a position, or one per row, instead of the usual setup (see `Game.to_dict`).
        resume: whether, with `start`, each game goes on with the address, random streams and decision counts of its
            position, instead of those of this batch's address.

    Raises:
        InvalidOption, InvalidKingdom, UnknownCard, InvalidPosition: an argument is not one of these.
    """

    first_row: int
    """The number of row 0 in messages; it is not 0 where these are some rows of a view of more games."""
    current_player: NDArray[np.int8]
    """int8 (num_games,): the seat that must decide. A live buffer."""
    action_mask: Bools
    """bool (num_games, NUM_ACTIONS): which actions are legal. A live buffer."""
    action_mask_int8: NDArray[np.int8]
    """The same as int8, which PettingZoo wants. A live buffer."""
    state: NDArray[Any]
    """The records of the games (`dominion_env.rules.record.state`), read-only. A live buffer."""
    templates: NDArray[Any]
    """The records that games start from, one for all rows or one for each, read-only; a `start` position is in them."""
    final: Final
    """The last finished episode of each game, as read-only arrays that are valid until the next call.

    - `scores`, `turns`: int32 (num_games, num_players).
    - `winners`: bool (num_games, num_players); several players share a victory, a truncated game has no winner.
    - `rounds`: int32 (num_games,), the most turns that a player had.
    - `ended`: int8 (num_games,), why it ended; 0 no episode has ended yet, 1 the Provinces ran out, 2 enough piles are
      empty, 3 it was truncated, 4 an action was illegal.
    - `kingdom`: int8 (num_games, 10), numbers of `Card`.
    - `episode`: int64 (num_games,).
    - `observe(player, out, fields, rows)`: what a seat saw at the end, as `GameBatch.observe` shows it.
    """
    observe_only_game: Callable[[int], Any]
    """In a batch of one game, return what this seat sees, shape (observation_size,). Nothing is checked, to save time."""
    observe_seats: Callable[..., Any]
    """Return what these seats see, int64 (num_games,), as `observe` does; they are not checked, to save time."""

    @refusing_options_that_went
    def __init__(  # noqa: PLR0913  each is an option of its own, given by name
        self,
        num_games: int,
        num_players: int = 2,
        kingdom: KingdomLike = "first-game-2e",
        edition: int | None = None,
        seed: int | Sequence[int] | NDArray[Any] | None = 0,
        index: int | Sequence[int] | NDArray[Any] = 0,
        episode: int = 0,
        auto_treasures: bool = False,
        ask_forced: bool = False,
        first_player: int | Literal["random", "left-of-winner"] = "random",
        max_turns: int = DEFAULT_MAX_TURNS,
        reward: Reward = "result",
        illegal: Literal["raise", "lose"] = "raise",
        observation: ObservationName = "recall",
        observation_dtype: DtypeName = "float32",
        autoreset: bool = True,
        record: bool = False,
        start: Position | Sequence[Position] | None = None,
        resume: bool = False,
    ) -> None:
        self.num_games = checks.whole_number("num_games", num_games, 1, 1 << 31)
        self.first_row = 0
        templates = self._templates(start, num_players, kingdom, edition)
        if templates is not None:
            num_players = templates[0].num_players
        self.num_players = checks.whole_number("num_players", num_players, 1, 6)
        self.illegal = checks.one_of("illegal", illegal, ("raise", "lose"))
        self.observation: ObservationName = checks.one_of("observation", observation, OBSERVATIONS)
        self.observation_dtype: DtypeName = checks.one_of("observation_dtype", observation_dtype, DTYPES)
        seats = seats_for(self.num_players)
        blank = np.zeros(len(templates or [None]), GAME[seats])  # what games begin from; a `start` position fills it in
        for row, template in enumerate(templates or []):
            blank[row] = template.record[0]
        blank["num_players"] = self.num_players
        blank["auto_treasures"] = checks.flag("auto_treasures", auto_treasures)
        blank["ask_forced"] = checks.flag("ask_forced", ask_forced)
        blank["recording"] = checks.flag("record", record)
        blank["max_turns"] = checks.whole_number("max_turns", max_turns, 1, MOST_TURNS)
        choice = resolve(kingdom, edition)
        if templates is None:
            blank["edition"] = choice.editions[0]
        plan = np.zeros(1, loop.PLAN)
        plan["first_player"] = _first_player(first_player, self.num_players)
        plan["reward"] = REWARDS.index(checks.one_of("reward", reward, REWARDS))
        plan["illegal_loses"] = illegal == "lose"
        plan["autoreset"] = checks.flag("autoreset", autoreset)
        plan["row"] = loop.DONE
        if templates is not None:
            plan["supply_given"] = templates[0].supply_given
            plan["players_given"] = templates[0].players_given
        if checks.flag("resume", resume):
            if templates is None or len(templates) != self.num_games or not all(t.streams_given for t in templates):
                raise InvalidOption(
                    "resume: expected as `start` a position per row with address and streams, got another"
                )
            plan["streams_given"] = 1
            seed, index, episode = blank["seed"], blank["index"], 0
        if seed is None:
            seed = fresh_seed()
        self._setups = (blank, choice.kingdoms, choice.editions, choice.pool)  # see `loop.start_game`
        self._are_worlds = False  # made by `worlds`, which may then overwrite them
        self._plan = plan
        self._states = np.zeros(self.num_games, GAME[seats])
        self._outcomes = np.zeros(self.num_games, outcome_dtype(seats))
        self._finals = np.zeros(self.num_games, GAME[seats])
        self._finals["num_players"] = self.num_players  # also of rows that have not finished an episode
        self._events = np.zeros(16 * LOG_SIZE if record else 0, loop.EVENT)
        self._noted: list[NDArray[Any]] = []
        self._attach()
        seeds = checks.whole_per_row("seed", seed, self.num_games, np.uint64)
        first_index = checks.whole_per_row("index", index, self.num_games, np.int64, LARGEST_INDEX)
        if np.ndim(index) == 0 and np.ndim(seed) == 0:
            first_index = first_index + np.arange(self.num_games)
        self._index = first_index
        self._states["seed"] = seeds
        self._states["index"] = first_index
        self._states["episode"] = (
            blank["episode"] if resume else checks.whole_number("episode", episode, 0, LARGEST_INDEX)
        )
        self._start(np.zeros(self.num_games, np.int64))
        waiting = (self._states["stack_size"] > 0) & (self._states["over"] == 0)
        unanswerable = waiting & (self._states["num_legal"] <= self._states["optional"])
        if unanswerable.any():
            raise InvalidPosition(f"question: expected a candidate, got none in position {int(unanswerable.argmax())}")

    def _templates(
        self, start: Position | Sequence[Position] | None, players: int, kingdom: KingdomLike, edition: int | None
    ) -> list[Template] | None:
        if start is None:
            return None
        positions = list(start) if isinstance(start, Sequence) and not isinstance(start, str) else [start]
        if len(positions) not in (1, self.num_games):
            raise InvalidOption(f"start: expected one position or one per row ({self.num_games}), got {len(positions)}")
        templates = [read(position, players, kingdom, edition) for position in positions]
        kinds = {(template.num_players, template.supply_given, template.players_given) for template in templates}
        if len(kinds) > 1:
            raise InvalidOption(
                "start: expected positions for equally many players with the same parts, got different ones"
            )
        return templates

    def _attach(self) -> None:
        """Make everything that looks at the arrays of this batch."""
        self._shape = (self.num_games,)
        self._games = records(self._states)
        self._blank = records(self._setups[0])
        self._plans = records(self._plan)
        self._outcome_records = records(self._outcomes)
        self._final_records = records(self._finals)
        self._samples = np.zeros(self.num_games, np.int64)
        self._actions = np.zeros(self.num_games, np.int64)
        self._keys = np.zeros(self.num_games, np.uint64)
        self._play_arguments = (
            self._games, self._final_records, self._outcome_records, self._actions, self._plans, records(self._events),
            self._blank, *self._setups[1:],
        )  # fmt: skip
        self._play_games = specialised(loop.play_games, *self._play_arguments)
        self._observers: dict[tuple[ObservationName, DtypeName], Observer] = {}
        self._observe = self.observer(self.observation, self.observation_dtype)
        self.observe_only_game, self.observe_seats = self._observe.of_the_only_game, self._observe.of_seats
        # Compiled or loaded from the cache, which takes a moment, when they are needed first.
        self._draw_actions: Callable[..., None] | None = None
        self._draw_keys: Callable[..., None] | None = None
        self._count_points: Callable[..., None] | None = None
        self._sampled = _read_only(self._samples)
        self._policy_keys = _read_only(self._keys)
        self.state = _read_only(self._states)
        self.action_mask_int8 = _read_only(self._states["legal"].view(np.int8))
        self.templates = _read_only(self._setups[0])
        self.current_player = _read_only(self._states["asked"])
        self.action_mask = _read_only(self._states["legal"].view(np.bool_))
        self._paid = (
            _read_only(self._outcomes["rewards"][:, : self.num_players]),
            _read_only(self._outcomes["terminated"].view(np.bool_)),
            _read_only(self._outcomes["truncated"].view(np.bool_)),
        )
        shown = Observer(self._finals, self.num_players, self.observation, self.observation_dtype)
        self.final = Final(self._outcomes, self._finals, self.num_players, shown)

    # --- playing -----------------------------------------------------------------------------------------------------

    def reset(self, seed: int | Sequence[int] | NDArray[Any] | None = None, mask: ArrayLike | None = None) -> None:
        """Start games again, with a seed at its episode 0, without one at their next episode.

        Args:
            seed: one int or one per row, as for the constructor.
            mask: bool (num_games,), the rows that start again; None means all.

        Raises:
            InvalidOption: a seed or mask of the wrong form; nothing has changed.
        """
        rows = np.ones(self.num_games, np.bool_)
        if mask is not None:
            rows = checks.array("mask", mask)
            if rows.dtype != np.bool_ or rows.shape != (self.num_games,):
                raise InvalidOption(f"mask: expected bool ({self.num_games},), got {rows.dtype} {rows.shape}")
        if seed is None:
            self._states["episode"][rows] += 1
        else:
            seeds = checks.whole_per_row("seed", seed, self.num_games, np.uint64)
            self._states["seed"][rows] = seeds[rows]
            self._states["index"][rows] = self._index[rows] if np.ndim(seed) == 0 else 0
            self._states["episode"][rows] = 0
            self._states["ended"][rows] = 0  # no last game, no last winner
        self._start(np.where(rows, 0, -1))

    def _start(self, actions: Ints) -> None:
        self._plan["purpose"] = loop.START
        self._plan["row"] = loop.DONE  # nothing goes on where a call that was interrupted stood
        try:
            self._actions[:] = actions
            self._play()
        finally:
            self._plan["purpose"] = loop.STEP

    def step(self, actions: ArrayLike, rows: ArrayLike | None = None) -> tuple[Floats, Bools, Bools]:
        """Carry out one action in each game, for the seat that must decide there, and all that follows, up to the next
        choice.

        Args:
            actions: ints (num_games,); with `rows` one for each of these.
            rows: ints, the games that move, each at most once; the others wait, and are paid nothing. None means
                all.

        Returns:
            rewards float32 (num_games, num_players), terminated and truncated bool (num_games,). All are live buffers.

        Raises:
            IllegalAction: an action is no action, or not legal (with `illegal="raise"`); no game has moved.
            InvalidOption: there are no such rows; no game has moved.
        """
        if rows is not None:
            return self._step_rows(actions, rows)
        if type(actions) is np.ndarray and actions.dtype is _INT64 and actions.shape == self._shape:
            if self.num_games == 1:
                self._actions[0] = actions[0]  # takes a third of the time that a slice takes
            else:
                self._actions[:] = actions
        else:
            self._choose(actions)
        code = self._play_games(*self._play_arguments)
        return self._paid if code == DONE else self._finish(code)

    def _step_rows(self, actions: ArrayLike, rows: ArrayLike) -> tuple[Floats, Bools, Bools]:
        chosen = checked_rows(rows, self.num_games)
        given = whole_actions(actions, len(chosen))
        wrong = (given < 0) | (given >= NUM_ACTIONS)
        if wrong.any():
            first = int(wrong.argmax())
            raise IllegalAction(self.why_illegal(int(chosen[first]), int(given[first])))
        self._actions.fill(NOTHING)
        self._actions[chosen] = given
        if np.count_nonzero(self._actions != NOTHING) < len(chosen):
            raise InvalidOption(f"rows: expected each game at most once, got {checks.shown(rows)}")
        self._plan["some_wait"] = 1
        try:
            return self._finish(self._play_games(*self._play_arguments))
        finally:
            self._plan["some_wait"] = 0

    def _finish(self, code: int) -> tuple[Floats, Bools, Bools]:
        """Finish the step for which `play_games` has returned this."""
        if code == loop.FULL:
            self._keep_events()
            code = self._play()
        if code != loop.DONE:
            raise IllegalAction(self.why_illegal(code, int(self._actions[code])))
        return self._paid

    def _play(self) -> int:
        """Run `play_games` with the chosen actions to its end; return the row of an illegal action, or DONE."""
        while (code := int(self._play_games(*self._play_arguments))) == loop.FULL:
            self._keep_events()
        return code

    def _keep_events(self) -> None:
        self._noted.append(_copied(self._events[: self._plan["events"][0]]))
        self._plan["events"] = 0

    def _choose(self, actions: ArrayLike) -> None:
        """Put the actions where `play_games` finds them."""
        if self.num_games == 1 and isinstance(actions, list) and len(actions) == 1:  # from a view of one game
            action = actions[0]
            if type(action) is int and 0 <= action < NUM_ACTIONS:
                self._actions[0] = action
                return
        given = whole_actions(actions, self.num_games)
        if given.dtype == np.uint64 and (given >= NUM_ACTIONS).any():
            row = int((given >= NUM_ACTIONS).argmax())
            raise IllegalAction(self.why_illegal(row, int(given[row])))
        self._actions[:] = given

    # --- in words ----------------------------------------------------------------------------------------------------

    def name_of(self, row: int) -> str:
        """Return a name of the game in this row for messages, which says no more than a player may know: "game 3"."""
        return f"game {self.first_row + row}"

    def why_illegal(self, row: int, action: int) -> str:
        """Return why an action is not legal in a game: what is asked there, of whom, and what would be legal."""
        game = self._states[row]
        named = (
            repr(ACTION_NAMES[action])
            if 0 <= action < NUM_ACTIONS
            else f"{action} (actions are 0 to {NUM_ACTIONS - 1})"
        )
        if game["over"]:
            return f"{self.name_of(row)} is over: got {named}, only 'pass' is left"
        return f"{self.name_of(row)}: got {named}, but {self.question(row)}"

    def question(self, row: int) -> str:
        """Return what is asked in a running game, of whom, and what is legal.

        "player_1 is asked by Militia to discard; legal: ['discard Copper', 'discard Estate']"
        """
        game = self._states[row]
        legal = [ACTION_NAMES[number] for number in np.flatnonzero(self.action_mask[row])]
        source = Card(game["source"]) if game["source"] >= 0 else None
        return f"player_{game['asked']} is {asked(KIND_NAMES[game['kind']], source)}; legal: {legal}"

    # --- looking -----------------------------------------------------------------------------------------------------

    @property
    def observation_size(self) -> int:
        """How many numbers an observation has."""
        return self._observe.size

    def observe(
        self,
        player: ArrayLike | None = None,
        out: Numbers | None = None,
        fields: Sequence[str] | None = None,
        rows: ArrayLike | None = None,
    ) -> Any:
        """Return what a seat sees.

        Args:
            player: one seat, one per row, or None for the seat that must decide.
            out: float32, int16 or uint8 (rows, observation_size) to write into, whatever `observation_dtype` says.
            fields: names from `FIELD_NAMES`; only these are written, which takes less time. All other numbers are zero,
                or in `out` what they were. None means all fields.
            rows: ints, the games to look at, in this order; None means all.

        Returns:
            (rows, observation_size) of `observation_dtype`, `num_games` rows unless others are asked for;
            `observation_fields` names its parts.

        Raises:
            InvalidOption: there is no such seat, field or game, or `out` is of the wrong form.
        """
        return self._observe(player, out, fields, rows)

    def observer(self, observation: ObservationName, dtype: DtypeName = "float32") -> Observer:
        """Return a function that is called as `observe` is, and shows the games of this batch in this way.

        Args:
            observation: "recall", "strict" or "kingdom".
            dtype: type of the numbers in new arrays, "float32", "int16" or "uint8".

        Raises:
            InvalidOption: there is no such observation or dtype.
            InvalidPosition: a "kingdom" observation has no place for a card of a start position.
        """
        kind = checks.one_of("observation", observation, OBSERVATIONS), checks.one_of("dtype", dtype, DTYPES)
        if kind not in self._observers:
            if observation == "kingdom":
                check_places(self._setups[0])
            self._observers[kind] = Observer(self._states, self.num_players, *kind)
        return self._observers[kind]

    def sample_actions(self) -> Ints:
        """Return a legal action per game, each as likely, int64 (num_games,); the same until that seat has decided."""
        if self._draw_actions is None:
            self._draw_actions = specialised(loop.sample, self._games, self._samples)
        self._draw_actions(self._games, self._samples)
        return self._sampled

    def policy_keys(self) -> NDArray[np.uint64]:
        """Return a random number per game for the agent that must decide there, uint64 (num_games,); the same until it has.

        The keys can't be inverted, but whoever tries all seeds of some range finds the one that gives these keys. So games
        whose agents are not to know their address have a seed of 64 random bits.
        """
        if self._draw_keys is None:
            self._draw_keys = specialised(loop.policy_keys, self._games, self._keys)
        self._draw_keys(self._games, self._keys)
        return self._policy_keys

    @property
    def scores(self) -> Ints:
        """int64 (num_games, num_players): points over all cards that a player owns, as if the games ended now."""
        points = np.empty((self.num_games, self.num_players), np.int64)
        if self._count_points is None:
            self._count_points = specialised(loop.scores, self._games, points)
        self._count_points(self._games, points)
        return points

    @property
    def records(self) -> NDArray[Any]:
        """The records of the games for compiled code that plays them, a live buffer that may be written to.

        Such code must leave each game where `step` could, which is at a choice or at the end; see `note_ends`.
        """
        return self._games

    def note_ends(self) -> None:
        """Pay and keep in `final` the games that are over, as `step` does: for compiled code that has played `records`."""
        arguments = self._games, self._final_records, self._outcome_records, self._plans
        specialised(loop.note_ends, *arguments)(*arguments)

    @property
    def is_recording(self) -> bool:
        """Whether events are kept for `events()`."""
        return len(self._events) > 0

    @property
    def turns(self) -> NDArray[np.int16]:
        """int16 (num_games, num_players): turns begun, the running one included."""
        return _read_only(self._states["turns"][:, : self.num_players])

    def start_recording(self) -> None:
        """Keep events for `events()` from now on, as a batch made with `record=True` does; earlier events are lost."""
        if not self.is_recording:
            self._events = np.zeros(16 * LOG_SIZE, loop.EVENT)
            self._setups[0]["recording"] = 1
            self._states["recording"] = 1
            self._attach()

    def events(self) -> NDArray[Any]:
        """Return the events since the last call, oldest first in each game, and remove them.

        The records (`loop.EVENT`) have these fields: `game`, the row; `event`, a number of `dominion_env.Event`; `player`;
        `card`, -1 for none; `count`, a number that belongs to the event; and two sets of seats, a bit each, `seen` of those
        who saw that it happened, `card_seen` of those who saw the card.

        Raises:
            InvalidOption: the batch was made without `record=True`.
        """
        if not self.is_recording:
            raise InvalidOption("events: none are kept; make the batch with record=True")
        used = int(self._plan["events"][0])
        parts = [*self._noted, self._events[:used]]
        noted = np.zeros(sum(map(len, parts)), loop.EVENT)  # `np.concatenate` would repack the fields
        at = 0
        for part in parts:
            noted[at : at + len(part)] = part
            at += len(part)
        self._noted = []
        self._plan["events"] = 0
        return noted

    def to_dict(self, i: int) -> dict[str, Any]:
        """Return the position of game i (see `Game.to_dict`)."""
        return write(self._states[checks.whole_number("game", i, 0, self.num_games - 1)])

    # --- copies ------------------------------------------------------------------------------------------------------

    def clone(self) -> GameBatch:
        """Return an exact copy that goes on by itself, random streams included."""
        kept = self.__getstate__()
        kept |= {key: _copied(value) for key, value in kept.items() if isinstance(value, np.ndarray)}
        blank, *others = self._setups
        kept["_noted"] = list(self._noted)
        kept["_setups"] = (_copied(blank), *others)
        copy = object.__new__(GameBatch)
        copy.__setstate__(kept)
        return copy

    def __deepcopy__(self, memo: dict[int, Any]) -> GameBatch:
        return self.clone()

    def take(self, rows: ArrayLike) -> GameBatch:
        """Return a new batch of the games in these rows, in this order, which go on with the same luck.

        Args:
            rows: ints, at least one; a row may come several times.

        Raises:
            InvalidOption: there is no row in `rows`, or no such row.
        """
        chosen = self._some_rows(rows)
        kept = self.__getstate__()
        blank, *others = kept["_setups"]
        kept["_setups"] = (_rows_of(blank, chosen) if len(blank) > 1 else _copied(blank), *others)
        for key in ("_states", "_outcomes", "_finals", "_index"):
            kept[key] = _rows_of(kept[key], chosen)
        kept["num_games"], kept["first_row"] = len(chosen), 0
        kept["_plan"] = _copied(kept["_plan"])
        kept["_plan"]["events"] = 0  # those so far belong to this batch
        kept["_events"], kept["_noted"] = np.zeros_like(kept["_events"]), []
        part = object.__new__(GameBatch)
        part.__setstate__(kept)
        return part

    def _some_rows(self, rows: ArrayLike) -> Ints:
        """Check that these are numbers of games, at least one; return a copy as int64."""
        chosen = checks.array("rows", rows)
        if chosen.ndim != 1 or chosen.size == 0 or chosen.dtype.kind not in "iu":
            raise InvalidOption(f"rows: expected at least one row number, got {checks.shown(rows)}")
        if chosen.min() < 0 or chosen.max() >= self.num_games:
            raise InvalidOption(f"rows: expected 0 to {self.num_games - 1}, got {checks.shown(rows)}")
        return np.array(chosen, np.int64)

    def fork(self, index: int, copies: int, seed: int) -> GameBatch:
        """Return a new batch of `copies` of game `index`; copy i has the random streams of the address (seed, i, episode).

        Raises:
            InvalidOption: there is no such game, or not at least one copy.
        """
        row = checks.whole_number("index", index, 0, self.num_games - 1)
        number = checks.whole_number("copies", copies, 1, 1 << 31)
        fork = self.take(np.full(number, row))
        fork._readdress(seed)
        return fork

    def worlds(
        self,
        rows: ArrayLike,
        copies: int,
        seeds: int | Sequence[int] | NDArray[Any],
        player: int | None = None,
        out: GameBatch | None = None,
    ) -> GameBatch:
        """Return a new batch of worlds that the seats that are asked in these games may be in, each with fresh luck.

        Cards that the seat knows stay where they are. All others are dealt again over the places unknown to it, and each
        deal is as likely as any other; how many lie where and who knows which card is kept. Deals are left out that the rules
        exclude: a Treasure where all have been played, a card that a forced choice has not found, and in a hand that was drawn
        before a shuffle one that came with it. What the others' free choices tell about their hands is not used.
        Copy j of `rows[r]` is row r * copies + j of the result, and has the address (seeds[r], j, 0). On that and on what the
        seat knows it depends alone, so that a game that is named twice with the same seed gives the same worlds twice.

        No trace of what the seat can't know is left in the worlds. They record no events. Later episodes are games of the
        worlds' own addresses; where the batch began from a position with cards, they begin from the world itself.

        Args:
            rows: ints, at least one; a row may come several times.
            copies: number of worlds for each row, at least 1.
            seeds: one int or one per row.
            player: the seat that is asked in all of these games, where the caller wants that checked.
            out: worlds that this batch made before, as many as now; they are overwritten and returned, which saves time.

        Raises:
            InvalidOption: there is no row in `rows`, no such row, no copy or no such seat, `player` is not asked in one of
                the games, or `out` is another batch; nothing has changed.
        """
        chosen = self._some_rows(rows)
        number = checks.whole_number("copies", copies, 1, (1 << 31) // len(chosen))
        words = checks.whole_per_row("seeds", seeds, len(chosen), np.uint64)
        return self._deal("worlds", chosen, number, words, np.zeros(len(chosen), np.int64), player, out)

    def determinize(self, player: int | None = None, seed: int | Sequence[int] | NDArray[Any] = 0) -> GameBatch:
        """Return a world of each game. `worlds(range(len(batch)), 1, seeds)` has taken its place, and it goes in version 0.5."""
        warn_of("GameBatch.determinize(player, seed)", "GameBatch.worlds(rows, 1, seeds, player)")
        rows = np.arange(self.num_games)
        words = checks.whole_per_row("seed", seed, self.num_games, np.uint64)
        return self._deal("determinize", rows, 1, words, rows, player, None)

    def _deal(
        self,
        call: str,
        rows: Ints,
        copies: int,
        seeds: NDArray[np.uint64],
        numbers: Ints,
        player: int | None,
        out: GameBatch | None,
    ) -> GameBatch:
        """Return copies of the games in these rows, dealt again; copy j has the address (seeds[r], numbers[r] + j, 0)."""
        if player is not None:
            seat = checks.whole_number("player", player, 0, self.num_players - 1)
            if (other := self.current_player[rows] != seat).any():
                row = int(rows[other.argmax()])
                raise InvalidOption(
                    f"{call}: expected games in which player_{seat} is asked, "
                    f"got player_{self.current_player[row]} in game {row}"
                )
        number = len(rows) * copies
        worlds = self._unfilled(number) if out is None else self._to_overwrite(out, number)
        places = np.zeros((MOST_SEATS, ZONES), np.int64)
        arguments = self._games, rows, copies, seeds, numbers, worlds._games, places
        specialised(deal_worlds, *arguments)(*arguments)
        worlds._index[:] = worlds._states["index"]
        worlds._outcomes.view(np.uint8).fill(0)
        over = np.flatnonzero(worlds._states["over"])
        worlds._outcomes[over] = self._outcomes[rows[over // copies]]
        worlds._finals[over] = worlds._states[over]
        if worlds._plan["players_given"][0]:
            worlds._setups[0][:] = worlds._states
        elif len(worlds._setups[0]) > 1:
            worlds._setups[0][:] = self._without_address(np.repeat(_rows_of(self._setups[0], rows), copies))
        return worlds

    def _unfilled(self, number: int) -> GameBatch:
        """Return a batch for a number of worlds, which is played as this one is. It has no games yet."""
        blank, *others = self._setups
        plan = _copied(self._plan)
        plan["row"], plan["events"], plan["streams_given"] = loop.DONE, 0, 0
        if plan["players_given"][0]:
            plan["supply_given"] = 1
        one_each = plan["players_given"][0] or len(blank) > 1
        blank = np.zeros(number, blank.dtype) if one_each else self._without_address(blank)
        kept = self.__getstate__() | {
            "num_games": number, "first_row": 0, "_setups": (blank, *others), "_plan": plan, "_index": np.zeros(number, np.int64),
            "_states": np.zeros(number, self._states.dtype), "_outcomes": np.zeros(number, self._outcomes.dtype),
            "_finals": np.zeros(number, self._finals.dtype), "_events": np.zeros(0, loop.EVENT), "_noted": [],
            "_are_worlds": True,
        }  # fmt: skip
        worlds = object.__new__(GameBatch)
        worlds.__setstate__(kept)
        return worlds

    @staticmethod
    def _without_address(templates: NDArray[Any]) -> NDArray[Any]:
        """Return templates without players, as worlds begin later episodes from them, also without their address."""
        bare = _copied(templates)
        for field in ("seed", "index", "episode", "key", "streams", "setup_stream", "decisions", "recording"):
            bare[field] = 0
        return bare

    def _to_overwrite(self, out: GameBatch, number: int) -> GameBatch:
        """Check that these worlds were made by this batch and that their number is right; return them."""
        alike = isinstance(out, GameBatch) and all(
            a is b for a, b in zip(out._setups[1:], self._setups[1:], strict=True)
        )
        if not alike or not out._are_worlds or out is self or out.is_recording or out.num_games != number:
            raise InvalidOption(f"out: expected {number} worlds that this batch has made, got {checks.shown(out)}")
        return out

    def _readdress(self, seed: int) -> None:
        """Let row i go on with the random streams of (seed, i, its episode)."""
        self._index = np.arange(self.num_games)
        self._states["seed"] = checks.whole_per_row("seed", seed, self.num_games, np.uint64)
        self._states["index"] = self._index
        give_streams(self._games)

    _KEPT = (
        "num_games", "first_row", "num_players", "illegal", "observation", "observation_dtype", "_setups", "_plan", "_states",
        "_outcomes", "_finals", "_events", "_noted", "_index", "_are_worlds",
    )  # fmt: skip

    _MOVING = ("_states", "_outcomes", "_finals", "_index", "_plan")

    def snapshot(self) -> dict[str, NDArray[np.uint8]]:
        """Return all that changes while games are played, as arrays of bytes by name, for `restore`.

        Unlike a pickle it holds no code, and unlike positions it keeps what comes after the running games.

        Raises:
            InvalidOption: events are recorded, which are not kept.
        """
        if self.is_recording:
            raise InvalidOption("snapshot: expected a batch that records no events, got record=True")
        return {name[1:]: getattr(self, name).view(np.uint8).reshape(-1).copy() for name in self._MOVING}

    def restore(self, snapshot: Mapping[str, NDArray[np.uint8]], check: bool = True) -> None:
        """Go on from a snapshot of a batch that was made with the same arguments.

        Args:
            snapshot: what `snapshot` returned.
            check: whether to check first that the rules can have left each game so, which takes some milliseconds a game.
                Compiled code trusts the records, so leave it out only for snapshots that no one else can have written.

        Raises:
            InvalidOption: the snapshot is of another form, or of games that can't be; nothing has changed.
        """
        expected = {name[1:]: getattr(self, name).nbytes for name in self._MOVING}
        found = {name: np.asarray(array).size for name, array in snapshot.items()}
        if found != expected or any(np.asarray(array).dtype != np.uint8 for array in snapshot.values()):
            raise InvalidOption(f"snapshot: expected bytes {checks.shown(expected)}, got {checks.shown(found)}")
        own = {name: getattr(self, name) for name in self._MOVING}
        new = {
            name: np.ascontiguousarray(snapshot[name[1:]]).view(array.dtype).reshape(array.shape)
            for name, array in own.items()
        }
        if checks.flag("check", check):
            self._check_restored(new)
        for name, array in own.items():
            array[...] = new[name]

    def _check_restored(self, new: Mapping[str, NDArray[Any]]) -> None:
        """Check that these arrays can take the place of the batch's own.

        Raises:
            InvalidOption: they can't.
        """
        plan, states = self._plan.copy(), new["_states"]
        plan["stage"] = new["_plan"]["stage"]  # where a call stood that has ended
        if (new["_plan"] != plan).any() or new["_index"].min() < 0 or new["_index"].max() > LARGEST_INDEX:
            raise InvalidOption("snapshot: expected one of a batch of the same arguments, got another or a damaged one")
        check_bounds(states, self.num_players)
        check_bounds(new["_finals"], self.num_players)
        for name in ("terminated", "truncated", "winners"):
            if (new["_outcomes"][name] > 1).any():
                raise InvalidOption(f"snapshot: {name}: expected 0 or 1, got {new['_outcomes'][name].max()}")
        options = self._setups[0][0]
        kept: dict[str, Any] = {name: bool(options[name]) for name in ("auto_treasures", "ask_forced")}
        try:
            again = GameBatch(
                self.num_games, start=as_positions(states), resume=True, max_turns=int(options["max_turns"]), **kept
            )
        except DominionError as error:
            raise InvalidOption(
                f"snapshot: expected games that the rules can have left, got another: {error}"
            ) from error
        check_alike(states, again._states, self.num_players)

    def __getstate__(self) -> dict[str, Any]:
        return {key: getattr(self, key) for key in self._KEPT}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._attach()

    def __len__(self) -> int:
        return self.num_games

    def __repr__(self) -> str:
        return f"GameBatch({self.num_games} games, {self.num_players} players)"


def whole_actions(actions: ArrayLike, number: int) -> NDArray[Any]:
    """Check that these are whole numbers, one for each of a number of games; return them as an array.

    Raises:
        IllegalAction: they are not.
    """
    try:
        given = np.asarray(actions)
    except ValueError as error:
        raise IllegalAction(f"actions: expected ints of shape ({number},), got {checks.shown(actions)}") from error
    if given.shape != (number,) or (given.dtype.kind not in "iu" and given.size):
        raise IllegalAction(f"actions: expected ints of shape ({number},), got {given.dtype} of shape {given.shape}")
    return given


def _rows_of(array: NDArray[Any], rows: NDArray[Any]) -> NDArray[Any]:
    """Return `array[rows]`, copied as bytes if it holds records: field by field, as numpy copies these, takes ten times as
    long."""
    plain = array.view(np.uint8).reshape(len(array), array.itemsize) if array.dtype.names else array
    taken: NDArray[Any] = plain[rows]
    return taken.view(array.dtype)[:, 0] if array.dtype.names else taken


def _copied(array: NDArray[Any]) -> NDArray[Any]:
    """Return a copy, of records also of the bytes between their fields: those that numpy leaves as they are in memory would
    make equal games look different."""
    return array.view(np.uint8).copy().view(array.dtype) if array.dtype.names else array.copy()


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    view = array.view()
    view.setflags(write=False)
    return view


def _first_player(value: Any, num_players: int) -> int:
    """Check an option `first_player`; return it as `choose_first_player` takes it."""
    named = {"random": RANDOM, "left-of-winner": LEFT_OF_WINNER}
    seat = checks.seat_or("first_player", value, num_players, list(named))
    return named[seat] if isinstance(seat, str) else seat
