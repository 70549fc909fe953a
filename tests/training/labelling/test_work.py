"""Labels are what playouts say, and the same however many games are played at once."""

import numpy as np
import pytest

import dominion_agents
from dominion_agents import playouts
from dominion_env import GameBatch, InvalidOption, action_id
from dominion_env.splitmix import GAMMA, splitmix
from dominion_training.labelling import work
from dominion_training.labelling.plans import Plans
from dominion_training.labelling.positions import Positions
from dominion_training.labelling.work import Labelling, LabelPart, label_dtype, labelled

SMALL = Labelling((("big-money", 1.0),), ("big-money-ultimate",), error=0.2, most=64, options={"auto_treasures": True})
ENDING = {  # the last Province is worth the game, and the other player can buy it next
    "supply": {"Province": 1},
    "players": [
        {"hand": {"Gold": 3, "Copper": 2}, "turns": 12},
        {"hand": {"Gold": 5}, "deck_bag": {"Gold": 5}, "turns": 12},
    ],
    "turn_player": 0,
    "phase": "buy",
    "coins": 11,
}


def same(labels, others):
    return all(np.array_equal(labels[name], others[name]) for name in labels.dtype.names if name != "seconds")


def at(games):
    return Positions(games, games.state["index"].astype(np.int64), np.zeros(games.num_games, np.int64))


def test_who_can_win_at_once_is_told_so():
    games = GameBatch(1, start=ENDING, kingdom="first-game-2e", auto_treasures=True)
    [label] = labelled(at(games), Plans(["big-money-ultimate"], "first-game-2e"), 0.05, 64)
    actions = label["actions"][label["actions"] >= 0]
    assert actions.tolist() == np.flatnonzero(games.action_mask[0]).tolist()
    province = actions.tolist().index(action_id("buy Province"))
    assert label["values"][province] == 1
    others = np.arange(len(actions)) != province
    assert (label["values"][: len(actions)][others] < 0.2).all()
    assert label["errors_to_best"][province] == 0
    assert label["usual"] == action_id("buy Duchy")  # the plan does not see it
    assert np.array_equal(label["observation"], games.observe()[0])
    assert np.array_equal(np.unpackbits(label["mask"], count=314), games.action_mask[0])
    assert (label["values"][: len(actions)] <= 1).all()
    assert (label["games"][: len(actions)] >= 16).all()
    assert (label["games"][len(actions) :] == 0).all()


@pytest.mark.compiled
def test_values_are_shares_of_the_win_in_common_worlds():
    games = GameBatch(6, seed=2, kingdom="first-game-2e", auto_treasures=True)
    agent = dominion_agents.make("first-game")
    for _ in range(25):
        games.step(agent.act(games.observe(), games.action_mask, games.policy_keys()))
    labels = labelled(at(games), Plans(["first-game"], "first-game-2e"), 0.02, 4096)
    assert (labels["error"] <= 0.02).all()
    for row, label in enumerate(labels):
        legal = np.flatnonzero(games.action_mask[row])
        shares, _ = playouts(games, [row] * len(legal), legal, 3000, "first-game", seeds=9)
        values = shares[:, :, games.current_player[row]].mean(axis=1)
        number = len(legal)
        apart = (label["values"][:number] - values) / np.hypot(label["errors"][:number], 0.01)
        assert np.abs(apart).max() < 4.5
        assert label["usual"] == agent.act(games.observe(), games.action_mask, games.policy_keys())[row]
        assert label["plan"] == 0


@pytest.mark.compiled
@pytest.mark.parametrize("players", [2, 3])
def test_the_labels_do_not_depend_on_the_number_of_games_at_once(players):
    each = Labelling(
        (("big-money", 1.0), ("random", 1.0)), ("big-money-ultimate", "smithy-optimised"), error=0.2, most=32,
        num_players=players, options={"auto_treasures": True},
    )  # fmt: skip
    part = LabelPart(each, 300, 320)
    labels = part.play(games_at_once=16)
    assert part.is_whole(labels)
    assert same(labels, part.play(games_at_once=1))
    assert same(labels[:7], LabelPart(each, 300, 307).play())
    places = list(zip(labels["index"].tolist(), labels["decision"].tolist(), strict=True))
    assert places == sorted(set(places))
    assert labels["index"].min() >= 300 * work.GAMES_PER_LABEL
    assert labels["index"].max() < 320 * work.GAMES_PER_LABEL
    assert len({labels["plan"][row] for row in range(20)}) == 2  # each plan is the best one somewhere


