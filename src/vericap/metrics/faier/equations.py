"""The equations of FAIEr (Wang et al. 2021) in the paper's order: scene graphs of pictures (section 3.1, equation 1)
and of captions, their fusion (3.2, equation 2), matching (3.3, equation 3), and the loss (3.4, equations 4 and 5).

Shapes are those of padded tensors: i counts the regions of a picture, j its references, k the nodes of a caption. A
pair is a picture with one of its references. Tensors without padding are in `vericap.metrics.faier.packed`.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from vericap.arrays import gather, offsets_of
from vericap.metrics.faier.packed import GraphLevel, PackedGRU, ReferencePairs, Sequences


class ObjectEncoder(nn.Module):
    """v_i^o = W_2 tanh(W_1 u_i): regions [regions, D] → [regions, d]."""

    def __init__(self, features: int, dimension: int) -> None:
        super().__init__()
        self.first = nn.Linear(features, dimension, bias=False)  # W_1
        self.second = nn.Linear(dimension, dimension, bias=False)  # W_2

    def forward(self, features: Tensor) -> Tensor:
        return self.second(torch.tanh(self.first(features)))


class GraphEncoder(nn.Module):
    """Equation 1: v_i^r = Σ_j γ_ij W_r v_j^o over all regions j of the image, i among them.

    With boxes, γ_ij = softmax_j tanh(W_Δ (b_i − b_j)). Without, the weight comes from the two regions' features,
    γ_ij = softmax_j tanh(W_f (v_i^o ⊙ v_j^o)): with no offsets every weight would be equal, and so every v_i^r.
    """

    def __init__(self, dimension: int, boxes: bool) -> None:
        super().__init__()
        self.weight = nn.Linear(4 if boxes else dimension, 1, bias=False)  # W_Δ or W_f
        self.message = nn.Linear(dimension, dimension, bias=False)  # W_r

    def attention(self, objects: Tensor, mask: Tensor, boxes: Tensor | None) -> Tensor:
        """Return γ [images, regions i, regions j] of v [images, regions, d], padded as the mask says."""
        if boxes is None:
            weight = torch.tanh((objects * self.weight.weight[0]) @ objects.transpose(1, 2))
        else:
            offsets = boxes.unsqueeze(2) - boxes.unsqueeze(1)  # Δb_ij = b_i − b_j
            weight = torch.tanh(self.weight(offsets).squeeze(-1))
        return torch.softmax(weight.masked_fill(~mask.unsqueeze(1), -torch.inf), dim=2)

    def forward(self, objects: GraphLevel, boxes: Tensor | None) -> GraphLevel:
        """Return v^r; boxes [regions, 4] are in the order of the objects' nodes."""
        frames = None if boxes is None else objects._replace(nodes=boxes).padded()
        attention = self.attention(objects.padded(), objects.mask, frames)  # γ [images, i, j]
        messages = objects._replace(nodes=self.message(objects.nodes)).padded()  # W_r v^o [images, j, d]
        received = (attention @ messages).flatten(0, 1)
        # Padded rows stay among the nodes; no graph has them.
        place = torch.arange(objects.mask.numel()).view_as(objects.mask)
        return GraphLevel(received, place, objects.mask)


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
        """Return vectors [words, x] and rows of offsets [words] → [words, e]."""
        embedded: Tensor = self.dropout(self.project(vectors) + self.offset(learned))
        return embedded


