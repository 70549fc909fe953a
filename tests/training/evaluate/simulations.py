"""Simulated matches of agents whose strength is known: do intervals and tests hold what they promise?

`python -m tests.training.evaluate.simulations` prints the tables of docs/evaluation.md (about a quarter of an hour); with
`--runs 20` it is a matter of a minute. The tests beside this file run small versions.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import NormalDist
from typing import Literal

import numpy as np
import tyro

from dominion_training.evaluate.match import ELO_PER_NAT, score_interval
from dominion_training.evaluate.nash import nash_estimate, set_payoffs
from dominion_training.evaluate.ratings import Encounter, fit
from dominion_training.evaluate.sequential import ELO_PER_T, SequentialTest

SEAT = 0.2  # advantage of the first to act, in nats
PAIR_SCORES = np.arange(5) / 4
CYCLE = np.array([[0, -0.1, 0.2], [0.1, 0, -0.4], [-0.2, 0.4, 0]])  # its only equilibrium is (4, 2, 1) / 7
LADDER = np.array([[0, 0.02, 0.2], [-0.02, 0, 0.2], [-0.2, -0.2, 0]])  # its only equilibrium is the first agent


def encounters_of(random: np.random.Generator, truth, sets: int, alike: float) -> list[Encounter]:
    """Play all matches between two of these agents on the same lucks.

    Args:
        random: source of all chance.
        truth: ratings in nats, float (agents,).
        sets: number of pairs of games in each match.
        alike: share of the games that are decided by the luck of the address, which is the same for both games of a
            pair and for all matches; the others have luck of their own.
    """
    luck = random.logistic(size=sets)
    found = []
    for first in range(len(truth)):
        for second in range(first + 1, len(truth)):
            gap = truth[first] - truth[second]
            luck_here = np.where(random.random(sets) < alike, luck, random.logistic(size=(2, sets)))
            begins, follows = gap + SEAT + luck_here[0] > 0, gap - SEAT - luck_here[1] > 0
            shares = np.stack([np.stack([begins, ~begins], 1), np.stack([~follows, follows], 1)], 1).astype(float)
            found.append(Encounter(first, second, shares, np.arange(sets)))
    return found


def rating_coverage(agents: int, spread: float, sets: int, alike: float, runs: int, seed: int = 0):
    """Return how often intervals of ratings hold the true one, the mean error away from 0, and the mean width, in Elo.

    Half of the fields are evenly spread over -spread to spread Elo, half are drawn from there; anyone may be the anchor.
    """
    random = np.random.default_rng(seed)
    inside, errors, widths = [], [], []
    for run in range(runs):
        even = random.permutation(np.linspace(-spread, spread, agents))
        elo = even if run % 2 else random.uniform(-spread, spread, agents)
        ratings = fit(agents, encounters_of(random, elo / ELO_PER_NAT, sets, alike))
        truth = (elo - elo[0])[1:]
        inside.append((ratings.low[1:] <= truth) & (truth <= ratings.high[1:]))
        errors.append((ratings.elo[1:] - truth) * np.sign(truth))
        widths.append(ratings.high[1:] - ratings.low[1:])
    return float(np.mean(inside)), float(np.mean(errors)), float(np.mean(widths))


def set_scores_of(random: np.random.Generator, players: int, score: float, alike: float, shape) -> np.ndarray:
    """Draw scores of sets at a table of this many players, where an agent meets copies of another (Luce's choice rule)."""
    gap = math.log(score * (players - 1) / (1 - score)) if score < 1 else math.inf
    luck = random.gumbel(size=(players, *shape))
    total = np.zeros(shape)
    for place in range(players):
        here = np.where(random.random(shape) < alike, luck, random.gumbel(size=(players, *shape)))
        here[place] += gap
        total += here.argmax(axis=0) == place
    return total / players


def score_coverage(players: int, score: float, sets: int, alike: float, runs: int, seed: int = 0) -> float:
    """Return how often the interval of a score holds the true one."""
    random = np.random.default_rng(seed)
    scores = set_scores_of(random, players, score, alike, (runs, sets))
    intervals = [score_interval(each) for each in scores]
    return float(np.mean([low <= score + 1e-9 and score - 1e-9 <= high for low, high in intervals]))


def pair_chances(nelo: float, middle: float) -> np.ndarray:
    """Return chances of the five pair scores with this normalised Elo; the greater `middle`, the more pairs are even."""
    base = np.array([0.05, 0.2, middle, 0.2, 0.05])
    wanted = nelo / ELO_PER_T * math.sqrt(2)
    low, high = -10.0, 10.0
    for _ in range(100):
        x = (low + high) / 2
        chances = base * np.exp(x * PAIR_SCORES) / (base * np.exp(x * PAIR_SCORES)).sum()
        mean = chances @ PAIR_SCORES
        t = (mean - 0.5) / math.sqrt(chances @ (PAIR_SCORES - mean) ** 2)
        low, high = (x, high) if t < wanted else (low, x)
    return chances


def sequential_runs(test: SequentialTest, nelo: float, middle: float, runs: int, seed: int = 1):
    """Return how often H1 is accepted, and the mean number of sets that it took."""
    random = np.random.default_rng(seed)
    chances, most = pair_chances(nelo, middle), 20 * fixed_sets(test)
    found = [test.first_verdict(random.choice(PAIR_SCORES, most, p=chances)) for _ in range(runs)]
    assert all(verdict != "undecided" for verdict, _ in found)
    return float(np.mean([verdict == "accept" for verdict, _ in found])), float(np.mean([sets for _, sets in found]))


def fixed_sets(test: SequentialTest) -> int:
    """Return how many sets a match of fixed length needs for the same error rates, by the normal distribution."""
    quantiles = NormalDist().inv_cdf(1 - test.alpha) + NormalDist().inv_cdf(1 - test.beta)
    return math.ceil((quantiles / ((test.elo1 - test.elo0) / ELO_PER_T * math.sqrt(test.players))) ** 2)


def nash_coverage(payoff: np.ndarray, weights, sets: int, runs: int, resamples: int = 200, seed: int = 0):
    """Return how often intervals of Nash weights hold the true ones, their mean width, and the spread of the weights."""
    random = np.random.default_rng(seed)
    inside, widths, estimates = [], [], []
    for _ in range(runs):
        scores = {
            (first, second): (random.random((sets, 2)) < payoff[first, second] + 0.5).mean(axis=1)
            for first in range(len(payoff))
            for second in range(first + 1, len(payoff))
        }
        found = nash_estimate(set_payoffs(len(payoff), scores), resamples, seed=int(random.integers(1 << 30)))
        inside.append((found.weights_low <= weights + 1e-6) & (weights - 1e-6 <= found.weights_high))
        widths.append(found.weights_high - found.weights_low)
        estimates.append(found.weights)
    return np.mean(inside, axis=0), np.mean(widths, axis=0), np.std(estimates, axis=0)


def ratings_table(runs: int) -> Iterator[str]:
    yield "| agents | spread | luck in common | 25 sets | 100 sets | 400 sets |"
    yield "|---|---|---|---|---|---|"
    for agents in (3, 6, 10):
        for spread in (0, 300, 600):
            for alike in (0.0, 0.5):
                cells = []
                for sets in (25, 100, 400):
                    share, error, width = rating_coverage(agents, spread, sets, alike, max(runs // (agents - 1), 20))
                    cells.append(f"{share:.1%} ({error:+.0f}, {width:.0f})")
                yield f"| {agents} | ±{spread} | {alike:.0%} | {' | '.join(cells)} |"


def scores_table(runs: int) -> Iterator[str]:
    yield "| players | true score | 10 sets | 25 sets | 100 sets | 400 sets | 2,000 sets |"
    yield "|---|---|---|---|---|---|---|"
    for players in (2, 3, 6):
        for score, alike in ((1 / players, 0.0), (0.75, 0.0), (0.75, 0.5), (0.9, 0.0), (0.97, 0.0), (0.995, 0.0)):
            if alike and players > 2:  # only between two is the score with luck in common known
                continue
            cells = [f"{score_coverage(players, score, sets, alike, runs):.1%}" for sets in (10, 25, 100, 400, 2000)]
            yield f"| {players} | {score:.1%}{', half the luck in common' if alike else ''} | {' | '.join(cells)} |"


def sequential_table(runs: int) -> Iterator[str]:
    yield "| elo1 | even pairs | H1 accepted at elo0 | at elo1 | sets at elo0 | at elo1 | sets of a fixed match |"
    yield "|---|---|---|---|---|---|---|"
    for elo1 in (100.0, 50.0, 20.0):
        for middle, even in ((0.5, "half"), (10.0, "nearly all")):
            test = SequentialTest(0.0, elo1)
            (wrong, null), (right, alternative) = (sequential_runs(test, nelo, middle, runs) for nelo in (0.0, elo1))
            yield f"| {elo1:.0f} | {even} | {wrong:.1%} | {right:.1%} | {null:.0f} | {alternative:.0f} | {fixed_sets(test)} |"


def nash_table(runs: int) -> Iterator[str]:
    yield "| field | sets | true weights | intervals that hold them | their width | standard deviation of the weights |"
    yield "|---|---|---|---|---|---|"
    for name, payoff, weights in (("cycle", CYCLE, [4 / 7, 2 / 7, 1 / 7]), ("ladder", LADDER, [1, 0, 0])):
        for sets in (100, 500):
            found = nash_coverage(payoff, np.array(weights), sets, runs)
            cells = [", ".join(f"{each:.2f}" for each in part) for part in (weights, *found)]
            yield f"| {name} | {sets} | {' | '.join(cells)} |"


TABLES = {"ratings": ratings_table, "scores": scores_table, "sequential": sequential_table, "nash": nash_table}


def main(
    tables: tuple[Literal["ratings", "scores", "sequential", "nash"], ...] = tuple(TABLES),
    /,
    runs: int = 1000,
) -> None:
    """Print tables for docs/evaluation.md.

    Args:
        tables: names of the tables.
        runs: number of intervals or matches for each figure.
    """
    for name in tables:
        for line in TABLES[name](runs):
            print(line, flush=True)
        print()


if __name__ == "__main__":
    tyro.cli(main)
