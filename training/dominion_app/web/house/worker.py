"""A process that thinks for the server: `python -m dominion_app.web.house.worker [NAME=MODEL ...]`.

It reads a job a line, {"do": name, ...} as JSON, and writes its answers, a line each, and {"end": true} or {"error": words}
after the last one. {"compiling": true} and {"compiling": false} say in between when it compiles, which takes no time of the job.
What agents print goes to the standard error output.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any, TextIO

from dominion_app.play.compiling import Compiling
from dominion_app.web.house.players import seat_models
from dominion_app.web.house.thinking import JOBS
from dominion_env.common.errors import DominionError


def serve(jobs: TextIO, answers: TextIO) -> None:
    """Do one job after the other until there are no more."""

    def say(values: dict[str, Any]) -> None:
        answers.write(json.dumps(values) + "\n")
        answers.flush()

    Compiling(lambda begins: say({"compiling": begins}))
    for line in jobs:
        job = json.loads(line)
        try:
            for values in JOBS[job["do"]](job):
                say(values)
        except DominionError as error:
            say({"error": str(error)[:1500]})
        except Exception as error:  # an agent may raise anything
            say({"error": f"{type(error).__name__}: {error}"[:1500]})
        else:
            say({"end": True})


def main() -> None:
    """Serve on the standard input and output."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    seat_models(sys.argv[1:])
    try:
        serve(sys.stdin, answers)
    except (BrokenPipeError, KeyboardInterrupt):  # the server has ended, and nobody reads the answers
        os.dup2(os.open(os.devnull, os.O_WRONLY), answers.fileno())


if __name__ == "__main__":
    main()
