"""Every event is written down once and in order, with the seats that see it; the game can be told from its events."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import numpy as np
import pytest

from dominion_env import Card, Event, Game, GameBatch, InvalidOption, action_id
from dominion_env.tables.cards import NUM_CARDS

from . import GAMES, choose, game_name, play, sized, strange_positions

FIELDS = ("event", "player", "card", "count", "seen", "card_seen")


def by_game(events: np.ndarray) -> dict[int, list[tuple[int, ...]]]:
    told: dict[int, list[tuple[int, ...]]] = defaultdict(list)
    for event in events:
        told[int(event["game"])].append(tuple(int(event[field]) for field in FIELDS))
    return told


@pytest.mark.parametrize("rows", [1, 3, sized(300)])
@pytest.mark.parametrize("players", [2, 5])
def test_none_is_dropped_however_many_games_and_however_late_they_are_fetched(players: int, rows: int) -> None:
    kind: dict[str, Any] = {"num_players": players, "kingdom": "random", "max_turns": 4, "record": True}
    late = GameBatch(rows, seed=1, **kind)
    some = range(0, rows, max(1, rows // 3))
    single = {row: GameBatch(1, seed=1, index=row, **kind) for row in some}
    told: dict[int, list[tuple[int, ...]]] = {row: by_game(batch.events())[0] for row, batch in single.items()}
    for _ in range(60):
        actions = late.sample_actions().copy()
        late.step(actions)
        for row, batch in single.items():
            batch.step(actions[row : row + 1])
            told[row] += by_game(batch.events())[0]
    events = by_game(late.events())
    assert sorted(events) == list(range(rows))
    for row in some:
        assert events[row] == told[row]
    assert len(late.events()) == 0, "fetching removes them"


def test_recording_changes_nothing_in_the_game() -> None:
    start = strange_positions(3, sized(30), seed=8)
    told, untold = (GameBatch(len(start), start=start, seed=1, max_turns=3, record=record) for record in (True, False))
    rng = np.random.default_rng(0)
    for _ in range(60):
        actions = choose(told, rng)
        assert all(np.array_equal(*pair) for pair in zip(told.step(actions), untold.step(actions), strict=True))
        assert np.array_equal(told.action_mask, untold.action_mask)
        assert np.array_equal(told.observe(1), untold.observe(1))


class Retold:
    """A First Game told by its events alone."""

    def __init__(self, players: int) -> None:
        self.hand, self.draw_pile, self.discard = [0] * players, [10] * players, [0] * players
        self.in_play, self.chosen, self.turns = [0] * players, [0] * players, [0] * players
        self.owned = np.zeros((players, NUM_CARDS), int)
        self.owned[:, Card.COPPER], self.owned[:, Card.ESTATE] = 7, 3
        self.left_supply, self.trash = np.zeros(NUM_CARDS, int), np.zeros(NUM_CARDS, int)
        self.turn_player, self.ended = -1, 0

    def happens(self, event: int, player: int, card: int, count: int, seen: int, card_seen: int) -> None:
        if event == Event.TURN:
            self.turn_player = player
            self.turns[player] = count
        elif event == Event.DRAW:
            self.draw_pile[player] -= 1
            self.hand[player] += 1
        elif event == Event.SHUFFLE:
            assert self.draw_pile[player] == 0
            assert self.discard[player] == count
            self.draw_pile[player], self.discard[player] = count, 0
        elif event == Event.PLAY:
            self.hand[player] -= count
            self.in_play[player] += count
        elif event in (Event.BUY, Event.GAIN, Event.GAIN_TO_HAND):
            self.owned[player, card] += 1
            self.left_supply[card] += 1
            zone = self.hand if event == Event.GAIN_TO_HAND else self.discard
            zone[player] += 1
        elif event == Event.TRASH:
            self.hand[player] -= 1
            self.owned[player, card] -= 1
            self.trash[card] += 1
        elif event == Event.CHOOSE:
            self.hand[player] -= 1
            self.chosen[player] += 1
        elif event == Event.DISCARD:
            assert self.chosen[player] == count
            self.chosen[player] = 0
            self.discard[player] += count
        elif event == Event.CLEAN_UP:
            assert count == self.hand[player] + self.in_play[player]
            self.discard[player] += count
            self.hand[player] = self.in_play[player] = 0
        elif event == Event.END:
            self.ended = count
        else:
            assert event in (Event.REACT, Event.DECLINE), f"{Event(event).name} does not happen in a First Game"

    def agrees_with(self, game: Any) -> None:
        players = len(self.hand)
        for name in ("owned", "turns"):
            assert np.array_equal(game[name][:players], getattr(self, name)), name
        for name, size in (("hand", "hand"), ("discard", "discard"), ("play", "in_play"), ("aside", "chosen")):
            assert np.array_equal(game[f"{name}_size"][:players], getattr(self, size)), name
        assert np.array_equal(game["bag_size"][:players] + game["top_size"][:players], self.draw_pile)
        assert np.array_equal(game["trash"], self.trash)
        assert game["turn_player"] == self.turn_player
        assert game["ended"] == self.ended


@pytest.mark.parametrize("players", range(1, 7))
def test_a_game_can_be_told_again_from_its_events(players: int) -> None:
    rows = sized(20)
    batch = GameBatch(rows, num_players=players, seed=3, max_turns=12, autoreset=False, record=True)
    supply = batch.state["supply"].copy()
    stories = [Retold(players) for _ in range(rows)]
    for _ in play(batch, sized(250), seed=players):
        for row, events in by_game(batch.events()).items():
            for event in events:
                stories[row].happens(*event)
        for row, story in enumerate(stories):
            story.agrees_with(batch.state[row])
            assert np.array_equal(supply[row] - story.left_supply, batch.state["supply"][row])


@pytest.mark.parametrize("options", GAMES, ids=game_name)
def test_who_owns_what_and_what_is_left_follow_from_gains_and_trashes(options: dict[str, Any]) -> None:
    batch = GameBatch(6, seed=4, autoreset=False, record=True, auto_treasures=True, **options)
    owned = np.zeros((6, batch.num_players, NUM_CARDS), int)
    owned[:, :, Card.COPPER], owned[:, :, Card.ESTATE] = 7, 3
    supply, trash = batch.state["supply"].astype(int), np.zeros((6, NUM_CARDS), int)
    gains = [Event.BUY, Event.GAIN, Event.GAIN_TO_HAND, Event.GAIN_ONTO_DECK, Event.GAIN_FROM_TRASH]
    for step in play(batch, sized(150), seed=4):
        if step % 10 == 0:
            events = batch.events()
            for kinds, change in ((gains, 1), ([Event.TRASH], -1)):
                part = events[np.isin(events["event"], kinds)]
                np.add.at(owned, (part["game"], part["player"], part["card"]), change * part["count"])
            assert np.array_equal(owned, batch.state["owned"][:, : batch.num_players])
            for event in events:
                from_trash = event["event"] == Event.GAIN_FROM_TRASH
                if from_trash or event["event"] in gains:
                    (trash if from_trash else supply)[event["game"], event["card"]] -= 1
                trash[event["game"], event["card"]] += event["event"] == Event.TRASH
            assert np.array_equal(supply, batch.state["supply"])
            assert np.array_equal(trash, batch.state["trash"])


# Seats that see the event, and seats that see the card: everyone, the player alone, nobody, or the seats that knew it.
EVERYONE, OWNER, NOBODY, OWNER_OR_EVERYONE = "everyone", "owner", "nobody", "owner or everyone"
SEEN = {
    Event.TURN: (EVERYONE, NOBODY),
    Event.PLAY: (EVERYONE, EVERYONE),
    Event.BUY: (EVERYONE, EVERYONE),
    Event.GAIN: (EVERYONE, EVERYONE),
    Event.GAIN_TO_HAND: (EVERYONE, EVERYONE),
    Event.GAIN_ONTO_DECK: (EVERYONE, EVERYONE),
    Event.GAIN_FROM_TRASH: (EVERYONE, EVERYONE),
    Event.UNCOVER: (EVERYONE, EVERYONE),
    Event.TRASH: (EVERYONE, EVERYONE),
    Event.DISCARD: (EVERYONE, EVERYONE),
    Event.TOPDECK: (EVERYONE, OWNER_OR_EVERYONE),
    Event.DRAW: (EVERYONE, OWNER_OR_EVERYONE),
    Event.REVEAL: (EVERYONE, EVERYONE),
    Event.LOOK_AT: (EVERYONE, OWNER),
    Event.CHOOSE: (OWNER, OWNER),
    Event.SET_ASIDE: (EVERYONE, EVERYONE),
    Event.REACT: (EVERYONE, EVERYONE),
    Event.DECLINE: (OWNER, OWNER),
    Event.SHUFFLE: (EVERYONE, NOBODY),
    Event.DISCARD_DECK: (EVERYONE, EVERYONE),
    Event.CLEAN_UP: (EVERYONE, EVERYONE),
    Event.KEEP: (OWNER, OWNER),
    Event.END: (EVERYONE, NOBODY),
}


def fits(seats: int, wanted: str, player: int, players: int) -> bool:
    everyone = (1 << players) - 1
    seats &= everyone
    allowed = {EVERYONE: [everyone], OWNER: [1 << player], NOBODY: [0], OWNER_OR_EVERYONE: [1 << player, everyone]}
    return seats in allowed[wanted]


def test_each_kind_of_event_is_seen_by_those_who_may_see_it() -> None:
    happened = set()
    for players in (2, 3, 6):
        start = strange_positions(players, sized(150), seed=9)
        batch = GameBatch(len(start), start=start, seed=2, record=True, ask_forced=True, max_turns=3)
        for _ in play(batch, 40, seed=9):
            pass
        for event in batch.events():
            kind, player = Event(event["event"]), int(event["player"])
            happened.add(kind)
            seen, card_seen = SEEN[kind]
            assert fits(int(event["seen"]), seen, player, players), kind.name
            assert event["card"] < 0 or fits(int(event["card_seen"]), card_seen, player, players), kind.name
            assert (event["card_seen"] & ~event["seen"]) == 0, "a card is seen by nobody who does not see the event"
            if seen == EVERYONE and card_seen == NOBODY:
                assert event["card"] == -1
    assert len(happened) >= sized(20), [kind.name for kind in SEEN if kind not in happened]
    assert SEEN.keys() == set(Event)


def test_a_log_names_no_card_that_its_seat_has_not_seen() -> None:
    """Draws of the others are counted, one's own are named; with None everything is told."""
    game = Game(num_players=3, seed=2, first_player=0)
    mine, theirs, everything = game.log(0), game.log(1), game.log()
    assert mine.count("draws 5 cards") == 2
    assert theirs.count("draws 5 cards") == 2
    assert "5 cards" not in everything
    assert mine != theirs


