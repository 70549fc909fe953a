"""Co-evolution: it finds what is best, from random lists alone, and the same again."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from dominion_agents import Strategy
from dominion_agents.strategies.named import STRATEGIES
from dominion_env import InvalidOption
from dominion_training.evolve import evolution
from dominion_training.evolve.evolution import CLIMBS, DRAWS, ISLANDS, Evolution, EvolutionState, Member
from dominion_training.lists.arena import Arena
from dominion_training.lists.random_lists import RandomLists, builds_on
from tests.evolve.fields import PlantedArena

K = "first-game-2e"


def planted(strategy: Strategy) -> float:
    """Return 0 to 4: Market before Silver, a limit for Militia, no Copper, and no more than six rules."""
    cards = [rule.card for rule in strategy.rules]
    silver = cards.index("Silver") if "Silver" in cards else len(cards)
    return (
        float("Market" in cards[:silver])
        + float(any(str(rule).startswith("Militia if Militia < ") for rule in strategy.rules))
        + float("Copper" not in cards)
        + float(len(cards) <= 6)
    )


@pytest.mark.usefixtures("small")
def test_a_planted_best_list_is_found(monkeypatch):
    monkeypatch.setattr(evolution, "PLAN", replace(evolution.PLAN, changed=32, first_sets=8))
    monkeypatch.setattr(evolution, "JOINING_SETS", 100)
    evolved, state = Evolution(RandomLists(K), PlantedArena(lambda each: 2 * planted(each)), 4), EvolutionState()
    while state.climb < 12:
        state = evolved.next_state(state)
    assert planted(state.family[state.leader].strategy) == 4
    founders = [each.strategy for each in state.family.values() if not each.parents]
    assert np.mean([planted(each) for each in founders]) < 3


@pytest.mark.usefixtures("small")
def test_every_step_plays_sets_of_its_own_and_every_generation_draws_others():
    arena, used, draws = PlantedArena(planted), list[int](), list[float]()
    play = arena.play
    arena.play = lambda strategies, opponents, sets: used.extend(sets) or play(strategies, opponents, sets)
    evolved, state = Evolution(RandomLists(K), arena, 0), EvolutionState()
    new_members = evolved._new_members
    evolved._new_members = lambda state, rng: draws.append(rng.random()) or new_members(state, rng)
    for _ in range(3):
        state = evolved.next_state(state)
    assert len(set(used)) == len(used) > 3
    assert len(set(draws)) == 3


@pytest.mark.usefixtures("small")
def test_games_are_counted_and_never_more_than_announced():
    arena = PlantedArena(planted)
    evolved, state, kinds = Evolution(RandomLists(K), arena, 0), EvolutionState(), set()
    while state.climb < len(ISLANDS) + len(CLIMBS):
        before, ahead = state.games, evolved.games_ahead(state)
        kinds.add(state.kind)
        state = evolved.next_state(state)
        assert before < state.games <= before + ahead
        assert len(state.hall.members) <= evolution.ROOM
        assert set(state.hall.members) <= set(state.family)
    assert state.games == arena.games
    assert kinds == {"island", "leader", "enemy", "heart"}


@pytest.mark.usefixtures("small")
def test_no_published_list_takes_part():
    lists = RandomLists(K)
    published = {each.rules for each in STRATEGIES.values()}
    evolved, state = Evolution(lists, PlantedArena(planted), 1), EvolutionState()
    for _ in range(40):
        state = evolved.next_state(state)
        for member in state.family.values():
            assert member.strategy.rules not in published or member.parents
            assert member.how in (*DRAWS, "heart", "changed", "crossed")
            assert not member.parents or set(member.parents) <= set(state.family)


def test_a_published_list_that_chance_would_draw_is_drawn_again(monkeypatch):
    lists, drawn = RandomLists(K), []
    smithy, other = STRATEGIES["smithy-optimised"], Strategy.parse("Province; Gold; Smithy if Smithy < 2; Silver")
    monkeypatch.setattr(lists, "money", lambda rng: drawn.append(rng) or (smithy if len(drawn) < 3 else other))
    found = Evolution(lists, PlantedArena(planted), 0)._drawn(np.random.default_rng(0), "money")
    assert found == other
    assert len(drawn) == 3


@pytest.mark.usefixtures("small")
def test_an_enemy_meets_the_leader_alone_and_joins_only_if_it_beats_it():
    lists = RandomLists(K)
    evolved, state = Evolution(lists, PlantedArena(lambda each: 0.0), 2), EvolutionState()
    while state.kind != "enemy":
        state = evolved.next_state(state)
    state = evolved.next_state(state)
    assert state.opponents == (state.leader,)
    best = replace(state.staying[0], games=(1000,), won=(400.0,))
    members = state.hall.members
    loses = evolved._ended(replace(state, staying=(best,)))
    assert loses.hall.members == members
    wins = evolved._ended(replace(state, staying=(replace(best, won=(600.0,)),)))
    assert wins.hall.members[-1] == best.number
    assert loses.climb == wins.climb == state.climb + 1


@pytest.mark.usefixtures("small")
def test_the_best_list_of_each_island_is_an_anchor_and_stays_in_the_hall():
    evolved, state, seen = Evolution(RandomLists(K), PlantedArena(planted), 1), EvolutionState(), set()
    while state.climb < len(ISLANDS) + 2 * len(CLIMBS):
        state = evolved.next_state(state)
        assert state.hall.anchors == tuple(island[0] for island in state.islands if island)
        assert set(state.hall.anchors) <= set(state.hall.members)
        seen.add(state.hall.anchors)
    assert max(map(len, seen)) == len(ISLANDS)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("kind", ["enemy", "island", "heart"])
def test_a_climb_begins_with_lists_of_its_kind_and_an_enemy_with_those_of_all(kind):
    evolved, state = Evolution(RandomLists(K), PlantedArena(planted), 2), EvolutionState()
    while state.kind != kind or state.opponents:
        state = evolved.next_state(state)
    drawn = [each for seed in range(8) for each in evolved._new_members(state, np.random.default_rng(seed)).values()]
    kinds = {"enemy": {*DRAWS}, "island": {ISLANDS[0]}, "heart": {"heart"}}
    assert {each.how for each in drawn} == kinds[kind]


@pytest.mark.usefixtures("small")
def test_all_pairs_of_cards_have_their_turn_at_the_heart_of_decks():
    lists, arena = RandomLists(K), PlantedArena(planted)
    evolved = Evolution(lists, arena, 7)
    climbs = [EvolutionState(climb=number) for number in range(len(ISLANDS), len(ISLANDS) + 45 * len(CLIMBS))]
    hearts = [evolved.heart(each) for each in climbs if each.kind == "heart"]
    assert sorted(map(sorted, hearts[:45])) == sorted(map(sorted, combinations(lists.cards, 2)))
    assert hearts[45] == hearts[0]
    assert hearts[:45] != [Evolution(lists, arena, 8).heart(each) for each in climbs if each.kind == "heart"][:45]
    assert all(evolved.heart(each) is None for each in climbs if each.kind != "heart")


def test_a_heart_that_was_chosen_has_every_turn():
    heart = RandomLists(K).heart_of(["smithy", "Village"])
    assert heart == ("Smithy", "Village")
    assert RandomLists(K).heart_of(None) is None
    evolved = Evolution(RandomLists(K), PlantedArena(planted), 7, heart)
    climbs = [EvolutionState(climb=number) for number in range(len(ISLANDS), len(ISLANDS) + 2 * len(CLIMBS))]
    assert [evolved.heart(each) for each in climbs] == [heart if each.kind == "heart" else None for each in climbs]


@pytest.mark.parametrize(
    "heart", [["Smithy"], ["Smithy", "Smithy"], ["Smithy", "Witch"], ["Smithy", "Gold"], ["Smithy", "Village", "Moat"],
              ["Smithy", "Vilage"], ["Smithy", 99]]
)  # fmt: skip
def test_a_heart_is_two_kingdom_cards_of_the_kingdom(heart):
    with pytest.raises(InvalidOption, match=r"heart: expected two of Cellar, .*, got "):
        RandomLists(K).heart_of(heart)


@pytest.mark.usefixtures("small")
def test_no_list_of_such_a_climb_gives_its_pair_up():
    evolved, state, seen = (
        Evolution(RandomLists(K), PlantedArena(lambda each: -len(each.rules)), 7),
        EvolutionState(),
        0,
    )
    while seen < 6:
        heart, state = evolved.heart(state), evolved.next_state(state)
        if heart is not None and state.staying:
            seen += 1
            assert all(builds_on(each, heart) for each in state.strategies(state.numbers))


@pytest.mark.usefixtures("small")
def test_changes_that_change_no_game_are_dropped():
    """A list that never gets to its last rule can't be told from one without it."""
    same = PlantedArena(lambda each: 0.0)
    evolved, state = Evolution(RandomLists(K), same, 3), EvolutionState()
    state = evolved.next_state(state)
    assert len(state.staying) == 1  # all had the same results, and the first of them stays


