"""Pictures of a run: learning curves, what the network buys when, and what its deck is made of by turn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from dominion_env import GameBatch
from dominion_env.players.agent import Agent
from dominion_env.tables.cards import CARDS, NUM_CARDS
from dominion_training.common.records import put_in_place
from dominion_training.play.loop import Player, Seats, play

# Colours that the colour-blind can tell apart (Okabe and Ito, "Color Universal Design", 2008).
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442", "#000000")
LAST_TURN = 24
OWN_LINES = 6  # cards of the deck that have a line of their own; more can't be told apart


def learning_curves(path: Path, points: list[dict[str, Any]]) -> None:
    """Draw the score against each anchor over the decisions learned from, with 95% intervals."""
    figure, axes = _figure(7, 4)
    axes.axhline(50, color="grey", linewidth=1, linestyle=":")
    samples = np.array([point["samples"] for point in points]) / 1e6
    for number, name in enumerate(points[0]["scores"] if points else ()):
        scores = 100 * np.array([point["scores"][name] for point in points])
        colour = COLOURS[number % len(COLOURS)]
        axes.plot(samples, scores[:, 0], color=colour, marker="o", markersize=3, label=f"against {name}")
        axes.fill_between(samples, scores[:, 1], scores[:, 2], color=colour, alpha=0.2, linewidth=0)
    axes.set(xlabel="decisions learned from (millions)", ylabel="score (%), 95% interval", ylim=(0, 100))
    if points:
        axes.legend(loc="lower right", fontsize=8)
    _save(figure, path)


def what_it_buys(path: Path, gains: NDArray[np.float64], games: int) -> None:
    """Draw the cards that are gained in each turn, copies a game, float64 (turns, NUM_CARDS)."""
    cards = np.flatnonzero(gains.sum(axis=0) >= 0.05)
    figure, axes = _figure(8, 0.6 + 0.32 * max(len(cards), 3))
    picture = axes.imshow(gains[:, cards].T, aspect="auto", cmap="viridis", vmin=0)
    axes.set_yticks(range(len(cards)), [f"{CARDS[card].name} {gains[:, card].sum():.1f}" for card in cards], fontsize=8)
    axes.set_xticks(range(0, len(gains), 2), range(1, len(gains) + 1, 2))
    axes.set(xlabel="turn", title=f"cards gained, copies a turn (their sum beside the name; {games} games)")
    axes.title.set_fontsize(9)
    figure.colorbar(picture, ax=axes)
    _save(figure, path)


def deck_by_turn(path: Path, decks: NDArray[np.float64], games: int) -> None:
    """Draw what the deck is made of at the end of each turn, copies, float64 (turns, NUM_CARDS).

    The cards of which it has most are lines of their own, with their names at the end, and all others are one line.
    """
    figure, axes = _figure(8, 4)
    most = np.argsort(-decks.max(axis=0), kind="stable")[:OWN_LINES]
    lines = {CARDS[card].name: decks[:, card] for card in most} | {"all others": np.delete(decks, most, 1).sum(axis=1)}
    turns, highest = np.arange(1, len(decks) + 1), max(1.0, *(line.max() for line in lines.values()))
    heights = _apart(np.array([line[-1] for line in lines.values()]), highest / 20)
    for (name, line), colour, height in zip(lines.items(), (*COLOURS[:OWN_LINES], "grey"), heights, strict=True):
        axes.plot(turns, line, "-" if colour != "grey" else ":", color=colour)
        axes.annotate(name, (turns[-1], line[-1]), (turns[-1] + 0.2, height), color=colour, fontsize=8, va="center")
    axes.set(
        xlabel="turn", ylabel="copies in the deck", title=f"the deck at the end of each turn, mean of {games} games",
        xlim=(1, 1.15 * len(decks) + 1), ylim=(0, 1.05 * max(highest, heights.max())),
    )  # fmt: skip
    axes.title.set_fontsize(9)
    _save(figure, path)


def _apart(heights: NDArray[np.float64], gap: float) -> NDArray[np.float64]:
    """Return heights in the same order that are at least a gap apart, moved up from the lowest on."""
    moved, last = heights.copy(), -np.inf
    for place in np.argsort(heights, kind="stable"):
        moved[place] = last = max(heights[place], last + gap)
    return moved


def decks_and_gains(
    agent: Agent, other: Agent, games: int, seed: int, **options: Any
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Let an agent play in seat 0, and follow its deck.

    Args:
        agent: the agent that is looked at.
        other: the agent at all other seats.
        games: number of games.
        seed: seed of their addresses.
        options: options of `GameBatch`.

    Returns:
        Mean copies of each card in its deck at the end of its turns, float64 (turns, NUM_CARDS), up to the last turn that a
        tenth of the games reach, as later means are of few games; and mean copies gained in each turn, float64 (LAST_TURN,
        NUM_CARDS). Games that have ended are left out from then on.
    """
    batch = GameBatch(games, seed=seed, autoreset=False, **options)
    decks, counts = np.zeros((LAST_TURN, NUM_CARDS)), np.zeros(LAST_TURN)
    gains = np.zeros((LAST_TURN, NUM_CARDS))
    owned = batch.state["owned"][:, 0].astype(np.int64)
    before = owned.copy()
    turns = batch.turns[:, 0].copy()
    seats = Seats(
        (Player("agent", agent), Player("other", other)),
        np.tile(np.minimum(np.arange(batch.num_players), 1), (games, 1)),
    )
    for moment in play(batch, seats):
        now, begun = batch.state["owned"][:, 0].astype(np.int64), np.flatnonzero(batch.turns[:, 0] != turns)
        for rows, deck in ((begun, owned), (moment.ended, now)):
            for row in rows:
                turn = int(turns[row]) - 1
                if 0 <= turn < LAST_TURN:
                    decks[turn] += deck[row]
                    gains[turn] += np.maximum(deck[row] - before[row], 0)
                    counts[turn] += 1
                before[row] = deck[row]
        turns[:], owned = batch.turns[:, 0], now
    told = max(1, int(np.count_nonzero(counts >= games / 10)))  # a game reaches no turn without those before it
    return decks[:told] / np.maximum(counts[:told], 1)[:, None], gains / games


def _figure(width: float, height: float) -> tuple[Figure, Any]:
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots()


def _save(figure: Figure, path: Path) -> None:
    with put_in_place(path) as aside:
        figure.savefig(aside, dpi=150, format=path.suffix[1:])
