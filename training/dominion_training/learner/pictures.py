"""Pictures of a run: learning curves, what the network buys when, and what its deck is made of by turn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg  # needs no screen and no global state
from matplotlib.figure import Figure
from numpy.typing import NDArray

from dominion_env import GameBatch
from dominion_env.agent import Agent, ask, gains_for
from dominion_env.cards import CARDS, NUM_CARDS
from dominion_training.records import put_in_place

# Colours that the colour-blind can tell apart (Okabe and Ito, "Color Universal Design", 2008).
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442", "#000000")
LAST_TURN = 24


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
    """Draw what the deck is made of at the end of each turn, copies, float64 (turns, NUM_CARDS)."""
    figure, axes = _figure(8, 4)
    cards = sorted(np.flatnonzero(decks.max(axis=0) >= 0.3), key=lambda card: -decks[:, card].max())[:14]
    turns = np.arange(1, len(decks) + 1)
    styles = ("-", "--")
    for number, card in enumerate(cards):
        colour = COLOURS[number % len(COLOURS)]
        axes.plot(turns, decks[:, card], styles[number // len(COLOURS)], color=colour, label=CARDS[card].name)
    axes.set(
        xlabel="turn", ylabel="copies in the deck", title=f"the deck at the end of each turn, mean of {games} games"
    )
    axes.title.set_fontsize(9)
    axes.legend(fontsize=7, ncols=2, loc="upper left")
    _save(figure, path)


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
        Mean copies of each card in its deck at the end of its turns, and mean copies gained in each turn, both float64
        (LAST_TURN, NUM_CARDS). Games that have ended are left out from then on.
    """
    batch = GameBatch(games, seed=seed, autoreset=False, **options)
    decks, counts = np.zeros((LAST_TURN, NUM_CARDS)), np.zeros(LAST_TURN)
    gains = np.zeros((LAST_TURN, NUM_CARDS))
    before = batch.state["owned"][:, 0].astype(np.int64)
    turns, everyone, public = batch.turns[:, 0].copy(), np.arange(games), gains_for(batch, (agent, other))
    running = np.ones(games, np.bool_)
    while running.any():
        actions, keys, mine = np.zeros(games, np.int64), batch.policy_keys(), batch.current_player == 0
        for player, rows in ((agent, everyone[running & mine]), (other, everyone[running & ~mine])):
            if rows.size:
                actions[rows] = ask(player, batch, rows, public, keys=keys)
        owned = batch.state["owned"][:, 0].astype(np.int64)
        _, terminated, truncated = batch.step(actions)
        if public is not None:
            public.update()
        now = batch.state["owned"][:, 0].astype(np.int64)
        ended = terminated | truncated
        for rows, deck in ((everyone[running & (batch.turns[:, 0] != turns)], owned), (everyone[running & ended], now)):
            for row in rows:
                turn = int(turns[row]) - 1
                if 0 <= turn < LAST_TURN:
                    decks[turn] += deck[row]
                    gains[turn] += np.maximum(deck[row] - before[row], 0)
                    counts[turn] += 1
                before[row] = deck[row]
        turns[:] = batch.turns[:, 0]
        running &= ~ended
    return decks / np.maximum(counts, 1)[:, None], gains / games


def _figure(width: float, height: float) -> tuple[Figure, Any]:
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure, figure.subplots()


def _save(figure: Figure, path: Path) -> None:
    with put_in_place(path) as aside:
        figure.savefig(aside, dpi=150, format=path.suffix[1:])
