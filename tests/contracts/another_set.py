"""What holds where a set of its own is installed: run in a copy of the project by `test_a_card_in_three_steps.py`."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

import numpy as np
import pytest

from dominion_env import (
    KINGDOMS,
    NUM_ACTIONS,
    Card,
    DominionEnv,
    DominionError,
    Game,
    GameBatch,
    InvalidPosition,
    InvalidReplay,
    action_id,
    ask,
    kingdom_names,
    make_agent,
    observation_fields,
)
from dominion_env.render import render
from dominion_env.render.view import view_of
from dominion_env.tables.cards import BASE_SET, CARD_SET
from tests.reference import lockstep, play
from tests.reference.lockstep import Tally, play_in_lockstep

BASE = json.loads(Path(os.environ["GAMES_OF_THE_BASE_SET"]).read_text(encoding="utf-8"))
TEN = ["Altar", *(card.title for card in KINGDOMS["first-game-2e"][:9])]
POSITION = {
    "kingdom": TEN,
    "players": [{"hand": {"Altar": 1, "Copper": 1, "Estate": 1}, "deck_bag": {"Estate": 5}}, {"hand": {"Copper": 5}}],
}


def asked_to_gain() -> Game:
    game = Game.from_dict(POSITION)
    game.apply("play Altar")
    game.apply("trash Copper")
    return game


def test_the_card_follows_those_of_the_base_game():
    assert (CARD_SET.name, CARD_SET.cards) == ("base+extra", BASE_SET.cards + 1)
    assert [int(Card.named("altar")), action_id("play Altar"), NUM_ACTIONS] == [39, 314, 322]


def test_it_is_asked_in_its_words_and_in_words_made_from_its_question():
    game = Game.from_dict(POSITION)
    game.apply("play Altar")
    assert view_of(game, 0).request == "Altar: trash a card from your hand"
    assert view_of(game, 0).question == "player_0 is asked by Altar to trash"
    game.apply("trash Copper")
    assert view_of(game, 0).request == "Altar: gain a card costing up to $5, whatever you trashed"
    assert "gain Duchy" in game.legal_actions()
    assert "gain Altar" not in game.legal_actions()


def test_it_is_rendered_and_logged():
    game = asked_to_gain()
    game.apply("gain Duchy")
    assert "Altar" in game.render(0)
    assert "Altar" in render(game, 0, "svg")
    assert [line for line in game.log(0).splitlines() if line][-3:] == [
        "  player_0 plays Altar",
        "  player_0 trashes Copper",
        "  player_0 gains Duchy",
    ]


def test_a_position_in_the_middle_of_it_names_the_set_and_goes_on():
    position = json.loads(json.dumps(asked_to_gain().to_dict()))
    assert position["cards"] == str(CARD_SET)
    game = Game.from_dict(position)
    assert game.to_dict() == position
    game.apply("gain Duchy")
    assert game.to_dict()["players"][0]["discard"] == ["Duchy"]
    with pytest.raises(InvalidPosition, match="expected one that Altar asks at this point"):
        Game.from_dict(position | {"question": position["question"] | {"which": {"up_to": 6}}})
    with pytest.raises(
        InvalidPosition, match=r"expected cards of base\+extra \(40 cards, \w+\), got 'base\+extra \(41"
    ):
        Game.from_dict(position | {"cards": "base+extra (41 cards, 0123abcd)"})


def test_a_replay_with_it_names_the_set_and_is_played_again():
    game = Game(kingdom=TEN, seed=5, max_turns=12)
    dice = random.Random(1)
    while not game.is_over:
        game.apply(dice.choice(game.legal_actions()))
    replay = json.loads(json.dumps(game.replay()))
    assert replay["cards"] == str(CARD_SET)
    assert Game.from_replay(replay).replay() == replay
    with pytest.raises(InvalidReplay, match="expected cards of base"):
        Game.from_replay(replay | {"cards": str(BASE_SET)})


@pytest.mark.parametrize("number", range(len(BASE)))
def test_a_game_of_base_cards_is_the_same_game(number: int):
    game = Game.from_replay(BASE[number]["replay"])
    assert game.replay() == BASE[number]["replay"]
    assert game.to_dict() == BASE[number]["position"]
    assert Game.from_dict(BASE[number]["position"]).to_dict() == BASE[number]["position"]


@pytest.mark.parametrize("number", range(len(BASE)))
def test_an_observation_of_base_cards_is_the_same_but_for_places_of_the_other_card(number: int):
    game = Game.from_replay(BASE[number]["replay"])
    start = 0
    for field in observation_fields(game.num_players):
        size = BASE[number]["sizes"][field.name]
        assert field.size - size in (0, 1)
        now = game.observe(0)[field.start : field.start + field.size]
        np.testing.assert_array_equal(now[:size], np.float32(BASE[number]["observation"][start : start + size]))
        assert not now[size:].any()
        start += size
    assert start == len(BASE[number]["observation"])


@pytest.mark.parametrize("agent", ["big-money", "auto", "random"])
def test_agents_play_with_it(agent: str):
    position = POSITION | {"supply": {"Province": 1}}
    env = DominionEnv(opponents=agent, start=position, kingdom=TEN, num_players=2, max_turns=10, seed=3)
    _, info = env.reset()
    own = make_agent(agent)
    batch = GameBatch(8, start=position, seed=2, max_turns=10)
    asked_by_altar = 0
    for _ in range(80):
        asked_by_altar += int((batch.state["source"] == Card.named("Altar")).sum())
        batch.step(ask(own, batch, np.arange(8)))
    assert asked_by_altar > 0
    done = False
    while not done:
        *_, ended, cut, info = env.step(int(np.flatnonzero(info["action_mask"])[-1]))
        done = ended or cut
    env.close()


def test_a_network_of_another_set_is_refused_in_words():
    with pytest.raises(
        DominionError, match=r"expected a model for cards of base\+extra \(40 .*, got one for 'base \(39"
    ):
        make_agent("quick")


def test_only_random_all_draws_the_card():
    pools = [name for name in kingdom_names() if name.startswith("random")]
    assert pools == ["random", "random-1e", "random-2e", "random-all"]
    drawn = {name: {card for seed in range(20) for card in Game(kingdom=name, seed=seed).kingdom} for name in pools}
    assert [name for name in pools if Card.named("Altar") in drawn[name]] == ["random-all"]


def test_both_engines_agree(monkeypatch: pytest.MonkeyPatch):
    dice = random.Random(7)

    def with_it(_: random.Random) -> list[str]:
        return ["Altar", *dice.sample([name for name in play.KINGDOM_CARDS if name != "Altar"], 9)]

    monkeypatch.setattr(play, "random_kingdom", with_it)
    monkeypatch.setattr(lockstep, "random_kingdom", with_it)
    tally = Tally()
    for number in range(60):
        play_in_lockstep(1, number, tally)
    assert tally.asked_by["Altar"] > 50
    assert tally.reloads > 0
