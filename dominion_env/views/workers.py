"""Games that several processes play, each those of some rows.

This process plays the first rows, and starts one process for each of the other parts. All write what they tell the learners
into memory that they share, so that no array travels. A process ends with its `Workers`, or when its parent is gone.
"""

from __future__ import annotations

import itertools
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import connection, util
from multiprocessing.pool import ExceptionWithTraceback  # type: ignore[attr-defined]  # unknown to mypy
from typing import Any, NamedTuple, NoReturn

import cloudpickle
import numpy as np
from numpy.typing import ArrayLike, NDArray

from dominion_env.common.errors import DominionError, IllegalAction, InvalidOption, WrongOrder
from dominion_env.core.address import Address
from dominion_env.core.batch import whole_actions
from dominion_env.tables.actions import NUM_ACTIONS, PASS
from dominion_env.views.common.shared import CONTEXT, Ring, SharedArrays
from dominion_env.views.game import Game
from dominion_env.views.learner import ADVICE, INTERRUPTED
from dominion_env.views.vector_games import Bools, Told, VectorGames


class _Shared(NamedTuple):
    """All memory that the processes share: orders and what is always the same, and places to tell in."""

    fixed: SharedArrays
    seen: list[SharedArrays]
    learned: list[SharedArrays]
    posts: SharedArrays  # numbers of the last orders of each part: `sent`, `answered`, and `done` with all it wrote


class _Answer(NamedTuple):
    """What a part answers: a value or an error, and why its games then stand in the middle of a step, if they do."""

    value: Any = None
    error: BaseException | None = None
    broken: str | None = None


# A process that sleeps takes 30 microseconds to wake, as long as playing a hundred rows.
PATIENCE = 0.0002
ONE_WRITE = 1 << 14  # bytes of a message that `Connection` writes with its head

DONE = _Answer()
_PACKED_DONE = pickle.dumps(DONE)


class _Part:
    """The games of some rows, in the process that plays them. Each method is what one order does.

    Args:
        games: the games.
        first: number of their first row.
        shared: the memory.
    """

    def __init__(self, games: VectorGames, first: int, shared: _Shared) -> None:
        last = first + games.num_games
        fixed = shared.fixed.rows(first, last)
        self.actions, self._sampled = fixed["actions"], fixed["sampled"]
        for name in ("over", "seats", "final_observations"):
            fixed[name][:] = getattr(games, name)
            setattr(games, name, fixed[name])
        self._seen, self._learned = (
            [slot.rows(first, last) for slot in slots] for slots in (shared.seen, shared.learned)
        )
        self.games = games

    def begin(self, seeds: Sequence[int | None] | None, rows: Bools, seen: int, learned: int) -> None:
        self.games.begin(seeds, rows, self._seen[seen] | self._learned[learned])

    def advance(self, seen: int, learned: int) -> None:
        self.games.advance(self.actions, self._seen[seen] | self._learned[learned])

    def refused(self) -> str | None:
        """Return why the first action that is not legal is refused, or None."""
        inside = (self.actions >= 0) & (self.actions < NUM_ACTIONS)
        rows = np.arange(len(inside))
        legal = inside & self.games.action_mask[rows, np.where(inside, self.actions, PASS)] | self.games.over
        return None if legal.all() else self.games.batch.why_illegal(row := int(legal.argmin()), int(self.actions[row]))

    def masks(self, seen: int) -> None:
        self.games.masks(self._seen[seen]["action_mask"])

    def sample(self) -> None:
        self._sampled[:] = self.games.sample()

    def why_illegal(self, *of: int) -> str | None:
        """Return why this row's action is refused; without a row, nothing is asked."""
        return self.games.batch.why_illegal(*of) if of else None

    def copied(self) -> VectorGames:
        return self.games

    def answer(self, call: str, given: tuple[Any, ...]) -> _Answer:
        """Carry out an order, which is a method of this class or else of the games."""
        try:
            return _Answer(getattr(self if hasattr(self, call) else self.games, call)(*given))
        except BaseException as error:  # also what an agent raises to end the program
            return _Answer(error=error, broken=self.games.broken)


