"""Processes that think for the server, so that no agent keeps it from answering, and one that hangs can be ended.

Compiled playouts hold Python's lock, so in a thread they would stop every visitor's game. A lane is one process with a queue;
a job that takes too long is ended with its process, and the next job gets a new one.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import suppress
from typing import Any

from dominion_app.web.guarding.limits import WAITING, WAITING_OF_ADDRESS
from dominion_env.common.errors import DominionError

COMMAND = (sys.executable, "-m", "dominion_app.web.house.worker")
_LONGEST_LINE = 2**24  # bytes of an answer
_WARMING = _COMPILING = 900.0  # seconds that compiling may take


class Busy(DominionError):
    """So many jobs wait that this one would wait too long."""


class Failed(DominionError):
    """A job that raised, took too long or ended its process."""


def always() -> bool:
    """Return True: somebody waits for a job whatever happens."""
    return True


class Lane:
    """One process that does jobs in the order in which they come.

    Args:
        command: command that starts the process.
    """

    def __init__(self, command: Sequence[str] = COMMAND) -> None:
        self._command = tuple(command)
        self._process: asyncio.subprocess.Process | None = None
        self._lock = asyncio.Lock()
        self._waiting: list[tuple[str, Callable[[], bool]]] = []
        self._compiling_since = 0.0
        self._told_end = True  # whether the process has told how its latest job ended
        self.is_compiling = False  # whether the process compiles, which takes no time of a job
        self.told = set[Callable[[], None]]()  # functions that are called when compiling begins and when it ends

    @property
    def waiting(self) -> int:
        """Number of jobs that are done or wait now, and that somebody still waits for."""
        return sum(wanted() for _, wanted in self._waiting)

    async def do(
        self, job: dict[str, Any], seconds: float, wanted: Callable[[], bool] = always, address: str = ""
    ) -> dict[str, Any]:
        """Do a job and return its last answer.

        Raises:
            Busy, Failed: as `answers`.
        """
        return [answer async for answer in self.answers(job, seconds, wanted, address)][-1]

    async def answers(
        self, job: dict[str, Any], seconds: float, wanted: Callable[[], bool] = always, address: str = ""
    ) -> AsyncGenerator[dict[str, Any], None]:
        """Do a job and yield its answers.

        Args:
            job: the job, as `thinking.JOBS` describes it.
            seconds: longest time from its beginning to its end.
            wanted: function that returns whether somebody still waits for it; if not, it is not begun.
            address: address for which it is done, "" for the server's own.

        Raises:
            Busy: too many jobs wait, in all or for this address.
            Failed: it raised an error, took too long, ended its process, or nobody waits for it any more.
        """
        if (waiting := self.waiting) >= WAITING:
            raise Busy(f"the server is busy: {waiting} others are waiting for it. Try again in a moment")
        same = sum(still() for whose, still in self._waiting if whose == address) if address else 0
        if same >= WAITING_OF_ADDRESS:
            raise Busy(f"{same} others at your address are waiting for it. Try again in a moment")
        waits = address, wanted
        self._waiting.append(waits)
        try:
            async with self._lock:
                if not wanted():
                    raise Failed("nobody waits for it any more")
                try:
                    process = await self._started()
                    async for answer in self._asked(process, job, seconds):
                        yield answer
                finally:
                    if not self._told_end:  # it hangs, or the visitor has gone: the rest is of no use
                        await self.end()
        finally:
            self._waiting.remove(waits)

    async def _asked(
        self, process: asyncio.subprocess.Process, job: dict[str, Any], seconds: float
    ) -> AsyncGenerator[dict[str, Any], None]:
        assert process.stdin is not None
        assert process.stdout is not None
        until = asyncio.get_running_loop().time() + seconds
        self._told_end = False
        try:
            process.stdin.write(json.dumps(job).encode() + b"\n")
            await process.stdin.drain()
            while True:
                left = _COMPILING if self.is_compiling else until - asyncio.get_running_loop().time()
                line = await asyncio.wait_for(process.stdout.readline(), max(left, 0.01))
                if not line:
                    raise Failed("its process has ended")
                answer: dict[str, Any] = json.loads(line)
                if "error" in answer:
                    self._told_end = True
                    raise Failed(answer["error"])
                if "compiling" in answer:
                    until += self._compiles(answer["compiling"])
                    continue
                if "end" in answer:
                    self._told_end = True
                    return
                yield answer
        except TimeoutError as error:
            raise Failed(f"it took longer than {seconds:g} seconds") from error
        except (ConnectionError, ValueError) as error:
            raise Failed(f"its process has ended: {error}") from error
        finally:
            self._compiles(False)

    def _compiles(self, begins: bool) -> float:
        """Say whether the process compiles from now on; return for how many seconds it has done so, if that is over."""
        now, was = asyncio.get_running_loop().time(), self.is_compiling
        self.is_compiling = begins
        if begins == was:
            return 0.0
        for each in tuple(self.told):
            each()
        taken, self._compiling_since = (0.0, now) if begins else (now - self._compiling_since, 0.0)
        return taken

    async def _started(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                *self._command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=_LONGEST_LINE,
                env=os.environ | {"OMP_NUM_THREADS": "1"},
            )  # fmt: skip
            async for _ in self._asked(self._process, {"do": "warm"}, _WARMING):
                pass
        return self._process

    async def end(self) -> None:
        """End the process; the next job starts another one."""
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()  # its output may be read elsewhere, and whoever does learns that it has ended


class Workers:
    """The lanes of a server: one for moves, on which people wait at the table, and one for reviews and comparisons.

    Args:
        command: command that starts a process.
    """

    def __init__(self, command: Sequence[str] = COMMAND) -> None:
        self.moves, self.studies = Lane(command), Lane(command)

    async def warm(self) -> None:
        """Start both processes, one after the other, so that nobody must wait for that."""
        with suppress(Failed):  # whatever is wrong, the first job tells it to somebody
            for lane in (self.moves, self.studies):
                await lane.do({"do": "warm"}, _WARMING)

    async def end(self) -> None:
        """End both processes."""
        await self.moves.end()
        await self.studies.end()
