"""Cosine of sentence vectors (Sentence-BERT, Reimers and Gurevych 2019) as a caption metric."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from vericap.arrays import Floats, Ragged
from vericap.lexicon.vectors import unit
from vericap.metrics.base import Metric, Parameter
from vericap.options.declared import option
from vericap.results.explanation import Explanation, Part
from vericap.views import Facts, Views
from vericap.views.encoded import MINILM, MINILM_INT8, Long, SentenceVectors, check_encoder, spelled_encoder


@dataclass(frozen=True)
class Sbert(Metric):
    r"""The cosine of the candidate's sentence vector $e(c)$ with that of its nearest reference $r \in S$.

    $$ \mathrm{sbert}(c, S) = \max_{r \in S} \frac{e(c) \cdot e(r)}{\lVert e(c) \rVert \, \lVert e(r) \rVert} $$

    `references=mean` takes the mean over the references instead. `model` is `minilm` (all-MiniLM-L6-v2, float),
    `minilm-int8` (the same with 8-bit weights, two to three times as fast), or the folder of a sentence-transformers or
    transformers model. Captions of more word pieces than the model takes (256 for MiniLM) are cut off, and a note
    says how many; `long=error` refuses them.

    Statistics [captions, 1]: the cosine. The corpus score is the mean. A caption without references is undefined.
    """

    references: Literal["max", "mean"] = option("max", "Similarity to the nearest reference, or the mean.")
    model: str = option("minilm", "minilm, minilm-int8, or the folder of a model.")
    long: Long = option("truncate", "What happens to captions that are too long.")

    name: ClassVar[str] = "sbert"
    paper_name: ClassVar[str] = "SBERT"
    summary: ClassVar[str] = "how near it is to its nearest reference, as sentence vectors"
    question: ClassVar = "adequacy"
    range: ClassVar[tuple[float | None, float | None]] = (-1.0, 1.0)
    reads_texts: ClassVar[bool] = True
    uses_threads: ClassVar[bool] = True
    languages: ClassVar[tuple[str, ...]] = ("en",)
    citation: ClassVar[str] = (
        "Reimers, Gurevych. Sentence-BERT: sentence embeddings using Siamese BERT-networks. EMNLP 2019."
    )

    def check(self, views: Facts) -> None:
        super().check(views)
        check_encoder(views, self.model, self.key)

    def statistics(self, views: Views) -> Floats:
        cosines = self._cosines(views)
        if self.references == "max":
            found = cosines.reduce(np.maximum, empty=np.nan)
        else:
            found = cosines.reduce(np.add, empty=np.nan) / np.maximum(cosines.lengths, 1)
        return found[:, None]

    def _cosines(self, views: Views) -> Ragged:
        """Return the cosine of each candidate with each of its references."""
        candidates, references = (unit(side) for side in views.get(SentenceVectors(self.model, self.long, self.name)))
        pairs = views.pairs
        values = np.empty(len(pairs))
        for start in range(0, len(pairs), 4096):  # not all pairs' vectors at once
            chosen = slice(start, start + 4096)
            left, right = candidates[pairs.candidate[chosen]], references[pairs.reference[chosen]]
            values[chosen] = np.einsum("ij,ij->i", left, right)
        return Ragged(values, pairs.offsets)

    def score(self, statistics: Floats) -> Floats:
        return statistics[:, 0]

    def knows(self, language: str) -> bool:
        return self.model in (MINILM, MINILM_INT8) and super().knows(language)

    def signature_parts(self, views: Facts) -> dict[str, Parameter]:
        return {"over": self.references, "model": spelled_encoder(self.model, self.key), "long": self.long}

    def explain(self, views: Views, i: int) -> Explanation:
        statistics = self.statistics(views)[i : i + 1]
        cosines = self._cosines(views)[i]
        references = views.corpus.references_of(i)
        order = np.argsort(-cosines, kind="stable").tolist()
        parts = [Part(references[k], {"cosine": float(cosines[k])}) for k in order]
        score = float(statistics[0, 0])
        values: dict[str, float | int | str] = {f"{self.references} over {len(cosines)} references": score}
        return self.explanation(views, i, score, values, {"references, the nearest first": parts})
