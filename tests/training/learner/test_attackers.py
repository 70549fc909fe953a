"""Buy lists that beat the network are found while it learns, and it meets them."""

import json
from dataclasses import replace

import numpy as np
import pytest

from dominion_agents import ScriptedAgent
from dominion_agents.strategies.strategy import Strategy
from dominion_agents.trained.model import read_model
from dominion_env import GameBatch, make_agent
from dominion_env.tables.cards import Card
from dominion_env.tables.kingdoms import KINGDOMS
from dominion_training.evaluate.match import play_match
from dominion_training.learner.opponents import attackers
from dominion_training.learner.options.presets import preset
from dominion_training.learner.runs.run import ATTACKER, finish
from dominion_training.learner.self_play import learner
from dominion_training.learner.self_play.checkpoint import load_checkpoint, save_checkpoint
from dominion_training.learner.self_play.learner import ATTACK, SelfPlayPPO
from dominion_training.lists import climbs

pytestmark = pytest.mark.compiled

SMOKE = preset("smoke").but(teacher_samples=0, snapshot_every=8_000, attacks={"every": 8_000, "games": 600})


@pytest.fixture(autouse=True)
def small_rounds(monkeypatch):
    """Let the first round of a search take 576 games."""
    monkeypatch.setattr(climbs, "PLAN", replace(climbs.PLAN, drawn=64, changed=16))


def attacked(network, settings, number, games=600, threads=1, before=()):
    """Return what an attack on this network finds."""
    batch = GameBatch(16, kingdom=settings.kingdom[0])
    return attackers.attackers(network, batch, before, settings, number, games, threads)


def test_the_lists_that_are_found_beat_the_network():
    found = SelfPlayPPO(SMOKE)
    lists = attacked(found.agent(), SMOKE, 1)
    assert len(lists) == 1, "a search of one climb brings one list"
    attacker = attackers.opponent(lists[0])
    assert play_match(attacker, found.agent(), 400, 1, kingdom="first-game-2e", auto_treasures=True).score > 0.8
    assert lists == attacked(found.agent(), SMOKE, 1)
    assert lists != attacked(found.agent(), SMOKE, 2)


def test_any_number_of_threads_finds_the_same_lists():
    network = SelfPlayPPO(SMOKE).agent()
    assert attacked(network, SMOKE, 1, threads=1) == attacked(network, SMOKE, 1, threads=3)


@pytest.mark.slow
def test_a_search_of_several_climbs_brings_the_best_list_of_each(monkeypatch):
    monkeypatch.setattr(climbs, "PLAN", replace(climbs.PLAN, patience=1))
    monkeypatch.setattr(climbs, "ENOUGH", 1_000_000)
    random = make_agent("random")
    found = attacked(random, SMOKE, 1, games=6_000)
    assert len(found) == attackers.MOST_FINDS
    assert len({each for lists in found for each in lists}) == len(found)
    scores = [
        play_match(attackers.opponent(lists), random, 100, 1, kingdom="first-game-2e", auto_treasures=True).score
        for lists in found
    ]
    assert min(scores) > 0.9


def test_a_search_ends_when_a_list_wins_every_game(monkeypatch):
    rounds = []
    monkeypatch.setattr(climbs, "ENOUGH", 1)
    play = attackers.play_against
    monkeypatch.setattr(attackers, "play_against", lambda *args, **kwargs: rounds.append(1) or play(*args, **kwargs))
    attacked(make_agent("random"), SMOKE, 1, games=50_000)
    assert len(rounds) < 50


def test_nobody_joins_who_scores_less_than_an_even_share():
    strong = make_agent("smithy-optimised")
    assert attacked(strong, SMOKE, 4, games=1) == []  # the fourth begins with lists of anything


def test_a_search_goes_on_from_the_lists_that_were_found_before(monkeypatch):
    monkeypatch.setattr(climbs, "PLAN", replace(climbs.PLAN, fresh=0.0))
    random = make_agent("random")
    before = [Strategy.parse("Estate"), Strategy.parse("Witch"), Strategy.parse("Province; Gold; Market; Silver")]
    at_kept = climbs.STARTS.index("kept") + 1
    (found,) = attacked(random, SMOKE, at_kept, games=1, before=before)
    assert {rule.card for rule in found[0].rules} & {"Market", "Gold", "Silver"}
    assert all(rule.card != "Witch" for rule in found[0].rules)  # it is not in this kingdom


@pytest.mark.slow
def test_the_strongest_of_many_attackers_is_told_with_the_scores(tmp_path, capsys):
    network = SelfPlayPPO(SMOKE.but(eval_games=4, opponents=[]))
    names = ["Curse", "Province; Gold; Silver", "Copper", "Estate; Silver", "Curse; Copper", "Moat"]
    for number, name in enumerate(names):
        network.add_attackers(f"{ATTACK} {number}", [Strategy.parse(name)])
    finish(tmp_path, network, {"points": []})
    found = json.loads((tmp_path / "result.json").read_text())[ATTACKER]
    (attack,) = read_model(tmp_path / "model.safetensors").card["attacks"]
    assert found["list"] == attack["list"] == names[1]
    assert found["score"] == attack["score"] > 0.5
    assert f"], n = 4\n  {names[1]}\n" in capsys.readouterr().out


