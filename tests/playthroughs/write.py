"""Write the texts of all playthroughs: `python -m tests.playthroughs.write`. Read the difference afterwards."""

from __future__ import annotations

from . import GAMES, lines, path_of

if __name__ == "__main__":
    for name in GAMES:
        text = "\n".join(lines(name)) + "\n"
        path_of(name).write_text(text)
        print(f"{path_of(name).name}: {len(text.splitlines())} lines")
