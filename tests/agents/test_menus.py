"""Random menus: what Provincial's evolution starts from, as strategies and as an agent for any kingdom."""

import re
from collections import Counter

import numpy as np
import pytest

from dominion_agents import ScriptedAgent, Strategy
from dominion_agents.choosing.menus import RandomMenu, random_menu
from dominion_env import (
    KINGDOMS,
    NUM_ACTIONS,
    Card,
    GameBatch,
    InvalidKingdom,
    InvalidOption,
    InvalidStrategy,
    UnknownCard,
    agent_names,
    make_agent,
    observation_fields,
    observation_size,
)
from dominion_env.tables.kingdoms import split
from tests.agents import answer, play
from tests.table import Table

TEN = ["Cellar", "Chapel", "Council Room", "Gardens", "Market", "Militia", "Moat", "Throne Room", "Witch", "Workshop"]


# --- what is drawn ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(30))
def test_a_menu_is_five_places_between_gold_and_silver_and_one_below(seed):
    menu = random_menu(TEN, seed)
    thresholds, gold, *items = menu.provincial().split()
    silver = items.index("Silver*")
    assert (thresholds, gold) == ("e2-d4-p8", "Gold*")
    assert places(items[:silver]) <= 5
    assert places(items[silver + 1 :]) <= 1
    assert {card.title for card in menu.kingdom_cards} <= set(TEN)
    assert Strategy.parse(menu.provincial()).rules == menu.rules
    assert Strategy.parse(str(menu)) == menu
    assert (menu.name, menu.source) == (f"random-menu:{seed}", "Provincial")


def places(items):
    return sum(int(re.search(r"\d+$", item)[0]) for item in items)


def test_each_place_holds_any_card_of_the_kingdom_and_is_taken_half_of_the_time():
    number, random = 3000, np.random.default_rng(0)
    above, below = Counter(), Counter()
    filled = []
    for _ in range(number):
        items = random_menu(TEN, random).provincial().split()[2:]
        silver = items.index("Silver*")
        for there, part in ((above, items[:silver]), (below, items[silver + 1 :])):
            for item in part:
                there[item[:-1]] += int(item[-1])
        filled.append(places(items[:silver]))
    assert len(above) == len(below) == 10
    # sums of independent draws, five standard deviations of a card's number on both sides
    assert all(abs(count - 5 * number / 20) < 5 * np.sqrt(5 * number / 20) for count in above.values())
    assert all(abs(count - number / 20) < 5 * np.sqrt(number / 20) for count in below.values())
    assert np.bincount(filled) / number == pytest.approx(np.array([1, 5, 10, 10, 5, 1]) / 32, abs=0.05)


def test_a_card_may_come_again_and_neighbours_are_added_up():
    random = np.random.default_rng(0)
    menus = [random_menu(TEN, random).provincial() for _ in range(400)]
    assert any(re.search(r" (\w+?)2 ", menu) for menu in menus)
    assert any(re.search(r" (\w+)1 \w+\d \1\d? .*Silver", menu) for menu in menus)
    assert not any(re.search(r" ([A-Za-z]+)\d \1\d", menu) for menu in menus)


def test_the_same_seed_draws_the_same_menu_for_the_same_kingdom():
    shuffled = [KINGDOMS["first-game-2e"][number] for number in (3, 1, 4, 5, 9, 2, 6, 8, 7, 0)]
    menu = random_menu("first-game-2e", 3)
    assert menu.provincial() == "e2-d4-p8 Gold* Cellar1 Market1 Silver* Smithy1"  # for ever: results are named after it
    assert random_menu(shuffled, 3) == random_menu([card.title for card in shuffled], np.int64(3)) == menu
    assert random_menu(TEN, np.random.default_rng(5)) == random_menu(TEN, np.random.default_rng(5))
    assert len({random_menu(TEN, seed).provincial() for seed in range(100)}) > 95
    # another kingdom is another draw, not the same places of another list
    taken = [tuple(map(kingdom.index, random_menu(kingdom, 3).kingdom_cards)) for kingdom in split("test")]
    assert len(set(taken)) > 50


@pytest.mark.parametrize(("num_players", "provinces"), [(1, 8), (2, 8), (3, 12), (4, 12), (5, 15), (6, 18)])
def test_a_province_is_bought_whenever_it_can_be(num_players, provinces):
    menu = random_menu(TEN, 1, num_players)
    assert menu.provincial().startswith(f"e2-d4-p{provinces} Gold*")
    assert menu.provincial().split()[1:] == random_menu(TEN, 1).provincial().split()[1:]
    assert menu.players == num_players


@pytest.mark.parametrize(
    ("kingdom", "error", "said"),
    [
        (TEN[:4], InvalidKingdom, "10 different Kingdom cards, got 4"),
        ([], InvalidKingdom, r"a list of kingdoms, got \[\]"),
        ([*TEN[:9], "Cellar"], InvalidKingdom, "10 different cards, got Cellar twice"),
        ([*TEN[:9], "Gold"], InvalidKingdom, "expected Kingdom cards, got Gold"),
        ([*TEN[:9], "Cellor"], UnknownCard, "Cellor"),
        ("atlantis", InvalidKingdom, "no kingdom is named 'atlantis'"),
        ("random", InvalidOption, "kingdom: expected one set of ten cards, .* got 'random'"),
        ("test", InvalidOption, "expected one set of ten cards"),
        ([TEN, "first-game-2e"], InvalidOption, "expected one set of ten cards"),
    ],
)
def test_a_menu_needs_one_kingdom(kingdom, error, said):
    with pytest.raises(error, match=said):
        random_menu(kingdom, 1)


