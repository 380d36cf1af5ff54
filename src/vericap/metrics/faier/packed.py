"""Graphs and sequences of different sizes, each kind in one tensor without padding, and the GRU over such sequences."""

from __future__ import annotations

from itertools import accumulate
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import torch
from torch import Tensor, nn
from torch.autograd import Function

from vericap.arrays import Integers, offsets_of


class GraphLevel(NamedTuple):
    """The nodes [n, d] of graphs at one level (objects or relations); `place` and `mask` [graphs, most nodes] say
    which each graph has."""

    nodes: Tensor
    place: Tensor
    mask: Tensor

    def padded(self, graphs: Tensor | None = None) -> Tensor:
        """Return nodes as [graphs, most nodes, d], of all graphs or of these; what the mask leaves out is any node."""
        place = self.place if graphs is None else self.place[graphs]
        if not len(self.nodes):
            return self.nodes.new_zeros(*place.shape, self.nodes.shape[1])
        return self.nodes.index_select(0, place.flatten()).unflatten(0, place.shape)

    def flat(self) -> tuple[Tensor, Tensor]:
        """Return nodes [n, d] graph by graph, and the graph of each [n]."""
        return self.nodes.index_select(0, self.place[self.mask]), self.mask.nonzero()[:, 0]

    def pick(self, graphs: Tensor) -> GraphLevel:
        """Return some of the graphs."""
        return GraphLevel(self.nodes, self.place[graphs], self.mask[graphs])


# Scene graphs by level: "objects", and "relations" unless the model has none.
Graphs: TypeAlias = dict[str, GraphLevel]


def pick(graphs: Graphs, rows: Tensor) -> Graphs:
    """Return some of the graphs."""
    return {name: level.pick(rows) for name, level in graphs.items()}


class ReferencePairs(NamedTuple):
    """Pairs of scene and reference, scene by scene: `scene` and `caption` [pairs]. Every scene has one."""

    scene: Tensor
    caption: Tensor
    counts: Tensor  # [scenes]

    @classmethod
    def of(cls, caption: Tensor, counts: Tensor) -> ReferencePairs:
        """From the captions of all scenes one after the other, and how many each has."""
        return cls(torch.repeat_interleave(torch.arange(len(counts)), counts), caption, counts)


def grouped(counts: Integers) -> tuple[Tensor, Tensor]:
    """Return the place of each member of each group where all are in one row, padded with 0, and the mask.

    >>> [x.tolist() for x in grouped(np.array([1, 0, 2]))]
    [[[0, 0], [0, 0], [1, 2]], [[True, False], [False, False], [True, True]]]
    """
    first = offsets_of(counts)[:-1]
    width = max(1, int(counts.max(initial=0)))
    mask = np.arange(width) < counts[:, None]
    return torch.from_numpy(np.where(mask, first[:, None] + np.arange(width), 0)), torch.from_numpy(mask)


class Sequences(NamedTuple):
    """Sequences packed as `PackedGRU` takes them.

    `items` are the packed items. `place` [sequences, longest] is the place of item k of sequence i among them, 0 behind
    its end, and `mask` [sequences, longest] says whether there is one. `turned` [items] is the place of the item that
    an item changes with when its sequence is reversed.
    """

    items: Tensor
    running: list[int]
    place: Tensor
    mask: Tensor
    turned: Tensor
    last: Tensor  # [sequences]: the place of the last item of each

    @classmethod
    def pack(cls, values: Integers, lengths: Integers) -> Sequences:
        """Sequences given one after the other, none of them empty.

        >>> packed = Sequences.pack(np.array([5, 6, 7, 8, 9]), np.array([2, 3]))
        >>> packed.items.tolist(), packed.running, packed.place.tolist()
        ([7, 5, 8, 6, 9], [2, 2, 1], [[1, 3, 0], [0, 2, 4]])
        """
        longest = int(lengths.max(initial=0))
        rank = np.empty(len(lengths), np.int64)
        rank[np.argsort(-lengths, kind="stable")] = np.arange(len(lengths))
        mask = np.arange(longest) < lengths[:, None]
        running = mask.sum(axis=0)
        place = np.where(mask, offsets_of(running)[:-1] + rank[:, None], 0)
        mirrored = np.where(mask, lengths[:, None] - 1 - np.arange(longest), 0)
        items, turned = np.empty(len(values), np.int64), np.empty(len(values), np.int64)
        items[place[mask]] = values
        turned[place[mask]] = np.take_along_axis(place, mirrored, axis=1)[mask]
        last = place[np.arange(len(lengths)), lengths - 1]
        return cls(
            torch.from_numpy(items),
            running.tolist(),
            torch.from_numpy(place),
            torch.from_numpy(mask),
            torch.from_numpy(turned),
            torch.from_numpy(last),
        )


