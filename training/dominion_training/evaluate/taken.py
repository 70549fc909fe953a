"""What the answers of players took that do not repeat themselves: wrong answers, seconds, tokens and cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from dominion_training.play.recorded import LIMITS, SPENT, WRONG, room_for_actions
from dominion_training.play.sets import Games


def taken(played: Iterable[tuple[Games, bool]]) -> dict[str, Any] | None:
    """Return what the answers of one player took, as plain values for JSON.

    Args:
        played: games, and whether the player is the first of their lineup instead of having all other seats.

    Returns:
        Number of games (a seat in a game counts as one) and decisions; seconds, tokens and cost a game; failed requests;
        games lost by a limit. For a player that answers in words also the number of answers, those that were wrong by
        their kinds and as a share, decisions that its policy made, and games given up. None if the player repeats itself.
    """
    spent = np.concatenate([np.zeros(0, SPENT), *(_of_player(games, first) for games, first in played)])
    totals = {name: float(spent[name].sum()) for name in SPENT.names or ()}
    if not totals["decisions"]:
        return None
    games = int((spent["decisions"] > 0).sum())
    found: dict[str, Any] = {"games": games, "decisions": int(totals["decisions"])}
    found |= {f"{name}_per_game": totals[name] / games for name in LIMITS}
    found |= {"failed_requests": int(totals["failed"]), "lost_by_limit": int(totals["over_limit"])}
    if totals["answers"]:
        wrong = {kind: int(totals[kind]) for kind in WRONG}
        found |= {
            "answers": int(totals["answers"]), "wrong_answers": wrong,
            "wrong_share": sum(wrong.values()) / totals["answers"], "decided_by_policy": int(totals["fallbacks"]),
            "given_up": int(totals["gave_up"]),
        }  # fmt: skip
    return found


def _of_player(games: Games, first: bool) -> Any:
    if room_for_actions(games) is None:
        return np.zeros(0, SPENT)
    own = np.arange(games["spent"].shape[1]) == games["rotation"][:, None]
    return games["spent"][own if first else ~own]


def taken_by(played: Sequence[tuple[str, str, Games]]) -> dict[str, dict[str, Any]]:
    """Return what the answers of agents took, for those that do not repeat themselves.

    Args:
        played: the first and the second agent of each match, and its games.
    """
    found = {
        agent: taken((games, place == 0) for *both, games in played for place in (0, 1) if both[place] == agent)
        for agent in dict.fromkeys(agent for *both, _ in played for agent in both)
    }
    return {agent: each for agent, each in found.items() if each is not None}


def taken_in_words(found: dict[str, Any]) -> list[tuple[str, str]]:
    """Return what `taken` found as lines of a table, a heading and a text each."""
    per_game = [f"{found['seconds_per_game']:,.1f} seconds"]
    per_game += [f"{found['tokens_per_game']:,.0f} tokens"] if found["tokens_per_game"] else []
    per_game += [f"cost {found['cost_per_game']:.4g}"] if found["cost_per_game"] else []
    lines = [("a game takes", f"{', '.join(per_game)} for {found['decisions'] / found['games']:.1f} decisions")]
    if "answers" in found:
        kinds = ", ".join(f"{kind.replace('_', ' ')} {number:,}" for kind, number in found["wrong_answers"].items())
        lines.append(("wrong answers", f"{found['wrong_share']:.2%} of {found['answers']:,} ({kinds})"))
        lines.append(("decided by the policy of wrong answers", f"{found['decided_by_policy']:,}"))
    lost = (("given up", found.get("given_up", 0)), ("lost by a limit", found["lost_by_limit"]))
    lines += [(f"games {how}", f"{number:,}") for how, number in lost if number]
    return lines + ([("failed requests", f"{found['failed_requests']:,}")] if found["failed_requests"] else [])
