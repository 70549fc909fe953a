"""Scripted agents as agents: legal in every position, whole batches, settings, `auto`, and what they refuse."""

import pickle

import numpy as np
import pytest

import dominion_agents
from dominion_agents import ScriptedAgent, Strategy
from dominion_agents.choosing.auto import choice, choice_of_auto_2
from dominion_agents.removed import SUCCESSORS
from dominion_agents.scripted.agent import Cast
from dominion_agents.strategies.evolved import EVOLVED, EVOLVED_NAMES
from dominion_agents.strategies.named import STRATEGIES
from dominion_agents.strategies.rankings import BEST, RANKINGS
from dominion_agents.strategies.ways import Ways
from dominion_agents.trained.box import models_in_the_box
from dominion_env import (
    KINGDOMS,
    NUM_ACTIONS,
    Card,
    GameBatch,
    InvalidOption,
    InvalidStrategy,
    UnknownAgent,
    agent_names,
    make_agent,
    observation_size,
)
from dominion_env.players.agent import Agent
from dominion_env.tables.actions import action_name
from dominion_env.tables.cards import NUM_BASE_CARDS
from tests.agents import answer, buys, play
from tests.agents.networks import names_for_any_game
from tests.speed.agents import measure
from tests.table import Table
from tools.rank_strategies import kingdom_for, outcomes, shares

TEN = ["Cellar", "Chapel", "Village", "Smithy", "Market", "Militia", "Moat", "Witch", "Gardens", "Workshop"]


# --- legal, and the same in any batch --------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("edition", [1, 2])
@pytest.mark.parametrize("num_players", [1, 2, 3, 4, 5, 6])
def test_every_answer_is_legal_whatever_has_been_played_before(num_players, edition):
    """All strategies and ways of playing, in random kingdoms, at positions that random play has led to."""
    ways = [dict(zip(Ways().numbers, choice, strict=True)) for choice in _choices()]
    players = [make_agent(name) for name in names_for_any_game() if name != "random"]
    players += [make_agent("random-buyer", guard=True, **each) for each in ways]
    batch = GameBatch(
        256, num_players, "random", edition=edition, seed=edition, ask_forced=edition == 1, auto_treasures=edition == 2
    )
    for step in range(300):
        seen, mask, keys = batch.observe(), batch.action_mask, batch.policy_keys()
        agent = players[step % len(players)]
        actions = agent.act(seen, mask, keys)
        assert mask[np.arange(256), actions].all(), agent
        # half of the rows go on as the agent says, the others at random
        batch.step(np.where(np.arange(256) % 2 == 0, actions, batch.sample_actions()))


def _choices():
    """So many settings that each way of each decision is among them."""
    rows = [list(ways) for ways in dominion_agents.strategies.ways.WAYS.values()]
    return [[ways[number % len(ways)] for ways in rows] for number in range(max(map(len, rows)))]


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("name", "num_players"),
    [
        (name, num_players)
        for name in ["auto", "first-game", "random-buyer", "chapel-witch", "council-room-engine"]
        for num_players in [1, 2, 4, 6]
        if name == "auto" or num_players <= STRATEGIES[name].players
    ],
)
def test_whole_games_are_legal_and_come_to_an_end(name, num_players):
    kingdom = "random" if name == "auto" else kingdom_for(STRATEGIES[name])
    batch = GameBatch(32, num_players, kingdom, autoreset=False)
    play(batch, make_agent(name))
    assert (batch.final.ended > 0).all()
    assert (batch.final.ended < 3).all()


@pytest.mark.compiled
@pytest.mark.parametrize("name", names_for_any_game())
def test_a_row_gets_the_same_action_in_any_batch(name):
    agent = make_agent(name)
    batch = GameBatch(32, kingdom="random", num_players=3, seed=len(name))
    order = np.random.default_rng(0).permutation(32)[:7]
    for _ in range(100):
        seen, mask, keys = batch.observe(), batch.action_mask, batch.policy_keys()
        actions = agent.act(seen, mask, keys)
        assert actions.dtype == np.int64
        np.testing.assert_array_equal(agent.act(seen[order], mask[order], keys[order]), actions[order])
        batch.step(batch.sample_actions())


