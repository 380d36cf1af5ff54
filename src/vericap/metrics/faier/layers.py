"""The layers of a model in NumPy: products in which a row does not depend on the others, and the GRU over sequences."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vericap.encoders.products import Product
from vericap.metrics.faier.equations import gru_step
from vericap.metrics.faier.packed import Sequences

Array = NDArray[np.float32]

_NUMBERS = 1 << 17  # of a step that are computed together: they stay in the processor's cache


class NumpyLinear:
    """x ↦ W x + b."""

    def __init__(self, weight: Array, bias: Array | None = None) -> None:
        self.product, self.bias = Product(weight.T), bias

    def __call__(self, x: Array) -> Array:
        found = self.product(x)
        if self.bias is not None:
            found += self.bias
        return found


class NumpyGru:
    """States [nodes, units] over sequences of items, which are rows of x: a row is projected once, however often it
    occurs."""

    def __init__(self, into: NumpyLinear, hidden: NumpyLinear) -> None:
        assert into.bias is not None and hidden.bias is not None
        self.input, self.hidden = into.product, hidden.product
        self.units = len(hidden.bias) // 3
        # b_hr and b_hz are added once for each row of x, and not at each step.
        gates = np.arange(3 * self.units) < 2 * self.units
        self.input_bias = np.where(gates, into.bias + hidden.bias, into.bias)
        self.bias = np.where(gates, np.float32(0), hidden.bias)

    def __call__(self, x: Array, sequences: Sequences) -> Array:
        projected = self.input(x)
        projected += self.input_bias
        states = np.empty((len(sequences.items), self.units), np.float32)
        rows = max(1, _NUMBERS // len(self.bias))
        for first, last in pairwise(sequences.steps):
            for start in range(first, last, rows):
                nodes = slice(start, min(start + rows, last))
                h, s = np.zeros((1, self.units), np.float32), self.bias
                if first:
                    h = states.take(sequences.before[nodes], axis=0)
                    s = self.hidden(h)
                    s[:, 2 * self.units :] += self.bias[2 * self.units :]
                *_, states[nodes] = gru_step(projected.take(sequences.items[nodes], axis=0), s, h)
        return states


class Layers:
    """The layers of a model by name, of weights as `vericap.metrics.faier.model.weight_shapes` names them."""

    linear_of: type[Any] = NumpyLinear
    gru_of: type[Any] = NumpyGru

    def __init__(self, weights: Mapping[str, Any]) -> None:
        self.weights = weights
        self._made: dict[str, Any] = {}

    def linear(self, name: str) -> Any:
        """Return a layer x ↦ W x + b."""
        if name not in self._made:
            self._made[name] = self.linear_of(self.weights[f"{name}.weight"], self.weights.get(f"{name}.bias"))
        return self._made[name]

    def gru(self, name: str) -> Any:
        """Return a GRU."""
        return self.gru_of(self.linear(f"{name}.input"), self.linear(f"{name}.hidden"))

    def array(self, values: Array) -> Any:
        """Return numbers of the inputs as an array that the layers take."""
        return values

    def dropped(self, embedded: Any) -> Any:
        """Return words with some of their numbers set to zero, in a model that is being trained."""
        return embedded