@pytest.mark.parametrize("seed", [-1, 1.5, "7", None, True, np.random.RandomState(0)])
def test_a_seed_is_a_whole_number_or_a_generator(seed):
    with pytest.raises(InvalidOption, match=r"seed: expected a whole number from 0 or a numpy Generator, got"):
        random_menu(TEN, seed)
    with pytest.raises(InvalidOption, match=r"seed: expected a whole number from 0"):
        RandomMenu(seed)


@pytest.mark.parametrize("num_players", [0, 7, 2.5, 2.0, True, "2", None])
def test_a_menu_is_for_one_to_six_players(num_players):
    with pytest.raises(InvalidOption, match=r"num_players: expected a whole number from 1 to 6, got"):
        random_menu(TEN, 1, num_players)


# --- as an agent -----------------------------------------------------------------------------------------------------


@pytest.mark.compiled
@pytest.mark.parametrize("num_players", [1, 2, 5])
def test_in_each_game_it_plays_the_menu_that_is_drawn_for_its_kingdom(num_players):
    kingdoms = split("test")[:6]
    batch = GameBatch(24, num_players, [list(each) for each in kingdoms], seed=2, auto_treasures=True)
    agent = make_agent("random-menu:4")
    menus = {each: ScriptedAgent(random_menu(each, 4, num_players)) for each in kingdoms}
    met = set()
    for _ in range(60 * num_players):
        arrays = batch.observe(), batch.action_mask, batch.policy_keys()
        actions = agent.act(*arrays)
        assert actions.dtype == np.int64
        for row, kingdom in enumerate(kingdoms_of(batch)):
            met.add(kingdom)
            [action] = menus[kingdom].act(*(array[row : row + 1] for array in arrays))
            assert actions[row] == action
        batch.step(actions)
    assert met == set(menus)


def kingdoms_of(batch):
    in_game = next(field for field in observation_fields(batch.num_players) if field.name == "in_game")
    here = batch.observe()[:, in_game.start : in_game.start + in_game.size]
    return [tuple(card for card in Card if card > Card.CURSE and row[card]) for row in here]


@pytest.mark.compiled
@pytest.mark.parametrize("num_players", [1, 2, 3, 6])
def test_its_games_come_to_an_end_in_any_kingdom(num_players):
    batch = GameBatch(16, num_players, "random", auto_treasures=True, autoreset=False)
    play(batch, make_agent("random-menu:1"))
    assert (batch.final.ended < 3).all()
    assert (batch.final.ended == 1).mean() > 0.5


def test_a_name_says_the_seed():
    assert repr(make_agent("random-menu:7")) == "RandomMenu(7)"
    assert repr(make_agent("random-menu")) == "RandomMenu(0)"
    assert "random-menu" in agent_names()


@pytest.mark.parametrize(
    "name",
    [
        "random-menu:",
        "random-menu:x",
        "random-menu:-1",
        "random-menu:1.5",
        "random-menu:²",
    ],
)
def test_a_name_without_a_seed_after_its_colon_is_refused(name):
    with pytest.raises(InvalidOption, match=f"'{re.escape(name)}': expected a seed after the colon, a whole number"):
        make_agent(name)


def test_a_seed_of_too_many_digits_is_refused_in_a_few_words():
    with pytest.raises(InvalidOption, match=r"'random-menu:1+\.\.\.1+': expected a seed after the colon") as caught:
        make_agent("random-menu:" + 5000 * "1")
    assert len(str(caught.value)) < 500


def test_a_seed_may_also_be_a_setting_but_not_twice():
    assert make_agent("random-menu", seed=7).seed == 7
    with pytest.raises(InvalidOption, match="'random-menu:7': expected no second seed, got seed=7"):
        make_agent("random-menu:7", seed=7)


def test_settings_are_those_of_its_menus():
    agent = make_agent("random-menu:7", guard=True, trash="keep-6")
    assert repr(agent) == "RandomMenu(7, guard=True, trash='keep-6')"
    losing = Table(phase="buy", coins=8, supply={"Province": 1}, discards=["", "2 Province"])
    assert answer("random-menu:7", losing) == "buy Province"
    assert answer(agent, losing) == "buy Duchy"
    with pytest.raises(InvalidStrategy, match="guard: expected True or False, got 1"):
        make_agent("random-menu", guard=1)
    with pytest.raises(InvalidStrategy, match="'thrash' is no kind of decision: did you mean 'trash'"):
        make_agent("random-menu", thrash="keep-6")


def test_arrays_that_are_none_of_a_batch_are_refused():
    agent = make_agent("random-menu")
    seen, mask = np.zeros((2, observation_size(2)), np.float32), np.ones((2, NUM_ACTIONS), np.bool_)
    keys = np.zeros(2, np.uint64)
    for wrong in ((seen, mask[:1], keys), (seen, mask, keys[:1]), (seen, mask[:, 1:], keys)):
        with pytest.raises(InvalidOption, match="for 2 rows masks of shape"):
            agent.act(*wrong)
    for none in (seen[0], seen[0, 0], None, seen.tolist()):
        with pytest.raises(InvalidOption, match="observations: expected a two-dimensional array of float32"):
            agent.act(none, mask, keys)
    with pytest.raises(InvalidOption, match="1 to 6 players"):
        agent.act(seen[:, 1:], mask, keys)
    with pytest.raises(InvalidKingdom, match="kingdom: expected"):
        agent.act(seen, mask, keys)
    assert agent.act(seen[:0], mask[:0], keys[:0]).shape == (0,)
