"""Agents from functions of a text to a text, such as language models: what they read, and what follows wrong answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from dominion_env.common.errors import InvalidOption
from dominion_env.players.agent import Actions, GivesUp
from dominion_env.players.situation import Situation
from dominion_env.tables.actions import PASS, action_id
from dominion_env.tables.cards import NUM_BASE_CARDS
from dominion_env.text.reading import Answer, read_answer
from dominion_env.text.rules import rules_text
from dominion_env.text.telling import Question, question_for

FALLBACKS = ("first", "pass", "lose")
RETRY, UNLISTED, USUAL = "retry", "unlisted", "retry,first"


class TextAgent:
    """An agent that answers in words, as a language model does.

    At each decision the function is called with one text, which is complete: the rules and the texts of the cards, what its
    seat has seen happen since its last answer, the table, the question, and the legal answers. Nothing is kept between calls.

    Args:
        function: a function that returns an answer in any spelling which fits one legal action alone, or its number. If it
            depends on more than its file, such as the name of a model, it says so in an attribute `made_of`, a text.
        policy: words with commas between, which say what follows a wrong answer. "retry" asks once more, with the reason.
            Then "first" plays the first legal action, "pass" passes where that is legal and else plays the first one, and
            "lose" gives the game up. "unlisted" leaves the list of legal answers out of the text.

    Attributes:
        made_of: that of the function, or "".
        used: totals so far: what the function counts in its own attribute `used`, its answers, the wrong ones of each kind,
            and the decisions that the policy has made (`fallbacks`).

    Raises:
        InvalidOption: the policy has another word, or not one of the three ways to go on.
    """

    reproducible = False
    wants_events = True

    def __init__(self, function: Callable[[str], Any], policy: str = USUAL) -> None:
        words = policy.split(",")
        ways = [word for word in words if word in FALLBACKS] or [USUAL.split(",")[1]]
        if not {*words} <= {RETRY, UNLISTED, *FALLBACKS} or len(ways) > 1:
            raise InvalidOption(
                f"policy: expected {RETRY}, {UNLISTED} and one of {', '.join(FALLBACKS)}, with commas between, got {policy!r}"
            )
        self._function, self._fallback, self._listed = function, ways[0], UNLISTED not in words
        self._tries = 2 if RETRY in words or not {*words} & {*FALLBACKS} else 1
        self._counts: Counter[str] = Counter()
        self.made_of = str(getattr(function, "made_of", ""))

    @property
    def used(self) -> dict[str, float]:
        """See above."""
        return {**(getattr(self._function, "used", None) or {}), **self._counts}

    def decide(self, situation: Situation) -> Actions:
        """See `Searcher.decide`; raises `GivesUp` if the policy says so."""
        return np.array([self._decided(situation, row) for row in range(len(situation))])

    def _decided(self, situation: Situation, row: int) -> int:
        question = self._question(situation, row)
        text = question.text
        for _ in range(self._tries):
            self._counts["answers"] += 1
            said = self._function(text)
            answer = self._read(said, question)
            if answer.action is not None:
                return action_id(answer.action)
            self._counts[answer.wrong.replace(" ", "_")] += 1
            text = f"{question.text}\n\nYour last answer was not taken: {answer.why}"
        self._counts["fallbacks"] += 1
        if self._fallback == "lose":
            raise GivesUp(answer.why)
        legal = situation.action_masks[row]
        return PASS if self._fallback == "pass" and legal[PASS] else int(legal.argmax())

    def _question(self, situation: Situation, row: int) -> Question:
        games, seat = situation.games, int(situation.seats[row])
        state, events = games.state[row], situation.events[row] if situation.events else ()
        question = question_for(games, row, seat, events, self._listed)
        rules = rules_text(
            state["piles"][NUM_BASE_CARDS:].tolist(), int(state["edition"]), games.num_players,
            bool(state["auto_treasures"]), self._listed,
        )  # fmt: skip
        return question._replace(text=f"{rules}\n\n{question.text}")

    def _read(self, said: Any, question: Question) -> Answer:
        if said is None or (isinstance(said, str) and not said.strip()):
            return Answer(False, None, f"Expected an answer, got none. The question is: {question.request}.", "empty")
        return read_answer(said, question.legal, question.request, self._listed)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._function!r})"
