"""What an agent is told of the games since its seat's last answer: all that its seat saw, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from dominion_env import GameBatch, make_agent
from dominion_env.players.agent import ask, gains_for
from dominion_env.render.log import sentences
from dominion_env.views.learner import LearnerBatch
from dominion_training.play.loop import Player
from dominion_training.play.sets import play_sets

pytestmark = pytest.mark.compiled

OPTIONS = {"auto_treasures": True, "kingdom": "first-game-2e"}
BIG_MONEY = make_agent("big-money")


class Reader:
    """Plays at random, and keeps what it was told at each decision."""

    wants_events = True

    def __init__(self) -> None:
        self.told: list[tuple[int, list[str]]] = []

    def decide(self, situation):
        for seat, events in zip(situation.seats.tolist(), situation.events, strict=True):
            assert (events["game"] == 0).all()
            assert set(events["card_seen"].tolist()) <= {0, 1 << seat}
            assert (events["card"][events["card_seen"] == 0] == -1).all()
            self.told.append((seat, sentences(events, seat)))
        return np.array([np.flatnonzero(mask)[0] for mask in situation.action_masks])


def test_all_that_a_seat_saw_is_told_once():
    reader = Reader()
    batch = GameBatch(1, seed=3, record=True, autoreset=False, **OPTIONS)
    gains, log = gains_for(batch, [reader]), GameBatch(1, seed=3, record=True, autoreset=False, **OPTIONS)
    whole = [log.events()]
    for _ in range(60):
        agent = reader if batch.current_player[0] == 1 else BIG_MONEY
        action = ask(agent, batch, gains=gains)
        batch.step(action)
        gains.update()
        log.step(action)
        whole.append(log.events())
    shown = [line for _, lines in reader.told for line in lines]
    expected = sentences([row for part in whole for row in part], 1)
    assert len(shown) > 50
    assert shown == expected[: len(shown)]
    assert sum("Turn 1 of player_1" in line for line in shown) == 1


def test_no_card_is_told_that_the_seat_has_not_seen():
    reader = Reader()
    play_sets([Player("reader", reader), Player("money", BIG_MONEY)], range(2), seed=3, max_turns=5, **OPTIONS)
    draws = [line for _, lines in reader.told for line in lines if " draws " in line]
    seats = [seat for seat, lines in reader.told for line in lines if " draws " in line]
    own = [line.startswith(f"player_{seat}") for line, seat in zip(draws, seats, strict=True)]
    assert any(own)
    assert not all(own)
    assert all(
        ("Copper" in line or "Estate" in line or "Gold" in line) == mine for line, mine in zip(draws, own, strict=True)
    )


def test_in_any_batch_the_same_is_told_narrowed_or_not():
    def told(sets):
        reader = Reader()
        play_sets([Player("reader", reader), Player("money", BIG_MONEY)], sets, seed=3, **OPTIONS)
        return sorted(map(str, reader.told))

    assert told(range(4)) == sorted([each for number in range(4) for each in told(range(number, number + 1))])


def test_a_game_that_begins_again_has_a_new_story():
    reader = Reader()
    learners = LearnerBatch(2, opponents=reader, seat=0, max_turns=2, **OPTIONS)
    learners.reset()
    for _ in range(30):
        learners.step(learners.batch.action_mask.argmax(axis=1))
    games = " ".join(" ".join(lines) for _, lines in reader.told)
    assert games.count("Turn 1 of player_1") > 4
    assert "The game ends" not in games
