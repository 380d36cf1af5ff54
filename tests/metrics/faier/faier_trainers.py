"""Small trainers for tests of training and of runs."""

from __future__ import annotations

import numpy as np
import torch

from vericap.metrics.faier.config import FaierConfig, ModelConfig, TrainingConfig
from vericap.metrics.faier.examples import Examples
from vericap.metrics.faier.inputs import Lexicon
from vericap.metrics.faier.model import Model
from vericap.metrics.faier.training import Trainer

World = tuple[Examples, Lexicon]
CONFIG = FaierConfig(
    ModelConfig(dimension=16, boxes=False),
    TrainingConfig(batch=10, epochs=4, warm_up=1, learning_rate=0.003, average=0.9, patience=9),
)


def trainer_of(world: World, config: FaierConfig, validation: int = 0) -> Trainer:
    examples, lexicon = world
    torch.manual_seed(config.training.seed)
    assert examples.regions is not None
    model = Model(config.model, examples.regions.dimension, lexicon.vectors.shape[1], len(lexicon.learned) + 1)
    images = np.arange(len(examples))
    return Trainer(config, model, lexicon, examples, images[validation:], images[:validation])
