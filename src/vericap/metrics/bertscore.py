"""BERTScore (Zhang et al. 2020): every word piece of a caption is matched with the nearest one of a reference, by the
cosine of their vectors in context."""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import ClassVar, Literal, NamedTuple, TypeAlias

import numpy as np

from vericap.arrays import Floats, Integers, Ragged
from vericap.encoders.encoder import TextEncoder
from vericap.engine.blas import one_blas_thread
from vericap.engine.progress import counted
from vericap.errors import InputError
from vericap.metrics.base import Metric, Parameter
from vericap.options.declared import option
from vericap.results.explanation import Explanation, Matrix, Part
from vericap.views import Facts, View, Views
from vericap.views.encoded import MINILM, MINILM_INT8, Long, check_encoder, find_encoder, spelled_encoder, treat_long

PARTS = ("precision", "recall", "f1")
_ROWS = 250_000  # vectors that are held at once: 0.4 GB for 384 numbers each

Baseline: TypeAlias = tuple[float, float, float]  # of P, R and F1


@dataclass(frozen=True)
class BertScore(Metric):
    r"""Greedy matching of the word pieces $\hat x$ of a candidate with those of a reference, $x$; vectors
    $\mathbf x$ have unit length, $w$ is 1, or idf over the references, and 0 for the pieces [CLS] and [SEP].

    $$ P = \frac{\sum_{\hat x} w(\hat x) \max_x \mathbf x^\top \hat{\mathbf x}}{\sum_{\hat x} w(\hat x)}, \quad
       R = \frac{\sum_x w(x) \max_{\hat x} \mathbf x^\top \hat{\mathbf x}}{\sum_x w(x)}, \quad
       F_1 = \frac{2 P R}{P + R} $$

    Of several references each of P, R and F1 takes its maximum, as the package bert-score does. `idf=yes` weighs a
    piece by $-\log$ of the share of references that have it, with one more of either. `layer` is the layer whose
    vectors are compared (0, the default: the last). `baseline=FILE` rescales each number to (x − b) / (1 − b), by the
    row of the layer in a CSV file of bert-score. `part` is the number that is the score. `model` is `minilm`
    (all-MiniLM-L6-v2), or the folder of a BERT, RoBERTa or other model of transformers.

    Statistics [captions, 3]: P, R, F1. The corpus score is the mean. A caption without any piece scores 0.
    """

    model: str = option("minilm", "minilm, minilm-int8, or the folder of a model.")
    layer: int = option(0, "Layer whose vectors are compared; 0: the last.")
    idf: bool = option(False, "Weigh word pieces by how rare they are in the references.")
    baseline: str = option("", "CSV file of bert-score to rescale with.")
    part: Literal["f1", "precision", "recall"] = option("f1", "Number that is the score.")
    long: Long = option("truncate", "What happens to captions that are too long.")

    name: ClassVar[str] = "bertscore"
    paper_name: ClassVar[str] = "BERTScore"
    summary: ClassVar[str] = "how near its words are to those of a reference, as vectors in context"
    question: ClassVar = "adequacy"
    range: ClassVar[tuple[float | None, float | None]] = (None, 1.0)
    reads_texts: ClassVar[bool] = True
    uses_threads: ClassVar[bool] = True
    languages: ClassVar[tuple[str, ...]] = ("en",)
    citation: ClassVar[str] = (
        "Zhang, Kishore, Wu, Weinberger, Artzi. BERTScore: evaluating text generation with BERT. ICLR 2020."
    )

    def check(self, views: Facts) -> None:
        super().check(views)
        check_encoder(views, self.model, self.key)
        if self.baseline:
            self._baseline()
        elif self.layer:
            self._layer()

    def statistics(self, views: Views) -> Floats:
        found = views.get(_Matches(self.model, self.layer, self.idf, self.long, self.name))
        if self.baseline:
            low = np.array(self._baseline())
            found = (found - low) / (1 - low)
        return found

    def score(self, statistics: Floats) -> Floats:
        return statistics[:, PARTS.index(self.part)]

    def details(self, statistics: Floats) -> dict[str, float]:
        """Return means of precision, recall and F1."""
        return {name: float(np.nanmean(statistics[:, k])) for k, name in enumerate(PARTS) if len(statistics)}

    def knows(self, language: str) -> bool:
        return self.model in (MINILM, MINILM_INT8) and super().knows(language)

    def signature_parts(self, views: Facts) -> dict[str, Parameter]:
        baseline = ":".join(f"{number:g}" for number in self._baseline()) if self.baseline else "no"
        parts = {**super().signature_parts(views), "model": spelled_encoder(self.model, self.key)}
        return {**parts, "layer": self._layer(), "baseline": baseline}

    def _layer(self) -> int:
        encoder = find_encoder(self.model, self.key)
        if not 0 <= self.layer <= encoder.layers:
            fix = f"choose one of 1 to {encoder.layers}, or 0 for the last"
            raise InputError(f"{self.key}: the model has {encoder.layers} layers", field="layer", fix=fix)
        return self.layer or encoder.layers

    def _baseline(self) -> Baseline:
        return read_baseline(self.baseline, self._layer())

    def explain(self, views: Views, i: int) -> Explanation:
        statistics = self.statistics(views)[i : i + 1]
        matcher = _Matcher(views, find_encoder(self.model, self.key), self.layer or None, self.idf)
        candidate, *references = matcher.sides([views.corpus.candidates[i], *views.corpus.references_of(i)])
        each = [matched(candidate, reference) for reference in references]
        values: dict[str, float | int | str] = {
            f"reference {number}": f"P {p:.4f}  R {r:.4f}  F1 {f:.4f}" for number, (p, r, f) in enumerate(each, 1)
        }
        values |= dict(zip(PARTS, statistics[0].tolist(), strict=True))
        if not references:
            return self.explanation(views, i, self.score(statistics)[0], values)
        best = int(np.argmax(each, axis=0)[PARTS.index(self.part)])
        nearest = references[best]
        similarity = candidate.vectors @ nearest.vectors.T
        name = f"reference {best + 1}"
        sections = {
            f"words of the caption, matched with {name}": _lines(candidate, nearest, similarity),
            f"words of {name}, matched with the caption": _lines(nearest, candidate, similarity.T),
        }
        # Without the pieces at the ends of every text.
        matrix = Matrix(candidate.pieces[1:-1], nearest.pieces[1:-1], similarity[1:-1, 1:-1])
        matrices = {f"cosine of the words of the caption and {name}": matrix}
        return self.explanation(views, i, self.score(statistics)[0], values, sections, matrices=matrices)


