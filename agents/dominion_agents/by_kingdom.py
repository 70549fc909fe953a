"""An agent that plays on each of many kingdoms another buy list, from a file such as `answers.json`.

`python -m dominion_training.exploit.everywhere AGENT` writes such files: what is known to do best against an agent, kingdom by
kingdom. A network that trains against them meets on every kingdom what it is weak against there.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from dominion_agents.auto import Auto
from dominion_agents.strategy import Strategy
from dominion_env.checks import shown
from dominion_env.errors import DominionError, InvalidOption
from dominion_env.kingdoms import Kingdom, ten_cards

SUFFIX = ".json"
FORMAT = "dominion_env lists by kingdom 1"


class ListFor(NamedTuple):
    """A buy list and the ten Kingdom cards for which it is meant."""

    kingdom: Kingdom
    strategy: Strategy


class ByKingdom(Auto):
    """Plays with two players on each kingdom that it knows the list that is meant for it, else as `Auto2`.

    Args:
        lists: lists, each with its kingdom.
        settings: settings that replace those of all strategies; see `Strategy.but`.

    Raises:
        InvalidStrategy: a setting is wrong.
    """

    def __init__(self, lists: Iterable[ListFor], **settings: Any) -> None:
        self._known = [(each.kingdom, each.strategy) for each in lists]
        super().__init__(**settings)

    def _lists(self) -> list[tuple[Kingdom, Strategy]]:
        return self._known

    @classmethod
    def read(cls, path: str | Path, **settings: Any) -> ByKingdom:
        """Make the agent from a file that `written` has made.

        Raises:
            InvalidOption: there is no such file, it can't be read, or it holds something else.
            InvalidStrategy: a setting is wrong.
        """
        try:
            found = json.loads(Path(path).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise InvalidOption(f"{path}: expected a file of lists by kingdom, it can't be read: {error}") from error
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            told = found.get("format") if isinstance(found, dict) else found
            raise InvalidOption(f"{path}: expected a file of the format {FORMAT!r}, got {shown(told)}")
        try:
            lists = [ListFor(ten_cards(each["kingdom"]), Strategy.parse(each["list"])) for each in found["lists"]]
        except (KeyError, TypeError, DominionError) as error:
            raise InvalidOption(f"{path}: expected ten cards and a list in each entry, got {shown(error)}") from error
        return cls(lists, **settings)


def written(lists: Iterable[tuple[ListFor, float]]) -> str:
    """Return the text of a file with these lists, each with its score against the agent that it was sought against."""
    entries = [
        {"kingdom": [card.title for card in kingdom], "score": round(score, 3), "list": strategy.one_line()}
        for (kingdom, strategy), score in lists
    ]
    return json.dumps({"format": FORMAT, "lists": entries}, indent=1) + "\n"
