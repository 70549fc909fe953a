"""The address of a game, which with the options and the choices decides everything that happens in it."""

from __future__ import annotations

import secrets
from typing import Any, TypedDict


class Address(TypedDict):
    """Where a game's luck comes from: `DominionEnv(**address)` and all other views of one game play that game again.

    Attributes:
        seed: from 0 to 2**64 - 1.
        index, episode: from 0.
    """

    seed: int
    index: int
    episode: int


def address_of(record: Any) -> Address:
    """Return the address of the running episode of a game, whose record is `batch.state[row]`."""
    return {"seed": int(record["seed"]), "index": int(record["index"]), "episode": int(record["episode"])}


def fresh_seed() -> int:
    """Draw a seed from the operating system's randomness, from 0 to 2**63 - 1: s + i of a row fits into 64 bits."""
    return secrets.randbits(63)
