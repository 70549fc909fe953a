"""What scripted agents answer to every kind of question, card by card, and each way in which it can be set."""

import pytest

from dominion_agents.strategies.ways import WAYS, Ways
from dominion_env import InvalidStrategy, make_agent
from tests.agents import answer, answers
from tests.table import Table

MONEY = "Province; Gold; Silver"


def said(table, strategy=MONEY, **settings):
    return answer(strategy, table, **settings)


# --- the phases ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "first"),
    [
        ("Smithy, Village", "Village"),  # what gives Actions comes first
        ("Market, Festival, Village", "Village"),
        ("Market, Festival", "Festival"),
        ("Laboratory, Market", "Laboratory"),
        ("Cellar, Poacher", "Poacher"),
        ("Smithy, Cellar, Estate", "Cellar"),
        ("Smithy, Witch", "Witch"),  # terminals: attack and draw
        ("Smithy, Militia", "Smithy"),
        ("Moat, Militia", "Militia"),
        ("Merchant, Spy, Harbinger, Sentry", "Spy"),
        ("Bandit, Woodcutter", "Bandit"),
        ("Adventurer, Bureaucrat", "Adventurer"),
    ],
)
def test_which_action_first(hand, first):
    assert said(Table(hands=[hand])) == f"play {first}"


def test_other_orders_of_actions():
    hand = Table(hands=["Smithy, Witch, Village"])
    assert said(hand, actions="dearest-first") == "play Witch"
    assert said(hand, actions="never") == "pass"
    assert said(hand, actions="smithy-first") == "play Village"
    assert said(Table(hands=["Smithy, Witch"]), actions="smithy-first") == "play Smithy"


@pytest.mark.parametrize(
    ("hand", "good"),
    [
        ("Moneylender, Silver", False),  # no Copper
        ("Moneylender, Copper", True),
        ("Mine, Gold, Estate", False),  # nothing becomes better
        ("Mine, Silver", True),
        ("Chapel, Gold", False),  # nothing to trash
        ("Chapel, Estate", True),
        ("Remodel, Silver", False),  # into nothing that is wanted
        ("Remodel, Gold", True),  # into a Province
        ("Remodel, Estate", True),
        ("Workshop", True),  # for a Silver
        ("Feast", True),
        ("Library, 6 Copper", True),
        ("Library, 7 Copper", False),  # seven cards are in hand already
        ("Throne Room, Gold", False),
        ("Throne Room, Smithy", True),
        ("Throne Room, Chapel", False),
    ],
)
def test_whether_an_action_is_worth_playing(hand, good):
    assert (said(Table(hands=[hand])) != "pass") == good


def test_if_the_first_in_rank_is_of_no_use_the_next_is_played():
    assert said(Table(hands=["Moneylender, Woodcutter, Silver"])) == "play Woodcutter"  # no Copper to trash
    assert said(Table(hands=["Mine, Moneylender, Chapel, Gold"])) == "pass"  # none of the three


def test_a_workshop_is_kept_if_the_list_wants_nothing_that_it_can_gain():
    assert said(Table(hands=["Workshop"]), "Province; Gold if Gold < 9") == "pass"
    assert said(Table(hands=["Feast"]), "Province; Gold if Gold < 9") == "pass"


def test_chapel_before_other_terminals_if_it_trashes_much():
    assert said(Table(hands=["Chapel, Witch, 2 Estate"])) == "play Chapel"
    assert said(Table(hands=["Chapel, Witch, Estate"])) == "play Witch"


def test_all_treasures_are_played_before_anything_is_bought():
    table = Table(hands=["Copper, Silver, Gold"], phase="buy")
    assert answers("big-money", table)[:4] == ["play Copper", "play Silver", "play Gold", "buy Gold"]


def test_one_purchase_after_the_other_as_long_as_there_are_buys():
    table = Table(phase="buy", coins=15, buys=3, hands=["", "Copper, Estate"])
    assert answers("big-money", table)[:3] == ["buy Province", "buy Gold", "pass"]


