"""Section 10: when the game ends and who wins. Points themselves are in test_scoring."""

import numpy as np
import pytest

from dominion_env import PASS, Game, GameBatch, GameOver, action_id
from tests.table import FILLERS, Table


def test_the_game_ends_when_the_province_pile_is_empty():
    table = Table(phase="buy", coins=8, supply={"Province": 1})
    alice, _ = table
    alice.buys("Province")
    assert not table.over
    alice.ends_turn()
    assert table.over
    assert table.winners == [alice]


def test_whose_turn_it_was_is_asked_last_also_if_there_was_nothing_to_buy():
    """An opponent's answer is the last of the game; `observe()` then shows the seat whose turn ends it."""
    too_cheap = ("Copper", "Curse", "Estate", "Cellar", "Moat")  # for the 2 coins of Militia
    hands = [{"hand": {"Militia": 1}}, {"hand": {"Duchy": 2, "Estate": 2}}]
    start = {"kingdom": "first-game-2e", "supply": dict.fromkeys(too_cheap, 0), "players": hands}
    game = Game(start=start)
    game.apply("play Militia")
    assert game.current_player == 1
    game.apply("discard Estate")
    assert game.is_over
    assert game.current_player == 0


def test_with_a_province_left_the_game_goes_on():
    table = Table(phase="buy", coins=8, supply={"Province": 2})
    alice, bob = table
    alice.buys("Province")
    alice.ends_turn()
    assert not table.over
    assert table.asks(bob, "action")


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize(
    "piles",
    [
        ("Copper", "Curse", "Estate"),
        ("Silver", "Gold", "Duchy"),
        ("Village", "Smithy", "Moat"),
        ("Gardens", "Curse", "Village"),
    ],
)
def test_with_one_to_four_players_any_three_empty_piles_end_it(players, piles):
    table = Table(players=players, supply=dict.fromkeys(piles, 0))
    table.seats[0].ends_turn()
    assert table.over
    table = Table(players=players, supply=dict.fromkeys(piles[:2], 0))
    table.seats[0].ends_turn()
    assert not table.over


@pytest.mark.parametrize("players", [5, 6])
@pytest.mark.parametrize(
    "piles",
    [
        ("Copper", "Curse", "Estate", "Silver"),
        ("Gold", "Duchy", "Gardens", "Moat"),
        ("Village", "Smithy", "Militia", "Mine"),
    ],
)
def test_with_five_and_six_players_it_takes_four_empty_piles(players, piles):
    table = Table(players=players, supply=dict.fromkeys(piles, 0))
    table.seats[0].ends_turn()
    assert table.over
    table = Table(players=players, supply=dict.fromkeys(piles[:3], 0))
    table.seats[0].ends_turn()
    assert not table.over


@pytest.mark.parametrize("players", [5, 6])
def test_with_five_and_six_players_the_provinces_end_it_too(players):
    table = Table(players=players, supply={"Province": 0})
    table.seats[0].ends_turn()
    assert table.over


def test_the_piles_of_both_editions_count_alike():
    for edition in (1, 2):
        table = Table(players=5, supply=dict.fromkeys(("Moat", "Smithy", "Curse"), 0), edition=edition)
        table.seats[0].ends_turn()
        assert not table.over


def test_nothing_ends_in_the_middle_of_a_turn():
    table = Table(phase="buy", coins=13, buys=3, supply={"Province": 1})
    alice, _ = table
    alice.buys("Province")
    assert table.asks(alice, "buy")
    alice.buys("Duchy, Copper")
    assert not table.over
    alice.ends_turn()
    assert table.over
    assert alice.score == 9


def test_a_pile_that_runs_out_in_the_action_phase_lets_the_turn_go_on():
    table = Table(hands=["Remodel, Gold, Village, Silver"], supply={"Province": 1}, actions=2)
    alice, _ = table
    alice.plays("Remodel")
    alice.trashes("Gold")
    alice.gains("Province")
    assert table.asks(alice, "action")
    alice.plays("Village")
    alice.ends_action_phase()
    alice.plays("Silver")
    alice.buys("Estate")
    alice.ends_turn()
    assert table.over


