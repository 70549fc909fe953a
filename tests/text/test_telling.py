"""What a seat reads: nothing that it can't know, in few tokens."""

from __future__ import annotations

from statistics import median
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from dominion_env import GameBatch, make_agent
from dominion_env.players.agent import ask, gains_for
from dominion_env.tables.cards import NUM_CARDS
from dominion_env.text.telling import question_for
from tests.properties import GAMES, dealt_again, game_name, play, sized, strange_positions


def asked_text(batch: GameBatch, row: int, events: Any = ()) -> str:
    """Return what the seat that is asked reads."""
    return question_for(batch, row, int(batch.current_player[row]), events).text


def compare_with_other_deals(batch: GameBatch, seed: int) -> int:
    """Deal the running games again, and check that the seats that are asked read the same; return how many hands differ."""
    world, running = dealt_again(batch, seed), np.flatnonzero(batch.state["over"] == 0)
    for row in running:
        assert asked_text(batch, row) == asked_text(world, row)
    return int((batch.state["hand"] != world.state["hand"]).any(axis=(1, 2))[running].sum())


@pytest.mark.parametrize("options", GAMES, ids=game_name)
def test_other_deals_of_random_games_read_the_same(options: dict[str, Any]):
    batch, changed = GameBatch(sized(24), seed=31, auto_treasures=True, autoreset=False, **options), 0
    for step in play(batch, 60, seed=31):
        if step % 12 == 5:
            changed += compare_with_other_deals(batch, step)
    assert changed > 0 or options["num_players"] == 1


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5, 6])
def test_other_deals_of_strange_positions_read_the_same(players: int):
    start = strange_positions(players, sized(40), seed=8)
    batch = GameBatch(len(start), start=start, autoreset=False, seed=1)
    for step in play(batch, 3, seed=2):
        compare_with_other_deals(batch, step)


def secrets_changed(events: NDArray[Any], seat: int, rng: np.random.Generator) -> NDArray[Any]:
    """Return the events with other cards where the seat has seen none, and without those that it has not seen at all."""
    changed = events.copy()
    unseen = (events["card_seen"] >> seat & 1) == 0
    changed["card"][unseen] = rng.integers(0, NUM_CARDS, int(unseen.sum()))
    return changed[(events["seen"] >> seat & 1) == 1]


@pytest.mark.parametrize("options", GAMES, ids=game_name)
def test_the_story_shows_only_what_the_seat_has_seen(options: dict[str, Any]):
    batch = GameBatch(sized(12), seed=32, auto_treasures=True, autoreset=False, record=True, **options)
    for _ in play(batch, 120, seed=32):
        pass
    events, rng, longer = batch.events(), np.random.default_rng(1), 0
    for row in range(len(batch)):
        mine = events[events["game"] == row]
        for seat in range(batch.num_players):
            text = question_for(batch, row, seat, mine).text
            assert text == question_for(batch, row, seat, secrets_changed(mine, seat, rng)).text
            longer += len(text) > len(question_for(batch, row, seat).text)
    assert longer == len(batch) * batch.num_players


def seen_by(events: NDArray[Any], seat: int) -> list[Any]:
    """Return the events that a seat has seen, with cards where it has seen them."""
    seen = events[(events["seen"] >> seat & 1) == 1].copy()
    seen["card"][(seen["card_seen"] >> seat & 1) == 0] = -1
    for field in ("seen", "card_seen"):
        seen[field] &= np.uint8(1 << seat)
    return seen.tolist()


def compare_as_they_look_alike(worlds: list[GameBatch]) -> int:
    """Answer alike in two worlds of each game while a seat sees the same in both, and check that it reads the same.

    The seat is the one that is asked first. Return how often it was asked.
    """
    rng, compared, seats = np.random.default_rng(2), 0, worlds[0].current_player.copy()
    alike = worlds[0].state["over"] == 0
    told = [[world.events()[:0]] * len(world) for world in worlds]
    while alike.any():
        both = worlds[0].action_mask & worlds[1].action_mask
        alike &= both.any(axis=1) & (worlds[0].current_player == worlds[1].current_player)
        rows = np.flatnonzero(alike)
        answered = worlds[0].current_player == seats
        actions = [rng.choice(np.flatnonzero(both[row])) for row in rows]
        events = [(world.step(actions, rows), world.events())[1] for world in worlds]
        for row in rows:
            seat, parts = int(seats[row]), [each[each["game"] == row] for each in events]
            alike[row] = seen_by(parts[0], seat) == seen_by(parts[1], seat)
            for stories, part in zip(told, parts, strict=True):
                stories[row] = part if answered[row] else np.concatenate([stories[row], part])
            over = worlds[0].state["over"][row]
            if alike[row] and (over or all(world.current_player[row] == seat for world in worlds)):
                compared += 1
                texts = [question_for(world, row, seat, told[number][row]) for number, world in enumerate(worlds)]
                assert texts[0] == texts[1]
            alike[row] &= not over
    return compared


