"""Section 11: recommended kingdoms, random ones, lists, and the splits for training and testing."""

from itertools import combinations

import numpy as np
import pytest

from dominion_env import CARDS, DominionError, Game, GameBatch, InvalidKingdom, InvalidOption, UnknownCard
from dominion_env.tables.cards import KINGDOM_CARDS, NUM_BASE_CARDS
from dominion_env.tables.kingdoms import KINGDOMS, SPLIT_SIZES, resolve, split
from tests.rules import uniform

RECOMMENDED = {
    "first-game-1e": "Cellar, Market, Militia, Mine, Moat, Remodel, Smithy, Village, Woodcutter, Workshop",
    "big-money-1e": (
        "Adventurer, Bureaucrat, Chancellor, Chapel, Feast, Laboratory, Market, Mine, Moneylender, Throne Room"
    ),
    "interaction-1e": "Bureaucrat, Chancellor, Council Room, Festival, Library, Militia, Moat, Spy, Thief, Village",
    "size-distortion-1e": "Cellar, Chapel, Feast, Gardens, Laboratory, Thief, Village, Witch, Woodcutter, Workshop",
    "village-square-1e": (
        "Bureaucrat, Cellar, Festival, Library, Market, Remodel, Smithy, Throne Room, Village, Woodcutter"
    ),
    "first-game-2e": "Cellar, Market, Merchant, Militia, Mine, Moat, Remodel, Smithy, Village, Workshop",
    "size-distortion-2e": (
        "Artisan, Bandit, Bureaucrat, Chapel, Festival, Gardens, Sentry, Throne Room, Witch, Workshop"
    ),
    "deck-top-2e": (
        "Artisan, Bureaucrat, Council Room, Festival, Harbinger, Laboratory, Moneylender, Sentry, Vassal, Village"
    ),
    "sleight-of-hand-2e": (
        "Cellar, Council Room, Festival, Gardens, Harbinger, Library, Militia, Poacher, Smithy, Throne Room"
    ),
    "improvements-2e": "Artisan, Cellar, Market, Merchant, Mine, Moat, Moneylender, Poacher, Remodel, Witch",
    "silver-and-gold-2e": (
        "Bandit, Bureaucrat, Chapel, Harbinger, Laboratory, Merchant, Mine, Moneylender, Throne Room, Vassal"
    ),
}

FIRST_ONLY = {"Adventurer", "Chancellor", "Feast", "Spy", "Thief", "Woodcutter"}
SECOND_ONLY = {"Artisan", "Bandit", "Harbinger", "Merchant", "Poacher", "Sentry", "Vassal"}
ALL = {card.title for card in KINGDOM_CARDS}
TEN = RECOMMENDED["first-game-2e"].split(", ")


def kingdom_of(game: Game) -> set[str]:
    kingdom = game.to_dict()["kingdom"]
    assert len(kingdom) == len(set(kingdom)) == 10
    return set(kingdom)


def kingdoms_of(batch: GameBatch) -> list[frozenset[str]]:
    return [frozenset(batch.to_dict(row)["kingdom"]) for row in range(len(batch.current_player))]


@pytest.mark.parametrize("name", RECOMMENDED)
def test_the_recommended_kingdoms_card_by_card(name):
    cards = RECOMMENDED[name].split(", ")
    game = Game(num_players=2, kingdom=name)
    assert kingdom_of(game) == set(cards)
    assert set(cards) <= set(game.to_dict()["supply"])
    assert game.to_dict()["edition"] == int(name[-2])


def test_there_are_eleven_of_them():
    assert set(KINGDOMS) == set(RECOMMENDED)


@pytest.mark.parametrize("name", RECOMMENDED)
def test_each_recommended_kingdom_is_from_its_own_edition(name):
    other = SECOND_ONLY if name.endswith("1e") else FIRST_ONLY
    assert not other & set(RECOMMENDED[name].split(", "))


@pytest.mark.parametrize("edition", [1, 2])
@pytest.mark.parametrize("kingdom", ["first-game-1e", "first-game-2e", "random-1e", "random", "train", TEN])
def test_any_kingdom_can_be_played_under_either_wording(kingdom, edition):
    assert Game(num_players=2, kingdom=kingdom, edition=edition).to_dict()["edition"] == edition


