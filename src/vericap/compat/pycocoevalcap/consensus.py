"""Shared code of the CIDErs of all code bases: a metric, n, and the source of document frequencies."""

from __future__ import annotations

import math
import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from copy import copy
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from vericap.arrays import Floats
from vericap.compat.pycocoevalcap.captions import Captions, Named, Results, Rows, measured, tokenized_views, views_of
from vericap.errors import InputError
from vericap.lexicon.frequencies import DocumentFrequencies, count, resolve
from vericap.metrics.cider import Cider
from vericap.metrics.cider_d import CiderD
from vericap.views import Views

CORPUS = "corpus"
COUNTED = 4  # the originals count n-grams up to this order whatever n is


class Consensus(Rows):
    """CIDEr-D of rows that are added one after the other; `clipped = False` makes it plain CIDEr.

    Two values of the originals are kept because scripts see them, though they mislead. With one image every n-gram
    is in every document, and the score is 0; `vericap.evaluate` says that it is undefined. With n > 4 the orders
    above 4 count as 0.
    """

    clipped: ClassVar[bool] = True

    def __init__(
        self,
        test: str | None = None,
        refs: Sequence[str] | None = None,
        n: int = 4,
        sigma: float = 6.0,
        df: Any = CORPUS,
    ) -> None:
        super().__init__(test, refs)
        self.n, self.sigma, self.df_mode = n, sigma, df
        self.frequencies: DocumentFrequencies | None = table_of(df)

    @property
    def table(self) -> DocumentFrequencies | None:
        """The table to score with; None where the references of each call are counted."""
        return None if self.df_mode == CORPUS else self.frequencies

    def score_views(self, views: Views) -> tuple[np.float64, Floats]:
        """Return the mean, and the scores of the captions."""
        n = min(self.n, COUNTED)
        metric = CiderD(n=n, sigma=self.sigma) if self.clipped else Cider(n=n)
        scores = measured(views, metric)[metric.key].statistics.sum(axis=1) / self.n
        return np.float64(np.mean(scores)), scores

    def compute_score(self, option: Any = None, verbose: Any = 0) -> tuple[np.float64, Floats]:
        """Return the mean, and the scores of the rows. The arguments are the originals', and unused there as well."""
        return self.score_views(self.views(self.table))

    def compute_doc_freq(self) -> None:
        """Take document frequencies from the references of the rows, each row a document."""
        self.frequencies = count(self.crefs, tokenizer="none")

    @property
    def document_frequency(self) -> dict[tuple[str, ...], float]:
        """In how many rows' references each n-gram occurs.

        >>> scorer = Consensus()
        >>> scorer += (None, ["a dog", "one dog"])
        >>> scorer.document_frequency[("dog",)], scorer.document_frequency[("a", "dog")]
        (1.0, 1.0)
        """
        documents: dict[tuple[str, ...], float] = defaultdict(float)
        for references in self.crefs:
            for ngram in {ngram for reference in references for ngram in _ngrams(reference.split())}:
                documents[ngram] += 1
        return documents

    @property
    def ref_len(self) -> float | None:
        """The logarithm of the number of documents; None where they are the rows of the call."""
        return None if self.frequencies is None else math.log(self.frequencies.documents)

    @ref_len.setter
    def ref_len(self, value: float) -> None:
        if self.ref_len is None or not math.isclose(value, self.ref_len):
            raise InputError(
                f"ref_len is the logarithm of the number of documents, {self.ref_len}, and cannot be {value}",
                fix="call compute_doc_freq() first, or name a table with df=",
            )

    def copy_empty(self) -> Self:
        """Return the same scorer without rows."""
        new = copy(self)
        new.clear()
        return new

    def copy(self) -> Self:
        """Return the same scorer with the same rows, to which others can be added."""
        return self.copy_empty().__iadd__(self)

    def similarities(self, captions: Sequence[str]) -> Floats:
        """Return the score of each caption with each other as its only reference, array [captions, captions]."""
        if self.frequencies is None:
            raise InputError(
                "the similarity of captions needs document frequencies",
                fix='name a table, as in df="coco-train-idxs", or add references and call compute_doc_freq()',
            )
        rows = [(caption, [other]) for caption in captions for other in captions]
        views = views_of([caption for caption, _ in rows], [other for _, other in rows], self.frequencies)
        return self.score_views(views)[1].reshape(len(captions), len(captions))


class ConsensusMetric(Named):
    """The calls of `Cider` and `CiderD`; `cider_scorer` is the scorer behind them."""

    def __init__(self, scorer: Consensus) -> None:
        self.cider_scorer = scorer

    def compute_score(self, gts: Captions, res: Results) -> tuple[np.float64, Floats]:
        """Return the mean, and the scores of the captions in the order of `gts`; of `res`, where that is a list."""
        return self.score_views(tokenized_views(gts, res, self.cider_scorer.table))

    def score_views(self, views: Views) -> tuple[np.float64, Floats]:
        """Return the same for captions that are views already."""
        return self.cider_scorer.score_views(views)

    def my_self_cider(self, res: Sequence[Sequence[str]]) -> list[Floats]:
        """Return, for each list of captions, the score of each with each as its only reference."""
        return [self.cider_scorer.similarities(captions) for captions in res]


def _ngrams(words: list[str]) -> list[tuple[str, ...]]:
    return [tuple(words[i : i + n]) for n in range(1, COUNTED + 1) for i in range(len(words) - n + 1)]


def table_of(df: Any) -> DocumentFrequencies | None:
    """Return the table that `df` names; None for "corpus", the references of the call.

    "coco-train-idxs" is the pickle `data/coco-train-idxs.p`, as in the training code bases; a path is that file, a
    pickle, a table that `vericap resources df` made, or captions; "coco" is the table that ships; {id: [reference]}
    is counted. Pickles are read without Python's unpickler, so that a file cannot run anything.

    >>> table_of("corpus") is None, table_of({1: ["a dog", "one dog"], 2: ["a dog"]}).documents
    (True, 2)
    """
    if df is None or df == CORPUS:
        return None
    if isinstance(df, DocumentFrequencies):
        return df
    if isinstance(df, Mapping):
        return count(list(df.values()), tokenizer="none")
    for path in (Path("data", f"{df}.p"), Path(df)):
        if path.is_file():
            facts = path.stat()
            return _read(path.resolve(), facts.st_mtime_ns, facts.st_size)
    if df == "coco":
        return resolve(df)
    raise InputError(
        f"there is neither a file data/{df}.p nor a file {os.fspath(df)}",
        field="df",
        fix='give the path of the pickle, "corpus" for the references of each call, or "coco" for the table that ships',
    )


@lru_cache(maxsize=2)  # a trainer makes a Cider and a CiderD with the same file, which takes seconds to read
def _read(path: Path, changed: int, size: int) -> DocumentFrequencies | None:
    return resolve(path, "none")