@pytest.mark.usefixtures("small")
def test_it_goes_on_from_a_file_as_if_it_had_never_stopped():
    def steps(state, number):
        evolved = Evolution(RandomLists(K), PlantedArena(planted), 5)
        for _ in range(number):
            state = evolved.next_state(state)
        return state

    straight = steps(EvolutionState(), 24).as_plain()
    resumed = steps(EvolutionState.from_plain(steps(EvolutionState(), 11).as_plain()), 13)
    assert resumed.as_plain() == straight
    other = Evolution(RandomLists(K), PlantedArena(planted), 6).next_state(EvolutionState())
    assert other.as_plain()["family"] != steps(EvolutionState(), 1).as_plain()["family"]


@pytest.mark.compiled
@pytest.mark.usefixtures("small")
def test_real_games_give_the_same_evolution_on_one_worker_and_on_two():
    found = []
    for workers in (1, 2):
        with Arena(K, 9, workers) as arena:
            found.append(Evolution(RandomLists(K), arena, 9).next_state(EvolutionState()).as_plain())
    assert found[0] == found[1]
    assert found[0]["games"] > 0


def test_only_ancestors_are_remembered():
    def member(*parents):
        return Member(Strategy.parse("Province; Gold"), "changed", parents)

    family = {0: member(), 1: member(0), 2: member(), 3: member(1, 2), 4: member(2)}
    assert list(evolution._with_ancestors(family, [3])) == [0, 1, 2, 3]
    assert list(evolution._with_ancestors(family, [4])) == [2, 4]
