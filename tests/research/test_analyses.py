"""Analyses find what was planted, and nothing where there is nothing."""

from __future__ import annotations

import numpy as np
import pytest

from dominion_env import Card, Event, InvalidKingdom, InvalidOption
from dominion_env.tables.cards import KINGDOM_CARDS
from dominion_training.research.analyses.cards import card_table
from dominion_training.research.analyses.causal import causal_values
from dominion_training.research.analyses.decks import buying, decks
from dominion_training.research.analyses.gains import gained, num_players_of
from dominion_training.research.analyses.lengths import lengths
from dominion_training.research.analyses.openings import forced_openings, observed_openings
from dominion_training.research.analyses.pairs import pairs
from dominion_training.research.analyses.seats import seat_advantage
from dominion_training.research.collect.tables import Tables
from dominion_training.research.reports.sections import Section
from dominion_training.research.reports.summary import summary
from tests.research.made_up import KINGDOM, buy, tables, with_effects

SMITHY, MOAT, MARKET = 0, 1, 2
OPTIONS = {"auto_treasures": True}
OTHERS = [int(card) for card in KINGDOM_CARDS if card not in KINGDOM][:10]


def row_of(found, name):
    return next(row for row in found.rows if name in (getattr(row, "card", None), getattr(row, "name", None)))


def test_a_planted_card_is_found_and_others_are_not():
    found = card_table(with_effects(effect=lambda has: 0.8 * has[:, :, SMITHY]))
    smithy, moat, market = (row_of(found, name) for name in ("Smithy", "Moat", "Market"))
    # One of two who has it alone wins with chance 1 / (1 + exp(-0.8)) = 0.69; in half of the games both or neither have it.
    assert smithy.with_it.low <= 0.5 + 0.19 / 2 <= smithy.with_it.high
    assert smithy.difference.value == pytest.approx(0.19, abs=0.03)
    assert smithy.q < 0.001
    assert smithy.within_q < 0.001
    assert found.rows[0].card == "Smithy"
    for row in (moat, market):
        assert row.q > 0.05
        assert row.within_q > 0.05
        assert row.difference.low < 0 < row.difference.high
        assert row.rate.low <= 0.5 <= row.rate.high
        assert row.first_turn.low <= 4.5 <= row.first_turn.high
        assert row.copies.value == 1
    assert not row_of(found, "Village").with_it.is_known  # nobody gains it
    assert row_of(found, "Village").rate.value == 0
    assert (found.games, found.players) == (4000, 2)


def test_an_agents_strength_is_no_cards():
    """Agent 1 is stronger and nearly always has the Moat, which brings nothing."""
    random = np.random.default_rng(1)
    agents = random.integers(0, 2, (4000, 2))
    has = random.random((4000, 2)) < np.where(agents, 0.9, 0.1)
    shares = np.eye(2)[(1.0 * agents + random.gumbel(size=(4000, 2))).argmax(axis=1)]
    found = card_table(
        tables(shares, [buy(game, 3, player, Card.MOAT) for game, player in np.argwhere(has)], agents=agents)
    )
    moat = row_of(found, "Moat")
    assert moat.q < 0.001
    assert moat.within_q is None or moat.within_q > 0.05
    assert moat.within.low < 0 < moat.within.high


def test_few_false_finds_among_many_tables_without_effects():
    finds = 0
    for seed in range(20):
        found = card_table(with_effects(400, seed=seed))
        finds += any(row.q is not None and row.q <= 0.05 for row in found.rows)
    assert finds <= 4  # one in twenty tables is expected


def test_kingdoms_are_told_apart():
    """Players can gain a card only where it is in the Supply."""
    one = with_effects(200)
    other = tables(np.tile([1.0, 0.0], (200, 1)), [buy(0, 1, 0, OTHERS[0])], kingdom=OTHERS)
    both = Tables(
        *(
            a.vstack(b.with_columns(game=b["game"] + 200)) if a is not None else None
            for a, b in ((one.games, other.games), (one.players, other.players), (one.events, other.events))
        )
    )
    found = card_table(both)
    assert row_of(found, "Smithy").rate.n == 200
    assert row_of(found, "Silver").rate.n == 400


