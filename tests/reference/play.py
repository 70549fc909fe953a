"""Random play for the reference tests: addresses, strange positions, and a player who likes Action cards."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

from .engine import (
    ACTIONS,
    ATTACKS,
    BASE_CARDS,
    CARD_NAMES,
    KINGDOM_CARDS,
    RECOMMENDED,
    TREASURES,
    card_in,
    starting_supply,
)

CHAINING = ["Throne Room", "Vassal", "Village", "Laboratory", "Festival", "Cellar", "Feast", "Sentry", "Library"]


class RandomPlayer:
    """A player who answers at random, with a taste for Actions, points and declining that is drawn once a game."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.pass_rate = rng.choice([0.02, 0.1, 0.5])  # leaving a phase of the turn
        self.decline_rate = rng.choice([0.02, 0.25, 0.5])  # what a card offers
        self.buy_action_weight = rng.choice([1.0, 4.0, 10.0])
        self.buy_points_weight = rng.choice([0.3, 3.0, 50.0])

    def weight(self, answer: str) -> float:
        """Return the weight of this answer among the others."""
        if not answer.startswith("buy "):
            return 1.0
        card = card_in(answer)
        if card in ACTIONS or card == "Gardens":
            return self.buy_action_weight
        if card in ("Province", "Duchy"):
            return self.buy_points_weight
        return 1.0 if card in TREASURES - {"Copper"} else 0.1

    def answer(self, kind: str, legal: Sequence[str]) -> str:
        """Return one of the legal answers."""
        if len(legal) == 1:
            return legal[0]
        if "pass" in legal:
            if self.rng.random() < (self.pass_rate if kind in ("action", "buy") else self.decline_rate):
                return "pass"
            legal = [answer for answer in legal if answer != "pass"]
        if kind != "buy":
            return self.rng.choice(legal)
        plays = [answer for answer in legal if answer.startswith("play ")]
        if plays and self.rng.random() < 0.9:
            return self.rng.choice(plays)
        return self.rng.choices(legal, [self.weight(answer) for answer in legal])[0]


def random_kingdom(rng: random.Random) -> list[str]:
    """Return a recommended set, or ten of all Kingdom cards."""
    if rng.random() < 0.3:
        return rng.choice(list(RECOMMENDED.values()))[1].split(", ")
    return rng.sample(KINGDOM_CARDS, 10)


def random_pile(rng: random.Random, pool: Sequence[str], most: int) -> Counter[str]:
    """Return up to `most` cards, in clumps of one name as often as not."""
    pile: Counter[str] = Counter()
    while pile.total() < most and rng.random() < 0.9:
        pile[rng.choice(pool)] += rng.choice([1, 1, 1, 2, 4])
    return pile


def random_position(rng: random.Random) -> dict[str, Any]:
    """Return a well-formed position, most of which no real game reaches: loaded hands, tiny decks, nearly empty piles."""
    num_players = rng.choice([1, 2, 2, 2, 3, 3, 4, 5, 6])
    kingdom = random_kingdom(rng)
    pool = list(CARD_NAMES) if rng.random() < 0.1 else BASE_CARDS + kingdom
    actions = [card for card in pool if card in ACTIONS]
    style = rng.choice(["chains", "attacks", "rich", "any", "tiny", "deep"])
    favourites = {
        "chains": [card for card in CHAINING if card in pool] + actions,
        "attacks": [card for card in pool if card in ATTACKS] * 2 + ["Moat", "Throne Room", *actions],
        "rich": ["Gold", "Gold", "Gold", "Silver", "Silver", "Festival", "Market", *actions],
        "deep": ["Throne Room", "Throne Room", "Throne Room", "Vassal", *rng.sample(KINGDOM_CARDS, 3)],
    }.get(style, pool)
    most = {"tiny": 4, "deep": 16}.get(style, 12)
    turn_player = rng.randrange(num_players)
    start_player = rng.randrange(num_players)
    turns = rng.randrange(1, 4)

    supply = starting_supply(num_players, kingdom)
    shortage = rng.choice(["none", "piles", "Provinces"])
    if shortage == "piles":
        for card in supply:
            if card != "Province" and rng.random() < 0.3:
                supply[card] = rng.choice([0, 0, 1, 2, 3])
    elif shortage == "Provinces":
        supply["Province"] = rng.choice([1, 1, 2, 3])

    players = []
    for player in range(num_players):
        deck_top = list(random_pile(rng, favourites, rng.choice([0, 0, 2, most])).elements())
        rng.shuffle(deck_top)
        discard = list(random_pile(rng, rng.choice([favourites, pool]), rng.choice([0, most])).elements())
        rng.shuffle(discard)
        hand = random_pile(rng, rng.choice([favourites, pool]), rng.choice([3, 5, most]))
        if player == turn_player and style == "deep":
            hand["Throne Room"] += rng.randrange(8)
        in_play = list(random_pile(rng, favourites, rng.choice([0, 0, 3])).elements()) if player == turn_player else []
        after = (player - start_player) % num_players <= (turn_player - start_player) % num_players
        players.append(
            {
                "hand": dict(hand),
                "deck_top": deck_top,
                "deck_known": [rng.choice(["nobody", "owner", "all"]) for _ in deck_top],
                "deck_bag": dict(random_pile(rng, rng.choice([favourites, pool]), rng.choice([0, 2, most]))),
                "discard": discard,
                "in_play": in_play,
                "known_hand": {card: rng.randint(0, number) for card, number in hand.items()},
                "known_discard": {card: rng.randint(0, number) for card, number in Counter(discard).items()},
                "turns": turns + after,
            }
        )
    phase = rng.choice(["action", "action", "action", "buy"])
    return {
        "format": 2,
        "edition": rng.choice([1, 2]),
        "num_players": num_players,
        "kingdom": kingdom,
        "turn_player": turn_player,
        "start_player": start_player,
        "phase": phase,
        "actions": rng.choice([0, 1, 1, 1, 3]),
        "buys": rng.choice([0, 1, 1, 1, 3]),
        "coins": rng.choice([0, 0, 3, 10]),
        "merchants": rng.choice([0, 0, 0, 1, 2]),
        "silver_played": rng.random() < 0.2,
        "bought": phase == "buy" and rng.random() < 0.3,
        "supply": dict(supply),
        "trash": dict(random_pile(rng, pool, rng.choice([0, 5]))),
        "players": players,
        "address": {"seed": rng.getrandbits(32), "index": rng.randrange(100), "episode": 0},
        "streams": {"seats": [rng.getrandbits(64) for _ in range(num_players)], "setup": rng.getrandbits(64)},
    }
