"""A process that thinks with agents that raise, hang or end it: `python -m tests.app.web.bad_worker`."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from typing import Any

from dominion_app.web.house import thinking, worker


def _decide(job: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    if job["agent"] == "raises":
        raise ZeroDivisionError("<b>no idea</b>")
    if job["agent"] == "hangs":
        time.sleep(60)
    if job["agent"] == "ends":
        os._exit(3)
    if job["agent"] == "compiles":
        yield {"compiling": True}
        time.sleep(0.6)
        yield {"compiling": False}
    print("what agents print is no answer")
    yield {"action": job["agent"]}


if __name__ == "__main__":
    thinking.JOBS |= {"decide": _decide, "warm": lambda _: iter([{"warm": True}])}
    worker.main()
