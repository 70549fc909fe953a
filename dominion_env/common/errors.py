"""The errors of dominion_env: one tree, so that a program can catch `DominionError` and nothing else.

Every message says what was expected and what was got. A call that raises one of these has changed nothing.
"""

_LONGEST = 1500  # characters of a message


def printable(text: str) -> str:
    """Return a text with "?" for each character that can't be printed, but for line ends."""
    return "".join(letter if letter.isprintable() or letter == "\n" else "?" for letter in text)


class DominionError(Exception):
    """The base of all errors that this package raises on purpose.

    A message may show names and texts of others, such as those of a saved game. So it is cut to some length, and holds no
    escape codes, which would act on a terminal.
    """

    def __init__(self, message: str = "") -> None:
        if len(message) > _LONGEST:
            message = f"{message[: _LONGEST - 120]} ... {message[-100:].lstrip()}"
        super().__init__(printable(message))


class IllegalAction(DominionError, ValueError):
    """An action that is no action, or that the asked player may not choose now."""


class UnknownCard(DominionError, ValueError):
    """A name or number that is no card of the base game."""


class InvalidKingdom(DominionError, ValueError):
    """A kingdom that is neither a named one nor ten different Kingdom cards."""


class InvalidPosition(DominionError, ValueError):
    """A position that is not well formed."""


class InvalidReplay(DominionError, ValueError):
    """A replay that is not well formed, is of other rules, or does not lead where it says."""


class InvalidOption(DominionError, ValueError):
    """An option outside what it allows: players, edition, reward, seat, seed and so on."""


class UnknownAgent(InvalidOption):
    """A name that no agent has."""


class UnknownOption(InvalidOption, TypeError):
    """A keyword argument that a view does not have.

    It is a `TypeError` too, as Python raises for any other call: libraries such as TorchRL try arguments and go on without
    those that are refused as an "unexpected keyword argument".
    """


class InvalidAgent(DominionError, ValueError):
    """An agent that can't be made by its name, that fails, or whose answers are not legal actions.

    The message names no address, as an agent may be shown it; whoever runs the games finds that in the attribute.

    Attributes:
        address: (seed, index, episode) of the game in which the agent failed; None if it was in no game.
    """

    def __init__(self, message: str, address: tuple[int, int, int] | None = None) -> None:
        super().__init__(message)
        self.address = address


class InvalidStrategy(DominionError, ValueError):
    """A buy list, or one of its settings, that can't be read or carried out.

    Attributes:
        line, column: place in the text of the list, counted from 1; None if the error is not about a place.
    """

    def __init__(self, message: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


class ResultsMismatch(DominionError, ValueError):
    """Kept results of other settings or another version than those that are to be continued."""


class GameOver(DominionError):
    """A move in a game that has ended."""


class WrongOrder(DominionError, RuntimeError):
    """A call that comes before `reset()` or after `close()`."""
