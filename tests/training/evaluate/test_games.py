"""Sets of games: the same luck for everybody, in any batch; and agents that fail."""

from __future__ import annotations

import numpy as np
import pytest

from dominion_agents.own_code.adapters import FunctionAgent, PettingZooPolicy
from dominion_env import NUM_ACTIONS, Game, GameBatch, InvalidAgent, InvalidOption, make_agent
from dominion_env.rules.record.state import TRUNCATED
from dominion_training.play.loop import Player, Stopped
from dominion_training.play.sets import play_sets
from tests.training.evaluate import players

pytestmark = pytest.mark.compiled

OPTIONS = {"kingdom": "first-game-2e", "auto_treasures": True}
BIG_MONEY = Player("big-money", make_agent("big-money"))
RANDOM = Player("random", make_agent("random"))
LAZY = Player("lazy", FunctionAgent(players.lazy))


def test_twins_see_the_same_game_from_every_seat():
    games = play_sets([LAZY, LAZY], range(50), seed=5, **OPTIONS).reshape(50, 2)
    assert (games["rotation"] == [0, 1]).all()
    for field in ("starter", "shares", "points", "turns", "rounds", "ended"):
        assert (games[field][:, 0] == games[field][:, 1]).all()
    assert 0 < games["starter"][:, 0].mean() < 1


def test_everybody_sits_in_every_seat():
    seen = []

    class Watching:
        def __init__(self, place):
            self.place = place

        def act(self, observations, masks, keys):
            seen.append((self.place, keys.copy()))
            return BIG_MONEY.agent.act(observations, masks, keys)

    play_sets([Player(str(place), Watching(place)) for place in range(3)], range(1), **OPTIONS)
    # The keys of first decisions belong to (address, seat): each agent gets each seat's.
    batch = GameBatch(1, 3, seed=0, index=0, **OPTIONS)
    first_key = batch.policy_keys()[0]
    assert {place for place, keys in seen if first_key in keys} == {0, 1, 2}


def test_agents_that_read_the_recall_observation_are_shown_it_whatever_is_chosen():
    engine = Player("first-game", make_agent("first-game"))
    method = Player("big-money's method", FunctionAgent(BIG_MONEY.agent.act))
    right = play_sets([engine, method], range(5), **OPTIONS)
    assert play_sets([engine, method], range(5), observation="strict", **OPTIONS).tobytes() == right.tobytes()

    widths = {}

    class Watching:
        def act(self, observations, masks, keys):
            widths.setdefault("strict", []).append((observations != 0).sum(axis=1).max())
            return masks.argmax(axis=1)

    class Recalling(Watching):
        observation = "recall"

        def act(self, observations, masks, keys):
            widths.setdefault("recall", []).append((observations != 0).sum(axis=1).max())
            return masks.argmax(axis=1)

    lineup = [Player("strict", Watching()), Player("recall", Recalling())]
    play_sets(lineup, range(2), observation="strict", max_turns=3, **OPTIONS)
    assert max(widths["strict"]) < min(widths["recall"])


@pytest.mark.parametrize("lineup", [[BIG_MONEY, LAZY], [BIG_MONEY, LAZY, RANDOM]])
def test_a_game_of_a_set_is_the_game_of_its_address(lineup):
    games = play_sets(lineup, range(3, 6), seed=8, **OPTIONS)
    number = len(lineup)
    for played in games:
        game = Game(number, seed=8, index=int(played["set"]), **OPTIONS)
        sitting = {(place + played["rotation"]) % number: player for place, player in enumerate(lineup)}
        while not game.is_over:
            batch = game._batch
            given = batch.observe(), batch.action_mask, batch.policy_keys()
            game.apply(int(sitting[game.current_player].agent.act(*given)[0]))
        assert game.scores == played["points"].tolist()
        assert game.winners == np.flatnonzero(played["shares"]).tolist()
        assert game.kingdom == tuple(played["kingdom"])
        assert max(played["turns"]) == played["rounds"]


def test_how_many_are_played_at_once_makes_no_difference():
    at_once = play_sets([LAZY, RANDOM, BIG_MONEY], range(10), kingdom="random")
    one_by_one = play_sets([LAZY, RANDOM, BIG_MONEY], range(10), games_at_once=1, kingdom="random")
    later = play_sets([LAZY, RANDOM, BIG_MONEY], range(4, 10), games_at_once=7, kingdom="random")
    assert (at_once == one_by_one).all()
    assert (at_once[12:] == later).all()
    assert play_sets([LAZY, RANDOM], range(0)).shape == (0,)


def test_a_truncated_game_is_shared_by_all():
    games = play_sets([RANDOM, BIG_MONEY, BIG_MONEY], range(4), max_turns=3, **OPTIONS)
    assert (games["ended"] == TRUNCATED).all()
    assert games["shares"] == pytest.approx(1 / 3)


