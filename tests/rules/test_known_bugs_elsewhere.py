"""What other Dominion programs got wrong once: a test for each that the base game can have."""

import pytest

from dominion_env import CARDS, Game, GameBatch
from tests.table import Table

COSTS = {
    0: "Copper, Curse",
    2: "Estate, Cellar, Chapel, Moat",
    3: "Silver, Chancellor, Harbinger, Merchant, Vassal, Village, Woodcutter, Workshop",
    4: "Bureaucrat, Feast, Gardens, Militia, Moneylender, Poacher, Remodel, Smithy, Spy, Thief, Throne Room",
    5: "Duchy, Bandit, Council Room, Festival, Laboratory, Library, Market, Mine, Sentry, Witch",
    6: "Gold, Adventurer, Artisan",
    8: "Province",
}
COST = {name: cost for cost, names in COSTS.items() for name in names.split(", ")}


# Setup.


@pytest.mark.parametrize(("players", "size"), [(2, 8), (3, 12), (4, 12), (5, 12), (6, 12)])
def test_ten_gardens_instead_of_a_victory_pile(players: int, size: int):
    assert Table(kingdom="Gardens", players=players).supply["Gardens"] == size


def test_gardens_never_in_a_random_kingdom():
    kingdoms = [Game(kingdom="random", seed=seed).to_dict()["kingdom"] for seed in range(100)]
    assert any("Gardens" in kingdom for kingdom in kingdoms)


@pytest.mark.parametrize(("players", "size"), [(2, 8), (3, 12), (4, 12)])
def test_wrong_number_of_victory_cards(players: int, size: int):
    supply = Game(num_players=players).to_dict()["supply"]
    assert supply["Estate"] == supply["Duchy"] == supply["Province"] == size


@pytest.mark.parametrize(("players", "size"), [(5, 15), (6, 18)])
def test_twelve_provinces_for_five_and_six_players(players: int, size: int):
    supply = Game(num_players=players).to_dict()["supply"]
    assert supply["Province"] == size
    assert supply["Estate"] == supply["Duchy"] == 12


@pytest.mark.parametrize("players", [5, 6])
def test_three_empty_piles_ending_a_game_of_five_or_six(players: int):
    table = Table(
        phase="buy", supply={"Copper": 0, "Curse": 0, "Estate": 1, "Moat": 1}, coins=4, buys=2, players=players
    )
    alice, bob, *_ = table
    alice.buys("Estate")
    alice.ends_turn()
    assert table.asks(bob, "action")
    table = Table(
        phase="buy", supply={"Copper": 0, "Curse": 0, "Estate": 1, "Moat": 1}, coins=4, buys=2, players=players
    )
    alice, *_ = table
    alice.buys("Estate, Moat")
    alice.ends_turn()
    assert table.over


@pytest.mark.parametrize(("players", "size"), [(1, 53), (2, 46), (3, 39), (4, 32), (5, 85), (6, 78)])
def test_the_same_copper_pile_for_any_number_of_players(players: int, size: int):
    assert Game(num_players=players).to_dict()["supply"]["Copper"] == size


def test_trash_and_counters_carried_over_into_the_next_game():
    batch = GameBatch(2, kingdom="size-distortion-2e", seed=3)
    while not batch.state["trash"].any(axis=1).all():
        batch.step(batch.sample_actions())
    batch.reset()
    assert not batch.state["trash"].any()
    assert (batch.turns.sum(axis=1) == 1).all()
    for row in range(2):
        position = batch.to_dict(row)
        assert (position["actions"], position["buys"], position["coins"], position["merchants"]) == (1, 1, 0, 0)
        for player in position["players"]:
            assert sum(player["hand"].values()) == 5
            assert not player["discard"]
            assert not player["in_play"]
            assert sum(player["deck_bag"].values()) + len(player["deck_top"]) == 5


@pytest.mark.parametrize("name", COST)
def test_free_villages_and_other_wrong_costs(name: str):
    assert next(info for info in CARDS if info.name == name).cost == COST[name]
    kingdom = name if name not in ("Copper", "Curse", "Estate", "Silver", "Duchy", "Gold", "Province") else "Moat"
    if COST[name]:
        table = Table(phase="buy", coins=COST[name] - 1, kingdom=kingdom)
        assert f"buy {name}" not in table.legal
    table = Table(phase="buy", coins=COST[name], kingdom=kingdom)
    alice, _ = table
    alice.buys(name)
    assert table.coins == 0


