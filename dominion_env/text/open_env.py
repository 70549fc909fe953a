"""A game as an environment of OpenEnv, which serves it over HTTP."""

from __future__ import annotations

from typing import Any

from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, Observation, State

from dominion_env.text.tools import DominionTools


class DominionAction(Action):
    """An answer in words."""

    text: str


class DominionObservation(Observation):
    """What the seat reads: after `reset` with the rules, after a wrong answer why it was not taken."""

    text: str


class DominionOpenEnv(Environment):
    """One game after the other against agents; the reward comes at the end, as `reward="lead"` pays it.

    Args:
        options: options of `TextGame`. A client chooses none of them, as an agent's name can be a path.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, **options: Any) -> None:
        super().__init__()
        self._tools = DominionTools(**options)
        self._state = State()

    def reset(self, seed: int | None = None, episode_id: str | None = None, **_: Any) -> DominionObservation:
        """Start a game."""
        self._state = State(episode_id=episode_id)
        return self._observed(self._tools.reset(seed=seed))

    def step(self, action: DominionAction, timeout_s: float | None = None, **_: Any) -> DominionObservation:
        """Answer the question."""
        self._state.step_count += 1
        return self._observed(self._tools.answer(action.text))

    @property
    def state(self) -> State:
        """Number of answers in this game, and its name."""
        return self._state

    def _observed(self, text: str) -> DominionObservation:
        over = self._tools.is_over
        return DominionObservation(text=text, done=over, reward=self._tools.get_reward() if over else None)
