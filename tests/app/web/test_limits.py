"""Bounds that count."""

from __future__ import annotations

import pytest

from dominion_app.web.guarding.limits import AddressRate, Rate, Rates, network_of


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
    pages = AddressRate(5, 1.0, 8, 2.0, lambda: now[0])
    assert sum(pages.allows("ann") for _ in range(16)) == 5
    assert sum(pages.allows("bob") for _ in range(8)) == 3
    assert not pages.allows("eve"), "who has asked for nothing yet"
    now[0] = 1.0
    assert pages.allows("eve")


@pytest.mark.parametrize(
    ("host", "network"),
    [
        ("203.0.113.7", "203.0.113.7"), ("::ffff:203.0.113.7", "203.0.113.7"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"), ("testclient", "testclient"), ("", ""),
    ],
)  # fmt: skip
def test_the_addresses_of_one_line_count_as_one(host: str, network: str):
    assert network_of(host) == network
