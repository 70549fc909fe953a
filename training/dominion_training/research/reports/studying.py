"""The command `dominion study KINGDOM`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import tyro
from rich.console import Console
from rich.markup import escape
from rich.status import Status
from rich.table import Table

from dominion_env.common.errors import InvalidOption
from dominion_env.players.registry import trusting
from dominion_training.common.folders import folder_for_work
from dominion_training.evaluate.commands.options import GAME, RUN, Game, Run, Trust, check_place

if TYPE_CHECKING:
    from dominion_training.research.collect.data import DataSet
    from dominion_training.research.collect.tables import Tables
    from dominion_training.research.reports.sections import Section, Subject

MIX = ("auto", "big-money-ultimate", *(f"random-menu:{seed}" for seed in range(8)))
MOST_GAMES = 200_000  # of a data set that are read: more tell hardly more, and would not fit into small memories
SHOWN = 15  # rows of a table on the screen


@dataclass(frozen=True)
class StudyOptions:
    """Study a kingdom: which cards win, which openings, what decks look like, who has the advantage.

    A mix of agents plays games to observe, and one agent plays experiments against itself. All that is found goes into a
    report with figures, report.html. After an interruption, the same command goes on where it was.
    """

    kingdom: Annotated[str, tyro.conf.Positional]
    """A single kingdom: a name, such as size-distortion-2e, or ten card names with commas between."""
    only: tuple[str, ...] = ()
    """Only these analyses: cards, values, openings, forced, buying, decks, lengths, seats, pairs [all]."""
    agents: Annotated[
        tuple[str, ...], tyro.conf.arg(help_behavior_hint=f"(default: {MIX[0]}, {MIX[1]}, 8 random menus)")
    ] = MIX
    """The mix that plays the games to observe; each seat draws one of them."""
    agent: str = "auto"
    """The agent that plays the experiments (values, forced, seats)."""
    players: int = 2
    """Number of players, 2 to 6."""
    games: int = 20_000
    """Number of games to observe."""
    experiments: int = 1000
    """Number of addresses of each experiment."""
    data: Path | None = None
    """Observe the games of this data set (`dominion collect`) instead of playing any."""
    game: Game = GAME
    trust: Trust = False
    run: Run = RUN


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status; Ctrl-C raises KeyboardInterrupt."""
    chosen = tyro.cli(StudyOptions, args=arguments, prog="dominion study")
    with trusting(chosen.trust):
        return _run(chosen, arguments)


def _run(chosen: StudyOptions, arguments: Sequence[str] | None) -> int:
    # These need the extra `research`, and `--help` does not.
    from dominion_env.common.files import as_plain
    from dominion_training.common.records import write_atomically
    from dominion_training.evaluate.commands.steps import record_of, write_record
    from dominion_training.research.analyses.causal import cards_of
    from dominion_training.research.reports.figures import write_figure
    from dominion_training.research.reports.report import html_report
    from dominion_training.research.reports.sections import ANALYSES
    from dominion_training.research.reports.summary import summary

    names = chosen.only or tuple(ANALYSES)
    if unknown := [name for name in names if name not in ANALYSES]:
        raise InvalidOption(f"--only: expected some of {', '.join(ANALYSES)}, got {', '.join(unknown)}")
    cards_of(chosen.kingdom)  # a wrong kingdom is told before anything is played
    if not 2 <= chosen.players <= 6:
        raise InvalidOption(f"--players: expected 2 to 6, got {chosen.players}")
    if chosen.experiments < 1:
        raise InvalidOption(f"--experiments: expected at least 1, got {chosen.experiments}")
    check_place("--json", chosen.run.json)
    console, folder = Console(), chosen.run.out or _default_folder(chosen)
    with folder_for_work(folder, "results"):
        needs = {ANALYSES[name].needs for name in names}
        subject, played = _subject(chosen, needs, folder, console, arguments)
        sections = []
        for name in names:
            doing = f"{name}: {ANALYSES[name].does}"
            with console.status(doing) as status:
                sections.append(ANALYSES[name].make(replace(subject, advance=_advance(status, doing))))
            figure = sections[-1].figure
            if figure is not None:
                write_figure(figure, folder, name)
            console.print(_table(sections[-1]))
        record = record_of("study", arguments, dict.fromkeys((chosen.agent, *played)))
        record |= {"kingdom": chosen.kingdom, "found": {each.name: as_plain(each.found) for each in sections}}
        write_record(record, folder, chosen.run.json)
        title = f"A study of {chosen.kingdom}"
        write_atomically(folder / "report.html", html_report(title, _about(chosen, subject, played), sections, record))
        for sentence in summary(sections):
            console.print(escape(sentence))
        console.print(f"Report, figures and numbers: {escape(str(folder / 'report.html'))}")
        return 0


