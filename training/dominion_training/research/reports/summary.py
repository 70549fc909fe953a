"""What a study has found, in a sentence for each analysis that has something to say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from dominion_training.research.analyses.cards import CardTable
from dominion_training.research.analyses.causal import CardValues
from dominion_training.research.analyses.lengths import Lengths
from dominion_training.research.analyses.openings import Openings
from dominion_training.research.analyses.pairs import Pairs
from dominion_training.research.analyses.seats import SeatScores
from dominion_training.research.analyses.statistics import Estimate
from dominion_training.research.reports.figures import SIGNIFICANT
from dominion_training.research.reports.sections import Section, percent

Found = tuple[str, Estimate, float | None]  # what it is called, a difference, and its q-value


def summary(sections: Iterable[Section]) -> list[str]:
    """Return the sentences of these analyses, in their order."""
    return [_SAID[section.name](section.found) for section in sections if section.name in _SAID]


def _cards(found: CardTable) -> str:
    rows = [(row.card, row.within, row.within_q) for row in found.rows]
    return _ends("Among players of the same agent, those with {} won more games ({}", "those with {} fewer ({}", rows)


def _values(found: CardValues) -> str:
    rows = [(row.card, row.banned, row.banned_q) for row in found.rows]
    return _ends(f"{found.agent} loses most where it may not gain {{}} ({{}}", "and wins most without {} ({}", rows)


def _openings(found: Openings) -> str:
    who = f"Of the openings that {found.agent} was made to play" if found.forced else "Of the openings that were played"
    rows = [(f"{row.name} ({row.split})", row.difference, row.q) for row in found.rows]
    return _ends(f"{who}, {{}} did best ({{}}", "and {} worst ({}", rows)


def _lengths(found: Lengths) -> str:
    name, share = max(found.endings.items(), key=lambda each: each[1].value or 0.0)
    return f"A game took {found.rounds.text('{:.1f}')} rounds; most often ({percent(share)}%) it ended so: {name}."


def _seats(found: SeatScores) -> str:
    first = [row for row in found.rows if row.position == 0 and row.score.is_known]
    told = ", ".join(f"{percent(row.score)}% with {row.players} players" for row in first)
    return f"Who began won {told}." if told else "There were too few games to say what it is worth to begin."


def _pairs(found: Pairs) -> str:
    known = sum(row.synergy.is_known for row in found.rows)
    rows = [(f"{row.one} with {row.two}", row.synergy, row.q) for row in found.rows]
    return f"{known} of {len(found.rows)} pairs of cards have enough games. " + _ends(
        "The best pair is {} ({}", "the worst {} ({}", rows
    )


def _ends(best: str, worst: str, rows: Sequence[Found]) -> str:
    """Return a sentence about the highest and the lowest of the differences that are not 0 for chance alone."""
    told = [(name, each) for name, each, q in rows if each.value is not None and q is not None and q <= SIGNIFICANT]
    told.sort(key=lambda row: row[1].value or 0.0)
    parts = []
    if told and (told[-1][1].value or 0.0) > 0:
        parts.append(best.format(told[-1][0], percent(told[-1][1]) + " points)"))
    if told and (told[0][1].value or 0.0) < 0:
        parts.append(worst.format(told[0][0], percent(told[0][1]) + " points)"))
    sentence = "; ".join(parts)
    return f"{sentence[0].upper()}{sentence[1:]}." if parts else "No difference can be told from luck."


_SAID: dict[str, Callable[[Any], str]] = {
    "cards": _cards, "values": _values, "openings": _openings, "forced": _openings, "lengths": _lengths, "seats": _seats,
    "pairs": _pairs,
}  # fmt: skip
