"""A training run: its folder, how it begins, how it goes on, and what it leaves.

settings.yaml  versions.json     the settings; the versions of all packages, the commit and the machine
checkpoint.safetensors           everything to go on from; checkpoint-before.safetensors is the one before it
league/                          earlier versions of the network that it meets
model.safetensors                the trained model, for `dominion play`, `compare` or `make_agent(path)`
scores.csv  learning.png         the scores while training
buys.png  deck.png               what the network gains in which turn, and its deck by turn
tb/                              logs for TensorBoard
result.json                      the final scores
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import yaml
from rich.console import Console
from rich.table import Table
from stable_baselines3.common.callbacks import BaseCallback, CallbackList
from stable_baselines3.common.logger import configure

from dominion_agents import ScriptedAgent
from dominion_agents.strategies.strategy import Strategy
from dominion_agents.trained.agent import TrainedAgent
from dominion_agents.trained.card import for_a_hub
from dominion_env.common.errors import DominionError, InvalidOption
from dominion_env.players.agent import check_players
from dominion_training.common import next_steps, records
from dominion_training.common.folders import folder_for_work
from dominion_training.common.records import write_atomically, write_json
from dominion_training.evaluate.match import MatchResult, play_match
from dominion_training.executors.executor import Executor
from dominion_training.learner.opponents import exploiters
from dominion_training.learner.options.settings import Settings, read_settings
from dominion_training.learner.runs import pictures
from dominion_training.learner.runs.callbacks import Checkpoints, ProgressBar, Scores
from dominion_training.learner.self_play.checkpoint import NAME, load_checkpoint, save_checkpoint
from dominion_training.learner.self_play.learner import SelfPlayPPO
from dominion_training.play.entrants import make_entrant

RUNS = Path("runs")
FINAL_SEED = 2_000_000_000  # of the games that measure the trained network; training and its scores never see them
BIG_MONEY = "big-money"  # every run ends with the score against it
STRONGEST_LIST = "the strongest buy list that it met"
MAY_CHANGE = {"samples", "anchors", "eval_freq", "eval_games"}


def train(
    settings: Settings,
    folder: Path | None = None,
    resume: Path | None = None,
    preset: str = "",
    command: str = "",
    split: bool = False,
    executor: Executor | None = None,
    workers: int = 1,
    device: str = "auto",
) -> Path | None:
    """Train a network, or go on training one; save the model and print its scores.

    Args:
        settings: settings of a new run, or those that a resumed run goes on with.
        folder: folder of a new run; None names one by time, kingdom and seed.
        resume: folder of an earlier run that goes on.
        preset: name of the preset, for the folder's name.
        command: the command, for the model's card; a resumed run keeps that with which it began.
        split: whether to print what the time went into.
        executor, workers, device: what plays and learns, as `SelfPlayPPO` takes them; none of them is kept with the run.

    Returns:
        The run's folder, or None if Ctrl-C stopped the run, which can then be resumed.

    Raises:
        InvalidOption: a setting is wrong, or the run to resume is missing or damaged; nothing has been changed then.
        DominionError: a file can't be written, or the loss is no longer finite; the last checkpoint stays.
    """
    for name in settings.anchors:  # which are asked much later
        check_players(name, make_entrant(name), settings.players)
    if resume is None:
        learner = SelfPlayPPO(settings, executor, workers, device)  # before the folder, as a setting may be wrong
        run = new_run(settings, folder, preset)
    else:
        run = resume
        settings_of(run)  # which refuses a folder that is no run's
    with folder_for_work(run, "a run", NAME):
        progress: dict[str, Any] = {"points": [], "command": command}
        if resume is None:
            write_json(run / "versions.json", versions())
        else:
            learner, progress = load_checkpoint(run, settings, executor, workers, device)
            if settings.samples != settings_of(run).samples and settings.samples <= learner.num_timesteps:
                raise InvalidOption(
                    f"samples: expected more than the {learner.num_timesteps:,} decisions of the run so far, got "
                    f"{settings.samples:,}"
                )
        write_settings(run, settings)
        print(f"run folder: {run}")
        try:
            ended = learn(learner, run, progress)
        except KeyboardInterrupt:
            if (run / NAME).exists():
                print(next_steps.after_interruption(run, None))
            raise
        if split:
            _print_split(learner)
        if not ended:
            print(next_steps.after_interruption(run, learner.num_timesteps))
            return None
        save_checkpoint(run, learner, progress)
        return finish(run, learner, progress)


def _print_split(learner: SelfPlayPPO) -> None:
    """Print what the time went into since the run was started or resumed; two threads or processes that play count twice."""
    split = learner.split()
    table = Table(title="what the time went into", title_justify="left")
    for heading in ("part", "seconds", "share"):
        table.add_column(heading, justify="left" if heading == "part" else "right")
    for part, seconds in split.items():
        table.add_row(part, f"{seconds:.1f}", f"{seconds / sum(split.values()):.0%}")
    Console().print(table)


def new_run(settings: Settings, folder: Path | None, preset: str = "") -> Path:
    """Return the folder of a new run; without one that is chosen, it is named by time, kingdom and seed.

    Raises:
        InvalidOption: the folder is there already.
    """
    kingdom = settings.kingdom[0].partition(":")[0].partition(",")[0]  # many places or cards make no name for a folder
    name = "-".join(filter(None, (time.strftime("%Y%m%d-%H%M%S"), preset, kingdom, f"seed{settings.seed}")))
    run = folder or RUNS / name
    if run.exists():
        raise InvalidOption(f"{run} can't be made for a run: File exists")
    return run


def write_settings(run: Path, settings: Settings) -> None:
    """Write the settings of a run into its folder."""
    write_atomically(run / "settings.yaml", yaml.safe_dump(settings.as_dict(), sort_keys=False))


def latest_run() -> Path:
    """Return the folder of the run that was saved last.

    Raises:
        InvalidOption: there is no saved run.
    """
    found = sorted(RUNS.glob(f"*/{NAME}"), key=lambda path: path.stat().st_mtime)
    if not found:
        raise InvalidOption(f"--resume latest: expected a run to resume in {RUNS.resolve()}, got none")
    return found[-1].parent


def settings_of(run: Path) -> Settings:
    """Return the settings of a run.

    Raises:
        InvalidOption: there is no such run, or its settings can't be read.
    """
    file = run / "settings.yaml"
    if not file.is_file():
        raise InvalidOption(f"{run}: expected the folder of a run, with its settings.yaml, got none")
    try:
        return read_settings(file)
    except (OSError, InvalidOption) as error:
        raise InvalidOption(
            f"{file}: expected the settings of a run of this version: {str(error).removeprefix(f'{file}: ')}"
        ) from error


def versions() -> dict[str, Any]:
    """Return the versions, the machine and the commit, which decide with the settings how a run goes."""
    git = subprocess.run(["git", "rev-parse", "HEAD"], cwd=Path(__file__).parent, capture_output=True, text=True)
    return records.versions() | {"commit": git.stdout.strip() if git.returncode == 0 else None}


def learn(learner: SelfPlayPPO, run: Path, progress: dict[str, Any], more: Sequence[BaseCallback] = ()) -> bool:
    """Train until all decisions are made, or one of the callbacks stops it; False if Ctrl-C stopped it before."""
    points = progress["points"]
    scores, progress_bar = Scores(points), ProgressBar(points)
    checkpoints = Checkpoints(run, progress)
    learner.logger = configure(str(run / "tb"), ["tensorboard"])
    try:
        learner.learn(CallbackList([scores, progress_bar, checkpoints, *more]))
    except FloatingPointError as error:
        raise DominionError(
            f"{error} after {learner.num_timesteps:,} samples: try a lower learning rate; {run / NAME} is the last good state"
        ) from error
    finally:
        checkpoints.close()
        progress_bar.close()
        learner.logger.close()
    return not checkpoints.interrupted


def finish(run: Path, learner: SelfPlayPPO, progress: dict[str, Any]) -> Path:
    """Write the model of a run that has ended, its pictures and its scores, and print these."""
    settings, points = learner.settings, progress["points"]
    seconds = sum(learner.seconds.values())
    agent = TrainedAgent(learner.model().half())
    options: dict[str, Any] = {"kingdom": settings.eval_kingdom, "auto_treasures": True}
    results = judge(agent, settings, options)
    strongest = _strongest_list(agent, learner, options)
    used = versions()
    card = {
        "command": progress.get("command", ""), "seed": settings.seed, "samples": learner.num_timesteps,
        "minutes": round(seconds / 60, 1), "settings": records.without_places(settings.as_dict()),
        "versions": used, "commit": used["commit"],
        "machine": f"{used['machine']}, {used['cpus']} cores", "licence": "MIT", "limits": [],
        "attacks": [] if strongest is None else [
            {"kind": STRONGEST_LIST, "kingdom": options["kingdom"], "list": strongest[0].one_line()} | _score(strongest[1])
            | {"searched": f"{len(_lists_met(learner))} lists"}
        ],
        "results": [
            {"opponent": name, "kingdom": options["kingdom"], "players": settings.players} | _score(result)
            for name, result in results.items()
        ],
    }  # fmt: skip
    model = learner.model(card).half()
    write_atomically(run / "model.safetensors", model.to_bytes())
    write_atomically(run / "README.md", for_a_hub(run.name, card))
    against_it = (
        {} if strongest is None else {STRONGEST_LIST: {"list": strongest[0].one_line()} | strongest[1].summary()}
    )
    write_json(run / "result.json", {name: result.summary() for name, result in results.items()} | against_it)
    _draw(run, agent, settings, points)
    print(f"trained on {learner.num_timesteps:,} decisions in {seconds:.0f} s")
    is_usual = agent.kingdom is None or settings.eval_kingdom == Settings().eval_kingdom
    print(next_steps.after_training(run, None if is_usual else settings.eval_kingdom, settings.players))
    _print(results, strongest)
    return run


def _score(result: MatchResult) -> dict[str, Any]:
    low, high = result.interval()
    return {"score": result.score, "low": low, "high": high, "games": result.num_games}


def judge(agent: TrainedAgent, settings: Settings, options: dict[str, Any]) -> dict[str, MatchResult]:
    """Return the agent's matches against the anchors, random and Big Money, by their names."""
    names = [*settings.anchors, "random", BIG_MONEY]
    return {
        name: play_match(
            agent,
            make_entrant(name),
            settings.games_at(end=True),
            FINAL_SEED + settings.seed,
            settings.players,
            **options,
        )
        for name in names
    }


