"""The games of a server by their ids, within limits. Nothing that a client sends is taken for a path.

Calls come from several threads. A game takes one call at a time, and another one is refused in words.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Literal

from dominion_app.web.guarding.limits import MOST_ROUNDS
from dominion_app.web.house.players import allowed, made
from dominion_env.common.checks import shown
from dominion_env.common.errors import DominionError, InvalidKingdom, InvalidOption, UnknownCard, WrongOrder
from dominion_env.players.agent import check_players
from dominion_env.text import TextGame

MOST_GAMES = 100
IDLE_SECONDS = 1800.0  # after which a game is dropped
MOST_KINGDOM = 300  # characters of a kingdom
_MOST_ID = 40  # characters of an id that are looked at

LOGGER = logging.getLogger("dominion_app.mcp")


class _Held:
    """A game that is kept, or is being made."""

    def __init__(self, now: float) -> None:
        self.lock, self.used = Lock(), now
        self.game: TextGame | None = None

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, and no call is looking at it."""
        return self.game is not None and self.game.is_over and not self.lock.locked()


class TextGames:
    """Games by their ids, which can't be guessed.

    Args:
        most: number of games at a time; of those that have ended, the oldest makes room for a new one.
        idle: seconds after which a game is dropped that nobody has answered or looked at.
        clock: function that returns seconds.
    """

    def __init__(
        self, most: int = MOST_GAMES, idle: float = IDLE_SECONDS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most, self._idle, self._clock = most, idle, clock
        self._held: dict[str, _Held] = {}
        self._lock = Lock()

    def new(self, kingdom: str, opponents: str, players: int, seat: int | Literal["random"], list_answers: bool) -> str:
        """Start a game; return its id, the rules, and what the seat reads first.

        Raises:
            DominionError: an argument is wrong, there are too many games, or an opponent has failed.
        """
        if len(kingdom) > MOST_KINGDOM:
            raise InvalidKingdom(f"kingdom: expected at most {MOST_KINGDOM} characters, got {len(kingdom):,}")
        name, held = self._place()
        try:
            held.game = game = _made(kingdom, opponents, players, seat, list_answers)
        except BaseException:
            self._drop(name)
            raise
        finally:
            held.lock.release()
        return f"Game {name}\n\n{game.rules}\n\n{game.text}"

    def answer(self, name: str, text: str) -> str:
        """Answer the question of a game; return what the seat reads then, or why the answer was not taken.

        Raises:
            DominionError: there is no such game, another call is answering it, or an opponent has failed.
        """
        with self._only_call(name) as game:
            try:
                answer = game.answer(text)
            except Exception as error:
                self._drop(name)
                raise _failed(error) from None
            return f"{game.text}{_count(game)}" if answer.taken else f"Not taken: {answer.why}"

    def state(self, name: str) -> str:
        """Return what the seat of a game read last.

        Raises:
            DominionError: there is no such game, or another call is answering it.
        """
        with self._only_call(name) as game:
            return f"{game.text}{_count(game)}"

    def _place(self) -> tuple[str, _Held]:
        """Return an id and a place for a new game, which is taken by this call."""
        with self._lock:
            self._drop_idle()
            if len(self._held) >= self._most:
                ended = next((name for name, held in self._held.items() if held.is_over), None)
                if ended is not None:
                    del self._held[ended]
            if len(self._held) >= self._most:
                minutes = f"{self._idle / 60:g} minutes"
                raise WrongOrder(
                    f"new_game: expected at most {self._most} games at a time, got one more; a game is dropped when nobody "
                    f"has answered it for {minutes}"
                )
            name, held = secrets.token_urlsafe(12), _Held(self._clock())
            held.lock.acquire()
            self._held[name] = held
        return name, held

    @contextmanager
    def _only_call(self, name: str) -> Iterator[TextGame]:
        """Take a game for one call."""
        with self._lock:
            self._drop_idle()
            held = self._held.get(name) if len(name) <= _MOST_ID else None
            if held is None:
                raise InvalidOption(
                    f"game: expected the id of a running game, got {shown(name)}; idle games are dropped"
                )
            if not held.lock.acquire(blocking=False):
                raise WrongOrder("game: another call is answering it; wait for that one, then ask for the state")
        try:
            assert held.game is not None  # while it is being made its place is taken
            yield held.game
        finally:
            held.used = self._clock()
            held.lock.release()

    def _drop(self, name: str) -> None:
        with self._lock:
            self._held.pop(name, None)

    def _drop_idle(self) -> None:
        now = self._clock()
        for name, held in [*self._held.items()]:
            if now - held.used > self._idle and not held.lock.locked():
                del self._held[name]


def _made(kingdom: str, opponents: str, players: int, seat: int | Literal["random"], list_answers: bool) -> TextGame:
    name, agent = allowed(opponents), made(opponents)
    check_players(shown(name), agent, players)
    try:
        return TextGame(agent, players, kingdom, seat, None, list_answers, max_turns=MOST_ROUNDS)
    except (InvalidOption, InvalidKingdom, UnknownCard):
        raise
    except Exception as error:
        raise _failed(error) from None


def _failed(error: Exception) -> DominionError:
    """Return the error for a client, whom the words of an opponent's error might tell hidden cards."""
    LOGGER.error("an opponent has failed", exc_info=error)
    return WrongOrder("an opponent has failed, so this game is over without a result")


def _count(game: TextGame) -> str:
    """Return at the end how many answers were not taken, by kind."""
    if not game.is_over:
        return ""
    wrong = {kind: number for kind, number in game.answers.items() if kind != "taken"}
    kinds = f" ({', '.join(f'{number} {kind}' for kind, number in sorted(wrong.items()))})" if wrong else ""
    return f"\n{sum(wrong.values())} of your {game.answers.total()} answers were not taken{kinds}."