def test_three_piles_that_run_out_through_attacks_end_the_game_after_the_turn():
    table = Table(hands=["Witch", ""], supply={"Moat": 0, "Cellar": 0, "Curse": 1})
    alice, bob = table
    alice.plays("Witch")
    assert table.asks(alice, "action")
    assert not table.over
    alice.ends_turn()
    assert table.over
    assert table.winners == [alice]
    assert table.scores == [0, -1]
    assert bob.discard == "Curse"


def test_an_empty_hand_or_an_empty_deck_does_not_end_the_game():
    table = Table(hands=["Copper"], decks=["", "Copper"])
    alice, bob = table
    alice.ends_turn()
    assert not table.over
    bob.ends_turn()
    assert not table.over


def test_the_trash_does_not_matter():
    table = Table(trash="8 Province")
    alice, _ = table
    alice.ends_turn()
    assert not table.over


def test_the_end_is_checked_after_clean_up_with_its_draw():
    table = Table(hands=["Copper"], bags=["7 Estate"], phase="buy", supply={"Province": 0})
    alice, _ = table
    alice.ends_turn()
    assert table.over
    assert alice.hand == "5 Estate"
    assert alice.discard == "Copper"


def test_the_next_player_gets_no_turn_after_the_end():
    table = Table(supply={"Province": 0}, turns=[3, 2])
    alice, bob = table
    alice.ends_turn()
    assert [alice.turns, bob.turns] == [3, 2]


def test_a_finished_game_takes_no_more_moves():
    table = Table(supply={"Province": 0})
    alice, _ = table
    alice.ends_turn()
    with pytest.raises(GameOver):
        table.game.apply("pass")


def test_a_finished_game_loads_as_finished():
    table = Table(decks=["", "Province"], supply={"Province": 0})
    alice, bob = table
    alice.ends_turn()
    loaded = Game.from_dict(table.game.to_dict())
    assert loaded.is_over
    assert list(loaded.winners) == [bob.number]
    assert list(loaded.scores) == [0, 6]


# The winner.


def end(points: list[int], turns: list[int], turn: int) -> Table:
    """Return a game that has ended with the turn of this seat, with points in Estates and Curses."""
    decks = [f"{value} Estate" if value > 0 else f"{-value} Curse" if value < 0 else "" for value in points]
    table = Table(bags=decks, players=len(points), supply={"Province": 0}, turn=turn, turns=turns)
    table.seats[turn].ends_turn()
    assert table.over
    assert table.scores == points
    return table


def test_most_points_win():
    assert [seat.number for seat in end([3, 5, 4], [7, 7, 6], turn=1).winners] == [1]


def test_points_come_before_turns():
    assert [seat.number for seat in end([6, 5], [7, 6], turn=0).winners] == [0]


def test_a_tie_goes_to_the_player_who_has_taken_fewer_turns():
    assert [seat.number for seat in end([5, 5], [7, 6], turn=0).winners] == [1]


def test_with_equal_points_and_turns_the_victory_is_shared():
    assert [seat.number for seat in end([5, 5], [7, 7], turn=1).winners] == [0, 1]


def test_the_turn_in_which_the_game_ended_counts():
    table = Table(phase="buy", supply={"Province": 1}, coins=8, decks=["", "Province"], turns=[4, 3])
    alice, bob = table
    alice.buys("Province")
    alice.ends_turn()
    assert table.scores == [6, 6]
    assert table.winners == [bob]


