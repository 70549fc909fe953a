"""A game of two language models, as an environment of TextArena."""

from __future__ import annotations

from typing import Any

import textarena as ta

from dominion_env.core.batch import DEFAULT_MAX_TURNS
from dominion_env.tables.kingdoms import KingdomLike
from dominion_env.text.reading import MOST_CHARACTERS, read_answer
from dominion_env.text.rules import rules_text
from dominion_env.text.telling import Question, question_for
from dominion_env.views.game import Game


class DominionArena(ta.Env):
    """Dominion for two players who read texts and answer in words.

    Args:
        kingdom, edition, max_turns: as for `Game`.
        list_answers: whether the legal answers are listed with numbers.
        error_allowance: number of wrong answers in a row that lose no game.
    """

    def __init__(
        self,
        kingdom: KingdomLike = "first-game-2e",
        edition: int | None = None,
        list_answers: bool = True,
        max_turns: int = DEFAULT_MAX_TURNS,
        error_allowance: int = 1,
    ) -> None:
        self._options: dict[str, Any] = {"kingdom": kingdom, "edition": edition, "max_turns": max_turns}
        self._list_answers = list_answers
        self._error_allowance = error_allowance

    def reset(self, num_players: int = 2, seed: int | None = None) -> None:
        """Start a game of two players; with a seed it is that of the address (seed, 0, 0)."""
        # without the seed, with which TextArena would seed the `random` of the whole process
        self.state = ta.TwoPlayerState(num_players, error_allowance=self._error_allowance)
        self._game = Game(2, seed=seed, auto_treasures=True, **self._options)
        self._since: list[int | None] = [None, None]  # answers of both players from each one's last on
        edition = int(self._game.batch.state["edition"][0])
        rules = rules_text(self._game.kingdom, edition, 2, list_answers=self._list_answers)
        self.state.reset(game_state={}, player_prompt_function=lambda player_id, game_state: rules)
        self._ask()

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Answer the question for the player who is asked; return whether the game is over, and TextArena's info."""
        player = self._game.current_player
        self._add(player, str(action)[:MOST_CHARACTERS], ta.ObservationType.PLAYER_ACTION, player)
        answer = read_answer(action, self._question.legal, self._question.request, self._list_answers)
        if answer.action is None:
            self.state.set_invalid_move(answer.why)
        else:
            self._game.apply(answer.action)
            self._since[player] = 0
            self._since = [None if number is None else number + 1 for number in self._since]
            if self._game.is_over:
                self._end()
            else:
                self._ask()
        done, info = self.state.step(rotate_player=False)
        return bool(done), dict(info)

    def _ask(self) -> None:
        """Give the player who is asked now the question."""
        player = self._game.current_player
        self.state.manually_set_current_player_id(player)
        self._question: Question = self._text_for(player)
        self._add(player, self._question.text, ta.ObservationType.GAME_BOARD)

    def _end(self) -> None:
        for player in (0, 1):
            self._add(player, self._text_for(player).text, ta.ObservationType.GAME_BOARD)
        reason = self._text_for(0).text.partition("The game is over: ")[2].partition("\n")[0]
        if len(self._game.winners) == 1:
            self.state.set_winner(self._game.winners[0], reason)
        else:
            self.state.set_draw(reason)

    def _text_for(self, player: int) -> Question:
        return question_for(self._game.batch, 0, player, self._game.events(self._since[player]), self._list_answers)

    def _add(self, player: int, message: str, kind: Any, from_id: int = ta.GAME_ID) -> None:
        self.state.add_observation(message, kind, from_id=from_id, to_id=player)
