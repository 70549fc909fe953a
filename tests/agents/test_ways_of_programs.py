"""Ways that bear a program's name do what that program does, card by card.

Sources: github.com/techmatt/Provincial, `PlayerHeuristic.cpp`, `BuyAgenda.cpp` and `bin/data/priority.txt`; and
github.com/rspeer/dominiate, `basicAI.coffee`, whose answers for Chapel were found by running it.
"""

import numpy as np
import pytest

from dominion_agents.strategies.ways import OF_PROGRAMS, PROVINCIAL, WAYS
from dominion_training.lists.random_lists import RandomLists
from tests.agents import answer, answers
from tests.table import Table

MENU = "e2-d4-p8 Gold* Silver*"
KEYS = [number << 60 for number in range(16)]  # the highest bits of a key draw the lot


def said(table, strategy=MENU):
    """Return all that Provincial may answer."""
    return {answer(strategy, table, key, **PROVINCIAL) for key in KEYS}


def after(hand, *words, **position):
    table = Table(hands=[hand], **position)
    for each in words:
        table.answer(each)
    return table


def plays_out(table, strategy=MENU):
    return answers(strategy, table, **PROVINCIAL)


@pytest.mark.parametrize(
    ("hand", "first"),
    [
        ("Throne Room, Spy", "Throne Room"),
        ("Laboratory, Spy", "Spy"),
        ("Market, Festival", "Market"),
        ("Festival, Village", "Festival"),
        ("Village, Cellar", "Village"),
        ("Cellar, Witch", "Cellar"),
        ("Witch, Council Room", "Witch"),
        ("Smithy, Library", "Smithy"),
        ("Militia, Adventurer", "Militia"),
        ("Moneylender, Copper, Adventurer", "Moneylender"),
        ("Moneylender, Feast", "Feast"),  # no Copper
        ("Chancellor, Mine", "Chancellor"),
        ("Mine, Moat", "Mine"),
        ("Moat, Remodel", "Moat"),
        ("Remodel, Workshop", "Remodel"),
        ("Chapel, Feast", "Chapel"),
        ("Feast, Merchant", "Feast"),  # cards that it does not know come last
        # whether they do any good or not
        ("Remodel, Gold", "Remodel"),
        ("Remodel", "Remodel"),
        ("Mine, Gold", "Mine"),
        ("Chapel, Gold", "Chapel"),
        ("Throne Room", "Throne Room"),
    ],
)
def test_provincial_plays_its_actions_in_its_own_order(hand, first):
    assert said(Table(hands=[hand])) == {f"play {first}"}


def test_provincial_plays_no_moneylender_without_a_copper():
    assert said(Table(hands=["Moneylender, Silver"])) == {"pass"}


def test_remodel_is_played_by_its_way_alone():
    table = Table(hands=["Remodel, Silver"])
    assert answer("Province;", table, remodel="provincial") == "play Remodel"
    assert answer("Province;", table) == "pass"


@pytest.mark.parametrize(
    ("hand", "doubled"),
    [("Militia, Village", "Village"), ("Throne Room, Spy", "Throne Room"), ("Chapel, Feast", "Chapel")],
)
def test_provincial_doubles_what_it_would_play_first(hand, doubled):
    assert said(after(f"Throne Room, {hand}", "play Throne Room")) == {f"play {doubled}"}


@pytest.mark.parametrize(
    ("hand", "provinces", "trashed"),
    [
        ("Copper, Estate, Curse, Gold", 8, {"Curse"}),
        ("Copper, Estate, Gold", 8, {"Estate"}),
        ("Copper, Silver, Duchy", 8, {"Copper"}),
        ("Duchy, Gold, Market", 8, {"Market"}),
        ("Silver, Village, Gold", 8, {"Silver", "Village"}),  # by lot
        ("Duchy, Province", 8, {"Province"}),
        ("Duchy, Gold", 8, {"Gold"}),
        ("Curse, Gold, Province", 7, {"Gold"}),
        ("Curse, Gold, Adventurer", 7, {"Gold", "Adventurer"}),
        ("Curse, Market", 7, {"Curse"}),
    ],
)
def test_provincial_remodels(hand, provinces, trashed):
    table = after(f"Remodel, {hand}", "play Remodel", supply={"Province": provinces})
    assert said(table) == {f"trash {card}" for card in trashed}
    assert said(table, "e8-d8-p8 Gold*") == {f"trash {card}" for card in trashed}  # even an Estate that it would buy


def test_provincial_gains_by_its_menu_else_the_dearest():
    twos = {"Cellar": 0, "Moat": 0}
    assert said(after("Remodel, Copper", "play Remodel", "trash Copper")) == {"gain Cellar", "gain Moat"}
    assert said(after("Remodel, Copper", "play Remodel", "trash Copper", supply=twos)) == {"gain Estate"}
    assert said(after("Remodel, Copper", "play Remodel", "trash Copper", supply={**twos, "Estate": 0})) == {
        "gain Copper",
        "gain Curse",
    }
    few = "Gardens, Smithy, Cellar, Moat, Village, Market, Mine, Merchant, Chapel"
    workshop = after("Workshop", "play Workshop", kingdom=few)
    assert said(workshop) == {"gain Silver"}
    assert said(workshop, "e2-d4-p8 Gold*") == {"gain Smithy"}  # Gardens cost as much, but are a Victory card
    feast = after("Feast", "play Feast", kingdom="Feast")
    assert said(feast, "e2-d4-p8 Feast1 Silver*") == {"gain Silver"}  # the one that goes still counts
    assert said(feast, "e2-d4-p8 Feast2 Silver*") == {"gain Feast"}
    assert plays_out(after("Mine, Silver, Copper", "play Mine")) == ["trash Silver", "gain Gold"]
    assert plays_out(after("Mine, Copper", "play Mine")) == ["trash Copper", "gain Silver"]
    assert plays_out(after("Mine, Silver", "play Mine"), "e2-d4-p8 Silver*") == ["trash Silver", "gain Silver"]