@pytest.mark.parametrize(
    ("kingdom", "edition"),
    [("random", 2), ("random-1e", 1), ("random-2e", 2), ("train", 2), ("validation", 2), ("test", 2), (TEN, 2)],
)
def test_the_default_wording_is_that_of_the_pool_else_the_second(kingdom, edition):
    assert Game(num_players=2, kingdom=kingdom).to_dict()["edition"] == edition


def test_in_a_list_of_named_kingdoms_each_has_its_own_wording():
    batch = GameBatch(60, kingdom=["village-square-1e", "silver-and-gold-2e"], seed=3)
    editions = {}
    for row in range(60):
        position = batch.to_dict(row)
        editions.setdefault(frozenset(position["kingdom"]), set()).add(position["edition"])
    assert editions == {
        frozenset(RECOMMENDED["village-square-1e"].split(", ")): {1},
        frozenset(RECOMMENDED["silver-and-gold-2e"].split(", ")): {2},
    }


def test_twenty_five_cards_are_in_the_first_edition_and_twenty_six_in_the_second():
    first = {card.title for card in KINGDOM_CARDS if 1 in card.info.editions}
    second = {card.title for card in KINGDOM_CARDS if 2 in card.info.editions}
    assert (len(first), len(second), len(first & second), len(first | second)) == (25, 26, 19, 32)
    assert first - second == FIRST_ONLY
    assert second - first == SECOND_ONLY


@pytest.mark.parametrize(
    ("name", "pool"), [("random", ALL), ("random-1e", ALL - SECOND_ONLY), ("random-2e", ALL - FIRST_ONLY)]
)
def test_a_random_kingdom_is_ten_different_cards_of_its_pool(name, pool):
    drawn = set()
    for kingdom in kingdoms_of(GameBatch(200, kingdom=name, seed=41)):
        assert len(kingdom) == 10
        drawn |= kingdom
    assert drawn == pool  # every card comes, Gardens too


@pytest.mark.compiled
@pytest.mark.parametrize(("name", "size"), [("random", 32), ("random-1e", 25), ("random-2e", 26)])
def test_every_card_of_the_pool_is_equally_likely(name, size):
    games = 2000
    counts: dict[str, int] = {}
    for kingdom in kingdoms_of(GameBatch(games, kingdom=name, seed=42)):
        for card in kingdom:
            counts[card] = counts.get(card, 0) + 1
    share = 10 / size
    deviation = np.sqrt(games * share * (1 - share))
    assert len(counts) == size
    assert all(abs(count - games * share) < 4.5 * deviation for count in counts.values()), counts


def test_a_random_kingdom_comes_from_the_address():
    first = kingdoms_of(GameBatch(20, kingdom="random", seed=5))
    assert kingdoms_of(GameBatch(20, kingdom="random", seed=5)) == first
    assert kingdoms_of(GameBatch(20, kingdom="random", seed=6)) != first
    assert kingdoms_of(GameBatch(5, kingdom="random", seed=5, index=3)) == first[3:8]
    assert kingdom_of(Game(kingdom="random", seed=5, index=7)) == first[7]


def test_each_episode_draws_a_new_kingdom():
    batch = GameBatch(20, kingdom="random", seed=5)
    first = kingdoms_of(batch)
    batch.reset()
    assert kingdoms_of(batch) != first
    assert kingdoms_of(GameBatch(20, kingdom="random", seed=5, episode=1)) == kingdoms_of(batch)


def test_ten_names_make_a_kingdom_of_both_editions():
    cards = ["Adventurer", "Artisan", "Spy", "Sentry", "Thief", "Bandit", "Feast", "Vassal", "Gardens", "Witch"]
    game = Game(num_players=2, kingdom=cards)
    assert kingdom_of(game) == set(cards)
    assert game.to_dict()["edition"] == 2
    assert resolve(", ".join(cards)).kingdoms.tolist() == resolve(cards).kingdoms.tolist()
    assert resolve(["first-game-2e", ",".join(cards)]).kingdoms[1:].tolist() == resolve(cards).kingdoms.tolist()
    as_text = Game(kingdom=",".join(cards), seed=3)
    assert as_text.replay() == Game(kingdom=cards, seed=3).replay()