# --- Throne Room and Vassal ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "first", "doubled"),
    [
        ("Throne Room, Smithy, Militia", "Throne Room", None),
        ("Throne Room, Smithy, Village", "Village", None),  # the terminal is left for it
        ("Throne Room, Market, Village", "Throne Room", "Market"),
        ("Throne Room, Laboratory", "Throne Room", "Laboratory"),
        ("Throne Room, Witch, Smithy, Moat", "Throne Room", "Witch"),
    ],
)
def test_throne_room_doubles_the_best(hand, first, doubled):
    table = Table(hands=[hand], decks=["5 Copper"])
    assert said(table) == f"play {first}"
    if doubled is not None:
        table.answer(f"play {first}")
        assert said(table) == f"play {doubled}"


def test_throne_room_without_an_action_left_doubles_what_gives_actions():
    table = Table(hands=["Throne Room, Smithy, Market"], decks=["5 Copper"])
    table.answer("play Throne Room")
    assert said(table) == "play Market"


def test_throne_room_with_a_harmful_target_passes_if_it_may():
    hand = {"hands": ["Throne Room, Chapel, Gold"]}
    table = Table(edition=2, **hand)
    table.answer("play Throne Room")
    assert said(table) == "pass"
    table = Table(edition=1, **hand)
    table.answer("play Throne Room")
    assert said(table) == "play Chapel"


@pytest.mark.parametrize(("found", "plays"), [("Smithy", "play Smithy"), ("Chapel", "pass"), ("Throne Room", "pass")])
def test_vassal_plays_what_is_worth_playing(found, plays):
    table = Table(hands=["Vassal, Gold"], decks=[f"{found}, Copper"])
    table.answer("play Vassal")
    assert said(table) == plays


def test_vassal_plays_a_throne_room_that_finds_something():
    table = Table(hands=["Vassal, Smithy"], decks=["Throne Room, Copper"])
    table.answer("play Vassal")
    assert said(table) == "play Throne Room"


# --- gaining ---------------------------------------------------------------------------------------------------------


def after(hand, *words, **position):
    """Return the question that stands open after these answers."""
    table = Table(hands=[hand], **position)
    for each in words:
        table.answer(each)
    return table


def test_gains_go_by_the_buy_list():
    assert said(after("Workshop", "play Workshop"), "Gold; Smithy; Silver") == "gain Smithy"
    assert said(after("Feast", "play Feast", kingdom="Witch"), "Gold; Witch; Silver") == "gain Witch"
    assert said(after("Artisan", "play Artisan", kingdom="Witch"), "Gold; Witch; Silver") == "gain Witch"
    remodel = after("Remodel, Estate", "play Remodel", "trash Estate")
    assert said(remodel, "Gold; Smithy; Silver") == "gain Smithy"


def test_what_the_list_wants_not_comes_as_a_treasure_else_as_the_dearest():
    workshop = after("Workshop", "play Workshop", supply={"Silver": 0}, kingdom="Smithy, Gardens")
    assert said(after("Workshop", "play Workshop"), "Province;") == "gain Silver"
    assert said(workshop, "Province;") == "gain Gardens"
    assert said(after("Workshop", "play Workshop", kingdom="Smithy"), "Silver;", gain="dearest") == "gain Militia"
    remodel = after("Remodel, Gold", "play Remodel", "trash Gold")
    assert said(remodel, "Silver if Silver < 0") == "gain Gold"


def test_copper_comes_before_curse():
    nothing_else = {"supply": {"Estate": 0, "Cellar": 0, "Moat": 0}}
    table = after("Remodel, Copper", "play Remodel", "trash Copper", **nothing_else)
    assert set(table.legal) == {"gain Copper", "gain Curse"}
    assert said(table, "Province;") == "gain Copper"


