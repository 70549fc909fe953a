"""Requests from pages of others, or under a foreign name of the server, are refused; live connections too."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from dominion_app.web.guarding.guard import Guard, hosts_of
from dominion_env.common.errors import InvalidOption


def passes(host: str, kind: str = "http", listens: str = "127.0.0.1", **headers: str) -> bool:
    """Return whether a request reaches the pages of a server that listens on an address."""
    reached, sent = list[str](), list[dict[str, Any]]()

    async def page(scope: Any, receive: Any, send: Any) -> None:
        reached.append(scope["type"])

    async def send(message: Any) -> None:
        sent.append(message)

    given = [(key.encode(), value.encode()) for key, value in {"host": host, **headers}.items()]
    scope = {"type": kind, "method": "POST", "path": "/", "headers": given}
    asyncio.run(Guard(page, hosts_of(listens))(scope, None, send))  # type: ignore[arg-type]
    assert bool(reached) != bool(sent)
    assert all(each.get("status", 403) == 403 for each in sent)
    return bool(reached)


@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_pages_of_others_are_refused(kind: str):
    assert passes("localhost:8080", kind)
    assert passes("localhost:8080", kind, origin="http://localhost:8080")
    for origin in ("http://evil.example", "http://localhost:9999", "null", "http://localhost:8080.evil.example"):
        assert not passes("localhost:8080", kind, origin=origin)


@pytest.mark.parametrize("host", ["localhost", "localhost:8080", "127.0.0.1:8080", "[::1]:8080"])
def test_the_names_of_this_computer_are_known(host: str):
    assert passes(host)


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8080", "127.0.0.1.evil.example", "", "[::1"])
def test_a_foreign_name_is_refused_where_only_this_computer_may_come(host: str):
    assert not passes(host)
    assert not passes(host, "websocket")


def test_a_server_for_others_goes_by_its_own_name_or_by_any():
    assert passes("table.example:80", listens="table.example")
    assert not passes("localhost", listens="table.example")
    assert passes("anything.example", listens="0.0.0.0")
    assert not passes("anything.example", listens="0.0.0.0", origin="http://evil.example")


def test_a_port_that_is_taken_is_told_before_anything_else():
    import socket

    from dominion_app.web.server import check_port

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(InvalidOption, match=f"port: expected one that is free on 127.0.0.1, got {port}: another"):
            check_port("127.0.0.1", port)
    check_port("127.0.0.1", port)
