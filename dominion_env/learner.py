"""One learner in each game: everybody else is played until it must decide again.

What the views for learners (SB3, Gymnasium) share: which seat the learner has, who sits opposite, and that a result
reaches the learner also when the game ends in somebody else's turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dominion_env import kernels
from dominion_env.batch import GameBatch
from dominion_env.errors import IllegalAction, InvalidOption
from dominion_env.observation import Observer
from dominion_env.rules.jit import records

if TYPE_CHECKING:
    from agents import Agent

    Opponents: TypeAlias = str | Agent | Sequence[str | Agent]

Seat: TypeAlias = int | Literal["random", "alternate"]

# Numbers of the draws made from a game's key, apart from those that `rules/random.py` uses; opponents: plus the seat.
SEAT_DRAW, OPPONENT_DRAW = 1001, 1101

# Positions can be set up in which the learner is never asked; after so many such games in a row nothing else will come.
MAX_GAMES_WITHOUT_DECISION = 1000


class LearnerBatch:
    """N games, each of which waits at a decision of its learner.

    Args:
        num_games: games in the batch.
        opponents: who plays the other seats: an agent, its name, or a list of these from which each opposing seat of
            each episode draws one. `None`: nobody; the learner is whoever must decide, in every seat.
        seat: the learner's seat: a number, "random" (drawn from the game's address), or "alternate":
            (index + episode) % players. Without opponents it means nothing.
        options: those of `GameBatch`.

    Attributes:
        batch: the games themselves.
        seats: int64 (num_games,), the learner's seat in each.
        final_observations: float32 (num_games, observation_size); of the games that ended during the last step, what
            the learner saw at their end, from the seat it had there. Other rows mean nothing.
        final_seats: int64 (num_games,), the seat of the learner in these games.
        final_rewards, final_scores, final_turns, final_winners, final_ended: all seats' rewards, and what `batch.final`
            said of these games, copied, as the next game of a row may be over too before its learner is asked.

    Raises:
        InvalidOption: no such agent or seat.
    """

    def __init__(self, num_games: int, opponents: Opponents | None = None, seat: Seat = 0, **options: Any) -> None:
        if not options.pop("autoreset", True):
            raise InvalidOption("autoreset=False: a batch of learners always starts the next game when one has ended")
        if options.get("record"):
            raise InvalidOption("record=True: a batch of learners keeps no events; play such games with GameBatch")
        self.batch = GameBatch(num_games, autoreset=True, **options)
        self.num_games = num_games
        self.num_players: int = self.batch.num_players
        self._agents: list[Agent] | None = None if opponents is None else _agents(opponents)
        self._seat = _checked_seat(seat, self.num_players)

        size = self.batch.observation_size
        self.seats = np.zeros(num_games, dtype=np.int64)
        self._opponents = np.zeros((num_games, self.num_players), dtype=np.int64)  # place in _agents, by seat
        self._rewards = np.zeros(num_games, dtype=np.float32)
        self._terminated = np.zeros(num_games, dtype=np.bool_)
        self._truncated = np.zeros(num_games, dtype=np.bool_)
        self.final_observations = np.zeros((num_games, size), dtype=np.float32)
        self.final_seats = np.zeros(num_games, dtype=np.int64)
        self.final_rewards = np.zeros((num_games, self.num_players), dtype=np.float32)
        self.final_scores = np.zeros((num_games, self.num_players), dtype=np.int64)
        self.final_turns = np.zeros((num_games, self.num_players), dtype=np.int64)
        self.final_winners = np.zeros((num_games, self.num_players), dtype=np.bool_)
        self.final_ended = np.zeros(num_games, dtype=np.int64)
        self._fresh = True

    def reset(self, seed: int | NDArray[Any] | None = None, mask: NDArray[np.bool_] | None = None) -> None:
        """Start episode 0 of these seeds, or the next episode, of the rows in `mask`; the very first call without a
        seed starts episode 0 of the seeds given to the constructor."""
        if seed is not None or mask is not None or not self._fresh:
            self.batch.reset(seed=seed, mask=mask)
        self._fresh = False
        rows = np.arange(self.num_games) if mask is None else np.flatnonzero(mask)
        self._draw_seats(rows)
        self._play_opponents()

    def step(self, actions: ArrayLike) -> tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_]]:
        """Carry out the learners' actions, and all that follows until each learner is asked again.

        Args:
            actions: int (num_games,).

        Returns:
            The learners' rewards, float32 (num_games,), and whether their games have ended or were cut short, bool
            (num_games,). The buffers are valid until the next call.
        """
        self._rewards[:] = 0
        self._terminated[:] = False
        self._truncated[:] = False
        self._follow_deciders()
        self._note_ends(*self.batch.step(actions))
        self._play_opponents()
        return self._rewards, self._terminated, self._truncated

    def observe(self, out: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
        """What the learners see at their decisions, float32 (num_games, observation_size)."""
        return self.batch.observe(out=out)

    @property
    def action_mask(self) -> NDArray[np.bool_]:
        """What the learners may do, bool (num_games, NUM_ACTIONS), a read-only view of the core's masks."""
        return self.batch.action_mask

    def _follow_deciders(self) -> None:
        if self._agents is None:
            self.seats[:] = self.batch.current_player

    def _draw_seats(self, rows: NDArray[np.int64]) -> None:
        """Seats and opponents of these rows' running episodes, functions of their addresses."""
        state, players = self.batch.state, self.num_players
        if self._agents is None:
            self._follow_deciders()
            return
        if self._seat == "alternate":
            self.seats[rows] = (state["index"][rows] + state["episode"][rows]) % players
        elif self._seat == "random":
            self.seats[rows] = _draws(state["key"][rows], SEAT_DRAW, players)
        else:
            self.seats[rows] = self._seat
        if len(self._agents) > 1:
            for s in range(players):
                self._opponents[rows, s] = _draws(state["key"][rows], OPPONENT_DRAW + s, len(self._agents))

    def _play_opponents(self) -> None:
        """Let the opponents decide until every game is at its learner's decision."""
        if self._agents is None:
            self._follow_deciders()
            return
        batch = self.batch
        games_without_decision = 0
        while (theirs := batch.current_player != self.seats).any():
            observations, masks, keys = batch.observe(), batch.action_mask, batch.policy_keys()
            players = self._opponents[np.arange(self.num_games), batch.current_player]
            actions = np.zeros(self.num_games, dtype=np.int64)
            for number, agent in enumerate(self._agents):
                rows = np.flatnonzero(theirs & (players == number))
                if rows.size:
                    actions[rows] = agent.act(observations[rows], masks[rows], keys[rows])
            games_without_decision += self._note_ends(*_step_rows(batch, actions, np.flatnonzero(theirs)))
            if games_without_decision > MAX_GAMES_WITHOUT_DECISION * self.num_games:
                raise InvalidOption(
                    f"{games_without_decision} games ended before the learner was asked anything: with these options "
                    "and this start position it never decides"
                )

    def _note_ends(
        self, rewards: NDArray[np.float32], terminated: NDArray[np.bool_], truncated: NDArray[np.bool_]
    ) -> int:
        """Keep what the learners must hear of the games that this step of the core has ended.

        A game that ended before its learner was asked at all is nobody's experience and is passed over.

        Returns:
            How many games were passed over.
        """
        ended = terminated | truncated
        if not ended.any():
            return 0
        heard = ended & ~(self._terminated | self._truncated)
        rows = np.flatnonzero(heard)
        if rows.size == 0:
            self._draw_seats(np.flatnonzero(ended))
            return int(ended.sum())
        final = self.batch.final
        self._rewards[rows] = rewards[rows, self.seats[rows]]
        self._terminated[rows] = terminated[rows]
        self._truncated[rows] = truncated[rows]
        self.final_seats[rows] = self.seats[rows]
        # As `final.observe`, but only for the games that have just ended.
        strict = self.batch.observation == "strict"
        self.final_observations[rows] = Observer(self.batch._finals[rows], self.num_players, strict)(self.seats[rows])
        self.final_rewards[rows] = rewards[rows]
        self.final_scores[rows] = final.scores[rows]
        self.final_turns[rows] = final.turns[rows]
        self.final_winners[rows] = final.winners[rows]
        self.final_ended[rows] = final.ended[rows]
        self._draw_seats(np.flatnonzero(ended))
        return int(ended.sum()) - rows.size


