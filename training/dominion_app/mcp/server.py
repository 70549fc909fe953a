"""The tools and resources of the server. Each call runs in a thread, so that one that thinks keeps no other waiting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal

import anyio.to_thread
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from pydantic import Field

from dominion_app.mcp.games import MOST_KINGDOM, TextGames
from dominion_env import __version__
from dominion_env.common.errors import DominionError
from dominion_env.text.rules import cards_text, rules_text

INSTRUCTIONS = """\
Play Dominion, the deck-building card game, against agents. new_game starts a game and returns its id, the rules and the first \
question; answer gives one answer and returns the next question, or why the answer was not taken."""
THREADS = 8  # calls that run at a time; others wait


def make_server(games: TextGames) -> MCPServer:
    """Return the server for these games, which is not running yet."""
    server = MCPServer("dominion", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING")
    threads = anyio.CapacityLimiter(THREADS)

    async def said(call: Callable[[], str]) -> str:
        try:
            return await anyio.to_thread.run_sync(call, limiter=threads)
        except DominionError as error:
            raise ToolError(str(error)) from None

    @server.tool(structured_output=False)
    async def new_game(
        kingdom: str = "first-game-2e",
        opponents: str = "big-money",
        players: int = 2,
        seat: int | Literal["random"] = 0,
        list_answers: bool = True,
    ) -> str:
        """Start a game of Dominion. Returns the id of the game, the rules with the texts of its cards, and the first question.

        Args:
            kingdom: "first-game-2e", "random", another named kingdom, or ten card names with commas between them.
            opponents: name of the agent in every other seat, from weak to strong "random", "big-money", "auto",
                "planner:600"; or a buy list such as "Province; Gold; Smithy*1; Silver".
            players: number of players, 1 to 6.
            seat: your seat from 0, or "random".
            list_answers: whether each question lists the legal answers with numbers.
        """
        return await said(lambda: games.new(kingdom, opponents, players, seat, list_answers))

    @server.tool(structured_output=False)
    async def answer(game: str, text: str | Annotated[int, Field(strict=True)]) -> str:
        """Answer the question of a game. Returns the next question, the end of the game, or why the answer was not taken.

        Args:
            game: id of the game.
            text: one action, such as "buy Silver" or "pass", or its number in the list of answers.
        """
        return await said(lambda: games.answer(game, str(text)))

    @server.tool(structured_output=False)
    async def state(game: str) -> str:
        """Return the question of a game once more, with all that you may see.

        Args:
            game: id of the game.
        """
        return await said(lambda: games.state(game))

    @server.resource("dominion://rules", mime_type="text/plain")
    async def rules() -> str:
        """The rules in short, for two players, with the base cards."""
        return rules_text((), 2, 2)

    @server.resource("dominion://cards/{kingdom}", mime_type="text/plain")
    async def cards(kingdom: str) -> str:
        """The texts of the cards of a kingdom, given by its name or by ten card names with commas between them."""
        try:
            return await anyio.to_thread.run_sync(lambda: cards_text(kingdom[:MOST_KINGDOM]), limiter=threads)
        except DominionError as error:
            raise ResourceNotFoundError(str(error)) from None

    return server
