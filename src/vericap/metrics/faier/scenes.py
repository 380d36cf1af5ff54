"""A corpus as FAIEr takes it: captions with their relation triplets, and scenes, each a picture with its references."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from vericap.arrays import Integers
from vericap.corpus import Regions
from vericap.scene.rules import Proposition
from vericap.views import Views
from vericap.views.graphs import Graphs

if TYPE_CHECKING:
    from vericap.metrics.faier.metric import FaierFamily

Triplet: TypeAlias = tuple[str, str, str]


class Caption(NamedTuple):
    """Words as the tokenizer gives them, and (subject, relation, object) triplets.

    >>> Caption.of(["two", "kids", "stand", "in", "grass"], [("kid", "two"), ("kid", "grass", "stand in"), ("kid",)])
    Caption(words=('two', 'kids', 'stand', 'in', 'grass'), triplets=(('kid', 'stand in', 'grass'),))
    """

    words: tuple[str, ...]
    triplets: tuple[Triplet, ...] = ()

    @classmethod
    def of(cls, words: Iterable[str], propositions: Iterable[tuple[str, ...]] = ()) -> Caption:
        """Return a caption from its words and its propositions, as `vericap.scene.caption_graphs` gives them."""
        return cls(tuple(words) or EMPTY.words, triplets(propositions))


# "In case that no reference caption is available, we use '.' as an empty reference sentence" (section 3.1).
EMPTY = Caption((".",))


def triplets(propositions: Iterable[tuple[str, ...]]) -> tuple[Triplet, ...]:
    """Return the relations among propositions, each once, as (subject, relation, object).

    >>> triplets([("girl", "horse", "ride"), ("girl", "young"), ("girl",), ("girl", "horse", "ride")])
    (('girl', 'ride', 'horse'),)
    """
    return tuple(dict.fromkeys((p[0], p[2], p[1]) for p in propositions if len(p) == 3))


@dataclass(frozen=True, eq=False)
class Scenes:
    """Candidate c is in scene `scene[c]`. Scene s is image `rows[s]` of `regions` with the captions `references[s]`,
    and is encoded once for all its candidates. A model that uses no image has no regions."""

    candidates: Sequence[Caption]
    scene: Integers
    references: Sequence[Sequence[Caption]]
    regions: Regions | None = None
    rows: Integers | None = None

    def pick(self, candidates: Integers) -> Scenes:
        """Return some candidates in their scenes."""
        distinct, scene = np.unique(self.scene[candidates], return_inverse=True)
        references = [self.references[row] for row in distinct.tolist()]
        rows = None if self.rows is None else self.rows[distinct]
        return Scenes([self.candidates[row] for row in candidates.tolist()], scene, references, self.regions, rows)


def scenes_of(metric: FaierFamily, views: Views) -> Scenes:
    """Return the candidates of a corpus in their scenes; equal scenes are one."""
    corpus, pictures = views.corpus, metric.pictures(views)
    candidates, references = captions_of(views, metric.relations == "on")
    images = int(corpus.image.max(initial=-1)) + 1
    row = [0] * images if pictures is None else pictures.row.tolist()
    offsets = corpus.reference_offsets.tolist() if corpus.has_references else [0] * (images + 1)
    places: dict[tuple[int, tuple[Caption, ...]], int] = {}
    scene_of = np.zeros(images, np.int64)
    for image in range(images):
        given = tuple(references[offsets[image] : offsets[image + 1]]) if metric.reads_references else ()
        scene_of[image] = places.setdefault((row[image], given), len(places))
    scene, said = scene_of[corpus.image], [given for _, given in places]
    if pictures is None:
        return Scenes(candidates, scene, said)
    return Scenes(candidates, scene, said, pictures.regions, np.array([row for row, _ in places], np.int64))


def captions_of(views: Views, relations: bool) -> tuple[list[Caption], list[Caption]]:
    """Return all candidates and all references, each with its words and, if `relations`, the triplets of its scene
    graph."""
    tokens = views.words
    sides = (tokens.candidates, tokens.references)
    found = views.get(Graphs()) if relations else None
    graphs: Sequence[Sequence[Sequence[Proposition]]] = found or [[()] * len(side) for side in sides]
    known: dict[tuple[str, ...], Caption] = {}
    candidates, references = (
        [_caption(known, tokens.spell(ids), graph) for ids, graph in zip(side, own, strict=True)]
        for side, own in zip(sides, graphs, strict=True)
    )
    return candidates, references


def _caption(known: dict[tuple[str, ...], Caption], words: list[str], said: Sequence[Proposition]) -> Caption:
    """Equal captions as one object, which is then hashed and encoded once."""
    key = tuple(words)
    if key not in known:
        known[key] = Caption.of(key, said)
    return known[key]
