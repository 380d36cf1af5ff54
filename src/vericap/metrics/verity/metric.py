"""Verity: how far a caption says what people say of the picture, word by word, learned without human judgements."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from vericap.arrays import Floats, Integers
from vericap.engine.blas import one_blas_thread
from vericap.engine.local import in_threads
from vericap.metrics.base import Metric, Parameter, Question
from vericap.metrics.verity.explanation import explain
from vericap.metrics.verity.head import STATISTICS
from vericap.metrics.verity.matching import EncodedReferences, match
from vericap.metrics.verity.model import Model, Picture, load
from vericap.metrics.verity.objects import label_texts, match_objects, object_pieces
from vericap.options.declared import option
from vericap.results.explanation import Explanation
from vericap.views import Facts, View, Views

_CHUNK = 500  # captions that are encoded together, so that memory does not grow with the corpus
_LEAST_ODDS = 1e-6  # scores by objects alone are held this far from 0 and 1 where their logit is taken


@dataclass(frozen=True)
class VerityFamily(Metric):
    """The common base of Verity and its two parts."""

    model: str = option("", "File of a model of your own; default: the one that ships.")

    question: ClassVar[Question] = "adequacy"
    reads_texts: ClassVar[bool] = True
    uses_threads: ClassVar[bool] = True
    languages: ClassVar[tuple[str, ...]] = ("en",)
    citation: ClassVar[str] = "Vericap (docs/verity.md)."

    @property
    def _matches(self) -> Matches:
        return Matches(self.model)

    def check(self, views: Facts) -> None:
        super().check(views)
        if not self.model:
            fix = f"leave the metric out, or give {self.name}(model=FOLDER) for a model of that language"
            self.require_english(views, "was trained on English", fix)
        load(self.model)

    def statistics(self, views: Views) -> Floats:
        return views.get(self._matches)

    def details(self, statistics: Floats) -> dict[str, Any]:
        """Return means of fidelity and adequacy, and of the summands of z by kind."""
        if not len(statistics) or np.isnan(statistics).all():
            return {}
        summed = statistics[~np.isnan(statistics[:, 0]), :4]  # captions without references have no summands
        summands = dict(zip(STATISTICS[:4], np.nanmean(summed, axis=0).tolist(), strict=True)) if len(summed) else {}
        parts = {"fidelity": part_score(statistics, "support"), "adequacy": part_score(statistics, "agreed coverage")}
        means = {name: float(np.nanmean(v)) for name, v in parts.items() if not np.isnan(v).all()}
        return {**means, **({"summands": summands} if summands else {})}

    def knows(self, language: str) -> bool:
        return not self.model and super().knows(language)

    def signature_parts(self, views: Facts) -> dict[str, Parameter]:
        return {**super().signature_parts(views), "model": load(self.model).digest}

    def explain(self, views: Views, i: int) -> Explanation:
        model, corpus = load(self.model), views.corpus
        matches = self._matches
        score = float(self.score(views.rows([i]).get(matches))[0])
        labels = label_texts(corpus.objects_of(i)) if matches.joined else ()
        found = explain(model, corpus.candidates[i], corpus.references_of(i), labels, matches.tuned)
        return self.explanation(views, i, score, found.values, found.sections, found.drawing, found.matrices)


@dataclass(frozen=True)
class Verity(VerityFamily):
    r"""The degree to which a caption's words are supported by the references (fidelity) and the references' words
    covered by the caption (adequacy), compared with how far the references agree with each other. Features $f_k$ of the
    caption and $g_k$ of the references among each other (support, coverage and cosines: docs/verity.md) add up to one
    number,

    $$ z = \sum_k w_k f_k + \sum_k y_k g_k + b(\lvert R \rvert), \qquad \mathrm{verity} = \frac{1}{1 + e^{-z}} $$

    with learned weights $w_k \ge 0$. At 1/2 a caption is as likely to be a person's caption of this picture as a
    person's caption of a similar one. `scale=logit` gives $z$ itself; `model` is the folder of a model of your own.
    `tuned=all` takes weights $w_k$ that were fitted to human judgements, `tuned=without-composite` and others those
    that never saw the judgements of one benchmark (docs/verity.md).
    A caption without a word has a score of about 0; a picture whose references have none has no score.

    `objects=join` takes the labels of the picture's objects as one more reference in support and unsupported. A picture
    without references is compared with them alone, by a formula that was not trained: the harmonic mean of how far
    the caption's object words are among the objects, and the objects in the caption (docs/verity.md).

    Statistics [captions, 6]: the summands of z by kind (fidelity, adequacy, the texts as wholes, the references alone),
    support and agreed coverage. With `objects=join` a seventh is the score by objects alone; such captions have
    precision and recall for support and agreed coverage, and no summands. The corpus score is the mean.

    >>> from vericap.corpus import Corpus
    >>> references = ["a man rides a wave on a surfboard", "a surfer in the sea", "someone is surfing"]
    >>> captions = ["a man surfing a big wave", "a man walks a dog in a park", ""]
    >>> verity = Verity()
    >>> scores = verity.score(verity.statistics(Views(Corpus.from_lists(captions, [references] * 3))))
    >>> bool(scores[0] > 0.5 > scores[1] > scores[2])
    True
    """

    scale: Literal["probability", "logit"] = option("probability", "probability (0 to 1), or its logit.")
    tuned: str = option("", "Weights fitted to human judgements: all, without-composite, …; default: none.")
    objects: Literal["off", "join"] = option("off", "join: labels of objects are one more reference.")

    name: ClassVar[str] = "verity"
    paper_name: ClassVar[str] = "Verity"
    summary: ClassVar[str] = "learned: its words supported by the references, and theirs covered by it"

    @property
    def needs(self) -> tuple[str, ...]:  # type: ignore[override]  # the parameters decide
        return ("objects",) if self.objects == "join" else ("references",)

    @property
    def _matches(self) -> Matches:
        return Matches(self.model, self.tuned, self.objects == "join")

    def check(self, views: Facts) -> None:
        super().check(views)
        if self.objects == "join":
            self.require_english(views, "finds objects by English words", "leave objects=join out")
        judgements = load(self.model).head.sums_of(self.tuned).judgements
        if judgements:
            views.note(
                f"{self.key} was fitted to the human judgements of {', '.join(judgements)}: do not judge it there"
            )

    @property
    def range(self) -> tuple[float | None, float | None]:  # type: ignore[override]  # depends on the scale
        return (None, None) if self.scale == "logit" else (0.0, 1.0)

    def signature_parts(self, views: Facts) -> dict[str, Parameter]:
        parts = super().signature_parts(views)
        if self.objects == "off":
            del parts["objects"]  # whatever they are, they do not change the number
        elif views.corpus.objects is not None:
            parts["objects"] = f"join {views.corpus.objects.digest}"
        return parts

    def score(self, statistics: Floats) -> Floats:
        fidelity, adequacy, wholes, references = statistics[:, :4].T
        z: Floats = fidelity + adequacy + wholes + references
        with np.errstate(over="ignore"):
            scores = z if self.scale == "logit" else np.asarray(1 / (1 + np.exp(-z)))
        if self.objects == "off":
            return scores
        alone = statistics[:, len(STATISTICS)]
        if self.scale == "logit":
            held = np.clip(alone, _LEAST_ODDS, 1 - _LEAST_ODDS)
            alone = np.log(held / (1 - held))
        return np.where(np.isnan(alone), scores, alone)


@dataclass(frozen=True)
class VerityFidelity(VerityFamily):
    r"""The fidelity part of Verity alone: how far each word of the caption is supported by the reference that supports
    it best, averaged by how much the word matters. Negative values count as 0.

    $$ \sum_t \bar a_t \max_{r \in R} m(t, r) $$
    """

    name: ClassVar[str] = "verity.fidelity"
    paper_name: ClassVar[str] = "Verity fidelity"
    summary: ClassVar[str] = "how far the references support its words"
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
    paper_name: ClassVar[str] = "Verity adequacy"
    summary: ClassVar[str] = "how far it covers what the references agree on"

    def score(self, statistics: Floats) -> Floats:
        return part_score(statistics, "agreed coverage")


def part_score(statistics: Floats, name: str) -> Floats:
    """Return a feature as a score from 0 to 1."""
    return np.clip(statistics[:, STATISTICS.index(name)], 0.0, 1.0)


class _Chunk(NamedTuple):
    """The matches of some rows."""

    statistics: Floats
    cut: int  # captions that were cut off
    cut_references: dict[int, int]  # the same of references, by image
    by_objects: int = 0  # captions that were compared with objects alone


@dataclass(frozen=True)
class Matches(View[Floats]):
    """The statistics of captions, which Verity and its parts share."""

    model: str
    tuned: str = ""
    joined: bool = False  # whether objects join

    def compute(self, views: Views) -> Floats:
        model, corpus = load(self.model), views.corpus
        order = np.argsort(corpus.image, kind="stable")  # the rows of an image next to each other
        chunks = [order[first : first + _CHUNK] for first in range(0, len(order), _CHUNK)]
        # Threads over chunks: one matches while another encodes.
        inside = views.workers if len(chunks) == 1 else 1
        match_rows = partial(_match_rows, model, views, workers=inside, matches=self)
        with one_blas_thread():
            found = in_threads(match_rows, chunks, workers=views.workers if len(chunks) > 1 else 1)
        statistics = np.full((len(corpus), len(STATISTICS) + self.joined), np.nan)
        cut_references: dict[int, int] = {}
        for rows, chunk in zip(chunks, found, strict=True):
            statistics[rows] = chunk.statistics
            cut_references |= chunk.cut_references
        _note_cut(views, model, sum(chunk.cut for chunk in found), sum(cut_references.values()))
        if by_objects := sum(chunk.by_objects for chunk in found):
            are = "captions have no reference and are" if by_objects > 1 else "caption has no reference and is"
            views.note(
                f"verity(objects=join): {by_objects:,} {are} compared with the objects alone, by a formula that was "
                "not trained: do not compare such scores with those of captions that have references"
            )
        return statistics


def _match_rows(model: Model, views: Views, rows: Integers, workers: int, matches: Matches) -> _Chunk:
    corpus, sums = views.corpus, model.head.sums_of(matches.tuned)
    images = corpus.image[rows].tolist()
    a_row = dict(zip(images, rows.tolist(), strict=True))  # of each image
    pictures: dict[int, Picture] = {image: tuple(corpus.references_of(row)) for image, row in a_row.items()}
    joined = a_row if matches.joined else {}
    labels: dict[int, Picture] = {image: label_texts(corpus.objects_of(row)) for image, row in joined.items()}
    texts = [corpus.candidates[row] for row in rows.tolist()]
    captions, gathered = model.read(texts, [*pictures.values(), *labels.values()], workers)
    references: dict[int, EncodedReferences | None] = dict(zip(pictures, gathered, strict=False))
    objects: dict[int, EncodedReferences | None] = dict(zip(labels, gathered[len(pictures) :], strict=True))
    alone = {image: sums.alone(found) for image, found in references.items() if found is not None}
    features = np.full((len(rows), len(sums.features)), np.nan)
    for place, (caption, image) in enumerate(zip(captions, images, strict=True)):
        found = references[image]
        if found is not None:
            features[place] = match(caption, found, objects.get(image))
    constant = np.array([alone.get(image, np.nan) for image in images])
    statistics, by_objects = sums.statistics(features, constant), 0
    if matches.joined:
        lacking = [None if references[image] is not None else objects[image] for image in images]
        added = np.full((len(rows), 3), np.nan)  # precision, recall and score by objects alone
        for place, given in enumerate(lacking):
            if given is not None:
                added[place] = match_objects(captions[place], object_pieces(model.encoder, texts[place]), given)
        by_objects = sum(given is not None for given in lacking)
        statistics = np.column_stack([statistics, np.full(len(rows), np.nan)])
        statistics[:, -3:] = np.where(np.isnan(added[:, 2:]), statistics[:, -3:], added)
    cut = {image: found.cut for image, found in references.items() if found is not None}
    return _Chunk(statistics, sum(caption.cut for caption in captions), cut, by_objects)


def _note_cut(views: Views, model: Model, captions: int, references: int) -> None:
    counts = [(captions, "caption"), (references, "reference")]
    said = [f"{count:,} {what}{'s' if count > 1 else ''}" for count, what in counts if count]
    if said:
        verb = "are" if captions + references > 1 else "is"
        limit = model.encoder.config.limit - 2
        views.note(f"verity: {' and '.join(said)} {verb} longer than {limit} word pieces; the rest is not read")
