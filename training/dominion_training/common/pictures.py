"""Figures as pictures."""

from __future__ import annotations

import io
from typing import Any, Literal

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure

Form = Literal["png", "svg", "pdf"]


def figure_of(width: float, height: float, columns: int = 1) -> tuple[Figure, Any]:
    """Return a figure of this size in inches and its axes, which need no screen."""
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots(1, columns)
    for each in np.atleast_1d(axes).ravel():
        each.spines[["top", "right"]].set_visible(False)
    return figure, axes


def picture_of(figure: Figure, form: Form = "png", dpi: int = 150) -> bytes:
    """Return a figure as the bytes of a picture.

    Letters stay letters in SVG and PDF, so that they can be searched and edited; the same figure gives the same bytes.
    There `dpi` is that of the images in the figure.
    """
    undated: dict[str, Any] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}
    stream = io.BytesIO()
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "dominion_env", "pdf.fonttype": 42}):
        figure.savefig(stream, format=form, dpi=dpi, metadata=undated[form])
    return stream.getvalue()
