"""Measure how fast the server answers many visitors at once.

    python -m tests.app.web.load
    python -m tests.app.web.load --visitors 20 --seconds 20

Each visitor plays a game of their own against Big Money and answers every two seconds. The time of an answer runs from
sending it to the message that shows the next question. The visitors are in this process and the server in another one.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import aiohttp
import numpy as np
import tyro

from tests.app.web.client import BrowserlessVisitor

_WANTED = ("buy Province", "buy Gold", "buy Silver", "pass")
_STARTING = 180.0  # seconds that the server may take to start, as it may compile the rules


@dataclass(frozen=True)
class LoadOptions:
    """How many visitors come, and for how long."""

    visitors: int = 100
    """Number of visitors."""
    seconds: float = 60.0
    """Seconds for which they play."""
    every: float = 2.0
    """Seconds between two answers of a visitor."""


def wanted(buttons: Sequence[str]) -> str:
    """Return the button that a visitor presses: all Treasures, then the dearest of a few cards, then the end of the turn."""
    of = {value.partition("|")[2]: value for value in buttons}
    if "treasures|" in of:
        return of["treasures|"]
    for answer in _WANTED:
        if f"answer|{answer}" in of:
            return of[f"answer|{answer}"]
    return of.get("anew|", "|anew|")


def state_of(buttons: Sequence[str]) -> str:
    """Return the state that the buttons on a page belong to, "" if there are none of the kind."""
    return next((state for state, _, _ in (value.partition("|") for value in buttons) if state), "")


class Visit:
    """One visitor who plays, with the time that each answer took and the number of those that were lost."""

    def __init__(self, address: str, number: int) -> None:
        self._visitor, self._number = BrowserlessVisitor(address), number
        self.times: list[float] = []
        self.lost = 0

    async def open(self) -> None:
        """Open a game."""
        await self._visitor.open(f"/play?kingdom=first-game-2e&seed={self._number}")

    async def play(self, options: LoadOptions, begin: float) -> None:
        """Answer until the time is over."""
        visitor, clock = self._visitor, random.Random(self._number)
        at = begin + options.every * clock.random()
        while at < begin + options.seconds:
            await asyncio.sleep(max(0.0, at - time.perf_counter()))
            await self._answer()
            at += options.every
        await visitor.close()

    async def _answer(self) -> None:
        visitor = self._visitor
        before, pressed = state_of(visitor.buttons), wanted(visitor.buttons)
        start = time.perf_counter()
        await visitor.press(pressed)
        try:
            await visitor.changed()
        except TimeoutError:
            self.lost += 1
            return
        self.times.append(time.perf_counter() - start)
        after = state_of(visitor.buttons)
        self.lost += not ("anew" in pressed or after != before)


def free_port() -> int:
    """Return a port on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def answers(session: aiohttp.ClientSession, address: str) -> bool:
    """Return whether the server answers; wait a moment where there is none."""
    try:
        async with session.get(address + "/") as response:
            return response.status == 200
    except aiohttp.ClientError:
        await asyncio.sleep(0.2)
        return False


async def until_it_answers(address: str) -> None:
    """Wait until the server answers.

    Raises:
        TimeoutError: it does not.
    """
    until = time.monotonic() + _STARTING
    async with aiohttp.ClientSession() as session:
        while time.monotonic() < until:
            if await answers(session, address):
                return
    raise TimeoutError(f"{address}: expected a server that answers within {_STARTING:g} seconds, got none")


async def measure(options: LoadOptions, address: str) -> list[Visit]:
    """Let all visitors come and play."""
    await until_it_answers(address)
    visits = [Visit(address, number) for number in range(options.visitors)]
    start = time.perf_counter()
    await asyncio.gather(*(visit.open() for visit in visits))
    print(f"All pages are open after {time.perf_counter() - start:.1f} seconds.", file=sys.stderr)
    begin = time.perf_counter() + options.every
    await asyncio.gather(*(visit.play(options, begin) for visit in visits))
    return visits


def summary(options: LoadOptions, visits: Sequence[Visit], seconds: float) -> dict[str, float]:
    """Return what was measured; times in milliseconds, and the processor time of the server in seconds."""
    times = 1000 * np.concatenate([visit.times for visit in visits])
    low, middle, high, highest = np.percentile(times, [50, 95, 99, 100])
    return {
        "visitors": options.visitors, "answers": len(times), "lost": sum(visit.lost for visit in visits),
        "median_ms": round(float(low), 1), "p95_ms": round(float(middle), 1), "p99_ms": round(float(high), 1),
        "most_ms": round(float(highest), 1), "server_cpu_s": round(seconds, 1),
    }  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Start a server, measure it, print the result, and return the exit status."""
    options = tyro.cli(LoadOptions, args=arguments, description=__doc__, prog="python -m tests.app.web.load")
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        games = str(Path(folder) / "games.sqlite")
        command = [sys.executable, "-m", "dominion_app", "serve", "--port", str(port), "--games", games]
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=os.environ | {"OMP_NUM_THREADS": "1"})
        try:
            visits = asyncio.run(measure(options, f"http://127.0.0.1:{port}"))
            used = _cpu_seconds(server.pid)
        finally:
            server.terminate()
            server.wait(20)
    print(json.dumps(summary(options, visits, used), indent=1))
    return 0


def _cpu_seconds(process: int) -> float:
    """Return the processor time that a process has used, as Linux tells it; NaN elsewhere."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return float("nan")
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    raise SystemExit(main())