@pytest.mark.parametrize(
    ("points", "turns", "turn", "winners"),
    [
        ([5, 5, 5], [7, 7, 7], 2, [0, 1, 2]),
        ([5, 5, 5], [7, 7, 6], 1, [2]),
        ([5, 5, 5], [7, 6, 6], 0, [1, 2]),
        ([5, 5, 4], [7, 7, 6], 1, [0, 1]),
        ([5, 4, 5], [7, 7, 6], 1, [2]),
        ([5, 4, 5], [7, 7, 7], 2, [0, 2]),
        ([-1, -1, -2], [7, 6, 6], 0, [1]),
        ([0, 0, 0, 1, 0, 1], [7, 7, 7, 7, 7, 7], 5, [3, 5]),
        ([9, 0, 9, 9, 0, 9], [7, 7, 7, 6, 6, 6], 2, [3, 5]),
    ],
)
def test_ties_of_three_and_more(points, turns, turn, winners):
    assert [seat.number for seat in end(points, turns, turn).winners] == winners


def test_turns_of_those_who_are_no_leaders_do_not_matter():
    assert [seat.number for seat in end([5, 5, 1], [7, 7, 6], turn=1).winners] == [0, 1]


def test_the_start_player_need_not_be_the_first_seat():
    table = Table(bags=["", "", ""], players=3, supply={"Province": 0}, turn=0, turns=[4, 3, 4])
    alice, bob, _ = table
    alice.ends_turn()
    assert table.winners == [bob]


def test_a_sole_player_wins_alone():
    assert [seat.number for seat in end([3], [9], turn=0).winners] == [0]


# Through the batch: flags and rewards.


def ending_batch(players: int = 2, **options) -> GameBatch:
    position = {
        "format": 2,
        "edition": 2,
        "num_players": players,
        "kingdom": list(FILLERS),
        "turn_player": 0,
        "phase": "buy",
        "actions": 1,
        "buys": 1,
        "coins": 8,
        "supply": {"Province": 1},
        "players": [{"turns": 5}, *({"turns": 4, "deck_bag": {"Estate": 6}} for _ in range(players - 1))],
    }
    return GameBatch(3, start=position, **options)


def test_a_batch_pays_the_result_at_the_end_of_the_turn():
    batch = ending_batch(ask_forced=True)
    rewards, terminated, truncated = batch.step(np.full(3, action_id("buy Province")))
    assert not terminated.any()
    assert not rewards.any()
    rewards, terminated, truncated = batch.step(np.zeros(3, dtype=np.int64))
    assert terminated.all()
    assert not truncated.any()
    assert rewards.tolist() == 3 * [[-1, 1]]  # six points each, Bob has taken fewer turns
    assert batch.final.winners.tolist() == 3 * [[False, True]]
    assert batch.final.ended.tolist() == 3 * [1]
    assert batch.final.scores.tolist() == 3 * [[6, 6]]


def test_a_batch_pays_the_winner_who_sits_in_the_second_seat():
    start = Table(phase="buy", supply={"Province": 0}, turn=1, discards=["", "Duchy"]).position
    batch = GameBatch(1, start=start, ask_forced=True)
    rewards, terminated, _ = batch.step([PASS])
    assert terminated.all()
    assert rewards.tolist() == [[-1, 1]]
    assert batch.final.winners.tolist() == [[False, True]]
    assert batch.final.scores.tolist() == [[0, 3]]


def test_a_shared_victory_shares_the_reward():
    batch = ending_batch(players=3)
    rewards, terminated, _ = batch.step(np.full(3, action_id("buy Province")))
    assert terminated.all()
    assert rewards.tolist() == 3 * [[-0.5, 0.25, 0.25]]


def rewards_of_lead(scores: list[int], winners: list[bool]) -> list[float]:
    """Return what "lead" pays each seat, written down once more: half the result, and the lead over the mean / 50."""
    rewards = []
    for seat, score in enumerate(scores):
        others = scores[:seat] + scores[seat + 1 :]
        if not others:  # a player alone leads by all points, and neither wins nor loses
            rewards.append(score / 50)
            continue
        result = (len(scores) / sum(winners) - 1 if winners[seat] else -1) / len(others)
        rewards.append(result / 2 + (score - sum(others) / len(others)) / 50)
    return rewards


