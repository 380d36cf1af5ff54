"""Lengths of longest common subsequences of candidates and references, 64 words at a time: Hyyrö 2004, Bit-parallel
LCS-length computation revisited.

Bit i of a word's mask is set where the candidate has the word at i. A reference changes the row of bits V word by word:
V' = (V + (V & mask)) | (V & ~mask); in the end the zeros of V are the length.
"""

from __future__ import annotations

import cython
import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Ragged
from vericap.kernels.memory import KernelRows

ROWS = KernelRows(cython.compiled)

LONGEST = cython.declare(cython.Py_ssize_t, 64)  # words of a candidate
ONE = cython.declare(cython.ulonglong, 1)
WORD = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)


def common_lengths(
    candidates: Ragged, references: Ragged, pairs: NDArray[np.int64], reference: NDArray[np.int64], size: int
) -> NDArray[np.float64]:
    """The length of each pair, -1 where the candidate has more than 64 words. Candidate i has the references
    `reference[pairs[i]:pairs[i + 1]]`; `size` is that of the vocabulary. Two empty captions have 1 in common, as the
    original splits an empty caption into one empty word.

    >>> candidates, references = Ragged.of([[0, 1, 2]], np.int32), Ragged.of([[0, 2, 1], [3]], np.int32)
    >>> common_lengths(candidates, references, np.array([0, 2]), np.array([0, 1]), 4).tolist()
    [2.0, 0.0]
    """
    found = np.zeros(int(pairs[len(candidates)] - pairs[0]) if len(candidates) else 0)
    if len(found):
        words, other_words = (
            each.values if len(each.values) else np.zeros(1, np.int32) for each in (candidates, references)
        )
        _common_lengths(
            ROWS.view(words), ROWS.view(candidates.offsets), ROWS.view(other_words), ROWS.view(references.offsets),
            ROWS.view(pairs), ROWS.view(reference), ROWS.zeros(size, np.uint64), ROWS.view(found),
        )  # fmt: skip
    return found


@cython.cfunc
@cython.locals(row=cython.Py_ssize_t, pair=cython.Py_ssize_t, at=cython.Py_ssize_t, start=cython.Py_ssize_t)
@cython.locals(size=cython.Py_ssize_t, other=cython.Py_ssize_t, bits=cython.ulonglong, both=cython.ulonglong)
def _common_lengths(
    words: cython.const[cython.int][::1],
    offsets: cython.const[cython.longlong][::1],
    other_words: cython.const[cython.int][::1],
    other_offsets: cython.const[cython.longlong][::1],
    pairs: cython.const[cython.longlong][::1],
    reference: cython.const[cython.longlong][::1],
    mask: cython.ulonglong[::1],  # of each word; 0 but for those of the candidate at hand
    found: cython.double[::1],
) -> cython.void:
    with cython.nogil:
        for row in range(len(offsets) - 1):
            start = offsets[row]
            size = offsets[row + 1] - start
            if size <= LONGEST:
                for at in range(size):
                    mask[words[start + at]] |= ONE << at
            for pair in range(pairs[row], pairs[row + 1]):
                other = reference[pair]
                if size > LONGEST:
                    found[pair - pairs[0]] = -1
                    continue
                if size == 0:
                    found[pair - pairs[0]] = other_offsets[other] == other_offsets[other + 1]
                    continue
                bits = WORD
                for at in range(other_offsets[other], other_offsets[other + 1]):
                    both = bits & mask[other_words[at]]
                    bits = ((bits + both) & WORD) | (bits - both)
                bits = ~bits & WORD
                # Words that the candidate does not have leave their bits as they are: all set.
                at = 0
                while bits:
                    bits &= bits - 1
                    at += 1
                found[pair - pairs[0]] = at
            if size <= LONGEST:
                for at in range(size):
                    mask[words[start + at]] = 0
