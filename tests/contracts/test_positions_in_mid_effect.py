"""Positions in the middle of effects: each card that asks, with every entry of its effects and question tampered with."""

from __future__ import annotations

import contextlib
import copy
import json
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest

from dominion_env import Card, Game, GameBatch, InvalidPosition, action_id
from dominion_env.core.positions.form import ZONES_OF_CANDIDATES
from dominion_env.core.questions import KIND_NAMES
from dominion_env.rules.record.state import MAX_EFFECTS
from dominion_env.tables.cards import NUM_CARDS, Type
from tests.contracts.positions import TEN, play_to_the_end, refused
from tests.properties import choose, sized


def asking() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield for each card that asks something a position in which it waits for the answer."""
    cards = ["Artisan", "Bandit", "Bureaucrat", "Cellar", "Chancellor", "Chapel", "Feast", "Harbinger", "Library",
             "Militia", "Mine", "Moneylender", "Poacher", "Remodel", "Sentry", "Spy", "Thief", "Throne Room", "Vassal",
             "Workshop", "Witch"]  # fmt: skip
    for card in cards:
        rest = [name for name in ("Moat", "Village", "Smithy", "Market", *cards) if name != card][:9]
        mine = {"Copper": 2, "Estate": 1, "Village": 2, "Throne Room": 1}
        mine[card] = mine.get(card, 0) + 1
        me = {"hand": mine, "deck_top": ["Village", "Silver", "Copper", "Gold"], "discard": ["Gold", "Duchy"]}
        victim = {"hand": {"Estate": 1, "Duchy": 1, "Copper": 3}, "deck_top": ["Gold", "Silver", "Copper"]}
        kingdom = list(dict.fromkeys([card, "Throne Room", *rest]))[:10]
        supply = {"Curse": 0}
        for first, moat in product((card, "Throne Room"), (0, 1)):
            players = [
                me,
                victim | {"hand": {**victim["hand"], "Moat": moat}},
                {"hand": {"Estate": 1, "Silver": 4}},
            ]
            game = Game.from_dict({"kingdom": kingdom, "supply": supply, "players": players, "actions": 2})
            game.apply(f"play {first}")
            if first == "Throne Room" != card:
                game.apply(f"play {card}")
            for step in range(3):
                position = game.to_dict()
                if "question" not in position:
                    break
                yield f"{first} {card} moat {moat} step {step}", position
                game.apply(game.legal_actions()[-1])


POSITIONS = dict(asking())
OTHER_VALUES: list[Any] = [
    *(None, -1, 0, 1, 2, 3, 7, NUM_CARDS - 1, NUM_CARDS, 200, 1001, 2**40, 1.5, "", "Gold", "Village", "hand", "text"),
    *("victim", "trash", [], ["trash"], [["trash"]], {}, True, False, "supply", "loot"),
]


def test_all_cards_that_ask_are_tried() -> None:
    assert {name.split(" moat")[0] for name in POSITIONS} >= {
        f"Throne Room {card}" for card in ("Mine", "Library", "Thief")
    }
    assert len(POSITIONS) > 60


Path = tuple[str | int, ...]
GONE = object()


def changes(position: dict[str, Any]) -> list[tuple[Path, Any]]:
    """Yield places in effects, question, loot, immune seats and zones, each with a value that could stand there."""
    paths: list[Path] = [("effects", number, key) for number, frame in enumerate(position["effects"]) for key in frame]
    paths += [("question", key) for key in position["question"]]
    paths += [(key,) for key in ("immune", "loot", "effects", "question", "phase", "turn_player", "over")]
    left_out: list[Path] = [("effects", number) for number in range(len(position["effects"]))]
    left_out += [("question", key) for key in position["question"]]
    left_out += [("players", seat, zone) for seat, player in enumerate(position["players"]) for zone in player]
    return [(path, value) for path in paths for value in OTHER_VALUES] + [(path, GONE) for path in left_out]


def tampered(position: dict[str, Any], path: Path, value: Any) -> dict[str, Any]:
    """Return the position with another value at that place."""
    changed = copy.deepcopy(position)
    place: Any = changed
    for step in path[:-1]:
        place = place[step]
    if value is GONE:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return changed


def test_a_start_that_gives_only_the_supply_goes_with_drawn_kingdoms() -> None:
    lists = ["first-game-2e", "improvements-2e"]
    for kingdom in ("random", "random-1e", "train", lists):
        batch = GameBatch(20, kingdom=kingdom, start={"supply": {"Province": 100, "Curse": 0, "Duchy": 1}}, seed=3)
        usual = GameBatch(20, kingdom=kingdom, seed=3)
        for _ in range(3):
            supply, usually = batch.state["supply"], usual.state["supply"]
            assert (supply[:, Card.PROVINCE] == 100).all()
            assert (supply[:, Card.CURSE] == 0).all()
            assert (supply[:, Card.DUCHY] == 1).all()
            assert np.delete(supply, [4, 5, 6], axis=1).tolist() == np.delete(usually, [4, 5, 6], axis=1).tolist()
            assert not batch.action_mask[:, action_id("buy Curse")].any(), "an empty pile is offered"
            assert len(np.unique(batch.state["piles"], axis=0)) > 1
            batch.reset()
            usual.reset()
    shared = GameBatch(20, kingdom=lists, start={"supply": {"Moat": 3, "Cellar": 0}})
    assert (shared.state["supply"][:, [Card.MOAT, Card.CELLAR]] == [3, 0]).all()


@pytest.mark.parametrize(
    ("kingdom", "start", "message"),
    [
        ("random", {"supply": {"Moat": 1}}, "expected cards of every kingdom that may be drawn, got Moat"),
        ("train", {"supply": {"Moat": 1}}, "expected cards of every kingdom that may be drawn, got Moat"),
        (
            ["first-game-2e", "improvements-2e"],
            {"supply": {"Witch": 1}},
            "expected cards of every kingdom that may be drawn, got Witch",
        ),
        ("random", {"supply": {"Copper": 114}}, "at most 127 of Copper in all, got 128 copies"),
        ("random", {"trash": {"Copper": 70}}, "at most 127 of Copper in all, got 130 copies"),
        ("random", {"trash": {"Moat": 118}}, "at most 127 of Moat in all, got 128 copies"),
        ("random", {"supply": dict.fromkeys(["Silver", "Gold", "Curse"], 100)}, "at most 400 cards in all"),
        ("random", {"players": [{}, {}]}, "expected ten Kingdom cards beside `players`, got a kingdom that is drawn"),
    ],
)
def test_a_start_for_drawn_kingdoms_that_may_not_fit_is_refused(kingdom: Any, start: Any, message: str) -> None:
    with pytest.raises(InvalidPosition, match=message):
        GameBatch(3, kingdom=kingdom, start=start)


def test_a_question_with_one_legal_answer_is_answered_when_a_position_is_loaded() -> None:
    hands = {
        "Militia": [{"hand": {"Militia": 1}}, {"hand": {"Copper": 5}}],
        "Remodel": [{"hand": {"Remodel": 1, "Gold": 3}}, {}],
        "Sentry": [{"hand": {"Sentry": 1}, "deck_top": ["Gold", "Copper", "Copper"]}, {}],
        "Thief": [{"hand": {"Thief": 1}}, {"deck_top": ["Gold", "Estate"]}],
    }
    for card, players in hands.items():
        kingdom = [card, "Throne Room", "Chapel", "Moat", "Village", "Market", "Smithy", "Cellar", "Mine", "Festival"]
        start = {"kingdom": kingdom, "players": players}
        asking, going = Game.from_dict(start, ask_forced=True), Game.from_dict(start)
        for game in (asking, going):
            game.apply(f"play {card}")
        forced = asking.to_dict()
        assert Game.from_dict(forced, ask_forced=True).to_dict() == forced
        loaded = Game.from_dict(forced)
        assert len(loaded.legal_actions()) > 1
        if card != "Sentry":
            assert len(asking.legal_actions()) == 1
            assert loaded.to_dict() == {**going.to_dict(), "decisions": loaded.to_dict()["decisions"]}


@pytest.mark.parametrize("card", ["Cellar", "Chapel"])
def test_a_question_that_may_be_declined_stays_so_in_a_position(card: str) -> None:
    name = f"{card} {card} moat 0 step 0"
    changed = copy.deepcopy(POSITIONS[name])
    del changed["question"]["optional"]
    refused(changed)


@pytest.mark.slow
def test_no_number_of_a_turn_overflows_or_is_saved_beyond_what_can_be_loaded() -> None:
    largest = 1_000_000
    hand = {"Silver": 2, "Festival": 30, "Throne Room": 20, "Merchant": 10, "Gold": 1}
    start = {
        "kingdom": [
            "Festival",
            "Throne Room",
            "Merchant",
            "Moat",
            "Village",
            "Market",
            "Smithy",
            "Cellar",
            "Mine",
            "Bandit",
        ],
        "players": [{"hand": hand, "deck_bag": {"Copper": 20}}, {}],
        **dict.fromkeys(("actions", "buys", "coins", "merchants"), largest),
    }
    for seed in range(sized(20)):
        game = Game.from_dict(start, max_turns=2)
        rng = np.random.default_rng(seed)
        for _ in range(120):
            if game.is_over:
                break
            game.apply(int(choose(game._batch, rng)[0]))
            assert min(game.coins, game.buys, game.actions) >= 0
            assert max(game.coins, game.buys, game.actions) < 3 * largest
            position = game.to_dict()
            assert max(position[key] for key in ("actions", "buys", "coins", "merchants")) <= largest
            assert Game.from_dict(position).legal_actions() == game.legal_actions()


EVERY = 1600 // sized(20)  # there are more than a hundred thousand changes; that many lie between two that are tried


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_a_tampered_effect_is_refused_or_played_safely(part: int) -> None:
    """A changed position is refused or played on: there is no error of another kind, no crash, and no card is lost."""
    loaded = refusals = 0
    for number, position in enumerate(POSITIONS.values()):
        if number % 4 != part:
            continue
        for path, value in changes(position)[7 * number % EVERY :: EVERY]:
            try:
                game = Game.from_dict(tampered(position, path, value), max_turns=3)
            except InvalidPosition:
                refusals += 1
            else:
                loaded += 1
                play_to_the_end(game, 40)
    assert loaded > 0
    assert refusals > 0


def test_more_effects_than_there_is_room_for_are_refused() -> None:
    position = POSITIONS["Militia Militia moat 0 step 0"]
    many = [position["effects"][0]] * (MAX_EFFECTS + 1)
    assert f"effects: expected at most {MAX_EFFECTS}, got {MAX_EFFECTS + 1}" in refused({**position, "effects": many})


def without_sense(effects: list[dict[str, Any]], players: int) -> Iterator[list[dict[str, Any]]]:
    """Yield these effects, each time with one that can't be in progress at its place."""
    newest = effects[-1]
    attack = newest["effect"] in ("victim", "windows")
    if newest["effect"] != "victim":
        yield [*effects[:-1], {**newest, "player": 1}]
    for place, frame in enumerate(effects[:-1]):
        changes: list[dict[str, Any]] = [{"effect": "drawing"}, {"effect": "victim"}, {"player": 1}, {"card": "Chapel"}]
        if attack and frame["card"] == newest["card"]:
            yield effects[:place] + effects[place + 1 :]
            changes += [{"memory": players + 1} if frame["effect"] == "each player" else {"step": 1}]
        else:
            changes += [{"step": 1}, {"memory": int(Card.GOLD)}, {"memory": int(Card.GARDENS)}, {"memory": NUM_CARDS}]
        for change in changes:
            yield [*effects[:place], {**frame, **change}, *effects[place + 1 :]]


