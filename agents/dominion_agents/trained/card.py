"""The card of a trained model as a page in Markdown: where it comes from, how well it plays, and what it can't do.

A card is a dictionary of plain values, which the model's file holds. Its entries are

- `command`, `commit`, `seed`, `samples`, `minutes`, `machine`, `settings`, `versions` and `licence`: how it was trained;
- `results`, a list with an entry for each match: `opponent`, `kingdom`, `players`, `score` with its 95% interval `low` to
  `high`, and `games`;
- `attacks`, a list of the best attacks that were found: `kind`, `kingdom`, `score` of the exploiter with `low` and `high`,
  `games`, and `searched`, the time or games that the search took, in words;
- `limits`: sentences.

The page shows what a reader of results needs. Settings, versions, and weaker attacks stay in the file alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dominion_agents.trained.box import Boxed

_UNKNOWN = "not told"
_BY_HAND = "It was made by hand, weights only, from networks that are gone. The nearest command is `{}`."
# How the models in the box are made again.
_MADE_AGAIN = {
    "quick": "`dominion train --samples 17_000_000 --keep-certain 1 --opponents first-game=8 smithy-optimised=1 "
    "big-money-ultimate=0.2` makes such a network again; without options it makes one that is harder to beat.",
    "first-game-ppo": _BY_HAND.format("dominion train --preset laptop"),
    "any": _BY_HAND.format("dominion train --preset full"),
    "any-3p": _BY_HAND.format("dominion train --preset three --samples 8_000_000"),
}

# The words of the page.
_SCORE = "A score counts a tie as half a win."
_EVEN = {3: "33.3%", 4: "25%"}
_AGAIN = "`dominion compare {name} OPPONENT --kingdom KINGDOM --games GAMES{players}` measures a row again."
_ATTACKED = "This is the strongest opponent that a search has found on each kingdom. The true bound may be higher."


def page_of(name: str, boxed: Boxed, level: int = 1) -> str:
    """Return the page about a model in the box, with a title of that level. Its arrays are not read."""
    card = boxed.told.get("card")
    return as_markdown(name, card if isinstance(card, dict) else {}, _introduction(name, boxed), level)


def hub_page_of(name: str, boxed: Boxed) -> str:
    """Return the page about a model in the box as a `README.md` for a model hub."""
    card = boxed.told.get("card")
    return for_a_hub(name, card if isinstance(card, dict) else {}, _introduction(name, boxed))


def _introduction(name: str, boxed: Boxed) -> str:
    units = boxed.told.get("units")
    layers = f", with layers of {' and '.join(map(str, units))} units" if isinstance(units, list) else ""
    cards = f" The kingdom has {', '.join(card.title for card in boxed.cards)}." if boxed.cards else ""
    size = f"{boxed.path.stat().st_size / 1e6:.1f} MB" if boxed.path.is_file() else _UNKNOWN
    return f"This is {boxed.described}{layers}.{cards} Its file has {size}. {_MADE_AGAIN.get(name, '')}".strip()


def for_a_hub(name: str, card: Mapping[str, Any], told: str = "") -> str:
    """Return the card as a `README.md` for a model hub: Hugging Face's front matter, and the page.

    Args:
        name: name of the agent.
        card: the card.
        told: sentences below the title.
    """
    entries: dict[str, Any] = {
        "license": str(card.get("licence") or "unknown").lower(),
        "library_name": "dominion_env",
        "pipeline_tag": "reinforcement-learning",
        "tags": ["reinforcement-learning", "board-games", "dominion"],
    }
    measured = [each for each in _rows(card, "results") if isinstance(each.get("score"), int | float)]
    if measured:
        entries["model-index"] = [{"name": name, "results": [_hub_result(each) for each in measured]}]
    # JSON is YAML too, and quotes whatever a specification of an opponent may hold.
    front = "\n".join(f"{entry}: {json.dumps(value)}" for entry, value in entries.items())
    return f"---\n{front}\n---\n\n{as_markdown(name, card, told)}"


def _hub_result(each: Mapping[str, Any]) -> dict[str, Any]:
    """Return an entry of `results` in the form of a hub's `model-index`."""
    kingdom, players = _line(each.get("kingdom", _UNKNOWN)), each.get("players", _UNKNOWN)
    score, games = _scored(each)
    return {
        "task": {"type": "reinforcement-learning", "name": "reinforcement-learning"},
        "dataset": {"type": "dominion_env", "name": f"Dominion, {kingdom}, {players} players"},
        "metrics": [
            {
                "type": "score", "value": each["score"], "verified": False,
                "name": f"{score} of {games} games against {_line(each.get('opponent'))}",
            }
        ],
    }  # fmt: skip


