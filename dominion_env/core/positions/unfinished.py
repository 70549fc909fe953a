"""Positions in the middle of an effect: what is in progress, and whether the rules can have left it so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from dominion_env.actions import NUM_ACTIONS, Verb
from dominion_env.cards import CARDS, NUM_CARDS, Card, Type
from dominion_env.core.positions.form import QUESTION_KEYS, ZONES_OF_CANDIDATES, Position, name_of
from dominion_env.core.positions.values import card_named, check_keys, check_list, count_row, flag, one_of, whole
from dominion_env.core.questions import KIND_NAMES
from dominion_env.errors import InvalidPosition
from dominion_env.rules import decisions as asking
from dominion_env.rules import stack
from dominion_env.rules.state import BUY_PHASE, CHOSEN, LOOKED_AT, MAX_EFFECTS, NUM_PILES, REVEALED, SET_ASIDE

_ANYTHING = (Verb.TRASH, Verb.DISCARD, Verb.TOPDECK)
_MANY = 1000

# What the effects ask: (effect, card) -> (first and last step at which the question is open, verbs, candidates).
ASKED: dict[tuple[int, Card], tuple[tuple[int, int, tuple[Verb, ...], int], ...]] = {
    (stack.TEXT, Card.ARTISAN): (
        (1, 1, (Verb.GAIN,), asking.SUPPLY),
        (1, 2, (Verb.TOPDECK,), asking.HAND),
    ),
    (stack.VICTIM, Card.BANDIT): ((1, 1, (Verb.TRASH,), asking.ASIDE),),
    (stack.VICTIM, Card.BUREAUCRAT): ((1, 1, (Verb.TOPDECK,), asking.HAND),),
    (stack.TEXT, Card.CELLAR): ((1, _MANY, (Verb.DISCARD,), asking.HAND),),
    (stack.TEXT, Card.CHANCELLOR): ((1, 1, (), asking.DECK),),
    (stack.TEXT, Card.CHAPEL): ((1, 4, (Verb.TRASH,), asking.HAND),),
    (stack.TEXT, Card.FEAST): ((1, 1, (Verb.GAIN,), asking.SUPPLY),),
    (stack.TEXT, Card.HARBINGER): ((1, 1, (Verb.TOPDECK,), asking.DISCARD_PILE),),
    (stack.TEXT, Card.LIBRARY): ((1, _MANY, (Verb.SET_ASIDE,), asking.SUBJECT),),
    (stack.VICTIM, Card.MILITIA): ((1, _MANY, (Verb.DISCARD,), asking.HAND),),
    (stack.TEXT, Card.MINE): ((1, 1, (Verb.TRASH,), asking.HAND), (2, 2, (Verb.GAIN,), asking.SUPPLY)),
    (stack.TEXT, Card.MONEYLENDER): ((1, 1, (Verb.TRASH,), asking.HAND),),
    (stack.TEXT, Card.POACHER): ((1, NUM_PILES, (Verb.DISCARD,), asking.HAND),),
    (stack.TEXT, Card.REMODEL): ((1, 1, (Verb.TRASH,), asking.HAND), (2, 2, (Verb.GAIN,), asking.SUPPLY)),
    (stack.TEXT, Card.SENTRY): ((1, 1, _ANYTHING, asking.ASIDE), (2, 2, _ANYTHING, asking.SUBJECT)),
    (stack.VICTIM, Card.SPY): ((1, 1, (Verb.DISCARD, Verb.TOPDECK), asking.SUBJECT),),
    (stack.VICTIM, Card.THIEF): ((1, 1, (Verb.TRASH,), asking.ASIDE),),
    (stack.AFTERMATH, Card.THIEF): ((1, 6, (Verb.GAIN,), asking.LOOT),),
    (stack.TEXT, Card.THRONE_ROOM): ((1, 1, (Verb.PLAY,), asking.HAND),),
    (stack.TEXT, Card.VASSAL): ((1, 1, (Verb.PLAY,), asking.SUBJECT),),
    (stack.TEXT, Card.WORKSHOP): ((1, 1, (Verb.GAIN,), asking.SUPPLY),),
}


def read_effects(game: Any, position: Position, players: int) -> None:
    """The effects in progress and the question that the newest of them asks."""
    frames = position.get("effects", [])
    check_list("effects", frames)
    if not frames:
        if position.get("question"):
            raise InvalidPosition("question: nothing is asked in the middle of an effect without `effects`")
        return
    if game["over"] or game["phase"] == BUY_PHASE:
        raise InvalidPosition("effects: an effect goes on in the Action phase of a running game only")
    if len(frames) > MAX_EFFECTS:
        raise InvalidPosition(f"effects: expected at most {MAX_EFFECTS}, got {len(frames)}")
    for i, frame in enumerate(frames):
        where = f"effects[{i}]"
        if not isinstance(frame, Mapping):
            raise InvalidPosition(f"{where}: expected a dictionary, got {frame!r}")
        check_keys(where, frame, ("effect", "card", "player", "step", "count"))
        game["stack"][i] = (
            one_of(f"{where}.effect", frame.get("effect"), stack.EFFECTS),
            card_named(f"{where}.card", frame.get("card")),
            whole(f"{where}.player", frame.get("player"), 0, players - 1),
            whole(f"{where}.step", frame.get("step", 0), 0, _MANY),
            whole(f"{where}.count", frame.get("count", 0), 0, _MANY),
        )
    game["stack_size"] = len(frames)
    immune = position.get("immune", [])
    check_list("immune", immune)
    game["immune"] = sum(1 << seat for seat in {whole("immune", seat, 0, players - 1) for seat in immune})
    game["loot"] = count_row("loot", position.get("loot", {}))
    stolen = [Card(int(card)) for card in np.flatnonzero(game["loot"])]
    if (game["loot"] > game["trash"]).any() or not all(card.info.types & Type.TREASURE for card in stolen):
        raise InvalidPosition("loot: only Treasures that lie in the trash can have been stolen")
    _read_question(game, position.get("question"), players)
    _check_stack(game)


def _read_question(game: Any, question: Any, players: int) -> None:
    if not isinstance(question, Mapping):
        raise InvalidPosition(f"question: expected a dictionary in the middle of an effect, got {question!r}")
    check_keys("question", question, QUESTION_KEYS)
    game["asked"] = whole("question.player", question.get("player"), 0, players - 1)
    game["kind"] = one_of("question.kind", question.get("kind"), KIND_NAMES)
    for key in ("source", "subject"):
        name = question.get(key)
        game[key] = -1 if name is None else card_named(f"question.{key}", name)
    target = question.get("target")
    game["target"] = -1 if target is None else whole("question.target", target, 0, players - 1)
    verbs = question.get("verbs", [])
    check_list("question.verbs", verbs)
    words = tuple(verb.word for verb in Verb)
    game["verbs"] = sum(1 << verb for verb in {one_of("question.verbs", word, words) for word in verbs})
    game["candidates"] = one_of("question.from", question.get("from"), ZONES_OF_CANDIDATES)
    game["which"] = whole("question.which", question.get("which", asking.ANY), 0, (1 << 32) - 1)
    game["optional"] = flag("question.optional", question.get("optional", False))
    for key in ("picks", "min_left", "max_left"):
        game[key] = whole(f"question.{key}", question.get(key, 0), 0, _MANY)


def _check_stack(game: Any) -> None:
    """The effects are ones that the rules can have left waiting, and the question is the one that the newest asks."""
    size, turn_player = int(game["stack_size"]), int(game["turn_player"])
    frames = game["stack"][:size].tolist()
    effect, card, player, step, number = frames.pop()
    below: tuple[int, ...] = ()
    if effect == stack.WINDOWS:
        below = (stack.TEXT, stack.EACH_PLAYER, stack.AFTERMATH)
    elif effect == stack.VICTIM:
        below = (stack.EACH_PLAYER, stack.AFTERMATH)
    for kind in below:
        if not frames or frames[-1][:3] != (kind, card, turn_player) or (kind != stack.EACH_PLAYER and frames[-1][3]):
            raise InvalidPosition(f"effects: {name_of(card)} can't wait on these effects")
        if kind == stack.EACH_PLAYER and frames[-1][4] > game["num_players"]:
            raise InvalidPosition(f"effects: {name_of(card)} has counted more players than there are")
        frames.pop()
    for kind, waiting, seat, at, played in frames:
        throne_room = (kind, waiting, seat, at) == (stack.TEXT, Card.THRONE_ROOM, turn_player, 2)
        if not throne_room or played >= NUM_CARDS or not CARDS[played].types & Type.ACTION:
            raise InvalidPosition("effects: only a Throne Room waits while another card is carried out")
    if effect != stack.VICTIM and player != turn_player:
        raise InvalidPosition("effects: cards are played by the player whose turn it is")
    _check_question(game, effect, card, player, step, number)


def _check_question(game: Any, effect: int, card: int, player: int, step: int, number: int) -> None:
    wrong = InvalidPosition(f"question: {name_of(card)} does not ask this at this point")
    zone, verbs, subject = int(game["candidates"]), int(game["verbs"]), int(game["subject"])
    if effect == stack.WINDOWS:
        holder = (player + number) % int(game["num_players"])
        asks_moat = (zone, verbs, int(game["which"])) == (
            asking.HAND,
            1 << Verb.REVEAL,
            asking.ONLY_MOAT,
        )
        if (
            not asks_moat
            or game["asked"] != holder
            or not 0 < number < game["num_players"]
            or not CARDS[card].types & Type.ATTACK
        ):
            raise wrong
    else:
        fits = [
            first <= step <= last and verbs == sum(1 << verb for verb in which) and zone == where
            for first, last, which, where in ASKED.get((effect, Card(card)), ())
        ]
        if not any(fits):
            raise wrong
        asks_attacker = effect == stack.VICTIM and card in (Card.SPY, Card.THIEF)
        if game["asked"] != (game["turn_player"] if asks_attacker else player):
            raise wrong
        if asks_attacker and game["target"] != player:
            raise wrong
        if not asks_attacker and game["target"] >= 0:
            raise wrong
    _check_cards_in_question(game, effect, card, player, step, number, subject, wrong)


def _check_cards_in_question(
    game: Any, effect: int, card: int, player: int, step: int, number: int, subject: int, wrong: InvalidPosition
) -> None:
    """The cards that the effect holds beside the play area are there."""
    table = game["table"][player]
    beside = [int(entry) for entry in table[len(table) - int(game["aside_size"][player]) :]]  # newest first
    cards, purposes = [entry & 63 for entry in beside], [entry >> 6 for entry in beside]
    looked_at = (LOOKED_AT, REVEALED)

    def holds(purposes_wanted: tuple[int, ...], copies: int, after: int = 0) -> bool:
        part = purposes[after : after + copies]
        return len(part) == copies and all(purpose in purposes_wanted for purpose in part)

    if effect == stack.WINDOWS:
        return
    if card in (Card.CELLAR, Card.CHAPEL, Card.POACHER, Card.MILITIA):
        if not holds((CHOSEN,), number):
            raise wrong
    elif card == Card.LIBRARY:
        if not (holds(looked_at, 1) and cards[0] == subject and holds((SET_ASIDE,), number, 1)):
            raise wrong
        if not CARDS[subject].types & Type.ACTION:
            raise wrong
    elif card == Card.SENTRY and step == 1:
        if number not in (1, 2) or not holds(looked_at, number):
            raise wrong
    elif card == Card.SENTRY:
        first = (number - 2) // 8 if 2 <= number < NUM_ACTIONS else -1
        if (
            not holds(looked_at, 2)
            or sorted(cards[:2]) != sorted((first, subject))
            or (number - 2) % 8 not in _ANYTHING
        ):
            raise wrong
    elif effect == stack.VICTIM and card == Card.SPY:
        if not holds((REVEALED,), 1) or cards[0] != subject:
            raise wrong
    elif effect == stack.VICTIM and card in (Card.THIEF, Card.BANDIT):
        if number not in (1, 2) or not holds((REVEALED,), number):
            raise wrong
    elif card == Card.VASSAL:
        size = int(game["discard_size"][player])
        on_top = size > 0 and game["pile"][player, size - 1] == subject
        if not on_top or not CARDS[subject].types & Type.ACTION:
            raise wrong
