"""Which of several captions of an image counts, where `--repeated best` is chosen."""

from __future__ import annotations

import numpy as np

from vericap.arrays import Floats, Integers
from vericap.corpus import Corpus
from vericap.readers.captions.systems import SYSTEM


def best_rows(corpus: Corpus, better: Floats) -> Integers:
    """The row of each image, of each captioner, whose number is highest; the first of equal ones. NaN is the lowest.

    >>> corpus = Corpus(["a", "b", "a"], ["dog", "cat", "dogs"], np.array([0, 1, 0]))
    >>> best_rows(corpus, np.array([0.2, 0.5, 0.7])).tolist()
    [1, 2]
    """
    systems = corpus.fields.get(SYSTEM, [""] * len(corpus))
    number = {name: place for place, name in enumerate(dict.fromkeys(systems))}
    owner = np.array([number[name] for name in systems], np.int64)
    group = owner * (int(corpus.image.max(initial=0)) + 1) + corpus.image
    order = np.lexsort((np.arange(len(better)), -np.nan_to_num(better, nan=-np.inf), group))
    first = np.unique(group[order], return_index=True)[1]
    return np.sort(order[first])
