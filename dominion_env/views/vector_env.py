"""Gymnasium's view of many games: one learner in each, advanced by one call of the core.

envs = gymnasium.make_vec("Dominion-v0", num_envs=256, opponents="big-money", auto_treasures=True)
observations, infos = envs.reset(seed=0)
for _ in range(1000):
    actions = envs.unwrapped.sample_actions()  # here goes your policy; what is legal: infos["action_mask"]
    observations, rewards, terminations, truncations, infos = envs.step(actions)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from dominion_env.actions import NUM_ACTIONS
from dominion_env.core.address import Address, address_of
from dominion_env.errors import GameOver, InvalidOption, WrongOrder
from dominion_env.views.frames import RENDER_MODES, Frames, RenderMode, RenderSeat, records_from_the_start
from dominion_env.views.learner import LearnerBatch, Seat, checked_num_envs
from dominion_env.views.mask_place import MaskIn, MaskPlace
from dominion_env.views.options import check_names
from dominion_env.views.seeds import checked_seed, row_seeds
from dominion_env.views.spaces import observation_space

if TYPE_CHECKING:
    from dominion_env.views.learner import Opponents

Bools = NDArray[np.bool_]
Floats = NDArray[np.float32]


class DominionVectorEnv(VectorEnv[Any, NDArray[np.int64], NDArray[Any]]):
    """N games, each as `DominionEnv`: row i tells the same story as the i-th environment of a `SyncVectorEnv`.

    Observations are float32 (num_envs, observation_size), or dictionaries of arrays as `mask_in` says.
    `infos` holds what `DominionEnv.info` holds, arrays with a row per game, each with a `_name` of bools that says which
    rows it is about: `action_mask` (int8) and `seat` always, the facts of the end where a game has ended.

    What happens to a game that has ended depends on `autoreset_mode`:
      NEXT_STEP: its next `step` starts the next episode, whatever the action, and pays 0.
      SAME_STEP: the same step starts the next episode; what was seen last is in `infos["final_obs"]`, an object array
        with None where no game has ended, and the last info in `infos["final_info"]`.
      DISABLED: it waits for `reset(options={"reset_mask": bool (num_envs,)})`.

    An opponent may fail, as `DominionEnv` says. It is asked for many games at once, so none of them can go on: every further
    `step`, also a `reset` of some rows, is refused with `WrongOrder` until `reset()` of all rows starts anew.

    Args:
        num_envs: games.
        opponents, seat, illegal, mask_in, observation_keys, options: as in `DominionEnv`.
        autoreset_mode: of `gymnasium.vector.AutoresetMode`, or its value ("NextStep", "SameStep", "Disabled").
        copy: False returns observations and action masks in the same two buffers at every call.
        render_mode, render_seat: as in `DominionEnv`; `render()` returns a tuple with a frame per game.
        seed: an int s makes row i the game (s + i, 0, 0); or one int per row. None: s is drawn at random, which
            `addresses` says.

    Raises:
        DominionError: a wrong option, or a call in the wrong order.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": RENDER_MODES, "render_fps": 1}  # type: ignore[misc]

    def __init__(
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
        **options: Any,
    ) -> None:
        instead = {"num_games": "did you mean `num_envs`?", "autoreset": "choose an autoreset_mode instead"}
        check_names("DominionVectorEnv", DominionVectorEnv, options, instead)
        num_envs = checked_num_envs(num_envs)
        try:
            self.autoreset_mode = AutoresetMode(autoreset_mode)
        except ValueError:
            modes = ", ".join(repr(mode.value) for mode in AutoresetMode)
            raise InvalidOption(f"autoreset_mode={autoreset_mode!r}: choose {modes}") from None
        if not isinstance(copy, bool):
            raise InvalidOption(f"copy: expected True or False, got {copy!r}")
        options.setdefault("record", records_from_the_start(render_mode))
        self.games = LearnerBatch(
            num_envs,
            opponents,
            seat,
            autoreset=self.autoreset_mode == AutoresetMode.SAME_STEP,
            seed=row_seeds(seed, num_envs),
            illegal=illegal,
            **options,
        )
        self.num_envs = num_envs
        self.copy = copy
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}  # type: ignore[misc]
        self._frames = Frames(render_mode, render_seat, self.games.num_players)
        self._mask_place = MaskPlace(mask_in, observation_keys)
        self.single_observation_space = self._mask_place.space(observation_space(self.games.num_players))
        self.single_action_space = spaces.Discrete(NUM_ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._observations = np.zeros((num_envs, self.games.batch.observation_size), np.float32)
        self._masks = np.zeros((num_envs, NUM_ACTIONS), np.bool_)
        self._all = np.ones(num_envs, np.bool_)
        self._begun = False

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start new games: of an int s, row i starts the game (s + i, 0, 0); of one seed per row, (seed, 0, 0); without
        a seed (None, also as one of them), the next episode.

        Args:
            seed: from 0.
            options: {"reset_mask": bool (num_envs,)} names the rows that start anew, all others stay as they are; it is
                not taken out of the dictionary, as wrappers read it too. Other options are not used.

        Returns:
            Observations, float32 (num_envs, observation_size), and infos, of all rows.

        Raises:
            InvalidOption: a seed or mask of the wrong form; nothing has changed.
            WrongOrder: only some rows, before all have been started or after an opponent has failed; or the environment is
                closed. Nothing has changed.
            Exception: an opponent failed; `reset()` of all rows is due.
        """
        if self.closed:
            raise WrongOrder("reset() after close(): make a new environment")
        seeds = self._seeds(seed)
        rows = self._reset_rows(options)
        if not self._begun and not rows.all():
            raise WrongOrder("reset() of some rows comes before reset() of all: leave `reset_mask` out at first")
        self._begun = True
        self.games.reset(seeds, rows)
        super().reset(seed=next((given for given in seeds or () if given is not None), None))
        if self.render_mode == "human":
            self.render()
        return self._observe(), self._infos()

    def step(self, actions: Any) -> tuple[Any, NDArray[np.float64], Bools, Bools, dict[str, Any]]:
        """Carry out the learners' actions, and all that follows until each is asked again.

        Args:
            actions: int (num_envs,).

        Returns:
            Observations float32 (num_envs, observation_size), rewards float64 (num_envs,), whether the games have
            ended, whether they were cut short, bool (num_envs,), and infos.

        Raises:
            IllegalAction: no action, or not legal (with `illegal="raise"`); nothing has moved.
            GameOver: a game has ended and autoreset is disabled; nothing has moved.
            WrongOrder: `reset()` of all rows is due, or the environment is closed; nothing has moved.
            Exception: an opponent failed, `IllegalAction` if by its answer; the learners' actions have been carried out, and
                `reset()` of all rows is due.
        """
        if self.closed:
            raise WrongOrder("step() after close(): make a new environment")
        if not self._begun:
            raise WrongOrder("step() before reset(): reset() starts games")
        games = self.games
        games.check("step()")
        waiting = games.over.copy()
        if self.autoreset_mode == AutoresetMode.DISABLED and waiting.any():
            raise GameOver(
                f"the games of rows {np.flatnonzero(waiting).tolist()} are over and autoreset is disabled: start them "
                'with reset(options={"reset_mask": ...})'
            )
        rewards, terminated, truncated = games.step(actions)
        if waiting.any():
            games.reset(mask=waiting)
        infos = self._infos()
        ended = terminated | truncated
        if ended.any():
            infos = self._with_ends(infos, ended)
        if self.render_mode == "human":
            self.render()
        return self._observe(), rewards.astype(np.float64), terminated.copy(), truncated.copy(), infos

    def action_masks(self) -> Bools:
        """What is legal, bool (num_envs, NUM_ACTIONS), all True where a game is over; as `copy` says, a new array."""
        out = np.empty_like(self._masks) if self.copy else self._masks
        return np.logical_or(self.games.action_mask, self.games.over[:, None], out=out)

    def sample_actions(self) -> NDArray[np.int64]:
        """A legal action per game, int64 (num_envs,), all as likely; a function of each game's address and decisions."""
        self.games.check("sample_actions()")
        return self.games.batch.sample_actions().copy()

    @property
    def addresses(self) -> tuple[Address, ...]:
        """Seed, index and episode of each game: a `DominionEnv` made with these plays it again."""
        return tuple(address_of(record) for record in self.games.batch.state)

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Call a method of each game, or read an attribute of it, as Gymnasium's own vector environments do.

        Args:
            name: "action_masks" (bool (NUM_ACTIONS,) of each), "render", or a name that `get_attr` knows.

        Returns:
            One result for each game.

        Raises:
            AttributeError: the games have nothing of that name; the message says what they have.
            WrongOrder: "render" before `reset()` or after `close()`.
        """
        if name == "action_masks":
            return tuple(self.action_masks(*args, **kwargs))
        if name == "render":
            return self.render(*args, **kwargs) or (None,) * self.num_envs
        return self.get_attr(name)

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """Read an attribute of each game, as it is called in `DominionEnv`.

        Args:
            name: "address", "game", "observation_space", "action_space", "metadata", "render_mode" or "spec".

        Returns:
            One value for each game.

        Raises:
            AttributeError: the games have nothing of that name; the message says what they have.
        """
        if name == "address":
            return self.addresses
        if name == "game":
            return tuple(self.games.logs.game(row) for row in range(self.num_envs))
        shared = {
            "observation_space": self.single_observation_space,
            "action_space": self.single_action_space,
            "metadata": self.metadata,
            "render_mode": self.render_mode,
            "spec": self.spec,
        }
        if name not in shared:
            has = ", ".join(map(repr, ("address", "game", *shared)))
            raise AttributeError(f"games of a batch have no attribute {name!r}: they have {has}")
        return (shared[name],) * self.num_envs

    def render(self) -> tuple[Any, ...] | None:
        """A frame per game as `render_mode` says, from the view of `render_seat`; None if they are printed, or no mode is
        set."""
        if self.closed or not self._begun:
            what = "after close(): make a new environment" if self.closed else "before reset(): reset() starts games"
            raise WrongOrder(f"render() {what}")
        if self.render_mode is not None:
            self.games.logs.begin()
        seats = self.games.seats.tolist()
        frames = [self._frames.frame(self.games.logs.game(row), seat) for row, seat in enumerate(seats)]
        return None if self.render_mode in (None, "human") else tuple(frames)

    def _observe(self) -> Any:
        seen = self.games.observe(np.empty_like(self._observations) if self.copy else self._observations)
        if not self._mask_place.in_observation:
            return seen
        return self._mask_place.observation(seen, self.action_masks().view(np.int8))

    def _infos(self) -> dict[str, Any]:
        infos: dict[str, Any] = {}
        if self._mask_place.in_info:
            infos |= {"action_mask": self.action_masks().view(np.int8), "_action_mask": self._all.copy()}
        return infos | {"seat": self.games.seats.copy(), "_seat": self._all.copy()}

    def _with_ends(self, infos: dict[str, Any], ended: Bools) -> dict[str, Any]:
        """With what must be told of the games that have just ended, in zeros where none has."""
        facts = self.games.final_facts()
        if self.autoreset_mode != AutoresetMode.SAME_STEP:
            del facts["seat"]  # still that of all rows
            return infos | _about(facts, ended)
        final_observations = np.full(self.num_envs, None, dtype=object)
        for row in np.flatnonzero(ended):
            last = self.games.final_observations[row].copy()
            final_observations[row] = self._mask_place.observation(last, np.ones(NUM_ACTIONS, np.int8))
        if self._mask_place.in_info:
            facts["action_mask"] = np.ones((self.num_envs, NUM_ACTIONS), np.int8)
        ends = {"final_obs": final_observations, "final_info": _about(facts, ended)}
        return infos | ends | {f"_{name}": ended.copy() for name in ends}

    def _seeds(self, seed: Any) -> list[int | None] | None:
        """One seed per row, None if no row gets one."""
        if seed is None:
            return None
        if isinstance(seed, Sequence | np.ndarray) and not isinstance(seed, str):
            if len(seed) != self.num_envs:
                raise InvalidOption(f"seed: expected one per game ({self.num_envs}), got {len(seed)}")
            return [None if one is None else checked_seed(one) for one in seed]
        first = checked_seed(seed)
        return [(first + row) % (1 << 64) for row in range(self.num_envs)]

    def _reset_rows(self, options: dict[str, Any] | None) -> Bools:
        if options is not None and not isinstance(options, Mapping):
            raise InvalidOption(f"options: expected a dictionary or None, got {options!r}")
        if options is None or "reset_mask" not in options:
            return self._all
        mask = options["reset_mask"]
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
            came = f"{mask.dtype} {mask.shape}" if isinstance(mask, np.ndarray) else repr(mask)
            raise InvalidOption(f"reset_mask: expected a bool array of shape ({self.num_envs},), got {came}")
        if not mask.any():
            raise InvalidOption("reset_mask: at least one row must be True, all are False")
        return mask


def _about(facts: dict[str, NDArray[Any]], rows: Bools) -> dict[str, Any]:
    """The facts of these rows, zeros in the others, each with its `_name`."""
    told: dict[str, Any] = {}
    for name, values in facts.items():
        told[name] = np.where(rows.reshape(-1, *[1] * (values.ndim - 1)), values, np.zeros((), values.dtype))
        told[f"_{name}"] = rows.copy()
    return told