class SequenceEncoder(nn.Module):
    """A bidirectional GRU with d / 2 units each way."""

    def __init__(self, words: int, dimension: int) -> None:
        super().__init__()
        self.onward = PackedGRU(words, dimension // 2)
        self.back = PackedGRU(words, dimension // 2)

    def states(self, embedded: Tensor, sequences: Sequences) -> tuple[Tensor, Tensor]:
        """Return packed states of both directions [items, d / 2], the second over the reversed sequences.

        `embedded` [distinct words, e]: a word is projected once, however often it occurs.
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


class Fusion(nn.Module):
    """Equation 2, the fusion GRU and the union layer, for one level (objects or relations).

    α_ijk = softmax_k W_a (v_i ⊙ h_jk), a_ij = Σ_k α_ijk h_jk, m_i = GRU(a_i1 … a_iJ), z_i = W_u [v_i; m_i].
    A reference without nodes at this level (no relation was found in it) gives a_ij = 0.
    """

    def __init__(self, dimension: int) -> None:
        super().__init__()
        self.attend = nn.Linear(dimension, 1, bias=False)  # W_a
        self.gru = PackedGRU(dimension, dimension)
        self.union = nn.Linear(2 * dimension, dimension, bias=False)  # W_u

    def attention(self, visual: Tensor, textual: Tensor, mask: Tensor) -> Tensor:
        """Return α [pairs, i, k] of v [pairs, i, d] on h [pairs, k, d]; mask [pairs, k]."""
        weight = (visual * self.attend.weight[0]) @ textual.transpose(1, 2)
        # A finite floor: a reference without nodes then has weights, not NaN, which the mask sets to 0.
        weight = weight.masked_fill(~mask.unsqueeze(1), -1e4)
        return torch.softmax(weight, dim=2) * mask.unsqueeze(1)

    def forward(self, visual: GraphLevel, textual: GraphLevel, references: ReferencePairs) -> GraphLevel:
        """Return the union graphs z, with the visual graphs' nodes."""
        v, h = visual.padded(references.scene), textual.padded(references.caption)  # [pairs, i, d], [pairs, k, d]
        alpha = self.attention(v, h, textual.mask[references.caption])  # α [pairs, i, k]
        m = self._read(alpha @ h, visual.mask, references)  # from a [pairs, i, d] to m [nodes, d]
        nodes, _ = visual.flat()  # v [nodes, d], scene by scene as m
        place = torch.zeros_like(visual.place)
        place[visual.mask] = torch.arange(len(nodes))
        return GraphLevel(self.union(torch.cat([nodes, m], dim=1)), place, visual.mask)

    def _read(self, attended: Tensor, mask: Tensor, references: ReferencePairs) -> Tensor:
        """Return m [nodes, d], the GRU's last state over the references j of a [pairs, i, d]. The sequence of node i of
        a scene are the rows (pair, i) of the pairs of this scene; mask [scenes, i]."""
        scene, region = mask.numpy().nonzero()
        counts = references.counts.numpy()
        pair, _ = gather(offsets_of(counts), scene)
        row = pair * mask.shape[1] + np.repeat(region, counts[scene])
        packed = Sequences.pack(row, counts[scene])
        items = attended.flatten(0, 1).index_select(0, packed.items)
        return self.gru(self.gru.input(items), packed.running).index_select(0, packed.last)


def match_all(union: GraphLevel, candidates: GraphLevel) -> Tensor:
    """Equation 3 for every candidate with every union graph: S [candidates, graphs] where
    S_cg = mean over the nodes k of c of max over the nodes i of g of z_i · h_k. No nodes on either side: 0."""
    nodes, caption = candidates.flat()
    members, _ = union.flat()
    found = union.nodes.new_full((union.mask.numel(), len(nodes)), -torch.inf)
    found = found.index_copy(0, union.mask.flatten().nonzero()[:, 0], members @ nodes.T)
    best = found.unflatten(0, union.mask.shape).amax(dim=1)  # [graphs, nodes of all candidates]
    best = best.masked_fill(~union.mask.any(dim=1, keepdim=True), 0).T
    captions = len(candidates.mask)
    total = best.new_zeros(captions, best.shape[1]).index_add(0, caption, best)
    return total / torch.bincount(caption, minlength=captions).clamp(min=1)[:, None]  # L_c


def match_pairs(union: GraphLevel, candidates: GraphLevel, scene: Tensor) -> Tensor:
    """Equation 3 for each candidate with its own union graph, row `scene` [candidates]: S [candidates]."""
    found = union.padded(scene) @ candidates.padded().transpose(1, 2)  # z_i · h_k [candidates, i, k]
    there = union.mask[scene]
    best = found.masked_fill(~there.unsqueeze(2), -torch.inf).amax(dim=1)
    best = best.masked_fill(~(there.any(dim=1, keepdim=True) & candidates.mask), 0)
    return best.sum(dim=1) / candidates.mask.sum(dim=1).clamp(min=1)


def triplet_loss(scores: Tensor, margin: float = 0.2, hardest: bool = True) -> Tensor:
    """Equation 5, or equation 4 with `hardest` off, of scores S [candidates k, images l] whose diagonal matches.

    L = Σ_k Σ_{l≠k} max(0, m − S_kk + S_kl) + max(0, m − S_kk + S_lk); L_+ keeps the hardest l of each sum.

    >>> round(triplet_loss(torch.tensor([[1.0, 0.9], [0.0, 1.0]])).item(), 6)
    0.2
    """
    own = scores.diagonal()
    itself = torch.eye(len(scores), dtype=torch.bool, device=scores.device)
    by_image = (margin - own.unsqueeze(1) + scores).clamp(min=0).masked_fill(itself, 0)
    by_candidate = (margin - own.unsqueeze(0) + scores).clamp(min=0).masked_fill(itself, 0)
    if hardest:
        return by_image.amax(dim=1).sum() + by_candidate.amax(dim=0).sum()
    return by_image.sum() + by_candidate.sum()
