"""A question as a text for one seat: what has happened since its last answer, the table as it may see it, the answers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from dominion_env.common.checks import seat_or
from dominion_env.core.batch import GameBatch
from dominion_env.core.questions import Decision, decision_of, question_of
from dominion_env.render.ending import standing
from dominion_env.render.log import sentences
from dominion_env.render.names import player_name
from dominion_env.render.text import ending_lines, owned_line, plain, position_lines
from dominion_env.render.view import View, view_of
from dominion_env.render.wording import declining
from dominion_env.tables.actions import ACTION_NAMES, PASS

_GOES_ON = " " * 3  # how a line of the table begins that belongs to the one before
_PADDING = re.compile(" {3,}")


class GameOfBatch:
    """One game of a batch, as `view_of` reads it. It has no log, as whoever runs the games keeps the events."""

    def __init__(self, batch: GameBatch, row: int) -> None:
        self._batch, self._row = batch, row
        self.num_players: int = batch.num_players

    @property
    def decision(self) -> Decision | None:
        """The question that must be answered; None once the game is over."""
        return decision_of(self._batch.state[self._row])

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._batch.state["over"][self._row])

    @property
    def scores(self) -> list[int]:
        """Points of each player, as if the game ended now."""
        points: list[int] = self._batch.scores[self._row].tolist()
        return points

    @property
    def winners(self) -> list[int]:
        """Seats that have won."""
        return np.flatnonzero(self._batch.final.winners[self._row]).tolist() if self.is_over else []

    def legal_actions(self) -> list[str]:
        """Return the legal answers in words; none once the game is over."""
        if self.is_over:
            return []
        return [ACTION_NAMES[action] for action in np.flatnonzero(self._batch.action_mask[self._row])]

    def check_seat(self, seat: int | None) -> None:
        """Check that `seat` is a seat of this game or None."""
        seat_or("seat", seat, self.num_players, (None,))

    def to_dict(self) -> dict[str, Any]:
        """Return the position."""
        return self._batch.to_dict(self._row)

    def newest_events(self, seat: int | None, lines: int, names: Sequence[str] | None = None) -> list[str]:
        """Return no lines."""
        return []


class Question(NamedTuple):
    """What a seat reads before it answers.

    Attributes:
        text: all that the seat needs to read, or how its game has ended.
        request: the question alone, "Buy a card, or end the turn"; for a seat that is not asked, who is asked what.
        legal: the legal answers in words, in order of their numbers; empty for a seat that is not asked.
    """

    text: str
    request: str
    legal: tuple[str, ...]


def question_for(
    batch: GameBatch, row: int, seat: int, events: Iterable[Any] = (), list_answers: bool = True
) -> Question:
    """Return what a seat reads: what has happened since its last answer, the table as it may see it, and the question.

    Nothing in it depends on what the seat can't know, at its own decisions and at the end.

    Args:
        batch: games, made with `record=True` if there are to be events, and without `autoreset` if ends are to be read.
        row: number of the game.
        seat: seat that reads.
        events: rows of `GameBatch.events` of this game since the seat's last answer, its consequences included; at its
            first decision all since the game began.
        list_answers: whether the legal answers are listed in the text, with numbers from 1.

    Raises:
        InvalidOption: there is no such seat or game.
    """
    game = GameOfBatch(batch, row)
    view = view_of(game, seat)
    lines = [f"You are {player_name(seat, None)}.", *_story(events, seat), "", *_position(view)]
    if view.over:
        return Question("\n".join([*lines, plain(ending_lines(view))]), "", ())
    lines += [f"All of {each.name} ({standing(each)}): {plain([owned_line(each)[2:]])}" for each in view.players]
    request = view.request or view.question
    lines += ["", request]
    if list_answers and view.legal:
        lines.append(f"Answers: {_listed(view.legal, game.decision)}")
    return Question("\n".join(lines), request, view.legal)


def _position(view: View) -> list[str]:
    """Return the lines of the table without the spaces that align its columns, which cost tokens."""
    lines: list[str] = []
    for line in map(plain, ([each] for each in position_lines(view))):
        if line.startswith(_GOES_ON):
            lines[-1] += f"{'  ' if lines[-1].startswith('Kingdom') else ' | '}{line.strip()}"
        else:
            lines.append(_PADDING.sub(" ", line))
    return lines


def _listed(legal: Sequence[str], decision: Decision | None) -> str:
    """Return the answers with numbers: "1 pass (trash no more), 2 trash Copper"."""
    named = list(legal)
    if named[0] == ACTION_NAMES[PASS] and decision is not None and decision.source is not None:
        words = declining(question_of(decision.source, decision.kind, decision.card is not None))
        named[0] += f" ({words[0].lower()}{words[1:]})"
    return ", ".join(f"{number} {name}" for number, name in enumerate(named, start=1))


def _story(events: Iterable[Any], seat: int) -> list[str]:
    """Return events in a line for each turn; a player who goes on is not named again."""
    lines: list[str] = []
    subject, fresh = "", True
    for sentence in sentences(events, seat):
        who, _, does = sentence.partition(" ")
        if who == "The":  # "The game ends: ...", which stands below
            continue
        if who == "Turn":
            lines.append(sentence)
            subject, fresh = sentence.rpartition(" ")[2], True
            continue
        clause = does if who == subject else sentence
        if not lines:
            lines.append(clause)
        else:
            lines[-1] += f"{': ' if fresh else '; '}{clause}"
        subject, fresh = who, False
    return lines
