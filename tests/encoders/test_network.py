"""The network gives the hidden states of transformers' BertModel on the same weights: with weights of 8 bits nearly,
and the same bits however it is run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr

from tests.encoders.models import CAPTIONS, write_bert
from tests.encoders.test_weights import pack
from vericap.arrays import Ragged
from vericap.encoders.network import Linear, Network, Norm, _map, bounded, exponentials, gelu, normalise
from vericap.encoders.weights import FolderWeights, RoundedWeights, Weights
from vericap.encoders.wordpiece import WordPiece
from vericap.kernels.encoding import ways

WHOLE = {"hidden_size": 64, "num_attention_heads": 2, "intermediate_size": 192}
EVERY_WAY = pytest.mark.parametrize("way", range(ways() + 1))


def ids_of(weights: Weights, captions: list[str]) -> Ragged:
    ids = WordPiece(weights.pieces)(captions, weights.config.limit).ids
    return ids.take(np.argsort(ids.lengths, kind="stable"))


def hidden_states(folder: Path, texts: Ragged, layer: int) -> list[np.ndarray]:
    """Those of transformers after a layer, text by text."""
    import torch
    from transformers import BertModel

    model = BertModel.from_pretrained(folder, add_pooling_layer=False).eval()
    with torch.inference_mode():
        found = [model(torch.tensor([ids.tolist()]), output_hidden_states=True).hidden_states for ids in texts]
    return [states[layer][0].numpy() for states in found]


@pytest.mark.torch
@EVERY_WAY
@pytest.mark.parametrize("sizes", [{}, WHOLE, {"hidden_size": 18, "num_attention_heads": 2, "layer_norm_eps": 1e-5}])
@pytest.mark.parametrize("layers", [0, 1, 3, None])
def test_hidden_states_are_those_of_transformers(
    tmp_path: Path, sizes: dict[str, Any], layers: int | None, way: int
) -> None:
    write_bert(tmp_path, **sizes)
    weights = FolderWeights(tmp_path)
    ids = ids_of(weights, CAPTIONS)
    found = Ragged(Network(weights, way).run(ids, layers), ids.offsets)
    for i, expected in enumerate(hidden_states(tmp_path, ids, 3 if layers is None else layers)):
        assert found[i] == pytest.approx(expected, abs=2e-5)


@pytest.mark.torch
def test_real_weights(minilm: Path) -> None:
    weights = FolderWeights(minilm)
    ids = ids_of(weights, ["A dog runs after a red ball.", "two zebras grazing, side by side, in the savannah"])
    found = Ragged(Network(weights).run(ids), ids.offsets)
    for i, expected in enumerate(hidden_states(minilm, ids, 6)):
        assert found[i] == pytest.approx(expected, abs=1e-5)


@EVERY_WAY
@pytest.mark.parametrize("sizes", [{}, WHOLE, {**WHOLE, "num_hidden_layers": 6, "layer_norm_eps": 1e-5}])
def test_integers_are_near_the_floats(tmp_path: Path, sizes: dict[str, Any], way: int) -> None:
    write_bert(tmp_path, **{"spread": 0.1, **sizes})
    weights = FolderWeights(tmp_path)
    ids = ids_of(weights, CAPTIONS)
    exact = Network(weights, way).run(ids)
    for rounded in (pack(tmp_path, tmp_path / "tiny.arrays"), RoundedWeights(tmp_path)):
        found = Network(rounded, way).run(ids)
        cosines = (exact * found).sum(axis=1) / np.linalg.norm(exact, axis=1) / np.linalg.norm(found, axis=1)
        assert cosines.min() > 0.999
    # Before the first layer nothing is rounded.
    assert Network(rounded, way).run(ids, 0) == pytest.approx(Network(weights, way).run(ids, 0), abs=1e-6)


@pytest.mark.bits
@pytest.mark.parametrize("layers", [0, 1, None])
@pytest.mark.parametrize("spread", [0.02, 1.0])
def test_all_ways_give_the_same_bits(tmp_path: Path, layers: int | None, spread: float) -> None:
    write_bert(tmp_path, **WHOLE, spread=spread)
    weights = RoundedWeights(tmp_path)
    # Up to 60 pieces: several lanes of keys, several rows of queries, and texts that do not fill the last of each.
    ids = ids_of(weights, [*CAPTIONS, *(" ".join(["a dog runs"] * many) for many in range(1, 20))])
    assert ids.lengths.max() > 48
    assert len({Network(weights, way).run(ids, layers).tobytes() for way in range(ways() + 1)}) == 1
    floats = [Network(FolderWeights(tmp_path), way).run(ids, layers) for way in range(ways() + 1)]
    assert len({found.tobytes() for found in floats[1:]}) <= 1
    assert floats[-1] == pytest.approx(floats[0], abs=2e-5 if spread < 1 else 1e-2)


@pytest.mark.bits
@EVERY_WAY
@pytest.mark.parametrize("kind", [FolderWeights, RoundedWeights])
def test_a_text_has_the_same_bits_in_any_company(tmp_path: Path, kind: type[FolderWeights], way: int) -> None:
    write_bert(tmp_path, **WHOLE)
    weights = kind(tmp_path)
    network, ids = Network(weights, way), ids_of(weights, CAPTIONS * 20)
    together = Ragged(network.run(ids), ids.offsets)
    for i in range(0, len(ids), 9):
        assert network.run(ids.take(np.array([i]))).tobytes() == together[i].tobytes()


@EVERY_WAY
@pytest.mark.parametrize(("kind", "size"), [(FolderWeights, 24), (RoundedWeights, 64)])
def test_no_texts(tmp_path: Path, kind: type[FolderWeights], size: int, way: int) -> None:
    write_bert(tmp_path, **(WHOLE if size == 64 else {}))
    assert Network(kind(tmp_path), way).run(Ragged.of([], np.int32)).shape == (0, size)


@given(st.integers(0, 1000), st.sampled_from([2, 4]), st.sampled_from([8, 40, 52]), st.integers(1, 127))
def test_sums_of_bounded_weights_fit_into_16_bits(seed: int, together: int, width: int, largest: int) -> None:
    integers = np.random.default_rng(seed).integers(-largest, largest + 1, (20, width)).astype(np.int8)
    found, scale = bounded(integers, np.ones(20, np.float32), together)
    whole = np.pad(found, ((0, 0), (0, -width % 8))).astype(int).reshape(20, -1, 2, 2, 2)
    axes = (4,) if together == 2 else (2, 4)
    for sign in (1, -1):
        assert 255 * np.maximum(sign * whole, 0).sum(axis=axes).max() < 2**15
    assert np.abs(found * scale[:, None] - integers).max() <= scale.max() / 2 + 1e-3


@pytest.mark.bits
def test_sums_beyond_what_float32_holds_are_exact_until_they_are_rounded_once() -> None:
    random = np.random.default_rng(0)
    weights = random.integers(100, 128, (3, 1536)).astype(np.int8)
    ones, zeros = np.ones(3, np.float32), np.zeros(3, np.float32)
    bytes_ = random.integers(200, 256, (2, 1536))
    bytes_[:, 0], bytes_[:, 1] = 0, 255  # so that a byte stands for itself
    exact = bytes_ @ weights.T.astype(np.int64)
    assert exact.min() > 2**24
    found = _map(Linear(weights, zeros, ones, zeros), 0)(bytes_.astype(np.float32))
    assert np.array_equal(found, exact.astype(np.float32))


def test_exponentials_are_exact_to_two_ten_millionths() -> None:
    x = np.linspace(-79, 0, 1_000_001).astype(np.float32)
    expected = np.exp(x.astype(np.float64))
    exponentials(x)
    assert np.abs(x / expected - 1).max() < 2e-7
    assert x[-1] == 1


def test_gelu_is_exact_to_a_millionth_and_large_numbers_are_themselves_or_nothing() -> None:
    x = np.linspace(-40, 40, 1_000_001).astype(np.float32)
    expected = x.astype(np.float64) * ndtr(x.astype(np.float64))
    assert np.abs(gelu(x) - expected).max() < 1e-6
    assert gelu(np.float32([-1e4, -100, 0, 100, 1e4])).tolist() == [0, 0, 0, 100, 1e4]


@pytest.mark.parametrize("columns", [1, 7, 24, 29])
def test_layer_normalisation(columns: int) -> None:
    random = np.random.default_rng(0)
    rows, residual = (random.normal(size=(5, columns)).astype(np.float32) for _ in range(2))
    gain, shift = (random.normal(size=columns).astype(np.float32) for _ in range(2))
    sums = rows.astype(np.float64) + residual
    expected = (sums - sums.mean(axis=1, keepdims=True)) / np.sqrt(sums.var(axis=1, keepdims=True) + 1e-5)
    assert normalise(rows, residual, Norm(gain, shift), 1e-5) == pytest.approx(expected * gain + shift, abs=1e-5)
