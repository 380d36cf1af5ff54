"""The views of a batch are those of the same captions in a corpus."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from tests.reward.captions import IMAGES, REFERENCES, SAMPLES
from vericap.metrics.bleu import ClippedMatches
from vericap.metrics.cider import Similarity
from vericap.metrics.cider_r import RepeatedWords
from vericap.options.inputs import Inputs
from vericap.options.settings import Settings
from vericap.reward.samples import SampleReader
from vericap.run.prepare import prepare
from vericap.views import Views
from vericap.views.batch import IndexedBatch, without_token
from vericap.views.index import IndexedReferences


@pytest.fixture(scope="module")
def batch() -> Views:
    index = IndexedReferences.build(REFERENCES)
    return Views(IndexedBatch(index, SampleReader(index)(SAMPLES), index.rows(IMAGES)))


@pytest.fixture(scope="module")
def whole() -> Views:
    rows = [{"image_id": image, "caption": text} for image, text in zip(IMAGES, SAMPLES, strict=True)]
    return prepare(Inputs(rows, REFERENCES), Settings(repeated="keep"))


def by_candidate(views: Views, values: np.ndarray) -> list[list[float]]:
    """Values of pairs, sorted for each candidate: a batch may have its references in another order."""
    offsets = views.pairs.offsets
    return [sorted(values[a:b].round(9).tolist()) for a, b in pairwise(offsets)]


@pytest.mark.parametrize("order", [1, 2, 3, 4])
@pytest.mark.parametrize("clipped", [True, False])
def test_similarities_are_those_of_the_corpus(batch: Views, whole: Views, order: int, clipped: bool) -> None:
    view = Similarity(order, clipped)
    assert by_candidate(batch, batch.get(view)) == by_candidate(whole, whole.get(view))


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_matches_are_those_of_the_corpus(batch: Views, whole: Views, order: int) -> None:
    np.testing.assert_array_equal(batch.get(ClippedMatches(order)), whole.get(ClippedMatches(order)))


def test_repetitions_are_those_of_the_corpus(batch: Views, whole: Views) -> None:
    (ours, distinct), (theirs, expected) = batch.get(RepeatedWords()), whole.get(RepeatedWords())
    assert by_candidate(batch, ours) == by_candidate(whole, theirs)
    np.testing.assert_array_equal(distinct, expected)


def test_captions_are_spelled_when_they_are_read(batch: Views) -> None:
    assert list(batch.corpus.candidates) == SAMPLES
    assert batch.corpus.references_of(3) == REFERENCES[5]
    assert [batch.words.spell(row) for row in batch.words.candidates] == [text.split() for text in SAMPLES]


def test_the_end_can_be_left_out_again() -> None:
    index = IndexedReferences.build(REFERENCES, end="<eos>")
    samples = SampleReader(index)(["a dog"])
    with_end, without = (
        Views(IndexedBatch(index, samples, np.zeros(1, np.int64), ended=ended)) for ended in (True, False)
    )
    assert "<eos>" in with_end.words.words and "<eos>" not in without.words.words
    assert (with_end.word_counts[0] - without.word_counts[0]).tolist() == [1]


def test_without_a_token_rows_get_shorter() -> None:
    index = IndexedReferences.build(REFERENCES, end="<eos>")
    assert (index.words.lengths - without_token(index.words, index.end).lengths == 1).all()
    assert without_token(index.words, -1) is index.words
