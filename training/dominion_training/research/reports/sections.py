"""The sections of a study: each analysis with its words, its table and its figure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from matplotlib.figure import Figure

from dominion_training.research.analyses.cards import OBSERVATIONAL, card_table
from dominion_training.research.analyses.causal import causal_values
from dominion_training.research.analyses.decks import Band, buying, decks
from dominion_training.research.analyses.lengths import lengths
from dominion_training.research.analyses.openings import forced_openings, observed_openings
from dominion_training.research.analyses.pairs import TO_SEE, pairs
from dominion_training.research.analyses.seats import seat_advantage
from dominion_training.research.analyses.statistics import Estimate
from dominion_training.research.collect.tables import Tables
from dominion_training.research.reports import figures


@dataclass(frozen=True)
class Subject:
    """What a study is about.

    Attributes:
        kingdom: a single kingdom.
        agent: the agent that plays the experiments, in which something is changed.
        players: number of players.
        games: number of addresses of each experiment.
        seed: seed of their addresses.
        data: games of a mix of agents, with events; None if no analysis needs them.
        tables_of_each_size: games of the agent at tables of two to six; None likewise.
        options: options of `GameBatch` for the experiments.
        advance: function that is called with the number of games that an experiment has played.
    """

    kingdom: str
    agent: str
    players: int
    games: int
    seed: int = 0
    data: Tables | None = None
    tables_of_each_size: Tables | None = None
    options: dict[str, Any] = field(default_factory=dict)
    advance: Callable[[int], None] | None = None

    @property
    def observed(self) -> Tables:
        """The games of the mix."""
        assert self.data is not None
        return self.data


@dataclass(frozen=True)
class Section:
    """An analysis, as a report shows it.

    Attributes:
        name: its name on the command line.
        title: its heading.
        text: what the numbers mean.
        head, rows: its table, in words.
        figure: its figure; None if it would be nearly empty.
        found: the result itself.
        brief: the columns that a screen shows, by their places; none for all.
    """

    name: str
    title: str
    text: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    figure: Figure | None
    found: Any
    brief: tuple[int, ...] = ()


@dataclass(frozen=True)
class Analysis:
    """A kind of section: what it tells, what it needs ("data", "sizes" or nothing), and how it is made."""

    does: str
    needs: str
    make: Callable[[Subject], Section]


def percent(estimate: Estimate) -> str:
    """Return a share with its interval in words."""
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return estimate.text()
    return f"{100 * estimate.value:.1f} [{100 * estimate.low:.1f}, {100 * estimate.high:.1f}]"


def _q(value: float | None) -> str:
    return "" if value is None else "<0.001" if value < 0.001 else f"{value:.3f}"


def _cards(subject: Subject) -> Section:
    found = card_table(subject.observed)
    rows = tuple(
        (
            row.card, percent(row.rate), row.copies.text("{:.2f}"), row.first_turn.text("{:.1f}"), percent(row.with_it),
            percent(row.without_it), percent(row.difference), _q(row.q), percent(row.within),
            _q(row.within_q), f"{row.difference.n:,}",
        )
        for row in found.rows
    )  # fmt: skip
    head = (
        "card", "players who gain it (%)", "copies they gain", "turn of the first", "share of the win with (%)",
        "without (%)", "difference", "q", "within agents", "q", "n",
    )  # fmt: skip
    return Section(
        "cards", "Cards, observed", OBSERVATIONAL, head, rows, figures.card_figure(found), found, (0, 1, 6, 7, 8, 9, 10)
    )


def _values(subject: Subject) -> Section:
    found = causal_values(
        subject.agent, subject.kingdom, subject.games, subject.players, subject.seed, None, subject.advance,
        **subject.options,
    )  # fmt: skip
    rows = tuple(
        (
            row.card, percent(row.banned), _q(row.banned_q), percent(row.gift), _q(row.gift_q), percent(row.used),
            f"{found.addresses:,}",
        )
        for row in found.rows
    )  # fmt: skip
    head = (
        "card",
        "lost without it",
        "q",
        "won by a free copy in turn 3",
        "q",
        "addresses in which the ban changes who wins (%)",
        "n",
    )
    text = (
        f"{found.agent} plays against itself. In games with the same luck one seat may not gain the card, or gains one copy "
        "for free; n counts addresses, each played once for every seat. This is what the card is worth to this agent, which "
        "plays on by its own plan: a card that it never gains loses nothing by a ban."
    )
    return Section("values", "Cards, causal", text, head, rows, figures.value_figure(found), found)


def _openings(subject: Subject) -> Section:
    found = observed_openings(subject.observed)
    text = (
        "The first two purchases of players whose first hands held each number of coins, and the difference to all other "
        "openings of that split. Observational: players who open differently differ in more than their opening."
    )
    return _opening_section("openings", "Openings, observed", text, found)


def _forced(subject: Subject) -> Section:
    found = forced_openings(
        subject.agent, subject.kingdom, subject.games, subject.players, subject.seed, subject.advance, **subject.options
    )
    text = (
        f"{found.agent} plays against itself, and one seat must open so. The difference is to its own choice in the same "
        "games, with the same luck; afterwards it plays on by its own plan."
    )
    return _opening_section("forced", "Openings, forced", text, found)


def _opening_section(name: str, title: str, text: str, found: Any) -> Section:
    rows = tuple(
        (row.split, row.name, percent(row.score), percent(row.difference), _q(row.q), f"{row.score.n:,}")
        for row in found.rows
        if row.score.is_known
    )
    left_out = len(found.rows) - len(rows)
    if left_out:
        text += f" Too few games for {left_out} openings, which are left out."
    head = ("split", "opening", "share of the win (%)", "difference", "q", "n")
    return Section(name, title, text, head, rows, figures.opening_figure(found), found)


def _buying(subject: Subject) -> Section:
    found = buying(subject.observed)
    turns = range(len(found.mean))
    rows = tuple(
        (
            str(turn + 1),
            ", ".join(
                f"{card} {found.mean[turn, place]:.2f} ± {found.half[turn, place]:.2f}"
                for place, card in enumerate(found.cards)
                if found.mean[turn, place] >= 0.02
            ),
            f"{found.players[turn]:,}",
        )
        for turn in turns
    )
    text = (
        "Mean copies that a player gains in a turn of their own, with 95% intervals; n counts players who still play."
    )
    return Section(
        "buying", "What is bought when", text, ("turn", "copies", "n"), rows, figures.buying_figure(found), found
    )


def _decks(subject: Subject) -> Section:
    found = decks(subject.observed)

    def cell(band: Band, turn: int) -> str:
        return f"{band.means[turn].text('{:.2f}')}; {band.low[turn]:.2g} to {band.high[turn]:.2g}"

    rows = tuple(
        (
            str(turn + 1), cell(found.density, turn), cell(found.points, turn), cell(found.size, turn),
            f"{found.points.means[turn].n:,}",
        )
        for turn in range(len(found.points.means))
    )  # fmt: skip
    text = (
        "Means over the players who still play, with 95% intervals, and between which numbers the middle 80% of them lie. "
        "Strong decks end games, so that late turns show the decks of slow games."
    )
    head = ("turn", "Treasure coins for each card", "points", "cards", "n")
    return Section("decks", "Decks, turn by turn", text, head, rows, figures.deck_figure(found), found)


def _lengths(subject: Subject) -> Section:
    found = lengths(subject.observed)
    rows = (
        ("rounds", found.rounds.text("{:.2f}"), f"{found.rounds.n:,}"),
        ("lead of the first in points", found.margin.text("{:.2f}"), f"{found.margin.n:,}"),
        ("games with several winners (%)", percent(found.shared), f"{found.shared.n:,}"),
        *((f"ended: {name} (%)", percent(each), f"{each.n:,}") for name, each in found.endings.items()),
    )
    return Section("lengths", "Lengths and ends", "", ("", "mean", "n"), rows, figures.length_figure(found), found)


def _seats(subject: Subject) -> Section:
    assert subject.tables_of_each_size is not None
    found = seat_advantage(subject.tables_of_each_size)
    rows = tuple(
        (str(row.players), str(row.position + 1), percent(row.score), percent(row.edge), _q(row.q), f"{row.score.n:,}")
        for row in found.rows
    )
    head = ("players", "place", "share of the win (%)", "above equals", "q", "n")
    text = f"{subject.agent} in all seats."
    return Section("seats", "Places in the order of turns", text, head, rows, figures.seat_figure(found), found)


def _pairs(subject: Subject) -> Section:
    found = pairs(subject.observed)
    rows = tuple(
        (
            row.one, row.two, percent(row.synergy), _q(row.q), f"{row.synergy.n:,}",
            "" if row.needed is None else f"{row.needed:,}",
        )
        for row in found.rows
    )  # fmt: skip
    text = (
        "The share of the win with both cards, less with each alone, plus with neither, among players of the same agent and "
        "place; only agents count that own both, either and neither in some games. Observational. n counts the games that tell. "
        "The last column says how many such games it takes to see a synergy of "
        f"{100 * TO_SEE:.0f} points, or for pairs with too few games how many it takes to say anything."
    )
    head = ("card", "with", "synergy", "q", "n", "games needed")
    known = sum(row.synergy.is_known for row in found.rows)
    figure = figures.pair_figure(found) if 2 * known >= len(found.rows) else None
    return Section("pairs", "Pairs", text, head, rows, figure, found)


ANALYSES = {
    "cards": Analysis("how players with and without each card fared", "data", _cards),
    "values": Analysis(
        "what a card is worth: games in which one seat may not gain it, or gains it for free", "", _values
    ),
    "openings": Analysis("first two purchases, observed", "data", _openings),
    "forced": Analysis("first two purchases, forced on one seat", "", _forced),
    "buying": Analysis("what is bought when", "data", _buying),
    "decks": Analysis("decks, money density and points by turn", "data", _decks),
    "lengths": Analysis("how long games are and how they end", "data", _lengths),
    "seats": Analysis("what it is worth to begin, with two to six players", "sizes", _seats),
    "pairs": Analysis("cards that go well together", "data", _pairs),
}
