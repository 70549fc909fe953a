"""Random menus, such as the evolution of the program Provincial starts from: opponents for any kingdom.

`random_menu(kingdom, seed)` draws a menu as a `Strategy`. The agent `random-menu:7` plays in each game the menu that seed 7
draws for its kingdom.

Source: github.com/techmatt/Provincial, `DominionDLL/BuyAgenda.cpp`, `BuyAgendaMenu::InitMenu`, games without Prosperity.
Provincial changes each menu at random once more before the first generation; that is part of its evolution and left out here.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import groupby
from typing import Any

import numpy as np

from dominion_agents.checks.arrays import checked
from dominion_agents.scripted.agent import ScriptedAgent
from dominion_agents.scripted.sight import FIELDS, FIELDS_OF_GUARD, FIELDS_OF_KINGDOMS, offsets
from dominion_agents.strategies.buy_list import MOST_PLAYERS
from dominion_agents.strategies.strategy import Strategy
from dominion_env.common.checks import is_whole_in, shown, whole_number
from dominion_env.common.errors import InvalidOption
from dominion_env.players.agent import Actions, Keys, Masks, ObservationName, Observations
from dominion_env.rules.turns.setup import pile_size
from dominion_env.tables.cards import KINGDOM_CARDS, NUM_BASE_CARDS, NUM_CARDS, Card
from dominion_env.tables.kingdoms import Kingdom, KingdomLike, one_set

RANDOM_MENU = "random-menu"

ESTATE, DUCHY = 2, 4  # an Estate or Duchy is bought when at most this number of Provinces is left
ABOVE_SILVER, BELOW_SILVER = 5, 1  # places for Kingdom cards

_BITS = 1 << np.arange(len(KINGDOM_CARDS), dtype=np.int64)
_AGENTS_KEPT = 4096
_MOST_DIGITS = 1000  # of a seed in a name; Python refuses to read numbers of more than 4300


def random_menu(kingdom: KingdomLike, seed: int | np.random.Generator = 0, num_players: int = 2) -> Strategy:
    """Draw a menu as Provincial does, such as `e2-d4-p8 Gold* Village1 Witch1 Silver* Moat1`.

    A menu buys a Province whenever it can, a Duchy when 4 and an Estate when 2 Provinces are left, then Gold, the cards of
    five places, Silver, and the card of one more place. Each place holds any of the ten Kingdom cards, independently of
    the others, 0 or 1 of it; all of this is equally likely. Places with 0 are left out, equal neighbours are added up.

    Args:
        kingdom: one set of ten cards, as a name such as "first-game-2e" or as ten cards.
        seed: a whole number from 0, which draws the same menu for the same kingdom and unrelated menus for other kingdoms,
            or a generator to draw from.
        num_players: 1 to 6 players; the menu buys Provinces from the first one on, and their games have 8 to 18.

    Raises:
        InvalidKingdom, UnknownCard: there is no such kingdom, or it is not ten different Kingdom cards.
        InvalidOption: the kingdom is drawn by chance or several, or the seed or number of players is wrong.
    """
    numbers = one_set(kingdom, "a menu is drawn from them")
    players = whole_number("num_players", num_players, 1, MOST_PLAYERS)
    cards = tuple(Card(number) for number in numbers)
    if isinstance(seed, np.random.Generator):
        return _drawn(cards, seed, players, RANDOM_MENU)
    if not is_whole_in(seed, 0):
        raise InvalidOption(f"seed: expected a whole number from 0 or a numpy Generator, got {shown(seed)}")
    number = int(seed)
    return _drawn(cards, np.random.default_rng([number, *cards]), players, f"{RANDOM_MENU}:{number}")


def _drawn(kingdom: Kingdom, random: np.random.Generator, num_players: int, name: str) -> Strategy:
    places = ABOVE_SILVER + BELOW_SILVER
    cards = random.integers(len(kingdom), size=places)
    counts = random.integers(2, size=places)
    named = [kingdom[card].title.replace(" ", "") if count else "" for card, count in zip(cards, counts, strict=True)]
    items = ["Gold*", *_added_up(named[:ABOVE_SILVER]), "Silver*", *_added_up(named[ABOVE_SILVER:])]
    thresholds = f"e{ESTATE}-d{DUCHY}-p{pile_size(num_players, Card.PROVINCE)}"
    menu = Strategy.parse(" ".join([thresholds, *items]), name)
    return replace(menu, source="Provincial", players=num_players)


def _added_up(cards: list[str]) -> list[str]:
    """Return the items of the places that are not empty; equal neighbours make one item."""
    return [f"{card}{len(list(same))}" for card, same in groupby(filter(None, cards))]


class RandomMenu:
    """Plays in each game the menu that a seed draws for its kingdom and number of players; see `random_menu`.

    The agent reads the kingdom from the observation. So it plays many menus when kingdoms are random, and always the same
    one on one kingdom. Each kingdom in a batch costs a call of its own.

    Args:
        seed: a whole number from 0.
        settings: settings that replace those of the menus; see `Strategy.but`.

    Raises:
        InvalidOption: the seed is wrong.
        InvalidStrategy: a setting is wrong.
    """

    observation: ObservationName = "recall"

    def __init__(self, seed: int = 0, **settings: Any) -> None:
        self.seed = whole_number("seed", seed, 0)
        self.settings = settings
        random_menu("first-game-2e", self.seed).but(**settings)  # a mistake is reported before the first game

    @cached_property
    def fields(self) -> tuple[str, ...] | None:
        """The fields of an observation that this agent reads; see `Agent`. A derived class may name others."""
        return FIELDS + FIELDS_OF_KINGDOMS + (FIELDS_OF_GUARD if self.settings.get("guard") else ())

    def act(self, observations: Observations, action_masks: Masks, keys: Keys) -> Actions:
        """Choose as `Agent.act` says, from "recall" observations.

        Raises:
            InvalidOption: an array has another shape or dtype.
            InvalidKingdom: an observation does not show ten Kingdom cards.
        """
        checked(observations, action_masks, keys)
        at = offsets(observations.shape[1])
        start, players = int(at["in_game"][0]), int(at["players"][0])
        here = observations[:, start + NUM_BASE_CARDS : start + NUM_CARDS] != 0
        kingdoms, which = np.unique(here @ _BITS, return_inverse=True)
        settings = tuple(sorted(self.settings.items()))
        actions = np.empty(len(observations), np.int64)
        for number, kingdom in enumerate(kingdoms.tolist()):
            agent = _agent(kingdom, self.seed, players, settings)
            if len(kingdoms) == 1:
                return agent.act(observations, action_masks, keys)
            mine = np.flatnonzero(which == number)
            actions[mine] = agent.act(observations[mine], action_masks[mine], keys[mine])
        return actions

    def __repr__(self) -> str:
        settings = "".join(f", {name}={value!r}" for name, value in self.settings.items())
        return f"{type(self).__name__}({self.seed}{settings})"


@lru_cache(_AGENTS_KEPT)
def _agent(bits: int, seed: int, num_players: int, settings: tuple[tuple[str, Any], ...]) -> ScriptedAgent:
    """Return the agent that plays the menu of this kingdom, given as a bit per Kingdom card."""
    kingdom = [card for place, card in enumerate(KINGDOM_CARDS) if bits >> place & 1]
    return ScriptedAgent(random_menu(kingdom, seed, num_players).but(**dict(settings)))


def is_random_menu(name: str) -> bool:
    """Return whether a name asks for a random menu: `random-menu`, or with a seed, `random-menu:7`."""
    return name.partition(":")[0] == RANDOM_MENU


def by_name(name: str, **settings: Any) -> RandomMenu:
    """Make the agent of such a name; without a seed it is that of seed 0.

    Raises:
        InvalidOption: there is no seed after the colon, or the settings hold another one.
        InvalidStrategy: a setting is wrong.
    """
    _, colon, seed = name.partition(":")
    if not colon:
        return RandomMenu(**settings)
    if not (seed.isascii() and seed.isdigit() and len(seed) <= _MOST_DIGITS):
        raise InvalidOption(
            f"{shown(name)}: expected a seed after the colon, a whole number from 0, as in {RANDOM_MENU}:7"
        )
    if "seed" in settings:
        raise InvalidOption(f"{shown(name)}: expected no second seed, got seed={shown(settings['seed'])}")
    return RandomMenu(int(seed), **settings)
