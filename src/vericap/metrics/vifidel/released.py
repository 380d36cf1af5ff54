"""VIFIDEL as its authors' released code computes it, which is not what their paper says."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from vericap.arrays import Floats, Ragged
from vericap.errors import InputError
from vericap.lexicon.bags import Bags, content_bags
from vericap.lexicon.stop_words import stop_words
from vericap.lexicon.vectors import resolve
from vericap.metrics.base import Parameter
from vericap.metrics.transport import travel_cost
from vericap.metrics.vifidel.paper import Vifidel
from vericap.options.declared import option
from vericap.text.vocabulary import encode
from vericap.views import View, Views
from vericap.views.pictures import PictureKind, Pictures, PicturesOf

_WORD = re.compile(r"\b\w\w+\b")


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
        if distance == 0:
            _, _, left, right = self._sides(views, row, shown, bags)
            both = np.concatenate([left, right])
            if not travel_cost(both, both, 1).any():
                return float("inf")
        return distance


@dataclass(frozen=True)
class _ReleasedBags(View[tuple[Pictures, Bags]]):
    """Pictures and captions as bags of the words that the released code finds in their texts."""

    objects: PictureKind
    vectors: str
    stop_words: str

    def compute(self, views: Views) -> tuple[Pictures, Bags]:
        shown = views.get(PicturesOf(self.objects))
        vocabulary: dict[str, int] = {}
        captions = encode([*views.corpus.candidates, *views.corpus.references], _words, vocabulary)
        # A picture's text is its labels one after the other, as often as they are counted.
        texts = [_text(shown, image) for image in range(len(shown.offsets) - 1)]
        columns = Ragged.join([captions, encode(texts, _words, vocabulary)])
        every, _ = content_bags(columns, list(vocabulary), resolve(self.vectors), stop_words(self.stop_words))
        split = len(captions)
        middle = every.offsets[split]
        objects = Pictures(every.words, every.ids[middle:], every.counts[middle:], every.offsets[split:] - middle)
        return objects, replace(every, offsets=every.offsets[: split + 1])


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _text(shown: Pictures, image: int) -> str:
    labels, counts = shown[image]
    return " ".join(" ".join([shown.labels[k]] * n) for k, n in zip(labels.tolist(), counts.tolist(), strict=True))
