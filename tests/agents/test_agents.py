"""The two agents that everything else is measured by."""

import numpy as np
import pytest

import agents
from dominion_env import CARDS, NUM_ACTIONS, PASS, Card, GameBatch, InvalidOption, action_id, action_name

NO_KEYS = np.zeros(1, dtype=np.uint64)


def mask(*words):
    legal = np.zeros((1, NUM_ACTIONS), dtype=np.bool_)
    legal[0, [action_id(each) for each in words]] = True
    return legal


def answer(agent, *words):
    """What the agent does when exactly these actions are legal."""
    return action_name(int(agent.act(np.zeros((1, 1), dtype=np.float32), mask(*words), NO_KEYS)[0]))


def play(batch, acting):
    """Let one agent play all seats of all games to the end."""
    running = np.ones(batch.num_games, dtype=np.bool_)
    while running.any():
        actions = acting.act(batch.observe(), batch.action_mask, batch.policy_keys())
        _, terminated, truncated = batch.step(actions)
        running &= ~(terminated | truncated)
    return batch


@pytest.fixture
def big_money():
    return agents.make("big-money")


@pytest.mark.parametrize(
    ("coins", "bought"),
    [
        (0, "pass"),
        (2, "pass"),
        (3, "buy Silver"),
        (5, "buy Silver"),
        (6, "buy Gold"),
        (7, "buy Gold"),
        (8, "buy Province"),
        (20, "buy Province"),
    ],
)
def test_big_money_buys_province_gold_silver(big_money, coins, bought):
    affordable = [f"buy {info.name}" for info in CARDS if info.cost <= coins]
    assert answer(big_money, "pass", *affordable) == bought


def test_big_money_takes_the_next_best_when_a_pile_is_empty(big_money):
    assert answer(big_money, "pass", "buy Gold", "buy Duchy", "buy Copper") == "buy Gold"
    assert answer(big_money, "pass", "buy Duchy", "buy Curse", "buy Copper") == "pass"


def test_big_money_plays_all_treasures_before_it_buys(big_money):
    assert answer(big_money, "pass", "play Copper", "play Gold", "buy Gold", "buy Copper") == "play Gold"
    assert answer(big_money, "pass", "play Copper", "buy Gold") == "play Copper"


def test_big_money_discards_dead_cards_first_then_the_cheapest(big_money):
    assert answer(big_money, "discard Gold", "discard Estate", "discard Copper") == "discard Estate"
    assert answer(big_money, "discard Gold", "discard Province", "discard Copper") == "discard Province"
    assert answer(big_money, "discard Gold", "discard Silver", "discard Copper") == "discard Copper"
    assert answer(big_money, "pass", "discard Copper", "discard Curse") == "discard Curse"
    assert answer(big_money, "pass", "discard Copper", "discard Gold") == "pass"


def test_big_money_gives_up_as_little_as_it_can(big_money):
    assert answer(big_money, "trash Silver", "trash Gold") == "trash Silver"
    assert answer(big_money, "topdeck Estate", "topdeck Province").startswith("topdeck")
    assert answer(big_money, "pass", "trash Silver", "trash Gold") == "pass"


def test_big_money_answers_what_a_position_may_put_to_it(big_money):
    assert answer(big_money, "pass", "reveal Moat") == "reveal Moat"
    assert answer(big_money, "pass", "play Smithy", "play Village") == "play Smithy"
    assert answer(big_money, "gain Silver", "gain Copper", "gain Estate") == "gain Silver"
    assert answer(big_money, "gain Estate", "gain Curse").startswith("gain")
    assert answer(big_money, "trash Curse", "discard Curse", "topdeck Curse") == "trash Curse"
    assert answer(big_money, "trash Estate", "discard Estate", "topdeck Estate") == "discard Estate"
    assert answer(big_money, "trash Gold", "discard Gold", "topdeck Gold") == "topdeck Gold"
    assert answer(big_money, "pass", "discard deck") == "pass"


def test_big_money_owns_nothing_but_treasures_estates_and_provinces(big_money):
    batch = play(GameBatch(16, kingdom="first-game-2e", auto_treasures=True, autoreset=False), big_money)
    owned = batch.state["owned"].sum(axis=(0, 1))
    assert {Card(card) for card in np.flatnonzero(owned)} == {
        Card.COPPER,
        Card.SILVER,
        Card.GOLD,
        Card.ESTATE,
        Card.PROVINCE,
    }
    assert (batch.final.ended == 1).all()


@pytest.mark.compiled
def test_big_money_plays_treasures_itself_just_as_well(big_money):
    options = {"kingdom": "first-game-2e", "autoreset": False, "seed": 4}
    asked = play(GameBatch(16, auto_treasures=False, **options), big_money)
    automatic = play(GameBatch(16, auto_treasures=True, **options), big_money)
    np.testing.assert_array_equal(asked.scores, automatic.scores)
    np.testing.assert_array_equal(asked.turns, automatic.turns)


def test_random_does_everything_that_is_legal_about_equally_often():
    masks = np.repeat(mask("pass", "buy Copper", "buy Curse", "buy Workshop"), 4000, axis=0)
    keys = np.random.default_rng(0).integers(0, 2**64, 4000, dtype=np.uint64)
    actions = agents.make("random").act(np.zeros((4000, 1), dtype=np.float32), masks, keys)
    legal, counts = np.unique(actions, return_counts=True)
    assert legal.tolist() == np.flatnonzero(masks[0]).tolist()
    assert (abs(counts - 1000) < 150).all()


def test_random_reaches_the_first_and_the_last_legal_action():
    masks = np.repeat(mask("pass", "buy Curse", "set aside Workshop"), 2, axis=0)
    keys = np.array([0, 2**64 - 1], dtype=np.uint64)
    actions = agents.make("random").act(np.zeros((2, 1), dtype=np.float32), masks, keys)
    assert actions.tolist() == [PASS, NUM_ACTIONS - 1]


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["random", "big-money"])
def test_a_row_gets_the_same_action_in_any_batch(name):
    agent = agents.make(name)
    batch = GameBatch(32, kingdom="random", num_players=3)
    for _ in range(100):
        observations, masks, keys = batch.observe(), batch.action_mask, batch.policy_keys()
        actions = agent.act(observations, masks, keys)
        assert masks[np.arange(32), actions].all()
        order = np.random.default_rng(0).permutation(32)[:5]
        np.testing.assert_array_equal(agent.act(observations[order], masks[order], keys[order]), actions[order])
        batch.step(batch.sample_actions())


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["random", "big-money"])
@pytest.mark.parametrize("num_players", [1, 2, 4, 6])
def test_games_of_any_kingdom_come_to_an_end(name, num_players):
    batch = GameBatch(4, kingdom="random", num_players=num_players, autoreset=False)
    play(batch, agents.make(name))
    assert (batch.final.ended > 0).all()


def test_agents_by_name():
    assert {"random", "big-money"} <= set(agents.names())
    for name in agents.names():
        assert isinstance(agents.make(name), agents.Agent)
    with pytest.raises(InvalidOption, match="known are big-money, random"):
        agents.make("medium-money")
    with pytest.raises(InvalidOption, match="registered already"):
        agents.register("random", agents.RandomAgent)