class _Side(NamedTuple):
    """A caption: vectors of its pieces, of unit length, their weights, and how they are written."""

    vectors: Floats
    weights: Floats
    pieces: list[str]


def matched(candidate: _Side, reference: _Side) -> tuple[float, float, float]:
    """Precision, recall and F1 of a candidate and a reference; 0 where one has no piece that counts.

    >>> a, b = (_Side(np.eye(3)[rows], np.ones(len(rows)), []) for rows in ([0, 1], [1, 2, 0]))
    >>> [round(x, 3) for x in matched(a, b)]
    [1.0, 0.667, 0.8]
    """
    similarity = candidate.vectors @ reference.vectors.T
    return _numbers(similarity.max(axis=1), candidate.weights, similarity.max(axis=0), reference.weights)


def _numbers(forth: Floats, weights: Floats, back: Floats, other_weights: Floats) -> tuple[float, float, float]:
    total, other_total = float(weights.sum()), float(other_weights.sum())
    if total <= 0 or other_total <= 0:
        return 0.0, 0.0, 0.0
    precision, recall = float(forth @ weights) / total, float(back @ other_weights) / other_total
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0


@dataclass(frozen=True)
class _Matches(View[Floats]):
    """Precision, recall and F1 of each candidate, each the maximum over its references."""

    model: str
    layer: int
    idf: bool
    long: Long
    who: str

    def compute(self, views: Views) -> Floats:
        encoder = find_encoder(self.model, self.who)
        texts = [*views.corpus.candidates, *views.corpus.references]
        cut = encoder.tokens(texts, limit=encoder.longest).cut
        treat_long(views, cut, encoder.longest, self.who, self.long)
        matcher = _Matcher(views, encoder, self.layer or None, self.idf)
        found = np.full((len(views.corpus), 3), np.nan)
        with one_blas_thread():
            for rows in matcher.chunks():
                matcher.fill(found, rows)
        return found


