"""Tiny FAIEr models with random weights: what a metric does with a model does not depend on what it has learned.
Small networks run fastest on one thread, and other tests may be running beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

WORDS = ["dog", "cat", "a", "on", "horse", "grass"]


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    """`tiny(variant, relations=, boxes=, references=, features=)` is the folder of a model; without `features` it
    takes labels."""
    made: dict[tuple[object, ...], str] = {}

    def make(
        variant: str = "faier",
        relations: bool = True,
        boxes: bool = False,
        references: str = "r",
        features: int | None = None,
    ) -> str:
        key = (variant, relations, boxes, references, features)
        if key not in made:
            made[key] = str(_make(tmp_path_factory.mktemp("faier"), *key))  # type: ignore[arg-type]
        return made[key]

    return make


def _make(folder: Path, variant: str, relations: bool, boxes: bool, references: str, features: int | None) -> Path:
    from vericap.metrics.faier.checkpoint import save
    from vericap.metrics.faier.config import FaierConfig, ModelConfig, TrainingConfig
    from vericap.metrics.faier.inputs import shipped_vectors
    from vericap.metrics.faier.model import random_weights, weight_shapes
    from vericap.metrics.faier.pictures import feature_size

    vectors = shipped_vectors()
    size = feature_size(vectors.dimension) if features is None else features
    config = FaierConfig(ModelConfig(variant, relations, dimension=16, boxes=boxes), TrainingConfig(references))
    weights = random_weights(weight_shapes(config.model, size, vectors.dimension, len(WORDS) + 1), 7)
    quantiles = {"matched": np.linspace(-1, 3, 101).tolist(), "mismatched": np.linspace(-2, 1, 101).tolist()}
    about = {
        "features": size,
        "word_dimension": vectors.dimension,
        "vectors": vectors.hash,
        "symbolic": features is None,
        "calibration": {"n": dict.fromkeys(("0", "1", "4"), quantiles)},
    }
    save(folder, weights, config, WORDS, about)
    return folder


@pytest.fixture(autouse=True, scope="module")
def _one_thread(request: pytest.FixtureRequest) -> Iterator[None]:
    if request.node.get_closest_marker("torch") is None:
        yield
        return
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module", params=["faier", "fier", "aier", "fier+aier"])
def scorer(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A scorer of each variant."""
    from tests.metrics.faier.faier_scorers import scorer_of

    return scorer_of(request.param, tmp_path_factory.mktemp("faier"))
