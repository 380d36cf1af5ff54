"""Finds the phrases of a trie in captions, and which of the phrases found paraphrase each other.

The trie lies in arrays, nodes by depth and then by words: `labels` are the words of the nodes. `internal` has a bit
for each node with children (`internal_rank`: such bits before each 64-bit word). Siblings stand together; the
children of the root are group 0, those of the i-th node with children group i + 1. `eldest` has a bit for the first
of each group and one after the last node; `eldest_of_16` is where groups 0, 16, 32, … begin. `source` and
`source_rank` mark the nodes with paraphrases: the i-th has its list at `ends[i]:ends[i + 1]` of `paraphrases`, as
differences of node numbers, seven bits a byte.
"""

from __future__ import annotations

import cython

# Masks for counting bits: Cython takes a literal of 64 bits for a Python integer.
PAIRS = cython.declare(cython.ulonglong, 0x5555555555555555)
NIBBLES = cython.declare(cython.ulonglong, 0x3333333333333333)
BYTES = cython.declare(cython.ulonglong, 0x0F0F0F0F0F0F0F0F)
ONES = cython.declare(cython.ulonglong, 0x0101010101010101)
WORD = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)

Label = cython.fused_type(cython.ushort, cython.uint)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _ones(word: cython.ulonglong) -> cython.int:
    """Number of bits set."""
    word = word - ((word >> 1) & PAIRS)
    word = (word & NIBBLES) + ((word >> 2) & NIBBLES)
    word = (word + (word >> 4)) & BYTES
    return ((word * ONES) & WORD) >> 56


@cython.boundscheck(False)
@cython.wraparound(False)
def find_phrases(
    words: cython.const[cython.int][::1],
    offsets: cython.const[cython.longlong][::1],
    labels: cython.const[Label][::1],
    internal: cython.const[cython.ulonglong][::1],
    internal_rank: cython.const[cython.uint][::1],
    eldest: cython.const[cython.ulonglong][::1],
    eldest_of_16: cython.const[cython.uint][::1],
    roots: cython.const[cython.int][::1],
    numbers: cython.int[::1],
    nodes: cython.int[::1],
    row_ends: cython.longlong[::1],
    phrase_start: cython.int[::1],
    phrase_length: cython.int[::1],
    phrase_number: cython.int[::1],
) -> cython.int:
    """Every phrase of the trie in every row of words (ids, -1: not a word of the trie).

    `roots` has for each word the node of the phrase that it is, -1 if no phrase begins with it.
    Phrases are numbered in the order they are found: `numbers[node]` becomes 1 + number, `nodes[number]` its node.
    Row r's phrases, by start and then length, end at `row_ends[r + 1]`. Returns how many different ones there are.
    """
    row: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    end: cython.Py_ssize_t
    at: cython.Py_ssize_t
    start: cython.Py_ssize_t
    low: cython.Py_ssize_t
    high: cython.Py_ssize_t
    block: cython.Py_ssize_t
    left: cython.int
    ones: cython.int
    middle: cython.Py_ssize_t
    stop: cython.Py_ssize_t
    group: cython.Py_ssize_t
    found: cython.Py_ssize_t = 0
    different: cython.int = 0
    word: cython.uint
    one: cython.ulonglong = 1
    bits: cython.ulonglong
    bit: cython.ulonglong
    if not cython.compiled:  # Python reads a memoryview's items faster than an array's
        words, offsets, labels = memoryview(words), memoryview(offsets), memoryview(labels)
        internal, internal_rank = memoryview(internal), memoryview(internal_rank)
        eldest, eldest_of_16, roots = memoryview(eldest), memoryview(eldest_of_16), memoryview(roots)
        numbers, nodes, row_ends = memoryview(numbers), memoryview(nodes), memoryview(row_ends)
        phrase_start, phrase_length = memoryview(phrase_start), memoryview(phrase_length)
        phrase_number = memoryview(phrase_number)
    with cython.nogil:
        for row in range(offsets.shape[0] - 1):
            begin = offsets[row]
            end = offsets[row + 1]
            for start in range(begin, end):
                at = start
                low = -1 if words[at] < 0 else roots[words[at]]
                while low >= 0:
                    at += 1
                    if numbers[low] == 0:
                        nodes[different] = low
                        different += 1
                        numbers[low] = different
                    phrase_start[found] = start - begin
                    phrase_length[found] = at - start
                    phrase_number[found] = numbers[low] - 1
                    found += 1
                    bits = internal[low >> 6]
                    bit = one << (low & 63)
                    if at == end or words[at] < 0 or not bits & bit:
                        break
                    # The group of its children begins at the set bit of `eldest` with the group's number.
                    group = 1 + internal_rank[low >> 6] + _ones(bits & (bit - 1))
                    low = eldest_of_16[group >> 4]
                    left = group & 15
                    block = low >> 6
                    bits = (eldest[block] >> (low & 63)) << (low & 63)
                    ones = _ones(bits)
                    while left >= ones:
                        left -= ones
                        block += 1
                        bits = eldest[block]
                        ones = _ones(bits)
                    while left:
                        bits &= bits - 1
                        left -= 1
                    low = (block << 6) + _ones((bits & (~bits + 1)) - 1)
                    # It ends at the next set bit.
                    bits &= bits - 1
                    while not bits:
                        block += 1
                        bits = eldest[block]
                    high = (block << 6) + _ones((bits & (~bits + 1)) - 1)
                    stop = high
                    word = words[at]
                    while low < high:
                        middle = (low + high) >> 1
                        if labels[middle] < word:
                            low = middle + 1
                        else:
                            high = middle
                    if low == stop or labels[low] != word:
                        break
            row_ends[row + 1] = found
    return different


