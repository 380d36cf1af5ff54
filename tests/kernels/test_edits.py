"""Edits against sacreBLEU's, which follow tercom, and against what the script of edits does when it is carried out."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.lib_ter import translation_edit_rate

from vericap.arrays import Ragged
from vericap.kernels.edits import best_edits, edit_script

SHORT = st.lists(st.integers(0, 4), max_size=12)
# Longer than 64 words, and as different in length as the beam allows.
LONG = st.lists(st.integers(0, 30), min_size=1, max_size=90)


def edits(candidate: list[int], references: list[list[int]]) -> int:
    ours, theirs = Ragged.of([candidate], np.int32), Ragged.of(references, np.int32)
    many = np.array([len(references)])
    [found] = best_edits(ours.values, ours.offsets, theirs.values, theirs.offsets, np.array([0]), many, 31)
    return int(found)


def by_sacrebleu(candidate: list[int], reference: list[int]) -> int:
    return int(translation_edit_rate([str(word) for word in candidate], [str(word) for word in reference])[0])


@given(SHORT, st.lists(SHORT, min_size=1, max_size=4))
def test_the_nearest_reference_by_sacrebleu(candidate: list[int], references: list[list[int]]) -> None:
    assert edits(candidate, references) == min(by_sacrebleu(candidate, reference) for reference in references)


@given(LONG, LONG)
def test_long_captions(candidate: list[int], reference: list[int]) -> None:
    assert edits(candidate, [reference]) == by_sacrebleu(candidate, reference)


def test_without_references_every_word_is_deleted() -> None:
    assert edits([1, 2, 3], []) == 3


@given(SHORT, SHORT)
def test_the_script_leads_to_the_reference(candidate: list[int], reference: list[int]) -> None:
    shifts, alignment = edit_script(candidate, reference)
    words = list(candidate)
    for start, length, to in shifts:
        block = words[start : start + length]
        del words[start : start + length]
        words[to:to] = block
    assert [i for i, _ in alignment if i >= 0] == list(range(len(words)))
    assert [j for _, j in alignment if j >= 0] == list(range(len(reference)))
    changed = sum(i < 0 or j < 0 or words[i] != reference[j] for i, j in alignment)
    assert len(shifts) + changed == edits(candidate, [reference])
