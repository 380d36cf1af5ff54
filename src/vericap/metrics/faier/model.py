"""FAIEr and its variants (sections 3 and 4.2): encode, fuse, match; S = S^o + S^r."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

import torch
from torch import Tensor, nn

from vericap.metrics.faier.batch import Batch
from vericap.metrics.faier.config import ModelConfig
from vericap.metrics.faier.fusion import Fusion
from vericap.metrics.faier.graphs import GraphBatch, GraphLevel, ReferencePairs
from vericap.metrics.faier.inputs import Lexicon, RegionBatch, TextBatch, grouped
from vericap.metrics.faier.matching import match_all, match_pairs
from vericap.metrics.faier.textual import TripletEncoder, WordEmbedding, WordEncoder
from vericap.metrics.faier.visual import GraphEncoder, ObjectEncoder


class Matched(NamedTuple):
    """Scores S^o and S^r."""

    objects: Tensor
    relations: Tensor

    @property
    def total(self) -> Tensor:
        """S = S^o + S^r."""
        return self.objects + self.relations


class Encoded(NamedTuple):
    """The graphs of a batch: those that candidates are matched with, one for each score that is merged, those of the
    candidates, and what the former were made of: the graphs of the images and of all captions."""

    scenes: list[GraphBatch]
    candidates: GraphBatch
    visual: GraphBatch | None
    captions: GraphBatch


class Model(nn.Module):
    """All variants. What they differ in is the graph that the candidate is matched with:

    faier: z, the visual graph fused with the references; fier: v, the visual graph alone; aier: the nodes of the
    references, through the union layer; fier+aier: both of these, the two scores merged by a fully connected layer.
    """

    def __init__(self, config: ModelConfig, features: int, words: int, learned: int) -> None:
        super().__init__()
        self.config = config
        d, relations = config.dimension, config.relations
        self.embedding = WordEmbedding(words, d // 2, learned)
        self.word_encoder = WordEncoder(d // 2, d)
        self.triplet_encoder = TripletEncoder(d // 2, d) if relations else None
        self.object_encoder = ObjectEncoder(features, d) if config.uses_image else None
        self.graph_encoder = GraphEncoder(d, config.boxes) if config.uses_image and relations else None
        levels = ["objects", "relations"] if relations else ["objects"]
        fused, read = config.variant == "faier", config.variant in ("aier", "fier+aier")
        self.fusion = nn.ModuleDict({level: Fusion(d) for level in levels} if fused else {})
        self.union = nn.ModuleDict({level: nn.Linear(d, d, bias=False) for level in levels} if read else {})
        self.merge = nn.Linear(2, 1, bias=False) if config.variant == "fier+aier" else None
        if self.merge is not None:
            nn.init.constant_(self.merge.weight, 0.5)

    def encode(self, batch: Batch, lexicon: Lexicon) -> Encoded:
        """All graphs of a batch."""
        captions = self.encode_captions(batch.texts, lexicon)
        visual = None
        if batch.regions is not None and self.config.uses_image:
            visual = self.encode_images(batch.regions)
        scenes = self.scenes(visual, captions, batch.references)
        return Encoded(scenes, captions.pick(batch.candidates), visual, captions)

    def encode_captions(self, texts: TextBatch, lexicon: Lexicon) -> GraphBatch:
        """The textual scene graphs h^o, h^r of captions."""
        embedded = self.embedding(lexicon.vectors[texts.distinct], lexicon.learned[texts.distinct])
        words = GraphLevel(self.word_encoder(embedded, texts.words), texts.words.place, texts.words.mask)
        if self.triplet_encoder is None:
            return GraphBatch(words, None)
        triplets = self.triplet_encoder(embedded, texts.triplets)
        return GraphBatch(words, GraphLevel(triplets, texts.place, texts.mask))

    def encode_images(self, regions: RegionBatch) -> GraphBatch:
        """The visual scene graphs v^o, v^r of images."""
        if self.object_encoder is None:
            raise ValueError(f"{self.config.variant} uses no image")
        objects = GraphLevel(self.object_encoder(regions.features), regions.place, regions.mask)
        if self.graph_encoder is None:
            return GraphBatch(objects, None)
        return GraphBatch(objects, self.graph_encoder(objects, regions.boxes if self.config.boxes else None))

    def scenes(self, visual: GraphBatch | None, read: GraphBatch, references: ReferencePairs) -> list[GraphBatch]:
        """The graphs a candidate is matched with, one for each score that is merged. `read` are graphs of captions,
        among them those of the references."""
        variant = self.config.variant
        if variant == "fier":
            return [_present(visual)]
        if variant == "faier":
            return [self._fuse(_present(visual), read, references)]
        adequacy = self._gather(read, references)
        return [_present(visual), adequacy] if variant == "fier+aier" else [adequacy]

    def _fuse(self, visual: GraphBatch, read: GraphBatch, references: ReferencePairs) -> GraphBatch:
        objects = self.fusion["objects"](visual.objects, read.objects, references)
        if visual.relations is None or read.relations is None:
            return GraphBatch(objects, None)
        return GraphBatch(objects, self.fusion["relations"](visual.relations, read.relations, references))

    def _gather(self, read: GraphBatch, references: ReferencePairs) -> GraphBatch:
        objects = _side_by_side(read.objects, self.union["objects"], references)
        if read.relations is None:
            return GraphBatch(objects, None)
        return GraphBatch(objects, _side_by_side(read.relations, self.union["relations"], references))

    def score_all(self, scenes: list[GraphBatch], candidates: GraphBatch) -> Matched:
        """Every candidate with every scene: [candidates, scenes]."""
        return self._merge([_levels(match_all, graphs, candidates) for graphs in scenes])

    def score_pairs(self, scenes: list[GraphBatch], candidates: GraphBatch, scene: Tensor) -> Matched:
        """Each candidate with its own scene: [candidates]."""

        def match(level: GraphLevel, candidate: GraphLevel) -> Tensor:
            return match_pairs(level, candidate, scene)

        return self._merge([_levels(match, graphs, candidates) for graphs in scenes])

    def _merge(self, scores: list[Matched]) -> Matched:
        if self.merge is None:
            return scores[0]
        weight = self.merge.weight[0]
        return Matched(*(weight[0] * seen + weight[1] * said for seen, said in zip(*scores, strict=True)))


def _levels(match: Callable[[GraphLevel, GraphLevel], Tensor], graphs: GraphBatch, candidates: GraphBatch) -> Matched:
    objects = match(graphs.objects, candidates.objects)
    if graphs.relations is None or candidates.relations is None:
        return Matched(objects, torch.zeros_like(objects))
    return Matched(objects, match(graphs.relations, candidates.relations))


def _side_by_side(said: GraphLevel, union: nn.Linear, references: ReferencePairs) -> GraphLevel:
    """All nodes of a scene's references as one graph, through the union layer."""
    there = said.mask[references.caption]  # [pairs, nodes of a reference]
    counts = torch.zeros_like(references.counts).index_add(0, references.scene, there.sum(dim=1))
    place, mask = grouped(counts.numpy())
    # Pairs are in the order of their scenes, so the nodes of a scene are neighbours once padding is gone.
    nodes = said.place[references.caption][there]
    return GraphLevel(union(said.nodes), nodes[place] if len(nodes) else place, mask)


Part = TypeVar("Part")


def _present(part: Part | None) -> Part:
    if part is None:
        raise ValueError("this variant looks at images, and none are given")
    return part
