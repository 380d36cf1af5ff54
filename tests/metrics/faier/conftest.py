"""Tiny FAIEr models with random weights: what a metric does with a model does not depend on what it has learned."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

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
    import torch

    from vericap.neural.faier.checkpoint import save
    from vericap.neural.faier.config import Config, ModelConfig, TrainingConfig
    from vericap.neural.faier.model import Model
    from vericap.neural.faier.symbolic import feature_size
    from vericap.neural.faier.words import shipped_vectors

    vectors = shipped_vectors()
    size = feature_size(vectors.dimension) if features is None else features
    torch.manual_seed(7)
    config = Config(ModelConfig(variant, relations, dimension=16, boxes=boxes), TrainingConfig(references))
    model = Model(config.model, size, vectors.dimension, len(WORDS) + 1)
    quantiles = {"matched": np.linspace(-1, 3, 101).tolist(), "mismatched": np.linspace(-2, 1, 101).tolist()}
    about = {
        "features": size,
        "word_dimension": vectors.dimension,
        "vectors": vectors.hash,
        "symbolic": features is None,
        "calibration": {"n": dict.fromkeys(("0", "1", "4"), quantiles)},
    }
    save(folder, model.state_dict(), config, WORDS, about)
    return folder
