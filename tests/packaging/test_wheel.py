"""The wheel holds four packages, and gets along with a user's own folders `agents/` and `training/`.

pip builds and installs it without the network, with the hatchling and the dependencies of this environment. The game is
played interpreted, as compiling it once more would say nothing about the wheel.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from email.parser import Parser
from pathlib import Path
from zipfile import ZipFile

import pytest

pytestmark = pytest.mark.slow

PROJECT = Path(__file__).parents[2]
PACKAGES = {
    "dominion_env": PROJECT / "dominion_env",
    "dominion_agents": PROJECT / "agents" / "dominion_agents",
    "dominion_training": PROJECT / "training" / "dominion_training",
    "dominion_app": PROJECT / "training" / "dominion_app",
}
PLAY = """
    import gymnasium

    import dominion_env

    env = gymnasium.make("Dominion-v0", opponents="big-money", auto_treasures=True)
    observation, info = env.reset(seed=0)
    assert env.observation_space.contains(observation)
    for decision in range(10):
        legal = info["action_mask"].nonzero()[0]
        observation, reward, terminated, truncated, info = env.step(int(legal[0]))
    print("played", dominion_env.__file__)
"""


def run(*command: str | Path, folder: Path = PROJECT, **environment: str) -> str:
    """Run a command in a folder and return what it prints; its failure is that of the test."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COV", "NUMBA"))}
    done = subprocess.run(
        list(map(str, command)), cwd=folder, env={**inherited, **environment}, capture_output=True, text=True, check=False
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build(project: Path, folder: Path) -> Path:
    """Build the wheel of a project into a folder."""
    options = ("--quiet", "--no-deps", "--no-index", "--no-build-isolation")
    run(sys.executable, "-m", "pip", "wheel", *options, "--wheel-dir", folder, project, folder=folder)
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(PROJECT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def names(wheel: Path) -> list[str]:
    with ZipFile(wheel) as archive:
        return archive.namelist()


@dataclass(frozen=True)
class Installed:
    """A new environment with wheels in it, beside the dependencies of this one but without the project itself."""

    folder: Path

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    @property
    def site_packages(self) -> Path:
        (found,) = self.folder.glob("lib/python*/site-packages")
        return found

    def run(self, script: str, folder: Path) -> str:
        """Run a script that lies in a folder of the user's."""
        (folder / "script.py").write_text(textwrap.dedent(script), encoding="utf-8")
        return run(self.python, "script.py", folder=folder, NUMBA_DISABLE_JIT="1")


def install(wheels: Sequence[Path], folder: Path) -> Installed:
    """Install wheels into a new environment.

    Python reads no `.pth` files in a folder that a `.pth` file names, so that the editable installation of the project
    stays behind.
    """
    venv.create(folder)
    installed = Installed(folder)
    options = ("--quiet", "--no-deps", "--no-index", "--disable-pip-version-check")
    run(sys.executable, "-m", "pip", "--python", installed.python, "install", *options, *wheels, folder=folder)
    dependencies = [path for path in sys.path if path.endswith("site-packages")]
    (installed.site_packages / "dependencies.pth").write_text("\n".join(dependencies), encoding="utf-8")
    return installed


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Install the wheel beside another distribution that has a top-level package `agents`."""
    other = tmp_path_factory.mktemp("other")
    (other / "agents").mkdir()
    (other / "agents" / "__init__.py").write_text("OWNER = 'another distribution'\n", encoding="utf-8")
    (other / "pyproject.toml").write_text(
        '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n'
        '[project]\nname = "other-agents"\nversion = "1.0"\n'
        '[tool.hatch.build.targets.wheel]\npackages = ["agents"]\n',
        encoding="utf-8",
    )
    return install(
        [wheel, build(other, tmp_path_factory.mktemp("other_wheel"))], tmp_path_factory.mktemp("environment")
    )


def own_project(folder: Path) -> Path:
    """Make a project of the user's, with packages that are called as folders of ours are."""
    for name in ("agents", "training", "tests"):
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text("OWNER = 'the user'\n", encoding="utf-8")
    return folder


def test_the_wheel_holds_the_four_packages_and_nothing_else(names: list[str]):
    folders = {name.split("/")[0] for name in names}
    assert {folder for folder in folders if not folder.endswith(".dist-info")} == set(PACKAGES)


@pytest.mark.parametrize("package", PACKAGES)
def test_the_wheel_holds_every_file_of_a_package(package: str, names: list[str]):
    root = PACKAGES[package]
    files = (path.relative_to(root.parent) for path in root.rglob("*") if path.is_file())
    expected = {path.as_posix() for path in files if "__pycache__" not in path.parts}
    assert {name for name in names if name.startswith(f"{package}/")} == expected
    assert f"{package}/py.typed" in expected


def test_the_wheel_holds_data_and_templates_but_neither_tests_nor_bench_nor_writers_of_documentation(names: list[str]):
    assert "dominion_agents/strategies/named.txt" in names
    assert "dominion_agents/trained/models/README.md" in names  # and the models beside it
    assert "dominion_training/evaluate/reports/report.html.jinja" in names
    assert "dominion_app/web/pages/theme.css" in names
    checkout = [*(PROJECT / "tests").rglob("*.py"), *(PROJECT / "docs").rglob("*.py")]
    there = {path.name for path in checkout if path.name.startswith("test_")} | {"describe.py", "bench.py", "mutate.py"}
    assert not there & {Path(name).name for name in names}


def test_the_wheel_says_what_it_needs_and_brings_the_command(wheel: Path, names: list[str]):
    with ZipFile(wheel) as archive:
        (folder,) = {name.split("/")[0] for name in names if ".dist-info/" in name}
        about = Parser().parsestr(archive.read(f"{folder}/METADATA").decode())
        commands = archive.read(f"{folder}/entry_points.txt").decode()
    assert about["Name"] == "dominion_env"
    assert {"train", "play", "web", "research", "notebooks", "others", "all"} <= set(
        about.get_all("Provides-Extra", [])
    )
    needed = [each for each in about.get_all("Requires-Dist", []) if "extra ==" not in each]
    assert any(each.startswith("numba") for each in needed)
    assert not any(each.startswith(("torch", "textual", "stable")) for each in needed)
    assert "dominion = dominion_app.cli:main" in commands


def test_no_link_or_picture_on_the_page_of_a_package_index_leads_nowhere(wheel: Path, names: list[str]):
    """There, README has no other files beside it."""
    with ZipFile(wheel) as archive:
        about = archive.read(next(name for name in names if name.endswith(".dist-info/METADATA"))).decode()
    page = about.partition("\n\n")[2]
    assert page.startswith("# dominion_env\n")
    assert "(The picture is `docs/images/browser/table.png` in a checkout of the project.)" in page
    assert "Contributing (`CONTRIBUTING.md`), architecture" in page
    assert not re.findall(r"\]\((?!\w+:)[^)]*\)", page)
    assert re.findall(r"```python\n.*?```", page, re.DOTALL) == re.findall(
        r"```python\n.*?```", (PROJECT / "README.md").read_text(encoding="utf-8"), re.DOTALL
    )


def test_a_game_against_an_agent_by_name_is_played_beside_the_users_own_agents(installed: Installed, tmp_path: Path):
    printed = installed.run(PLAY, own_project(tmp_path))
    assert printed.split() == ["played", str(installed.site_packages / "dominion_env" / "__init__.py")]


def test_imports_of_the_users_own_packages_stay_the_users(installed: Installed, tmp_path: Path):
    script = """
        import dominion_agents, dominion_app, dominion_env, dominion_training
        import agents, training, tests

        print(agents.OWNER, training.OWNER, tests.OWNER, sep="; ")
    """
    assert installed.run(script, own_project(tmp_path)) == "the user; the user; the user\n"


def test_a_package_agents_of_another_distribution_stays_as_it_was(installed: Installed, tmp_path: Path):
    script = "import agents\nfrom dominion_env import agent_names\nprint(agents.OWNER, 'big-money' in agent_names())\n"
    assert installed.run(script, tmp_path) == "another distribution True\n"


def test_the_command_explains_itself(installed: Installed, tmp_path: Path):
    assert "dominion play" in run(installed.folder / "bin" / "dominion", "--help", folder=tmp_path)


def test_the_speed_bench_says_that_it_belongs_to_the_checkout(installed: Installed, tmp_path: Path):
    command = installed.folder / "bin" / "dominion"
    done = subprocess.run([command, "speed"], cwd=own_project(tmp_path), capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("dominion speed: this command belongs to a checkout of the project")
    assert done.stderr.count("\n") == 1
