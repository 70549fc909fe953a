"""Who sits at a table, and a game that can go forward and back; no screen is needed for either."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import tyro

from dominion_env.actions import action_id, action_name
from dominion_env.agent import Agent, shown_to
from dominion_env.errors import InvalidOption, InvalidReplay
from dominion_env.game import Game
from dominion_env.registry import make_agent

MOST_PLAYERS = 6


@dataclass(frozen=True)
class GameOptions:
    """Which game is played."""

    kingdom: str = "first-game-2e"
    """A named kingdom, "random", "random-1e", "random-2e", or ten card names with commas between them."""
    seed: int | None = None
    """Of the game; without one, a new game each time."""
    players: int | None = None
    """1 to 6; without it, as many as are named. One named agent takes all seats that are left."""
    edition: Annotated[int | None, tyro.conf.arg(metavar="1|2")] = None
    """Wording of Throne Room, Moneylender and Mine; without it, that of the kingdom."""
    auto_treasures: bool = True
    """Play all Treasures when the Buy phase begins, instead of asking for each."""
    max_turns: int = 2000
    """A game that would begin a round beyond this ends without a result."""

    def game(self, players: int) -> Game:
        """A new game.

        Raises:
            InvalidOption, InvalidKingdom, UnknownCard: an option is none.
        """
        names = [name.strip() for name in self.kingdom.split(",")]
        return Game(
            num_players=players,
            kingdom=names if len(names) > 1 else self.kingdom,
            edition=self.edition,
            seed=secrets.randbelow(1_000_000) if self.seed is None else self.seed,
            auto_treasures=self.auto_treasures,
            max_turns=self.max_turns,
        )


def seated(names: Sequence[str], seats: int | None, people: int) -> list[str]:
    """The agents' names, one for each seat that no person takes.

    Args:
        names: as given; a single one may stand for several.
        seats: players wanted in all; None: as many as are named.
        people: how many of them are people.

    Raises:
        InvalidOption: too many or too few agents are named.
    """
    wanted = len(names) if seats is None else seats - people
    if not 1 <= wanted + people <= MOST_PLAYERS or wanted < 0:
        raise InvalidOption(f"players: expected 1 to {MOST_PLAYERS}, got {wanted + people}")
    if len(names) not in (wanted, 1):
        raise InvalidOption(f"players: expected {wanted} agents, or one for all of them, got {len(names)}")
    return list(names) * wanted if len(names) == 1 else list(names)


def make_agents(names: Sequence[str]) -> list[Agent]:
    """The agents of these names.

    Raises:
        InvalidOption: one is not known, or its file holds no model.
    """
    made = {name: make_agent(name) for name in dict.fromkeys(names)}
    return [made[name] for name in names]


def called(names: Sequence[str]) -> list[str]:
    """What the players are called: the file of a saved model without its folder; those of one name are numbered."""
    short = [Path(name).stem if name.endswith(".zip") else name for name in names]
    return [f"{name} {short[:i].count(name) + 1}" if short.count(name) > 1 else name for i, name in enumerate(short)]


def thought_of(agent: Agent, game: Game) -> Callable[[], int]:
    """What an agent would answer for the seat that is asked; may be called in another thread, the game is not touched."""
    seen, mask = shown_to(agent, game._batch), game.action_mask[None].copy()
    keys = np.array([game.policy_key()], dtype=np.uint64)
    return lambda: int(agent.act(seen, mask, keys)[0])


class Table:
    """A game that goes forward and back, by what has been played or by what agents play.

    Args:
        game: a new game, or one that has been played on.
        agents: by seat; seats without an agent are people's, or those of a game that is only looked at.
        names: what the players are called; None: "player_0" and so on.
    """

    def __init__(
        self, game: Game, agents: Mapping[int, Agent] | None = None, names: Sequence[str] | None = None
    ) -> None:
        self.game = game
        self.agents = dict(agents or {})
        self.names = [f"player_{seat}" for seat in range(game.num_players)] if names is None else list(names)
        self._record = game.replay()
        self._played: list[str] = self._record["actions"]
        self._people: list[int] = []  # the steps at which a person has answered
        self.step = len(self._played)

    @property
    def length(self) -> int:
        """Decisions that are known, those after the present one included."""
        return len(self._played)

    @property
    def asks_person(self) -> bool:
        """Whether the seat that must decide has no agent."""
        return not self.game.is_over and self.game.current_player not in self.agents

    @property
    def asked(self) -> str:
        """What the player is called who must decide, or was asked last."""
        return self.names[self.game.current_player]

    def thought(self) -> Callable[[], int] | None:
        """What the agent that is asked would answer, for `agent_answers`; None if none is asked.

        It may be called in another thread; the table is not touched.
        """
        if self.game.is_over or self.asks_person:
            return None
        return thought_of(self.agents[self.game.current_player], self.game)

    def agent_answers(self, action: int) -> None:
        """The answer of the agent that is asked, at the end of what is known.

        Raises:
            IllegalAction: nothing has changed.
        """
        self.game.apply(action)
        self._played.append(action_name(action))
        self.step += 1

    def answer(self, action: str) -> None:
        """A person's answer; what was played after this point before is forgotten.

        Raises:
            IllegalAction, GameOver: nothing has changed.
        """
        self.game.apply(action)
        self._people = [*(step for step in self._people if step < self.step), self.step]
        self._played[self.step :] = [action_name(action_id(action))]
        self.step += 1

    def forward(self) -> bool:
        """One decision on: the one that is known, else that of an agent; False if there is neither."""
        if self.step < self.length:
            self.game.apply(self._played[self.step])
            self.step += 1
            return True
        thought = self.thought()
        if thought is None:
            return False
        self.agent_answers(thought())
        return True

    def go_to(self, step: int) -> None:
        """To the position after so many decisions, as far as they are known: 0 is the start."""
        step = min(max(step, 0), self.length)
        if step < self.step:
            self.game = Game.from_replay(self._record, step)
            self.step = step
        while self.step < step:
            self.forward()

    def to_end(self) -> None:
        """To the end of what is known, and of what agents can play without a person."""
        while self.forward():
            pass

    def next_turn(self) -> None:
        """On to the next turn of anybody, or to the end."""
        turn = self._turn
        while self.forward() and self._turn == turn:
            pass

    def previous_turn(self) -> None:
        """Back to the start of this turn, or of the one before it."""
        self.go_to(self.step - 1)
        turn, at = self._turn, self.step
        while at > 0:
            self.go_to(at - 1)
            if self._turn != turn:
                self.go_to(at)
                return
            at -= 1

    @property
    def _turn(self) -> tuple[int, int]:
        return self.game.turn_player, self.game.turn

    def undo(self) -> bool:
        """Back to the last answer of a person, which may now be another one; False if there was none.

        The game is played again from its address: the same answer brings the same cards.
        """
        if not self._people:
            return False
        self.go_to(self._people.pop())
        del self._played[self.step :]
        return True

    def replay(self) -> dict[str, Any]:
        """The game as far as it is known, for `save`."""
        return {**self._record, "actions": list(self._played), "names": list(self.names)}

    def save(self, path: Path) -> None:
        """Write a file that `load` and `dominion replay` read.

        Raises:
            InvalidOption: the file can't be written.
        """
        try:
            path.write_text(json.dumps(self.replay(), indent=1) + "\n", encoding="utf-8")
        except OSError as error:
            raise InvalidOption(f"{path}: can't be written: {error.strerror}") from error


def load(path: Path) -> Table:
    """A saved game, at its end.

    Raises:
        InvalidReplay: the file can't be read, is no replay, or one of other rules.
    """
    try:
        replay = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidReplay(f"{path}: can't be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise InvalidReplay(f"{path}: no replay, as it is not JSON: {error}") from error
    try:
        game = Game.from_replay(replay)
    except InvalidReplay as error:
        raise InvalidReplay(f"{path}: {error}") from error
    names = replay.get("names")
    if names is not None:
        right = isinstance(names, list) and all(isinstance(name, str) for name in names)
        if not right or len(names) != game.num_players:
            raise InvalidReplay(f"{path}: names: expected {game.num_players} texts, got {names!r}")
    return Table(game, names=names)


def free_path(stem: str) -> Path:
    """A file in this folder that is not there yet: "stem.json", else "stem-2.json" and so on."""
    path, number = Path(f"{stem}.json"), 1
    while path.exists():
        number += 1
        path = Path(f"{stem}-{number}.json")
    return path
