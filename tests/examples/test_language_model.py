"""The player behind an endpoint, against a server of the test's own that answers, fails, stalls and lies."""

from __future__ import annotations

import json
import os
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

pytest.importorskip("httpx")

from dominion_app.cli import main
from dominion_training.play.roster import Roster
from examples.language_model import player
from tests.training.evaluate.speakers import money

pytestmark = pytest.mark.compiled

SPEC = "text:examples.language_model:player"
STALL = 0.6
MOST_BYTES = 10**5


class Endpoint(BaseHTTPRequestHandler):
    """Answers as `money`, in the form of a chat completion; `faults` says what comes before each answer."""

    faults: tuple[str, ...] = ()
    number = 0
    key = "secret-key"
    wait = "0"  # seconds that it asks for

    def do_POST(self):
        """Answer a request."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        kind = type(self)
        fault = kind.faults[kind.number % len(kind.faults)] if kind.faults else ""
        kind.number += 1
        if self.headers["Authorization"] != f"Bearer {self.key}":
            fault = "401"
        said = {"choices": [{"message": {"content": f"I think.\n\n{money(body['messages'][0]['content'])}"}}]}
        said["usage"] = {"prompt_tokens": 1000, "completion_tokens": 10}
        if fault == "stall":
            time.sleep(STALL)
        text = {
            "html": "<html>busy</html>", "schema": '{"error": 1}', "list": "[]", "echo": self.headers["Authorization"],
            "endless": '{"usage": {"prompt_tokens": 1e999}}', "deep": "[" * 10**4, "huge": "x" * (MOST_BYTES + 1),
            "no choices": json.dumps({**said, "choices": []}), "drip": " " * 40,
            "fence": json.dumps({**said, "choices": [{"message": {"content": "```\nbuy Silver\n```"}}]}),
        }.get(fault, json.dumps(said))  # fmt: skip
        try:
            self.send_response(int(fault) if fault.isdecimal() else 200)
            self.send_header("Content-Length", str(len(text)))
            self.send_header("Retry-After", self.wait)
            self.end_headers()
            for piece in text if fault == "drip" else (text,):
                self.wfile.write(piece.encode())
                time.sleep(0.05 if fault == "drip" else 0)
        except OSError:  # the client has not waited
            pass

    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture
def endpoint(monkeypatch, tmp_path):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    settings = {
        "LLM_URL": f"http://127.0.0.1:{server.server_port}/v1", "LLM_MODEL": "small", "LLM_KEY": Endpoint.key,
        "LLM_PRICES": "2,10", "LLM_PAUSE": "0", "LLM_TIMEOUT": "0.3",
    }  # fmt: skip
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("dominion_training.play.roster.HERE", Roster())
    monkeypatch.setattr("examples.language_model.MOST_BYTES", MOST_BYTES)
    Endpoint.faults, Endpoint.number = (), 0
    yield Endpoint
    server.shutdown()
    server.server_close()


def compared(folder, *more):
    """Compare in a folder and return the exit status and the record."""
    call = ["compare", SPEC, "big-money", "--games", "2", "--workers", "1", "--seed", "3", "--max-turns", "12"]
    status = main([*call, "--out", str(folder), *more])
    file = folder / "result.json"
    return status, json.loads(file.read_text()) if file.exists() else None


@pytest.mark.slow
def test_failures_are_counted_and_the_games_are_the_same(endpoint, tmp_path):
    _, honest = compared(tmp_path / "honest")
    endpoint.faults = ("500", "html", "", "schema", "429", "", "", "list", "", "stall", "", *[""] * 30)
    endpoint.number = 0
    _, troubled = compared(tmp_path / "troubled")
    [one], [two] = (found["taken"].values() for found in (honest, troubled))
    assert one["failed_requests"] == 0
    assert two["failed_requests"] >= 6
    assert one["tokens_per_game"] == 1010 * one["answers"] / 2
    assert one["cost_per_game"] == pytest.approx((2000 + 100) / 1e6 * one["answers"] / 2)
    assert one["wrong_share"] == 0
    for same in ("score", "endings", "rounds", "games"):
        assert honest[same] == troubled[same]
    for same in ("decisions", "answers", "tokens_per_game"):
        assert one[same] == two[same]


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("500", "HTTP 500 Internal Server Error (3 requests)"),
        ("html", "expected JSON, got '<html>busy</html>' (3 requests)"),
        ("schema", "expected a chat completion, got"),
        ("list", "expected a chat completion, got"),
        pytest.param("stall", "no answer in time (3 requests)", marks=pytest.mark.slow),
        pytest.param("drip", "no answer in time (3 requests)", marks=pytest.mark.slow),
        ("401", "HTTP 401 Unauthorized (1 requests)"),
        ("302", "HTTP 302 Found (1 requests)"),
        ("422", "HTTP 422 Unprocessable Entity (1 requests)"),
        ("echo", "expected JSON, got 'Bearer ...' (3 requests)"),
        ("endless", "expected a chat completion, got"),
        ("deep", "expected JSON, got '[[[["),
        ("huge", "expected at most 100,000 bytes, got more (3 requests)"),
    ],
)
def test_an_endpoint_that_only_fails_stops_the_match_in_words(fault, words, endpoint, tmp_path, capsys):
    endpoint.faults = (fault,)
    assert compared(tmp_path / "out") == (1, None)
    said = capsys.readouterr().err
    assert "raised ConnectionError: http://127.0.0.1:" in said
    assert words in said
    assert "Traceback" not in said
    assert endpoint.key not in said


def test_after_a_failure_the_same_command_goes_on_with_what_is_missing(endpoint, tmp_path, capsys):
    assert compared(tmp_path / "out")[0] == 0
    asked, endpoint.faults = endpoint.number, ("500",)
    more = ["--games", "4"]
    assert compared(tmp_path / "out", *more)[0] == 1
    assert "are kept: the same command goes on from there." in " ".join(capsys.readouterr().out.split())
    endpoint.faults = ()
    status, found = compared(tmp_path / "out", *more)
    assert (status, found["games"]) == (0, 4)
    [taken] = found["taken"].values()
    assert endpoint.number == taken["answers"] + 3  # those that failed
    assert asked < taken["answers"]


def test_games_of_another_model_are_not_taken_for_those_of_this_one(endpoint, tmp_path, monkeypatch):
    _, one = compared(tmp_path / "out")
    assert one["remarks"] == [f"{SPEC} is small at {os.environ['LLM_URL']}/chat/completions."]
    asked = endpoint.number
    assert compared(tmp_path / "out")[0] == 0
    assert endpoint.number == asked
    monkeypatch.setenv("LLM_MODEL", "large")
    _, other = compared(tmp_path / "out")
    assert endpoint.number == 2 * asked
    assert other["remarks"][0].startswith(f"{SPEC} is large at ")


def test_what_an_answer_takes_is_counted_also_if_it_can_not_be_read(endpoint):
    endpoint.faults = ("no choices", "fence")
    model = player()
    assert model("Answers: 1 pass") == "buy Silver"
    assert model.used == {"tokens": 2020, "cost": pytest.approx(2 * 2100 / 1e6), "failed": 1}


def test_an_endpoint_says_how_long_to_wait(endpoint, monkeypatch):
    endpoint.faults, waited = ("429", "500", ""), []
    monkeypatch.setattr(endpoint, "wait", "7")
    monkeypatch.setattr(time, "sleep", waited.append)
    assert player()("Answers: 1 pass") == "1"
    assert [each for each in waited if each] == [7, 7]


def test_keys_and_passwords_are_never_shown(endpoint, monkeypatch):
    monkeypatch.setenv("LLM_KEY", f" {endpoint.key}\r\n")
    assert player()("Answers: 1 pass") == "1"
    monkeypatch.setenv("LLM_KEY", "secret\nkey")
    with pytest.raises(ValueError, match="the key: expected printable ASCII characters, got others"):
        player()
    monkeypatch.setenv("LLM_KEY", "")
    monkeypatch.setenv("LLM_URL", "http://me:secret@127.0.0.1:1/v1")
    with pytest.raises(ConnectionError, match=r"^http://127\.0\.0\.1:1/v1/chat/completions: "):
        player()("")
    assert player().made_of == "small at http://127.0.0.1:1/v1/chat/completions"


def test_what_is_not_set_is_told(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr("dominion_training.play.roster.HERE", Roster())
    monkeypatch.delenv("LLM_URL", raising=False)
    assert main(["compare", SPEC, "big-money", "--games", "2", "--out", str(tmp_path / "out")]) == 1
    assert "LLM_URL is not set" in capsys.readouterr().err
