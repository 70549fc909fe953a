"""An observation says field by field what the position says, as far as the seat may know it."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from dominion_env import (
    CARDS,
    FIELD_NAMES,
    KINGDOMS,
    Card,
    GameBatch,
    InvalidOption,
    observation_fields,
    observation_size,
)
from dominion_env.core.observing import generate
from dominion_env.core.observing.fields import ENTRIES
from dominion_env.core.questions import KIND_NAMES
from dominion_env.tables.actions import FIRST_CARD_ACTION, NUM_VERBS, Verb
from dominion_env.tables.cards import NUM_CARDS

from . import GAMES, game_name, play, sized, strange_positions

CODE, KNOWN_TOP = 6, 3


def code(card: Card | str | None) -> list[int]:
    """Return the code of one card: its number plus 1 in binary, lowest bit first."""
    number = 0 if card is None else int(Card.named(card)) + 1
    return [number >> bit & 1 for bit in range(CODE)]


def counts(*zones: Any) -> list[int]:
    """Return the number of copies of each card in these zones together."""
    total: Counter[str] = Counter()
    for zone in zones:
        total.update(zone)
    return [total[info.name] for info in CARDS]


def mark(size: int, *places: int) -> list[int]:
    return [int(place in places) for place in range(size)]


def points(player: dict[str, Any]) -> int:
    owned = owned_by(player)
    return sum(copies * CARDS[card].points for card, copies in enumerate(owned)) + owned[Card.GARDENS] * (
        sum(owned) // 10
    )


def owned_by(player: dict[str, Any]) -> list[int]:
    zones = ("hand", "deck_top", "deck_bag", "discard", "in_play", "set_aside", "revealed", "chosen")
    return counts(*(player[zone] for zone in zones))


def known_top(player: dict[str, Any], *knowers: str) -> list[int]:
    bits: list[int] = []
    for card, knower in zip(player["deck_top"][:KNOWN_TOP], player["deck_known"], strict=False):
        bits += code(card if knower in knowers else None)
    return bits + [0] * (KNOWN_TOP * CODE - len(bits))


def sizes(player: dict[str, Any]) -> dict[str, list[int]]:
    return {
        "hand_size": [sum(player["hand"].values()) + len(player["chosen"])],
        "draw_pile_size": [len(player["deck_top"]) + sum(player["deck_bag"].values())],
        "discard_size": [len(player["discard"])],
        "points": [points(player)],
        "discard_top": code(player["discard"][-1] if player["discard"] else None),
        "in_play": counts(player["in_play"]),
        "set_aside": counts(player["set_aside"]),
        "owned": owned_by(player),
    }


def expected(position: dict[str, Any], seat: int) -> dict[str, list[int]]:
    """Return the observation as it should be, from the position alone, as a list of numbers for each field."""
    number = position["num_players"]
    order = [(seat + distance) % number for distance in range(number)]
    players = position["players"]
    me = players[seat]
    fields = {
        "supply": counts(position["supply"]),
        "in_game": [int(info.name in position["supply"]) for info in CARDS],
        "trash": counts(position["trash"]),
        "empty_piles": [list(position["supply"].values()).count(0)],
        "edition": [position["edition"] - 1],
        "turn_player": mark(number, order.index(position["turn_player"])),
        "buy_phase": [int(position["phase"] == "buy")],
        **{
            name: [int(position[name])] for name in ("actions", "buys", "coins", "merchants", "silver_played", "bought")
        },
        "turns": [players[other]["turns"] for other in order],
        "start_player": mark(number, order.index(position["start_player"])),
        "asked": mark(number, order.index(position["asked"])),
        "my_hand": counts(me["hand"]),
        "my_draw_pile": counts(me["deck_top"], me["deck_bag"]),
        "my_discard": counts(me["discard"]),
        "my_known_hand": counts(me["known_hand"]),
        "my_known_discard": counts(me["known_discard"]),
        "my_known_top": known_top(me, "owner", "all"),
        "my_last_played": code(me["in_play"][-1] if me["in_play"] else None),
        **{f"my_{name}": value for name, value in sizes(me).items()},
    }
    for distance in range(1, number):
        other = players[order[distance]]
        fields |= {f"opponent_{distance}_{name}": value for name, value in sizes(other).items()}
        fields[f"opponent_{distance}_known_hand"] = counts(other["known_hand"])
        fields[f"opponent_{distance}_known_discard"] = counts(other["known_discard"])
        fields[f"opponent_{distance}_known_top"] = known_top(other, "all")
    return fields | question(position, seat, order)


def question(position: dict[str, Any], seat: int, order: list[int]) -> dict[str, list[int]]:
    number = position["num_players"]
    nothing = {field.name: [0] * field.size for field in observation_fields(number) if is_question(field.name)}
    if position["over"] or position["asked"] != seat:
        return nothing
    me = position["players"][seat]
    asked = position.get("question")
    if asked is None:
        return nothing | {
            "question_kind": mark(len(KIND_NAMES), {"action": 8, "buy": 9}[position["phase"]]),
            "question_max_left": [1],
        }
    candidates: list[str] = []
    if asked["from"] == "loot":
        candidates = list(Counter(position["loot"]).elements())
    elif asked["from"] == "discard pile":
        candidates = me["discard"]
    elif asked["from"] == "revealed":
        newest = position["effects"][-1]
        shown = position["players"][newest["player"]]["revealed"][-newest["memory"] :]
        wanted = {"Thief": ("Copper", "Silver", "Gold"), "Bandit": ("Silver", "Gold")}.get(newest["card"])
        candidates = [card for card in shown if wanted is None or card in wanted]
    waiting = [
        frame
        for frame in position["effects"][:-1]
        if frame["effect"] in ("text", "replay") and frame["card"] == "Throne Room"
    ]
    replays = [bit for frame in waiting[::-1][:10] for bit in code(Card(frame["memory"]))]
    last = (me["chosen"] + me["set_aside"])[-1:]
    verb: list[int] = []
    if asked["kind"] == "trash" and asked["source"] == "Sentry" and asked["from"] == "subject":
        card, first_verb = divmod(position["effects"][-1]["memory"] - FIRST_CARD_ACTION, NUM_VERBS)
        last, verb = [Card(card)], [first_verb]
    target = asked["target"]
    return {
        "question_kind": mark(len(KIND_NAMES), KIND_NAMES.index(asked["kind"])),
        "question_source": code(asked["source"]),
        "question_card": code(asked["subject"]),
        "question_target": mark(number) if target is None else mark(number, order.index(target)),
        "question_picks": [asked["picks"]],
        "question_min_left": [asked["min_left"]],
        "question_max_left": [asked["max_left"]],
        "question_chosen": counts(me["chosen"]),
        "question_candidates": counts(candidates),
        "pending_replays": [len(waiting)],
        "next_replays": replays + [0] * (60 - len(replays)),
        "question_last_card": code(last[0] if last else None),
        "question_last_verb": mark(len(Verb), *verb),
        "loot": [position["loot"].get(name, 0) for name in ("Copper", "Silver", "Gold")],
        "immune": [int(other in position["immune"]) for other in order],
    }


def is_question(name: str) -> bool:
    return name.startswith("question_") or name in ("pending_replays", "next_replays", "loot", "immune")


def decoded(row: np.ndarray, num_players: int) -> dict[str, list[float]]:
    return {
        field.name: (row[field.start : field.start + field.size] / field.scale).tolist()
        for field in observation_fields(num_players)
    }


# Rules 7.1 let a player see these, and the question. All other fields are zero in the strict observation.
STRICT = {
    "supply", "in_game", "trash", "empty_piles", "edition", "turn_player", "buy_phase", "actions", "buys", "coins",
    "merchants", "silver_played", "bought", "turns", "start_player", "asked", "my_hand", "my_in_play", "my_set_aside",
    "my_last_played", "my_discard_top", "my_hand_size", "my_draw_pile_size",
}  # fmt: skip
STRICT_OF_OPPONENTS = {"in_play", "set_aside", "discard_top", "hand_size"}


def in_strict(name: str) -> bool:
    if name.startswith("opponent_"):
        return name.split("_", 2)[2] in STRICT_OF_OPPONENTS
    return name in STRICT or is_question(name)


def strict_twin(batch: GameBatch) -> GameBatch:
    return GameBatch(len(batch), start=[batch.to_dict(i) for i in range(len(batch))], resume=True, observation="strict")


def check(batch: GameBatch) -> None:
    number = batch.num_players
    fields = observation_fields(number)
    low, high = bounds(number)
    strict = strict_twin(batch)
    for seat in range(number):
        rows, hidden = batch.observe(seat), strict.observe(seat)
        assert (rows >= low).all()
        assert (rows <= high).all()
        for i, row in enumerate(rows):
            wanted = expected(batch.to_dict(i), seat)
            seen = decoded(row, number)
            assert seen.keys() == wanted.keys()
            wrong = {name: (seen[name], wanted[name]) for name in wanted if seen[name] != wanted[name]}
            assert not wrong, f"game {i}, seat {seat}: {wrong}"
            shown = np.concatenate([np.full(f.size, in_strict(f.name)) for f in fields])
            assert np.array_equal(hidden[i], np.where(shown, row, 0))


@cache
def bounds(number: int) -> tuple[np.ndarray, np.ndarray]:
    fields = observation_fields(number)
    return tuple(
        np.concatenate([np.full(f.size, getattr(f, side), np.float32) for f in fields]) for side in ("low", "high")
    )


@pytest.mark.parametrize("options", GAMES, ids=game_name)
def test_every_field_is_what_the_position_says(options: dict[str, Any]) -> None:
    batch = GameBatch(2, seed=41, max_turns=12, **options)
    for step in play(batch, sized(120), seed=41):
        if step % 12 == 0:
            check(batch)


@pytest.mark.parametrize("players", range(1, 7))
def test_every_field_is_right_in_the_middle_of_effects_too(players: int) -> None:
    start = strange_positions(players, sized(20), seed=3)
    batch = GameBatch(len(start), start=start, autoreset=False, seed=5)
    for step in play(batch, 6, seed=players):
        if step % 3 == 0:
            check(batch)


def test_equal_observations_of_the_deciding_seat_mean_equal_masks() -> None:
    """The same holds for games whose hidden cards differ: the worlds of many deals, and copies with other luck."""
    masks: dict[bytes, bytes] = {}
    met_again = 0
    for players in (2, 3):
        batch = GameBatch(sized(60), num_players=players, seed=1, kingdom="improvements-2e", auto_treasures=True)
        fork = batch.fork(0, sized(60), seed=2)
        for one in (batch, fork):
            for _ in play(one, 40, seed=7):
                for row, legal in zip(one.observe(), one.action_mask, strict=True):
                    before = masks.setdefault(row.tobytes(), legal.tobytes())
                    assert before == legal.tobytes()
                    met_again += before is not None
    assert len(masks) < met_again, "some observations must come more than once"


def test_none_is_the_seat_to_decide_and_seats_can_be_given_per_game() -> None:
    batch = GameBatch(5, num_players=3, seed=2)
    for _ in play(batch, 20):
        seats = batch.current_player.copy()
        assert np.array_equal(batch.observe(), batch.observe(seats))
        mixed = np.array([0, 1, 2, 1, 0])
        rows = batch.observe(mixed)
        assert all(np.array_equal(rows[i], batch.observe(int(mixed[i]))[i]) for i in range(5))


def test_out_is_written_into_and_returned() -> None:
    batch = GameBatch(3, num_players=4, seed=2)
    out = np.full((3, batch.observation_size), np.nan, np.float32)
    assert batch.observe(1, out=out) is out
    assert np.array_equal(out, batch.observe(1))
    assert batch.observe().base is None or batch.observe() is not batch.observe()


def of_any_opponent(name: str) -> str:
    """Return the name of a field in `FIELD_NAMES`."""
    return f"opponent_{name.split('_', 2)[2]}" if name.startswith("opponent_") else name


@pytest.mark.parametrize("observation", ["recall", "strict"])
@pytest.mark.parametrize("players", [1, 2, 5])
def test_fields_asked_for_are_written_and_nothing_else(players: int, observation: Any) -> None:
    start = strange_positions(players, sized(12), seed=4)
    batch = GameBatch(len(start), start=start, autoreset=False, seed=5, observation=observation)
    fields = observation_fields(players)
    two = ("question_chosen", "opponent_known_top")
    for _ in play(batch, 3, seed=players):
        for seat in (None, 0):
            whole = batch.observe(seat)
            for names in [*((name,) for name in FIELD_NAMES), two, ()]:
                out = np.full_like(whole, np.nan)
                assert batch.observe(seat, out=out, fields=names) is out
                here = np.concatenate([np.full(f.size, of_any_opponent(f.name) in names) for f in fields])
                assert np.array_equal(out[:, here], whole[:, here]), names
                assert np.isnan(out[:, ~here]).all(), names
                assert np.array_equal(batch.observe(seat, fields=list(names)), np.where(here, whole, 0))
    assert set(FIELD_NAMES) >= {of_any_opponent(field.name) for field in fields}


def test_rows_asked_for_are_shown_in_their_order() -> None:
    batch = GameBatch(6, num_players=3, seed=2, record=True)
    for _ in play(batch, 30):
        pass
    rows = [4, 0, 0, 5]
    out = np.full((4, batch.observation_size), np.nan, np.float32)
    assert batch.observe(rows=rows, out=out) is out
    assert np.array_equal(out, batch.observe()[rows])
    assert np.array_equal(batch.observe(1, rows=np.array(rows, np.uint8)), batch.observe(1)[rows])
    seats = np.array([2, 0, 1, 1])
    mixed = batch.observe(seats, rows=rows, fields=("my_hand", "turn_player"))
    for row, game, seat in zip(mixed, rows, seats, strict=True):
        assert np.array_equal(row, batch.observe(int(seat), fields=("my_hand", "turn_player"))[game])
    assert batch.observe(rows=[]).shape == (0, batch.observation_size)
    assert np.array_equal(batch.final.observe(0, rows=rows), batch.final.observe(0)[rows])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"fields": ["my_hands"]}, "fields: there is no 'my_hands': did you mean 'my_hand'"),
        ({"fields": ("opponent_1_points",)}, "fields: there is no 'opponent_1_points': did you mean 'opponent_points'"),
        ({"fields": "turn"}, "fields: there is no 'turn'"),
        ({"fields": 3}, "fields: expected names from FIELD_NAMES, got 3"),
        ({"fields": (["my_hand"],)}, "fields: expected names from FIELD_NAMES"),
        ({"fields": [3]}, "fields: there is no 3"),
        ({"rows": [0, 3]}, r"rows: expected numbers of games from 0 to 2, got \[0, 3\]"),
        ({"rows": [-1]}, r"rows: .* got \[-1\]"),
        ({"rows": [0.0]}, "rows: expected numbers of games"),
        ({"rows": 1}, "rows: expected numbers of games"),
        ({"rows": [True, False, True]}, "rows: expected numbers of games"),
        ({"rows": [[0], [1, 2]]}, "rows: expected numbers of games"),
        ({"rows": [0, 1], "player": [0, 1, 0]}, r"player: expected a seat from 0 to 1, one for each game \(2\)"),
        ({"rows": [0, 1], "out": np.zeros((3, observation_size(2)), np.float32)}, r"out: .* shape \(2, \d+\)"),
    ],
)
def test_what_can_not_be_shown_is_refused(given: dict[str, Any], message: str) -> None:
    batch = GameBatch(3)
    with pytest.raises(InvalidOption, match=message):
        batch.observe(**given)


@pytest.mark.parametrize("players", range(1, 7))
def test_fields_follow_each_other_without_a_gap(players: int) -> None:
    fields = observation_fields(players)
    assert fields[0].start == 0
    assert all(one.start + one.size == other.start for one, other in pairwise(fields))
    assert fields[-1].start + fields[-1].size == observation_size(players) == GameBatch(1, players).observe().shape[1]
    assert len({field.name for field in fields}) == len(fields)
    assert all(field.low < field.high and field.meaning and field.scale > 0 for field in fields)
    names = {field.name: field.size for field in fields}
    for name in ("supply", "my_hand", "my_draw_pile", "my_discard", "my_in_play", "my_owned", "trash"):
        assert names[name] == NUM_CARDS
    assert len([name for name in names if name.endswith("_known_hand")]) == players  # mine too


def test_what_writes_a_field_is_made_of_its_entry() -> None:
    written = generate.FILE.read_text(encoding="utf-8")
    assert written == generate.generate(), "run `python -m dominion_env.core.observing.generate`"
    assert Counter(re.findall(r"if wanted is None or wanted\.(\w+):", written)) == Counter(FIELD_NAMES)


@pytest.mark.parametrize(
    "wrong", [{"scale": 1 / 32}, {"high": 999}, {"writing": "put_number(row, place, game.buys, scale)"}]
)
def test_a_number_that_is_wrong_in_an_entry_is_wrong_in_what_writes_it(
    monkeypatch: pytest.MonkeyPatch, wrong: dict[str, Any]
) -> None:
    before = generate.generate()
    table = tuple(entry._replace(**wrong) if entry.name == "coins" else entry for entry in ENTRIES["table"])
    monkeypatch.setitem(ENTRIES, "table", table)
    lines = zip(before.splitlines(), generate.generate().splitlines(), strict=True)
    changed = [old for old, new in lines if old != new]
    assert [line.split("(")[0].strip() for line in changed] == ["put_at_most"]


def test_no_other_file_of_the_core_names_a_field() -> None:
    """A field that is added is one entry, so nothing else may list fields."""
    named = re.compile(rf"\bplaces\.({'|'.join(FIELD_NAMES)})\b|[\"']({'|'.join(FIELD_NAMES)})[\"']")
    for name in ("observation", "observer", "rows", "places", "putting", "field_kinds", "generate"):
        text = generate.FILE.with_name(f"{name}.py").read_text(encoding="utf-8")
        text = re.sub(r'""".*?"""', "", text, flags=re.DOTALL)
        assert not (found := named.search(text)), f"{name}.py names {found and found[0]}"


def test_every_verb_can_be_asked() -> None:
    assert KIND_NAMES[: len(Verb)] == tuple(verb.word for verb in Verb)


def extreme_position(players: int) -> dict[str, Any]:
    """Return a position with the largest numbers that can be loaded, and with the fewest points."""
    seats: list[dict[str, Any]] = [{"turns": 30000} for _ in range(players)]
    seats[0] |= {"hand": {"Curse": 100, "Copper": 27}, "deck_bag": {"Copper": 100}}
    numbers = dict.fromkeys(("actions", "buys", "coins", "merchants"), 1_000_000)
    supply = dict.fromkeys(("Copper", "Silver", "Gold", "Curse"), 0)
    return {"num_players": players, "players": seats, **numbers, "supply": supply, "phase": "buy"}


@pytest.mark.parametrize("players", range(1, 7))
def test_all_bounds_lie_below_300(players: int) -> None:
    for field in observation_fields(players):
        assert field.high < 300, field.name
        assert field.low >= (-100 if field.name.endswith("points") else 0), field.name


@pytest.mark.parametrize("players", range(1, 7))
def test_observations_of_extreme_positions_stay_inside_their_bounds(players: int) -> None:
    batch = GameBatch(1, start=extreme_position(players), auto_treasures=False)
    low, high = bounds(players)
    for seat in range(players):
        (row,) = batch.observe(seat)
        assert (row >= low).all()
        assert (row <= high).all()
        seen = decoded(row, players)
        assert (seen["actions"], seen["buys"], seen["merchants"]) == ([1000], [1000], [1000])
        assert seen["coins"] == [2000]
        assert seen["turns"] == [8000] * players
    assert decoded(batch.observe(0)[0], players)["my_points"] == [int(batch.scores[0, 0])]


def test_points_beyond_the_bounds_are_cut_off() -> None:
    me = {"hand": {"Gardens": 120, "Village": 1}, "deck_bag": {"Copper": 127}}
    kingdom = KINGDOMS["size-distortion-1e"]
    supply = dict.fromkeys((*(card.title for card in kingdom), "Copper", "Silver", "Gold"), 0)
    batch = GameBatch(1, start={"kingdom": "size-distortion-1e", "supply": supply, "players": [me, {}]})
    assert batch.scores[0, 0] > 2000
    assert decoded(batch.observe(0)[0], 2)["my_points"] == [2000]
    assert decoded(batch.observe(1)[0], 2)["opponent_1_points"] == [2000]
