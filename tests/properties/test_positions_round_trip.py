"""A position is saved and loaded without loss at every decision, also in the middle of effects."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dominion_env import Game, GameBatch
from dominion_env.compiled.jit import COMPILED

from . import GAMES, SETTINGS, choose, game_name, options, play, sized, strange_positions


def reload(game: Game, **options: Any) -> Game:
    """Save as JSON text, load it, and compare everything that can be seen."""
    text = json.dumps(game.to_dict())
    position = json.loads(text)
    assert position == game.to_dict(), "JSON changes the position"
    loaded = Game.from_dict(position, **options)
    assert loaded.to_dict() == position, "the position changes when it is loaded"
    assert loaded.decision == game.decision
    assert loaded.legal_actions() == game.legal_actions()
    assert loaded.scores == game.scores
    assert loaded.is_over == game.is_over
    for seat in range(game.num_players):
        assert np.array_equal(loaded.observe(seat), game.observe(seat)), f"player_{seat} sees something else"
        assert loaded.render(seat) == game.render(seat)
    return loaded


def answer(game: Game, rng: np.random.Generator) -> str:
    return game.legal_actions()[choose_one(game, rng)]


def choose_one(game: Game, rng: np.random.Generator) -> int:
    legal = np.flatnonzero(game._batch.action_mask[0])
    return int(np.flatnonzero(legal == choose(game._batch, rng)[0])[0])


def play_reloading(game: Game, steps: int, seed: int, **options: Any) -> set[str]:
    """Play on, at each decision from the reloaded position too; what was asked in the middle of effects."""
    rng, asked = np.random.default_rng(seed), set()
    followers: list[Game] = []
    for step in range(steps):
        if game.is_over:
            reload(game, **options)
            break
        decision = game.decision
        assert decision is not None
        if decision.source is not None:
            asked.add(f"{decision.source.title}: {decision.kind}")
        if decision.source is not None or step % 4 == 0:
            followers.append(reload(game, **options))
        words = answer(game, rng)
        game.apply(words)
        for follower in followers[-2:]:
            assert words in follower.legal_actions()
            follower.apply(words)
            assert follower.to_dict() == game.to_dict(), f"after {words!r} the loaded game goes on differently"
        followers = followers[-2:]
    return asked


@pytest.mark.parametrize("options", GAMES, ids=game_name)
def test_a_game_can_be_saved_and_loaded_at_every_decision(options: dict[str, Any]) -> None:
    game = Game(seed=31, auto_treasures=True, **options)
    play_reloading(game, sized(100), seed=31, auto_treasures=True)


@pytest.mark.slow
@pytest.mark.parametrize("ask_forced", [False, True])
@pytest.mark.parametrize("players", range(1, 7))
def test_strange_positions_can_be_saved_and_loaded_in_the_middle_of_effects(players: int, ask_forced: bool) -> None:
    asked: set[str] = set()
    for number, position in enumerate(strange_positions(players, 2 + sized(8), seed=1)):
        game = Game.from_dict(position, ask_forced=ask_forced)
        asked |= play_reloading(game, 12, seed=number, ask_forced=ask_forced)
    assert asked or not COMPILED


@SETTINGS
@given(options=options(), seed=st.integers(0, 1000))
def test_whatever_the_options_a_loaded_game_goes_on_identically(options: dict[str, Any], seed: int) -> None:
    game = Game(**options)
    play_reloading(game, 6, seed, auto_treasures=options["auto_treasures"], ask_forced=options["ask_forced"])


@pytest.mark.parametrize("players", [2, 3])
def test_agents_get_the_same_keys_and_samples_after_loading(players: int) -> None:
    batch = GameBatch(6, num_players=players, kingdom="random", seed=2)
    for _ in play(batch, 30):
        pass
    loaded = GameBatch(6, start=[batch.to_dict(i) for i in range(6)], resume=True)
    for _ in range(30):
        assert np.array_equal(batch.policy_keys(), loaded.policy_keys())
        actions = batch.sample_actions().copy()
        assert np.array_equal(loaded.sample_actions(), actions)
        batch.step(actions)
        loaded.step(actions)
        assert all(batch.to_dict(i) == loaded.to_dict(i) for i in range(6))


@pytest.mark.parametrize("name", ["coins", "actions", "buys", "merchants"])
def test_a_turn_that_has_gone_beyond_what_a_position_may_start_with_can_be_saved_too(name: str) -> None:
    hand = {"Village": 1, "Gold": 1, "Market": 1, "Merchant": 1}
    game = Game.from_dict({"kingdom": "first-game-2e", name: 9999, "players": [{"hand": hand}, {}]}, ask_forced=True)
    for words in ("play Village", "play Market", "play Merchant", "pass", "play Gold"):
        if words in game.legal_actions():
            game.apply(words)
            reload(game, ask_forced=True)


def test_a_finished_game_loads_as_finished() -> None:
    game = Game(seed=1, max_turns=2)
    while not game.is_over:
        game.apply(game.legal_actions()[-1])
    loaded = reload(game)
    assert loaded.is_over
    assert loaded.to_dict()["ended"] == "truncated"
    assert loaded.legal_actions() == []


@pytest.mark.parametrize("step", [0, 1, 17, 40, None])
def test_a_replay_leads_to_every_step_again(step: int | None) -> None:
    game = Game(num_players=3, kingdom="silver-and-gold-2e", seed=4, auto_treasures=True)
    rng = np.random.default_rng(4)
    seen = [game.to_dict()]
    for _ in range(40):
        game.apply(answer(game, rng))
        seen.append(game.to_dict())
    replay = json.loads(json.dumps(game.replay()))
    again = Game.from_replay(replay, step)
    assert again.to_dict() == seen[-1 if step is None else step]
    if step is None:
        assert again.replay() == game.replay()
        assert again.log() == game.log()
        assert [again.log(seat) for seat in range(3)] == [game.log(seat) for seat in range(3)]


def test_a_replay_of_a_loaded_position_starts_there() -> None:
    for position in strange_positions(3, sized(10), seed=2):
        game = Game.from_dict(position, ask_forced=True)
        rng = np.random.default_rng(0)
        for _ in range(10):
            if not game.is_over:
                game.apply(answer(game, rng))
        again = Game.from_replay(json.loads(json.dumps(game.replay())))
        assert again.to_dict() == game.to_dict()
