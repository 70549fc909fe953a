"""The agents that play in this process, each made once and made again when what it is made of has changed."""

from __future__ import annotations

from typing import NamedTuple

from dominion_env.common.errors import InvalidAgent, ResultsMismatch, UnknownAgent
from dominion_env.players.agent import Agent, reproducible
from dominion_training.play.entrants import fingerprint, is_registered, make_player


class _Entrant(NamedTuple):
    """An agent, and the fingerprint of what it was made from."""

    agent: Agent
    made_of: str | None


class Roster:
    """Agents by their specifications."""

    def __init__(self) -> None:
        self._entrants: dict[str, _Entrant] = {}

    def __contains__(self, spec: str) -> bool:
        return spec in self._entrants

    def renew(self, spec: str) -> None:
        """Make the agent, unless what it is made of is known to be the same as before.

        Raises:
            DominionError: as `make_player`.
        """
        made_of = fingerprint(spec)
        if made_of is None or spec not in self or self._entrants[spec].made_of != made_of:
            self._entrants[spec] = _Entrant(make_player(spec), made_of)

    def agent(self, spec: str) -> Agent:
        """Return the agent for games that must come out the same again; it is made if it is not there.

        Raises:
            DominionError: as `make_player`.
            InvalidOption: it does not answer alike each time; see `Agent`.
        """
        return reproducible(spec, self.player(spec))

    def player(self, spec: str) -> Agent:
        """Return the agent, which may answer otherwise each time; it is made if it is not there.

        Raises:
            DominionError: as `make_player`.
        """
        if spec not in self:
            self.renew(spec)
        return self._entrants[spec].agent

    def made_of(self, spec: str) -> str | None:
        """Return the fingerprint of the agent that plays here, or would play if it were made now."""
        return self._entrants[spec].made_of if spec in self else fingerprint(spec)

    def take_in(self, spec: str, agent: Agent, made_of: str | None) -> None:
        """Let an agent play here that was made elsewhere and has come as it is."""
        self._entrants[spec] = _Entrant(agent, made_of)

    def make_as_elsewhere(self, spec: str, made_of: str | None) -> None:
        """Make an agent that another process has made before.

        Args:
            spec: specification of the agent.
            made_of: its fingerprint in the other process.

        Raises:
            InvalidAgent: the agent was registered in the other process and is unknown in this one.
            ResultsMismatch: its code or model has changed in between.
        """
        try:
            self.renew(spec)
        except UnknownAgent as error:
            raise InvalidAgent(
                f"agent {spec}: it is registered in the process that was started, but not in those that it starts. Play "
                "with workers=1, or write the agent into a file and name it as path/to/file.py:attribute"
            ) from error
        if self.made_of(spec) != made_of and not is_registered(spec):
            raise ResultsMismatch(f"agent {spec}: its code or model has changed since the games began; start again")


HERE = Roster()
"""The roster of this process."""
