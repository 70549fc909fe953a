"""Bureaucrat: gain a Silver onto your deck. Each other player puts a Victory card from their hand onto their deck."""

from tests.table import Table


def test_gains_a_silver_onto_the_deck():
    table = Table("Bureaucrat", decks="Copper", discards="Estate", supply={"Silver": 7})
    alice, _ = table
    alice.plays("Bureaucrat")
    assert alice.deck == "Silver, Copper"
    assert alice.discard == "Estate"
    assert alice.hand == ""
    assert table.supply["Silver"] == 6
    assert (table.actions, table.coins) == (0, 0)


def test_onto_an_empty_deck_the_silver_becomes_the_only_card_without_a_shuffle():
    table = Table("Bureaucrat", discards="Gold, Copper")
    alice, _ = table
    alice.plays("Bureaucrat")
    assert alice.draw_pile == "Silver"
    assert alice.discard == "Gold, Copper"


def test_with_no_silver_left_the_others_still_lose_a_victory_card():
    table = Table(["Bureaucrat", "Estate, Copper"], decks=["Gold", "Gold"], supply={"Silver": 0})
    alice, bob = table
    alice.plays("Bureaucrat")
    bob.topdecks("Estate")
    assert alice.deck == "Gold"
    assert bob.deck == "Estate, Gold"
    assert bob.hand == "Copper"


def test_the_silver_comes_before_the_others_choose():
    table = Table(["Bureaucrat", "Estate, Duchy"])
    alice, bob = table
    alice.plays("Bureaucrat")
    assert table.asks(bob, "topdeck", "Bureaucrat")
    assert alice.deck == "Silver"


def test_each_victim_chooses_among_their_victory_cards():
    table = Table(["Bureaucrat", "Estate, Duchy, Province, Gardens, Copper, Curse, Smithy"])
    alice, bob = table
    alice.plays("Bureaucrat")
    assert table.asks(bob, "topdeck", "Bureaucrat", min_left=1, max_left=1)
    assert table.legal == ["topdeck Estate", "topdeck Duchy", "topdeck Province", "topdeck Gardens"]
    bob.topdecks("Duchy")
    assert bob.deck == "Duchy"
    assert bob.hand == "Estate, Province, Gardens, Copper, Curse, Smithy"
    assert table.asks(alice, "action")


def test_only_one_victory_card_is_put_back():
    table = Table(["Bureaucrat", "3 Estate, 2 Copper"])
    alice, bob = table
    alice.plays("Bureaucrat")
    bob.topdecks("Estate")
    assert bob.hand == "2 Estate, 2 Copper"
    assert table.asks(alice, "action")


def test_putting_one_back_is_mandatory():
    table = Table(["Bureaucrat", "Province, 4 Copper"])
    alice, _ = table
    alice.plays("Bureaucrat")
    assert table.legal == ["topdeck Province"]


def test_gardens_is_a_victory_card():
    table = Table(["Bureaucrat", "Gardens, 4 Copper"])
    alice, bob = table
    alice.plays("Bureaucrat")
    bob.topdecks("Gardens")
    assert bob.deck == "Gardens"


def test_a_hand_without_victory_cards_is_shown_and_stays():
    table = Table(["Bureaucrat", "3 Copper, Curse, Moneylender"], decks=["", "Gold"])
    alice, bob = table
    alice.plays("Bureaucrat")
    assert table.asks(alice, "action")
    assert bob.hand == "3 Copper, Curse, Moneylender"
    assert bob.deck == "Gold"
    assert bob.known_hand == "3 Copper, Curse, Moneylender"


def test_an_empty_hand_is_left_alone():
    table = Table(["Bureaucrat", ""], decks=["", "Estate"])
    alice, bob = table
    alice.plays("Bureaucrat")
    assert table.asks(alice, "action")
    assert bob.deck == "Estate"


def test_onto_an_empty_deck_the_victory_card_becomes_the_only_one_without_a_shuffle():
    table = Table(["Bureaucrat", "Estate, Copper"], discards=["", "Gold, Silver"])
    alice, bob = table
    alice.plays("Bureaucrat")
    bob.topdecks("Estate")
    assert bob.draw_pile == "Estate"
    assert bob.discard == "Gold, Silver"


def test_the_attacker_loses_nothing():
    table = Table(["Bureaucrat, Estate", "Estate"])
    alice, bob = table
    alice.plays("Bureaucrat")
    bob.topdecks("Estate")
    assert alice.hand == "Estate"
    assert alice.deck == "Silver"