def test_thief_gains_silver_and_gold_but_copper_only_for_gardens():
    def stolen(treasure):
        table = Table(hands=["Thief", ""], decks=["", f"{treasure}, Estate"], kingdom="Gardens")
        table.answer("play Thief")
        table.answer(f"trash {treasure}")
        return table

    assert said(stolen("Silver")) == "gain Silver"
    assert said(stolen("Gold")) == "gain Gold"
    assert said(stolen("Copper")) == "pass"
    assert said(stolen("Copper"), "workshop-gardens") == "gain Copper"


# --- trashing --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("way", "hand", "rest", "trashed"),
    [
        # Copper as long as all Treasures are worth 7
        ("worth-7", "2 Copper, Estate, Curse", "5 Copper", ["trash Curse", "trash Estate", "trash Copper", "pass"]),
        ("worth-7", "2 Copper, Estate, Gold", "2 Copper", ["trash Estate", "trash Copper", "pass"]),
        ("worth-7", "3 Copper, Gold", "Copper", ["trash Copper", "pass"]),
        ("worth-7", "3 Copper, Gold", "", ["pass"]),
        # 6 money stay; this turn buys the same, or four cards can go
        ("keep-6", "3 Copper", "6 Copper", ["pass"]),  # a Silver would be lost
        ("keep-6", "4 Copper", "6 Copper", ["trash Copper", "trash Copper", "trash Copper", "trash Copper"]),
        ("keep-6", "4 Copper", "Silver", ["pass"]),  # only 6 money
        ("keep-6", "Estate, 4 Copper", "3 Copper", ["trash Estate", "trash Copper", "pass"]),  # 7 money, then 6
        ("keep-4", "3 Copper", "3 Copper", ["pass"]),
        ("keep-4", "3 Copper", "4 Copper", ["trash Copper", "trash Copper", "trash Copper"]),
        # Estate, Copper if money > 4
        ("spare-5", "Copper, Estate", "3 Copper", ["trash Estate", "pass"]),
        ("spare-5", "Copper, Estate", "4 Copper", ["trash Estate", "trash Copper"]),
        ("curses", "2 Copper, Estate, Curse", "5 Copper", ["trash Curse", "pass"]),
    ],
)
def test_chapel(way, hand, rest, trashed):
    table = Table(hands=[f"Chapel, {hand}"], discards=[rest])
    table.answer("play Chapel")
    assert answers(MONEY, table, trash=way)[: len(trashed)] == trashed
    assert len(trashed) == 4 or trashed[-1] == "pass" or table.decision.kind == "action"


def test_chapel_keeps_what_the_list_would_buy():
    table = after("Chapel, Estate, Copper", "play Chapel", discards=["9 Copper"])
    assert answers("Province; Estate; Copper", table) == ["pass"]
    table = after("Chapel, Estate", "play Chapel", supply={"Province": 2})
    assert said(table, "provincial-big-money") == "pass"
    table = after("Chapel, Estate", "play Chapel", supply={"Province": 3})
    assert said(table, "provincial-big-money") == "trash Estate"


def test_chapel_spares_five_coins_for_the_witch():
    hand = {"discards": ["5 Copper, Gold"], "kingdom": "Witch"}
    assert said(after("Chapel, 5 Copper", "play Chapel", **hand), "chapel-witch") == "pass"
    assert said(after("Chapel, 4 Copper", "play Chapel", **hand), "chapel-witch") == "trash Copper"
    owned = {"discards": ["5 Copper, Gold, Witch"]}
    assert said(after("Chapel, 5 Copper", "play Chapel", **owned), "chapel-witch") == "trash Copper"


