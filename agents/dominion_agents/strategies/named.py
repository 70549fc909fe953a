"""The strategies that come with the project, as text; `notation.py` and `provincial.py` say how the texts are read.

They are bots published for other Dominion programs, written in our own notation. The sources are Geronimoo's simulator (bots
by Geronimoo and by the authors named), Dominiate, Provincial and the Dominion Strategy wiki. All of them buy one card after
the other by these lists. Ours play by the default ways, not by those of the programs, unless their texts name others.
"""

from __future__ import annotations

from dataclasses import replace

from dominion_agents.strategies import provincial
from dominion_agents.strategies.strategy import Strategy

_GERONIMOO, _DOMINIATE, _PROVINCIAL, _WIKI = "Geronimoo", "Dominiate", "Provincial", "wiki"

# name, source, buy list
_TEXTS: list[tuple[str, str, str]] = [
    # Treasures and Victory cards only
    ("big-money", _WIKI, "Province; Gold; Silver"),
    ("big-money-duchy", _WIKI, "Province; Duchy if provinces <= 5; Gold; Silver"),
    (
        "provincial-big-money",
        _PROVINCIAL,
        "Province; Duchy if provinces <= 4; Estate if provinces <= 2; Gold; Silver",
    ),
    (
        "big-money-ultimate",
        f"{_GERONIMOO}, by WanderingWinder",
        """Province if money > 18
        Duchy if provinces <= 4
        Estate if provinces <= 2
        Gold
        Duchy if provinces <= 6
        Silver""",
    ),
    (
        "big-money-multiplayer",
        f"{_GERONIMOO}, for three and four players",
        "Province if Gold > 0; Duchy if end <= 7; Estate if end <= 3; Gold; Silver",
    ),
    # one Action card beside the Treasures
    (
        "smithy-optimised",
        f"{_GERONIMOO}, by HiveMindEmulator",
        """Province if money > 15
        Duchy if provinces <= 4
        Estate if provinces <= 2
        Gold
        Duchy if provinces <= 6
        Smithy if Smithy < treasures / 11
        Silver""",
    ),
    (
        "big-smithy",
        _DOMINIATE,
        """Province
        Duchy if end <= 5
        Estate if end <= 2
        Gold
        Smithy if Smithy < 2 and deck >= 16
        Smithy if Smithy < 1
        Silver
        Copper if end <= 3""",
    ),
    (
        "double-witch",
        _GERONIMOO,
        """Province if Gold > 0
        Duchy if provinces <= 5
        Estate if provinces <= 2
        Witch if Witch = 0
        Gold
        Witch if Witch < 2
        Silver""",
    ),
    (
        "witches-first",
        f"{_DOMINIATE}, DoubleWitch",
        "Province if Gold > 0; Witch if Witch < 2; Duchy if end <= 5; Estate if end <= 2; Gold; Silver",
    ),
    (
        "single-witch",
        _DOMINIATE,
        "Province if Gold > 0; Witch if Witch = 0; Duchy if end <= 5; Estate if end <= 2; Gold; Silver",
    ),
    (
        "chapel-witch",
        _DOMINIATE,
        """trash: spare-5
        Province
        Witch if Witch = 0
        Duchy if end <= 5
        Estate if end <= 2
        Gold
        Chapel if Chapel = 0 and turn <= 2 and coins <= 3
        Silver
        Copper if end <= 3""",
    ),
    (
        "moneylender-witch",
        _DOMINIATE,
        """Province if Gold > 0
        Witch if Witch < 2
        Duchy if end <= 5
        Estate if end <= 2
        Gold
        Moneylender if Moneylender = 0
        Silver""",
    ),
    (
        "militia",
        _GERONIMOO,
        """Province if Gold > 0
        Duchy if provinces <= 6
        Estate if provinces <= 2
        Gold
        Militia if Militia < 3
        Silver""",
    ),
    (
        "double-militia",
        _DOMINIATE,
        """Province
        Duchy if end <= 5
        Militia if Militia < 2
        Estate if end <= 2
        Gold
        Silver
        Copper if end <= 3""",
    ),
    (
        "council-room",
        _GERONIMOO,
        """Province if Gold > 0
        Duchy if provinces <= 4
        Estate if provinces <= 2
        Gold
        Duchy if provinces <= 6
        Council Room if Council Room = 0
        Council Room if Council Room < money / 13
        Silver""",
    ),
    (
        "laboratory",
        _GERONIMOO,
        "Province if Gold > 0; Duchy if provinces <= 4; Estate if provinces <= 2; Gold; Laboratory; Silver",
    ),
    ("library", _DOMINIATE, "Province; Duchy if end <= 5; Estate if end <= 2; Gold; Library; Silver"),
    (
        "bureaucrat",
        _GERONIMOO,
        """Province if Gold > 0
        Duchy if provinces <= 5
        Estate if provinces <= 2
        Gold
        Duchy if provinces <= 6
        Bureaucrat if Bureaucrat = 0
        Bureaucrat if Bureaucrat < treasures / 20
        Silver""",
    ),
    (
        "moat",
        _GERONIMOO,
        """Province if money > 16
        Duchy if provinces <= 4
        Estate if provinces <= 2
        Gold
        Duchy if provinces <= 6
        Moat if treasures >= 10 and Moat = 0
        Silver
        Moat if Moat < 2""",
    ),
    (
        "chancellor",
        _GERONIMOO,
        """chancellor: always
        Province if Gold > 0
        Duchy if provinces <= 4
        Estate if provinces <= 2
        Gold
        Duchy if provinces <= 6
        Chancellor if Chancellor < treasures / 19
        Chancellor if Chancellor = 0
        Silver""",
    ),
    (
        "adventurer",
        _GERONIMOO,
        """Province if Gold > 0
        Duchy if provinces <= 4
        Estate if provinces <= 2
        Adventurer if Gold > 0 and Adventurer = 0
        Gold
        Duchy if provinces <= 5
        Silver""",
    ),
    (
        "festival",
        _GERONIMOO,
        """Province if Gold > 0
        Duchy if provinces <= 4
        Estate if provinces <= 2
        Gold
        Duchy if provinces <= 6
        Festival
        Silver""",
    ),
    # Gardens
    (
        "workshop-gardens",
        f"{_GERONIMOO}, against others",
        "players: 4; Gardens if Workshop > 8; Gardens if left(Workshop) = 0; Workshop; Estate; Silver; Copper",
    ),
    (
        "workshop-gardens-mirror",
        f"{_GERONIMOO}, against itself",
        "players: 4; Gardens if Workshop > 1; Gardens if left(Workshop) = 0; Workshop; Estate; Silver; Copper",
    ),
    (
        "bureaucrat-gardens",
        _GERONIMOO,
        """players: 4
        Gardens if Bureaucrat > 4
        Gardens if left(Bureaucrat) = 0
        Province if left(Gardens) = 0
        Duchy if left(Gardens) = 0
        Estate if left(Gardens) = 0
        Bureaucrat
        Silver
        Copper""",
    ),
    # engines
    (
        "laboratory-engine",
        f"{_GERONIMOO}, Laboratory, Militia, Chapel",
        """players: 4
        trash: keep-4
        Province if coins >= 13
        Province if Province >= 1
        Province if left(Laboratory) = 0
        Duchy if provinces <= 3
        Estate if provinces <= 2
        Gold if Gold = 0
        Gold if left(Laboratory) = 0
        Festival if Festival = 0
        Market if Laboratory > 2
        Laboratory
        Militia if Militia = 0
        Chapel if Chapel = 0
        Spy if Gold > 0
        Silver""",
    ),
    (
        "council-room-engine",
        f"{_GERONIMOO}, Council Room, Militia",
        """players: 2
        Province if coins >= 13
        Province if Province >= 1
        Province if left(Council Room) = 0
        Province if left(Village) = 0
        Duchy if provinces <= 4
        Estate if provinces <= 2
        Gold if Gold < Council Room - 1 and money < 16
        Gold if left(Council Room) = 0
        Gold if left(Village) = 0
        Council Room if Council Room = 0
        Council Room if Council Room < Village - 1
        Militia if Militia = 0
        Silver if left(Council Room) = 0
        Village
        Silver if left(Village) = 0""",
    ),
    # Rules with left(X) are ours: the way out when an opponent has bought the engine's cards.
    # The main lines as published, and what is not: they leave some order open; there 1 to 3 Cellars and a Workshop in any
    # turn, here one Cellar and a Workshop in the first two; Estates at the end are ours.
    (
        "first-game",
        f"{_GERONIMOO}, by michaeljb (main lines, changed)",
        """players: 4
        Province if Province > 0
        Province if Smithy > 4 and coins > 13 and buys >= 2
        Province if left(Smithy) = 0
        Province if left(Village) = 0
        Province if left(Market) = 0
        Duchy if provinces <= 5 and Province > 0
        Estate if provinces <= 2 and Province > 0
        Mine if Mine = 0 and turn <= 2
        Mine if Mine = 0 and Market > 0
        Gold if Gold = 0
        Gold if left(Smithy) = 0
        Gold if left(Village) = 0
        Market if Market = 0
        Remodel if Remodel = 0
        Workshop if Workshop = 0 and turn <= 2
        Militia if Militia = 0 and Smithy >= 3
        Market if Market < 5
        Village if Village < terminals
        Smithy if Smithy < 6
        Village if Village < 9
        Cellar if Cellar = 0
        Silver if treasures < 7
        Silver if left(Smithy) = 0
        Silver if left(Village) = 0""",
    ),
    (
        "htbd-1",
        f"{_GERONIMOO}, HTBD no. 1 (second edition)",
        """actions: throne-first
        trash: coppers
        Province if Laboratory > 0
        Province if left(Laboratory) = 0
        Duchy if provinces <= 4
        Estate if provinces <= 2
        Sentry if Sentry < 4
        Gold if money < 8
        Vassal if money < 6
        Throne Room if Sentry > 1 and Throne Room = 0
        Laboratory
        Gold if left(Laboratory) = 0
        Throne Room if Sentry > 1 and Throne Room < cantrips
        Militia if Militia = 0
        Vassal if Vassal = 0
        Poacher
        Harbinger""",
    ),
    (
        "spy-thief",
        f"{_GERONIMOO} (first edition)",
        """Province
        Duchy if provinces <= 5
        Estate if provinces <= 2
        Gold
        Thief if Thief <= Spy and Thief < 3
        Spy if Silver > 0
        Silver""",
    ),
    # menus that Provincial evolved in mixed kingdoms
    ("provincial-witch", _PROVINCIAL, "e5-d5-p8 Witch1 Gold* Witch1 Militia1 Silver*"),
    ("provincial-market", _PROVINCIAL, "e3-d5-p8 Gold* Militia1 Market10 Militia1 Silver*"),
    ("provincial-library", _PROVINCIAL, "e3-d5-p8 Gold* Library2 Bureaucrat1 Silver* Moat8"),
    # for comparison
    ("greedy", f"{_DOMINIATE}, SillyAI", "dearest"),
    ("random-buyer", "", "random"),
]


def _strategies() -> dict[str, Strategy]:
    found = {}
    for name, source, text in _TEXTS:
        read = Strategy.parse(text, name)
        # Provincial knows two players. In games with 12 Provinces or more, a menu with p8 would never buy the first one.
        players = 2 if provincial.is_menu(text) else read.players
        found[name] = replace(read, source=source, players=players)
    assert len(found) == len(_TEXTS)
    return found


STRATEGIES: dict[str, Strategy] = _strategies()
