"""Tables of what decisions have cost, for the screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isnan

from rich.markup import escape
from rich.table import Table

from dominion_agents.coach.losses import mean_of, percent_of
from dominion_training.evaluate.losses import Losses, pairs
from dominion_training.evaluate.reports.fitting import fitting


def tables(found: Sequence[Losses], width: int) -> Iterator[Table]:
    """Yield a table of the agents, one of their groups of decisions, and one of their pairs if there are several agents."""
    trial = found[0].trial
    table = Table(
        "agent", "score", "loss of a game", "loss of a decision", "decisions", "games",
        title=escape(f"What decisions cost against {trial.second}, {trial.kingdom}, in percent of the win"),
    )  # fmt: skip
    for each in found:
        score, lost = mean_of(each.shares), mean_of(each.of_each_game)
        table.add_row(
            escape(each.trial.first), percent_of(*score, digits=1), percent_of(*lost), str(each.means.overall),
            f"{len(each.decisions):,}", f"{len(each.shares):,}",
        )  # fmt: skip
    table.caption = "With half the widths of 95% intervals, over games."
    yield table
    yield from fitting(found, _groups, width)
    if len(found) > 1:
        several = Table(
            "agents", "by score", "by loss in turns 1 to 4", "ratio", title="Games of each that tell two agents apart"
        )
        for pair in pairs(found):
            ratio, low, high = pair["ratio"], pair["ratio_low"], pair["ratio_high"]
            several.add_row(
                escape(f"{pair['first']}, {pair['second']}"), f"{pair['games_by_score']:,.0f}",
                f"{pair['games_by_loss']:,.0f}", "-" if isnan(ratio) else f"{ratio:.2g} [{low:.2g}, {high:.2g}]",
            )  # fmt: skip
        several.caption = "At the level of 5%, with a power of 80%, if they differ as they do here."
        yield several


def _groups(found: Sequence[Losses]) -> Table:
    table = Table("decisions", *(escape(each.trial.first) for each in found), title="Loss of a decision")
    for name in dict.fromkeys(name for each in found for name in each.means.groups):
        means = (each.means.groups.get(name) for each in found)
        table.add_row(name, *("" if mean is None else f"{mean} of {mean.decisions:,}" for mean in means))
    return table
