"""Verity in torch, for training: the encoder, the vectors and weights of word pieces, the features, and their sum.

`vericap.metrics.verity.matching` has the formulas; here they are computed for all captions and pictures of a batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from vericap.encoders.config import Config
from vericap.encoders.weights import FIRST_NORM, POSITIONS, TYPES, WORDS, Weights, open_weights
from vericap.lexicon.vectors import shipped
from vericap.metrics.verity.matching import FEATURES

SCALE = 4.0  # of the features' weights in z: with it, one learning rate does for all of the head
WEIGHT_SHIFT = 0.54  # softplus(0.54) is 1: at first each word piece weighs 1
_SMALL = 1e-6


class Texts(NamedTuple):
    """Texts, filled up to one length."""

    vectors: Tensor  # [texts, pieces, d], of unit length; 0 where there is no piece
    weights: Tensor  # [texts, pieces]
    wholes: Tensor  # [texts, size], of unit length
    inside: Tensor  # [texts, pieces]: whether there is a piece; [CLS] and [SEP] do not count

    def rows(self, first: int, last: int | None = None) -> Texts:
        """Return some of the texts."""
        return Texts(*(part[first:last] for part in self))


class Packed(NamedTuple):
    """Return the places of the pieces of texts in a matrix [texts * longest]."""

    texts: int
    longest: int
    places: Tensor
    mask: Tensor  # [texts, 1, 1, longest], -1e9 where there is no piece


class Layer(nn.Module):
    """A layer of BERT, over pieces without padding."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        size = config.size
        self.heads = config.heads
        self.qkv = nn.Linear(size, 3 * size)
        self.out = nn.Linear(size, size)
        self.n1 = nn.LayerNorm(size, config.epsilon)
        self.up = nn.Linear(size, config.inner_size)
        self.down = nn.Linear(config.inner_size, size)
        self.n2 = nn.LayerNorm(size, config.epsilon)

    def forward(self, pieces: Tensor, packed: Packed) -> Tensor:
        texts, longest, places, mask = packed
        size = pieces.shape[1]
        spread = torch.zeros(texts * longest, 3 * size).index_copy(0, places, self.qkv(pieces))
        query, key, value = spread.view(texts, longest, 3, self.heads, size // self.heads).permute(2, 0, 3, 1, 4)
        context = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        context = context.transpose(1, 2).reshape(texts * longest, size)[places]
        pieces = self.n1(pieces + self.out(context))
        found: Tensor = self.n2(pieces + self.down(F.gelu(self.up(pieces))))
        return found


class Encoder(nn.Module):
    """A BERT of some sizes; `load_layers` takes weights from a larger one."""

    def __init__(self, config: Config, vocabulary: int) -> None:
        super().__init__()
        self.size = config.size
        self.layers = nn.ModuleList(Layer(config) for _ in range(config.layers))
        self.words = nn.Embedding(vocabulary, config.size)
        self.position = nn.Embedding(config.positions, config.size)
        self.norm = nn.LayerNorm(config.size, config.epsilon)

    @torch.no_grad()
    def load_layers(self, weights: Weights, layers: Sequence[int]) -> None:
        """The embeddings and some of the layers of a model."""

        def copy(into: nn.Module, *names: str) -> None:
            for kind in ("weight", "bias"):
                parts = [torch.from_numpy(weights.tensor(f"{name}.{kind}").copy()) for name in names]
                getattr(into, kind).copy_(torch.cat(parts))

        self.words.weight.copy_(torch.from_numpy(weights.tensor(WORDS).copy()))
        self.position.weight.copy_(torch.from_numpy(weights.tensor(POSITIONS) + weights.tensor(TYPES)[0]))
        copy(self.norm, FIRST_NORM)
        for into, number in zip(self.layers, layers, strict=True):
            name = f"encoder.layer.{number}"
            copy(into.qkv, *(f"{name}.attention.self.{part}" for part in ("query", "key", "value")))
            copy(into.out, f"{name}.attention.output.dense")
            copy(into.n1, f"{name}.attention.output.LayerNorm")
            copy(into.up, f"{name}.intermediate.dense")
            copy(into.down, f"{name}.output.dense")
            copy(into.n2, f"{name}.output.LayerNorm")

    def forward(self, ids: Sequence[np.ndarray[Any, Any]]) -> tuple[Tensor, Tensor]:
        """Vectors of all pieces, filled up with zeros [texts, longest, size], and where there is one."""
        lengths = torch.tensor([len(each) for each in ids])
        texts, longest = len(ids), int(lengths.max())
        inside = torch.arange(longest)[None] < lengths[:, None]
        places = inside.view(-1).nonzero()[:, 0]
        mask = torch.zeros(texts, 1, 1, longest).masked_fill(~inside[:, None, None], -1e9)
        packed = Packed(texts, longest, places, mask)
        numbers = torch.as_tensor(np.concatenate(ids)).long()
        state = self.norm(self.words(numbers) + self.position(places % longest))
        for layer in self.layers:
            state = layer(state, packed)
        filled = torch.zeros(texts * longest, self.size).index_copy(0, places, state)
        return filled.view(texts, longest, self.size), inside


class Network(nn.Module):
    """All of Verity: `forward` returns z of every caption against the references of every picture."""

    def __init__(self, encoder: Encoder, dimension: int = 128) -> None:
        super().__init__()
        self.encoder = encoder
        self.project = nn.Linear(encoder.size, dimension, bias=False)
        self.weigh = nn.Linear(encoder.size, 1)
        nn.init.orthogonal_(self.project.weight)
        nn.init.zeros_(self.weigh.weight)
        nn.init.zeros_(self.weigh.bias)
        self.raw = nn.Parameter(torch.full((len(FEATURES),), -0.43))  # softplus(-0.43) is 1/2
        self.own = nn.Parameter(torch.zeros(len(FEATURES)))
        self.bias = nn.Parameter(torch.tensor(-9.0))
        self.single = nn.Parameter(torch.tensor(0.0))
        self.count = nn.Parameter(torch.tensor(0.0))

    def texts(self, ids: Sequence[np.ndarray[Any, Any]]) -> Texts:
        """Texts from the numbers of their pieces."""
        state, inside = self.encoder(ids)
        lengths = inside.sum(1)
        words = inside.clone()
        words[:, 0] = False
        words[torch.arange(len(lengths)), lengths - 1] = False
        wholes = F.normalize((state * inside[..., None]).sum(1) / lengths[:, None], dim=1)
        vectors = F.normalize(self.project(state), dim=2) * words[..., None]
        weights = F.softplus(self.weigh(state)[..., 0] + WEIGHT_SHIFT) * words
        return Texts(vectors, weights, wholes, words)

    def forward(self, captions: Texts, references: Texts, picture: Tensor) -> Tensor:
        """z [captions, pictures]; `picture` is that of each reference, and references of a picture are consecutive."""
        features, yardstick, counts = self.features(captions, references, picture)
        return self.logits(features, yardstick, counts)

    def logits(self, features: Tensor, yardstick: Tensor, counts: Tensor) -> Tensor:
        """z from features [captions, pictures, 8], yardstick [pictures, 8] and numbers of references [pictures]."""
        own = (features * F.softplus(self.raw)).sum(2) * SCALE
        alone = (yardstick * self.own).sum(1) * SCALE + self.single * (counts == 1) + self.count * counts.float().log()
        return own + alone[None] + self.bias

    def features(self, captions: Texts, references: Texts, picture: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Features [captions, pictures, 8], yardstick [pictures, 8] and numbers of references [pictures]."""
        supported, yardstick, counts = compare_references(references, picture)
        best, back = match_pieces(captions, references)
        cosine = captions.wholes @ references.wholes.T
        index, has = by_picture(picture, counts)

        def mean_over(weights: Tensor, values: Tensor) -> Tensor:
            return (values * weights).sum(-1) / weights.sum(-1).clamp_min(_SMALL)

        def mean(values: Tensor) -> Tensor:
            return (values[:, index] * has[None]).sum(2) / counts[None]

        def most(values: Tensor) -> Tensor:
            return values[:, index].masked_fill(~has[None], -1e4).amax(2)

        weights = captions.weights[:, None]  # [captions, 1, pieces]
        support = mean_over(weights, best.transpose(1, 2))
        coverage = mean_over(references.weights[None], back)
        agreed = mean_over((references.weights * supported)[None], back)
        any_reference = best[:, :, index].masked_fill(~has[None, None], -1.0).amax(3).transpose(1, 2)
        distance = mean_over(weights, (1 - any_reference).pow(2))
        found = [
            mean_over(weights, any_reference),
            mean(support),
            -distance.clamp_min(1e-8).sqrt(),
            mean(coverage),
            most(coverage),
            mean(agreed),
            most(cosine),
            mean(cosine),
        ]
        return torch.stack(found, 2), yardstick, counts


def match_pieces(captions: Texts, references: Texts) -> tuple[Tensor, Tensor]:
    """Return the best match of each piece of each caption in each reference [captions, pieces, references], and of each
    piece of each reference in each caption [captions, references, pieces]."""
    number, longest, dimension = captions.vectors.shape
    others, length, _ = references.vectors.shape
    similar = captions.vectors.reshape(-1, dimension) @ references.vectors.reshape(-1, dimension).T
    similar = similar.view(number, longest, others, length)
    best = similar.masked_fill(~references.inside[None, None], -1.0).amax(3)
    back = similar.masked_fill(~captions.inside[:, :, None, None], -1.0).amax(1)
    return best, back


def by_picture(picture: Tensor, counts: Tensor) -> tuple[Tensor, Tensor]:
    """References of each picture, filled up [pictures, most], and where there is one."""
    most = int(counts.max())
    first = torch.cat([torch.zeros(1, dtype=torch.long), counts.cumsum(0)[:-1]])
    slot = torch.arange(len(picture)) - first[picture]
    index = torch.zeros(len(counts), most, dtype=torch.long)
    index[picture, slot] = torch.arange(len(picture))
    return index, torch.arange(most)[None] < counts[:, None]


def compare_references(references: Texts, picture: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return how far the other references of the picture support each piece [references, pieces] (1 for a single
    reference), the yardstick [pictures, 8] (0 for a single reference), and numbers of references [pictures]."""
    counts = torch.bincount(picture)
    supported = torch.ones(references.vectors.shape[:2])
    yardstick = torch.zeros(len(counts), len(FEATURES))
    for count in counts.unique().tolist():
        if count < 2:
            continue
        pictures = (counts == count).nonzero()[:, 0]
        index = torch.cat([(picture == each).nonzero()[:, 0] for each in pictures.tolist()]).view(-1, count)
        mean, features = _compare_groups(Texts(*(part[index] for part in references)), count)
        supported = supported.index_copy(0, index.view(-1), mean.clamp_min(0).flatten(0, 1))
        yardstick = yardstick.index_copy(0, pictures, features)
    return supported, yardstick, counts


def _compare_groups(groups: Texts, count: int) -> tuple[Tensor, Tensor]:
    """Return the same for pictures [groups, count, …] that have the same number of references."""
    vectors, weights, wholes, inside = groups
    similar = torch.einsum("gatd,gbud->gatbu", vectors, vectors).masked_fill(~inside[:, None, None], -1.0)
    best = similar.amax(4)  # [groups, reference, piece, other reference]
    same = torch.eye(count, dtype=torch.bool)[None]
    mean = best.masked_fill(same[:, :, None], 0).sum(3) / (count - 1)
    nearest = best.masked_fill(same[:, :, None], -1.0).amax(3)
    total = weights.sum(2).clamp_min(_SMALL)
    support, agreed = ((values * weights).sum(2) / total for values in (nearest, mean))
    unsupported = -(((1 - nearest).pow(2) * weights).sum(2) / total).clamp_min(1e-8).sqrt()
    found = (best * weights[..., None]).sum(2) / total[..., None]  # [groups, a, b]: a's words found in b
    coverage = found.transpose(1, 2).masked_fill(same, 0)
    cosine = torch.einsum("gad,gbd->gab", wholes, wholes).masked_fill(same, 0)
    mean_coverage = coverage.sum(2) / (count - 1)
    best_coverage = coverage.masked_fill(same, -1).amax(2)
    nearest_whole = cosine.masked_fill(same, -1).amax(2)
    features = [support, agreed, unsupported, mean_coverage, best_coverage, mean_coverage, nearest_whole]
    return mean, torch.stack([*features, cosine.sum(2) / (count - 1)], 2).mean(1)


def of_minilm(folder: Path, layers: Sequence[int]) -> Network:
    """Verity before training, with some of the layers of a BERT folder such as all-MiniLM-L6-v2's."""
    weights = open_weights(folder)
    config = Config.of_facts({**weights.config.facts(), "layers": len(layers)})
    encoder = Encoder(config, len(weights.pieces))
    encoder.load_layers(weights, layers)
    return Network(encoder)


def of_vectors(folder: Path, layers: int) -> Network:
    """Verity before training, with no weight of a BERT: word pieces that are words start as the word vectors that ship,
    and each layer as one that adds nothing. Only names of word pieces are taken from the folder."""
    weights = open_weights(folder)
    config = Config.of_facts({**weights.config.facts(), "layers": layers})
    encoder = Encoder(config, len(weights.pieces))
    with torch.no_grad():
        found, known = shipped().of(list(weights.pieces))
        turned = nn.init.orthogonal_(torch.empty(config.size, found.shape[1]))
        small = torch.randn(len(known), config.size) / config.size**0.5
        start = torch.from_numpy(found).float() @ turned.T
        encoder.words.weight.copy_(torch.where(torch.from_numpy(known)[:, None], start, small))
        encoder.position.weight.zero_()
        for layer in encoder.layers:
            for part in (layer.out, layer.down):
                nn.init.zeros_(part.weight)
                nn.init.zeros_(part.bias)
    return Network(encoder)
