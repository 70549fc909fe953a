"""A shard: some hundred games that are played side by side, with the samples of the network's decisions in them.

A run has a fixed number of shards. Each has games, opponents and samples of its own, so that they can be played by as
many threads as there are cores, and the result is the same.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_agents.scripted.agent import Cast, ScriptedAgent
from dominion_agents.trained.agent import TrainedAgent
from dominion_agents.trained.forward import THOUGHT, ReadyNetwork
from dominion_agents.trained.inputs import FIELDS, Layout
from dominion_agents.trained.model import Exported
from dominion_agents.trained.reading import GLANCE
from dominion_env import GameBatch
from dominion_env.common.splitmix import GAMMA, splitmix
from dominion_env.compiled.jit import records, specialised
from dominion_env.players.agent import Agent, ask, gains_for, searches
from dominion_env.players.situation import Gains
from dominion_env.tables.cards import NUM_BASE_CARDS, Card
from dominion_training.learner.options.settings import Settings
from dominion_training.learner.rollouts.samples import ENDED, Samples, collect
from dominion_training.learner.rollouts.translate import translated

POINTS_WORTH_A_WIN = 50.0
PARTS = ("network decides", "opponents decide", "games move")  # of playing, whose seconds a shard counts
NOT_TAUGHT = NOT_CAST = -1
RANDOM_MOVES = 0.05  # of a teacher's games
LEARNER = 0  # number of the network among a shard's players; opponent k is k + 1
MAX_TURNS = 100  # last round of a game
_PER_GAME = ("last", "players", "taught")  # arrays that go with the games


class Shard:
    """Games, and the samples of a network that plays in them.

    Args:
        layout: inputs and actions of the network.
        batch: the games, with `auto_treasures` and automatic restarts.
        opponents: the agents that the network may meet.
        room: number of samples of a rollout.
        seed: seed by which opponents and seats are drawn.
    """

    def __init__(self, layout: Layout, batch: GameBatch, opponents: Sequence[Agent], room: int, seed: int) -> None:
        self.layout, self.batch, self.opponents = layout, batch, list(opponents)
        self._meant_for = [*map(meant_for, opponents)]
        self._make_cast()
        self.gains = gains_for(batch, self.opponents)
        self.weights = np.ones(1 + len(self.opponents))  # how often a game is played against itself, and each opponent
        self.seed = np.uint64(seed)
        self.rollout = room
        games, players = batch.num_games, batch.num_players
        self.samples = Samples(layout, room + games * (players + 1))
        self.last = np.full((games, players), -1, np.int64)
        self.players = np.zeros((games, players), np.int64)
        self.met = np.zeros((1 + len(self.opponents), 2))  # games and shares of the win, since they were last read
        self.lengths: list[int] = []
        self.truncated = 0
        self._all = np.arange(games)
        self.seconds = np.zeros(len(PARTS))
        self._actions = np.zeros(games, np.int64)
        self.taught = np.full(games, NOT_TAUGHT)
        self._shown = np.zeros((games, batch.observation_size), np.float32)
        self._scratch = records(np.zeros(1, GLANCE)), records(np.zeros(1, THOUGHT))

    def add(self, agent: Agent) -> None:
        """Add an opponent, which is met once it is given a weight."""
        self.opponents.append(agent)
        self._meant_for.append(meant_for(agent))
        self._make_cast()
        self.met = np.concatenate([self.met, np.zeros((1, 2))])

    def _make_cast(self) -> None:
        """Let all opponents that go by buy lists be asked in one call, as each of them has few games."""
        # A derived class may answer in another way, so it is asked by itself.
        scripted = {number: agent for number, agent in enumerate(self.opponents, 1) if type(agent) is ScriptedAgent}
        self._cast = Cast([*scripted.values()]) if scripted else None
        self._places = np.full(1 + len(self.opponents), NOT_CAST)  # of players in the cast
        self._places[[*scripted]] = np.arange(len(scripted))

    def snapshot(self) -> dict[str, NDArray[Any]]:
        """Return the games, their samples and who plays them as arrays by name, for `restore`; some are not copied."""
        samples = self.samples
        found = {f"samples/{name}": getattr(samples, name)[: samples.size] for name in samples.FIELDS}
        if samples.targets is not None:
            found["samples/targets"] = samples.targets[: samples.size]
        return self.snapshot_of_games() | found

    def restore(self, arrays: Mapping[str, NDArray[Any]], check: bool = False) -> None:
        """Go on from what `snapshot` returned, in a shard that was made alike; `check` is that of `GameBatch.restore`."""
        samples = self.samples
        samples.size = len(arrays["samples/actions"])
        for name in samples.FIELDS:
            getattr(samples, name)[: samples.size] = arrays[f"samples/{name}"]
        if "samples/targets" in arrays:
            samples.make_targets()[: samples.size] = arrays["samples/targets"]
        self.restore_games(arrays, check)

    def snapshot_of_games(self) -> dict[str, NDArray[Any]]:
        """Return what `snapshot` does but for the samples, for `restore_games`."""
        found: dict[str, NDArray[Any]] = {f"games/{name}": array for name, array in self.batch.snapshot().items()}
        if self.gains is not None:
            found |= {f"gains/{name}": array for name, array in self.gains.snapshot().items()}
        return found | {name: getattr(self, name) for name in _PER_GAME}

    def restore_games(self, arrays: Mapping[str, NDArray[Any]], check: bool = False) -> None:
        """Go on from what `snapshot_of_games` returned, in a shard that was made alike and has the same samples."""
        self.batch.restore({name[6:]: array for name, array in arrays.items() if name.startswith("games/")}, check)
        for name in _PER_GAME:
            getattr(self, name)[:] = arrays[name]
        gains = {name[6:]: array for name, array in arrays.items() if name.startswith("gains/")}
        if gains:
            self.gains = self.gains or Gains(self.batch)
            self.gains.restore(gains)

    def counted(self) -> dict[str, NDArray[Any]]:
        """Return what this shard has counted as arrays by name: for `count` of the same shard in another place."""
        return {
            "met": self.met.copy(), "lengths": np.array(self.lengths, np.int64), "truncated": np.array([self.truncated]),
            "seconds": self.seconds.copy(),
        }  # fmt: skip

    def count(self, counted: Mapping[str, NDArray[Any]]) -> None:
        """Add what this shard has counted in another place, as `counted` returns it there."""
        self.met += counted["met"]
        self.lengths += counted["lengths"].tolist()
        self.truncated += int(counted["truncated"][0])
        self.seconds += counted["seconds"]

    def forget_counted(self) -> None:
        """Count from nothing again."""
        self.met[:] = 0
        self.seconds[:] = 0
        self.forget_lengths()

    def forget_lengths(self) -> None:
        """Forget how long the games have been that ended so far."""
        self.lengths.clear()
        self.truncated = 0

    def play(
        self, network: Exported, teacher: Agent | None = None, stopping: Callable[[], bool] = lambda: False
    ) -> None:
        """Play until there are as many new samples as a rollout has, beside those that are kept from the one before.

        Args:
            network: the network that decides.
            teacher: an agent that decides in its place. The samples then hold the teacher's decisions, although one
                decision in twenty is made at random, so that games go beyond what the teacher would do.
            stopping: function that returns True where the rollout is to be broken off.
        """
        self.samples.keep_open(self.last)
        enough = self.samples.size + self.rollout
        while self.samples.size < enough and not stopping():
            self.tick(network, teacher)

    def tick(self, network: Exported, teacher: Agent | None = None) -> None:
        """Make one decision in every game."""
        batch, start = self.batch, time.perf_counter()
        if self.gains is None and teacher is not None and searches(teacher):
            self.gains = Gains(batch)
        keys, asked = batch.policy_keys(), batch.current_player
        deciding = self.players[self._all, asked]
        rows = np.flatnonzero(deciding == LEARNER)
        if rows.size:
            self._decide(network, teacher, rows, keys)
        decided = time.perf_counter()
        if len(rows) < len(deciding):
            self._ask_opponents(deciding, keys)
        answered = time.perf_counter()
        _, terminated, truncated = batch.step(self._actions)
        if self.gains is not None:
            self.gains.update(terminated | truncated)
        done = np.flatnonzero(terminated | truncated)
        if done.size:
            self._end(done, truncated[done])
        stepped = time.perf_counter()
        self.seconds += decided - start, answered - decided, stepped - answered

    def _decide(
        self, network: Exported, teacher: Agent | None, rows: NDArray[np.int64], keys: NDArray[np.uint64]
    ) -> None:
        """Let the network decide in these games, and note its decisions as samples."""
        batch, samples, shown = self.batch, self.samples, self._shown[: len(rows)]
        wanted = None if teacher is None else self._be_taught(teacher, rows, keys)
        batch.observe(out=shown, fields=FIELDS, rows=rows)
        if wanted is not None:
            self._note_targets(shown, rows, wanted)
        given = (
            shown, batch.action_mask, keys, rows, batch.current_player, batch.turns,
            ReadyNetwork(self.layout.reading(), *network, *self._scratch), samples.decided(), samples.size, self.last,
            self.taught, self._actions,
        )  # fmt: skip
        specialised(collect, *given)(*given)
        samples.size += len(rows)

    def _ask_opponents(self, deciding: NDArray[np.int64], keys: NDArray[np.uint64]) -> None:
        """Ask each opponent in the games in which it must decide."""
        by_player = np.argsort(deciding, kind="stable")
        places = self._places[deciding[by_player]]
        rows = by_player[places != NOT_CAST]
        if rows.size and self._cast is not None:
            cast = self._cast.in_rows(places[places != NOT_CAST])
            self._actions[rows] = ask(cast, self.batch, rows, None, self._shown[: len(rows)], keys)
        starts = np.searchsorted(deciding[by_player], np.arange(1, len(self.opponents) + 2))
        for number, (start, stop) in enumerate(pairwise(starts)):
            if start < stop and self._places[1 + number] == NOT_CAST:
                agent, rows = self.opponents[number], by_player[start:stop]
                self._actions[rows] = ask(agent, self.batch, rows, self.gains, self._shown[: len(rows)], keys)

    def _be_taught(
        self, teacher: Agent, rows: NDArray[np.int64], keys: NDArray[np.uint64]
    ) -> NDArray[np.float32] | None:
        """Ask the teacher in these games, choose what is done there, and return its probabilities if it tells them."""
        shown = self._shown[: len(rows)]
        self.taught[rows] = ask(teacher, self.batch, rows, self.gains, shown, keys)
        strays = (splitmix(keys[rows] + GAMMA) >> np.uint64(11)) * 2.0**-53 < RANDOM_MOVES
        self._actions[rows] = np.where(strays, self.batch.sample_actions()[rows], self.taught[rows])
        evaluate = getattr(teacher, "evaluate", None)
        return None if evaluate is None else evaluate(shown, self.batch.action_mask[rows])[0]

    def _note_targets(self, shown: NDArray[np.float32], rows: NDArray[np.int64], wanted: NDArray[np.float32]) -> None:
        """Note the teacher's probabilities, float32 (rows, NUM_ACTIONS), with the samples that come next."""
        samples = self.samples
        found = translated(self.layout, shown, self.batch.action_mask[rows], wanted)[2]
        samples.make_targets()[samples.size : samples.size + len(rows)] = found

    def learn_alone(self) -> None:
        """Go over from the teacher's decisions to the network's own: forget what was open, and the teacher."""
        self.last.fill(-1)
        self.taught.fill(NOT_TAUGHT)
        self.samples.targets = None
        self.draw_players(self._all)

    def _end(self, done: NDArray[np.int64], truncated: NDArray[np.bool_]) -> None:
        """Tell the last samples of games that have ended how they ended, and draw the players of the next games."""
        final = self.batch.final
        winners = np.where(truncated[:, None], True, final.winners[done])
        shares = winners / winners.sum(axis=1, keepdims=True)
        points = final.scores[done]
        best_other = np.stack([np.delete(points, seat, 1).max(1) for seat in range(points.shape[1])], 1)
        leads = np.clip((points - best_other) / POINTS_WORTH_A_WIN, -1.0, 1.0)
        last = self.last[done]
        ends = last[last >= 0]
        self.samples.following[ends] = ENDED
        self.samples.final_shares[ends] = shares[last >= 0]
        self.samples.final_leads[ends] = leads[last >= 0]
        self.last[done] = -1
        self.lengths += final.rounds[done].tolist()
        self.truncated += int(truncated.sum())
        mine = self.players[done] == LEARNER
        against = self.players[done].max(axis=1)
        np.add.at(self.met, (against, 0), 1)
        np.add.at(self.met, (against, 1), (shares * mine).sum(1) / mine.sum(1))
        self.draw_players(done)

    def draw_players(self, rows: NDArray[np.int64]) -> None:
        """Draw who plays in these games: by their addresses alone, so that nothing needs to be kept for it.

        The network itself plays for an opponent that is meant for another kingdom than the game's.
        """
        state, players = self.batch.state, self.batch.num_players
        word = splitmix(
            splitmix(self.seed + state["index"][rows].astype(np.uint64) * GAMMA)
            ^ state["episode"][rows].astype(np.uint64)
        )
        edges = np.cumsum(self.weights) / self.weights.sum()
        for seat in range(players):
            word = splitmix(word + GAMMA)
            self.players[rows, seat] = np.searchsorted(edges, (word >> np.uint64(11)) * 2.0**-53, side="right")
        # One seat is the network's own. With two players the other is as drawn, so games against itself stay whole.
        word = splitmix(word + GAMMA)
        own = (word >> np.uint64(32)).astype(np.int64) % players
        self.players[rows, own] = LEARNER
        for number, cards in enumerate(self._meant_for, 1):
            if cards is not None:
                elsewhere = rows[(np.sort(state["piles"][rows], axis=1)[:, NUM_BASE_CARDS:] != cards).any(axis=1)]
                self.players[elsewhere] = np.where(self.players[elsewhere] == number, LEARNER, self.players[elsewhere])


def meant_for(agent: Agent) -> tuple[Card, ...] | None:
    """Return the cards of the one kingdom that an agent can play, in order; None if it plays all."""
    return agent.kingdom if isinstance(agent, TrainedAgent) else None


def shard_of(settings: Settings, layout: Layout, number: int, opponents: Sequence[Agent]) -> Shard:
    """Return one of the shards of a run, as it is at the beginning.

    Args:
        settings: settings of the run.
        layout: inputs and actions of the network.
        number: number of the shard.
        opponents: the agents that the network may meet.
    """
    per_shard = settings.num_envs // settings.shards
    games = GameBatch(
        per_shard, settings.players, settings.kingdoms_met(), seed=settings.seed, index=number * per_shard, auto_treasures=True,
        max_turns=MAX_TURNS,
    )  # fmt: skip
    room = -(-settings.rollout // settings.shards)
    return Shard(layout, games, opponents, room, settings.seed)
