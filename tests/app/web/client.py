"""A visitor without a browser, which speaks what the pages speak: for measuring, and for tests that read every message."""

from __future__ import annotations

import asyncio
import json
import re
import uuid
from html import unescape
from typing import Any

import aiohttp
import socketio

_ELEMENTS = re.compile(r"parseElements\(String\.raw`(.*?)`\)", re.DOTALL)
_QUERY = re.compile(r"query: (\{'client_id'.*?\})")
_WRITTEN = (
    ("&#36;", "$"),
    ("&#96;", "`"),
    ("&gt;", ">"),
    ("&lt;", "<"),
    ("&amp;", "&"),
)  # as the page's own script reads it
_BUTTON = re.compile(r'<button(?![^>]* disabled)[^>]*? data-do="([^"]*)"')
_STATE = re.compile(r'data-state="([^"]*)"')
_ACKNOWLEDGED = 3.0  # seconds after which a browser tells what it has got


class BrowserlessVisitor:
    """One visitor with one page open.

    Args:
        address: address of the server, "http://localhost:8080".

    Attributes:
        received: every message of the server, as it came.
        page: the page as it came.
    """

    def __init__(self, address: str) -> None:
        self._address = address
        self._session = aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True))  # also from an IP address
        self._socket = socketio.AsyncClient(reconnection=False, http_session=self._session)
        self._pieces: dict[str, str] = {}
        self._changed = asyncio.Event()
        self._acknowledging: asyncio.Task[None] | None = None
        self._next_message = 0
        self.received: list[Any] = []
        self.page = ""

    async def open(self, path: str) -> None:
        """Open a page and listen to it."""
        async with self._session.get(self._address + path) as response:
            response.raise_for_status()
            self.page = await response.text()
        found, query = _ELEMENTS.search(self.page), _QUERY.search(self.page)
        if found is None or query is None:
            raise ValueError(f"expected a page of the server, got {self.page[:200]!r}")
        raw = found[1]
        for written, letter in _WRITTEN:
            raw = raw.replace(written, letter)
        elements: dict[str, dict[str, Any]] = json.loads(raw)
        self._clicks = self._listener(elements)
        self._take(elements)
        about = dict(re.findall(r"'(\w+)': '?([^',}]+)", query[1]))
        self._client = about["client_id"]
        asked = {**about, "implicit_handshake": "true", "document_id": str(uuid.uuid4()), "tab_id": str(uuid.uuid4())}
        self._socket.on("*", self._message)
        words = "&".join(f"{key}={value}" for key, value in asked.items())
        await self._socket.connect(
            f"{self._address}?{words}", socketio_path="/_nicegui_ws/socket.io", transports=["websocket"]
        )
        self._acknowledging = asyncio.create_task(self._acknowledge())

    @staticmethod
    def _listener(elements: dict[str, dict[str, Any]]) -> tuple[int, str]:
        """Return the element that hears the buttons, and the number of its listener."""
        for number, element in elements.items():
            for event in element.get("events", []):
                if event["type"] == "click" and "data-do" in (event["js_handler"] or ""):
                    return int(number), str(event["listener_id"])
        raise ValueError("expected a page with buttons, got none")

    def _take(self, elements: dict[str, Any]) -> None:
        for number, element in elements.items():
            if element is not None and "innerHTML" in element.get("props", {}):
                self._pieces[number] = element["props"]["innerHTML"]

    async def _message(self, event: str, data: Any) -> None:
        self.received.append((event, data))
        if isinstance(data, dict) and "_id" in data:
            self._next_message = data.pop("_id") + 1
        if event == "update":
            self._take(data)
            self._changed.set()

    async def _acknowledge(self) -> None:
        while True:
            await asyncio.sleep(_ACKNOWLEDGED)
            await self._socket.emit("ack", {"client_id": self._client, "next_message_id": self._next_message})

    @property
    def shown(self) -> str:
        """All pieces of HTML that are on the page."""
        return "\n".join(self._pieces.values())

    @property
    def buttons(self) -> list[str]:
        """What the buttons on the page ask for."""
        return [unescape(value) for value in _BUTTON.findall(self.shown)]

    async def press(self, value: str) -> None:
        """Press the button that asks for this."""
        self._changed.clear()
        if value.startswith("|") and (state := _STATE.search(self.shown)) is not None:  # as the page's own script does
            value = state[1] + value
        element, listener = self._clicks
        await self._socket.emit(
            "event",
            {"id": element, "client_id": self._client, "listener_id": listener, "args": [json.dumps([value, 1])]},
        )

    async def changed(self, seconds: float = 10.0) -> None:
        """Wait until the page has changed after the last button.

        Raises:
            TimeoutError: it has not.
        """
        await asyncio.wait_for(self._changed.wait(), seconds)

    async def close(self) -> None:
        """Close the page."""
        if self._acknowledging is not None:
            self._acknowledging.cancel()
        await self._socket.disconnect()
        await self._session.close()
