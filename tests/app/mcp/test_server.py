"""The tools by the package's own client: whole games, wrong calls, several clients, and clients that go away."""

from __future__ import annotations

import asyncio
import json
import random
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest

pytest.importorskip("mcp", reason="needs the extra `llm`")

from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError

from dominion_app.mcp.games import TextGames
from dominion_app.mcp.server import make_server

COMMAND = [sys.executable, "-m", "dominion_app", "mcp"]


def run(play: Callable[[Client], Awaitable[Any]], server: Any = None) -> Any:
    """Run a client's program with a server, one of this process if none is given."""

    async def main() -> Any:
        async with Client(server or make_server(TextGames())) as client:
            return await asyncio.wait_for(play(client), 60)

    return asyncio.run(main())


async def call(client: Client, tool: str, **arguments: Any) -> str:
    """Call a tool, which must succeed, and return its text."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    (content,) = result.content
    return content.text


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    """Call a tool, which must refuse, and return why."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    (content,) = result.content
    assert "Traceback" not in content.text
    assert not re.search(r"site-packages|/home|/work", content.text)
    return content.text


async def whole_game(client: Client, seed: int = 0, **options: Any) -> str:
    """Answer by the numbers of random answers until the game is over, and return the last text."""
    text, rng = await call(client, "new_game", **options), random.Random(seed)
    game = text.split()[1]
    while "The game is over: " not in text:
        answers = len(re.findall(r"\b\d+ [a-z]", text.rpartition("\nAnswers: ")[2]))
        text = await call(client, "answer", game=game, text=str(rng.randrange(answers) + 1))
        assert not text.startswith("Not taken")
    return text


def test_the_tools_and_resources_are_described():
    async def look(client: Client) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert list(tools) == ["new_game", "answer", "state"]
        assert all(tool.description and tool.output_schema is None for tool in tools.values())
        assert list(tools["new_game"].input_schema["properties"]) == [
            "kingdom", "opponents", "players", "seat", "list_answers",
        ]  # fmt: skip
        rules = (await client.read_resource("dominion://rules")).contents[0].text
        assert "Province (Victory, costs 8 coins): 6 points." in rules
        for kingdom in (
            "first-game-2e",
            "Smithy,Moat,Cellar,Chapel,Mine,Militia,Witch,Market,Festival,Village".replace(",", "%2C"),
            "random",
        ):
            cards = (await client.read_resource(f"dominion://cards/{kingdom}")).contents[0].text
            assert "Smithy (Action, costs 4 coins): +3 Cards." in cards
            assert len(cards.splitlines()) == (32 if kingdom == "random" else 10)
        for kingdom in ("nowhere", "x" * 10**5):
            with pytest.raises(MCPError, match=r"kingdom is named|Unknown resource"):
                await client.read_resource(f"dominion://cards/{kingdom}")

    run(look)


@pytest.mark.parametrize("players", [2, 4])
def test_a_whole_game_in_this_process(players: int):
    last = run(lambda client: whole_game(client, players=players, seat="random", kingdom="random", opponents="auto"))
    assert re.search(r"\n0 of your \d+ answers were not taken\.$", last)


def test_wrong_calls_are_refused_in_words():
    async def play(client: Client) -> None:
        game = (await call(client, "new_game", opponents="random")).split()[1]
        for text in (None, True, ["pass"], {"a": 1}, 1.5):
            assert "valid string" in await refused(client, "answer", game=game, text=text)
        assert "Field required" in await refused(client, "answer", game=game)
        assert "valid string" in await refused(client, "answer", game=3, text="pass")
        assert "valid string" in await refused(client, "answer", game=[["x" * 10**6]], text="pass")
        assert "expected the id of a running game" in await refused(client, "answer", game="nope", text="pass")
        assert "expected the id of a running game" in await refused(client, "state", game="x" * 10**6)
        assert "is no agent here" in await refused(client, "new_game", opponents="./agent.py:act")
        assert "no kingdom is named" in await refused(client, "new_game", kingdom="nowhere")
        for wrong in ({"players": 0}, {"players": 7}, {"players": 10**30}, {"seat": 2}, {"seat": "last"}, {"seat": -1}):
            assert re.search("players|seat", await refused(client, "new_game", **wrong))
        assert "no_such_tool" in await refused(client, "no_such_tool")
        assert (await call(client, "answer", game=game, text="x" * 10**7)).startswith("Not taken: ")
        assert not (await call(client, "answer", game=game, text=1)).startswith("Not taken: ")

    run(play)


