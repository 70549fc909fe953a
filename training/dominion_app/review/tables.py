"""Tables and sentences of a review for the screen."""

from __future__ import annotations

from collections.abc import Iterator

from rich.markup import escape
from rich.table import Table

from dominion_agents.coach import Chance, Decision, Explained, Review
from dominion_agents.coach.losses import percent_of

INTERVALS = "The 95% intervals are over the turns of this one game, and say little about other games."


def decisions(found: Review, name: str) -> Table:
    """Return all decisions, a line each.

    Args:
        found: the review.
        name: name of the player.
    """
    table = Table(title=escape(f"{name}: chance to win in percent, with half the widths of 95% intervals"))
    for heading in ("turn", "played", "chance", "best", "chance", "cost"):
        words = heading in ("played", "best")
        table.add_column(heading, overflow="fold", justify="left" if words else "right")
    for each in found.decisions:
        table.add_row(*map(escape, _cells(each)), style="bold" if each.is_mistake else None)
    table.caption = (
        "Cost: percent of the win by which the best action is better, measured with a second seed.\n"
        "It is 0 if that is not clear with both; bold if it is. In brackets: another player's turn."
    )
    table.caption_justify = "left"
    return table


def _cells(each: Decision) -> tuple[str, ...]:
    turn = f"{each.turn}" if each.own_turn else f"({each.turn})"
    played = turn, each.played.name, _percent(each.played.chance)
    if each.cost is None:
        return played
    cost = percent_of(each.loss, (each.cost.high - each.cost.low) / 2, digits=1) if each.is_mistake else "0"
    return *played, each.better.name, _percent(each.better.chance), cost


def losses(found: Review) -> Table:
    """Return the mean loss of a decision, in all, by kind of question and by stage of the game."""
    table = Table("decisions", "percent of the win", "number", title="Mean cost of a decision")
    for name, mean in {"all": found.losses.overall, **found.losses.groups}.items():
        table.add_row(name, str(mean), f"{mean.decisions:,}")
    return table


def _percent(chance: Chance) -> str:
    return f"{100 * chance.share:.0f} ±{100 * chance.half_width:.0f}"


def explanations(found: Review) -> Iterator[str]:
    """Yield the dearest mistakes in sentences, or one that says that there is none."""
    if not found.dearest:
        yield "No decision is clearly worse than another one would have been."
    for each in found.dearest:
        yield from _explained(each)


def _explained(found: Explained) -> Iterator[str]:
    decision = found.decision
    yield (
        f"Turn {decision.turn}, {decision.asked}: {decision.played.name} cost {decision.cost} percent of the win. "
        f"Better: {decision.better.name}."
    )
    for judged, course in ((decision.better, found.better), (decision.played, found.played)):
        yield f"  After {judged.name}, going on as {judged.plan_name}: {course}."
