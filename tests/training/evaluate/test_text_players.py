"""Players in words: what they read, wrong answers by policy and kind, limits, and what is reported."""

from __future__ import annotations

import json

import numpy as np
import pytest

from dominion_agents.own_code.loading import is_code, with_policy
from dominion_agents.own_code.text import TextAgent
from dominion_app.cli import main
from dominion_app.play.table import continued
from dominion_env import Game, GameBatch, InvalidAgent, InvalidOption, make_agent
from dominion_env.players.agent import ask, gains_for
from dominion_env.text import TextGame
from dominion_training.evaluate.losses import END, Trial
from dominion_training.evaluate.taken import taken
from dominion_training.play import roster
from dominion_training.play.entrants import fingerprint, make_entrant
from dominion_training.play.loop import Player
from dominion_training.play.roster import Roster
from dominion_training.play.sets import FORFEIT, play_sets
from tests.training.evaluate.speakers import MODULE, Mumbler, money, mute

pytestmark = pytest.mark.compiled

OPTIONS = {"auto_treasures": True, "max_turns": 20}
BIG_MONEY = Player("big-money", make_agent("big-money"))


def games_of(function, policy="retry,first", sets=1, **options):
    return play_sets(
        [Player("text", TextAgent(function, policy)), BIG_MONEY], range(sets), seed=2, **OPTIONS, **options
    )


def test_it_reads_what_a_game_in_words_tells_the_same_seat():
    """`TextGame` is the same game for one seat; its opponent's moves are in the texts."""
    texts = []

    def reads(text):
        texts.append(text)
        return money(text)

    game = TextGame("big-money", seat=0, seed=5, max_turns=20)
    batch = GameBatch(1, seed=5, auto_treasures=True, autoreset=False, max_turns=20, record=True)
    agent, other = TextAgent(reads), make_agent("big-money")
    gains = gains_for(batch, [agent, other])
    while not batch.state["over"][0]:
        mine = batch.current_player[0] == 0
        told = game.rules + "\n\n" + game.text
        batch.step(ask(agent if mine else other, batch, gains=gains))
        gains.update()
        if mine:
            assert texts.pop() == told
            game.answer(money(told))
    assert game.is_over
    assert game.scores == batch.scores[0].tolist()


def test_a_player_in_words_plays_in_compare_and_what_it_takes_is_reported(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "160")
    spec = f"text:{MODULE}:Mumbler"
    call = ["compare", spec, "big-money", "--games", "4", "--workers", "1", "--max-turns", "20", "--json", "found.json"]
    assert main([*call, "--wrong", "retry,pass"]) == 0
    found = json.loads((tmp_path / "found.json").read_text())
    named = f"text/retry,pass:{MODULE}:Mumbler"
    assert found["first"] == named
    [(agent, taken)] = found["taken"].items()
    assert agent == named
    assert taken["games"] == 4
    assert taken["answers"] == 2 * taken["decisions"]
    assert taken["wrong_share"] == 0.5
    assert sum(taken["wrong_answers"].values()) == taken["decisions"]
    assert min(taken["wrong_answers"].values()) > 0
    assert taken["decided_by_policy"] == 0
    assert taken["tokens_per_game"] == 100 * taken["answers"] / 4
    shown = " ".join(capsys.readouterr().out.split())
    assert f"50.00% of {taken['answers']:,} (unreadable" in shown
    assert "tokens for" in shown


@pytest.mark.parametrize("policy", ["retry,first", "first", "retry,pass", "pass"])
def test_after_a_wrong_answer_the_policy_decides(policy):
    games = games_of(mute, policy)
    found = taken([(games, True)])
    assert found["answers"] == found["decisions"] * (2 if "retry" in policy else 1)
    assert found["wrong_answers"] == {"unreadable": 0, "not_legal": 0, "several": 0, "empty": found["answers"]}
    assert found["decided_by_policy"] == found["decisions"]
    assert games["ended"].max() < max(FORFEIT)


def test_a_player_that_is_to_lose_has_lost_with_its_first_wrong_answer():
    games = games_of(mute, "retry,lose")
    found = taken([(games, True)])
    own = games["shares"][np.arange(2), games["rotation"]]
    assert own.tolist() == [0, 0]
    assert games["shares"].sum() == 2
    assert games["ended"].tolist() == [*FORFEIT] * 2
    assert (found["given_up"], found["answers"], found["lost_by_limit"]) == (2, 4, 0)


