"""Checkpoints come back as they were, and broken ones are refused without running anything."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.metrics.faier.faier_world import small_world, weights_for
from vericap.errors import InputError
from vericap.metrics.faier import checkpoint
from vericap.metrics.faier.config import FaierConfig, ModelConfig
from vericap.readers.storage import array_file

CONFIG = FaierConfig(ModelConfig(dimension=16, boxes=False))


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    examples, _ = world = small_world(8)
    assert examples.regions is not None
    about = {"features": examples.regions.dimension, "word_dimension": 10, "vectors": "none", "symbolic": False}
    checkpoint.save(tmp_path, weights_for(CONFIG.model, world), CONFIG, examples.words, about)
    return tmp_path


def test_it_comes_back(saved: Path) -> None:
    loaded, world = checkpoint.load(saved), small_world(8)
    assert loaded.config == CONFIG and loaded.words == world[0].words
    for name, value in weights_for(CONFIG.model, world).items():
        assert np.array_equal(loaded.model.weights[name], value.astype(np.float16)), name
    assert len(loaded.hash) == 12 and checkpoint.load(saved).hash == loaded.hash


@pytest.mark.torch
def test_the_library_of_safetensors_reads_and_writes_it(saved: Path) -> None:
    from safetensors.torch import load_file, save_file

    before = checkpoint.load(saved).model.weights
    save_file(load_file(saved / checkpoint.WEIGHTS), saved / checkpoint.WEIGHTS)
    after = checkpoint.load(saved).model.weights
    assert before.keys() == after.keys() and all(np.array_equal(before[name], after[name]) for name in before)


@pytest.mark.parametrize("share", [0.0, 0.001, 0.5, 0.999])
def test_cut_off_weights(saved: Path, share: float) -> None:
    content = (saved / checkpoint.WEIGHTS).read_bytes()
    (saved / checkpoint.WEIGHTS).write_bytes(content[: int(len(content) * share)])
    with pytest.raises(InputError, match=r"model\.safetensors: the weights are cut off, damaged"):
        checkpoint.load(saved)


def test_cut_off_settings(saved: Path) -> None:
    about = (saved / checkpoint.ABOUT).read_text("utf-8")
    (saved / checkpoint.ABOUT).write_text(about[:100], "utf-8")
    with pytest.raises(InputError, match=r"model\.json: the file is damaged or cut off"):
        checkpoint.load(saved)


def test_another_dimension(saved: Path) -> None:
    about = json.loads((saved / checkpoint.ABOUT).read_text("utf-8"))
    about["config"] = replace(CONFIG, model=replace(CONFIG.model, dimension=32)).to_dict()
    (saved / checkpoint.ABOUT).write_text(json.dumps(about), "utf-8")
    with pytest.raises(InputError, match=r"has shape .* where model\.json asks for .* \(d = 32\)"):
        checkpoint.load(saved)


def test_another_variant(saved: Path) -> None:
    about = json.loads((saved / checkpoint.ABOUT).read_text("utf-8"))
    about["config"]["model"]["variant"] = "fier"
    (saved / checkpoint.ABOUT).write_text(json.dumps(about), "utf-8")
    with pytest.raises(InputError, match="belongs to no fier model"):
        checkpoint.load(saved)


class Bomb:
    """Runs code when it is unpickled."""

    def __init__(self, target: Path) -> None:
        self.target = target

    def __reduce__(self):
        return (Path.touch, (self.target,))


def test_pickled_code_is_not_run(saved: Path) -> None:
    exploded = saved / "exploded"
    (saved / checkpoint.WEIGHTS).write_bytes(pickle.dumps(Bomb(exploded)))
    with pytest.raises(InputError, match="pickled weights are never opened"):
        checkpoint.load(saved)
    assert not exploded.exists()


def test_numbers_that_are_none(saved: Path) -> None:
    weights = {name: value.copy() for name, value in checkpoint.load(saved).model.weights.items()}
    weights[sorted(weights)[0]][:] = np.nan
    array_file.write(saved / checkpoint.WEIGHTS, "", {}, weights)
    with pytest.raises(InputError, match="NaN"):
        checkpoint.load(saved)


def test_no_checkpoint_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="this folder is not a checkpoint"):
        checkpoint.load(tmp_path)
