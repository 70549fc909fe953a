"""The server: its pages, and what it does before the first one is asked for."""

from __future__ import annotations

import errno
import gc
import os
import socket
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from nicegui import Client, app, background_tasks, core, ui
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from dominion_app.web.guarding.guard import Guard, hosts_of, limit_logs
from dominion_app.web.guarding.limits import (
    ADDRESS_A_SECOND,
    ADDRESS_AT_ONCE,
    CONNECTING_SECONDS,
    MOST_ANSWER,
    MOST_LINK,
    MOST_PAGES,
    MOST_UPLOAD,
    PAGES_A_SECOND,
    PAGES_AT_ONCE,
    AddressRate,
    network_of,
)
from dominion_app.web.house.games import VisitorGame
from dominion_app.web.house.house import House, Room
from dominion_app.web.house.link import Link, packed_file
from dominion_app.web.house.players import made, seat_models
from dominion_app.web.house.puzzle import PuzzleLink
from dominion_app.web.house.store import Store
from dominion_app.web.house.workers import COMMAND, Workers
from dominion_app.web.pages.compare import Compared, ComparePage
from dominion_app.web.pages.frame import problem
from dominion_app.web.pages.lobby import LobbyPage
from dominion_app.web.pages.puzzle import PuzzlePage, Tally
from dominion_app.web.pages.review import ReviewPage
from dominion_app.web.pages.table import TablePage
from dominion_env.common.errors import DominionError, IllegalAction, InvalidOption

FAVICON = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="#b8860b"/></svg>'


def visitor() -> str:
    """Return who asks for a page, by a signed cookie."""
    return str(app.storage.browser["id"])


def address_of(request: Request) -> str:
    """Return the address from which a request comes, as uvicorn has it: of a proxy that it does not trust, the proxy's own."""
    return network_of(request.client.host) if request.client is not None else ""


def add_pages(house: House) -> None:
    """Add the pages of the server.

    Args:
        house: the games.
    """
    pages = AddressRate(ADDRESS_AT_ONCE, ADDRESS_A_SECOND, PAGES_AT_ONCE, PAGES_A_SECOND)

    @app.middleware("http")
    async def bounded(request: Request, handle: Any) -> Response:
        """Refuse what is too long or too much, and forbid the browser to fetch anything from elsewhere."""
        if len(str(request.url)) > MOST_LINK:
            return PlainTextResponse("This link is too long.", 414)
        asks_for_page = not request.url.path.startswith("/_nicegui")
        if asks_for_page and not (pages.allows(address_of(request)) and open_pages() < MOST_PAGES):
            return PlainTextResponse("This server is busy. Try again in a moment.", 503)
        response: Response = await handle(request)
        response.headers["Referrer-Policy"] = "same-origin"
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["X-Frame-Options"] = "DENY"
        return response

    @ui.page("/")
    def lobby() -> None:
        LobbyPage(house, visitor())

    @app.post("/open")
    async def opened(request: Request) -> Response:
        """Go to the game of a file or a text."""
        if _is_longer(request, 4 * MOST_UPLOAD):  # each letter of a text may be written as three
            return PlainTextResponse(f"Expected a file of at most {MOST_UPLOAD} bytes.", 413)
        async with request.form(max_files=1, max_fields=1, max_part_size=3 * MOST_UPLOAD) as form:
            file, text = form.get("file"), form.get("text")
            content = text if isinstance(text, str) else ""
            given: bytes | str = await file.read() if isinstance(file, UploadFile) and file.size else content
        try:
            kind, packed = packed_file(given)
        except DominionError as error:
            with Client(ui.page(""), request=request) as client:
                LobbyPage(house, visitor(), (), str(error))
            return client.build_response(request, 400)
        path = {"replay": "/watch?replay=", "position": "/play?position=", "link": "/play?"}[kind]
        return RedirectResponse(path + packed, 303)

    @ui.page("/play")
    async def play(request: Request) -> Response | None:
        return await _table(house, request, watched=False)

    @ui.page("/watch")
    async def watch(request: Request) -> Response | None:
        return await _table(house, request, watched=True)

    @ui.page("/review")
    def review(request: Request) -> None:
        try:
            room = house.room(visitor(), Link.read([*request.query_params.multi_items()]), address_of(request))
        except DominionError as error:
            problem(str(error))
        else:
            ReviewPage(house, room)

    @ui.page("/compare")
    def compare(request: Request) -> Response | None:
        try:
            compared = Compared.read([*request.query_params.multi_items()])
        except DominionError as error:
            ComparePage(house, visitor(), address_of(request), None, str(error))
        else:
            ComparePage(house, visitor(), address_of(request), compared)
        return None

    @app.api_route("/puzzle", methods=["GET", "POST"])
    async def puzzle(request: Request) -> Response:
        """Show a puzzle, or what was answered to it; the browser keeps in its cookie which ones were solved."""
        answer = None
        if request.method == "POST":
            if _is_longer(request, MOST_ANSWER):
                return PlainTextResponse("Expected a shorter answer.", 413)
            answer = str((await request.form(max_files=0, max_fields=1)).get("answer", ""))
        return _puzzle(request, answer)

    @app.exception_handler(404)
    def missing(request: Request, _: Exception) -> Response:
        """Say that there is no such page, and lead to the lobby; NiceGUI's own page leads nowhere."""
        if request.url.path.startswith("/_nicegui"):
            return PlainTextResponse("There is no such file.", 404)
        return _told(request, "There is no page at this address.", 404)


