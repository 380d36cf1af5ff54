"""The content of each picture, for metrics that compare captions with it: labels and counts, from annotations, from
detectors, or from the scene graphs of the references."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from vericap.arrays import Integers, offsets_of
from vericap.scene.caption_graphs import caption_propositions
from vericap.scene.graph import SceneGraph
from vericap.scene.synsets import synset_lookup
from vericap.views.view import View
from vericap.views.views import Views

# All objects that were given, those people annotated, those a detector found, or those the references name.
PictureKind: TypeAlias = Literal["union", "gold", "detections", "references"]


@dataclass(frozen=True, eq=False)
class Pictures:
    """Image i shows `label[offsets[i]:offsets[i + 1]]`, places in `labels`, each as often as `counts` says."""

    labels: Sequence[str]
    label: Integers
    counts: Integers
    offsets: Integers

    def __getitem__(self, image: int) -> tuple[Integers, Integers]:
        rows = slice(self.offsets[image], self.offsets[image + 1])
        return self.label[rows], self.counts[rows]

    def at(self, place: Integers) -> Pictures:
        """Return the same with other places: those of a vocabulary. Labels without a place are left out."""
        label = place[self.label] if len(place) else self.label
        known = label >= 0
        offsets = offsets_of(known)[self.offsets]
        return Pictures(self.labels, label[known], self.counts[known], offsets)


@dataclass(frozen=True)
class PicturesOf(View[Pictures]):
    """The content of a corpus's pictures: objects of a kind, or those of its references' scene graphs."""

    kind: PictureKind

    def compute(self, views: Views) -> Pictures:
        if self.kind == "references":
            return _from_graphs(views)
        objects = views.corpus.objects
        if objects is None:
            raise ValueError("the corpus has no objects")
        offsets, label, counts = objects.distinct(self.kind)
        return Pictures(objects.labels, label, counts, offsets)


def _from_graphs(views: Views) -> Pictures:
    """Return the objects of the references' scene graphs, synonyms merged; a count is the number of references that
    name it.

    >>> from vericap.corpus import Corpus
    >>> shown = _from_graphs(Views(Corpus.from_lists(["a"], [["a man riding a bike", "a bicycle"]])))
    >>> list(zip(shown.labels, shown.counts.tolist()))
    [('man', 1), ('bike', 2)]
    """
    tokens, corpus = views.words, views.corpus
    said = caption_propositions((tokens.spell(row) for row in tokens.references), views.workers)
    synsets = synset_lookup(said)
    index: dict[str, int] = {}
    label: list[int] = []
    counts: list[int] = []
    offsets = [0]
    for image in range(corpus.images):
        references = said[corpus.reference_offsets[image] : corpus.reference_offsets[image + 1]]
        named = [{word for p in one for word in (p[:2] if len(p) == 3 else p[:1])} for one in references]
        for concept in SceneGraph.of((p for one in references for p in one), synsets).objects:
            label.append(index.setdefault(concept.words[0], len(index)))
            counts.append(sum(not words.isdisjoint(concept.words) for words in named))
        offsets.append(len(label))
    return Pictures(list(index), np.array(label, np.int64), np.array(counts, np.int64), np.array(offsets, np.int64))
