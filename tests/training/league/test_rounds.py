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
from dominion_training.learner import run as runs
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


@pytest.fixture
def stubbed(monkeypatch):
    """Let nobody train: each attack scores what stands in `scores` for its kingdom; return what began with what."""
    begun, scores = [], {}

    def attack(main, kingdom, **options):
        begun.append((main, kingdom, options["start"], options["seed"], options["num_players"], options["executor"]))
        score = scores.get(kingdom, 0.5)
        result = SimpleNamespace(score=score, interval=lambda: (score, score), num_games=options["measured"])
        return SimpleNamespace(model=SimpleNamespace(to_bytes=lambda: b""), result=result)

    def main_of_round(settings, run, command, executor):
        run.mkdir(parents=True)
        return run / "m"

    monkeypatch.setattr(rounds, "train_exploiter", attack)
    monkeypatch.setattr(rounds, "_main", main_of_round)
    return SimpleNamespace(begun=begun, scores=scores)


def test_each_round_adds_opponents_and_begins_with_the_network_of_the_one_before():
    league = League(SETTINGS, (FIRST_GAME,), attackers_weight=4.5, earlier_weight=0.5)
    assert settings_of_round(league, []) == SETTINGS
    past = [
        Round(1, "m1", (attacked("a"),)),
        Round(2, "m2", (attacked("b"), attacked("c"))),
    ]
    now = settings_of_round(league, past)
    assert now.opponents == ("big-money=2", "a=1.5", "b=1.5", "c=1.5", "m1=0.25", "m2=0.25")
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
    assert met == {"big-money": 2, whole[0].attacks[0].model: 4, whole[0].model: 1}
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


def test_a_run_that_was_killed_before_its_first_checkpoint_begins_again(monkeypatch):
    def killed(settings, run, **options):
        run.mkdir(parents=True)
        (run / "settings.yaml").write_text("half")
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(rounds, "train", killed)
        with pytest.raises(KeyboardInterrupt):
            list(play_league(LEAGUE, Path("league"), 1))
    [played] = play_league(LEAGUE, Path("league"), 1)
    assert read_model(played.model).units == (32, 32)


def test_a_run_of_which_only_the_checkpoint_before_is_left_goes_on(monkeypatch):
    with monkeypatch.context() as patch:
        press_ctrl_c_after({1}, patch)
        with pytest.raises(KeyboardInterrupt):
            list(play_league(LEAGUE, Path("league"), 1))
    run = Path("league/round-1/main").resolve()
    (run / "checkpoint.safetensors").rename(run / "checkpoint-before.safetensors")
    resumed = []
    monkeypatch.setattr(rounds, "train", lambda settings, folder, **options: resumed.append(options["resume"]))
    with pytest.raises(KeyboardInterrupt):
        list(play_league(LEAGUE, Path("league"), 1))
    assert resumed == [run]
    assert (run / "checkpoint-before.safetensors").exists()


def test_weights_are_written_as_settings_read_them():
    league = League(SETTINGS, (FIRST_GAME,), attackers_weight=3e6, earlier_weight=1e-5)
    met = dict(settings_of_round(league, [Round(1, "m1", (attacked("a"), attacked("b")))]).opponents_met())
    assert met == {"big-money": 2, "a": 1.5e6, "b": 1.5e6, "m1": 1e-5}


def test_the_best_attacker_of_a_kingdom_attacks_it_again(stubbed):
    league = League(
        SETTINGS.but(kingdom="train", slots="all", players=3, anchor_games=6, eval_games=6),
        ("train:1", "train:2"),
        measured=21,
    )
    here, executor = Path("league").resolve(), object()
    list(play_league(league, Path("league"), 1, executor=executor))
    kept = json.loads((here / "round-1/round.json").read_text())
    kept["attacks"] = [vars(attacked(name, score, f"train:{place}")) for name, score, place in
                       (("a", 0.4, 1), ("b", 0.6, 1), ("c", 0.7, 2), ("d", 0.5, 2))]  # fmt: skip
    (here / "round-1/round.json").write_text(json.dumps(kept))
    stubbed.begun.clear()
    list(play_league(league, Path("league"), 2, executor=executor))
    main = str(here / "round-2/main/m")
    assert stubbed.begun == [
        (main, "train:1", "agent", 11, 3, executor), (main, "train:1", str(here / "round-1/b"), 12, 3, executor),
        (main, "train:2", "agent", 13, 3, executor), (main, "train:2", str(here / "round-1/c"), 14, 3, executor),
    ]  # fmt: skip


