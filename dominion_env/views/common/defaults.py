"""The options whose defaults differ between the views, each with the reason. A test compares them with the views."""

from typing import NamedTuple

VIEWS = ("GameBatch", "Game", "raw_env", "env", "DominionEnv", "DominionVectorEnv", "SB3VecEnv")


class Differing(NamedTuple):
    """An option whose default is not the same in all views.

    Attributes:
        option: name of the option.
        defaults: its default in each view that has it; for `reward`, the one with opponents where None chooses.
        reason: why they differ.
    """

    option: str
    defaults: dict[str, str | int | None]
    reason: str


DIFFERING = (
    Differing(
        "seed",
        {"GameBatch": 0, "Game": 0, "raw_env": None, "env": None, "DominionEnv": None, "DominionVectorEnv": None,
         "SB3VecEnv": None},
        "A script of the core plays the same games at each run. A view draws a seed, as its library does.",
    ),
    Differing(
        "illegal",
        {"GameBatch": "raise", "raw_env": "raise", "env": "lose", "DominionEnv": "lose", "DominionVectorEnv": "lose",
         "SB3VecEnv": "raise"},
        "Learners of Gymnasium and PettingZoo may ignore masks. MaskablePPO does not, so an illegal action is a mistake.",
    ),
    Differing(
        "opponents",
        {"DominionEnv": "big-money", "DominionVectorEnv": "big-money", "SB3VecEnv": None},
        "Gymnasium has one learner, who needs an opponent. In self-play each decision is a sample for stable-baselines3.",
    ),
    Differing(
        "reward",
        {"GameBatch": "result", "raw_env": "result", "env": "result", "DominionEnv": "lead", "DominionVectorEnv": "lead",
         "SB3VecEnv": "lead"},
        "A beginner loses each game to an opponent, and only the lead varies. Without opponents it is the result.",
    ),
    Differing(
        "mask_in",
        {"raw_env": "both", "env": "both", "DominionEnv": "info", "DominionVectorEnv": "info"},
        "Clients of PettingZoo look in either place. Most learners of Gymnasium want arrays as observations.",
    ),
)  # fmt: skip
