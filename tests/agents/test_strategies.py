"""Every strategy of the project: a position, and what it buys there."""

import re
from pathlib import Path

import pytest

from dominion_agents.strategies import named
from dominion_agents.strategies.named import STRATEGIES
from dominion_env import KINGDOMS, make_agent
from dominion_env.tables.cards import NUM_BASE_CARDS
from tests.agents import answer, answers, buys
from tests.table import Table

START = "7 Copper, 3 Estate"
ALL = "Gardens, Workshop, Witch, Militia, Library, Festival, Market, Spy, Smithy, Moat"

# strategy, coins, owned besides the start deck, (Provinces left or supply), what it buys
CASES = [
    # Province; Gold; Silver
    ("big-money", 8, "", 8, "Province"),
    ("big-money", 7, "", 1, "Gold"),
    ("big-money", 6, "", 8, "Gold"),
    ("big-money", 5, "", 1, "Silver"),
    ("big-money", 3, "", 8, "Silver"),
    ("big-money", 2, "", 1, "nothing"),
    # Duchy if provinces <= 5
    ("big-money-duchy", 6, "", 5, "Duchy"),
    ("big-money-duchy", 6, "", 6, "Gold"),
    ("big-money-duchy", 8, "", 5, "Province"),
    ("big-money-duchy", 4, "", 5, "Silver"),
    # Duchy if provinces <= 4, Estate if provinces <= 2
    ("provincial-big-money", 5, "", 5, "Silver"),
    ("provincial-big-money", 6, "", 4, "Duchy"),
    ("provincial-big-money", 4, "", 3, "Silver"),
    ("provincial-big-money", 4, "", 2, "Estate"),
    # Province if money > 18; Duchy twice
    ("big-money-ultimate", 8, "3 Gold, Silver", 8, "Gold"),
    ("big-money-ultimate", 8, "4 Gold", 8, "Province"),
    ("big-money-ultimate", 6, "4 Gold", 4, "Duchy"),
    ("big-money-ultimate", 6, "4 Gold", 5, "Gold"),
    ("big-money-ultimate", 5, "4 Gold", 6, "Duchy"),
    ("big-money-ultimate", 5, "4 Gold", 7, "Silver"),
    ("big-money-ultimate", 4, "4 Gold", 2, "Estate"),
    # Province if Gold > 0; Duchy if end <= 7; Estate if end <= 3
    ("big-money-multiplayer", 8, "", 8, "Gold"),
    ("big-money-multiplayer", 8, "Gold", 8, "Province"),
    ("big-money-multiplayer", 6, "Gold", 7, "Duchy"),
    ("big-money-multiplayer", 6, "Gold", {"Province": 8, "Curse": 0, "Duchy": 4, "Estate": 3}, "Duchy"),
    ("big-money-multiplayer", 6, "Gold", {"Province": 8, "Curse": 0, "Duchy": 4, "Estate": 4}, "Gold"),
    ("big-money-multiplayer", 3, "Gold", 3, "Estate"),
    ("big-money-multiplayer", 3, "Gold", 4, "Silver"),
    # Smithy if Smithy < treasures / 11
    ("smithy-optimised", 8, "2 Gold, Silver", 8, "Gold"),
    ("smithy-optimised", 8, "3 Gold", 8, "Province"),
    ("smithy-optimised", 4, "", 8, "Smithy"),
    ("smithy-optimised", 4, "Smithy, 4 Silver", 8, "Silver"),
    ("smithy-optimised", 4, "Smithy, 5 Silver", 8, "Smithy"),
    ("smithy-optimised", 5, "", 6, "Duchy"),
    ("smithy-optimised", 6, "", 4, "Duchy"),
    ("smithy-optimised", 2, "", 2, "Estate"),
    # Smithy if Smithy < 2 and deck >= 16
    ("big-smithy", 4, "", 8, "Smithy"),
    ("big-smithy", 4, "Smithy, 4 Silver", 8, "Silver"),
    ("big-smithy", 4, "Smithy, 5 Silver", 8, "Smithy"),
    ("big-smithy", 4, "2 Smithy, 5 Silver", 8, "Silver"),
    ("big-smithy", 5, "", 5, "Duchy"),
    ("big-smithy", 3, "", 2, "Estate"),
    ("big-smithy", 0, "", 3, "Copper"),
    ("big-smithy", 0, "", 4, "nothing"),
    # Witch below Duchy: the first before Gold, the second after
    ("double-witch", 8, "", 8, "Witch"),
    ("double-witch", 8, "Gold", 8, "Province"),
    ("double-witch", 6, "", 8, "Witch"),
    ("double-witch", 6, "Witch", 8, "Gold"),
    ("double-witch", 5, "Witch", 8, "Witch"),
    ("double-witch", 5, "2 Witch", 8, "Silver"),
    ("double-witch", 5, "", 5, "Duchy"),
    ("double-witch", 2, "", 2, "Estate"),
    ("witches-first", 6, "Witch", 8, "Witch"),
    ("witches-first", 5, "Witch", 5, "Witch"),
    ("witches-first", 6, "2 Witch", 8, "Gold"),
    ("witches-first", 6, "2 Witch", 5, "Duchy"),
    ("witches-first", 2, "2 Witch", 2, "Estate"),
    ("single-witch", 6, "", 8, "Witch"),
    ("single-witch", 6, "Witch", 8, "Gold"),
    ("single-witch", 5, "Witch", 8, "Silver"),
    ("single-witch", 8, "Witch", 8, "Gold"),
    ("single-witch", 8, "Gold", 8, "Province"),
    # Chapel only in the opening
    ("chapel-witch", 3, "", 8, "Chapel"),
    ("chapel-witch", 4, "", 8, "Silver"),
    ("chapel-witch", 3, "Chapel", 8, "Silver"),
    ("chapel-witch", 5, "", 8, "Witch"),
    ("chapel-witch", 8, "", 8, "Province"),
    ("chapel-witch", 5, "Witch", 5, "Duchy"),
    ("chapel-witch", 2, "Witch", 2, "Estate"),
    ("chapel-witch", 0, "Witch", 3, "Copper"),
    ("moneylender-witch", 4, "", 8, "Moneylender"),
    ("moneylender-witch", 4, "Moneylender", 8, "Silver"),
    ("moneylender-witch", 6, "Witch", 8, "Witch"),
    ("moneylender-witch", 6, "2 Witch", 8, "Gold"),
    ("militia", 4, "2 Militia", 8, "Militia"),
    ("militia", 4, "3 Militia", 8, "Silver"),
    ("militia", 6, "", 8, "Gold"),
    ("militia", 5, "", 6, "Duchy"),
    ("militia", 2, "", 2, "Estate"),
    ("militia", 8, "", 8, "Gold"),
    ("double-militia", 8, "", 8, "Province"),
    ("double-militia", 6, "", 8, "Militia"),
    ("double-militia", 6, "2 Militia", 8, "Gold"),
    ("double-militia", 5, "", 5, "Duchy"),
    ("double-militia", 3, "", 2, "Estate"),
    ("double-militia", 1, "", 3, "Copper"),
    # Council Room < money / 13: a second one from 14 money on
    ("council-room", 5, "", 8, "Council Room"),
    ("council-room", 5, "Council Room, 3 Silver", 8, "Silver"),
    ("council-room", 5, "Council Room, 2 Silver, Gold", 8, "Council Room"),
    ("council-room", 6, "", 8, "Gold"),
    ("council-room", 5, "", 6, "Duchy"),
    ("laboratory", 5, "3 Laboratory", 8, "Laboratory"),
    ("laboratory", 6, "", 8, "Gold"),
    ("laboratory", 5, "", 4, "Duchy"),
    ("library", 5, "3 Library", 8, "Library"),
    ("library", 8, "", 8, "Province"),
    ("library", 5, "", 5, "Duchy"),
    ("bureaucrat", 4, "", 8, "Bureaucrat"),
    ("bureaucrat", 4, "Bureaucrat, 13 Silver", 8, "Silver"),
    ("bureaucrat", 4, "Bureaucrat, 14 Silver", 8, "Bureaucrat"),
    ("bureaucrat", 6, "", 5, "Duchy"),
    ("bureaucrat", 6, "", 6, "Gold"),
    ("moat", 3, "2 Silver", 8, "Silver"),
    ("moat", 3, "3 Silver", 8, "Moat"),
    ("moat", 2, "", 8, "Moat"),
    ("moat", 2, "2 Moat", 8, "nothing"),
    ("moat", 8, "3 Gold", 8, "Gold"),
    ("moat", 8, "3 Gold, Copper", 8, "Province"),
    ("chancellor", 3, "", 8, "Chancellor"),
    ("chancellor", 3, "Chancellor, 12 Silver", 8, "Silver"),
    ("chancellor", 3, "Chancellor, 13 Silver", 8, "Chancellor"),
    ("adventurer", 6, "", 8, "Gold"),
    ("adventurer", 6, "Gold", 8, "Adventurer"),
    ("adventurer", 6, "Gold, Adventurer", 8, "Gold"),
    ("adventurer", 5, "Gold", 5, "Duchy"),
    ("festival", 5, "4 Festival", 8, "Festival"),
    ("festival", 5, "", 6, "Duchy"),
    ("festival", 6, "", 8, "Gold"),
    # Gardens
    ("workshop-gardens", 4, "8 Workshop", 8, "Workshop"),
    ("workshop-gardens", 4, "9 Workshop", 8, "Gardens"),
    ("workshop-gardens", 2, "", 8, "Estate"),
    ("workshop-gardens", 0, "", 8, "Copper"),
    ("workshop-gardens", 8, "", {"Workshop": 0, "Gardens": 0, "Estate": 0}, "Silver"),
    ("workshop-gardens-mirror", 4, "Workshop", 8, "Workshop"),
    ("workshop-gardens-mirror", 4, "2 Workshop", 8, "Gardens"),
    ("bureaucrat-gardens", 8, "4 Bureaucrat", 8, "Bureaucrat"),
    ("bureaucrat-gardens", 4, "5 Bureaucrat", 8, "Gardens"),
    ("bureaucrat-gardens", 8, "5 Bureaucrat", {"Gardens": 0}, "Province"),
    ("bureaucrat-gardens", 5, "5 Bureaucrat", {"Gardens": 0}, "Duchy"),
    ("bureaucrat-gardens", 4, "5 Bureaucrat", {"Gardens": 0}, "Estate"),
    ("bureaucrat-gardens", 4, "", {"Bureaucrat": 0}, "Gardens"),
    ("bureaucrat-gardens", 3, "", {"Bureaucrat": 0}, "Silver"),
    ("bureaucrat-gardens", 2, "", 8, "Copper"),
    # engines
    ("laboratory-engine", 12, "Gold, Festival", 8, "Laboratory"),
    ("laboratory-engine", 13, "", 8, "Province"),
    ("laboratory-engine", 8, "Province", 7, "Province"),
    ("laboratory-engine", 6, "", 8, "Gold"),
    ("laboratory-engine", 5, "Gold", 8, "Festival"),
    ("laboratory-engine", 5, "Gold, Festival, 2 Laboratory", 8, "Laboratory"),
    ("laboratory-engine", 5, "Gold, Festival, 3 Laboratory", 8, "Market"),
    ("laboratory-engine", 4, "Gold", 8, "Militia"),
    ("laboratory-engine", 2, "", 8, "Chapel"),
    ("laboratory-engine", 4, "Gold, Militia, Chapel", 8, "Spy"),
    ("laboratory-engine", 4, "Militia, Chapel", 8, "Silver"),
    ("laboratory-engine", 5, "", 3, "Duchy"),
    ("council-room-engine", 13, "", 8, "Province"),
    ("council-room-engine", 12, "", 8, "Council Room"),
    ("council-room-engine", 6, "2 Council Room, 3 Village", 8, "Gold"),
    ("council-room-engine", 6, "Gold, 2 Council Room, 3 Village", 8, "Militia"),
    ("council-room-engine", 6, "Gold, 3 Council Room, 5 Village, Militia", 8, "Gold"),
    ("council-room-engine", 6, "3 Gold, 5 Council Room, 5 Village, Militia", 8, "Village"),
    ("council-room-engine", 5, "Council Room, 3 Village, Militia", 8, "Council Room"),
    ("council-room-engine", 5, "Council Room, 2 Village, Militia", 8, "Village"),
    ("council-room-engine", 4, "", 8, "Militia"),
    ("first-game", 5, "", 8, "Mine"),
    ("first-game", 6, "Mine", 8, "Gold"),
    ("first-game", 5, "Mine", 8, "Market"),
    ("first-game", 4, "Mine", 8, "Remodel"),
    ("first-game", 3, "Mine, Remodel", 8, "Workshop"),
    ("first-game", 4, "Mine, Remodel, Workshop", 8, "Village"),
    ("first-game", 4, "Remodel, Workshop, 2 Village", 8, "Smithy"),
    ("first-game", 4, "Remodel, Workshop, 5 Village, 3 Smithy", 8, "Militia"),
    ("first-game", 4, "Remodel, Workshop, 9 Village, 6 Smithy, Militia", 8, "Cellar"),
    ("first-game", 8, "Province", 7, "Province"),
    ("htbd-1", 8, "", 8, "Sentry"),
    ("htbd-1", 8, "Laboratory", 8, "Province"),
    ("htbd-1", 6, "4 Sentry", 8, "Gold"),
    ("htbd-1", 6, "4 Sentry, Silver", 8, "Throne Room"),
    ("htbd-1", 5, "4 Sentry, Silver, Throne Room", 8, "Laboratory"),
    ("htbd-1", 4, "4 Sentry, Throne Room", 8, "Throne Room"),
    ("htbd-1", 4, "Sentry, Throne Room", 8, "Militia"),
    ("htbd-1", 4, "2 Sentry, Laboratory, Militia, Vassal, Throne Room", 8, "Throne Room"),
    ("htbd-1", 4, "Sentry, Laboratory, Militia, Vassal, Throne Room", 8, "Poacher"),
    ("htbd-1", 3, "4 Sentry", 8, "Vassal"),
    ("spy-thief", 4, "Silver", 8, "Thief"),
    ("spy-thief", 4, "Silver, Thief", 8, "Spy"),
    ("spy-thief", 4, "Thief", 8, "Silver"),
    ("spy-thief", 4, "Silver, 3 Thief, 3 Spy", 8, "Spy"),
    ("spy-thief", 5, "", 5, "Duchy"),
    # Provincial's menus
    ("provincial-witch", 6, "", 8, "Witch"),
    ("provincial-witch", 6, "Witch", 8, "Gold"),
    ("provincial-witch", 5, "Witch", 8, "Witch"),
    ("provincial-witch", 5, "2 Witch", 8, "Militia"),
    ("provincial-witch", 5, "2 Witch", 5, "Duchy"),
    ("provincial-witch", 4, "2 Witch, Militia", 5, "Estate"),
    ("provincial-market", 5, "", 8, "Militia"),
    ("provincial-market", 5, "Militia", 8, "Market"),
    ("provincial-market", 4, "Militia", 8, "Militia"),
    ("provincial-market", 4, "2 Militia", 8, "Silver"),
    ("provincial-library", 5, "Library", 8, "Library"),
    ("provincial-library", 5, "2 Library", 8, "Bureaucrat"),
    ("provincial-library", 4, "2 Library, Bureaucrat", 8, "Silver"),
    ("provincial-library", 2, "7 Moat", 8, "Moat"),
    ("provincial-library", 2, "8 Moat", 8, "nothing"),
    ("greedy", 8, "", 8, "Province"),
    ("greedy", 1, "", 8, "nothing"),
]


