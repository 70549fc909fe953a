"""Whole games as text: `python -m tests.playthroughs.write` writes them, and a test compares them line by line.

A changed line is explained in its commit by the rule that asks for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dominion_env import CARDS, Card, Game, Type

HERE = Path(__file__).parent

# The options of each game; the file of that name holds how it went.
GAMES: dict[str, dict[str, Any]] = {
    "first_game_for_two": {"num_players": 2, "kingdom": "first-game-2e", "seed": 1, "max_turns": 12},
    "interaction_for_three": {"num_players": 3, "kingdom": "interaction-1e", "seed": 2, "auto_treasures": True},
    "improvements_for_two": {"num_players": 2, "kingdom": "improvements-2e", "seed": 6, "auto_treasures": True},
    "silver_and_gold_for_two": {"num_players": 2, "kingdom": "silver-and-gold-2e", "seed": 3, "auto_treasures": True},
    "size_distortion_for_four": {"num_players": 4, "kingdom": "size-distortion-1e", "seed": 4, "max_turns": 9},
}

# Cards that a sensible player would rather be rid of, worst first.
JUNK = ("Curse", "Estate", "Copper", "Duchy", "Province", "Gardens")


def sensible(game: Game) -> str:
    """Return an answer that makes some sense, by rule of thumb; it depends on the position alone."""
    legal, decision = game.legal_actions(), game.decision
    assert decision is not None
    verbs = {words.partition(" ")[0] for words in legal}
    if decision.kind == "action":
        return best(legal, "play", key=lambda card: (CARDS[card].actions > 0, CARDS[card].cost))
    if decision.kind == "buy":
        plays = [words for words in legal if words.startswith("play ")]
        return plays[-1] if plays else purchase(game, legal)
    if decision.kind == "discard deck" or "reveal" in verbs:
        return legal[-1]
    if decision.kind == "play":
        return best(legal, "play", key=lambda card: CARDS[card].cost)
    if decision.kind == "gain":
        return best(legal, "gain", key=lambda card: worth(card, game))
    if decision.source in (Card.SPY, Card.THIEF) and decision.target not in (None, decision.player):
        return best(legal, "trash", key=worth) if "trash" in verbs else harm(legal)
    if decision.source == Card.MINE:
        return best(legal, "trash", key=lambda card: -CARDS[card].cost)
    if decision.kind in ("trash", "discard"):
        return get_rid(legal, many=decision.min_left > 0)
    if decision.kind == "topdeck":
        return best(legal, "topdeck", key=lambda card: CARDS[card].cost)
    return "pass" if "pass" in legal else legal[0]


def card_of(words: str) -> Card | None:
    """Return the card that an answer names."""
    for info in CARDS:
        if words.endswith(" " + info.name):
            return Card.named(info.name)
    return None


def named(legal: list[str], verb: str) -> list[tuple[Card, str]]:
    found = [(card_of(words), words) for words in legal if words.startswith(verb + " ")]
    return [(card, words) for card, words in found if card is not None]


def best(legal: list[str], verb: str, key: Any) -> str:
    """Return the card with the highest key, and of several the one with the highest number."""
    cards = named(legal, verb)
    return max(cards, key=lambda pair: (key(pair[0]), pair[0]))[1] if cards else "pass"


def worth(card: Card, game: Game | None = None) -> tuple[bool, int]:
    """Rank Actions and Treasures before points, and dear cards before cheap ones."""
    return (CARDS[card].types & (Type.ACTION | Type.TREASURE) != 0 and card != Card.COPPER, CARDS[card].cost)


def purchase(game: Game, legal: list[str]) -> str:
    """Provinces, Gold; Actions, up to two of a kind, each seat with a taste of its own; points towards the end."""
    mine = game.to_dict()["players"][game.current_player]
    held = [*mine["discard"], *mine["in_play"], *mine["deck_top"]]
    held += [name for zone in ("hand", "deck_bag") for name, copies in mine[zone].items() for _ in range(copies)]
    if "buy Province" in legal:
        return "buy Province"
    if "buy Duchy" in legal and game.to_dict()["supply"]["Province"] < 5:
        return "buy Duchy"
    if "buy Gold" in legal:
        return "buy Gold"
    actions = [(card, words) for card, words in named(legal, "buy") if CARDS[card].types & Type.ACTION]
    taste = {card: (5 * card + 4 * game.current_player + game.turn) % 11 for card, _ in actions}
    wanted = [
        (CARDS[card].cost, taste[card], card, words) for card, words in actions if held.count(CARDS[card].name) < 2
    ]
    if wanted and (game.turn % 3 or "buy Silver" not in legal):
        return max(wanted)[3]
    return "buy Silver" if "buy Silver" in legal else "pass"


def get_rid(legal: list[str], many: bool) -> str:
    """Return the worst card, but only junk if nothing must go."""
    for name in JUNK:
        for words in legal:
            gladly = many or name in JUNK[:2] or (words.startswith("discard") and name in JUNK[3:])
            if gladly and words in (f"trash {name}", f"discard {name}"):
                return words
    if not many and "pass" in legal:
        return "pass"
    kept = [words for words in legal if words.startswith("topdeck ")]
    if kept:
        return kept[0]
    cards = named(legal, "discard") or named(legal, "trash")
    return min(cards, key=lambda pair: (CARDS[pair[0]].cost, pair[0]))[1] if cards else legal[0]


def harm(legal: list[str]) -> str:
    """Answer for a Spy about another player: good cards go, junk stays."""
    card = next((card for words in legal if (card := card_of(words)) is not None), None)
    verb = "topdeck" if card is not None and CARDS[card].name in JUNK else "discard"
    return next(words for words in legal if words.startswith(verb))


def lines(name: str) -> Iterator[str]:
    """Return the game as text: the table at first, each question with its answers, what happened, the table at the end."""
    game = Game(**GAMES[name])
    yield f"# {name.replace('_', ' ')}: {GAMES[name]}"
    yield ""
    yield from game.render().splitlines()
    yield ""
    told = 0
    while True:
        log = game.log().splitlines()
        yield from log[told:]
        told = len(log)
        if game.is_over:
            break
        decision = game.decision
        assert decision is not None
        answer = sensible(game)
        source = f" by {decision.source.title}" if decision.source is not None else ""
        others = ", ".join(words for words in game.legal_actions() if words != answer)
        yield f"    > player_{decision.player}, asked {decision.kind}{source}: {answer.upper()} (or {others})"
        game.apply(answer)
    yield ""
    yield from game.render().splitlines()
    yield f"winners: {', '.join(f'player_{seat}' for seat in game.winners) or 'nobody'}"


def path_of(name: str) -> Path:
    """Return the path of the text of a game."""
    return HERE / f"{name}.txt"