def _step_rows(
    batch: GameBatch, actions: NDArray[np.int64], rows: NDArray[np.int64]
) -> tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_]]:
    """`batch.step` for these rows only; in the others nothing happens, and nothing has ended.

    The rows are carried out as a small batch of their own and put back: some hundred records cost less to copy than one
    forward pass of a network.
    """
    states, outcomes, finals = batch._states[rows], batch._outcomes[rows], batch._finals[rows]
    blank = batch._rules[0]
    refused = kernels.play_games(
        records(states),
        records(finals),
        records(outcomes),
        actions[rows],
        records(batch._plan.copy()),
        records(batch._events),
        records(blank[rows] if len(blank) > 1 else blank),
        *batch._rules[1:],
    )
    if refused != kernels.DONE:
        row = int(rows[refused])
        raise IllegalAction(batch._illegal(row, int(actions[row])))
    for part in ("rewards", "terminated", "truncated"):
        batch._outcomes[part] = 0
    batch._states[rows], batch._outcomes[rows], batch._finals[rows] = states, outcomes, finals
    return batch._paid


def _agents(opponents: Opponents) -> list[Agent]:
    import agents  # looked upwards for only here, where it is used

    chosen = [opponents] if isinstance(opponents, str) or hasattr(opponents, "act") else list(opponents)
    if not chosen:
        raise InvalidOption("opponents=[]: name at least one agent, or None for games without opponents")
    made = [agents.make(agent) if isinstance(agent, str) else agent for agent in chosen]
    for agent in made:
        if not isinstance(agent, agents.Agent):
            raise InvalidOption(
                f"opponent {agent!r} is neither a name nor an agent with act(observations, masks, keys)"
            )
    return made


def _checked_seat(seat: Seat, num_players: int) -> Seat:
    if seat in ("random", "alternate"):
        return seat
    if isinstance(seat, (int, np.integer)) and not isinstance(seat, bool) and 0 <= seat < num_players:
        return int(seat)
    raise InvalidOption(f"seat={seat!r}: choose 0 to {num_players - 1}, 'random' or 'alternate'")


def _draws(keys: NDArray[np.uint64], number: int, n: int) -> NDArray[np.int64]:
    """Numbers below n, one for each key, that depend on the key and on what is drawn (SplitMix64's mix)."""
    z = (keys ^ np.uint64(number)) + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    return (((z >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32)).astype(np.int64)