@pytest.mark.parametrize("options", [each for each in GAMES if each["num_players"] > 1], ids=game_name)
def test_worlds_that_look_alike_to_a_seat_are_told_alike(options: dict[str, Any]):
    batch, compared = GameBatch(sized(40), seed=35, auto_treasures=True, autoreset=False, **options), 0
    for step in play(batch, 50, seed=35):
        if step % 12 == 2:
            worlds = [dealt_again(batch, luck) for luck in (step, 1000 + step)]
            own = np.arange(len(batch)), batch.current_player  # keeps its luck, and so sees more that is the same
            worlds[1]._games["streams"][own] = worlds[0].state["streams"][own]
            for world in worlds:
                world.start_recording()
            compared += compare_as_they_look_alike(worlds)
    assert compared > sized(100)


def test_a_player_who_goes_on_is_named_once_and_turns_begin_lines():
    batch = GameBatch(1, seed=3, auto_treasures=True, record=True, first_player=0)
    first = batch.events()
    assert question_for(batch, 0, 0, first).text.splitlines()[:4] == [
        "You are player_0.",
        "player_0 draws 2 Copper and 3 Estate; player_1 draws 5 cards",
        "Turn 1 of player_0: plays 2 Copper for 2 coins",
        "",
    ]
    batch.step([0])
    told = question_for(batch, 0, 1, np.concatenate([first, batch.events()])).text.splitlines()
    assert told[1:4] == [
        "player_0 draws 5 cards; player_1 draws 2 Estate and 3 Copper",
        "Turn 1 of player_0: plays 2 Copper for 2 coins; draws 5 cards",
        "Turn 1 of player_1: plays 3 Copper for 3 coins",
    ]


def test_the_question_ends_the_text_with_the_meaning_of_pass_where_it_says_more():
    chapel = {"kingdom": "big-money-1e", "players": [{"hand": {"Chapel": 1, "Estate": 2}}, {}]}
    batch = GameBatch(1, start=chapel, first_player=0)
    play_chapel = "1 pass, 2 play Chapel"
    assert asked_text(batch, 0).endswith(f"\n\nPlay an Action card, or go on to the Buy phase\nAnswers: {play_chapel}")
    batch.step([int(batch.action_mask[0].nonzero()[0][1])])
    question = question_for(batch, 0, 0, list_answers=False)
    assert question.text.endswith("\n\nChapel: trash up to 2 cards from your hand")
    assert question.request == "Chapel: trash up to 2 cards from your hand"
    assert question.legal == ("pass", "trash Estate")
    assert asked_text(batch, 0).endswith("\nAnswers: 1 pass (trash no more), 2 trash Estate")


def test_a_seat_that_is_not_asked_reads_no_answers():
    batch = GameBatch(1, first_player=0, auto_treasures=True)
    question = question_for(batch, 0, 1)
    assert question.legal == ()
    assert question.text.endswith("\nplayer_0 is asked in the Buy phase to play or buy a card")


def tokens_of(agent_name: str, games: int) -> list[float]:
    """Return the lengths of the questions of whole games in First Game by an agent, in tokens of four characters."""
    batch = GameBatch(games, auto_treasures=True, autoreset=False, record=True, seed=5)
    agent = make_agent(agent_name)
    gains, tokens = gains_for(batch, [agent]), []
    since: list[list[list[Any]]] = [[[], []] for _ in range(games)]
    while (running := np.flatnonzero(batch.state["over"] == 0)).size:
        for event in batch.events():
            for seat in (0, 1):
                since[event["game"]][seat].append(event)
        for row in running:
            seat = int(batch.current_player[row])
            tokens.append(len(question_for(batch, row, seat, since[row][seat]).text) / 4)
            since[row][seat] = []
        batch.step(ask(agent, batch, running, gains), running)
    return tokens


@pytest.mark.compiled
@pytest.mark.parametrize(("agent_name", "most"), [("big-money", 300), ("auto", 450)])
def test_a_question_takes_few_tokens(agent_name: str, most: int):
    tokens = tokens_of(agent_name, 6)
    assert len(tokens) > 100
    assert median(tokens) <= most