@pytest.mark.parametrize(("until", "played"), [(None, 3), (0.6, 1), (0.59, 3)])
def test_it_ends_where_attacks_find_little(stubbed, until, played):
    stubbed.scores.update({"train:1": 0.6, "train:2": 0.4})
    league = League(SETTINGS.but(kingdom="train", slots="all"), ("train:1", "train:2"), measured=20)
    assert len(list(play_league(league, Path("league"), 3, until))) == played


def test_a_league_may_be_moved_between_two_rounds(stubbed):
    first = list(play_league(LEAGUE, Path("league"), 1))
    assert list(play_league(LEAGUE, Path.cwd() / "league", 1)) == first
    Path("league").rename("moved")
    [there] = play_league(LEAGUE, Path("moved"), 1)
    assert there.model == str(Path("moved").resolve() / "round-1/main/m")
    assert [attack.model for attack in there.attacks] == [
        str(Path("moved").resolve() / f"round-1/{FIRST_GAME}-from-main.safetensors")
    ]


def test_a_run_that_was_stopped_while_it_drew_its_pictures_is_finished(monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(runs, "_draw", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            list(play_league(LEAGUE, Path("league"), 1))
    assert Path("league/round-1/main/model.safetensors").exists()
    list(play_league(LEAGUE, Path("league"), 1))
    assert Path("league/round-1/main/deck.png").exists()


def test_three_players_have_a_league(monkeypatch):
    monkeypatch.delitem(exploiter.LEARNER, "anchor_games")
    settings = SETTINGS.but(players=3, anchor_games=3, eval_games=3)
    [played] = play_league(League(settings, (FIRST_GAME,), 4_000, measured=21), Path("league"), 1)
    assert [attack.games for attack in played.attacks] == [21]
    assert read_model(played.attacks[0].model).layout.num_players == 3


def test_another_league_is_not_continued(stubbed):
    own = "Province; Gold; Silver"
    Path("own.strategy").write_text(own)
    league = League(SETTINGS.but(opponents=["own.strategy"]), (FIRST_GAME,), 4_000, measured=20)
    list(play_league(league, Path("league"), 1))
    for other, said in (
        (
            League(SETTINGS.but(opponents=["own.strategy"], seed=6), (FIRST_GAME,), 4_000, measured=20),
            "seed 5 there, 6 here",
        ),
        (League(league.settings, (FIRST_GAME,), 5_000, measured=20), "attack_samples 4000 there, 5000 here"),
        (League(league.settings, (FIRST_GAME,), 4_000, 2.0, measured=20), "attackers_weight 4.0 there, 2.0 here"),
    ):
        with pytest.raises(
            ResultsMismatch, match=f"league holds a league that can't be continued: {said}. Choose another"
        ):
            list(play_league(other, Path("league"), 1))
    Path("own.strategy").write_text("Province; Gold")
    with pytest.raises(ResultsMismatch, match="made_of"):
        list(play_league(league, Path("league"), 1))
    Path("own.strategy").write_text(own)
    list(play_league(league, Path("league"), 1))
    kept = json.loads(Path("league/league.json").read_text())
    Path("league/league.json").write_text(json.dumps({**kept, "rules": 1}))
    with pytest.raises(ResultsMismatch, match="rules 1 there, "):
        list(play_league(league, Path("league"), 1))


@pytest.mark.parametrize("content", ["{", "[]", "null"])
def test_a_damaged_file_is_explained(stubbed, content):
    list(play_league(LEAGUE, Path("league"), 1))
    for name in ("league/round-1/round.json", "league/league.json"):
        Path(name).write_text(content)
        with pytest.raises(InvalidOption, match=f"{name}: expected "):
            list(play_league(LEAGUE, Path("league"), 1))
    Path("league/league.json").unlink()
    with pytest.raises(InvalidOption, match=r"expected the folder of a league, with its league\.json, or an empty one"):
        list(play_league(LEAGUE, Path("league"), 1))


@pytest.mark.parametrize(
    ("values", "said"),
    [({"teacher": "nobody"}, "'nobody' is no agent"), ({"kingdom": "train", "slots": "kingdom"}, "slots"),
     ({"seed": (1 << 32) - 2}, "seed: expected a whole number from 0 to 4294967295")],
)  # fmt: skip
def test_a_wrong_setting_leaves_no_folder(values, said):
    with pytest.raises(DominionError, match=said):
        list(
            play_league(
                League(SETTINGS.but(**values), (values.get("kingdom", FIRST_GAME) + ":1" * ("kingdom" in values),)),
                Path("league"),
                1,
            )
        )
    assert not Path("league").exists()


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"kingdoms": ()}, "kingdoms: expected at least one"),
        ({"kingdoms": (FIRST_GAME, FIRST_GAME)}, "each once"),
        ({"kingdoms": ("test",)}, "kingdom: expected one set of ten cards"),
        (
            {"kingdoms": ("big-money-1e",)},
            "kingdoms: expected some of those in which the network learns, 'first-game-2e'",
        ),
        (
            {"kingdoms": (FIRST_GAME,), "settings": SETTINGS.but(kingdom="train", slots="all")},
            "'train', got 'first-game-2e'",
        ),
        ({"attack_samples": 0}, "attack_samples: expected a whole number from 1, got 0"),
        ({"measured": 7}, "games: expected a multiple of 2"),
        ({"attackers_weight": -1.0}, "attackers_weight: expected a weight from 0, got -1"),
        ({"earlier_weight": float("nan")}, "earlier_weight: expected a weight from 0, got nan"),
    ],
)
def test_a_wrong_league_is_explained(values, said):
    with pytest.raises(DominionError, match=said):
        League(**{"settings": SETTINGS, "kingdoms": (FIRST_GAME,), **values})


