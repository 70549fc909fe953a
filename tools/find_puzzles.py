"""Finds the puzzles: `python -m tools.find_puzzles` makes their file again, in about half an hour of one core.

Strong agents play each other over many kingdoms. A decision becomes a puzzle if the coach finds its best answer better than
each other one in two looks, which have no world in common, and if an agent that learnt from games alone, not from the
coach's plans, answers the same. Which plan a look finds for an action is partly luck, so each action counts with the better
one of both. What Big Money and `auto` miss is looked for first, so that the set is no easy one.

After Ctrl-C, the same command goes on where it was.
"""

from __future__ import annotations

import json
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import tyro
from numpy.typing import NDArray
from rich.console import Console

from dominion_agents.coach import Judgement, the_coach
from dominion_agents.coach.chances import difference_of
from dominion_agents.coach.judging import AT_ONCE, DUEL, duel
from dominion_agents.coach.losses import stage_of
from dominion_agents.coach.reviewing import SECOND_SEED, WORLDS
from dominion_agents.coach.trials import Trials
from dominion_env.common.files import parse_json
from dominion_env.core.questions import KIND_NAMES
from dominion_env.players.situation import Gains
from dominion_env.tables.actions import ACTION_NAMES
from dominion_env.tables.kingdoms import KINGDOMS, SPLIT_SIZES
from dominion_env.views.game import Game
from dominion_training.evaluate.commands.steps import playing
from dominion_training.evaluate.losses import PLAYOUTS
from dominion_training.evaluate.matches import Meeting
from dominion_training.executors.folder import Folder
from dominion_training.executors.runner import run_parts
from dominion_training.play import roster
from dominion_training.play.loop import Player, Stopped, answers
from dominion_training.puzzles.puzzle import FILE, Puzzle, batch_of, write_puzzles
from dominion_training.puzzles.solving import solve

PAIRS = ("any", "planner:100"), ("auto-2", "any"), ("planner:100", "auto-2")
EASY = "big-money", "auto"  # a puzzle that one of them solves is an easy one
LEARNT = "any", "puct:100"  # one of them must answer as the coach does
NUMBER = 500
MOST_EASY = 0.5  # share of the puzzles
LEAST_MARGIN = 0.03  # share of the win
CLOSELY = 4  # times as many playouts in the second look
# Of questions of a kind that seem easy, one in this number is looked at.
ONE_IN, ONE_IN_OTHERS = {"action": 16, "buy": 16}, 4
_ONLY = np.zeros(1, np.int64)
_ADDRESS = "address", "streams", "decisions"  # keys of a position that say where it comes from


@dataclass(frozen=True)
class Search(Meeting):
    """Games in which puzzles are looked for: a `Work`."""

    @property
    def agents(self) -> tuple[str, ...]:
        """See `Work`."""
        return self.first, self.second, *LEARNT, *EASY

    @property
    def settings(self) -> dict[str, Any]:
        """See `Work`."""
        return {"seed": self.seed, "playouts": PLAYOUTS, "margin": LEAST_MARGIN}


@dataclass(frozen=True)
class SearchPart:
    """One game of a search: a `Part`. It yields at most one puzzle of each kind, stage and of those easy or not."""

    work: Search
    start: int
    stop: int

    def is_whole(self, kept: NDArray[Any]) -> bool:
        """See `Part`."""
        return kept.dtype.kind == "S" and kept.ndim == 1

    def play(self, stopping: Callable[[], bool] | None = None) -> NDArray[Any]:
        """Return what was found, each as JSON."""
        game = Game(2, self.work.kingdom, seed=self.work.seed, index=self.start, auto_treasures=True)
        gains, found = Gains(game.batch), {}
        while not game.is_over:
            if stopping is not None and stopping():
                raise Stopped
            if game.action_mask.sum() > 1:
                kind, stage, easy = self._group(game, gains)
                is_passed = easy and int(game.policy_key()) % ONE_IN.get(kind, ONE_IN_OTHERS)
                if (kind, stage, easy) not in found and not is_passed and (chances := chances_at(game, gains)):
                    found[kind, stage, easy] = puzzle_at(game, kind, stage, chances)
            game.apply(_answer(self.work.agents[game.current_player], game, gains))
            gains.update()
        return np.array([json.dumps(each).encode() for each in found.values()] or np.zeros(0, "S1"))

    @staticmethod
    def _group(game: Game, gains: Gains) -> tuple[str, str, bool]:
        """Return the kind and the stage of a decision, and whether it seems an easy one."""
        kind = KIND_NAMES[game.batch.state["kind"][0]]
        learnt = _answer(LEARNT[0], game, gains)
        easy = any(_answer(spec, game, gains) == learnt for spec in EASY)
        return kind, stage_of(int(game.batch.turns[0, game.current_player])), easy


def puzzle_at(game: Game, kind: str, stage: str, chances: dict[str, float]) -> dict[str, Any]:
    """Return the decision of a game as a puzzle's fields, without its number and with nothing that the seat can't know."""
    world = game.batch.worlds([0], 1, 0).to_dict(0)
    position = {key: value for key, value in world.items() if key not in _ADDRESS}
    return {"position": position, "kind": kind, "stage": stage, "chances": chances}


