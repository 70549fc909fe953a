"""Labels as work that is done in parts and kept in a folder, until all of them are there."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_agents.searching.playing import playouts, strategy_of
from dominion_env import GameBatch
from dominion_env.actions import NUM_ACTIONS
from dominion_env.checks import shown, whole_number
from dominion_env.core.fields import observation_size
from dominion_env.errors import InvalidOption
from dominion_env.splitmix import GAMMA, splitmix
from dominion_training.evaluate import roster
from dominion_training.evaluate.games import Player, Stopped
from dominion_training.evaluate.work import parse_kingdom
from dominion_training.labelling.plans import AUTO, Considered, Plans
from dominion_training.labelling.positions import Positions, positions
from dominion_training.labelling.trying import STEP, Worth, tried

LABELS_PER_PART = 256
GAMES_AT_ONCE = 32  # which give about as many labels as a part has
GAMES_PER_LABEL = 4  # at most; the addresses of a part's games follow from that
ROOM = 40  # legal actions of a decision: a card of each pile can be played or bought, and there is the pass
WORLDS_OF_PLAN, ERROR_OF_PLAN = 64, 0.08  # a plan needs no more care than that, as most are far from the best
_ABOUT_PLANS, _ABOUT_ACTIONS = np.uint64(0x2D358DCCAA6C78A5), np.uint64(0x8BB84B93962EACC9)  # worlds of both differ

Labels = NDArray[Any]
"""Labels, shape (n,), of `label_dtype`."""


def label_dtype(num_players: int) -> np.dtype[Any]:
    """Return the dtype of a label; the lists of its actions are filled up to `ROOM`, with actions of -1."""
    return np.dtype(
        [
            ("observation", "f4", (observation_size(num_players),)),
            ("mask", "u1", (-(-NUM_ACTIONS // 8),)),  # a bit each
            ("actions", "i2", (ROOM,)),
            ("values", "f4", (ROOM,)),
            ("errors", "f4", (ROOM,)),
            ("errors_to_best", "f4", (ROOM,)),
            ("games", "i4", (ROOM,)),
            ("error", "f4"),  # of the difference of the two best
            ("usual", "i2"),  # what the plan that goes on would do
            ("plan", "i2"),  # its number in the portfolio
            ("index", "i8"),  # of the game's address
            ("decision", "i4"),  # number of decisions made in the game before
            ("seconds", "f4"),  # CPU time of the part, divided among its labels; all else is the same in any run
        ]
    )


@dataclass(frozen=True)
class Labelling:
    """Labels for decisions of the games that some agents play: a `Work`.

    Attributes:
        by: specifications of the agents that play the games, each with its weight.
        continuation: strategies that go on in playouts; see `Plans`.
        kingdom: a name, or ten card names with commas between.
        num_players: number of seats, 2 to 6.
        seed: seed of the games' addresses.
        error: standard error of the difference of the two best actions with which a decision is done, a share of the win.
        most: number of worlds after which it is done in any case, a multiple of 8.
        spacing: mean number of decisions from one that is labelled to the next.
        astray: share of decisions that are made at random when the games are played.
        options: other options of `GameBatch`.
    """

    by: tuple[tuple[str, float], ...]
    continuation: tuple[str, ...]
    kingdom: str = "first-game-2e"
    num_players: int = 2
    seed: int = 0
    error: float = 0.05
    most: int = 1024
    spacing: int = 10
    astray: float = 0.05
    options: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def check(self) -> Plans:
        """Check everything but the agents, and return the plans.

        Raises:
            DominionError: an option is wrong, or there are kingdoms that lack the cards of all strategies.
        """
        if not self.by:
            raise InvalidOption("by: expected at least one agent, got none")
        for name, weight in self.by:
            if not 0 < weight < math.inf:
                raise InvalidOption(f"by: expected a weight above 0 for {name}, got {weight:g}")
        whole_number("players", self.num_players, 2, 6)
        whole_number("spacing", self.spacing, 1)
        if not 0 < self.error < 1:
            raise InvalidOption(f"error: expected a share of the win between 0 and 1, got {shown(self.error)}")
        if not 0 <= self.astray <= 1:
            raise InvalidOption(f"astray: expected a share from 0 to 1, got {shown(self.astray)}")
        if whole_number("most", self.most, STEP) % STEP:
            raise InvalidOption(f"most: expected a multiple of {STEP}, got {self.most}")
        kingdom = parse_kingdom(self.kingdom)
        GameBatch(1, self.num_players, kingdom, seed=self.seed, **self.options)
        return Plans(self.continuation, kingdom)

    @property
    def agents(self) -> tuple[str, ...]:
        """See `Work`."""
        return tuple(dict.fromkeys(name for name, _ in self.by))

    @property
    def settings(self) -> dict[str, Any]:
        """See `Work`."""
        return {
            "by": [list(each) for each in self.by],
            "continuation": [text if text == AUTO else strategy_of(text).one_line() for text in self.continuation],
            "kingdom": self.kingdom, "players": self.num_players, "seed": self.seed, "error": self.error, "most": self.most,
            "spacing": self.spacing, "astray": self.astray, "options": dict(self.options),
        }  # fmt: skip

    @property
    def words(self) -> tuple[str, ...]:
        """See `Work`."""
        return ("labels",)

    def parts(self, number: int) -> list[LabelPart]:
        """Return so many labels in parts.

        Raises:
            InvalidOption: that is no number above 0.
        """
        whole_number("number", number, 1)
        return [
            LabelPart(self, start, min(start + LABELS_PER_PART, number)) for start in range(0, number, LABELS_PER_PART)
        ]


@dataclass(frozen=True)
class LabelPart:
    """The labels from `start` to before `stop`: a `Part`.

    They are the first decisions of games that no other part plays, in order of game and decision, so the labels depend
    neither on the number of games that are played at once nor on how many labels a part has but its beginning.
    """

    work: Labelling
    start: int
    stop: int

    def is_whole(self, kept: Labels) -> bool:
        """See `Part`."""
        return kept.shape == (self.stop - self.start,) and kept.dtype == label_dtype(self.work.num_players)

    def play(self, stopping: Callable[[], bool] | None = None, games_at_once: int = GAMES_AT_ONCE) -> Labels:
        """See `Part`; the number of games that are played at once changes nothing but the time.

        Raises:
            InvalidOption: the games have too few decisions.
        """
        started = time.process_time()
        plans, found, missing = self.work.check(), list[Labels](), self.stop - self.start
        first, last = GAMES_PER_LABEL * self.start, GAMES_PER_LABEL * self.stop
        while missing:
            if first >= last:
                raise InvalidOption(
                    f"spacing: expected games with more than {self.work.spacing} decisions, got {last:,} shorter ones"
                )
            games = range(first, min(first + games_at_once, last))
            labels = self._labels(plans, self._chosen(games, missing, stopping), stopping)
            found.append(labels)
            missing -= len(labels)
            first = games.stop
        whole = np.concatenate(found)
        whole["seconds"] = (time.process_time() - started) / len(whole)
        return whole

    def _chosen(self, games: range, most: int, stopping: Callable[[], bool] | None) -> list[Positions]:
        """Return the first decisions of these games, in order of game and decision, as many as are wanted."""
        work = self.work
        found = positions(
            [Player(name, roster.HERE.agent(name)) for name, _ in work.by], [weight for _, weight in work.by],
            games, work.seed, spacing=work.spacing, astray=work.astray, stopping=stopping,
            num_players=work.num_players, kingdom=parse_kingdom(work.kingdom), **work.options,
        )  # fmt: skip
        if not found:
            return []
        index, decision = (np.concatenate([getattr(each, name) for each in found]) for name in ("index", "decision"))
        wanted = np.zeros(len(index), np.bool_)
        wanted[np.lexsort((decision, index))[:most]] = True
        chosen = []
        for each, part in zip(
            found, np.split(wanted, np.cumsum([len(each.index) for each in found])[:-1]), strict=True
        ):
            if (rows := np.flatnonzero(part)).size:
                chosen.append(Positions(each.games.take(rows), each.index[rows], each.decision[rows]))
        return chosen

    def _labels(self, plans: Plans, chosen: list[Positions], stopping: Callable[[], bool] | None) -> Labels:
        """Return the labels of these decisions, in order of game and decision."""
        found = [np.zeros(0, label_dtype(self.work.num_players))]
        for each in chosen:
            if stopping is not None and stopping():
                raise Stopped
            found.append(labelled(each, plans, self.work.error, self.work.most))
        labels = np.concatenate(found)
        return labels[np.lexsort((labels["decision"], labels["index"]))]


def labelled(given: Positions, plans: Plans, error: float, most: int) -> Labels:
    """Return labels for decisions.

    Args:
        given: the decisions.
        plans: strategies that go on in playouts.
        error: standard error of the difference of the two best actions with which a decision is done.
        most: number of worlds after which it is done in any case.
    """
    games = given.games
    labels = np.zeros(games.num_games, label_dtype(games.num_players))
    labels["index"], labels["decision"] = given.index, given.decision
    labels["observation"] = games.observer("recall")()
    labels["mask"] = np.packbits(games.action_mask, axis=1)
    labels["actions"] = -1
    playing = _Playing(games, plans)
    labels["plan"], labels["usual"] = playing.best_plan()
    legal = [np.flatnonzero(mask) for mask in games.action_mask]
    usual = [int(np.searchsorted(actions, action)) for actions, action in zip(legal, labels["usual"], strict=True)]
    found = playing.worth_of(legal, usual, labels["plan"], error, most)
    for label, actions, worth in zip(labels, legal, found, strict=True):
        number = len(actions)
        for name, values in (
            ("actions", actions), ("values", worth.values), ("errors", worth.errors),
            ("errors_to_best", worth.errors_to_best), ("games", worth.games),
        ):  # fmt: skip
            label[name][:number] = values
        label["error"] = worth.error
    return labels


class _Playing:
    """Playouts from some decisions."""

    def __init__(self, games: GameBatch, plans: Plans) -> None:
        self._games, self._plans = games, plans
        self._considered: Considered = plans.considered(games)
        self._keys, self._seats = games.policy_keys(), games.current_player.astype(np.int64)

    def best_plan(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the number of the plan that wins most from each decision, and what it does there, int64 (n,) both."""
        games, considered = self._games, self._considered
        decision, place = np.nonzero(np.arange(considered.plans.shape[1]) < considered.number[:, None])
        plans = considered.plans[decision, place]
        seen = games.observer("recall")()[decision]
        actions = self._plans.portfolio.agent.act_as(plans, seen, games.action_mask[decision], self._keys[decision])
        starts = np.searchsorted(decision, np.arange(games.num_games))
        best = np.zeros(games.num_games, np.int64)
        several = np.flatnonzero(considered.number > 1)

        def play(which: NDArray[np.int64], arm: NDArray[np.int64], step: NDArray[np.int64]) -> NDArray[np.float32]:
            at = starts[several[which]] + arm
            return self._play(several[which], actions[at], plans[at], step, _ABOUT_PLANS)

        if several.size:
            found = tried(considered.number[several].tolist(), ERROR_OF_PLAN, WORLDS_OF_PLAN, play)
            best[several] = [worth.best for worth in found]
        return plans[starts + best], actions[starts + best]

    def worth_of(
        self, legal: list[NDArray[np.int64]], usual: list[int], plans: NDArray[np.int64], error: float, most: int
    ) -> list[Worth]:
        """Return what the legal actions of each decision are worth if its plan goes on, whose own action has this place."""
        starts, actions = np.cumsum([0, *map(len, legal)]), np.concatenate(legal)

        def play(which: NDArray[np.int64], arm: NDArray[np.int64], step: NDArray[np.int64]) -> NDArray[np.float32]:
            return self._play(which, actions[starts[which] + arm], plans[which], step, _ABOUT_ACTIONS)

        return tried([len(each) for each in legal], error, most, play, usual)

    def _play(
        self,
        decision: NDArray[np.int64],
        actions: NDArray[np.int64],
        plans: NDArray[np.int64],
        step: NDArray[np.int64],
        stage: np.uint64,
    ) -> NDArray[np.float32]:
        """Play `STEP` worlds each, and return the shares of the win of the seats that are asked, float32 (m, STEP)."""
        objects, words = self._plans.portfolio.objects, splitmix(self._keys[decision] ^ stage)
        # If the others may follow several plans these are drawn for each world, which then is a row of its own.
        rows, worlds = (STEP, 1) if self._plans.are_several else (1, STEP)
        decision, actions, plans = (np.repeat(each, rows) for each in (decision, actions, plans))
        number = (step[:, None] * rows + np.arange(rows)).reshape(-1)
        seeds = splitmix(np.repeat(words, rows) ^ splitmix((number + 1).astype(np.uint64) * GAMMA))
        followed = self._considered.drawn(decision, seeds)
        followed[np.arange(len(decision)), self._seats[decision]] = plans
        shares, _ = playouts(self._games, decision, actions, worlds, objects[followed], seeds)
        own: NDArray[np.float32] = shares[np.arange(len(decision)), :, self._seats[decision]]
        return own.reshape(-1, STEP)
