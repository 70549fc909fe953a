"""Files of other Dominion programs are recognised, and every reader of a file or text says whose it is."""

import json

import pytest

from dominion_agents import Strategy
from dominion_agents.choosing.by_kingdom import ByKingdom
from dominion_agents.strategies.named import STRATEGIES
from dominion_app.play.table import load, read_position
from dominion_app.web.house.link import parse
from dominion_env import Game, InvalidOption, InvalidPosition, InvalidReplay, InvalidStrategy, make_agent
from dominion_env.common.foreign import foreign

TEXTS = {
    "Geronimoo's simulator": """<?xml version="1.0" encoding="UTF-8"?>
<playerCollection>
    <player name="Smithy" author="HiveMindEmulator" description="">
        <type name="TwoPlayer"/>
        <buy name="Province"/>
    </player>
</playerCollection>
""",
    "Dominiate": """# Smithies and Treasures.
{
  name: 'BigSmithy'
  requires: ['Smithy']
  gainPriority: (state, my) -> [
    "Province"
    "Smithy" if my.countInDeck("Smithy") < 2
  ]
}
""",
    "table of results of Provincial": """Leaderboard

Kingdom cards:\tloan,remodel,mine@34Split@NoProsperity

Leaders:\t2
Leader 0:\t7.14\te4-d5-p8-gold@99|silver@1|mine@1|silver@99
""",
    "bot of pyminion": "from pyminion.bots.examples import BigMoney\n\nclass Mine(BigMoney):\n    pass\n",
    "bot of pydominion": "from dominion.botplayer import BotPlayer\n\n",
    "dominion.games": "Game #75462112, unrated.\n\nR starts with 7 Coppers.\n\nTurn 1 - Rattington\nR plays 4 Coppers. (+$4)\n",
    "Goko": "------------ Game Setup ------------\nRating system: casual\nSupply cards: Market, Moat, Silver\n",
    "Isotropic": "<html><head><title>Dominion Game #2051</title></head>\n<pre>--- rspeer's turn 1 ---\n   plays 3 Coppers.\n",
    "page of HTML": "<!DOCTYPE html>\n<html><body>404</body></html>",
}


@pytest.fixture(params=TEXTS)
def theirs(request, tmp_path):
    """The name of a program, and files with such a text, by their suffixes."""

    def file(suffix):
        path = tmp_path / f"theirs{suffix}"
        path.write_text("\ufeff" + TEXTS[request.param], encoding="utf-8")
        return path

    return request.param, file


def test_every_reader_says_whose_file_it_is(theirs):
    name, file = theirs
    readers = [
        (InvalidStrategy, lambda: Strategy.parse(TEXTS[name])),
        (InvalidStrategy, lambda: make_agent(TEXTS[name])),
        (InvalidStrategy, lambda: Strategy.read(file(".strategy"))),
        (InvalidStrategy, lambda: make_agent(str(file(".coffee")))),
        (InvalidOption, lambda: ByKingdom.read(file(".json"))),
        (InvalidReplay, lambda: load(file(".json"))),
        (InvalidPosition, lambda: read_position(file(".json"))),
        (InvalidOption, lambda: parse(TEXTS[name])),
        (InvalidOption, lambda: parse(TEXTS[name].encode())),
    ]
    for error, read in readers:
        with pytest.raises(error, match=f"expected .*, got a .*{name}"):
            read()


def test_a_file_of_another_program_is_named_where_it_lies(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "DomBots.xml").write_text(TEXTS["Geronimoo's simulator"])
    with pytest.raises(
        InvalidStrategy,
        match=r"DomBots\.xml, expected a buy list .*, got a file of bots of Geronimoo's simulator \(XML\)",
    ):
        make_agent("DomBots.xml")


def test_what_the_project_writes_is_no_file_of_another_program():
    own = [*map(str, STRATEGIES.values()), "e2-d4-p8-gold@99|silver@99", json.dumps(Game().to_dict()), ""]
    assert [text for text in own if foreign(text)] == []


@pytest.mark.parametrize("mistake", ["Province; Glod", "# gain priority: as Dominiate\nGold; Slver", "turn 1"])
def test_a_mistake_in_a_list_stays_a_mistake_in_a_list(mistake):
    with pytest.raises(InvalidStrategy, match="is no card"):
        Strategy.parse(mistake)
