"""A network of 8-bit integers: near to that of its floats, and the same bits however it is run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.encoders.models import CAPTIONS, write_bert
from tests.encoders.test_weights import pack
from vericap.arrays import Ragged
from vericap.encoders.integers import IntegerNetwork, _Linear, _Product, exponentials
from vericap.encoders.network import Network
from vericap.encoders.weights import FileWeights
from vericap.encoders.wordpiece import WordPiece
from vericap.kernels.encoding import ways

WHOLE = {"hidden_size": 64, "num_attention_heads": 2, "intermediate_size": 192}


def packed(folder: Path, **sizes: Any) -> FileWeights:
    write_bert(folder, **sizes)
    return pack(folder, folder / "tiny.arrays")


def ids_of(weights: FileWeights, captions: list[str]) -> Ragged:
    ids = WordPiece(weights.pieces)(captions, weights.config.limit).ids
    return ids.take(np.argsort(ids.lengths, kind="stable"))


@pytest.mark.parametrize("way", range(ways() + 1))
@pytest.mark.parametrize("sizes", [{}, WHOLE, {**WHOLE, "num_hidden_layers": 6, "layer_norm_eps": 1e-5}])
def test_vectors_are_near_those_of_the_same_weights_in_floats(tmp_path: Path, sizes: dict[str, Any], way: int) -> None:
    weights = packed(tmp_path, **{"spread": 0.1, **sizes})
    ids = ids_of(weights, CAPTIONS)
    exact, found = Network(weights).run(ids), IntegerNetwork(weights, way).run(ids)
    cosines = (exact * found).sum(axis=1) / np.linalg.norm(exact, axis=1) / np.linalg.norm(found, axis=1)
    assert cosines.min() > 0.999
    # Before the first layer nothing is rounded but the weights.
    assert IntegerNetwork(weights, way).run(ids, 0) == pytest.approx(Network(weights).run(ids, 0), abs=1e-5)


@pytest.mark.bits
@pytest.mark.skipif(ways() == 0, reason="this machine runs it in NumPy alone")
@pytest.mark.parametrize("layers", [0, 1, None])
def test_all_ways_give_the_same_bits(tmp_path: Path, layers: int | None) -> None:
    weights = packed(tmp_path, **WHOLE)
    # Up to 60 pieces: several lanes of keys, several rows of queries, and texts that do not fill the last of each.
    ids = ids_of(weights, [*CAPTIONS, *(" ".join(["a dog runs"] * many) for many in range(1, 20))])
    assert ids.lengths.max() > 48
    found = {IntegerNetwork(weights, way).run(ids, layers).tobytes() for way in range(ways() + 1)}
    assert len(found) == 1


@pytest.mark.bits
@pytest.mark.parametrize("way", range(ways() + 1))
def test_a_text_has_the_same_bits_in_any_company(tmp_path: Path, way: int) -> None:
    weights = packed(tmp_path, **WHOLE)
    network, ids = IntegerNetwork(weights, way), ids_of(weights, CAPTIONS * 20)
    together = Ragged(network.run(ids), ids.offsets)
    for i in range(0, len(ids), 9):
        assert network.run(ids.take(np.array([i]))).tobytes() == together[i].tobytes()


@pytest.mark.parametrize("way", range(ways() + 1))
def test_no_texts(tmp_path: Path, way: int) -> None:
    weights = packed(tmp_path, **WHOLE)
    assert IntegerNetwork(weights, way).run(Ragged.of([], np.int32)).shape == (0, 64)


@pytest.mark.bits
def test_sums_beyond_what_float32_holds_are_exact_until_they_are_rounded_once() -> None:
    random = np.random.default_rng(0)
    weights = random.integers(100, 128, (3, 1536)).astype(np.int8)
    ones, zeros = np.ones(3, np.float32), np.zeros(3, np.float32)
    bytes_ = random.integers(200, 256, (2, 1536))
    bytes_[:, 0], bytes_[:, 1] = 0, 255  # so that a byte stands for itself
    exact = bytes_ @ weights.T.astype(np.int64)
    assert exact.min() > 2**24
    found = _Product(_Linear(weights, ones, zeros, zeros))(bytes_.astype(np.float32))
    assert np.array_equal(found, exact.astype(np.float32))


def test_exponentials_are_exact_to_two_ten_millionths() -> None:
    x = np.linspace(-79, 0, 1_000_001).astype(np.float32)
    expected = np.exp(x.astype(np.float64))
    exponentials(x)
    assert np.abs(x / expected - 1).max() < 2e-7
    assert x[-1] == 1
