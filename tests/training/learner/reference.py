"""The collector once more in slow, obvious Python: one game at a time, a list of decisions for each seat, and textbook sums.

It shares with the learner the rules, the agents, and torch's view of the network. Everything else is written again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from dominion_agents.trained.agent import TrainedAgent
from dominion_agents.trained.inputs import COLUMNS, NUMBERS, Layout
from dominion_env import GameBatch
from dominion_env.common.splitmix import GAMMA, splitmix
from dominion_env.core.observing.field_kinds import CODE
from dominion_env.core.observing.fields import observation_fields
from dominion_env.players.agent import Agent, shown_to
from dominion_env.tables.actions import FIRST_CARD_ACTION, NUM_VERBS
from dominion_training.learner.optimiser.networks import Network

LEARNER = 0


@dataclass
class Decision:
    """What a sample must hold, and the rollout in which the decision was made."""

    inputs: list[int]
    legal: list[int]
    action: int
    log_prob: float
    share: float
    lead: float
    turn: int
    rollout: int
    in_own_turn: bool


@dataclass
class Story:
    """The decisions of one seat in one game, and how it ended for that seat: (share of the win, lead)."""

    decisions: list[Decision] = field(default_factory=list)
    result: tuple[float, float] | None = None
    ended_in: int = -1

    def taught_in(self, rollout: int) -> list[int]:
        """Return which decisions the learner learns from after a rollout: those of which it then got to know what came next."""
        heard = [decision.rollout for decision in self.decisions[1:]]
        if self.result is not None:
            heard.append(self.ended_in)
        return [number for number, when in enumerate(heard) if when == rollout]

    def advantage(self, number: int, rollout: int, value: str, decay: float) -> float:
        """Return the advantage of a decision by the definition, with what was known after a rollout."""
        own = getattr(self.decisions[number], value)
        if number + 1 < len(self.decisions) and self.decisions[number + 1].rollout <= rollout:
            after = self.decisions[number + 1]
            weight = decay if after.turn > self.decisions[number].turn else 1.0
            surprise = float(getattr(after, value)) - own
            return surprise + weight * self.advantage(number + 1, rollout, value, decay)
        if self.result is not None and self.ended_in <= rollout:
            return self.result[("share", "lead").index(value)] - float(own)
        return 0.0  # nothing is known beyond this decision: its value stands for the rest


@dataclass
class Played:
    """All that happened in one row: the stories of each seat in order, and who met whom with what share of the win."""

    stories: list[list[Story]]
    met: list[tuple[int, float]] = field(default_factory=list)
    rounds: list[int] = field(default_factory=list)
    truncated: int = 0
    opponents_decisions: int = 0
    players: list[list[int]] = field(default_factory=list)


def play_row(
    batch: GameBatch, seed: int, networks: Sequence[Network], opponents: Sequence[Agent],
    weights: Sequence[Sequence[float]], ticks: Sequence[int],
) -> Played:  # fmt: skip
    """Play one row, a batch of one game, for as many decisions as it had in each rollout."""
    seats = batch.num_players
    played = Played([[] for _ in range(seats)])
    players = draw_players(batch, seed, weights[0])
    open_stories = [Story() for _ in range(seats)]
    for rollout, (network, number) in enumerate(zip(networks, ticks, strict=True)):
        agent = TrainedAgent(network.model(), deterministic=False)
        for _ in range(number):
            seat = int(batch.current_player[0])
            if players[seat] == LEARNER:
                seen, mask = batch.observe(), batch.action_mask.copy()
                action = int(agent.act(seen, mask, batch.policy_keys())[0])
                if not open_stories[seat].decisions:
                    played.stories[seat].append(open_stories[seat])
                open_stories[seat].decisions.append(_decision(network, batch, seen[0], mask[0], action, seat, rollout))
            else:
                opponent = opponents[players[seat] - 1]
                action = int(opponent.act(shown_to(opponent, batch), batch.action_mask, batch.policy_keys())[0])
                played.opponents_decisions += 1
            _, terminated, truncated = batch.step([action])
            if terminated[0] or truncated[0]:
                results = _results(batch, bool(truncated[0]))
                for story, result in zip(open_stories, results, strict=True):
                    story.result, story.ended_in = result, rollout
                own = [result[0] for result, player in zip(results, players, strict=True) if player == LEARNER]
                played.met.append((max(players), sum(own) / len(own)))
                played.rounds.append(int(batch.final.rounds[0]))
                played.truncated += int(truncated[0])
                played.players.append(players)
                open_stories = [Story() for _ in range(seats)]
                players = draw_players(batch, seed, weights[rollout])
    return played


def draw_players(batch: GameBatch, seed: int, weights: Sequence[float]) -> list[int]:
    """Draw who plays in the game of a batch: 0 for the learner, k + 1 for opponent k. One seat is always the learner's."""
    state = batch.state[0]
    with np.errstate(over="ignore"):
        word = splitmix(np.uint64(seed) + np.uint64(state["index"]) * GAMMA) ^ np.uint64(state["episode"])
        word = splitmix(word)
        players = []
        for _ in range(batch.num_players):
            word = splitmix(word + GAMMA)
            left = (int(word) >> 11) / 2**53 * sum(weights)
            player = 0
            while left >= weights[player]:
                left -= weights[player]
                player += 1
            players.append(player)
        players[(int(splitmix(word + GAMMA)) >> 32) % batch.num_players] = LEARNER
    return players


