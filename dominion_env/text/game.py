"""`TextGame`: a game for a language model, which reads texts and answers in words."""

from __future__ import annotations

from collections import Counter
from typing import Any, Literal

import numpy as np

from dominion_env.common.checks import flag, seat_or
from dominion_env.common.errors import WrongOrder
from dominion_env.core.batch import DEFAULT_MAX_TURNS
from dominion_env.players.agent import gains_for
from dominion_env.tables.kingdoms import KingdomLike
from dominion_env.text.reading import Answer, read_answer
from dominion_env.text.rules import rules_text
from dominion_env.text.telling import Question, question_for
from dominion_env.views.game import Game
from dominion_env.views.learner import Opponents, answers_of, drawn_opponents, drawn_seats, opponents_for

ONLY_ROW = np.zeros(1, np.int64)


class TextGame:
    """A game in which one seat reads texts and answers in words, and agents play the others.

    No text names the game's address or anything that the seat can't know.

    Args:
        opponents: agent of the other seats, its name, or a list from which each seat draws one, as for `DominionEnv`.
        num_players: number of players, 1 to 6.
        kingdom: kingdom, as for `GameBatch`.
        seat: seat that reads, or "random".
        seed: seed of the game; None draws one.
        list_answers: whether the legal answers are listed with numbers.
        edition: wording of Throne Room, Moneylender and Mine, 1 or 2; None means that of the kingdom.
        auto_treasures: whether Treasures are played without a question.
        max_turns: last round.

    Attributes:
        seat: seat that reads.
        answers: number of the seat's answers so far, as a Counter with the keys "taken" and those of `Answer.wrong`.

    Raises:
        InvalidOption, InvalidKingdom, UnknownCard: an argument is not one of these.
        Exception: an opponent raised it, also from `answer`; the game can't go on then.
    """

    def __init__(
        self,
        opponents: Opponents = "big-money",
        num_players: int = 2,
        kingdom: KingdomLike = "first-game-2e",
        seat: int | Literal["random"] = 0,
        seed: int | None = None,
        list_answers: bool = True,
        edition: int | None = None,
        auto_treasures: bool = True,
        max_turns: int = DEFAULT_MAX_TURNS,
    ) -> None:
        self._list_answers = flag("list_answers", list_answers)
        self._game = Game(
            num_players, kingdom, edition, seed, auto_treasures=auto_treasures, max_turns=max_turns
        )  # fmt: skip
        batch = self._game.batch
        agents, keys = opponents_for(opponents, batch), batch.state["key"]
        chosen = seat_or("seat", seat, batch.num_players, ("random",))
        self.seat: int = int(drawn_seats(keys, batch.num_players)[0]) if isinstance(chosen, str) else chosen
        self._opponents = [
            agents[int(drawn_opponents(keys, each, len(agents))[0])] for each in range(batch.num_players)
        ]
        self._gains = gains_for(batch, [each.agent for each in agents])
        self.answers: Counter[str] = Counter()
        self._since: int | None = None  # answers of all seats from this one's last on; None before its first
        self._play_opponents()

    @property
    def rules(self) -> str:
        """The game in short, and the texts of the cards of this game."""
        state = self._game.batch.state[0]
        return rules_text(
            self._game.kingdom, int(state["edition"]), self._game.num_players, bool(state["auto_treasures"]),
            self._list_answers,
        )  # fmt: skip

    @property
    def text(self) -> str:
        """What has happened since this seat's last answer, the table as it may see it, and the question or the end."""
        return self._question.text

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._game.is_over

    @property
    def scores(self) -> list[int]:
        """Points of each player over all cards owned, as if the game ended now."""
        return list(self._game.scores)

    @property
    def winners(self) -> list[int]:
        """Seats that have won: several if they share the victory, none in a running or truncated game."""
        return list(self._game.winners)

    def answer(self, text: object) -> Answer:
        """Answer the question, and let the opponents play until this seat is asked again.

        Args:
            text: one action in any sensible spelling ("Buy a Silver."), or its number if the answers are listed.

        Returns:
            What came of it. An answer that is not taken changes nothing, and `why` says what was expected.

        Raises:
            WrongOrder: an opponent has failed before.
            Exception: an opponent raised it.
        """
        if self.is_over:
            return Answer(False, None, "The game is over.", "not legal")
        if self._game.current_player != self.seat:
            raise WrongOrder("answer: an opponent has failed, so the game can't go on")
        answer = read_answer(text, self._question.legal, self._question.request, self._list_answers)
        self.answers[answer.wrong or "taken"] += 1
        if answer.action is not None:
            self._since = 0
            self._apply(answer.action)
            self._play_opponents()
        return answer

    def replay(self) -> dict[str, Any]:
        """Return the game, which has ended, as `Game.replay` does; it holds the address.

        Raises:
            WrongOrder: the game goes on, and its replay would show what is hidden.
        """
        if not self.is_over:
            raise WrongOrder("replay: expected a game that has ended, as the replay shows what is hidden")
        return self._game.replay()

    def _apply(self, action: str | int) -> None:
        self._game.apply(action)
        if self._since is not None:
            self._since += 1
        if self._gains is not None:
            self._gains.update()

    def _play_opponents(self) -> None:
        """Let the opponents decide until this seat is asked or the game is over."""
        batch = self._game.batch
        while not self.is_over and self._game.current_player != self.seat:
            opponent = self._opponents[self._game.current_player]
            self._apply(int(answers_of(opponent, batch, ONLY_ROW, self._gains)[0]))
        events = self._game.events(self._since)
        self._question: Question = question_for(batch, 0, self.seat, events, self._list_answers)