def test_victims_choose_in_turn_order():
    table = Table(["Estate", "Estate", "Bureaucrat", "Estate"], turn=2)
    alice, bob, carol, dave = table
    carol.plays("Bureaucrat")
    dave.topdecks("Estate")
    assert dave.deck == "Estate"
    alice.topdecks("Estate")
    bob.topdecks("Estate")
    assert table.asks(carol, "action")


def test_a_victim_without_victory_cards_does_not_save_the_next_one():
    table = Table(["Bureaucrat", "Copper", "Estate", "", "Duchy"])
    alice, _, carol, _, erin = table
    alice.plays("Bureaucrat")
    carol.topdecks("Estate")
    erin.topdecks("Duchy")
    assert table.asks(alice, "action")


def test_a_moat_saves_its_holder_alone():
    table = Table(["Bureaucrat", "Estate", "Moat, Estate", "Moat, Estate"])
    alice, bob, carol, dave = table
    alice.plays("Bureaucrat")
    carol.reveals("Moat")
    dave.passes()
    bob.topdecks("Estate")
    dave.topdecks("Estate")
    assert carol.hand == "Moat, Estate"
    assert dave.hand == "Moat"
    assert table.asks(alice, "action")


def test_all_know_the_silver_on_the_deck():
    table = Table("Bureaucrat", decks="Copper", deck_known=[["owner"]])
    alice, _ = table
    alice.plays("Bureaucrat")
    assert alice.deck == "Silver, Copper"
    assert alice.deck_known == ["all", "owner"]


def test_all_know_the_victory_card_on_a_victims_deck():
    table = Table(["Bureaucrat", "Estate, Duchy, Copper"], decks=["", "Gold"], known_hands=["", "Estate, Copper"])
    alice, bob = table
    alice.plays("Bureaucrat")
    bob.topdecks("Estate")
    assert bob.deck == "Estate, Gold"
    assert bob.deck_known == ["all", "nobody"]
    assert bob.known_hand == "Copper"


def test_the_returned_card_is_known_in_hand_when_it_is_drawn_again():
    table = Table(["Bureaucrat", "Estate, Copper, Smithy"], decks=["", "2 Silver"])
    alice, bob = table
    alice.plays("Bureaucrat")
    bob.topdecks("Estate")
    alice.ends_turn()
    bob.plays("Smithy")
    assert bob.hand == "Copper, Estate, 2 Silver"
    assert bob.known_hand == "Estate"


def test_under_throne_room_gains_two_silvers_and_takes_two_victory_cards():
    table = Table(["Throne Room, Bureaucrat", "Estate, Duchy, Copper", "Estate, Copper"], decks="Gold")
    alice, bob, carol = table
    alice.plays("Throne Room")
    alice.plays("Bureaucrat")
    assert alice.deck == "Silver, Gold"
    bob.topdecks("Estate")
    carol.topdecks("Estate")
    assert alice.deck == "2 Silver, Gold"
    bob.topdecks("Duchy")
    assert bob.deck == "Duchy, Estate"
    assert bob.hand == "Copper"
    assert carol.hand == carol.known_hand == "Copper"
    assert table.asks(alice, "action")


def test_under_throne_room_with_one_silver_left_the_second_play_still_attacks():
    table = Table(["Throne Room, Bureaucrat", "2 Estate"], supply={"Silver": 1})
    alice, bob = table
    alice.plays("Throne Room")
    alice.plays("Bureaucrat")
    bob.topdecks("Estate")
    bob.topdecks("Estate")
    assert alice.deck == "Silver"
    assert bob.deck == "2 Estate"


def test_under_throne_room_each_play_can_be_warded_off_by_itself():
    table = Table(["Throne Room, Bureaucrat", "Moat, 2 Estate"])
    alice, bob = table
    alice.plays("Throne Room")
    alice.plays("Bureaucrat")
    bob.reveals("Moat")
    bob.passes()
    bob.topdecks("Estate")
    assert bob.deck == "Estate"
    assert alice.deck == "2 Silver"


def test_the_log_names_what_is_revealed_and_nothing_else():
    table = Table(["Bureaucrat", "Estate, Gold", "Duchy, Province", "Copper, Curse"])
    alice, bob, carol, dave = table
    alice.plays("Bureaucrat")
    bob.topdecks("Estate")
    carol.topdecks("Duchy")
    for seat in (alice, dave):
        assert all(name in table.log(seat) for name in ("Silver", "Estate", "Duchy", "Copper", "Curse"))
        assert not any(name in table.log(seat) for name in ("Gold", "Province"))
