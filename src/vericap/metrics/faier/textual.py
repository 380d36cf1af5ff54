"""The textual scene graph (section 3.1): words → h^o, relation triplets → h^r, each by a bidirectional GRU."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from vericap.metrics.faier.inputs import Sequences
from vericap.metrics.faier.recurrence import PackedGRU


class WordEmbedding(nn.Module):
    """e_w = W_e x_w + o_w: a word's vector x_w through a learned layer, and a learned offset o_w for each word that
    training saw often enough. A word that it did not see has its vector's neighbours to speak for it."""

    def __init__(self, vectors: int, dimension: int, learned: int) -> None:
        super().__init__()
        self.project = nn.Linear(vectors, dimension)
        self.offset = nn.Embedding(learned, dimension, padding_idx=0)  # row 0: a word without an offset
        nn.init.zeros_(self.offset.weight)
        self.dropout = nn.Dropout(0.0)  # whoever trains sets the share

    def forward(self, vectors: Tensor, learned: Tensor) -> Tensor:
        """Vectors [words, x] and rows of offsets [words] → [words, e]."""
        embedded: Tensor = self.dropout(self.project(vectors) + self.offset(learned))
        return embedded


class SequenceEncoder(nn.Module):
    """A bidirectional GRU with d / 2 units each way."""

    def __init__(self, words: int, dimension: int) -> None:
        super().__init__()
        self.onward = PackedGRU(words, dimension // 2)
        self.back = PackedGRU(words, dimension // 2)

    def states(self, embedded: Tensor, sequences: Sequences) -> tuple[Tensor, Tensor]:
        """Packed states of both directions [items, d / 2], the second over the sequences turned round.

        `embedded` [distinct words, e]: a word is projected once, however often it stands there.
        """
        turned = sequences.items[sequences.turned]
        onward = self.onward(nn.functional.embedding(sequences.items, self.onward.input(embedded)), sequences.running)
        back = self.back(nn.functional.embedding(turned, self.back.input(embedded)), sequences.running)
        return onward, back


class WordEncoder(SequenceEncoder):
    """h_k^o, the hidden state at each word: [items, d] in the order of the packed words."""

    def forward(self, embedded: Tensor, words: Sequences) -> Tensor:
        onward, back = self.states(embedded, words)
        return torch.cat([onward, back.index_select(0, words.turned)], dim=1)


class TripletEncoder(SequenceEncoder):
    """h^r, the last hidden state over a triplet's words, both ways: [triplets, d]."""

    def forward(self, embedded: Tensor, triplets: Sequences) -> Tensor:
        onward, back = self.states(embedded, triplets)
        return torch.cat([onward.index_select(0, triplets.last), back.index_select(0, triplets.last)], dim=1)
