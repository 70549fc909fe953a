"""Many games as a vector environment of stable-baselines3, stepped by one call, with masks straight from the core.

    env = SB3VecEnv(256, opponents="big-money", seat="random", kingdom="first-game-2e", auto_treasures=True)
    MaskablePPO("MlpPolicy", env).learn(1_000_000)

Needs the extra `train`. Wrap it in SB3's `VecMonitor` for episode statistics.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.vec_env.base_vec_env import VecEnv, VecEnvIndices, VecEnvStepReturn

from dominion_env.common.checks import flag, shown, whole_number
from dominion_env.common.errors import InvalidOption, WrongOrder
from dominion_env.core.address import Address, address_of
from dominion_env.core.rewards import Reward
from dominion_env.tables.actions import NUM_ACTIONS
from dominion_env.views.common.arguments import check_options, checked_seed, reward_or_default, row_seeds
from dominion_env.views.common.observation_space import observation_space
from dominion_env.views.common.renderer import Renderer, RenderSeat, records_from_the_start
from dominion_env.views.learner import LearnerBatch, Opponents, Seat


class SB3VecEnv(VecEnv):
    """N games as one `VecEnv` for MaskablePPO.

    With `opponents`, a row shows the learner's seat at its decisions. The opponents are played inside `step`, and the
    learner gets the result even if the game ends in another player's turn. Without opponents, every row shows the seat that
    must decide (`seats` says which one); a seat-aware learner reads the rewards of all seats from `infos[i]["rewards"]`
    where a game is done.

    The next game follows at once when one has ended. `infos[i]` holds `seat`, `TimeLimit.truncated`, and the facts of the
    end, which are 0 until then: `is_success` (1 for a win, 1/2 for a shared one, 0 otherwise), `ended` (int64), and of all
    seats `rewards` (float32), `scores`, `turns` (int64) and `winners` (bool), each (num_players,). That of a finished game,
    and no other, has `terminal_observation` too (of the learner's seat, or of the seat that decided last), as
    stable-baselines3 wants it.

    An opponent fails if its `act` raises, Ctrl-C is pressed, or its answer is no legal action (`IllegalAction`, whatever
    `illegal` says). It is asked for many games at once, when the learners' actions have been carried out, so none of them
    can go on: every further step and every request for masks is refused with `WrongOrder` until `reset()`.

    Args:
        num_envs: number of games.
        opponents: name of an agent, an agent, or a list of names and agents from which each opposing seat of each episode
            draws one; None for games without opponents.
        seat: seat of the learner, as a number, "random", or "alternate", which is (index + episode) % num_players
            and so for 0 in each row's first game.
        seed: an int s, which makes row i the game (s + i, 0, episode) as other vector environments do, or one int for each
            row. None draws s at random, which is then in `addresses`.
        render_mode: "rgb_array", with which `render()` returns all games side by side, uint8 (height, width, 3), as SB3's
            VecVideoRecorder needs it; or None.
        render_seat: seat whose view is rendered, "all" for everything, or None for each row's own seat.
        reward: payment at the end (see `GameBatch`); None for "lead" with opponents and for "result" without.
        options: all other options of `GameBatch`.

    Raises:
        DominionError: an option is wrong, or a call comes in the wrong order.
    """

    def __init__(
        self,
        num_envs: int,
        opponents: Opponents | None = None,
        seat: Seat = 0,
        seed: int | Sequence[int] | NDArray[np.integer[Any]] | None = None,
        render_mode: Literal["rgb_array"] | None = None,
        render_seat: RenderSeat = None,
        reward: Reward | None = None,
        **options: Any,
    ) -> None:
        if not flag("autoreset", options.pop("autoreset", True)):
            raise InvalidOption("autoreset: expected True, as stable-baselines3 starts the next game itself, got False")
        check_options("SB3VecEnv", SB3VecEnv, options, {"num_games": "did you mean `num_envs`?"})
        num_envs = whole_number("num_envs", num_envs, 1)
        options.setdefault("record", records_from_the_start(render_mode))
        options["reward"] = reward_or_default(reward, opponents)
        self.games = LearnerBatch(num_envs, opponents, seat, seed=row_seeds(seed, num_envs), **options)
        if render_mode not in (None, "rgb_array"):
            raise InvalidOption(f"render_mode: expected 'rgb_array' or None, got {shown(render_mode)}")
        self._renderer = Renderer(render_mode, render_seat, self.games.num_players)
        no_facts: dict[str, Any] = {"TimeLimit.truncated": np.False_}
        for name, zeros in self.games.facts().items():
            zeros.setflags(write=False)
            no_facts[name] = zeros[0]
        self._infos_of_seats = [{"seat": np.int64(seat), **no_facts} for seat in range(self.games.num_players)]
        self._closed = False
        self._actions: NDArray[np.int64] = np.zeros(num_envs, dtype=np.int64)
        super().__init__(num_envs, observation_space(self.games.batch), spaces.Discrete(NUM_ACTIONS))

    @property
    def seats(self) -> NDArray[np.int64]:
        """Seat of each row, int64 (num_envs,), read-only."""
        view = self.games.seats.view()
        view.setflags(write=False)
        return view

    @property
    def addresses(self) -> list[Address]:
        """Seed, index and episode of each row's game, which a `DominionEnv` that is made with them plays again."""
        return [address_of(record) for record in self.games.batch.state]

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Make the next `reset` start the game (seed + i, 0, 0) in row i; None draws a seed.

        Raises:
            InvalidOption: the seed is no whole number from 0; nothing has changed.
        """
        return super().seed(None if seed is None else checked_seed(seed))

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the masks of legal actions, bool (num_envs, NUM_ACTIONS), as a copy of the core's masks."""
        return self.games.action_mask.copy()

    def reset(self) -> NDArray[Any]:
        """Start the games of the seeds set by `seed()`, or else the next episodes.

        Returns:
            Observations, (num_envs, observation_size) of `observation_dtype`.

        Raises:
            WrongOrder: the environment is closed.
            Exception: an opponent failed; `reset()` must come again.
        """
        if self._closed:
            raise WrongOrder("reset() after close(): make a new environment")
        self.games.reset(self._seeds)
        self._reset_seeds()
        self._reset_options()
        self.reset_infos = self._infos()
        return self._observations()

    def step_async(self, actions: NDArray[Any]) -> None:
        """Keep the actions, int (num_envs,), for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Carry out the actions kept by `step_async`.

        Returns:
            Observations (num_envs, observation_size), rewards float32 (num_envs,), dones bool (num_envs,), all
            of them copies, and a list of num_envs infos.

        Raises:
            IllegalAction: one is no action, or it is not legal and `illegal` is "raise"; nothing has moved.
            WrongOrder: `reset()` must come first, or the environment is closed; nothing has moved.
            Exception: an opponent failed (`IllegalAction` if its answer is wrong); the learners' actions have been carried
                out, and `reset()` must come next.
        """
        if self._closed:
            raise WrongOrder("step() after close(): make a new environment")
        games = self.games
        rewards, terminated, truncated = games.step(self._actions)
        dones = terminated | truncated
        infos = self._infos()
        if dones.any():
            facts = games.final_facts()
            for row in np.flatnonzero(dones):
                infos[row] = {
                    "terminal_observation": games.final_observations[row].copy(),
                    "TimeLimit.truncated": truncated[row] & ~terminated[row],
                    **{name: values[row].copy() for name, values in facts.items()},
                }
        return self._observations(), rewards.copy(), dones, infos

    def _infos(self) -> list[dict[str, Any]]:
        """Return the infos of running games; their zeros are shared, and so read-only."""
        return [self._infos_of_seats[seat].copy() for seat in self.games.seats.tolist()]

    def _observations(self) -> NDArray[Any]:
        seen: NDArray[Any] = self.games.observe()
        return seen

    def close(self) -> None:
        """Close the environment; `reset()` and `step()` are refused from then on."""
        self._closed = True

    def get_images(self) -> list[NDArray[np.uint8] | None]:
        """Return a picture of each game, uint8 (height, width, 3)."""
        if self._renderer.mode is not None:
            self.games.logs.begin()
        seats = self.games.seats.tolist()
        return [self._renderer.frame(self.games.logs.game(row), seat) for row, seat in enumerate(seats)]

    def has_attr(self, attr_name: str) -> bool:
        """Whether rows have that attribute; MaskablePPO asks for `action_masks`."""
        return attr_name in ("action_masks", "address") or hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """Return the attribute of this environment once for each index; of `seats`, each row's own."""
        rows = list(self._get_indices(indices))
        if attr_name == "render_mode":
            return [self._renderer.mode] * len(rows)
        if attr_name == "address":
            return [self.addresses[row] for row in rows]
        if attr_name == "seats":
            return [int(self.games.seats[row]) for row in rows]
        return [getattr(self, attr_name)] * len(rows)

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Refuse with AttributeError, as the games of one batch share everything that could be set."""
        raise AttributeError(f"{attr_name!r} can't be set on single games of a batch: make a new SB3VecEnv")

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **method_kwargs: Any
    ) -> list[Any]:
        """Return `action_masks` of each row, bool (NUM_ACTIONS,); rows have no other method."""
        if method_name != "action_masks":
            raise AttributeError(f"games of a batch have no method {method_name!r}, only 'action_masks'")
        masks = self.action_masks()
        return [masks[row] for row in self._get_indices(indices)]

    def env_is_wrapped(
        self, wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]], indices: VecEnvIndices = None
    ) -> list[bool]:
        """Return False for each index, as the games of a batch can't be wrapped one by one."""
        return [False for _ in self._get_indices(indices)]
