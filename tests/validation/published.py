"""Published figures that a correct implementation of the rules reproduces, as data.

`dominion validate` plays every row and compares. Each row names its source. "pyminion" is the independent engine
of that name, whose figures were measured with the number of games given.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from dominion_agents.strategies.named import STRATEGIES
from tests.validation.experiments import Experiment, OpeningHands, RaceToProvinces, SolitaireTurns, TableGames

PGS = "big-money"  # Province; Gold; Silver: the first that can be bought


@dataclass(frozen=True)
class Row:
    """Figures of one experiment.

    Attributes:
        experiment: games that give our figures.
        figures: published values by the names that the experiment measures.
        games: number of games they were found with; None for exact values, by combinatorics.
        digits: number of digits after the decimal point of the published values.
        source: publication or program.
        demanded: True if they depend on rules and exact buy lists alone, so that ours must agree; False if they depend on
            others' unpublished play heuristics, and are shown only.
        note: remark that is shown if the figures differ.
    """

    experiment: Experiment
    figures: dict[str, float] = field(hash=False)
    games: int | None
    digits: int
    source: str
    demanded: bool = True
    note: str = ""


_EXACT = "combinatorics; dominionstrategy.com 2011-03-09, 2011-06-21, 2018-03-15 (rounded)"
_OPENINGS = "dominionstrategy.com 2011-03-09, 2011-06-21, 2018-03-15; strategy wiki, Opening"
_MANY = 10**9  # games of figures that were computed exactly and then rounded

OPENINGS = (
    Row(OpeningHands(), {"a 5/2 or 2/5 split": 1 / 6}, None, 0, _EXACT),
    Row(
        OpeningHands("Duchy", "Gardens"),
        {"the two meet in one hand": 10 / 33, "the first misses turns 3 and 4": 1 / 6},
        None, 0, _EXACT,
    ),
    Row(
        OpeningHands("Silver", "Silver"),
        {
            "$5 or more at least once": 361 / 396, "$6 or more at least once": 14 / 33,
            "$7 or more at least once": 35 / 396, "$3 or more twice": 125 / 132, "$4 or more twice": 64 / 99,
            "$5 or more twice": 59 / 396, "coins in both hands": 55 / 6,
        },
        None, 0, _EXACT,
    ),
    Row(
        OpeningHands("Silver", "Duchy"),
        {"$5 or more at least once": 49 / 99, "$6 or more at least once": 35 / 396},
        None, 0, "combinatorics (the Duchy stands for a card without coins)",
    ),
    Row(
        OpeningHands("Poacher", "Silver"),
        {
            "$5 or more at least once": 0.918, "$6 or more at least once": 0.378, "$7 or more at least once": 0.063,
            "$3 or more twice": 0.947, "$4 or more twice": 0.626, "$5 or more twice": 0.082,
        },
        _MANY, 3, _OPENINGS,
    ),
    Row(
        OpeningHands("Feast", "Silver"),
        {"$6 or more at least once": 35 / 396, "no $5 card": 5 / 99, "a $5 card on both turns": 115 / 396},
        None, 0, _EXACT, note="Feast's gain counts as a $5 card, one a turn",
    ),
)  # fmt: skip

_COINS_AND_POINTS = {
    1: (3.50, None), 2: (3.50, None), 3: (4.50, None), 4: (4.50, None), 5: (5.16, 3.22), 6: (5.55, 3.77), 7: (5.75, 4.53),
    8: (6.34, 6.00), 9: (6.34, 7.48), 10: (6.74, 9.53), 12: (6.80, 13.78), 14: (7.05, 18.50), 15: (7.05, 20.96),
    17: (7.11, 26.01), 20: (7.13, 33.78), 25: (7.15, 46.94), 30: (7.14, 60.20),
}  # fmt: skip

SOLITAIRE = (
    Row(
        SolitaireTurns(PGS, turns=max(_COINS_AND_POINTS)),
        {
            name: value
            for turn, (coins, points) in _COINS_AND_POINTS.items()
            for name, value in ((f"coins on turn {turn}", coins), (f"points after turn {turn}", points))
            if value is not None
        },
        60_000, 2, "published; found again by others over 60,000 games, at most 0.03 apart",
    ),
    Row(RaceToProvinces(PGS), {"turns": 16.80, "standard deviation": 1.84}, 60_000, 2, "independent simulation"),
    Row(
        RaceToProvinces("Province; Gold; Smithy if Smithy < 1; Silver"),
        {"turns": 14.92, "standard deviation": 1.76},
        20_000, 2, "independent simulation",
    ),
    Row(
        RaceToProvinces("Province; Gold; Council Room if Council Room < 1; Silver", kingdom="deck-top-2e"),
        {"turns": 14.59, "standard deviation": 1.67},
        20_000, 2, "independent simulation",
    ),
)  # fmt: skip

_TREASURES = "independent simulation and pyminion, no refusal of losing buys"

TREASURES_ONLY = (
    Row(
        TableGames(PGS, PGS),
        {
            "first wins": 0.333, "second wins": 0.334, "tie": 0.333, "who is 1st to act wins": 0.246,
            "who is 2nd to act wins": 0.422, "rounds": 17.36, "rounds, standard deviation": 1.38,
        },
        20_000, 3, _TREASURES,
    ),
    Row(
        TableGames(PGS, PGS),
        {"tie": 0.330, "who is 1st to act wins": 0.250, "who is 2nd to act wins": 0.420, "rounds": 17.38},
        3_000, 3, "pyminion",
    ),
    Row(
        TableGames("big-money-duchy", PGS),
        {"first wins": 0.767, "second wins": 0.169, "tie": 0.065, "rounds": 18.29},
        20_000, 3, _TREASURES,
    ),
    Row(
        TableGames("big-money-ultimate", PGS),
        {"first wins": 0.805, "second wins": 0.162, "tie": 0.033, "rounds": 17.99},
        20_000, 3, _TREASURES,
    ),
    Row(
        TableGames("big-money-ultimate", "big-money-ultimate"),
        {"tie": 0.074, "who is 1st to act wins": 0.512, "who is 2nd to act wins": 0.415, "rounds": 19.36},
        20_000, 3, _TREASURES,
    ),
    Row(
        TableGames(PGS, PGS, num_players=3),
        {
            "who is 1st to act wins": 0.276, "who is 2nd to act wins": 0.213, "who is 3rd to act wins": 0.268,
            "shared by some": 0.243, "rounds": 17.55,
        },
        20_000, 3, _TREASURES,
    ),
    Row(
        TableGames(PGS, PGS, num_players=3),
        {
            "who is 1st to act wins": 0.285, "who is 2nd to act wins": 0.212, "who is 3rd to act wins": 0.262,
            "shared by some": 0.241, "rounds": 17.54,
        },
        3_000, 3, "pyminion",
    ),
)  # fmt: skip

ONE_ACTION = (
    Row(
        TableGames("Province; Gold; Smithy if Smithy < 1; Silver", PGS),
        {"first wins": 0.605, "second wins": 0.116, "tie": 0.279, "rounds": 16.43},
        3_000, 3, "pyminion",
    ),
    Row(
        TableGames("Province; Witch if Witch < 1; Gold; Silver", PGS, kingdom="improvements-2e"),
        {"first wins": 0.960, "second wins": 0.040, "tie": 0.0, "rounds": 18.42},
        3_000, 3, "pyminion",
    ),
    Row(
        TableGames("Province; Gold; Laboratory; Silver", PGS, kingdom="deck-top-2e"),
        {"first wins": 0.501, "second wins": 0.177, "tie": 0.322, "rounds": 16.73},
        3_000, 3, "pyminion",
    ),
    Row(
        TableGames("Province; Gold; Militia if Militia < 1; Silver", PGS),
        {"first wins": 0.576, "second wins": 0.157, "tie": 0.267, "rounds": 18.22},
        3_000, 3, "pyminion", note="the victim discards Victory and Curse first, then the cheapest",
    ),
    Row(
        TableGames("smithy-optimised", PGS),
        {"first wins": 0.935, "second wins": 0.050, "tie": 0.016},
        3_000, 3, "pyminion",
    ),
)  # fmt: skip


def _guarded(first: str, second: str, kingdom: str = "first-game-2e") -> TableGames:
    """Return games of registered strategies that refuse buys which end the game in a loss."""
    own, other = (str(replace(STRATEGIES[name], guard=True)) for name in (first, second))
    return TableGames(own, other, kingdom, label=f"{first} v. {second}, losing buys refused")


_GERONIMOO = "Geronimoo's simulator, whose bots refuse losing buys"
_HTBD = "Artisan,Bureaucrat,Harbinger,Laboratory,Militia,Moat,Poacher,Sentry,Throne Room,Vassal"
_SMITHY_AND_WITCH = "Cellar,Chapel,Feast,Gardens,Laboratory,Smithy,Village,Witch,Woodcutter,Workshop"

GERONIMOO = (
    Row(
        _guarded("smithy-optimised", "big-money-ultimate"),
        {"first wins": 0.701, "second wins": 0.233},
        4_000, 3, _GERONIMOO, demanded=False,
    ),
    Row(
        _guarded("double-witch", "smithy-optimised", kingdom=_SMITHY_AND_WITCH),
        {"first wins": 0.841, "second wins": 0.142},
        4_000, 3, _GERONIMOO, demanded=False,
    ),
    Row(
        _guarded("first-game", "smithy-optimised"),
        {"first wins": 0.895, "second wins": 0.097},
        4_000, 3, _GERONIMOO, demanded=False, note="only the main lines of the engine's buy list are known",
    ),
    Row(
        _guarded("workshop-gardens", "big-money-ultimate", kingdom="size-distortion-1e"),
        {"first wins": 0.968, "second wins": 0.031},
        4_000, 3, _GERONIMOO, demanded=False,
    ),
    Row(
        _guarded("chancellor", "big-money-ultimate", kingdom="big-money-1e"),
        {"first wins": 0.515, "second wins": 0.414},
        4_000, 3, _GERONIMOO, demanded=False, note="Chancellor always discards the deck",
    ),
    Row(
        _guarded("spy-thief", "big-money-ultimate", kingdom="interaction-1e"),
        {"first wins": 0.517, "second wins": 0.420},
        4_000, 3, _GERONIMOO, demanded=False, note="Spy leaves Silver and Gold to a Thief in hand",
    ),
    Row(
        _guarded("htbd-1", "big-money-ultimate", kingdom=_HTBD),
        {"first wins": 0.90},
        4_000, 2, _GERONIMOO, demanded=False, note="how it plays its cards is known in part",
    ),
)  # fmt: skip

GROUPS: dict[str, tuple[Row, ...]] = {
    "openings": OPENINGS,
    "solitaire": SOLITAIRE,
    "treasures": TREASURES_ONLY,
    "one-action": ONE_ACTION,
    "geronimoo": GERONIMOO,
}
