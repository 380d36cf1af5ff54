"""Verity: how far a caption says what people say of the picture, word by word, learned without human judgements."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from vericap.arrays import Floats, Integers
from vericap.engine.local import in_threads
from vericap.errors import InputError
from vericap.metrics.base import Metric, Parameter, Question
from vericap.metrics.verity.explanation import explain
from vericap.metrics.verity.head import STATISTICS
from vericap.metrics.verity.matching import References, match
from vericap.metrics.verity.model import Model, Picture, load
from vericap.results.explanation import Explanation
from vericap.views import View, Views

_CHUNK = 500  # captions that are encoded together, so that memory does not grow with the corpus


@dataclass(frozen=True)
class VerityFamily(Metric):
    """What Verity and its two parts share."""

    model: str = ""

    question: ClassVar[Question] = "adequacy"
    reads_texts: ClassVar[bool] = True
    citation: ClassVar[str] = "Vericap (docs/verity.md)."

    def check(self, views: Views) -> None:
        super().check(views)
        if views.language != "en" and not self.model:
            raise InputError(
                f"{self.key} was trained on English, and --language is {views.language!r}",
                field="language",
                fix=f"leave the metric out, or give {self.name}(model=FOLDER) for a model of that language",
            )
        load(self.model)

    def statistics(self, views: Views) -> Floats:
        return views.get(Matches(self.model))

    def details(self, statistics: Floats) -> dict[str, Any]:
        """Means of fidelity and adequacy, and of the summands of z by kind."""
        if not len(statistics) or np.isnan(statistics).all():
            return {}
        summands = dict(zip(STATISTICS[:4], np.nanmean(statistics[:, :4], axis=0).tolist(), strict=True))
        parts = {"fidelity": part_score(statistics, "support"), "adequacy": part_score(statistics, "agreed coverage")}
        return {**{name: float(np.nanmean(values)) for name, values in parts.items()}, "summands": summands}

    def signature_parts(self, views: Views) -> dict[str, Parameter]:
        return {**super().signature_parts(views), "model": load(self.model).digest}

    def explain(self, views: Views, i: int) -> Explanation:
        model, corpus = load(self.model), views.corpus
        score = float(self.score(views.rows([i]).get(Matches(self.model)))[0])
        found = explain(model, corpus.candidates[i], corpus.references_of(i))
        return self.explanation(views, i, score, found.values, found.sections, found.drawing, found.matrices)


@dataclass(frozen=True)
class Verity(VerityFamily):
    r"""How far a caption's words are supported by the references (fidelity) and the references' words covered by the
    caption (adequacy), beside how far the references agree with each other. Features $f_k$ of the caption and $g_k$ of
    the references among each other (support, coverage and cosines: docs/verity.md) add up to one number,

    $$ z = \sum_k w_k f_k + \sum_k y_k g_k + b(\lvert R \rvert), \qquad \mathrm{verity} = \frac{1}{1 + e^{-z}} $$

    with learned weights $w_k \ge 0$. At 1/2 a caption is as likely to be a person's caption of this picture as a
    person's caption of a similar one. `scale=logit` gives $z$ itself; `model` is the folder of a model of your own.
    A caption without a word has a score of about 0; a picture whose references have none has no score.

    Statistics [captions, 6]: the summands of z by kind (fidelity, adequacy, the texts as wholes, the references alone),
    support and agreed coverage. The corpus score is the mean.

    >>> from vericap.corpus import Corpus
    >>> references = ["a man rides a wave on a surfboard", "a surfer in the sea", "someone is surfing"]
    >>> captions = ["a man surfing a big wave", "a man walks a dog in a park", ""]
    >>> verity = Verity()
    >>> scores = verity.score(verity.statistics(Views(Corpus.from_lists(captions, [references] * 3))))
    >>> bool(scores[0] > 0.5 > scores[1] > scores[2])
    True
    """

    scale: Literal["probability", "logit"] = "probability"

    name: ClassVar[str] = "verity"

    @property
    def range(self) -> tuple[float | None, float | None]:  # type: ignore[override]  # depends on the scale
        return (None, None) if self.scale == "logit" else (0.0, 1.0)

    def score(self, statistics: Floats) -> Floats:
        fidelity, adequacy, wholes, references = statistics[:, :4].T
        z: Floats = fidelity + adequacy + wholes + references
        if self.scale == "logit":
            return z
        with np.errstate(over="ignore"):
            return np.asarray(1 / (1 + np.exp(-z)))


@dataclass(frozen=True)
class VerityFidelity(VerityFamily):
    r"""The fidelity part of Verity alone: how far each word of the caption is supported by the reference that supports
    it best, averaged by how much the word matters. Negative values count as 0.

    $$ \sum_t \bar a_t \max_{r \in R} m(t, r) $$
    """

    name: ClassVar[str] = "verity.fidelity"
    question: ClassVar[Question] = "fidelity"

    def score(self, statistics: Floats) -> Floats:
        return part_score(statistics, "support")


@dataclass(frozen=True)
class VerityAdequacy(VerityFamily):
    r"""The adequacy part of Verity alone: how far the caption covers the words of the references, averaged by how much
    a word matters and how far the other references support it. Negative values count as 0.

    $$ \frac{1}{\lvert R \rvert} \sum_r \sum_{u \in r} \bar a^R_u\, m(u, c) $$
    """

    name: ClassVar[str] = "verity.adequacy"

    def score(self, statistics: Floats) -> Floats:
        return part_score(statistics, "agreed coverage")


def part_score(statistics: Floats, name: str) -> Floats:
    """A feature as a score from 0 to 1."""
    return np.clip(statistics[:, STATISTICS.index(name)], 0.0, 1.0)


class _Chunk(NamedTuple):
    """What was found of some rows."""

    statistics: Floats
    cut: int  # captions that were cut off
    cut_references: dict[int, int]  # the same of references, by image


@dataclass(frozen=True)
class Matches(View[Floats]):
    """The statistics of captions, which Verity and its parts share."""

    model: str

    def compute(self, views: Views) -> Floats:
        model, corpus = load(self.model), views.corpus
        chunks = list(_chunks(corpus.image))
        if len(chunks) == 1:
            found = [_match_rows(model, views, chunks[0], views.workers)]
        else:
            # Threads over chunks: one matches while another encodes. BLAS stays at one thread until the last is done.
            with threadpool_limits(1, "blas"):
                found = in_threads(lambda rows: _match_rows(model, views, rows, 1), chunks, workers=views.workers)
        statistics = np.full((len(corpus), len(STATISTICS)), np.nan)
        cut_references: dict[int, int] = {}
        for rows, chunk in zip(chunks, found, strict=True):
            statistics[rows] = chunk.statistics
            cut_references |= chunk.cut_references
        _note_cut(views, model, sum(chunk.cut for chunk in found), sum(cut_references.values()))
        return statistics


def _match_rows(model: Model, views: Views, rows: Integers, workers: int) -> _Chunk:
    corpus = views.corpus
    images = corpus.image[rows].tolist()
    pictures: dict[int, Picture] = {}
    for row, image in zip(rows.tolist(), images, strict=True):
        if image not in pictures:
            pictures[image] = tuple(corpus.references_of(row))
    captions, gathered = model.read([corpus.candidates[row] for row in rows.tolist()], list(pictures.values()), workers)
    references: dict[int, References | None] = dict(zip(pictures, gathered, strict=True))
    alone = {image: model.head.alone(found) for image, found in references.items() if found is not None}
    features = np.full((len(rows), len(model.head.features)), np.nan)
    for place, (caption, image) in enumerate(zip(captions, images, strict=True)):
        found = references[image]
        if found is not None:
            features[place] = match(caption, found)
    constant = np.array([alone.get(image, np.nan) for image in images])
    cut = {image: found.cut for image, found in references.items() if found is not None}
    return _Chunk(model.head.statistics(features, constant), sum(caption.cut for caption in captions), cut)


def _chunks(image: Integers) -> Iterator[Integers]:
    """Rows in parts, those of one image beside each other."""
    order = np.argsort(image, kind="stable")
    for first in range(0, len(order), _CHUNK):
        yield order[first : first + _CHUNK]


def _note_cut(views: Views, model: Model, captions: int, references: int) -> None:
    counts = [(captions, "caption"), (references, "reference")]
    said = [f"{count:,} {what}{'s' if count > 1 else ''}" for count, what in counts if count]
    if said:
        verb = "are" if captions + references > 1 else "is"
        limit = model.encoder.config.limit - 2
        views.note(f"verity: {' and '.join(said)} {verb} longer than {limit} word pieces; the rest is not read")
