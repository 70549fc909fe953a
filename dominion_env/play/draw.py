"""Draw a position from a game that agents play, or from a saved one.

python -m dominion_env.play.draw position.png --seed 7 --decisions 60 --seat 0
python -m dominion_env.play.draw position.svg --replay game.json --decisions 60

A model of stable-baselines3 (.zip) needs --trust, as code in its file runs: load only files that you trust.
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
from dominion_env.registry import trusting
from dominion_env.render import render

MODES = {".svg": "svg", ".html": "html", ".txt": "text"}


@dataclass(frozen=True)
class DrawOptions(GameOptions):
    """The position that is drawn, and its file."""

    file: tyro.conf.Positional[Path] = Path("position.png")
    """File to write: a picture (.png, .svg or .html) or text (.txt)."""
    agents: tuple[str, ...] = ("random", "random")
    """The players, by names of agents or files of models (.safetensors, or .zip with --trust)."""
    replay: Path | None = None
    """A saved game to draw instead. The options of the game are not used then."""
    decisions: int = 60
    """Number of decisions before the position."""
    seat: int | None = None
    """Seat whose view is drawn. Without it, all cards are drawn."""

    def table(self) -> Table:
        """Make the table of a new game, or of a saved one at its end."""
        if self.replay is not None:
            return load(self.replay)
        names = seated(self.agents, self.players, people=0)
        return Table(self.game(len(names)), dict(enumerate(make_agents(names))))


def draw(options: DrawOptions) -> None:
    """Write the file.

    Raises:
        DominionError: an option is wrong, or the file can't be written.
    """
    suffix = options.file.suffix.lower()
    if suffix != ".png" and suffix not in MODES:
        raise InvalidOption(f"file: expected a name that ends in .png, {', '.join(MODES)}, got {str(options.file)!r}")
    with trusting(options.trust):
        table = options.table()
    table.go_to(0)
    while table.step < options.decisions and table.forward():
        pass
    try:
        if suffix == ".png":
            image = Image.fromarray(render(table.game, options.seat, "rgb_array", table.names))
            # The picture has some 250 colours, so a palette makes the file a third of the size.
            image.quantize(256).save(options.file, optimize=True)
        else:
            drawn = render(table.game, options.seat, MODES[suffix], table.names)
            options.file.write_text(drawn + "\n", encoding="utf-8")
    except OSError as error:
        raise InvalidOption(f"{options.file}: can't be written: {error.strerror}") from error


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    try:
        draw(tyro.cli(DrawOptions, args=arguments, description=__doc__, prog="python -m dominion_env.play.draw"))
    except DominionError as error:
        print(f"render: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
