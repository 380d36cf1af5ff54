"""Soft-SPICE (Li et al. 2023): the propositions of a caption, matched with the nearest of its references' by the cosine
of sentence vectors."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from vericap.arrays import Floats
from vericap.encoders.encoder import distinct_texts
from vericap.engine.blas import one_blas_thread
from vericap.engine.progress import counted
from vericap.lexicon.vectors import unit
from vericap.metrics.base import Parameter
from vericap.metrics.spice import AUTO, GraphMetric
from vericap.options.declared import option
from vericap.results.explanation import Explanation, Part
from vericap.scene.rules import Proposition
from vericap.views import Facts, View, Views
from vericap.views.encoded import check_encoder, find_encoder, spelled_encoder
from vericap.views.graphs import Graphs


@dataclass(frozen=True)
class SoftSpice(GraphMetric):
    r"""The mean, over the phrases $t$ of the candidate's scene graph, of the cosine with the nearest phrase $t'$ of all
    its references' graphs together, where $e$ is the vector of a sentence encoder.

    $$ \text{Soft-SPICE} = \frac{1}{|T(c)|} \sum_{t \in T(c)} \; \max_{t' \in T(S)} \cos(e(t), e(t')) $$

    A phrase is an object (*girl*), an attribute before its object (*young girl*) or subject, relation and object
    (*girl stand on court*); equal phrases of a side count once, and a phrase may match one of another kind.
    `direction=both` takes the mean of this and the same from the references to the candidate, as the authors' code
    offers. `parser` and `source` are those of `spice`, `model` that of `sbert`. The authors parse with FACTUAL
    (`parser=factual`); `stanford` and `vericap` give SPICE's tuples.

    Statistics [captions, 2]: the mean from the candidate's phrases, and that from the references'. The corpus score is
    the mean. A candidate without phrases scores 0; without phrases in the references it is undefined.
    """

    model: str = option("minilm", "minilm, minilm-int8, or the folder of a model.")
    parser: str = option(AUTO, "Parser of captions: auto, stanford, vericap, factual or graphs.")
    source: str = option("", "Folder of the FACTUAL model, or JSON file of graphs.")
    direction: Literal["candidate", "both"] = option("candidate", "Side whose phrases are matched.")

    name: ClassVar[str] = "soft-spice"
    summary: ClassVar[str] = "SPICE whose propositions match by the cosine of sentence vectors"
    question: ClassVar = "adequacy"
    languages: ClassVar[tuple[str, ...]] = ("en",)
    range: ClassVar[tuple[float | None, float | None]] = (-1.0, 1.0)
    citation: ClassVar[str] = (
        "Li, Chai, Zhuo, Qu, Haffari, Li, Ji, Tran. FACTUAL: a benchmark for faithful and consistent textual scene "
        "graph parsing. Findings of ACL 2023."
    )

    def check(self, views: Facts) -> None:
        super().check(views)
        check_encoder(views, self.model, self.key)

    def statistics(self, views: Views) -> Floats:
        return views.get(_SoftMatches(self.model, self.graphs, self.name))

    def score(self, statistics: Floats) -> Floats:
        return statistics[:, 0] if self.direction == "candidate" else statistics.mean(axis=1)

    def signature_parts(self, views: Facts) -> dict[str, Parameter]:
        model = spelled_encoder(self.model, self.key)
        return {"model": model, "parser": self.graphs.signed, "direction": self.direction}

    def explain(self, views: Views, i: int) -> Explanation:
        statistics = self.statistics(views)[i : i + 1]
        said, wanted = _phrases(views, self.graphs, i)
        values = dict(zip(("from the caption", "from the references"), statistics[0].tolist(), strict=True))
        sections: dict[str, list[Part]] = {}
        if said and wanted:
            encoder = find_encoder(self.model, self.key)
            similarity = unit(encoder.sentences(said)) @ unit(encoder.sentences(wanted)).T
            sections = {
                "the caption says": _lines(said, wanted, similarity),
                "the references say": _lines(wanted, said, similarity.T),
            }
        return self.explanation(views, i, self.score(statistics)[0], values, sections)


def phrases(propositions: Iterable[Proposition]) -> list[str]:
    """Return the phrases of propositions, each once.

    >>> phrases([("girl", "young"), ("girl", "court", "stand on"), ("girl",)])
    ['young girl', 'girl', 'girl stand on court', 'court']
    """
    found: dict[str, None] = {}
    for proposition in propositions:
        if len(proposition) == 2:
            found[f"{proposition[1]} {proposition[0]}"] = None
        elif len(proposition) == 3:
            found[f"{proposition[0]} {proposition[2].removeprefix('be ')} {proposition[1]}"] = None
        found |= dict.fromkeys(proposition[: 2 if len(proposition) == 3 else 1])
    return list(found)


def _phrases(views: Views, graphs: Graphs, row: int) -> tuple[list[str], list[str]]:
    """Return the phrases of a candidate, and those of all its references."""
    candidates, references = views.get(graphs)
    first, last = views.corpus.reference_offsets[views.corpus.image[row] :][:2]
    return phrases(candidates[row]), phrases(p for one in references[first:last] for p in one)


@dataclass(frozen=True)
class _SoftMatches(View[Floats]):
    """The mean similarity of a candidate's phrases, and of its references', with the nearest of the other side."""

    model: str
    graphs: Graphs
    who: str

    def compute(self, views: Views) -> Floats:
        sides = [_phrases(views, self.graphs, row) for row in range(len(views.corpus))]
        distinct, place = distinct_texts([phrase for both in sides for side in both for phrase in side])
        vectors = unit(find_encoder(self.model, self.who).sentences(distinct, workers=views.workers))
        found = np.full((len(sides), 2), np.nan)
        at = 0
        with one_blas_thread():
            for row, (said, wanted) in enumerate(counted(sides)):
                left, right = np.split(vectors[place[at : at + len(said) + len(wanted)]], [len(said)])
                at += len(said) + len(wanted)
                if wanted:
                    similarity = left @ right.T
                    found[row] = (similarity.max(axis=1).mean(), similarity.max(axis=0).mean()) if said else 0.0
        return found


def _lines(phrases_of_side: list[str], others: list[str], similarity: Floats) -> list[Part]:
    """Return each phrase, the nearest one of the other side, and how near they are."""
    nearest = similarity.argmax(axis=1).tolist()
    return [
        Part(f"{phrase} → {others[near]}", {"cosine": float(similarity[k, near])})
        for k, (phrase, near) in enumerate(zip(phrases_of_side, nearest, strict=True))
    ]
