"""A table with its players, at which a game can go forward and back; no screen is needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro

from dominion_agents.own_code.loading import is_code
from dominion_env.common.checks import shown
from dominion_env.common.errors import InvalidOption, InvalidPosition, InvalidReplay
from dominion_env.common.files import read_json, to_json
from dominion_env.players.agent import Agent, ask_later, check_players, gains_for, searches
from dominion_env.players.registry import check_trust, make_agent
from dominion_env.players.situation import Gains
from dominion_env.render.names import player_name, quoted
from dominion_env.tables.actions import action_id, action_name
from dominion_env.views.game import Game

MOST_PLAYERS = 6
_MARK_EVERY = 50  # decisions, after which a position is kept so that going back costs little


@dataclass(frozen=True)
class TableOptions:
    """Which game is played."""

    kingdom: str = "first-game-2e"
    """A named kingdom, "random", "random-1e", "random-2e", or ten card names with commas between them."""
    seed: int | None = None
    """Seed of the game. Without it, each call plays a new game."""
    players: int | None = None
    """Number of players, 1 to 6. Without it, as many as are named. One named agent takes all seats that are left."""
    edition: Annotated[int | None, tyro.conf.arg(metavar="1|2")] = None
    """Wording of Throne Room, Moneylender and Mine. Without it, that of the kingdom."""
    auto_treasures: bool = True
    """Play all Treasures when the Buy phase begins, instead of asking for each."""
    max_turns: int = 2000
    """A game that would begin a round beyond this ends without a result."""
    trust: bool = False
    """Load saved models of stable-baselines3 (.zip). Code in such a file runs, so load only files that you trust."""

    def game(self, players: int) -> Game:
        """Make a new game.

        Raises:
            InvalidOption, InvalidKingdom, UnknownCard: an option is wrong.
        """
        return Game(
            num_players=players,
            kingdom=self.kingdom,
            edition=self.edition,
            seed=self.seed,
            auto_treasures=self.auto_treasures,
            max_turns=self.max_turns,
        )

    def game_from(self, position: dict[str, Any]) -> Game:
        """Make a game that starts from a position.

        Raises:
            InvalidPosition: the position is malformed.
            InvalidOption, InvalidKingdom, UnknownCard: an option is wrong.
        """
        options: dict[str, Any] = {"auto_treasures": self.auto_treasures, "max_turns": self.max_turns}
        if self.seed is not None or "streams" not in position:
            options["seed"] = self.seed
        return Game.from_dict(position, kingdom=self.kingdom, num_players=len(position["players"]), **options)


def seated(names: Sequence[str], seats: int | None, people: int) -> list[str]:
    """Return the names of the agents, one for each seat that no person takes.

    Args:
        names: names given by the user; a single one may be that of several seats.
        seats: number of players in all; None for as many as are named.
        people: number of seats that people take.

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
    """Make the agents of these names.

    Raises:
        InvalidOption: there is no such agent, or its file holds no model.
    """
    made = {name: make_agent(name) for name in dict.fromkeys(names)}
    return [made[name] for name in names]


def called(names: Sequence[str]) -> list[str]:
    """Return the names by which players are called: models by their file without folder, equal names with numbers."""
    short = [Path(name).stem if name.endswith((".zip", ".safetensors")) else name for name in names]
    return [f"{name} {short[:i].count(name) + 1}" if short.count(name) > 1 else name for i, name in enumerate(short)]


def thought_of(agent: Agent, game: Game) -> Callable[[], int]:
    """Return a function that asks an agent for the answer of the seat that is asked.

    It may be called in another thread, as it does not touch the game.
    """
    asked = ask_later(agent, game.batch, gains=_gains_in(game, agent) if searches(agent) else None)
    return lambda: int(asked()[0])


def _gains_in(game: Game, agent: Agent) -> Gains | None:
    """Return what an agent wants to know of a game since it began, by playing it once more."""
    replay = game.replay()
    again = Game.from_replay(replay, 0).batch.clone()  # whose events nobody else takes
    gains = gains_for(again, [agent])
    for action in replay["actions"]:
        again.step([action_id(action)])
        if gains is not None:
            gains.update()
    return gains


