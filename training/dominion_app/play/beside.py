"""Slow work in a thread beside the screen, which goes on showing and listening."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from threading import Lock, Thread
from typing import TypeVar

Result = TypeVar("Result")


def beside(doing: Callable[[], Result], one_at_a_time: Lock) -> Awaitable[Result]:
    """Call a function in a thread.

    The thread is not one of asyncio's pool, which textual's thread workers use, too. The program waits for those before
    it ends, so leaving would take as long as the agent thinks.

    Args:
        doing: function to call; if the result is no longer awaited, it still runs to its end.
        one_at_a_time: lock that calls share which must not run at the same time, as an agent may not bear to be asked
            again while it still thinks.

    Returns:
        An awaitable of what the function returns or raises.
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