def test_a_planted_synergy_is_found():
    found = pairs(with_effects(6000, effect=lambda has: 1.2 * has[:, :, SMITHY] * has[:, :, MARKET]))
    best = found.rows[0]
    assert (best.one, best.two) == ("Market", "Smithy")
    assert best.q < 0.01
    others = [row for row in found.rows[1:] if row.synergy.is_known]
    assert {(row.one, row.two) for row in others} == {("Market", "Moat"), ("Moat", "Smithy")}
    assert all(row.q > 0.05 for row in others)
    assert all(row.needed > 1000 for row in others)
    assert len(found.rows) == 45
    assert found.rows[-1].needed is None


def test_the_summary_names_what_was_planted_and_nothing_that_luck_brings():
    planted, luck = (
        Section("pairs", "", "", (), (), None, pairs(with_effects(6000, effect=effect)))
        for effect in (lambda has: 1.2 * has[:, :, SMITHY] * has[:, :, MARKET], lambda has: 0 * has[:, :, SMITHY])
    )
    (told,) = summary([planted])
    assert told.startswith("3 of 45 pairs of cards have enough games. The best pair is Market with Smithy (")
    assert "worst" not in told
    assert summary([luck]) == ["3 of 45 pairs of cards have enough games. No difference can be told from luck."]


def test_cards_that_add_up_are_no_synergy():
    finds = 0
    for seed in range(20):
        found = pairs(with_effects(600, lambda has: 0.4 * (has[:, :, SMITHY] + has[:, :, MARKET]), seed))
        finds += any(row.q is not None and row.q <= 0.05 for row in found.rows)
    assert finds <= 4  # one in twenty is expected


def test_an_agents_strength_is_no_synergy():
    """The stronger agent owns both cards more often; neither brings anything."""
    random = np.random.default_rng(2)
    agents = random.integers(0, 2, (3000, 2))
    has = random.random((3000, 2, 2)) < np.where(agents, 0.8, 0.2)[:, :, None]
    shares = np.eye(2)[(2.0 * agents + random.gumbel(size=(3000, 2))).argmax(axis=1)]
    cards = (Card.MOAT, Card.SMITHY)
    events = [buy(game, 3, player, cards[card]) for game, player, card in np.argwhere(has)]
    found = pairs(tables(shares, events, agents=agents)).rows[0]
    assert (found.one, found.two) == ("Moat", "Smithy")
    assert found.q > 0.05


def test_what_agents_differ_in_is_no_synergy():
    """One agent always owns the Moat, the other never: who else owns a Smithy says nothing of the pair."""
    random = np.random.default_rng(2)
    agents = random.integers(0, 2, (1000, 2))
    has = np.stack([agents == 1, random.random((1000, 2)) < 0.5], axis=2)
    shares = np.eye(2)[random.integers(0, 2, 1000)]
    cards = (Card.MOAT, Card.SMITHY)
    events = [buy(game, 3, player, cards[card]) for game, player, card in np.argwhere(has)]
    assert not any(row.synergy.is_known for row in pairs(tables(shares, events, agents=agents)).rows)


def test_openings_are_told_by_split():
    random = np.random.default_rng(0)
    good = random.random(3000) < 0.5
    rich = random.random(3000) < 0.5
    shares = np.eye(2)[(random.random(3000) < np.where(good & ~rich, 0.3, 0.5)).astype(int)]
    events = []
    for game in range(3000):
        coins = (4, 3) if not rich[game] else (5, 2)
        for turn, copies in enumerate(coins, 1):
            events.append((game, turn, 0, 0, int(Event.PLAY), int(Card.COPPER), copies))
        events += [buy(game, 1, 0, Card.SMITHY if good[game] else Card.SILVER)]
        if not rich[game]:
            events += [buy(game, 2, 0, Card.SILVER)]
    found = observed_openings(tables(shares, events))
    assert {(row.split, row.name) for row in found.rows} == {
        ("4/3", "Silver / Smithy"), ("4/3", "Silver / Silver"), ("5/2", "nothing / Smithy"), ("5/2", "nothing / Silver"),
    }  # fmt: skip
    assert sum(row.score.n for row in found.rows) == 3000  # the other players' first hands are not known
    planted = row_of(found, "Silver / Smithy")
    assert planted.difference.low <= 0.2 <= planted.difference.high
    assert planted.q < 0.001
    assert all(row.q > 0.05 for row in found.rows if row.split == "5/2")


