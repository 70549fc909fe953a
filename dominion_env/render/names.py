"""Names of players, as they are shown."""

from __future__ import annotations

from collections.abc import Sequence

from dominion_env.errors import printable


def shown_name(name: str) -> str:
    """Return a name with "?" for each character that can't be printed.

    Names come from files and command lines. Escape codes would act on the terminal, line breaks would tear the log, and
    control characters make an SVG invalid.
    """
    return printable(name).replace("\n", "?")


def name_of(seat: int, names: Sequence[str] | None) -> str:
    """Return the name of the player at a seat; `names` is None where the players are called "player_0" and so on."""
    return f"player_{seat}" if names is None else shown_name(names[seat])
