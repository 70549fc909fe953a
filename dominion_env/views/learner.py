"""One learner in each game: everybody else is played until it must decide again.

What the views for learners (SB3, Gymnasium) share: which seat the learner has, who sits opposite, and that a result
reaches the learner also when the game ends in somebody else's turn.

An opponent that fails does so when its learner's action has been carried out already. Then the games stand in the middle
of a step, which nothing can finish: all that goes on from there is refused until all games are started anew.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dominion_env.actions import NUM_ACTIONS, PASS
from dominion_env.core.batch import GameBatch
from dominion_env.errors import IllegalAction, InvalidOption, WrongOrder
from dominion_env.views.episode_logs import EpisodeLogs

if TYPE_CHECKING:
    from dominion_agents import Agent

    Opponents: TypeAlias = str | Agent | Sequence[str | Agent]

Seat: TypeAlias = int | Literal["random", "alternate"]

# Numbers of the draws made from a game's key, apart from those that `rules/streams.py` uses; opponents: plus the seat.
SEAT_DRAW, OPPONENT_DRAW = 1001, 1101

# Positions can be set up in which the learner is never asked; after so many such games in a row nothing else will come.
MAX_GAMES_WITHOUT_DECISION = 1000

INTERRUPTED = "the last call was interrupted"


class LearnerBatch:
    """N games, each of which waits at a decision of its learner.

    Args:
        num_games: games in the batch.
        opponents: who plays the other seats: an agent, its name, or a list of these from which each opposing seat of
            each episode draws one. `None`: nobody; the learner is whoever must decide, in every seat. An agent is shown
            what it says it reads (see `dominion_agents.Agent`), else what the learner is shown.
        seat: the learner's seat: a number, "random" (drawn from the game's address), or "alternate":
            (index + episode) % players. Without opponents it means nothing.
        autoreset: the step that ends a game starts the row's next one; without, the row waits for `reset`.
        options: those of `GameBatch`. `illegal` is about the learner's actions; an opponent's always raise.

    Attributes:
        batch: the games themselves; with `record=True` it is `logs` that takes their events.
        logs: of the running episodes.
        seats: int64 (num_games,), the learner's seat in each.
        over: bool (num_games,), rows whose game has ended and that wait for `reset`; none with autoreset.
        final_observations: float32 (num_games, observation_size); of the games that ended during the last step, what
            the learner saw at their end, from the seat it had there. Other rows mean nothing.
        final_seats: int64 (num_games,), the seat of the learner in these games.
        final_rewards, final_scores, final_turns, final_winners, final_ended: all seats' rewards, and what `batch.final`
            said of these games, copied, as the next game of a row may be over too before its learner is asked.

    Raises:
        InvalidOption: no such agent or seat, or a start position in which the game is over.
    """

    def __init__(
        self,
        num_games: int,
        opponents: Opponents | None = None,
        seat: Seat = 0,
        autoreset: bool = True,
        **options: Any,
    ) -> None:
        self.batch = GameBatch(num_games, autoreset=autoreset, **options)
        self.logs = EpisodeLogs(self.batch)
        over = self.batch._rules[0]["over"]
        if over.any():
            raise InvalidOption(f"start: the game is over in position {int(over.argmax())}, there is nothing to play")
        self._autoreset = autoreset
        self.num_games = num_games
        self.num_players: int = self.batch.num_players
        self._agents: list[_Opponent] | None = None if opponents is None else _agents(opponents, self.batch.observation)
        self._seat = _checked_seat(seat, self.num_players)

        size = self.batch.observation_size
        self.seats = np.zeros(num_games, dtype=np.int64)
        self._opponents = np.zeros((num_games, self.num_players), dtype=np.int64)  # place in _agents, by seat
        self._rewards = np.zeros(num_games, dtype=np.float32)
        self._terminated = np.zeros(num_games, dtype=np.bool_)
        self._truncated = np.zeros(num_games, dtype=np.bool_)
        self.final_observations = np.zeros((num_games, size), dtype=np.float32)
        self._shown = np.zeros((num_games, size), dtype=np.float32)  # to an opponent
        self.final_seats = np.zeros(num_games, dtype=np.int64)
        self.final_rewards = np.zeros((num_games, self.num_players), dtype=np.float32)
        self.final_scores = np.zeros((num_games, self.num_players), dtype=np.int64)
        self.final_turns = np.zeros((num_games, self.num_players), dtype=np.int64)
        self.final_winners = np.zeros((num_games, self.num_players), dtype=np.bool_)
        self.final_ended = np.zeros(num_games, dtype=np.int64)
        self.over = np.zeros(num_games, dtype=np.bool_)
        self._fresh = np.ones(num_games, dtype=np.bool_)  # rows that stand at the game of the constructor's address
        self._listening = np.zeros(num_games, dtype=np.bool_)  # rows whose learner must hear how its game ends
        self._broken: str | None = None  # why the games stand in the middle of a step, if they do

    def reset(self, seeds: Sequence[int | None] | None = None, mask: NDArray[np.bool_] | None = None) -> None:
        """Start games anew.

        Args:
            seeds: one per row, from 0: its game is (seed, 0, 0). None, for all rows or one: the next episode; a row's very
                first start without a seed is the game of the constructor's address.
            mask: bool (num_games,), the rows that start anew; None: all.

        Raises:
            WrongOrder: only some rows, after a step that did not come to its end; nothing has changed.
            Exception: what an opponent raises; see `step`.
        """
        rows = np.ones(self.num_games, np.bool_) if mask is None else mask
        if not rows.all():
            self.check("reset() of some rows")
        given = [None] * self.num_games if seeds is None else seeds
        words = np.array([(seed or 0) % (1 << 64) for seed in given], np.uint64)
        seeded = rows & np.array([seed is not None for seed in given])
        again = rows & ~seeded & ~self._fresh
        self._broken = INTERRUPTED
        if seeded.any():
            self.logs.reset(words, seeded)
        if again.any():
            self.logs.reset(mask=again)
        self._fresh[rows] = self._listening[rows] = self.over[rows] = False
        self._draw_seats(np.flatnonzero(rows))
        self._play_opponents()
        self._broken = None

    def step(self, actions: ArrayLike) -> tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_]]:
        """Carry out the learners' actions, and all that follows until each learner is asked again.

        Args:
            actions: int (num_games,); what they say about rows in `over` does not matter.

        Returns:
            The learners' rewards, float32 (num_games,), and whether their games have just ended or been cut short, bool
            (num_games,). The buffers are valid until the next call.

        Raises:
            IllegalAction: as `GameBatch.step`; nothing has changed. Or an opponent's answer is no legal action; as after:
            Exception: what an opponent raises, with a note that names it and the decision. The learners' actions have been
                carried out, the games stand in the middle of the step, and only `reset` of all rows goes on.
            WrongOrder: a row has not been started by `reset`, or an earlier call did not come to its end.
        """
        if self._fresh.any():
            raise WrongOrder("step() before reset(): reset() starts the games")
        self.check("step()")
        self._broken = INTERRUPTED
        try:
            paid = self.batch.step(self._of_running_games(actions) if self.over.any() else actions)
        except Exception as error:
            self._broken = None  # refused before anything moved
            if isinstance(error, IllegalAction) and self.batch.illegal == "raise":
                error.add_note('A learner that does not read the masks needs illegal="lose": such actions then lose.')
            raise
        self.logs.update()
        self._rewards[:] = 0
        self._terminated[:] = False
        self._truncated[:] = False
        self._listening[:] = ~self.over
        self._note_ends(*paid)
        self._play_opponents()
        self._broken = None
        return self._rewards, self._terminated, self._truncated

    def check(self, call: str) -> None:
        """Whether the last call came to its end.

        Raises:
            WrongOrder: it did not; says why, and that `call` must wait for a reset.
        """
        if self._broken is not None:
            raise WrongOrder(
                f"{call}: {self._broken}, so the games stand in the middle of a step; reset() of all starts anew"
            )

    def _of_running_games(self, actions: ArrayLike) -> ArrayLike:
        """The actions, with what a finished game can be answered in its row."""
        try:
            given = np.asarray(actions)
        except ValueError:
            return actions  # the core says what is wrong with them
        return (
            np.where(self.over, PASS, given) if given.shape == self.over.shape and given.dtype.kind in "iu" else given
        )

    def observe(self, out: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
        """What the learners see at their decisions, or at the end of a game, float32 (num_games, observation_size).

        Raises:
            WrongOrder: the last call did not come to its end.
        """
        self.check("observe()")
        return self.batch.observe(self.seats, out)

    @property
    def action_mask(self) -> NDArray[np.bool_]:
        """What the learners may do, bool (num_games, NUM_ACTIONS), a read-only view of the core's masks.

        Raises:
            WrongOrder: the last call did not come to its end.
        """
        self.check("action_mask")
        return self.batch.action_mask

    def final_facts(self) -> dict[str, NDArray[Any]]:
        """Of the games that ended during the last step, for their last info; row i of each array is game i.

        `seat` int64, `is_success` float64 (1 a win, 1/2 a shared one, 0 otherwise), `ended` int64, (num_games,);
        `rewards` float32, `scores`, `turns` int64, `winners` bool, (num_games, num_players). Live buffers.
        """
        seats, winners = self.final_seats, self.final_winners
        won = winners[np.arange(self.num_games), seats]
        return {
            "seat": seats,
            "is_success": np.where(won, np.where(winners.sum(axis=1) == 1, 1.0, 0.5), 0.0),
            "ended": self.final_ended,
            "rewards": self.final_rewards,
            "scores": self.final_scores,
            "turns": self.final_turns,
            "winners": winners,
        }

    def _follow_deciders(self) -> None:
        """Without opponents the learner is whoever decides; at the end, whoever decided last."""
        np.copyto(self.seats, self.batch.current_player, where=~self.over)

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
        games_without_decision = 0
        while (theirs := (self.batch.current_player != self.seats) & ~self.over).any():
            games_without_decision += self._note_ends(*self._step_opponents(np.flatnonzero(theirs)))
            if games_without_decision > MAX_GAMES_WITHOUT_DECISION * self.num_games:
                self._broken = "no game asked its learner anything"
                raise InvalidOption(
                    f"{games_without_decision} games ended before the learner was asked anything: with these options "
                    "and this start position it never decides"
                )

    def _step_opponents(
        self, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_]]:
        """As `GameBatch.step`, with one decision of the opponents in these rows; the others wait."""
        assert self._agents is not None
        batch = self.batch
        players = self._opponents[rows, batch.current_player[rows]]
        keys, actions = batch.policy_keys(), np.empty(len(rows), dtype=np.int64)
        for number, opponent in enumerate(self._agents):
            mine = players == number
            if mine.any():
                actions[mine] = self._ask(opponent, rows[mine], keys[rows[mine]])
        paid = batch.step(actions, rows)
        self.logs.update()
        return paid

    def _ask(self, opponent: _Opponent, rows: NDArray[np.int64], keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        """What an opponent answers in these games, checked: legal actions, int64 (len(rows),)."""
        self._broken = f"opponent {opponent.name} failed"
        seen = opponent.shown(self.batch, rows, self._shown[: len(rows)])
        masks = self.batch.action_mask[rows]
        try:
            answer = opponent.agent.act(seen, masks, keys)
        except Exception as error:
            error.add_note(
                f"raised by opponent {opponent.name}; the first decision it was asked for: "
                f"{self.batch._where(int(rows[0]))}: {self.batch.question(int(rows[0]))}"
            )
            raise
        wanted = f"opponent {opponent.name} was asked for actions: expected ints of shape {keys.shape}"
        try:
            actions = np.asarray(answer)
        except ValueError:
            raise IllegalAction(f"{wanted}, got {answer!r}") from None
        if actions.shape != keys.shape or actions.dtype.kind not in "iu":
            raise IllegalAction(f"{wanted}, got {actions.dtype} of shape {actions.shape}")
        inside = (actions >= 0) & (actions < NUM_ACTIONS)
        legal = inside & masks[np.arange(len(rows)), np.where(inside, actions, PASS).astype(np.int64)]
        if not legal.all():
            wrong = int(legal.argmin())
            illegal = self.batch._illegal(int(rows[wrong]), int(actions[wrong]))
            raise IllegalAction(f"opponent {opponent.name} in {illegal}")
        self._broken = INTERRUPTED
        return actions.astype(np.int64)

    def _note_ends(
        self, rewards: NDArray[np.float32], terminated: NDArray[np.bool_], truncated: NDArray[np.bool_]
    ) -> int:
        """Keep what the learners must hear of the games that this step of the core has ended.

        A game that ended before its learner was asked at all is nobody's experience and is passed over.

        Returns:
            How many games were passed over.
        """
        ended = (terminated | truncated) & ~self.over
        if not ended.any():
            return 0
        heard = ended & self._listening
        self._listening &= ~heard
        rows = np.flatnonzero(heard)
        if rows.size:
            seats, final = self.seats[rows], self.batch.final
            self._rewards[rows] = rewards[rows, seats]
            self._terminated[rows] = terminated[rows]
            self._truncated[rows] = truncated[rows]
            self.final_seats[rows] = seats
            self.final_observations[rows] = final.observe(seats, rows=rows)
            self.final_rewards[rows] = rewards[rows]
            self.final_scores[rows] = final.scores[rows]
            self.final_turns[rows] = final.turns[rows]
            self.final_winners[rows] = final.winners[rows]
            self.final_ended[rows] = final.ended[rows]
        started = ended
        if not self._autoreset:
            self.over |= heard
            started = ended & ~heard
            if started.any():
                self.logs.reset(mask=started)
        self._draw_seats(np.flatnonzero(started))
        return int(ended.sum()) - rows.size


class _Opponent(NamedTuple):
    """An agent, what it is called in errors, and what shows it games: (batch, rows, out) -> out."""

    agent: Agent
    name: str
    shown: Callable[[GameBatch, NDArray[np.int64], NDArray[np.float32]], NDArray[np.float32]]


def _agents(opponents: Opponents, observation: str) -> list[_Opponent]:
    import dominion_agents  # looked upwards for only here, where it is used

    if isinstance(opponents, str) or not isinstance(opponents, Sequence):
        chosen: list[Any] = [opponents]
    else:
        chosen = list(opponents)
    if not chosen:
        raise InvalidOption("opponents=[]: name at least one agent, or None for games without opponents")
    made = []
    for each in chosen:
        agent = dominion_agents.make(each) if isinstance(each, str) else each
        if not isinstance(agent, dominion_agents.Agent) or isinstance(agent, type):
            raise InvalidOption(f"opponent {each!r} is neither a name nor an agent with act(observations, masks, keys)")
        dominion_agents.observation_read_by(agent, observation)  # what it says is refused before the first game
        dominion_agents.check_fields(agent)
        made.append(_Opponent(agent, repr(each), partial(dominion_agents.shown_to, agent)))
    return made


def checked_num_envs(num_envs: Any) -> int:
    """How many games a view of many has.

    Raises:
        InvalidOption: no whole number from 1.
    """
    if isinstance(num_envs, bool) or not isinstance(num_envs, int | np.integer) or num_envs < 1:
        raise InvalidOption(f"num_envs: expected a whole number from 1, got {num_envs!r}")
    return int(num_envs)


def _checked_seat(seat: Seat, num_players: int) -> Seat:
    if isinstance(seat, str) and seat in ("random", "alternate"):
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