@pytest.mark.parametrize(
    ("hand", "rest", "trashed"),
    [
        ("Chapel, Estate, Curse, Silver", "", ["Chapel", "Estate", "Curse"]),
        ("4 Copper", "Gold", ["Copper"] * 4),  # all Treasures are worth 7 before the first one goes
        ("3 Copper", "Gold", []),
        ("2 Copper", "Gold, Silver, Chapel", ["Copper", "Copper"]),
    ],
)
def test_provincials_chapel(hand, rest, trashed):
    words = plays_out(after(f"Chapel, {hand}", "play Chapel", discards=[rest]))
    assert sorted(word.removeprefix("trash ") for word in words if word != "pass") == sorted(trashed)


def test_provincials_chapel_keeps_estates_that_its_menu_buys_and_takes_four_of_more_by_lot():
    table = after("Chapel, 2 Estate", "play Chapel", supply={"Province": 2})
    assert plays_out(table) == ["pass"]
    table = after("Chapel, Estate, Curse, 3 Copper", "play Chapel", discards=["4 Gold"])
    assert said(table) == {"trash Estate", "trash Curse", "trash Copper"}


@pytest.mark.parametrize(
    ("hand", "discarded"),
    [
        ("Curse, Copper, Province, Gold, Silver", [{"Province"}, {"Curse"}]),
        ("Curse, Copper, Market, Gold, Silver", [{"Curse"}, {"Copper"}]),
        ("Silver, Village, Smithy, Gold, Gold", [{"Silver", "Village"}]),  # by lot
        ("Smithy, Witch, Gold, Gold, Gold", [{"Smithy"}, {"Witch"}]),
        ("Estate, Duchy, Copper, Copper, Copper", [{"Estate", "Duchy"}]),
    ],
)
def test_provincial_discards_to_militia(hand, discarded):
    table = Table(hands=["Militia", hand])
    table.answer("play Militia")
    for cards in discarded:
        words = said(table)
        assert words == {f"discard {card}" for card in cards}
        table.answer(sorted(words)[0])


def test_provincials_cellar():
    words = plays_out(after("Cellar, Estate, Copper, Curse, Moat, Silver, Smithy", "play Cellar"))
    assert sorted(words) == ["discard Copper", "discard Curse", "discard Estate", "discard Moat", "pass"]
    assert said(Table(hands=["Cellar, Gold"])) == {"play Cellar"}


@pytest.mark.parametrize(
    ("actions", "answered"),
    [(1, "set aside Smithy"), (2, "pass")],  # although Militia would take that Action
)
def test_provincials_library(actions, answered):
    table = Table(hands=["Library, Militia"], decks=["Smithy, 6 Copper"], actions=actions)
    table.answer("play Library")
    assert said(table) == {answered}


@pytest.mark.parametrize(
    ("mine", "theirs", "answered"),
    [
        ("Copper", "Copper", ["discard Copper", "topdeck Copper"]),
        ("Estate", "Curse", ["discard Estate", "topdeck Curse"]),
        ("Silver", "Silver", ["topdeck Silver", "discard Silver"]),
    ],
)
def test_provincials_spy_takes_copper_for_bad_in_any_deck(mine, theirs, answered):
    table = Table(hands=["Spy, Thief"], decks=[f"Gold, {mine}", theirs], discards=["9 Estate"])
    table.answer("play Spy")
    assert plays_out(table) == answered


def test_provincials_chancellor_and_moat():
    assert said(after("Chancellor", "play Chancellor", bags=["5 Gold"], discards=["5 Copper"])) == {"discard deck"}
    table = Table(hands=["Militia", "Moat, 4 Copper"])
    table.answer("play Militia")
    assert said(table) == {"reveal Moat"}


@pytest.mark.parametrize(
    ("hand", "rest", "provinces", "trashed"),
    [
        ("2 Copper, Silver", "", 8, ["Copper", "Copper"]),  # a Copper is worth no more than no card
        ("Copper, Estate, Gold", "", 8, ["Estate", "Copper"]),
        ("Copper, Estate, Gold", "Festival", 4, ["Copper", "Estate"]),  # money 6
        ("Copper, Estate, Gold", "Militia", 4, ["Estate", "Copper"]),  # Militia gives no Action back: money 4
        ("Copper, Estate, Gold, Curse", "2 Copper", 4, ["Curse", "Copper", "Estate"]),
        ("Silver, Estate", "", 2, []),
    ],
)
def test_dominiates_chapel(hand, rest, provinces, trashed):
    table = after(f"Chapel, {hand}", "play Chapel", discards=[rest], supply={"Province": provinces})
    words = answers("Province; Gold; Silver", table, trash="dominiate")
    assert [word for word in words if word != "pass"] == [f"trash {card}" for card in trashed]


def test_a_search_for_better_play_draws_no_way_of_a_program():
    lists, rng = RandomLists("first-game-1e"), np.random.default_rng(0)
    drawn = [lists.changed(rng, lists.published(rng)) for _ in range(2_000)]
    ways = {way for each in drawn for way in each.ways.changed.values()}
    assert ways
    assert not ways & set(OF_PROGRAMS)
    for row in WAYS.values():  # they stand at the end, so that what else is drawn stays the same
        flags = [way in OF_PROGRAMS for way in row]
        assert flags == sorted(flags)
