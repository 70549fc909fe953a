"""What a process that thinks is asked, and what it answers: plain values in, plain values out.

Each function here is a job by its name. A game comes as a replay with its agents' names.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from dominion_agents.trained.box import models_in_the_box
from dominion_app.play.table import thought_of
from dominion_app.web.guarding import limits
from dominion_app.web.house.players import made
from dominion_env.common.errors import InvalidAgent, InvalidOption
from dominion_env.common.files import as_plain
from dominion_env.players.agent import Agent, shown_to
from dominion_env.tables.actions import ACTION_NAMES
from dominion_env.views.game import Game

Values = dict[str, Any]
_WARM_PLAYOUTS = 64  # of a coach who is not listened to

# agents that among them need everything that is compiled, by the number of players
_COMPILED = {2: ("planner:8", "ismcts:8", "puct:any:8", "any"), 3: ("planner:8", "ismcts:8", "any-3p")}


@lru_cache(32)
def _agent(name: str) -> Agent:
    return made(name)


def decide(job: Mapping[str, Any]) -> Iterator[Values]:
    """Ask an agent for its answer: {"agent", "game"} -> {"action"}."""
    game = Game.from_replay(job["game"])
    action = thought_of(_agent(job["agent"]), game)()
    if not 0 <= action < len(ACTION_NAMES):
        raise InvalidAgent(f"expected the number of an action, got {action}")
    yield {"action": ACTION_NAMES[action]}


def weigh(job: Mapping[str, Any]) -> Iterator[Values]:
    """Ask what an agent thinks of each legal action: {"agent", "game"} -> {"bars": [[action, share], ...], "chance"}.

    Only an agent that has an `evaluate`, as trained ones have, tells it; for the others there are no bars.
    """
    agent, game = _agent(job["agent"]), Game.from_replay(job["game"])
    evaluate = getattr(agent, "evaluate", None)
    if evaluate is None or game.is_over:
        yield {"bars": [], "chance": None}
        return
    shares, chances = evaluate(shown_to(agent, game.batch), game.batch.action_mask)
    legal = np.flatnonzero(game.batch.action_mask[0])
    bars = [[ACTION_NAMES[action], float(shares[0, action])] for action in legal[np.argsort(-shares[0, legal])]]
    yield {"bars": bars, "chance": float(chances[0])}


def hint(job: Mapping[str, Any]) -> Iterator[Values]:
    """Ask the coach about the decision of a game: {"game"} -> the judgement as `Judgement.to_dict` has it."""
    from dominion_agents.coach import judge

    game = Game.from_replay(job["game"])
    yield judge(game, limits.HINT_PLAYOUTS, limits.HINT_SECONDS).to_dict()


def review(job: Mapping[str, Any]) -> Iterator[Values]:
    """Judge the decisions of a seat: {"game", "seat"} -> {"done", "of"} after each, {"review"} at the end."""
    from dominion_agents.coach import Coach
    from dominion_agents.coach.reviewing import judged_decisions, own_steps, reviewed

    game, seat, coach = without_asking(Game.from_replay(job["game"])), job["seat"], Coach()
    number = len(own_steps(game, seat))
    if not number:
        raise InvalidOption("there was nothing to decide in this game yet")
    found = []
    for decision in judged_decisions(game, seat, coach, limits.REVIEW_PLAYOUTS):
        found.append(decision)
        yield {"done": len(found), "of": number}
    whole = reviewed(seat, found, coach)
    yield {"review": whole.to_dict() | {"explained": explained(whole)}}


def explained(found: Any) -> list[list[str]]:
    """Return the dearest mistakes of a review, each in some sentences."""
    from dominion_app.review.tables import explanations

    mistakes = list[list[str]]()
    for line in explanations(found):
        if line.startswith(" "):  # it goes on about the same mistake
            mistakes[-1].append(line.strip())
        else:
            mistakes.append([line])
    return mistakes


def without_asking(game: Game) -> Game:
    """Return the same game as one in which all Treasures are played at once, as far as they were.

    A coach would otherwise judge the order of Treasures, five times a turn. A game in which Treasures were kept back is
    returned as it is.
    """
    record = game.replay()
    options = record["options"] | record["address"] | {"auto_treasures": True}
    plain, asked = Game(start=record["start"], **options), Game.from_replay(record, 0)
    for action in record["actions"]:
        if action in plain.legal_actions():
            if plain.coins != asked.coins:
                return game
            plain.apply(action)
        elif action not in ("play Copper", "play Silver", "play Gold"):
            return game
        asked.apply(action)
    return plain


def compare(job: Mapping[str, Any]) -> Iterator[Values]:
    """Play two agents against each other: {"first", "second", "kingdom", "players", "games", "seed"} -> results so far.

    Each result has "games", the summary of the match, and the curves; the last one comes when all games are played or the
    time is up.
    """
    from dominion_app.web.house.curves import Curves
    from dominion_training.evaluate.match import MatchResult, lineup, sets_of
    from dominion_training.play.loop import Player, Stopped
    from dominion_training.play.sets import play_sets

    players, number = job["players"], sets_of(job["games"], job["players"])
    first, second = _agent(job["first"]), _agent(job["second"])
    curves, parts, done = Curves(number, players), list[Any](), 0
    size, until = 1, time.monotonic() + limits.COMPARE_SECONDS
    while done < number and time.monotonic() < until:
        try:
            games = play_sets(
                lineup(Player("first", first), Player("second", second), players), range(done, min(done + size, number)),
                job["seed"], stopping=lambda: time.monotonic() > until, watching=curves.watch, kingdom=job["kingdom"],
                auto_treasures=True, max_turns=limits.MOST_ROUNDS,
            )  # fmt: skip
        except Stopped:
            break
        parts.append(games)
        done, size = min(done + size, number), min(4 * size, limits.SETS_AT_ONCE)
        result = MatchResult(np.concatenate(parts))
        yield as_plain({"of": job["games"], **result.summary(), "curves": curves.told(done)})
    if not done:
        raise InvalidOption(f"not one set of games was played within {limits.COMPARE_SECONDS:g} seconds")


def warm(job: Mapping[str, Any]) -> Iterator[Values]:
    """Compile what the other jobs need, which takes a minute once on a machine: {} -> {"warm": true}."""
    from dominion_agents.coach import judge

    for players, agents in _COMPILED.items():
        judge(Game(players), _WARM_PLAYOUTS)
        game = Game(players).replay()
        for name in agents:
            _ = [*decide({"agent": name, "game": game})]
            if name in models_in_the_box():
                _ = [*weigh({"agent": name, "game": game})]
    yield {"warm": True}


JOBS: dict[str, Callable[[Mapping[str, Any]], Iterator[Values]]] = {
    "decide": decide, "weigh": weigh, "hint": hint, "review": review, "compare": compare, "warm": warm,
}  # fmt: skip