def test_any_layout_of_the_arrays_will_do():
    batch = GameBatch(6, kingdom=TEN, seed=3)
    seen, mask, keys = batch.observe(), batch.action_mask, batch.policy_keys()
    agent = make_agent("random-buyer")
    expected = agent.act(seen, mask, keys)
    for _ in range(2):
        np.testing.assert_array_equal(agent.act(np.asfortranarray(seen), np.asfortranarray(mask), keys), expected)
        np.testing.assert_array_equal(agent.act(seen[::-1], mask[::-1], keys[::-1]), expected[::-1])
        np.testing.assert_array_equal(agent.act(seen[::2], mask[::2], keys[::2]), expected[::2])
    assert agent.act(seen[:0], mask[:0], keys[:0]).shape == (0,)
    seen.setflags(write=False)
    np.testing.assert_array_equal(agent.act(seen, mask, keys), expected)


@pytest.mark.compiled
def test_all_arrays_are_compiled_once():
    from dominion_agents.scripted import agent as scripted

    before = len(scripted._choose.signatures)
    test_any_layout_of_the_arrays_will_do()
    assert len(scripted._choose.signatures) == max(before, 1) == 1


def test_the_hash_of_all_sources_is_part_of_the_cache_key():
    """An edit of the heuristics must never run stale code."""
    from dominion_agents.scripted import agent, book, heuristics
    from dominion_env.compiled import inner, jit

    if jit.COMPILED:
        assert jit.CACHED[agent._choose] == book.SCRIPTED_HASH
        for name in ("answer", "buy_phase") if inner.INNER else ():
            assert jit.CACHED[inner._LINKED[f"{heuristics.__name__}.{name}"]] == book.SCRIPTED_HASH


@pytest.mark.compiled
def test_treasures_played_one_by_one_come_to_the_same():
    agent = make_agent("big-money")
    options = {"kingdom": "first-game-2e", "autoreset": False, "seed": 4}
    asked = play(GameBatch(16, auto_treasures=False, **options), agent)
    automatic = play(GameBatch(16, auto_treasures=True, **options), agent)
    np.testing.assert_array_equal(asked.scores, automatic.scores)
    np.testing.assert_array_equal(asked.turns, automatic.turns)


def test_a_finished_game_and_a_question_unseen_are_answered():
    over = Table(hands=["Copper"], phase="buy", supply={"Province": 0})
    over.answer("pass")
    assert over.over
    mask = np.zeros((1, NUM_ACTIONS), np.bool_)
    mask[0, 0] = True
    nothing = np.zeros((1, observation_size(2)), np.float32)
    keys = np.zeros(1, np.uint64)
    assert make_agent("big-money").act(nothing, mask, keys)[0] == 0
    mask[0, 0], mask[0, [7, 9]] = False, True
    assert make_agent("big-money").act(nothing, mask, keys)[0] == 7


# --- the guard -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mine", "theirs", "turns", "bought"),
    [
        ("3 Estate", "10 Estate", [5, 5], "nothing"),  # 9 against 10 points
        ("4 Estate", "10 Estate", [5, 5], "Province"),  # a tie, equal turns: shared
        ("4 Estate", "10 Estate", [6, 5], "nothing"),  # a tie that fewer turns win
        ("5 Estate", "10 Estate", [6, 5], "Province"),
        ("2 Estate, Gardens, 6 Copper", "9 Estate", [5, 5], "Province"),  # the tenth card: 2 + 6 + 1
        ("2 Estate, Gardens, 5 Copper", "9 Estate", [5, 5], "nothing"),
    ],
)
def test_with_the_guard_nobody_buys_the_last_province_to_lose(mine, theirs, turns, bought):
    position = {
        "discards": [mine, theirs], "supply": {"Province": 1}, "phase": "buy", "coins": 8, "turns": turns,
    }  # fmt: skip
    assert answer("Province;", Table(**position)) == "buy Province"
    said = answer("Province;", Table(**position), guard=True)
    assert said == ("pass" if bought == "nothing" else f"buy {bought}")


