"""Effects in progress: a stack of small frames in the record, the newest on top.

A frame says which kind of effect goes on, whose text it is, whom it is about, how often it has been entered and one
number that its text remembers. A text is entered until it is finished or needs an answer. If it makes another card be
played, that card's frames lie above and come first.
"""

from typing import Any

from dominion_env.compiled.jit import primitive, rule
from dominion_env.rules.record.state import MAX_EFFECTS

# Kinds of effects.
TEXT = 0  # what the card does for the player who plays it
VICTIM = 1  # what an Attack does to one player
AFTERMATH = 2  # what an Attack still does after all victims
WINDOWS = 3  # the other players may reveal a Reaction
EACH_PLAYER = 4  # one player after the other becomes a victim
DRAWING = 5  # cards still to be drawn
REPLAY = 6  # the text of a card that Throne Room plays a second time
EFFECTS = ("text", "victim", "aftermath", "windows", "each player", "drawing", "replay")


@primitive
def push(game: Any, effect: Any, card: Any, player: Any, memory: Any) -> None:
    """Put a new effect on top, which comes before all others."""
    top = game.stack_size
    if top < MAX_EFFECTS:
        frame = game.stack[top]
        frame.effect = effect
        frame.card = card
        frame.player = player
        frame.step = 0
        frame.memory = memory
        game.stack_size = top + 1


@rule
def remove(game: Any, at: Any) -> None:
    """Take a finished effect off the stack; effects that it has caused may lie above it."""
    game.stack_size -= 1
    for i in range(at, int(game.stack_size)):
        game.stack[i] = game.stack[i + 1]


@primitive
def remember(game: Any, number: Any) -> None:
    """Let the newest effect remember this number instead of the one before."""
    game.stack[game.stack_size - 1].memory = number


@primitive
def remembered(game: Any) -> Any:
    """Return the number that the newest effect remembers, 0 at first."""
    return int(game.stack[game.stack_size - 1].memory)


# What this number is, by the name under which a text reads it.
num_picked = remembered  # cards picked so far, where several are picked (`texts.pick`)
num_aside = remembered  # cards of this effect beside the play area: revealed, looked at or set aside
first_answer = remembered  # the answer about the first of two cards
card_to_replay = remembered  # the card that is played twice
num_to_draw = remembered  # cards still to be drawn
distance_so_far = remembered  # seats from the attacker to the player whose turn to answer or to suffer it is


@primitive
def whose(game: Any) -> Any:
    """Return the player whom the newest effect is about."""
    return int(game.stack[game.stack_size - 1].player)


@primitive
def whose_text(game: Any) -> Any:
    """Return the card of the newest effect, or -1 if there is none."""
    return int(game.stack[game.stack_size - 1].card) if game.stack_size > 0 else -1


@primitive
def is_replay(game: Any) -> Any:
    """Return whether the newest effect is the text of a card that is played a second time."""
    return game.stack[game.stack_size - 1].effect == REPLAY
