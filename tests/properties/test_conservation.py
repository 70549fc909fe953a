"""No card is lost or doubled, no count is below zero, and somebody can always do something."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dominion_env import Card, GameBatch
from dominion_env.rules.record.state import CHOSEN

from . import GAMES, census, game_name, listed, play, sized, strange_positions, zones

ROWS, STEPS, LOOK = 12, 160, 5  # the zones are counted at every fifth step: what is lost stays lost


def check(batch: GameBatch, cards: np.ndarray) -> None:
    """Check everything that must hold in a record at any moment."""
    states = batch.state
    here = zones(states)
    assert (census(states) == cards).all(), "cards were lost or came from nowhere"
    assert (sum(here.values()) == states["owned"]).all(), "`owned` is not the sum of the zones"
    for zone, counts in here.items():
        assert (counts >= 0).all(), f"a count below zero in {zone}"
        assert (counts.sum(axis=2) == states[f"{zone}_size"]).all(), f"the size of {zone} is wrong"
    for name in ("supply", "trash", "loot", "known_hand", "known_discard", "actions", "buys", "coins", "merchants"):
        assert (states[name] >= 0).all(), f"{name} is below zero"
    for name in ("hand", "bag", "supply"):
        kinds = (states[f"{name}_set"][..., None] >> np.arange(states[name].shape[-1])) & 1
        assert (kinds.astype(bool) == (states[name] > 0)).all(), f"{name}_set differs from {name}"
    end = states["table"].shape[2]
    aside = states["aside_size"].astype(np.int64)
    chosen = np.where(states["table"] >> 6 == CHOSEN, states["table"], 63)  # 63: no card, counted as none below
    in_hand = here["hand"] + _without_none(chosen, end - aside, end)
    assert (states["known_hand"] <= in_hand).all(), "more is known of a hand than there is"
    assert (states["known_discard"] <= here["discard"]).all(), "more is known of a discard pile than there is"
    game, seat = np.nonzero(states["discard_size"] > 0)
    tops = states["pile"][game, seat, states["discard_size"][game, seat] - 1]
    assert (states["known_discard"][game, seat, tops] >= 1).all(), "the top of a discard pile counts as known"
    assert (states["trash"] >= states["loot"]).all(), "what the Thief may gain lies in the trash"


def _without_none(entries: np.ndarray, first: np.ndarray, end: int) -> np.ndarray:
    wide = np.where(entries == 63, 0, entries)
    none = listed(np.where(entries == 63, 0, 1).astype(np.uint8), first, np.full_like(first, end))[..., 0]
    counts = listed(wide, first, np.full_like(first, end))
    counts[..., 0] -= none
    return counts


def check_legal_actions(batch: GameBatch, least: int) -> None:
    legal = batch.action_mask.sum(axis=1)
    over = batch.state["over"].astype(bool)
    assert (legal[~over] >= least).all(), "too few legal actions in a running game"
    assert (legal[over] == 1).all(), "after the end nothing but one action is left"
    assert batch.action_mask[over, 0].all(), "after the end only passing is left"
    assert (legal == batch.state["num_legal"]).all()


@pytest.mark.parametrize("ask_forced", [False, True], ids=["free", "all-asked"])
@pytest.mark.parametrize("options", GAMES, ids=game_name)
def test_cards_are_conserved_from_the_first_hand_to_the_end(options: dict[str, Any], ask_forced: bool) -> None:
    batch = GameBatch(sized(ROWS), seed=1, autoreset=False, ask_forced=ask_forced, auto_treasures=ask_forced, **options)
    cards = census(batch.state)
    for step in play(batch, STEPS, seed=1):
        if step % LOOK == 0:
            check(batch, cards)
        check_legal_actions(batch, 1 if ask_forced else 2)


@pytest.mark.parametrize("num_players", range(1, 7))
def test_cards_are_conserved_from_positions_that_no_game_reaches(num_players: int) -> None:
    start = strange_positions(num_players, sized(24))
    batch = GameBatch(len(start), start=start, autoreset=False, seed=2)
    cards = census(batch.state)
    for step in play(batch, 60, seed=2):
        if step % 3 == 0:
            check(batch, cards)
        check_legal_actions(batch, 2)


@pytest.mark.parametrize("options", GAMES, ids=game_name)
def test_after_clean_up_a_player_holds_five_cards_or_all_they_have(options: dict[str, Any]) -> None:
    batch = GameBatch(sized(ROWS), seed=3, autoreset=False, ask_forced=True, auto_treasures=True, **options)
    turns = batch.turns.copy()
    players = batch.state["turn_player"].copy()
    ended = 0
    for _ in play(batch, STEPS, seed=3):
        for game in np.flatnonzero((batch.turns != turns).any(axis=1)):
            player = players[game]
            owned = batch.state["owned"][game, player].sum()
            assert batch.state["hand_size"][game, player] == min(5, owned)
            assert batch.state["play_size"][game, player] == batch.state["aside_size"][game, player] == 0
            ended += 1
        turns = batch.turns.copy()
        players = batch.state["turn_player"].copy()
    assert ended > 0


def test_a_deck_of_fewer_than_five_cards_is_drawn_whole() -> None:
    seat = {"hand": {"Chapel": 1, "Copper": 2}, "discard": ["Estate"]}
    batch = GameBatch(1, start={"kingdom": "size-distortion-2e", "players": [seat, {"hand": {"Copper": 5}}]})
    batch.step([0])
    batch.step([0])
    assert batch.current_player[0] == 1
    assert batch.state["hand_size"][0, 0] == batch.state["owned"][0, 0].sum() == 4
    assert batch.state["hand"][0, 0, Card.ESTATE] == 1
