"""One agent against another on each kingdom of a split."""

import json

import numpy as np
import pytest

from dominion_app.cli import main as dominion
from dominion_env import InvalidOption, make_agent
from dominion_env.tables.kingdoms import split
from dominion_training.evaluate.by_kingdom import ScoresByKingdom, compare_by_kingdom, matches_of
from dominion_training.evaluate.match import MatchResult, play_match
from dominion_training.evaluate.matches import Match

pytestmark = pytest.mark.compiled


def few(number=3):
    """Matches on the first kingdoms of the test split."""
    return matches_of(Match("auto-2", "big-money", "test", seed=0, options={"auto_treasures": True}))[:number]


def test_each_kingdom_of_a_split_has_a_match_of_its_own():
    matches = matches_of(Match("auto-2", "big-money", "test", seed=7))
    assert len(matches) == 100
    names = [", ".join(card.title for card in kingdom) for kingdom in split("test")]
    assert [match.kingdom for match in matches] == names
    assert {(match.first, match.second, match.seed) for match in matches} == {("auto-2", "big-money", 7)}


@pytest.mark.parametrize("kingdom", ["first-game-2e", "random"])
def test_a_single_kingdom_and_a_pool_are_no_list_of_kingdoms(kingdom):
    with pytest.raises(InvalidOption, match=f"--each: expected a split such as test, got the kingdom '{kingdom}'"):
        matches_of(Match("auto-2", "big-money", kingdom))


def test_each_match_is_played_as_if_it_were_alone():
    told = []
    found = compare_by_kingdom(few(), 20, progress=told.append)
    assert told == [20, 40, 60]
    for match, result in zip(found.matches, found.results, strict=True):
        alone = play_match(
            make_agent("auto-2"), make_agent("big-money"), 20, 0, kingdom=match.kingdom.split(", "),
            auto_treasures=True,
        )  # fmt: skip
        assert (alone.games == result.games).all()
    assert found.together.num_games == 60
    assert found.together.score == pytest.approx(found.scores.mean())


def test_kingdoms_are_counted_by_their_scores_and_intervals():
    won, lost = few(2)
    games = compare_by_kingdom((won, lost), 20).results[0].games
    results = []
    for share in (1.0, 0.0):
        each = games.copy()
        own = np.arange(len(each)), each["rotation"]
        each["shares"] = 1 - share
        each["shares"][own] = share
        results.append(MatchResult(each))
    found = ScoresByKingdom((won, lost), tuple(results))
    assert found.scores.tolist() == [1.0, 0.0]
    assert found.above(0.5) == 1
    assert found.above(1.0) == 0
    assert found.surely_below(0.5) == 1
    assert found.surely_below(found.intervals[1, 1]) == 0
    plain = found.summary()
    assert plain["above_even"] == plain["surely_below_even"] == 1
    assert [each["score"] for each in plain["kingdoms"]] == [1.0, 0.0]


def test_the_command_tells_scores_and_keeps_them(tmp_path, capsys):
    out = tmp_path / "out"
    called = [
        "compare", "big-money-ultimate", "big-money", "--kingdom", "test", "--each", "--games", "2", "--workers", "1",
        "--out", str(out),
    ]  # fmt: skip
    assert dominion(called) == 0
    shown = capsys.readouterr().out
    assert "all 100" in shown
    record = json.loads((out / "result.json").read_text())
    assert len(record["kingdoms"]) == 100
    assert record["games"] == 200
    assert record["score"] == pytest.approx(np.mean([each["score"] for each in record["kingdoms"]]))
    assert (out / "kingdoms.png").read_bytes().startswith(b"\x89PNG")
    assert dominion([*called, "--elo1", "5"]) == 1
    assert "--each: expected no sequential test" in capsys.readouterr().err