def test_the_costs_above_are_those_of_all_cards():
    assert sorted(COST) == sorted(info.name for info in CARDS)


# The end of the game.


def test_a_turn_with_two_buys_stopped_at_the_last_province():
    table = Table("Festival, 4 Gold", supply={"Province": 1})
    alice, _ = table
    alice.plays("Festival")
    alice.ends_action_phase()
    alice.plays("4 Gold")
    alice.buys("Province")
    assert not table.over
    alice.buys("Silver")
    alice.ends_turn()
    assert table.over
    assert alice.owned == "Festival, 4 Gold, Province, Silver"


def test_the_third_empty_pile_stopped_a_turn_in_the_action_phase():
    table = Table("Workshop, Smithy", supply={"Silver": 1, "Curse": 0, "Estate": 0}, actions=2, decks="3 Gold")
    alice, _ = table
    alice.plays("Workshop")
    alice.gains("Silver")
    alice.plays("Smithy")
    alice.ends_action_phase()
    alice.plays("3 Gold")
    alice.buys("Province")
    alice.ends_turn()
    assert table.over
    assert table.scores == [6, 0]


def test_an_empty_hand_ended_the_game():
    table = Table(["Militia", "", "5 Copper"])
    alice, bob, carol = table
    alice.plays("Militia")
    carol.discards("2 Copper")
    assert not table.over
    alice.ends_turn()
    assert table.asks(bob, "action")


def test_an_empty_pile_of_one_kingdom_card_ended_the_game():
    table = Table(phase="buy", coins=2, supply={"Chapel": 1})
    alice, bob = table
    alice.buys("Chapel")
    alice.ends_turn()
    assert table.asks(bob, "action")


@pytest.mark.parametrize(
    "piles", [("Copper", "Curse", "Moat"), ("Cellar", "Chapel", "Moat"), ("Gold", "Silver", "Duchy")]
)
def test_only_provinces_ended_the_game(piles: tuple[str, ...]):
    table = Table(phase="buy", supply=dict.fromkeys(piles, 0))
    alice, _ = table
    alice.ends_turn()
    assert table.over


def test_only_kingdom_piles_counted_as_empty():
    table = Table(phase="buy", supply={"Copper": 0, "Curse": 0, "Duchy": 0})
    alice, _ = table
    alice.ends_turn()
    assert table.over


def test_a_tie_on_points_ignored_the_number_of_turns():
    table = Table(["3 Estate", "3 Estate"], phase="buy", supply={"Province": 0}, turns=[12, 11])
    alice, bob = table
    alice.ends_turn()
    assert table.over
    assert table.scores == [3, 3]
    assert table.winners == [bob]


def test_a_tie_after_equal_turns_had_one_winner():
    table = Table(["3 Estate", "3 Estate"], phase="buy", supply={"Province": 0}, turns=[12, 12], turn=1)
    alice, bob = table
    bob.ends_turn()
    assert table.winners == [alice, bob]


def test_the_win_was_counted_for_the_wrong_seat():
    table = Table(phase="buy", coins=8, supply={"Province": 1}, turn=1, turns=[5, 5])
    _, bob = table
    bob.buys("Province")
    bob.ends_turn()
    assert table.winners == [bob]
    assert table.scores == [0, 6]
    batch = GameBatch(
        1, start=Table(phase="buy", coins=8, supply={"Province": 0}, turn=1, discards=["", "Duchy"]).position
    )
    while True:
        rewards, terminated, _ = batch.step(batch.sample_actions())
        if terminated[0]:
            break
    # whatever bob bought at the end, only a Curse could have cost him a point of his three
    assert rewards[0].tolist() == [-1.0, 1.0]
    assert batch.final.winners[0].tolist() == [False, True]


# Library.


def test_set_aside_actions_came_back_with_a_shuffle_in_the_middle():
    table = Table("Library", decks="Village", discards="2 Copper")
    alice, _ = table
    alice.plays("Library")
    alice.sets_aside("Village")
    assert alice.hand == "2 Copper"
    assert alice.discard == "Village"
    assert alice.draw_pile == ""
    assert table.asks(alice, "action")