def chances_at(game: Game, gains: Gains) -> dict[str, float] | None:
    """Return the chance to win with each legal action, the best one first; None if none is best beyond doubt.

    Args:
        game: a game with more than one legal action, which stays as it is.
        gains: what was gained in it so far.
    """
    coach, seed = the_coach(), int(game.policy_key()) % SECOND_SEED
    trials = coach.trials(game, seed)
    first = coach.judge_trials(trials, PLAYOUTS)
    best = first.best
    if all(_answer(spec, game, gains) != best.action for spec in LEARNT):
        return None
    difference = duel(trials, best, first.actions[1], WORLDS)
    if not difference.is_clear or difference.share < LEAST_MARGIN:
        return None
    trials = coach.trials(game, seed + SECOND_SEED)
    second = coach.judge_trials(trials, CLOSELY * PLAYOUTS)
    found = measured(trials, (first, second)) if second.best.action == best.action else None
    return found if found and next(iter(found)) == best.name else None


def measured(trials: Trials, looks: Sequence[Judgement], worlds: int = 2 * WORLDS) -> dict[str, float] | None:
    """Play all actions in fresh worlds, and return their chances to win; None if none stands out as the best.

    Args:
        trials: the playouts of the decision.
        looks: what has found a plan for each action; with several plans, the best of these counts.
        worlds: number of worlds.
    """
    actions, plans = np.array(sorted({(each.action, each.number) for look in looks for each in look.actions})).T
    part = AT_ONCE // len(actions)
    played = [trials.play(actions, plans, DUEL, at, min(at + part, worlds)) for at in range(0, worlds, part)]
    rows = np.concatenate(played, axis=1)
    order = np.argsort(-rows.mean(axis=1), kind="stable")
    firsts = order[np.sort(np.unique(actions[order], return_index=True)[1])]  # the best plan of each action
    best, *others = rows[firsts]
    leads = [difference_of(best, other) for other in others]
    if min(each.low for each in leads) <= 0 or min(each.share for each in leads) < LEAST_MARGIN:
        return None
    names = (ACTION_NAMES[action] for action in actions[firsts])
    return {name: round(float(each.mean()), 4) for name, each in zip(names, (best, *others), strict=True)}


def chosen(found: Sequence[dict[str, Any]], number: int = NUMBER) -> list[Puzzle]:
    """Return puzzles as evenly spread over kinds of question and stages as there are any, at most MOST_EASY of them easy.

    Args:
        found: the fields of puzzles, as `puzzle_at` returns them.
        number: number of puzzles, at most.
    """
    mixed = [Puzzle(0, **each) for each in sorted(found, key=_hash)]
    seen = batch_of(mixed).observe()
    mixed = [mixed[row] for row in sorted(np.unique(seen, axis=0, return_index=True)[1])]  # the same view comes once
    easy = easy_ones(mixed)
    groups: dict[tuple[str, str], list[int]] = defaultdict(list)
    for place in np.argsort(easy, kind="stable").tolist():
        groups[mixed[place].kind, mixed[place].stage].append(place)
    taken: list[int] = []
    most_easy = MOST_EASY * min(number, (~easy).sum() / (1 - MOST_EASY))
    while any(groups.values()) and len(taken) < number:
        for group in groups.values():
            if group and easy[group[0]] and easy[taken].sum() + 1 > most_easy:
                group.clear()
            if group and len(taken) < number:
                taken.append(group.pop(0))
    return [Puzzle(place, each.position, each.kind, each.stage, each.chances)
            for place, each in enumerate(mixed[row] for row in sorted(taken))]  # fmt: skip


def easy_ones(among: Sequence[Puzzle]) -> NDArray[np.bool_]:
    """Return which puzzles one of EASY solves, bool (puzzles,)."""
    found: NDArray[np.bool_] = np.any([solve(spec, among).solved for spec in EASY], axis=0)
    return found


def _hash(puzzle: dict[str, Any]) -> str:
    return sha256(json.dumps(puzzle, sort_keys=True).encode()).hexdigest()


def _answer(spec: str, game: Game, gains: Gains) -> int:
    return int(answers(Player(spec, roster.HERE.agent(spec)), game.batch, _ONLY, gains)[0])


def searches(games: int, seed: int) -> list[SearchPart]:
    """Return games in one kingdom after the other, each with luck of its own, and other players from round to round."""
    kingdoms = [*KINGDOMS, *(f"test:{place}" for place in range(SPLIT_SIZES["test"]))]
    parts = []
    for game in range(games):
        number, place = divmod(game, len(kingdoms))
        work = Search(*PAIRS[(number + place) % len(PAIRS)], kingdoms[place], seed=seed)
        parts.append(SearchPart(work, game, game + 1))
    return parts


def main(
    games: int = 165,
    seed: int = 1,
    workers: int = os.cpu_count() or 1,
    out: Path = Path("results/puzzles"),
    file: Path = FILE,
) -> None:
    """Find puzzles in games of strong agents, and write their file.

    Args:
        games: Number of games, which go round the kingdoms.
        seed: Seed of the games.
        workers: Number of processes.
        out: Folder of the games so far; the same command goes on from there.
        file: File of the puzzles.
    """
    parts, console = searches(games, seed), Console()
    found: list[dict[str, Any]] = []
    folder = Folder(out, [part.work for part in parts])
    with playing(games, out, console) as advance:
        for number, (_, rows) in enumerate(run_parts(parts, workers, folder), start=1):
            found += [parse_json(bytes(row)) for row in rows]
            advance(number, f"{len(found)} found")
    taken = chosen(found)
    write_puzzles(file, taken)
    console.print(f"{len(taken)} puzzles of {len(found)} found, {easy_ones(taken).mean():.0%} of them easy: {file}")


if __name__ == "__main__":
    try:
        tyro.cli(main)
    except KeyboardInterrupt:
        sys.exit(130)
