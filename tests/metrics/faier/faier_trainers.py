"""Small trainers for tests of training and of runs."""

from __future__ import annotations

import numpy as np

from tests.metrics.faier.faier_world import World, weights_for
from vericap.metrics.faier.config import FaierConfig, ModelConfig, TrainingConfig
from vericap.metrics.faier.training import Trainer

CONFIG = FaierConfig(
    ModelConfig(dimension=16, boxes=False),
    TrainingConfig(batch=10, epochs=4, warm_up=1, learning_rate=0.003, average=0.9, patience=9),
)


def trainer_of(world: World, config: FaierConfig, validation: int = 0) -> Trainer:
    (examples, lexicon), images = world, np.arange(len(world[0]))
    weights = weights_for(config.model, world, config.training.seed)
    return Trainer(config, weights, lexicon, examples, images[validation:], images[:validation])