def as_markdown(name: str, card: Mapping[str, Any], told: str = "", level: int = 1) -> str:
    """Return a card as Markdown.

    Args:
        name: name of the agent, the title.
        card: the card; what is missing is said to be so.
        told: sentences below the title.
        level: level of the title; parts have the next one.
    """
    parts = [f"{'#' * level} {name}", told, _table(("", ""), _origin(card))]

    def add(title: str, *paragraphs: str) -> None:
        parts.extend([f"{'#' * (level + 1)} {title}", *paragraphs])

    results, attacks = _rows(card, "results"), _rows(card, "attacks")
    if results:
        add("How well it plays", _measured(name, results[0].get("players")), _results(results))
    else:
        add("How well it plays", "Nothing was measured.")
    if attacks:
        add("How beatable it is", _ATTACKED, _attacks(strongest(attacks)))
    else:
        add("How beatable it is", "No attack was searched for.")
    limits = card.get("limits")
    if isinstance(limits, list) and limits:
        add("What it can't do", "\n".join(f"- {_line(each)}" for each in limits))
    return "\n\n".join(part for part in parts if part) + "\n"


def _origin(card: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    versions = card.get("versions")
    versions = versions if isinstance(versions, dict) else {}
    yield "trained by", _code(card.get("command"))
    yield "commit", _code(card.get("commit") or versions.get("commit"))
    yield "seed", _number(card.get("seed"))
    yield "samples", _number(card.get("samples"))
    minutes, machine = card.get("minutes"), card.get("machine") or versions.get("machine")
    yield "time", f"{_number(minutes)} minutes" if minutes is not None else _UNKNOWN
    yield "machine", _line(machine) if machine else _UNKNOWN
    yield "licence", _line(card.get("licence") or _UNKNOWN)


def strongest(attacks: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return of the attacks on an agent the one with the highest score on each kingdom, by the names of the kingdoms."""
    best: dict[str, Mapping[str, Any]] = {}
    for each in attacks:
        kingdom = str(each.get("kingdom", _UNKNOWN))
        if kingdom not in best or _score(each) > _score(best[kingdom]):
            best[kingdom] = each
    return [best[kingdom] for kingdom in sorted(best)]


def _score(attack: Mapping[str, Any]) -> float:
    score = attack.get("score")
    return score if isinstance(score, int | float) else 0.0


def _measured(name: str, players: Any) -> str:
    """Return what the scores mean, and how they are measured again."""
    even = f" An even score is {_EVEN[players]}." if players in _EVEN else ""
    return f"{_SCORE}{even} {_AGAIN.format(name=name, players=f' --players {players}' if players != 2 else '')}"


def _results(results: Sequence[Mapping[str, Any]]) -> str:
    return _table(
        ("against", "kingdom", "score, 95% interval", "games"),
        ([_code(each.get("opponent")), _line(each.get("kingdom", _UNKNOWN)), *_scored(each)] for each in results),
    )


def _attacks(attacks: Sequence[Mapping[str, Any]]) -> str:
    head = ("kingdom", "attack", "score of the attack", "games", "searched for")
    return _table(
        head,
        (
            [
                _line(each.get("kingdom", _UNKNOWN)), _line(each.get("kind", _UNKNOWN)), *_scored(each),
                _line(each.get("searched", _UNKNOWN)),
            ]
            for each in attacks
        ),
    )  # fmt: skip


def _scored(each: Mapping[str, Any]) -> tuple[str, str]:
    score, low, high = (_percent(each.get(name)) for name in ("score", "low", "high"))
    return f"{score} [{low}, {high}]", _number(each.get("games"))


def _rows(card: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    rows = card.get(name)
    return [each for each in rows if isinstance(each, dict)] if isinstance(rows, list) else []


def _percent(share: Any) -> str:
    return f"{share:.1%}" if isinstance(share, int | float) else _UNKNOWN


def _number(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int | float) else _UNKNOWN


def _line(text: Any) -> str:
    """Return a text as it can stand in a cell of a table."""
    return " ".join(str(text).split()).replace("|", "\\|")


def _code(text: Any) -> str:
    return f"`{_line(text).replace('`', chr(39))}`" if text not in (None, "") else _UNKNOWN


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (head, ["---"] * len(head), *rows))
