"""Evolve a buy list for a kingdom, find its worst enemy, and measure both in games of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dominion_agents import ScriptedAgent
from dominion_agents.strategies.named import STRATEGIES
from dominion_agents.strategies.strategy import Strategy
from dominion_env.common.checks import is_whole_in, shown
from dominion_env.common.errors import InvalidOption
from dominion_env.tables.cards import Card
from dominion_env.tables.kingdoms import CardLike, KingdomLike, one_set
from dominion_training.common.folders import folder_for_work
from dominion_training.evaluate.match import MatchResult, play_match, sets_of
from dominion_training.evolve.evolution import Evolution, EvolutionState, Member
from dominion_training.evolve.lineage import Ancestor, lineage
from dominion_training.evolve.simplify import simplified
from dominion_training.executors.executor import Executor
from dominion_training.executors.runner import Rounds
from dominion_training.lists import climbs
from dominion_training.lists.arena import SEATS, Arena, ArenaWork
from dominion_training.lists.budget import MEASURED, Budget
from dominion_training.lists.random_lists import SOUGHT, Heart, RandomLists
from dominion_training.lists.saved_search import SavedSearch

LARGEST_SEED = (1 << 60) - 1  # games have three seeds made from it
EVOLVING, ATTACKING, MEASURING = range(3)
FINALISTS, FINAL_SETS = 4, 512  # lists of the hall that may be the champion, and sets of each against each other one
ATTACK, EVOLUTION = "enemy.json", "evolution.json"


@dataclass(frozen=True)
class EvolutionProgress:
    """How far the command has come.

    Attributes:
        doing: what it does, in words.
        games: number of games of this part of the work.
        share: share of the part's budget that is spent, 0 to 1.
        note: how it stands, in words.
    """

    doing: str
    games: int
    share: float
    note: str = ""


@dataclass(frozen=True)
class Evolved:
    """A list that was evolved, and how good it is in games that neither its evolution nor the search for its enemy has seen.

    Attributes:
        kingdom: the ten cards.
        strategy: the list.
        before: the list before what costs nothing to leave out was left out.
        ancestors: its lineage, the oldest list first, the list itself last.
        matches: its matches against the scripted baselines of the kingdom, by their names, those that score most first.
        enemy: its worst enemy, the best list that was found against it alone.
        enemy_result: the games of the enemy against it.
        games, enemy_games: games of the evolution, and of the search for the enemy.
        seconds, enemy_seconds: time that both took.
        generations, climbs: number of generations and of climbs of the evolution.
        seeds: seeds of the addresses of the games: evolving, the search for the enemy, measuring.
    """

    kingdom: tuple[str, ...]
    strategy: Strategy
    before: Strategy
    ancestors: list[Ancestor]
    matches: dict[str, MatchResult]
    enemy: Strategy
    enemy_result: MatchResult
    games: int
    enemy_games: int
    seconds: float
    enemy_seconds: float
    generations: int
    climbs: int
    seeds: tuple[int, int, int]


def seeds_of(seed: int) -> tuple[int, int, int]:
    """Return the seeds of the games of an evolution, of the search for the enemy, and of those that measure."""
    return 3 * seed + EVOLVING, 3 * seed + ATTACKING, 3 * seed + MEASURING


def baselines_of(kingdom: KingdomLike) -> dict[str, Strategy]:
    """Return the published strategies that find all their cards in a kingdom, by name."""
    cards = {Card(number) for number in one_set(kingdom, SOUGHT)}
    return {name: each for name, each in STRATEGIES.items() if cards.issuperset(each.kingdom_cards)}


def evolve(
    kingdom: KingdomLike,
    *,
    games: int | None = None,
    minutes: float | None = None,
    seed: int = 0,
    workers: int = 1,
    measured: int = MEASURED,
    folder: Path | None = None,
    progress: Callable[[EvolutionProgress], None] = lambda progress: None,
    executor: Executor | None = None,
    heart: Sequence[CardLike] | None = None,
) -> Evolved:
    """Evolve a buy list for two players from random lists, and find its worst enemy, with a budget for each of the two.

    With `games` alone the result depends neither on the speed of the machine nor on the number of workers, nor on an executor.

    Args:
        kingdom: one set of ten cards.
        games: most games of the evolution, and most of the search for the enemy.
        minutes: most minutes of each, those before an interruption included.
        seed: seed of everything.
        workers: number of threads that play.
        measured: number of games of each match that measures the list, an even number.
        folder: folder in which the work is saved after each generation, and from which it goes on.
        progress: function that is called after each generation.
        executor: what else plays the longer calls of the arena; the threads do by default.
        heart: two cards of the kingdom on which every climb with a heart builds; by default all pairs have their turn.

    Raises:
        InvalidOption: there is no budget, a number is out of range, the kingdom is not one set, or the heart is not two of
            its Kingdom cards.
        ResultsMismatch: the folder holds the evolution of something else, or a damaged one.
        DominionError: a file can't be written.
    """
    lists, chosen, budget = check_arguments(kingdom, games, minutes, seed, workers, measured, heart)
    settings = _settings(lists, seed, chosen)
    evolving, attacking, measuring = seeds_of(seed)
    with ExitStack() as stack:
        stack.enter_context(folder_for_work(folder, "a search", EVOLUTION))
        saved = SavedSearch(None if folder is None else folder / EVOLUTION, settings, EvolutionState())
        rounds = None if executor is None else stack.enter_context(_rounds(executor, lists))
        arena = stack.enter_context(Arena(lists.cards, evolving, workers, rounds))
        state = _evolved(Evolution(lists, arena, seed, chosen), saved, budget, progress)
        progress(EvolutionProgress("choosing", 0, 0.0))
        champion, family, first_set = _champion(state, arena)
        ancestors = lineage(family, champion, arena, first_set)
        strategy = family[champion].strategy
        settings |= {"against": strategy.one_line()}
        # What was found for a smaller budget is the enemy of another list.
        found = SavedSearch(
            None if folder is None else folder / ATTACK, settings, climbs.ClimbState(), anew=["against"]
        )
        arena = stack.enter_context(Arena(lists.cards, attacking, workers, rounds))
        attack = _attacked(strategy, lists, seed, arena, found, budget, progress)
    assert attack.best is not None
    matches = {}
    options: dict[str, Any] = {"kingdom": list(lists.cards), "auto_treasures": True}
    own, baselines = ScriptedAgent(strategy), baselines_of(lists.cards)
    for number, (name, each) in enumerate(baselines.items()):
        progress(EvolutionProgress("measuring", number * measured, number / (len(baselines) + 1), name))
        matches[name] = play_match(own, ScriptedAgent(each), measured, measuring, **options)
    enemy = attack.best.strategy
    return Evolved(
        kingdom=lists.cards, strategy=strategy, before=state.family[family[champion].parents[0]].strategy, ancestors=ancestors,
        matches=dict(sorted(matches.items(), key=lambda match: match[1].score)), enemy=enemy,
        enemy_result=play_match(ScriptedAgent(enemy), own, measured, measuring, **options),
        games=state.games, enemy_games=attack.games, seconds=saved.seconds, enemy_seconds=found.seconds,
        generations=state.generation, climbs=state.climb + 1, seeds=(evolving, attacking, measuring),
    )  # fmt: skip


def evolved_list(
    kingdom: KingdomLike, games: int, seed: int = 0, workers: int = 1, heart: Sequence[CardLike] | None = None
) -> tuple[Strategy, int]:
    """Evolve a buy list as `evolve` does, without seeking its enemy and without measuring it.

    Args:
        kingdom: one set of ten cards.
        games: most games of the evolution.
        seed: seed of everything.
        workers: number of threads that play.
        heart: as for `evolve`.

    Returns:
        The list, and the number of games of the evolution.

    Raises:
        InvalidOption: a number is out of range, the kingdom is not one set, or the heart is not two of its Kingdom cards.
    """
    lists, chosen, budget = check_arguments(kingdom, games, None, seed, workers, SEATS, heart)
    saved = SavedSearch(None, _settings(lists, seed, chosen), EvolutionState())
    with Arena(lists.cards, seeds_of(seed)[EVOLVING], workers) as arena:
        evolution = Evolution(lists, arena, seed, chosen)
        state = _evolved(evolution, saved, budget, lambda progress: None)
        champion, family, _ = _champion(state, arena)
    return family[champion].strategy, state.games


def _settings(lists: RandomLists, seed: int, heart: Heart | None) -> dict[str, Any]:
    """Return what an evolution is saved under; one without a heart that was chosen goes on from what older versions saved."""
    return {"kingdom": list(lists.cards), "seed": seed} | ({} if heart is None else {"heart": list(heart)})


def _rounds(executor: Executor, lists: RandomLists) -> Rounds:
    return Rounds(executor, ArenaWork(tuple(Card.named(name) for name in lists.cards), 0).like())


def check_arguments(
    kingdom: KingdomLike,
    games: int | None,
    minutes: float | None,
    seed: int,
    workers: int,
    measured: int,
    heart: Sequence[CardLike] | None = None,
) -> tuple[RandomLists, Heart | None, Budget]:
    """Check the arguments of `evolve` without playing; return the lists of the kingdom, the heart, and the budget.

    Raises:
        DominionError: as `evolve`.
    """
    lists = RandomLists(kingdom)
    chosen = lists.heart_of(heart)
    if not is_whole_in(seed, 0, LARGEST_SEED):
        raise InvalidOption(f"seed: expected a whole number from 0 to {LARGEST_SEED}, got {shown(seed)}")
    sets_of(measured, SEATS)
    with Arena(lists.cards, 0, workers) as arena:
        least = Evolution(lists, arena, 0).games_ahead(EvolutionState())
    return lists, chosen, Budget.checked(games, minutes, least, "the first generation")


def _evolved(
    evolution: Evolution,
    saved: SavedSearch[EvolutionState],
    budget: Budget,
    progress: Callable[[EvolutionProgress], None],
) -> EvolutionState:
    def is_over(state: EvolutionState, seconds: float) -> bool:
        return state.generation > 0 and budget.is_spent(state.games + evolution.games_ahead(state), seconds)

    def show(state: EvolutionState, seconds: float) -> None:
        note = f"generation {state.generation}, climb {state.climb + 1} ({state.kind}), {len(state.hall.members)} in the hall"
        progress(EvolutionProgress("evolving", state.games, budget.share(state.games, seconds), note))

    return saved.run(evolution.next_state, is_over, show)


def _attacked(
    strategy: Strategy,
    lists: RandomLists,
    seed: int,
    arena: Arena,
    saved: SavedSearch[climbs.ClimbState],
    budget: Budget,
    progress: Callable[[EvolutionProgress], None],
) -> climbs.ClimbState:
    """Search for the list that beats this one, published lists among its beginnings."""

    def following(state: climbs.ClimbState) -> climbs.ClimbState:
        return climbs.next_state(
            state, lists, seed, lambda found, sets: arena.play(found, [strategy] * len(sets), sets)
        )

    def show(state: climbs.ClimbState, seconds: float) -> None:
        best = state.best
        note = "" if best is None else f"best so far {best.score:.1%}"
        progress(EvolutionProgress("its worst enemy", state.games, budget.share(state.games, seconds), note))

    return saved.run(following, lambda state, seconds: state.is_over(SEATS, budget, seconds), show)


def _champion(state: EvolutionState, arena: Arena) -> tuple[int, dict[int, Member], int]:
    """Return the number of the champion, the family with it in it, and the number of the next set.

    The strongest lists of the hall meet all of it once more, and the best of them is simplified.
    """
    hall, sets = state.hall, state.sets
    members = state.strategies(hall.members)
    finalists = hall.by_strength()[:FINALISTS]
    scores = np.full((len(finalists), len(members)), 0.5)
    for place, opponent in enumerate(members):
        others = [row for row, finalist in enumerate(finalists) if finalist != place]
        if others:
            shares = arena.play(
                [members[finalists[row]] for row in others], [opponent] * FINAL_SETS, range(sets, sets + FINAL_SETS)
            )[0]
            scores[others, place] = shares.mean(axis=1)
        sets += FINAL_SETS
    best = int(hall.robust(scores).argmax())
    number, champion = hall.members[finalists[best]], members[finalists[best]]
    weights = hall.weights_against(scores[best])
    strategy, used = simplified(champion, members, weights, arena, sets)
    new = Member(strategy, "simplified", (number,), state.generation, state.games)
    return state.born, state.family | {state.born: new}, sets + used