@pytest.mark.parametrize(
    ("players", "empty", "bought"),
    [(2, 1, "Duchy"), (2, 2, "Silver"), (4, 2, "Silver"), (5, 2, "Duchy"), (5, 3, "Silver")],
)
def test_the_guard_looks_at_the_last_pile_that_may_run_out(players, empty, bought):
    supply = dict.fromkeys(["Curse", "Moat", "Cellar"][:empty], 0) | {"Duchy": 1}
    position = {
        "discards": ["", "2 Province"], "supply": supply, "phase": "buy", "coins": 5, "players": players,
    }  # fmt: skip
    table = Table(**position)
    assert answer("Duchy; Silver", table) == "buy Duchy"
    assert answer("guard: on; Duchy; Silver", table) == f"buy {bought}"


def test_the_guard_is_off_by_itself_counts_every_opponent_and_lets_a_winner_end():
    three = {"players": 3, "supply": {"Province": 1}, "phase": "buy", "coins": 8, "turns": [2, 2, 2]}
    assert answer("Province; Gold", Table(discards=["", "", "2 Province"], **three), guard=True) == "buy Gold"
    assert answer("Province; Gold", Table(discards=["", "2 Province", ""], **three), guard=True) == "buy Gold"
    assert answer("Province; Gold", Table(discards=["Province", "", "2 Province"], **three), guard=True) != "buy Gold"
    assert answer("Province; Gold", Table(discards=["", "2 Province", ""], **three)) == "buy Province"
    tied = Table(discards=["", "Province", "Province"], **(three | {"turns": [6, 6, 5]}))
    assert answer("Province; Gold", tied, guard=True) == "buy Gold"  # one of the two had fewer turns
    assert not any(strategy.guard for strategy in STRATEGIES.values())


def test_the_guard_gains_gardens_that_win():
    position = {"supply": {"Curse": 0, "Moat": 0, "Gardens": 1}, "phase": "buy", "coins": 4, "turns": [2, 2]}
    ten = "9 Copper"  # with Gardens ten cards
    assert answer("Gardens; Silver", Table(discards=[ten, "Estate"], **position), guard=True) == "buy Gardens"
    assert answer("Gardens; Silver", Table(discards=[ten, "2 Estate"], **position), guard=True) == "buy Silver"


def test_the_guard_also_holds_for_gains_and_wildcards():
    workshop = Table(hands=["Workshop"], discards=["", "Province"], supply={"Curse": 0, "Moat": 0, "Smithy": 1})
    workshop.answer("play Workshop")
    assert answer("Smithy; Silver", workshop) == "gain Smithy"
    assert answer("Smithy; Silver", workshop, guard=True) == "gain Silver"
    last = {"supply": {"Province": 1}, "phase": "buy", "coins": 8}
    assert answer("greedy", Table(discards=["", "2 Province"], **last), guard=True) == "buy Gold"


# --- cards outside the kingdom ---------------------------------------------------------------------------------------


def test_a_rule_for_a_card_outside_the_kingdom_is_skipped():
    assert buys("double-witch", 5, kingdom=", ".join(TEN[:7])) == "Silver"
    assert buys("double-witch", 5, kingdom="Witch") == "Witch"


def test_or_the_game_is_refused():
    message = r"strategy 'chapel-witch', game 0: Witch not in the kingdom"
    with pytest.raises(InvalidStrategy, match=message):
        buys("chapel-witch", 5, kingdom="Chapel", missing="refuse")
    assert buys("chapel-witch", 5, kingdom="Chapel, Witch", missing="refuse") == "Witch"
    with_witch, without = (GameBatch(3, kingdom=kingdom) for kingdom in (TEN, "first-game-2e"))
    rows = [(each.observe(), each.action_mask, each.policy_keys()) for each in (with_witch, without)]
    with pytest.raises(InvalidStrategy, match="game 3: Witch not in the kingdom"):
        make_agent("Witch; missing: refuse").act(*(np.concatenate(pair) for pair in zip(*rows, strict=True)))


