"""The address of a game, which with the options and the choices decides everything that happens in it."""

import secrets
from typing import Any, TypedDict


class Address(TypedDict):
    """Numbers from which all luck of a game is drawn; a view of one game that is given them plays that game again, as
    `DominionEnv(**address)`.

    Attributes:
        seed: a number from 0 to 2**64 - 1.
        index, episode: numbers from 0.
    """

    seed: int
    index: int
    episode: int


def address_of(record: Any) -> Address:
    """Return the address of the running episode of a game, whose record is `batch.state[row]`."""
    return {"seed": int(record["seed"]), "index": int(record["index"]), "episode": int(record["episode"])}


def fresh_seed() -> int:
    """Draw a seed from the randomness of the operating system, from 0 to 2**63 - 1, so that s + i of a row fits into 64 bits."""
    return secrets.randbits(63)
