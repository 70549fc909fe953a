"""Effects in progress: a stack of small frames in the record, the newest on top.

A frame says which kind of effect goes on, whose text it is, whom it is about, how often it has been entered and what
its text counts. A text is entered until it is finished or needs an answer; if it makes another card be played, that
card's frames lie above and come first.
"""

from __future__ import annotations

from typing import Any

from dominion_env.rules.jit import primitive, rule
from dominion_env.rules.state import MAX_EFFECTS

# Kinds of effects.
TEXT = 0  # what the card does for the player who plays it
VICTIM = 1  # what an Attack does to one player
AFTERMATH = 2  # what an Attack still does after all victims
WINDOWS = 3  # the other players may reveal a Moat
EACH_PLAYER = 4  # one player after the other becomes a victim
DRAWING = 5  # cards still to be drawn
EFFECTS = ("text", "victim", "aftermath", "windows", "each player", "drawing")


@primitive
def push(game: Any, effect: Any, card: Any, player: Any, count: Any) -> None:
    """A new effect comes first."""
    top = game.stack_size
    if top < MAX_EFFECTS:
        frame = game.stack[top]
        frame.effect = effect
        frame.card = card
        frame.player = player
        frame.step = 0
        frame.count = count
        game.stack_size = top + 1


@rule
def remove(game: Any, at: Any) -> None:
    """An effect is finished, also if others that it has caused lie above it."""
    game.stack_size -= 1
    for i in range(at, int(game.stack_size)):
        game.stack[i] = game.stack[i + 1]


@primitive
def counted(game: Any) -> Any:
    """What the newest effect has counted or remembers."""
    return int(game.stack[game.stack_size - 1].count)


@primitive
def count(game: Any, number: Any) -> None:
    """The newest effect remembers this number."""
    game.stack[game.stack_size - 1].count = number


@primitive
def whose(game: Any) -> Any:
    """The player whom the newest effect is about."""
    return int(game.stack[game.stack_size - 1].player)


@primitive
def whose_text(game: Any) -> Any:
    """The card of the newest effect; -1 if there is none."""
    return int(game.stack[game.stack_size - 1].card) if game.stack_size > 0 else -1
