"""Small graphs and layers, and what encoders compute written out, for tests of the paper's equations."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vericap.metrics.faier.layers import NumpyGru, NumpyLinear
from vericap.metrics.faier.packed import GraphLevel

Array = NDArray[np.float32]
D = 8


def numbers(rng: np.random.Generator, *shape: int) -> Array:
    return rng.normal(size=shape).astype(np.float32)


def level(nodes: list[Array]) -> GraphLevel:
    """Graphs with these nodes."""
    return GraphLevel.of(np.concatenate(nodes), np.array([len(n) for n in nodes]))


def graphs(found: GraphLevel) -> list[Array]:
    """The nodes of each graph."""
    return [found.nodes[rows] for rows in found.rows]


def gru_of(rng: np.random.Generator, inputs: int, units: int) -> tuple[NumpyGru, list[Array]]:
    """A GRU, and its weights W_i, b_i, W_h, b_h."""
    weights = [
        numbers(rng, *shape) / 2 for shape in ((3 * units, inputs), (3 * units,), (3 * units, units), (3 * units,))
    ]
    return NumpyGru(NumpyLinear(*weights[:2]), NumpyLinear(*weights[2:])), weights


def slow_gru(weights: list[Array], sequence: Array) -> list[Array]:
    """Cho et al. 2014: reset r, update z, new n."""
    w_i, b_i, w_h, b_h = weights
    h, states = np.zeros(w_h.shape[1], np.float32), []
    for x in sequence:
        (i_r, i_z, i_n), (h_r, h_z, h_n) = np.split(w_i @ x + b_i, 3), np.split(w_h @ h + b_h, 3)
        r, z = 1 / (1 + np.exp(-(i_r + h_r))), 1 / (1 + np.exp(-(i_z + h_z)))
        n = np.tanh(i_n + r * h_n)
        h = (1 - z) * n + z * h
        states.append(h)
    return states