def test_the_reason_comes_with_the_second_question():
    speaker = Mumbler()
    games_of(speaker)
    first, second = speaker.texts[2:4]
    assert second.startswith(first)
    assert "Your last answer was not taken: " in second
    assert "“I like cards”" in second


def test_without_the_list_no_answers_are_told():
    games_of(lambda text: "pass" if "Answers:" not in text else "told", "lose,unlisted")


def test_a_cost_beyond_the_limit_loses_the_game_that_has_used_it():
    games = games_of(Mumbler(), limits={"tokens": 1000})
    found = taken([(games, True)])
    assert found["lost_by_limit"] == 2
    assert found["tokens_per_game"] == 1200


@pytest.mark.parametrize("policy", ["", "first,pass", "retry,luck", "retry,,first"])
def test_policies_that_mean_nothing_are_refused(policy):
    with pytest.raises(InvalidOption, match="policy: expected retry, unlisted and one of first, pass, lose"):
        TextAgent(mute, policy)


def test_what_its_decisions_cost_is_measured_once_with_what_it_has_seen(monkeypatch):
    texts = []

    def reads(text):
        texts.append(text)
        return money(text)

    monkeypatch.setattr("dominion_training.play.roster.HERE", Roster())
    roster.HERE.take_in("mine", TextAgent(reads), None)
    options = {**OPTIONS, "max_turns": 4}
    [part] = Trial("mine", "big-money", seed=5, options=options, playouts=60).parts(2)
    rows = part.play()
    assert (rows["kind"] != END).sum() == 8
    of_losses, texts[:] = [*texts], []
    play_sets([Player("mine", TextAgent(reads)), BIG_MONEY], range(1), seed=5, games_at_once=1, **options)
    assert sorted(of_losses) == sorted(texts)


def test_who_gives_up_has_lost_the_game_that_is_judged(monkeypatch):
    monkeypatch.setattr("dominion_training.play.roster.HERE", Roster())
    roster.HERE.take_in("mine", TextAgent(mute, "lose"), None)
    [part] = Trial("mine", "big-money", seed=5, options=OPTIONS, playouts=60).parts(2)
    assert part.play()[["kind", "share"]].tolist() == [(END, 0), (END, 0)]


def test_it_is_refused_where_games_must_come_out_the_same_again():
    with pytest.raises(InvalidOption, match="expected an agent that answers alike each time"):
        make_entrant(f"text:{MODULE}:money")
    with pytest.raises(InvalidAgent, match="expected a function of a text that returns a text, got 17"):
        make_agent(f"text:{MODULE}:NUMBER")


async def waiting(text):
    return "pass"


def yielding(text):
    yield "pass"


class Awaited:
    async def __call__(self, text):
        return "pass"


@pytest.mark.parametrize("name", ["waiting", "yielding", "Awaited"])
def test_a_function_that_returns_no_answer_but_a_promise_of_one_is_refused(name):
    with pytest.raises(InvalidAgent, match="expected a function of a text that returns a text, got <"):
        make_agent(f"text:{__name__}:{name}")


def test_a_policy_can_be_chosen_only_for_players_in_words(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["compare", "random", "big-money", "--games", "2", "--wrong", "lose"]) == 1
    assert "--wrong: expected an agent text:module:function, got random, big-money" in capsys.readouterr().err
    assert with_policy("text/first:a:b", "lose") == "text/first:a:b"
    assert with_policy("text:x/y.py:b", "lose") == "text/lose:x/y.py:b"
    assert with_policy("text/unlisted:a:b", "lose") == "text/lose,unlisted:a:b"
    assert with_policy("text:function", "lose") == "text:function"  # of a module with the name `text`


def test_it_is_code_so_a_saved_game_does_not_load_it_without_trust(tmp_path):
    spec = f"text:{MODULE}:money"
    assert is_code(spec)
    assert fingerprint(spec) not in (None, fingerprint(f"{MODULE}:money"))
    file = tmp_path / "game.json"
    file.write_text(json.dumps({**Game().replay(), "agents": [None, spec]}))
    with pytest.raises(InvalidOption, match="trust"):
        continued(file)


def test_it_is_watched_with_what_has_happened_in_its_texts(capsys):
    assert main(["watch", f"text:{MODULE}:money", "big-money", "--plain", "--seed", "3", "--max-turns", "8"]) == 0
    assert "buys Silver" in capsys.readouterr().out
