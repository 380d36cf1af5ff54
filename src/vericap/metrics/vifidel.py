"""VIFIDEL: is what a caption names in the picture? (Madhyastha, Wang and Specia 2019). No reference is needed.
After the paper's formula, what the authors' released code computes, which is not the same."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from vericap.arrays import Floats, Integers
from vericap.engine.blas import one_blas_thread
from vericap.engine.progress import counted
from vericap.errors import InputError
from vericap.lexicon.bags import Bags, content_bags
from vericap.lexicon.stop_words import stop_words
from vericap.lexicon.vectors import resolve, unit
from vericap.metrics.base import Metric, Parameter, note_some
from vericap.metrics.transport import MoversMetric, movers_distance, refuse_many_words, shown_links, travel_cost
from vericap.options.declared import option
from vericap.results.explanation import Explanation, Part
from vericap.text.vocabulary import encode
from vericap.views import Facts, View, Views
from vericap.views.bags import ContentBags
from vericap.views.pictures import PictureKind, Pictures, PicturesOf

NEAR = 0.3  # least cosine at which an explanation takes a word for a mention of an object

_WORD = re.compile(r"\b\w\w+\b")  # of the released code


@dataclass(frozen=True)
class Vifidel(MoversMetric):
    r"""The minimum distance, in the space of word vectors $x$, from the labels of the objects in image $I$ to the
    content words of caption $S$; $d$ are relative frequencies (eq. 3 of the paper):

    $$ \mathrm{VIFIDEL}(I, S) = \exp(-\mathrm{WMD}(d^I, d^S)), \quad
       \mathrm{WMD} = \min_{T \ge 0} \sum_{ij} T_{ij} \lVert x_i - x_j \rVert_2^p $$

    With references, what they all mention weighs less, on both sides (eq. 4 and 5):

    $$ \rho_k = \frac{1}{M} \sum_{r=1}^M \frac{1 - \max_{t \in R_r} \cos(x_k, x_t)}{2}, \quad
       c'(i, j) = \lVert \rho_i x_i - \rho_j x_j \rVert_2^p $$

    `objects`: all that were given (union), those people annotated (gold), those a detector found (detections), or
    what the scene graphs of the references name (references), which needs no object file. `frequency`: two dogs weigh
    as two; no: each label once. `references=no` leaves references aside where there are some. `p`: 1, as in the
    authors' code; the paper says 2. `variant=released` does as that code does, see `ReleasedVifidel`.

    Stop words, and words and labels without a vector, do not move. An image without objects, or a caption without
    content words, is infinitely far from the other side: the score is 0. Statistics [captions, 1]: the distance.

    >>> from vericap.corpus import Corpus
    >>> from vericap.readers.objects import add_objects
    >>> captions = Corpus.from_lists(["a puppy on a sofa", "a plate of pizza"], image_ids=[1, 2])
    >>> views = Views(add_objects(captions, {1: ["dog", "couch"], 2: ["dog", "couch"]}))
    >>> Vifidel().score(Vifidel().statistics(views)).round(3).tolist()
    [0.546, 0.284]
    """

    objects: PictureKind = option("union", "Objects that count: all, annotated, detected, or named by references.")
    frequency: bool = option(True, "Count a label as often as it occurs; no: once.")
    references: bool = option(True, "Weigh words by the references, if there are any.")
    p: Literal[1, 2] = option(1, "Power of the distance between two words.")
    vectors: str = option("shipped", "Word vectors: shipped, or the path of a file.")
    normalised: bool = option(True, "Bring word vectors to unit length.")
    stop_words: str = option("english", "Words that are left out: english, none, or the path of a file.")
    variant: Literal["paper", "released"] = option("paper", "As the paper says, or as its released code computes.")

    name: ClassVar[str] = "vifidel"
    paper_name: ClassVar[str] = "VIFIDEL"
    summary: ClassVar[str] = "how near its words are to the objects in the picture, as vectors"
    languages: ClassVar[tuple[str, ...]] = ("en",)
    question: ClassVar = "fidelity"
    citation: ClassVar[str] = (
        "Madhyastha, Wang, Specia. VIFIDEL: evaluating the visual fidelity of image descriptions. ACL 2019."
    )

    @classmethod
    def make(cls, **parameters: Any) -> Metric:
        if cls is Vifidel and parameters.get("variant") == "released":
            return ReleasedVifidel(**parameters)
        return cls(**parameters)

    @property
    def needs(self) -> tuple[str, ...]:  # type: ignore[override]  # the parameters decide
        return ("references",) if self.objects == "references" else ("objects",)

    @property
    def reads_references(self) -> bool:  # type: ignore[override]
        return self.references or self.objects == "references"

    def check(self, views: Facts) -> None:
        super().check(views)
        objects = views.corpus.objects
        if self.objects in ("gold", "detections") and objects is not None and not objects.rows(self.objects).any():
            other = "detections" if self.objects == "gold" else "gold"
            what = "annotated by people" if self.objects == "gold" else "with a confidence, as detectors give"
            problem, fix = "and none of those given is", f"use objects={other}, or add a file of such objects"
            raise InputError(f"{self.key} needs objects {what}, {problem}", field="objects", fix=fix)

    def statistics(self, views: Views) -> Floats:
        shown, bags = self._bags(views)
        rows = counted(range(len(views.corpus)))
        with one_blas_thread():
            return np.array([self._distance(views, row, shown, bags) for row in rows], float).reshape(-1, 1)

    def _bags(self, views: Views) -> tuple[Pictures, Bags]:
        """Return what each picture shows, as places among the bags' words, and the bags of the captions."""
        shown = views.get(PicturesOf(self.objects))
        bags, place = views.get(ContentBags(self.vectors, self.stop_words, self.normalised, tuple(shown.labels)))
        refuse_many_words(bags, views.corpus, self.key)
        unknown = [label for label, at in zip(shown.labels, place.tolist(), strict=True) if at < 0]
        note_some(views, f"{self.key}: labels without a vector do not count", unknown)
        return shown.at(place), bags

    def _sides(self, views: Views, row: int, shown: Pictures, bags: Bags) -> tuple[Integers, Integers, Floats, Floats]:
        """Return the objects and their counts, and the vectors that move: of objects, of the caption's words."""
        objects, counts = shown[int(views.corpus.image[row])]
        left, right = bags.vectors[objects], bags.vectors[bags[row][0]]
        if self.references and views.corpus.has_references:
            weights = self._weights(views, row, np.concatenate([left, right]), bags)
            left, right = left * weights[: len(left), None], right * weights[len(left) :, None]
        return objects, counts if self.frequency else np.ones_like(counts), left, right

    def _weights(self, views: Views, row: int, vectors: Floats, bags: Bags) -> Floats:
        """Return ρ of eq. 4 for each row of `vectors`. A reference without content words says nothing about any."""
        corpus = views.corpus
        first, last = corpus.reference_offsets[corpus.image[row] : corpus.image[row] + 2] + len(corpus)
        cuts = bags.offsets[first : last + 1]
        starts = np.unique(cuts[:-1][np.diff(cuts) > 0])
        if not len(starts):
            return np.ones(len(vectors))
        said = bags.vectors[bags.ids[cuts[0] : cuts[-1]]]
        if not self.normalised:
            vectors, said = unit(vectors), unit(said)
        nearest = np.maximum.reduceat(vectors @ said.T, starts - cuts[0], axis=1)
        # A word meets itself at 1 up to rounding.
        return np.asarray((np.maximum(1 - nearest, 0) / 2).mean(axis=1), float)

    def _distance(self, views: Views, row: int, shown: Pictures, bags: Bags) -> float:
        """Return WMD(d^I, d^S) of eq. 3; `score` takes exp(−WMD)."""
        corpus, image = views.corpus, views.corpus.image[row]
        if self.references and corpus.has_references:
            first, last = corpus.reference_offsets[image : image + 2]
            if first == last:  # an image without references, which `--missing zero` keeps
                return float("inf")
        _, of_image, objects, words = self._sides(views, row, shown, bags)  # d^I, x_i, x_j
        of_caption = bags[row][1]  # d^S
        return movers_distance(objects, of_image, words, of_caption, self.p)

    def signature_parts(self, views: Facts) -> dict[str, Parameter]:
        parts, objects = super().signature_parts(views), views.corpus.objects
        if self.reads_references:
            # The signature already records the number of references.
            del parts["references"]
        if self.objects != "references" and objects is not None:
            parts["objects"] = f"{self.objects} {objects.digest}"
        return parts

    def explain(self, views: Views, i: int) -> Explanation:
        shown, bags = self._bags(views)
        distance = self._distance(views, i, shown, bags)
        score = self.score(np.array([[distance]]))[0]
        values: dict[str, float | int | str] = {"distance": distance}
        objects, supply, left, right = self._sides(views, i, shown, bags)
        names, words = [bags.words[k] for k in objects], [bags.words[k] for k in bags[i][0]]
        if not np.isfinite(distance):
            values["why"] = "no object" if not names else "no content word" if not words else "no reference"
            return self.explanation(views, i, score, values)
        cost = travel_cost(left, right, self.p)
        sections, drawing = shown_links(names, words, supply, bags[i][1], cost)
        if self.references and views.corpus.has_references:
            vectors = np.concatenate([bags.vectors[objects], bags.vectors[bags[i][0]]])
            weights = self._weights(views, i, vectors, bags).tolist()
            sections["weights by references"] = [
                Part(name, {"ρ": weight}) for name, weight in zip([*names, *words], weights, strict=True)
            ]
        silent = _unmentioned(unit(bags.vectors[objects]), unit(bags.vectors[bags[i][0]]))
        sections[f"objects that no word mentions (none within cosine {NEAR:g})"] = [
            Part(names[k], {"nearest": words[near], "cosine": cosine}) for k, near, cosine in silent
        ]
        return self.explanation(views, i, score, values, sections, drawing)


