"""Bounds of what a visitor can ask for, so that no visitor keeps the others waiting."""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable

MOST_TEXT = 4000  # characters of an agent's name or strategy
MOST_NAME = 24  # characters of a visitor's name
MOST_ANSWER = 100  # bytes of the form of an answer to a puzzle
MOST_UPLOAD = 200_000  # bytes of a saved game or a position
MOST_PACKED = 30_000  # characters of a saved game in a link
MOST_LINK = 40_000  # characters of a whole link
MOST_SEED = 2**64 - 1
MOST_ROUNDS = 200  # of a game; one that would go on ends without a result
MOST_DECISIONS = 3000  # of a saved game

MOST_PLAYOUTS = 3000  # of a decision of a searching agent
MOST_MILLISECONDS = 1000
THINKING_SECONDS = 10.0  # after which an agent counts as hanging
HINT_SECONDS = 2.0
HINT_PLAYOUTS = 24_000
REVIEW_PLAYOUTS = 2000  # of each decision
REVIEW_SECONDS = 240.0
COMPARE_SECONDS = 60.0
MOST_COMPARED = 10_000  # games
SETS_AT_ONCE = 400  # of a comparison, after which it says what has come
WAITING = 20  # jobs that may wait for a process that thinks
WAITING_OF_ADDRESS = 5  # of them, as one address can have any number of visitors
BUSY_SECONDS = 0.5  # after which the move of an agent is asked for again while others wait

MOST_GAMES = 200  # kept for each visitor; the oldest is forgotten
MOST_KEPT = 100_000  # kept in all
MOST_LIVE = 500  # in memory
MOST_UNWRITTEN = 5000  # in memory while the file can't be written; the oldest is forgotten
WRITING_AGAIN = 2.0  # seconds after which writing is tried again
MOST_PAGES = 1000  # open at the same time
CONNECTING_SECONDS = 10.0  # in which a new page counts as open though its browser has not connected yet

ANSWERS_AT_ONCE, ANSWERS_A_SECOND = 60, 20.0  # of a visitor
OF_ADDRESS_AT_ONCE, OF_ADDRESS_A_SECOND = 600, 200.0  # answers of an address
PAGES_AT_ONCE, PAGES_A_SECOND = 300, 20.0  # of all visitors, as one can call as any number of them
ADDRESS_AT_ONCE, ADDRESS_A_SECOND = 250, 10.0  # of an address, at which several visitors may sit
MOST_ADDRESSES = 10_000  # that are remembered
LOGGED_AT_ONCE, LOGGED_A_SECOND = 5, 1 / 60  # messages about what an address sends
ALL_LOGGED_AT_ONCE, ALL_LOGGED_A_SECOND = 50, 0.5
MOST_LOGGED = 2000  # characters of such a message


class Rate:
    """Allow a number of calls at once and a rate of calls in the long run, as a token bucket does.

    Args:
        at_once: number of calls that may come together.
        a_second: number of calls a second that are always allowed.
        clock: function that returns seconds.
    """

    def __init__(self, at_once: int, a_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._a_second, self._clock = float(at_once), a_second, clock
        self._left, self._looked = float(at_once), clock()

    def allows(self) -> bool:
        """Return whether one more call is allowed now, and count it if so."""
        now = self._clock()
        self._left = min(self._most, self._left + (now - self._looked) * self._a_second)
        self._looked = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Rates:
    """A `Rate` for each of many callers; those who have not called for the longest time are forgotten.

    Args:
        at_once, a_second: as `Rate` has them.
        most: number of callers that are remembered.
        clock: function that returns seconds.
    """

    def __init__(self, at_once: int, a_second: float, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._at_once, self._a_second, self._most, self._clock = at_once, a_second, most, clock
        self._rates: OrderedDict[str, Rate] = OrderedDict()

    def allows(self, caller: str) -> bool:
        """Return whether one more call of this caller is allowed now, and count it if so."""
        rate = self._rates.pop(caller, None) or Rate(self._at_once, self._a_second, self._clock)
        self._rates[caller] = rate
        while len(self._rates) > self._most:
            self._rates.popitem(last=False)
        return rate.allows()


class AddressRate:
    """Allow each address a number of calls, and all of them together another number.

    A call that is refused to an address takes nothing from the others.

    Args:
        at_once, a_second: of an address, as `Rate` has them.
        all_at_once, all_a_second: of all addresses together.
        clock: function that returns seconds.
    """

    def __init__(
        self,
        at_once: int,
        a_second: float,
        all_at_once: int,
        all_a_second: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._of_address = Rates(at_once, a_second, MOST_ADDRESSES, clock)
        self._of_all = Rate(all_at_once, all_a_second, clock)

    def allows(self, address: str) -> bool:
        """Return whether one more call is allowed to this address now, and count it if so."""
        return self._of_address.allows(address) and self._of_all.allows()


def network_of(host: str) -> str:
    """Return what counts as one address: an IPv4 address, or the 2**64 addresses that one line has by IPv6.

    Args:
        host: address of a visitor as the server has it.
    """
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    return str(address.ipv4_mapped or ipaddress.ip_network((address, 64), strict=False))