@pytest.mark.compiled
def test_a_list_of_kingdoms_is_drawn_from_evenly():
    names = ["first-game-2e", "big-money-1e", [*TEN[:9], "Witch"]]
    batch = GameBatch(1500, kingdom=names, seed=43)
    counts: dict[frozenset[str], int] = {}
    for kingdom in kingdoms_of(batch):
        counts[kingdom] = counts.get(kingdom, 0) + 1
    assert set(counts) == {
        frozenset(TEN),
        frozenset(RECOMMENDED["big-money-1e"].split(", ")),
        frozenset([*TEN[:9], "Witch"]),
    }
    assert uniform(list(counts.values()))


@pytest.mark.parametrize(
    "wrong",
    [
        TEN[:9],
        [*TEN, "Witch"],
        [*TEN[:9], "Cellar"],
        [*TEN[:9], "Copper"],
        [*TEN[:9], "Curse"],
        "no-such-kingdom",
        [],
        "",
        [TEN, TEN[:9]],
    ],
)
def test_other_kingdoms_are_refused(wrong):
    with pytest.raises(InvalidKingdom):
        Game(num_players=2, kingdom=wrong)


def test_an_unknown_card_is_refused_by_name():
    with pytest.raises(UnknownCard, match="Smythy"):
        Game(num_players=2, kingdom=[*TEN[:9], "Smythy"])


@pytest.mark.parametrize("name", ["Grand Market", "Intrigue", "underlings"])
def test_cards_and_sets_of_expansions_are_unknown(name):
    with pytest.raises(DominionError):
        Game(num_players=2, kingdom=name)


def test_an_edition_of_its_own_is_refused():
    with pytest.raises(InvalidOption):
        GameBatch(1, kingdom="random", edition=3)


# Splits.


@pytest.mark.parametrize("name", SPLIT_SIZES)
def test_a_split_holds_different_kingdoms_of_ten_different_cards(name):
    kingdoms = [frozenset(kingdom) for kingdom in split(name)]
    assert len(set(kingdoms)) == len(kingdoms) == SPLIT_SIZES[name]
    assert all(len(kingdom) == 10 and min(kingdom) >= NUM_BASE_CARDS for kingdom in kingdoms)


def test_the_splits_are_disjoint_and_hold_no_recommended_kingdom():
    sets = [{frozenset(kingdom) for kingdom in split(name)} for name in ("train", "validation", "test")]
    sets.append({frozenset(kingdom) for kingdom in KINGDOMS.values()})
    for one, other in combinations(sets, 2):
        assert not one & other


def test_the_large_split_begins_with_train_and_holds_no_kingdom_that_measures():
    large = split("train-large")
    assert large[: SPLIT_SIZES["train"]] == split("train")
    others = {*split("validation"), *split("test"), *KINGDOMS.values()}
    assert not others & set(large)


@pytest.mark.parametrize("name", SPLIT_SIZES)
def test_a_game_of_a_split_has_one_of_its_kingdoms(name):
    kingdoms = {frozenset(CARDS[card].name for card in kingdom) for kingdom in split(name)}
    drawn = kingdoms_of(GameBatch(100, kingdom=name, seed=44))
    assert set(drawn) <= kingdoms
    assert len(set(drawn)) > 40


def test_single_kingdoms_of_a_split_are_named_by_their_places():
    assert kingdom_rows("test:5") == [split("test")[5]]
    assert kingdom_rows("train:0+999+17") == [split("train")[place] for place in (0, 999, 17)]
    assert kingdom_rows(["validation:3", "first-game-2e"]) == [split("validation")[3], KINGDOMS["first-game-2e"]]
    drawn = kingdoms_of(GameBatch(50, kingdom="train:3+4", seed=1))
    assert set(drawn) == {frozenset(card.title for card in split("train")[place]) for place in (3, 4)}


@pytest.mark.parametrize(
    "name",
    ["train:1000", "train:", "train:-1", "train:1+", "train:x", "train:1,2", "train:\u0663", "test:" + 5000 * "9"],
)
def test_places_that_a_split_does_not_have_are_refused(name):
    with pytest.raises(
        InvalidKingdom, match=r"expected places in (train from 0 to 999|test from 0 to 99) behind the colon"
    ):
        resolve(name)


def kingdom_rows(kingdom):
    return [tuple(row) for row in resolve(kingdom).kingdoms]
