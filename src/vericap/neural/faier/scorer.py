"""A trained FAIEr as a scorer: captions with their regions and references in, S, S^o and S^r out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from os import PathLike
from typing import Any, NamedTuple, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from vericap.corpus import ImageId, Regions
from vericap.errors import InputError
from vericap.neural.faier import checkpoint, symbolic
from vericap.neural.faier.captions import EMPTY, Caption, Triplet
from vericap.neural.faier.fusion import Fusion
from vericap.neural.faier.graphs import Graphs, Level, References
from vericap.neural.faier.inputs import Captions, Column, Ids, Lexicon, region_batch
from vericap.neural.faier.words import WordVectors, lexicon, load_vectors

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Settings:
    """What of a checkpoint changes the number, for signatures and checks."""

    variant: str
    relations: bool
    references: str  # how many it was trained with
    dimension: int  # d
    boxes: bool  # attention from box offsets; else from the regions' features
    regions: int  # at most so many of an image
    symbolic: bool  # regions are made of labels
    features: int  # D
    vectors: str  # hash of the word vectors


@dataclass(frozen=True, eq=False)
class Scores:
    """S = S^o + S^r of each candidate, and the two."""

    total: Floats
    objects: Floats
    relations: Floats


@dataclass(frozen=True, eq=False)
class Details:
    """What one candidate was matched with. `labels` name the rows of the matrices: regions, or for a model that sees no
    image the nodes of the references. `after` is z · h, with the union z; `before` is equation 2's W_a (v ⊙ h), by
    which the model attends to words, and for a model that does not fuse v · h."""

    total: float
    objects: float
    relations: float
    words: tuple[str, ...]
    triplets: tuple[Triplet, ...]
    labels: list[str]
    objects_before: Floats  # [rows, words]
    objects_after: Floats
    relations_before: Floats  # [rows, triplets]
    relations_after: Floats
    references: list[Caption]
    reference_matches: list[Floats]  # of each reference: [regions, its words], as objects_before


class Scorer:
    """Scores captions with a checkpoint."""

    def __init__(self, loaded: checkpoint.Checkpoint, vectors: WordVectors) -> None:
        self.model, self.about, self.hash = loaded.model, loaded.about, loaded.hash
        self._words = {word: row for row, word in enumerate(loaded.words, 1)}
        self._vectors = vectors
        model, training = loaded.config.model, loaded.config.training
        self.config = Settings(
            model.variant,
            model.relations,
            training.references,
            model.dimension,
            model.boxes,
            model.regions,
            bool(self.about.get("symbolic")),
            self.about["features"],
            self.about["vectors"],
        )

    @classmethod
    def load(cls, folder: str | PathLike[str]) -> Scorer:
        """The checkpoint in a folder, with the word vectors it was trained with."""
        loaded = checkpoint.load(folder)
        return cls(loaded, load_vectors(loaded.about["vectors"], str(folder)))

    def symbolic(
        self,
        labels: Sequence[Sequence[str]],
        boxes: Sequence[NDArray[np.float32] | None] | None = None,
        image_ids: Sequence[ImageId] | None = None,
    ) -> Regions:
        """Regions from the labels of each image; a model that was trained without boxes sees the set of them."""
        ids = range(len(labels)) if image_ids is None else image_ids
        return symbolic.label_regions(ids, labels, self._vectors, boxes if self.config.boxes else None)

    def score(
        self,
        candidates: Sequence[Caption],
        scene: Ids,
        regions: Regions | None = None,
        rows: Ids | None = None,
        references: Sequence[Sequence[Caption]] | None = None,
        batch: int = 256,
        workers: int = 1,
    ) -> Scores:
        """Scores of candidates, each in its scene: `scene` [candidates] says which.

        Scene s is image `rows[s]` of `regions` with the captions `references[s]`, and is encoded once for all its
        candidates; without references it has the empty one. Several workers share the work and give the same numbers.
        """
        order = np.argsort(scene, kind="stable")
        parts = [order[start : start + batch] for start in range(0, len(order), batch)]
        scenes = int(scene.max(initial=-1)) + 1
        texts = _Texts.encode(self, candidates, [()] * scenes if references is None else references)

        def one(part: Ids) -> NDArray[np.float32]:
            distinct, place = np.unique(scene[part], return_inverse=True)
            block = _Block(self, texts, part, distinct, regions, None if rows is None else rows[distinct])
            with torch.inference_mode():
                matched = self.model.score_pairs(block.scenes, block.candidates, torch.from_numpy(place))
            both: NDArray[np.float32] = torch.stack(matched).numpy()
            return both

        found = np.zeros((2, len(candidates)), np.float64)
        for part, scores in zip(parts, in_threads(one, parts, workers), strict=True):
            found[:, part] = scores
        return Scores(found.sum(axis=0), found[0], found[1])

    def details(
        self, candidate: Caption, regions: Regions | None, row: int | None, references: Sequence[Caption]
    ) -> Details:
        """All that one candidate was matched with."""
        first = np.zeros(1, np.int64)
        texts = _Texts.encode(self, [candidate], [references])
        block = _Block(self, texts, first, first, regions, None if row is None else np.array([row]))
        with torch.inference_mode():
            matched = self.model.score_pairs(block.scenes, block.candidates, torch.zeros(1, dtype=torch.int64))
            before = block.visual or block.scenes[-1]
            after = block.scenes[0]
            against = (
                [block.read.pick(torch.tensor([k])) for k in block.references.caption.tolist()] if references else []
            )
            on_objects, on_relations = self._attention("objects"), self._attention("relations")
            visual = block.visual
            seen = [] if visual is None else [_similarity(visual.objects, one.objects, on_objects) for one in against]
            return Details(
                float(matched.total[0]),
                float(matched.objects[0]),
                float(matched.relations[0]),
                candidate.words,
                candidate.triplets,
                self._row_names(regions, row, references),
                _similarity(before.objects, block.candidates.objects, on_objects),
                _similarity(after.objects, block.candidates.objects),
                _similarity(before.relations, block.candidates.relations, on_relations),
                _similarity(after.relations, block.candidates.relations),
                list(references),
                seen,
            )

    def _attention(self, level: str) -> Tensor | None:
        """W_a of equation 2 [d], by which a model that fuses weighs a word for a region; None for others."""
        if level not in self.model.fusion:
            return None
        fusion = self.model.fusion[level]
        assert isinstance(fusion, Fusion)
        return fusion.attend.weight[0]

    def _row_names(self, regions: Regions | None, row: int | None, references: Sequence[Caption]) -> list[str]:
        if regions is None or row is None:
            return [word for caption in references or [EMPTY] for word in caption.words]
        count = min(len(regions.features_of(row)), self.config.regions)
        names = regions.labels_of(row) or [f"region {i + 1}" for i in range(count)]
        return names[:count] or ["(no object)"]

    def lexicon(self, words: Sequence[str]) -> Lexicon:
        """What the model needs to know of these words."""
        return lexicon(words, self._words, self._vectors)


class _Texts(NamedTuple):
    """Captions as numbers, each caption and each word once for all blocks: rows of `captions` that the candidates
    [candidates] and the references of each scene are."""

    captions: Captions
    lexicon: Lexicon
    candidates: Ids
    references: Column

    @classmethod
    def encode(cls, scorer: Scorer, candidates: Sequence[Caption], references: Sequence[Sequence[Caption]]) -> _Texts:
        """A scene without references has the empty one, if the model reads any."""
        reads = scorer.config.variant != "fier"
        known: dict[Caption, int] = {}

        def row(caption: Caption) -> int:
            return known.setdefault(caption if caption.words else EMPTY, len(known))

        own = np.fromiter(map(row, candidates), np.int64, len(candidates))
        said = Column.of([[*map(row, given or (EMPTY,))] if reads else [] for given in references])
        vocabulary: dict[str, int] = {}
        captions = Captions.encode(list(known), vocabulary)
        return cls(captions, scorer.lexicon(list(vocabulary)), own, said)


class _Block:
    """The graphs of some candidates and of their scenes, which `rows` of the regions show."""

    def __init__(
        self, scorer: Scorer, texts: _Texts, candidates: Ids, scenes: Ids, regions: Regions | None, rows: Ids | None
    ) -> None:
        model, config = scorer.model, scorer.config
        said, counts = texts.references.take(scenes)
        own = texts.candidates[candidates]
        distinct, place = np.unique(np.concatenate([own, said]), return_inverse=True)
        with torch.inference_mode():
            self.read = model.read(texts.captions.batch(distinct), texts.lexicon)
            self.candidates = self.read.pick(torch.from_numpy(place[: len(own)]))
            self.visual: Graphs | None = None
            if model.config.sees_image:
                if regions is None or rows is None:
                    raise ValueError(f"{config.variant} looks at images: give regions and rows")
                if config.boxes and regions.boxes is None:
                    problem = "the checkpoint weighs regions by their boxes, and these have none"
                    raise InputError(
                        problem, source=regions.source, field="boxes", fix="use a checkpoint without boxes"
                    )
                if regions.dimension != config.features:
                    problem = f"regions have {regions.dimension} features where the checkpoint takes {config.features}"
                    raise InputError(
                        problem, source=regions.source, field="features", fix="use its detector's features"
                    )
                self.visual = model.look(region_batch(regions, rows, config.regions))
            self.references = References.of(torch.from_numpy(place[len(own) :]), torch.from_numpy(counts))
            self.scenes = model.scenes(self.visual, self.read, self.references)


def _similarity(rows: Level | None, columns: Level | None, weight: Tensor | None = None) -> Floats:
    """z_i · h_k, or W_a (v_i ⊙ h_k) with a weight."""
    if rows is None or columns is None:
        return np.zeros((0, 0))
    left = rows.flat()[0] if weight is None else rows.flat()[0] * weight
    found: Floats = (left @ columns.flat()[0].T).double().numpy()
    return found


Given = TypeVar("Given")
Found = TypeVar("Found")


def in_threads(work: Callable[[Given], Found], parts: Sequence[Given], workers: int) -> list[Found]:
    """The work on each part. torch keeps to one thread meanwhile: its sums then do not depend on their number."""
    threads: Any = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        if workers == 1 or len(parts) < 2:
            return [work(part) for part in parts]
        with ThreadPoolExecutor(workers) as pool:
            return list(pool.map(work, parts))
    finally:
        torch.set_num_threads(threads)
