"""What the coach says to a person, as text for the screen."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from rich.text import Text

from dominion_agents.coach import Judgement, judge
from dominion_env.views.game import Game

SECONDS = 2.0  # most that a judgement may take
_COMPILING_PLAYOUTS = 64  # of a judgement that nobody reads
_EXPLAINED = 2  # actions whose plans are told in full


def advice(game: Game) -> Callable[[], Text]:
    """Return a function that judges the decision of the seat that is asked, and says what each action is worth.

    It does not touch the game, and takes up to some seconds, so call it in another thread.

    Raises:
        InvalidOption: raised by the function, if there is nothing to judge.
    """
    copy = game.copy()

    def judged() -> Text:
        _compile(copy.num_players)
        return told(judge(copy, seconds=SECONDS))

    return judged


@cache
def _compile(players: int) -> None:
    """Let everything that the coach needs be compiled, as a judgement that must wait for it would have no time left."""
    judge(Game(players), _COMPILING_PLAYOUTS)


def told(judgement: Judgement) -> Text:
    """Return a judgement as text: a line for each action, the best one first, and the plans of the best two."""
    width = max(len("action"), *(len(each.name) for each in judgement.actions)) + 2
    chances = [str(each.chance) for each in judgement.actions]
    chance_width = max(map(len, (*chances, "chance to win"))) + 2
    text = Text(f"{'action':<{width}}{'chance to win':<{chance_width}}if you go on as\n", "bold")
    for number, (each, chance) in enumerate(zip(judgement.actions, chances, strict=True)):
        line = f"{each.name:<{width}}{chance:<{chance_width}}{each.plan.name or 'a plan without a name'}\n"
        text.append(line, "bold" if number == 0 else "not bold")
    text.append(
        "\nIn brackets: the interval of 95%. Each action counts as much as with the best of several plans.\n",
        "not bold",
    )
    best = {each.plan_name: each.plan for each in judgement.actions[:_EXPLAINED]}
    for name, plan in best.items():
        text.append(f"\n{name}: {'; '.join(map(str, plan.rules))}\n", "not bold")
    return text
