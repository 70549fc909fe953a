"""Draw a position: the game that agents play from a seed, or a saved one.

python -m dominion_env.render position.png --seed 7 --decisions 60 --seat 0
python -m dominion_env.render position.svg --replay game.json --decisions 60
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import tyro
from PIL import Image

from dominion_env.errors import DominionError, InvalidOption
from dominion_env.play.table import GameOptions, Table, load, make_agents, seated
from dominion_env.render import render

WAYS = {".svg": "svg", ".html": "html", ".txt": "text"}


@dataclass(frozen=True)
class DrawOptions(GameOptions):
    """Which position is drawn, and where to."""

    file: tyro.conf.Positional[Path] = Path("position.png")
    """The picture: .png, .svg or .html; or .txt."""
    agents: tuple[str, ...] = ("random", "random")
    """Who plays."""
    replay: Path | None = None
    """A saved game instead; then the options of the game are not used."""
    decisions: int = 60
    """How many decisions have been made."""
    seat: int | None = None
    """Whose view is drawn; without it, all cards."""

    def table(self) -> Table:
        """The game, at its start or at the end of what was saved."""
        if self.replay is not None:
            return load(self.replay)
        names = seated(self.agents, self.players, people=0)
        return Table(self.game(len(names)), dict(enumerate(make_agents(names))))


def draw(options: DrawOptions) -> None:
    """Write the picture.

    Raises:
        DominionError: an option is none, or the file can't be written.
    """
    suffix = options.file.suffix.lower()
    if suffix != ".png" and suffix not in WAYS:
        raise InvalidOption(f"{options.file}: the name must end in .png, {', '.join(WAYS)}")
    table = options.table()
    table.go_to(0)
    while table.step < options.decisions and table.forward():
        pass
    try:
        if suffix == ".png":
            image = Image.fromarray(render(table.game, options.seat, "rgb_array", table.names))
            # Some 250 colours are all there are: a third of the size.
            image.quantize(256).save(options.file, optimize=True)
        else:
            drawn = render(table.game, options.seat, WAYS[suffix], table.names)
            options.file.write_text(drawn + "\n", encoding="utf-8")
    except OSError as error:
        raise InvalidOption(f"{options.file}: can't be written: {error.strerror}") from error


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; returns the exit status."""
    try:
        draw(tyro.cli(DrawOptions, args=arguments, description=__doc__, prog="python -m dominion_env.render"))
    except DominionError as error:
        print(f"render: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