def position(name, owned, left):
    bought = ", ".join(card.title for card in STRATEGIES[name].kingdom_cards)
    supply = left if isinstance(left, dict) else {"Province": left}
    return {"owned": ", ".join(filter(None, (START, owned))), "kingdom": bought, "supply": supply}


@pytest.mark.parametrize(("name", "coins", "owned", "left", "bought"), CASES)
def test_what_a_strategy_buys(name, coins, owned, left, bought):
    assert buys(name, coins, turns=[1, 1], **position(name, owned, left)) == bought


def test_after_a_purchase_the_list_is_read_again_with_what_is_left():
    table = Table(phase="buy", coins=14, buys=3, discards=["Copper", "Copper"])
    said = answers("Province; Gold if coins >= 6 and Gold < 1; Silver if buys = 1", table)
    assert said[:3] == ["buy Province", "buy Gold", "pass"]


def test_no_strategy_is_left_out():
    assert set(STRATEGIES) - {"random-buyer"} == {name for name, *_ in CASES}


def test_later_in_the_game_the_opening_is_over():
    assert buys("chapel-witch", 3, turns=[3, 3], **position("chapel-witch", "", 8)) == "Silver"
    assert buys("first-game", 5, turns=[3, 3], **position("first-game", "Market", 8)) == "Mine"
    assert buys("first-game", 5, turns=[3, 3], **position("first-game", "", 8)) == "Market"


