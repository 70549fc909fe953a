"""Processes that think: what raises, hangs or ends is told in words, and the next job is done."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time

import pytest

from dominion_app.web.house import workers
from dominion_app.web.house.workers import Busy, Failed, Lane

pytestmark = pytest.mark.slow  # other processes

COMMAND = (sys.executable, "-m", "tests.app.web.bad_worker")


def job(agent: str) -> dict[str, str]:
    return {"do": "decide", "agent": agent}


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ("raises", "ZeroDivisionError: <b>no idea</b>"), ("hangs", "it took longer than 0.3 seconds"),
        ("ends", "its process has ended"),
    ],
)  # fmt: skip
def test_a_failure_is_told_and_the_next_job_is_done(agent: str, words: str):
    async def run() -> None:
        lane = Lane(COMMAND)
        assert await lane.do(job("pass"), 60) == {"action": "pass"}
        begun = time.monotonic()
        with pytest.raises(Failed, match=words):
            await lane.do(job(agent), 0.3)
        assert time.monotonic() - begun < 20
        assert await lane.do(job("buy Gold"), 60) == {"action": "buy Gold"}
        await lane.end()

    asyncio.run(run())


def test_compiling_is_told_and_takes_no_time_of_a_job():
    async def run() -> None:
        lane, told = Lane(COMMAND), list[bool]()
        await lane.do(job("pass"), 60)
        lane.told.add(lambda: told.append(lane.is_compiling))
        assert await lane.do(job("compiles"), 0.3) == {"action": "compiles"}
        assert told == [True, False]
        await lane.end()

    asyncio.run(run())


def test_a_job_is_told_that_its_process_is_ended_by_somebody_else():
    async def run() -> None:
        lane = Lane(COMMAND)
        assert await lane.do(job("pass"), 60) == {"action": "pass"}
        waiting = asyncio.create_task(lane.do(job("hangs"), 60))
        await asyncio.sleep(0.1)
        await lane.end()
        with pytest.raises(Failed, match="its process has ended"):
            await waiting

    asyncio.run(run())


def test_so_many_jobs_wait_and_no_more(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(workers, "WAITING", 2)

    async def run() -> None:
        lane = Lane(COMMAND)
        waiting = [asyncio.create_task(lane.do(job("pass"), 60)) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(Busy, match="2 others are waiting"):
            await lane.do(job("pass"), 60)
        assert await asyncio.gather(*waiting) == [{"action": "pass"}] * 2
        await lane.end()

    asyncio.run(run())


def test_visitors_of_one_address_leave_places_for_the_others(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(workers, "WAITING_OF_ADDRESS", 2)

    async def run() -> None:
        lane = Lane(COMMAND)
        waiting = [asyncio.create_task(lane.do(job("pass"), 60, address="here")) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(Busy, match="2 others at your address"):
            await lane.do(job("pass"), 60, address="here")
        waiting.append(asyncio.create_task(lane.do(job("pass"), 60, address="elsewhere")))
        assert await asyncio.gather(*waiting) == [{"action": "pass"}] * 3
        await lane.end()

    asyncio.run(run())


def test_a_job_for_which_nobody_waits_any_more_is_not_begun_and_leaves_its_place(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(workers, "WAITING", 2)

    async def run() -> None:
        lane, here = Lane(COMMAND), [True]
        first = asyncio.create_task(lane.do(job("pass"), 60))
        gone = asyncio.create_task(lane.do(job("raises"), 60, lambda: here[0]))
        await asyncio.sleep(0)
        here[0] = False
        assert lane.waiting == 1
        assert await asyncio.gather(first, lane.do(job("pass"), 60)) == [{"action": "pass"}] * 2
        with pytest.raises(Failed, match="nobody waits for it"):
            await gone
        await lane.end()

    asyncio.run(run())


def test_a_process_whose_server_has_gone_ends_without_a_word():
    command = [sys.executable, "-m", "dominion_app.web.house.worker"]
    worker = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert worker.stdin is not None
    assert worker.stdout is not None
    assert worker.stderr is not None
    worker.stdout.close()
    worker.stdin.write(b'{"do": "decide", "agent": "nobody"}\n')
    worker.stdin.close()
    with worker.stderr:
        assert worker.stderr.read() == b""
    assert worker.wait(60) == 0
