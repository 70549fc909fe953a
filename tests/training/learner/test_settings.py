"""Presets and settings: every value is checked before a run begins."""

from collections import Counter

import numpy as np
import pytest
import yaml

from dominion_env import InvalidOption
from dominion_env.cards import Card
from dominion_env.kingdoms import resolve, split
from dominion_training.learner.settings import Settings, preset, preset_names
from dominion_training.learner.shard import shard_of


def test_every_preset_can_be_read():
    assert {"smoke", "quick", "laptop", "full"} <= set(preset_names())
    for name in preset_names():
        assert preset(name).samples > preset(name).teacher_samples


def test_a_preset_of_ones_own_is_a_file(tmp_path):
    (tmp_path / "mine.yaml").write_text("units: [64]\nseed: 3\nopponents: [random, 'Province; Gold; Silver=0.5']\n")
    found = preset(str(tmp_path / "mine.yaml"))
    assert (found.units, found.seed) == ((64,), 3)
    assert found.opponents_met() == [("random", 1.0), ("Province; Gold; Silver", 0.5)]


def test_settings_survive_being_written_and_read():
    for name in preset_names():
        settings = preset(name)
        kept = {key: list(value) if isinstance(value, tuple) else value for key, value in settings.as_dict().items()}
        assert Settings().but(**yaml.safe_load(yaml.safe_dump(kept))) == settings


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("unit: [64]", r"got 'unit' \(did you mean 'units'\?\)"),
        ("units: 64", "units: expected a value like"),
        ("units: [sixty]", "units: expected a value like"),
        ("units: [63]", "units: expected 1 to 4 layers, each a multiple of 16"),
        ("network: deep", "network: expected a value like"),
        ("network: cards\nslots: all", "slots: expected one of 'kingdom', 'piles', got 'all'"),
        ("slots: piles", "slots: expected one of 'kingdom', 'all', got 'piles'"),
        ("network: cards\ncard_units: 20", "card_units: expected a multiple of 16 up to 128, got 20"),
        ("card_units: 0", "card_units"),
        ("samples: 1.5", "samples: expected a value like"),
        ("samples: true", "samples: expected a value like"),
        ("samples: 0", "samples"),
        ("precision: int8", "precision: expected a value like"),
        ("opponents: {random: 1}", "opponents: expected a value like"),
        ("teacher: 3", "teacher: expected a value like"),
        ("snapshots: -1", "snapshots: expected a weight from 0"),
        ("certain: 0", "certain: expected a share above 0 and at most 1, got 0.0"),
        ("averaged: -0.1", "averaged: expected a share from 0 to 1, got -0.1"),
        ("averaged: 1.5", "averaged: expected a share from 0 to 1, got 1.5"),
        ("certain: 1.5", "certain: expected a share above 0 and at most 1, got 1.5"),
        ("last_attack_games: 0", "last_attack_games"),
        ("last_minibatch: 0", "last_minibatch"),
        ("games: 511", "games: expected a multiple of the 2 shards"),
        ("players: 3\neval_games: 10", "anchor_games: expected a multiple of 3|eval_games: expected a multiple of 3"),
        ("kingdom: train\noften: [train:3]", "often: expected kingdoms and how many times they come.*got 'train:3'"),
        ("kingdom: train\noften: [train:3=0]", "got 'train:3=0'"),
        ("kingdom: train\noften: [train:3=10000]", "how many times they come, 1 to 9,999, .*got 'train:3=10000'"),
        ("kingdom: train\noften: [test:3=2]", "often: expected kingdoms of 'train', got 'test:3'"),
        ("kingdom: random\noften: [train:3=2]", "often: expected kingdoms of 'random', got 'train:3'"),
        ("kingdom: train\noften: [trains:3=2]", "no kingdom is named 'trains:3'"),
        (
            "kingdom: train\noften: [Vilage+Smithy=2]",
            "often: expected a kingdom, or cards with . between, got 'Vilage.Smithy': 'Vilage'",
        ),
        ("kingdom: train:1\noften: [Village+Smithy=2]", "often: expected kingdoms of 'train:1', got 'Village.Smithy'"),
        (
            "beside: [first-game-2e=2]",
            "beside: expected kingdoms that are not of 'first-game-2e', got .*; often takes those",
        ),
        ("kingdom: train\nbeside: [test:3=2, 'train:0+1=3']", "beside: expected kingdoms that are not of 'train'"),
        (
            "kingdom: train\nbeside: [first-game-2e]",
            "beside: expected kingdoms and how many times they come.*got 'first-g",
        ),
        (
            "kingdom: train\nbeside: [random=2]",
            "beside: expected kingdoms with fixed cards, got 'random', drawn at random",
        ),
        (
            "kingdom: random\nbeside: [train=2]",
            "beside: expected kingdoms with fixed cards, got 'random', drawn at random",
        ),
        (
            "kingdom: train\nbeside: [first-gam-2e=2]",
            "no kingdom is named 'first-gam-2e': did you mean 'first-game-2e'",
        ),
        ("- 1", "expected settings and their values"),
        ("a: [", "expected YAML"),
        ("!!python/object/apply:os.system [ls]", "expected YAML"),
    ],
)
def test_wrong_presets_are_told_in_words(text, said, tmp_path):
    (tmp_path / "wrong.yaml").write_text(text)
    with pytest.raises(InvalidOption, match=said):
        preset(str(tmp_path / "wrong.yaml"))