def test_first_game_starts_on_provinces_with_two_buys_only():
    started = position("first-game", "5 Smithy, Gold", 8)
    assert buys("first-game", 14, buys=2, **started) == "Province"
    assert buys("first-game", 13, buys=2, **started) != "Province"
    assert buys("first-game", 14, buys=1, **started) != "Province"


@pytest.mark.parametrize(
    ("name", "gone"),
    [
        ("first-game", "Smithy"),
        ("first-game", "Village"),
        ("laboratory-engine", "Laboratory"),
        ("council-room-engine", "Council Room"),
        ("council-room-engine", "Village"),
        ("htbd-1", "Laboratory"),
    ],
)
def test_an_engine_without_its_cards_buys_provinces_and_treasures(name, gone):
    starved = position(name, "4 Sentry" if name == "htbd-1" else "Gold", {gone: 0})
    assert buys(name, 8, turns=[9, 9], **starved) == "Province"
    if name != "htbd-1":
        assert buys(name, 6, turns=[9, 9], **starved) == "Gold"
    assert buys(name, 8, turns=[9, 9], **position(name, "4 Sentry, Gold", 8)) != "Province"


@pytest.mark.parametrize(
    ("name", "card"),
    [
        ("workshop-gardens", "Workshop"), ("workshop-gardens-mirror", "Workshop"), ("bureaucrat-gardens", "Bureaucrat"),
    ],
)  # fmt: skip
def test_gardens_are_bought_when_their_engine_is_gone(name, card):
    assert buys(name, 4, **position(name, "", {card: 1})) == card
    assert buys(name, 4, **position(name, "", {card: 0})) == "Gardens"


