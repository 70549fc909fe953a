"""Tables for the screen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from textwrap import wrap

from rich.markup import escape
from rich.table import Table

from dominion_training.evaluate.benchmark import Benchmark
from dominion_training.evaluate.by_kingdom import ScoresByKingdom
from dominion_training.evaluate.compare import Comparison
from dominion_training.evaluate.match import MatchResult
from dominion_training.evaluate.reports.fitting import fitting
from dominion_training.evaluate.reports.short_names import LONGEST_NAME, full_name, legend, short_names
from dominion_training.evaluate.sequential import MEANINGS
from dominion_training.evaluate.taken import taken_in_words

_EXTREMES = 8  # kingdoms with the lowest and with the highest scores that a table shows
_OTHERS = 75  # widest that the columns of ratings are beside the names


def comparison(found: Comparison) -> Table:
    """Return a comparison, a line for each figure."""
    result, match = found.result, found.match
    others = "" if match.num_players == 2 else f" at the other {match.num_players - 1} seats"
    title = escape(f"{match.first} against {match.second}{others}, {match.kingdom}")
    table = Table(title=title, show_header=False)
    low, high = result.interval()
    table.add_row("score (win, shared win in parts)", f"{result.score:.2%}   95% interval {low:.2%} to {high:.2%}")
    table.add_row("score of equals", f"{result.even:.2%}")
    plain = found.summary()
    if result.elo is not None:
        table.add_row("Elo difference", f"{result.elo:+.1f}   {_elo_interval(result)}")
        table.add_row("normalised Elo", f"{plain['normalised_elo']:+.1f}")
    elif result.num_players == 2:
        table.add_row("Elo difference", _elo_interval(result))
    table.add_row("likelihood of superiority", _percent(result.superiority))
    table.add_row("games", f"{result.num_games:,} in {len(result.set_scores):,} sets with the same luck")
    table.add_row("won, shared, lost", f"{result.wins:,}, {result.ties:,}, {result.losses:,}")
    places = ", ".join(f"{score:.2%}" for score in result.score_by_position)
    table.add_row("score when first, second ... to act", places)
    mean, deviation = result.rounds
    table.add_row("rounds", f"{mean:.2f}, standard deviation {deviation:.2f}")
    table.add_row("ended by", ", ".join(f"{name} {number:,}" for name, number in result.endings.items()))
    table.add_row("scores of sets", ", ".join(f"{score}: {number:,}" for score, number in plain["set_scores"].items()))
    ratio = result.variance_ratio
    table.add_row("variance against independent games", "no spread" if ratio is None else f"{ratio:.3f}")
    if found.test is not None and found.verdict is not None:
        test = found.test
        table.add_row(
            f"sequential test, {test.elo0:g} or {test.elo1:g} normalised Elo",
            f"{MEANINGS[found.verdict]} (log-likelihood ratio {test.log_likelihood_ratio(result.set_scores):+.2f}, "
            f"bounds {test.bounds[0]:+.2f} and {test.bounds[1]:+.2f})",
        )
        if found.verdict != "undecided":
            table.add_row("", "It stopped at the verdict, so score and Elo lie, on average, too far from even.")
    return table


def taken(found: Comparison | Benchmark | ScoresByKingdom) -> Table | None:
    """Return what the answers of agents took that do not repeat themselves; None if there is none."""
    if not found.taken:
        return None
    table = Table(title="Players that do not repeat themselves", show_header=False)
    for agent, each in found.taken.items():
        table.add_row(escape(agent), "")
        for heading, text in taken_in_words(each):
            table.add_row(f"  {heading}", text)
    return table


def by_kingdom(found: ScoresByKingdom) -> Table:
    """Return the scores on several kingdoms: all of them together, and the lowest and highest ones."""
    match, together, number = found.matches[0], found.together, len(found.matches)
    title = escape(f"{match.first} against {match.second}, {found.results[0].num_games:,} games on each kingdom")
    table = Table("kingdom", "score", "95% interval", title=title)
    low, high = together.interval()
    table.add_row(f"all {number}", f"{together.score:.2%}", f"{low:.2%} to {high:.2%}")
    even = together.even
    table.add_row(f"kingdoms above {even:.0%}", f"{found.above(even)}", "")
    table.add_row(f"kingdoms whose interval is below {even:.0%}", f"{found.surely_below(even)}", "", end_section=True)
    order = found.scores.argsort()
    extremes = order if number <= 2 * _EXTREMES else [*order[:_EXTREMES], *order[-_EXTREMES:]]
    for place in extremes:
        low, high = found.intervals[place]
        table.add_row(escape(found.matches[place].kingdom), f"{found.scores[place]:.2%}", f"{low:.2%} to {high:.2%}")
    return table


def _elo_interval(result: MatchResult) -> str:
    low, high = result.elo_interval() or (-math.inf, math.inf)
    if math.isinf(low):
        return "95% interval without ends" if math.isinf(high) else f"95% interval below {high:+.1f}"
    return f"95% interval above {low:+.1f}" if math.isinf(high) else f"95% interval {low:+.1f} to {high:+.1f}"


def _percent(share: float) -> str:
    """Return a likelihood in percent; one that is not certain never reads as if it were."""
    if 0 < share < 0.0001 or 0.9999 < share < 1 or share in (0.0, 1.0):
        return "below 0.01%" if share < 0.5 else "above 99.99%"
    return f"{share:.2%}"


def ratings(found: Benchmark, width: int = 100) -> Table:
    """Return the ratings of a benchmark, strongest agent first.

    Args:
        found: results of a benchmark.
        width: number of columns of the terminal.
    """
    longest = max(LONGEST_NAME, width - _OTHERS)
    table = Table(title=f"Ratings, {found.num_players} players, {'; '.join(found.kingdoms)}")
    nash, fitted = found.nash, found.ratings
    # Folded here: a least width of a column would push the others over the edge of the terminal.
    table.add_column("agent", no_wrap=True)
    for heading in ("Elo", "95% interval", *(("Nash weight", "Nash skill") if nash is not None else ())):
        table.add_column(heading, justify="right")
    for agent in found.by_strength:
        cells = [f"{fitted.elo[agent]:+.0f}", f"{fitted.low[agent]:+.0f} to {fitted.high[agent]:+.0f}"]
        if nash is not None:
            cells += [
                f"{nash.weights[agent]:.2f} ({nash.weights_low[agent]:.2f} to {nash.weights_high[agent]:.2f})",
                f"{nash.skill[agent]:+.3f} ({nash.skill_low[agent]:+.3f} to {nash.skill_high[agent]:+.3f})",
            ]
        name = full_name(found.agents, agent).split("\n")
        folded = (part for line in name for part in wrap(line, longest, break_on_hyphens=False))
        table.add_row(escape("\n".join(folded)), *cells)
    seat = f"{fitted.seat_elo[0]:+.1f} Elo, {fitted.seat_low[0]:+.1f} to {fitted.seat_high[0]:+.1f}"
    table.caption = f"Big Money is 0. First to act over last: {seat}"
    return table


def matrices(found: Benchmark, width: int) -> list[Table]:
    """Return the scores of row against column in whole percent, strongest agent first.

    Columns are headed by the place of their agent. If they are too many for one table, further ones follow.

    Args:
        found: results of a benchmark.
        width: number of columns of the terminal.
    """
    names, order, payoff = short_names(found.agents), found.by_strength, found.payoff()
    low, high = found.interval()
    widest = max(
        (50 * (high[row, column] - low[row, column]) for row in order for column in order if row != column), default=0.0
    )

    def scores_against(shown: Sequence[int]) -> Table:
        table = Table(title="Score of row against column (%), mean over kingdoms", box=None, pad_edge=False)
        table.add_column("", no_wrap=True)
        for column in shown:
            table.add_column(str(order.index(column) + 1), justify="right", no_wrap=True, min_width=3)
        for place, row in enumerate(order, start=1):
            cells = ["-" if row == column else f"{100 * payoff[row, column]:.0f}" for column in shown]
            table.add_row(escape(f"{place} {names[row]}"), *cells)
        return table

    tables = fitting(order, scores_against, width)
    notes = [f"A column's number is that of its row. Intervals reach at most {widest:.1f} to either side."]
    tables[-1].caption = escape("\n".join([*notes, *legend(found.agents)]))
    tables[-1].caption_justify = "left"
    return tables


def matrix(found: Benchmark) -> Table:
    """Return the scores of row against column with half the widths of their intervals, strongest agent first."""
    names = short_names(found.agents)
    table = Table("", title="Score of row against column (%), mean over kingdoms")
    if notes := legend(found.agents):
        table.caption = escape("\n".join(notes))
        table.caption_justify = "left"
    order, payoff = found.by_strength, found.payoff()
    low, high = found.interval()
    for agent in order:
        table.add_column(escape(names[agent]), justify="right")
    for row in order:
        cells = [
            "-" if row == column
            else f"{100 * payoff[row, column]:.1f} ± {50 * (high[row, column] - low[row, column]):.1f}"
            for column in order
        ]  # fmt: skip
        table.add_row(escape(names[row]), *cells)
    return table
