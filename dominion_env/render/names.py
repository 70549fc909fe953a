"""Names of players, as they are shown."""

from collections.abc import Sequence

from dominion_env.common.checks import shown
from dominion_env.common.errors import InvalidOption, printable


def shown_name(name: str) -> str:
    """Return a name with "?" for each character that can't be printed.

    Names come from files and command lines. Escape codes would act on the terminal, line breaks would tear the log, and
    control characters make an SVG invalid.
    """
    return printable(name).replace("\n", "?")


def check_names(names: Sequence[str] | None, num_players: int) -> None:
    """Check that these are the names of the players, a text each, or None.

    Raises:
        InvalidOption: they are not.
    """
    if names is None:
        return
    is_list = isinstance(names, Sequence) and not isinstance(names, str)
    if not is_list or len(names) != num_players or not all(isinstance(name, str) for name in names):
        raise InvalidOption(f"names: expected one for each player ({num_players}), got {shown(names)}")


def player_name(seat: int, names: Sequence[str] | None) -> str:
    """Return the name of the player at a seat; `names` is None where the players are called "player_0" and so on."""
    return f"player_{seat}" if names is None else shown_name(names[seat])


def quoted(name: str) -> str:
    """Return the name of an agent as a person reads it: many are words, and "any attacks you" would say something else."""
    return f"“{name}”"
