"""An evolution as plain values, so that it can be kept after each generation and go on."""

from __future__ import annotations

from typing import Any

import numpy as np

from dominion_agents.strategies.strategy import Strategy
from dominion_training.evolve.evolution import Contender, Member, State
from dominion_training.evolve.hall import Hall
from dominion_training.exploit.kept import Form


def _as_plain(state: State) -> dict[str, Any]:
    return {
        **vars(state),
        "staying": [vars(each) for each in state.staying],
        "hall": {**vars(state.hall), "scores": state.hall.scores.tolist()},
        "family": {
            str(number): {**vars(member), "strategy": member.strategy.one_line()}
            for number, member in state.family.items()
        },
    }


def _read(plain: dict[str, Any]) -> State:
    def contender(values: dict[str, Any]) -> Contender:
        return Contender(values["number"], tuple(values["games"]), tuple(values["won"]), values["ahead"])

    def member(values: dict[str, Any]) -> Member:
        own = {"strategy": Strategy.parse(values["strategy"]), "parents": tuple(values["parents"])}
        return Member(**{**values, **own})

    hall, members = plain["hall"], plain["hall"]["members"]
    scores = np.array(hall["scores"], np.float64).reshape(len(members), len(members))
    own = {
        "staying": tuple(map(contender, plain["staying"])),
        "opponents": tuple(plain["opponents"]),
        "hall": Hall(tuple(members), scores, tuple(hall["anchors"])),
        "islands": tuple(map(tuple, plain["islands"])),
        "family": {int(number): member(values) for number, values in plain["family"].items()},
    }
    return State(**{**plain, **own})


def _best(state: State) -> Strategy | None:
    return state.family[state.leader].strategy if state.hall.members else None


EVOLUTIONS = Form(State, _as_plain, _read, _best)