def test_library_trashed_cards():
    table = Table("Library", decks="Estate, Village, Copper, Curse")
    alice, _ = table
    alice.plays("Library")
    alice.sets_aside("Village")
    assert table.trash == ""
    assert alice.hand == "Estate, Copper, Curse"


def test_set_aside_cards_were_lost_when_deck_and_discard_pile_ran_out():
    table = Table("Library", decks="Village, Smithy")
    alice, _ = table
    alice.plays("Library")
    alice.sets_aside("Village")
    alice.sets_aside("Smithy")
    assert alice.set_aside == ""
    assert alice.discard == "Village, Smithy"


def test_library_hung_with_no_cards_left():
    table = Table("Library, Copper")
    alice, _ = table
    alice.plays("Library")
    assert table.asks(alice, "action")
    assert alice.hand == "Copper"


# Throne Room.


def test_a_throned_merchant_counted_once():
    table = Table("Throne Room, Merchant, 2 Silver")
    alice, _ = table
    alice.plays("Throne Room")
    alice.plays("Merchant")
    alice.ends_action_phase()
    alice.plays("Silver")
    assert table.coins == 4


def test_the_merchant_bonus_came_with_every_silver_or_for_merchants_not_played():
    table = Table("2 Merchant, 3 Silver", discards="3 Merchant", actions=1)
    alice, _ = table
    alice.plays("Merchant")
    alice.ends_action_phase()
    alice.plays("3 Silver")
    assert table.coins == 7


@pytest.mark.parametrize("edition", [1, 2])
def test_a_double_throne_room_without_a_further_action_crashed(edition: int):
    table = Table("2 Throne Room, Copper", edition=edition)
    alice, _ = table
    alice.plays("Throne Room")
    alice.plays("Throne Room")
    assert table.asks(alice, "action")
    assert alice.in_play == "2 Throne Room"


@pytest.mark.parametrize("edition", [1, 2])
def test_a_throne_room_without_any_action_crashed(edition: int):
    table = Table("Throne Room, 4 Copper", edition=edition)
    alice, _ = table
    alice.plays("Throne Room")
    assert table.asks(alice, "action")
    assert alice.hand == "4 Copper"


def test_the_forced_effect_of_a_second_play_was_skipped():
    table = Table("Throne Room, Remodel, 2 Estate", ask_forced=False)
    alice, _ = table
    alice.plays("Throne Room")
    alice.plays("Remodel")  # the only choice is an Estate
    alice.gains("Silver")
    alice.gains("Village")  # the second Estate went by itself
    assert table.trash == "2 Estate"
    assert alice.discard == "Silver, Village"


def test_throne_room_was_optional_in_the_first_or_mandatory_in_the_second_edition():
    for edition, choices in ((1, ["play Chapel"]), (2, ["play Chapel", "pass"])):
        table = Table("Throne Room, Chapel, Gold", edition=edition)
        alice, _ = table
        alice.plays("Throne Room")
        assert table.legal == choices


# Moat and the Attacks.


def test_a_block_was_left_over_for_the_next_attack():
    table = Table(["Witch, Militia", "Moat, 4 Copper"], actions=2)
    alice, bob = table
    alice.plays("Witch")
    bob.reveals("Moat")
    alice.plays("Militia")
    bob.passes()
    bob.discards("2 Copper")
    assert table.asks(alice, "action")


def test_one_moat_blocked_the_attack_for_everybody():
    table = Table(["Witch", "Moat", "Moat", "Copper"])
    alice, bob, carol, dave = table
    alice.plays("Witch")
    bob.reveals("Moat")
    carol.passes()
    assert bob.discard == ""
    assert carol.discard == dave.discard == "Curse"


def test_a_blocked_attack_gave_the_attacker_nothing():
    table = Table(["Militia, Witch, Bandit, Bureaucrat", "Moat"], decks="3 Copper", actions=4)
    alice, bob = table
    for attack in ("Militia", "Witch", "Bandit", "Bureaucrat"):
        alice.plays(attack)
        bob.reveals("Moat")
    assert table.coins == 2
    assert alice.hand == "2 Copper"
    assert alice.discard == "Gold"
    assert alice.deck == "Silver, Copper"


