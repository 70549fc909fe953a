"""A game of a data set, played again from its row and compared with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from dominion_env import GameBatch
from dominion_env.common.errors import ResultsMismatch
from dominion_env.render.log import log_text
from dominion_env.tables.cards import CARDS, NUM_BASE_CARDS
from dominion_training.play import roster
from dominion_training.play.loop import Player, Seats, play
from dominion_training.play.sets import ENDINGS
from dominion_training.research.collect.data import DataSet
from dominion_training.research.collect.recorder import KEPT
from dominion_training.research.collect.tables import Tables


@dataclass(frozen=True)
class Again:
    """A game that was played again.

    Attributes:
        number: number of the game.
        agents: the agent in each seat.
        kingdom: numbers of the ten Kingdom cards.
        events: all events, as `GameBatch.events` returns them.
        points, turns: of each seat.
        ended: in words.
    """

    number: int
    agents: tuple[str, ...]
    kingdom: tuple[int, ...]
    events: NDArray[Any]
    points: tuple[int, ...]
    turns: tuple[int, ...]
    ended: str

    def text(self) -> str:
        """Return the game as a text that people can read."""
        names = [f"player_{seat} ({agent})" for seat, agent in enumerate(self.agents)]
        kingdom = ", ".join(CARDS[card].name for card in self.kingdom)
        score = "; ".join(
            f"{name}: {points} points in {turns} turns"
            for name, points, turns in zip(names, self.points, self.turns, strict=True)
        )
        return f"Game {self.number}: {kingdom}\n\n{log_text(self.events, None, names)}\n\n{score} ({self.ended})"


def play_again(data: DataSet, number: int) -> Again:
    """Play a game of a data set again, and check that it comes out as its row says.

    Args:
        data: the data set.
        number: number of the game.

    Raises:
        InvalidOption: there is no such game.
        ResultsMismatch: the data set is damaged or of other rules, an agent has changed since, or the game comes out
            differently.
        InvalidAgent: an agent can't be made, or failed.
    """
    part = data.part_of(number)
    tables = data.read_part(part)
    game = tables.games.row(by_predicate=pl.col("game") == number, named=True)
    rows = tables.players.filter(pl.col("game") == number).sort("seat")
    _check_agents(data, rows["agent"].unique().to_list())
    found = _played(data, number, game["players"], rows["agent"].to_list())
    for name, kept, now in (
        ("kingdom", game["kingdom"], found.kingdom),
        ("points", rows["points"].to_list(), found.points),
        ("turns", rows["turns"].to_list(), found.turns),
        ("ended", ENDINGS.get(game["ended"]), found.ended),
    ):
        if (list(kept) if not isinstance(kept, str | None) else kept) != (list(now) if isinstance(now, tuple) else now):
            raise ResultsMismatch(
                f"game {number}: {name} {now} now, {kept} in its row; was the data set made elsewhere?"
            )
    _check_events(tables, found)
    return found


def _check_agents(data: DataSet, numbers: list[int]) -> None:
    mix, made = data.record["mix"], data.record["fingerprints"]
    for number in numbers:
        now = roster.HERE.made_of(mix[number])
        if made[mix[number]] is not None and now != made[mix[number]]:
            raise ResultsMismatch(
                f"agent {mix[number]}: expected the one of the data set, fingerprint {made[mix[number]]}, got {now}"
            )


def _played(data: DataSet, number: int, num_players: int, seats: list[int]) -> Again:
    work = data.collection
    players = [Player(work.mix[agent], roster.HERE.agent(work.mix[agent])) for agent in seats]
    batch = GameBatch(
        1, num_players, work.kingdom, seed=work.seed, index=number, autoreset=False, record=True,
        **work.options,
    )  # fmt: skip
    for _ in play(batch, Seats(players, np.arange(num_players)[None])):
        pass  # the batch keeps all that is wanted
    return Again(
        number,
        tuple(player.name for player in players),
        tuple(batch.state["piles"][0, NUM_BASE_CARDS:].tolist()),
        batch.events(),
        tuple(batch.scores[0].tolist()),
        tuple(batch.turns[0].tolist()),
        ENDINGS[int(batch.state["ended"][0])],
    )


def _check_events(tables: Tables, found: Again) -> None:
    if tables.events is None:
        return
    kept = tables.events.filter(pl.col("game") == found.number).select("event", "player", "card", "count").to_numpy()
    wanted = np.isin(found.events["event"], KEPT)
    now = np.stack([found.events[name][wanted] for name in ("event", "player", "card", "count")], axis=1)
    if kept.shape != now.shape or (kept != now).any():
        raise ResultsMismatch(f"game {found.number}: other events now than in its rows")
