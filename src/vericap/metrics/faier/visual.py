"""The visual scene graph (section 3.1): objects u → v^o, and the relations of each object to the others → v^r."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from vericap.metrics.faier.graphs import GraphLevel


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
        """γ [images, regions i, regions j] of v [images, regions, d], padded as the mask says."""
        if boxes is None:
            weight = torch.tanh((objects * self.weight.weight[0]) @ objects.transpose(1, 2))
        else:
            offsets = boxes.unsqueeze(2) - boxes.unsqueeze(1)  # Δb_ij = b_i − b_j
            weight = torch.tanh(self.weight(offsets).squeeze(-1))
        return torch.softmax(weight.masked_fill(~mask.unsqueeze(1), -torch.inf), dim=2)

    def forward(self, objects: GraphLevel, boxes: Tensor | None) -> GraphLevel:
        """v^r; boxes [regions, 4] in the order of the objects' nodes."""
        frames = None if boxes is None else objects._replace(nodes=boxes).padded()
        attention = self.attention(objects.padded(), objects.mask, frames)
        messages = objects._replace(nodes=self.message(objects.nodes)).padded()
        received = (attention @ messages).flatten(0, 1)
        # Padded rows stay among the nodes; no graph has them.
        place = torch.arange(objects.mask.numel()).view_as(objects.mask)
        return GraphLevel(received, place, objects.mask)
