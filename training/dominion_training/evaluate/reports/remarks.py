"""Remarks on a match that its result alone would hide, in words."""

from __future__ import annotations

from dataclasses import replace

from dominion_agents import ScriptedAgent, Strategy
from dominion_agents.own_code.loading import is_text
from dominion_env.players.agent import Agent
from dominion_env.tables.cards import CARDS
from dominion_env.tables.kingdoms import resolve
from dominion_training.evaluate.matches import Match
from dominion_training.play import roster


def remarks(match: Match) -> list[str]:
    """Return a sentence for each thing that a match does not show: a model's name, one agent twice, or cards out of reach.

    Raises:
        DominionError: an agent can't be made, or the kingdom is unknown.
    """
    found = []
    if is_one_agent(match):
        found.append(
            f"{match.first} and {match.second} are the same agent, so their score is even but for luck."
            if match.first != match.second
            else f"{match.first} plays against itself, so the score is even but for luck."
        )
    for spec in dict.fromkeys(match.agents):
        if is_text(spec) and (made_of := getattr(roster.HERE.player(spec), "made_of", "")):
            found.append(f"{spec} is {made_of}.")
        missing = cards_out_of_reach(spec, match.kingdom)
        if missing:
            where = "not in this kingdom" if len(resolve(match.kingdom).kingdoms) == 1 else "not in every kingdom"
            found.append(f"{spec} buys {', '.join(missing)}, {where}: it plays without, so this says little about it.")
    return found


def is_one_agent(match: Match) -> bool:
    """Whether both agents of a match are the same, by name or by the things they are made of."""
    if match.first == match.second:
        return True
    if ":" in match.first and ":" in match.second:
        return False  # code is known by its file, which may hold several agents
    agents = [roster.HERE.player(spec) for spec in match.agents]
    bought = [_strategies(agent) for agent in agents]
    if None not in bought:
        return bought[0] == bought[1]
    one, other = (roster.HERE.made_of(spec) for spec in match.agents)
    return one is not None and one == other


def _strategies(agent: Agent) -> list[Strategy] | None:
    """Return the strategies of a scripted agent without their names; None for another agent."""
    if type(agent) is not ScriptedAgent:
        return None
    return [replace(each, name="", source="") for each in agent.strategies]


def cards_out_of_reach(spec: str, kingdom: str) -> list[str]:
    """Return the names of the cards that a single strategy buys and that some game of the kingdom may lack.

    Args:
        spec: specification of an agent. One that chooses a strategy by the cards, such as `auto`, lacks none.
        kingdom: a kingdom as in `Match`.

    Raises:
        DominionError: the agent can't be made, or the kingdom is unknown.
    """
    agent = roster.HERE.player(spec)
    choice = resolve(kingdom)
    if type(agent) is not ScriptedAgent or len(agent.strategies) != 1:
        return []
    always = set.intersection(*(set(cards) for cards in choice.kingdoms.tolist())) if len(choice.kingdoms) else set()
    return [CARDS[card].name for card in agent.strategies[0].kingdom_cards if card not in always]
