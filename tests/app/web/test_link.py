"""Links: the same one gives the same game, and a wrong one is refused in words."""

from __future__ import annotations

import json
from urllib.parse import parse_qsl

import pytest

from dominion_app.play.table import table_of
from dominion_app.web.guarding.limits import MOST_UPLOAD
from dominion_app.web.house.link import Link, pack, packed_file, unpack
from dominion_env import Game
from dominion_env.common.errors import DominionError
from tests.app.web import CARDS, link_of

POSITION = {"players": [{"hand": {"Militia": 1, "Copper": 4}}, {"hand": {"Estate": 3, "Copper": 2}}], "turn_player": 0}


def saved(**options: object) -> dict[str, object]:
    game = Game(seed=5, auto_treasures=True, **options)  # type: ignore[arg-type]
    for _ in range(8):
        game.apply(game.legal_actions()[-1])
    return game.replay()


@pytest.mark.parametrize(
    "values",
    [
        {}, {"players": 3, "agent": "random", "seat": 2}, {"kingdom": "random-1e", "seat": "watch"}, {"kingdom": CARDS},
        {"card": CARDS, "treasures": "auto", "name": "Ann & Bob <i>"}, {"index": 4, "episode": 2}, {"players": 1},
        {"agent": "Province; Gold if Gold < 3; Silver"}, {"position": pack(POSITION)}, {"replay": pack(saved())},
        {"replay": pack(saved()), "seat": 1, "agent": "random"},
    ],
)  # fmt: skip
def test_a_link_written_and_read_again_gives_the_same_game(values: dict[str, object]):
    link = link_of(**values)
    again = Link.read(parse_qsl(link.query))
    assert again.query == link.query
    assert again == link
    assert again.table().game.to_dict() == link.table().game.to_dict()
    assert again.table().names == link.table().names


def test_a_link_without_a_seed_gets_one():
    assert len({Link.read([]).seed for _ in range(4)}) > 1
    assert "seed=" in Link.read([]).query


def test_another_seed_kingdom_or_address_gives_another_game():
    games = [
        link_of(**values).table().game.to_dict() for values in ({}, {"seed": 4}, {"index": 1}, {"kingdom": "random"})
    ]
    assert all(games[0] != game for game in games[1:])


def test_the_visitor_sits_where_they_want_among_the_agents():
    table = link_of(players=4, seat=2, agent="random", name="Ann").table()
    assert table.names == ["random 1", "random 2", "Ann", "random 3"]
    assert link_of(players=4, seat=2).agents == ("big-money", "big-money", None, "big-money")


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"players": 7}, "players: expected a whole number from 1 to 6"), ({"players": "two"}, "players: expected"),
        ({"seat": 2}, "seat: expected a whole number from 0 to 1"), ({"seed": -1}, "seed: expected"),
        ({"seed": 2**64}, "seed: expected"), ({"seed": "1" * 5000}, "seed: expected"), ({"kingdom": "frist-game"}, "no kingdom"),
        ({"card": "Village"}, "expected 10 different Kingdom cards, got 1"), ({"kingdom": "gallery"}, "expected 10 different"),
        ({"kingdom": "Copper," + CARDS}, "expected Kingdom cards, got Copper"), ({"kingdom": "a,b"}, "'a' is no card"),
        ({"kingdom": "random", "card": CARDS}, "kingdom: expected 'random' or cards of the gallery, got both"),
        ({"players": 3, "agent": "big-money", "seat": 4}, "seat: expected a whole number from 0 to 2"),
        ({"agent": "../x.zip"}, "is no agent here"), ({"name": "n" * 25}, "name: expected at most 24"),
        ({"treasures": "no"}, "treasures: expected 'ask' or 'auto'"), ({"trust": "true"}, "link: expected only"),
        ({"position": "!!"}, "damaged"), ({"position": "e30"}, "damaged"), ({"replay": pack({})}, "replay: format missing"),
        ({"position": pack([])}, "list of players"), ({"position": pack({"players": [{"hand": {"Copper": -1}}]})}, "players"),
        ({"position": pack({"players": []})}, "players"), ({"replay": pack(saved() | {"rules": 0})}, "expected rules version"),
        ({"replay": pack(saved() | {"end": "0"})}, "expected to come to the position that was stored"),
        ({"replay": pack(saved() | {"actions": ["pass"] * 3001})}, "at most 3000 actions"),
    ],
)  # fmt: skip
def test_a_wrong_link_is_refused_in_words(values: dict[str, object], words: str):
    with pytest.raises(DominionError, match=words):
        link_of(**values)


def test_agents_that_a_saved_game_names_are_no_paths_to_load():
    link = link_of(replay=pack(saved() | {"agents": ["/etc/passwd", "model.zip"], "names": ["a", "b"]}))
    assert link.agents == (None, None)


def test_a_small_text_does_not_become_a_large_one():
    with pytest.raises(DominionError, match=f"at most {MOST_UPLOAD} bytes"):
        unpack(pack([0] * MOST_UPLOAD))


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[" * 100_000, b"\xff\xfe", b"x" * (MOST_UPLOAD + 1), b"{}", b"[]", b"7"]
)
def test_a_file_that_holds_no_game_is_refused_in_words(content: bytes):
    with pytest.raises(DominionError, match="file: expected"):
        packed_file(content)


def test_a_file_with_a_game_or_a_position_becomes_a_link():
    assert packed_file(json.dumps(saved()))[0] == "replay"
    assert packed_file(json.dumps(POSITION).encode())[0] == "position"
    game = Game(3, seed=2)
    kind, packed = packed_file(json.dumps(game.to_dict()))
    assert link_of(**{kind: packed}).table().game.scores == game.scores


def test_agents_are_counted_in_words():
    query = [("players", "2"), ("agent", "random"), ("agent", "big-money")]
    with pytest.raises(DominionError, match="agents: expected 1 agent, as there are 2 players, got 2"):
        Link.read(query)


def test_cards_alone_are_the_kingdom():
    assert link_of(kingdom="", card=CARDS).kingdom == link_of(kingdom="gallery", card=CARDS).kingdom


def test_the_link_of_a_game_that_is_not_over_is_opened_again():
    link = link_of(players=3, agent="random")
    assert packed_file(json.dumps({"link": link.query})) == ("link", link.query)
    with pytest.raises(DominionError, match="players: expected"):
        packed_file(json.dumps({"link": "players=99"}))


def test_names_of_a_saved_game_are_short_and_turn_no_line_around():
    names = ["n" * 5000, "A\u202ennb\nob\0"]
    assert link_of(replay=pack(saved() | {"names": names})).table().names == ["n" * 23 + "…", "A?nnb?ob?"]
    assert link_of(name="A\u202enn\n").name == "Ann"


def test_a_saved_game_is_played_once_for_all_that_a_request_asks(monkeypatch: pytest.MonkeyPatch):
    from dominion_app.web.house import link as linking

    read = list[object]()
    monkeypatch.setattr(linking, "table_of", lambda replay: read.append(replay) or table_of(replay))  # type: ignore[func-returns-value]
    first = link_of(replay=pack(saved(index=77))).table()
    first.go_to(0)
    first.answer("pass")
    again = link_of(replay=pack(saved(index=77))).table()
    assert len(read) == 1
    assert again.step == 8, "what one visitor does with it changes no other one's"