def test_a_bureaucrat_stopped_at_the_first_hand_without_a_victory_card():
    table = Table(["Bureaucrat", "2 Copper", "Estate, Copper"])
    alice, bob, carol = table
    alice.plays("Bureaucrat")
    carol.topdecks("Estate")
    assert bob.hand == "2 Copper"
    assert carol.deck == "Estate"


def test_a_bureaucrats_victim_kept_the_card_he_put_back():
    table = Table(["Bureaucrat", "Estate, Copper"])
    alice, bob = table
    alice.plays("Bureaucrat")
    bob.topdecks("Estate")
    assert bob.hand == "Copper"
    assert bob.owned == "Estate, Copper"


def test_an_attack_hit_the_attacker_or_missed_a_victim():
    table = Table(["5 Copper", "5 Copper", "Witch, Militia, 4 Copper", "5 Copper"], turn=2, actions=2)
    alice, bob, carol, dave = table
    carol.plays("Witch")
    assert [seat.discard for seat in table] == ["Curse", "Curse", "", "Curse"]
    carol.plays("Militia")
    for victim in (dave, alice, bob):
        victim.discards("2 Copper")
    assert carol.hand == "4 Copper"
    assert table.asks(carol, "action")


# Bandit and Thief.


def test_bandit_took_the_silver_without_asking_its_owner():
    for choice, kept in (("Silver", "Gold"), ("Gold", "Silver")):
        table = Table(["Bandit", ""], decks=["", "Silver, Gold"])
        alice, bob = table
        alice.plays("Bandit")
        assert table.asks(bob, "trash", "Bandit")
        assert table.legal == ["trash Silver", "trash Gold"]
        bob.trashes(choice)
        assert bob.discard == kept
        assert table.trash == choice


def test_bandit_trashed_a_card_of_the_wrong_player():
    table = Table(["Bandit", "", ""], decks=["2 Gold", "Silver, Estate", "Copper, Gold"])
    alice, bob, carol = table
    alice.plays("Bandit")
    bob.trashes("Silver")
    carol.trashes("Gold")
    assert alice.owned == "Bandit, 3 Gold"
    assert bob.owned == "Estate"
    assert carol.owned == "Copper"
    assert table.trash == "Silver, Gold"


def test_bandit_took_a_card_from_where_it_was_not():
    table = Table(["Bandit", "2 Gold"], decks=["", "Copper, Estate, Silver"], discards=["", "Gold"])
    alice, bob = table
    alice.plays("Bandit")
    assert table.asks(alice, "action")
    assert table.trash == ""
    assert bob.hand == "2 Gold"
    assert bob.deck == "Silver"
    assert bob.discard == "Gold, Copper, Estate"


def test_thief_trashed_both_of_two_like_cards():
    table = Table(["Thief", ""], decks=["", "2 Silver"])
    alice, bob = table
    alice.plays("Thief")
    alice.trashes("Silver")
    assert table.trash == "Silver"
    alice.gains("Silver")
    assert alice.discard == "Silver"
    assert bob.discard == "Silver"
    assert table.trash == ""
    assert table.asks(alice, "action")


# Cards that trash and gain.


def test_declining_a_mine_crashed():
    table = Table("Mine, Copper", edition=2)
    alice, _ = table
    alice.plays("Mine")
    alice.passes()
    assert table.asks(alice, "action")
    assert alice.hand == "Copper"


@pytest.mark.parametrize("edition", [1, 2])
def test_a_mine_without_a_treasure_crashed(edition: int):
    table = Table("Mine, Estate", edition=edition)
    alice, _ = table
    alice.plays("Mine")
    assert table.asks(alice, "action")


@pytest.mark.parametrize(
    ("treasure", "upgrades"),
    [
        ("Copper", ["gain Copper", "gain Silver"]),
        ("Silver", ["gain Copper", "gain Silver", "gain Gold"]),
        ("Gold", ["gain Copper", "gain Silver", "gain Gold"]),
    ],
)
def test_mine_went_by_what_a_treasure_is_worth_instead_of_its_cost(treasure: str, upgrades: list[str]):
    table = Table(f"Mine, {treasure}")
    alice, _ = table
    alice.plays("Mine")
    alice.trashes(treasure)
    assert table.legal == upgrades


