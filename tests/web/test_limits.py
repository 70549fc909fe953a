"""Bounds that count."""

from __future__ import annotations

from dominion_training.web.limits import ADDRESS_AT_ONCE, PAGES_AT_ONCE, PageRate, Rate, Rates


def test_a_rate_allows_some_at_once_and_then_so_many_a_second():
    now = [0.0]
    rate = Rate(3, 2.0, lambda: now[0])
    assert [rate.allows() for _ in range(5)] == [True, True, True, False, False]
    now[0] = 0.5
    assert [rate.allows() for _ in range(2)] == [True, False]
    now[0] = 100.0
    assert [rate.allows() for _ in range(4)] == [True, True, True, False], "what is not used does not add up"


def test_a_caller_who_asks_too_often_takes_nothing_from_the_others():
    now = [0.0]
    rates = Rates(2, 1.0, 2, lambda: now[0])
    assert [rates.allows("ann") for _ in range(3)] == [True, True, False]
    assert rates.allows("bob")
    assert not rates.allows("ann")
    assert rates.allows("eve"), "the third one, for whom the one who has not called for the longest time is forgotten"
    assert rates.allows("bob")


def test_the_callers_who_asked_last_are_remembered():
    rates = Rates(1, 1.0, 2, lambda: 0.0)
    assert all(rates.allows(caller) for caller in ("ann", "bob", "eve"))
    assert [rates.allows(caller) for caller in ("eve", "bob", "ann")] == [False, False, True]


def test_all_addresses_together_have_a_bound_which_refused_pages_do_not_fill():
    now = [0.0]
    pages = PageRate(lambda: now[0])
    assert sum(pages.allows("ann") for _ in range(2 * PAGES_AT_ONCE)) == ADDRESS_AT_ONCE
    assert sum(pages.allows("bob") for _ in range(PAGES_AT_ONCE)) == PAGES_AT_ONCE - ADDRESS_AT_ONCE
    assert not pages.allows("eve"), "who has asked for nothing yet"
    now[0] = 1.0
    assert pages.allows("eve")
