"""The collector gives what a slow reference gives, which plays the same games one by one and keeps a list for each seat.

The games are short and have Attacks that are answered in others' turns. Some end within a rollout, some are cut at the
last turn, and most go on from one rollout, and one network, into the next.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch

from dominion_agents.trained.inputs import layout
from dominion_env import GameBatch, make_agent
from dominion_training.learner.optimiser.networks import Plain
from dominion_training.learner.rollouts.samples import ENDED, OPEN, advantages
from dominion_training.learner.rollouts.shard import Shard
from dominion_training.learner.rollouts.translate import translated
from tests.training.learner import reference
from tests.training.learner.reference import Played, Story

pytestmark = pytest.mark.compiled

GAMES, SEED, DECAY = 6, 5, 0.95
KINGDOM = "Bureaucrat, Cellar, Council Room, Library, Militia, Moat, Spy, Thief, Throne Room, Village"
# Two piles are empty, so that games end as soon as the Estates run out, or any other pile.
OPTIONS: dict[str, Any] = {
    "kingdom": KINGDOM.split(", "), "edition": 1, "start": {"supply": {"Curse": 0, "Duchy": 0, "Estate": 1}},
    "max_turns": 9, "auto_treasures": True, "seed": 11,
}  # fmt: skip
OPPONENTS = ("random-buyer", "greedy")
WEIGHTS = ([1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [0.5, 0.0, 2.0], [1.0, 0.0, 0.0], [0.0, 3.0, 1.0])
ROLLOUT = 220


class Counted(Shard):
    """A shard that counts its ticks."""

    ticks = 0

    def tick(self, *arguments: Any) -> None:
        self.ticks += 1
        super().tick(*arguments)


class Learned(NamedTuple):
    """What a learner has of one sample after a rollout."""

    rollout: int
    inputs: list[int]
    legal: list[int]
    action: int
    log_prob: float
    share: float
    lead: float
    turn: int
    advantages: tuple[float, float]
    result: tuple[float, float] | None


class Both(NamedTuple):
    """The collector's samples by row and seat in the order in which they were learned from, and the reference's games."""

    learned: dict[tuple[int, int], list[Learned]]
    played: list[Played]
    shard: Shard
    met: Any


def network(players: int, number: int, slots: Any = "kingdom") -> Plain:
    """Return a network with opinions, so that values and probabilities differ from one decision to the next."""
    torch.manual_seed(number)
    made = Plain(layout(slots, players), (32, 16))
    torch.nn.init.normal_(made.policy.weight, std=0.3)
    torch.nn.init.normal_(made.values.weight, std=0.5)
    return made


@cache
def both(players: int) -> Both:
    """Play some rollouts, each with another network and other opponents, with the collector and with the reference."""
    networks = [network(players, number) for number in range(len(WEIGHTS))]
    opponents = [make_agent(name) for name in OPPONENTS]
    shard = Counted(networks[0].layout, GameBatch(GAMES, players, **OPTIONS), opponents, ROLLOUT, SEED)
    learned: dict[tuple[int, int], list[Learned]] = {(row, seat): [] for row in range(GAMES) for seat in range(players)}
    ticks = []
    for rollout, (net, weights) in enumerate(zip(networks, WEIGHTS, strict=True)):
        shard.weights = np.array(weights)
        if rollout == 0:
            shard.learn_alone()
        before = shard.ticks
        shard.play(net.exported())
        ticks.append(shard.ticks - before)
        for key, sample in samples_of(shard, rollout):
            learned[key].append(sample)
    rows = [GameBatch(1, players, index=row, **OPTIONS) for row in range(GAMES)]
    played = [reference.play_row(row, SEED, networks, opponents, WEIGHTS, ticks) for row in rows]
    return Both(learned, played, shard, shard.met.copy())


def samples_of(shard: Shard, rollout: int) -> list[tuple[tuple[int, int], Learned]]:
    """Return the samples that are learned from, in their order, with row and seat."""
    samples, size = shard.samples, shard.samples.size
    found = np.zeros((2, size), np.float32)
    for values, finals, out in (
        (samples.shares, samples.final_shares, found[0]),
        (samples.leads, samples.final_leads, found[1]),
    ):
        advantages(size, values, finals, samples.following, samples.turns, np.float32(DECAY), out)
    bits = np.unpackbits(samples.legal, axis=1, bitorder="little")
    result = []
    for i in samples.trained_on():
        ended = samples.following[i] == ENDED
        sample = Learned(
            rollout, samples.inputs[i].tolist(), np.flatnonzero(bits[i]).tolist(), int(samples.actions[i]),
            float(samples.log_probs[i]), float(samples.shares[i]), float(samples.leads[i]), int(samples.turns[i]),
            (float(found[0, i]), float(found[1, i])),
            (float(samples.final_shares[i]), float(samples.final_leads[i])) if ended else None,
        )  # fmt: skip
        result.append(((int(samples.games[i]), int(samples.seats[i])), sample))
    return result


def expected(stories: list[Story]) -> list[Learned]:
    """Return what is to be learned from the games of one seat, in order."""
    found = []
    for rollout in range(len(WEIGHTS)):
        for story in stories:
            for number in story.taught_in(rollout):
                decision = story.decisions[number]
                share, lead = (story.advantage(number, rollout, value, DECAY) for value in ("share", "lead"))
                ended = number == len(story.decisions) - 1
                found.append(
                    Learned(
                        rollout, decision.inputs, decision.legal, decision.action, decision.log_prob, decision.share,
                        decision.lead, decision.turn, (share, lead), story.result if ended else None,
                    )
                )  # fmt: skip
    return found


PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])


@pytest.mark.slow
@PLAYERS
def test_each_decision_is_learned_from_once_and_in_order_with_what_the_reference_says(players: int) -> None:
    learned, played, _, _ = both(players)
    for (row, seat), found in learned.items():
        wanted = expected(played[row].stories[seat])
        assert len(found) == len(wanted)
        for mine, theirs in zip(found, wanted, strict=True):
            assert mine[:4] == theirs[:4]  # rollout, inputs, legal actions, action
            assert mine.turn == theirs.turn
            numbers = (mine.log_prob, mine.share, mine.lead, *mine.advantages)
            assert numbers == pytest.approx((theirs.log_prob, theirs.share, theirs.lead, *theirs.advantages), abs=1e-4)
            assert (mine.result is None) == (theirs.result is None)
            assert mine.result is None or mine.result == pytest.approx(theirs.result, abs=1e-6)


@pytest.mark.parametrize("slots", ["kingdom", "piles", "all"])
@PLAYERS
def test_the_inputs_are_those_of_the_reference_in_any_kingdom(slots: Any, players: int) -> None:
    batch = GameBatch(40, players, "random", seed=5)
    for _ in range(60):
        batch.step(batch.sample_actions())
    seen, masks, chosen = batch.observe(), batch.action_mask, layout(slots, players)
    found = translated(chosen, seen, masks, masks.astype(np.float32))[0]
    np.testing.assert_array_equal(found, [reference.inputs_of(chosen, row) for row in seen])
    assert len(chosen.names) == chosen.num_inputs == len(chosen.scales)


@PLAYERS
def test_only_the_last_decision_of_a_seat_in_a_running_game_is_kept_for_later(players: int) -> None:
    _, played, shard, _ = both(players)
    samples = shard.samples
    kept = np.flatnonzero(samples.following[: samples.size] == OPEN)
    found = Counter((int(samples.games[i]), int(samples.seats[i])) for i in kept)
    running = [
        (row, seat)
        for row, game in enumerate(played)
        for seat, stories in enumerate(game.stories)
        if stories and stories[-1].result is None
    ]
    assert found == Counter(running)


@PLAYERS
def test_games_are_counted_against_the_opponents_that_were_met(players: int) -> None:
    _, played, shard, met = both(players)
    wanted = np.zeros((1 + len(OPPONENTS), 2))
    for game in played:
        for against, share in game.met:
            wanted[against] += (1, share)
    np.testing.assert_allclose(met, wanted, atol=1e-6)
    assert sorted(shard.lengths) == sorted(rounds for game in played for rounds in game.rounds)
    assert shard.truncated == sum(game.truncated for game in played)


@PLAYERS
def test_the_games_of_these_tests_have_what_is_to_be_tested(players: int) -> None:
    _, played, _, _ = both(players)
    stories = [story for game in played for seat in game.stories for story in seat]
    decisions = [decision for story in stories for decision in story.decisions]
    assert sum(not decision.in_own_turn for decision in decisions) >= 10
    finished = sum(len(game.met) for game in played)
    assert 3 <= sum(game.truncated for game in played) <= finished - 3
    assert sum(game.opponents_decisions for game in played) >= 100
    assert {against for game in played for against, _ in game.met} == {0, 1, 2}
    spans = [len({decision.rollout for decision in story.decisions}) for story in stories]
    assert max(spans) >= 2
    results = {story.result[0] for story in stories if story.result is not None}
    assert {0.0, 1.0, 1 / players} <= results
