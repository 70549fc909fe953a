"""`puct`: a tree over the decisions to come, led by a trained network, which also values its leaves."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dominion_agents.removed import removal
from dominion_agents.searching.loops.dealing import dealing_for
from dominion_agents.searching.loops.endings import sound
from dominion_agents.searching.loops.puct import Sight, search_with_network
from dominion_agents.searching.loops.tree import MOST_PLAYOUTS, tree_for
from dominion_agents.trained.agent import TrainedAgent
from dominion_agents.trained.box import models_in_the_box
from dominion_agents.trained.forward import ready
from dominion_agents.trained.inputs import FIELDS
from dominion_agents.trained.more_players import for_players
from dominion_env.common.checks import whole_number
from dominion_env.common.errors import UnknownAgent
from dominion_env.compiled.jit import specialised
from dominion_env.core.observing.fields import observation_size
from dominion_env.core.observing.places import what_to_write
from dominion_env.players.agent import Actions, Keys, Masks, ObservationName, Observations
from dominion_env.players.situation import Situation
from dominion_env.rules.turns.redeal import MOST_SEATS

FOR_EVERY_KINGDOM = "any", "any-3p"  # models of the project
AHEAD = {"kingdom": 4, "piles": 8, "all": 8}  # turns, by the slots of the network; docs/search.md has what bounds them


class Puct:
    """Chooses an action by a tree that a network leads.

    Args:
        model: the network, by the name of a model of the project or the path of a model file, or an agent that has one. Of
            several agents the one leads that was trained for as many players as sit at the table; where there is none, the
            first is made one (`for_players`). None means the project's networks for every kingdom.
        playouts: the most positions that are valued in a decision.

    Raises:
        InvalidOption: an argument is wrong, or the file is no model.

    Attributes:
        networks: the agents of which one leads.
        playouts: as given; a clear decision takes fewer.
        curiosity: factor of the bonus for what was tried seldom below the first decision, in shares of the win.
        reluctance: by how much less than its decision an action is taken to be worth until it is tried.
        gate: standard errors by which another action must be better than the network's own.
        lead: worth of a large lead in points, in wins.
        doubt: part of the chance that all actions below the first decision share, whatever the network says.
        least: chance that the network must give to an action if it is to be tried at the first decision; 0 for any.
        ahead: number of turns that the network plays on behind a leaf before it values the position. None means 4, and
            for 8 where it was trained for every kingdom, as it then values positions less exactly.
    """

    observation: ObservationName = "recall"
    fields = FIELDS
    curiosity, reluctance, gate, lead, doubt, least = 0.5, 0.05, 1.0, 0.02, 0.1, 0.003
    ahead: int | None = None

    def __init__(
        self, model: str | Path | TrainedAgent | Sequence[TrainedAgent] | None = None, playouts: int = 800
    ) -> None:
        self.playouts = whole_number("playouts", playouts, 1, MOST_PLAYOUTS)
        if model is None:
            self.networks = tuple(map(_load, FOR_EVERY_KINGDOM))
        elif isinstance(model, TrainedAgent):
            self.networks = (model,)
        elif isinstance(model, (str, Path)):
            self.networks = (_load(model),)
        else:
            self.networks = tuple(model)
        self._leaders = {each.model.layout.num_players: each for each in self.networks}

    def act(self, observations: Observations, action_masks: Masks, keys: Keys) -> Actions:
        """Choose as the network does: without games there is nothing to try."""
        sizes = {observation_size(players): players for players in range(1, MOST_SEATS + 1)}
        return self._leader(sizes.get(observations.shape[1], 0)).act(observations, action_masks, keys)

    def decide(self, situation: Situation) -> Actions:
        """Choose a legal action in each row; see `Searcher`.

        Raises:
            InvalidOption: the games are for another number of players than the network was trained with.
            InvalidKingdom: the network was trained for another kingdom.
        """
        leader = self._leader(situation.games.num_players)
        choices = sound(situation.action_masks, situation.games)
        found = leader.act(situation.observations, choices, situation.keys)
        open_ = np.flatnonzero(choices.sum(axis=1) > 1)
        if open_.size:
            found[open_] = self._search(leader, situation, open_, choices[open_])
        return found

    def _leader(self, players: int) -> TrainedAgent:
        first = self.networks[0]
        if len(self.networks) == 1 or not 1 < players <= MOST_SEATS:  # it leads, or says what it was trained for
            return first
        if players not in self._leaders:
            self._leaders[players] = TrainedAgent(for_players(first.model, players))
        return self._leaders[players]

    def _search(
        self, leader: TrainedAgent, situation: Situation, rows: NDArray[np.int64], choices: NDArray[np.bool_]
    ) -> NDArray[np.int64]:
        games, layout, answers = situation.games, leader.model.layout, np.empty(len(rows), np.int64)
        tree = tree_for(
            self.playouts, int(choices.sum(axis=1).max()), curiosity=self.curiosity, reluctance=self.reluctance, gate=self.gate,
            lead=self.lead, doubt=self.doubt, least=self.least, ahead=AHEAD[layout.slots] if self.ahead is None else self.ahead,
        )  # fmt: skip
        observation = np.zeros(observation_size(games.num_players), np.float32)
        sight = Sight(
            np.zeros(layout.num_inputs, np.int8), observation, *what_to_write(games.num_players, "recall", FIELDS)
        )
        given = (
            games.records, rows, situation.keys[rows], self.playouts, choices, ready(layout.reading(), *leader.exported), sight,
            dealing_for(games.state.dtype), tree, answers,
        )  # fmt: skip
        specialised(search_with_network, *given)(*given)
        return answers

    def __reduce__(self) -> tuple[type[Puct], tuple[tuple[TrainedAgent, ...], int]]:
        return type(self), (self.networks, self.playouts)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self.networks))}, playouts={self.playouts})"


def _load(model: str | Path) -> TrainedAgent:
    name = os.fspath(model)
    if removal(name):
        raise UnknownAgent(removal(name))
    boxed = models_in_the_box().get(name)
    return TrainedAgent.load(boxed.path if boxed else model)