def test_what_is_bought_when():
    games = 50
    events = [buy(game, 1, 0, Card.SILVER) for game in range(games)]
    events += [buy(game, 2, 1, Card.GOLD) for game in range(0, games, 2)]
    found = buying(tables(np.tile([1.0, 0.0], (games, 1)), events, rounds=np.where(np.arange(games) < 40, 12, 3)))
    assert found.cards == ("Silver", "Gold")
    assert found.mean[0].tolist() == [0.5, 0]
    assert found.mean[1].tolist() == [0, 0.25]
    assert found.half[0, 0] == 0  # one in each game
    assert found.half[1, 1] == pytest.approx(1.96 * np.sqrt(0.25 / 49) / 2, rel=1e-6)
    assert found.players.tolist() == [100] * 3 + [80] * 9


def test_decks_follow_gains_and_trashes():
    games = 40
    events = []
    for game in range(games):
        events += [
            buy(game, 1, 0, Card.GOLD),
            (game, 2, 0, 0, int(Event.TRASH), int(Card.ESTATE), 1),
            buy(game, 3, 0, Card.GARDENS),
            (game, 3, 1, 0, int(Event.GAIN), int(Card.CURSE), 1),
        ]
    found = decks(tables(np.tile([1.0, 0.0], (games, 1)), events, rounds=np.full(games, 4)))
    # Seat 0 gains in each game, seat 1 never: means of two, one of which is 7 Coppers and 3 Estates.
    assert [each.value for each in found.size.means] == [10.5, 10, 11, 11]
    assert [each.value for each in found.points.means] == [
        3,
        2.5,
        2.5,
        2.5,
    ]  # 11 cards: Gardens bring 1, the Curse takes 1
    density = [(10 / 11 + 0.7) / 2, 0.85, (10 / 12 + 0.7) / 2, (10 / 12 + 0.7) / 2]
    assert [each.value for each in found.density.means] == pytest.approx(density)
    assert found.size.low.tolist() == [10, 10, 10, 10]
    assert {band.name for band in found.composition} == {"Copper", "Gold", "Estate", "Gardens", "Curse"}


def test_lengths_and_ends():
    shares = np.array([[1.0, 0.0]] * 60 + [[0.5, 0.5]] * 20 + [[0.5, 0.5]] * 20)
    ended = np.array([1] * 60 + [2] * 20 + [3] * 20)
    found = lengths(tables(shares, [], rounds=np.arange(100) % 10 + 8, ended=ended))
    assert found.rounds.value == 12.5
    assert found.counts.tolist() == [0] * 8 + [10] * 10
    assert [found.endings[name].value for name in ("Provinces", "piles", "truncated")] == [0.6, 0.2, 0.2]
    assert found.shared.value == 0.25
    assert found.shared.n == 80
    assert found.margin.value == 6


def test_a_planted_advantage_of_the_first_seat():
    random = np.random.default_rng(0)
    starter = random.integers(0, 3, 3000)
    first = random.random(3000) < 0.5
    winner = np.where(first, starter, random.integers(0, 3, 3000))
    found = seat_advantage(tables(np.eye(3)[winner], [], starter=starter))
    assert [row.position for row in found.rows] == [0, 1, 2]
    assert found.rows[0].score.low <= 2 / 3 <= found.rows[0].score.high
    assert found.rows[0].q < 0.001
    assert found.rows[1].edge.value == pytest.approx(-1 / 6, abs=0.02)
    even = seat_advantage(tables(np.eye(3)[random.integers(0, 3, 3000)], [], starter=starter))
    assert all(row.q > 0.05 for row in even.rows)


@pytest.mark.parametrize("analysis", [card_table, pairs, observed_openings, buying, decks])
def test_what_can_not_be_analysed_is_told(analysis):
    whole = with_effects(5)
    with pytest.raises(InvalidOption, match="with --no-events"):
        analysis(Tables(whole.games, whole.players, None))
    with pytest.raises(InvalidOption, match=r"got no games|empty selection"):
        analysis(Tables(whole.games.head(0), whole.players.head(0), whole.events.head(0)))


