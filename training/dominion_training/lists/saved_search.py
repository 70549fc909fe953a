"""The file in which a search is saved after each round, so that an interrupted one goes on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import Any, Generic, Protocol, Self, TypeVar

from dominion_agents.strategies.strategy import Strategy
from dominion_env.common.errors import InvalidOption, ResultsMismatch
from dominion_env.common.files import as_plain, parse_json
from dominion_training.common.records import check_same, versions_of_games, write_atomically, write_json
from dominion_training.play.loop import Stopped

FORMAT = 1


class Saveable(Protocol):
    """A search between two rounds."""

    @property
    def best_list(self) -> Strategy | None:
        """The best list; None before there is one."""
        ...

    def as_plain(self) -> dict[str, Any]:
        """Return it as plain values for JSON, the lists in the notation of strategies."""
        ...

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> Self:
        """Return what such values hold."""
        ...


SearchState = TypeVar("SearchState", bound=Saveable)


class SavedSearch(Generic[SearchState]):
    """The file of one search; without a path nothing is saved.

    Args:
        path: path of the file, in a folder that this process holds (`folder_for_work`).
        settings: settings of the search, as plain values for JSON. A search goes on only under the same ones.
        new: state of a new search.
        anew: names of settings; a search that differs in nothing but these begins anew, and is not refused.

    Attributes:
        state: the state that was saved, or that of a new search.
        seconds: time that it took.

    Raises:
        ResultsMismatch: the file is damaged, or holds the search for something else.
        InvalidOption: the file can't be read.
    """

    def __init__(self, path: Path | None, settings: dict[str, Any], new: SearchState, anew: Sequence[str] = ()) -> None:
        self._path = path
        self._settings = as_plain({"format": FORMAT, **versions_of_games(), **settings})
        self.state, self.seconds = new, 0.0
        self._begun = monotonic()
        self._written: Strategy | None = None
        if path is None:
            return
        try:
            text = path.read_bytes() if path.exists() else b""
        except OSError as error:
            raise InvalidOption(f"{path} can't hold a search: {error}; choose another folder") from error
        if text:
            self._read(path, text, anew)

    def run(
        self,
        next_state: Callable[[SearchState], SearchState],
        is_over: Callable[[SearchState, float], bool],
        show: Callable[[SearchState, float], None] = lambda state, seconds: None,
    ) -> SearchState:
        """Play one round after the other, and save the state after each.

        Args:
            next_state: plays a round; `Stopped` ends the search with the state before it.
            is_over: function of the state and of the seconds so far that returns True at the end.
            show: function of both that is called after each round.

        Raises:
            DominionError: a file can't be written.
        """
        self._begun = monotonic() - self.seconds
        while not is_over(self.state, self.elapsed()):
            try:
                after = next_state(self.state)
            except Stopped:
                self._save(self.state)
                break
            self._save(after)
            show(after, self.elapsed())
        return self.state

    def elapsed(self) -> float:
        """Return the seconds so far, while it runs."""
        return monotonic() - self._begun

    def _save(self, state: SearchState) -> None:
        """Save a state and, in a file with the suffix .strategy beside it, the best list.

        Raises:
            DominionError: a file can't be written, as the disk is full.
        """
        self.state, self.seconds = state, self.elapsed()
        if self._path is None:
            return
        best = state.best_list
        if best is not None and best != self._written:
            write_atomically(self._path.with_suffix(".strategy"), f"{best}\n")
            self._written = best
        content = {"settings": self._settings, "seconds": self.seconds, "state": state.as_plain()}
        # The settings hold the seed, which an attacked agent is not to know while it plays.
        write_json(self._path, content | {"checksum": _checksum(content)}, secret=True)

    def _read(self, path: Path, text: bytes, anew: Sequence[str]) -> None:
        try:
            content = parse_json(text)
            is_whole = content.pop("checksum") == _checksum(content)
        except (ValueError, KeyError, AttributeError, TypeError):
            is_whole = False
        if not is_whole:
            raise ResultsMismatch(f"{path} is damaged and holds no search: remove it, or choose another folder")
        theirs, ours = content["settings"], self._settings
        different = {name for name in {**theirs, **ours} if theirs.get(name) != ours.get(name)}
        if different and different <= set(anew):
            return
        check_same(path, "a search", theirs, ours)
        self.state, self.seconds = self.state.from_plain(content["state"]), float(content["seconds"])


def _checksum(content: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
