"""The pages without a server and a browser."""

from __future__ import annotations

import pytest
from fastapi import FastAPI
from nicegui import ui

from dominion_app.web.house.house import House
from dominion_app.web.house.store import Store
from dominion_app.web.house.workers import Workers
from dominion_app.web.server import set_up


@pytest.fixture(scope="session")
def outer() -> FastAPI:
    """Return the pages without a server, and without processes that think; NiceGUI takes them once in a process."""
    outer = FastAPI()
    set_up(House(Store(":memory:"), Workers(("false",))), "127.0.0.1")
    ui.run_with(outer, storage_secret="x" * 32, show_welcome_message=False)
    return outer
