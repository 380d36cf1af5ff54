"""CIDEr-D (Vedantam et al. 2015): what COCO's evaluation calls CIDEr. Clipped counts and a length penalty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from vericap.arrays import Floats
from vericap.metrics.cider import Cider
from vericap.options.declared import Between, option
from vericap.views import Views


@dataclass(frozen=True)
class CiderD(Cider):
    r"""CIDEr-D, on the scale 0–10.

    $$ \mathrm{CIDEr\text{-}D}_n(c, S) = \frac{10}{m} \sum_{j}
       \frac{\min(\mathbf g^n(c), \mathbf g^n(s_j)) \cdot \mathbf g^n(s_j)}
            {\|\mathbf g^n(c)\| \, \|\mathbf g^n(s_j)\|} \,
       e^{-(l(c) - l(s_j))^2 / 2\sigma^2} $$

    COCO's code takes the number of bigrams as the length l.

    >>> from vericap.corpus import Corpus
    >>> corpus = Corpus.from_lists(["a dog runs", "a cat"], [["a dog runs"], ["a red cat"]])
    >>> CiderD(n=1).statistics(Views(corpus, tokenizer="whitespace")).round(3).tolist()
    [[10.0], [6.974]]
    """

    sigma: Annotated[float, Between(1e-6, 1e6)] = option(6.0, "Width of the penalty for another length, in words.")

    name: ClassVar[str] = "cider-d"
    paper_name: ClassVar[str] = "CIDEr-D"
    summary: ClassVar[str] = "what COCO's evaluation calls CIDEr: clipped, with a penalty of length"
    clipped: ClassVar[bool] = True
    when_asked: ClassVar[str] = ""

    def penalty(self, views: Views) -> Floats:
        pairs, (words, reference_words) = views.pairs, views.word_counts
        length = bigrams(words)[pairs.candidate]
        reference_length = bigrams(reference_words)[pairs.reference]
        return np.exp(-((length - reference_length) ** 2) / (2 * self.sigma**2))

    def explain_penalty(self, views: Views, pair: int) -> dict[str, float]:
        return {"length penalty": float(self.penalty(views)[pair])}


def bigrams(lengths: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Floats:
    """Number of bigrams of captions with this many words."""
    return np.maximum(lengths - 1, 0).astype(np.float64)