def _subject(
    chosen: StudyOptions, needs: set[str], folder: Path, console: Console, arguments: Sequence[str] | None
) -> tuple[Subject, tuple[str, ...]]:
    """Return what is studied, with the games that this needs, and the agents that played those to observe."""
    from dominion_training.play import roster
    from dominion_training.research.collect.data import Collection, open_data
    from dominion_training.research.reports.sections import Subject

    options, seed = chosen.game.for_batch(), chosen.run.seed or 0
    roster.HERE.agent(chosen.agent)  # one that can't be made is told before anything is played
    data: Tables | None = None
    sizes: Tables | None = None
    played: tuple[str, ...] = ()
    if "data" in needs and chosen.data is not None:
        found = open_data(chosen.data)
        if found.record["kingdom"] != chosen.kingdom:
            raise InvalidOption(f"--data: expected games of {chosen.kingdom}, got those of {found.record['kingdom']}")
        data = found.read(chosen.players, MOST_GAMES)
    elif "data" in needs:
        mix = Collection(chosen.agents, chosen.kingdom, (chosen.players,), chosen.games, seed, "draw", True, options)
        data = _gather(mix, folder / "data", chosen, console, arguments).read(None, MOST_GAMES)
    if data is not None:
        played = data.agents
    if "sizes" in needs:
        alone = Collection(
            (chosen.agent,), chosen.kingdom, (2, 3, 4, 5, 6), 2 * chosen.experiments, seed, "draw", False, options
        )
        sizes = _gather(alone, folder / "seats", chosen, console, arguments).read(None, None)
    subject = Subject(chosen.kingdom, chosen.agent, chosen.players, chosen.experiments, seed, data, sizes, options)
    return subject, played


def _gather(work: Any, path: Path, chosen: StudyOptions, console: Console, arguments: Sequence[str] | None) -> DataSet:
    from dominion_training.evaluate.commands.steps import playing, record_of
    from dominion_training.research.collect.gathering import gather

    with playing(work.games * len(work.players), path, console) as advance:
        return gather(
            work, path, chosen.run.processes(), lambda: record_of("study", arguments, work.agents),
            lambda done: advance(done, ""),
        )  # fmt: skip


def _advance(status: Status, doing: str) -> Callable[[int], None]:
    """Return a function that shows how many games an experiment has played."""
    return lambda games: status.update(f"{doing}; {games:,} games")


def _default_folder(chosen: StudyOptions) -> Path:
    from dominion_training.executors.folder import default_folder
    from dominion_training.research.collect.data import Collection

    work = Collection(
        (*chosen.agents, chosen.agent), chosen.kingdom, (chosen.players,), chosen.games, chosen.run.seed or 0, "draw", True,
        chosen.game.for_batch() | {"experiments": chosen.experiments},
    )  # fmt: skip
    return default_folder("study", [work])


def _table(section: Section) -> Table:
    table = Table(title=escape(section.title), caption=escape(section.text))
    shown = section.brief or tuple(range(len(section.head)))
    for place in shown:
        table.add_column(escape(section.head[place]), justify="left" if place == 0 else "right")
    for row in section.rows[:SHOWN]:
        table.add_row(*(escape(row[place]) for place in shown))
    if len(section.rows) > SHOWN:
        table.add_row(f"and {len(section.rows) - SHOWN} more")
    return table


def _about(chosen: StudyOptions, subject: Subject, played: tuple[str, ...]) -> str:
    """Return what was played, in words."""
    parts = []
    if subject.data is not None:
        parts.append(f"Observed: {len(subject.data):,} games of {chosen.players} players among {', '.join(played)}.")
    parts.append(f"Experiments: {chosen.agent} against itself, {chosen.experiments:,} addresses each.")
    return " ".join(parts)
