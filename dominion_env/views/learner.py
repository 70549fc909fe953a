"""Games with one learner each, in which opponents play the other seats until the learner must decide again.

This is what the views for learners (SB3, Gymnasium) share: the learner's seat, its opponents, and the result, which
the learner gets even if the game ends in another player's turn.

When an opponent fails, the learners' actions have been carried out already. The games then stand in the middle of a step
that can't be finished, so every call that goes on from there is refused until all games are reset.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any, Literal, NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dominion_env.common.checks import seat_or, shown
from dominion_env.common.errors import IllegalAction, InvalidOption, WrongOrder
from dominion_env.common.splitmix import GAMMA, number_below, splitmix
from dominion_env.core.batch import GameBatch
from dominion_env.core.observing.fields import observation_size
from dominion_env.core.observing.observer import Numbers
from dominion_env.players.agent import (
    Agent,
    ask,
    check_fields,
    check_players,
    gains_for,
    is_agent,
    observation_read_by,
)
from dominion_env.players.registry import make_agent
from dominion_env.players.situation import Gains
from dominion_env.tables.actions import NUM_ACTIONS, PASS
from dominion_env.views.common.episode_logs import EpisodeLogs

Opponents: TypeAlias = str | Agent | Sequence[str | Agent]
Seat: TypeAlias = int | Literal["random", "alternate"]
Bools: TypeAlias = NDArray[np.bool_]
Stepped: TypeAlias = tuple[NDArray[np.float32], Bools, Bools]  # what `GameBatch.step` returns

# Numbers of the draws made from a game's key, apart from those that `rules/record/streams.py` uses. The seat is added to
# OPPONENT_DRAW.
SEAT_DRAW, OPPONENT_DRAW = 1001, 1101

# Positions can be set up in which the learner is never asked. After this number of such games in a row, no other will come.
MAX_GAMES_WITHOUT_DECISION = 1000

INTERRUPTED = "the last call was interrupted"
ADVICE = 'A learner that does not read the masks needs illegal="lose": such actions then lose.'


class LearnerBatch:
    """N games, each of which waits at a decision of its learner.

    Args:
        num_games: number of games.
        opponents: agent of the other seats, its name, or a list of agents and names from which each opposing seat of
            each episode draws one. With None the learner decides in every seat. An agent is shown the observation that
            it says it reads (see `dominion_env.Agent`), otherwise that of the learner.
        seat: seat of the learner, as a number, "random" (drawn from the game's address), or "alternate":
            (index + episode) % players. Without opponents it has no meaning.
        autoreset: whether the step that ends a game starts the row's next one; otherwise the row waits for `reset`.
        options: options of `GameBatch`. `illegal` is about the learner's actions; those of opponents always raise.

    Attributes:
        batch: the games themselves; with `record=True`, `logs` takes their events.
        logs: logs of the running episodes.
        seats: seat of each learner, int64 (num_games,).
        over: rows whose game has ended and that wait for `reset`, bool (num_games,); all False with autoreset.
        some_over: whether there is such a row.
        broken: why the games stand in the middle of a step, if they do.
        final_observations: last observations of the games that ended during the last step, from the seat that the learner
            had there, (num_games, observation_size). Other rows have no meaning, here and below.
        final_seats: seats of the learners in these games, int64 (num_games,).
        final_rewards: rewards of all seats in these games, float32 (num_games, num_players).
        final_scores, final_turns, final_winners, final_ended: copies of `batch.final` for these games. They are copied
            because the next game of a row may end, too, before its learner is asked.

    Raises:
        InvalidOption: there is no such agent or seat, or the game is over in a start position.
    """

    def __init__(
        self, num_games: int, opponents: Opponents | None = None, seat: Seat = 0, autoreset: bool = True, **options: Any
    ) -> None:
        self.batch = GameBatch(num_games, autoreset=autoreset, **options)
        self.logs = EpisodeLogs(self.batch)
        over = self.batch.templates["over"]
        if over.any():
            raise InvalidOption(f"start: expected running games, but the game is over in position {int(over.argmax())}")
        self._autoreset = autoreset
        self.num_games = num_games
        self.num_players: int = self.batch.num_players
        self._agents: list[Opponent] | None = None if opponents is None else opponents_for(opponents, self.batch)
        self._gains = gains_for(self.batch, [each.agent for each in self._agents or []])
        self._seat: Seat = seat_or("seat", seat, self.num_players, ("random", "alternate"))

        size = self.batch.observation_size
        self.seats = np.zeros(num_games, dtype=np.int64)
        self._opponents = np.zeros((num_games, self.num_players), dtype=np.int64)  # place in _agents of each seat
        self._rewards = np.zeros(num_games, dtype=np.float32)
        self._terminated = np.zeros(num_games, dtype=np.bool_)
        self._truncated = np.zeros(num_games, dtype=np.bool_)
        self.final_observations = np.zeros((num_games, size), dtype=self.batch.observation_dtype)
        # Observations for an opponent.
        self._shown = np.zeros((num_games, observation_size(self.num_players)), dtype=np.float32)
        self.final_seats = np.zeros(num_games, dtype=np.int64)
        self.final_rewards = np.zeros((num_games, self.num_players), dtype=np.float32)
        self.final_scores = np.zeros((num_games, self.num_players), dtype=np.int64)
        self.final_turns = np.zeros((num_games, self.num_players), dtype=np.int64)
        self.final_winners = np.zeros((num_games, self.num_players), dtype=np.bool_)
        self.final_ended = np.zeros(num_games, dtype=np.int64)
        self.over = np.zeros(num_games, dtype=np.bool_)
        self.some_over = False
        self._fresh = np.ones(num_games, dtype=np.bool_)  # rows that have not been reset yet
        self._all_begun = False
        self._listening = np.zeros(num_games, dtype=np.bool_)  # rows whose learner must be told how its game ends
        self.broken: str | None = None
        self._no_facts = {name: np.zeros_like(of) for name, of in self.final_facts().items() if name != "seat"}

    @property
    def opponent_names(self) -> list[str]:
        """Names of the opponents in errors."""
        return [each.name for each in self._agents or ()]

    def part(self, first: int, last: int) -> Self:
        """Return a copy of the games from row `first` up to row `last`, whose messages name them by their rows here."""
        rows, part = np.arange(first, last), copy(self)
        # every array has a row for each game
        vars(part).update({name: each[rows] for name, each in vars(self).items() if isinstance(each, np.ndarray)})
        part._no_facts = {name: each[rows] for name, each in self._no_facts.items()}
        part.num_games, part.batch = len(rows), self.batch.take(rows)
        part.batch.first_row = self.batch.first_row + first
        part.logs = self.logs.take(part.batch, rows)
        part._gains = None if self._gains is None else self._gains.take(part.batch, rows)
        return part

    def reset(self, seeds: Sequence[int | None] | None = None, mask: NDArray[np.bool_] | None = None) -> None:
        """Reset all rows, or some of them.

        Args:
            seeds: one seed for each row, from 0; the row then plays the game (seed, 0, 0). None, for all rows or one,
                means the next episode, and at a row's very first reset for the game of the constructor's address.
            mask: rows to reset, bool (num_games,); None resets all.

        Raises:
            WrongOrder: only some rows were to be reset after a step that was not finished; nothing has changed.
            Exception: an opponent raised it; see `step`.
        """
        rows = np.ones(self.num_games, np.bool_) if mask is None else mask
        if not rows.all():
            self.check_finished("reset() of some rows")
        words, seeded = None, np.zeros(self.num_games, np.bool_)
        if seeds is not None:
            words = np.array([(seed or 0) % (1 << 64) for seed in seeds], np.uint64)
            seeded = rows & np.array([seed is not None for seed in seeds])
        again = rows & ~seeded & ~self._fresh
        self.broken = INTERRUPTED
        if seeded.any():
            self.logs.reset(words, seeded)
        if again.any():
            self.logs.reset(mask=again)
        if self._gains is not None:
            self._gains.clear(rows)
        self._fresh[rows] = self._listening[rows] = self.over[rows] = False
        self._all_begun, self.some_over = not self._fresh.any(), bool(self.over.any())
        self._draw_seats(np.flatnonzero(rows))
        self._play_opponents()
        self.broken = None

    def step(self, actions: ArrayLike) -> Stepped:
        """Carry out the learners' actions, and all that follows until each learner is asked again.

        Args:
            actions: one action for each row, int (num_games,); those of rows in `over` are ignored.

        Returns:
            Rewards of the learners, float32 (num_games,); whether their games have just ended, and whether they have just
            been cut short, bool (num_games,). The buffers are valid until the next call.

        Raises:
            IllegalAction: an action of a learner is refused by `GameBatch.step`, and nothing has changed; or the answer of
                an opponent is no legal action, and the games stand as after any other failure of an opponent.
            Exception: an opponent raised it; a note names the opponent and the decision. The learners' actions have been
                carried out, the games stand in the middle of the step, and only `reset` of all rows goes on.
            WrongOrder: a row has not been reset yet, or an earlier call was not finished.
        """
        if not self._all_begun:
            raise WrongOrder("step() before reset(): reset() starts the games")
        self.check_finished("step()")
        self.broken = INTERRUPTED
        try:
            rewards, terminated, truncated = self.batch.step(
                self._of_running_games(actions) if self.some_over else actions
            )
        except Exception as error:
            self.broken = None  # the core refused before anything moved
            if isinstance(error, IllegalAction) and self.batch.illegal == "raise":
                error.add_note(ADVICE)
            raise
        self.logs.update()
        if self._gains is not None:
            self._gains.update(terminated | truncated)
        self._rewards[:] = 0
        self._terminated[:] = False
        self._truncated[:] = False
        np.logical_not(self.over, out=self._listening)
        self._note_ends(rewards, terminated, truncated)
        self._play_opponents()
        self.broken = None
        return self._rewards, self._terminated, self._truncated

    def check_finished(self, call: str) -> None:
        """Check that the last call was finished.

        Args:
            call: the call that is made now, for the message.

        Raises:
            WrongOrder: the last call was not finished; the message says why, and that a reset must come first.
        """
        if self.broken is not None:
            raise WrongOrder(
                f"{call}: {self.broken}, so the games stand in the middle of a step; reset() of all rows must come first"
            )

    def _of_running_games(self, actions: ArrayLike) -> ArrayLike:
        """Return the actions with `PASS`, which a finished game accepts, in the rows of finished games."""
        try:
            given = np.asarray(actions)
        except ValueError:
            return actions  # the error of the core says what is wrong with them
        return (
            np.where(self.over, PASS, given) if given.shape == self.over.shape and given.dtype.kind in "iu" else given
        )

    def observe(self, out: Numbers | None = None) -> Any:
        """Return the observations of the learners at their decisions, or at the end of a game.

        Args:
            out: array to write into, as for `GameBatch.observe`.

        Returns:
            (num_games, observation_size) of `observation_dtype`.

        Raises:
            WrongOrder: the last call was not finished.
        """
        self.check_finished("observe()")
        return self.batch.observe_seats(self.seats, out)

    @property
    def action_mask(self) -> NDArray[np.bool_]:
        """Legal actions of the learners, bool (num_games, NUM_ACTIONS), as a read-only view of the core's masks.

        Raises:
            WrongOrder: the last call was not finished.
        """
        self.check_finished("action_mask")
        return self.batch.action_mask

    def facts(self) -> dict[str, NDArray[Any]]:
        """Return the facts of the end for the infos of all rows, which have the same keys in each phase of a game.

        Returns:
            What `final_facts` holds but for `seat`, as new arrays: of rows in `over` the facts, of all others zeros.
        """
        if not self.some_over:
            return {name: zeros.copy() for name, zeros in self._no_facts.items()}
        told = {name: zeros.copy() for name, zeros in self._no_facts.items()}
        self.put_facts(np.flatnonzero(self.over), told)
        return told

    def put_facts(self, rows: NDArray[np.int64], out: dict[str, NDArray[Any]]) -> None:
        """Write the facts of the end of these games, without `seat`, into the arrays of these names."""
        facts = self.final_facts(rows)
        for name in self._no_facts:
            out[name][rows] = facts[name]

    def final_facts(self, rows: NDArray[np.int64] | slice = slice(None)) -> dict[str, NDArray[Any]]:
        """Return the facts for the last info of the games that ended during the last step.

        Args:
            rows: the games, in this order.

        Returns:
            Arrays with a row for each of these games. Of shape (num_games,): `seat` int64, `is_success` float64 (1 for a win,
            1/2 for a shared one, 0 otherwise), `ended` int64. Of shape (num_games, num_players): `rewards` float32,
            `scores` and `turns` int64, `winners` bool.
        """
        seats, winners = self.final_seats[rows], self.final_winners[rows]
        won = winners[np.arange(len(seats)), seats]
        return {
            "seat": seats,
            "is_success": np.where(won, np.where(winners.sum(axis=1) == 1, 1.0, 0.5), 0.0),
            "ended": self.final_ended[rows],
            "rewards": self.final_rewards[rows],
            "scores": self.final_scores[rows],
            "turns": self.final_turns[rows],
            "winners": winners,
        }

    def _follow_deciders(self) -> None:
        """Put each learner into the seat that decides; at the end of a game, into the one that decided last."""
        if self.some_over:
            np.copyto(self.seats, self.batch.current_player, where=~self.over)
        else:
            self.seats[:] = self.batch.current_player

    def _draw_seats(self, rows: NDArray[np.int64]) -> None:
        """Draw seats and opponents of these rows' running episodes; they depend only on the addresses."""
        state, players = self.batch.state, self.num_players
        if self._agents is None:
            self._follow_deciders()
            return
        if self._seat == "alternate":
            self.seats[rows] = (state["index"][rows] + state["episode"][rows]) % players
        elif self._seat == "random":
            self.seats[rows] = drawn_seats(state["key"][rows], players)
        else:
            self.seats[rows] = self._seat
        if len(self._agents) > 1:
            for s in range(players):
                self._opponents[rows, s] = drawn_opponents(state["key"][rows], s, len(self._agents))

    def _play_opponents(self) -> None:
        """Let the opponents decide until every game is at its learner's decision."""
        if self._agents is None:
            self._follow_deciders()
            return
        games_without_decision = 0
        while (theirs := (self.batch.current_player != self.seats) & ~self.over).any():
            games_without_decision += self._note_ends(*self._step_opponents(np.flatnonzero(theirs)))
            if games_without_decision > MAX_GAMES_WITHOUT_DECISION * self.num_games:
                self.broken = "no game asked its learner anything"
                raise InvalidOption(
                    f"{games_without_decision} games ended before the learner was asked anything: with these options "
                    "and this start position it never decides"
                )

    def _step_opponents(self, rows: NDArray[np.int64]) -> Stepped:
        """Carry out one decision of the opponents in these rows, while the others wait; returns what `GameBatch.step` does."""
        assert self._agents is not None
        batch = self.batch
        deciding = self._opponents[rows, batch.current_player[rows]]  # numbers of the opponents
        keys, actions = batch.policy_keys(), np.empty(len(rows), dtype=np.int64)
        for number, opponent in enumerate(self._agents):
            asked = deciding == number
            if asked.any():
                actions[asked] = self._ask(opponent, rows[asked], keys)
        rewards, terminated, truncated = batch.step(actions, rows)
        self.logs.update()
        if self._gains is not None:
            self._gains.update(terminated | truncated)
        return rewards, terminated, truncated

    def _ask(self, opponent: Opponent, rows: NDArray[np.int64], keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return the checked answers of an opponent in these games: legal actions, int64 (len(rows),)."""
        self.broken = f"opponent {opponent.name} failed"
        actions = answers_of(opponent, self.batch, rows, self._gains, self._shown[: len(rows)], keys)
        self.broken = INTERRUPTED
        return actions

    def _note_ends(self, rewards: NDArray[np.float32], terminated: Bools, truncated: Bools) -> int:
        """Keep what the learners must be told of the games that this step of the core has ended.

        A game that ended before its learner was asked at all is passed over.

        Returns:
            Number of games that were passed over.
        """
        ended = (terminated | truncated) & ~self.over
        if not np.count_nonzero(ended):  # quicker than `any`
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
            self.some_over = bool(self.over.any())
            started = ended & ~heard
            if started.any():
                self.logs.reset(mask=started)
                if self._gains is not None:
                    self._gains.clear(started)
        self._draw_seats(np.flatnonzero(started))
        return int(ended.sum()) - rows.size


class Opponent(NamedTuple):
    """An agent and its name in errors."""

    agent: Agent
    name: str


def opponents_for(opponents: Opponents, batch: GameBatch) -> list[Opponent]:
    """Return the agents that `opponents` names, after a check that each can play these games.

    Raises:
        InvalidOption: there is no such agent, or it does not play at a table of this size.
    """
    if isinstance(opponents, str) or not isinstance(opponents, Sequence):
        chosen: list[Any] = [opponents]
    else:
        chosen = list(opponents)
    if not chosen:
        raise InvalidOption("opponents: expected at least one agent, or None for games without opponents, got []")
    made = []
    for each in chosen:
        agent = make_agent(each) if isinstance(each, str) else each
        if not is_agent(agent):
            raise InvalidOption(
                f"opponents: expected names or agents with act(observations, masks, keys), got {shown(each)}"
            )
        observation_read_by(agent, batch.observation)  # what it says is refused before the first game
        check_fields(agent)
        check_players(shown(each), agent, batch.num_players)
        made.append(Opponent(agent, repr(each)))
    return made


def answers_of(
    opponent: Opponent,
    batch: GameBatch,
    rows: NDArray[np.int64],
    gains: Gains | None = None,
    out: NDArray[np.float32] | None = None,
    keys: NDArray[np.uint64] | None = None,
) -> NDArray[np.int64]:
    """Return the checked answers of an opponent in these games: legal actions, int64 (len(rows),).

    The arguments are those of `dominion_env.players.agent.ask`.

    Raises:
        IllegalAction: an answer is no legal action.
        Exception: the opponent raised it; a note names the opponent and the decision.
    """
    masks, shape = batch.action_mask[rows], rows.shape
    try:
        answer = ask(opponent.agent, batch, rows, gains, out, keys)
    except Exception as error:
        error.add_note(
            f"raised by opponent {opponent.name}; the first decision it was asked for: "
            f"{batch.name_of(int(rows[0]))}: {batch.question(int(rows[0]))}"
        )
        raise
    wanted = f"opponent {opponent.name} was asked for actions: expected ints of shape {shape}"
    try:
        actions = np.asarray(answer)
    except ValueError:
        raise IllegalAction(f"{wanted}, got {shown(answer)}") from None
    if actions.shape != shape or actions.dtype.kind not in "iu":
        raise IllegalAction(f"{wanted}, got {actions.dtype} of shape {actions.shape}")
    inside = (actions >= 0) & (actions < NUM_ACTIONS)
    legal = inside & masks[np.arange(len(rows)), np.where(inside, actions, PASS).astype(np.int64)]
    if not legal.all():
        wrong = int(legal.argmin())
        raise IllegalAction(f"opponent {opponent.name} in {batch.why_illegal(int(rows[wrong]), int(actions[wrong]))}")
    return actions.astype(np.int64)


def drawn_seats(keys: NDArray[np.uint64], num_players: int) -> NDArray[np.int64]:
    """Return the seats that `seat="random"` draws for the learners of games with these keys."""
    return _draws(keys, SEAT_DRAW, num_players)


def drawn_opponents(keys: NDArray[np.uint64], seat: int, number: int) -> NDArray[np.int64]:
    """Return which of this number of opponents plays at a seat in games with these keys."""
    return _draws(keys, OPPONENT_DRAW + seat, number)


def _draws(keys: NDArray[np.uint64], number: int, n: int) -> NDArray[np.int64]:
    """Return numbers below n, one for each key, that depend on the key and on what is drawn."""
    drawn: NDArray[np.int64] = number_below(splitmix((keys ^ np.uint64(number)) + GAMMA), n)
    return drawn
