"""Random words from numbers, by the mix of SplitMix64: plain arithmetic that serves numpy arrays and compiled code alike.

Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014; constants as in their
reference code.
"""

from typing import Any

import numpy as np

GAMMA = np.uint64(0x9E3779B97F4A7C15)  # from one number of a stream to the next
_M1, _M2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


def splitmix(word: Any) -> Any:
    """Return a 64-bit word that looks unrelated to `word`, one to one; uint64, or an array of these, gives the same."""
    word = (word ^ (word >> _S30)) * _M1
    word = (word ^ (word >> _S27)) * _M2
    return word ^ (word >> _S31)


def number_below(word: Any, n: Any) -> Any:
    """Return a random word as a number from 0 to n - 1 (its upper half times n; the bias is below n / 2**32).

    Both may be arrays, the word and n.
    """
    return np.int64(((word >> _S32) * np.uint64(n)) >> _S32)
