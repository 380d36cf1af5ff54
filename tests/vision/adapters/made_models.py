"""Small ONNX files, made with the values that a test expects to see again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper


def constant_network(
    path: Path,
    outputs: Mapping[str, NDArray[np.generic]],
    input_shape: Sequence[int | str] = (1, 3, 64, 64),
    input_type: int = TensorProto.FLOAT,
    metadata: Mapping[str, str] | None = None,
    red_at: tuple[str, tuple[int, ...]] | None = None,
) -> Path:
    """A network that answers the same for every picture; with `red_at`, one number of an output is instead the mean of
    the first channel of the picture [1, 3, height, width], so that a test sees what the network was given."""
    nodes = [helper.make_node("Identity", ["picture"], ["unused"])]
    fixed = []
    for name, values in outputs.items():
        if red_at is not None and red_at[0] == name:
            blank = values.copy()
            blank[red_at[1]] = 0
            place = np.zeros_like(values)
            place[red_at[1]] = 1
            fixed += [numpy_helper.from_array(blank, f"{name}_blank"), numpy_helper.from_array(place, f"{name}_place")]
            fixed.append(numpy_helper.from_array(np.array([0]), "first"))
            nodes += [
                helper.make_node("Gather", ["picture", "first"], ["red"], axis=1),
                helper.make_node("ReduceMean", ["red"], ["mean"], keepdims=0),
                helper.make_node("Mul", [f"{name}_place", "mean"], [f"{name}_red"]),
                helper.make_node("Add", [f"{name}_blank", f"{name}_red"], [name]),
            ]
        else:
            fixed.append(numpy_helper.from_array(values, f"{name}_values"))
            nodes.append(helper.make_node("Identity", [f"{name}_values"], [name]))
    graph = helper.make_graph(
        nodes,
        "made",
        [helper.make_tensor_value_info("picture", input_type, list(input_shape))],
        [
            helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(values.dtype), values.shape)
            for name, values in outputs.items()
        ],
        initializer=fixed,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    helper.set_model_props(model, dict(metadata or {}))
    onnx.save(model, str(path))
    return path
