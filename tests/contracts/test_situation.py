"""An agent that searches is asked by `decide` wherever it plays, and is given nothing that its seat can't know."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from dominion_agents import Checked
from dominion_app.play.table import GameTable
from dominion_env import (
    CARDS,
    Event,
    Game,
    GameBatch,
    IllegalAction,
    InvalidAgent,
    InvalidOption,
    SB3VecEnv,
    Situation,
    ask,
    make_agent,
)
from dominion_env.players.agent import ask_later, gains_for
from dominion_env.players.situation import Gains, situation_of
from dominion_env.views.learner import LearnerBatch
from tests.properties import bits, play, sized
from tests.properties.test_worlds import KINDS, contents, dealt_anew_in_secret, in_mid_game, name_of

OPTIONS: dict[str, Any] = {"kingdom": "first-game-2e", "auto_treasures": True, "max_turns": 4}
ROOT = Path(__file__).parents[2]


class Witness:
    """A searcher that plays the first legal action, and keeps what it was given."""

    def __init__(self) -> None:
        self.given: list[Situation] = []

    def act(self, *_: Any) -> Any:
        raise AssertionError("an agent with `decide` is not asked by `act`")

    def decide(self, situation: Situation) -> Any:
        assert len(situation) == len(situation.keys) == len(situation.observations) == len(situation.games)
        np.testing.assert_array_equal(situation.games.current_player, situation.seats)
        np.testing.assert_array_equal(situation.games.action_mask, situation.action_masks)
        np.testing.assert_array_equal(situation.games.observe(), situation.observations)
        self.given.append(situation)
        return situation.action_masks.argmax(axis=1)

    @property
    def longest(self) -> int:
        return max(each.gains.shape[2] for each in self.given)


class Buyer(Witness):
    """A searcher that takes the last legal action, which buys something where it can."""

    def decide(self, situation: Situation) -> Any:
        super().decide(situation)
        return situation.action_masks.shape[1] - 1 - situation.action_masks[:, ::-1].argmax(axis=1)


# Everywhere that an agent plays.


def test_in_matches() -> None:
    from dominion_training.play.loop import Player
    from dominion_training.play.sets import play_sets

    agent = Buyer()
    games = play_sets([Player("me", agent), Player("money", make_agent("big-money"))], range(4), **OPTIONS)
    assert len(games) == 8
    assert {int(seat) for each in agent.given for seat in each.seats} == {0, 1}
    assert agent.longest > 1


def test_in_matches_the_gains_stay_with_their_games_when_the_long_ones_go_on_alone() -> None:
    from dominion_training.play.loop import Player
    from dominion_training.play.sets import play_sets

    agent = Buyer()
    lineup = [Player("me", agent), Player("first", make_agent("first-game"))]
    play_sets(lineup, range(4), **{**OPTIONS, "max_turns": 200})
    last = agent.given[-1]
    assert len(last) < 8, "the batch never shrank"
    for row in range(len(last)):
        counts = np.bincount(last.gains[row, 1][last.gains[row, 1] >= 0], minlength=len(CARDS))
        owned = last.games.state["owned"][row, 1].astype(int)
        assert (counts + np.eye(len(CARDS))[0] * 7 + np.eye(len(CARDS))[3] * 3 >= owned).all()


def test_as_opponent_of_every_view() -> None:
    agents = [Buyer(), Buyer(), Buyer()]
    env = gymnasium.make("Dominion-v0", opponents=agents[0], **OPTIONS)
    env.reset(seed=1)
    many = gymnasium.make_vec("Dominion-v0", 3, opponents=[agents[1]], seat="alternate", **OPTIONS)
    many.reset(seed=1)
    sb3 = SB3VecEnv(3, opponents=agents[2], seat="random", seed=1, **OPTIONS)
    sb3.reset()
    for _ in range(12):
        if any(env.step(int(env.unwrapped.action_masks().argmax()))[2:4]):
            env.reset()
        many.step(many.unwrapped.action_masks().argmax(axis=1))
        sb3.step(sb3.action_masks().argmax(axis=1))
    assert all(agent.given for agent in agents)
    assert all(agent.longest > 0 for agent in agents)


def test_a_game_that_begins_again_has_no_gains() -> None:
    agent = Buyer()
    learners = LearnerBatch(2, opponents=agent, seat=0, first_player=1, **OPTIONS)
    learners.reset([1, 2])
    for _ in range(40):
        learners.step(learners.action_mask.argmax(axis=1))
    assert agent.longest > 1
    learners.reset([1, 2])
    assert agent.given[-1].gains.shape[2] <= 2, "gains of the game before"
    assert any(each.gains.shape[2] == 0 for each in agent.given[-2:])


def test_at_the_table_of_play_and_watch() -> None:
    agent = Buyer()
    table = GameTable(Game(seed=3, **OPTIONS), {0: agent, 1: agent})
    table.to_end()
    assert agent.longest > 1
    table.go_to(5)
    thought = GameTable(table.game, {0: agent, 1: agent}).thought()
    assert thought is not None
    thought()
    bought = [words for words in table.replay()["actions"][:5] if words.startswith("buy")]
    assert (agent.given[-1].gains >= 0).sum() == len(bought)


def test_against_a_field_of_buy_lists() -> None:
    from dominion_agents.strategies.named import STRATEGIES
    from dominion_training.lists.against_agent import play_against
    from dominion_training.play.loop import Player

    agent = Buyer()
    play_against([STRATEGIES["big-money"], STRATEGIES["first-game"]], Player("me", agent), range(2), 0, **OPTIONS)
    assert agent.longest > 1


def test_behind_a_check() -> None:
    agent = Buyer()
    checked = Checked(agent)
    ask(checked, GameBatch(2, **OPTIONS))
    assert len(agent.given) == 1
    assert Checked(make_agent("big-money")).decide is None
    batch = GameBatch(2, **OPTIONS)
    assert not gains_for(batch, [Checked(make_agent("big-money"))])
    assert gains_for(batch, [make_agent("random"), checked])


def test_a_question_does_not_touch_the_games() -> None:
    batch = GameBatch(2, **OPTIONS)
    for agent in (Witness(), make_agent("big-money")):
        asked = ask_later(agent, batch)
        before = np.asarray(ask_later(agent, batch)())
        batch.step(batch.sample_actions())
        np.testing.assert_array_equal(asked(), before)


# What is in it.


@pytest.mark.parametrize("options", KINDS, ids=name_of)
def test_nothing_in_it_differs_between_games_that_look_alike(options: dict[str, Any]) -> None:
    batch = in_mid_game(**options)
    batch = batch.take(np.flatnonzero(~batch.state["over"].astype(bool)))
    other = dealt_anew_in_secret(batch)
    rows = np.arange(len(batch))
    one, two = (
        situation_of(each, rows, each.observe(rows=rows), each.policy_keys().copy(), Gains(each))
        for each in (batch, other)
    )
    assert everything(one) == everything(two)
    assert everything(pickle.loads(pickle.dumps(one))) == everything(one)
    worlds = [each.worlds(2, 3) for each in (one, two)]
    assert contents(worlds[0]) == contents(worlds[1])
    for _ in range(sized(300)):  # later episodes, too
        for each in worlds:
            each.step(each.sample_actions())
    assert contents(worlds[0]) == contents(worlds[1])
    for each in worlds:
        each.reset()
    assert contents(worlds[0]) == contents(worlds[1])


def everything(situation: Situation) -> list[bytes]:
    """Return all that is reached by the attributes of a situation."""
    found = []
    for value in vars(situation).values():
        if isinstance(value, tuple):
            found += [part.tobytes() for part in value]
        else:
            found += contents(value) if isinstance(value, GameBatch) else [value.tobytes()]
    return found


def test_its_worlds_are_those_of_the_game() -> None:
    batch = GameBatch(4, **OPTIONS)
    rows = np.array([2, 0])
    situation = situation_of(batch, rows, batch.observe(rows=rows), batch.policy_keys()[rows], None)
    worlds = situation.worlds(3, [7, 8])
    assert bits(worlds.state) == bits(batch.worlds(rows, 3, [7, 8]).state)
    assert situation.worlds(3, [1, 2], out=worlds) is worlds
    assert situation.gains.shape == situation.gain_turns.shape == (2, 2, 0)
    with pytest.raises(InvalidOption, match="copies: expected a whole number from 1"):
        situation.worlds(0, 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        *KINDS,
        {"num_players": 2, "kingdom": "random-1e", "auto_treasures": True},
        {"num_players": 1, "kingdom": "random"},
    ],
    ids=name_of,
)
def test_the_gains_are_those_of_the_log(options: dict[str, Any]) -> None:
    batch = GameBatch(sized(40), seed=7, record=True, autoreset=False, **options)
    gains, seen = Gains(batch), [[[] for _ in range(batch.num_players)] for _ in range(len(batch))]
    kinds = (Event.BUY, Event.GAIN, Event.GAIN_TO_HAND, Event.GAIN_ONTO_DECK, Event.GAIN_FROM_TRASH)
    batch.events()
    for _ in play(batch, sized(150), seed=3):
        gains.update()
        for event in batch.events():
            if event["event"] in kinds:
                seen[event["game"]][event["player"]].append(int(event["card"]))
    cards, turns = gains.of(np.arange(len(batch)))
    for row in range(len(batch)):
        for seat in range(batch.num_players):
            found = cards[row, seat][cards[row, seat] >= 0].tolist()
            assert sorted(found) == sorted(seen[row][seat])
            when = turns[row, seat][: len(found)]
            assert (np.diff(when) >= 0).all()
            assert when.max(initial=0) <= batch.turns[row, seat]
    assert cards.shape[2] > 0


def test_a_card_that_is_trashed_and_gained_in_one_step_is_a_gain() -> None:
    batch = GameBatch(1, first_player=0)
    gains = Gains(batch)
    batch._states["supply"][0, 3] -= 1  # as after a step in which an Estate was trashed and another one gained
    gains.update()
    cards, turns = gains.of(np.array([0]))
    assert cards[0, 0].tolist() == [3]
    assert turns[0, 0].tolist() == [int(batch.turns[0, 0])]


def test_gains_of_ended_games_are_forgotten_and_there_is_room_for_many() -> None:
    batch = GameBatch(2, seed=1)
    gains = Gains(batch)
    for _ in range(70):
        batch._states["owned"][0, 1, 0] += 1
        gains.update()
    assert gains.of(np.array([0, 1]))[0].shape == (2, 2, 70)
    kept = gains.snapshot()
    gains.update(np.array([True, False]))
    assert gains.of(np.array([0, 1]))[0].shape == (2, 2, 0)
    gains.restore(kept)
    assert (gains.of(np.array([0]))[0][0, 1] == 0).all()
    assert gains.take(batch.take([1]), np.array([1])).of(np.array([0]))[0].shape == (1, 2, 0)


# A searcher that fails.


class Failing(Witness):
    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def decide(self, situation: Situation) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        return np.full(len(situation), self.answer)


@pytest.mark.parametrize(
    ("answer", "words"), [(ValueError("lost"), "ValueError: lost"), (1, "discard deck"), (0.5, "expected ints")]
)
def test_what_it_raises_or_answers_wrongly_is_told_in_words(answer: Any, words: str) -> None:
    from dominion_training.play.loop import Player
    from dominion_training.play.sets import play_sets

    agent = Failing(answer)
    with pytest.raises(InvalidAgent, match=f"agent me: .*{words}"):
        play_sets([Player("me", agent), Player("money", make_agent("big-money"))], range(2), **OPTIONS)
    learners = LearnerBatch(1, opponents=agent, seat=0, first_player=1, **OPTIONS)
    with pytest.raises((ValueError, IllegalAction)):
        learners.reset()