def test_first_game_buys_silver_only_while_it_has_few_treasures():
    engine = "Remodel, Workshop, Mine, 5 Market, 10 Village, 6 Smithy, Militia, Cellar"
    assert buys("first-game", 3, owned=f"6 Copper, {engine}") == "Silver"
    assert buys("first-game", 3, owned=f"7 Copper, {engine}") == "nothing"


KEYS = [number << 55 for number in range(0, 512, 5)]


def test_greedy_takes_any_of_the_dearest_but_never_copper_or_curse():
    greedy = make_agent("greedy")
    at_three = Table(phase="buy", coins=3, kingdom="Village, Workshop, Smithy, Moat")
    dearest = {"buy Silver", "buy Village", "buy Workshop", "buy Merchant"}
    assert {answer(greedy, at_three, key) for key in KEYS} == dearest
    assert {answer(greedy, Table(phase="buy", coins=1), key) for key in KEYS[:3]} == {"pass"}


def test_the_random_buyer_takes_anything_but_curses():
    table = Table(phase="buy", coins=2, kingdom="Cellar, Chapel, Moat")
    anything = {"buy Copper", "buy Estate", "buy Cellar", "buy Chapel", "buy Moat"}
    buyer = make_agent("random-buyer")
    said = [answer(buyer, table, key) for key in KEYS]
    assert set(said) == anything
    assert all(abs(said.count(each) - len(KEYS) / 5) <= 1 for each in anything)  # the keys are evenly spread