def _unmentioned(objects: Floats, words: Floats) -> list[tuple[int, int, float]]:
    """Return objects that are the nearest object of no word, or of none that is near: with their nearest word."""
    cosine = objects @ words.T
    nearest = cosine.argmax(axis=0)
    mentioned = {int(k) for word, k in enumerate(nearest) if cosine[k, word] >= NEAR}
    return [(k, int(cosine[k].argmax()), float(cosine[k].max())) for k in range(len(objects)) if k not in mentioned]


@dataclass(frozen=True)
class ReleasedVifidel(Vifidel):
    """VIFIDEL as the released code has it: the number is the distance itself, so lower is better; p is 1 and
    vectors have unit length; words are runs of two letters or digits and more, of captions and of labels alike, so a
    label of two words is two objects, and stop words leave labels too; and where no two words differ, the answer
    is infinity, although nothing has to move.

    Words without a vector stop that code; here they are left out.

    >>> from vericap.corpus import Corpus
    >>> from vericap.readers.objects import add_objects
    >>> views = Views(add_objects(Corpus.from_lists(["a puppy", "dog"]), [["dog"], ["dog"]]))
    >>> metric = ReleasedVifidel()
    >>> str(metric), metric.score(metric.statistics(views)).round(3).tolist(), metric.higher_is_better
    ('vifidel(variant=released)', [0.595, inf], False)
    """

    variant: Literal["paper", "released"] = option("released", "As the paper says, or as its released code computes.")

    range: ClassVar[tuple[float | None, float | None]] = (0.0, None)
    higher_is_better: ClassVar[bool] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        for field, value, only in (("p", self.p, 1), ("normalised", self.normalised, True)):
            if value != only:
                raise InputError(f"the released code has {field}={only} only", field=field, fix="leave it out")

    def parameters(self) -> dict[str, Parameter]:
        return {**super().parameters(), "variant": self.variant}

    def score(self, statistics: Floats) -> Floats:
        return statistics[:, 0]

    def _bags(self, views: Views) -> tuple[Pictures, Bags]:
        return views.get(_ReleasedBags(self.objects, self.vectors, self.stop_words))

    def _distance(self, views: Views, row: int, shown: Pictures, bags: Bags) -> float:
        distance = super()._distance(views, row, shown, bags)
        if distance:
            return distance
        both = np.concatenate(self._sides(views, row, shown, bags)[2:])
        return distance if travel_cost(both, both, 1).any() else float("inf")


