"""Weights of folders and of files of 8-bit integers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from tests.encoders.models import PIECES, write_bert
from vericap.encoders.config import Config
from vericap.encoders.weights import FileWeights, FolderWeights, open_weights, quantise, tensor_names, write
from vericap.errors import InputError


def pack(folder: Path, path: Path) -> FileWeights:
    weights = FolderWeights(folder)
    tensors = {name: weights.tensor(name) for name, _ in tensor_names(weights.config)}
    write(path, "tiny", weights.config, weights.pieces, tensors)
    return FileWeights(path)


def test_tensors_of_a_folder_are_those_of_its_file(tmp_path: Path) -> None:
    write_bert(tmp_path)
    stored = load_file(tmp_path / "model.safetensors")
    weights = open_weights(tmp_path)
    for name, _ in tensor_names(weights.config):
        assert np.array_equal(weights.tensor(name), stored[name])


@pytest.mark.torch
def test_names_and_shapes_are_those_of_transformers(tmp_path: Path) -> None:
    from transformers import BertConfig, BertModel

    write_bert(tmp_path)
    model = BertModel(BertConfig.from_pretrained(tmp_path), add_pooling_layer=False)
    theirs = {name: tuple(tensor.shape) for name, tensor in model.named_parameters()}
    assert {name: array.shape for name, array in load_file(tmp_path / "model.safetensors").items()} == theirs


def test_older_names_and_a_model_below_a_head(tmp_path: Path) -> None:
    write_bert(tmp_path)
    expected = FolderWeights(tmp_path)
    stored = load_file(tmp_path / "model.safetensors")
    older = {"LayerNorm.weight": "LayerNorm.gamma", "LayerNorm.bias": "LayerNorm.beta"}
    for new, old in older.items():
        stored = {name.replace(new, old): values for name, values in stored.items()}
    save_file({f"bert.{name}": values for name, values in stored.items()}, tmp_path / "model.safetensors")
    found = FolderWeights(tmp_path)
    for name, _ in tensor_names(found.config):
        assert np.array_equal(found.tensor(name), expected.tensor(name))


def test_integers_are_within_half_a_step(tmp_path: Path) -> None:
    write_bert(tmp_path)
    float_weights, packed = FolderWeights(tmp_path), pack(tmp_path, tmp_path / "tiny.arrays")
    assert (packed.name, packed.config, packed.pieces) == ("tiny", float_weights.config, PIECES)
    for name, shape in tensor_names(packed.config):
        exact, found = float_weights.tensor(name), packed.tensor(name)
        step = np.abs(exact).max(axis=1, keepdims=True) / 127 if len(shape) == 2 else 0
        assert (np.abs(found - exact) <= step * 0.5001).all()
        if len(shape) == 2:
            assert np.array_equal(packed.rows(name, np.array([1, 0])), found[[1, 0]])


def test_a_row_of_zeros_stays_zero() -> None:
    integers, scale = quantise(np.zeros((1, 4), np.float32))
    assert not integers.any()
    assert scale.tolist() == [0]


def test_three_layers_of_minilm_take_less_than_18_megabytes(tmp_path: Path) -> None:
    config = Config(384, 3, 12, 1536, positions=512, limit=128)
    pieces = ["[UNK]", "[CLS]", "[SEP]", *(f"piece{i}" for i in range(30_519))]
    zeros = {
        name: np.zeros([{-1: 30_522}.get(n, n) if "word" in name else abs(n) for n in shape], np.float32)
        for name, shape in tensor_names(config)
    }
    write(tmp_path / "student.arrays", "student", config, pieces, zeros)
    assert (tmp_path / "student.arrays").stat().st_size < 18_000_000


def test_hash_follows_weights_and_vocabulary(tmp_path: Path) -> None:
    digests = set()
    for seed in (0, 1):
        folder = tmp_path / str(seed)
        write_bert(folder, seed=seed)
        digests |= {FolderWeights(folder).digest, pack(folder, folder / "tiny.arrays").digest}
    (folder / "vocab.txt").write_text("\n".join([*PIECES[:-1], "other"]), "utf-8")
    digests.add(FolderWeights(folder).digest)
    assert len(digests) == 5


def test_more_pieces_than_vectors(tmp_path: Path) -> None:
    write_bert(tmp_path)
    (tmp_path / "vocab.txt").write_text("\n".join([*PIECES, "one", "more"]), "utf-8")
    with pytest.raises(InputError, match=rf"has {len(PIECES) + 2} pieces, and {len(PIECES)} have a vector"):
        open_weights(tmp_path)


def test_other_sizes_than_the_configuration_says(tmp_path: Path) -> None:
    write_bert(tmp_path)
    config = (tmp_path / "config.json").read_text("utf-8").replace('"intermediate_size": 52', '"intermediate_size": 50')
    (tmp_path / "config.json").write_text(config, "utf-8")
    with pytest.raises(InputError, match=r"intermediate\.dense\.weight has shape \(52, 24\) instead of \(50, 24\)"):
        open_weights(tmp_path)


def test_a_file_of_another_kind(tmp_path: Path) -> None:
    from vericap.readers.storage import array_file

    array_file.write(tmp_path / "x.arrays", "x", {"kind": "vectors", "format": 1}, {})
    with pytest.raises(InputError, match="this file is not an encoder"):
        open_weights(tmp_path / "x.arrays")
    with pytest.raises(InputError, match="there is no such file or folder"):
        open_weights(tmp_path / "y.arrays")
