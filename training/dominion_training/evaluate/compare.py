"""One agent against another: which one is better, by how much, and how sure that is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dominion_env.common.errors import InvalidOption
from dominion_env.common.files import as_plain
from dominion_training.evaluate.match import MatchResult
from dominion_training.evaluate.matches import Match, check_limits_of
from dominion_training.evaluate.sequential import SequentialTest, Verdict
from dominion_training.evaluate.taken import taken_by
from dominion_training.executors.executor import Executor
from dominion_training.executors.folder import Folder
from dominion_training.executors.runner import run_parts
from dominion_training.play.recorded import together
from dominion_training.play.sets import Games


@dataclass(frozen=True)
class Comparison:
    """The result of a match, and of its sequential test if there is one.

    Attributes:
        match: the match that was played.
        result: the games that count; with a sequential test those up to its verdict.
        test: the sequential test.
        verdict: its verdict.
    """

    match: Match
    result: MatchResult
    test: SequentialTest | None = None
    verdict: Verdict | None = None

    @property
    def taken(self) -> dict[str, dict[str, Any]]:
        """What the answers of agents took that do not repeat themselves; see `taken_by`."""
        return taken_by([(self.match.first, self.match.second, self.result.games)])

    def summary(self) -> dict[str, Any]:
        """Return everything as plain values for JSON."""
        plain: dict[str, Any] = {"first": self.match.first, "second": self.match.second, **self.result.summary()}
        test = self.test or SequentialTest(players=self.match.num_players)
        scores = self.result.set_scores
        plain["normalised_elo"] = test.normalised_elo(scores)
        plain["set_scores"] = {f"{score:g}": number for score, number in test.counts(scores).items()}
        if self.test is not None:
            plain["sequential_test"] = {
                "elo0": test.elo0, "elo1": test.elo1, "alpha": test.alpha, "beta": test.beta, "bounds": test.bounds,
                "log_likelihood_ratio": test.log_likelihood_ratio(scores), "verdict": self.verdict,
            }  # fmt: skip
        if self.taken:
            plain["taken"] = self.taken
        found: dict[str, Any] = as_plain(plain)
        return found


def compare(
    match: Match,
    num_games: int,
    workers: int | Executor = 1,
    folder: Folder | None = None,
    test: SequentialTest | None = None,
    progress: Callable[[MatchResult], None] = lambda result: None,
) -> Comparison:
    """Play a match on several cores; with a sequential test, until its verdict or the last game.

    The test looks at the games after each 25 sets, in order: its verdict does not depend on the workers.

    Args:
        match: the match to play.
        num_games: number of games, a multiple of the number of players; with a test, the largest number.
        workers, folder: as in `run_parts`.
        test: sequential test that may stop the match.
        progress: function that is called with the result so far.

    Raises:
        InvalidOption: the games are no complete sets, the test is for another number of players, or a limit is wrong.
        DominionError: as `run_parts`.
    """
    if test is not None and test.players != match.num_players:
        raise InvalidOption(f"test: expected one for {match.num_players} players, got one for {test.players}")
    check_limits_of([match])
    parts: list[Games] = []
    verdict: Verdict | None = None
    for _, games in run_parts(match.parts(num_games), workers, folder):
        already = sum(len(each) for each in parts) // match.num_players
        parts.append(games)
        result = MatchResult(together(parts), match.seed)
        if test is not None:
            verdict, looked_at = test.first_verdict(result.set_scores, already, result.num_games < num_games)
            result = MatchResult(result.games[: looked_at * match.num_players], match.seed)
        progress(result)
        if verdict not in (None, "undecided"):
            break
    return Comparison(match, result, test, verdict)
