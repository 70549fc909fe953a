"""A language model behind an OpenAI-compatible endpoint, as a player in words.

    pip install "dominion_env[llm,research]"
    export LLM_URL=https://api.openai.com/v1 LLM_MODEL=NAME LLM_KEY=...
    dominion compare text:examples/language_model.py:player big-money --games 20 --workers 4 --max-cost-per-game 0.50

LLM_PRICES="2.5,10" are the prices of a million tokens read and written, for the cost in the report. A server of your own, such
as vLLM, Ollama or llama.cpp, needs no key.
"""

from __future__ import annotations

import json
import os
import re
import time
from typing import Any

import httpx

TRIES = 3  # requests for one answer
LONGEST_WAIT = 60.0  # seconds before the next request that an endpoint may ask for
MOST_BYTES = 10**7  # of one response


class LanguageModel:
    """A function of a text to a text: one request each, without memory.

    Args:
        url: base of the endpoint; `/chat/completions` is added.
        model: name of the model.
        key: key of the endpoint; "" for none.
        prices: prices of a million tokens that it reads, and that it writes.
        timeout: seconds until a request has failed.
        pause: seconds before the second request, twice as many before the third; more if the endpoint asks for more.

    Attributes:
        used: totals of tokens, cost, and requests that have failed, which `dominion compare` reports.
        made_of: which model it is, so that games of another one are never taken for its own.

    Raises:
        ValueError: the key can't be a part of a request.
    """

    def __init__(
        self,
        url: str,
        model: str,
        key: str = "",
        prices: tuple[float, float] = (0.0, 0.0),
        timeout: float = 60.0,
        pause: float = 1.0,
    ) -> None:
        self._key = key.strip()  # a file of keys ends its lines
        if not (self._key.isascii() and self._key.isprintable()):
            raise ValueError("the key: expected printable ASCII characters, got others")
        self._url, self._model, self._prices = f"{url.rstrip('/')}/chat/completions", model, prices
        self._timeout, self._pause = timeout, pause
        self._client = httpx.Client(
            headers={"Authorization": f"Bearer {self._key}"} if self._key else {}, timeout=timeout
        )
        self._place = re.sub("//[^/]*@", "//", self._url)  # without a password
        self.made_of = f"{model} at {self._place}"
        self.used: dict[str, float] = {"tokens": 0, "cost": 0.0, "failed": 0}

    def __call__(self, text: str) -> str:
        """Return the last line of what the model answers.

        Raises:
            ConnectionError: all requests have failed, or the endpoint refuses them. The match stops, and goes on where it was.
        """
        for attempt in range(TRIES):
            pause = self._pause * 2**attempt
            try:
                return self._answer(text)
            except httpx.HTTPStatusError as error:
                code, wanted = error.response.status_code, error.response.headers.get("Retry-After", "")
                why = f"HTTP {code} {error.response.reason_phrase}"
                if code < 500 and code not in (408, 409, 429):  # asking again would not help
                    self.used["failed"] += 1
                    break
                pause = max(pause, min(int(wanted), LONGEST_WAIT) if wanted.isdecimal() else 0)
            except httpx.TimeoutException:
                why = "no answer in time"
            except httpx.HTTPError as error:
                why = f"{type(error).__name__}: {error}"
            except ValueError as error:
                why = str(error)
            self.used["failed"] += 1
            if attempt + 1 < TRIES:
                time.sleep(pause)
        why = why.replace(self._key, "...") if self._key else why
        raise ConnectionError(f"{self._place}: {why} ({attempt + 1} requests)")

    def _answer(self, text: str) -> str:
        body = self._asked({"model": self._model, "messages": [{"role": "user", "content": text}]})
        try:
            told = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"expected JSON, got {body[:60].decode(errors='replace')!r}") from error
        try:
            usage = told.get("usage") or {}
            read, written = (max(0, int(usage.get(f"{kind}_tokens") or 0)) for kind in ("prompt", "completion"))
            self.used["tokens"] += read + written  # also of an answer that can't be read
            self.used["cost"] += (read * self._prices[0] + written * self._prices[1]) / 1e6
            said = told["choices"][0]["message"]["content"] or ""
            return next(
                (line.strip() for line in reversed(said.splitlines()) if any(map(str.isalnum, line))), said[:80]
            )
        except (LookupError, TypeError, AttributeError, ValueError, OverflowError) as error:
            raise ValueError(f"expected a chat completion, got {str(told)[:60]!r}") from error

    def _asked(self, asked: dict[str, Any]) -> bytes:
        """Return the body of the response; the timeout of httpx alone begins anew with each byte."""
        body, end = b"", time.monotonic() + self._timeout
        with self._client.stream("POST", self._url, json=asked) as response:
            response.raise_for_status()
            for piece in response.iter_bytes():
                body += piece
                if len(body) > MOST_BYTES:
                    raise ValueError(f"expected at most {MOST_BYTES:,} bytes, got more")
                if time.monotonic() > end:
                    raise httpx.ReadTimeout("the response goes on")
        return body


def player() -> LanguageModel:
    """Make the player that the environment variables describe."""
    for name in ("LLM_URL", "LLM_MODEL"):
        if name not in os.environ:
            raise ValueError(f"{name} is not set: see the head of examples/language_model.py")
    prices = os.environ.get("LLM_PRICES", "0,0").split(",")
    return LanguageModel(
        os.environ["LLM_URL"],
        os.environ["LLM_MODEL"],
        os.environ.get("LLM_KEY", ""),
        (float(prices[0]), float(prices[1])),
        float(os.environ.get("LLM_TIMEOUT", "60")),
        float(os.environ.get("LLM_PAUSE", "1")),
    )