def test_effects_that_the_rules_do_not_leave_below_each_other_are_refused() -> None:
    tried = 0
    for position in POSITIONS.values():
        for effects in without_sense(position["effects"], position["num_players"]):
            assert refused({**position, "effects": effects}).startswith("effects: expected"), effects
            tried += 1
    assert tried > 500


@pytest.mark.parametrize("cards", [0, 1, 2, 3])
def test_nobody_is_asked_to_discard_down_to_three_cards_who_has_no_more(cards: int) -> None:
    position = copy.deepcopy(POSITIONS["Militia Militia moat 0 step 0"])
    position["players"][1]["hand"] = {"Copper": cards}
    position["question"] |= (
        {"min_left": cards - 3, "max_left": cards - 3} if cards > 2 else {"min_left": 0, "max_left": 0}
    )
    assert "question" in refused(position)


@pytest.mark.parametrize("distance", [0, 3])
def test_no_reaction_is_asked_of_the_attacker(distance: int) -> None:
    position = copy.deepcopy(POSITIONS["Militia Militia moat 1 step 0"])
    position["players"][0]["hand"]["Moat"] = 1
    assert position["num_players"] == 3
    position["effects"][-1]["memory"] = distance
    position["question"]["player"] = 0
    assert "question" in refused(position)