def test_an_agent_that_has_several_seats_is_asked_once_a_step():
    sizes = []

    def counting(observations, masks, keys):
        sizes.append(len(keys))
        return BIG_MONEY.agent.act(observations, masks, keys)

    agent = FunctionAgent(counting)
    play_sets([Player("one", agent), Player("two", agent)], range(8), **OPTIONS)
    assert max(sizes) == 16


def test_playing_stops_when_it_is_told_to():
    steps = iter(range(100))
    with pytest.raises(Stopped):
        play_sets([BIG_MONEY, BIG_MONEY], range(4), stopping=lambda: next(steps) == 5, **OPTIONS)
    assert next(steps) == 6


def failing(answer):
    return [Player("mine.py:act", FunctionAgent(answer)), BIG_MONEY]


@pytest.mark.parametrize(
    ("answer", "came"),
    [
        (
            lambda o, m, k: np.zeros(3, int),
            r"asked for 10 decisions.*expected ints of shape \(10,\).*got int64 of shape \(3,\)",
        ),
        (lambda o, m, k: np.zeros(len(k)), r"expected ints of shape \(10,\), got float64 of shape \(10,\)"),
        (lambda o, m, k: None, r"expected ints of shape \(10,\), got object of shape \(\)"),
        (
            lambda o, m, k: m.argmin(axis=1),
            r"got '.*', but player_\d is asked in the Buy.*; legal: \['pass', 'buy Copper'",
        ),
        (lambda o, m, k: np.full(len(k), NUM_ACTIONS), rf"got {NUM_ACTIONS} \(actions are 0 to {NUM_ACTIONS - 1}\)"),
        (lambda o, m, k: np.full(len(k), -1), rf"got -1 \(actions are 0 to {NUM_ACTIONS - 1}\)"),
    ],
)
def test_wrong_answers_name_the_agent_the_game_and_the_decision(answer, came):
    with pytest.raises(InvalidAgent, match=came) as raised:
        play_sets(failing(answer), range(10), seed=987654321, **OPTIONS)
    assert str(raised.value).startswith("agent mine.py:act: ")
    assert "987654321" not in str(raised.value)  # only whoever runs the games is to know it
    assert raised.value.address[0] == 987654321
    assert "legal: ['pass'" in str(raised.value)


def test_an_exception_is_traced_to_the_decision_that_raises_it():
    with pytest.raises(InvalidAgent) as raised:
        play_sets(failing(players.explodes_late), range(10), seed=987654321, **OPTIONS)
    message = str(raised.value)
    assert message.startswith("agent mine.py:act: raised RuntimeError: out of ideas (")
    assert "players.py, line " in message
    assert "987654321" not in message
    assert raised.value.address[0] == 987654321
    assert "is asked in the Buy phase to play or buy a card; legal: ['pass'" in message
    assert isinstance(raised.value.__cause__, RuntimeError)


def test_a_kingdom_that_a_network_was_not_trained_for_is_told_in_words():
    quick = Player("quick", make_agent("quick"))
    with pytest.raises(InvalidAgent, match=r"^agent quick: the model was trained for Cellar, .*\(in game \S+\)$"):
        play_sets([quick, BIG_MONEY], range(1), kingdom="size-distortion-2e", auto_treasures=True)


def test_an_agent_that_leaves_the_program_is_reported_like_an_error():
    with pytest.raises(InvalidAgent, match=r"agent mine.py:act: raised SystemExit: .*game 0: player_\d is ask"):
        play_sets(failing(players.leaves), range(10), seed=7, **OPTIONS)


@pytest.mark.parametrize("name", ["autoreset", "episode", "index", "auto_treasure"])
def test_options_that_a_set_decides_itself_are_refused(name):
    with pytest.raises(InvalidOption, match=rf"options: expected some of kingdom, .*auto_treasures.*, got {name}"):
        play_sets([BIG_MONEY, BIG_MONEY], range(1), **{name: True})


def test_a_pettingzoo_policy_is_told_its_seat():
    names = []

    def policy(observation, agent):
        names.append(agent)
        return players.last_legal(observation, agent)

    play_sets([Player("policy", PettingZooPolicy(policy)), BIG_MONEY], range(2), **OPTIONS)
    assert set(names) == {"player_0", "player_1"}


@pytest.mark.parametrize("number", [1, 7])
def test_two_to_six_sit_at_a_table(number):
    with pytest.raises(InvalidOption, match="2 to 6"):
        play_sets([BIG_MONEY] * number, range(1))


def test_a_game_that_is_over_can_not_be_played():
    over = Game(seed=1).to_dict() | {"over": True, "ended": "provinces"}
    with pytest.raises(InvalidOption, match="over"):
        play_sets([BIG_MONEY, BIG_MONEY], range(1), start=over)
