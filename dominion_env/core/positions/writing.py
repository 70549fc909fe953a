"""Writing a record as a position in words."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dominion_env.core.positions import form
from dominion_env.core.questions import KIND_NAMES
from dominion_env.rules.record.marks import card_in, mark_of
from dominion_env.rules.record.state import CHOSEN, LARGEST, LOOKED_AT, REVEALED, SET_ASIDE
from dominion_env.rules.words import stack
from dominion_env.rules.words.decisions import split_which
from dominion_env.tables.actions import Verb
from dominion_env.tables.cards import NUM_BASE_CARDS, set_of


def write(game: Any) -> dict[str, Any]:
    """Return the position of one record of `state.GAME` as a dictionary that JSON can hold."""
    players = int(game["num_players"])
    position: dict[str, Any] = {
        "format": form.FORMAT,
        **set_of(game["piles"]),
        "edition": int(game["edition"]),
        "num_players": players,
        "kingdom": [form.title_of(card) for card in game["piles"][NUM_BASE_CARDS:]],
        "start_player": int(game["start_player"]),
        "turn_player": int(game["turn_player"]),
        "phase": form.PHASES[game["phase"]],
        **{key: min(int(game[key]), LARGEST) for key in ("actions", "buys", "coins", "merchants")},
        "silver_played": bool(game["silver_played"]),
        "bought": bool(game["bought"]),
        "supply": {form.title_of(card): int(game["supply"][card]) for card in game["piles"]},
        "trash": _counts(game["trash"]),
        "players": [_write_player(game, seat) for seat in range(players)],
        "over": bool(game["over"]),
        "ended": form.ENDINGS[game["ended"]],
        "asked": int(game["asked"]),
        "address": {"seed": int(game["seed"]), "index": int(game["index"]), "episode": int(game["episode"])},
        "streams": {"seats": [int(word) for word in game["streams"][:players]], "setup": int(game["setup_stream"])},
        "decisions": [int(number) for number in game["decisions"][:players]],
    }
    if game["stack_size"] > 0:
        position["effects"] = [
            {
                "effect": stack.EFFECTS[frame["effect"]],
                "card": form.title_of(frame["card"]),
                "player": int(frame["player"]),
                "step": int(frame["step"]),
                "memory": int(frame["memory"]),
            }
            for frame in game["stack"][: game["stack_size"]]
        ]
        position["question"] = _write_question(game)
        position["immune"] = [seat for seat in range(players) if game["immune"] >> seat & 1]
        position["loot"] = _counts(game["loot"])
    return position


def _write_player(game: Any, seat: int) -> dict[str, Any]:
    pile, table = game["pile"][seat], game["table"][seat]
    top = pile[len(pile) - game["top_size"][seat] :]
    aside = table[len(table) - game["aside_size"][seat] :][::-1]
    beside: dict[int, list[int]] = {CHOSEN: [], SET_ASIDE: [], REVEALED: []}
    revealed_known = []
    for entry in aside:
        card, purpose = card_in(entry), mark_of(entry)
        beside[REVEALED if purpose == LOOKED_AT else purpose].append(card)
        if purpose in (REVEALED, LOOKED_AT):
            revealed_known.append("owner" if purpose == LOOKED_AT else "all")
    return {
        "hand": _counts(game["hand"][seat]),
        "deck_top": [form.title_of(card_in(entry)) for entry in top],
        "deck_known": [form.KNOWER_NAMES[mark_of(entry)] for entry in top],
        "deck_bag": _counts(game["bag"][seat]),
        "discard": [form.title_of(card) for card in pile[: game["discard_size"][seat]]],
        "in_play": [form.title_of(card) for card in table[: game["play_size"][seat]]],
        "set_aside": [form.title_of(card) for card in beside[SET_ASIDE]],
        "revealed": [form.title_of(card) for card in beside[REVEALED]],
        "revealed_known": revealed_known,
        "chosen": [form.title_of(card) for card in beside[CHOSEN]],
        "known_hand": _counts(game["known_hand"][seat]),
        "known_discard": _counts(game["known_discard"][seat]),
        # Most hands have none, and older versions know no such keys.
        **{key: _write_lacking(game[key][seat]) for key in form.LACKING_KEYS if game[key][seat].any()},
        **({"unshuffled": _counts(game["unshuffled"][seat])} if game["unshuffled"][seat].any() else {}),
        "turns": int(game["turns"][seat]),
    }


def _write_lacking(lacking: Any) -> dict[str, int]:
    return {word: int(cards) for word, cards in zip(form.LACKED_WORDS, lacking, strict=True) if cards}


def _write_question(game: Any) -> dict[str, Any]:
    return {
        "player": int(game["asked"]),
        "kind": KIND_NAMES[game["kind"]],
        "source": _card_or_none(game["source"]),
        "subject": _card_or_none(game["subject"]),
        "target": None if game["target"] < 0 else int(game["target"]),
        "verbs": [verb.word for verb in Verb if game["verbs"] >> verb & 1],
        "from": form.ZONES_OF_CANDIDATES[game["candidates"]],
        "which": _write_which(int(game["which"])),
        "optional": bool(game["optional"]),
        "picks": int(game["picks"]),
        "min_left": int(game["min_left"]),
        "max_left": int(game["max_left"]),
    }


def _write_which(which: int) -> dict[str, Any]:
    """Return which cards will do, in words; nothing for any card."""
    types, limit, only, barred = split_which(which)
    words: dict[str, Any] = {}
    if types:
        words["types"] = [word for word, bit in form.TYPE_WORDS.items() if types & bit]
    if limit is not None:
        words["up_to"] = limit
    if only is not None:
        words["only"] = form.title_of(only)
    if barred is not None:
        words["except"] = form.title_of(barred)
    return words


def _counts(row: NDArray[Any]) -> dict[str, int]:
    return {form.title_of(card): copies for card, copies in enumerate(np.asarray(row).tolist()) if copies}


def _card_or_none(card: int) -> str | None:
    return None if card < 0 else form.title_of(card)
