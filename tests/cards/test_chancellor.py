"""Chancellor: +2 coins. You may put your whole deck into your discard pile."""

from tests.table import Table


def test_gives_two_coins():
    table = Table("Chancellor", decks="Copper")
    alice, _ = table
    alice.plays("Chancellor")
    assert table.coins == 2
    alice.passes()
    assert (table.coins, table.actions, table.buys) == (2, 0, 1)


def test_may_put_the_deck_into_the_discard_pile():
    table = Table("Chancellor", decks="Gold, Silver", bags="3 Copper", discards="Estate")
    alice, _ = table
    alice.plays("Chancellor")
    alice.discards_deck()
    assert alice.draw_pile == ""
    assert len(alice.discard) == 6
    assert sorted(alice.discard) == ["Copper", "Copper", "Copper", "Estate", "Gold", "Silver"]


def test_may_leave_the_deck_as_it_is():
    table = Table("Chancellor", decks="Gold, Silver", bags="3 Copper", discards="Estate")
    alice, _ = table
    alice.plays("Chancellor")
    alice.passes()
    assert alice.deck == "Gold, Silver"
    assert alice.bag == "3 Copper"
    assert alice.discard == "Estate"


def test_the_former_bottom_card_is_now_on_top_of_the_discard_pile():
    table = Table("Chancellor", decks="Gold, Silver, Duchy", discards="Estate")
    alice, _ = table
    alice.plays("Chancellor")
    alice.discards_deck()
    assert alice.discard == "Estate, Gold, Silver, Duchy"


def test_cards_with_a_place_lie_below_those_that_were_shuffled_beneath_them():
    table = Table("Chancellor", decks="Gold, Silver", bags="Copper, Estate, Duchy", discards="Curse")
    alice, _ = table
    alice.plays("Chancellor")
    alice.discards_deck()
    assert alice.discard[:3] == ["Curse", "Gold", "Silver"]
    assert sorted(alice.discard[3:]) == ["Copper", "Duchy", "Estate"]


def test_the_choice_comes_before_anything_else_in_the_turn():
    table = Table("Chancellor, Village, Copper", actions=2, decks="Copper")
    alice, _ = table
    alice.plays("Chancellor")
    assert table.asks(alice, "discard deck", "Chancellor", min_left=0, max_left=1)
    assert table.legal == ["discard deck", "pass"]


def test_with_an_empty_deck_either_answer_does_nothing():
    for answer in ("discard deck", "pass"):
        table = Table("Chancellor", discards="Copper, Estate")
        alice, _ = table
        alice.plays("Chancellor")
        assert table.legal == ["discard deck", "pass"]
        alice.discards_deck() if answer == "discard deck" else alice.passes()
        assert alice.draw_pile == ""
        assert alice.discard == "Copper, Estate"
        assert table.asks(alice, "action")


def test_nothing_is_shuffled_before_the_next_card_is_needed():
    table = Table("Chancellor, Village", actions=2, decks="Copper", discards="Estate")
    alice, _ = table
    alice.plays("Chancellor")
    alice.discards_deck()
    assert alice.discard == "Estate, Copper"
    alice.plays("Village")
    assert alice.discard == ""
    assert sorted([*alice.hand, *alice.draw_pile]) == ["Copper", "Estate"]


def test_gained_cards_are_drawn_sooner():
    table = Table("Chancellor", decks="2 Estate", discards="5 Gold")
    alice, _ = table
    alice.plays("Chancellor")
    alice.discards_deck()
    alice.ends_turn()
    assert len(alice.hand) == 5
    assert sorted([*alice.hand, *alice.draw_pile]) == ["Chancellor", "Estate", "Estate"] + ["Gold"] * 5


def test_nobody_sees_the_cards_but_the_new_top_one():
    table = Table("Chancellor", decks="Gold, Silver, Duchy", discards="Copper, Estate")
    alice, _ = table
    alice.plays("Chancellor")
    alice.discards_deck()
    assert alice.known_discard == "Estate, Duchy"


def test_cards_that_all_knew_on_the_deck_are_known_in_the_discard_pile():
    table = Table("Chancellor", decks="Gold, Silver, Duchy, Curse", deck_known=[["all", "owner", "nobody", "nobody"]])
    alice, _ = table
    alice.plays("Chancellor")
    alice.discards_deck()
    assert alice.known_discard == "Gold, Curse"


def test_declining_shows_nothing():
    table = Table("Chancellor", decks="Gold, Silver", discards="Estate", deck_known=[["all", "owner"]])
    alice, _ = table
    alice.plays("Chancellor")
    alice.passes()
    assert alice.deck_known == ["all", "owner"]
    assert alice.known_discard == "Estate"


def test_under_throne_room_gives_four_coins_and_is_asked_twice():
    table = Table("Throne Room, Chancellor", decks="Gold", discards="Estate")
    alice, _ = table
    alice.plays("Throne Room")
    alice.plays("Chancellor")
    alice.passes()
    assert alice.deck == "Gold"
    alice.discards_deck()
    assert alice.discard == "Estate, Gold"
    assert table.coins == 4
    assert table.asks(alice, "action")


def test_under_throne_room_the_second_play_asks_also_when_the_deck_is_gone():
    table = Table("Throne Room, Chancellor", decks="Gold")
    alice, _ = table
    alice.plays("Throne Room")
    alice.plays("Chancellor")
    alice.discards_deck()
    assert table.asks(alice, "discard deck", "Chancellor")
    alice.discards_deck()
    assert alice.discard == "Gold"
    assert table.coins == 4


def test_nobody_looks_at_the_cards():
    table = Table("Chancellor", decks="Gold, Silver, Duchy", bags="3 Estate")
    alice, bob = table
    alice.plays("Chancellor")
    alice.discards_deck()
    assert alice.discard[-1] == "Estate"
    for seat in (alice, bob):
        assert not any(name in table.log(seat) for name in ("Gold", "Silver", "Duchy"))
        assert "Estate" in table.log(seat)


def test_how_many_cards_are_turned_over_is_told():
    table = Table(["Chancellor"], decks="Gold, Duchy, Village")
    alice, bob = table
    alice.plays("Chancellor")
    alice.discards_deck()
    assert "3 cards" in table.log(bob)
