"""Presets and settings: every value is checked before a run begins."""

import json
from collections import Counter
from dataclasses import fields

import numpy as np
import pytest

from dominion_agents.trained.inputs import layout
from dominion_env import InvalidOption
from dominion_env.tables.cards import Card
from dominion_env.tables.kingdoms import resolve, split
from dominion_training.learner.options.presets import PRESETS, preset
from dominion_training.learner.options.settings import RENAMED, Attacks, Range, Settings, meanings, read_settings
from dominion_training.learner.rollouts.shard import shard_of
from dominion_training.learner.runs.command import GROUPS
from dominion_training.learner.runs.run import write_settings


def test_every_preset_learns_longer_than_it_clones():
    assert {"smoke", "quick", "laptop", "full", "three"} == set(PRESETS)
    for name, settings in PRESETS.items():
        assert preset(name) == settings
        assert settings.samples > settings.teacher_samples


def test_a_preset_of_ones_own_is_a_file(tmp_path):
    (tmp_path / "mine.yaml").write_text(
        "net_arch: [64]\nseed: 3\nopponents: [random, 'Province; Gold; Silver=0.5']\nattacks: {every: 7}\n"
        "kingdom: train\nlearning_rate: 1e-3\nent_coef: [0.02, 0]\nbatch_size: 20:40\n"
    )
    found = preset(str(tmp_path / "mine.yaml"))
    assert (found.net_arch, found.seed, found.kingdom) == ((64,), 3, ("train",))
    assert found.opponents_met() == [("random", 1.0), ("Province; Gold; Silver", 0.5)]
    assert found.attacks == Attacks(every=7)
    assert (found.learning_rate, found.ent_coef, found.batch_size) == ((1e-3, 1e-3), (0.02, 0.0), (20, 40))


def test_settings_survive_being_written_and_read(tmp_path):
    for settings in (*PRESETS.values(), Settings(kingdom=("train", "train:3=2"), attacks=Attacks(games=Range(1, 2)))):
        write_settings(tmp_path, settings)
        assert read_settings(tmp_path / "settings.yaml") == settings
        assert Settings().but(**json.loads(json.dumps(settings.as_dict()))) == settings


def test_a_range_is_read_from_texts_and_numbers():
    rates = {"1.5e-3:5e-5": (1.5e-3, 5e-5), "0.5": (0.5, 0.5), 1: (1.0, 1.0)}
    assert {text: Settings(learning_rate=text).learning_rate for text in rates} == rates
    assert Settings().but(batch_size="1_000:2_000").batch_size == Range(1_000, 2_000)
    for settings in PRESETS.values():
        assert settings.but(learning_rate=str(settings.learning_rate)) == settings


def test_there_are_at_most_32_settings_and_each_has_a_place_and_a_meaning():
    names = [name for group in GROUPS.values() for name in group]
    told, attacks = meanings(Settings), meanings(Attacks)
    assert sorted([*names, "attacks"]) == sorted(each.name for each in fields(Settings)) == sorted(told)
    assert sorted(attacks) == sorted(each.name for each in fields(Attacks))
    assert len(names) + len(attacks) <= 32
    assert not {*RENAMED} & {*told}


def test_parts_of_a_run_follow_from_the_number_of_games():
    assert [Settings(num_envs=games, n_steps=8).shards for games in (1, 2, 33, 512, 2_048, 1_537, 8_192)] == [
        1, 2, 1, 2, 4, 1, 16,
    ]  # fmt: skip
    assert Settings().rollout == 65_536


def test_slots_and_kingdoms_of_measurements_follow_from_the_kingdoms():
    slots = {("first-game-2e",): "kingdom", ("train:5",): "kingdom", ("train:5+6",): "all", ("random",): "all",
             ("Chapel, Feast, Gardens, Market, Mine, Moat, Spy, Thief, Village, Witch",): "kingdom",
             ("first-game-2e", "test:5=2"): "all", ("train:5", "train:5=3"): "kingdom"}  # fmt: skip
    assert {kingdom: Settings(kingdom=kingdom).slots for kingdom in slots} == slots
    assert Settings(kingdom=("train:5+6",), card_units=16).slots == "piles"
    measured = {"train": "validation", "train-large": "validation", "random": "random", "train:5": "train:5"}
    assert {name: Settings(kingdom=(name,)).eval_kingdom for name in measured} == measured


def test_each_seat_has_as_many_games_of_a_measurement():
    settings = Settings(players=3, eval_games=Range(1, 400))
    assert [settings.games_at(end) for end in (False, True)] == [3, 399]


NUMBERS = ("learning_rate", "gae_lambda", "clip_range", "ent_coef", "vf_coef", "max_grad_norm", "lead_weight",
           "keep_certain", "self_play", "snapshots")  # fmt: skip
COUNTS = ("players", "card_units", "seed", "samples", "num_envs", "n_steps", "batch_size", "n_epochs", "teacher_samples",
          "snapshot_every", "eval_freq", "eval_games")  # fmt: skip


