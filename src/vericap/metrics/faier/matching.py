"""Scene graph matching (section 3.3): every node of the candidate takes its most similar node of the union graph."""

from __future__ import annotations

import torch
from torch import Tensor

from vericap.metrics.faier.graphs import GraphLevel


def match_all(union: GraphLevel, candidates: GraphLevel) -> Tensor:
    """Equation 3 for every candidate with every union graph: S [candidates, graphs] where
    S_cg = mean over the nodes k of c of max over the nodes i of g of z_i · h_k. No nodes on either side: 0."""
    nodes, caption = candidates.flat()
    members, _ = union.flat()
    found = union.nodes.new_full((union.mask.numel(), len(nodes)), -torch.inf)
    found = found.index_copy(0, union.mask.flatten().nonzero()[:, 0], members @ nodes.T)
    best = found.unflatten(0, union.mask.shape).amax(dim=1)  # [graphs, nodes of all candidates]
    best = best.masked_fill(~union.mask.any(dim=1, keepdim=True), 0)
    return _mean_by_caption(best.T, caption, len(candidates.mask))


def match_pairs(union: GraphLevel, candidates: GraphLevel, scene: Tensor) -> Tensor:
    """Equation 3 for each candidate with its own union graph, row `scene` [candidates]: S [candidates]."""
    found = union.padded(scene) @ candidates.padded().transpose(1, 2)  # [candidates, regions, nodes]
    there = union.mask[scene]
    best = found.masked_fill(~there.unsqueeze(2), -torch.inf).amax(dim=1)
    best = best.masked_fill(~(there.any(dim=1, keepdim=True) & candidates.mask), 0)
    return best.sum(dim=1) / candidates.mask.sum(dim=1).clamp(min=1)


def _mean_by_caption(best: Tensor, caption: Tensor, captions: int) -> Tensor:
    total = best.new_zeros(captions, *best.shape[1:]).index_add(0, caption, best)
    count = torch.bincount(caption, minlength=captions).clamp(min=1)  # L_c
    return total / count.view(-1, *[1] * (best.dim() - 1))
