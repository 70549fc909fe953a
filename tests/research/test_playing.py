"""Games for research are played alike by the compiled loop and by asking agents, and their events are all there."""

from __future__ import annotations

import numpy as np
import pytest

from dominion_agents.choosing.auto import choice, choice_of_auto_2
from dominion_env import Card, Event, GameBatch, InvalidOption, InvalidStrategy, make_agent
from dominion_env.tables.kingdoms import KINGDOMS
from dominion_training.play.loop import Player, Stopped
from dominion_training.research.collect import playing
from dominion_training.research.collect.playing import play, strategy_in, unchanged
from dominion_training.research.collect.recorder import NO_PURCHASE

GAINS = (Event.BUY, Event.GAIN, Event.GAIN_TO_HAND, Event.GAIN_ONTO_DECK, Event.GAIN_FROM_TRASH)
START = np.bincount([Card.COPPER] * 7 + [Card.ESTATE] * 3, minlength=39)


def players(*specs):
    return [Player(spec, make_agent(spec)) for spec in specs]


def seating(agents, games, num_players):
    return np.random.default_rng(5).integers(0, agents, (games, num_players))


def played(specs, games, num_players=2, **settings):
    settings = {"kingdom": "first-game-2e", "auto_treasures": True, **settings}
    drawn = seating(len(specs), games, num_players)
    return play(players(*specs), drawn, np.arange(games), num_players, 3, **settings)


def same(one, two):
    assert (one.games == two.games).all()
    assert len(one.records) == len(two.records)
    assert (one.records == two.records).all()


def decks_of(found, players):
    """What each player owns at the end, by the events alone."""
    decks = np.broadcast_to(START, (len(found.games), players, 39)).copy()
    row = {number: place for place, number in enumerate(found.games["number"].tolist())}
    for record in found.records:
        sign = -1 if record["event"] == Event.TRASH else 1 if record["event"] in GAINS else 0
        decks[row[int(record["game"])], record["player"], record["card"]] += sign * int(record["count"])
    return decks


def test_two_games_of_big_money_interpreted_too():
    found, asked = (played(["big-money"], 2, compiled=compiled) for compiled in (True, False))
    same(found, asked)
    assert (decks_of(found, 2) == found.games["decks"]).all()
    assert (found.games["shares"].sum(axis=1) == 1).all()


def test_turns_that_pass_without_a_question_are_told_apart():
    """Who has one card draws it, plays it and buys nothing, all before the log is emptied."""
    start = {"kingdom": [card.title for card in KINGDOMS["first-game-2e"]], "players": [{"hand": ["Copper"]}] * 2}
    game = (players("Province; Gold"), np.zeros((1, 2), np.int64), np.arange(1), 2, 3)
    options = {"start": start, "auto_treasures": True, "max_turns": 6}
    found, asked = (play(*game, compiled=compiled, **options) for compiled in (True, False))
    same(found, asked)
    assert [*zip(found.records["turn"], found.records["turn_player"], strict=True)] == [
        (turn, seat) for turn in range(1, 7) for seat in range(2)
    ]


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("specs", "num_players", "kingdom"),
    [
        (["auto", "random-menu:1", "double-witch"], 2, "size-distortion-2e"),
        (["big-money-ultimate", "Province; Gold; Thief if Thief < 2; Silver"], 2, "interaction-1e"),
        (["random-menu:3", "random-menu:4"], 3, "test"),
        (["auto", "random-menu:5"], 6, "sleight-of-hand-2e"),
        (["random-menu:9"], 1, "improvements-2e"),
    ],
)
def test_the_compiled_loop_plays_and_records_what_asking_does(specs, num_players, kingdom):
    found, asked = (played(specs, 60, num_players, kingdom=kingdom, compiled=compiled) for compiled in (True, False))
    same(found, asked)
    assert (decks_of(found, num_players) == found.games["decks"]).all()


@pytest.mark.parametrize("num_players", range(1, 7))
@pytest.mark.parametrize("kingdom", KINGDOMS)
def test_the_strategy_of_auto_is_what_it_chooses(kingdom, num_players):
    for name, chosen in {"auto": choice, "auto-2": choice_of_auto_2}.items():
        found = strategy_in(make_agent(name), KINGDOMS[kingdom], num_players)
        assert found is not None
        assert found.name == chosen(KINGDOMS[kingdom], num_players)


@pytest.mark.compiled
def test_random_play_conserves_cards_too():
    found = played(["random"], 20, kingdom="random", max_turns=60)
    assert (decks_of(found, 2) == found.games["decks"]).all()
    assert len(np.unique(found.records["event"])) >= 6


@pytest.mark.compiled
def test_a_full_buffer_is_emptied_and_the_game_goes_on(monkeypatch):
    whole = played(["auto", "random-menu:1"], 30)
    monkeypatch.setattr(playing, "ROOM", 70)  # hardly more than one step of the rules may note
    same(whole, played(["auto", "random-menu:1"], 30))