def _expect(post: NDArray[np.int64], number: int) -> None:
    """Wait for this number for as long as it takes to wake a process that sleeps; a message comes with it, or later."""
    end = time.perf_counter() + PATIENCE
    while post[0] != number and time.perf_counter() < end:
        os.sched_yield()  # to whoever has no core


class _Ended(Exception):
    """A process has ended that should play on."""


class _Worker:
    """A process that plays a part.

    Args:
        place: number of the part.
        first: number of its first row.
        shared: the memory.
    """

    def __init__(self, place: int, first: int, shared: _Shared) -> None:
        self._name = f"worker {place}, which plays the rows from {first},"
        self._ours, theirs = CONTEXT.Pipe()
        posts = shared.posts.rows(place, place + 1)
        self._sent, self._answered, self._done = posts["sent"], posts["answered"], posts["done"]
        self._process = CONTEXT.Process(target=_work, args=(theirs, place, first, shared), daemon=True)
        with _without_ctrl_c():
            self._process.start()
        theirs.close()

    def send(self, message: bytes, order: int = 0) -> None:
        self._sent[0] = order
        try:
            if len(message) < ONE_WRITE:
                self._ours.send_bytes(message)
            else:
                with _without_ctrl_c():  # no half message
                    self._ours.send_bytes(message)
        except OSError:
            self._raise_ended()

    def receive(self, order: int = 0) -> _Answer:
        _expect(self._answered, order)
        try:
            message = self._ours.recv_bytes()
        except (EOFError, OSError):
            self._raise_ended()
        answer: _Answer = DONE if message == _PACKED_DONE else pickle.loads(message)
        return answer

    def forget_answers(self, order: int) -> None:
        """Drop all that was answered, also half an answer that was read, until this order is done."""
        while self._done[0] != order or self._ours.poll():
            if self._ours.poll(0.01) and not os.read(self._ours.fileno(), 1 << 16):
                self._raise_ended()

    def end(self) -> None:
        self._ours.close()
        self._process.kill()  # it has nothing to save, and an agent may take long
        self._process.join()

    def _raise_ended(self) -> NoReturn:
        self._process.join(1)
        raise _Ended(
            f"{self._name} has ended with exit code {self._process.exitcode}: its own error is above, or it was killed. The "
            "environment is closed. A script makes one with num_workers under `if __name__ == '__main__':`"
        )


