"""SPICE of a batch: the references of an image are parsed when it first comes up, and its graph is kept."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import chain, pairwise
from typing import TYPE_CHECKING

import numpy as np

from vericap.arrays import Floats
from vericap.metrics.spice import TupleCounts, count_tuples, synsets_of, tuples_of
from vericap.scene.graph import GraphTuple

if TYPE_CHECKING:
    from vericap.reward.batch import BatchViews

KEPT_IMAGES = 20_000  # graphs of about 5 KB each; an image beyond that is parsed again whenever it comes up


def tuple_counts(views: BatchViews, view: TupleCounts) -> Floats | None:
    """The statistics of SPICE by the parser that ships; None for other parsers, whose graphs are looked up anyway."""
    if view.graphs.parser != "vericap":
        return None
    from vericap.scene.caption_graphs import caption_propositions

    words, workers = views.words, os.cpu_count() or 1
    known = views.index.graphs
    keys = [(view, image) for image in views.images.tolist()]
    new = [place for place, key in enumerate(keys) if key not in known]
    offsets = views.corpus.reference_offsets.tolist()
    rows = [row for place in new for row in range(offsets[place], offsets[place + 1])]
    spelled = [words.spell(ids) for ids in words.candidates] + [words.spell(words.references[row]) for row in rows]
    # one call for both: the parser takes sentences of like length together
    parsed = caption_propositions(spelled, workers)
    candidates, references = parsed[: len(views.corpus)], parsed[len(views.corpus) :]
    synsets = synsets_of(parsed, view.synonyms)
    ends = np.cumsum([0, *(offsets[place + 1] - offsets[place] for place in new)]).tolist()
    made: dict[int, list[GraphTuple]] = {}
    for place, (first, last) in zip(new, pairwise(ends), strict=True):
        made[place] = tuples_of(chain.from_iterable(references[first:last]), synsets)
        if len(known) < KEPT_IMAGES:
            known[keys[place]] = made[place]
    against: Sequence[list[GraphTuple]] = [
        made[place] if place in made else known[key] for place, key in enumerate(keys)
    ]
    counted = [
        count_tuples(tuples_of(propositions, synsets), against[image])
        for propositions, image in zip(candidates, views.corpus.image.tolist(), strict=True)
    ]
    return np.array(counted, np.float64).reshape(len(views.corpus), -1)
