"""Strategies as text: both notations, there and back, and errors that point at the mistake."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dominion_agents import Strategy
from dominion_agents.scripted import buying
from dominion_agents.strategies.buy_list import (
    COMPARISONS,
    MOST,
    MOST_TOGETHER,
    QUANTITIES,
    WILDCARDS,
    Condition,
    Rule,
    Sum,
    Term,
)
from dominion_agents.strategies.named import STRATEGIES
from dominion_agents.strategies.ways import WAYS, Ways
from dominion_env import CARDS, Card, InvalidStrategy, make_agent
from tests.agents import buys

CARD = st.sampled_from([info.name for info in CARDS])
TERM = st.builds(
    Term,
    st.one_of(CARD, st.sampled_from(list(QUANTITIES)), CARD.map("left({})".format)),
    st.integers(1, 15),  # more could be too large together
    st.integers(1, 20),
    st.booleans(),
)
SUM = st.builds(Sum, st.lists(TERM, max_size=3).map(tuple), st.integers(-50, 50))
CONDITION = st.builds(Condition, SUM, st.sampled_from(COMPARISONS), SUM)
RULE = st.builds(Rule, st.one_of(CARD, st.sampled_from(list(WILDCARDS))), st.lists(CONDITION, max_size=3).map(tuple))
WAYS_OF_PLAYING = st.builds(Ways, **{decision: st.sampled_from(list(ways)) for decision, ways in WAYS.items()})
STRATEGY = st.builds(
    Strategy,
    st.lists(RULE, min_size=1, max_size=5).map(tuple),
    st.sampled_from(["", "mine", "Double Witch: mine"]),
    st.sampled_from(["", "a book, page 5"]),
    WAYS_OF_PLAYING,
    st.booleans(),
    st.sampled_from(["skip", "refuse"]),
    st.integers(1, 6),
)


@given(STRATEGY)
def test_what_is_written_reads_as_the_same(strategy):
    assert Strategy.parse(str(strategy)) == strategy
    assert Strategy.parse(strategy.one_line()) == strategy


@pytest.mark.slow
@given(st.integers(0, 20), st.integers(0, 20), st.integers(0, 20), st.lists(st.tuples(CARD, st.integers(0, 9))))
def test_provincials_notation_there_and_back(estate, duchy, province, menu):
    items, unlimited = [f"e{estate}-d{duchy}-p{province}"], set()
    for card, number in menu:
        if card not in unlimited:
            items.append(card.replace(" ", "") + (str(number) if number else "*"))
            unlimited |= {card} if number == 0 else set()
    text = " ".join(items)
    strategy = Strategy.parse(text)
    assert strategy.provincial() == text
    assert Strategy.parse(str(strategy)) == strategy


@pytest.mark.parametrize("name", STRATEGIES)
def test_the_projects_strategies_there_and_back(name):
    assert Strategy.parse(str(STRATEGIES[name])) == STRATEGIES[name]
    assert STRATEGIES[name].name == name


def test_the_menus_are_still_those_that_provincial_published():
    assert STRATEGIES["provincial-witch"].provincial() == "e5-d5-p8 Witch1 Gold* Witch1 Militia1 Silver*"
    assert STRATEGIES["provincial-market"].provincial() == "e3-d5-p8 Gold* Militia1 Market10 Militia1 Silver*"
    assert STRATEGIES["provincial-library"].provincial() == "e3-d5-p8 Gold* Library2 Bureaucrat1 Silver* Moat8"


@pytest.mark.parametrize(
    ("file", "menu"),
    [
        ("e5-d5-p8-witch@1|gold@99|silver@99", "e5-d5-p8 Witch1 Gold* Silver*"),
        ("E3-D5-P8-Gold@99|councilroom@2|silver@99|moat@8", "e3-d5-p8 Gold* CouncilRoom2 Silver* Moat8"),
        ("# evolved\n e2-d4-p8-witch@0|gold@1|festival@10|gold@99", "e2-d4-p8 Gold1 Festival10 Gold*"),
        ("e2-d4-p8-gold@99 |\nsilver@99", "e2-d4-p8 Gold* Silver*"),
        ("e3-d5-p8-gold@99|council room@2|throne room@1", "e3-d5-p8 Gold* CouncilRoom2 ThroneRoom1"),
        ("e3-d5-p8-council_room@2|Throne-Room@1|gold@99", "e3-d5-p8 Council Room2 Throne Room1 Gold*"),
    ],
)
def test_provincials_own_files_are_read(file, menu):
    assert Strategy.parse(file) == Strategy.parse(menu)
    assert make_agent(file).strategies[0].provincial() == Strategy.parse(menu).provincial()


@pytest.mark.parametrize(
    ("text", "column", "named"),
    [
        ("e3-d5-p8-gold@99|trading post@1|silver@99", 18, "'trading post' is no card: "),
        ("e3-d5-p8-king's court@1|gold@99", 10, '"king\'s court" is no card: '),
        ("e2-d4-p8 Gold* Trading Post1", 16, "'Trading Post' is no card: "),
        ("e2-d4-p8 Gold Silver*", 10, "such as Witch1 or Gold*, got 'Gold'\n"),
        ("e2-d4-p8-throne room|gold@99", 10, "such as Witch1 or Gold*, got 'throne room'\n"),
        ("Province; Trading Post if Gold > 1", 11, "'Trading Post' is no card: "),
        ("Province if Trading Post < 1 and Gold > 1", 13, "'Trading Post' is no card and no quantity: "),
        ("Province; Throne Rom", 11, "'Throne Rom' is no card: did you mean Throne Room?"),
        ("Gold if left(Throne Rom) < 2", 14, "expected a card in left(...): did you mean Throne Room?"),
    ],
)
def test_an_unknown_card_is_named_whole(text, column, named):
    with pytest.raises(InvalidStrategy) as raised:
        Strategy.parse(text)
    assert raised.value.column == column
    assert named in str(raised.value)


def test_what_provincials_notation_means():
    assert Strategy.parse("e2-d4-p8 Witch1 Gold* Witch1 CouncilRoom2 Copper1 Silver*").lines() == [
        "Province if provinces <= 8",
        "Duchy if provinces <= 4",
        "Estate if provinces <= 2",
        "Witch if Witch < 1",
        "Gold",
        "Witch if Witch < 2",
        "Council Room if Council Room < 2",
        "Copper if Copper < 1",  # owned, not bought: none while those of the start deck are there
        "Silver",
    ]


ITEM = st.tuples(st.sampled_from(["Copper", "Estate", "Witch", "Moat"]), st.integers(1, 4))


@pytest.mark.parametrize("before", ["# c\n", "\n \n", "\n# e1-d1-p1\r\n\t# c\n  "])
def test_provincials_notation_may_stand_below_comments_and_empty_lines(before):
    assert Strategy.parse(f"{before}e2-d4-p8 # as drawn\n Gold*  # and more") == Strategy.parse("e2-d4-p8 Gold*")


@given(
    st.lists(ITEM, min_size=1, max_size=6),
    st.dictionaries(st.sampled_from(["Copper", "Witch", "Moat"]), st.integers(0, 9)),
)
def test_a_menu_buys_what_provincial_buys(menu, owned):
    """Provincial strikes each card that is owned off the left-most place that still has one, then buys the left-most left."""
    left = [number for _, number in menu]
    for card, copies in owned.items():
        for _ in range(copies):
            place = next((place for place, item in enumerate(menu) if item[0] == card and left[place] > 0), None)
            if place is not None:
                left[place] -= 1
    expected = next((place for place in range(len(menu)) if left[place] > 0), None)
    rules = Strategy.parse("e0-d0-p0 " + " ".join(f"{card}{number}" for card, number in menu)).rules[3:]
    holds = [owned.get(rule.card, 0) < rule.conditions[0].right.constant for rule in rules]
    assert next((place for place, true in enumerate(holds) if true), None) == expected


@pytest.mark.parametrize(("owned", "coins", "bought"), [("7 Copper, 3 Estate", 2, "Moat"), ("Copper", 0, "Copper")])
def test_a_menu_counts_the_start_deck(owned, coins, bought):
    assert buys("e0-d0-p0 Copper2 Estate3 Moat*", coins, owned) == bought


@pytest.mark.parametrize("name", ["big-money", "smithy-optimised", "greedy"])
def test_what_provincials_notation_cannot_say(name):
    with pytest.raises(InvalidStrategy, match="Provincial's notation: expected Province, Duchy and Estate first"):
        STRATEGIES[name].provincial()


@pytest.mark.parametrize(
    "rule",
    [
        "Witch if Witch < 1 and coins > 5",
        "Gold if Silver < 2",
        "dearest",
        "Gold; Gold",
        "Estate if Estate <= 3",
        "Witch if Witch < 2; Witch if Witch < 2",
    ],
)
def test_a_rule_that_provincials_notation_cannot_say(rule):
    strategy = Strategy.parse(f"Province if provinces <= 8; Duchy if provinces <= 4; Estate if provinces <= 2; {rule}")
    with pytest.raises(InvalidStrategy, match=f"can't say: {rule.split('; ')[-1]}$"):
        strategy.provincial()


def test_case_spaces_comments_and_line_ends_do_not_matter():
    text = """
    # my first strategy
    NAME: mine;  guard : on
    province IF gold>0 AND 2*silver <= Treasures/3-1;;  # late
    council  room if left( throne room )!=0; DEAREST
    """
    assert str(Strategy.parse(text)) == "\n".join(
        [
            "name: mine",
            "guard: on",
            "Province if Gold > 0 and 2 * Silver <= treasures / 3 - 1",
            "Council Room if left(Throne Room) != 0",
            "dearest",
        ]
    )


def test_equal_may_be_written_twice():
    assert Strategy.parse("Gold if Gold == 0") == Strategy.parse("Gold if Gold = 0")


MISTAKES = [
    # text, line, column, what is said
    ("Province; Glod; Silver", 1, 11, "'Glod' is no card: did you mean Gold"),
    ("Province\nGold\n  Silvr if coins > 3", 3, 3, "'Silvr' is no card: did you mean Silver"),
    ("Province if Gold > 0 and Silver", 1, 32, "expected a comparison here: <, <=, >, >=, =, !="),
    ("Province if Gold > ", 1, 19, "a number, a card or one of provinces, end"),
    ("Province if provnces <= 5", 1, 13, "'provnces' is no card and no quantity: did you mean provinces or Province"),
    ("Province when Gold > 0", 1, 10, "expected 'if', ';' or a new line here"),
    ("Province if Gold > 0 Silver", 1, 22, "expected 'and', ';' or a new line here"),
    ("Province if Gold > 0 or Silver > 0", 1, 22, "write a second rule for the same card"),
    ("Province if 0 < Gold < 5", 1, 22, "one comparison at a time: join two conditions with 'and'"),
    ("Province if Gold > 0 and", 1, 25, "a number, a card or one of"),
    ("Smithy if Smithy < treasures / 0", 1, 32, "expected a whole number from 1 to 10000 here"),
    ("Smithy if Smithy < treasures / 11.5", 1, 34, "whole numbers only"),
    ("Smithy if Smithy < treasures / deck", 1, 32, "expected a whole number here"),
    ("Smithy if 0 * Smithy < 5", 1, 11, "nothing is multiplied by 0"),
    ("Smithy if Smithy < 99999", 1, 20, "a whole number from 0 to 10000"),
    ("Smithy if 5000 * Smithy * 5000 < 1", 1, 11, "numbers go up to 10000"),
    ("Smithy if Smithy < " + 5000 * "9", 1, 20, "a whole number from 0 to 10000"),
    ("Smithy if Smithy > 2 and Smithy < 5000 + 5001", 1, 35, "numbers go up to 10000, here they come to 10001"),
    ("Gold; Smithy if deck / 9973 < turn / 9967 + deck / 9949", 1, 17, "come to at most 1000000000, got 29668"),
    ("e5-d5-p8 Gold" + 5000 * "9", 1, 10, "how many is a number from 1 to 10000"),
    ("e5-d5-p" + 5000 * "8" + " Gold*", 1, 1, "thresholds go up to 10000"),
    ("Gardens if left(Gardns) = 0", 1, 17, "expected a card in left(...): did you mean Gardens"),
    ("Gardens if left Gardens = 0", 1, 17, "expected '(' here"),
    ("Gardens if left(Gardens = 0", 1, 25, "expected ')' here"),
    ("Gold; Prövinz", 1, 7, "'Prövinz' is no card: did you mean Province"),
    ("Province if Göld > 0", 1, 13, "'Göld' is no card and no quantity: did you mean Gold"),
    ("e5-d5-p8 Sïlver1", 1, 10, "'Sïlver' is no card: did you mean Silver"),
    ("# mine\n\ne5-d5-p8 Wich1", 3, 10, "'Wich' is no card: did you mean Witch"),
    ("8 Province", 1, 1, "a rule begins with a card"),
    ("Province; if Gold > 0", 1, 11, "'if' is no card"),
    ("guard: yes; Province", 1, 8, "guard: expected one of on, off, got 'yes'"),
    ("Province; trash: keep-7", 1, 18, "trash: expected one of careful, worth-7, keep-6, keep-4"),
    ("missing:; Province", 1, 9, "missing: expected one of skip, refuse, got nothing"),
    ("name: ; Province", 1, 7, "name: expected a text, got nothing"),
    ("players: 7; Province", 1, 10, "players: expected one of 1, 2, 3, 4, 5, 6, got '7'"),
    ("gard: on; Province", 1, 1, "'gard' is no setting: did you mean guard"),
    ("guard: on\nguard: off\nProvince", 2, 1, "'guard' is set twice"),
    ("e5-d5-p8-wich@1|gold@99", 1, 10, "'wich' is no card: did you mean Witch"),
    ("e5-d5-p8-gold@99|silver", 1, 18, "expected a card and how many, such as Witch1 or Gold*, got 'silver'"),
    ("e5-d5 Gold*", 1, 1, "'e5-d5': thresholds read like e2-d4-p8"),
    ("e5-d5-p8 Wich1 Gold*", 1, 10, "'Wich' is no card: did you mean Witch"),
    ("e5-d5-p8 Gold", 1, 10, "expected a card and how many, such as Witch1 or Gold*, got"),
    ("e5-d5-p8\nGold* Gold1", 2, 7, "'Gold1' would never be bought: Gold* stands before it"),
    ("e5-d5-p8 Gold0", 1, 10, "how many is a number from 1 to 10000"),
    ("e5-d5-p80000 Gold*", 1, 1, "thresholds go up to 10000"),
]


def test_factors_before_and_behind_a_quantity_multiply_each_other():
    assert Strategy.parse("Silver if 2 * Gold * 3 < 7").rules == Strategy.parse("Silver if 6 * Gold < 7").rules


def test_numbers_are_multiplied_where_others_were_divided():
    lines = buying.program(Strategy.parse("Silver if Gold / 2 >= 3")).reshape(-1, buying.LINE).tolist()
    assert lines[-1] == [buying.TEST, buying.AT_LEAST, -6]


def test_numbers_are_added_and_subtracted():
    (rule,) = Strategy.parse("Silver if Gold - 2 > 5 - Copper + 1;").rules
    assert rule.conditions[0].left == Sum((Term("Gold"),), -2)
    assert rule.conditions[0].right == Sum((Term("Copper", plus=False),), 6)


@pytest.mark.parametrize(("text", "line", "column", "message"), MISTAKES)
def test_an_error_points_at_the_mistake(text, line, column, message):
    with pytest.raises(InvalidStrategy) as caught:
        Strategy.parse(text)
    head, shown, mark = str(caught.value).split("\n")
    assert head.startswith(f"line {line}, column {column}: ")
    assert message in head
    whole = text.split("\n")[line - 1]
    if len(whole) < 100:
        assert shown == "  " + whole
        assert mark == "  " + " " * (column - 1) + "^"
    assert (whole + " ")[column - 1] == (shown + " ")[mark.index("^")]
    assert (caught.value.line, caught.value.column) == (line, column)


# A name may be any text.
@pytest.mark.parametrize(
    ("text", "line", "column", "_"), [mistake for mistake in MISTAKES if "name:" not in mistake[0]]
)
@pytest.mark.parametrize("junk", ["x" * 5000, "7" * 5000, " Gold" * 1000, ">" * 5000])
def test_an_error_is_short_however_long_the_text(text, line, column, _, junk):
    at = sum(len(before) + 1 for before in text.split("\n")[: line - 1]) + column - 1
    for longer in (text[:at] + junk + text[at:], text[:at] + junk, junk + text):
        with pytest.raises(InvalidStrategy) as caught:
            Strategy.parse(longer)
        assert len(str(caught.value)) < 1000


def test_an_error_passes_no_escape_codes_of_a_strategy_to_the_terminal():
    with pytest.raises(InvalidStrategy) as caught:
        Strategy.parse("Province\nGold; \x1b[31m\x07Silver")
    head, shown, mark = str(caught.value).split("\n")
    assert (head[:18], shown, mark) == ("line 2, column 7: ", "  Gold; ?[31m?Silver", "        ^")


@pytest.mark.parametrize("text", ["", "  \n;;", "# Province", "name: nothing"])
def test_a_strategy_has_a_rule(text):
    with pytest.raises(InvalidStrategy, match="expected at least one rule, such as 'Province; Gold; Silver', got none"):
        Strategy.parse(text)


def test_what_is_no_text_is_no_strategy():
    with pytest.raises(InvalidStrategy, match=r"a strategy: expected a text such as .*, got list"):
        Strategy.parse(["Province"])


GOLD = (Rule("Gold"),)
OWNED, NOTHING = Sum((Term("Gold"),)), Sum()
FIVE = [Term("deck", 1, over) for over in (19, 17, 13, 11, 7)]  # 323323 is the least they all divide

WRONG = [
    # made like this, what is said
    (lambda: Strategy(()), "a strategy: expected at least one rule, such as 'Province; Gold; Silver', got none"),
    (lambda: Strategy("Province"), "rules: expected a tuple of Rule, got a text: Strategy.parse('Province')"),
    (lambda: Strategy(("Province",)), "rules: expected a tuple of Rule, got ('Province',)"),
    (lambda: Strategy([Rule("Gold")]), "rules: expected a tuple of Rule, got [Rule("),
    (lambda: Strategy(GOLD, missing="no"), "missing: expected one of 'skip', 'refuse', got 'no'"),
    (lambda: Strategy(GOLD, guard="on"), "guard: expected True or False, got 'on'"),
    (lambda: Strategy(GOLD, players=7), "players: expected a whole number from 1 to 6, got 7"),
    (lambda: Strategy(GOLD, players=2.0), "players: expected a whole number from 1 to 6, got 2.0"),
    (lambda: Strategy(GOLD, players=True), "players: expected a whole number from 1 to 6, got True"),
    (lambda: Strategy(GOLD, ways="keep-6"), "ways: expected Ways such as Ways(trash='keep-6'), got 'keep-6'"),
    (lambda: Ways(trash=["keep-6"]), "trash: expected one of careful, worth-7, keep-6"),
    (lambda: Strategy(GOLD, name="a; b"), "name: expected one line without ';' and '#', got 'a; b'"),
    (lambda: Strategy(GOLD, name="a\rb"), "name: expected one line"),
    (lambda: Strategy(GOLD, name=5), "name: expected one line without ';' and '#', got 5"),
    (lambda: Strategy(GOLD, source=None), "source: expected one line without ';' and '#', got None"),
    (lambda: Rule("Glod"), "'Glod' is no card of the base game: did you mean Gold? (a rule's card may also be dearest"),
    (lambda: Rule(5), "5 is no card of the base game"),
    (lambda: Rule(["Gold"]), "['Gold'] is no card of the base game"),
    (lambda: Rule("Gold", "x"), "conditions: expected a tuple of Condition, got 'x'"),
    (lambda: Rule("Gold", ("x",)), "conditions: expected a tuple of Condition, got ('x',)"),
    (
        lambda: Rule("Gold", [Condition(OWNED, "<", NOTHING)]),
        "conditions: expected a tuple of Condition, got [Condition(",
    ),
    (lambda: Condition("Gold", "<", NOTHING), "left: expected a Sum such as Sum((Term('Gold'),)), got 'Gold'"),
    (lambda: Condition(OWNED, "<", 3), "right: expected a Sum such as Sum((Term('Gold'),)), got 3"),
    (lambda: Condition(OWNED, "~", NOTHING), "comparison: expected one of <, <=, >, >=, =, !=, got '~'"),
    (lambda: Condition(OWNED, None, NOTHING), "comparison: expected one of <, <=, >, >=, =, !=, got None"),
    (
        lambda: Condition(Sum((*FIVE, Term("turn", 3088))), "<", NOTHING),
        "come to at most 1000000000, got 1000038039",
    ),
    (lambda: Sum([Term("Gold")]), "terms: expected a tuple of Term, got [Term("),
    (lambda: Sum(("Gold",)), "terms: expected a tuple of Term, got ('Gold',)"),
    (lambda: Sum((), 10**30), "constant: expected a whole number from -10000 to 10000, got 1000"),
    (lambda: Sum((), -10001), "constant: expected a whole number from -10000 to 10000, got -10001"),
    (lambda: Sum((), 0.5), "constant: expected a whole number from -10000 to 10000, got 0.5"),
    (lambda: Term("Gold", 1.5), "times: expected a whole number from 1 to 10000, got 1.5"),
    (lambda: Term("Gold", 0), "times: expected a whole number from 1 to 10000, got 0"),
    (lambda: Term("Gold", 10**18), "times: expected a whole number from 1 to 10000, got 1000000000000000000"),
    (lambda: Term("Gold", True), "times: expected a whole number from 1 to 10000, got True"),
    (lambda: Term("Gold", 1, 0), "over: expected a whole number from 1 to 10000, got 0"),
    (lambda: Term("Gold", 1, 1, 1), "plus: expected True or False, got 1"),
    (lambda: Term("Glod"), "'Glod' is no card of the base game: did you mean Gold? (a quantity may also be left(Gold)"),
    (lambda: Term("left(Glod)"), "'Glod' is no card of the base game: did you mean Gold?"),
    (lambda: Term(None), "None is no card of the base game"),
]


@pytest.mark.parametrize(("made", "said"), WRONG)
def test_made_in_python_it_is_checked_too(made, said):
    with pytest.raises(InvalidStrategy, match=re.escape(said)):
        made()


def test_made_in_python_cards_and_numbers_become_what_a_text_has():
    gold = Condition(
        Sum((Term("GOLD", np.int8(100), np.int64(3)), Term("left(throne room)"))), "<", Sum((), np.int8(9))
    )
    made = Strategy((Rule(Card.COUNCIL_ROOM), Rule("silver", (gold,)), Rule("dearest")), players=np.int64(2))
    assert str(made) == "players: 2\nCouncil Room\nSilver if 100 * Gold / 3 + left(Throne Room) < 9\ndearest"
    assert Strategy.parse(str(made)) == made
    numbers = (made.players, gold.left.terms[0].times, gold.left.terms[0].over, gold.right.constant)
    assert {type(number) for number in numbers} == {int}


def test_the_largest_numbers_that_are_allowed_still_fit():
    terms = (*(Term("deck", MOST),) * 9, Term("deck", MOST, MOST))  # 10 * 10000 * 10000: the limit
    largest = Condition(Sum(terms, MOST), "<", Sum((), -MOST))
    program = buying.program(Strategy((Rule("Gold", (largest,)),))).reshape(-1, buying.LINE)
    factors = program[program[:, 0] == buying.TERM, 2].tolist()
    [constant] = program[program[:, 0] == buying.TEST, 2].tolist()
    assert sum(factors) > 0.8 * MOST_TOGETHER
    assert sum(factors) * 2**31 + constant < 2**63
    with pytest.raises(InvalidStrategy, match="come to at most 1000000000, got 1000010000"):
        Condition(largest.left, "<", Sum((Term("Gold"),)))


def test_a_file_is_named_after_itself(tmp_path):
    path = tmp_path / "my-witch.strategy"
    path.write_text("Province if Gold > 0\nWitch if Witch < 2\nGold; Silver\n", encoding="utf-8")
    strategy = Strategy.read(path)
    assert strategy.name == "my-witch"
    assert len(strategy.rules) == 4
    path.write_text("name: other; Gold", encoding="utf-8")
    assert Strategy.read(path).name == "other"
    path.write_text("Gold\nSilvre", encoding="utf-8")
    with pytest.raises(InvalidStrategy, match=r"my-witch.strategy, line 2, column 1: 'Silvre' is no card") as caught:
        Strategy.read(path)
    assert (caught.value.line, caught.value.column) == (2, 1)
    for text in ("Gold; Silver", "e2-d4-p8 Gold*"):
        path.write_text(text, encoding="utf-8-sig")  # begins with a byte order mark
        assert Strategy.read(path) == Strategy.parse(text, "my-witch")
    with pytest.raises(InvalidStrategy, match="name: expected one line"):
        Strategy.parse("name: \x1b[31mred; Gold")
    for wrong in (5, None, "a\0b"):
        with pytest.raises(InvalidStrategy, match="can't be read as a strategy"):
            Strategy.read(wrong)
    path.write_bytes(b"\xff\xfe\xff")
    with pytest.raises(InvalidStrategy, match="can't be read as a strategy"):
        Strategy.read(path)
    with pytest.raises(InvalidStrategy, match=r"can't be read as a strategy: .*No such file"):
        Strategy.read(tmp_path / "none.strategy")
