"""The recipe of CONTRIBUTING.md is followed to the letter in a copy of the project, where a set of its own then is installed."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from dominion_env import Game, observation_fields

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
RECIPE = PAGE[PAGE.index("## A card in three steps") : PAGE.index("## A change of the core")]

pytestmark = pytest.mark.slow


def follow(copy: Path) -> None:
    """Do what the recipe says: write its files, run its commands."""
    for kind, block in re.findall(r"^ *```(\w*)\n(.*?)^ *```$", RECIPE, re.MULTILINE | re.DOTALL):
        text = dedent(block)
        if not kind:
            run(copy, *text.split()[1:])
            continue
        first, _, rest = text.partition("\n")
        name, _, place = first.removeprefix("# ").partition(", ")
        file = copy / name
        file.parent.mkdir(exist_ok=True)
        if place == "in CARD_TABLE":
            before, table, after = file.read_text(encoding="utf-8").partition('    "Workshop": (3, "Action", "12"),\n')
            rest = f"{before}{table}    {rest}{after}"
        elif place == "at the end":
            rest = f"{file.read_text(encoding='utf-8')}\n\n{rest}"
        file.write_text(rest, encoding="utf-8")


def run(copy: Path, *arguments: str, **environment: str) -> None:
    """Run Python in the copy."""
    paths = os.pathsep.join(str(copy / part) for part in ("", "agents", "training"))
    settings = {"PYTHONPATH": paths, "NUMBA_CACHE_DIR": str(copy / ".numba"), **environment}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=copy, env=os.environ | settings, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def games_of_the_base_set() -> list[dict[str, Any]]:
    """Return games at random, with all that must stay as it is."""
    found = []
    for seed, (kingdom, players) in enumerate([("random", 2), ("first-game-1e", 3), ("test:5", 2), ("random-2e", 1)]):
        game, dice = Game(kingdom=kingdom, num_players=players, seed=seed, max_turns=12), random.Random(seed)
        for _ in range(150):
            if not game.is_over:
                game.apply(dice.choice(game.legal_actions()))
        found.append(
            {
                "replay": game.replay(),
                "position": game.to_dict(),
                "observation": game.observe(0).tolist(),
                "sizes": {field.name: field.size for field in observation_fields(players)},
            }
        )
    return found


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    for name in ("dominion_env", "agents", "training", "tests"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    follow(folder)
    (folder / "base.json").write_text(json.dumps(games_of_the_base_set()), encoding="utf-8")
    return folder


def test_the_card_is_asked_shown_saved_and_played_and_the_base_game_stays(copy: Path):
    tests = ["tests/contracts/another_set.py", "tests/contracts/test_base_game.py", "tests/cards/test_altar.py"]
    under_throne_room = "tests/cards/test_every_action_under_throne_room.py"
    settings = {"NUMBA_DISABLE_JIT": "1", "GAMES_OF_THE_BASE_SET": str(copy / "base.json")}
    run(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests, **settings)
    run(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", under_throne_room, "-k", "Altar", **settings)


def test_it_compiles(copy: Path):
    program = (
        "from dominion_env import GameBatch; "
        "batch = GameBatch(8, kingdom='random-all', seed=1); "
        "[batch.step(batch.sample_actions()) for _ in range(200)]; batch.observe()"
    )
    run(copy, "-c", program)
