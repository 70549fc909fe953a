"""Curves with bands as SVG, in the colours of the page; lines also differ in their dashes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from dominion_app.web.pages.markup import tag

WIDTH, HEIGHT = 480, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 8, 12, 40
_COLOURS = ("var(--accent)", "var(--attack)")
_DASHES = ("none", "6 3")
_TICKS = 5


@dataclass(frozen=True)
class Curve:
    """One line of a chart.

    Attributes:
        label: what it shows, in words.
        places: where its points stand, from left to right.
        values: the values.
        low, high: ends of the band around them.
    """

    label: str
    places: Sequence[float]
    values: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]


def chart(
    title: str,
    across: str,
    curves: Sequence[Curve],
    marks: Sequence[tuple[float, float, str]] = (),
    ends: tuple[float, float] | None = None,
) -> Markup:
    """Return curves with their bands.

    Args:
        title: what is shown.
        across: what stands below the horizontal axis.
        curves: one or two curves with points.
        marks: points that are named, (place, value, name).
        ends: ends of the vertical axis; None for round numbers around the values.
    """
    shown = [curve for curve in curves if len(curve.places)]
    if not shown:
        return tag("figure", tag("figcaption", f"{title}: nothing to show yet"))
    places = [place for curve in shown for place in curve.places]
    values = [value for curve in shown for value in (*curve.low, *curve.high)] + [value for _, value, _ in marks]
    left, right = min(places), max(max(places), min(places) + 1)
    bottom, top = ends or _round_range(min(values), max(values))

    def x(place: float) -> float:
        return round(_LEFT + (place - left) / (right - left) * (WIDTH - _LEFT - _RIGHT), 1)

    def y(value: float) -> float:
        return round(HEIGHT - _BOTTOM - (value - bottom) / (top - bottom) * (HEIGHT - _TOP - _BOTTOM), 1)

    parts = []
    for tick in range(_TICKS + 1):
        value = bottom + (top - bottom) * tick / _TICKS
        parts.append(tag("line", x1=_LEFT, x2=WIDTH - _RIGHT, y1=str(y(value)), y2=str(y(value)), class_="grid"))
        parts.append(tag("text", f"{value:g}", x=_LEFT - 6, y=str(y(value) + 4), text_anchor="end"))
    step = max(1, math.ceil((right - left) / 10))
    parts += [
        tag("text", str(place), x=str(x(place)), y=HEIGHT - _BOTTOM + 16, text_anchor="middle")
        for place in range(math.ceil(left), math.floor(right) + 1, step)
    ]
    parts.append(tag("text", across, x=WIDTH // 2, y=HEIGHT - 6, text_anchor="middle"))
    for number, curve in enumerate(shown):
        colour, dash = _COLOURS[number % 2], _DASHES[number % 2]
        above = [f"{x(place)},{y(value)}" for place, value in zip(curve.places, curve.high, strict=True)]
        below = [f"{x(place)},{y(value)}" for place, value in zip(curve.places, curve.low, strict=True)]
        points = [f"{x(place)},{y(value)}" for place, value in zip(curve.places, curve.values, strict=True)]
        parts.append(tag("polygon", points=" ".join([*above, *below[::-1]]), fill=colour, fill_opacity="0.18"))
        parts.append(
            tag("polyline", points=" ".join(points), fill="none", stroke=colour, stroke_width=2, stroke_dasharray=dash)
        )
        parts += [
            tag("circle", cx=str(x(place)), cy=str(y(value)), r=2, fill=colour)
            for place, value in zip(curve.places, curve.values, strict=True)
        ]
    for place, value, name in marks:
        parts.append(tag("circle", cx=str(x(place)), cy=str(y(value)), r=4, fill="var(--attack)"))
        parts.append(tag("text", name, x=str(x(place)), y=str(y(value) + 16), text_anchor="middle"))
    legend = [
        tag(
            "li",
            tag("span", "━━" if number == 0 else "╌╌", style=f"color: {_COLOURS[number % 2]}", aria_hidden="true"),
            f" {curve.label}",
        )
        for number, curve in enumerate(shown)
    ]
    picture = tag("svg", parts, viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img", aria_label=f"{title}. {_in_words(shown)}")
    return tag("figure", tag("figcaption", tag("strong", title), tag("ul", legend, class_="legend")), picture)


def _in_words(curves: Sequence[Curve]) -> str:
    """Return where curves begin and end, for people who can't see them."""
    return ". ".join(f"{each.label}: from {each.values[0]:.3g} to {each.values[-1]:.3g}" for each in curves)


def _round_range(low: float, high: float) -> tuple[float, float]:
    """Return round ends of an axis that holds these values."""
    spread = max(high - low, 1e-9)
    unit = 10 ** math.floor(math.log10(spread / _TICKS))
    unit = next(unit * factor for factor in (1, 2, 5, 10, 20) if spread / (unit * factor) <= _TICKS - 1)
    bottom = math.floor(low / unit) * unit
    return bottom, bottom + _TICKS * unit if bottom + _TICKS * unit >= high else math.ceil(high / unit) * unit
