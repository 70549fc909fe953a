"""Put a trained model into the box: measure it with `dominion compare`, and write it with its card.

    python -m docs.site.box runs/x/model.safetensors quick --match big-money-ultimate --match smithy-optimised
    python -m docs.site.box runs/y/model.safetensors any --match auto-2@test --attack results/exploit-x/result.json \\
        --limit "It has not met the kingdoms of the test split."

A match is an opponent, and behind an @ the kingdom if it is another than First Game. Attacks are the results of
`dominion exploit`. The model's file then lies in agents/dominion_agents/trained/models/, and its card on docs/agents.md after
`make docs`.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import tyro

from docs.site.attacks import rows_of
from dominion_agents.trained.box import FOLDER
from dominion_agents.trained.card import check_card
from dominion_agents.trained.model import Model, read_model
from dominion_app.cli import main as dominion
from dominion_env.common.errors import DominionError
from dominion_training.common.records import write_atomically

FIRST_GAME = "first-game-2e"
FILES = (".json", ".safetensors", ".strategy")
MANY = 20  # places of a split that are too many to be told one by one


@dataclass(frozen=True)
class Boxing:
    """Which model is put into the box, and what its card tells."""

    model: Annotated[Path, tyro.conf.Positional]
    """File of the model."""
    name: Annotated[str, tyro.conf.Positional]
    """Name of the agent."""
    match: Annotated[tuple[str, ...], tyro.conf.UseAppendAction] = ()
    """An opponent, and behind an @ the kingdom."""
    attack: Annotated[tuple[Path, ...], tyro.conf.UseAppendAction] = ()
    """The result.json of `dominion exploit`."""
    limit: Annotated[tuple[str, ...], tyro.conf.UseAppendAction] = ()
    """A sentence about what the agent can't do."""
    command: str = ""
    """The command that trained it, if it was another than the model's file says."""
    games: int = 4000
    """Number of games of each match."""


def main() -> None:
    """Run the command."""
    chosen = tyro.cli(Boxing, description=__doc__)
    model = read_model(chosen.model)
    players = model.layout.num_players
    games = chosen.games - chosen.games % players
    card: dict[str, Any] = dict(model.card) | {"attacks": [], "limits": list(chosen.limit)}
    used = card.get("versions", {})
    card = {"commit": used.get("commit"), "machine": f"{used.get('machine')}, {used.get('cpus')} cores"} | card
    card["settings"] = _told(card.get("settings", {}))
    if chosen.command:
        card["command"] = chosen.command
    place = FOLDER / f"{chosen.name}.safetensors"
    write_atomically(place, replace(model.half(), card=card).to_bytes())
    card["results"] = [_measured(place, players, games, match) for match in chosen.match]
    for file in chosen.attack:
        card["attacks"] += rows_of(json.loads(file.read_text(encoding="utf-8")))
    check_card(card)
    final: Model = replace(model.half(), card=card)
    write_atomically(place, final.to_bytes())
    print(f"{place}: {place.stat().st_size:,} bytes")


def _told(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings as a card tells them: files without their folders, which say nothing elsewhere, many places by number."""
    told = dict(settings)
    for name in ("start_from", "teacher"):
        if told.get(name):
            told[name] = _without_folder(told[name])
    if "opponents" in told:
        told["opponents"] = [_without_folder(each) for each in told["opponents"]]
    title, _, places = str(told.get("kingdom", "")).partition(":")
    if places.count("+") >= MANY:
        numbers = places.split("+")
        told["kingdom"] = f"{title}, some often: {len(numbers):,} places, {len(set(numbers)):,} of them different"
    return told


def _without_folder(name: str) -> str:
    return Path(name).name if Path(name.partition("=")[0]).suffix in FILES else name


def _measured(place: Path, players: int, games: int, match: str) -> dict[str, Any]:
    """Play a match and return its row of the card."""
    opponent, _, kingdom = match.partition("@")
    kingdom = kingdom or FIRST_GAME
    with TemporaryDirectory() as folder:
        out = Path(folder) / "result.json"
        called = [
            "compare",
            str(place),
            opponent,
            "--kingdom",
            kingdom,
            "--games",
            str(games),
            "--players",
            str(players),
        ]
        called += ["--out", str(Path(folder) / "games"), "--json", str(out)]
        if dominion(called):
            raise DominionError(f"{shlex.join(called)}: the command failed")
        found = json.loads(out.read_text(encoding="utf-8"))
    return {
        "opponent": opponent, "kingdom": kingdom, "players": players,
        **{key: found[key] for key in ("score", "low", "high", "games")},
    }  # fmt: skip


if __name__ == "__main__":
    main()