class _Matcher:
    """Matches candidates with their references, as many at a time as memory allows."""

    def __init__(self, views: Views, encoder: TextEncoder, layers: int | None, idf: bool) -> None:
        self.views, self.encoder, self.layers = views, encoder, layers
        self.counts: Counter[int] | None = None  # references that have each piece
        if idf:  # over the references of the whole corpus, whatever rows are looked at
            ids = encoder.tokens(views.whole.corpus.references, limit=encoder.longest).ids
            self.counts = Counter(chain.from_iterable(set(row.tolist()) for row in ids))

    def weights(self, ids: Integers) -> Floats:
        """Return the weight of each piece."""
        if self.counts is None:
            return (~np.isin(ids, self.encoder.special)).astype(np.float64)
        documents = len(self.views.whole.corpus.references)
        return np.array([math.log((documents + 1) / (self.counts[piece] + 1)) for piece in ids.tolist()], np.float64)

    def encode(self, texts: list[str]) -> tuple[Ragged, Ragged]:
        """Return vectors of unit length and weights of the pieces of texts."""
        limit = self.encoder.longest
        vectors = self.encoder.encode(texts, layers=self.layers, limit=limit, workers=self.views.workers)
        lengths = np.sqrt(np.einsum("ij,ij->i", vectors.values, vectors.values))
        vectors.values[:] /= np.where(lengths > 0, lengths, 1)[:, None]
        ids = self.encoder.tokens(texts, limit=limit).ids
        return vectors, Ragged(self.weights(ids.values), ids.offsets)

    def sides(self, texts: list[str]) -> list[_Side]:
        """Return the sides of some captions."""
        vectors, weights = self.encode(texts)
        ids = self.encoder.tokens(texts, limit=self.encoder.longest).ids
        return [_Side(vectors[k].astype(np.float64), weights[k], self.encoder.spell(ids[k])) for k in range(len(texts))]

    def chunks(self) -> Iterator[Integers]:
        """Rows of candidates, those of an image together, so that the vectors of a chunk fit into memory."""
        corpus = self.views.corpus
        rows: list[int] = []
        inside: set[str] = set()
        pieces = 0
        for row in np.argsort(corpus.image, kind="stable").tolist():
            own = {corpus.candidates[row], *corpus.references_of(row)}
            if rows and pieces + _pieces(own - inside) > _ROWS:
                yield np.array(rows)
                rows, inside, pieces = [], set(), 0
            pieces += _pieces(own - inside)
            inside |= own
            rows.append(row)
        if rows:
            yield np.array(rows)

    def fill(self, found: Floats, rows: Integers) -> None:
        """Write the numbers of some candidates."""
        corpus = self.views.corpus
        number: dict[str, int] = {}
        sets = [
            [number.setdefault(text, len(number)) for text in (corpus.candidates[row], *corpus.references_of(row))]
            for row in rows.tolist()
        ]
        vectors, weights = self.encode(list(number))
        for row, (own, *others) in zip(rows.tolist(), counted(sets), strict=True):
            if not others:
                continue
            left, right = vectors[own], vectors.take(np.array(others))
            similarity = left @ right.values.T
            forth = np.maximum.reduceat(similarity, right.offsets[:-1], axis=1)
            back = Ragged(similarity.max(axis=0), right.offsets)
            each = [_numbers(forth[:, k], weights[own], back[k], weights[other]) for k, other in enumerate(others)]
            found[row] = np.max(each, axis=0)


def _pieces(texts: Iterable[str]) -> int:
    """Return about how many pieces texts have: words, signs, and the two at the ends."""
    return sum(len(text) // 4 + 2 for text in texts)


def _lines(side: _Side, other: _Side, similarity: Floats) -> list[Part]:
    """Return each piece that counts, the piece it matched, and how near they are."""
    nearest = similarity.argmax(axis=1).tolist()
    return [
        Part(
            f"{side.pieces[k]} → {other.pieces[nearest[k]]}",
            {"cosine": float(similarity[k, nearest[k]]), "weight": float(side.weights[k])},
        )
        for k in np.flatnonzero(side.weights > 0).tolist()
    ]


def read_baseline(path: str, layer: int) -> Baseline:
    """Return the baseline of a layer, what unrelated sentences score, from a CSV file of the package bert-score with
    the columns LAYER, P, R and F; layer 0 is the embeddings'."""
    try:
        with Path(path).open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError) as error:
        fix = "give a CSV file of bert-score"
        raise InputError(f"the baseline cannot be read ({error})", source=path, fix=fix) from None
    for number, row in enumerate(rows, 2):
        try:
            if int(row["LAYER"]) != layer:
                continue
            p, r, f = (float(row[name]) for name in ("P", "R", "F"))
        except (KeyError, TypeError, ValueError):
            fix = "the first line must be LAYER,P,R,F, and all others numbers"
            raise InputError(f"line {number} is not a baseline", source=path, row=number, fix=fix) from None
        if not max(p, r, f) < 1:
            raise InputError(f"line {number} has a baseline of 1 or more", source=path, row=number)
        return p, r, f
    raise InputError(f"the baseline has no layer {layer}", source=path, fix="give the file of this model")
