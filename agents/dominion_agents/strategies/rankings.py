"""How strong the project's strategies are, measured: the data that `auto` goes by.

Scores are in percent, strongest first. `python -m tools.rank_strategies --players 3` measures a table again and
tells in its help what is played.
"""

from __future__ import annotations

import json
from pathlib import Path

# By number of players, the last one for four and more: the mean score of each strategy against each other one. Measured
# with `--games` 100, 60 and 64; a score's standard error is about one point.
RANKINGS: dict[int, dict[str, float]] = {
    int(players): scores
    for players, scores in json.loads(Path(__file__).with_name("rankings.json").read_text(encoding="utf-8")).items()
}

# By number of players: the strategy with the highest mean score on a recommended kingdom, where it has at least two points
# more than the one that the ranking names. Measured with `--kingdoms` and `--games` 200, 60 and 64.
BEST: dict[int, dict[str, str]] = {
    2: {"big-money-1e": "bureaucrat", "improvements-2e": "witches-first", "silver-and-gold-2e": "bureaucrat"},
    3: {},
    4: {},
}