@pytest.mark.parametrize(("left", "trashed"), [(5, "Estate"), (4, "Copper"), (2, "Copper")])
def test_chapel_that_spares_five_keeps_estates_towards_the_end(left, trashed):
    table = after("Chapel, Copper, Estate", "play Chapel", supply={"Province": left}, discards=["4 Copper"])
    assert said(table, trash="spare-5") == f"trash {trashed}"
    last = after("Chapel, Copper, Estate", "play Chapel", supply={"Province": left})
    expected = "trash Estate" if left > 2 else "pass"
    assert said(last, trash="spare-5") == expected


@pytest.mark.parametrize(
    ("hand", "strategy", "trashed"),
    [
        ("Curse, Estate, Gold", MONEY, "Curse"),
        ("Estate, Gold", MONEY, "Estate"),
        ("Copper, Silver, Province", "Province; Laboratory; Silver", "Silver"),  # Silver into Laboratory
        ("Copper, Gold", "Gold; Silver", "Copper"),  # it must be something
    ],
)
def test_remodel(hand, strategy, trashed):
    table = after(f"Remodel, {hand}", "play Remodel", kingdom="Laboratory")
    assert said(table, strategy) == f"trash {trashed}"


def test_remodel_makes_provinces_of_gold_once_one_is_gone():
    assert said(after("Remodel, Gold, Estate", "play Remodel", supply={"Province": 8})) == "trash Estate"
    gone = {"supply": {"Province": 7}}
    assert said(after("Remodel, Gold, Estate", "play Remodel", **gone)) == "trash Gold"
    assert said(after("Remodel, Gold, Estate", "play Remodel", **gone), remodel="junk") == "trash Estate"
    assert said(after("Remodel, Gold, Estate", "play Remodel", **gone), "Gold; Silver") == "trash Estate"
    assert said(after("Remodel, Province, Adventurer", "play Remodel", **gone)) == "trash Adventurer"
    assert said(after("Remodel, Duchy, Gold", "play Remodel")) == "trash Gold"  # points are kept, Gold could be had
    three = {"supply": {"Province": 11}, "players": 3}
    assert said(after("Remodel, Gold, Estate", "play Remodel", **three)) == "trash Gold"


def test_remodel_of_junk_only():
    assert said(Table(hands=["Remodel, Silver"]), "Gold; Smithy; Market", remodel="junk") == "pass"
    assert said(Table(hands=["Remodel, Silver"]), "Gold; Smithy; Market") == "play Remodel"


@pytest.mark.parametrize(
    ("way", "hand", "supply", "answered"),
    [
        ("silver-first", "Copper, Silver", {}, ["trash Silver", "gain Gold"]),
        ("copper-first", "Copper, Silver", {}, ["trash Copper", "gain Silver"]),
        ("silver-first", "Copper, Silver", {"Gold": 0}, ["trash Copper", "gain Silver"]),
        ("silver-first", "Copper, Gold", {"Silver": 0}, ["pass"]),
        ("silver-first", "Gold", {}, ["pass"]),
    ],
)
def test_mine(way, hand, supply, answered):
    table = after(f"Mine, {hand}", "play Mine", supply=supply)
    assert answers(MONEY, table, mine=way) == answered


def test_mine_in_the_first_edition_turns_over_a_gold():
    table = after("Mine, Gold, Copper", "play Mine", supply={"Silver": 0}, edition=1)
    assert answers(MONEY, table) == ["trash Gold", "gain Gold"]
    table = after("Mine, Copper, Gold", "play Mine", supply={"Silver": 0, "Gold": 0}, edition=1)
    assert said(table) == "trash Copper"


@pytest.mark.parametrize("edition", [1, 2])
def test_moneylender_trashes_a_copper(edition):
    assert said(after("Moneylender, Copper", "play Moneylender", edition=edition)) == "trash Copper"


