"""Many games as a Gymnasium vector environment, with one learner in each, advanced by one call of the core.

envs = gymnasium.make_vec("Dominion-v0", num_envs=256, opponents="big-money", auto_treasures=True)
observations, infos = envs.reset(seed=0)
for _ in range(1000):
    actions = envs.unwrapped.sample_actions()  # your policy goes here; legal actions are in infos["action_mask"]
    observations, rewards, terminations, truncations, infos = envs.step(actions)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from dominion_env.common.checks import flag, shown, whole_number
from dominion_env.common.errors import GameOver, InvalidOption, WrongOrder
from dominion_env.core.address import Address
from dominion_env.core.rewards import Reward
from dominion_env.tables.actions import NUM_ACTIONS
from dominion_env.views.common.arguments import check_options, checked_seed, reward_or_default, row_seeds
from dominion_env.views.common.mask_place import MaskIn, MaskPlace
from dominion_env.views.common.observation_space import observation_space
from dominion_env.views.common.renderer import RENDER_MODES, Renderer, RenderMode, RenderSeat, records_from_the_start
from dominion_env.views.learner import Opponents, Seat
from dominion_env.views.vector_games import FACTS, Told, VectorGames
from dominion_env.views.workers import Workers

Bools = NDArray[np.bool_]
Floats = NDArray[np.float32]


class DominionVectorEnv(VectorEnv[Any, NDArray[np.int64], NDArray[Any]]):
    """N games like `DominionEnv`; row i is what the i-th environment of a `SyncVectorEnv` would be.

    Observations are (num_envs, observation_size) of `observation_dtype`, or dictionaries of arrays as `mask_in` says.
    `infos` holds what the info of `DominionEnv` holds, as arrays with one row for each game. Beside each array Gymnasium
    wants another of bools, its name with an underscore in front, which says which rows it is about: all of them. So
    `infos["ended"] > 0`, not `infos["_ended"]`, says which games are over.

    The next episode of a game that has ended depends on `autoreset_mode`:
      NEXT_STEP: the row's next `step` starts it, whatever the action, and pays 0.
      SAME_STEP: the same step starts it. Where games have ended, and only then, as in Gymnasium, the last observation is
        in `infos["final_obs"]`, an object array with None for all other games, and the last info in `infos["final_info"]`.
      DISABLED: the row waits for `reset(options={"reset_mask": bool (num_envs,)})`.

    An opponent may fail, as in `DominionEnv`. It is asked for many games at once, so none of them can go on: every further
    `step`, and every `reset` of some rows, is refused with `WrongOrder` until `reset()` of all rows.

    Args:
        num_envs: number of games.
        opponents, seat, illegal, mask_in, observation_keys, reward, options: the same as in `DominionEnv`.
        autoreset_mode: a `gymnasium.vector.AutoresetMode` or its value ("NextStep", "SameStep", "Disabled").
        copy: whether each call returns new arrays; False reuses one buffer for observations and one for action masks.
        render_mode, render_seat: the same as in `DominionEnv`, with a tuple of one frame for each game from `render()`.
        seed: an int s, which makes row i the game (s + i, 0, 0), or one int for each row. None draws s at random, which is
            then in `addresses`.
        num_workers: number of processes that play the rows, this one included; they play the same games. None means one.

    Raises:
        DominionError: an option is wrong, a call comes in the wrong order, or a worker has died, which closes the environment.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": RENDER_MODES, "render_fps": 1}  # type: ignore[misc]  # an instance variable in Gymnasium

    def __init__(  # noqa: PLR0913  each is an option of its own, given by name
        self,
        num_envs: int = 1,
        opponents: Opponents | None = "big-money",
        seat: Seat = 0,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        render_mode: RenderMode | None = None,
        render_seat: RenderSeat = None,
        seed: int | Sequence[int] | NDArray[np.integer[Any]] | None = None,
        illegal: str = "lose",
        mask_in: MaskIn = "info",
        observation_keys: Sequence[str] = ("observation", "action_mask"),
        reward: Reward | None = None,
        num_workers: int | None = None,
        **options: Any,
    ) -> None:
        instead = {"num_games": "did you mean `num_envs`?", "autoreset": "choose an autoreset_mode instead"}
        check_options("DominionVectorEnv", DominionVectorEnv, options, instead)
        num_envs = whole_number("num_envs", num_envs, 1)
        try:
            self.autoreset_mode = AutoresetMode(autoreset_mode)
        except ValueError:
            modes = ", ".join(repr(mode.value) for mode in AutoresetMode)
            raise InvalidOption(f"autoreset_mode: expected {modes}, got {shown(autoreset_mode)}") from None
        self.copy = flag("copy", copy)
        number = 1 if num_workers is None else whole_number("num_workers", num_workers, 1, num_envs)
        options.setdefault("record", records_from_the_start(render_mode))
        games = VectorGames(
            num_envs,
            opponents,
            seat,
            autoreset=self.autoreset_mode == AutoresetMode.SAME_STEP,
            reward=reward_or_default(reward, opponents),
            seed=row_seeds(seed, num_envs),
            illegal=illegal,
            copy=self.copy,
            **options,
        )
        batch = games.batch
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}  # type: ignore[misc]  # as Gymnasium does
        self._renderer = Renderer(render_mode, render_seat, games.num_players)
        self._mask_place = MaskPlace(mask_in, observation_keys)
        self.single_observation_space = self._mask_place.space(observation_space(batch))
        self.single_action_space = spaces.Discrete(NUM_ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._all = np.ones(num_envs, np.bool_)
        self._begun = False
        self.games = games if number == 1 else Workers(games, number, self.copy)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start new games in all rows, or in those of `reset_mask`.

        Args:
            seed: an int s from 0, with which row i starts the game (s + i, 0, 0), or one seed for each row, with which it
                starts (seed, 0, 0). None, also as one of several, starts the next episode.
            options: {"reset_mask": bool (num_envs,)} names the rows to reset, while all others stay as they are. It is
                not taken out of the dictionary, as wrappers read it, too. Other options are not used.

        Returns:
            Observations, (num_envs, observation_size), and infos, of all rows.

        Raises:
            InvalidOption: a seed or mask has the wrong form; nothing has changed.
            WrongOrder: the environment is closed, or only some rows were to be reset before the first reset of all or
                after an opponent has failed. Nothing has changed.
            Exception: an opponent failed; `reset()` of all rows must come next.
        """
        if self.closed:
            raise WrongOrder("reset() after close(): make a new environment")
        seeds = self._seeds(seed)
        rows = self._reset_rows(options)
        if not self._begun and not rows.all():
            raise WrongOrder("reset() of some rows before reset() of all: leave `reset_mask` out at first")
        self._begun = True
        told = self.games.begin(seeds, rows)
        super().reset(seed=next((given for given in seeds or () if given is not None), None))
        if self.render_mode == "human":
            self.render()
        return self._observed(told), self._infos(told)

    def step(self, actions: Any) -> tuple[Any, NDArray[np.float64], Bools, Bools, dict[str, Any]]:
        """Carry out the learners' actions, and all that follows until each is asked again.

        Args:
            actions: one action for each row, int (num_envs,).

        Returns:
            Observations (num_envs, observation_size), rewards float64 (num_envs,), whether the games have
            ended, whether they were cut short, bool (num_envs,), and infos.

        Raises:
            IllegalAction: one is no action, or it is not legal and `illegal` is "raise"; nothing has moved.
            GameOver: a game has ended and autoreset is disabled; nothing has moved.
            WrongOrder: `reset()` of all rows must come first, or the environment is closed; nothing has moved.
            Exception: an opponent failed (`IllegalAction` if its answer is wrong); the learners' actions have been carried
                out, and `reset()` of all rows must come next.
        """
        if self.closed:
            raise WrongOrder("step() after close(): make a new environment")
        if not self._begun:
            raise WrongOrder("step() before reset(): reset() starts games")
        games = self.games
        games.check_finished("step()")
        if self.autoreset_mode == AutoresetMode.DISABLED and games.over.any():
            raise GameOver(
                f"the games of rows {np.flatnonzero(games.over).tolist()} are over and autoreset is disabled: reset them "
                'with reset(options={"reset_mask": ...})'
            )
        told = games.advance(actions)
        final = self._final(told) if self.autoreset_mode == AutoresetMode.SAME_STEP else {}
        if self.render_mode == "human":
            self.render()
        return self._observed(told), told["reward"], told["terminated"], told["truncated"], self._infos(told) | final

    def action_masks(self) -> Bools:
        """Return the masks of legal actions, bool (num_envs, NUM_ACTIONS), all True where a game is over.

        It is a new array unless `copy` is False.
        """
        return self.games.masks()

    def sample_actions(self) -> NDArray[np.int64]:
        """Draw a legal action for each game, all equally likely, int64 (num_envs,).

        The draw depends only on the address of a game and the decisions so far.
        """
        return self.games.sample()

    @property
    def addresses(self) -> tuple[Address, ...]:
        """Seed, index and episode of each game, which a `DominionEnv` that is made with them plays again."""
        return tuple(self.games.addresses())

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Call a method of each game, or return an attribute of it, as Gymnasium's own vector environments do.

        Args:
            name: "action_masks" (bool (NUM_ACTIONS,) of each game), "render", or a name that `get_attr` accepts.

        Returns:
            One result for each game.

        Raises:
            AttributeError: there is no such name; the message lists all.
            WrongOrder: "render" before `reset()` or after `close()`.
        """
        if name == "action_masks":
            return tuple(self.action_masks(*args, **kwargs))
        if name == "render":
            return self.render(*args, **kwargs) or (None,) * self.num_envs
        return self.get_attr(name)

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """Return an attribute of each game by its name in `DominionEnv`.

        Args:
            name: "address", "game", "observation_space", "action_space", "metadata", "render_mode" or "spec".

        Returns:
            One value for each game.

        Raises:
            AttributeError: there is no such name; the message lists all.
        """
        if name == "address":
            return self.addresses
        if name == "game":
            return tuple(self.games.shown_games())
        shared = {
            "observation_space": self.single_observation_space,
            "action_space": self.single_action_space,
            "metadata": self.metadata,
            "render_mode": self.render_mode,
            "spec": self.spec,
        }
        if name not in shared:
            has = ", ".join(map(repr, ("address", "game", *shared)))
            raise AttributeError(f"games of a batch have no attribute {name!r}, only {has}")
        return (shared[name],) * self.num_envs

    def render(self) -> tuple[Any, ...] | None:
        """Return one frame for each game as `render_mode` and `render_seat` say.

        Returns:
            A tuple of frames; None if they were printed, or no mode is set.
        """
        if self.closed or not self._begun:
            what = "after close(): make a new environment" if self.closed else "before reset(): reset() starts games"
            raise WrongOrder(f"render() {what}")
        games = self.games.shown_games(logged=self.render_mode is not None)
        frames = [self._renderer.frame(game, int(seat)) for game, seat in zip(games, self.games.seats, strict=True)]
        return None if self.render_mode in (None, "human") else tuple(frames)

    @property
    def closed(self) -> bool:
        """Whether `close()` was called, or a worker has died."""
        return self.games.closed

    @closed.setter
    def closed(self, closed: bool) -> None:
        if closed:
            self.games.close()

    def _observed(self, told: Told) -> Any:
        seen, mask = told["observation"], told["action_mask"].view(np.int8)
        if self.copy and self._mask_place.in_info and self._mask_place.in_observation:
            mask = mask.copy()
        return self._mask_place.observation(seen, mask)

    def _infos(self, told: Told) -> dict[str, Any]:
        mask = self._mask_place.info(told["action_mask"].view(np.int8))
        return _about(mask | {"seat": told["seat"]} | {name: told[name] for name in FACTS}, self._all)

    def _final(self, told: Told) -> dict[str, Any]:
        """Take the facts of the games that have just ended out of what is told, and return them and the last observations in
        infos, with zeros for all other games; nothing if none has ended."""
        ended = told["terminated"] | told["truncated"]
        if not ended.any():
            return {}
        final_observations = np.full(self.num_envs, None, dtype=object)
        for row in np.flatnonzero(ended):
            last = self.games.final_observations[row].copy()
            final_observations[row] = self._mask_place.observation(last, np.ones(NUM_ACTIONS, np.int8))
        facts = {"seat": np.where(ended, told["final_seat"], 0)} | {name: told[name] for name in FACTS}
        told |= {name: np.zeros_like(told[name]) for name in FACTS}
        if self._mask_place.in_info:
            facts["action_mask"] = np.zeros((self.num_envs, NUM_ACTIONS), np.int8)
            facts["action_mask"][ended] = 1
        return _about({"final_obs": final_observations, "final_info": _about(facts, ended)}, ended)

    def _seeds(self, seed: Any) -> list[int | None] | None:
        """Return one seed for each row, or None if no row gets one."""
        if seed is None:
            return None
        if isinstance(seed, Sequence | np.ndarray) and not isinstance(seed, str | bytes) and np.shape(seed) != ():
            if len(seed) != self.num_envs:
                raise InvalidOption(f"seed: expected one for each game ({self.num_envs}), got {len(seed)}")
            return [None if one is None else checked_seed(one) for one in seed]
        first = checked_seed(seed)
        return [(first + row) % (1 << 64) for row in range(self.num_envs)]

    def _reset_rows(self, options: dict[str, Any] | None) -> Bools:
        if options is not None and not isinstance(options, Mapping):
            raise InvalidOption(f"options: expected a dictionary or None, got {shown(options)}")
        if options is None or "reset_mask" not in options:
            return self._all
        mask = options["reset_mask"]
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
            came = f"{mask.dtype} {mask.shape}" if isinstance(mask, np.ndarray) else repr(mask)
            raise InvalidOption(f"reset_mask: expected a bool array of shape ({self.num_envs},), got {came}")
        if not mask.any():
            raise InvalidOption("reset_mask: expected at least one row to be True, got only False")
        return mask


def _about(facts: dict[str, Any], rows: Bools) -> dict[str, Any]:
    """Return the facts, and beside each its `_name`, which says which rows it is about."""
    return facts | {f"_{name}": rows.copy() for name in facts}
