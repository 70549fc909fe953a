"""A snapshot that was tampered with is refused in words, or is one of games that play on to their ends."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dominion_env import GameBatch, InvalidOption

OPTIONS: list[dict[str, Any]] = [
    {"num_players": 2, "kingdom": "first-game-2e"},
    {"num_players": 3, "kingdom": "random", "auto_treasures": True, "ask_forced": True, "illegal": "lose"},
]


def batches(options: dict[str, Any]) -> tuple[GameBatch, GameBatch]:
    """Return a batch in the middle of its games, and one that was made alike."""
    played, other = (GameBatch(2, seed=4, max_turns=9, **options) for _ in range(2))
    for _ in range(500):  # some episodes have ended
        played.step(played.sample_actions())
    return played, other


def changed(
    snapshot: dict[str, np.ndarray], batch: GameBatch, part: str, field: str, place: tuple[int, ...], value: int
):
    """Return a snapshot in which one number is another one."""
    array = snapshot[part].view(getattr(batch, f"_{part}").dtype).copy()
    (array[field] if field else array)[place] = value
    return snapshot | {part: array.view(np.uint8).reshape(-1)}


@pytest.mark.compiled
@pytest.mark.parametrize("options", OPTIONS, ids=["two", "three"])
def test_a_snapshot_with_one_number_changed_is_refused_or_its_games_end(options):
    rng, (played, other) = np.random.default_rng(1), batches(options)
    refused = 0
    for _ in range(60):
        played.step(played.sample_actions())
        snapshot = played.snapshot()
        part = str(rng.choice(["states", "states", "finals", "outcomes", "plan", "index"]))
        kept = getattr(played, f"_{part}")
        field = str(rng.choice(kept.dtype.names)) if kept.dtype.names else ""
        array = kept[field] if field else kept
        if array.dtype.names:
            name = str(rng.choice(array.dtype.names))
            spot = snapshot[part].view(kept.dtype).copy()
            spot[field][name][0, int(rng.integers(3))] = int(rng.choice([1, 39, 127]))
            bad = snapshot | {part: spot.view(np.uint8).reshape(-1)}
        else:
            place = tuple(int(rng.integers(size)) for size in array.shape)
            bad = changed(snapshot, played, part, field, place, int(rng.choice([0, 1, 2, 40, 100, 127])))
        try:
            other.restore(bad)
        except InvalidOption:
            refused += 1
            continue
        other.observe()
        other.final.observe(player=[0, 0])
        before = other.state["episode"].copy()
        for _ in range(3000):
            other.step(other.sample_actions())
            if (other.state["episode"] != before).all():
                break
        else:
            pytest.fail(f"{part} {field}: the games never end")
    assert refused > 15
    other.restore(played.snapshot())
    assert other.state.tobytes() == played.state.tobytes()


@pytest.mark.parametrize(
    ("part", "field", "place", "value"),
    [
        ("states", "asked", (0,), 2), ("states", "turn_player", (1,), -1), ("states", "hand", (0, 0, 8), 100),
        ("states", "discard_size", (0, 1), 30_000), ("states", "stack_size", (0,), 3), ("states", "num_legal", (0,), 0),
        ("states", "hand_set", (0, 0), 1 << 50), ("states", "piles", (0, 3), 77), ("states", "log_size", (1,), 64),
        ("states", "num_players", (0,), 6), ("states", "max_turns", (0,), 30_000), ("states", "recording", (0,), 1),
        ("states", "coins", (0,), -5), ("states", "pile", (0, 0, 0), 63),
        ("finals", "aside_size", (0, 0), -1), ("finals", "asked", (1,), 99), ("finals", "pile", (0, 1, 0), 63),
        ("plan", "row", (0,), 1), ("plan", "events", (0,), 1), ("outcomes", "winners", (0, 0), 2), ("index", "", (0,), -1),
    ],
)  # fmt: skip
def test_a_number_out_of_its_bounds_is_refused_and_changes_nothing(part, field, place, value):
    played, other = batches(OPTIONS[0])
    before = other.snapshot()
    with pytest.raises(InvalidOption, match="snapshot: "):
        other.restore(changed(played.snapshot(), played, part, field, place, value))
    assert all((other.snapshot()[name] == array).all() for name, array in before.items())