def test_sentry_trashes_bad_cards_discards_dead_ones_and_puts_the_better_card_on_top():
    def sorted_cards(first, second, strategy=MONEY, left=8, **settings):
        supply = {"Province": left}
        table = Table(hands=["Sentry"], decks=[f"Copper, {first}, {second}"], discards=["9 Copper"], supply=supply)
        table.answer("play Sentry")
        return answers(strategy, table, **settings)

    assert sorted_cards("Curse", "Copper") == ["trash Copper", "trash Curse"]
    assert sorted_cards("Estate", "Silver") == ["trash Estate", "topdeck Silver"]
    assert sorted_cards("Gold", "Silver") == ["topdeck Silver", "topdeck Gold"]
    assert sorted_cards("Province", "Silver") == ["discard Province", "topdeck Silver"]
    assert sorted_cards("Estate", "Silver", trash="spare-5") == ["trash Estate", "topdeck Silver"]
    assert sorted_cards("Estate", "Silver", trash="spare-5", left=2) == ["discard Estate", "topdeck Silver"]
    assert sorted_cards("Estate", "Copper", trash="curses") == ["discard Estate", "topdeck Copper"]


def test_thief_trashes_the_best_treasure():
    table = Table(hands=["Thief", ""], decks=["", "Copper, Gold"])
    table.answer("play Thief")
    assert said(table) == "trash Gold"


def test_the_victim_of_bandit_gives_up_the_cheaper_treasure():
    table = Table(hands=["Bandit", ""], decks=["", "Gold, Silver"])
    table.answer("play Bandit")
    assert said(table) == "trash Silver"


# --- discarding ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("way", "hand", "discarded"),
    [
        ("dead-then-cheapest", "Gold, Estate, Copper, Silver, Province", ["Estate", "Province"]),
        ("dead-then-cheapest", "Gold, Curse, Copper, Silver, Silver", ["Curse", "Copper"]),
        ("dead-then-cheapest", "Gold, Silver, Silver, Militia, Smithy", ["Militia", "Silver"]),  # one terminal too many
        ("dead-then-cheapest", "Village, Copper, Silver, Militia, Smithy", ["Copper", "Silver"]),
        ("dead-then-cheapest", "Gold, Gold, Gold, Gold, Smithy", ["Smithy", "Gold"]),
        ("treasures-first", "Gold, Gold, Gold, Gold, Smithy", ["Gold", "Gold"]),
    ],
)
def test_militia(way, hand, discarded):
    table = Table(hands=["Militia", hand])
    table.answer("play Militia")
    assert answers(MONEY, table, discard=way) == [f"discard {card}" for card in discarded]


def test_poacher_discards_what_is_missed_least():
    table = Table(hands=["Poacher, Copper, Province, Gold"], decks=["Silver"], supply={"Curse": 0, "Moat": 0})
    table.answer("play Poacher")
    assert answers(MONEY, table)[:2] == ["discard Province", "discard Copper"]


@pytest.mark.parametrize(
    ("way", "discarded"),
    [("cheap", ["Copper", "Estate", "Curse", "Moat", "pass"]), ("dead", ["Estate", "Curse", "pass"])],
)
def test_cellar(way, discarded):
    table = after("Cellar, Estate, Copper, Curse, Moat, Silver", "play Cellar")
    words = [card if card == "pass" else f"discard {card}" for card in discarded]
    assert answers(MONEY, table, cellar=way)[: len(words)] == words


def test_spy_keeps_good_cards_on_its_own_deck_and_bad_ones_on_others():
    def spied(mine, theirs, discards="9 Copper"):
        table = Table(hands=["Spy"], decks=[f"Copper, {mine}", theirs], discards=[discards])
        table.answer("play Spy")
        first = said(table)
        table.answer(first)
        return first, said(table)

    assert spied("Estate", "Estate") == ("discard Estate", "topdeck Estate")
    assert spied("Gold", "Gold") == ("topdeck Gold", "discard Gold")
    assert spied("Smithy", "Smithy") == ("topdeck Smithy", "discard Smithy")
    assert spied("Copper", "Copper", "9 Gold") == ("discard Copper", "topdeck Copper")
    assert spied("Copper", "Copper", "Silver") == ("discard Copper", "topdeck Copper")  # one coin a card, exactly
    assert spied("Copper", "Copper", "9 Estate") == ("topdeck Copper", "topdeck Copper")


