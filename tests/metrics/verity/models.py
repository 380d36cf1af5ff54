"""A small Verity with random weights, as a folder."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.encoders.models import write_bert
from vericap.encoders.config import Config
from vericap.metrics.verity.head import Head, Sums, write_head
from vericap.metrics.verity.matching import FEATURES
from vericap.metrics.verity.model import HEAD

CONFIG = Config(size=24, layers=2, heads=4, inner_size=52, positions=40, limit=20)
REFERENCES = ["A dog runs on the street.", "the red dog and a man", "two dogs running"]
CAPTIONS = ["a dog runs", "A woman with two cats, and a blue ball.", "red red red", "the man's dog", "dog"]


def write_small(folder: Path) -> None:
    """Writes a model of random weights."""
    sizes = {"num_hidden_layers": CONFIG.layers, "max_position_embeddings": CONFIG.positions}
    write_bert(folder / "encoder", limit=CONFIG.limit, **sizes)
    random = np.random.default_rng(0)
    weights, yardstick = random.random(len(FEATURES)) * 8, random.normal(0, 4, len(FEATURES))
    sums = Sums(weights, yardstick, single=-0.6, count=-0.9, bias=-0.3)
    projection = random.normal(size=(CONFIG.size, 10)).astype(np.float32)
    write_head(folder / HEAD, Head(projection, random.normal(size=CONFIG.size).astype(np.float32), 0.5, sums), {})
