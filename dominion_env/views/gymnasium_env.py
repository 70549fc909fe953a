"""Gymnasium's view of one game: one learner, everybody else is played by opponents.

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
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from dominion_env.actions import NUM_ACTIONS
from dominion_env.core.address import Address, address_of, fresh_seed
from dominion_env.errors import GameOver, WrongOrder
from dominion_env.game import Game
from dominion_env.views.frames import RENDER_MODES, Frames, RenderMode, RenderSeat, records_from_the_start
from dominion_env.views.learner import LearnerBatch, Seat
from dominion_env.views.mask_place import MaskIn, MaskPlace
from dominion_env.views.one_action import one_action
from dominion_env.views.options import check_names
from dominion_env.views.seeds import checked_seed
from dominion_env.views.spaces import observation_space

if TYPE_CHECKING:
    from dominion_env.views.learner import Opponents

Observation: TypeAlias = NDArray[np.float32] | dict[str, NDArray[Any]]


class DominionEnv(gymnasium.Env[Observation, np.int64]):
    """One game from its learner's seat: `step` carries out its action and plays on until it must decide again.

    A result reaches the learner also if the game ends in somebody else's turn. `info["action_mask"]`, int8
    (NUM_ACTIONS,), has a 1 for every legal action, and is all ones once the game is over; `info["seat"]` is the
    learner's seat. At the end `info` holds, for all seats, `rewards` (float32), `scores`, `turns` (int64) and `winners`
    (bool), each (num_players,), besides `ended` (1 Provinces, 2 empty piles, 3 truncated, 4 illegal action) and
    `is_success` (1 a win, 1/2 a shared one, 0 otherwise). All values are numpy's, of a shape and dtype that never vary.

    `reset(seed=s)` plays the game (s, 0, 0), `reset()` the next episode; the very first `reset()` plays episode 0 of
    the `seed` given here.

    An opponent may fail: its `act` raises, Ctrl-C comes, or its answer is no legal action (`IllegalAction`, whatever
    `illegal` says). By then the learner's action has been carried out and the game can't go on: every further `step` is
    refused with `WrongOrder`, and so are masks, until `reset()` starts anew.

    Args:
        opponents: an agent's name, an agent, a list of these to draw from for each opposing seat and episode, or None:
            nobody, the learner decides in every seat and `info["seat"]` says in which.
        seat: the learner's: a number, "random", or "alternate": (index + episode) % num_players, which is 0 in the game of
            each `reset(seed=s)`.
        render_mode: what `render()` returns: "ansi", "svg", "html" (str), "rgb_array" (uint8 (height, width, 3)), or
            "human": the text is printed, after every reset and step too.
        render_seat: whose eyes it uses: a seat, "all" for everything, or None for the learner's.
        seed: of the first game; None: drawn at random, which `address` says.
        mask_in: where the mask of legal actions is: "info", as `action_mask`; "observation": observations are dictionaries
            `{"observation": float32 (observation_size,), "action_mask": int8 (NUM_ACTIONS,)}`; or "both".
        observation_keys: names of these two parts: RLlib reads ("observations", "action_mask"), Tianshou ("obs", "mask").
        illegal: "lose": an illegal action of the learner ends the game and it gets -1; or "raise" `IllegalAction`.
        options: all others of `GameBatch` that suit one game.

    Raises:
        DominionError: a wrong option, or a call in the wrong order.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": RENDER_MODES, "render_fps": 1}  # type: ignore[misc]

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
        **options: Any,
    ) -> None:
        instead = {
            "num_games": "it is one game; DominionVectorEnv has many",
            "autoreset": "call reset() when a game has ended",
        }
        check_names("DominionEnv", DominionEnv, options, instead)
        options.setdefault("record", records_from_the_start(render_mode))
        seed = fresh_seed() if seed is None else seed
        self.games = LearnerBatch(1, opponents, seat, autoreset=False, seed=[seed], illegal=illegal, **options)
        self.render_mode = render_mode
        self._frames = Frames(render_mode, render_seat, self.games.num_players)
        self._mask_place = MaskPlace(mask_in, observation_keys)
        self.observation_space = self._mask_place.space(observation_space(self.games.num_players))
        self.action_space = spaces.Discrete(NUM_ACTIONS)
        self._running = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start the game (seed, 0, 0), or the next episode. `options` are not used.

        Returns:
            Observation, float32 (observation_size,) or as `mask_in` says, and info.

        Raises:
            InvalidOption: the seed is no whole number from 0; nothing has changed.
            Exception: an opponent failed; `reset()` is due again.
        """
        checked = None if seed is None else checked_seed(seed)
        super().reset(seed=checked)
        self._running = True
        self.games.reset(None if checked is None else [checked])
        if self.render_mode == "human":
            self.render()
        return self._told()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Carry out the learner's action, and all that follows until it is asked again.

        Args:
            action: an int from 0 to NUM_ACTIONS - 1.

        Returns:
            Observation, the learner's reward, whether the game has ended, whether it was cut short, info.

        Raises:
            IllegalAction: no action, or not legal (with `illegal="raise"`); nothing has moved.
            GameOver, WrongOrder: `reset()` is due; nothing has moved.
            Exception: an opponent failed, `IllegalAction` if by its answer; the learner's action has been carried out, and
                `reset()` is due.
        """
        if not self._running:
            raise WrongOrder("step() before reset() or after close(): reset() starts a game")
        games = self.games
        if games.over[0]:
            raise GameOver(f"got {action!r}, but the game is over: reset() starts the next")
        rewards, terminated, truncated = games.step([one_action(games.batch, action)])
        if self.render_mode == "human":
            self.render()
        observation, info = self._told()
        return observation, float(rewards[0]), bool(terminated[0]), bool(truncated[0]), info

    def _told(self) -> tuple[Observation, dict[str, Any]]:
        """Return the learner's observation and info."""
        games, mask = self.games, self.action_masks().view(np.int8)
        info = self._mask_place.info(mask) | {"seat": games.seats[0]}
        if games.over[0]:
            info |= {name: values[0].copy() for name, values in games.final_facts().items()}
        return self._mask_place.observation(games.observe()[0], mask), info

    def action_masks(self) -> NDArray[np.bool_]:
        """What is legal, bool (NUM_ACTIONS,), a new array; sb3-contrib's MaskablePPO asks for it."""
        masks: NDArray[np.bool_] = self.games.action_mask[0] | self.games.over[0]
        return masks

    @property
    def address(self) -> Address:
        """Seed, index and episode of the game: an environment made with these plays it again."""
        return address_of(self.games.batch.state[0])

    @property
    def game(self) -> Game:
        """The position as a `Game`: to read, save, or try things in; what is played in it changes nothing here.

        Its log is that of the running episode if there is a `render_mode` (or `record=True`), otherwise it is empty; with
        "rgb_array" it begins at the first `render()`.
        """
        return self.games.logs.game(0)

    def render(self) -> Any:
        """The position and the newest lines of the log as `render_mode` says, from the view of `render_seat`; None if they
        are printed, or no mode is set."""
        if not self._running:
            raise WrongOrder("render() before reset() or after close(): reset() starts a game")
        if self.render_mode is not None:
            self.games.logs.begin()
        return self._frames.frame(self.game, int(self.games.seats[0]))

    def close(self) -> None:
        """End the game; only `reset()` goes on."""
        self._running = False
