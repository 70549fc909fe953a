"""Tables of what decisions have cost, for the screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.markup import escape
from rich.table import Table

from dominion_training.evaluate.losses import Losses, mean_of, pairs


def tables(found: Sequence[Losses]) -> Iterator[Table]:
    """Yield a table of the agents, one of their groups of decisions, and one of their pairs if there are several agents."""
    trial = found[0].trial
    table = Table(
        "agent", "score", "loss of a game", "loss of a decision", "decisions", "games",
        title=escape(f"What decisions cost against {trial.opponent}, {trial.kingdom}, in percent of the win"),
    )  # fmt: skip
    for each in found:
        shares = each.shares
        table.add_row(
            escape(each.trial.agent), _percent(*mean_of(shares), digits=1), _percent(*mean_of(each.of_each_game()[0])),
            _percent(*each.mean()[:2]), f"{len(each.decisions):,}", f"{len(shares):,}",
        )  # fmt: skip
    table.caption = "With half the widths of 95% intervals, over games."
    yield table
    groups = Table("decisions", *(escape(each.trial.agent) for each in found), title="Loss of a decision")
    by_name = [dict(each.groups()) for each in found]
    for name in dict.fromkeys(name for each in by_name for name in each):
        cells = (
            f"{_percent(*each.mean(named[name])[:2])} of {named[name].sum():,}" if name in named else ""
            for each, named in zip(found, by_name, strict=True)
        )
        groups.add_row(name, *cells)
    yield groups
    if len(found) > 1:
        several = Table(
            "agents", "by score", "by loss in turns 1 to 4", "ratio", title="Games of each that tell two agents apart"
        )
        for pair in pairs(found):
            low, high = pair["ratio_low"], pair["ratio_high"]
            several.add_row(
                escape(f"{pair['first']}, {pair['second']}"), f"{pair['games_by_score']:,.0f}",
                f"{pair['games_by_loss']:,.0f}", f"{pair['ratio']:.2g} [{low:.2g}, {high:.2g}]",
            )  # fmt: skip
        several.caption = "At the level of 5%, with a power of 80%, if they differ as they do here."
        yield several


def _percent(mean: float, half_width: float, digits: int = 2) -> str:
    return f"{100 * mean:.{digits}f} ±{100 * half_width:.{digits}f}"
