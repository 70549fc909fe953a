"""`Game` keeps the promises of its documentation, name by name."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from dominion_env import (
    Card,
    Decision,
    Game,
    GameOver,
    IllegalAction,
    InvalidOption,
    InvalidReplay,
    UnknownCard,
    action_id,
)

HAND = {
    "hand": {"Smithy": 1, "Moat": 1, "Copper": 2, "Silver": 1},
    "deck_bag": {"Estate": 3, "Gold": 1},
    "discard": ["Duchy"],
}


def at_table(*players: dict[str, Any], **more: Any) -> Game:
    options = {
        key: more.pop(key) for key in list(more) if key in ("ask_forced", "seed", "auto_treasures", "observation")
    }
    return Game.from_dict({"kingdom": "first-game-2e", "players": list(players), **more}, **options)


def test_a_game_says_whose_turn_it_is_and_what_is_left_of_it() -> None:
    game = at_table(HAND, {"turns": 3}, actions=2, buys=3, coins=4, turn_player=0)
    assert (game.current_player, game.turn_player, game.phase) == (0, 0, "action")
    assert (game.actions, game.buys, game.coins, game.turn) == (2, 3, 4, 1)
    assert game.num_players == 2
    assert Card.SMITHY in game.kingdom
    assert len(game.kingdom) == 10


def test_legal_actions_are_words_in_order_of_their_numbers() -> None:
    game = at_table(HAND, {})
    assert game.legal_actions() == ["pass", "play Moat", "play Smithy"]
    assert [action_id(words) for words in game.legal_actions()] == sorted(map(action_id, game.legal_actions()))


def test_an_answer_is_words_in_any_case_or_a_number() -> None:
    games = [at_table(HAND, {}, seed=1) for _ in range(4)]
    number = action_id("play Smithy")
    for game, answer in zip(games, ["play Smithy", "  PLAY  smithy ", number, np.int16(number)], strict=True):
        game.apply(answer)
    assert len({json.dumps(game.to_dict()) for game in games}) == 1
    assert sum(games[0].to_dict()["players"][0]["hand"].values()) == 7


def test_the_decision_says_who_is_asked_what_by_which_card() -> None:
    game = at_table({"hand": {"Militia": 1}}, {"hand": {"Moat": 1, "Copper": 4}}, {"hand": {"Copper": 3, "Estate": 2}})
    assert game.decision == Decision(0, "action", None, None, None, 0, 1)
    game.apply("play Militia")
    assert game.decision == Decision(1, "reveal", Card.MOAT, Card.MILITIA, None, 0, 1)
    game.apply("reveal Moat")
    assert game.decision == Decision(2, "discard", Card.MILITIA, None, None, 2, 2)
    assert game.current_player == 2
    assert game.turn_player == 0
    game.apply("discard Estate")
    assert game.decision == Decision(2, "discard", Card.MILITIA, None, None, 1, 1)


@pytest.mark.parametrize(
    ("card", "deck", "wanted"),
    [
        ("Spy", [], Decision(0, "discard", Card.SPY, Card.COPPER, 0, 1, 1)),
        ("Sentry", ["Copper"], Decision(0, "trash", Card.SENTRY, None, None, 2, 2)),
        ("Chancellor", [], Decision(0, "discard deck", Card.CHANCELLOR, None, None, 0, 1)),
        ("Workshop", [], Decision(0, "gain", Card.WORKSHOP, None, None, 1, 1)),
        ("Harbinger", [], Decision(0, "topdeck", Card.HARBINGER, None, None, 0, 1)),
        ("Cellar", [], Decision(0, "discard", Card.CELLAR, None, None, 0, 1)),
        ("Chapel", [], Decision(0, "trash", Card.CHAPEL, None, None, 0, 1)),
    ],
)
def test_the_kind_is_the_first_verb_that_is_offered(card: str, deck: list[str], wanted: Decision) -> None:
    kingdom = ["Spy", "Sentry", "Chancellor", "Workshop", "Harbinger", "Cellar", "Chapel", "Moat", "Mine", "Market"]
    me = {"hand": {card: 1, "Gold": 1}, "deck_top": ["Silver", "Copper", *deck], "discard": ["Estate"]}
    game = at_table(me, {"hand": {"Copper": 1}, "deck_top": ["Gold"]}, kingdom=kingdom)
    game.apply(f"play {card}")
    assert game.decision == wanted


def test_an_illegal_answer_says_who_was_asked_what_and_changes_nothing() -> None:
    game = at_table(HAND, {})
    before = game.to_dict()
    with pytest.raises(
        IllegalAction,
        match=r"got 'play Market', but player_0 is asked in the Action phase .*; legal: \['pass', 'play Moat'",
    ):
        game.apply("play Market")
    assert game.to_dict() == before
    assert game.replay()["actions"] == []


def test_a_finished_game_raises_game_over() -> None:
    game = Game(max_turns=1)
    while not game.is_over:
        game.apply("pass")
    before = game.to_dict()
    for answer in ("pass", "buy Copper", 0, "nonsense"):
        with pytest.raises(GameOver, match="the game is over"):
            game.apply(answer)
    assert game.to_dict() == before
    assert game.decision is None
    assert game.legal_actions() == []


def test_winners_and_scores() -> None:
    players = [
        {"discard": ["Duchy"], "turns": 2},
        {"discard": ["Duchy"], "turns": 1},
        {"discard": ["Curse"], "turns": 1},
    ]
    game = at_table(*players, phase="buy", supply={"Province": 0}, start_player=0)
    assert game.winners == []
    assert game.scores == [3, 3, -1]
    game.apply("pass")
    assert game.is_over
    assert game.winners == [1]


def test_a_copy_goes_on_by_itself_with_the_same_luck() -> None:
    game = Game(seed=3, kingdom="random")
    copy = game.copy()
    assert copy.to_dict() == game.to_dict()
    copy.apply("pass")
    assert copy.to_dict() != game.to_dict()
    assert copy.replay()["actions"] == ["pass"]
    assert game.replay()["actions"] == []
    game.apply("pass")
    assert copy.to_dict() == game.to_dict()
    assert copy.log() == game.log()


def test_printing_a_game_shows_the_whole_table() -> None:
    game = at_table(HAND, {"hand": {"Village": 1, "Gold": 1}})
    text = str(game)
    assert text == game.render() == game.render(None)
    for part in (
        "Smithy",
        "Village, Gold" if "Village, Gold" in text else "Gold, Village",
        "Province (8) x8",
        "Turn 1 of player_0",
    ):
        assert part in text
    assert "2 players" in repr(game)


def test_a_seat_is_shown_only_what_it_may_see() -> None:
    game = at_table(HAND, {"hand": {"Village": 1, "Gold": 1}, "deck_top": ["Curse"], "deck_known": ["owner"]})
    mine, theirs = game.render(0), game.render(1)
    assert "2 Copper, Silver, Moat, Smithy" in mine
    assert "hand: 2 cards" in mine
    assert "hand: 5 cards" in theirs
    assert "play Moat" in mine
    assert "play Moat" not in theirs
    assert "on the deck: Curse" in theirs
    assert "on the deck" not in mine


def test_others_are_not_told_what_kind_of_question_is_open() -> None:
    """While a Moat may be revealed, only whose answer is awaited shows."""
    game = at_table({"hand": {"Militia": 1}}, {"hand": {"Moat": 1, "Copper": 4}}, {"hand": {"Copper": 5}})
    game.apply("play Militia")
    assert "player_1 is asked" in game.render(2)
    assert "reveal" not in game.render(2)
    assert "Moat" not in game.render(2).split("player_0")[-1]


def test_logs_tell_each_seat_what_it_has_seen() -> None:
    game = at_table(HAND, {}, seed=1)
    game.apply("play Smithy")
    assert "player_0 plays Smithy" in game.log(1)
    assert "player_0 draws 3 cards" in game.log(1)
    assert "3 cards" not in game.log(0)
    assert game.log() == game.log(0)


@pytest.mark.parametrize("seat", [-1, 2, True, "0", 1.0])
def test_there_is_no_view_of_a_seat_that_is_not_there(seat: Any) -> None:
    game = Game()
    for look in (game.log, game.render, game.observe):
        with pytest.raises(InvalidOption):
            look(seat)


def test_an_observation_is_a_copy() -> None:
    game = Game(seed=1)
    before = game.observe()
    kept = before.copy()
    game.apply(game.legal_actions()[-1])
    assert np.array_equal(before, kept)
    assert before.shape == (len(kept),)


def test_a_position_brings_players_kingdom_and_edition() -> None:
    game = Game.from_dict({"kingdom": "big-money-1e", "players": [HAND, {}, {}]}, seed=4)
    assert game.num_players == 3
    assert game.to_dict()["edition"] == 1
    assert game.to_dict()["address"] == {"seed": 4, "index": 0, "episode": 0}


def test_what_a_position_leaves_out_is_as_in_the_setup_or_empty() -> None:
    position = at_table({}, {}, {}).to_dict()
    usual = Game(num_players=3).to_dict()
    assert position["supply"] == usual["supply"]
    assert (position["actions"], position["buys"], position["coins"], position["phase"]) == (1, 1, 0, "buy")
    assert position["trash"] == {}
    assert all(
        not player[zone] for player in position["players"] for zone in ("hand", "deck_top", "discard", "known_hand")
    )
    assert [player["turns"] for player in position["players"]] == [1, 0, 0]


def test_the_top_of_a_discard_pile_is_known_without_being_told() -> None:
    position = at_table({"discard": ["Gold", "Duchy"]}, {}).to_dict()
    assert position["players"][0]["known_discard"] == {"Duchy": 1}


def test_zones_may_be_given_as_counts_or_lists() -> None:
    one = at_table({"hand": ["Copper", "Moat", "Copper"], "discard": {"Gold": 2}}, {}).to_dict()
    other = at_table({"hand": {"Copper": 2, "Moat": 1}, "discard": ["Gold", "Gold"]}, {}).to_dict()
    assert one == other


def test_a_finished_position_loads_as_finished() -> None:
    game = at_table({"discard": ["Duchy"]}, {"discard": ["Estate"]}, over=True, supply={"Province": 0})
    assert game.is_over
    assert game.winners == [0]
    assert game.to_dict()["ended"] == "provinces"


# Replays


def test_a_replay_holds_all_that_is_needed() -> None:
    game = Game(num_players=3, kingdom="random", seed=5, index=6, episode=7, edition=1, ask_forced=True)
    for _ in range(5):
        game.apply(game.legal_actions()[-1])
    replay = json.loads(json.dumps(game.replay()))
    assert {"format", "rules", "options", "address", "start", "actions"} <= replay.keys()
    assert replay["address"] == {"seed": 5, "index": 6, "episode": 7}
    assert len(replay["actions"]) == 5
    assert Game.from_replay(replay).to_dict() == game.to_dict()
    assert Game.from_replay(replay, step=2).replay()["actions"] == replay["actions"][:2]


def test_cards_and_ten_names_are_replayed_too() -> None:
    kingdom = [Card.MOAT, "Village", Card.WITCH, "Thief", "Spy", "Mine", "Market", "Feast", "Cellar", "Chapel"]
    replay = json.loads(json.dumps(Game(kingdom=kingdom).replay()))
    assert Card.FEAST in Game.from_replay(replay).kingdom


def test_the_seat_that_started_is_stored() -> None:
    replay = Game(seed=1, first_player=1).replay()
    assert replay["start_player"] == 1
    with pytest.raises(InvalidReplay, match="expected player_0 to start, got player_1"):
        Game.from_replay({**replay, "start_player": 0})


def test_an_unknown_card_names_the_nearest() -> None:
    with pytest.raises(UnknownCard, match="Smithy"):
        Card.named("Smith")
    with pytest.raises(IllegalAction, match=r"did you mean.*play Smithy"):
        Game().apply("play Smiths")


@pytest.mark.parametrize("name", ["scores", "winners"])
def test_what_was_a_method_may_still_be_called_with_a_warning(name):
    game = Game()
    with pytest.warns(
        DeprecationWarning, match=rf"Game\.{name}\(\) goes in version 0\.5: use the property Game\.{name}"
    ):
        called = getattr(game, name)()
    assert called == getattr(game, name)
