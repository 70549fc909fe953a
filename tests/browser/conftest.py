"""A server of this checkout, and a browser that visits it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium")
WIDE, PHONE = (1440, 900), (390, 844)
STARTING = 300.0  # seconds
# `BROWSER_PICTURES=docs/images/browser make browser` makes the pictures of that folder again, and no others.
FOR_PAGES = os.environ.get("BROWSER_PICTURES", "")
PICTURES = Path(FOR_PAGES or Path(__file__).parents[2] / ".cache" / "screenshots")


class Server:
    """A server in a process of its own, with its games in a file; it runs inside `with`."""

    def __init__(self, games: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self._port = probe.getsockname()[1]
        self._command = [
            sys.executable,
            "-m",
            "dominion_app",
            "serve",
            "--port",
            str(self._port),
            "--games",
            str(games),
        ]
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        own = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}  # NiceGUI looks for it
        self._process = subprocess.Popen(self._command, env=own | {"OMP_NUM_THREADS": "1"})
        until = time.monotonic() + STARTING
        while time.monotonic() < until:
            try:
                with urllib.request.urlopen(self.address + "/", timeout=5):
                    return
            except OSError:
                assert self._process.poll() is None, "the server has ended"
                time.sleep(0.2)
        self.stop()
        pytest.fail("the server does not start")

    def stop(self) -> None:
        assert self._process is not None
        self._process.terminate()
        try:
            self._process.wait(30)
        finally:
            self._process.kill()

    def __enter__(self) -> Server:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("games") / "games.sqlite") as server:
        yield server


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    if CHROMIUM is None and os.environ.get("BROWSER_REFUSED") == "1":
        pytest.skip("chromium could not be installed here")
    if CHROMIUM is None:
        pytest.fail("expected the program chromium, got none: apt-get install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


Visit = Callable[..., Any]


@pytest.fixture
def visit(server: Server, browser: Any) -> Iterator[Visit]:
    """Return a function that opens a page as a visitor of its own; errors of the page fail the test."""
    contexts, wrong = [], []

    def opened(path: str, size: tuple[int, int] = WIDE, dark: bool = False, context: Any = None) -> Any:
        if context is None:
            scheme = "dark" if dark else "light"
            context = browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
            contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda request: request.url.startswith(server.address) or wrong.append(request.url))
        page.goto(server.address + path)
        page.wait_for_function("window.did_handshake === true")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not wrong, "errors on the page, or requests to other hosts"
