"""How a scripted agent plays its cards: a named way for every kind of decision that is no purchase.

`WAYS` lists the names. `heuristics.py` holds a function for each kind of decision, `judging.py` the reasons. Ways that bear
a program's name do what that program does; `PROVINCIAL` holds all of Provincial's.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from difflib import get_close_matches

from dominion_env.common.checks import shown
from dominion_env.common.errors import InvalidStrategy

# decision: {way: what the agent does}; the first way is the default.
WAYS: dict[str, dict[str, str]] = {
    "actions": {
        "cantrips-first": "Actions that give an Action back, then Throne Room, then the best terminal",
        "smithy-first": "the same, Smithy before all other terminals",
        "throne-first": "cantrips-first, but Throne Room before all others as soon as it can double anything (HTBD no. 1)",
        "dearest-first": "the dearest Action first",
        "never": "no Action is ever played if there is a choice",
        "provincial": "in Provincial's order, whether they do any good or not; Moneylender only with a Copper",
    },
    "discard": {
        "least-useful": "dead-then-cheapest, but what an Action in hand needs stays, and a lone Village goes before Silver",
        "dead-then-cheapest": "Victory and Curse, then Actions beyond those that can be played, then the cheapest",
        "treasures-first": "dead-then-cheapest, but all Treasures before any Action that can be played",
        "provincial": "Victory cards, Curse, Copper, then the cheapest, a lot for equals",
    },
    "cellar": {
        "unused": "discard Victory, Curse, Copper unless a Province needs it, and Actions that can't be played; "
        "keep what Chapel and Remodel in hand can trash",
        "cheap": "discard Victory, Curse and whatever costs 2 or less (Provincial)",
        "dead": "discard Victory and Curse only",
    },
    "trash": {
        "careful": "Curse, unwanted Estates if end > 2, Copper while the Treasures are worth 7 or more and this turn buys the "
        "same, or 3 can go and no Province is lost",
        "worth-7": "Curse, unwanted Estates, Copper while the Treasures are worth 7 or more",
        "keep-6": "Curse, unwanted Estates, Copper while 6 money stay and this turn buys the same, or 4 can go",
        "keep-4": "the same with 4 money, or 3 can go",
        "spare-5": "Curse, Estate if end > 4, Copper if money > 4 and $5 in hand need not buy a $5 card, Estate if end > 2",
        "coppers": "Curse, unwanted Estates, every Copper (HTBD no. 1)",
        "curses": "Curse only",
        "provincial": "Curse, unwanted Estates, Chapel, every Copper if all Treasures are worth 7 or more, a lot if over 4",
        "dominiate": "Curse, Estate if end > 4, Copper if money > 4, Estate if end > 2, then every Copper after all",
    },
    "remodel": {
        "careful": "better, but no Treasure that this turn's purchase needs more than the gain is worth",
        "better": "once a Province is gone Gold into Province; Curse, unwanted Estates, the cheapest that becomes better",
        "junk": "Curse and unwanted Estates only",
        "provincial": "always; once a Province is gone what costs 6 or more, Curse, Estate, the cheapest that is no Victory",
    },
    "mine": {
        "silver-first": "Silver into Gold before Copper into Silver",
        "copper-first": "Copper into Silver before Silver into Gold",
    },
    "gain": {
        "list": "by the buy list, else the best Treasure",
        "dearest": "the dearest card",
        "provincial": "by the buy list, else the dearest card, a Victory card after others of its cost, a lot for equals",
    },
    "topdeck": {
        "best": "Harbinger: the dearest Action or Treasure, not Copper",
        "never": "Harbinger: nothing",
    },
    "library": {
        "set-aside-dead": "set Actions aside that can't be played any more",
        "keep": "keep every Action",
        "provincial": "set Actions aside if no Action is left to play them with",
    },
    "chancellor": {
        "if-worse": "discard the deck if its cards give fewer coins each than all my cards do",
        "always": "discard the deck",
        "never": "keep the deck",
    },
    "spy": {
        "feed-thief": "discard the others' good cards, but leave Silver and Gold to a Thief in my hand",
        "discard-good": "discard the others' good cards",
        "provincial": "discard-good; Copper is bad in any deck",
    },
    "moat": {
        "reveal": "always reveal it",
        "never": "never reveal it",
    },
}

# How Provincial plays the cards that it knows, for `Strategy.but`: `make_agent("e5-d5-p8 Witch1 Gold* Silver*", **PROVINCIAL)`.
PROVINCIAL: dict[str, str] = {
    "actions": "provincial", "discard": "provincial", "cellar": "cheap", "trash": "provincial", "remodel": "provincial",
    "gain": "provincial", "library": "provincial", "chancellor": "always", "spy": "provincial",
}  # fmt: skip
OF_PROGRAMS = ("provincial", "dominiate")  # they repeat what a program does; a search for better play leaves them out


@dataclass(frozen=True)
class Ways:
    """One way for each kind of decision; see `WAYS`.

    Raises:
        InvalidStrategy: there is no such way.
    """

    actions: str = "cantrips-first"
    discard: str = "least-useful"
    cellar: str = "unused"
    trash: str = "careful"
    remodel: str = "careful"
    mine: str = "silver-first"
    gain: str = "list"
    topdeck: str = "best"
    library: str = "set-aside-dead"
    chancellor: str = "if-worse"
    spy: str = "feed-thief"
    moat: str = "reveal"

    def __post_init__(self) -> None:
        for decision, ways in WAYS.items():
            way = getattr(self, decision)
            if not isinstance(way, str) or way not in ways:
                near = get_close_matches(str(way), ways, n=1)
                hint = f"; did you mean {near[0]!r}?" if near else ""
                raise InvalidStrategy(f"{decision}: expected one of {', '.join(ways)}, got {shown(way)}{hint}")

    def but(self, **ways: str) -> Ways:
        """Return these ways with some replaced.

        Raises:
            InvalidStrategy: there is no such decision or way.
        """
        for decision in ways:
            if decision not in WAYS:
                near = get_close_matches(decision, WAYS, n=1)
                hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(WAYS)}"
                raise InvalidStrategy(f"{shown(decision)} is no kind of decision: {hint}")
        return replace(self, **ways)

    @property
    def numbers(self) -> dict[str, int]:
        """The place of each way in its row of `WAYS`."""
        return {decision: list(ways).index(getattr(self, decision)) for decision, ways in WAYS.items()}

    @property
    def changed(self) -> dict[str, str]:
        """The ways that differ from the default."""
        return {
            each.name: getattr(self, each.name) for each in fields(self) if getattr(self, each.name) != each.default
        }


def number_of(decision: str, way: str) -> int:
    """Return the place of a way in its row of `WAYS`."""
    return list(WAYS[decision]).index(way)
