"""A position as text, as a player at the table sees it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from dominion_env.cards import COST, NUM_BASE_CARDS, Card

_LABEL = 11


def cards_text(cards: Mapping[str, int] | Sequence[str]) -> str:
    """ "2 Copper, Silver": counts or a list of names, in order of the cards' numbers."""
    counts = Counter(cards)
    ordered = sorted(counts.items(), key=lambda item: Card.named(item[0]))
    return ", ".join(name if copies == 1 else f"{copies} {name}" for name, copies in ordered if copies) or "-"


def render_text(
    position: Mapping[str, Any], seat: int | None, asked: str, legal: Sequence[str], scores: Sequence[int]
) -> str:
    """The table in a few lines.

    Args:
        position: of `Game.to_dict`.
        seat: from whose side; None shows everything.
        asked: a line that says who is asked what; `legal`: the answers, shown to that seat alone by the caller.
        scores: points of each player, shown at the end of the game.
    """
    turn = position["players"][position["turn_player"]]["turns"]
    whose = f"Turn {turn} of player_{position['turn_player']}, {position['phase'].capitalize()} phase"
    lines = [f"{whose}: {position['actions']} actions, {position['buys']} buys, {position['coins']} coins"]
    piles = [(name, copies) for name, copies in position["supply"].items()]
    for label, part in (
        ("Supply", piles[:NUM_BASE_CARDS]),
        ("Kingdom", piles[NUM_BASE_CARDS:][:5]),
        ("", piles[NUM_BASE_CARDS + 5 :]),
    ):
        entries = "  ".join(f"{name} ({COST[Card.named(name)]}) x{copies}" for name, copies in part)
        lines.append(f"{label:<{_LABEL}}{entries}")
    lines.append(f"{'Trash':<{_LABEL}}{cards_text(position['trash'])}")
    for number, player in enumerate(position["players"]):
        lines += _player_lines(number, player, seat)
    if position["over"]:
        result = ", ".join(f"player_{number} {points}" for number, points in enumerate(scores))
        lines.append(f"The game is over ({position['ended']}). Points: {result}")
    else:
        lines.append(asked)
        if legal:
            lines.append(f"{'':<{_LABEL}}{', '.join(legal)}")
    return "\n".join(lines)


def _player_lines(number: int, player: Mapping[str, Any], seat: int | None) -> list[str]:
    mine = seat is None or seat == number
    hand_size = sum(player["hand"].values()) + len(player["chosen"])
    deck_size = len(player["deck_top"]) + sum(player["deck_bag"].values())
    hand = cards_text(player["hand"]) if mine else f"{hand_size} cards"
    if not mine and player["known_hand"]:
        hand += f", among them {cards_text(player['known_hand'])}"
    top = player["discard"][-1] if player["discard"] else None
    discard = f"{len(player['discard'])} cards, {top} on top" if top else "empty"
    lines = [f"{f'player_{number}':<{_LABEL}}hand: {hand} | deck: {deck_size} cards | discard pile: {discard}"]
    known = [
        name if knower == "all" or (mine and knower == "owner") or seat is None else "?"
        for name, knower in zip(player["deck_top"], player["deck_known"], strict=True)
    ]
    revealed = [
        name if mine or knower == "all" else "?"
        for name, knower in zip(player["revealed"], player["revealed_known"], strict=True)
    ]
    chosen = player["chosen"] if mine else []
    parts = {
        "in play": cards_text(player["in_play"]) if player["in_play"] else "",
        "set aside": ", ".join(player["set_aside"]),
        "revealed": ", ".join(revealed),
        "chosen": ", ".join(chosen),
        "on the deck": ", ".join(known) if any(name != "?" for name in known) else "",
    }
    shown = " | ".join(f"{label}: {cards}" for label, cards in parts.items() if cards)
    if shown:
        lines.append(f"{'':<{_LABEL}}{shown}")
    return lines