class Workers:
    """Games of a `DominionVectorEnv` that this process and others play; methods and attributes are those of `VectorGames`.

    If opponents fail in several parts, the error is that of the first rows.

    Args:
        games: all games, none of which was reset yet.
        number: number of processes, this one included.
        copy: the same as in `VectorGames`.

    Raises:
        InvalidOption: an opponent can't be pickled.
        DominionError: a process could not start, or later on has died; all others have ended then.
    """

    def __init__(self, games: VectorGames, number: int, copy: bool) -> None:
        ends = [games.num_games * place // number for place in range(number + 1)]
        parts = [games.part(*rows) for rows in itertools.pairwise(ends)]
        self._start(parts, games.seen, games.learned, copy)

    def _start(self, parts: list[VectorGames], *about: Any) -> None:
        self._about = seen, learned, copy = about
        rows, first = sum(part.num_games for part in parts), parts[0]
        one, shape = (rows,), (rows, first.batch.observation_size)
        fixed = SharedArrays(
            {
                "over": (one, np.bool_),
                "seats": (one, np.int64),
                "actions": (one, np.int64),
                "sampled": (one, np.int64),
                "final_observations": (shape, first.batch.observation_dtype),
            }
        )
        posts = SharedArrays({name: ((len(parts),), np.int64) for name in ("sent", "answered", "done")})
        here = fixed.arrays()
        self.over, self.seats, self.final_observations = here["over"], here["seats"], here["final_observations"]
        self._actions, self._sampled = here["actions"], here["sampled"]
        self._seen, self._learned = Ring(seen, copy), Ring(learned)
        shared = _Shared(fixed, self._seen.slots, self._learned.slots, posts)
        self._rows = [*itertools.accumulate([part.num_games for part in parts], initial=0)]
        self._calls: set[str] = set()
        self._order, self._in_step = 0, True  # number of the last order, and whether all answers to it have been read
        self.closed = False
        self._workers: list[_Worker] = []
        self._finalizer = util.Finalize(self, _end, (self._workers,), exitpriority=1)
        packed = [_packed_games(part) for part in parts[1:]]
        self._own = _Part(first, 0, shared)
        try:
            with self._closed_if_one_ends():
                for place in range(1, len(parts)):
                    self._workers.append(_Worker(place, self._rows[place], shared))
                for worker, games in zip(self._workers, packed, strict=True):
                    worker.send(games)
                self._values([worker.receive() for worker in self._workers])
        except BaseException:
            self.close()
            raise

    def check_finished(self, call: str) -> None:
        self._own.games.check_finished(call)

    def begin(self, seeds: Sequence[int | None] | None, rows: Bools) -> Told:
        if not rows.all():
            self.check_finished("reset() of some rows")
        return self._told("begin", [(seeds and seeds[each], rows[each]) for each in self._slices()])

    def advance(self, actions: ArrayLike) -> Told:
        self.check_finished("step()")
        raises = self._own.games.batch.illegal == "raise"
        try:
            self._check(actions, raises)
        except IllegalAction as error:
            if raises:
                error.add_note(ADVICE)
            raise
        return self._told("advance", [()] * self._number)

    def masks(self) -> Bools:
        self.check_finished("action_mask")
        at = self._seen.free()
        self._all("masks", [(at,)] * self._number)
        return self._seen.told(at)["action_mask"]

    def sample(self) -> NDArray[np.int64]:
        self.check_finished("sample_actions()")
        self._all("sample", [()] * self._number)
        return self._sampled.copy()

    def addresses(self) -> list[Address]:
        return [address for each in self._all("addresses", [()] * self._number) for address in each]

    def shown_games(self, logged: bool = False) -> list[Game]:
        return [game for each in self._all("shown_games", [(logged,)] * self._number) for game in each]

    def close(self) -> None:
        """End the processes."""
        self.closed = True
        self._finalizer()

    def __getstate__(self) -> dict[str, Any]:
        return {"parts": self._all("copied", [()] * self._number), "about": self._about}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self._start(kept["parts"], *kept["about"])

    @property
    def _number(self) -> int:
        return len(self._workers) + 1

    def _slices(self) -> list[slice]:
        return [slice(*rows) for rows in itertools.pairwise(self._rows)]

    def _check(self, actions: ArrayLike, raises: bool) -> None:
        """Put the actions where the parts find them, after the checks of `GameBatch.step`: nothing may move anywhere if one
        of them is refused."""
        given = whole_actions(actions, len(self._actions))
        np.copyto(self._actions, given, "unsafe")
        words = self._actions.view(np.uint64)  # in which no number is negative
        if words.max() >= NUM_ACTIONS and (not raises or given.dtype == np.uint64):
            outside = (words >= NUM_ACTIONS) & ~self.over
            if outside.any():
                row = int(outside.argmax())
                part = bisect_right(self._rows, row) - 1
                order = (row - self._rows[part], int(given[row]))
                answers = self._all("why_illegal", [order if each == part else () for each in range(self._number)])
                raise IllegalAction(answers[part])
        if raises:
            refused = next(filter(None, self._all("refused", [()] * self._number)), None)
            if refused is not None:
                raise IllegalAction(refused)

    def _told(self, call: str, given: Sequence[tuple[Any, ...]]) -> Told:
        """Let all parts move and write what they tell; return it."""
        seen, learned = self._seen.free(), self._learned.free()
        try:
            self._all(call, [(*each, seen, learned) for each in given])
        except BaseException:
            self._own.games.broken = self._own.games.broken or INTERRUPTED
            raise
        return self._seen.told(seen) | self._learned.told(learned)

    def _all(self, call: str, given: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Let each part carry out an order, and return what they answer, in the order of the rows.

        Args:
            call: name of a method of `_Part` or `VectorGames`.
            given: arguments for each part.
        """
        if self.closed:
            raise WrongOrder("a call after close(): make a new environment")
        with self._closed_if_one_ends():
            if not self._in_step:
                self._catch_up()
            self._order += 1
            self._in_step = False
            # What this process compiles at a first call is in the cache when the others need it.
            own = None if call in self._calls else self._own.answer(call, given[0])
            for worker, each in zip(self._workers, given[1:], strict=True):
                worker.send(pickle.dumps((self._order, call, each)), self._order)
            own = own or self._own.answer(call, given[0])
            if own.error is not None and not isinstance(own.error, Exception):
                raise own.error  # Ctrl-C does not wait for the others
            answers = [own, *[worker.receive(self._order) for worker in self._workers]]
            self._in_step = True
            self._calls.add(call)
            return self._values(answers)

    def _values(self, answers: Sequence[_Answer]) -> list[Any]:
        for answer in answers:
            if answer.error is not None:
                self._own.games.broken = answer.broken
                raise answer.error
        return [answer.value for answer in answers]

    def _catch_up(self) -> None:
        """Wait until all parts have done what they were told before a call was interrupted, and forget their answers."""
        self._order += 1
        for worker in self._workers:
            worker.send(pickle.dumps((self._order, None, ())))
            worker.forget_answers(self._order)
        self._in_step = True

    @contextmanager
    def _closed_if_one_ends(self) -> Iterator[None]:
        try:
            yield
        except _Ended as error:
            self.close()
            raise DominionError(str(error)) from None


def _end(workers: list[_Worker]) -> None:
    for worker in workers:
        worker.end()


def _packed_games(games: VectorGames) -> bytes:
    try:
        return bytes(cloudpickle.dumps(games))
    except Exception as error:  # whatever pickling the code of others raises
        raise InvalidOption(
            "opponents: expected agents that can be pickled, as with num_workers they play in other processes, "
            f"got {', '.join(games.opponent_names)} ({type(error).__name__}: {error})"
        ) from error


@contextmanager
def _without_ctrl_c() -> Iterator[None]:
    """Hold Ctrl-C back until the end of the block, and from the processes that start in it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# --- in the processes ----------------------------------------------------------------------------------------------------


def _work(ours: connection.Connection, place: int, first: int, shared: _Shared) -> None:
    """Carry out the orders that come, until no more can come."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started this one hears Ctrl-C
    threading.Thread(target=_end_with_parent, daemon=True).start()
    posts = shared.posts.rows(place, place + 1)
    try:
        part = _Part(pickle.loads(ours.recv_bytes()), first, shared)
    except Exception as error:
        told = f"opponents: expected agents that another process can unpickle, got {type(error).__name__}: {error}"
        ours.send_bytes(_packed(_Answer(error=InvalidOption(told))))
        return
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)  # each process has a core
    ours.send_bytes(_PACKED_DONE)
    order = 0
    while True:
        _expect(posts["sent"], order + 1)
        try:
            order, call, given = pickle.loads(ours.recv_bytes())
        except EOFError:
            return
        if call is not None:
            answer = _packed(part.answer(call, given))
            posts["answered"][0] = order
            ours.send_bytes(answer)
        posts["done"][0] = order


def _packed(answer: _Answer) -> bytes:
    """Return an answer as bytes; an error goes with the text of its traceback, and in words if it can't be pickled."""
    error = answer.error
    if error is None:
        return _PACKED_DONE if answer.value is None else bytes(cloudpickle.dumps(answer))
    try:
        packed = bytes(cloudpickle.dumps(answer._replace(error=ExceptionWithTraceback(error, error.__traceback__))))
        pickle.loads(packed)
        return packed
    except Exception:  # an agent's own error may refuse to be pickled, in any way
        told = RuntimeError(f"{type(error).__name__}: {error}")
        for note in getattr(error, "__notes__", ()):
            told.add_note(note)
        return pickle.dumps(answer._replace(error=told))


def _end_with_parent() -> None:
    """End this process as soon as the one that started it is gone, even if it was killed and could say nothing."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    connection.wait([parent.sentinel])
    os._exit(1)
