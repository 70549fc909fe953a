"""Samples of tiny games, interpreted too: how decisions are linked, what is kept of them, and what the end tells them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from dominion_agents.trained.inputs import layout
from dominion_env import PASS, GameBatch, make_agent
from dominion_training.learner.optimiser.networks import Plain
from dominion_training.learner.rollouts.samples import ENDED, OPEN
from dominion_training.learner.rollouts.shard import LEARNER, Shard

GAMES, PLAYERS, TURNS = 3, 3, 4


def shard_of(opponents: int = 0, **options: Any) -> Shard:
    options = {"kingdom": "first-game-2e", "max_turns": TURNS} | options
    batch = GameBatch(GAMES, PLAYERS, auto_treasures=True, seed=4, **options)
    return Shard(layout("kingdom", PLAYERS), batch, [make_agent("big-money")] * opponents, 40, 8)


def network() -> Any:
    torch.manual_seed(1)
    return Plain(layout("kingdom", PLAYERS), (16,)).exported()


class Seen:
    """What a bystander notes of the games: who decided in which order, and how each game ended."""

    def __init__(self, shard: Shard) -> None:
        self.decisions: list[tuple[int, int, int]] = []  # game, seat and turn
        self.masks: list[NDArray[np.bool_]] = []
        self.ends: list[tuple[int, NDArray[Any], NDArray[Any]]] = []  # game, shares and points
        step = shard.batch.step

        def noted(actions: Any) -> Any:
            batch = shard.batch
            seats = batch.current_player.tolist()
            for game, seat in enumerate(seats):
                if shard.players[game, seat] == LEARNER:
                    self.decisions.append((game, seat, int(batch.turns[game, seat])))
                    self.masks.append(batch.action_mask[game].copy())
            paid, terminated, truncated = step(actions)
            for game in np.flatnonzero(terminated | truncated).tolist():
                won = np.ones(PLAYERS) if truncated[game] else batch.final.winners[game].astype(float)
                self.ends.append((game, won / won.sum(), batch.final.scores[game].copy()))
            return paid, terminated, truncated

        shard.batch.step = noted  # type: ignore[method-assign]


def test_each_decision_is_linked_to_the_next_one_of_its_seat_in_its_game():
    shard = shard_of(max_turns=2)
    seen = Seen(shard)
    shard.play(network())
    samples, size = shard.samples, shard.samples.size
    assert [*zip(samples.games[:size], samples.seats[:size], samples.turns[:size], strict=True)] == seen.decisions
    assert len(seen.ends) >= GAMES, "games have ended"
    for sample in range(size):
        after = int(samples.following[sample])
        later = [
            other
            for other in range(sample + 1, size)
            if (samples.games[other], samples.seats[other]) == (samples.games[sample], samples.seats[sample])
        ]
        if after >= 0:
            assert after == later[0]
            assert samples.turns[after] >= samples.turns[sample], "a link leads into no other game"
        elif after == OPEN:
            assert not later
            assert shard.last[samples.games[sample], samples.seats[sample]] == sample
        else:
            assert not later or samples.turns[later[0]] <= samples.turns[sample]


def test_the_legal_actions_of_each_decision_are_noted_and_no_others():
    shard = shard_of()
    seen = Seen(shard)
    shard.play(network())
    shard.samples.legal[:] = 255  # what an earlier rollout has left
    before = len(seen.masks)
    shard.samples.keep_open(shard.last)
    first = shard.samples.size
    shard.tick(network())
    bits = np.unpackbits(shard.samples.legal[first : shard.samples.size], axis=1, bitorder="little")
    assert bits.sum(axis=1).tolist() == [int(mask.sum()) for mask in seen.masks[before:]]


def test_the_samples_that_are_kept_are_found_where_they_are_now():
    shard = shard_of()
    shard.play(network())
    places = np.argwhere(shard.last >= 0).tolist()
    before = {(game, seat): shard.samples.inputs[shard.last[game, seat]].copy() for game, seat in places}
    shard.samples.keep_open(shard.last)
    assert sorted(shard.last[shard.last >= 0].tolist()) == list(range(shard.samples.size))
    for (game, seat), inputs in before.items():
        now = shard.last[game, seat]
        assert (shard.samples.games[now], shard.samples.seats[now]) == (game, seat)
        assert (shard.samples.inputs[now] == inputs).all()


@pytest.mark.parametrize("turns", [1, 60])
def test_the_last_decision_of_each_seat_is_told_its_share_and_its_lead_over_the_best_other(turns):
    shard = shard_of(start={"supply": {"Province": 1}} if turns > 1 else None, max_turns=turns)
    start = {"kingdom": "first-game-2e", "phase": "buy", "coins": 8, "supply": {"Province": 1}}
    hands = [{"turns": 1}, {"discard": {"Duchy": 2}, "turns": 1}, {"discard": {"Estate": 1}, "turns": 1}]
    if turns > 1:
        shard.batch._states[:] = GameBatch(1, start=start | {"players": hands}, auto_treasures=True)._states[0]
    seen = Seen(shard)
    teacher = make_agent("Province;")
    for _ in range(4 if turns > 1 else 8):
        shard.tick(network(), teacher)
    assert seen.ends
    ended = np.flatnonzero(shard.samples.following[: shard.samples.size] == ENDED)
    assert ended.size
    for sample in ended.tolist():
        game, seat = int(shard.samples.games[sample]), int(shard.samples.seats[sample])
        _, shares, points = next(end for end in seen.ends if end[0] == game)
        lead = int(points[seat]) - max(int(each) for other, each in enumerate(points) if other != seat)
        assert shard.samples.final_shares[sample] == pytest.approx(shares[seat])
        assert shard.samples.final_leads[sample] == pytest.approx(np.clip(lead / 50, -1, 1))


def test_a_teacher_who_passes_has_passed():
    shard = shard_of()

    class Passing:
        observation = None

        def act(self, observations: Any, masks: Any, keys: Any) -> Any:
            return np.zeros(len(keys), np.int64)

    for _ in range(6):
        shard.tick(network(), Passing())  # type: ignore[arg-type]
    assert (shard.samples.actions[: shard.samples.size] == PASS).all()


def test_one_seat_of_each_game_is_the_networks_own_and_the_others_are_as_drawn():
    shard = shard_of(opponents=2)
    shard.weights = np.array([0.0, 1.0, 1.0])
    shard.draw_players(np.arange(GAMES))
    assert ((shard.players == LEARNER).sum(axis=1) == 1).all()
