"""A file that is not a network for pictures is an error that names it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest

from tests.vision.adapters.made_models import constant_network
from vericap.errors import InputError
from vericap.vision.adapters.onnx_files import open_onnx


def test_a_network_says_what_it_takes(tmp_path: Path) -> None:
    made = {"x": np.ones(2, np.float32)}
    path = constant_network(tmp_path / "a.onnx", made, (1, 3, "height", 48), metadata={"k": "v"})
    file = open_onnx(str(path))
    assert (file.input, file.shape, file.type, file.metadata) == ("picture", (1, 3, None, 48), np.float32, {"k": "v"})
    assert file.run(np.zeros((1, 3, 5, 48)))["x"].tolist() == [1, 1]


def test_a_picture_of_another_size_than_the_network_takes(tmp_path: Path) -> None:
    file = open_onnx(str(constant_network(tmp_path / "a.onnx", {"x": np.ones(2, np.float32)})))
    with pytest.raises(InputError, match=r"a\.onnx.*cannot take a picture of shape \[1, 3, 5, 5\]"):
        file.run(np.zeros((1, 3, 5, 5)))


def test_not_onnx(tmp_path: Path) -> None:
    (tmp_path / "b.onnx").write_bytes(b"weights")
    with pytest.raises(InputError, match=r"b\.onnx.*not an ONNX file that onnxruntime can run"):
        open_onnx(str(tmp_path / "b.onnx"))


def test_weights_beside_the_file_are_not_read(tmp_path: Path) -> None:
    """The hash in a signature is that of the file alone."""
    path = constant_network(tmp_path / "a.onnx", {"x": np.ones(2, np.float32)})
    onnx.save(onnx.load(path), path, save_as_external_data=True, location="a.data", size_threshold=0)
    assert (tmp_path / "a.data").is_file()
    with pytest.raises(InputError, match=r"a\.onnx.*export it again, with all weights inside the file"):
        open_onnx(str(path))


def test_a_network_for_texts(tmp_path: Path) -> None:
    path = constant_network(tmp_path / "c.onnx", {"x": np.ones(2, np.float32)}, (1, 7))
    with pytest.raises(InputError, match=r"first input is not a picture; it has picture tensor\(float\) \[1, 7\]"):
        open_onnx(str(path))