@pytest.mark.parametrize(
    ("way", "deck", "discard", "answered"),
    [
        ("if-worse", "5 Copper", "5 Gold", "discard deck"),
        ("if-worse", "5 Gold", "5 Copper", "pass"),
        ("if-worse", "5 Copper", "5 Copper", "discard deck"),  # Chancellor itself gives two coins
        ("if-worse", "", "5 Gold", "pass"),  # no deck, nothing to discard
        ("always", "5 Gold", "5 Copper", "discard deck"),
        ("never", "5 Copper", "5 Gold", "pass"),
    ],
)
def test_chancellor(way, deck, discard, answered):
    table = after("Chancellor", "play Chancellor", bags=[deck], discards=[discard])
    assert said(table, chancellor=way) == answered


# --- onto the deck, revealing, setting aside -------------------------------------------------------------------------


def test_harbinger_puts_back_the_dearest_that_is_of_use():
    def found(discard, **settings):
        return said(after("Harbinger", "play Harbinger", decks=["Copper"], discards=[discard]), **settings)

    assert found("Province, Gold, Silver, Copper") == "topdeck Gold"
    assert found("Smithy, Silver") == "topdeck Smithy"
    assert found("Province, Copper, Curse") == "pass"
    assert found("Gold, Silver", topdeck="never") == "pass"


def test_artisan_puts_back_what_this_turn_can_do_without():
    def put_back(hand, **position):
        table = after(f"Artisan, {hand}", "play Artisan", "gain Duchy", **position)
        return said(table, "Province; Gold; Smithy; Silver")

    assert put_back("Smithy, Gold") == "topdeck Smithy"  # no Action is left
    assert put_back("Smithy, Gold", actions=2) != "topdeck Smithy"
    assert put_back("Throne Room, 2 Moat", actions=2) == "topdeck Throne Room"  # one Action for three
    assert put_back("2 Gold, 2 Silver") == "topdeck Silver"  # a Province is bought all the same
    assert put_back("2 Gold") == "topdeck Duchy"
    assert put_back("Copper, Silver, Estate") == "topdeck Estate"


def test_the_victim_of_bureaucrat_puts_back_a_victory_card():
    table = Table(hands=["Bureaucrat", "Estate, Province, Gold"])
    table.answer("play Bureaucrat")
    assert said(table) in ("topdeck Estate", "topdeck Province")


@pytest.mark.parametrize(("way", "answered"), [("reveal", "reveal Moat"), ("never", "pass")])
def test_moat(way, answered):
    table = Table(hands=["Militia", "Moat, 4 Copper"])
    table.answer("play Militia")
    assert said(table, moat=way) == answered


@pytest.mark.parametrize(
    ("way", "actions", "hand", "found", "answered"),
    [
        ("set-aside-dead", 1, "Copper", "Village", "set aside Village"),  # no Action left
        ("set-aside-dead", 2, "Copper", "Village", "pass"),
        ("set-aside-dead", 2, "Copper", "Smithy", "pass"),
        ("set-aside-dead", 2, "Militia", "Smithy", "set aside Smithy"),
        ("keep", 1, "Copper", "Smithy", "pass"),
        ("set-aside-dead", 2, "Throne Room", "Smithy", "pass"),  # a Throne Room takes no Action from it
    ],
)
def test_library(way, actions, hand, found, answered):
    table = Table(hands=[f"Library, {hand}"], decks=[f"{found}, 6 Copper"], actions=actions)
    table.answer("play Library")
    assert said(table, library=way) == answered


# --- blunders that are not made ---------------------------------------------------------------------------------------