def test_loot_is_treasures_that_lie_in_the_trash() -> None:
    position = POSITIONS["Thief Thief moat 0 step 0"]
    trash = {**position["trash"], "Estate": 1, "Silver": 1}
    for loot in ({"Silver": 2}, {"Estate": 1}, {"Silver": 1, "Estate": 1}, {"Gold": 1 + trash.get("Gold", 0)}):
        said = refused({**position, "trash": trash, "loot": loot})
        assert said.startswith("loot: expected Treasures that lie in the trash, got ")
    Game.from_dict({**position, "trash": trash, "loot": {"Silver": 1}})


def test_loot_is_one_card_of_each_other_player_at_most() -> None:
    players = [{"hand": {"Thief": 1}}, *({"deck_top": ["Gold", "Estate"]} for _ in range(5))]
    game = Game.from_dict({"kingdom": ["Thief", *TEN[:9]], "players": players})
    game.apply("play Thief")
    for gained in range(5):
        position = game.to_dict()
        left = position["loot"]["Gold"]
        assert gained + left == 5
        assert Game.from_dict(position).legal_actions() == game.legal_actions()
        position["trash"]["Gold"] += 1
        position["loot"]["Gold"] += 1
        position["question"]["max_left"] += 1
        said = refused(position)
        assert said.startswith("loot: expected at most one card for each other player" if gained == 0 else "question")
        game.apply("gain Gold")
    assert "question" not in game.to_dict()


