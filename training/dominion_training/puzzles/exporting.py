"""The puzzles as texts, a row each, for language models."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dominion_env.tables.cards import NUM_BASE_CARDS
from dominion_env.text.rules import rules_text
from dominion_env.text.telling import question_for
from dominion_training.common.records import put_in_place, write_json
from dominion_training.puzzles.puzzle import batch_of, puzzles


def rows_of_texts() -> list[dict[str, Any]]:
    """Return each puzzle as a row.

    Its columns are number, kind, stage, num_players, kingdom (names with commas between), rules and question (texts, with
    the answers listed in the latter), answers (the legal ones in the order of that list, from 1), best (one of them), and
    chances (to win with each of the answers, 0 to 1).
    """
    every, rows = puzzles(), []
    batch = batch_of(every)
    for row, puzzle in enumerate(every):
        state = batch.state[row]
        kingdom, question = state["piles"][NUM_BASE_CARDS:].tolist(), question_for(batch, row, puzzle.seat)
        rows.append(
            {
                "number": puzzle.number, "kind": puzzle.kind, "stage": puzzle.stage, "num_players": batch.num_players,
                "kingdom": ", ".join(puzzle.position["kingdom"]),
                "rules": rules_text(kingdom, int(state["edition"]), batch.num_players), "question": question.text,
                "answers": [*question.legal], "best": puzzle.best,
                "chances": [puzzle.chances[answer] for answer in question.legal],
            }
        )  # fmt: skip
    return rows


def export(path: Path) -> None:
    """Write the puzzles as texts, as Parquet if the file's name ends in .parquet, else as JSON.

    Raises:
        DominionError: the file can't be written.
    """
    if path.suffix != ".parquet":
        write_json(path, rows_of_texts())
        return
    import polars as pl

    with put_in_place(path) as aside:
        pl.DataFrame(rows_of_texts()).write_parquet(aside)