@pytest.mark.compiled
def test_other_parts_and_seeds_have_other_labels():
    parts = SMALL.parts(work.LABELS_PER_PART + 9)
    assert [(part.start, part.stop) for part in parts] == [(0, 256), (256, 265)]
    first = LabelPart(SMALL, 0, 9).play()
    assert not set(first["index"].tolist()) & set(parts[1].play()["index"].tolist())
    again = LabelPart(Labelling(SMALL.by, SMALL.continuation, seed=1, error=0.2, most=64, options=SMALL.options), 0, 9)
    assert not same(first, again.play())


@pytest.mark.compiled
def test_playouts_of_a_decision_have_the_same_worlds_for_every_action(monkeypatch):
    asked = []

    def noted(games, rows, actions, worlds, strategies, seeds):
        asked.extend(zip(rows.tolist(), seeds.tolist(), map(str, strategies[:, 0]), actions.tolist(), strict=True))
        return playouts(games, rows, actions, worlds, strategies, seeds)

    monkeypatch.setattr(work, "playouts", noted)
    games = GameBatch(3, seed=5, auto_treasures=True)
    labels = labelled(at(games), Plans(["first-game"], "first-game-2e"), 0.05, 256)
    for row, label in enumerate(labels):
        worlds = [
            {seed for game, seed, _, action in asked if (game, action) == (row, legal)}
            for legal in label["actions"][label["actions"] >= 0].tolist()
        ]
        most = max(worlds, key=len)
        assert all(each <= most for each in worlds)
        assert [8 * len(each) for each in worlds] == label["games"][: len(worlds)].tolist()
    keys = splitmix(games.policy_keys() ^ np.uint64(0x8BB84B93962EACC9))
    assert {seed for _, seed, _, _ in asked} >= set(splitmix(keys ^ splitmix(np.array([GAMMA]))).tolist())


@pytest.mark.compiled
def test_games_that_are_too_short_are_refused():
    short = Labelling(SMALL.by, SMALL.continuation, spacing=1000, options={"auto_treasures": True, "max_turns": 1})
    with pytest.raises(InvalidOption, match="spacing: expected games with more than 1000 decisions"):
        LabelPart(short, 0, 4).play()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"by": ()}, "by: expected at least one agent"),
        ({"by": (("random", 0.0),)}, "by: expected a weight above 0 for random, got 0"),
        ({"num_players": 1}, "players: expected a whole number from 2 to 6"),
        ({"error": 0.0}, "error: expected a share of the win between 0 and 1"),
        ({"most": 12}, "most: expected a multiple of 8, got 12"),
        ({"most": 0}, "most: expected a whole number from 8"),
        ({"spacing": 0}, "spacing: expected a whole number from 1"),
        ({"astray": 1.5}, "astray: expected a share from 0 to 1"),
        ({"options": {"max_turns": 0}}, "max_turns: expected"),
    ],
)
def test_wrong_options_are_refused_in_words(wrong, said):
    with pytest.raises(InvalidOption, match=said):
        Labelling(**{"by": SMALL.by, "continuation": SMALL.continuation, **wrong}).check()


def test_at_no_decision_are_there_more_legal_actions_than_a_label_has_room_for():
    assert label_dtype(2)["actions"].shape == (work.ROOM,)
    batch = GameBatch(64, kingdom="random", seed=1)  # Treasures are asked for too
    most = 0
    for _ in range(60):
        most = max(most, int(batch.action_mask.sum(axis=1).max()))
        batch.step(batch.sample_actions())
    assert 10 < most <= work.ROOM
