"""Which requests reach the pages: those that this server's own pages or nobody's pages send; and what is logged of them."""

from __future__ import annotations

import logging
from collections.abc import Collection
from contextvars import ContextVar
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from dominion_app.web.guarding.limits import (
    ALL_LOGGED_A_SECOND,
    ALL_LOGGED_AT_ONCE,
    LOGGED_A_SECOND,
    LOGGED_AT_ONCE,
    MOST_LOGGED,
    AddressRate,
    network_of,
)
from dominion_env.common.errors import printable

_FROM: ContextVar[str] = ContextVar("address of the request or connection that is answered", default="")
# Loggers that tell of what visitors send, which may be anything.
_LOGGERS = (
    "asyncio",
    "engineio.server",
    "multipart",
    "nicegui",
    "python_multipart",
    "socketio.server",
    "uvicorn.error",
)
_LOCAL = ("localhost", "127.0.0.1", "::1")
_EVERYWHERE = ("0.0.0.0", "::", "")  # addresses that mean all


def hosts_of(host: str) -> Collection[str]:
    """Return the names by which a server that listens on an address may be called, empty for any name.

    A page of another host whose name leads here could otherwise play as the visitor, as a browser takes both for one host.
    """
    if host in _LOCAL:
        return _LOCAL
    return () if host in _EVERYWHERE else (host,)


class Guard:
    """Refuse what comes under a foreign name of the server, or from pages of others; live connections included.

    Args:
        app: what answers the other requests.
        hosts: names by which the server may be called, empty for any name.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str]) -> None:
        self._app, self._hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request or a connection."""
        _FROM.set(network_of((scope.get("client") or ("",))[0]))
        if scope["type"] in ("http", "websocket") and (wrong := self._wrong(Headers(scope=scope))):
            await _refuse(wrong, scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _wrong(self, headers: Headers) -> str:
        """Return in words what is wrong with a request, "" if nothing is."""
        host, origin = headers.get("host", ""), headers.get("origin")
        if self._hosts and _name(f"//{host}") not in self._hosts:
            return "This server is called by another name."
        if origin is not None and origin.partition("//")[2] != host:
            return "Another page has sent this, so it is not done."
        return ""


def _name(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


async def _refuse(words: str, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "http":
        await PlainTextResponse(words, 403)(scope, receive, send)
    else:
        await send({"type": "websocket.close", "code": 1008, "reason": words})


class LimitedLog(logging.Filter):
    """Let through some messages of each address and some of all, without escape codes, and cut to some length."""

    def __init__(self) -> None:
        super().__init__()
        self._rate = AddressRate(LOGGED_AT_ONCE, LOGGED_A_SECOND, ALL_LOGGED_AT_ONCE, ALL_LOGGED_A_SECOND)

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a message is logged, after taking out of it what a visitor may have put in."""
        if not self._rate.allows(_FROM.get()):
            return False
        record.msg, record.args = printable(record.getMessage()).replace("\n", " ")[:MOST_LOGGED], ()
        if record.exc_info and record.exc_info[0] is not None:
            record.exc_text = printable(logging.Formatter().formatException(record.exc_info))[-MOST_LOGGED:]
        return True


def limit_logs() -> None:
    """Limit what is logged of visitors."""
    limited = LimitedLog()
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(limited)
