"""The permutation test of two captioners by any metric: their captions change places, image by image."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Floats
from vericap.stats.bootstrap import replicates
from vericap.stats.corpus_score import CorpusScore
from vericap.stats.paired import exchanged


def exchange_test(
    metric: CorpusScore,
    first: Floats,
    second: Floats,
    first_image: NDArray[np.int64],
    second_image: NDArray[np.int64],
    *,
    resamples: int = 1000,
    seed: int = 0,
) -> float:
    """Return two-sided p of the difference between two corpus scores; `first` and `second` are statistics [captions,
    k].

    An exchange gives the captions of an image to the other captioner; both corpus scores are computed again from
    weights of 0 and 1, so metrics that sum over the corpus (BLEU, METEOR) are tested as what they are.

    Riezler and Maxwell. On some pitfalls in automatic evaluation and significance testing for MT. ACL 2005 workshop.

    >>> from vericap.metrics.rouge_l import RougeL
    >>> good, bad = np.full((20, 2), 0.9), np.full((20, 2), 0.2)
    >>> exchange_test(RougeL(), good, bad, np.arange(20), np.arange(20), resamples=199)
    0.005
    """
    images = int(max(first_image.max(initial=-1), second_image.max(initial=-1))) + 1
    statistics = np.concatenate([first, second])
    cluster = np.concatenate([first_image, second_image + images])

    def differences(swap: NDArray[np.bool_]) -> Floats:
        mine, theirs = (
            replicates(metric, statistics, cluster, np.hstack(held)) for held in ([~swap, swap], [swap, ~swap])
        )
        return np.abs(mine - theirs)

    return exchanged(differences, images, resamples, seed)
