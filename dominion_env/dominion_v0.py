"""PettingZoo's view: one game, agents `player_0`, `player_1`, ... that act in turn (AEC).

    env = dominion_v0.env(kingdom="first-game-2e", auto_treasures=True)
    env.reset(seed=0)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        action = None if termination or truncation else env.action_space(agent).sample(info["action_mask"])
        env.step(action)

A player usually decides several times in a row: `agent_selection` then stays the same. Rewards come at the end only,
when all agents terminate (or are truncated) together.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from dominion_env.actions import NUM_ACTIONS
from dominion_env.batch import GameBatch
from dominion_env.errors import InvalidOption
from dominion_env.game import Game
from dominion_env.rules.state import TRUNCATED
from dominion_env.spaces import observation_space

Mask: TypeAlias = NDArray[np.int8]
Observation: TypeAlias = dict[str, NDArray[Any]] | NDArray[np.float32]
RenderMode: TypeAlias = Literal["ansi", "human"]


def env(**options: Any) -> AECEnv[str, Observation, int | None]:
    """The environment for learners: `raw_env` in PettingZoo's usual wrappers.

    An illegal action ends the game: its player gets -1, each other player 1/(players - 1). Calls in the wrong order
    and actions outside the space are refused.

    Args:
        options: see `raw_env`; `illegal` is "lose" unless given.
    """
    options.setdefault("illegal", "lose")
    wrapped: AECEnv[str, Observation, int | None] = raw_env(**options)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class raw_env(AECEnv[str, Observation, int | None]):
    """The environment without wrappers; an illegal action raises `IllegalAction` and changes nothing.

    Args:
        num_players: 1 to 6.
        mask_in: where the mask of legal actions is: "both", the same array; "observation": observations are
            `{"observation": float32 (observation_size,), "action_mask": int8 (NUM_ACTIONS,)}`; "info": observations
            are plain arrays and the mask is in `infos[agent]["action_mask"]`.
        render_mode: "ansi": `render()` returns the position as text; "human": prints it, after every step too.
        options: all others of `GameBatch` that suit one game.

    The mask has a 1 for every legal action of the agent that must act, is all zeros for agents that wait, and all ones
    once the game is over, when the only action left is None.

    `reset(seed=s)` plays the game (s, 0, 0), `reset()` the next episode; the very first `reset()` plays episode 0 of
    the `seed` given here. `infos[agent]` of a finished game holds `scores`, `turns` and `winners` (seats).

    Raises:
        DominionError: a wrong option.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "dominion_v0",
        "render_modes": ["ansi", "human"],
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        num_players: int = 2,
        mask_in: Literal["both", "observation", "info"] = "both",
        render_mode: RenderMode | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        if mask_in not in ("both", "observation", "info"):
            raise InvalidOption(f"mask_in={mask_in!r}: choose 'both', 'observation' or 'info'")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise InvalidOption(f"render_mode={render_mode!r}: choose {self.metadata['render_modes']} or None")
        self.mask_in = mask_in
        self.render_mode = render_mode
        self._batch = GameBatch(1, num_players=num_players, autoreset=False, **options)
        self._fresh = True

        self.possible_agents = [f"player_{seat}" for seat in range(self._batch.num_players)]
        self.agents: list[str] = []
        box = observation_space(self._batch.num_players)
        mask = spaces.Box(0, 1, (NUM_ACTIONS,), np.int8)
        self.observation_spaces = {
            agent: box if mask_in == "info" else spaces.Dict({"observation": box, "action_mask": mask})
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(NUM_ACTIONS) for agent in self.possible_agents}
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same object at each call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """`Discrete(NUM_ACTIONS)`, the same object at each call."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start the game (seed, 0, 0), or the next episode. `options` are not used."""
        if seed is not None or not self._fresh:
            self._batch.reset(seed=seed)
        self._fresh = False
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        # A position can be loaded in which the game is over.
        over, cut = bool(self._batch.state["over"][0]), self._batch.state["ended"][0] == TRUNCATED
        self.terminations = dict.fromkeys(self.agents, over and not cut)
        self.truncations = dict.fromkeys(self.agents, bool(over and cut))
        self._skip_agent_selection = None
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._masks: dict[str, Mask] = {}
        self._ask()

    def step(self, action: int | None) -> None:
        """Carry out the action of `agent_selection`, or take it off the table when its game is over (None)."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        rewards, terminated, truncated = self._batch.step(np.asarray([action]))
        self._cumulative_rewards[agent] = 0.0
        for other in self.agents:
            self.rewards[other] = float(rewards[0, self._seat[other]])
        if terminated[0] or truncated[0]:
            self.terminations = dict.fromkeys(self.agents, bool(terminated[0]))
            self.truncations = dict.fromkeys(self.agents, bool(truncated[0]))
        self._ask()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """What that agent may know now; any agent, at any time."""
        observation: NDArray[np.float32] = self._batch.observe(self._seat[agent])[0].copy()
        if self.mask_in == "info":
            return observation
        return {"observation": observation, "action_mask": self._masks[agent]}

    def _ask(self) -> None:
        """Point at the seat that must decide, and say what is legal."""
        batch = self._batch
        over = any(self.terminations.values()) or any(self.truncations.values())
        asked = int(batch.current_player[0])
        self.agent_selection = self.possible_agents[asked]
        for agent in self.possible_agents:
            mask = np.full(NUM_ACTIONS, over, dtype=np.int8)
            if not over and agent == self.agent_selection:
                mask[:] = batch.action_mask[0]
            self._masks[agent] = mask
        for agent in self.agents:
            if self.mask_in != "observation":
                self.infos[agent]["action_mask"] = self._masks[agent]
            if over:
                self.infos[agent] |= {
                    "scores": batch.final.scores[0].tolist(),
                    "turns": batch.final.turns[0].tolist(),
                    "winners": np.flatnonzero(batch.final.winners[0]).tolist(),
                }

    @property
    def game(self) -> Game:
        """The position as a `Game`: to read, save, or try things in; what is played in it changes nothing here."""
        return Game.from_dict(self._batch.to_dict(0))

    def render(self) -> str | None:
        """The position in words, with everything hidden; see `render_mode`."""
        if self.render_mode is None:
            return None
        text = self.game.render()
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Nothing is open."""