def test_clients_play_many_games_at_once():
    async def play(client: Client) -> list[str]:
        return await asyncio.gather(*(whole_game(client, seed, players=2 + seed % 3) for seed in range(12)))

    assert all("The game is over" in last for last in run(play))


def test_two_calls_for_one_game_leave_it_whole():
    async def play(client: Client) -> None:
        text = await call(client, "new_game", opponents="planner:100")
        game = text.split()[1]
        results = await asyncio.gather(*(client.call_tool("answer", {"game": game, "text": "pass"}) for _ in range(4)))
        said = [result.content[0].text for result in results]
        assert sum("another call is answering it" in each for each in said) == sum(
            result.is_error for result in results
        )
        assert not all(result.is_error for result in results)
        assert await call(client, "state", game=game) in said

    run(play)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 4])
def test_a_whole_game_by_standard_input_and_output(players: int):
    server = stdio_client(StdioServerParameters(command=COMMAND[0], args=COMMAND[1:]))
    assert "The game is over" in run(lambda client: whole_game(client, players=players), server)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen([*COMMAND, "--http", str(port)], stderr=subprocess.PIPE)
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.1)
    yield f"http://127.0.0.1:{port}/mcp"
    server.terminate()
    assert b"Traceback" not in server.communicate(timeout=20)[1]


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 4])
def test_a_whole_game_by_http(address: str, players: int):
    assert "The game is over" in run(lambda client: whole_game(client, players=players), address)


@pytest.mark.slow
def test_a_game_outlives_its_client_and_another_one_goes_on(address: str):
    async def leave(client: Client) -> str:
        game = (await call(client, "new_game", opponents="planner:200")).split()[1]
        asyncio.get_running_loop().create_task(client.call_tool("answer", {"game": game, "text": "pass"}))
        await asyncio.sleep(0.05)
        return game

    async def go_on(client: Client) -> None:
        for _ in range(200):
            result = await client.call_tool("state", {"game": game})
            if not result.is_error:
                break
            await asyncio.sleep(0.05)
        assert not (await call(client, "answer", game=game, text="pass")).startswith("Not taken")

    game = run(leave, address)
    run(go_on, address)


@pytest.mark.slow
def test_an_http_request_that_is_too_long_or_from_another_site_is_refused(address: str):
    import httpx

    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    head = {"accept": "application/json, text/event-stream"}
    assert httpx.post(address, json=body, headers={**head, "host": "example.org"}).status_code == 421
    assert httpx.post(address, json=body, headers={**head, "origin": "http://example.org"}).status_code == 403
    assert httpx.post(address, content=b" " * (5 * 2**20), headers=head).status_code == 413
    run(lambda client: call(client, "new_game"), address)


@pytest.mark.slow
def test_ctrl_c_ends_a_server_that_waits_for_its_client():
    server = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert server.stdin is not None
    assert server.stdout is not None
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "me", "version": "1"}}
    server.stdin.write(
        json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}).encode() + b"\n"
    )
    server.stdin.flush()
    assert b"dominion" in server.stdout.readline()
    try:
        server.send_signal(signal.SIGINT)
        assert server.wait(timeout=10) == 130
    finally:
        server.kill()
        assert server.communicate()[1] == b""


@pytest.mark.slow
def test_the_server_ends_with_its_client():
    server = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    _, said = server.communicate(b"no JSON\n", timeout=30)
    assert server.returncode == 0
    assert b"Traceback" not in said