def test_remodel_spares_the_silver_that_makes_a_province():
    nine = "2 Gold, Silver, Copper"  # with Remodel in play
    strategy = "Province; Gold; Market; Silver"
    assert said(Table(hands=[f"Remodel, {nine}"], kingdom="Market"), strategy) != "play Remodel"
    table = after(f"Remodel, {nine}, Estate", "play Remodel", kingdom="Market")
    assert said(table, strategy) == "trash Estate"
    assert said(after(f"Remodel, {nine}", "play Remodel", kingdom="Market"), strategy) != "trash Silver"


def test_remodel_spares_the_gold_that_buys_a_province():
    gone = {"supply": {"Province": 7}}
    assert said(after("Remodel, 2 Gold, Silver, Estate", "play Remodel", **gone)) == "trash Estate"
    assert said(after("Remodel, 3 Gold, Silver", "play Remodel", **gone)) == "trash Gold"  # 8 coins are left
    assert said(after("Remodel, 2 Gold, Estate", "play Remodel", **gone)) == "trash Gold"


def test_cellar_keeps_the_coppers_that_make_8_coins():
    table = after("Cellar, 2 Gold, 2 Copper, Estate", "play Cellar")
    assert answers(MONEY, table)[:2] == ["discard Estate", "pass"]
    table = after("Cellar, 2 Gold, 3 Copper, Estate", "play Cellar")
    assert answers(MONEY, table)[:3] == ["discard Copper", "discard Estate", "pass"]  # one too many


def test_cellar_keeps_chapel_and_its_estates():
    assert said(Table(hands=["Cellar, Chapel, 3 Estate"])) == "play Chapel"  # nothing for Cellar to discard
    table = after("Cellar, Chapel, 2 Estate, Province, Copper", "play Cellar", discards=["7 Copper"])
    assert "discard Province" in (sent := answers(MONEY, table))
    assert not {"discard Chapel", "discard Estate"} & set(sent)


def test_cellar_discards_a_terminal_that_can_not_be_played():
    table = after("Cellar, Smithy, Moat", "play Cellar")
    assert answers(MONEY, table)[:2] == ["discard Moat", "pass"]
    assert said(after("Cellar, Moat, Estate", "play Cellar")) == "discard Estate"


def test_chapel_keeps_the_coppers_that_make_8_coins():
    rich = {"discards": ["9 Copper"]}
    assert said(Table(hands=["Chapel, 2 Gold, 2 Copper"], **rich)) == "pass"
    assert said(after("Chapel, 2 Gold, 2 Copper, Estate", "play Chapel", **rich)) == "trash Estate"
    table = after("Chapel, 2 Gold, 3 Copper, Estate", "play Chapel", **rich)
    assert answers(MONEY, table)[:3] == ["trash Estate", "trash Copper", "pass"]
    assert said(after("Chapel, 4 Copper", "play Chapel", **rich)) == "trash Copper"  # a Silver is given up for that


@pytest.mark.parametrize(("left", "answered"), [(1, "pass"), (2, "pass"), (3, "trash Estate")])
def test_chapel_keeps_estates_when_the_game_is_about_to_end(left, answered):
    assert said(after("Chapel, 3 Estate", "play Chapel", supply={"Province": left})) == answered


def test_throne_room_doubles_throne_room_if_two_other_actions_are_in_hand():
    table = Table(hands=["2 Throne Room, Smithy, Militia"], decks=["9 Copper"])
    assert answers(MONEY, table)[:1] == ["play Throne Room"]
    assert said(table) == "play Throne Room"
    one = Table(hands=["2 Throne Room, Smithy"], decks=["9 Copper"])
    one.answer("play Throne Room")
    assert said(one) == "play Smithy"
    none = Table(hands=["2 Throne Room, 2 Chapel"], decks=["9 Copper"])  # neither is worth playing
    assert said(none) == "pass"


