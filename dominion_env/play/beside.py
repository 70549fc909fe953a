"""Something that takes a while, done beside the screen, which goes on showing and listening."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from threading import Lock, Thread
from typing import TypeVar

Result = TypeVar("Result")


def beside(doing: Callable[[], Result], one_at_a_time: Lock) -> Awaitable[Result]:
    """Call it in a thread; awaiting this brings what it returns or raises. Given up, it goes on to its end unheard.

    What shares a lock is done one after the other: an agent need not bear to be asked again while it still thinks.

    The thread is none of asyncio's pool, which textual's thread workers use too: for those the program waits before it
    ends, and leaving would take as long as the agent thinks.
    """
    future: Future[Result] = Future()
    future.set_running_or_notify_cancel()

    def run() -> None:
        try:
            with one_at_a_time:
                result = doing()
        except BaseException as error:
            future.set_exception(error)
        else:
            future.set_result(result)

    Thread(target=run, daemon=True).start()
    return asyncio.wrap_future(future)