@pytest.mark.parametrize(
    ("condition", "true_for"),
    [
        ("Gold < 2", [0, 1]),
        ("Gold <= 2", [0, 1, 2]),
        ("Gold > 2", [3, 4]),
        ("Gold >= 2", [2, 3, 4]),
        ("Gold = 2", [2]),
        ("Gold != 2", [0, 1, 3, 4]),
        ("3 * Gold - 1 > 6 - Silver", [3, 4]),  # no Silver is owned
        ("Gold / 2 > treasures / 3", [1, 2, 3, 4]),  # nothing is rounded
        ("-Gold + 2 > 0 and Gold > 0", [1]),
    ],
)
def test_conditions(condition, true_for):
    agent = make_agent(f"Duchy if {condition}")
    holds = [gold for gold in range(5) if buys(agent, 5, f"{gold} Gold" if gold else "") == "Duchy"]
    assert holds == true_for


@pytest.mark.parametrize(
    ("quantity", "number"),
    [
        ("money", 1 + 2 + 3 + 2 + 1),  # Copper, Silver, Gold, Festival, Market
        ("treasures", 3),
        ("deck", 10),
        ("terminals", 1),  # Smithy
        ("cantrips", 2),  # Market, Laboratory; Festival gives no card
        ("turn", 7),
        ("coins", 5),
        ("buys", 2),
        ("provinces", 8),
        ("left(Smithy)", 10),
        ("Smithy", 1),
        ("end", 8),
    ],
)
def test_quantities(quantity, number):
    owned = "Copper, Silver, Gold, Festival, Market, Laboratory, Smithy, Throne Room, Estate, Curse"
    agent = make_agent(f"Duchy if {quantity} = {number}")
    assert buys(agent, 5, owned, turns=[7, 6], buys=2) == "Duchy"