def paid_lead(discards: list[str]) -> tuple[list[float], GameBatch]:
    table = Table(phase="buy", supply={"Province": 0}, discards=discards, players=len(discards))
    batch = GameBatch(1, start=table.position, reward="lead", ask_forced=True)
    rewards, terminated, _ = batch.step([PASS])
    assert terminated.all()
    return rewards[0].tolist(), batch


@pytest.mark.parametrize(
    "discards",
    [
        ["2 Province", "Duchy"],
        ["Duchy", "2 Province"],
        ["Duchy", "Duchy"],
        ["2 Curse", "12 Province"],
        ["Duchy, Estate", "Duchy", "Curse"],
        ["Duchy", "Province, Duchy", "Duchy, Province"],
        ["Estate", "Duchy", "", "2 Curse", "Province", "2 Estate"],
        ["Province, Curse"],
    ],
)
def test_the_lead_pays_half_the_result_and_the_lead_in_points_without_a_limit(discards: list[str]):
    rewards, batch = paid_lead(discards)
    wanted = rewards_of_lead(batch.final.scores[0].tolist(), batch.final.winners[0].tolist())
    assert rewards == np.array(wanted, np.float32).tolist()  # to the bit, compiled and interpreted


def test_the_lead_of_known_points():
    assert paid_lead(["2 Province", "Duchy"])[0] == pytest.approx([0.5 + 9 / 50, -0.5 - 9 / 50])
    thirds = [0.5 + 3 / 50, -0.25 + 1.5 / 50, -0.25 - 4.5 / 50]
    assert paid_lead(["Duchy, Estate", "Duchy", "Curse"])[0] == pytest.approx(thirds)
    assert paid_lead(["Province, Curse"])[0] == pytest.approx([5 / 50])


def test_a_game_that_is_cut_short_pays_no_lead():
    batch = GameBatch(
        1, max_turns=1, reward="lead", autoreset=False, start={"players": [{"deck_bag": {"Duchy": 9}}, {}]}
    )
    truncated = np.zeros(1, bool)
    while not truncated.any():
        rewards, _, truncated = batch.step([PASS])
    assert rewards.tolist() == [[0, 0]]


def test_a_limit_of_turns_is_a_truncation_and_no_end():
    batch = GameBatch(4, num_players=2, kingdom="first-game-2e", max_turns=2, auto_treasures=True)
    done = np.zeros(4, dtype=bool)
    for decision in range(4):
        assert not done.any()
        rewards, terminated, truncated = batch.step(np.zeros(4, dtype=np.int64))
        assert not terminated.any()
        assert not rewards.any()
        assert truncated.all() == (decision == 3)
        done |= truncated
    assert batch.final.ended.tolist() == 4 * [3]
    assert not batch.final.winners.any()


def test_solitaire_ends_as_usual_and_pays_nothing():
    batch = ending_batch(players=1)
    rewards, terminated, _ = batch.step(np.full(3, action_id("buy Province")))
    assert terminated.all()
    assert rewards.tolist() == 3 * [[0]]
    assert batch.final.winners.tolist() == 3 * [[True]]


def test_the_reason_of_the_end_is_told():
    for piles, reason in (({"Province": 0}, 1), ({"Moat": 0, "Cellar": 0, "Curse": 0}, 2)):
        start = {"format": 2, "edition": 2, "num_players": 2, "kingdom": list(FILLERS), "supply": piles}
        batch = GameBatch(2, start=start, auto_treasures=True)
        _, terminated, _ = batch.step(np.zeros(2, dtype=np.int64))
        assert terminated.all()
        assert batch.final.ended.tolist() == [reason, reason]
        assert batch.final.winners.sum(axis=1).tolist() == [1, 1]  # the one who has had no turn
