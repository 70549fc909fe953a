"""Who plays in a shard's games, what a teacher's rollouts hold, and that each rollout has new decisions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from dominion_agents.trained.inputs import SlotsName, layout
from dominion_env import GameBatch, Situation, make_agent
from dominion_env.tables.cards import Card
from dominion_training.learner.optimiser.networks import Plain
from dominion_training.learner.optimiser.update import masked_log_probs
from dominion_training.learner.rollouts.samples import ENDED, OPEN
from dominion_training.learner.rollouts.shard import LEARNER, RANDOM_MOVES, Shard
from tests.training.learner.reference import game_action

pytestmark = pytest.mark.compiled

GAMES = 24


def shard_of(
    players: int = 2,
    games: int = GAMES,
    rollout: int = 3000,
    opponents: int = 0,
    slots: SlotsName = "kingdom",
    **options: Any,
) -> Shard:
    batch = GameBatch(games, players, auto_treasures=True, max_turns=15, seed=4, **options)
    return Shard(layout(slots, players), batch, [make_agent("random-buyer")] * opponents, rollout, 8)


def network(players: int = 2, seed: int = 0) -> Plain:
    torch.manual_seed(seed)
    return Plain(layout("kingdom", players), (16,))


class Noted:
    """A teacher that notes what it is shown and what it answers."""

    observation = "recall"

    def __init__(self) -> None:
        self.teacher = make_agent("big-money")
        self.seen: list[NDArray[np.float32]] = []
        self.answers: list[int] = []

    def act(self, observations: Any, masks: Any, keys: Any) -> Any:
        actions = self.teacher.act(observations, masks, keys)
        self.seen += list(observations.copy())
        self.answers += actions.tolist()
        return actions


def watched(shard: Shard, monkeypatch: pytest.MonkeyPatch) -> tuple[list[int], list[int]]:
    """Return lists that fill with the actions that are carried out, and the numbers of actions that were legal."""
    done: list[int] = []
    choices: list[int] = []
    step = shard.batch.step

    def noted(actions: Any) -> Any:
        done.extend(actions.tolist())
        choices.extend(shard.batch.action_mask.sum(1).tolist())
        return step(actions)

    monkeypatch.setattr(shard.batch, "step", noted)
    return done, choices


def test_a_teachers_rollout_holds_its_decisions_and_some_moves_are_random(monkeypatch: pytest.MonkeyPatch) -> None:
    shard, teacher = shard_of(rollout=6000), Noted()
    done, choices = watched(shard, monkeypatch)
    shard.play(network().exported(), teacher)
    samples = shard.samples
    assert samples.size == len(teacher.answers) == len(done)
    held = [game_action(shard.layout, seen, int(own)) for seen, own in zip(teacher.seen, samples.actions, strict=False)]
    assert held == teacher.answers
    differ = np.array(done) != teacher.answers
    # A random move may be the teacher's too.
    likely = RANDOM_MOVES * (1 - 1 / np.array(choices))
    assert abs(differ.sum() - likely.sum()) < 4 * np.sqrt(likely.sum())
    assert differ.sum() > 100


def test_a_teachers_samples_have_the_results_of_the_games_that_were_played() -> None:
    shard = shard_of(rollout=6000)
    shard.play(network().exported(), make_agent("big-money"))
    ends = shard.samples.following[: shard.samples.size] == ENDED
    assert ends.sum() > 40
    assert set(shard.samples.final_shares[: shard.samples.size][ends]) <= {0.0, 0.5, 1.0}


def test_nothing_of_the_teachers_is_carried_over_when_the_network_learns_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    shard, net = shard_of(), network()
    shard.play(net.exported(), make_agent("big-money"))
    assert (shard.last >= 0).any()
    shard.learn_alone()
    shard.players.fill(LEARNER)
    done, _ = watched(shard, monkeypatch)
    net = network(seed=1)
    torch.nn.init.normal_(net.policy.weight, std=0.5)
    shard.play(net.exported())
    samples, size = shard.samples, shard.samples.size
    assert size == len(done)
    with torch.no_grad():
        log_probs = masked_log_probs(
            net(torch.from_numpy(samples.inputs[:size]))[0], torch.from_numpy(samples.legal[:size])
        )
    chosen = log_probs[torch.arange(size), torch.from_numpy(samples.actions[:size].astype(np.int64))]
    torch.testing.assert_close(chosen, torch.from_numpy(samples.log_probs[:size]), atol=1e-4, rtol=0)
    # What is carried out is the network's own, with the cards' places in the kingdom for the slots.
    piles = sorted(shard.batch.state["piles"][0].tolist())
    own = [(2 + 8 * piles[(a - 2) // 8] + (a - 2) % 8) if a >= 2 else a for a in samples.actions[:size].tolist()]
    assert own == done
    # Its draws are as likely as it says; a teacher's decisions would be less likely.
    entropy = float(-(log_probs.exp() * log_probs).sum(1).mean())
    assert abs(float(-chosen.mean()) - entropy) < 0.1


@pytest.mark.parametrize("players", [2, 3, 6])
def test_who_plays_depends_on_the_games_address_alone(players: int) -> None:
    shard, other = shard_of(players, opponents=2), shard_of(players, opponents=2)
    shard.learn_alone()
    other.draw_players(np.arange(GAMES)[::-1])
    np.testing.assert_array_equal(shard.players, other.players)
    for row in range(0, GAMES, 5):
        alone = shard_of(players, games=1, opponents=2, index=row)
        alone.learn_alone()
        np.testing.assert_array_equal(alone.players[0], shard.players[row])


@pytest.mark.parametrize("players", [2, 3, 6])
def test_opponents_are_met_as_often_as_their_weights_say_and_a_seat_is_the_networks_own(players: int) -> None:
    shard = shard_of(players, games=6000, opponents=3, rollout=1)
    shard.weights = np.array([2.0, 1.0, 0.0, 1.0])
    shard.learn_alone()
    assert ((shard.players == LEARNER).any(axis=1)).all()
    # One seat was given to the network, whoever had been drawn for it.
    counts = np.bincount(shard.players.ravel(), minlength=4) / shard.players.size
    drawn = (players - 1) / players
    np.testing.assert_allclose(counts[1:], drawn * np.array([0.25, 0.0, 0.25]), atol=0.02)
    # No seat is better at meeting opponents than another.
    np.testing.assert_allclose((shard.players == LEARNER).mean(axis=0), 1 - drawn / 2, atol=0.03)


def test_a_network_for_one_kingdom_is_met_there_and_leaves_its_seat_to_the_learner_elsewhere() -> None:
    shard = shard_of(games=200, rollout=30_000, slots="all", kingdom=["first-game-2e", "deck-top-2e"])
    shard.add(make_agent("quick"))  # it refuses other kingdoms than First Game
    shard.weights = np.array([0.0, 1.0])
    shard.learn_alone()
    first_game = (shard.batch.state["piles"] == Card.CELLAR).any(axis=1)  # the other kingdom has none
    assert 0.3 < first_game.mean() < 0.7
    np.testing.assert_array_equal((shard.players == 1).sum(axis=1), first_game)
    torch.manual_seed(0)
    shard.play(Plain(shard.layout, (16,)).exported())
    assert shard.met[1, 0] > 50, "games end, and others begin"


@pytest.mark.parametrize("rollout", [1, 30, 1000])
def test_each_rollout_has_its_number_of_new_samples_however_many_are_kept(rollout: int) -> None:
    """With many seats and short rollouts, more decisions may be waiting for their outcome than a rollout has."""
    shard, net = shard_of(6, rollout=rollout), network(6)
    for _ in range(4):
        waiting = int((shard.samples.following[: shard.samples.size] == OPEN).sum())
        shard.play(net.exported())
        assert rollout <= shard.samples.size - waiting < rollout + GAMES
        assert shard.samples.size <= shard.samples.room


class Alone:
    """An opponent that plays by a buy list and yet is asked by itself."""

    observation = "recall"

    def __init__(self, name: str) -> None:
        self.agent = make_agent(name)
        self.fields = self.agent.fields
        self.rows = 0

    def act(self, observations: Any, masks: Any, keys: Any) -> Any:
        self.rows += len(keys)
        return self.agent.act(observations, masks, keys)


def test_opponents_that_are_asked_together_play_as_each_of_them_alone() -> None:
    names = ["big-money", "auto-2", "random", "random-buyer", "smithy-optimised", "random-menu:1"]
    kingdoms = ["first-game-2e", "deck-top-2e", "size-distortion-2e"]
    shards, agents = [], [[make_agent(name) for name in names], [Alone(name) for name in names]]
    for opponents in agents:
        shard = shard_of(games=64, kingdom=kingdoms, slots="all")
        shards.append(Shard(shard.layout, shard.batch, opponents[:2], 4000, 8))
        for agent in opponents[2:]:
            shards[-1].add(agent)
        shards[-1].weights = np.array([1.0, 2, 1, 1, 2, 2, 1])
        shards[-1].learn_alone()
        torch.manual_seed(0)
        shards[-1].play(Plain(shard.layout, (16,)).exported())
    first, second = (shard.snapshot() for shard in shards)
    for name, array in first.items():
        np.testing.assert_array_equal(array, second[name], err_msg=name)
    assert all(agent.rows > 100 for agent in agents[1])


class Searching:
    """A searcher that keeps how many gains it was told of, and plays by a buy list."""

    def __init__(self) -> None:
        self.policy = make_agent("big-money")
        self.told: list[int] = []

    def act(self, *_: Any) -> Any:
        raise AssertionError("it is asked by `decide`")

    def decide(self, situation: Situation) -> Any:
        self.told += (situation.gains >= 0).sum(axis=(1, 2)).tolist()
        return self.policy.act(situation.observations, situation.action_masks, situation.keys)


def test_an_opponent_that_searches_is_told_what_was_gained() -> None:
    shard, agent = shard_of(), Searching()
    assert shard.gains is None
    shard = Shard(shard.layout, shard.batch, [agent], 2000, 8)
    shard.weights[:] = 0.0, 1.0
    shard.draw_players(np.arange(GAMES))
    shard.play(network().exported())
    assert max(agent.told) > 10
    assert min(agent.told[2 * GAMES :]) <= 1, "the gains of a game are forgotten when the next one begins"


def test_a_teacher_that_searches_is_told_what_was_gained() -> None:
    shard, agent = shard_of(rollout=500), Searching()
    shard.play(network().exported(), agent)
    assert max(agent.told) > 10


def test_gains_go_on_after_an_interruption() -> None:
    shards = [shard_of(rollout=300), shard_of(rollout=300)]
    agents = [Searching(), Searching()]
    shards = [Shard(shard.layout, shard.batch, [agent], 300, 8) for shard, agent in zip(shards, agents, strict=True)]
    for shard in shards:
        shard.weights[:] = 0.0, 1.0
        shard.draw_players(np.arange(GAMES))
    shards[0].play(network().exported())
    shards[0].samples.keep_open(shards[0].last)
    shards[1].restore({name: array.copy() for name, array in shards[0].snapshot().items()})
    agents[0].told.clear()
    for shard in shards:
        shard.play(network().exported())
    assert agents[1].told == agents[0].told
