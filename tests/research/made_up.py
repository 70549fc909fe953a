"""Made-up games, whose truth is known."""

from __future__ import annotations

import numpy as np
import polars as pl

from dominion_env import Card, Event
from dominion_env.tables.kingdoms import KINGDOMS
from dominion_training.research.collect.schema import schema_of
from dominion_training.research.collect.tables import Tables

KINGDOM = [int(card) for card in KINGDOMS["first-game-2e"]]


def frame(table, columns):
    return pl.DataFrame(columns).cast(schema_of(table)).select(*schema_of(table))


def tables(shares, events, rounds=None, agents=None, starter=None, ended=None, kingdom=KINGDOM):
    """Return games with these shares (games, players) and events: (game, turn, player, event, card)."""
    games, players = np.shape(shares)
    number, seats = np.arange(games), np.tile(np.arange(players), games)
    starter = np.zeros(games, int) if starter is None else starter
    rounds = np.full(games, 12) if rounds is None else rounds
    decks = np.zeros((games * players, 39), np.uint8)
    given = {
        "games": {
            "game": number, "players": np.full(games, players), "starter": starter, "rounds": rounds,
            "ended": np.ones(games, int) if ended is None else ended, "kingdom": np.tile(np.uint8(kingdom), (games, 1)),
        },
        "players": {
            "game": np.repeat(number, players), "seat": seats,
            "agent": np.zeros(games * players, int) if agents is None else np.ravel(agents),
            "position": (seats - np.repeat(starter, players)) % players,
            "points": np.ravel(np.asarray(shares) * 10).astype(int), "turns": np.repeat(rounds, players),
            "share": np.ravel(shares).astype(np.float32), "deck": decks,
        },
        "events": {
            name: np.array([row[place] for row in events], int)
            for place, name in enumerate(("game", "turn", "turn_player", "player", "event", "card", "count"))
        },
    }  # fmt: skip
    made = {name: frame(name, columns) for name, columns in given.items()}
    return Tables(made["games"], made["players"], made["events"])


def buy(game, turn, player, card):
    return game, turn, player, player, int(Event.BUY), int(card), 1


def with_effects(games=4000, effect=None, seed=0, cards=(Card.SMITHY, Card.MOAT, Card.MARKET), chance=0.5, players=2):
    """Return games in which each player gains each of some cards by chance, and `effect(has)` raises their chance to win.

    `has` is float (games, players, cards), 1 or 0.
    """
    random = np.random.default_rng(seed)
    has = random.random((games, players, len(cards))) < chance
    strength = np.zeros((games, players)) if effect is None else effect(has.astype(float))
    winner = (strength + random.gumbel(size=(games, players))).argmax(axis=1)
    shares = np.eye(players)[winner]
    events = [
        buy(game, int(random.integers(1, 9)), player, cards[card]) for game, player, card in np.argwhere(has).tolist()
    ]
    return tables(shares, events)
