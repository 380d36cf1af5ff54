"""N-grams counted with NumPy's sorting alone: what `vericap.text.ngrams` must give, to the last bit."""

from __future__ import annotations

import numpy as np

from vericap.arrays import Ragged, offsets_of
from vericap.text.ngrams import Counts, LookUp, NGrams, Pairs, inverse_document_frequency, narrow
from vericap.text.vocabulary import Tokens

Ints = np.ndarray


def numbered(captions: Ragged, order: int, size: int) -> tuple[Ragged, int, Ints]:
    """The n-grams of each caption by number, how many different ones there are, and where each occurs last."""
    starts, ngram, distinct = np.arange(len(captions.values)), captions.values.astype(np.int64), size
    for shorter in range(1, order):
        ends = captions.offsets[1:][captions.lengths >= shorter]
        starts = np.setdiff1d(starts, ends - shorter)
        column = np.zeros(len(captions.values), np.int64)
        column[_starts(captions, shorter)] = ngram
        key = column[starts] * size + captions.values[starts + shorter]
        different, ngram = np.unique(key, return_inverse=True)
        distinct = len(different)
    example = np.zeros(max(distinct, 1), np.int32)
    example[ngram] = starts
    return Ragged(ngram, offsets_of(np.maximum(captions.lengths - (order - 1), 0))), distinct, example


def _starts(captions: Ragged, order: int) -> Ints:
    return np.concatenate(
        [np.zeros(0, np.int64), *map(np.arange, captions.offsets[:-1], captions.offsets[1:] - order + 1)]
    )


def count_ngrams(
    order: int, words: Tokens, image: Ints, reference_offsets: Ints, pairs: Pairs, look_up: LookUp | None = None
) -> NGrams:
    """What `NGramCounter.count` returns."""
    ngrams, distinct, example = numbered(words.captions, order, len(words.words))
    candidates, images = len(words.candidates), len(reference_offsets) - 1
    by_image = np.argsort(image, kind="stable")
    place = np.empty(candidates, np.int64)
    place[by_image] = np.arange(candidates)
    ours, theirs = ngrams.window(0, candidates), ngrams.window(candidates, len(ngrams))
    # Candidates by image, then by n-gram; references by image, n-gram and place.
    (at, ngram), count = _runs(place[ours.row], ours.values)
    row = by_image[at]
    of_image = np.repeat(np.arange(images), np.diff(reference_offsets))[theirs.row]
    (group, reference_ngram, reference), reference_count = _runs(of_image, theirs.values, theirs.row)
    (_, document_ngram), _ = _runs(of_image, theirs.values)
    documents, frequency = images, np.bincount(document_ngram, minlength=max(distinct, 1)).astype(np.int32)
    if look_up is not None:
        documents, frequency = look_up(example, order)
    key = group * max(distinct, 1) + reference_ngram
    wanted = image[row] * max(distinct, 1) + ngram
    found = Ragged.spans(np.searchsorted(key, wanted), np.searchsorted(key, wanted, "right"))
    matched = found.values
    pair = pairs.offsets[row[found.row]] + reference[matched] - reference_offsets[group[matched]]

    def norms(captions: int, caption: Ints, of: Ints, times: Ints) -> Ints:
        weight = inverse_document_frequency(documents, frequency[of]) * times
        return np.sqrt(np.bincount(caption, weight * weight, captions))

    return NGrams(
        order,
        Counts(row.astype(np.int32), ngram.astype(np.int32), narrow(count)),
        found.row.astype(np.int32),
        pair.astype(np.int32),
        narrow(reference_count[matched]),
        documents,
        frequency,
        norms(candidates, row, ngram, count),
        norms(len(words.references), reference, reference_ngram, reference_count),
        lambda: example,
    )


def _runs(*columns: Ints) -> tuple[Ints, Ints]:
    """The different rows of columns, sorted, and how often each occurs."""
    different, count = np.unique(np.column_stack(columns), axis=0, return_counts=True)
    return different.T, count
