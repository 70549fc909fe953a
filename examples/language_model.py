"""A language model behind an OpenAI-compatible endpoint, as a player in words.

    pip install "dominion_env[llm,research]"
    export LLM_URL=https://api.openai.com/v1 LLM_MODEL=NAME LLM_KEY=...
    dominion compare text:examples/language_model.py:player big-money --games 20 --workers 4 --max-cost-per-game 0.50

LLM_PRICES="2.5,10" are the prices of a million tokens read and written, for the cost in the report. A server of your own, such
as vLLM, Ollama or llama.cpp, needs no key.
"""

from __future__ import annotations

import os
import time

import httpx

TRIES = 3  # requests for one answer


class LanguageModel:
    """A function of a text to a text: one request each, without memory.

    Args:
        url: base of the endpoint; `/chat/completions` is added.
        model: name of the model.
        key: key of the endpoint; "" for none.
        prices: prices of a million tokens that it reads, and that it writes.
        timeout: seconds until a request has failed.
        pause: seconds before the second request, twice as many before the third.

    Attributes:
        used: totals of tokens, cost, and requests that have failed, which `dominion compare` reports.
        made_of: which model it is, so that games of another one are never taken for its own.
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
        self._url, self._model, self._prices, self._pause = f"{url.rstrip('/')}/chat/completions", model, prices, pause
        self._client = httpx.Client(headers={"Authorization": f"Bearer {key}"} if key else {}, timeout=timeout)
        self.made_of = f"{model} at {self._url}"
        self.used: dict[str, float] = {"tokens": 0, "cost": 0.0, "failed": 0}

    def __call__(self, text: str) -> str:
        """Return the last line of what the model answers.

        Raises:
            ConnectionError: all requests have failed, or the endpoint refuses them. The match stops, and goes on where it was.
        """
        for attempt in range(TRIES):
            try:
                return self._answer(text)
            except httpx.HTTPStatusError as error:
                why = f"HTTP {error.response.status_code} {error.response.reason_phrase}"
                if error.response.status_code in (400, 401, 403, 404):  # asking again would not help
                    self.used["failed"] += 1
                    break
            except httpx.TimeoutException:
                why = "no answer in time"
            except httpx.HTTPError as error:
                why = f"{type(error).__name__}: {error}"
            except ValueError as error:
                why = str(error)
            self.used["failed"] += 1
            if attempt + 1 < TRIES:
                time.sleep(self._pause * 2**attempt)
        raise ConnectionError(f"{self._url}: {why} ({attempt + 1} requests)")

    def _answer(self, text: str) -> str:
        asked = {"model": self._model, "messages": [{"role": "user", "content": text}]}
        response = self._client.post(self._url, json=asked).raise_for_status()
        try:
            told = response.json()
        except ValueError as error:
            raise ValueError(f"expected JSON, got {response.text[:60]!r}") from error
        try:
            said = told["choices"][0]["message"]["content"] or ""
            usage = told.get("usage") or {}
            read, written = (int(usage.get(f"{kind}_tokens", 0)) for kind in ("prompt", "completion"))
            answer = [line for line in ["", *map(str.strip, said.splitlines())] if line or not said.strip()][-1]
        except (LookupError, TypeError, AttributeError) as error:
            raise ValueError(f"expected a chat completion, got {str(told)[:60]!r}") from error
        self.used["tokens"] += read + written
        self.used["cost"] += (read * self._prices[0] + written * self._prices[1]) / 1e6
        return answer


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
