"""Positions in the middle of an effect: what is in progress, and whether the rules can have left it so."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from dominion_env.common.checks import shown
from dominion_env.common.errors import InvalidPosition
from dominion_env.core.positions import form
from dominion_env.core.positions.values import card_named, check_keys, check_list, count_row, flag, one_of, whole
from dominion_env.core.questions import KIND_NAMES
from dominion_env.rules.record.costs import plain_cost
from dominion_env.rules.record.marks import card_in, mark_of
from dominion_env.rules.record.parts import REMEMBER_A_REPLAY, WITH_REACTION
from dominion_env.rules.record.state import BUY_PHASE, MAX_EFFECTS
from dominion_env.rules.turns.dispatch import QUESTIONS
from dominion_env.rules.words.asking import ANY_STEP, Question, Waiting
from dominion_env.rules.words.decisions import HAND, LOOT, NO_SEAT, joined_which
from dominion_env.rules.words.stack import AFTERMATH, EACH_PLAYER, EFFECTS, REPLAY, TEXT, VICTIM, WINDOWS
from dominion_env.tables.actions import Verb
from dominion_env.tables.cards import CARDS, NUM_CARDS, Card, Type

_MOST = ANY_STEP[-1]  # of numbers without a limit of their own
_HIGHEST_LIMIT = 254  # of a cost that a question names: it is stored as a byte, 0 for no limit

# The cards whose players may gain what they have trashed.
_LOOTING = {card for (_, card), questions in QUESTIONS.items() if any(each.zone == LOOT for each in questions)}
_REPLAYING = " or ".join(f"{form.title_of(card)}s" for card in REMEMBER_A_REPLAY)
_LOOTING_NAMES = " or ".join(form.title_of(card) for card in sorted(_LOOTING))


def read_effects(game: Any, position: form.Position, players: int) -> None:
    """Read the effects in progress and the question that the newest of them asks."""
    frames = position.get("effects", [])
    check_list("effects", frames)
    if not frames:
        for key in ("question", "immune", "loot"):
            if position.get(key):
                raise InvalidPosition(f"{key}: expected none without `effects`, got {shown(position[key])}")
        return
    if game["over"] or game["phase"] == BUY_PHASE:
        raise InvalidPosition("effects: expected none, as an effect goes on in the Action phase of a running game only")
    if len(frames) > MAX_EFFECTS:
        raise InvalidPosition(f"effects: expected at most {MAX_EFFECTS}, got {len(frames)}")
    for i, frame in enumerate(frames):
        where = f"effects[{i}]"
        if not isinstance(frame, Mapping):
            raise InvalidPosition(f"{where}: expected a dictionary, got {shown(frame)}")
        check_keys(where, frame, form.EFFECT_KEYS)
        game["stack"][i] = (
            one_of(f"{where}.effect", frame.get("effect"), EFFECTS),
            card_named(f"{where}.card", frame.get("card")),
            whole(f"{where}.player", frame.get("player"), 0, players - 1),
            whole(f"{where}.step", frame.get("step", 0), 0, _MOST),
            whole(f"{where}.memory", frame.get("memory", 0), 0, _MOST),
        )
    game["stack_size"] = len(frames)
    _read_immune(game, position.get("immune", []), players)
    _read_loot(game, position.get("loot", {}), players)
    _read_question(game, position.get("question"), players)
    _check_question(game, _check_stack(game))


def _read_immune(game: Any, immune: Any, players: int) -> None:
    """Read the seats that the Attack in progress does not affect."""
    check_list("immune", immune)
    seats = {whole("immune", seat, 0, players - 1) for seat in immune}
    if seats and not any(Type.ATTACK in CARDS[card].types for card in _cards_in_progress(game)):
        raise InvalidPosition(f"immune: expected none without an Attack in `effects`, got {shown(immune)}")
    if game["turn_player"] in seats:
        raise InvalidPosition(f"immune: expected other seats than the attacker's, got {shown(immune)}")
    game["immune"] = sum(1 << seat for seat in seats)


def _read_loot(game: Any, loot: Any, players: int) -> None:
    """Read the cards that the Attack in progress has trashed, and its player may still gain."""
    game["loot"] = count_row("loot", loot)
    stolen = [Card(int(card)) for card in np.flatnonzero(game["loot"])]
    if stolen and _LOOTING.isdisjoint(_cards_in_progress(game)):
        raise InvalidPosition(f"loot: expected none without {_LOOTING_NAMES} in `effects`, got {shown(loot)}")
    if (game["loot"] > game["trash"]).any() or not all(Type.TREASURE in card.info.types for card in stolen):
        raise InvalidPosition(f"loot: expected Treasures that lie in the trash, got {shown(loot)}")
    if game["loot"].sum() > players - 1:
        raise InvalidPosition(f"loot: expected at most one card for each other player, got {shown(loot)}")


def _cards_in_progress(game: Any) -> list[int]:
    """Return the cards whose effects are in progress, oldest first."""
    return [int(card) for card in game["stack"]["card"][: game["stack_size"]]]


def _read_question(game: Any, question: Any, players: int) -> None:
    if not isinstance(question, Mapping):
        raise InvalidPosition(f"question: expected a dictionary in the middle of an effect, got {shown(question)}")
    check_keys("question", question, form.QUESTION_KEYS)
    game["asked"] = whole("question.player", question.get("player"), 0, players - 1)
    game["kind"] = one_of("question.kind", question.get("kind"), KIND_NAMES)
    for key in ("source", "subject"):
        name = question.get(key)
        game[key] = -1 if name is None else card_named(f"question.{key}", name)
    target = question.get("target")
    game["target"] = -1 if target is None else whole("question.target", target, 0, players - 1)
    game["verbs"] = sum(1 << verb for verb in _words("question.verbs", question, [verb.word for verb in Verb]))
    game["candidates"] = one_of("question.from", question.get("from"), form.ZONES_OF_CANDIDATES)
    game["which"] = _read_which(question.get("which", {}))
    game["optional"] = flag("question.optional", question.get("optional", False))
    for key in ("picks", "min_left", "max_left"):
        game[key] = whole(f"question.{key}", question.get(key, 0), 0, _MOST)


def _words(where: str, given: Mapping[str, Any], known: list[str]) -> set[int]:
    """Return the places of the words that a list in a position holds."""
    words = given.get(where.rsplit(".", 1)[1], [])
    check_list(where, words)
    return {one_of(where, word, known) for word in words}


def _read_which(which: Any) -> int:
    """Return which cards will do, as the record holds it."""
    where = "question.which"
    if not isinstance(which, Mapping):
        raise InvalidPosition(f"{where}: expected a dictionary, got {shown(which)}")
    check_keys(where, which, form.WHICH_KEYS)
    bits = list(form.TYPE_WORDS.values())
    return joined_which(
        sum(bits[place] for place in _words(f"{where}.types", which, list(form.TYPE_WORDS))),
        whole(f"{where}.up_to", which["up_to"], 0, _HIGHEST_LIMIT) if "up_to" in which else None,
        card_named(f"{where}.only", which["only"]) if "only" in which else None,
        card_named(f"{where}.except", which["except"]) if "except" in which else None,
    )


# What waits below a newest effect of this kind while it goes on, from the top down: kinds of effects of the same Attack.
_BELOW = {WINDOWS: ((TEXT, REPLAY), (EACH_PLAYER,), (AFTERMATH,)), VICTIM: ((EACH_PLAYER,), (AFTERMATH,))}


def _check_stack(game: Any) -> dict[str, int]:
    """Check that the rules can have left these effects waiting. Returns the newest one."""
    turn_player = int(game["turn_player"])
    frames = [{key: int(frame[key]) for key in form.EFFECT_KEYS} for frame in game["stack"][: int(game["stack_size"])]]
    newest = frames.pop()
    for kinds in _BELOW.get(newest["effect"], ()):
        below = frames.pop() if frames else None
        of = form.title_of(newest["card"])
        expected = f"effects: expected {EFFECTS[kinds[0]]!r} of {of} below {EFFECTS[newest['effect']]!r}"
        if below is None or below["effect"] not in kinds:
            raise InvalidPosition(f"{expected}, got {'nothing' if below is None else repr(EFFECTS[below['effect']])}")
        if (below["card"], below["player"]) != (newest["card"], turn_player):
            raise InvalidPosition(f"{expected}, got one of {form.title_of(below['card'])} and player {below['player']}")
        if below["effect"] == EACH_PLAYER:
            if below["memory"] > game["num_players"]:
                raise InvalidPosition(
                    f"{expected} with a memory of at most {game['num_players']}, got {below['memory']}"
                )
        elif below["step"]:
            raise InvalidPosition(f"{expected} with step 0, got {below['step']}")
    for frame in frames:
        plays_it = frame["card"] in REMEMBER_A_REPLAY and (frame["player"], frame["step"]) == (turn_player, 2)
        replayed = frame["memory"]
        if (
            not (plays_it and frame["effect"] in (TEXT, REPLAY))
            or replayed >= NUM_CARDS
            or Type.ACTION not in CARDS[replayed].types
        ):
            raise InvalidPosition(
                f"effects: expected below a card only {_REPLAYING} that play it, got {EFFECTS[frame['effect']]!r} of "
                f"{form.title_of(frame['card'])}"
            )
    if newest["effect"] != VICTIM and newest["player"] != turn_player:
        raise InvalidPosition(f"effects: expected a card played by player {turn_player}, got {newest['player']}")
    return newest


def _check_question(game: Any, newest: dict[str, int]) -> None:
    """Check that the newest effect asks the question at this point, and that the cards it relies on are there."""
    if newest["effect"] == WINDOWS:
        fits = _asks_for_reaction(game, newest)
    else:
        effect = TEXT if newest["effect"] == REPLAY else newest["effect"]
        fits = any(_asks(game, newest, question) for question in QUESTIONS.get((effect, newest["card"]), ()))
    if not fits:
        raise InvalidPosition(
            f"question: expected one that {form.title_of(newest['card'])} asks at this point, got another"
        )


def _asks_for_reaction(game: Any, newest: dict[str, int]) -> bool:
    """Return whether the question is to a player who may reveal a Reaction against an Attack."""
    distance, players = newest["memory"], int(game["num_players"])
    return (
        Type.ATTACK in CARDS[newest["card"]].types
        and 0 < distance < players
        and game["asked"] == (newest["player"] + distance) % players
        and (game["candidates"], game["verbs"], game["kind"]) == (HAND, 1 << Verb.REVEAL, Verb.REVEAL)
        and any((game["source"], game["which"]) == (card, joined_which(0, None, card, None)) for card in WITH_REACTION)
        and _has(
            game,
            {"subject": newest["card"], "target": NO_SEAT, "optional": 1, "picks": 0, "min_left": 0, "max_left": 1},
        )
    )


def _asks(game: Any, newest: dict[str, int], question: Question) -> bool:
    """Return whether the question of the position is this one of the newest effect's text."""
    player, waiting = newest["player"], _waiting(game, newest)
    asked, target = (int(game["turn_player"]), player) if question.asks_attacker else (player, -1)
    return (
        newest["step"] in question.steps
        and (game["candidates"], game["verbs"]) == (question.zone, question.verbs)
        and (game["asked"], game["target"], game["source"]) == (asked, target, newest["card"])
        and question.needs(waiting)
        and question.is_about_right_card(waiting)
        and _has(game, question.in_record(waiting))
        and game["max_left"] > 0
    )


def _has(game: Any, fields: dict[str, int]) -> bool:
    return all(game[name] == value for name, value in fields.items())


def _waiting(game: Any, newest: dict[str, int]) -> Waiting:
    player = newest["player"]
    table, discarded = game["table"][player], int(game["discard_size"][player])
    subject = int(game["subject"])
    beside = table[len(table) - int(game["aside_size"][player]) :]  # newest first
    return Waiting(
        step=newest["step"],
        remembered=newest["memory"],
        edition=int(game["edition"]),
        subject=subject,
        subject_cost=int(plain_cost(game, subject)) if subject >= 0 else 0,
        beside=[(card_in(entry), mark_of(entry)) for entry in beside],
        discard_top=int(game["pile"][player, discarded - 1]) if discarded else -1,
        hand_size=int(game["hand_size"][player]),
        empty_piles=int((game["supply"][game["piles"]] == 0).sum()),
        trash=frozenset(np.flatnonzero(game["trash"]).tolist()),
        loot=int(game["loot"].sum()),
        others=int(game["num_players"]) - 1,
    )
