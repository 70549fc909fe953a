"""A network meets in each round what was trained to beat it in the rounds before."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from dominion_agents.trained.model import read_model
from dominion_env import DominionError, InvalidOption, ResultsMismatch
from dominion_training.exploit import exploiter
from dominion_training.league import rounds
from dominion_training.league.__main__ import main
from dominion_training.league.rounds import Attacked, League, Round, play_league, settings_of_round
from dominion_training.learner.run import settings_of
from dominion_training.learner.settings import Settings
from tests.training.interrupting import press_ctrl_c_after

pytestmark = pytest.mark.compiled

SMALL = {
    "units": (32, 32), "games": 32, "rollout": 2_048, "minibatch": 512, "anchor_games": 4, "checkpoint_minutes": 1000.0,
    "processes": 1,
}  # fmt: skip
SETTINGS = Settings().but(
    **SMALL, samples=6_000, teacher="big-money", teacher_samples=2_000, opponents=["big-money=2"],
    anchors=["big-money"], eval_games=4, seed=5,
)  # fmt: skip
FIRST_GAME = "first-game-2e"
LEAGUE = League(SETTINGS, (FIRST_GAME,), attack_samples=4_000, measured=20)


@pytest.fixture(autouse=True)
def small_attacks_in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "160")
    for name, value in SMALL.items():
        monkeypatch.setitem(exploiter.LEARNER, name, value)


def attacked(name, score=0.5, kingdom=FIRST_GAME):
    return Attacked(kingdom, "main", name, score, score - 0.1, score + 0.1, 20)


def test_each_round_adds_opponents_and_begins_with_the_network_of_the_one_before():
    league = League(SETTINGS, (FIRST_GAME,), attacker_weight=3, earlier_weight=0.25)
    assert settings_of_round(league, []) == SETTINGS
    past = [
        Round(1, "m1", (attacked("a"),)),
        Round(2, "m2", (attacked("b"), attacked("c"))),
    ]
    now = settings_of_round(league, past)
    assert now.opponents == ("big-money=2", "a=3", "b=3", "c=3", "m1=0.25", "m2=0.25")
    assert (now.start_from, now.teacher) == ("m2", None)
    assert now.samples == SETTINGS.samples
    # no seed of a run is another's: two attacks of a round have those between
    assert [settings_of_round(league, past[:number]).seed for number in range(3)] == [5, 8, 11]


def test_a_league_goes_on_after_interruptions_to_the_same_networks(monkeypatch):
    whole = list(play_league(LEAGUE, Path("whole"), 2))
    assert [len(each.attacks) for each in whole] == [1, 2]
    assert [attack.start for attack in whole[1].attacks] == ["main", "attacker"]
    assert all(attack.games == 20 for each in whole for attack in each.attacks)
    with monkeypatch.context() as patch:
        press_ctrl_c_after({1, 4, 5, 9}, patch)
        for _ in range(4):
            with pytest.raises(KeyboardInterrupt):
                list(play_league(LEAGUE, Path("again"), 2))
        again = list(play_league(LEAGUE, Path("again"), 2))
    for one, other in zip(whole, again, strict=True):
        names = [
            (one.model, other.model),
            *zip((a.model for a in one.attacks), (a.model for a in other.attacks), strict=True),
        ]
        for first, second in names:
            assert second == first.replace("whole", "again")
            ours, theirs = read_model(first).arrays, read_model(second).arrays
            assert all((ours[name] == theirs[name]).all() for name in ours)
        assert [each.score for each in one.attacks] == [each.score for each in other.attacks]
    # the second round met what had attacked the first
    met = dict(settings_of(Path("whole/round-2/main")).opponents_met())
    assert met == {"big-money": 2, whole[0].attacks[0].model: 1.5, whole[0].model: 0.5}
    starts = [
        json.loads(Path(f"whole/round-2/{FIRST_GAME}-from-{name}/attack.json").read_text())
        for name in ("main", "attacker")
    ]
    assert [each["agent"] for each in starts] == [whole[1].model] * 2
    assert [each["start"] for each in starts] == ["agent", whole[0].attacks[0].model]
    # nothing is played twice, and a third round goes on from there
    before = Path("whole/round-1/main/model.safetensors").stat().st_mtime_ns
    assert list(play_league(LEAGUE, Path("whole"), 2)) == whole
    assert Path("whole/round-1/main/model.safetensors").stat().st_mtime_ns == before
    assert [each.number for each in play_league(LEAGUE, Path("whole"), 3)] == [1, 2, 3]


def test_a_run_that_was_killed_before_its_first_checkpoint_begins_anew():
    run = Path("league/round-1/main")
    run.mkdir(parents=True)
    (run / "settings.yaml").write_text("half")
    [played] = play_league(LEAGUE, Path("league"), 1)
    assert read_model(played.model).units == (32, 32)


def test_the_best_attacker_of_the_round_before_attacks_again(monkeypatch):
    begun = []
    result = SimpleNamespace(score=0.5, interval=lambda: (0.4, 0.6), num_games=20)

    def attack(main, kingdom, **options):
        begun.append((main, options["start"], options["seed"]))
        return SimpleNamespace(model=SimpleNamespace(to_bytes=lambda: b""), result=result)

    monkeypatch.setattr(rounds, "train_exploiter", attack)
    monkeypatch.setattr(rounds, "_main", lambda settings, run, executor: run)
    there = Path("league/round-1")
    there.mkdir(parents=True)
    Path("league/round-2").mkdir()
    attacks = [vars(attacked(name, score)) for name, score in (("a", 0.4), ("b", 0.6), ("c", 0.5))]
    (there / "round.json").write_text(json.dumps({"number": 1, "model": "m1", "attacks": attacks}))
    list(play_league(LEAGUE, Path("league"), 2))
    assert begun == [("league/round-2/main", "agent", 9), ("league/round-2/main", "b", 10)]


def test_it_ends_where_attacks_find_little():
    [only] = play_league(LEAGUE, Path("league"), 3, until=1.0)
    assert only.number == 1
    assert not Path("league/round-2").exists()


def test_another_league_is_not_continued(monkeypatch):
    with monkeypatch.context() as patch:
        press_ctrl_c_after({1}, patch)
        with pytest.raises(KeyboardInterrupt):
            list(play_league(LEAGUE, Path("league"), 1))
    for other in (
        League(SETTINGS.but(seed=6), (FIRST_GAME,), 4_000, measured=20),
        League(SETTINGS, (FIRST_GAME,), 5_000, measured=20),
    ):
        with pytest.raises(ResultsMismatch, match="league holds another league"):
            list(play_league(other, Path("league"), 1))
    Path("league/league.json").write_text("{")
    with pytest.raises(InvalidOption, match="a damaged file"):
        list(play_league(LEAGUE, Path("league"), 1))


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"kingdoms": ()}, "kingdoms: expected at least one"),
        ({"kingdoms": (FIRST_GAME, FIRST_GAME)}, "each once"),
        ({"kingdoms": ("test",)}, "kingdom: expected one set of ten cards"),
        ({"kingdoms": ("big-money-1e",)}, "kingdoms: expected first-game-2e, as the network is for one kingdom"),
        ({"attack_samples": 0}, "attack_samples: expected a whole number from 1, got 0"),
        ({"measured": 7}, "games: expected a multiple of 2"),
        ({"attacker_weight": -1.0}, "attacker_weight: expected a weight from 0, got -1"),
        ({"earlier_weight": float("nan")}, "earlier_weight: expected a weight from 0, got nan"),
    ],
)
def test_a_wrong_league_is_explained(values, said):
    with pytest.raises(DominionError, match=said):
        League(**{"settings": SETTINGS, "kingdoms": (FIRST_GAME,), **values})


def test_a_network_for_all_is_attacked_on_several_kingdoms():
    assert League(SETTINGS.but(slots="all"), (FIRST_GAME, "big-money-1e")).kingdoms == (FIRST_GAME, "big-money-1e")


def write_preset():
    values = json.loads(json.dumps(SETTINGS.as_dict()))
    Path("small.yaml").write_text(yaml.safe_dump(values))


CALL = ["--preset", "small.yaml", "--out", "league", "--attack-samples", "4000", "--measured", "20"]


def test_the_command_tells_each_attack(capsys, monkeypatch):
    write_preset()
    with monkeypatch.context() as patch:
        press_ctrl_c_after({2}, patch)
        assert main([*CALL, "--rounds", "1"]) == 130
    assert "The league in league is kept: the same command goes on from there." in capsys.readouterr().out
    assert main([*CALL, "--rounds", "1"]) == 0
    told = capsys.readouterr().out
    [attack] = json.loads(Path("league/round-1/round.json").read_text())["attacks"]
    assert f"{attack['score']:.1%}" in told
    assert "The network of round 1: league/round-1/main/model.safetensors" in told


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (["--preset", "gone"], "preset: expected one of"),
        (["--rounds", "0"], "rounds: expected a whole number from 1, got 0"),
        (["--until", "55"], "--until: expected a score from 0 to 1, got 55"),
        (["--kingdom", "nowhere"], "nowhere"),
    ],
)
def test_a_wrong_call_is_explained(call, said, capsys):
    write_preset()
    assert main([*CALL, *call]) == 1
    assert said in " ".join(capsys.readouterr().err.split())
    assert not Path("league").exists()