@cython.boundscheck(False)
@cython.wraparound(False)
def find_paraphrases(
    nodes: cython.int[::1],
    numbers: cython.int[::1],
    source: cython.const[cython.ulonglong][::1],
    source_rank: cython.const[cython.uint][::1],
    ends: cython.const[cython.uint][::1],
    paraphrases: cython.const[cython.uchar][::1],
    target_ends: cython.longlong[::1],
    targets: cython.int[::1],
) -> cython.Py_ssize_t:
    """For each phrase the numbers of its paraphrases that were found as well, by length and then words.

    Those of phrase p end at `target_ends[p + 1]`. Returns how many there are in all; with an empty `targets` it
    only counts.
    """
    phrase: cython.Py_ssize_t
    node: cython.longlong
    target: cython.longlong
    at: cython.Py_ssize_t
    end: cython.Py_ssize_t
    index: cython.Py_ssize_t
    shift: cython.int
    value: cython.longlong
    byte: cython.longlong
    one: cython.ulonglong = 1
    first: cython.bint
    bits: cython.ulonglong
    bit: cython.ulonglong
    count: cython.Py_ssize_t = 0
    if not cython.compiled:
        nodes, numbers, source = memoryview(nodes), memoryview(numbers), memoryview(source)
        source_rank, ends, paraphrases = memoryview(source_rank), memoryview(ends), memoryview(paraphrases)
        target_ends, targets = memoryview(target_ends), memoryview(targets)
    store: cython.bint = targets.shape[0] > 0
    with cython.nogil:
        for phrase in range(nodes.shape[0]):
            node = nodes[phrase]
            bits = source[node >> 6]
            bit = one << (node & 63)
            if bits & bit:
                index = source_rank[node >> 6] + _ones(bits & (bit - 1))
                at = ends[index]
                end = ends[index + 1]
                target = node
                first = True
                while at < end:
                    value = 0
                    shift = 0
                    while paraphrases[at] & 128:
                        byte = paraphrases[at] & 127
                        value |= byte << shift
                        shift += 7
                        at += 1
                    byte = paraphrases[at]
                    value |= byte << shift
                    at += 1
                    if first:  # the first lies on either side of the source: sign in the lowest bit
                        value = -(value >> 1) - 1 if value & 1 else value >> 1
                        first = False
                    target += value
                    if numbers[target] != 0:
                        if store:
                            targets[count] = numbers[target] - 1
                        count += 1
            target_ends[phrase + 1] = count
    return count