# --- auto ------------------------------------------------------------------------------------------------------------


@pytest.mark.compiled
def test_auto_leaves_provincials_menus_to_two_players():
    """They buy Provinces when at most 8 are left, so with 12 nobody would buy the first one."""
    kingdom = [
        "Bureaucrat",
        "Harbinger",
        "Market",
        "Merchant",
        "Militia",
        "Mine",
        "Moat",
        "Poacher",
        "Remodel",
        "Vassal",
    ]
    batch = GameBatch(16, 3, kingdom, auto_treasures=True, autoreset=False)
    assert (play(batch, make_agent("auto")).final.ended == 1).all()


@pytest.mark.compiled
@pytest.mark.parametrize("num_players", [2, 3, 4, 6])
@pytest.mark.parametrize(("agent", "chosen"), [("auto-2", choice_of_auto_2), ("auto", choice)])
def test_auto_plays_what_is_best_on_a_recommended_kingdom(agent, chosen, num_players):
    auto = make_agent(agent)
    for name, kingdom in KINGDOMS.items():
        best = (STRATEGIES | EVOLVED)[chosen(kingdom, num_players)]
        assert (best.name == EVOLVED_NAMES.get(name)) == (
            agent == "auto" and num_players == 2 and name in EVOLVED_NAMES
        )
        if best.name not in EVOLVED:
            assert BEST[min(num_players, 4)].get(name, best.name) == best.name
        batch = GameBatch(16, num_players, kingdom, auto_treasures=True, seed=5)
        for _ in range(25):
            arrays = batch.observe(), batch.action_mask, batch.policy_keys()
            actions = auto.act(*arrays)
            np.testing.assert_array_equal(actions, ScriptedAgent(best).act(*arrays), err_msg=name)
            batch.step(actions)


@pytest.mark.parametrize("num_players", range(1, 7))
def test_elsewhere_auto_goes_by_the_ranking_for_so_many_players(num_players):
    ranking = RANKINGS[min(max(num_players, 2), 4)]
    for kingdom in (TEN, kingdom_for(STRATEGIES["chancellor"]), kingdom_for(STRATEGIES["htbd-1"])):
        cards = {Card.named(card) if isinstance(card, str) else card for card in kingdom}
        fits = [
            name
            for name in ranking
            if set(STRATEGIES[name].kingdom_cards) <= cards and STRATEGIES[name].players >= num_players
        ]
        assert choice(cards, num_players) == fits[0]


def test_auto_is_the_newest():
    assert type(make_agent("auto")) is type(make_agent("auto-3"))


def test_auto_chooses_for_each_game_of_a_batch():
    batch = GameBatch(64, kingdom=list(KINGDOMS.values()), auto_treasures=True)
    auto = make_agent("auto")
    arrays = batch.observe(), batch.action_mask, batch.policy_keys()
    actions = auto.act(*arrays)
    for row in range(64):
        best = (STRATEGIES | EVOLVED)[choice(batch.state["piles"][row][NUM_BASE_CARDS:].tolist())]
        alone = ScriptedAgent(best).act(*(each[row : row + 1] for each in arrays))
        assert alone[0] == actions[row]


@pytest.mark.compiled
def test_a_strategy_is_followed_at_tables_of_as_many_players_as_it_is_meant_for():
    agent = ScriptedAgent(Strategy.parse("players: 2\nEstate;"), Strategy.parse("Silver;"))
    for players, card in ((1, "Estate"), (2, "Estate"), (3, "Silver")):
        batch = GameBatch(8, players, seed=1, kingdom="first-game-2e", auto_treasures=True)
        actions = agent.act(batch.observe(), batch.action_mask, batch.policy_keys())
        assert {action_name(action) for action in actions.tolist()} - {"pass"} == {f"buy {card}"}


