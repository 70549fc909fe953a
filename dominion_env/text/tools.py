"""A game as an object whose method is a language model's tool, as the `environment_factory` of TRL wants it."""

from __future__ import annotations

from inspect import signature
from typing import Any

from dominion_env.common.checks import shown
from dominion_env.common.errors import InvalidOption, WrongOrder
from dominion_env.core.rewards import LEAD_SCALE
from dominion_env.players.registry import agent_names
from dominion_env.text.game import TextGame

_OPTIONS = tuple(signature(TextGame).parameters)


class DominionTools:
    """One game after the other, in which a language model answers by the tool `answer`.

    Args:
        options: options of `TextGame`; a row given to `reset` may name others.
    """

    def __init__(self, **options: Any) -> None:
        self._options = options
        self._game: TextGame | None = None

    @property
    def is_over(self) -> bool:
        """Whether the game has ended. Only methods become tools."""
        return self._running().is_over

    def reset(self, **row: Any) -> str:
        """Start a game; return the rules and the first question.

        Args:
            row: a row of the data set. Columns with the names of options of `TextGame`, such as `seed`, are taken as these,
                and all others are passed over. `opponents` must be a registered name, as data is not to name code.

        Raises:
            InvalidOption: `opponents` is none, or another option is wrong.
        """
        named = {name: value for name, value in row.items() if name in _OPTIONS and value is not None}
        if "opponents" in named and named["opponents"] not in agent_names():
            raise InvalidOption(f"opponents: expected a registered name in a row, got {shown(named['opponents'])}")
        self._game = game = TextGame(**(self._options | named))
        return f"{game.rules}\n\n{game.text}"

    def answer(self, text: str) -> str:
        """Answer the question of the game.

        Args:
            text: One action, such as "buy Silver" or "pass".

        Returns:
            The next question, the end of the game, or why the answer was not taken.
        """
        game = self._running()
        answer = game.answer(text)
        return game.text if answer.taken else f"Not taken: {answer.why}"

    def get_reward(self) -> float:
        """Return the reward of the game so far; see `reward_of`."""
        return reward_of(self._running())

    def _running(self) -> TextGame:
        if self._game is None:
            raise WrongOrder("answer: expected a game, got none: reset() starts one")
        return self._game


def reward_of(game: TextGame) -> float:
    """Return half the result, and the lead in points / 50, as `reward="lead"` pays it; a game without a result is lost."""
    scores, winners, seat = game.scores, game.winners, game.seat
    others = len(scores) - 1
    if not others:
        return scores[seat] / LEAD_SCALE
    lead = (scores[seat] - (sum(scores) - scores[seat]) / others) / LEAD_SCALE
    result = (len(scores) - len(winners)) / (len(winners) * others) if seat in winners else -1 / others
    return result / 2 + lead