class GameTable:
    """A game that goes forward and back, by the actions known so far or by those of agents.

    Args:
        game: a new game, or one that has been played on.
        agents: agents by seat; seats without an agent belong to people, or to a game that is only looked at.
        names: names of the players; None means "player_0" and so on.
        called: names by which the agents were made, by seat, so that a saved game can be continued.
        answered: steps at which a person has answered, in order, which `undo` goes back to.

    Attributes:
        answered: the same, up to now.
        changes: number of times that the position has changed. It never goes back, so it names what a screen has shown.
    """

    def __init__(
        self,
        game: Game,
        agents: Mapping[int, Agent] | None = None,
        names: Sequence[str] | None = None,
        called: Mapping[int, str] | None = None,
        answered: Sequence[int] = (),
    ) -> None:
        self.game = game
        self.called = dict(called or {})
        self.agents = dict(agents or {})
        self.names = [player_name(seat, names) for seat in range(game.num_players)]
        for seat, agent in self.agents.items():
            check_players(self.names[seat], agent, game.num_players)
        record = game.replay()
        self._played: list[str] = record["actions"]
        self._marks = {0: Game.from_replay(record, 0)}  # positions by the number of decisions before them
        self.address: dict[str, int] = record["address"]
        self.kingdom: Any = record["options"]["kingdom"]
        self.answered = list(answered)
        self.step = self.changes = len(self._played)

    @property
    def length(self) -> int:
        """Number of known decisions, those after the present position included."""
        return len(self._played)

    @property
    def played(self) -> tuple[str, ...]:
        """The known decisions in words, those after the present position included."""
        return tuple(self._played)

    @property
    def asks_person(self) -> bool:
        """Whether the seat that must decide has no agent."""
        return not self.game.is_over and self.game.current_player not in self.agents

    @property
    def shown_names(self) -> list[str]:
        """The names of the players as a person reads them: those of agents in quotation marks."""
        return [quoted(name) if seat in self.called else name for seat, name in enumerate(self.names)]

    @property
    def asked(self) -> str:
        """Name of the player who must decide, or who was asked last, as a person reads it."""
        return self.shown_names[self.game.current_player]

    def thought(self) -> Callable[[], int] | None:
        """Return a function that asks the agent for its answer, for `agent_answers`; None if no agent is asked.

        It may be called in another thread, as it does not touch the table.
        """
        if self.game.is_over or self.asks_person:
            return None
        return thought_of(self.agents[self.game.current_player], self.game)

    def agent_answers(self, action: int) -> None:
        """Carry out the answer of the agent that is asked, at the end of the known decisions.

        Raises:
            IllegalAction: the action is not legal; nothing has changed.
        """
        self.game.apply(action)
        self._played.append(action_name(action))
        self._moved(1)

    def answer(self, *actions: str) -> None:
        """Carry out the answer of a person; known decisions after this point are forgotten.

        Args:
            actions: an action, or several that are answers to one question after the other and are taken back as one.

        Raises:
            IllegalAction, GameOver: an action is not legal, or the game has ended; nothing has changed.
        """
        if len(actions) == 1:
            self.game.apply(actions[0])
        else:
            game = self.game.copy()  # so that nothing has changed if a later one is not legal
            for action in actions:
                game.apply(action)
            self.game = game
        self.answered = [*(step for step in self.answered if step < self.step), self.step]
        self._forget_later()
        self._played += [action_name(action_id(action)) for action in actions]
        self._moved(len(actions))

    def forward(self) -> bool:
        """Go one decision on, to a known one or else to an agent's; returns False if there is neither."""
        if self.step < self.length:
            self.game.apply(self._played[self.step])
            self._moved(1)
            if self.step % _MARK_EVERY == 0 and self.step not in self._marks:
                self._marks[self.step] = self.game.copy()
            return True
        thought = self.thought()
        if thought is None:
            return False
        self.agent_answers(thought())
        return True

    def go_to(self, step: int) -> None:
        """Go to the position after this number of the known decisions; 0 is the start."""
        step = min(max(step, 0), self.length)
        if step < self.step:
            self._moved(max(mark for mark in self._marks if mark <= step) - self.step)
            self.game = self._marks[self.step].copy()
        while self.step < step:
            self.forward()

    def to_end(self) -> None:
        """Go on to the end of the game, or to the first decision of a person that is not known."""
        while self.forward():
            pass

    def next_turn(self) -> None:
        """Go on to the next turn of any player, or to the end."""
        turn = self._turn
        while self.forward() and self._turn == turn:
            pass

    def previous_turn(self) -> None:
        """Go back to the start of this turn, or from there to the start of the turn before it."""
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
        """Take back the last answer of a person; returns False if there was none.

        The game is played again from its address, so the same answer brings the same cards.
        """
        if not self.answered:
            return False
        self.go_to(self.answered.pop())
        self._forget_later()
        return True

    def _moved(self, decisions: int) -> None:
        self.step += decisions
        self.changes += 1

    def _forget_later(self) -> None:
        """Forget the decisions after the present position."""
        del self._played[self.step :]
        self._marks = {mark: game for mark, game in self._marks.items() if mark <= self.step}

    def replay(self) -> dict[str, Any]:
        """Return the replay of all known decisions, with the names of the players and of the agents, None for people."""
        game = self.game if self.step == self.length else self.game.copy()
        for action in self._played[self.step :]:
            game.apply(action)
        seated = [self.called.get(seat) for seat in range(game.num_players)]
        return {**game.replay(), "names": list(self.names), "agents": seated}

    def save(self, path: Path) -> None:
        """Write a file that `load` and `dominion replay` read.

        Raises:
            InvalidOption: the file can't be written.
        """
        try:
            path.write_text(to_json(self.replay(), indent=1) + "\n", encoding="utf-8")
        except OSError as error:
            raise InvalidOption(f"{path}: can't be written: {error.strerror}") from error


