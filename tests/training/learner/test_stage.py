"""Rollouts as parts: shards that play elsewhere become what they would become here."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from dominion_env import DominionError
from dominion_training.executors.local import Local
from dominion_training.learner.rollouts import rollout
from dominion_training.learner.rollouts.stage import Threads
from dominion_training.learner.self_play import learner
from dominion_training.learner.self_play.learner import SelfPlayPPO
from dominion_training.play import roster
from tests.training.learner.everything import EVERYTHING, NO_ATTACKS, learned, same

pytestmark = pytest.mark.compiled


def test_a_network_becomes_the_same_on_threads_and_in_parts(monkeypatch):
    alone = learned()
    with monkeypatch.context() as patch:
        patch.setattr(learner, "Processes", lambda number, *_: Threads(ThreadPoolExecutor(number)))
        assert same(learned(workers=2), alone)
    assert same(learned(executor=Local(1)), alone)


def test_a_teacher_that_searches_goes_on_where_it_was():
    """Its gains travel with the games."""
    few = EVERYTHING.but(
        samples=800,
        teacher_samples=400,
        num_envs=2,
        n_steps=50,
        teacher="planner:2",
        snapshot_every=100,
        attacks=NO_ATTACKS,
    )
    assert same(learned(few, Local(1)), learned(few))


def test_what_is_told_when_nothing_can_be_played_any_more(monkeypatch):
    class Gone:
        def start(self, parts):
            raise DominionError("the head is gone; finished parts are kept, so the same command goes on")

    with pytest.raises(DominionError, match=r"^the head is gone; --resume goes on from the last checkpoint$"):
        SelfPlayPPO(EVERYTHING, Gone()).learn()


def test_learners_of_one_process_do_not_take_each_others_agents():
    one, other = SelfPlayPPO(EVERYTHING, Local(1)), SelfPlayPPO(EVERYTHING, Local(1))
    for each in (one, other):
        each.rollout()
    assert rollout.Rollouts(EVERYTHING, one.layout, ("a",), "b").agents == ("a", "b")
    names = [each._stage._names for each in (one, other)]
    assert len({*names[0], *names[1]}) == 4
    assert all(name in roster.HERE for each in names for name in each)
