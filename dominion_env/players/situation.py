"""What an agent that searches is given: decisions, and worlds that the seats that must make them may be in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_env.core.batch import GameBatch
from dominion_env.players.story import Story

_ROOM = 32  # gains of a player for which there is room at first
_NO_CARD = -1


@dataclass(frozen=True, eq=False)
class Situation:
    """Decisions in n games, with all that the seats that are asked may know.

    The games themselves are not in it, only worlds: copies in which all that a seat can't know is dealt again. Two
    situations that look the same to a seat are the same, so an agent can look at every part of one, keep it and pickle it.

    Attributes:
        observations: observations of the deciding seats, float32 (n, observation_size), as for `Agent.act`.
        action_masks: the legal actions, bool (n, NUM_ACTIONS).
        keys: a random number per row, uint64 (n,).
        seats: the deciding seats, int8 (n,).
        gains: the cards that each player has gained so far, as all have seen, oldest first, int8 (n, num_players, longest);
            -1 stands behind the last. Nothing is known of what came before a loaded position.
        gain_turns: for each of these the number of turns that the player had begun, int16 of that shape.
        games: one world of each row, for `playouts`; searches deal more of them.
        events: for an agent with `wants_events`, what each row's seat has seen happen since its last answer, in the form of
            `GameBatch.events`; none for others.
    """

    observations: NDArray[np.float32]
    action_masks: NDArray[np.bool_]
    keys: NDArray[np.uint64]
    seats: NDArray[np.int8]
    gains: NDArray[np.int8]
    gain_turns: NDArray[np.int16]
    games: GameBatch
    events: tuple[NDArray[Any], ...] = ()

    def __len__(self) -> int:
        return len(self.keys)

    def worlds(self, copies: int, seeds: int | Sequence[int] | NDArray[Any], out: GameBatch | None = None) -> GameBatch:
        """Return worlds that the deciding seats may be in; row r * copies + j is copy j of row r.

        Args:
            copies: number of worlds for each row, at least 1.
            seeds: one int or one per row; the same seeds give the same worlds.
            out: worlds of an earlier call on this situation, as many as now, to be overwritten.

        Raises:
            InvalidOption: an argument is wrong; see `GameBatch.worlds`.
        """
        return self.games.worlds(np.arange(len(self)), copies, seeds, out=out)


class Gains:
    """The cards that each player of a batch has gained since its games began, which all have seen.

    Whoever runs the games for an agent that searches keeps this beside them. It looks at what the players own after each
    step. A card that is trashed in the step in which its like is gained shows by the Supply.

    Args:
        batch: the games; what came before is not known.
        events: whether events are kept too, for an agent with `wants_events`.
    """

    def __init__(self, batch: GameBatch, events: bool = False) -> None:
        self._batch = batch
        self._story = Story(batch) if events else None
        shape = batch.num_games, batch.num_players
        self._number = np.zeros(shape, np.int64)
        self._cards = np.full((*shape, _ROOM), _NO_CARD, np.int8)
        self._turns = np.zeros((*shape, _ROOM), np.int16)
        self._look()

    def _look(self) -> None:
        """Keep what the next step is compared with."""
        state, players = self._batch.state, self._batch.num_players
        self._owned = state["owned"][:, :players].copy()
        self._supply = state["supply"].copy()
        self._begun = state["turns"][:, :players].copy()
        self._asked = state["asked"].copy()

    def update(self, ended: NDArray[np.bool_] | None = None) -> None:
        """Note what was gained in the last step.

        Args:
            ended: the games that have ended in it, bool (num_games,), whose rows begin again.
        """
        state, players = self._batch.state, self._batch.num_players
        more = state["owned"][:, :players] - self._owned
        gained = np.maximum(more, 0)
        unseen = self._supply - state["supply"] - gained.sum(axis=1, dtype=np.int8)
        if (unseen > 0).any():  # trashed and gained again at once, by the player who was asked
            rows, cards = np.nonzero(unseen > 0)
            gained[rows, self._asked[rows], cards] += unseen[rows, cards]
        if ended is not None:
            gained[ended] = 0
        if self._story is not None:
            self._story.update()
        for row, seat, card in np.argwhere(gained).tolist():
            for _ in range(int(gained[row, seat, card])):
                self._note(row, seat, card)
        if ended is not None and ended.any():
            self.clear(np.flatnonzero(ended))
        self._look()

    def _note(self, row: int, seat: int, card: int) -> None:
        at = int(self._number[row, seat])
        if at == self._cards.shape[2]:
            self._cards = np.concatenate([self._cards, np.full_like(self._cards, _NO_CARD)], axis=2)
            self._turns = np.concatenate([self._turns, np.zeros_like(self._turns)], axis=2)
        self._cards[row, seat, at] = card
        self._turns[row, seat, at] = self._begun[row, seat]
        self._number[row, seat] = at + 1

    def clear(self, rows: NDArray[Any]) -> None:
        """Forget what was gained in these games, which have begun again."""
        self._number[rows] = 0
        self._cards[rows] = _NO_CARD
        self._turns[rows] = 0
        if self._story is not None:
            self._story.clear(np.arange(len(self._number))[rows])
        self._look()

    def of(self, rows: NDArray[Any]) -> tuple[NDArray[np.int8], NDArray[np.int16]]:
        """Return the cards gained in these games and the turns, as `Situation` has them."""
        longest = int(self._number[rows].max(initial=0))
        return self._cards[rows][:, :, :longest], self._turns[rows][:, :, :longest]

    def events(self, rows: NDArray[Any], seats: NDArray[Any]) -> tuple[NDArray[Any], ...]:
        """Return what these seats have seen happen since their last answers, as `Situation` has it."""
        if self._story is None:
            return ()
        return tuple(self._story.of(row, seat) for row, seat in zip(rows.tolist(), seats.tolist(), strict=True))

    def snapshot(self) -> dict[str, NDArray[Any]]:
        """Return all that is kept, as arrays by name, for `restore`."""
        return {"number": self._number.copy(), "cards": self._cards.copy(), "turns": self._turns.copy()}

    def restore(self, snapshot: Mapping[str, NDArray[Any]]) -> None:
        """Go on from a snapshot, at the moment to which the batch has been restored."""
        self._number, self._cards, self._turns = (snapshot[name].copy() for name in ("number", "cards", "turns"))
        self._look()

    def take(self, batch: GameBatch, rows: NDArray[Any]) -> Gains:
        """Return the gains of a batch that was taken from these rows of this one."""
        part = Gains(batch)
        part._number, part._cards, part._turns = self._number[rows], self._cards[rows], self._turns[rows]
        part._story = None if self._story is None else self._story.take(batch, rows)
        return part


def situation_of(
    batch: GameBatch,
    rows: NDArray[np.int64],
    observations: NDArray[np.float32],
    keys: NDArray[np.uint64],
    gains: Gains | None,
) -> Situation:
    """Return the decisions that are asked for in these games, without anything that their seats can't know.

    Args:
        batch: the games.
        rows: numbers of games, at least one.
        observations: observations of the deciding seats of these rows.
        keys: a random number for each of these rows.
        gains: what was gained in the games of the batch; None means nothing known.
    """
    none = np.zeros((len(rows), batch.num_players, 0), np.int8)
    cards, turns = (none, none.astype(np.int16)) if gains is None else gains.of(rows)
    masks, seats = batch.action_mask[rows], batch.current_player[rows]
    events = () if gains is None else gains.events(rows, seats)
    return Situation(observations, masks, keys, seats, cards, turns, batch.worlds(rows, 1, 0), events)
