"""FAIEr and its variants (sections 3 and 4.2): encode, fuse, match; S = S^o + S^r."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vericap.arrays import Integers, Ragged
from vericap.metrics.faier.config import ModelConfig
from vericap.metrics.faier.equations import (
    Array,
    Gru,
    Layer,
    embed_words,
    encode_objects,
    encode_triplets,
    encode_words,
    fuse,
    match_all,
    match_pairs,
    relate_objects,
)
from vericap.metrics.faier.inputs import Batch, Lexicon, RegionBatch, TextBatch
from vericap.metrics.faier.layers import Layers
from vericap.metrics.faier.packed import GraphLevel, Graphs, pick, take


class Matched(NamedTuple):
    """Scores S^o and S^r."""

    objects: Array
    relations: Array

    @property
    def total(self) -> Array:
        """S = S^o + S^r."""
        return self.objects + self.relations


class Encoded(NamedTuple):
    """The graphs of a batch: those that candidates are matched with, one for each score that is merged, those of the
    candidates, and what the former were made of: the graphs of the images and of all captions."""

    scenes: list[Graphs]
    candidates: Graphs
    visual: Graphs | None
    captions: Graphs


def weight_shapes(config: ModelConfig, features: int, words: int, learned: int) -> dict[str, tuple[int, ...]]:
    """Return the shape of each weight of a model, by name: D features of a region, word vectors of length `words`, and
    this many learned offsets. A layer's `weight` is [out, in], its `bias`, if it has one, [out]."""
    d, e = config.dimension, config.dimension // 2
    levels = ("objects", "relations") if config.relations else ("objects",)
    biased = {"embedding.project": (e, words)}
    for encoder in ("word_encoder", "triplet_encoder")[: len(levels)]:
        for way in ("onward", "back"):
            biased |= {f"{encoder}.{way}.input": (3 * e, e), f"{encoder}.{way}.hidden": (3 * e, e)}
    plain = {"embedding.offset": (learned, e)}
    if config.uses_image:
        plain |= {"object_encoder.first": (d, features), "object_encoder.second": (d, d)}
    if config.uses_image and config.relations:
        plain |= {"graph_encoder.weight": (1, 4 if config.boxes else d), "graph_encoder.message": (d, d)}
    for level in levels:
        if config.variant == "faier":
            plain |= {f"fusion.{level}.attend": (1, d), f"fusion.{level}.union": (d, 2 * d)}
            biased |= {f"fusion.{level}.gru.input": (3 * d, d), f"fusion.{level}.gru.hidden": (3 * d, d)}
        elif config.variant != "fier":
            plain[f"union.{level}"] = (d, d)
    if config.variant == "fier+aier":
        plain["merge"] = (1, 2)
    shapes: dict[str, tuple[int, ...]] = {f"{name}.weight": shape for name, shape in (plain | biased).items()}
    return shapes | {f"{name}.bias": shape[:1] for name, shape in biased.items()}


def random_weights(shapes: Mapping[str, tuple[int, ...]], seed: int) -> dict[str, NDArray[np.float32]]:
    """Return weights to begin a training with: between ± n^-½, where n is the number of a layer's inputs, of a GRU that
    of its units. Words begin without offsets, and scores that are merged with equal weights."""
    rng, weights = np.random.default_rng(seed), {}
    for name, shape in shapes.items():
        layer = name.rpartition(".")[0]
        inputs = shape[0] // 3 if layer.endswith((".input", ".hidden")) else shapes[f"{layer}.weight"][1]
        weights[name] = rng.uniform(-(inputs**-0.5), inputs**-0.5, shape).astype(np.float32)
    weights["embedding.offset.weight"][:] = 0
    if "merge.weight" in weights:
        weights["merge.weight"][:] = 0.5
    return weights


