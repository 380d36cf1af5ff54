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
    row: cython.Py_ssize_t
    pair: cython.Py_ssize_t
    at: cython.Py_ssize_t
    start: cython.Py_ssize_t
    length: cython.Py_ssize_t
    other: cython.Py_ssize_t
    bits: cython.ulonglong
    both: cython.ulonglong
    lengths = np.zeros(int(pairs[len(candidates)] - pairs[0]) if len(candidates) else 0)
    if not len(lengths):
        return lengths
    nothing = np.zeros(1, np.int32)
    words: cython.const[cython.int][::1] = ROWS.view(candidates.values if len(candidates.values) else nothing)
    offsets: cython.const[cython.longlong][::1] = ROWS.view(candidates.offsets)
    other_words: cython.const[cython.int][::1] = ROWS.view(references.values if len(references.values) else nothing)
    other_offsets: cython.const[cython.longlong][::1] = ROWS.view(references.offsets)
    of_row: cython.const[cython.longlong][::1] = ROWS.view(pairs)
    of_pair: cython.const[cython.longlong][::1] = ROWS.view(reference)
    mask: cython.ulonglong[::1] = ROWS.zeros(size, np.uint64)  # of each word; 0 but for those of the candidate at hand
    found: cython.double[::1] = ROWS.view(lengths)
    with cython.nogil:
        for row in range(len(offsets) - 1):
            start = offsets[row]
            length = offsets[row + 1] - start
            if length <= LONGEST:
                for at in range(length):
                    mask[words[start + at]] |= ONE << at
            for pair in range(of_row[row], of_row[row + 1]):
                other = of_pair[pair]
                if length > LONGEST:
                    found[pair - of_row[0]] = -1
                    continue
                if length == 0:
                    found[pair - of_row[0]] = other_offsets[other] == other_offsets[other + 1]
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
                found[pair - of_row[0]] = at
            if length <= LONGEST:
                for at in range(length):
                    mask[words[start + at]] = 0
    return lengths