def test_in_a_cast_each_agent_answers_as_it_does_alone():
    """Some choose among strategies by the kingdom, one is guarded, and rows come in any order."""
    names = [
        "random-buyer",
        "Province; Witch; Gold; Silver",
        "first-game",
        "guard: on; Province; Duchy; Copper",
    ]
    agents = [make_agent("auto-2").agent_at(2), *(make_agent(name) for name in names)]
    cast, rng = Cast(agents), np.random.default_rng(3)
    batch = GameBatch(128, kingdom=list(KINGDOMS.values()), auto_treasures=True, seed=5)
    differ = 0
    for _ in range(150):
        arrays = batch.observe(), batch.action_mask, batch.policy_keys()
        numbers = rng.integers(0, len(agents), 128)
        actions = cast.in_rows(numbers).act(*arrays)
        alone = np.array([agent.act(*arrays) for agent in agents])
        np.testing.assert_array_equal(actions, alone[numbers, np.arange(128)])
        differ += int((alone != alone[0]).any(axis=0).sum())
        batch.step(actions)
    assert differ > 1000


def test_a_cast_says_which_of_its_strategies_refuses_a_kingdom():
    refusing = ScriptedAgent(Strategy.parse("missing: refuse; Witch", name="witches"))
    batch = GameBatch(2, kingdom="first-game-2e", auto_treasures=True)
    cast = Cast([make_agent("auto-2").agent_at(2), refusing, make_agent("big-money")])
    arrays = batch.observe(), batch.action_mask, batch.policy_keys()
    with pytest.raises(InvalidStrategy, match="'witches', game 1: Witch not in the kingdom"):
        cast.in_rows(np.array([2, 1])).act(*arrays)
    cast.in_rows(np.array([2, 0])).act(*arrays)


@pytest.mark.parametrize("table", RANKINGS)
def test_the_rankings_hold_every_strategy_strongest_first(table):
    assert set(RANKINGS[table]) == {name for name, each in STRATEGIES.items() if each.players >= table}
    assert list(RANKINGS[table].values()) == sorted(RANKINGS[table].values(), reverse=True)
    for kingdom, name in BEST[table].items():
        assert set(STRATEGIES[name].kingdom_cards) <= set(KINGDOMS[kingdom])
        assert STRATEGIES[name].players >= (6 if table == 4 else table)


@pytest.mark.compiled
@pytest.mark.parametrize(("first", "second"), [("workshop-gardens", "big-money"), ("smithy-optimised", "festival")])
def test_the_ranking_is_confirmed_by_play(first, second):
    pair = STRATEGIES[first], STRATEGIES[second]
    won = outcomes([ScriptedAgent(each) for each in pair], 100, seed=7, kingdom=kingdom_for(*pair))
    assert RANKINGS[2][first] > RANKINGS[2][second]
    assert won[..., 0].mean() > won[..., 1].mean() + 0.2


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("kingdom", "num_players"), [("first-game-2e", 3), ("size-distortion-1e", 4), ("size-distortion-2e", 6)]
)
def test_big_money_is_no_match_for_a_table_of_autos(kingdom, num_players):
    auto = make_agent("auto")
    won = shares([make_agent("big-money")] + [auto] * (num_players - 1), 60, 3, KINGDOMS[kingdom])
    assert won < 1 / num_players


@pytest.mark.compiled
def test_auto_is_not_starved_of_smithies():
    starving = make_agent(
        "Province if Gold > 0; Duchy if provinces <= 4; Estate if provinces <= 3; Smithy if Smithy < 9; "
        "Village if Village < 3; Gold"
    )
    for agent in ("auto", "first-game"):
        assert shares([starving, make_agent(agent)], 60, 3, KINGDOMS["first-game-2e"]) < 0.3


# --- making and refusing ---------------------------------------------------------------------------------------------


def test_every_name_makes_an_agent_that_can_be_pickled():
    table = Table(hands=["Chapel, Estate, 3 Copper"])
    for name in names_for_any_game():
        agent = make_agent(name)
        assert isinstance(agent, Agent)
        again = pickle.loads(pickle.dumps(agent))
        assert answer(again, table) == answer(agent, table)
        assert repr(again).split(" at ")[0] == repr(agent).split(" at ")[0]


