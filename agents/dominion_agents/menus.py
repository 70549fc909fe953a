"""Random menus, such as the evolution of the program Provincial starts from: opponents for any kingdom.

`random_menu(kingdom, seed)` draws one as a `Strategy`; the agent `random-menu:7` plays, in each game, the one that seed 7
draws for its kingdom.

Source: github.com/techmatt/Provincial, `DominionDLL/BuyAgenda.cpp`, `BuyAgendaMenu::InitMenu`, games without Prosperity.
Provincial changes each menu at random once more before the first generation; that is a part of its evolution, not here.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import groupby
from typing import Any

import numpy as np

from dominion_agents.arrays import checked
from dominion_agents.scripted import ScriptedAgent
from dominion_agents.sight import FIELDS, FIELDS_OF_GUARD, FIELDS_OF_KINGDOMS, offsets
from dominion_agents.strategy import MOST_PLAYERS, Strategy
from dominion_env.agent import Actions, Keys, Masks, ObservationName, Observations
from dominion_env.cards import KINGDOM_CARDS, NUM_BASE_CARDS, NUM_CARDS, Card
from dominion_env.checks import is_whole_in, whole_number
from dominion_env.errors import InvalidOption
from dominion_env.kingdoms import Kingdom, KingdomLike, resolve
from dominion_env.rules.setup import pile_size

RANDOM_MENU = "random-menu"

ESTATE, DUCHY = 2, 4  # bought when at most so many Provinces are left
ABOVE_SILVER, BELOW_SILVER = 5, 1  # places for Kingdom cards

_BITS = 1 << np.arange(len(KINGDOM_CARDS), dtype=np.int64)
_AGENTS_KEPT = 4096
_MOST_DIGITS = 1000  # of a seed in a name; Python reads no number of more than 4300


def random_menu(kingdom: KingdomLike, seed: int | np.random.Generator = 0, num_players: int = 2) -> Strategy:
    """A menu as Provincial draws it: `e2-d4-p8 Gold* Village1 Witch1 Silver* Moat1`.

    Province whenever it can be bought, Duchy from 4 and Estate from 2 Provinces left on, then Gold, five places for
    Kingdom cards, Silver, and one more place. In each place is any of the ten cards, all equally likely and whatever
    stands in the others, with a count of 0 or 1, equally likely; those with 0 are left out, equal neighbours added up.

    Args:
        kingdom: one set of ten: a name such as "first-game-2e", or ten cards.
        seed: 0 or more: the same one draws the same menu for the same kingdom and, as far as can be told, unrelated ones
            for others. Or a generator to draw from.
        num_players: 1 to 6; so many Provinces as their games have is the threshold of the Province. Provincial knows two.

    Raises:
        InvalidKingdom, UnknownCard: there is no such kingdom, not ten cards, a card twice, or a base card.
        InvalidOption: a kingdom that is drawn or several, a wrong seed or number of players.
    """
    kingdoms = resolve(kingdom).kingdoms
    if len(kingdoms) != 1:
        raise InvalidOption(f"kingdom {kingdom!r}: expected one set of ten cards, as a menu is drawn from its cards")
    whole_number("num_players", num_players, 1, MOST_PLAYERS)
    cards = tuple(Card(number) for number in kingdoms[0].tolist())
    if isinstance(seed, np.random.Generator):
        return _drawn(cards, seed, num_players, RANDOM_MENU)
    if not is_whole_in(seed, 0):
        raise InvalidOption(f"seed: expected a whole number from 0 or a numpy Generator, got {seed!r}")
    number = int(seed)
    return _drawn(cards, np.random.default_rng([number, *cards]), num_players, f"{RANDOM_MENU}:{number}")


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
    """The places that are not empty as items; a card that comes several times in a row is one."""
    return [f"{card}{len(list(same))}" for card, same in groupby(filter(None, cards))]


class RandomMenu:
    """Plays in each game the menu that its seed draws for the kingdom and the number of players: see `random_menu`.

    It reads the kingdom from the observation. So one agent plays many menus when kingdoms are random, and always the
    same one on one kingdom; each kingdom in a batch costs a call of its own.

    Args:
        seed: 0 or more.
        settings: of the menus, instead of their own; see `Strategy.but`.

    Raises:
        InvalidOption: a wrong seed.
        InvalidStrategy: a wrong setting.
    """

    observation: ObservationName = "recall"

    def __init__(self, seed: int = 0, **settings: Any) -> None:
        self.seed = whole_number("seed", seed, 0)
        self.settings = settings
        random_menu("first-game-2e", self.seed).but(**settings)  # what is wrong is said before the first game

    @cached_property
    def fields(self) -> tuple[str, ...] | None:
        """What of an observation it reads; see `Agent`. What a derived class says in its place holds."""
        return FIELDS + FIELDS_OF_KINGDOMS + (FIELDS_OF_GUARD if self.settings.get("guard") else ())

    def act(self, observations: Observations, action_masks: Masks, keys: Keys) -> Actions:
        """See `Agent.act`; the observations must be "recall" ones.

        Raises:
            InvalidOption: arrays of another shape or dtype.
            InvalidKingdom: an observation without ten Kingdom cards.
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
    """Who plays in the kingdom of these cards, a bit each in order of card number."""
    kingdom = [card for place, card in enumerate(KINGDOM_CARDS) if bits >> place & 1]
    return ScriptedAgent(random_menu(kingdom, seed, num_players).but(**dict(settings)))


def is_random_menu(name: str) -> bool:
    """Whether a name asks for a random menu: `random-menu`, or with a seed, `random-menu:7`."""
    return name.partition(":")[0] == RANDOM_MENU


def by_name(name: str) -> RandomMenu:
    """The agent of such a name; without a seed that of seed 0.

    Raises:
        InvalidOption: what follows the colon is no seed.
    """
    _, colon, seed = name.partition(":")
    if colon and not (seed.isascii() and seed.isdigit() and len(seed) <= _MOST_DIGITS):
        raise InvalidOption(f"{name!r}: expected a seed, a whole number from 0, after the colon: {RANDOM_MENU}:7")
    return RandomMenu(int(seed or 0))
