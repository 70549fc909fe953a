"""Draw a position from a game of two random agents, as picture (.png) or text: the one of README.md and docs/environment.md.

python -m tools.position docs/images/position.png --seed 4750 --decisions 143 --seat 1
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import tyro
from PIL import Image

from dominion_app.play.table import GameTable, TableOptions, make_agents, seated
from dominion_env.render import render


@dataclass(frozen=True)
class Position(TableOptions):
    """The position that is drawn, and its file."""

    file: tyro.conf.Positional[Path] = Path("position.png")
    """File to write."""
    decisions: int = 60
    """Number of decisions before the position."""
    seat: int | None = None
    """Seat whose view is drawn. Without it, all cards are drawn."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the file."""
    options = tyro.cli(Position, args=arguments, description=__doc__)
    names = seated(("random", "random"), options.players, people=0)
    table = GameTable(options.game(len(names)), dict(enumerate(make_agents(names))))
    while table.step < options.decisions and table.forward():
        pass
    if options.file.suffix == ".png":
        image = Image.fromarray(render(table.game, options.seat, "rgb_array", table.names))
        # The picture has some 250 colours, so a palette makes the file a third of the size.
        image.quantize(256).save(options.file, optimize=True)
    else:
        options.file.write_text(render(table.game, options.seat, "text", table.names) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
