"""A trained FAIEr as a scorer: captions with their regions and references in, S, S^o and S^r out."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Floats, Integers, Ragged
from vericap.corpus import ImageId, Regions
from vericap.engine.blas import one_blas_thread
from vericap.engine.local import in_processes
from vericap.errors import InputError
from vericap.metrics.faier import checkpoint
from vericap.metrics.faier.equations import Array
from vericap.metrics.faier.inputs import (
    Batch,
    CaptionColumns,
    Lexicon,
    WordVectors,
    lexicon,
    load_vectors,
    region_batch,
)
from vericap.metrics.faier.matches import Details
from vericap.metrics.faier.model import Matched
from vericap.metrics.faier.packed import GraphLevel
from vericap.metrics.faier.pictures import label_regions, require_boxes
from vericap.metrics.faier.scenes import EMPTY, Caption, Scenes


class FaierScorer:
    """Scores captions with a checkpoint.

    `config` is what the network is, `references` how many it was trained with; `takes_labels` says whether it was
    trained on regions made of labels, `features` is the length D of a region's vector, `vectors` the hash of the word
    vectors.
    """

    def __init__(self, loaded: checkpoint.FaierCheckpoint, vectors: WordVectors) -> None:
        self.model, self.about, self.hash = loaded.model, loaded.about, loaded.hash
        self.config, self.references = loaded.config.model, loaded.config.training.references
        self.takes_labels = bool(self.about.get("symbolic"))
        self.features: int = self.about["features"]
        self.vectors: str = self.about["vectors"]
        self._words = {word: row for row, word in enumerate(loaded.words, 1)}
        self._vectors = vectors

    @classmethod
    def load(cls, folder: str | PathLike[str]) -> FaierScorer:
        """Return the checkpoint in a folder, with the word vectors it was trained with."""
        loaded = checkpoint.load(folder)
        return cls(loaded, load_vectors(loaded.about["vectors"], str(folder)))

    def label_regions(
        self,
        labels: Sequence[Sequence[str]],
        boxes: Sequence[NDArray[np.float32] | None] | None = None,
        image_ids: Sequence[ImageId] | None = None,
    ) -> Regions:
        """Return regions from the labels of each image; a model that was trained without boxes sees the set of them."""
        ids = range(len(labels)) if image_ids is None else image_ids
        return label_regions(ids, labels, self._vectors, boxes if self.config.boxes else None)

    def check(self, regions: Regions) -> None:
        """Raise an error for regions that are not of the kind that the model was trained with."""
        if regions.dimension != self.features:
            raise InputError(
                f"regions have {regions.dimension} features, and the model takes {self.features}",
                source=regions.source,
                field="features",
                fix="give the regions of the detector that it was trained with, or use another checkpoint",
            )
        if self.config.boxes:
            require_boxes(regions, "add them, or use a model trained without")

    def score(self, scenes: Scenes, batch: int = 128, workers: int = 1) -> Matched:
        """Return scores of the candidates; several workers share the work and give the same numbers."""
        order = np.argsort(scenes.scene, kind="stable")
        parts = [order[start : start + batch] for start in range(0, len(order), batch)]

        def work(part: Integers) -> NDArray[np.float32]:
            some = scenes.pick(part)
            graphs = self.model.encode(*self._batch(some))
            return np.stack(self.model.score_pairs(graphs.scenes, graphs.candidates, some.scene))

        found = np.zeros((2, len(scenes.candidates)), np.float64)
        with one_blas_thread():
            for part, scores in zip(parts, in_processes(work, parts, workers), strict=True):
                found[:, part] = scores
        return Matched(*found)

    def details(self, scenes: Scenes, candidate: int) -> Details:
        """Return all that one candidate was matched with."""
        scenes = scenes.pick(np.array([candidate]))
        ((caption,), (references,)), (batch, lexicon) = (scenes.candidates, scenes.references), self._batch(scenes)
        regions = _regions(scenes, self.config.regions) if batch.regions is not None else []
        graphs = self.model.encode(batch, lexicon)
        matched = self.model.score_pairs(graphs.scenes, graphs.candidates, scenes.scene)
        before, after, visual = graphs.visual or graphs.scenes[-1], graphs.scenes[0], graphs.visual
        on_objects, on_relations = self.model.attend("objects"), self.model.attend("relations")
        said = [graphs.captions["objects"].pick(row[None]) for row in batch.references.values] if references else []
        return Details(
            float(matched.total[0]),
            float(matched.objects[0]),
            float(matched.relations[0]),
            caption.words,
            caption.triplets,
            len(regions),
            _words(references) if batch.regions is None else regions or ["(no object)"],
            _similarity(before["objects"], graphs.candidates["objects"], on_objects),
            _similarity(after["objects"], graphs.candidates["objects"]),
            _similarity(before.get("relations"), graphs.candidates.get("relations"), on_relations),
            _similarity(after.get("relations"), graphs.candidates.get("relations")),
            list(references),
            [] if visual is None else [_similarity(visual["objects"], words, on_objects) for words in said],
        )

    def lexicon(self, words: Sequence[str]) -> Lexicon:
        """Return what the model needs to know of these words."""
        return lexicon(words, self._words, self._vectors)

    def _batch(self, scenes: Scenes) -> tuple[Batch, Lexicon]:
        """Return scenes as numbers, each caption, word and image once. A scene without references has the empty one, if
        the model reads any."""
        reads = self.config.variant != "fier"
        known: dict[Caption, int] = {}

        def row(caption: Caption) -> int:
            return known.setdefault(caption if caption.words else EMPTY, len(known))

        candidates = np.fromiter(map(row, scenes.candidates), np.int64, len(scenes.candidates))
        references = Ragged.of([[*map(row, given or (EMPTY,))] if reads else [] for given in scenes.references])
        captions, words = CaptionColumns.encode(list(known))
        regions, images = None, None
        if self.config.uses_image:
            if scenes.regions is None or scenes.rows is None:
                raise ValueError(f"{self.config.variant} uses images: give regions and rows")
            self.check(scenes.regions)
            rows, images = np.unique(scenes.rows, return_inverse=True)
            regions = region_batch(scenes.regions, rows, self.config.regions)
        return Batch.of(captions, regions, candidates, references, images), self.lexicon(words)


def _regions(scenes: Scenes, most: int) -> list[str]:
    """Return the names of the regions that the model takes of a picture."""
    if scenes.regions is None or scenes.rows is None:
        return []
    row = int(scenes.rows[0])
    count = len(scenes.regions.features_of(row))
    return (scenes.regions.labels_of(row) or [f"region {i + 1}" for i in range(count)])[:most]


def _words(references: Sequence[Caption]) -> list[str]:
    return [word for caption in references or [EMPTY] for word in caption.words]


def _similarity(rows: GraphLevel | None, columns: GraphLevel | None, weight: Array | None = None) -> Floats:
    """z_i · h_k, or W_a (v_i ⊙ h_k) with a weight."""
    if rows is None or columns is None:
        return np.zeros((0, 0))
    left = rows.flat() if weight is None else rows.flat() * weight
    return np.asarray(left @ columns.flat().T, np.float64)
