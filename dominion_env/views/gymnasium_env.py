"""One game as a Gymnasium environment, in which opponents play all seats but the learner's.

env = gymnasium.make("Dominion-v0", opponents="big-money", seat="random", auto_treasures=True)
observation, info = env.reset(seed=0)
while True:
    action = env.action_space.sample(info["action_mask"])
    observation, reward, terminated, truncated, info = env.step(action)
    if terminated or truncated:
        break
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, TypeAlias

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from dominion_env.common.checks import shown
from dominion_env.common.errors import GameOver, WrongOrder
from dominion_env.core.address import Address, address_of, fresh_seed
from dominion_env.core.rewards import Reward
from dominion_env.tables.actions import NUM_ACTIONS
from dominion_env.views.common.arguments import check_options, checked_action, checked_seed, reward_or_default
from dominion_env.views.common.mask_place import MaskIn, MaskPlace
from dominion_env.views.common.observation_space import observation_space
from dominion_env.views.common.renderer import RENDER_MODES, Renderer, RenderMode, RenderSeat, records_from_the_start
from dominion_env.views.game import Game
from dominion_env.views.learner import LearnerBatch, Opponents, Seat

Observation: TypeAlias = NDArray[Any] | dict[str, NDArray[Any]]


class DominionEnv(gymnasium.Env[Observation, np.int64]):
    """One game from the learner's seat, in which `step` carries out an action and plays on to the learner's next decision.

    The learner gets the result even if the game ends in another player's turn. `info["action_mask"]`, int8
    (NUM_ACTIONS,), has a 1 for every legal action, and is all ones once the game is over. `info["seat"]` is the
    learner's seat. The facts of the end are 0 until then: `rewards` (float32), `scores`, `turns` (int64) and `winners`
    (bool) of all seats, each (num_players,), `ended` (1 Provinces, 2 empty piles, 3 truncated, 4 illegal action) and
    `is_success` (1 for a win, 1/2 for a shared one, 0 otherwise). All values are numpy's. Keys, shapes and dtypes are the
    same in every info.

    `reset(seed=s)` plays the game (s, 0, 0), `reset()` the next episode. The very first `reset()` plays episode 0 of
    the `seed` given here.

    An opponent fails if its `act` raises, Ctrl-C is pressed, or its answer is no legal action (`IllegalAction`, whatever
    `illegal` says). By then the learner's action has been carried out and the game can't go on, so every further `step`
    and every request for a mask is refused with `WrongOrder` until `reset()`.

    Args:
        opponents: name of an agent, an agent, or a list of names and agents from which each opposing seat of each episode
            draws one. With None the learner decides in every seat, and `info["seat"]` says which one it is.
        seat: seat of the learner, as a number, "random", or "alternate", which is (index + episode) % num_players
            and so 0 in the game of each `reset(seed=s)`.
        render_mode: kind of frames that `render()` returns: "ansi", "svg", "html" (str), "rgb_array" (uint8 (height, width,
            3)), or "human", which prints the text, also after every reset and step.
        render_seat: seat whose view is rendered, "all" for everything, or None for the learner's seat.
        seed: seed of the first game; None draws one at random, which is then in `address`.
        illegal: "lose", by which an illegal action of the learner ends the game with reward -1, or "raise" for
            `IllegalAction`.
        mask_in: place of the mask of legal actions. With "info", it is `info["action_mask"]`; with "observation", an
            observation is `{"observation": (observation_size,), "action_mask": int8 (NUM_ACTIONS,)}`; with "both", the
            same mask is in either place.
        observation_keys: names of these two parts of an observation; RLlib reads ("observations", "action_mask"), Tianshou
            ("obs", "mask").
        reward: payment at the end (see `GameBatch`); None for "lead" with opponents and for "result" without.
        options: all other options of `GameBatch` that suit one game.

    Raises:
        DominionError: an option is wrong, or a call comes in the wrong order.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": RENDER_MODES, "render_fps": 1}  # type: ignore[misc]  # an instance variable in Gymnasium

    def __init__(
        self,
        opponents: Opponents | None = "big-money",
        seat: Seat = 0,
        render_mode: RenderMode | None = None,
        render_seat: RenderSeat = None,
        seed: int | None = None,
        illegal: str = "lose",
        mask_in: MaskIn = "info",
        observation_keys: Sequence[str] = ("observation", "action_mask"),
        reward: Reward | None = None,
        **options: Any,
    ) -> None:
        instead = {
            "num_games": "this is one game; DominionVectorEnv has many",
            "autoreset": "call reset() when a game has ended",
        }
        check_options("DominionEnv", DominionEnv, options, instead)
        options.setdefault("record", records_from_the_start(render_mode))
        seed = fresh_seed() if seed is None else seed
        options["reward"] = reward_or_default(reward, opponents)
        self.games = LearnerBatch(1, opponents, seat, autoreset=False, seed=[seed], illegal=illegal, **options)
        self.render_mode = render_mode
        self._renderer = Renderer(render_mode, render_seat, self.games.num_players)
        self._mask_place = MaskPlace(mask_in, observation_keys)
        self.observation_space = self._mask_place.space(observation_space(self.games.batch))
        self.action_space = spaces.Discrete(NUM_ACTIONS)
        self._no_facts: dict[str, Any] = {name: zeros[0] for name, zeros in self.games.facts().items()}
        self._running = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start the game (seed, 0, 0), or without a seed the next episode. `options` are not used.

        Returns:
            Observation, (observation_size,) of `observation_dtype` or as `mask_in` says, and info.

        Raises:
            InvalidOption: the seed is no whole number from 0; nothing has changed.
            Exception: an opponent failed; `reset()` must come again.
        """
        checked = None if seed is None else checked_seed(seed)
        super().reset(seed=checked)
        self._running = True
        self.games.reset(None if checked is None else [checked])
        if self.render_mode == "human":
            self.render()
        return self._observation_and_info()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Carry out the learner's action, and all that follows until the learner is asked again.

        Args:
            action: an int from 0 to NUM_ACTIONS - 1.

        Returns:
            Observation, reward of the learner, whether the game has ended, whether it was cut short, and info.

        Raises:
            IllegalAction: this is no action, or it is not legal and `illegal` is "raise"; nothing has moved.
            GameOver, WrongOrder: `reset()` must come first; nothing has moved.
            Exception: an opponent failed (`IllegalAction` if its answer is wrong); the learner's action has been carried
                out, and `reset()` must come next.
        """
        if not self._running:
            raise WrongOrder("step() before reset() or after close(): reset() starts a game")
        games = self.games
        if games.over[0]:
            raise GameOver(f"got {shown(action)}, but the game is over: reset() starts the next")
        rewards, terminated, truncated = games.step([checked_action(games.batch, action)])
        if self.render_mode == "human":
            self.render()
        observation, info = self._observation_and_info()
        return observation, float(rewards[0]), bool(terminated[0]), bool(truncated[0]), info

    def _observation_and_info(self) -> tuple[Observation, dict[str, Any]]:
        """Return the learner's observation and info."""
        games, mask = self.games, self.action_masks().view(np.int8)
        facts = {name: values[0] for name, values in games.facts().items()} if games.over[0] else self._no_facts
        info = self._mask_place.info(mask) | {"seat": games.seats[0]}
        info |= {name: value.copy() for name, value in facts.items()}
        return self._mask_place.observation(games.observe()[0], mask), info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the mask of legal actions, bool (NUM_ACTIONS,), as a new array; sb3-contrib's MaskablePPO calls this."""
        masks: NDArray[np.bool_] = self.games.action_mask[0] | self.games.over[0]
        return masks

    @property
    def address(self) -> Address:
        """Seed, index and episode of the game, which an environment that is made with them plays again."""
        return address_of(self.games.batch.state[0])

    @property
    def game(self) -> Game:
        """A copy of the game as a `Game`, to read, save or try things in; moves in it change nothing here.

        Its log is that of the running episode if there is a `render_mode` (or `record=True`), otherwise it is empty. With
        "rgb_array" it begins at the first `render()`.
        """
        return self.games.logs.game(0)

    def render(self) -> Any:
        """Return the position and the newest lines of the log as `render_mode` and `render_seat` say.

        Returns:
            A frame; None if it was printed, or no mode is set.
        """
        if not self._running:
            raise WrongOrder("render() before reset() or after close(): reset() starts a game")
        if self.render_mode is not None:
            self.games.logs.begin()
        return self._renderer.frame(self.game, int(self.games.seats[0]))

    def close(self) -> None:
        """End the game; after that, only `reset()` is possible."""
        self._running = False
