"""Figures of the analyses, in colours that the colour-blind can tell apart, on white so that dark pages show them too."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.colors import TwoSlopeNorm
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from dominion_training.common.pictures import figure_of, picture_of
from dominion_training.common.records import write_atomically
from dominion_training.learner.runs.pictures import COLOURS
from dominion_training.research.analyses.cards import CardTable
from dominion_training.research.analyses.causal import CardValues
from dominion_training.research.analyses.decks import Band, Buying, Decks
from dominion_training.research.analyses.lengths import Lengths
from dominion_training.research.analyses.openings import SPLITS, Openings
from dominion_training.research.analyses.pairs import Pairs
from dominion_training.research.analyses.seats import SeatScores
from dominion_training.research.analyses.statistics import Estimate

SIGNIFICANT = 0.05
SHOWN = 15  # openings of a split
_STYLES = ("-", "--", ":")
_GREY = "#999999"


def in_svg(figure: Figure) -> bytes:
    """Return a figure as SVG, see `picture_of`."""
    return picture_of(figure, "svg", dpi=100)


def write_figure(figure: Figure, folder: Path, name: str) -> None:
    """Write a figure as PNG and SVG.

    Raises:
        DominionError: a file can't be written.
    """
    write_atomically(folder / f"{name}.png", picture_of(figure))
    write_atomically(folder / f"{name}.svg", in_svg(figure))


def _say_too_few(axes: Any) -> None:
    axes.text(0.5, 0.5, "too few games", ha="center", va="center", transform=axes.transAxes)
    axes.set_axis_off()


def _forest(
    axes: Any, names: Sequence[str], series: Sequence[tuple[str, Sequence[Estimate], Sequence[float | None]]]
) -> None:
    """Draw numbers with their intervals, one line a name, the first on top; hollow where the number may be 0."""
    if not any(estimate.is_known for _, estimates, _ in series for estimate in estimates):
        _say_too_few(axes)
        return
    axes.axvline(0, color=_GREY, linewidth=0.8, linestyle="--")
    for place, (label, estimates, q) in enumerate(series):
        offset = 0.16 * (2 * place - len(series) + 1)
        colour = COLOURS[place]
        for row, (estimate, value) in enumerate(zip(estimates, q, strict=True)):
            if estimate.value is None or estimate.low is None or estimate.high is None:
                continue
            filled = value is not None and value <= SIGNIFICANT
            points = np.array([estimate.low, estimate.value, estimate.high]) * 100
            axes.plot(points[[0, 2]], [row + offset] * 2, color=colour, linewidth=1.5)
            axes.plot(
                points[1], row + offset, "o", color=colour, markersize=5, markerfacecolor=colour if filled else "white"
            )
        axes.plot([], [], "o-", color=colour, markersize=5, label=label)
    axes.set_yticks(range(len(names)), names, fontsize=8, parse_math=False)
    axes.set_ylim(len(names) - 0.5, -0.5)
    if len(series) > 1:
        axes.legend(fontsize=8, frameon=False)
    axes.tick_params(axis="x", labelsize=8)


def card_figure(found: CardTable) -> Figure:
    """Draw the difference that goes with each card."""
    rows = [row for row in found.rows if row.difference.is_known]
    figure, axes = figure_of(7, 1.2 + 0.32 * max(len(rows), 2))
    _forest(
        axes,
        [row.card for row in rows],
        [
            ("all players", [row.difference for row in rows], [row.q for row in rows]),
            ("within agents", [row.within for row in rows], [row.within_q for row in rows]),
        ],
    )
    axes.set_xlabel("share of the win with the card, less that without (points of 100), 95% interval")
    axes.set_title(f"Observational: who has a card, {found.games:,} games", fontsize=10)
    return figure


def value_figure(found: CardValues) -> Figure:
    """Draw what each card is worth."""
    figure, axes = figure_of(7, 1.4 + 0.36 * max(len(found.rows), 2))
    _forest(
        axes,
        [row.card for row in found.rows],
        [
            ("lost without the card", [row.banned for row in found.rows], [row.banned_q for row in found.rows]),
            ("won by a free copy in turn 3", [row.gift for row in found.rows], [row.gift_q for row in found.rows]),
        ],
    )
    axes.set_xlabel("share of the win (points of 100), 95% interval")
    axes.set_title(
        f"What a card is worth to {found.agent}, {found.addresses:,} addresses", fontsize=10, parse_math=False
    )
    return figure


def opening_figure(found: Openings) -> Figure:
    """Draw the best openings of each split."""
    figure, axes = figure_of(11, 1.4 + 0.26 * SHOWN, columns=2)
    for place, split in zip(axes, SPLITS, strict=True):
        rows = [row for row in found.rows if row.split == split and row.score.is_known][:SHOWN]
        _forest(place, [row.name for row in rows], [("", [row.difference for row in rows], [row.q for row in rows])])
        place.set_title(f"{split}, {'forced' if found.forced else 'observed'}", fontsize=10)
        rest = f"{found.agent}'s own" if found.forced else "the others"
        place.set_xlabel(f"share of the win, less that of {rest}", fontsize=8, parse_math=False)
    return figure


def buying_figure(found: Buying) -> Figure:
    """Draw what is gained in each turn."""
    cards = [place for place in range(len(found.cards)) if np.nansum(found.mean[:, place]) >= 0.02]
    figure, axes = figure_of(9, 1 + 0.3 * max(len(cards), 3))
    if not cards:
        _say_too_few(axes)
        return figure
    picture = axes.imshow(found.mean[:, cards].T, aspect="auto", cmap="viridis", vmin=0)
    axes.set_yticks(range(len(cards)), [found.cards[place] for place in cards], fontsize=8)
    axes.set_xticks(range(0, len(found.mean), 2), range(1, len(found.mean) + 1, 2), fontsize=8)
    axes.set_xlabel("turn")
    axes.set_title(f"Copies gained in a turn, by those who still play; {found.games:,} games", fontsize=10)
    figure.colorbar(picture, shrink=0.8)
    return figure


def deck_figure(found: Decks) -> Figure:
    """Draw composition, money density and points by turn."""
    figure, axes = figure_of(12, 4, columns=3)
    for place, band in enumerate(found.composition):
        _line(axes[0], band, COLOURS[place % len(COLOURS)], _STYLES[place // len(COLOURS) % len(_STYLES)], False)
    axes[0].legend(fontsize=7, ncols=2, frameon=False)
    axes[0].set_ylabel("copies in the deck")
    for place, band in ((axes[1], found.density), (axes[2], found.points)):
        _line(place, band, COLOURS[0], "-", True)
        place.set_ylabel(band.name)
    for place in axes:
        place.set_xlabel("turn")
        place.xaxis.set_major_locator(MaxNLocator(integer=True))
    figure.suptitle(
        f"Decks at the end of each turn, {found.games:,} games; bands hold the middle 80% of players", fontsize=10
    )
    return figure


def _line(axes: Any, band: Band, colour: str, style: str, shaded: bool) -> None:
    turns = np.arange(1, len(band.means) + 1)
    axes.plot(turns, [each.value for each in band.means], style, color=colour, label=band.name)
    if shaded:
        axes.fill_between(turns, band.low, band.high, color=colour, alpha=0.2, linewidth=0)


def length_figure(found: Lengths) -> Figure:
    """Draw how many games have each length, and how games end."""
    figure, axes = figure_of(9, 3.2, columns=2)
    shown = np.flatnonzero(found.counts)
    axes[0].bar(shown, found.counts[shown], color=COLOURS[0])
    axes[0].set_xlabel("rounds")
    axes[0].set_ylabel("games")
    names = list(found.endings)
    for row, estimate in enumerate(found.endings.values()):
        if estimate.value is not None and estimate.low is not None and estimate.high is not None:
            axes[1].plot([100 * estimate.low, 100 * estimate.high], [row, row], color=COLOURS[0])
            axes[1].plot(100 * estimate.value, row, "o", color=COLOURS[0])
    axes[1].set_yticks(range(len(names)), names)
    axes[1].set_ylim(len(names) - 0.5, -0.5)
    axes[1].set_xlim(-2, 102)
    axes[1].set_xlabel("share of games that end so (%)")
    figure.suptitle(f"{found.games:,} games", fontsize=10)
    return figure


def seat_figure(found: SeatScores) -> Figure:
    """Draw what each place in the order of turns is worth."""
    figure, axes = figure_of(7, 3.6)
    axes.axhline(0, color=_GREY, linewidth=0.8, linestyle="--")
    for number, players in enumerate(found.games):
        rows = [row for row in found.rows if row.players == players]
        known = [row for row in rows if row.edge.is_known]
        middle = np.array([row.edge.value for row in known], float) * 100
        ends = np.array([[row.edge.low, row.edge.high] for row in known], float).reshape(-1, 2).T * 100
        axes.errorbar(
            [row.position + 1 + 0.06 * (number - len(found.games) / 2) for row in known], middle,
            yerr=np.abs(ends - middle), fmt="o-", color=COLOURS[number % len(COLOURS)], markersize=4, linewidth=1,
            capsize=2, label=f"{players} players, {found.games[players]:,} games",
        )  # fmt: skip
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("place in the order of turns")
    axes.set_ylabel("share of the win above equals\n(points of 100), 95% interval")
    axes.legend(fontsize=8, frameon=False)
    return figure


def pair_figure(found: Pairs) -> Figure:
    """Draw the synergy of each pair: a dot where it is not 0 for chance alone, a cross where there are too few games."""
    side = len(found.cards)
    figure, axes = figure_of(2.5 + 0.5 * side, 1.5 + 0.5 * side)
    table = np.full((side, side), np.nan)
    place = {card: row for row, card in enumerate(found.cards)}
    for pair in found.rows:
        at = place[pair.one], place[pair.two]
        for row, column in (at, at[::-1]):
            if pair.synergy.value is None:
                axes.plot(column, row, "x", color=_GREY, markersize=4)
                continue
            table[row, column] = 100 * pair.synergy.value
            if pair.q is not None and pair.q <= SIGNIFICANT:
                axes.plot(column, row, "o", color="black", markersize=3)
    most = max(float(np.nanmax(np.abs(table), initial=1.0)), 1.0)
    picture = axes.imshow(table, cmap="PuOr", norm=TwoSlopeNorm(0, -most, most))
    axes.set_xticks(range(side), found.cards, rotation=45, ha="right", fontsize=8)
    axes.set_yticks(range(side), found.cards, fontsize=8)
    axes.set_title(f"Synergy of pairs (points of 100), {found.games:,} games", fontsize=10)
    figure.colorbar(picture, shrink=0.8)
    return figure