def test_throne_room_doubles_laboratory_if_a_second_smithy_would_stay_in_hand():
    table = Table(hands=["Throne Room, 2 Smithy, Laboratory"], decks=["9 Copper"])
    assert said(table) == "play Throne Room"
    table.answer("play Throne Room")
    assert said(table) == "play Laboratory"
    enough = Table(hands=["Throne Room, Smithy, Laboratory"], decks=["9 Copper"])
    assert said(enough) == "play Laboratory"
    weak = Table(hands=["Throne Room, Witch, Moat, Laboratory"], decks=["9 Copper"])  # a Moat is no loss
    assert said(weak) == "play Laboratory"


@pytest.mark.parametrize("treasure", ["Silver", "Gold"])
def test_spy_leaves_silver_and_gold_to_a_thief_in_hand(treasure):
    def spied(hand, **settings):
        table = Table(hands=[hand], decks=["2 Copper", f"{treasure}, Copper"])
        table.answer("play Spy")
        table.answer("topdeck Copper")
        return said(table, **settings)

    assert spied("Spy, Thief") == f"topdeck {treasure}"
    assert spied("Spy, Thief", spy="discard-good") == f"discard {treasure}"
    assert spied("Spy") == f"discard {treasure}"


def test_other_ways_of_throne_room_and_sentry():
    hand = Table(hands=["Throne Room, Laboratory, Witch"], decks=["9 Copper"])
    assert said(hand) == "play Laboratory"
    assert said(hand, actions="throne-first") == "play Throne Room"
    table = Table(hands=["Sentry"], decks=["Gold, 2 Copper"])
    table.answer("play Sentry")
    assert said(table, trash="coppers") == "trash Copper"
    assert said(table) == "topdeck Copper"


@pytest.mark.parametrize(
    ("hand", "kept"),
    [
        ("Moneylender, Copper, 2 Silver, Estate", "Copper, Moneylender, Silver"),  # the only Copper
        ("Chapel, 2 Estate, 2 Copper", "Chapel, Estate, Estate"),
        ("Remodel, 2 Estate, 2 Copper", "Copper, Estate, Remodel"),
        ("Mine, 2 Gold, 2 Silver", "Gold, Gold, Silver"),
        ("Mine, Gold, 2 Silver, Copper", "Gold, Mine, Silver"),
        ("Village, 3 Silver, Gold", "Gold, Silver, Silver"),
        ("Village, Smithy, 2 Silver, Gold", "Gold, Smithy, Village"),  # not alone
        ("Throne Room, 2 Silver, Copper, Gold", "Gold, Silver, Silver"),
        ("Throne Room, Smithy, 2 Silver, Copper", "Silver, Smithy, Throne Room"),
        ("Chapel, Estate, 3 Silver", "Silver, Silver, Silver"),  # one Estate is not worth a Gold
    ],
)
def test_the_victim_of_militia_keeps_what_its_actions_need(hand, kept):
    table = Table(hands=["Militia", hand])
    table.answer("play Militia")
    answers(MONEY, table)
    assert sorted(list(table)[1].hand) == kept.split(", ")


# --- the ways --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("decision", WAYS)
def test_every_way_has_a_name_and_the_first_is_what_an_agent_does_by_itself(decision):
    plain = Ways()
    assert getattr(plain, decision) == next(iter(WAYS[decision]))
    for way in WAYS[decision]:
        assert getattr(plain.but(**{decision: way}), decision) == way


def test_unknown_ways_are_refused():
    with pytest.raises(
        InvalidStrategy, match=r"trash: expected one of careful, worth-7, .*, got 'keep-5'; did you mean 'keep-"
    ):
        make_agent("big-money", trash="keep-5")
    with pytest.raises(InvalidStrategy, match="'trashes' is no kind of decision: did you mean 'trash'"):
        make_agent("big-money", trashes="keep-6")
    with pytest.raises(InvalidStrategy, match="there are actions, discard"):
        make_agent("big-money", xyz="keep-6")