def test_each_list_is_played_where_its_cards_are_in_the_game():
    first, second = Strategy.parse("Witch; Silver"), Strategy.parse("Moat; Copper")
    agent = attackers.opponent([first, second])
    elsewhere = make_agent(attackers.ELSEWHERE)
    for kingdom, wanted in (
        ("size-distortion-2e", ScriptedAgent(first)),
        ("first-game-2e", ScriptedAgent(second)),
        ("improvements-2e", None),
    ):
        batch = GameBatch(64, seed=3, kingdom=kingdom, auto_treasures=True)
        cards = set(map(int, batch.state["piles"][0]))
        wanted = wanted or next(
            (ScriptedAgent(each) for each in (first, second) if cards >= set(map(int, each.kingdom_cards))), elsewhere
        )
        for _ in range(200):
            given = batch.observe().copy(), batch.action_mask.copy(), batch.policy_keys().copy()
            actions = agent.act(*given)
            assert (actions == wanted.act(*given)).all()
            batch.step(actions)


def test_the_newest_finds_share_their_weight(monkeypatch):
    monkeypatch.setattr(learner, "ATTACKERS_MET", 2)
    monkeypatch.setattr(learner, "LEAST", 1.0)
    monkeypatch.setattr(learner, "MOST", 1.0)
    found = SelfPlayPPO(SMOKE.but(attacks={"weight": 3.0}, opponents=[]))
    lists = [Strategy.parse(text) for text in ("Estate", "Duchy", "Province")]
    for number, each in enumerate(lists):
        found.add_attackers(f"{ATTACK} at {number}", [each])
        found.add_opponent(f"{learner.SNAPSHOT} at {number}", found.agent())
    found.choose_weights()
    weights = dict(zip(found.names, found.shards[0].weights[1:], strict=True))
    assert [weights[f"{ATTACK} at {number}"] for number in range(3)] == [0, 1.5, 1.5]
    assert sum(weights[f"{learner.SNAPSHOT} at {number}"] for number in range(3)) == pytest.approx(SMOKE.snapshots)


def test_several_kingdoms_are_attacked_with_a_list_each(monkeypatch):
    monkeypatch.setattr(attackers, "MOST_KINGDOMS", 3)
    settings = SMOKE.but(kingdom="train")
    (lists,) = attacked(SelfPlayPPO(settings).agent(), settings, 2)
    assert len(lists) == 3
    assert len({each.kingdom_cards for each in lists}) > 1
    assert all(isinstance(card, Card) for each in lists for card in each.kingdom_cards)


@pytest.mark.slow
def test_attacks_grow_and_none_comes_at_the_end(monkeypatch):
    asked = []
    monkeypatch.setattr(attackers, "attackers", lambda *args: asked.append(args[5]) or [])
    SelfPlayPPO(SMOKE.but(attacks={"games": "100:400"}, n_steps=125)).learn()
    assert len(asked) == 2
    assert 100 < asked[0] < asked[1] < 400
    asked.clear()
    SelfPlayPPO(SMOKE.but(attacks={"games": 100}, n_steps=125)).learn()
    assert asked == [100, 100]


@pytest.mark.slow
def test_a_run_with_attackers_goes_on_bit_for_bit(tmp_path):
    straight, resumed = SelfPlayPPO(SMOKE), SelfPlayPPO(SMOKE)
    while straight.num_timesteps < SMOKE.samples:
        straight.rollout()
        resumed.rollout()
        save_checkpoint(tmp_path, resumed, {"points": []})
        resumed, _ = load_checkpoint(tmp_path, SMOKE)
    assert [name for name in straight.names if name.startswith(ATTACK)]
    assert straight.names == resumed.names
    assert straight.attackers == resumed.attackers
    first, second = straight.model().arrays, resumed.model().arrays
    assert all(np.array_equal(array, second[name]) for name, array in first.items())
    assert straight.seconds["attacking"] > 0


def test_the_kingdoms_of_many_games_are_attacked_rather_than_those_of_few(monkeypatch):
    seen = []
    monkeypatch.setattr(
        attackers, "_winning_lists", lambda network, kingdom, edition, *others: seen.append((kingdom, edition)) or []
    )
    monkeypatch.setattr(attackers, "MOST_KINGDOMS", 1)
    settings = SMOKE.but(kingdom="train")
    batch = GameBatch(512, kingdom=["train", *["first-game-1e"] * 1000], seed=4)
    for number in range(60):
        attackers.attackers(None, batch, [], settings, number, 100)
    first_games = [edition for kingdom, edition in seen if set(kingdom) == set(KINGDOMS["first-game-1e"])]
    assert 20 <= len(first_games) <= 40, "half of the games are of that kingdom"
    assert {*first_games} == {1}
    assert {edition for _, edition in seen} == {1, 2}


def test_a_search_takes_the_wording_of_its_kingdom(monkeypatch):
    seen = []
    play = attackers.play_against
    monkeypatch.setattr(
        attackers, "play_against", lambda *args, **kwargs: seen.append(kwargs["edition"]) or play(*args, **kwargs)
    )
    attacked(make_agent("random"), SMOKE.but(kingdom="first-game-1e"), 1, games=1)
    attacked(make_agent("random"), SMOKE, 1, games=1)
    assert set(seen) == {1, 2}
