"""Scene graph fusing (section 3.2): what each visual node attends to in every reference, fused into one union node."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from vericap.arrays import gather, offsets_of
from vericap.metrics.faier.graphs import GraphLevel, ReferencePairs
from vericap.metrics.faier.inputs import Sequences
from vericap.metrics.faier.recurrence import PackedGRU


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
        """α [pairs, regions, nodes] of v [pairs, regions, d] on h [pairs, nodes, d]; mask [pairs, nodes]."""
        weight = (visual * self.attend.weight[0]) @ textual.transpose(1, 2)
        # A finite floor: a reference without nodes then has weights, not NaN, which the mask sets to 0.
        weight = weight.masked_fill(~mask.unsqueeze(1), -1e4)
        return torch.softmax(weight, dim=2) * mask.unsqueeze(1)

    def forward(self, visual: GraphLevel, textual: GraphLevel, references: ReferencePairs) -> GraphLevel:
        """The union graphs z, with the visual graphs' nodes."""
        said = textual.padded(references.caption)
        alpha = self.attention(visual.padded(references.scene), said, textual.mask[references.caption])
        attended = (alpha @ said).flatten(0, 1)  # a_ij: row (pair, i)
        # The sequence of a node (s, i) are the rows (pair, i) of the pairs of scene s.
        scene, region = visual.mask.numpy().nonzero()
        counts = references.counts.numpy()
        pair, _ = gather(offsets_of(counts), scene)
        row = pair * visual.mask.shape[1] + np.repeat(region, counts[scene])
        packed = Sequences.pack(row, counts[scene])
        states = self.gru(self.gru.input(attended.index_select(0, packed.items)), packed.running)
        fused = states.index_select(0, packed.last)  # m_i, scene by scene
        seen, _ = visual.flat()
        place = torch.zeros_like(visual.place)
        place[visual.mask] = torch.arange(len(seen))
        return GraphLevel(self.union(torch.cat([seen, fused], dim=1)), place, visual.mask)