def _strongest_list(
    agent: TrainedAgent, learner: SelfPlayPPO, options: dict[str, Any]
) -> tuple[Strategy, MatchResult] | None:
    """Return the strongest of the buy lists that it met, and the list's match against it.

    None if it met no list, or is a network for many kingdoms, as lists are for the kingdom on which they were found.
    """
    settings, met = learner.settings, _lists_met(learner) if agent.kingdom is not None else []
    found = exploiters.strongest(agent, met, settings, **options)
    if found is None:
        return None
    games, seed = settings.games_at(end=True), FINAL_SEED + settings.seed
    return found, play_match(exploiters.opponent([found]), agent, games, seed, settings.players, **options)


def _lists_met(learner: SelfPlayPPO) -> list[Strategy]:
    """Return the buy lists among the opponents of the settings, and those that attacks have found."""
    scripted = [each.strategies for each in learner.opponents if isinstance(each, ScriptedAgent)]
    return [
        *chain.from_iterable(each for each in scripted if len(each) == 1),
        *chain.from_iterable(learner.exploiters.values()),
    ]


def _draw(run: Path, agent: TrainedAgent, settings: Settings, points: list[dict[str, Any]]) -> None:
    lines = ["samples,seconds,opponent,score,low,high"]
    for point in points:
        for name, (score, low, high) in point["scores"].items():
            lines.append(f"{point['samples']},{point['seconds']:.1f},{name},{score:.4f},{low:.4f},{high:.4f}")
    write_atomically(run / "scores.csv", "\n".join(lines) + "\n")
    pictures.learning_curves(run / "learning.png", points)
    games = 200
    decks, gains = pictures.decks_and_gains(
        agent, make_entrant((*settings.anchors, BIG_MONEY)[0]), games, FINAL_SEED, num_players=settings.players,
        kingdom=settings.eval_kingdom, auto_treasures=True,
    )  # fmt: skip
    pictures.what_it_buys(run / "buys.png", gains, games)
    pictures.deck_by_turn(run / "deck.png", decks, games)


def _print(results: dict[str, MatchResult], strongest: tuple[Strategy, MatchResult] | None) -> None:
    table = Table(
        title="scores on games that training never saw: wins and half the ties, 95% interval", title_justify="left"
    )
    for heading in ("against", "score", "interval", "games"):
        table.add_column(heading, justify="left" if heading == "against" else "right")
    for name, result in results.items():
        low, high = result.interval()
        table.add_row(name, f"{result.score:.1%}", f"{low:.1%} to {high:.1%}", f"{result.num_games:,}")
    Console().print(table)
    if strongest is not None:
        print(f"score of {STRONGEST_LIST} against it: {strongest[1]}\n  {strongest[0].one_line()}")
    print(f"score against Big Money: {results[BIG_MONEY]}")