@pytest.mark.parametrize(
    "values", [{"kingdom": "random"}, {"kingdom": "train", "beside": [f"{FIRST_GAME}=300", "big-money-1e=2"]}]
)
def test_a_network_for_all_is_attacked_where_it_learns(values):
    kingdoms = (FIRST_GAME, "big-money-1e")
    assert League(SETTINGS.but(slots="all", **values), kingdoms).kingdoms == kingdoms


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
    model = Path("league/round-1/main/model.safetensors")
    assert f"The network of round 1: {model.resolve()}" in "".join(told.split("\n"))
    command = "python -m dominion_training.league --preset small.yaml --out league"
    for path in (model, Path("league/round-1") / attack["model"]):
        assert read_model(path).card["command"].startswith(command)


def test_the_command_hands_its_options_on(monkeypatch):
    write_preset()
    given = []
    monkeypatch.setattr(rounds, "play_league", lambda *args: given.append(args) or [])
    options = [
        "--rounds",
        "2",
        "--until",
        "0.5",
        "--attackers-weight",
        "7",
        "--earlier-weight",
        "8",
        "--kingdom",
        FIRST_GAME,
    ]
    assert main([*CALL, *options]) == 0
    [(league, folder, number, until, command, executor)] = given
    assert (league.attackers_weight, league.earlier_weight, league.kingdoms) == (7, 8, (FIRST_GAME,))
    assert (league.attack_samples, league.measured) == (4_000, 20)
    assert (folder, number, until, executor) == (Path("league"), 2, 0.5, None)
    assert "--attackers-weight 7" in command


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