def _results(batch: GameBatch, truncated: bool) -> list[tuple[float, float]]:
    winners = [truncated or bool(won) for won in batch.final.winners[0]]
    points = [int(score) for score in batch.final.scores[0]]
    results = []
    for seat, won in enumerate(winners):
        best_other = max(points[:seat] + points[seat + 1 :])
        results.append((won / sum(winners), max(-1.0, min(1.0, (points[seat] - best_other) / 50))))
    return results


def _decision(
    network: Network, batch: GameBatch, seen: Any, mask: Any, action: int, seat: int, rollout: int
) -> Decision:  # fmt: skip
    inputs = inputs_of(network.layout, seen)
    legal = [own for own in range(network.layout.num_actions) if mask[game_action(network.layout, seen, own)]]
    with torch.no_grad():
        scores, values = network(torch.tensor([inputs], dtype=torch.int8))
    log_probs = dict(zip(legal, torch.log_softmax(scores[0, legal].double(), 0).tolist(), strict=True))
    chosen = next(own for own in legal if game_action(network.layout, seen, own) == action)
    return Decision(
        inputs, legal, chosen, log_probs[chosen], float(torch.sigmoid(values[0, 0])), float(values[0, 1]),
        int(batch.turns[0, seat]), rollout, int(batch.state["turn_player"][0]) == seat,
    )  # fmt: skip


def cards_of(layout: Layout, seen: Any) -> list[int]:
    """Return the card of each slot."""
    if layout.slots == "all":
        return list(range(layout.num_slots))
    return [int(card) for card in np.flatnonzero(_fields(layout)["in_game"](seen))]


def game_action(layout: Layout, seen: Any, action: int) -> int:
    """Return the environment's number of an action of the network."""
    if action < FIRST_CARD_ACTION:
        return action
    slot, verb = divmod(action - FIRST_CARD_ACTION, NUM_VERBS)
    return FIRST_CARD_ACTION + NUM_VERBS * cards_of(layout, seen)[slot] + verb


def inputs_of(layout: Layout, seen: Any) -> list[int]:
    """Return the counts that a network reads from an observation."""
    shown, cards = _fields(layout), cards_of(layout, seen)
    columns: list[list[int]] = []
    for column in COLUMNS:
        for name in _each(column.field, layout.num_players):
            numbers = shown[name](seen)
            if column.cards:
                bits = numbers[CODE * column.first : CODE * (column.first + column.cards)].reshape(-1, CODE)
                there = [int("".join(str(int(bit)) for bit in code[::-1]), 2) - 1 for code in bits]
                columns.append([there.count(card) for card in cards])
            else:
                columns.append([round(float(numbers[card])) for card in cards])
    by_slot = [column[slot] for slot in range(layout.num_slots) for column in columns]
    single = [
        round(float(x)) for name in NUMBERS for each in _each(name, layout.num_players) for x in shown[each](seen)
    ]
    told = cards if layout.slots == "piles" else []
    return [max(-127, min(127, number)) for number in by_slot + single + told]


def _fields(layout: Layout) -> dict[str, Any]:
    """Return of each field a function that gives its counts in an observation."""

    def counts(start: int, size: int, scale: float) -> Any:
        return lambda seen: seen[start : start + size] / np.float32(scale)

    return {f.name: counts(f.start, f.size, f.scale) for f in observation_fields(layout.num_players)}


def _each(name: str, players: int) -> list[str]:
    if not name.startswith("opponent_"):
        return [name]
    return [name.replace("opponent_", f"opponent_{number}_") for number in range(1, players)]
