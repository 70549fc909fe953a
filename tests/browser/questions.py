"""A game for every question that a player can be asked, in the middle of play, with 2 to 6 players.

`WANTED` is made from the rules, so a question that no scene reaches is noticed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from dominion_app.web.house.link import pack
from dominion_env import Game
from dominion_env.core.questions import KIND_NAMES
from dominion_env.rules.turns.dispatch import QUESTIONS
from dominion_env.tables.cards import CARDS, NUM_BASE_CARDS

_MOST_DECISIONS = 60  # after which a scene counts as one that never comes
_KINGDOMS = (
    "Artisan,Bandit,Cellar,Chapel,Harbinger,Library,Merchant,Militia,Moat,Village",
    "Bureaucrat,Market,Mine,Moat,Moneylender,Poacher,Remodel,Sentry,Vassal,Witch",
    "Festival,Gardens,Laboratory,Moat,Poacher,Smithy,Throne Room,Village,Witch,Workshop",
    "Adventurer,Chancellor,Feast,Mine,Moat,Moneylender,Spy,Thief,Throne Room,Woodcutter",  # first edition
)


class Asked(NamedTuple):
    """A question, told from all others.

    Attributes:
        source: name of the card whose text asks; "" for a phase of the turn, and for the end of the game.
        kind: kind of question as `KIND_NAMES` has it, or "over".
        about: whether it is about one card.
    """

    source: str
    kind: str
    about: bool


def _wanted() -> set[Asked]:
    """Return all questions of the rules, with the end of the game."""
    phases = {Asked("", "action", False), Asked("", "buy", False), Asked("", "over", False)}
    texts = set[Asked]()
    for (_, card), questions in QUESTIONS.items():
        for each in questions:
            kind = KIND_NAMES[each.kind]  # a Reaction's question is about the Attack
            texts.add(Asked(CARDS[card].name, kind, each.is_about_a_card or kind == "reveal"))
    return phases | texts


WANTED = _wanted()


@dataclass(frozen=True)
class Scene:
    """A way to a question.

    Attributes:
        name: name of the picture.
        asks: the question at which it ends.
        hand: cards of the visitor, or of the attacker if there is an `attack`.
        plays: what is answered first; then the first answers are given until the question comes.
        attack: the card by which another player attacks the visitor, "" if it is the visitor's turn.
        deck: cards on top of each draw pile, the next one first.
        others: parts of the position that are not as usual.
        edition: wording of the cards, 1 or 2.
        picks: number of cards that the visitor has picked, but not confirmed.
    """

    name: str
    asks: Asked
    hand: str
    plays: tuple[str, ...] = ()
    attack: str = ""
    deck: str = "Silver, Estate, Gold, Copper, Copper, Estate, Copper, Silver"
    others: Mapping[str, Any] = field(default_factory=dict)
    edition: int = 2
    picks: int = 0


def _card(
    card: str, kind: str, hand: str = "Copper, Copper, Silver, Estate", about: bool = False, name: str = "", **more: Any
) -> Scene:
    """Return the scene of a card that the visitor plays."""
    called = name or f"{card}-{kind}".lower().replace(" ", "-")
    return Scene(called, Asked(card, kind, about), f"{card}, {hand}", (f"play {card}", *more.pop("then", ())), **more)


def _attack(card: str, asks: Asked, hand: str = "Copper, Copper, Estate, Duchy, Silver", **more: Any) -> Scene:
    """Return the scene of an Attack of another player."""
    name = f"{card}-attacks" if asks.source == card else f"{asks.source}-against-{card}"
    return Scene(name.lower(), asks, hand, (f"play {card}",), attack=card, **more)


_ACTIONS = "Village, Silver, Moat, Silver, Copper, Estate, Gold, Copper"
SCENES = (
    Scene("action-phase", Asked("", "action", False), "Village, Militia, Copper, Silver, Estate"),
    Scene("buy-phase", Asked("", "buy", False), "Copper, Copper, Silver, Gold, Estate"),
    Scene("buy-second", Asked("", "buy", False), "Market, Copper, Gold, Gold", (
        "play Market", "play Gold", "play Gold", "buy Silver")),
    Scene("end", Asked("", "over", False), "Gold, Gold, Silver, Estate", (
        "play Gold", "play Gold", "play Silver", "buy Province"), others={"supply": {"Province": 1}}),
    _card("Artisan", "gain"),
    _card("Artisan", "topdeck", then=("gain Militia",)),
    _attack("Bandit", Asked("Bandit", "trash", False), deck="Silver, Gold, Copper"),
    _attack("Bureaucrat", Asked("Bureaucrat", "topdeck", False)),
    _card("Cellar", "discard", "Copper, Copper, Estate, Estate"),
    _card("Cellar", "discard", "Copper, Copper, Estate, Estate", name="cellar-picked", picks=2),
    _card("Chancellor", "discard deck", edition=1),
    _card("Chapel", "trash", "Curse, Copper, Estate, Estate"),
    _card("Feast", "gain", edition=1),
    _card("Harbinger", "topdeck"),
    _card("Library", "set aside", "Copper, Copper", about=True, deck=_ACTIONS),
    _attack("Militia", Asked("Militia", "discard", False)),
    _card("Mine", "trash"),
    _card("Mine", "trash", edition=1, name="mine-trash-first-edition"),
    _card("Mine", "gain", about=True, then=("trash Silver",)),
    _attack("Witch", Asked("Moat", "reveal", True), "Moat, Copper, Copper, Estate, Silver"),
    _card("Moneylender", "trash"),
    _card("Poacher", "discard", others={"supply": {"Market": 0, "Mine": 0}}),
    _card("Remodel", "trash"),
    _card("Remodel", "gain", about=True, then=("trash Silver",)),
    _card("Sentry", "trash"),
    _card("Sentry", "trash", about=True, name="sentry-second", then=("discard Estate",)),
    _card("Sentry", "trash", about=True, name="sentry-back", then=("topdeck Gold",)),
    _card("Sentry", "trash", name="sentry-alike", deck="Copper, Estate, Estate"),
    _card("Spy", "discard", about=True, edition=1, name="spy-own"),
    _card("Spy", "discard", about=True, edition=1, name="spy-other", then=("topdeck Estate",)),
    _card("Thief", "trash", edition=1, deck="Silver, Gold, Estate"),
    _card("Thief", "gain", edition=1, deck="Silver, Gold, Estate"),
    _card("Throne Room", "play", "Village, Witch, Copper, Silver"),
    _card("Throne Room", "play", "Thief, Mine, Copper, Silver", edition=1, name="throne-room-first-edition"),
    _card("Vassal", "play", about=True, deck="Market, Silver, Copper"),
    _card("Workshop", "gain"),
)  # fmt: skip


def asked(game: Game) -> Asked:
    """Return the question that is open."""
    if game.decision is None:
        return Asked("", "over", False)
    source = game.decision.source
    return Asked("" if source is None else source.title, game.decision.kind, game.decision.card is not None)


def reached(scene: Scene, players: int) -> Game:
    """Return the game of a scene at its question, which the player at seat 0 is asked.

    Raises:
        AssertionError: the question does not come.
    """
    game = Game(start=_position(scene, players), seed=1, auto_treasures=False, max_turns=200)
    for action in scene.plays:
        game.apply(action)
    for _ in range(_MOST_DECISIONS):
        if asked(game) == scene.asks and (game.is_over or game.current_player == 0):
            return game
        assert not game.is_over, scene.name
        game.apply(game.legal_actions()[0])
    raise AssertionError(f"{scene.name}: expected {scene.asks} to be asked, which has not come")


def link_to(scene: Scene, players: int) -> str:
    """Return the link of a scene, whose log holds what came before the question."""
    names = ["Ann", *(f"big-money {number}" for number in range(1, players))]
    return f"/play?seat=0&replay={pack({**reached(scene, players).replay(), 'names': names})}"


def _position(scene: Scene, players: int) -> dict[str, Any]:
    """Return the position at the beginning of the turn; whoever attacks sits after the visitor."""
    hand, attacker = _counts(scene.hand), 1 if scene.attack else 0
    named = {*hand, scene.attack} - {"", *(CARDS[card].name for card in range(NUM_BASE_CARDS))}
    kingdom = next(each for each in _KINGDOMS if named <= set(each.split(",")))
    deck = [card.strip() for card in scene.deck.split(",")]
    discard = ["Copper", "Estate", "Silver", "Village" if "Village" in kingdom else "Moat", "Copper"]
    seats = [
        {"hand": _counts("Copper, Copper, Copper, Estate, Estate"), "deck_top": deck, "discard": discard, "turns": 8}
        for _ in range(players)
    ]
    seats[0]["hand"] = hand
    if scene.attack:
        seats[attacker]["hand"] = _counts(f"{scene.attack}, Copper, Copper, Silver, Estate")
    supply = {card.strip(): 8 for card in kingdom.split(",")} | dict(scene.others.get("supply", {}))
    return {
        "kingdom": kingdom.split(","), "edition": scene.edition, "players": seats, "turn_player": attacker, "phase": "action",
        "start_player": 0, "supply": supply, "trash": {"Copper": 2, "Curse": 1},
    }  # fmt: skip


def _counts(cards: str) -> dict[str, int]:
    names = [card.strip() for card in cards.split(",")]
    return {name: names.count(name) for name in dict.fromkeys(names)}
