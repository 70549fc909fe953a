"""Observations of this version never change: trained agents and kept data rely on them.

A change on purpose raises `OBSERVATION_VERSION`, is named in the changelog, and writes these values again.
"""

from __future__ import annotations

from hashlib import sha256

import numpy as np
import pytest

from dominion_env import GameBatch, observation_fields
from dominion_env.core.observing.fields import OBSERVATION_VERSION

# Name, size and inverse of the scale of each field of a game for two players, in order.
FIELDS_FOR_TWO = [
    "supply:39:8",
    "in_game:39:1",
    "trash:39:8",
    "empty_piles:1:4",
    "edition:1:1",
    "turn_player:2:1",
    "buy_phase:1:1",
    "actions:1:4",
    "buys:1:4",
    "coins:1:8",
    "merchants:1:4",
    "silver_played:1:1",
    "bought:1:1",
    "turns:2:32",
    "start_player:2:1",
    "asked:2:1",
    "my_hand:39:4",
    "my_draw_pile:39:8",
    "my_discard:39:8",
    "my_in_play:39:4",
    "my_set_aside:39:4",
    "my_last_played:6:1",
    "my_owned:39:8",
    "my_known_hand:39:4",
    "my_known_discard:39:8",
    "my_discard_top:6:1",
    "my_known_top:18:1",
    "my_hand_size:1:8",
    "my_draw_pile_size:1:8",
    "my_discard_size:1:8",
    "my_points:1:8",
    "opponent_1_owned:39:8",
    "opponent_1_in_play:39:4",
    "opponent_1_set_aside:39:4",
    "opponent_1_known_hand:39:4",
    "opponent_1_known_discard:39:8",
    "opponent_1_discard_top:6:1",
    "opponent_1_known_top:18:1",
    "opponent_1_hand_size:1:8",
    "opponent_1_draw_pile_size:1:8",
    "opponent_1_discard_size:1:8",
    "opponent_1_points:1:8",
    "question_kind:11:1",
    "question_source:6:1",
    "question_card:6:1",
    "question_target:2:1",
    "question_picks:1:4",
    "question_min_left:1:4",
    "question_max_left:1:4",
    "question_chosen:39:4",
    "question_last_card:6:1",
    "question_last_verb:8:1",
    "question_candidates:39:4",
    "pending_replays:1:4",
    "next_replays:60:1",
    "loot:3:4",
    "immune:2:1",
]

# For each number of players: a hash of names, starts, sizes, scales and bounds, and one of observations of fixed games.
PINNED = {
    1: ("8d6c157dc54ec7d4", "db98c64d91746ae7"),
    2: ("216021672c113e99", "59a9f29eb7da9c3e"),
    3: ("99dc49121f529d96", "ffea476e678c072b"),
    4: ("b428579c38d7b08b", "13e8c0728ad61c0c"),
    5: ("ba919160e79e3d64", "2e786acc2a02975b"),
    6: ("bdce3b10ad18de5b", "ab9e90d90607e3a1"),
}


def hash_of_fields(players: int) -> str:
    """Return a hash of the table of fields."""
    rows = [(f.name, f.start, f.size, f.scale, f.low, f.high, f.strict) for f in observation_fields(players)]
    return sha256(repr(rows).encode()).hexdigest()[:16]


def hash_of_games(players: int) -> str:
    """Return a hash of what all seats see in some games, of both wordings and in both views."""
    digest = sha256()
    for observation, edition in (("recall", 1), ("recall", 2), ("strict", 2)):
        batch = GameBatch(
            2,
            num_players=players,
            kingdom=f"random-{edition}e",
            seed=edition,
            auto_treasures=True,
            observation=observation,
        )
        for _ in range(40):
            for seat in (None, *range(players)):
                digest.update(batch.observe(seat).tobytes())
            batch.step(batch.sample_actions())
    return digest.hexdigest()[:16]


def test_the_observation_has_this_version() -> None:
    assert OBSERVATION_VERSION == 2


def test_the_fields_for_two_players_are_these() -> None:
    assert [f"{f.name}:{f.size}:{1 / f.scale:g}" for f in observation_fields(2)] == FIELDS_FOR_TWO


@pytest.mark.parametrize("players", range(1, 7))
def test_names_starts_sizes_scales_and_bounds_stay(players: int) -> None:
    assert hash_of_fields(players) == PINNED[players][0]


@pytest.mark.parametrize("players", range(1, 7))
def test_the_numbers_of_fixed_games_stay(players: int) -> None:
    assert hash_of_games(players) == PINNED[players][1]


def test_an_observation_holds_numbers_of_four_bytes() -> None:
    assert GameBatch(1).observe().dtype == np.float32