def test_an_agent_of_a_strategy_in_either_notation_or_in_a_file(tmp_path):
    for name in ("Witch; Gold", "Witch if Witch < 1\nGold", "Witch if Witch < 3", "e5-d5-p8 Witch1 Gold*"):
        assert buys(make_agent(name), 5, kingdom="Witch") == "Witch"
    path = tmp_path / "mine.strategy"
    path.write_text("Witch\nGold", encoding="utf-8")
    assert buys(make_agent(str(path)), 5, kingdom="Witch") == "Witch"
    assert repr(make_agent(str(path))) == "ScriptedAgent(mine)"
    assert repr(make_agent("Witch; Gold")) == "ScriptedAgent('Witch; Gold')"
    path.rename(tmp_path / "mine.txt")
    assert buys(make_agent(str(tmp_path / "mine.txt")), 5, kingdom="Witch") == "Witch"


@pytest.mark.parametrize(
    "name", ["a;b.strategy", "#1.strategy", " led.strategy", "x if y.strategy", "e2-d2-p2.strategy"]
)
def test_a_path_that_exists_is_a_path(tmp_path, monkeypatch, name):
    (tmp_path / name).write_text("Witch; Gold", encoding="utf-8")
    for path in (str(tmp_path / name), name):
        monkeypatch.chdir(tmp_path)
        [strategy] = make_agent(path).strategies
        assert strategy.rules == Strategy.parse("Witch; Gold").rules
        assert Strategy.parse(str(strategy)) == strategy  # named so that it can be written
    with pytest.raises(InvalidStrategy, match="'none' is no card"):
        make_agent("none; " + name)


def test_a_text_too_long_for_a_path_is_a_text():
    text = "Smithy if Smithy < treasures / 11; " * 200 + "Gold"
    assert len(make_agent(text).strategies[0].rules) == 201


def test_unknown_agents_are_refused_with_the_nearest_names():
    with pytest.raises(InvalidOption, match=r"'double-which' is no agent: did you mean 'double-witch'"):
        make_agent("double-which")
    with pytest.raises(
        InvalidOption,
        match=r"'xyzzy' is no agent: known are adventurer, any, any-3p, auto, .*'Province; Gold; Silver'",
    ):
        make_agent("xyzzy")
    one_rule = r"'Province' is no agent: one rule alone needs a ';' behind it, 'Province;'; known are"
    with pytest.raises(InvalidOption, match=one_rule):
        make_agent("Province")
    assert buys(make_agent("Silver;"), 6) == "Silver"
    with pytest.raises(InvalidOption, match="expected an agent's name, got int"):
        make_agent(3)
    with pytest.raises(InvalidStrategy, match=r"nowhere\.strategy' can't be read"):
        make_agent("nowhere.strategy")
    with pytest.raises(InvalidStrategy, match="line 1, column 7: 'Glod' is no card"):
        make_agent("Gold; Glod")


@pytest.mark.parametrize("name", SUCCESSORS)
def test_a_removed_agent_names_its_successor(name):
    said = f"{name} was removed in version 0.4; {SUCCESSORS[name]} is its successor"
    for wanted in (name, f"puct:{name}:20") if (models_in_the_box().keys() & {SUCCESSORS[name]}) else (name,):
        with pytest.raises(UnknownAgent, match=said):
            make_agent(wanted)
    assert name not in agent_names()
    assert SUCCESSORS[name] in agent_names()


def test_settings_are_for_scripted_agents():
    with pytest.raises(InvalidOption, match="'random' has no such settings: expected none, got guard"):
        make_agent("random", guard=True)
    with pytest.raises(InvalidStrategy, match="guard: expected True or False, got 1"):
        make_agent("big-money", guard=1)
    assert make_agent("auto-2", guard=True).agent_at(2).strategies[0].guard
    assert "my_points" in make_agent("auto", guard=True).fields


@pytest.mark.parametrize("given", [(), ("Province",), (Strategy.parse("Gold"), None)])
def test_a_scripted_agent_is_made_of_strategies(given):
    with pytest.raises(InvalidStrategy, match="expected one or more strategies"):
        ScriptedAgent(*given)