def load(path: Path) -> GameTable:
    """Load a saved game at its end.

    Raises:
        InvalidReplay: the file can't be read, holds no replay, or holds one of other rules.
    """
    replay = read_json(path, "a replay", InvalidReplay)
    try:
        return table_of(replay)
    except InvalidReplay as error:
        raise InvalidReplay(f"{path}: {error}") from error


def table_of(replay: Any) -> GameTable:
    """Return the table of a saved game at its end, without its agents.

    Args:
        replay: what `GameTable.replay` or `Game.replay` returned, read from JSON.

    Raises:
        InvalidReplay: it is no replay, or one of other rules.
    """
    game = Game.from_replay(replay)
    names = replay.get("names")
    if names is not None:
        right = isinstance(names, list) and all(isinstance(name, str) for name in names)
        if not right or len(names) != game.num_players:
            raise InvalidReplay(f"names: expected {game.num_players} strings, got {shown(names)}")
    agents = replay.get("agents", [None] * game.num_players)
    if not isinstance(agents, list) or len(agents) != game.num_players or not all(map(_is_name, agents)):
        raise InvalidReplay(f"agents: expected {game.num_players} strings or null, got {shown(agents)}")
    return GameTable(game, names=names, called={seat: name for seat, name in enumerate(agents) if name is not None})


def _is_name(name: object) -> bool:
    return name is None or isinstance(name, str)


def continued(path: Path, seat: int = 0) -> GameTable:
    """Load a saved game with its agents, for the person who played it.

    Args:
        path: file of the game.
        seat: seat of the person, if all seats of the saved game had agents.

    Raises:
        InvalidReplay: the file can't be read, holds no replay, or does not name the agents.
        InvalidOption: there is no such seat, or no such agent any more, or an agent is code and that is not trusted.
    """
    table = load(path)
    seats = range(table.game.num_players)
    names = {number: name for number, name in table.called.items() if number != seat or len(table.called) < len(seats)}
    if len(names) != len(seats) - 1:
        raise InvalidReplay(
            f"{path}: expected the names of all agents but one, got {len(names)} for {len(seats)} seats"
        )
    if any(map(is_code, names.values())):
        check_trust(str(path))  # a saved game may come from anybody
    agents = dict(zip(names, make_agents(list(names.values())), strict=True))
    return GameTable(table.game, agents, table.names, names)


def read_position(path: Path) -> dict[str, Any]:
    """Read a position from a file.

    Raises:
        InvalidPosition: the file can't be read or holds no position; whether it is well formed is checked by `Game`.
    """
    position = read_json(path, "a position", InvalidPosition)
    if not isinstance(position, dict) or not isinstance(position.get("players"), list):
        raise InvalidPosition(f"{path}: expected a position with a list of players, got none")
    return position


def free_path(stem: str) -> Path:
    """Return a path in this folder where no file is yet: "stem.json", or else "stem-2.json" and so on."""
    path, number = Path(f"{stem}.json"), 1
    while path.exists():
        number += 1
        path = Path(f"{stem}-{number}.json")
    return path