def test_every_number_is_checked():
    numbers = {
        each.name for each in fields(Settings) if isinstance(getattr(Settings(), each.name), int | float | Range)
    }
    assert numbers == {*NUMBERS, *COUNTS}


WRONG = (float("nan"), float("inf"), -1.0, -float("inf"), 10**400, -(10**5000), "nan", True)


@pytest.mark.parametrize("name", [*NUMBERS, *COUNTS])
def test_what_is_no_number_from_zero_is_refused(name):
    said = rf"^{name}: expected |^n_steps: expected at most"
    for value in WRONG:
        given = [value, (1, value), (value, 1)] if isinstance(getattr(Settings(), name), Range) else [value]
        for each in given:
            with pytest.raises(InvalidOption, match=said):
                Settings(**{name: each})


def test_numbers_of_attacks_are_checked():
    for name in meanings(Attacks):
        for value in (float("nan"), float("inf"), -1, "many"):
            with pytest.raises(InvalidOption, match=rf"^attacks\.{name}: expected "):
                Settings(attacks={name: value})


@pytest.mark.parametrize("weight", ["1e999", "9" * 400])
def test_weights_of_opponents_are_finite(weight):
    with pytest.raises(InvalidOption, match=r"random: expected a finite number from 0, got inf|opponents: "):
        Settings(opponents=(f"random={weight}",))


def test_old_names_are_refused_with_the_new_ones(tmp_path):
    (tmp_path / "old.yaml").write_text("entropy: 0.01\nlast_entropy: 0.0\ngames: 32\nattackers: 2.0\nslots: all\n")
    with pytest.raises(InvalidOption, match=r"entropy: is now ent_coef; last_entropy: is now the second number of ent_coef.*"
                       "games: is now num_envs; attackers: is now attacks.weight; slots: is gone"):  # fmt: skip
        preset(str(tmp_path / "old.yaml"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("net_arc: [64]", r"wrong.yaml: 'net_arc' is no setting: did you mean 'net_arch'\?$"),
        ("colour: red", "'colour' is no setting: the settings are kingdom, "),
        ("net_arch: [sixty]", "net_arch: expected a value like"),
        ("net_arch: [63]", r"wrong.yaml: net_arch: expected 1 to 4 layers, each a multiple of 16"),
        ("card_units: 20", "card_units: expected a multiple of 16 up to 128, got 20"),
        ("card_units: -1", "card_units"),
        ("samples: 1.5", "samples: expected a value like"),
        ("samples: true", "samples: expected a value like"),
        ("samples: 0", "samples"),
        ("precision: int8", "precision: expected one of float32, bfloat16, auto, got 'int8'"),
        ("opponents: {random: 1}", "opponents: expected a value like"),
        ("opponents: [big-money, '2', random]", "such as big-money=2, got '2' as an agent"),
        ("teacher: 3", "teacher: expected a value like"),
        ("keep_certain: 0", "keep_certain: expected a finite number above 0 and at most 1, got 0.0"),
        ("keep_certain: 1.5", "keep_certain: expected a finite number above 0 and at most 1, got 1.5"),
        ("learning_rate: fast", "learning_rate: expected a value like 0.0015:5e-05, got 'fast'"),
        ("learning_rate: [1, 2, 3]", "learning_rate: expected a value like"),
        ("learning_rate: 2", "learning_rate: expected a finite number from 0 to 1, got 2.0"),
        ("gae_lambda: 1.5", "gae_lambda: expected a finite number from 0 to 1, got 1.5"),
        ("attacks: {games: 0}", "attacks.games: expected a whole number from 1 to 1000000000000000, got 0"),
        ("attacks: 5", "attacks: expected a value like {'every': 0, "),
        ("attacks: {evry: 5}", r": 'attacks.evry' is no setting: did you mean 'attacks.every'\?$"),
        ("attacks: {1: 5}", r"'attacks.1' is no setting: the settings are every, "),
        ("batch_size: 5:0", "batch_size: expected a whole number from 1 to 1000000000000000, got 0"),
        ("num_envs: 1000000", "n_steps: expected at most 16,777,216 samples in all games together, got 128000000"),
        ("kingdom: []", "kingdom: expected the name of a kingdom or of several, got none"),
        ("kingdom: [train, 'train:3']", "kingdom: expected each name after the first with the number.*got 'train:3'"),
        ("kingdom: [train, 'train:3=0']", "got 'train:3=0'"),
        ("kingdom: [train, 'train:3=10000']", "the number of times it comes, 1 to 9,999, .*got 'train:3=10000'"),
        (
            "kingdom: [random, 'train:3=2']",
            "kingdom: expected kingdoms with fixed cards, got 'train:3' beside .*'random'",
        ),
        ("kingdom: [train, random=2]", "kingdom: expected kingdoms with fixed cards, got 'random' beside .*'train'"),
        (
            "kingdom: ['train:3', 'train:3+4=2']",
            "kingdom: expected kingdoms that are all of 'train:3' or all others, got",
        ),
        ("kingdom: [train, 'trains:3=2']", "no kingdom is named 'trains:3'"),
        (
            "kingdom: [train, first-gam-2e=2]",
            "kingdom: expected a kingdom, or cards with . between, got 'first-gam-2e'",
        ),
        (
            "kingdom: [train, Vilage+Smithy=2]",
            "kingdom: expected a kingdom, or cards with . between, got 'Vilage.Smithy': 'Vilage'",
        ),
        (
            "kingdom: ['train:1', Village+Smithy=2]",
            "kingdom: expected cards of some of the kingdoms, got 'Village.Smithy'",
        ),
        ("- 1", "expected settings and their values"),
        ("a: [", "expected YAML"),
        ("!!python/object/apply:os.system [ls]", "expected YAML"),
        ("seed: 1\nb: [2,\nc: d: e", r"(?s)\n  in line 3, column 5:\n    c: d: e\n        \^"),
        (
            "seed: 1\nplayers: 2\nseed: 3",
            r"got something else:\nexpected each setting once, got 'seed' twice\n  in line 3, column 1:\n    seed: 3\n    \^",
        ),
        ("a: &a [1]\nb: *a", "expected each value where it belongs, got a reference\n  in line 2, column 4"),
        ("a: " + "[" * 3000 + "]" * 3000, "expected settings and their values, got values nested too deep"),
        ("a: " + "1" * 5000, "expected YAML"),
        ("teacher: " + "x" * 2_000_000, "expected settings of at most 1,048,576 bytes, got 2,000,00"),
        ("\0", "expected YAML"),
    ],
)
def test_wrong_presets_are_told_in_words(text, said, tmp_path):
    (tmp_path / "wrong.yaml").write_text(text)
    with pytest.raises(InvalidOption, match=said):
        preset(str(tmp_path / "wrong.yaml"))