def test_wrong_arrays_are_refused():
    batch = GameBatch(4)
    agent = make_agent("big-money")
    seen, mask, keys = batch.observe(), np.array(batch.action_mask), batch.policy_keys()
    for wrong, message in [
        ((seen[:, :-1], mask, keys), r"observations: expected rows of .* numbers .*, got \d+"),
        (
            (seen.astype(np.float64), mask, keys),
            "observations: expected a two-dimensional array of float32, got float64",
        ),
        ((seen[0], mask, keys), "observations: expected a two-dimensional array"),
        ((list(seen), mask, keys), "observations: expected a two-dimensional array of float32, got list"),
        ((seen, mask.astype(np.int8), keys), "action_masks: expected a two-dimensional array of bool, got int8"),
        ((seen, mask[:3], keys), rf"for 4 rows masks of shape \(4, {NUM_ACTIONS}\)"),
        ((seen, mask[:, :9], keys), rf"for 4 rows masks of shape \(4, {NUM_ACTIONS}\)"),
        ((seen, mask, keys[:3]), r"uint64 keys of shape \(4,\), got"),
        ((seen, mask, keys.astype(np.int64)), r"and int64 of shape \(4,\)"),
        ((seen, mask, keys.tolist()), "got bool of shape .* and list"),
        ((seen, mask, 5), "and int"),
        ((seen, mask, None), "and NoneType"),
        ((seen, None, keys), "action_masks: expected a two-dimensional array of bool, got NoneType"),
        ((None, mask, keys), "observations: expected a two-dimensional array of float32, got NoneType"),
        ((np.float32(1), mask, keys), "observations: expected a two-dimensional array of float32, got float32"),
        ((np.array(1, np.float32), mask, keys), r"got float32 of shape \(\)"),
    ]:
        with pytest.raises(InvalidOption, match=message):
            agent.act(*wrong)


@pytest.mark.compiled
def test_the_speed_of_an_agent_is_measured():
    runs = measure("double-witch", num_games=40, runs=2, batch_size=16)  # batches of 16, 16 and 8
    assert len(runs) == 2
    assert runs[0].decisions == runs[1].decisions
    assert runs[0].decisions % (2 * 40) == 0  # two games' lengths of all 40
    assert runs[0].games_per_second <= runs[1].games_per_second
    assert all(run.games > 40 and run.decisions > 30 * run.games for run in runs)
    assert set(runs[0].nanoseconds) == {"observe", "keys", "act", "step"}


@pytest.mark.parametrize(
    "name", ["big-money", "auto", "auto-2", "Province; Gold; Silver", "random-menu:3", "e2-d4-p8 Gold*"]
)
def test_with_a_check_nonsense_is_refused(name):
    batch = GameBatch(4)
    seen, mask, keys = batch.observe(), np.array(batch.action_mask), batch.policy_keys()
    agent = make_agent(name, check=True)
    assert agent.fields is None
    np.testing.assert_array_equal(agent.act(seen, mask, keys), make_agent(name).act(seen, mask, keys))
    for value in (np.nan, np.inf):
        wrong = seen.copy()
        wrong[2, 5] = value
        with pytest.raises(InvalidOption, match=f"expected finite numbers, got {value} in row 2, column 5"):
            agent.act(wrong, mask, keys)
    mask[3] = False
    with pytest.raises(InvalidOption, match="expected a legal action in each row, got none in row 3"):
        agent.act(seen, mask, keys)


def test_a_check_is_asked_for_and_goes_round_any_agent():
    assert not isinstance(make_agent("big-money"), dominion_agents.Checked)
    assert not isinstance(make_agent("big-money", check=False), dominion_agents.Checked)
    with pytest.raises(InvalidOption, match="check: expected True or False, got 1"):
        make_agent("big-money", check=1)
    checked = dominion_agents.Checked(make_agent("random"))
    assert pickle.loads(pickle.dumps(checked)).observation is None
    assert isinstance(checked, Agent)