@dataclass(frozen=True)
class _ReleasedBags(View[tuple[Pictures, Bags]]):
    """Pictures and captions as bags of the words that the released code finds in their texts."""

    objects: PictureKind
    vectors: str
    stop_words: str

    def compute(self, views: Views) -> tuple[Pictures, Bags]:
        shown = views.get(PicturesOf(self.objects))
        vocabulary: dict[str, int] = {}
        captions = [*views.corpus.candidates, *views.corpus.references]
        # A picture's text is its labels one after the other, as often as they are counted.
        texts = [_text(shown, image) for image in range(len(shown.offsets) - 1)]
        columns = encode([*captions, *texts], lambda text: _WORD.findall(text.lower()), vocabulary)
        every, _ = content_bags(columns, list(vocabulary), resolve(self.vectors), stop_words(self.stop_words))
        split = len(captions)
        middle = every.offsets[split]
        objects = Pictures(every.words, every.ids[middle:], every.counts[middle:], every.offsets[split:] - middle)
        return objects, replace(every, offsets=every.offsets[: split + 1])


def _text(shown: Pictures, image: int) -> str:
    labels, counts = shown[image]
    return " ".join(" ".join([shown.labels[k]] * n) for k, n in zip(labels.tolist(), counts.tolist(), strict=True))
