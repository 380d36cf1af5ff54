"""What one candidate was matched with: the similarities behind its score, before and after fusion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from vericap.arrays import Floats
from vericap.metrics.faier.batch import Batch
from vericap.metrics.faier.fusion import Fusion
from vericap.metrics.faier.graphs import GraphLevel
from vericap.metrics.faier.inputs import Lexicon
from vericap.metrics.faier.model import Model
from vericap.metrics.faier.scenes import Scenes
from vericap.metrics.faier.triplets import EMPTY, Caption, Triplet


@dataclass(frozen=True, eq=False)
class Details:
    """What one candidate was matched with. `labels` name the rows of the matrices: regions, or for a model that uses no
    image the nodes of the references. `after` is z · h, with the union z; `before` is equation 2's W_a (v ⊙ h), by
    which the model attends to words, and for a model that does not fuse v · h."""

    total: float
    objects: float
    relations: float
    words: tuple[str, ...]
    triplets: tuple[Triplet, ...]
    regions: int  # of the picture, at most as many as the model takes
    labels: list[str]
    objects_before: Floats  # [rows, words]
    objects_after: Floats
    relations_before: Floats  # [rows, triplets]
    relations_after: Floats
    references: list[Caption]
    reference_matches: list[Floats]  # of each reference: [regions, its words], as objects_before


def details_of(model: Model, batch: Batch, lexicon: Lexicon, scenes: Scenes) -> Details:
    """The details of the one candidate of a batch, which was made of these scenes."""
    (candidate,), (references,) = scenes.candidates, scenes.references
    regions = _regions(scenes, model.config.regions) if batch.regions is not None else []
    with torch.inference_mode():
        graphs = model.encode(batch, lexicon)
        matched = model.score_pairs(graphs.scenes, graphs.candidates, torch.zeros(1, dtype=torch.int64))
        before, after = graphs.visual or graphs.scenes[-1], graphs.scenes[0]
        on_objects, on_relations = _attention(model, "objects"), _attention(model, "relations")
        said = [graphs.captions.pick(row).objects for row in batch.references.caption.split(1)] if references else []
        visual = graphs.visual
        return Details(
            float(matched.total[0]),
            float(matched.objects[0]),
            float(matched.relations[0]),
            candidate.words,
            candidate.triplets,
            len(regions),
            _words(references) if batch.regions is None else regions or ["(no object)"],
            _similarity(before.objects, graphs.candidates.objects, on_objects),
            _similarity(after.objects, graphs.candidates.objects),
            _similarity(before.relations, graphs.candidates.relations, on_relations),
            _similarity(after.relations, graphs.candidates.relations),
            list(references),
            [] if visual is None else [_similarity(visual.objects, words, on_objects) for words in said],
        )


def _attention(model: Model, level: str) -> Tensor | None:
    """W_a of equation 2 [d], by which a model that fuses weighs a word for a region; None for others."""
    if level not in model.fusion:
        return None
    fusion = model.fusion[level]
    assert isinstance(fusion, Fusion)
    return fusion.attend.weight[0]


def _regions(scenes: Scenes, most: int) -> list[str]:
    """The names of the regions that the model takes of a picture."""
    if scenes.regions is None or scenes.rows is None:
        return []
    row = int(scenes.rows[0])
    count = len(scenes.regions.features_of(row))
    return (scenes.regions.labels_of(row) or [f"region {i + 1}" for i in range(count)])[:most]


def _words(references: Sequence[Caption]) -> list[str]:
    return [word for caption in references or [EMPTY] for word in caption.words]


def _similarity(rows: GraphLevel | None, columns: GraphLevel | None, weight: Tensor | None = None) -> Floats:
    """z_i · h_k, or W_a (v_i ⊙ h_k) with a weight."""
    if rows is None or columns is None:
        return np.zeros((0, 0))
    left = rows.flat()[0] if weight is None else rows.flat()[0] * weight
    found: Floats = (left @ columns.flat()[0].T).double().numpy()
    return found