@pytest.mark.parametrize(
    ("players", "supply", "end"),
    [
        (2, {"Province": 5}, 5),
        (2, {"Curse": 1, "Estate": 2, "Duchy": 3, "Province": 7}, 6),
        (4, {"Curse": 0, "Estate": 2, "Duchy": 3, "Province": 7}, 5),
        (2, {"Curse": 0, "Estate": 0, "Duchy": 1, "Province": 7}, 1),
        (5, {"Curse": 1, "Estate": 2, "Duchy": 3, "Moat": 4, "Province": 12}, 10),
        (6, {"Curse": 0, "Estate": 0, "Duchy": 3, "Moat": 9, "Province": 8}, 8),
    ],
)
def test_gains_until_the_end(players, supply, end):
    position = {"players": players, "supply": supply}
    assert buys(make_agent(f"Duchy if end = {end}"), 5, "Gold", **position) == "Duchy"


@pytest.mark.parametrize("name", STRATEGIES)
def test_some_kingdom_has_all_cards_of_a_strategy(name):
    cards = STRATEGIES[name].kingdom_cards
    assert len(cards) <= 10
    assert all(card >= NUM_BASE_CARDS for card in cards)


def test_the_first_game_engine_fits_both_first_games():
    for kingdom in ("first-game-1e", "first-game-2e"):
        assert set(STRATEGIES["first-game"].kingdom_cards) <= set(KINGDOMS[kingdom])


def test_the_menus_that_provincial_evolved_are_rules_that_it_would_write_as_published():
    text = Path(named.__file__).with_name("named.txt").read_text(encoding="utf-8")
    menus = re.findall(r"^# (e\d.+)\nname: (.+)$", text, re.MULTILINE)
    assert len(menus) == 3
    assert [STRATEGIES[name].provincial() for _, name in menus] == [menu for menu, _ in menus]
