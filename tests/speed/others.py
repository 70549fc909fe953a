"""Games of other packages, measured: pyminion 0.4, RLCard 1.2, OpenSpiel 2.0 and PettingZoo 1.25 to 1.27.

A package is imported when it is measured. The extra `others` installs all of them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from typing import Any

from dominion_env.tables.cards import CARDS
from dominion_env.tables.kingdoms import KINGDOMS
from tests.speed.clock import Piece, Subject
from tests.speed.ours import AEC_DECISION, aec


def other_subjects() -> Iterator[Subject]:
    """Yield random legal play, and pyminion's Big Money; a piece is a whole game."""
    question = "one question to a player, answered"
    chosen = "one action drawn from the legal ones and carried out"
    subjects: tuple[tuple[str, str, Callable[[], Piece]], ...] = (
        ("pyminion, random, First Game", f"{question} at random; several cards are one answer", _pyminion_random),
        ("pyminion, Big Money", f"{question} by its own bot; all Treasures are one answer", _pyminion_big_money),
        ("PettingZoo connect_four", AEC_DECISION, partial(_pettingzoo, "connect_four.connect_four")),
        ("PettingZoo texas_holdem", AEC_DECISION, partial(_pettingzoo, "rlcard_envs.texas_holdem")),
        ("RLCard gin-rummy", f"{chosen} (step), the next observation made", _rlcard),
        ("OpenSpiel gin_rummy", f"{chosen} (apply_action), the cards it deals included", partial(_open_spiel, False)),
        ("OpenSpiel gin_rummy, observed", f"{chosen}, observation_tensor before it", partial(_open_spiel, True)),
    )
    for name, decision, begin in subjects:
        yield Subject("others", name, decision, begin, extra="others")


class RandomDecider:
    """A pyminion decider that answers every question of First Game at random.

    It plays Treasures one at a time or stops, and picks any number of cards that the question allows.
    """

    def __init__(self) -> None:
        self.random = random.Random(0)

    def action_phase_decision(self, valid_actions: list[Any], player: Any, game: Any) -> Any:
        """Return an Action card, or None to go on."""
        return self.random.choice([None, *valid_actions])

    def treasure_phase_decision(self, valid_treasures: list[Any], player: Any, game: Any) -> list[Any]:
        """Return a Treasure card, or none to go on."""
        card = self.random.choice([None, *valid_treasures])
        return [] if card is None else [card]

    def buy_phase_decision(self, valid_cards: list[Any], player: Any, game: Any) -> Any:
        """Return a card that can be paid, or None to end the turn."""
        return self.random.choice([None, *valid_cards])

    def binary_decision(self, **question: Any) -> bool:
        """Answer yes or no (Moat)."""
        return self.random.random() < 0.5

    def discard_decision(
        self, valid_cards: list[Any], min_num_discard: int = 0, max_num_discard: int = -1, **question: Any
    ) -> list[Any]:
        """Return cards to discard (Cellar, Militia)."""
        return self._some(valid_cards, min_num_discard, max_num_discard)

    def trash_decision(
        self, valid_cards: list[Any], min_num_trash: int = 0, max_num_trash: int = -1, **question: Any
    ) -> list[Any]:
        """Return cards to trash (Mine, Remodel)."""
        return self._some(valid_cards, min_num_trash, max_num_trash)

    def gain_decision(
        self, valid_cards: list[Any], min_num_gain: int = 0, max_num_gain: int = -1, **question: Any
    ) -> list[Any]:
        """Return cards to gain (Mine, Remodel, Workshop)."""
        return self._some(valid_cards, min_num_gain, max_num_gain)

    def _some(self, cards: list[Any], least: int, most: int) -> list[Any]:
        """Return at least and at most so many of the cards, each number as likely; a `most` of -1 means all."""
        most = len(cards) if most < 0 else min(most, len(cards))
        return self.random.sample(cards, self.random.randint(min(least, most), most))


class Counted:
    """A decider that hands every question on to another one and counts the questions."""

    def __init__(self, decider: Any) -> None:
        self.asked = 0
        self._decider = decider

    def __getattr__(self, question: str) -> Callable[..., Any]:
        answer = getattr(self._decider, question)

        def counted(*about: Any, **more: Any) -> Any:
            self.asked += 1
            return answer(*about, **more)

        return counted


def _pyminion_random() -> Piece:
    return _pyminion(RandomDecider())


def _pyminion_big_money() -> Piece:
    return _pyminion(import_module("pyminion.bots.examples.big_money").BigMoneyDecider())


def _pyminion(decider: Any) -> Piece:
    base = import_module("pyminion.expansions.base")
    new_bot = import_module("pyminion.bots.bot").Bot
    new_game = import_module("pyminion.game").Game
    cards = {card.name: card for card in base.base_set}
    kingdom = [cards[CARDS[card].name] for card in KINGDOMS["first-game-2e"]]
    counted = Counted(decider)

    def game() -> tuple[int, int]:
        before = counted.asked
        players = [new_bot(counted, name) for name in ("player_0", "player_1")]
        new_game(players, [base.base_set], kingdom, log_stdout=False).play()
        return counted.asked - before, 1

    return game


def _pettingzoo(module: str) -> Piece:
    # The module that defines `env`, as the names with a version warn since 1.27 and `make` came with that version.
    return aec(import_module(f"pettingzoo.classic.{module}").env)


def _rlcard() -> Piece:
    draw = random.Random(0)
    env = import_module("rlcard").make("gin-rummy", {"seed": 0})

    def game() -> tuple[int, int]:
        decisions = 0
        state, _ = env.reset()
        while not env.is_over():
            state, _ = env.step(draw.choice(list(state["legal_actions"])))
            decisions += 1
        return decisions, 1

    return game


def _open_spiel(observed: bool) -> Piece:
    draw = random.Random(0)
    rules = import_module("pyspiel").load_game("gin_rummy")

    def game() -> tuple[int, int]:
        decisions = 0
        state = rules.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(draw.choices(actions, chances)[0])
                continue
            if observed:
                state.observation_tensor()
            state.apply_action(draw.choice(state.legal_actions()))
            decisions += 1
        return decisions, 1

    return game