@pytest.mark.compiled
def test_results_are_those_of_the_batch():
    found = played(["random"], 30, 3, max_turns=25)
    batch = GameBatch(30, 3, seed=3, auto_treasures=True, max_turns=25, autoreset=False)
    agent = make_agent("random")
    while not batch.state["over"].all():
        batch.step(np.where(batch.state["over"], 0, agent.act(batch.observe(), batch.action_mask, batch.policy_keys())))
    winners = batch.final.winners | (batch.final.ended == 3)[:, None]
    assert np.allclose(found.games["shares"], winners / winners.sum(axis=1, keepdims=True))
    assert (found.games["ended"] == 3).any()
    for field in ("turns", "rounds", "ended", "kingdom"):
        assert (found.games[field] == getattr(batch.final, field)).all()
    assert (found.games["points"] == batch.final.scores).all()


@pytest.mark.compiled
def test_a_game_depends_on_its_number_alone():
    whole = played(["auto", "random-menu:1"], 40)
    drawn = seating(2, 40, 2)
    settings = {"kingdom": "first-game-2e", "auto_treasures": True}
    part = play(players("auto", "random-menu:1"), drawn[30:], np.arange(30, 40), 2, 3, **settings)
    assert (part.games == whole.games[30:]).all()
    assert (part.records == whole.records[whole.records["game"] >= 30]).all()


@pytest.mark.compiled
def test_turns_run_through_each_game():
    found = played(["auto", "random-menu:1"], 30)
    for game in found.games:
        mine = found.records[found.records["game"] == game["number"]]
        order = mine["turn"].astype(int) * 2 + (mine["turn_player"] != game["starter"])
        assert (np.diff(order) >= 0).all()
        assert mine["turn"][0] == 1
        assert mine["turn_player"][0] == game["starter"]
        assert mine["turn"].max() == game["rounds"]
        purchases = mine[mine["event"] == Event.BUY]
        assert (purchases["player"] == purchases["turn_player"]).all()


@pytest.mark.compiled
@pytest.mark.parametrize("compiled", [True, False])
def test_without_events_the_games_are_the_same(compiled):
    found = played(["auto"], 10, events=False, compiled=compiled)
    assert not len(found.records)
    assert (found.games == played(["auto"], 10).games).all()


def changed(games, **fields):
    changes = unchanged(games)
    for name, value in fields.items():
        changes[name] = value
    return changes


@pytest.mark.compiled
@pytest.mark.parametrize("compiled", [True, False])
def test_a_banned_card_is_gained_by_the_others_only(compiled):
    strategy = ["Province; Gold; Smithy if Smithy < 2; Silver"]
    found = played(strategy, 40, changes=changed(40, seat=1, banned=Card.SMITHY), compiled=compiled)
    smithies = found.records[(found.records["card"] == Card.SMITHY) & (found.records["event"] == Event.BUY)]
    assert set(smithies["player"]) == {0}
    same(found, played(strategy, 40, changes=changed(40, seat=1, banned=Card.SMITHY)))


@pytest.mark.compiled
@pytest.mark.parametrize("compiled", [True, False])
def test_a_gift_comes_in_the_third_turn(compiled):
    found = played(["big-money"], 40, changes=changed(40, seat=0, gift=Card.VILLAGE), compiled=compiled)
    villages = found.records[(found.records["card"] == Card.VILLAGE) & (found.records["event"] == Event.GAIN)]
    assert len(villages) == 40
    assert set(villages["player"]) == {0}
    assert set(villages["turn"]) == {3}
    same(found, played(["big-money"], 40, changes=changed(40, seat=0, gift=Card.VILLAGE)))


@pytest.mark.compiled
@pytest.mark.parametrize("compiled", [True, False])
def test_openings_can_be_forced(compiled):
    changes = changed(40, seat=1, buys=(Card.CELLAR, NO_PURCHASE))
    found = played(["big-money"], 40, changes=changes, compiled=compiled)
    buys = found.records[(found.records["event"] == Event.BUY) & (found.records["player"] == 1)]
    assert buys[buys["turn"] == 1]["card"].tolist() == [Card.CELLAR] * 40
    assert not (buys["turn"] == 2).any()
    same(found, played(["big-money"], 40, changes=changes))


@pytest.mark.compiled
def test_an_agent_that_searches_can_not_do_without_a_card():
    with pytest.raises(InvalidOption, match="one that searches"):
        played(["planner:50"], 1, changes=changed(1, seat=0, banned=Card.SMITHY))


@pytest.mark.compiled
def test_a_strategy_that_refuses_a_kingdom_says_so():
    with pytest.raises((InvalidStrategy, Exception), match="Witch not in the kingdom"):
        played(["missing: refuse; Province; Witch; Silver"], 2)


@pytest.mark.compiled
def test_play_stops_when_it_is_told_to():
    with pytest.raises(Stopped):
        played(["random"], 4, stopping=lambda: True)
