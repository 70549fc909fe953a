"""Stable-Baselines3's view: N games stepped by one call, masks straight from the core.

    env = SB3VecEnv(256, opponents="big-money", seat="random", kingdom="first-game-2e", auto_treasures=True)
    MaskablePPO("MlpPolicy", env).learn(1_000_000)

Needs the extra `train`. Wrap it in SB3's `VecMonitor` for episode statistics.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.vec_env.base_vec_env import VecEnv, VecEnvIndices, VecEnvStepReturn

from dominion_env.actions import NUM_ACTIONS
from dominion_env.core.address import Address, address_of
from dominion_env.errors import InvalidOption, WrongOrder
from dominion_env.views.frames import Frames, RenderSeat, records_from_the_start
from dominion_env.views.learner import LearnerBatch, Seat, checked_num_envs
from dominion_env.views.options import check_names
from dominion_env.views.seeds import checked_seed, row_seeds
from dominion_env.views.spaces import observation_space

if TYPE_CHECKING:
    from dominion_env.views.learner import Opponents


class SB3VecEnv(VecEnv):
    """N games as one `VecEnv` for MaskablePPO.

    With `opponents`, a row is the learner's seat at its decisions: the others are played inside `step`, and a result
    reaches the learner also if the game ends in somebody else's turn. Without, every row is the seat that must decide
    (`seats` says which); a seat-aware learner reads all seats' rewards from `infos[i]["rewards"]` where a game is done.

    A game that ends is followed by the next one at once. `infos[i]` of a finished game holds `terminal_observation` (of
    the learner's seat, or of the seat that decided last), `TimeLimit.truncated`, `is_success` (1 a win, 1/2 a shared
    one, 0 otherwise), and the facts of the end: `seat`, `ended` (int64), and of all seats `rewards` (float32), `scores`,
    `turns` (int64) and `winners` (bool), each (num_players,).

    Args:
        num_envs: games.
        opponents: an agent's name, an agent, a list of these to draw from for each opposing seat and episode, or None.
        seat: the learner's: a number, "random", or "alternate": (index + episode) % num_players, which is 0 in each row's
            first game.
        seed: an int s makes row i the game (s + i, 0, episode), as other vector environments do; or one int per row.
            None: s is drawn at random, which `addresses` says.
        render_mode: "rgb_array": `render()` returns all games side by side, uint8 (height, width, 3), as SB3's
            VecVideoRecorder wants it; or None.
        render_seat: whose eyes it uses: a seat, "all" for everything, or None for each row's own.
        options: all others of `GameBatch`.

    An opponent may fail: its `act` raises, Ctrl-C comes, or its answer is no legal action (`IllegalAction`, whatever
    `illegal` says). It is asked for many games at once, when the learners' actions have been carried out, so none of them
    can go on: every further step is refused with `WrongOrder`, and so are masks, until `reset()` starts anew.

    Raises:
        DominionError: a wrong option.
    """

    def __init__(
        self,
        num_envs: int,
        opponents: Opponents | None = None,
        seat: Seat = 0,
        seed: int | Sequence[int] | NDArray[np.integer[Any]] | None = None,
        render_mode: Literal["rgb_array"] | None = None,
        render_seat: RenderSeat = None,
        **options: Any,
    ) -> None:
        if not options.pop("autoreset", True):
            raise InvalidOption("autoreset=False: stable-baselines3 wants the next game to start when one has ended")
        check_names("SB3VecEnv", SB3VecEnv, options, {"num_games": "did you mean `num_envs`?"})
        num_envs = checked_num_envs(num_envs)
        options.setdefault("record", records_from_the_start(render_mode))
        self.games = LearnerBatch(num_envs, opponents, seat, seed=row_seeds(seed, num_envs), **options)
        if render_mode not in (None, "rgb_array"):
            raise InvalidOption(f"render_mode={render_mode!r}: choose 'rgb_array' or None")
        self._frames = Frames(render_mode, render_seat, self.games.num_players)
        self._closed = False
        self._actions: NDArray[np.int64] = np.zeros(num_envs, dtype=np.int64)
        super().__init__(num_envs, observation_space(self.games.num_players), spaces.Discrete(NUM_ACTIONS))

    @property
    def seats(self) -> NDArray[np.int64]:
        """The seat behind each row, int64 (num_envs,), read-only."""
        view = self.games.seats.view()
        view.setflags(write=False)
        return view

    @property
    def addresses(self) -> list[Address]:
        """Seed, index and episode of each row's game: an environment made with these plays it again."""
        return [address_of(record) for record in self.games.batch.state]

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Make the next `reset` start row i at the game (seed + i, 0, 0); None draws a seed.

        Raises:
            InvalidOption: the seed is no whole number from 0; nothing has changed.
        """
        return super().seed(None if seed is None else checked_seed(seed))

    def action_masks(self) -> NDArray[np.bool_]:
        """What is legal, bool (num_envs, NUM_ACTIONS), a copy of the core's masks."""
        masks = self.games.action_mask
        # MaskablePPO would take an empty mask without a word and draw from everything that is illegal.
        assert masks.any(axis=1).all(), "a row without any legal action"
        return masks.copy()

    def reset(self) -> NDArray[np.float32]:
        """Start new games: those of the seeds set by `seed()`, else the next episodes.

        Returns:
            Observations, float32 (num_envs, observation_size).

        Raises:
            WrongOrder: after `close()`.
            Exception: an opponent failed; `reset()` is due again.
        """
        if self._closed:
            raise WrongOrder("reset() after close(): make a new environment")
        self.games.reset(self._seeds)
        self._reset_seeds()
        self._reset_options()
        self.reset_infos = [{} for _ in range(self.num_envs)]
        return self._observations()

    def step_async(self, actions: NDArray[Any]) -> None:
        """Keep the actions, int (num_envs,), for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Carry the actions out.

        Returns:
            Observations float32 (num_envs, observation_size), rewards float32 (num_envs,), dones bool (num_envs,), all
            of them copies, and a list of num_envs infos.

        Raises:
            IllegalAction: no action, or not legal (with `illegal="raise"`); nothing has moved.
            WrongOrder: `reset()` is due, or the environment is closed; nothing has moved.
            Exception: an opponent failed, `IllegalAction` if by its answer; the learners' actions have been carried out, and
                `reset()` is due.
        """
        if self._closed:
            raise WrongOrder("step() after close(): make a new environment")
        games = self.games
        rewards, terminated, truncated = games.step(self._actions)
        dones = terminated | truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        if dones.any():
            facts = games.final_facts()
            for row in np.flatnonzero(dones):
                infos[row] = {
                    "terminal_observation": games.final_observations[row].copy(),
                    "TimeLimit.truncated": truncated[row] & ~terminated[row],
                    **{name: values[row].copy() for name, values in facts.items()},
                }
        return self._observations(), rewards.copy(), dones, infos

    def _observations(self) -> NDArray[np.float32]:
        shape = (self.num_envs, self.games.batch.observation_size)
        return self.games.observe(out=np.empty(shape, dtype=np.float32))

    def close(self) -> None:
        """No more games."""
        self._closed = True

    def get_images(self) -> list[NDArray[np.uint8] | None]:
        """A picture of each game, uint8 (height, width, 3)."""
        if self._frames.mode is not None:
            self.games.logs.begin()
        seats = self.games.seats.tolist()
        return [self._frames.frame(self.games.logs.game(row), seat) for row, seat in enumerate(seats)]

    def has_attr(self, attr_name: str) -> bool:
        """Whether rows have that attribute; `action_masks` is what MaskablePPO asks for."""
        return attr_name in ("action_masks", "address") or hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """The attribute of this environment once for each index, of `seats` each row's own."""
        rows = list(self._get_indices(indices))
        if attr_name == "render_mode":
            return [self._frames.mode] * len(rows)
        if attr_name == "address":
            return [self.addresses[row] for row in rows]
        if attr_name == "seats":
            return [int(self.games.seats[row]) for row in rows]
        return [getattr(self, attr_name)] * len(rows)

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Not possible: the games of one batch share everything that could be set."""
        raise AttributeError(f"{attr_name!r} can't be set on single games of a batch: make a new SB3VecEnv")

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **method_kwargs: Any
    ) -> list[Any]:
        """`action_masks` of each row, bool (NUM_ACTIONS,); rows have no other method."""
        if method_name != "action_masks":
            raise AttributeError(f"games of a batch have no method {method_name!r}, only 'action_masks'")
        masks = self.action_masks()
        return [masks[row] for row in self._get_indices(indices)]

    def env_is_wrapped(
        self, wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]], indices: VecEnvIndices = None
    ) -> list[bool]:
        """Games of a batch are wrapped in nothing."""
        return [False for _ in self._get_indices(indices)]
