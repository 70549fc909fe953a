"""What a seat may not know never travels: two games that differ only in it send the same messages, letter by letter."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from dominion_app.web.house.link import pack
from tests.app.web.client import BrowserlessVisitor
from tests.browser.conftest import Server

pytestmark = [pytest.mark.compiled, pytest.mark.slow]

KINGDOM = "Artisan,Bureaucrat,Cellar,Chapel,Gardens,Militia,Moat,Sentry,Spy,Witch"
_OWN = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}")  # numbers of clients and listeners


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("wire") / "games.sqlite") as server:
        yield server


def position(hand: str, below: str, mine: tuple[str, str]) -> str:
    """Return a position, packed: the other player holds five of one card and has five of another one below.

    Args:
        hand, below: cards of the other player.
        mine: the two cards at the bottom of the visitor's deck, whose order nobody knows.
    """
    others = {"hand": {hand: 5}, "deck_top": [below] * 5}
    own = {"hand": {"Cellar": 1, "Spy": 1, "Copper": 2, "Estate": 1}, "deck_top": ["Silver", "Gold", "Curse", *mine]}
    return pack({"players": [own, others], "turn_player": 0, "phase": "action", "actions": 2})


async def messages(server: Server, packed: str, pressed: list[str]) -> list[str]:
    """Return the page and all messages of a visit, without the numbers that each visit has of its own."""
    visitor = BrowserlessVisitor(server.address)
    await visitor.open(f"/play?seed=7&kingdom={KINGDOM}&position={packed}")
    for value in pressed:
        wish = next((each for each in visitor.buttons if each.partition("|")[2] == value), f"|{value}")
        await visitor.press(wish)
        if not value.startswith("save"):  # which shows nothing
            await visitor.changed()
        await asyncio.sleep(0.3)  # for whatever else may come
    await visitor.close()
    found: list[Any] = [visitor.page, *visitor.received]
    assert len(visitor.received) >= len(pressed)
    return [_OWN.sub("", json.dumps(each, default=bytes.decode)).replace(packed, "") for each in found]


def test_what_differs_only_in_hidden_cards_sends_the_same_messages(server: Server):
    pressed = ["answer|play Cellar", "pick|discard Estate", "confirm|", "decks|", "close|", "help|", "close|"]
    pressed += ["undo|", "answer|play Cellar", "confirm|", "answer|pass", "treasures|", "save|"]
    first = position("Gardens", "Artisan", ("Duchy", "Witch"))
    second = position("Artisan", "Gardens", ("Witch", "Duchy"))
    sent = [asyncio.run(messages(server, packed, pressed)) for packed in (first, second)]
    assert len(sent[0]) == len(sent[1])
    for one, other in zip(*sent, strict=True):
        assert one == other


def test_the_comparison_notices_what_may_be_seen(server: Server):
    first, second = (
        position("Gardens", "Artisan", ("Duchy", "Witch")),
        position("Gardens", "Artisan", ("Duchy", "Gold")),
    )
    sent = [asyncio.run(messages(server, packed, ["decks|"])) for packed in (first, second)]
    assert sent[0] != sent[1], "what a player owns is public"


def test_a_review_of_another_seat_is_refused_until_the_game_is_over(server: Server):
    async def reviewed(path: str, seat: int) -> list[Any]:
        visitor = BrowserlessVisitor(server.address)
        await visitor.open(path)
        before = len(visitor.received)
        await visitor.press(f"|review|{seat}")
        await asyncio.sleep(1.0)
        await visitor.close()
        return visitor.received[before:]

    query = f"/review?seed=7&kingdom={KINGDOM}"
    assert not asyncio.run(reviewed(query, 1))
    assert asyncio.run(reviewed(query, 0)), "one's own seat is answered"
    assert asyncio.run(reviewed(query + "&seat=watch", 1))
