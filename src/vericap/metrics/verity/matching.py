r"""Verity's features: how far a caption's words are supported by the references, and how far the references' words are
covered by the caption.

Each word piece $t$ has a unit vector $v_t$ and a weight $a_t > 0$ (how much it matters), each text a unit vector $s$.
With $m(t, r) = \max_{u \in r} v_t \cdot v_u$, references $r \in R$ and $\bar a$ for weights that sum to 1 over a text:

| feature | formula | what it says |
|---|---|---|
| support | $\sum_t \bar a_t \max_r m(t, r)$ | fidelity: some reference says it |
| agreed support | $\frac{1}{\lvert R \rvert} \sum_r \sum_t \bar a_t\, m(t, r)$ | fidelity: all references say it |
| unsupported | $-\sqrt{\sum_t \bar a_t (1 - \max_r m(t, r))^2}$ | fidelity: a word that no reference says counts more |
| coverage | $\frac{1}{\lvert R \rvert} \sum_r \sum_{u \in r} \bar a_u\, m(u, c)$ | adequacy |
| best coverage | $\max_r \sum_{u \in r} \bar a_u\, m(u, c)$ | adequacy: one reference is said in full |
| agreed coverage | coverage, $a_u$ times how far the other references support $u$ | adequacy: what people agree on |
| nearest, near | $\max_r s_c \cdot s_r$, $\frac{1}{\lvert R \rvert}\sum_r s_c \cdot s_r$ | the texts as wholes |

The same features of each reference against the other references, averaged, are the yardstick: how well people agree on
this picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Floats, Integers, offsets_of, rows_of

Array = NDArray[np.float32]

FEATURES = (
    "support",
    "agreed support",
    "unsupported",
    "coverage",
    "best coverage",
    "agreed coverage",
    "nearest",
    "near",
)
SUPPORT, AGREED_COVERAGE = FEATURES.index("support"), FEATURES.index("agreed coverage")
# What a caption without a word has: the least of each.
LEAST = np.array([-1, -1, -2, -1, -1, -1, -1, -1], np.float64)


class Text(NamedTuple):
    """A text as the model sees it."""

    vectors: Array  # [pieces, d], of unit length; no pieces for a text without a word
    weights: Array  # [pieces]
    whole: Array  # [size], of unit length
    cut: bool = False  # longer than the encoder reads


class EncodedReferences(NamedTuple):
    """The references of a picture, and what they say of each other."""

    vectors: Array  # [pieces of all, d]
    weights: Array  # [pieces of all], those of a reference sum to 1
    agreed: Array  # the same, times how far the other references support a piece
    starts: Integers  # where each reference begins
    wholes: Array  # [references, size]
    yardstick: Floats  # [features]
    cut: int = 0  # references that are longer than the encoder reads

    @property
    def number(self) -> int:
        """References that have a word."""
        return len(self.starts)


def gather_references(texts: Sequence[Text]) -> EncodedReferences | None:
    """References of a picture, of which those without a word are left out; None where none has one."""
    texts = [text for text in texts if len(text.vectors)]
    if not texts:
        return None
    lengths = [len(text.vectors) for text in texts]
    starts = offsets_of(lengths)[:-1]
    vectors = np.concatenate([text.vectors for text in texts])
    weights = np.concatenate([text.weights / text.weights.sum() for text in texts])
    wholes = np.stack([text.whole for text in texts])
    cut = sum(text.cut for text in texts)
    if len(texts) == 1:
        return EncodedReferences(vectors, weights, weights, starts, wholes, np.zeros(len(FEATURES)), cut)
    best = np.maximum.reduceat(vectors @ vectors.T, starts, axis=1)  # [pieces, references]
    own = rows_of(lengths)
    others = best.copy()
    others[np.arange(len(own)), own] = 0
    supported = others.sum(axis=1) / np.float32(len(texts) - 1)
    agreed = weights * np.maximum(supported, 0)
    agreed /= np.maximum(np.add.reduceat(agreed, starts), np.float32(1e-6))[own]
    yardstick = _yardstick(weights, best, supported, own, starts, wholes)
    return EncodedReferences(vectors, weights, agreed, starts, wholes, yardstick, cut)


def _yardstick(weights: Array, best: Array, supported: Array, own: Integers, starts: Integers, wholes: Array) -> Floats:
    """Return the features of each reference against the others, averaged over references."""
    count = len(starts)
    rest = ~np.eye(count, dtype=bool)
    nearest = np.where(np.arange(count)[None] == own[:, None], np.float32(-1), best).max(axis=1)
    found = np.add.reduceat(weights[:, None] * best, starts, axis=0)  # [r, q]: r's words found in q
    coverage = np.where(rest, found.T, 0)  # [r, q]: q's words found in r
    cosines = np.where(rest, wholes @ wholes.T, 0)
    unsupported = -np.sqrt(np.maximum(np.add.reduceat(weights * (1 - nearest) ** 2, starts), 1e-8))
    mean_coverage = coverage.sum(axis=1) / (count - 1)
    each = [
        np.add.reduceat(weights * nearest, starts),
        np.add.reduceat(weights * supported, starts),
        unsupported,
        mean_coverage,
        np.where(rest, coverage, -1).max(axis=1),
        mean_coverage,  # here the words count as they are, agreed on or not
        np.where(rest, cosines, -1).max(axis=1),
        cosines.sum(axis=1) / (count - 1),
    ]
    return np.array([values.mean() for values in each], np.float64)


def match(caption: Text, references: EncodedReferences, objects: EncodedReferences | None = None) -> Floats:
    """Return the features of a caption, array [features]. A caption without a word has the least of each. `objects` are
    the labels of the picture's objects: in support and unsupported, what they support best counts as well."""
    if not len(caption.vectors):
        return LEAST
    cosines = references.wholes @ caption.whole
    similar = caption.vectors @ references.vectors.T  # [pieces, pieces of references]
    best = np.maximum.reduceat(similar, references.starts, axis=1)
    covered = similar.max(axis=0)
    weights = caption.weights / caption.weights.sum()
    supported = best.max(axis=1)
    if objects is not None:
        supported = np.maximum(supported, (caption.vectors @ objects.vectors.T).max(axis=1))
    coverage = np.add.reduceat(references.weights * covered, references.starts)
    agreed = np.add.reduceat(references.agreed * covered, references.starts)
    return np.array(
        [
            weights @ supported,
            (weights @ best).mean(),
            -np.sqrt(max(float(weights @ (1 - supported) ** 2), 1e-8)),
            coverage.mean(),
            coverage.max(),
            agreed.mean(),
            cosines.max(),
            cosines.mean(),
        ],
        np.float64,
    )
