"""Many scene graphs at once: the nodes of all of them one after the other, and which belong to which."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor


class GraphLevel(NamedTuple):
    """The nodes [n, d] of graphs at one level (objects or relations); `place` and `mask` [graphs, most nodes] say
    which each graph has."""

    nodes: Tensor
    place: Tensor
    mask: Tensor

    def padded(self, graphs: Tensor | None = None) -> Tensor:
        """Nodes as [graphs, most nodes, d], of all graphs or of these; what the mask leaves out is any node."""
        place = self.place if graphs is None else self.place[graphs]
        if not len(self.nodes):
            return self.nodes.new_zeros(*place.shape, self.nodes.shape[1])
        return self.nodes.index_select(0, place.flatten()).unflatten(0, place.shape)

    def flat(self) -> tuple[Tensor, Tensor]:
        """Nodes [n, d] graph by graph, and the graph of each [n]."""
        return self.nodes.index_select(0, self.place[self.mask]), self.mask.nonzero()[:, 0]

    def pick(self, graphs: Tensor) -> GraphLevel:
        """Some of the graphs."""
        return GraphLevel(self.nodes, self.place[graphs], self.mask[graphs])


class GraphBatch(NamedTuple):
    """Scene graphs: object level, and relationship level unless the model has none."""

    objects: GraphLevel
    relations: GraphLevel | None

    def pick(self, graphs: Tensor) -> GraphBatch:
        """Some of the graphs."""
        return GraphBatch(self.objects.pick(graphs), None if self.relations is None else self.relations.pick(graphs))


class ReferencePairs(NamedTuple):
    """Pairs of scene and reference, scene by scene: `scene` and `caption` [pairs]. Every scene has one."""

    scene: Tensor
    caption: Tensor
    counts: Tensor  # [scenes]

    @classmethod
    def of(cls, caption: Tensor, counts: Tensor) -> ReferencePairs:
        """From the captions of all scenes one after the other, and how many each has."""
        return cls(torch.repeat_interleave(torch.arange(len(counts)), counts), caption, counts)