def test_kingdoms_come_as_often_as_they_are_to():
    settings = Settings(kingdom=("train:2+3+5+7", "train:3+7=4", "train:2=1"))
    met = resolve(settings.kingdoms_met()).kingdoms.tolist()
    named = {place: resolve(f"train:{place}").kingdoms[0].tolist() for place in (2, 3, 5, 7)}
    assert {place: met.count(cards) for place, cards in named.items()} == {2: 1, 3: 4, 5: 1, 7: 4}
    assert Settings(kingdom="train").kingdoms_met() == "train"


def test_kingdoms_come_as_often_as_their_cards_are_to():
    settings = Settings(kingdom=("train", "Village+Smithy=3", "Village=2", "train:10=4"))
    met = Counter(map(tuple, resolve(settings.kingdoms_met()).kingdoms.tolist()))
    for place, kingdom in enumerate(split("train")):
        times = 1 + 2 * ({Card.VILLAGE, Card.SMITHY} <= set(kingdom)) + (Card.VILLAGE in kingdom) + 3 * (place == 10)
        assert met[tuple(map(int, kingdom))] == times


def test_a_set_that_comes_often_keeps_its_edition():
    for name in ("first-game-1e", "Village+Smithy"):
        settings = Settings(kingdom=("first-game-1e", f"{name}=3"))
        assert resolve(settings.kingdoms_met()).editions.tolist() == [1, 1, 1]


def test_other_kingdoms_come_as_many_times_as_is_said():
    settings = Settings(kingdom=("train:2+3", "train:3=2", "first-game-1e=3", "test:5+6=2"))
    met = resolve(settings.kingdoms_met())
    named = ("train:2", "train:3", "first-game-1e", "test:5", "test:6")
    times = {name: met.kingdoms.tolist().count(resolve(name).kingdoms[0].tolist()) for name in named}
    assert times == {"train:2": 1, "train:3": 2, "first-game-1e": 3, "test:5": 2, "test:6": 2}
    assert met.editions.tolist().count(1) == 3


def test_the_games_of_a_run_are_of_the_kingdoms_that_come_often():
    settings = Settings(kingdom=("train:2+3", "train:3=9"), num_envs=256, n_steps=8)
    often = sorted(resolve("train:3").kingdoms[0].tolist())
    shards = [shard_of(settings, layout(settings.slots, 2), number, []) for number in range(2)]
    share = np.mean([sorted(row.tolist())[-10:] == often for shard in shards for row in shard.batch.state["piles"]])
    assert 0.8 < share < 1


def test_there_must_be_such_a_preset():
    for name in ("quik", "no\0file"):
        with pytest.raises(InvalidOption, match=r"expected one of .*quick.* or a YAML file, got 'quik'|, got 'no"):
            preset(name)
    with pytest.raises(InvalidOption, match=r"a YAML file, got 'mine.yaml', and there is no such file$"):
        preset("mine.yaml")


def test_a_rollout_holds_more_than_the_samples_that_are_kept_from_the_one_before():
    with pytest.raises(InvalidOption, match=r"n_steps: expected a whole number from 6 to .*, got 5"):
        Settings(players=3, n_steps=5)
    assert Settings(players=3, n_steps=6).rollout == 3_072
