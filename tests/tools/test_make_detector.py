"""What is read from TensorFlow's graph, on messages written by hand."""

from __future__ import annotations

import numpy as np
import onnx
import pytest

from tools.make_detector import OUT, Node, fields


def message(*parts: tuple[int, bytes | int]) -> bytes:
    """A protocol-buffer message of short fields: numbers below 128, or bytes."""
    written = b""
    for field, value in parts:
        if isinstance(value, int):
            written += bytes([field << 3, value])
        else:
            written += bytes([field << 3 | 2, len(value)]) + value
    return written


def constant(tensor: bytes) -> Node:
    value = message((1, b"value"), (2, message((8, tensor))))
    return Node(message((1, b"name"), (2, b"Const"), (5, value)))


def test_fields_of_a_message() -> None:
    assert list(fields(b"\x08\x96\x01" + message((2, b"ab")))) == [(1, 150), (2, b"ab")]


@pytest.mark.parametrize(
    ("content", "shape", "expected"),
    [
        ((4, np.float32([1, 2]).tobytes()), [2], [1, 2]),
        ((5, np.float32([3]).tobytes()), [], 3),
        ((5, np.float32([3]).tobytes()), [2, 1], [[3], [3]]),  # one value stands for all
    ],
)
def test_constants(content: tuple[int, bytes], shape: list[int], expected: object) -> None:
    dimensions = message(*((2, message((1, length))) for length in shape))
    node = constant(message((1, 1), (2, dimensions), content))
    assert node.tensor().tolist() == expected and node.tensor().dtype == np.float32


def test_the_file_that_ships_is_valid_and_plain() -> None:
    """Operators of ONNX alone: no library, no file beside it, nothing that runs code."""
    model = onnx.load(OUT)
    onnx.checker.check_model(model)
    assert {opset.domain for opset in model.opset_import} == {""}
    assert {node.domain for node in model.graph.node} == {""}
    assert not any(weight.external_data for weight in model.graph.initializer)
    assert OUT.stat().st_size < 14_000_000
