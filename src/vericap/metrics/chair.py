"""CHAIR (Rohrbach et al. 2018): objects that a caption mentions and the picture does not hold."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from vericap.arrays import Booleans, Floats, rows_of
from vericap.lexicon.coco_objects import Mentions, object_words
from vericap.metrics.base import Metric, Parameter, note_some, total
from vericap.options.declared import option
from vericap.results.explanation import Explanation, Part
from vericap.views import Facts, View, Views

TRUTHS = {"union": ("objects", "references"), "labels": ("objects",), "references": ("references",)}


@dataclass(frozen=True)
class Chair(Metric):
    """Mentions of COCO's 80 objects, by their names and synonyms, and how many of them are hallucinated.

    `truth` says what is in the picture: the `labels` given, the objects that its `references` mention, or, as in the
    paper, the `union` of both. Labels outside the 80 say nothing. `rules=original` misses the words that the
    authors' program misses, "bus" among them.

    Statistics [captions, 2]: mentions, and how many of them are hallucinated.
    """

    truth: Literal["union", "labels", "references"] = option("union", "Where objects of the picture come from.")
    rules: Literal["mended", "original"] = option("mended", "The authors' rules, mended or as they are.")

    question: ClassVar = "fidelity"
    languages: ClassVar[tuple[str, ...]] = ("en",)
    higher_is_better: ClassVar[bool] = False
    citation: ClassVar[str] = (
        "Rohrbach, Hendricks, Burns, Darrell, Saenko. Object hallucination in image captioning. EMNLP 2018."
    )

    @property
    def needs(self) -> tuple[str, ...]:  # type: ignore[override]  # the parameters decide
        return TRUTHS[self.truth]

    @property
    def reads_references(self) -> bool:  # type: ignore[override]
        return "references" in self.needs

    def without_references(self) -> Metric | None:
        """By the labels alone; its key says so."""
        return replace(self, truth="labels") if self.truth == "union" else None

    def statistics(self, views: Views) -> Floats:
        found = views.get(_CandidateMentions(self.rules))
        truth = views.get(_ObjectsInPictures(self.needs, self.rules))
        hallucinated = ~truth[views.corpus.image[found.caption], found.object]
        rows, objects, words = len(views.corpus), views.corpus.objects, object_words(self.rules)
        if "objects" in self.needs and objects is not None:
            unknown = [label for label in objects.labels if words.of_label(label) < 0]
            note_some(views, f"{self.key}: labels outside COCO's 80 classes do not count", unknown)
        return np.column_stack(
            [np.bincount(found.caption, minlength=rows), np.bincount(found.caption, hallucinated, rows)]
        ).astype(np.float64)

    def details(self, statistics: Floats) -> dict[str, Any]:
        mentions, hallucinated = total(statistics, None).astype(int).tolist()
        return {"mentions": mentions, "hallucinated": hallucinated}

    def check(self, views: Facts) -> None:
        super().check(views)
        self.require_english(views, "finds objects by English words", "leave the metric out")

    def signature_parts(self, views: Facts) -> dict[str, Parameter]:
        parts: dict[str, Parameter] = {"truth": self.truth, "words": object_words(self.rules).source}
        if "objects" in self.needs and views.corpus.objects is not None:
            parts["objects"] = views.corpus.objects.digest
        return parts

    def explain(self, views: Views, i: int) -> Explanation:
        names = object_words(self.rules).objects
        found = views.get(_CandidateMentions(self.rules))
        truth = views.get(_ObjectsInPictures(self.needs, self.rules))[views.corpus.image[i]]
        tokens = views.words.spell(views.words.candidates[i])
        sections: dict[str, list[Part]] = {"hallucinated": [], "in the picture": []}
        own = np.flatnonzero(found.caption == i)
        for at, words, number in zip(found.at[own], found.words[own], found.object[own], strict=True):
            where = "in the picture" if truth[number] else "hallucinated"
            sections[where].append(Part(" ".join(tokens[at : at + words]), {"object": names[number]}))
        unsaid = truth.copy()
        unsaid[found.object[own]] = False
        sections["not mentioned"] = [Part(names[number]) for number in np.flatnonzero(unsaid)]
        statistics = self.statistics(views)[i : i + 1]
        values = {"mentions": int(statistics[0, 0]), "hallucinated": int(statistics[0, 1])}
        return self.explanation(views, i, self.score(statistics)[0], dict(values), sections)


@dataclass(frozen=True)
class _CandidateMentions(View[Mentions]):
    """The objects that the candidates mention."""

    rules: str

    def compute(self, views: Views) -> Mentions:
        return object_words(self.rules).find(views.words.candidates, views.words.words)


@dataclass(frozen=True)
class _ObjectsInPictures(View[Booleans]):
    """Return whether each image has each object, array [images, 80]."""

    sources: tuple[str, ...]
    rules: str

    def compute(self, views: Views) -> Booleans:
        words, corpus = object_words(self.rules), views.corpus
        images = max(corpus.images, int(corpus.image.max(initial=-1)) + 1)
        there = np.zeros((images, len(words.objects)), bool)
        if "references" in self.sources:
            found = words.find(views.words.references, views.words.words)
            image = np.searchsorted(corpus.reference_offsets, found.caption, "right") - 1
            there[image, found.object] = True
        if "objects" in self.sources and corpus.objects is not None:
            offsets, label, _ = corpus.objects.distinct()
            image = rows_of(np.diff(offsets))
            number = np.array([*map(words.of_label, corpus.objects.labels), -1])[label]
            there[image[number >= 0], number[number >= 0]] = True
        return there


@dataclass(frozen=True)
class ChairI(Chair):
    r"""The share of mentions that are hallucinated; see `Chair` for the parameters.

    $$ \mathrm{CHAIR}_i = \frac{|\{\text{hallucinated mentions}\}|}{|\{\text{mentions}\}|} $$

    A caption without mentions scores 0, as in the original. The corpus score sums first; without any mention it is
    undefined.

    >>> from vericap.corpus import Corpus
    >>> views = Views(Corpus.from_lists(["a dog and two cats"], [["a puppy"]]), tokenizer="whitespace")
    >>> chair = ChairI("references")
    >>> chair.statistics(views).tolist(), chair.aggregate(chair.statistics(views))
    ([[2.0, 1.0]], 0.5)
    """

    name: ClassVar[str] = "chair-i"
    paper_name: ClassVar[str] = "CHAIR-i"
    summary: ClassVar[str] = "share of the objects it mentions that are not in the picture"
    summed: ClassVar[bool] = True

    def score(self, statistics: Floats) -> Floats:
        mentions, hallucinated = statistics.T
        return np.asarray(hallucinated / np.maximum(mentions, 1))

    def aggregates(self, statistics: Floats, weights: Floats) -> Floats:
        mentions, hallucinated = (weights @ statistics).T
        return np.asarray(np.divide(hallucinated, mentions, out=np.full(len(weights), np.nan), where=mentions > 0))

    def from_sums(self, sums: Floats) -> float:
        return float(self.aggregates(sums[None], np.ones((1, 1)))[0])


@dataclass(frozen=True)
class ChairS(Chair):
    r"""The share of captions with a hallucinated object; see `Chair` for the parameters.

    $$ \mathrm{CHAIR}_s = \frac{|\{\text{captions with a hallucinated object}\}|}{|\{\text{captions}\}|} $$

    >>> ChairS().score(np.array([[2.0, 1.0], [3.0, 0.0], [0.0, 0.0]])).tolist()
    [1.0, 0.0, 0.0]
    """

    name: ClassVar[str] = "chair-s"
    paper_name: ClassVar[str] = "CHAIR-s"
    summary: ClassVar[str] = "share of the captions that mention an object not in the picture"

    def score(self, statistics: Floats) -> Floats:
        return (statistics[:, 1] > 0).astype(np.float64)
