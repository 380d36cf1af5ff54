"""The layers of a model in torch, for training: their weights are learned, and the GRU has its gradient written out."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.autograd import Function
from torch.nn import functional

from vericap.metrics.faier.equations import gru_step
from vericap.metrics.faier.layers import Layers
from vericap.metrics.faier.packed import Sequences, take


class TorchLinear(NamedTuple):
    """x ↦ W x + b."""

    weight: Tensor
    bias: Tensor | None

    def __call__(self, x: Tensor) -> Tensor:
        return functional.linear(x, self.weight, self.bias)


class TorchGru(NamedTuple):
    """States [nodes, units] over sequences of items, which are rows of x."""

    input: TorchLinear
    hidden: TorchLinear

    def __call__(self, x: Tensor, sequences: Sequences) -> Tensor:
        items = take(self.input(x), sequences.items)
        return _Steps.apply(items, self.hidden.weight, self.hidden.bias, sequences)


class TorchLayers(Layers):
    """The layers of a model by name; `dropout` is the share of the numbers of a word that become 0."""

    linear_of, gru_of = TorchLinear, TorchGru

    def __init__(self, weights: Mapping[str, Tensor], dropout: float = 0.0) -> None:
        super().__init__(weights)
        self.dropout = dropout

    def array(self, values: Any) -> Tensor:
        return torch.from_numpy(values)

    def dropped(self, embedded: Tensor) -> Tensor:
        return functional.dropout(embedded, self.dropout)


class _Steps(Function):
    @staticmethod
    def forward(ctx: Any, items: Tensor, weight: Tensor, bias: Tensor, sequences: Sequences) -> Tensor:
        units = weight.shape[1]
        # Of each step, h and r, z, n and W_hn h + b_hn are kept for the way back.
        states, before = items.new_empty(len(items), units), items.new_zeros(len(items), units)
        gates, inner = items.clone(), items.new_empty(len(items), units)
        behind = torch.from_numpy(sequences.before)
        for first, last in pairwise(sequences.steps):
            if first:
                before[first:last] = states[behind[first:last]]
            s = torch.addmm(bias, before[first:last], weight.T)
            inner[first:last] = s[:, 2 * units :]
            *_, states[first:last] = gru_step(gates[first:last], s, before[first:last])
        ctx.save_for_backward(before, gates, inner, weight, behind)
        ctx.steps = sequences.steps
        return states

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor, Tensor, None]:
        before, gates, inner, weight, behind = ctx.saved_tensors
        of_states = gradients[0].clone()
        of_items, of_hidden = torch.empty_like(gates), torch.empty_like(gates)
        for first, last in reversed([*pairwise(ctx.steps)]):
            nodes = slice(first, last)
            r, z, n = gates[nodes].chunk(3, dim=1)
            d_h = of_states[nodes]
            d_n = d_h * (1 - z) * (1 - n * n)
            d_r, d_z = d_n * inner[nodes] * r * (1 - r), d_h * (before[nodes] - n) * z * (1 - z)
            of_items[nodes] = torch.cat([d_r, d_z, d_n], dim=1)
            of_hidden[nodes] = torch.cat([d_r, d_z, d_n * r], dim=1)
            if first:
                of_states.index_add_(0, behind[nodes], torch.addmm(d_h * z, of_hidden[nodes], weight))
        return of_items, of_hidden.T @ before, of_hidden.sum(0), None