def test_without_recording_there_are_no_events_to_fetch() -> None:
    with pytest.raises(InvalidOption, match="record=True"):
        GameBatch(1).events()


@pytest.mark.parametrize("ask_forced", [False, True])
def test_a_chain_of_forced_answers_longer_than_the_log_loses_no_event(ask_forced: bool) -> None:
    """Militia against 75 Coppers: 72 picks, none of them a choice."""
    hands: list[dict[str, int]] = [{"Militia": 1}, {"Copper": 75}]
    players = [{"hand": hand, "deck_bag": {"Copper": 5}} for hand in hands]
    start = {"num_players": 2, "phase": "action", "supply": {"Copper": 30}, "players": players}
    game = Game(start=start, ask_forced=ask_forced)
    batch = GameBatch(1, start=game.to_dict(), ask_forced=ask_forced, record=True)
    batch.step([action_id("play Militia")])
    while batch.state["hand"][0, 1, Card.COPPER] > 3:
        assert ask_forced, "nobody had to be asked"
        batch.step([action_id("discard Copper")])
    told = Counter(Event(event) for event in batch.events()["event"])
    assert told[Event.CHOOSE] == 72
    assert told[Event.DISCARD] == 1
    assert batch.state["discard_size"][0, 1] == 72


@pytest.mark.parametrize("shuffling", range(6))
def test_a_forced_answer_is_carried_out_though_the_log_is_full(shuffling: int) -> None:
    """Bandit twice against five players: the log fills at a forced answer when one to three of them shuffle."""
    decks = [{"discard" if seat < shuffling else "deck_top": ["Estate", "Silver"] * 2} for seat in range(5)]
    start = {"num_players": 6, "phase": "action", "players": [{"hand": {"Throne Room": 1, "Bandit": 1}}, *decks]}
    told, untold = (GameBatch(1, start=start, seed=1, record=record) for record in (True, False))
    for batch in (told, untold):
        batch.step([action_id("play Throne Room")])
        batch.step([action_id("play Bandit")])
    assert untold.state["trash"][0, Card.SILVER] > 5
    assert np.array_equal(told.state["trash"], untold.state["trash"])
    assert np.array_equal(told.observe(1), untold.observe(1))