class PackedGRU(nn.Module):
    """A GRU in one direction (Cho et al. 2014, in the form of `torch.nn.GRU`):

    r = σ(W_ir x + b_ir + W_hr h + b_hr), z = σ(W_iz x + b_iz + W_hz h + b_hz),
    n = tanh(W_in x + b_in + r ⊙ (W_hn h + b_hn)), h' = (1 − z) ⊙ n + z ⊙ h.

    Sequences come packed: first the first item of each, the longest sequence first, then the second items of those that
    have one, and so on; `running[t]` sequences have more than t items.
    """

    def __init__(self, inputs: int, units: int) -> None:
        super().__init__()
        self.input = nn.Linear(inputs, 3 * units)
        self.hidden = nn.Linear(units, 3 * units)
        for parameter in self.parameters():
            nn.init.uniform_(parameter, -(units**-0.5), units**-0.5)

    def forward(self, projected: Tensor, running: list[int]) -> Tensor:
        """States [items, units] of packed items that have been through `input` [items, 3 × units]."""
        states: Tensor = _Steps.apply(projected, self.hidden.weight, self.hidden.bias, running)
        return states


class _Steps(Function):
    @staticmethod
    def forward(ctx: Any, inputs: Tensor, weight: Tensor, bias: Tensor, running: list[int]) -> Tensor:
        units = weight.shape[1]
        # Of each step, h and r, z, n and W_hn h + b_hn are kept for the way back, if there will be one.
        kept = any(ctx.needs_input_grad)
        rows = len(inputs) if kept else max(running, default=0)
        states, before = inputs.new_empty(len(inputs), units), inputs.new_zeros(rows, units)
        gates = inputs.new_empty(rows, 4 * units)
        last = 0
        for start, now in zip(accumulate(running, initial=0), running, strict=False):
            items = slice(start, start + now)
            own = items if kept else slice(0, now)
            if start:
                before[own] = states[last : last + now]
            h, x = before[own], inputs[items]
            r, _, n, inner = gates[own].chunk(4, dim=1)
            hidden = torch.addmm(bias, h, weight.T)
            torch.sigmoid(x[:, : 2 * units] + hidden[:, : 2 * units], out=gates[own, : 2 * units])
            inner.copy_(hidden[:, 2 * units :])
            torch.tanh(torch.addcmul(x[:, 2 * units :], r, inner), out=n)
            torch.lerp(n, h, gates[own, units : 2 * units], out=states[items])
            last = start
        if kept:
            ctx.save_for_backward(before, gates, weight)
            ctx.running = running
        return states

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor, Tensor, None]:
        before, gates, weight = ctx.saved_tensors
        units, running = weight.shape[1], ctx.running
        of_states = gradients[0].clone()
        of_inputs = torch.empty_like(gates[:, : 3 * units])
        of_hidden = torch.empty_like(of_inputs)
        starts = list(accumulate(running, initial=0))
        for t in range(len(running) - 1, -1, -1):
            items = slice(starts[t], starts[t + 1])
            r, z, n, inner = gates[items].chunk(4, dim=1)
            d_h = of_states[items]
            d_n = d_h * (1 - z) * (1 - n * n)
            d_r, d_z, _ = of_inputs[items].chunk(3, dim=1)
            torch.mul(d_n * inner, r * (1 - r), out=d_r)
            torch.mul(d_h * (before[items] - n), z * (1 - z), out=d_z)
            of_inputs[items, 2 * units :] = d_n
            of_hidden[items, : 2 * units] = of_inputs[items, : 2 * units]
            torch.mul(d_n, r, out=of_hidden[items, 2 * units :])
            if t:
                earlier = of_states[starts[t - 1] : starts[t - 1] + running[t]]
                earlier += torch.addmm(d_h * z, of_hidden[items], weight)
        return of_inputs, of_hidden.T @ before, of_hidden.sum(0), None