@pytest.mark.parametrize("analysis", [lengths, seat_advantage])
def test_no_games_are_told(analysis):
    whole = with_effects(5)
    with pytest.raises(InvalidOption, match="empty selection"):
        analysis(Tables(whole.games.head(0), whole.players.head(0), None))


def test_tables_of_several_sizes_are_told():
    one, other = with_effects(5), with_effects(5, players=3)
    both = Tables(one.games.vstack(other.games), one.players.vstack(other.players), one.events)
    with pytest.raises(InvalidOption, match=r"one number of players, got \[2, 3\]"):
        num_players_of(both)


@pytest.mark.parametrize("games", [1, 5])
def test_few_games_give_no_numbers(games):
    few = with_effects(games)
    assert not any(row.difference.is_known or row.within.is_known for row in card_table(few).rows)
    assert not any(row.synergy.is_known for row in pairs(few).rows)
    assert not any(row.score.is_known for row in observed_openings(few).rows)
    assert not lengths(few).rounds.is_known
    assert not any(row.score.is_known for row in seat_advantage(few).rows)
    assert not decks(few).points.means
    assert not len(buying(few).mean)


def test_first_gains_and_copies():
    found = gained(
        tables([[1.0, 0.0]], [buy(0, 2, 1, Card.MOAT), buy(0, 1, 1, Card.MOAT), (0, 4, 0, 1, 6, Card.MOAT, 1)])
    )
    assert found.copies[1, Card.MOAT] == 2
    assert found.first[1, Card.MOAT] == 1
    assert not found.copies[0].any()


@pytest.mark.compiled
def test_causal_values_of_big_money():
    """Big Money never gains a Kingdom card, and can't do without Gold."""
    found = causal_values("big-money", "first-game-2e", 400, cards=[Card.GOLD, Card.MARKET, Card.VILLAGE], **OPTIONS)
    gold, market, village = (row_of(found, name) for name in ("Gold", "Market", "Village"))
    assert found.rows[0] is gold
    assert gold.banned.low > 0.2
    assert gold.banned_q < 0.001
    for row in (market, village):
        assert row.used.value == 0
        assert row.banned.value == 0
        assert row.banned.low <= 0 <= row.banned.high
        assert row.banned_q == 1
    assert market.gift.low > 0
    assert village.gift.high < market.gift.low
    assert gold.banned.n == 400


@pytest.mark.compiled
def test_causal_values_are_the_same_for_an_agent_that_is_asked(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code = "from dominion_env import make_agent\nasked = lambda: type('Asked', (), {'act': make_agent('smithy-optimised').act})()"
    (tmp_path / "mine.py").write_text(code)
    for players in (2, 3):
        scripted, asked = (
            causal_values(agent, "first-game-2e", 40, players, cards=[Card.SMITHY], **OPTIONS).rows[0]
            for agent in ("smithy-optimised", "mine.py:asked")
        )
        assert scripted == asked


@pytest.mark.compiled
def test_forced_openings():
    found = forced_openings("big-money", "first-game-2e", 300, **OPTIONS)
    own = row_of(found, "Silver / Silver")
    assert own.split == "4/3"
    assert own.difference.value == 0  # that is what Big Money buys
    worst = next(row for row in found.rows if row.split == "4/3" and row.name == "nothing / nothing")
    assert worst.difference.high < -0.1
    assert worst.q < 0.001
    costs = {split: [row for row in found.rows if row.split == split] for split in ("5/2", "4/3")}
    assert any("Market" in row.cards for row in costs["5/2"])
    assert not any("Market" in row.cards for row in costs["4/3"])
    assert all(len(set(row.cards) & {"Cellar", "Moat", "nothing"}) for row in costs["5/2"])


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: causal_values("big-money", "random", 10), "expected one set of ten cards"),
        (lambda: causal_values("big-money", "first-game-2e", 0), "at least 1, got 0"),
        (lambda: causal_values("big-money", "first-game-2e", 10, 1), "2 to 6, got 1"),
        (lambda: forced_openings("big-money", "test", 10), "expected one set of ten cards"),
    ],
)
def test_experiments_that_can_not_be_made_are_told(call, said):
    with pytest.raises(InvalidOption, match=said):
        call()


def test_an_unknown_kingdom_is_told():
    with pytest.raises(InvalidKingdom):
        causal_values("big-money", "second-game", 10)
