"""FAIEr and its variants (sections 3 and 4.2): encode, fuse, match; S = S^o + S^r."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor, nn

from vericap.metrics.faier.config import ModelConfig
from vericap.metrics.faier.equations import (
    Fusion,
    GraphEncoder,
    ObjectEncoder,
    TripletEncoder,
    WordEmbedding,
    WordEncoder,
    match_all,
    match_pairs,
)
from vericap.metrics.faier.inputs import Batch, Lexicon, RegionBatch, TextBatch
from vericap.metrics.faier.packed import GraphLevel, Graphs, ReferencePairs, grouped, pick


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

    scenes: list[Graphs]
    candidates: Graphs
    visual: Graphs | None
    captions: Graphs


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
        """Return all graphs of a batch."""
        captions = self.encode_captions(batch.texts, lexicon)
        visual = None
        if batch.regions is not None and self.config.uses_image:
            visual = self.encode_images(batch.regions)
        scenes = self.scenes(visual, captions, batch.references)
        return Encoded(scenes, pick(captions, batch.candidates), visual, captions)

    def encode_captions(self, texts: TextBatch, lexicon: Lexicon) -> Graphs:
        """Return the textual scene graphs h^o, h^r of captions."""
        embedded = self.embedding(lexicon.vectors[texts.distinct], lexicon.learned[texts.distinct])
        words = self.word_encoder(embedded, texts.words)
        graphs = {"objects": GraphLevel(words, texts.words.place, texts.words.mask)}
        if self.triplet_encoder is not None:
            graphs["relations"] = GraphLevel(self.triplet_encoder(embedded, texts.triplets), texts.place, texts.mask)
        return graphs

    def encode_images(self, regions: RegionBatch) -> Graphs:
        """Return the visual scene graphs v^o, v^r of images."""
        if self.object_encoder is None:
            raise ValueError(f"{self.config.variant} uses no image")
        objects = GraphLevel(self.object_encoder(regions.features), regions.place, regions.mask)
        if self.graph_encoder is None:
            return {"objects": objects}
        relations = self.graph_encoder(objects, regions.boxes if self.config.boxes else None)
        return {"objects": objects, "relations": relations}

    def scenes(self, visual: Graphs | None, read: Graphs, references: ReferencePairs) -> list[Graphs]:
        """Return the graphs that a candidate is matched with, one for each score that is merged. `read` are graphs of
        captions, among them those of the references."""
        variant = self.config.variant
        said = {x: _side_by_side(read[x], self.union[x], references) for x in self.union}
        if variant == "aier":
            return [said]
        if visual is None:
            raise ValueError("this variant looks at images, and none are given")
        if variant == "faier":
            return [{x: self.fusion[x](visual[x], read[x], references) for x in visual}]
        return [visual, said] if variant == "fier+aier" else [visual]

    def score_all(self, scenes: list[Graphs], candidates: Graphs) -> Matched:
        """Return the scores of every candidate with every scene: [candidates, scenes]."""
        return self._score(scenes, candidates, match_all)

    def score_pairs(self, scenes: list[Graphs], candidates: Graphs, scene: Tensor) -> Matched:
        """Return the scores of each candidate with its own scene: [candidates]."""
        return self._score(scenes, candidates, lambda level, candidate: match_pairs(level, candidate, scene))

    def _score(
        self, scenes: list[Graphs], candidates: Graphs, match: Callable[[GraphLevel, GraphLevel], Tensor]
    ) -> Matched:
        scores = []
        for graphs in scenes:
            found = {x: match(graphs[x], candidates[x]) for x in graphs}
            scores.append(Matched(found["objects"], found.get("relations", torch.zeros_like(found["objects"]))))
        if self.merge is None:
            return scores[0]
        weight = self.merge.weight[0]
        return Matched(*(weight[0] * seen + weight[1] * said for seen, said in zip(*scores, strict=True)))


def _side_by_side(said: GraphLevel, union: nn.Linear, references: ReferencePairs) -> GraphLevel:
    """Return all nodes of a scene's references as one graph, through the union layer."""
    there = said.mask[references.caption]  # [pairs, nodes of a reference]
    counts = torch.zeros_like(references.counts).index_add(0, references.scene, there.sum(dim=1))
    place, mask = grouped(counts.numpy())
    # Pairs are in the order of their scenes, so the nodes of a scene are neighbours once padding is gone.
    nodes = said.place[references.caption][there]
    return GraphLevel(union(said.nodes), nodes[place] if len(nodes) else place, mask)