def test_loot_and_immune_seats_belong_to_an_attack_in_progress() -> None:
    attacks = loots = 0
    for position in POSITIONS.values():
        cards = {Card.named(frame["card"]) for frame in position["effects"]}
        with_loot = {**position, "trash": {**position["trash"], "Silver": 1}, "loot": {"Silver": 1}}
        if any(Type.ATTACK in card.info.types for card in cards):
            attacks += 1
            assert "immune: expected other seats than the attacker's" in refused({**position, "immune": [0]})
        else:
            assert "immune: expected none without an Attack" in refused({**position, "immune": [1]})
        if Card.THIEF in cards:
            loots += 1
        else:
            assert "loot: expected none without Thief" in refused(with_loot)
    assert attacks > loots > 0


@pytest.mark.parametrize("change", [{"phase": "buy"}, {"over": True, "ended": "piles"}])
def test_effects_go_on_in_the_action_phase_of_a_running_game_only(change: dict[str, Any]) -> None:
    for position in POSITIONS.values():
        assert "effects: expected none" in refused({**position, **change})


@pytest.mark.slow
def test_all_tampering_with_the_types_of_a_question_raises_our_error() -> None:
    names = ["Throne Room Mine moat 0 step 0", "Thief Thief moat 0 step 0", "Library Library moat 0 step 0"]
    names += ["Sentry Sentry moat 0 step 0", "Militia Militia moat 1 step 0"]
    for name in names:
        for path, value in changes(POSITIONS[name])[:: 2 * EVERY // sized(80) + 1]:
            with contextlib.suppress(InvalidPosition):
                Game.from_dict(tampered(POSITIONS[name], path, value))


@pytest.mark.parametrize(
    "key", ["player", "kind", "source", "subject", "target", "verbs", "from", "which", "optional", "immune", "loot"]
)
def test_entries_of_a_question_that_can_not_be_are_refused(key: str) -> None:
    position = next(value for name, value in POSITIONS.items() if name.startswith("Militia Militia moat 0"))
    for value in (-2, 10**9, 1.5, "nonsense", ["nonsense"], {"nonsense": 1}, [["trash"]]):
        changed = copy.deepcopy(position)
        if key in ("immune", "loot"):
            changed[key] = value
        else:
            changed["question"][key] = value
        refused(changed)


def other_questions(question: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield well-formed questions that differ from this one in one entry."""
    values: dict[str, list[Any]] = {
        "player": [0, 1, 2],
        "kind": list(KIND_NAMES),
        "source": [None, "Moat", "Gold", "Chapel"],
        "target": [None, 0, 1, 2],
        "verbs": [[], ["trash"], ["discard"], ["gain", "play"], ["topdeck", "trash"]],
        "from": list(ZONES_OF_CANDIDATES),
        "which": [{}, {"types": ["treasure"]}, {"up_to": 8}, {"only": "Copper"}, {"except": "Estate"}, {"up_to": 254}],
        "optional": [False, True],
        **{key: [0, 1, 2, 3, 5, 900] for key in ("picks", "min_left", "max_left")},
    }
    if question["verbs"] != [
        "gain"
    ]:  # Remodel and Mine ask about the card just trashed, which may be any that is there
        values["subject"] = [None, "Gold", "Village", "Militia"]
    for key, others in values.items():
        yield from ({**question, key: other} for other in others if other != question[key])


@pytest.mark.slow
def test_a_question_that_no_card_asks_is_refused() -> None:
    tried = 0
    for number, position in enumerate(POSITIONS.values()):
        for other in list(other_questions(position["question"]))[number % 11 :: 1 + 110 // sized(100)]:
            with pytest.raises(InvalidPosition, match="question"):
                Game.from_dict({**position, "question": other})
            tried += 1
    assert tried > 400


def test_which_cards_will_do_is_said_in_words() -> None:
    asked = {name: position["question"]["which"] for name, position in POSITIONS.items()}
    assert asked["Militia Militia moat 0 step 0"] == {}
    assert asked["Mine Mine moat 0 step 0"] == {"types": ["treasure"]}
    assert asked["Mine Mine moat 0 step 1"] == {"types": ["treasure"], "up_to": 3}
    assert asked["Bandit Bandit moat 0 step 0"] == {"types": ["treasure"], "except": "Copper"}
    assert asked["Witch Witch moat 1 step 0"] == {"only": "Moat"}


@pytest.mark.parametrize(
    "which",
    [5, None, [], {"costs": 1}, {"types": "treasure"}, {"types": ["Treasure"]}, {"types": [1]}, {"up_to": 255},
     {"up_to": -1}, {"up_to": None}, {"only": "Gould"}, {"only": 3}, {"except": None}],
)  # fmt: skip
def test_nonsense_about_which_cards_will_do_is_refused(which: Any) -> None:
    position = copy.deepcopy(POSITIONS["Mine Mine moat 0 step 0"])
    position["question"]["which"] = which
    assert "question.which" in refused(position)


def test_every_question_of_the_rules_loads_as_it_was() -> None:
    for name, position in POSITIONS.items():
        assert Game.from_dict(json.loads(json.dumps(position))).to_dict() == position, name