def test_kingdoms_come_as_often_as_they_are_to():
    settings = Settings(kingdom="train:2+3+5+7", often=("train:3+7=4", "train:2=1"))
    met = resolve(settings.kingdoms_met()).kingdoms.tolist()
    named = {place: resolve(f"train:{place}").kingdoms[0].tolist() for place in (2, 3, 5, 7)}
    assert {place: met.count(cards) for place, cards in named.items()} == {2: 1, 3: 4, 5: 1, 7: 4}
    assert Settings(kingdom="train").kingdoms_met() == "train"


def test_kingdoms_come_as_often_as_their_cards_are_to():
    settings = Settings(kingdom="train", often=("Village+Smithy=3", "Village=2", "train:10=4"))
    met = Counter(map(tuple, resolve(settings.kingdoms_met()).kingdoms.tolist()))
    for place, kingdom in enumerate(split("train")):
        times = 1 + 2 * ({Card.VILLAGE, Card.SMITHY} <= set(kingdom)) + (Card.VILLAGE in kingdom) + 3 * (place == 10)
        assert met[tuple(map(int, kingdom))] == times


def test_a_set_that_comes_often_keeps_its_edition():
    for name in ("first-game-1e", "Village+Smithy"):
        settings = Settings(kingdom="first-game-1e", often=(f"{name}=3",))
        assert resolve(settings.kingdoms_met()).editions.tolist() == [1, 1, 1]


def test_other_kingdoms_come_beside_them_as_many_times_as_is_said():
    settings = Settings(kingdom="train:2+3", often=("train:3=2",), beside=("first-game-1e=3", "test:5+6=2"))
    met = resolve(settings.kingdoms_met())
    named = ("train:2", "train:3", "first-game-1e", "test:5", "test:6")
    times = {name: met.kingdoms.tolist().count(resolve(name).kingdoms[0].tolist()) for name in named}
    assert times == {"train:2": 1, "train:3": 2, "first-game-1e": 3, "test:5": 2, "test:6": 2}
    assert met.editions.tolist().count(1) == 3


def test_the_games_of_a_run_are_of_the_kingdoms_that_come_often():
    settings = Settings(kingdom="train:2+3", often=("train:3=9",), slots="all", games=256, shards=2, rollout=2048)
    often = sorted(resolve("train:3").kingdoms[0].tolist())
    seen = np.concatenate([shard_of(settings, number, []).batch.state["piles"] for number in range(2)])
    share = np.mean([sorted(row.tolist())[-10:] == often for row in seen])
    assert 0.8 < share < 1


def test_there_must_be_such_a_preset():
    with pytest.raises(InvalidOption, match=r"expected one of .*quick.* or a YAML file, got 'quik'"):
        preset("quik")


def test_a_rollout_holds_more_than_the_samples_that_are_kept_from_the_one_before():
    with pytest.raises(InvalidOption, match="rollout: expected at least 2048, for 512 games, got 2047"):
        Settings(rollout=2047)
    assert Settings(rollout=2048).rollout == 2048
