"""Whatever a visitor sends, nothing ends in an error of the server, and little of it in the log."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import random
from contextlib import suppress
from typing import Any
from urllib.parse import quote, urlencode

import httpx
import pytest
from fastapi import FastAPI

from dominion_app.web.guarding.limits import MOST_LINK
from dominion_app.web.house.link import pack
from tests.app.web import CARDS, game_of

# NiceGUI looks at all objects for its server, and so at names of torch that warn.
pytestmark = pytest.mark.filterwarnings("ignore:.*reduce_op:FutureWarning")

ESCAPE = "\x1b[31m"
VALUES = [
    "", "-1", "1e9", "9" * 400, "٣", "0x1", "NaN", "true", "null", "\0", ESCAPE, "%s{}<b>", "first-game-2e", "gallery", CARDS,
    "Moat," * 99, "a;" * 300, "if " * 200, "(" * 900, "watch", "auto", "random", "planner:0", "puct:quick:1",
    "\ud800".encode("utf-8", "surrogatepass"),
    b"\xff\xfe", pack({}), pack([]), pack({"players": []}), pack({"players": [{}, {}]}), pack({"players": [1, None]}),
    pack({"players": [{"hand": {"Copper": -1}}, {"hand": "x"}], "supply": 3}), pack({"actions": [], "options": {}}),
    pack({"format": 2, "rules": 1, "options": None, "actions": {}, "names": 3}), "eJw", "====",
]  # fmt: skip
BODIES = [
    {"link": "&" * 101}, {"link": "=&" * 50}, {"link": "seed=" + "1" * 9999}, {"link": "%ff=%00&kingdom=%"},
    {"link": "\ud800"}, {"link": {}},    {"players": "x"}, {"players": []}, {"players": [[]] * 99}, {"actions": 0, "options": 0},
    {"actions": ["pass"] * 9, "options": []},
    {"actions": [], "options": {"kingdom": ["\ud800"] * 10}, "names": ["\ud800"]}, [], "x", 1, None, [[[]]], {"": ""},
]  # fmt: skip


KEYS = (
    "kingdom", "card", "players", "agent", "instead", "seat", "seed", "index", "episode", "treasures", "name", "position",
    "replay", "first", "second", "games", "number", "day", "kind", ESCAPE,
)  # fmt: skip


def requests(draw: random.Random) -> list[tuple[str, str, dict[str, Any]]]:
    """Return requests with broken values: method, address and what else `httpx` is given."""
    found: list[tuple[str, str, dict[str, Any]]] = []
    for page in ("/", "/play", "/watch", "/review", "/compare", "/puzzle"):
        for value in VALUES:
            pairs = [
                (draw.choice(KEYS), value),
                *((draw.choice(KEYS), draw.choice(VALUES)) for _ in range(draw.randrange(3))),
            ]
            found.append(("GET", f"{page}?{urlencode(pairs)}", {}))
    texts = [json.dumps(each) for each in BODIES]
    texts += [text[: len(text) // 2] for text in texts] + ["", "[" * 5000, '"\\ud800"', "NaN", "{" * 9, ESCAPE]
    saved = json.dumps(game_of().replay())
    for _ in range(40):
        at = draw.randrange(len(saved))
        texts.append(saved[:at] + draw.choice(('"', "9", "null", "-", "[", "")) + saved[at + draw.randrange(3) :])
    found += [("POST", "/open", {"data": {"text": text}}) for text in texts]
    found += [("POST", "/open", {"files": {"file": ("x", text.encode())}}) for text in texts]
    form = "multipart/form-data; boundary=x"
    for kind in (
        form,
        "multipart/form-data",
        "application/x-www-form-urlencoded",
        "application/json",
        ESCAPE.encode(),
        "",
    ):
        for content in (b"", b"--x", b"--x\r\n\r\n", b"text=%ff%00&file=%", b"\xff" * 99, b"{}", b"a=1&" * 99):
            for path in ("/open", "/puzzle?number=3"):
                found.append(("POST", path, {"content": content, "headers": {"content-type": kind}}))
    found += [("POST", "/puzzle?number=3", {"data": {"answer": value}}) for value in VALUES]
    found += [
        ("PUT", "/open", {}),
        ("POST", "/", {}),
        ("GET", f"/{quote(ESCAPE)}", {}),
        ("GET", "/" + "x" * MOST_LINK, {}),
    ]
    return found


async def websocket(outer: FastAPI, query: str, messages: list[str | bytes]) -> None:
    """Connect, send messages and go away."""
    scope: dict[str, Any] = {
        "type": "websocket", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "ws", "path": "/_nicegui_ws/socket.io/",
        "raw_path": b"/_nicegui_ws/socket.io/", "query_string": query.encode(), "root_path": "", "subprotocols": [],
        "headers": [(b"host", b"localhost"), (b"upgrade", b"websocket"), (b"connection", b"upgrade")],
        "client": ("127.0.0.1", 1), "server": ("localhost", 80), "state": {}, "extensions": {},
    }  # fmt: skip
    waiting: list[dict[str, Any]] = [{"type": "websocket.connect"}]
    waiting += [{"type": "websocket.receive", "text" if isinstance(each, str) else "bytes": each} for each in messages]
    waiting.append({"type": "websocket.disconnect", "code": 1000})

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(0)
        return waiting.pop(0) if len(waiting) > 1 else waiting[0]

    async def send(message: dict[str, Any]) -> None:
        pass

    with suppress(Exception):  # the server logs it, as `LimitedLog` lets it
        await asyncio.wait_for(outer(scope, receive, send), 20)


def messages() -> list[str | bytes]:
    """Return broken messages of the socket."""
    words = [
        "event",
        "ack",
        "log",
        "javascript_response",
        "handshake",
        "connect",
        "disconnect",
        ESCAPE,
        3,
        None,
        {},
        [],
    ]
    contents = [
        None,
        {},
        [],
        ESCAPE,
        {"client_id": ESCAPE},
        {"client_id": [], "level": ESCAPE},
        {"client_id": None, "args": 3},
    ]
    found: list[str | bytes] = [
        "40",
        "",
        "4",
        "9",
        "4x",
        "42",
        "42[]",
        "42{}",
        "42" + "[" * 5000,
        "451-[]",
        "45-[]",
        "43[]",
        "40{",
        b"\xff",
    ]
    found += ["42" + json.dumps([word, content]) for word in words for content in contents]
    return [*found, *("42" + json.dumps([word]) for word in words), "4" + ESCAPE, "2probe", "5", "6", "1"]


@pytest.mark.compiled
def test_no_request_and_no_message_ends_in_an_error_and_the_log_stays_short_and_clean(
    outer: FastAPI, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("dominion_app.web.guarding.limits.AddressRate.allows", lambda *_: True)
    text = io.StringIO()
    heard = logging.StreamHandler(text)
    logging.getLogger().addHandler(heard)

    async def run() -> list[tuple[int, str, Any]]:
        found = []
        async with outer.router.lifespan_context(outer):
            transport = httpx.ASGITransport(outer, raise_app_exceptions=False, client=("127.0.0.1", 1))
            async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
                for method, address, more in requests(random.Random(1)):
                    answer = await client.request(method, address, **more)
                    if answer.status_code >= 500:
                        found.append((answer.status_code, address[:200], str(more)[:200]))
            for query in (
                "EIO=4&transport=websocket",
                "EIO=4&transport=websocket&implicit_handshake=true&client_id=%1b[31m",
            ):
                for each in messages():
                    await websocket(outer, query, ["40", each])
        return found

    failed = asyncio.run(run())
    logging.getLogger().removeHandler(heard)
    assert failed == []
    assert "message handler error" in text.getvalue() or "Unknown receive error" in text.getvalue(), (
        "something was logged"
    )
    assert ESCAPE[0] not in text.getvalue()


@pytest.mark.compiled
def test_an_address_without_a_page_leads_to_the_lobby(outer: FastAPI):
    async def run() -> list[httpx.Response]:
        async with outer.router.lifespan_context(outer):
            transport = httpx.ASGITransport(outer, client=("127.0.0.1", 1))
            async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
                return [await client.get(path) for path in ("/cards", "/_nicegui/nothing")]

    page, file = asyncio.run(run())
    assert page.status_code == file.status_code == 404
    assert "There is no page at this address." in page.text
    assert "Begin a new game in the lobby" in page.text
    assert file.text == "There is no such file."
