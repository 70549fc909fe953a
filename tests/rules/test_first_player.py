"""Section 2.4: the start player of the first game and of the next one."""

import numpy as np
import pytest

from dominion_env import Game, GameBatch, InvalidOption, action_id
from tests.rules import uniform
from tests.table import FILLERS

KINGDOM = list(FILLERS)
ROWS = 1200


def starts(batch: GameBatch) -> np.ndarray:
    return batch.state["start_player"].astype(np.int64)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_the_first_player_of_a_first_game_is_random(players):
    batch = GameBatch(6000, num_players=players, kingdom=KINGDOM, seed=31)
    assert uniform(np.bincount(batch.current_player, minlength=players))


@pytest.mark.compiled
def test_the_first_player_of_the_next_game_is_random_again_by_default():
    batch = GameBatch(6000, num_players=2, kingdom=KINGDOM, seed=32)
    first = batch.current_player.copy()
    batch.reset()
    second = batch.current_player.copy()
    assert uniform(np.bincount(2 * first + second, minlength=4))


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_seat_may_be_named(seat):
    batch = GameBatch(20, num_players=3, kingdom=KINGDOM, first_player=seat)
    assert (batch.current_player == seat).all()
    assert Game(num_players=3, kingdom=KINGDOM, first_player=seat).current_player == seat


@pytest.mark.parametrize("wrong", [3, -1, "winner"])
def test_other_first_players_are_refused(wrong):
    with pytest.raises(InvalidOption):
        GameBatch(1, num_players=3, kingdom=KINGDOM, first_player=wrong)


def test_in_solitaire_the_only_player_starts():
    batch = GameBatch(20, num_players=1, kingdom=KINGDOM)
    assert (batch.current_player == 0).all()


def test_turns_go_clockwise_from_the_first_player():
    game = Game(num_players=4, kingdom=KINGDOM, first_player=2, auto_treasures=True)
    order = []
    for _ in range(8):
        order.append(game.current_player)
        game.apply("pass")
    assert order == [2, 3, 0, 1, 2, 3, 0, 1]


@pytest.mark.compiled
def test_the_first_player_is_independent_of_the_first_hands():
    batch = GameBatch(8000, num_players=2, kingdom=KINGDOM, seed=33, ask_forced=True)
    coppers = batch.state["hand"][:, 0, 0] >= 4
    for rich in (False, True):
        assert uniform(np.bincount(batch.current_player[coppers == rich], minlength=2))


# Consecutive games, "left-of-winner": the game ends when the last Copper is bought, which is the third empty pile.


def match(players: int, rows: int = ROWS, **options) -> GameBatch:
    empty = dict.fromkeys(["Cellar", "Moat", "Smithy"][: 2 if players < 5 else 3], 0)
    start = {"format": 2, "edition": 2, "num_players": players, "kingdom": KINGDOM, "supply": {"Copper": 1, **empty}}
    return GameBatch(rows, start=start, first_player="left-of-winner", auto_treasures=True, seed=34, **options)


def play_game(batch: GameBatch, estates: set[int], last_buyer: int | None = None) -> np.ndarray:
    """One game: these places (0 = who starts) buy an Estate in their first turn; the place `last_buyer` (default: the
    last one) ends it in the second round. Each turn is one decision. Returns who started."""
    players = batch.scores.shape[1]
    started = starts(batch)
    last = players - 1 if last_buyer is None else last_buyer
    for turn in range(players + last + 1):
        place = turn % players
        assert (batch.current_player == (started + place) % players).all()
        words = "buy Estate" if turn < players and place in estates else "pass"
        if turn == players + last:
            words = "buy Copper"
        _, terminated, _ = batch.step(np.full(len(started), action_id(words)))
        assert terminated.all() == (turn == players + last)
    return started


@pytest.mark.compiled
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("winner", [0, 1])
def test_the_player_to_the_winners_left_starts_the_next_game(players, winner):
    batch = match(players)
    started = play_game(batch, {winner})
    assert uniform(np.bincount(started, minlength=players))  # the first game's start is random
    assert (starts(batch) == (started + winner + 1) % players).all()
    assert (batch.current_player == starts(batch)).all()


@pytest.mark.compiled
def test_so_the_winner_plays_last():
    batch = match(3)
    started = play_game(batch, {1})
    assert ((starts(batch) + 2) % 3 == (started + 1) % 3).all()


def test_the_rule_holds_for_game_after_game():
    batch = match(3, rows=20)
    for winner in (2, 0, 1, 1):
        started = play_game(batch, {winner})
        assert (starts(batch) == (started + winner + 1) % 3).all()


@pytest.mark.compiled
def test_after_a_shared_victory_one_of_those_who_did_not_share_it_starts():
    batch = match(3)
    started = play_game(batch, {0, 2})
    assert (starts(batch) == (started + 1) % 3).all()


@pytest.mark.compiled
def test_after_a_shared_victory_it_is_random_among_several_who_did_not_share_it():
    batch = match(5)
    started = play_game(batch, {1, 3})
    places = (starts(batch) - started) % 5
    assert set(places.tolist()) == {0, 2, 4}
    assert uniform(np.bincount(places, minlength=5)[[0, 2, 4]])


@pytest.mark.compiled
@pytest.mark.parametrize("players", [2, 4])
def test_if_all_shared_the_victory_it_is_random_among_all(players):
    batch = match(players)
    started = play_game(batch, set())
    assert batch.final.winners.all()
    assert uniform(np.bincount((starts(batch) - started) % players, minlength=players))


@pytest.mark.compiled
def test_a_tie_that_the_turns_broke_has_one_winner():
    batch = match(2)
    started = play_game(batch, {0, 1}, last_buyer=0)
    assert (batch.final.winners.argmax(axis=1) == (started + 1) % 2).all()
    assert (starts(batch) == started).all()


@pytest.mark.compiled
def test_a_tie_that_the_turns_broke_in_part_is_shared_by_the_rest():
    batch = match(3)
    started = play_game(batch, {0, 1, 2}, last_buyer=0)
    assert (starts(batch) == started).all()


@pytest.mark.compiled
def test_after_a_game_without_a_result_it_is_random():
    batch = GameBatch(
        ROWS, num_players=3, kingdom=KINGDOM, first_player="left-of-winner", auto_treasures=True, max_turns=1, seed=35
    )
    started = starts(batch)
    for turn in range(3):
        _, _, truncated = batch.step(np.zeros(ROWS, dtype=np.int64))
        assert truncated.all() == (turn == 2)
    assert uniform(np.bincount((starts(batch) - started) % 3, minlength=3))


# The same with few games, for runs without compiled code.


def test_in_a_few_first_games_each_seat_starts():
    assert set(starts(match(3, rows=40)).tolist()) == {0, 1, 2}


def test_in_a_few_games_each_of_those_who_did_not_share_the_victory_starts_and_no_other():
    batch = match(5, rows=40)
    started = play_game(batch, {1, 3})
    places = (starts(batch) - started) % 5
    assert set(places.tolist()) == {0, 2, 4}
    assert len(set(zip(started.tolist(), places.tolist(), strict=True))) > 5  # not always the same one of the three