class Model:
    """All variants. What they differ in is the graph that the candidate is matched with:

    faier: z, the visual graph fused with the references; fier: v, the visual graph alone; aier: the nodes of the
    references, through the union layer; fier+aier: both of these, the two scores merged by a fully connected layer.

    `layers` are of NumPy, or of torch where a model is trained (`vericap.metrics.faier.training`).
    """

    def __init__(self, config: ModelConfig, layers: Layers) -> None:
        self.config, self.layers, self.weights = config, layers, layers.weights
        self.levels = ("objects", "relations") if config.relations else ("objects",)

    def encode(self, batch: Batch, lexicon: Lexicon) -> Encoded:
        """Return all graphs of a batch."""
        captions = self.encode_captions(batch.texts, lexicon)
        visual = None
        if batch.regions is not None and self.config.uses_image:
            visual = pick(self.encode_images(batch.regions), batch.images)
        scenes = self.scenes(visual, captions, batch.references)
        return Encoded(scenes, pick(captions, batch.candidates), visual, captions)

    def encode_captions(self, texts: TextBatch, lexicon: Lexicon) -> Graphs:
        """Return the textual scene graphs h^o, h^r of captions."""
        layers = self.layers
        offset = take(self.weights["embedding.offset.weight"], lexicon.learned[texts.distinct])
        vectors = layers.array(lexicon.vectors[texts.distinct])
        embedded = layers.dropped(embed_words(vectors, offset, layers.linear("embedding.project")))

        def both_ways(encoder: str) -> tuple[Gru, Gru]:
            return layers.gru(f"{encoder}.onward"), layers.gru(f"{encoder}.back")

        words = encode_words(embedded, texts.words, *both_ways("word_encoder"))
        graphs = {"objects": GraphLevel.of(words, texts.lengths)}
        if self.config.relations:
            triplets = encode_triplets(embedded, texts.triplets, *both_ways("triplet_encoder"))
            graphs["relations"] = GraphLevel(triplets, texts.of_caption)
        return graphs

    def encode_images(self, regions: RegionBatch) -> Graphs:
        """Return the visual scene graphs v^o, v^r of images."""
        layers = self.layers
        first, second = layers.linear("object_encoder.first"), layers.linear("object_encoder.second")
        objects = GraphLevel.of(encode_objects(layers.array(regions.features), first, second), regions.counts)
        if not self.config.relations:
            return {"objects": objects}
        boxes = layers.array(regions.boxes) if self.config.boxes and regions.boxes is not None else None
        weight, message = self.weights["graph_encoder.weight.weight"][0], layers.linear("graph_encoder.message")
        return {"objects": objects, "relations": relate_objects(objects, boxes, weight, message)}

    def scenes(self, visual: Graphs | None, read: Graphs, references: Ragged) -> list[Graphs]:
        """Return the graphs that a candidate is matched with, one for each score that is merged. `read` are graphs of
        captions, among them those of the references."""
        variant = self.config.variant
        if variant in ("aier", "fier+aier"):
            said = {x: _side_by_side(read[x], self.layers.linear(f"union.{x}"), references) for x in self.levels}
            if variant == "aier":
                return [said]
        if visual is None:
            raise ValueError("this variant looks at images, and none are given")
        if variant == "faier":
            return [{x: fuse(visual[x], read[x], references, *self._fusion(x)) for x in self.levels}]
        return [visual, said] if variant == "fier+aier" else [visual]

    def attend(self, level: str) -> Array | None:
        """Return W_a of equation 2 [d], by which a model that fuses weighs a word for a region; None for others."""
        weight = self.weights.get(f"fusion.{level}.attend.weight")
        return None if weight is None else weight[0]

    def _fusion(self, level: str) -> tuple[Array, Gru, Layer]:
        layers, name = self.layers, f"fusion.{level}"
        return self.attend(level), layers.gru(f"{name}.gru"), layers.linear(f"{name}.union")

    def score_all(self, scenes: list[Graphs], candidates: Graphs) -> Matched:
        """Return the scores of every candidate with every scene: [candidates, scenes]."""
        return self._score(scenes, candidates, match_all)

    def score_pairs(self, scenes: list[Graphs], candidates: Graphs, scene: Integers) -> Matched:
        """Return the scores of each candidate with its own scene: [candidates]."""
        return self._score([pick(graphs, scene) for graphs in scenes], candidates, match_pairs)

    def _score(
        self, scenes: list[Graphs], candidates: Graphs, match: Callable[[GraphLevel, GraphLevel], Array]
    ) -> Matched:
        scores = []
        for graphs in scenes:
            found = {x: match(graphs[x], candidates[x]) for x in graphs}
            scores.append(Matched(found["objects"], found.get("relations", 0 * found["objects"])))
        if len(scores) == 1:
            return scores[0]
        (seen, said), weight = scores, self.weights["merge.weight"][0]
        return Matched(*(weight[0] * one + weight[1] * other for one, other in zip(seen, said, strict=True)))


def _side_by_side(said: GraphLevel, union: Layer, references: Ragged) -> GraphLevel:
    """Return all nodes of a scene's references as one graph, through the union layer."""
    nodes = said.rows.take(references.values)
    return GraphLevel(union(said.nodes), Ragged(nodes.values, nodes.offsets[references.offsets]))
