"""METEOR's alignment against all alignments of short captions."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vericap.arrays import Ragged
from vericap.kernels.alignment import Aligner, CaptionWords, WordMeanings
from vericap.kernels.phrases import Phrases

LETTERS = 4
CAPTION = st.lists(st.integers(0, LETTERS - 1), max_size=6)
FUNCTION = np.array([1, 0, 0, 1], np.uint8)


def aligner(captions: list[list[int]], synsets: list[list[int]] | None = None, beam: int = 5000) -> Aligner:
    """Words are numbers, equal to their stems; function words are 0 and 3."""
    rows = Ragged.of(captions, np.int32)
    groups = Ragged.of(synsets or [[]] * LETTERS, np.int32)
    zeros = np.zeros(len(rows.values), np.int32)
    words = CaptionWords(rows, rows.values, rows.values, zeros)
    return Aligner(words, WordMeanings(groups, FUNCTION), Phrases.none(len(captions)), beam)


def alignments(caption: list[int], reference: list[int], start: int = 0) -> Iterator[list[tuple[int, int]]]:
    """All ways to match equal words one to one, as pairs (of the reference, of the caption)."""
    if start == len(reference):
        yield []
        return
    for rest in alignments(caption, reference, start + 1):
        yield rest
        for j, word in enumerate(caption):
            if word == reference[start] and j not in [used for _, used in rest]:
                yield [(start, j), *rest]


def chunks(links: list[tuple[int, int]]) -> int:
    """Runs that are consecutive in both captions."""
    follows = {(i + 1, j + 1) for i, j in links}
    return sum(link not in follows for link in links)


@given(CAPTION, CAPTION)
def test_most_words_in_fewest_chunks(caption: list[int], reference: list[int]) -> None:
    [statistics] = aligner([caption, reference]).align(np.array([0], np.int32), np.array([1], np.int32)).tolist()
    best = min(alignments(caption, reference), key=lambda links: (-len(links), chunks(links)))
    assert statistics[:2] == [len(caption), len(reference)]
    assert statistics[2:4] == [sum(FUNCTION[words].tolist()) for words in (caption, reference)]
    assert statistics[20:] == [chunks(best), len(best), len(best)]
    function = sum(int(FUNCTION[reference[i]]) for i, _ in best)
    assert statistics[4:8] == [len(best) - function] * 2 + [function] * 2
    assert not any(statistics[8:20])


@given(st.lists(CAPTION, min_size=2, max_size=6), st.integers(1, 40))
def test_pairs_do_not_disturb_each_other(captions: list[list[int]], beam: int) -> None:
    one = np.repeat(np.arange(len(captions), dtype=np.int32), len(captions))
    other = np.tile(np.arange(len(captions), dtype=np.int32), len(captions))
    together = aligner(captions, beam=beam).align(one, other)
    for k in range(len(one)):
        alone = aligner(captions, beam=beam).align(one[k : k + 1], other[k : k + 1])
        assert alone[0].tolist() == together[k].tolist()


def test_words_that_share_a_synset_match() -> None:
    found = aligner([[1, 2], [2, 1], [3]], [[], [4, 7], [7], [9]])
    [pair, none] = found.align(np.array([0, 0], np.int32), np.array([1, 2], np.int32)).tolist()
    assert pair[4:8] == [2, 2, 0, 0]  # exact matches are worth more
    assert none[21:] == [0, 0]
    [synonym] = aligner([[1], [2]], [[], [4, 7], [7], [9]]).align(np.array([0], np.int32), np.array([1], np.int32))
    assert synonym[12:16].tolist() == [1, 1, 0, 0]


def test_room_for_matches_grows() -> None:
    caption = [1] * 60  # 3,600 matches
    [statistics] = aligner([caption, [*caption, 2]], beam=4).align(np.array([0], np.int32), np.array([1], np.int32))
    assert statistics[20:].tolist() == [1, 60, 60]


def test_the_matches_of_the_last_pair() -> None:
    found = aligner([[1, 2, 3], [3, 1, 2]])
    found.align(np.array([0], np.int32), np.array([1], np.int32))
    assert found.alignment() == ([(0, 1, 2, 1, 0), (1, 1, 0, 1, 0), (2, 1, 1, 1, 0)], 2)
