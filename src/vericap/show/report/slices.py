"""On which images one of two captioners is better: the mean difference of caption scores in parts of the images, each
with its 95 % interval by Student's t."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from vericap.arrays import Booleans, Floats, rows_of
from vericap.corpus import Corpus
from vericap.readers.captions.systems import SYSTEM
from vericap.results.comparison import Comparison
from vericap.stats.contrast import mean_by_image, standardised

LEAST = 5  # images that a part must have
MOST = 12  # values of a field, and classes of objects, that are shown


class _Part(NamedTuple):
    """Some of the images: what they have in common in words, and a mask of them."""

    kind: str
    label: str
    images: Booleans


def slices(comparison: Comparison) -> list[dict[str, Any]]:
    """Return each part of the images, for each two captioners and each metric."""
    found = []
    for system, against in dict.fromkeys(
        (each.system, each.against) for own in comparison.contrasts.values() for each in own
    ):
        differences = by_image(comparison, system, against)
        for part in parts(comparison[system].corpus, comparison[against].corpus):
            for key, column in differences.items():
                mean, interval = mean_with_interval(column[part.images])
                about = {"system": system, "against": against, "kind": part.kind, "label": part.label, "metric": key}
                found.append({**about, "images": int(part.images.sum()), "difference": mean, "interval": interval})
    return found


def by_image(comparison: Comparison, system: str, against: str) -> dict[str, Floats]:
    """Return for each metric the difference between the scores of two captioners on each image."""
    ours, theirs = comparison[system], comparison[against]
    return {key: _means(ours.corpus, ours[key].captions) - _means(theirs.corpus, theirs[key].captions) for key in ours}


def _means(corpus: Corpus, scores: Floats) -> Floats:
    return mean_by_image(scores, corpus.image, int(corpus.image.max()) + 1)


def parts(ours: Corpus, theirs: Corpus) -> list[_Part]:
    """Return parts of the images: by fields of the captions, by length of the captions, by objects in the picture."""
    found = [*_by_field(ours), *_by_length(ours, theirs), *_by_object(ours)]
    return [part for part in found if part.images.sum() >= LEAST]


def _by_field(corpus: Corpus) -> Iterator[_Part]:
    for name, column in corpus.fields.items():
        values = list(dict.fromkeys(map(str, column)))
        if name == SYSTEM or not 1 < len(values) <= MOST:
            continue
        of = np.array([str(value) for value in column])
        for value in values:
            images = np.zeros(int(corpus.image.max()) + 1, bool)
            images[corpus.image[of == value]] = True
            yield _Part(name, value, images)


def _by_length(ours: Corpus, theirs: Corpus) -> Iterator[_Part]:
    """Yield thirds of the images by the mean length of both captions."""
    lengths = (_lengths(ours) + _lengths(theirs)) / 2
    first, second = np.quantile(lengths, [1 / 3, 2 / 3]).tolist()
    for label, images in {
        f"short (up to {first:.3g} words)": lengths <= first,
        "medium": (lengths > first) & (lengths <= second),
        f"long (over {second:.3g} words)": lengths > second,
    }.items():
        yield _Part("caption length", label, images)


def _lengths(corpus: Corpus) -> Floats:
    return _means(corpus, np.array([len(text.split()) for text in corpus.candidates], float))


def _by_object(corpus: Corpus) -> Iterator[_Part]:
    """Yield the classes that are in most pictures, without those that are in all of them."""
    if corpus.objects is None:
        return
    offsets, label, _ = corpus.objects.distinct()
    images = rows_of(np.diff(offsets))
    counts = np.bincount(label, minlength=len(corpus.objects.labels))
    for number in np.argsort(-counts, kind="stable")[:MOST].tolist():
        there = np.zeros(int(corpus.image.max()) + 1, bool)
        there[images[label == number]] = True
        if not there.all():
            yield _Part("object in the picture", corpus.objects.labels[number], there)


def mean_with_interval(column: Floats) -> tuple[float | None, list[float] | None]:
    """Return the mean of the defined numbers, and its 95 % interval by Student's t.

    >>> mean_with_interval(np.array([1.0, 2.0, 3.0, np.nan]))
    (2.0, [-0.48..., 4.48...])
    """
    defined = column[~np.isnan(column)]
    if len(defined) < 2:
        return (float(defined[0]), None) if len(defined) else (None, None)
    from scipy.stats import t

    mean = float(defined.mean())
    half = float(t.ppf(0.975, len(defined) - 1) * defined.std(ddof=1) / np.sqrt(len(defined)))
    return mean, [mean - half, mean + half]


def better(comparison: Comparison, differences: Mapping[str, Floats]) -> list[Floats]:
    """Return the same differences with + for better, whatever the direction of the metric."""
    first = next(iter(comparison.values()))
    return [column if first[key].higher_is_better else -column for key, column in differences.items()]


def most_different(better: Sequence[Floats], count: int) -> list[int]:
    """Return images on which two captioners differ most, half of them for each: `better` holds, by metric, how much
    better the first one's caption of each image is.

    >>> most_different([np.array([0.0, 3.0, -1.0, 0.5])], 2)
    [1, 2]
    """
    apart = standardised(better)
    order = np.argsort(apart, kind="stable")
    half = (count + 1) // 2
    worse = [image for image in order[:half].tolist() if apart[image] < 0]
    return sorted({*worse, *(image for image in order[::-1][:half].tolist() if apart[image] > 0)})