def open_pages() -> int:
    """Return the number of pages that browsers show, and of those that were asked for just now."""
    young = time.time() - CONNECTING_SECONDS
    return sum(each.has_socket_connection or each.created > young for each in tuple(Client.instances.values()))


def _is_longer(request: Request, most: int) -> bool:
    """Return whether a request brings more than a number of bytes, or does not say how many."""
    length = request.headers.get("content-length", "")
    return not length.isdecimal() or int(length) > most


def _puzzle(request: Request, answer: str | None) -> Response:
    """Return the page of a puzzle, after adding to its link what it leaves open.

    Args:
        request: the request.
        answer: what was answered, None if nothing was yet.
    """
    pairs, today, tally = [*request.query_params.multi_items()], datetime.now(UTC).date(), Tally(app.storage.browser)
    try:
        link = PuzzleLink.read(pairs, today, tally.tried)
        if pairs != parse_qsl(link.query):
            return RedirectResponse(f"/puzzle?{link.query}", 303)
        with Client(ui.page(""), request=request) as client:
            PuzzlePage(link, today, tally, answer)
            return client.build_response(request)
    except DominionError as error:
        return _told(request, str(error), 400 if isinstance(error, IllegalAction) else 404)


def _told(request: Request, words: str, status: int) -> Response:
    """Return a page that says what is wrong, and leads to the lobby."""
    with Client(ui.page(""), request=request) as client:
        problem(words)
    return client.build_response(request, status)


async def _table(house: House, request: Request, watched: bool) -> Response | None:
    """Show the game of a link, after adding to the link what it leaves open, so that it gives the same game again."""
    pairs = [*request.query_params.multi_items()]
    try:
        if watched and not any(key == "seat" for key, _ in pairs):
            pairs.append(("seat", "watch"))
        link = Link.read(pairs)
        path = "/watch" if link.watched else "/play"
        if pairs != parse_qsl(link.query) or request.url.path != path:
            return RedirectResponse(f"{path}?{link.query}")
        room = house.room(visitor(), link, address_of(request))
    except DominionError as error:
        LobbyPage(house, visitor(), pairs, str(error))
        return None
    _first_moves(house, room)
    TablePage(house, room)
    return None


def _first_moves(house: House, room: Room) -> None:
    """Let agents that begin play, at once if they can, so that the first page shows it."""
    if not room.game.link.watched and not room.game.agents_answer():
        return
    background_tasks.create(house.play_on(room), name="first moves")


def serve(host: str, port: int, games: Path, models: Sequence[str] = ()) -> None:
    """Serve until the program is stopped.

    Args:
        host, port: where the server listens.
        games: file in which games are kept.
        models: models for the table, each as `seat_models` reads it.

    Raises:
        DominionError: the file of the games can't be used, the port, or a model.
    """
    check_port(host, port)
    seated = seat_models(models)
    store, workers = Store(games), Workers((*COMMAND, *seated))
    _warm()
    house = House(store, workers)
    set_up(house, host)
    # What has been loaded stays: to look through all of it for garbage would stop every game for a third of a second.
    gc.collect()
    gc.freeze()
    app.on_startup(lambda: background_tasks.create(workers.warm(), name="warm"))
    app.on_startup(lambda: background_tasks.create(house.write_again(), name="games in memory"))
    app.on_shutdown(workers.end)
    app.on_shutdown(store.close)
    print(f"A table is laid at http://{'localhost' if host == '127.0.0.1' else host}:{port}", flush=True)
    ui.run(
        host=host, port=port, title="Dominion", dark=None, language="en-US", reload=False, show=False, tailwind=False,
        show_welcome_message=False, storage_secret=store.secret(), favicon=FAVICON, reconnect_timeout=60,
        session_middleware_kwargs={"same_site": "lax", "max_age": 365 * 24 * 3600},
    )  # fmt: skip


def set_up(house: House, host: str) -> None:
    """Lay the table: the pages, and what guards them.

    Args:
        house: the games.
        host: address on which the server listens.
    """
    add_pages(house)
    core.sio.async_handlers = False  # what a message breaks is then told where its address is known; see `limit_logs`
    limit_logs()
    core.sio.eio.cors_allowed_origins = []  # the pages of this server alone may connect; see `Guard`
    app.add_middleware(Guard, hosts=hosts_of(host))
    # a bar without a name, for requests that there are none of
    app.config.quasar_config["loadingBar"] = {"skipHijack": True}


def check_port(host: str, port: int) -> None:
    """Check that one can listen on a port.

    Raises:
        InvalidOption: another program does already, or it is not allowed.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            probe.listen()
    except OSError as error:
        why = "another program listens there" if error.errno == errno.EADDRINUSE else os.strerror(error.errno or 0)
        raise InvalidOption(f"port: expected one that is free on {host}, got {port}: {why}") from error


def _warm() -> None:
    """Play two games, which compiles the rules if that was not done on this machine."""
    for players in ("2", "3"):
        link = Link.read([("players", players), ("seat", "watch"), ("seed", "1")])
        game = VisitorGame(link, dict.fromkeys(range(int(players)), made("big-money")))
        game.agents_answer()
        game.seen()
