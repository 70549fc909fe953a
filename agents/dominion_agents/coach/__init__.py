"""The coach: what each legal action is worth to a person, and what their decisions in a played game have cost.

`judge(game)` estimates the chance to win with each legal action, and the plan that it assumes. `review(game, seat)` does so for
all decisions of a seat. Both know what the seat that decides may know, and nothing else.
"""

from __future__ import annotations

from dominion_agents.coach.chances import Chance, Difference
from dominion_agents.coach.courses import Arrival, Course
from dominion_agents.coach.judging import PLAYOUTS, Coach, Judged, Judgement, judge, the_coach
from dominion_agents.coach.reviewing import Decision, Explained, Review, review

__all__ = [
    "PLAYOUTS", "Arrival", "Chance", "Coach", "Course", "Decision", "Difference", "Explained", "Judged", "Judgement",
    "Review", "judge", "review", "the_coach",
]  # fmt: skip
