"""One game as a PettingZoo environment, whose agents `player_0`, `player_1`, ... act in turn (AEC).

    env = dominion_v0.env(kingdom="first-game-2e", auto_treasures=True)
    env.reset(seed=0)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        action = None if termination or truncation else env.action_space(agent).sample(info["action_mask"])
        env.step(action)

A player usually decides several times in a row, so `agent_selection` often stays the same; in the middle of a turn, an
Attack makes each of its victims the selected agent. Rewards come only at the end, when all agents terminate (or are
truncated) together.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, TypeAlias

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers
from pettingzoo.utils.conversions import turn_based_aec_to_parallel_wrapper

from dominion_env.common.checks import flag, shown
from dominion_env.common.errors import DominionError, IllegalAction, InvalidOption, WrongOrder
from dominion_env.core.address import Address, address_of
from dominion_env.core.batch import GameBatch
from dominion_env.rules.record.state import TRUNCATED
from dominion_env.tables.actions import NUM_ACTIONS, PASS
from dominion_env.views.common.arguments import check_options, checked_action, checked_seed
from dominion_env.views.common.episode_logs import EpisodeLogs
from dominion_env.views.common.mask_place import MaskIn, MaskPlace
from dominion_env.views.common.observation_space import observation_space, state_space
from dominion_env.views.common.renderer import RENDER_MODES, Renderer, RenderMode, RenderSeat, records_from_the_start
from dominion_env.views.game import Game

Mask: TypeAlias = NDArray[np.int8]
Observation: TypeAlias = dict[str, NDArray[Any]] | NDArray[Any]

_NOTHING_LEGAL: Mask = np.zeros(NUM_ACTIONS, np.int8)


def env(**options: Any) -> AECEnv[str, Observation, int | None]:
    """Make the environment for learners: `raw_env` behind PettingZoo's `OrderEnforcingWrapper`.

    An illegal action ends the game; its player gets -1, and each other player 1/(players - 1). An action outside of the
    space raises `IllegalAction`. Both are done by `raw_env`, so PettingZoo's wrappers for them are not needed.

    Args:
        options: options of `raw_env`; `illegal` is "lose" unless given.
    """
    options.setdefault("illegal", "lose")
    return OrderEnforcingWrapper(raw_env(**options))


class OrderEnforcingWrapper(wrappers.OrderEnforcingWrapper[str, Observation, int | None]):
    """PettingZoo's wrapper, whose `last` asks the environment once, instead of for each attribute by its name."""

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Return observation, reward, whether the game has ended, whether it was cut short, and info of `agent_selection`."""
        told: tuple[Observation | None, float, bool, bool, dict[str, Any]]
        told = self.env.last(observe) if self._has_reset else super().last(observe)
        return told


def parallel_env(**options: Any) -> ParallelEnv[str, Observation, int | None]:
    """Make the environment for learners that step all agents at once, by PettingZoo's own converter.

    Of the given actions, only that of the agent that must decide counts. The mask of every other agent is all zeros, or
    with `idle_can_pass=True` has `PASS` alone, for learners that draw an action for every agent.

    Args:
        options: options of `raw_env`; `illegal` is "lose" unless given.
    """
    return _ParallelEnv(env(**options))


class _ParallelEnv(turn_based_aec_to_parallel_wrapper):
    """PettingZoo's converter, with errors in words and infos that hold numpy's values only."""

    def __init__(self, aec_env: AECEnv[str, Observation, int | None]) -> None:
        super().__init__(aec_env)
        self.agents: list[str] = []
        self._begun = False

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """Start the game (seed, 0, 0), or the next episode, as `raw_env.reset`.

        Returns:
            Observations and infos of all agents, by name.
        """
        result = super().reset(seed, options)
        self._begun = True
        return result

    def step(self, actions: Mapping[str, Any]) -> Any:
        """Carry out the action of the agent that must decide.

        Args:
            actions: one action for each agent, by name; all but that of the agent that must decide are ignored.

        Returns:
            Observations, rewards, terminations, truncations and infos of all agents, by name.

        Raises:
            WrongOrder: `reset()` has not been called yet.
            IllegalAction: the action of the agent that must decide is missing, or outside of the space; nothing has changed.
        """
        if not self._begun:
            raise WrongOrder("step() before reset(): reset() starts a game")
        asked = self.aec_env.agent_selection
        if self.agents and asked not in actions:
            raise IllegalAction(f"expected an action of {asked}, which must decide, got actions of {list(actions)}")
        result = super().step(actions)
        for info in result[-1].values():
            # The converter's name of an agent, in running games alone, is nothing that recorders and TorchRL can store.
            info.pop("active_agent", None)
        return result


class raw_env(AECEnv[str, Observation, int | None]):
    """The environment without wrappers; by default an illegal action raises `IllegalAction` and changes nothing.

    The mask has a 1 for every legal action of the agent that must act, is all zeros for agents that wait (or has `PASS`
    alone, see `idle_can_pass`), and all ones once the game is over, when the only action left is None.

    `reset(seed=s)` plays the game (s, 0, 0), `reset()` the next episode. The very first `reset()` plays episode 0 of
    the `seed` given here. `infos[agent]` holds `scores`, `turns` (int64) and `winners` (bool), each (num_players,), which are
    0 until the game is over.

    Args:
        num_players: number of players, 1 to 6.
        mask_in: place of the mask of legal actions. With "observation", an observation is `{"observation": array of shape
            (observation_size,), "action_mask": int8 (NUM_ACTIONS,)}`; with "info", it is a plain array, and the mask is
            `infos[agent]["action_mask"]`; with "both", the same mask is in either place.
        idle_can_pass: whether the masks of agents that wait have `PASS` instead of nothing, for libraries that draw an action
            for every agent (TorchRL's parallel environments). The actions of these agents are ignored all the same.
        render_mode: kind of frames that `render()` returns: "ansi", "svg", "html" (str), "rgb_array" (uint8 (height, width,
            3)), or "human", which prints the text, also after every step.
        render_seat: seat whose view is rendered, "all" for everything, or None for the agent that must act.
        seed: seed of the first game; None draws one at random, which is then in `address`.
        options: all other options of `GameBatch` that suit one game.

    Attributes:
        state_space: space of `state()`.

    Raises:
        DominionError: an option is wrong, or a call comes in the wrong order.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "dominion_v0",
        "render_modes": RENDER_MODES,
        "is_parallelizable": False,  # by `aec_to_parallel`, for agents that move at once; see `parallel_env`
        "render_fps": 1,
    }

    def __init__(
        self,
        num_players: int = 2,
        mask_in: MaskIn = "both",
        idle_can_pass: bool = False,
        render_mode: RenderMode | None = None,
        render_seat: RenderSeat = None,
        seed: int | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self._mask_place = MaskPlace(mask_in, ("observation", "action_mask"))
        instead = {"num_games": "this is one game", "autoreset": "call reset() when a game has ended"}
        check_options("dominion_v0", raw_env, options, instead)
        options.setdefault("record", records_from_the_start(render_mode))
        self._batch = GameBatch(1, num_players=num_players, seed=seed, autoreset=False, **options)
        self._logs = EpisodeLogs(self._batch)
        players = self._batch.num_players
        self.mask_in = mask_in
        self._idle_mask = _NOTHING_LEGAL.copy()
        self._idle_mask[PASS] = flag("idle_can_pass", idle_can_pass)
        self.render_mode = render_mode
        self._renderer = Renderer(render_mode, render_seat, players)
        self._fresh = True

        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._masks: dict[str, Mask] = {}  # empty before the first reset
        self._no_facts: dict[str, dict[str, Any]] = {}  # what infos hold until the game is over, new for each game
        self.agents: list[str] = []
        self.agent_selection = self.possible_agents[0]
        box = observation_space(self._batch)
        self.observation_spaces = {agent: self._mask_place.space(box) for agent in self.possible_agents}
        self.action_spaces: dict[str, spaces.Space[Any]] = {
            agent: spaces.Discrete(NUM_ACTIONS) for agent in self.possible_agents
        }
        self.state_space = state_space(players)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the observation space of an agent, the same object at each call."""
        return self._of(agent, self.observation_spaces)

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return `Discrete(NUM_ACTIONS)`, the same object at each call."""
        return self._of(agent, self.action_spaces)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start the game (seed, 0, 0), or without a seed the next episode. `options` are not used.

        Raises:
            InvalidOption: the seed is no whole number from 0; nothing has changed.
        """
        if seed is not None or not self._fresh:
            self._logs.reset(None if seed is None else checked_seed(seed))
        self._fresh = False
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        # The game may be over already in a start position.
        state = self._batch.state[0]
        over, truncated = bool(state["over"]), bool(state["ended"] == TRUNCATED)
        self.terminations = dict.fromkeys(self.agents, over and not truncated)
        self.truncations = dict.fromkeys(self.agents, over and truncated)
        self._skip_agent_selection = None
        players = len(self.agents)
        self._no_facts = {
            agent: {name: np.zeros(players, of) for name, of in (("scores", "i8"), ("turns", "i8"), ("winners", "?"))}
            for agent in self.agents
        }
        self.infos: dict[str, dict[str, Any]] = {}
        self._ask()
        if over:
            self._end()

    def step(self, action: int | None) -> None:
        """Carry out the action of `agent_selection`; with None, remove that agent from a game that is over.

        Raises:
            IllegalAction: the action is outside of the space, or illegal with `illegal="raise"`, or the game is over and it
                is not None; nothing has changed.
            WrongOrder: `reset()` must come first.
        """
        if not self.agents:
            raise self._out_of_order("step()")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise IllegalAction(f"expected None, as the game of {agent} is over, got {shown(action)}")
            self._was_dead_step(action)
            return
        rewards, terminated, truncated = self._batch.step([checked_action(self._batch, action)])
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._ask()
        if terminated.item(0) or truncated.item(0):  # all rewards come at the end
            self.rewards = dict(zip(self.agents, rewards[0].tolist(), strict=True))
            self.terminations = dict.fromkeys(self.agents, terminated.item(0))
            self.truncations = dict.fromkeys(self.agents, truncated.item(0))
            self._accumulate_rewards()
            self._end()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """Return the observation of any agent, whether it must act or not."""
        if agent not in self._masks:
            raise self._out_of_order(f"observe({agent!r})") if agent in self._seat else self._no_agent(agent)
        observation = self._batch.observe_only_game(self._seat[agent])
        seen: Observation = self._mask_place.observation(observation, self._masks[agent])
        return seen

    def state(self) -> NDArray[np.float32]:
        """Return the recall observations of all seats, that of player_0 first, float32 (num_players * observation_size,).

        It holds all hands, draw piles and discard piles, so no agent may see it.
        """
        if not self._masks:
            raise self._out_of_order("state()")
        batch = self._batch
        observe = batch.observer("recall")
        return np.concatenate([observe(seat)[0] for seat in range(batch.num_players)])

    def _ask(self) -> None:
        """Select the agent that must act, and make the masks and infos of all agents.

        Masks and dictionaries are new each time, as PettingZoo's own converter writes into those of the last step.
        """
        batch, masks, infos, in_info = self._batch, self._masks, self.infos, self._mask_place.in_info
        asked = batch.current_player.item(0)
        for seat, agent in enumerate(self.possible_agents):
            masks[agent] = mask = batch.action_mask_int8[0].copy() if seat == asked else self._idle_mask.copy()
            infos[agent] = info = self._no_facts[agent].copy()
            if in_info:
                info["action_mask"] = mask
        self.agent_selection = self.possible_agents[asked]

    def _end(self) -> None:
        """Put the facts of the end into the infos of all agents."""
        final = self._batch.final
        for agent in self.agents:
            self._masks[agent][:] = 1  # also in the info, which holds the same array
            self.infos[agent] |= {
                "scores": final.scores[0].astype(np.int64),
                "turns": final.turns[0].astype(np.int64),
                "winners": final.winners[0].copy(),
            }

    @property
    def address(self) -> Address:
        """Seed, index and episode of the game, which an environment that is made with them plays again."""
        return address_of(self._batch.state[0])

    @property
    def game(self) -> Game:
        """A copy of the game as a `Game`, to read, save or try things in; moves in it change nothing here.

        Its log is that of the running episode if there is a `render_mode` (or `record=True`), otherwise it is empty. With
        "rgb_array" it begins at the first `render()`.
        """
        return self._logs.game(0)

    def render(self) -> Any:
        """Return the position and the newest lines of the log as `render_mode` and `render_seat` say.

        Returns:
            A frame; None if it was printed, or no mode is set.
        """
        if not self._masks:
            raise self._out_of_order("render()")
        if self.render_mode is not None:
            self._logs.begin()
        return self._renderer.frame(self.game, int(self._batch.current_player[0]))

    def close(self) -> None:
        """End the game; after that, only `reset()` is possible."""
        self.agents = []
        self._masks = {}

    def _of(self, agent: str, table: dict[str, spaces.Space[Any]]) -> spaces.Space[Any]:
        if agent not in table:
            raise self._no_agent(agent)
        return table[agent]

    def _no_agent(self, agent: object) -> DominionError:
        return InvalidOption(f"agent: expected {', '.join(self.possible_agents)}, got {shown(agent)}")

    def _out_of_order(self, call: str) -> DominionError:
        if self._masks:
            return WrongOrder(f"{call}: the game is over and all agents have left; reset() starts the next")
        return WrongOrder(f"{call} before reset() or after close(): reset() starts a game")
