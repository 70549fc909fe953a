"""SipHash-2-4, a function of a secret key and a message that nobody can invert.

From the words that it returns neither the key nor the word of another message can be computed. It is plain arithmetic
that serves both Python, with uint64 of numpy, and compiled code.

Source: Aumasson and Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012.
"""

from typing import Any

import numpy as np

# What the state begins with: "somepseudorandomlygeneratedbytes".
_A, _B = np.uint64(0x736F6D6570736575), np.uint64(0x646F72616E646F6D)
_C, _D = np.uint64(0x6C7967656E657261), np.uint64(0x7465646279746573)
_END, _NOTHING = np.uint64(0xFF), np.uint64(0)
_S13, _S16, _S17, _S21, _S32 = np.uint64(13), np.uint64(16), np.uint64(17), np.uint64(21), np.uint64(32)
_S43, _S47, _S48, _S51 = np.uint64(43), np.uint64(47), np.uint64(48), np.uint64(51)


def siphash(key: Any, more_key: Any, words: Any) -> Any:
    """Return the uint64 that belongs to a key and a message.

    Args:
        key: lower half of the key, as uint64.
        more_key: upper half of the key, as uint64.
        words: the message as a tuple of uint64, the first byte lowest; the last word holds the bytes that are left over
            when the message is cut into eights, and in its highest byte the length of the message.
    """
    a, b, c, d = key ^ _A, more_key ^ _B, key ^ _C, more_key ^ _D
    for i in range(len(words) + 1):  # two rounds a word, and four at the end
        at_end = i == len(words)
        word = _NOTHING if at_end else words[i]
        c ^= _END if at_end else _NOTHING
        d ^= word
        for _ in range(4 if at_end else 2):
            a, c = a + b, c + d
            b, d = (b << _S13 | b >> _S51) ^ a, (d << _S16 | d >> _S48) ^ c
            a, c = (a << _S32 | a >> _S32) + d, c + b
            b, d = (b << _S17 | b >> _S47) ^ c, (d << _S21 | d >> _S43) ^ a
            c = c << _S32 | c >> _S32
        a ^= word
    return a ^ b ^ c ^ d