@pytest.mark.parametrize("hand", ["", "Copper"])
@pytest.mark.parametrize("card", ["Remodel", "Sentry", "Chapel"])
def test_remodel_sentry_and_chapel_crashed_with_an_empty_or_one_card_hand(card: str, hand: str):
    table = Table(f"{card}, {hand}" if hand else card)
    alice, _ = table
    alice.plays(card)
    if hand and card != "Sentry":
        alice.trashes("Copper")
        if card == "Remodel":
            alice.gains("Estate")
    assert table.asks(alice, "action")


def test_sentry_crashed_with_one_card_to_look_at():
    table = Table("Sentry", decks="Copper, Curse")
    alice, _ = table
    alice.plays("Sentry")
    alice.trashes("Curse")
    assert table.asks(alice, "action")
    assert table.trash == "Curse"


def test_chapel_trashed_more_than_four():
    table = Table("Chapel, 6 Copper")
    alice, _ = table
    alice.plays("Chapel")
    alice.trashes("4 Copper")
    assert table.asks(alice, "action")
    assert table.trash == "4 Copper"


@pytest.mark.parametrize("card", ["Workshop", "Artisan"])
def test_a_card_was_gained_from_an_empty_pile(card: str):
    table = Table(card, supply={"Silver": 0, "Estate": 0})
    alice, _ = table
    alice.plays(card)
    assert not {"gain Silver", "gain Estate"} & table.legal
    assert "gain Copper" in table.legal


@pytest.mark.parametrize("card", ["Workshop", "Artisan", "Feast", "Remodel"])
def test_a_card_was_gained_that_is_not_in_the_supply(card: str):
    table = Table(f"{card}, Gold")
    alice, _ = table
    in_the_supply = {f"gain {name}" for name in table.supply}
    alice.plays(card)
    if card == "Remodel":
        alice.trashes("Gold")
    assert table.legal <= in_the_supply
    assert "gain Thief" not in table.legal


# The engine.


def test_cards_were_lost_or_doubled():
    batch = GameBatch(8, num_players=3, kingdom="random", seed=11, autoreset=False)

    def census() -> list[int]:
        zones = ("hand", "deck_bag")
        ordered = ("deck_top", "discard", "in_play", "set_aside", "revealed", "chosen")
        totals = []
        for row in range(8):
            position = batch.to_dict(row)
            total = sum(position["supply"].values()) + sum(position["trash"].values())
            for player in position["players"]:
                total += sum(sum(player[zone].values()) for zone in zones)
                total += sum(len(player[zone]) for zone in ordered)
            totals.append(total)
        return totals

    before = census()
    for _ in range(40):
        for _ in range(25):
            batch.step(batch.sample_actions())
        assert census() == before


def test_looking_ahead_in_a_copy_changed_the_game():
    table = Table(["Witch, Cellar, 3 Copper", "Moat, 4 Copper"], decks=["5 Copper", "5 Copper"], bags=["9 Estate"])
    before = table.game.to_dict()
    ahead = table.game.copy()
    for _ in range(20):
        ahead.apply(ahead.legal_actions()[-1])
    assert table.game.to_dict() == before
    assert ahead.to_dict() != before


def test_an_endless_loop_with_deck_and_discard_pile_empty():
    for info in CARDS:
        if info.name in ("Adventurer", "Library", "Smithy", "Council Room", "Cellar", "Spy", "Thief", "Bandit"):
            table = Table([info.name, "", ""])
            alice, _, _ = table
            alice.plays(info.name)
            assert table.asks(alice, "action")


def test_an_action_was_played_again_from_the_discard_pile():
    table = Table("Cellar, Village, Copper", decks="Estate", discards="Smithy", actions=2)
    alice, _ = table
    alice.plays("Cellar")
    alice.discards("Village")
    alice.passes()
    assert alice.discard == "Smithy, Village"
    assert table.legal == ["pass"]
    table = Table("2 Vassal", decks="Village, Copper, Estate", discards="Smithy", actions=2)
    alice, _ = table
    alice.plays("Vassal")
    alice.passes()
    alice.plays("Vassal")  # turns over the Copper, the Village lies below it
    assert table.asks(alice, "action")
    assert alice.discard == "Smithy, Village, Copper"
