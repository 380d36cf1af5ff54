r"""The evidence of a picture's objects on a caption, for `verity(objects=join)`. Nothing here was trained.

Each distinct label is a text of its own ("dog"), read by the model as references are. Beside references, these texts
support words as one more reference does (`matching.match`). Without references they are all there is. With $O$ for
the object words of the caption, those that CHAIR finds, and $[x]$ for $x$ held within 0 and 1:

| part | formula | what it says |
|---|---|---|
| precision | $P = \sum_{t \in O} a_t \max_l [m(t, l)] / \sum_{t \in O} a_t$ | fidelity: the picture shows it |
| recall | $Q = \frac{1}{\lvert L \rvert} \sum_l \sum_{u \in l} \bar a_u [m(u, c)]$ | adequacy: the caption says it |
| score | $2 P Q / (P + Q)$ | their harmonic mean |

A caption without an object word has no precision, and its score is its recall; one without a word scores 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from vericap.arrays import Booleans
from vericap.encoders import Encoder
from vericap.lexicon.coco_objects import object_words
from vericap.metrics.verity.matching import EncodedReferences, Text
from vericap.metrics.verity.model import Picture, has_word, words_of


class ObjectMatch(NamedTuple):
    """A caption with the objects of a picture, without references."""

    precision: float  # NaN for a caption without an object word
    recall: float
    score: float


def label_texts(labels: Iterable[str]) -> Picture:
    """Return each distinct label that has a word as a text of its own, in alphabetical order.

    >>> label_texts(["dog", "traffic light", "dog"])
    ('dog', 'traffic light')
    """
    return tuple(sorted(label for label in set(labels) if has_word(label)))


def object_pieces(encoder: Encoder, caption: str) -> Booleans:
    """Return the word pieces of a caption belong to words for COCO's objects, as CHAIR finds them."""
    words = words_of(encoder, caption)
    found = object_words().find_in(words.spelled)
    meant = np.zeros(len(words.spelled), bool)
    for at, length in zip(found.at.tolist(), found.words.tolist(), strict=True):
        meant[at : at + length] = True
    return np.asarray(meant[words.word], bool)


def match_objects(caption: Text, own: Booleans, objects: EncodedReferences) -> ObjectMatch:
    """Precision, recall and score of a caption whose pieces `own` are those of object words."""
    if not len(caption.vectors):
        return ObjectMatch(np.nan, 0.0, 0.0)
    similar = np.clip(caption.vectors @ objects.vectors.T, 0, 1)  # [pieces, pieces of labels]
    covered = np.add.reduceat(objects.weights * similar.max(axis=0), objects.starts)
    recall = float(covered.mean())
    if not own.any():
        return ObjectMatch(np.nan, recall, recall)
    precision = float(caption.weights[own] @ similar[own].max(axis=1) / caption.weights[own].sum())
    total = precision + recall
    return ObjectMatch(precision, recall, 2 * precision * recall / total if total else 0.0)
